package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank/compare"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set   func(f *CompareFlags)
		given string // flags
		want  string // in the error
	}{
		{func(f *CompareFlags) {}, "", ""},
		{func(f *CompareFlags) { f.Options.Test = "x" }, "", `--test: `},
		{func(f *CompareFlags) { f.Options.Correction = "x" }, "", `--correction: `},
		{func(f *CompareFlags) { f.Options.Interval = "x" }, "", `--interval: `},
		{func(f *CompareFlags) { f.Options.Rounds = 0 }, "rounds", "--rounds 0: must be greater than 0"},
		{func(f *CompareFlags) { f.Options.Rounds = 1<<30 + 1 }, "rounds",
			"--rounds 1073741825: must be at most 1073741824"},
		{func(f *CompareFlags) { f.Format = "latex" }, "per-query",
			"--per-query requires --format text, json or csv, not latex"},
		{func(f *CompareFlags) { f.Format = "markdown" }, "power",
			"--power requires --format text, json or csv, not markdown"},
		{func(f *CompareFlags) { f.Format = "markdown" }, "", ""},
		{func(f *CompareFlags) { f.Options.Test, f.Options.Correction = "t", "tukey-hsd" }, "",
			"requires --test randomization, not t"},
		{func(f *CompareFlags) { f.Options.Power = 1 }, "power", "--power 1: must be greater than 0 and less than 1"},
		{func(f *CompareFlags) { f.Options.Power = 0 }, "power", "--power 0: must be greater than 0 and less than 1"},
		{func(f *CompareFlags) { f.Options.Power, f.Options.MinDifference = .5, -1 }, "power min-difference",
			"--min-difference -1: must be greater than 0"},
		{func(f *CompareFlags) { f.Options.MinDifference = 1 }, "min-difference", "--min-difference requires --power"},
		{func(f *CompareFlags) { f.Options.Power, f.Options.MinDifference = .5, 1 }, "power min-difference", ""},
		{func(f *CompareFlags) { f.Options.Test, f.Options.Interval = "wilcoxon", "student" }, "seed",
			"--seed has no effect with"},
		{func(f *CompareFlags) { f.Options.Test = "t" }, "rounds", ""},
	} {
		t.Run(c.given+" "+c.want, func(t *testing.T) {
			f := CompareFlags{Format: "text",
				Options: compare.Options{Test: "randomization", Correction: "holm", Interval: "bootstrap", Rounds: 7}}
			c.set(&f)
			err := f.Check(func(flag string) bool { return slices.Contains(strings.Fields(c.given), flag) })
			if c.want == "" {
				rounds := 0
				if c.given == "rounds" {
					rounds = 7
				}
				if err != nil || f.Options.Rounds != rounds {
					t.Errorf("%+v: %v", f, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %s", f, err, c.want)
			}
		})
	}
}

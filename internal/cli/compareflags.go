// The flags of compare that simdrank and simdrank-beam share. All errors are about wrong usage.

package cli

import (
	"fmt"
	"math"

	"github.com/simdrank/simdrank/rank/compare"
)

// CompareFlags holds the output format and the options of a comparison.
type CompareFlags struct {
	Format  string // text, json, csv, markdown or latex
	Options compare.Options
}

// maxRounds is the maximum number of rounds that package compare supports.
const maxRounds = 1 << 30

// Check returns an error if flags are wrong, and completes the options. changed reports whether a
// flag was given.
func (f *CompareFlags) Check(changed func(flag string) bool) error {
	o := &f.Options
	for _, flag := range [][2]string{{"test", o.Test}, {"correction", o.Correction}, {"interval", o.Interval}} {
		kind, word := flag[0], flag[1]
		if err := CheckWord(kind, kind, word, compare.OptionWords(kind)); err != nil {
			return err
		}
	}
	if err := CheckFormat(f.Format, changed); err != nil {
		return err
	}
	if err := CheckRounds(o.Rounds); err != nil {
		return err
	}
	switch {
	case o.Correction == "tukey-hsd" && o.Test != "randomization":
		return Flagf("correction", " %v requires --test randomization, not %v", o.Correction, o.Test)
	case changed("power") && !(o.Power > 0 && o.Power < 1):
		return Flagf("power", " %v: must be greater than 0 and less than 1", o.Power)
	case changed("min-difference") && !(o.MinDifference > 0 && o.MinDifference <= math.MaxFloat64):
		return Flagf("min-difference", " %v: must be greater than 0", o.MinDifference)
	case o.MinDifference > 0 && o.Power == 0:
		return Flagf("min-difference", " requires --power")
	}
	if o.Test != "randomization" && o.Interval != "bootstrap" {
		for _, name := range []string{"rounds", "seed"} {
			if changed(name) {
				return fmt.Errorf("--%s has no effect with --test %v --interval %v: only the randomization test and the bootstrap use random numbers",
					name, o.Test, o.Interval)
			}
		}
	}
	if !changed("rounds") {
		o.Rounds = 0 // the test is exact for few queries
	}
	return nil
}

// CheckFormat returns an error if flags ask for output that tables for papers do not contain.
func CheckFormat(format string, changed func(flag string) bool) error {
	if format == "markdown" || format == "latex" {
		for _, name := range []string{"per-query", "power"} {
			if changed(name) {
				return Flagf(name, " requires --format text, json or csv, not %s", format)
			}
		}
	}
	return nil
}

// CheckRounds returns an error unless the number of rounds is supported.
func CheckRounds(rounds int) error {
	switch {
	case rounds < 1:
		return Flagf("rounds", " %d: must be greater than 0", rounds)
	case rounds > maxRounds:
		return Flagf("rounds", " %d: must be at most %d", rounds, maxRounds)
	}
	return nil
}

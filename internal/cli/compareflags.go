// CompareFlags is used by simdrank and simdrank-beam. All its errors are about the usage of the
// command.

package cli

import (
	"fmt"
	"math"

	"github.com/simdrank/simdrank/rank/compare"
)

// CompareFlags are the format and the options that flags set.
type CompareFlags struct {
	Format  string // text, json, csv, markdown or latex
	Options compare.Options
}

// maxRounds is the largest number of rounds that package compare makes.
const maxRounds = 1 << 30

// Check returns what is wrong with the flags, and completes the options. changed tells which flags
// were given.
func (f *CompareFlags) Check(changed func(flag string) bool) error {
	o := &f.Options
	for _, flag := range [][2]string{{"test", o.Test}, {"correction", o.Correction}, {"interval", o.Interval}} {
		kind, word := flag[0], flag[1]
		if err := CheckWord(kind, kind, word, compare.OptionWords(kind)); err != nil {
			return err
		}
	}
	meansAlone := f.Format == "markdown" || f.Format == "latex"
	if meansAlone {
		for _, name := range []string{"per-query", "interval", "power"} {
			if changed(name) {
				return Flagf(name, " is for --format text, json or csv: %s has the means alone", f.Format)
			}
		}
	}
	switch {
	case o.Rounds < 1:
		return Flagf("rounds", " %d: want a number above 0", o.Rounds)
	case o.Rounds > maxRounds:
		return Flagf("rounds", " %d: want at most %d", o.Rounds, maxRounds)
	case o.Correction == "tukey-hsd" && o.Test != "randomization":
		return Flagf("correction", " %v is a randomization test: it does not go with --test %v", o.Correction, o.Test)
	case changed("power") && !(o.Power > 0 && o.Power < 1):
		return Flagf("power", " %v: want a number between 0 and 1", o.Power)
	case changed("min-difference") && !(o.MinDifference > 0 && o.MinDifference <= math.MaxFloat64):
		return Flagf("min-difference", " %v: want a number above 0", o.MinDifference)
	case o.MinDifference > 0 && o.Power == 0:
		return Flagf("min-difference", " needs --power")
	}
	if o.Test != "randomization" && o.Interval != "bootstrap" {
		for _, name := range []string{"rounds", "seed"} {
			if changed(name) {
				return fmt.Errorf("--%s is for the randomization test and the bootstrap, and not for --test %v --interval %v",
					name, o.Test, o.Interval)
			}
		}
	}
	if !changed("rounds") {
		o.Rounds = 0 // and the test of few queries is exact
	}
	if meansAlone {
		o.Interval = "t" // without rounds for what is not printed
	}
	return nil
}

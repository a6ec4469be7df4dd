// CompareFlags is used by simdrank and simdrank-beam. All its errors are about the usage of the
// command.

package cli

import (
	"errors"
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank/compare"
)

// Flags are the words of flags, and the options that the others set.
type CompareFlags struct {
	Test, Correction, Interval string
	Format                     string // text, json, csv, markdown or latex
	Options                    compare.Options
}

// maxRounds is the largest number of rounds that package compare makes.
const maxRounds = 1 << 30

// Check returns what is wrong with the flags, and completes the options. changed tells which flags
// were given.
func (f *CompareFlags) Check(changed func(flag string) bool) (err error) {
	o := &f.Options
	if o.Test, err = compare.ParseTest(f.Test); err != nil {
		return errs.Wrap(err, "--test")
	}
	if o.Correction, err = compare.ParseCorrection(f.Correction); err != nil {
		return errs.Wrap(err, "--correction")
	}
	if o.Interval, err = compare.ParseInterval(f.Interval); err != nil {
		return errs.Wrap(err, "--interval")
	}
	meansAlone := f.Format == "markdown" || f.Format == "latex"
	if meansAlone {
		for _, name := range []string{"per-query", "interval", "power"} {
			if changed(name) {
				return fmt.Errorf("--%s is for --format text, json or csv: %s has the means alone", name, f.Format)
			}
		}
	}
	switch {
	case o.Rounds < 1:
		return fmt.Errorf("--rounds %d: want a number above 0", o.Rounds)
	case o.Rounds > maxRounds:
		return fmt.Errorf("--rounds %d: want at most %d", o.Rounds, maxRounds)
	case o.Correction == compare.CorrectionTukey && o.Test != compare.TestRandomization:
		return fmt.Errorf("--correction %v is a randomization test: it does not go with --test %v", o.Correction, o.Test)
	case changed("power") && !(o.Power > 0 && o.Power < 1):
		return fmt.Errorf("--power %v: want a number between 0 and 1", o.Power)
	case changed("min-difference") && !(o.MinDifference > 0 && o.MinDifference <= math.MaxFloat64):
		return fmt.Errorf("--min-difference %v: want a number above 0", o.MinDifference)
	case o.MinDifference > 0 && o.Power == 0:
		return errors.New("--min-difference needs --power")
	}
	if o.Test != compare.TestRandomization && o.Interval != compare.IntervalBootstrap {
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
		o.Interval = compare.IntervalStudent // without rounds for what is not printed
	}
	return nil
}

package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/modelfile"
)

// A FeatureLimit is the value of a flag, for MaxFeature of package data and for data files, which
// may claim millions of columns in a few bytes.
type FeatureLimit int

// String returns the number.
func (l *FeatureLimit) String() string { return strconv.Itoa(int(*l)) }

// Type names the values for the text of help.
func (l *FeatureLimit) Type() string { return "N" }

// Set reads a number in the range of the option.
func (l *FeatureLimit) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > modelfile.LargestMaxFeature {
		return fmt.Errorf("want a number from 1 to %d", modelfile.LargestMaxFeature)
	}
	*l = FeatureLimit(n)
	return nil
}

// A MemoryLimit is the value of a flag, in bytes, for the options MemoryLimit of readers. It is 0,
// which stands for the default of each reader, unless the flag is given.
type MemoryLimit int64

// memoryUnits are the units of GOMEMLIMIT.
var memoryUnits = map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
	"TiB": 1 << 40}

// String returns the number of bytes, "" for the default.
func (l *MemoryLimit) String() string {
	if *l == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*l), 10)
}

// Type names the values for the text of help.
func (l *MemoryLimit) Type() string { return "BYTES" }

// Set reads a whole number of bytes with a unit or without.
func (l *MemoryLimit) Set(s string) error {
	digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
	n, err := strconv.ParseInt(digits, 10, 64)
	unit := memoryUnits[s[len(digits):]]
	if err != nil || n < 1 || unit == 0 || n > math.MaxInt64/unit {
		return errors.New("must be a whole number of bytes above 0, or one of KiB, MiB, GiB or TiB as in 4GiB")
	}
	*l = MemoryLimit(n * unit)
	return nil
}

// Features reads lists of features, by name where they have names, and else by number.
type Features struct {
	Names []string // nil when they have none
	Cols  int
	First int // number of the first one
}

// Parse reads features and ranges of them between commas, and returns their places from 0.
func (f Features) Parse(list string) ([]int, error) {
	if list == "" {
		return nil, nil
	}
	var found []int
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		lo, err := f.place(part)
		hi := lo
		for k := range len(part) { // names may hold hyphens, too
			if err == nil {
				break
			}
			if part[k] == '-' {
				if lo, err = f.place(part[:k]); err == nil {
					hi, err = f.place(part[k+1:])
				}
			}
		}
		if err != nil {
			return nil, err
		}
		if hi < lo {
			return nil, fmt.Errorf("%q ends before it starts", part)
		}
		for j := lo; j <= hi; j++ {
			found = append(found, j)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// place returns the place of a feature from 0.
func (f Features) place(text string) (int, error) {
	if j := slices.Index(f.Names, text); j >= 0 {
		return j, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && f.Names != nil:
		return 0, fmt.Errorf("no feature is named %q", text)
	case err != nil:
		return 0, fmt.Errorf("%q is not the number of a feature", text)
	case n < f.First || n-f.First >= f.Cols:
		return 0, fmt.Errorf("feature %d: the data have %d to %d", n, f.First, f.First+f.Cols-1)
	}
	return n - f.First, nil
}

// Monotone reads features with signs behind them, as in 3+,age-: of each feature 1, −1 or 0.
func (f Features) Monotone(list string) ([]int8, error) {
	if list == "" {
		return nil, nil
	}
	signs := make([]int8, f.Cols)
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		feature, rising := strings.CutSuffix(part, "+")
		sign := int8(1)
		if !rising {
			var falling bool
			if feature, falling = strings.CutSuffix(part, "-"); !falling {
				return nil, Flagf("monotone", ": %q: want a feature and + or -", part)
			}
			sign = -1
		}
		j, err := f.place(feature)
		if err != nil {
			return nil, Flagf("monotone", ": %w", err)
		}
		if signs[j] == -sign {
			return nil, Flagf("monotone", ": feature %s is both + and -", feature)
		}
		signs[j] = sign
	}
	return signs, nil
}

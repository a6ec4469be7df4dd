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

// A FeatureLimit is the value of a flag that sets MaxFeature of package data. It protects against
// files that declare millions of columns in a few bytes.
type FeatureLimit int

// String returns the number.
func (l *FeatureLimit) String() string { return strconv.Itoa(int(*l)) }

// Type returns the name that the help shows for the value.
func (l *FeatureLimit) Type() string { return "number" }

// Set parses a number in the range of the option.
func (l *FeatureLimit) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > modelfile.LargestMaxFeature {
		return fmt.Errorf("must be a whole number from 1 to %d", modelfile.LargestMaxFeature)
	}
	*l = FeatureLimit(n)
	return nil
}

// A MemoryLimit is the value of a flag that sets MemoryLimit of readers, in bytes. If the flag is
// not given, it is 0, and each reader uses its default.
type MemoryLimit int64

// memoryUnits are the units of GOMEMLIMIT.
var memoryUnits = map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
	"TiB": 1 << 40}

// String returns the number of bytes, or "" for the default.
func (l *MemoryLimit) String() string {
	if *l == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*l), 10)
}

// Type returns the name that the help shows for the value.
func (l *MemoryLimit) Type() string { return "bytes" }

// Set parses a whole number of bytes, with or without a unit.
func (l *MemoryLimit) Set(s string) error {
	digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
	n, err := strconv.ParseInt(digits, 10, 64)
	unit := memoryUnits[s[len(digits):]]
	if err != nil || n < 1 || unit == 0 || n > math.MaxInt64/unit {
		return errors.New("must be a positive whole number, optionally followed by KiB, MiB, GiB or TiB, e.g. 4GiB")
	}
	*l = MemoryLimit(n * unit)
	return nil
}

// Features parses lists of features, which are given by name or, without Names, by number.
type Features struct {
	Names []string // nil if the features have no names
	Cols  int
	First int // number of the first feature
}

// Parse parses features and ranges of features, separated by commas. It returns their columns,
// counted from 0.
func (f Features) Parse(list string) ([]int, error) {
	if list == "" {
		return nil, nil
	}
	var found []int
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		lo, err := f.Place(part)
		hi := lo
		for k := range len(part) { // names may contain hyphens too
			if err == nil {
				break
			}
			if part[k] == '-' {
				if lo, err = f.Place(part[:k]); err == nil {
					hi, err = f.Place(part[k+1:])
				}
			}
		}
		if err != nil {
			return nil, err
		}
		if hi < lo {
			return nil, fmt.Errorf("range %q ends before it starts", part)
		}
		for j := lo; j <= hi; j++ {
			found = append(found, j)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// Sets parses the value of a flag: lists of features, separated by semicolons.
func (f Features) Sets(flag, value string) ([][]int, error) {
	return f.sets(flag, value, strings.Split(value, ";"))
}

// Groups is like Sets, but a list may begin with a name and an equals sign. Otherwise the list
// itself is the name.
func (f Features) Groups(flag, value string) (names []string, sets [][]int, err error) {
	lists := strings.Split(value, ";")
	for i, part := range lists {
		name, list, named := strings.Cut(part, "=")
		if names = append(names, strings.TrimSpace(name)); named {
			lists[i] = list
		}
	}
	sets, err = f.sets(flag, value, lists)
	return names, sets, err
}

// sets parses lists of features, which are parts of the value of a flag.
func (f Features) sets(flag, value string, lists []string) (sets [][]int, err error) {
	for _, list := range lists {
		set, err := f.Parse(list)
		switch {
		case err != nil:
			return nil, Flagf(flag, ": %w", err)
		case len(set) == 0:
			return nil, Flagf(flag, " %s: sets must not be empty", value)
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// Place returns the column of a feature, counted from 0.
func (f Features) Place(text string) (int, error) {
	if j := slices.Index(f.Names, text); j >= 0 {
		return j, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil && f.Names != nil:
		return 0, fmt.Errorf("no feature named %q", text)
	case err != nil:
		return 0, fmt.Errorf("%q is not a feature number", text)
	case n < f.First || n-f.First >= f.Cols:
		return 0, fmt.Errorf("feature %d does not exist: features are numbered %d to %d", n, f.First, f.First+f.Cols-1)
	}
	return n - f.First, nil
}

// Monotone parses features that are followed by a sign, as in 3+,age-. For each feature it returns
// 1, −1 or 0.
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
				return nil, Flagf("monotone", ": %q must be a feature followed by + or -", part)
			}
			sign = -1
		}
		j, err := f.Place(feature)
		if err != nil {
			return nil, Flagf("monotone", ": %w", err)
		}
		if signs[j] == -sign {
			return nil, Flagf("monotone", ": feature %s has both + and -", feature)
		}
		signs[j] = sign
	}
	return signs, nil
}

// The flags of train that simdrank and simdrank-beam share. All errors are about wrong usage,
// except the errors of [TreesFlags.CheckStart].

package cli

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Positive returns an error unless the value of a flag is a finite number greater than 0. In the
// library 0 means the default; on a command line it is a mistake.
func Positive(flag string, v float64) error {
	switch {
	case v-v != 0:
		return Flagf(flag, " %v: must be finite", v)
	case v <= 0:
		return Flagf(flag, " %v: must be greater than 0", v)
	}
	return nil
}

// SVMFlags are the flags for RankSVM that are not options of a [rank.RankSVM].
type SVMFlags struct {
	Path  string // --c-path
	Folds int    // --cv
}

// Check returns an error if flags or the options of m are wrong. changed reports whether a flag was
// given.
func (f *SVMFlags) Check(m *rank.RankSVM, changed func(flag string) bool) error {
	for _, p := range []struct {
		flag string
		v    float64
	}{{"c", m.C}, {"tol", m.Tol}, {"max-passes", float64(m.MaxPasses)}} {
		if err := Positive(p.flag, p.v); err != nil {
			return err
		}
	}
	switch {
	case f.Folds != 0 && f.Folds < 2:
		return Flagf("cv", " %d: must be at least 2", f.Folds)
	case changed("c") && f.Path != "":
		return Flagf("c", " cannot be combined with --c-path")
	case changed("c-path") && f.Path == "":
		return Flagf("c-path", " is empty: must be auto, or numbers greater than 0, separated by commas")
	}
	if _, err := f.CValues(m); err != nil {
		return err
	}
	if m.Threads < 0 {
		return Flagf("threads", " %d: must be at least 0", m.Threads)
	}
	return nil
}

// CValues returns the values of C to choose from. Without --c-path this is the C of m.
func (f *SVMFlags) CValues(m *rank.RankSVM) ([]float64, error) {
	switch f.Path {
	case "":
		return []float64{m.C}, nil
	case "auto":
		return ranksvm.DefaultCs(), nil
	}
	return numbers("c-path", f.Path, "greater than 0", func(c float64) bool { return c > 0 })
}

// PairGain returns the field Gain of a [rank.RankSVM] for a value of --pair-weights, or for the
// option Pairs of package rankbeam. "" means equal.
func PairGain(word string) (gain func(label float64) float64, err error) {
	switch word {
	case "", "equal":
		return nil, nil
	case "label":
		return func(label float64) float64 { return label }, nil
	case "gain":
		return rank.ExpGain, nil
	}
	return nil, fmt.Errorf("%s: must be equal, label or gain", word)
}

// numbers parses the value of a flag: finite numbers that in accepts, separated by commas. An error
// states the required range.
func numbers(flag, list, required string, in func(v float64) bool) (values []float64, err error) {
	for word := range strings.SplitSeq(list, ",") {
		v, err := text.ParseNumber(strings.TrimSpace(word), 64)
		if err != nil || !in(v) || math.IsInf(v, 0) {
			return nil, Flagf(flag, ": %q must be a finite number %s", word, required)
		}
		values = append(values, v)
	}
	return values, nil
}

// Note adds the pair weights and the choice of C to the settings of m. path is nil if C was not
// chosen among several values. valid reports whether there are validation data.
func (f *SVMFlags) Note(m *rank.Linear, pairs string, path *CPath, valid bool) {
	m.Settings["pair_weights"] = pairs
	if path == nil {
		return
	}
	var cs []string
	for _, p := range path.Points {
		cs = append(cs, strconv.FormatFloat(p.C, 'g', -1, 64))
	}
	m.Settings["c_path"], m.Settings["metric"] = strings.Join(cs, ","), path.Metric
	if f.Folds > 0 || !valid {
		m.Settings["cv"] = strconv.Itoa(cmp.Or(f.Folds, 5))
	}
}

// TreesFlags are the flags for LambdaMART that are not options of a [lambdamart.Trainer].
type TreesFlags struct {
	Monotone, Categorical string
	LabelGain             string
	Interactions          string
	Start                 string // the file of a model
	Retrain               bool
	Search                bool // the command searches for the number of trees, as tune does
}

// Check returns an error if flags or the options of t are wrong. changed reports whether a flag was
// given, and valid whether there are validation data.
func (f *TreesFlags) Check(t *lambdamart.Trainer, changed func(flag string) bool, valid bool) error {
	for _, group := range f.flags(t) {
		for _, g := range group {
			if !changed(g.name) || g.name == "drop-rate" && !t.Dart {
				continue
			}
			if err := g.check(); err != nil {
				return err
			}
		}
	}
	if changed("label-gain") {
		var err error
		t.Gains, err = numbers("label-gain", f.LabelGain, "of at least 0", func(gain float64) bool { return gain >= 0 })
		if err != nil {
			return err
		}
	}
	switch {
	case changed("checkpoint-every") && t.Checkpoint == "":
		return Flagf("checkpoint-every", " requires --checkpoint")
	case t.EarlyStopping > 0 && t.Dart && !f.Search:
		return Flagf("early-stopping", " cannot be combined with --dart: each new tree rescales earlier ones")
	case t.Checkpoint != "" && t.Dart:
		return Flagf("checkpoint", " cannot be combined with --dart: each new tree rescales earlier ones")
	case t.EarlyStopping > 0 && !valid:
		return Flagf("early-stopping", " requires validation data (--valid)")
	case f.Retrain && t.EarlyStopping == 0:
		return Flagf("retrain", " requires --early-stopping, which determines the number of trees")
	case f.Retrain && f.Start != "":
		return Flagf("retrain", " cannot be combined with --start")
	}
	return CheckObjective(t, changed)
}

// objectivesOf lists the objectives that use a flag, for flags that not every objective uses.
var objectivesOf = map[string][]string{
	"truncation":   {"ndcg", "map", "pairwise"},
	"mean-pairs":   {"ndcg", "map", "pairwise"},
	"no-norm":      {"ndcg", "map", "pairwise"},
	"sigmoid":      {"ndcg", "map", "pairwise", "binary"},
	"label-gain":   {"ndcg", "xe-ndcg"},
	"permutations": {"yetirank"},
	"decay":        {"yetirank"},
}

// CheckObjective returns an error about a flag that the objective of t does not use. changed
// reports whether a flag was given.
func CheckObjective(t *lambdamart.Trainer, changed func(flag string) bool) error {
	for _, flag := range slices.Sorted(maps.Keys(objectivesOf)) {
		if of := objectivesOf[flag]; changed(flag) && !slices.Contains(of, t.Objective.String()) {
			return Flagf(flag, " requires --objective %s", OneOf(of))
		}
	}
	if changed("truncation") && t.MeanPairs > 0 {
		return Flagf("truncation", " cannot be combined with --mean-pairs: both choose the pairs")
	}
	return nil
}

// FeatureNames returns the names in the flags that list features. Numbers are returned, too,
// because they may be names.
func (f *TreesFlags) FeatureNames() (names []string) {
	split := func(r rune) bool { return r == ',' || r == ';' }
	for name := range strings.FieldsFuncSeq(f.Categorical+","+f.Interactions, split) {
		names = append(names, strings.TrimSpace(name))
	}
	for name := range strings.SplitSeq(f.Monotone, ",") {
		names = append(names, strings.TrimRight(strings.TrimSpace(name), "+-"))
	}
	return names
}

// Settle sets the options that refer to features.
func (f *TreesFlags) Settle(t *lambdamart.Trainer, features Features) (err error) {
	if t.Monotone, err = features.Monotone(f.Monotone); err != nil {
		return err
	}
	if t.Categorical, err = features.Parse(f.Categorical); err != nil {
		return Flagf("categorical", ": %w", err)
	}
	t.Interactions = nil
	if f.Interactions != "" {
		if t.Interactions, err = features.Sets("interactions", f.Interactions); err != nil {
			return err
		}
	}
	for _, j := range t.Categorical {
		if j < len(t.Monotone) && t.Monotone[j] != 0 {
			return fmt.Errorf("feature %d is in both --categorical and --monotone: categorical features cannot be monotone",
				j+features.First)
		}
	}
	return nil
}

// CheckStart returns an error if --zero-missing contradicts the model that training continues from.
func (f *TreesFlags) CheckStart(t *lambdamart.Trainer) error {
	switch {
	case t.Start.UnknownZeros || t.ZeroMissing == t.Start.ZeroMissing():
		return nil
	case t.ZeroMissing:
		return fmt.Errorf("%s was trained with 0 as a value, so --start cannot be combined with --zero-missing",
			f.Start)
	}
	return fmt.Errorf("%s was trained with 0 as missing, so --start requires --zero-missing", f.Start)
}

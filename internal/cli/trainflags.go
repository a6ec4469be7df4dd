// The flags of train that simdrank and simdrank-beam share: they are defined and checked here. All
// errors but those of [TreesFlags.CheckStart] are about the usage of the command.

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

// Positive returns an error unless the value of a flag is a number above 0. The library takes 0 as
// its default; on a command line it is a mistake.
func Positive(flag string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return Flagf(flag, " %v: want a number above 0", v)
	}
	return nil
}

// SVM are flags of RankSVM that are no options of a [rank.RankSVM].
type SVMFlags struct {
	Path  string // --c-path
	Folds int    // --cv
}

// Check returns what is wrong with the flags and the options of m. changed tells which flags were
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
		return Flagf("cv", " %d: want a number from 2", f.Folds)
	case changed("c") && f.Path != "":
		return Flagf("c", " and --c-path exclude each other")
	case changed("c-path") && f.Path == "":
		return Flagf("c-path", " is empty: want auto, or numbers above 0 between commas")
	}
	if _, err := f.CValues(m); err != nil {
		return err
	}
	if m.Threads < 0 {
		return Flagf("threads", " %d: want a number from 0", m.Threads)
	}
	return nil
}

// CValues returns the values of C to choose from, that of m where there is no --c-path.
func (f *SVMFlags) CValues(m *rank.RankSVM) ([]float64, error) {
	switch f.Path {
	case "":
		return []float64{m.C}, nil
	case "auto":
		return ranksvm.DefaultCs(), nil
	}
	return numbers("c-path", f.Path, "above 0", func(c float64) bool { return c > 0 })
}

// PairGain returns the field Gain of a [rank.RankSVM] for a value of --pair-weights, or of the
// option Pairs of package rankbeam; "" is equal.
func PairGain(word string) (gain func(label float64) float64, err error) {
	switch word {
	case "", "equal":
		return nil, nil
	case "label":
		return func(label float64) float64 { return label }, nil
	case "gain":
		return rank.ExpGain, nil
	}
	return nil, fmt.Errorf("%s: want equal, label or gain", word)
}

// numbers reads the finite numbers of a flag, between commas, that in takes; want says which.
func numbers(flag, list, want string, in func(v float64) bool) (values []float64, err error) {
	for word := range strings.SplitSeq(list, ",") {
		v, err := text.ParseNumber(strings.TrimSpace(word), 64)
		if err != nil || !in(v) || math.IsInf(v, 0) {
			return nil, Flagf(flag, ": %q is not a number %s", word, want)
		}
		values = append(values, v)
	}
	return values, nil
}

// Note adds to the settings of m what its training does not know: what pairs weigh, and how C was
// chosen; path is nil without a choice. valid tells whether there are validation data.
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

// Trees are flags of LambdaMART that are no options of a [lambdamart.Trainer].
type TreesFlags struct {
	Monotone, Categorical string
	LabelGain             string
	Interactions          string
	Start                 string // the file of a model
	Retrain               bool
	Search                bool // the best number of trees is trained anew, as tune does
}

// Check returns what is wrong with the flags that were given, as changed tells, and the options of
// t. valid tells whether there are validation data.
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
		t.Gains, err = numbers("label-gain", f.LabelGain, "from 0", func(gain float64) bool { return gain >= 0 })
		if err != nil {
			return err
		}
	}
	switch {
	case changed("checkpoint-every") && t.Checkpoint == "":
		return Flagf("checkpoint-every", " needs --checkpoint, a file to keep the training in")
	case t.EarlyStopping > 0 && t.Dart && !f.Search:
		return Flagf("early-stopping", " and --dart exclude each other: every tree changes those before it")
	case t.Checkpoint != "" && t.Dart:
		return Flagf("checkpoint", " and --dart exclude each other: every tree changes those before it")
	case t.EarlyStopping > 0 && !valid:
		return Flagf("early-stopping", " needs --valid, data to measure on")
	case f.Retrain && t.EarlyStopping == 0:
		return Flagf("retrain", " needs --early-stopping, which tells how many trees to grow")
	case f.Retrain && f.Start != "":
		return Flagf("retrain", " and --start exclude each other")
	}
	return CheckObjective(t, changed)
}

// objectivesOf names, for flags that not every objective looks at, those that do.
var objectivesOf = map[string][]string{
	"truncation":   {"ndcg", "map", "pairwise"},
	"mean-pairs":   {"ndcg", "map", "pairwise"},
	"no-norm":      {"ndcg", "map", "pairwise"},
	"sigmoid":      {"ndcg", "map", "pairwise", "binary"},
	"label-gain":   {"ndcg", "xe-ndcg"},
	"permutations": {"yetirank"},
	"decay":        {"yetirank"},
}

// CheckObjective returns an error about a flag that the objective of t does not use. changed tells
// which flags were given.
func CheckObjective(t *lambdamart.Trainer, changed func(flag string) bool) error {
	for _, flag := range slices.Sorted(maps.Keys(objectivesOf)) {
		if of := objectivesOf[flag]; changed(flag) && !slices.Contains(of, t.Objective.String()) {
			return Flagf(flag, " is for --objective %s", strings.Join(of, " and "))
		}
	}
	if changed("truncation") && t.MeanPairs > 0 {
		return Flagf("truncation", " and --mean-pairs exclude each other: both choose the pairs")
	}
	return nil
}

// Settle sets the options that name features.
func (f *TreesFlags) Settle(t *lambdamart.Trainer, features Features) (err error) {
	if t.Monotone, err = features.Monotone(f.Monotone); err != nil {
		return err
	}
	if t.Categorical, err = features.Parse(f.Categorical); err != nil {
		return Flagf("categorical", ": %w", err)
	}
	t.Interactions = nil
	if f.Interactions != "" {
		for list := range strings.SplitSeq(f.Interactions, ";") {
			set, err := features.Parse(list)
			switch {
			case err != nil:
				return Flagf("interactions", ": %w", err)
			case len(set) == 0:
				return Flagf("interactions", " %s: a set is empty", f.Interactions)
			}
			t.Interactions = append(t.Interactions, set)
		}
	}
	for _, j := range t.Categorical {
		if j < len(t.Monotone) && t.Monotone[j] != 0 {
			return fmt.Errorf("feature %d is both --categorical and --monotone", j+features.First)
		}
	}
	return nil
}

// CheckStart returns an error when the model to go on from says of zeros what --zero-missing
// contradicts.
func (f *TreesFlags) CheckStart(t *lambdamart.Trainer) error {
	switch {
	case t.Start.UnknownZeros || t.ZeroMissing == t.Start.ZeroMissing():
		return nil
	case t.ZeroMissing:
		return fmt.Errorf("%s: was trained with 0 as a value, so --start and --zero-missing exclude each other",
			f.Start)
	}
	return fmt.Errorf("%s: was trained with 0 as missing, so --start needs --zero-missing", f.Start)
}

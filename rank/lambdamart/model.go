package lambdamart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A Model is a sum of regression trees: the score of a document x is
//
//	s(x) = Bias + Σₜ (value of the leaf that x reaches in tree t)
//
// Values are added in float64, in the order of the trees. The first k trees are also a model, which
// Truncate returns. Features may be missing (NaN). The package comment explains how missing
// features are scored, including features that were never missing in training.
type Model struct {
	NumFeatures  int      `hash:"NumFeatures"`  // number of features that the trees may use
	FeatureNames []string `hash:"FeatureNames"` // name of each feature, in UTF-8; nil if the features have no names
	Bias         float64  `hash:"Bias"`
	Trees        []Tree   `hash:"Trees"`

	// Sigmoid is positive in a log-loss model and 0 otherwise. 1/(1+exp(−Sigmoid·s)) is the
	// probability that a document with score s is relevant; see Probabilities.
	Sigmoid float64 `hash:"Sigmoid"`

	// Calibration maps scores to relevance probabilities; see [rank.Calibrate]. It is nil if the
	// model is not calibrated. Only this module's JSON format stores it.
	Calibration *rank.Calibration `hash:"Calibration"`

	// Best is the number of trees that was best on a validation set, or 0 if that is not known.
	// Scores use all trees.
	Best int `hash:"Best"`

	// Average is set if the score is the mean of the trees, as in LightGBM's random forests. Leaf
	// values are already divided by len(Trees), so the score is still the sum above. The score of
	// the first k trees is the mean of k trees.
	Average bool `hash:"Average"`

	// CategoryCodes is set if another library's trainer numbered the category values from 0 and the
	// original values are not in Categories. For example, "red" and "green" of a data frame become
	// 0 and 1. Documents to score must contain these numbers. Scores do not depend on this field.
	// Only this module's JSON format stores it.
	CategoryCodes bool `hash:"CategoryCodes"`

	// Categories contains the texts of categorical features, one list per feature. The list of a
	// feature without texts is nil, and Categories is nil if no feature has texts. A feature value
	// is the index of the text in the list. A text that is not in the list has a number beyond the
	// end of the list; splits send it the same way as other unseen categories. See Categories of
	// [rank.Dataset]. Only the formats json, lightgbm, lightgbm-v3, lightgbm-dump, xgboost and
	// xgboost-ubj store it.
	Categories [][]string `hash:"Categories"`

	// UnknownOrder is set if the model names its features but does not specify their order in data,
	// as in XGBoost dumps. The features are then in the order in which the file names them. Such a
	// model requires data with names, unless [Model.SetFeatureNames] sets the order.
	UnknownOrder bool `hash:"UnknownOrder"`

	// UnknownZeros is set if the model does not record whether training treated 0 as a value or as
	// missing, as in XGBoost models. Scoring treats zeros as values until SetZeroMissing is called.
	UnknownZeros bool `hash:"UnknownZeros"`

	// MissingFeatures reports for each feature whether it had missing values in training. It is nil
	// if that is not known. For a LightGBM model, it is true for every feature that no split uses,
	// because the model records nothing about such a feature. Scores do not depend on this field,
	// but [Scorer.UnseenMissing] reports missing values of features whose element is false. Only
	// this module's JSON format stores it exactly.
	MissingFeatures []bool `hash:"MissingFeatures"`

	// PositionFactors contains the factors that training with a position bias learned. It is nil
	// otherwise. Scores do not depend on them. Only this module's JSON format stores them.
	PositionFactors *PositionFactors `hash:"Positions"`

	// Settings contains the options of the training by name, for information. It is nil if they are
	// not known. A [Trainer] stores all of its options, including defaults. The stored number of
	// trees includes the trees of Start. Readers of other libraries' models copy the options that
	// the files contain. Only this module's JSON format stores them.
	Settings map[string]string `hash:"Settings"`
}

// A Tree is a binary regression tree. Splits and leaves are numbered from 0. A child is the number
// of a split, or ^n for leaf n. The root is split 0, or leaf 0 if the tree has no splits.
//
// A numerical split sends x ≤ Threshold left and other values right. A categorical split truncates
// a value to an integer. It sends the value left if its bit is set in Categories, and right
// otherwise. Values below Threshold go right. In a categorical split, Threshold is 0 or, in
// LightGBM models, the float32 after −1, because LightGBM truncates −0.5 to 0.
//
// A missing value goes left if MissingLeft is set. NaN is missing. 0 is missing if ZeroMissing is
// set. Features that a row omits are 0. If no row with a missing value reached a numerical split in
// training, [Trainer] sets MissingLeft if the feature's median goes left. Values that are missing
// only at serving time therefore count as the median.
//
// Slices have one element per split, or one per leaf if the name begins with Leaf. There is one
// more leaf than there are splits. MissingLeft and ZeroMissing may be empty, which means that all
// are false. Gain, Weight, Count, LeafWeight and LeafCount may be empty if they are not known.
type Tree struct {
	Feature   []int32   `hash:"Feature"`
	Threshold []float32 `hash:"Threshold"`
	// Categories contains a set of categories per split: category v is bit v%32 of word v/32. A set
	// is nil for a numerical split. Categories is nil if all splits are numerical.
	Categories  [][]uint32 `hash:"Categories"`
	MissingLeft []bool     `hash:"MissingLeft"`
	ZeroMissing []bool     `hash:"ZeroMissing"`
	Left        []int32    `hash:"Left"`
	Right       []int32    `hash:"Right"`
	// Gain is the loss reduction of each split. Its unit depends on the library that trained the
	// model. [Trainer] subtracts MinGain.
	Gain []float64 `hash:"Gain"`
	// Weight is the sum of the Hessian over the training rows that reach each split.
	Weight []float64 `hash:"Weight"`
	// Count is the number of training rows that reach each split.
	Count []int64 `hash:"Count"`

	Leaf       []float64 `hash:"Leaf"` // value of each leaf, including the learning rate
	LeafWeight []float64 `hash:"LeafWeight"`
	LeafCount  []int64   `hash:"LeafCount"`
}

const maxFeatures = modelfile.MaxFeatures

// Validate returns an error if the fields contradict each other, if the splits do not form a tree,
// or if a number is not finite. A threshold may be infinite, but not NaN. Package model reads only
// valid models. [Model.Score] may panic on an invalid model.
func (m *Model) Validate() error {
	switch {
	case m.NumFeatures < 0 || m.NumFeatures > maxFeatures:
		return errs.Errorf("lambdamart", "the number of features is %d; it must be from 0 to %d", m.NumFeatures,
			maxFeatures)
	case m.FeatureNames != nil && len(m.FeatureNames) != m.NumFeatures:
		return errs.Errorf("lambdamart", "the number of names is %d; it must be %d, one per feature",
			len(m.FeatureNames), m.NumFeatures)
	case m.MissingFeatures != nil && len(m.MissingFeatures) != m.NumFeatures:
		return errs.Errorf("lambdamart", "the number of values of MissingFeatures is %d; it must be %d, one per feature",
			len(m.MissingFeatures), m.NumFeatures)
	case m.UnknownOrder && m.FeatureNames == nil:
		return errs.New("lambdamart", "UnknownOrder requires feature names")
	case !finite(m.Bias):
		return errs.Errorf("lambdamart", "the bias is %v; it must be finite", m.Bias)
	case !(m.Sigmoid >= 0 && finite(m.Sigmoid)):
		return errs.Errorf("lambdamart", "the sigmoid is %v; it must be finite and not negative", m.Sigmoid)
	case m.Best < 0 || m.Best > len(m.Trees):
		return errs.Errorf("lambdamart", "Best is %d; it must be from 0 to the number of trees, %d", m.Best,
			len(m.Trees))
	}
	if err := text.CheckNames(m.FeatureNames, "feature", 0); err != nil {
		return errs.Op("lambdamart", err)
	}
	if err := m.PositionFactors.validate(); err != nil {
		return errs.Op("lambdamart", err)
	}
	if m.Calibration != nil {
		if err := m.Calibration.Validate(); err != nil {
			return errs.Op("lambdamart", err)
		}
	}
	var w walk
	for i := range m.Trees {
		if err := m.Trees[i].validate(m.NumFeatures, &w); err != nil {
			return errs.Errorf("lambdamart", "tree %d: %w", i, err)
		}
	}
	if err := m.validateCategories(); err != nil {
		return errs.Op("lambdamart", err)
	}
	return nil
}

// Truncate keeps only the first n trees of the model. The model must have at least n trees. If
// Average is set, the model becomes the mean of these trees. If n is less than the number of trees,
// Truncate removes the calibration, because the scores change.
func (m *Model) Truncate(n int) {
	all := len(m.Trees)
	m.Trees, m.Best = m.Trees[:n:n], min(m.Best, n)
	if n == all {
		return
	}
	if m.Calibration = nil; !m.Average {
		return
	}
	m.Trees = slices.Clone(m.Trees)
	for i := range m.Trees {
		leaf := slices.Clone(m.Trees[i].Leaf)
		for l, v := range leaf {
			leaf[l] = v * float64(all) / float64(n)
		}
		m.Trees[i].Leaf = leaf
	}
}

// rescale converts partial scores, to which only the first trees contribute, to scores of a model
// that consists of only these trees.
func (m *Model) rescale(scores []float64, trees int) {
	factor := m.factor(trees)
	if factor == 1 {
		return
	}
	for i, v := range scores {
		scores[i] = m.Bias + float64((v-m.Bias)*factor)
	}
}

// factor returns the weight of a tree in a model that consists of only the first trees, divided by
// its weight in m.
func (m *Model) factor(trees int) float64 {
	if !m.Average || trees == 0 {
		return 1
	}
	return float64(len(m.Trees)) / float64(trees)
}

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

func (t *Tree) validate(features int, w *walk) error {
	splits, leaves := len(t.Feature), len(t.Leaf)
	if leaves != splits+1 {
		return fmt.Errorf("the tree has %d splits and %d leaves; it must have one more leaf than splits", splits, leaves)
	}
	for _, s := range []struct {
		name      string
		len, want int
		optional  bool
	}{
		{"thresholds", len(t.Threshold), splits, false},
		{"category sets", len(t.Categories), splits, true},
		{"values of MissingLeft", len(t.MissingLeft), splits, true},
		{"values of ZeroMissing", len(t.ZeroMissing), splits, true},
		{"left children", len(t.Left), splits, false},
		{"right children", len(t.Right), splits, false},
		{"gains", len(t.Gain), splits, true},
		{"weights", len(t.Weight), splits, true},
		{"counts", len(t.Count), splits, true},
		{"leaf weights", len(t.LeafWeight), leaves, true},
		{"leaf counts", len(t.LeafCount), leaves, true},
	} {
		if s.len != s.want && (s.len != 0 || !s.optional) {
			return fmt.Errorf("the number of %s is %d; it must be %d", s.name, s.len, s.want)
		}
	}
	for s, f := range t.Feature {
		if f < 0 || int(f) >= features {
			return fmt.Errorf("split %d: feature %d is out of range; it must be from 0 to %d", s, f, features-1)
		}
		if t.Threshold[s] != t.Threshold[s] {
			return fmt.Errorf("split %d: the threshold is NaN; it must be a number", s)
		}
	}
	for _, s := range []struct {
		what   string
		values []float64
	}{
		{"value of leaf", t.Leaf},
		{"weight of leaf", t.LeafWeight},
		{"gain of split", t.Gain},
		{"weight of split", t.Weight},
	} {
		for i, v := range s.values {
			if !finite(v) {
				return fmt.Errorf("%s %d is %v; it must be finite", s.what, i, v)
			}
		}
	}
	return w.preorder(t)
}

// A walk lists the splits and leaves of trees from left to right.
type walk struct {
	splits []int32 // splits in preorder
	leaves []int32
	first  []int32 // number of leaves to the left of each split's subtree
	left   []int32 // number of leaves below each split's left child
	stack  []step
	seen   []bool
}

// A step is pending work of a walk: to visit a child node, or to count the leaves below a split's
// left child after visiting them.
type step struct {
	node int32
	at   int32 // position of the split in walk.splits; −1 if the node must be visited
}

// preorder lists the nodes of the tree, starting at the root. It returns an error unless the walk
// reaches every split and every leaf exactly once.
func (w *walk) preorder(t *Tree) error {
	splits, leaves := int32(len(t.Feature)), int32(len(t.Leaf))
	w.splits, w.leaves, w.first, w.left, w.stack = w.splits[:0], w.leaves[:0], w.first[:0], w.left[:0], w.stack[:0]
	if cap(w.seen) < int(splits+leaves) {
		w.seen = make([]bool, splits+leaves)
	}
	w.seen = w.seen[:splits+leaves]
	clear(w.seen)
	w.stack = append(w.stack, step{t.root(), -1})
	for len(w.stack) > 0 {
		s := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		switch {
		case s.at >= 0:
			w.left[s.at] = int32(len(w.leaves)) - w.first[s.at]
		case s.node >= splits || ^s.node >= leaves:
			return fmt.Errorf("child %d is out of range: there are %d splits and %d leaves", s.node, splits, leaves)
		case s.node < 0:
			if w.seen[splits+^s.node] {
				return fmt.Errorf("leaf %d is the child of two splits", ^s.node)
			}
			w.seen[splits+^s.node] = true
			w.leaves = append(w.leaves, ^s.node)
		default:
			if w.seen[s.node] {
				return fmt.Errorf("split %d is reached by two paths", s.node)
			}
			w.seen[s.node] = true
			w.stack = append(w.stack, step{t.Right[s.node], -1},
				step{0, int32(len(w.splits))}, step{t.Left[s.node], -1})
			w.splits = append(w.splits, s.node)
			w.first = append(w.first, int32(len(w.leaves)))
			w.left = append(w.left, 0)
		}
	}
	if len(w.splits) != int(splits) || len(w.leaves) != int(leaves) {
		return errors.New("the root does not reach all splits and leaves")
	}
	return nil
}

// root returns the root of the tree: split 0, or ^0 if the tree has only one leaf.
func (t *Tree) root() int32 {
	if len(t.Feature) == 0 {
		return ^0
	}
	return 0
}

func (t *Tree) categorical(s int) bool { return len(t.Categories) > 0 && t.Categories[s] != nil }

func (t *Tree) missingLeft(s int) bool { return len(t.MissingLeft) > 0 && t.MissingLeft[s] }

func (t *Tree) zeroMissing(s int) bool { return len(t.ZeroMissing) > 0 && t.ZeroMissing[s] }

// GoesLeft reports whether split s sends the value left.
func (t *Tree) GoesLeft(s int, v float32) bool {
	switch {
	case v != v || v == 0 && t.zeroMissing(s):
		return t.missingLeft(s)
	case t.categorical(s):
		return v >= t.Threshold[s] && contains(t.Categories[s], v)
	}
	return v <= t.Threshold[s]
}

// contains reports whether the integer part of v is in the set.
func contains(set []uint32, v float32) bool {
	c := math.Trunc(float64(v))
	if !(c >= 0 && c < 32*float64(len(set))) {
		return false
	}
	i := int(c)
	return set[i/32]>>(i%32)&1 != 0
}

// ZeroMissing reports whether the model treats 0 as missing. This includes features that rows omit,
// because they are 0 in a [rank.Dataset]. It returns true if ZeroMissing is set for any split, for
// example after training with [Trainer].ZeroMissing or LightGBM's zero_as_missing. Other models
// compare 0 with their thresholds like any other number. If UnknownZeros is set, the model does not
// record how training treated zeros.
func (m *Model) ZeroMissing() bool {
	for i := range m.Trees { // avoid copying trees, which are large structs
		if slices.Contains(m.Trees[i].ZeroMissing, true) {
			return true
		}
	}
	return false
}

// SetZeroMissing sets whether all splits treat 0 as missing, and overrides the setting of the
// model. Splits on text categories do not change, because 0 is the number of the first text. Use it
// for XGBoost models: XGBoost treats omitted features as missing, and zeros too if its data was
// created with missing=0. Call SetZeroMissing before you make a [Scorer].
func (m *Model) SetZeroMissing(missing bool) {
	m.UnknownZeros = false
	for i := range m.Trees {
		t := &m.Trees[i]
		t.ZeroMissing = make([]bool, len(t.Feature))
		for s, f := range t.Feature {
			t.ZeroMissing[s] = missing && text.CategoriesOf(m.Categories, int(f)) == nil
		}
	}
}

// SetFeatureNames sets the names of the input columns, in order. If the model already names its
// features, they are matched to the columns by name. Otherwise columns keep their positions. It
// returns an error if a name is empty, not UTF-8 or repeated, or if names lacks one of the model's
// features.
//
// Afterwards the order of the features is known, so UnknownOrder is false.
func (m *Model) SetFeatureNames(names []string) error {
	if err := text.CheckNames(names, "feature", 0); err != nil {
		return errs.Op("lambdamart", err)
	}
	at := make(map[string]int32, len(names))
	for j, name := range names {
		if name == "" {
			return errs.Errorf("lambdamart", "the name of feature %d is empty", j)
		}
		if k, again := at[name]; again {
			return errs.Errorf("lambdamart", "features %d and %d have the same name, %s", k, j, name)
		}
		at[name] = int32(j)
	}
	if len(names) > maxFeatures {
		return errs.Errorf("lambdamart", "the number of features is %d; it must be from 0 to %d", len(names),
			maxFeatures)
	}
	if m.FeatureNames == nil && len(names) < m.NumFeatures {
		return errs.Errorf("lambdamart", "the number of names is %d; it must be %d, one per feature",
			len(names), m.NumFeatures)
	}
	place := make([]int32, m.NumFeatures) // new number of each feature
	for i := range place {
		place[i] = int32(i)
	}
	for i, name := range m.FeatureNames {
		j, known := at[name]
		if !known {
			return errs.Errorf("lambdamart", "the names do not contain %q, which the model uses", name)
		}
		place[i] = j
	}
	if m.FeatureNames != nil {
		for i := range m.Trees {
			t := &m.Trees[i]
			t.Feature = slices.Clone(t.Feature)
			for s, f := range t.Feature {
				t.Feature[s] = place[f]
			}
		}
	}
	if m.MissingFeatures != nil {
		missing := slices.Repeat([]bool{true}, len(names)) // treat features that this model lacks as possibly missing
		for i, v := range m.MissingFeatures {
			missing[place[i]] = v
		}
		m.MissingFeatures = missing
	}
	if m.Categories != nil {
		lists := make([][]string, len(names))
		for i, list := range m.Categories {
			lists[place[i]] = list
		}
		m.Categories = lists
	}
	m.NumFeatures, m.FeatureNames, m.UnknownOrder = len(names), slices.Clone(names), false
	return nil
}

// UsedFeatures returns a copy of m with only the features that its splits use. It also returns the
// indices of these features in m, in ascending order. The copy needs little memory even if a
// feature index is very high.
func (m *Model) UsedFeatures() (few *Model, features []int32) {
	for i := range m.Trees {
		features = append(features, m.Trees[i].Feature...)
	}
	slices.Sort(features)
	features = slices.Compact(features)
	out := *m
	out.NumFeatures, out.FeatureNames, out.MissingFeatures, out.Categories = len(features), nil, nil, nil
	for _, j := range features {
		if m.FeatureNames != nil {
			out.FeatureNames = append(out.FeatureNames, m.FeatureNames[j])
		}
		if m.MissingFeatures != nil {
			out.MissingFeatures = append(out.MissingFeatures, m.MissingFeatures[j])
		}
		if m.Categories != nil {
			out.Categories = append(out.Categories, m.Categories[j])
		}
	}
	out.Trees = slices.Clone(m.Trees)
	for i := range out.Trees {
		t := &out.Trees[i]
		t.Feature = slices.Clone(t.Feature)
		for s, j := range t.Feature {
			k, _ := slices.BinarySearch(features, j)
			t.Feature[s] = int32(k)
		}
	}
	return &out, features
}

// Importance returns the total gain and the number of splits of each feature. Unknown gains count
// as 0.
func (m *Model) Importance() (gain []float64, splits []int64) {
	gain, splits = make([]float64, m.NumFeatures), make([]int64, m.NumFeatures)
	for i := range m.Trees {
		t := &m.Trees[i]
		for s, f := range t.Feature {
			splits[f]++
			if len(t.Gain) > 0 {
				gain[f] += t.Gain[s]
			}
		}
	}
	return gain, splits
}

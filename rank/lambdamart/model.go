package lambdamart

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
)

// A Model is a sum of regression trees: the score of a document x is
//
//	s(x) = Bias + Σ over trees of the value of the leaf that x reaches
//
// summed in float64, in the order of the trees. The first k trees are a model of
// their own, which Truncate keeps. Features may be missing (NaN); which way they go, also if they
// were never missing in training, is in the package comment.
type Model struct {
	NumFeatures  int      `hash:"NumFeatures"`  // features that the trees may look at
	FeatureNames []string `hash:"FeatureNames"` // one per feature, in UTF-8; nil when they have none
	Bias         float64  `hash:"Bias"`
	Trees        []Tree   `hash:"Trees"`

	// Sigmoid is not 0 in a model of log loss: 1/(1+exp(−Sigmoid·s)) is the probability that a
	// document of score s is relevant, as Probabilities has it.
	Sigmoid float64 `hash:"Sigmoid"`

	// Best is the number of trees that did best on a validation set, 0 when that
	// is not known. Scores are those of all trees.
	Best int `hash:"Best"`

	// Average is set in a model whose score is the mean of its trees, as in LightGBM's random
	// forests. Leaves hold their share of the mean, the value divided by len(Trees), so a score is
	// the sum above. The first k trees score by the mean of k trees.
	Average bool `hash:"Average"`

	// CategoryCodes is set by readers of other libraries' models when the trainer numbered the
	// values of categorical features from 0, such as "red" and "green", or 3 and 5, of a data
	// frame. Documents to score must hold these numbers; scoring does not depend on it. Only the
	// JSON of this module keeps it.
	CategoryCodes bool `hash:"CategoryCodes"`

	// UnknownOrder is set in a model that names its features and does not say in which order data
	// have them, such as a dump of XGBoost: they are in the order in which the file names them.
	// Such a model fits only data with names, unless [Model.SetFeatureNames] sets the order.
	UnknownOrder bool `hash:"UnknownOrder"`

	// UnknownZeros is set in a model that does not say whether its training took 0 for a value or
	// for missing: XGBoost's do not. Its zeros are scored as values until SetZeroMissing tells what
	// they are.
	UnknownZeros bool `hash:"UnknownZeros"`

	// PositionFactors are the factors that training with a position bias has learned, else nil.
	// Scores do not depend on them. Only the JSON of this module keeps them.
	PositionFactors *PositionFactors `hash:"Positions"`

	// Settings are the options that the model was trained with, by name, for people to read; nil
	// when they are not known. A [Trainer] gives all of its own, defaults included, and counts the
	// trees of Start among Trees. Readers of other libraries' models take what these say. Only
	// the JSON of this module keeps them.
	Settings map[string]string `hash:"Settings"`
}

// A Tree is a binary regression tree. Its splits and its leaves are numbered from 0;
// a child is the number of a split, or ^n for leaf n. The root is split 0; a tree
// without splits is its leaf 0.
//
// A numerical split sends x ≤ Threshold left and the rest right. A categorical one sends left the
// integers whose bit is set in Categories, and everything else right; it cuts fractions off. Values
// below its Threshold are not categories. The Threshold is 0 or, in models of LightGBM, which
// truncates −0.5 to 0, the float32 after −1. A missing value follows MissingLeft; NaN is missing,
// and where ZeroMissing is set so is 0. Features that a row leaves out are 0. [Trainer] sets
// MissingLeft only if rows with missing values reached the split in training, so values that are
// missing only at serving time go right.
//
// All slices have one element per split or, where the name begins with Leaf, one per leaf, and
// there is one more leaf than there are splits. MissingLeft and ZeroMissing may be empty, which
// stands for all false, and so may Gain, Weight, Count, LeafWeight and LeafCount where they are not
// known.
type Tree struct {
	Feature   []int32   `hash:"Feature"`
	Threshold []float32 `hash:"Threshold"`
	// bit v%32 of word v/32 for category v; nil for a numerical split; nil as a whole if all are
	Categories  [][]uint32 `hash:"Categories"`
	MissingLeft []bool     `hash:"MissingLeft"`
	ZeroMissing []bool     `hash:"ZeroMissing"`
	Left        []int32    `hash:"Left"`
	Right       []int32    `hash:"Right"`
	// what the split lowers the loss by, in its trainer's units; in this package less MinGain
	Gain   []float64 `hash:"Gain"`
	Weight []float64 `hash:"Weight"` // Σ of the Hessian over the training rows that reach the split
	Count  []int64   `hash:"Count"`  // their number

	Leaf       []float64 `hash:"Leaf"` // value of each leaf, learning rate included
	LeafWeight []float64 `hash:"LeafWeight"`
	LeafCount  []int64   `hash:"LeafCount"`
}

const maxFeatures = modelfile.MaxFeatures

// Validate returns an error when the fields contradict each other, when a tree is none, or when a
// number is not finite (a threshold may be infinite, but not NaN). Package model reads
// valid models alone; scoring an invalid one by [Model.Score] may panic.
func (m *Model) Validate() error {
	switch {
	case m.NumFeatures < 0 || m.NumFeatures > maxFeatures:
		return errs.Errorf("lambdamart", "%d features, want 0 to %d", m.NumFeatures, maxFeatures)
	case m.FeatureNames != nil && len(m.FeatureNames) != m.NumFeatures:
		return errs.Errorf("lambdamart", "%d names for %d features", len(m.FeatureNames), m.NumFeatures)
	case m.UnknownOrder && m.FeatureNames == nil:
		return errs.New("lambdamart", "the order of features without names must be known")
	case !finite(m.Bias):
		return errs.Errorf("lambdamart", "the bias is %v", m.Bias)
	case !(m.Sigmoid >= 0 && finite(m.Sigmoid)):
		return errs.Errorf("lambdamart", "the sigmoid is %v, want a number from 0", m.Sigmoid)
	case m.Best < 0 || m.Best > len(m.Trees):
		return errs.Errorf("lambdamart", "the best of %d trees are the first %d", len(m.Trees), m.Best)
	}
	if err := text.CheckNames(m.FeatureNames, "feature", 0); err != nil {
		return errs.Op("lambdamart", err)
	}
	if err := m.PositionFactors.validate(); err != nil {
		return errs.Op("lambdamart", err)
	}
	var w walk
	for i := range m.Trees {
		if err := m.Trees[i].validate(m.NumFeatures, &w); err != nil {
			return errs.Errorf("lambdamart", "tree %d: %w", i, err)
		}
	}
	return nil
}

// Truncate keeps the first n trees of the model, which must have that many. If Average is set, the
// model becomes the mean of these trees.
func (m *Model) Truncate(n int) {
	all := len(m.Trees)
	m.Trees, m.Best = m.Trees[:n:n], min(m.Best, n)
	if !m.Average || n == all {
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

// rescale turns scores of the first trees, a number of them, into the scores of these trees as a
// model of their own.
func (m *Model) rescale(scores []float64, trees int) {
	factor := m.factor(trees)
	if factor == 1 {
		return
	}
	for i, v := range scores {
		scores[i] = m.Bias + float64((v-m.Bias)*factor)
	}
}

// factor returns the factor by which the first trees, a number of them, count more in a model of
// their own.
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
		return fmt.Errorf("%d splits and %d leaves, want one leaf more than splits", splits, leaves)
	}
	for _, s := range []struct {
		name      string
		len, want int
		optional  bool
	}{
		{"thresholds", len(t.Threshold), splits, false},
		{"sets of categories", len(t.Categories), splits, true},
		{"sides of missing values", len(t.MissingLeft), splits, true},
		{"marks of zeros as missing", len(t.ZeroMissing), splits, true},
		{"left children", len(t.Left), splits, false},
		{"right children", len(t.Right), splits, false},
		{"gains", len(t.Gain), splits, true},
		{"weights", len(t.Weight), splits, true},
		{"counts", len(t.Count), splits, true},
		{"weights of leaves", len(t.LeafWeight), leaves, true},
		{"counts of leaves", len(t.LeafCount), leaves, true},
	} {
		if s.len != s.want && (s.len != 0 || !s.optional) {
			return fmt.Errorf("%d %s for %d splits and %d leaves", s.len, s.name, splits, leaves)
		}
	}
	for s, f := range t.Feature {
		if f < 0 || int(f) >= features {
			return fmt.Errorf("split %d: feature %d outside 0 to %d", s, f, features-1)
		}
		if t.Threshold[s] != t.Threshold[s] {
			return fmt.Errorf("split %d: the threshold is NaN", s)
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
				return fmt.Errorf("the %s %d is %v", s.what, i, v)
			}
		}
	}
	return w.preorder(t)
}

// A walk lists the splits and leaves of trees from left to right.
type walk struct {
	splits []int32 // in preorder
	leaves []int32
	first  []int32 // leaves before those below each of splits
	left   []int32 // number of leaves below its left child
	stack  []step
	seen   []bool
}

// A step is what remains to be done: to visit child node, or, where that
// is none, to count the leaves since a split's left child was visited.
type step struct {
	node int32
	at   int32 // place of the split in walk.splits; −1 for a visit
}

// preorder lists what the root reaches, and returns an error unless that is
// every split and every leaf of the tree once.
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
			return fmt.Errorf("child %d is none of %d splits and %d leaves", s.node, splits, leaves)
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

// root returns the root of the tree: split 0, or else ^0, the only leaf.
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

// ZeroMissing reports whether the training of the model took 0 for missing, and with it the
// features that rows leave out, which are 0 in a [rank.Dataset]: whether ZeroMissing of any split
// is set, as [Trainer] and LightGBM, with zero_as_missing, do. Other models have 0 as a number,
// which splits compare with their thresholds; those with UnknownZeros do not say what it was in
// training.
func (m *Model) ZeroMissing() bool {
	return slices.ContainsFunc(m.Trees, func(t Tree) bool { return slices.Contains(t.ZeroMissing, true) })
}

// SetZeroMissing sets whether 0 is missing in every split, whatever the model says of itself. It is
// for models of XGBoost, which takes features that rows leave out for missing, and zeros too where
// its data were made with missing=0. A [Scorer] must be made after it.
func (m *Model) SetZeroMissing(missing bool) {
	m.UnknownZeros = false
	for i := range m.Trees {
		t := &m.Trees[i]
		t.ZeroMissing = slices.Repeat([]bool{missing}, len(t.Feature))
	}
}

// SetFeatureNames gives the model the features of data with these names, in their order. A model
// whose features have names looks at the columns of the same names from then on; one that has none
// keeps its columns. It is an error when a name is empty, not UTF-8 or there twice, and when a
// feature of the model has none.
//
// A model with UnknownOrder knows the order of its features from then on.
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
			return errs.Errorf("lambdamart", "features %d and %d are both named %s", k, j, name)
		}
		at[name] = int32(j)
	}
	if len(names) > maxFeatures {
		return errs.Errorf("lambdamart", "%d features, want 0 to %d", len(names), maxFeatures)
	}
	if m.FeatureNames == nil && len(names) < m.NumFeatures {
		return errs.Errorf("lambdamart", "%d names for %d features", len(names), m.NumFeatures)
	}
	place := make([]int32, len(m.FeatureNames))
	for i, name := range m.FeatureNames {
		j, known := at[name]
		if !known {
			return errs.Errorf("lambdamart", "no %q, a feature of the model, among the names", name)
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
	m.NumFeatures, m.FeatureNames, m.UnknownOrder = len(names), slices.Clone(names), false
	return nil
}

// Importance returns of each feature the sum of the gains of the splits that look at it, and their
// number. Gains that are not known count nothing.
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

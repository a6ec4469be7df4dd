package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file builds trees from formats with nested nodes: model dumps and the formats of search
// engines.

// maxNesting is the maximum depth of nested splits in such a format.
const maxNesting = 500

var errTooDeep = fmt.Errorf("splits are nested more than %d deep", maxNesting)

// A nestedSplit is a split of a tree that is being read. Its children are positions in the lists of
// a treeBuilder, or ^n for leaf n.
type nestedSplit struct {
	id                       int64 // number of the split in the file
	feature                  int32
	threshold                float32
	categories               []uint32
	missingLeft, zeroMissing bool
	gain, weight             float64
	count                    int64
	left, right              int32
}

type nestedLeaf struct {
	id            int64
	value, weight float64
	count         int64
}

// A treeBuilder builds a tree from nodes in the order of a file: each split comes before the nodes
// below it.
type treeBuilder struct {
	splits []nestedSplit
	leaves []nestedLeaf

	noGains, noWeights, noCounts bool // whether the value is absent in at least one node

	missing missingTypes // used only for LightGBM's dump
}

// leaf adds a leaf and returns ^n, where n is its number.
func (b *treeBuilder) leaf(l nestedLeaf) int32 {
	b.leaves = append(b.leaves, l)
	return ^int32(len(b.leaves) - 1)
}

// split adds a split without children and returns its position.
func (b *treeBuilder) split(s nestedSplit) int32 {
	b.splits = append(b.splits, s)
	return int32(len(b.splits) - 1)
}

// node adds a split and returns its position. It calls read for the key of the left child and then
// for the key of the right child. The results of these calls are the children.
func (b *treeBuilder) node(s nestedSplit, left, right string, read func(key string) int32) int32 {
	at := b.split(s)
	l := read(left)
	r := read(right)
	b.splits[at].left, b.splits[at].right = l, r
	return at
}

// optional returns a member of a node. If the member is absent, it sets lacking to true.
func optional(n modelfile.Node, key string, lacking *bool) modelfile.Node {
	*lacking = *lacking || !n.Has(key)
	return n.Optional(key)
}

// treeOf returns the finished tree. It reports an error as an error of node n.
func (b *treeBuilder) treeOf(n modelfile.Node) lambdamart.Tree {
	t, err := b.tree()
	if err != nil {
		n.Failf("%w", err)
	}
	return t
}

// tree returns the tree. Splits and leaves are ordered by their numbers in the file.
func (b *treeBuilder) tree() (t lambdamart.Tree, err error) {
	splits, err := places("splits", b.splits, func(s *nestedSplit) int64 { return s.id })
	if err != nil {
		return t, err
	}
	leaves, err := places("leaves", b.leaves, func(l *nestedLeaf) int64 { return l.id })
	if err != nil {
		return t, err
	}
	if len(splits) > 0 && splits[0] != 0 {
		return t, fmt.Errorf("the root has number %d, but another split has a lower number", b.splits[0].id)
	}
	n := len(splits)
	t = lambdamart.Tree{Feature: make([]int32, n), Threshold: make([]float32, n), MissingLeft: make([]bool, n),
		ZeroMissing: make([]bool, n), Left: make([]int32, n), Right: make([]int32, n),
		Leaf: make([]float64, len(leaves))}
	if !b.noGains && n > 0 {
		t.Gain = make([]float64, n)
	}
	if !b.noWeights {
		t.Weight, t.LeafWeight = make([]float64, n), make([]float64, len(leaves))
	}
	if !b.noCounts {
		t.Count, t.LeafCount = make([]int64, n), make([]int64, len(leaves))
	}
	child := func(node int32) int32 {
		if node < 0 {
			return ^leaves[^node]
		}
		return splits[node]
	}
	for i, at := range splits {
		s := &b.splits[i]
		t.Feature[at], t.Threshold[at] = s.feature, s.threshold
		t.MissingLeft[at], t.ZeroMissing[at] = s.missingLeft, s.zeroMissing
		t.Left[at], t.Right[at] = child(s.left), child(s.right)
		if s.categories != nil {
			if t.Categories == nil {
				t.Categories = make([][]uint32, n)
			}
			t.Categories[at] = s.categories
		}
		if t.Gain != nil {
			t.Gain[at] = statistic(s.gain)
		}
		if !b.noWeights {
			t.Weight[at] = statistic(s.weight)
		}
		if !b.noCounts {
			t.Count[at] = s.count
		}
	}
	for i, at := range leaves {
		l := &b.leaves[i]
		t.Leaf[at] = l.value
		if !b.noWeights {
			t.LeafWeight[at] = statistic(l.weight)
		}
		if !b.noCounts {
			t.LeafCount[at] = l.count
		}
	}
	return t, nil
}

// places returns the position that each element has in the order of the ids.
func places[T any](what string, list []T, id func(*T) int64) ([]int32, error) {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(id(&list[a]), id(&list[b])) })
	at := make([]int32, len(list))
	for place, i := range order {
		if at[i] = int32(place); place > 0 && id(&list[i]) == id(&list[order[place-1]]) {
			return nil, fmt.Errorf("two %s have the number %d", what, id(&list[i]))
		}
	}
	return at, nil
}

// nestable returns an error if splits are nested too deep for readers of formats with nested nodes.
func (t *tree) nestable() error {
	depth := make([]int32, len(t.Feature))
	for stack := []int32{t.root}; len(stack) > 0; {
		s := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; s < 0 {
			continue
		}
		if depth[s] >= maxNesting {
			return fmt.Errorf("split %d: %w", s, errTooDeep)
		}
		for _, c := range []int32{t.Right[s], t.Left[s]} {
			if stack = append(stack, c); c >= 0 {
				depth[c] = depth[s] + 1
			}
		}
	}
	return nil
}

// plain returns an error if a format with nested nodes cannot express the tree. In addition to
// simple, it checks the depth.
func (t *tree) plain(format string, categories bool) error {
	if err := t.simple(format, categories); err != nil {
		return err
	}
	return t.nestable()
}

// simple returns an error if a format cannot express the tree because the format uses float32 and
// treats 0 as a value. categories reports whether the format supports categorical splits.
func (t *tree) simple(format string, categories bool) error {
	for s := range t.Feature {
		switch {
		case t.Categories[s] != nil && !categories:
			return fmt.Errorf("split %d is categorical, which %s does not support", s, format)
		case t.ZeroMissing[s] && t.zeroMatters(s):
			return fmt.Errorf("split %d treats 0 as missing, which %s does not support", s, format)
		}
	}
	return t.leavesFit(format)
}

// leavesFit returns an error if a leaf value exceeds the range of float32.
func (t *tree) leavesFit(format string) error {
	for l, v := range t.Leaf {
		if !finite(float64(float32(v))) {
			return fmt.Errorf("the value of leaf %d, %v, is too large for %s, which uses float32", l, v, format)
		}
	}
	return nil
}

// A featureList assigns numbers to the feature names of a file, in the order of their first
// occurrence.
type featureList struct {
	names []string
	at    map[string]int32
}

func (f *featureList) number(name string) int32 {
	n, known := f.at[name]
	if !known {
		if f.at == nil {
			f.at = map[string]int32{}
		}
		n = int32(len(f.names))
		f.at[name], f.names = n, append(f.names, name)
	}
	return n
}

// places returns the feature positions that the names contain, if every name consists of the prefix
// and a number. The number of the first position is first. If a name has another form, places
// returns nil.
func (f *featureList) places(prefix string, first int64) ([]int32, error) {
	number := make([]int32, len(f.names))
	for i, name := range f.names {
		digits, ok := strings.CutPrefix(name, prefix)
		n, err := strconv.ParseInt(digits, 10, 64)
		if !ok || err != nil || strconv.FormatInt(n, 10) != digits || n < first {
			return nil, nil
		}
		if n-first >= modelfile.MaxFeatures {
			return nil, fmt.Errorf("feature %q: a model must have at most %d features", name, modelfile.MaxFeatures)
		}
		number[i] = int32(n - first)
	}
	return number, nil
}

// settle sets the number of features and their names in the model. If all names consist of the
// prefix and a number, the number determines the feature's position, and the model has no names.
// The number of the first position is first. Otherwise, the order of the features is unknown.
func (f *featureList) settle(m *lambdamart.Model, prefix string, first int64) error {
	number, err := f.places(prefix, first)
	if err != nil {
		return err
	}
	if number == nil {
		m.NumFeatures, m.FeatureNames, m.UnknownOrder = len(f.names), f.names, true
		return nil
	}
	for _, n := range number {
		m.NumFeatures = max(m.NumFeatures, int(n)+1)
	}
	for i := range m.Trees {
		for s, j := range m.Trees[i].Feature {
			m.Trees[i].Feature[s] = number[j]
		}
	}
	return nil
}

// knowsOrder returns an error if the order of the model's features is unknown. Only formats that
// need the order call it.
func knowsOrder(m *lambdamart.Model, format string) error {
	if !m.UnknownOrder {
		return nil
	}
	return errs.Op("model", &rank.OptionError{Option: "SetFeatureNames",
		Err: fmt.Errorf("the model contains feature names but not their order, which %s requires", format)})
}

// parseFloat32 parses a number as Java and C do. Numbers that are too large become infinite.
func parseFloat32(word string) (float32, error) {
	v, err := text.ParseNumber(word, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(v) {
		return 0, errNumber
	}
	return float32(v), nil
}

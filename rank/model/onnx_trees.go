package model

import (
	"math"
	"unsafe"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads the attributes of the ONNX operators TreeEnsembleRegressor and
// TreeEnsembleClassifier. Each attribute is a list with one value per node. The nodes of a tree are
// consecutive, and the first one is the root. A leaf has a weight. A split compares the feature's
// value with the node's value. If the comparison is true, the document goes to the true node. NaN
// goes to the true node if nodes_missing_value_tracks_true is 1, and always in BRANCH_NEQ. The
// score is the sum or the mean of the weights, plus the base value. ONNX Runtime interprets the
// specification in this way. It sums in float32, unless the tensors are double.

// onnxModes are the modes of nodes, in the order of the constants below.
var onnxModes = []string{"LEAF", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"}

const (
	onnxLeaf = iota
	onnxAtMost
	onnxBelow
	onnxAtLeast
	onnxAbove
	onnxEqual
	onnxNotEqual
)

// An onnxForest contains the attributes of all nodes, in lists with one element per node.
type onnxForest struct {
	tree, node, feature, yes, no, missing []int64
	value                                 []float64
	mode                                  []uint8

	weight []float64 // weight of each leaf
	known  []bool    // whether a node has a weight

	first  map[int64]int    // position of the first node of each tree
	places map[[2]int64]int // position of each node by tree and number; nil if index can derive it
}

// trees reads a tree model.
func (r *onnxReader) trees(classifier bool) *lambdamart.Model {
	f := r.forest()
	if r.err != nil {
		return nil
	}
	r.index(f)
	m := &lambdamart.Model{NumFeatures: int(r.features), Trees: []lambdamart.Tree{}}
	if classifier {
		r.weights(f, "class", 2)
	} else {
		r.weights(f, "target", 1)
	}
	if r.features == 0 {
		for i, j := range f.feature {
			if f.mode[i] != onnxLeaf {
				m.NumFeatures = max(m.NumFeatures, int(min(j, math.MaxInt32-1))+1)
			}
		}
	}
	base := r.floats("base_values")
	switch transform := r.word("post_transform", "NONE"); {
	case len(base) > 1:
		r.failf("found %d base_values: multi-output models are not supported", len(base))
	case transform == "LOGISTIC":
		m.Sigmoid = 1
	case transform != "NONE":
		r.failf("post_transform is %q; it must be NONE or LOGISTIC", text.Excerpt(transform))
	}
	for _, v := range base {
		m.Bias = v
	}
	for lo := 0; lo < len(f.tree) && r.err == nil; {
		hi := lo + 1
		for hi < len(f.tree) && f.tree[hi] == f.tree[lo] {
			hi++
		}
		if r.hold("the trees", int64(unsafe.Sizeof(lambdamart.Tree{}))+80*int64(hi-lo)) {
			m.Trees = append(m.Trees, r.tree(f, lo, hi))
		}
		lo = hi
	}
	switch aggregate := r.word("aggregate_function", "SUM"); aggregate {
	case "SUM":
	case "AVERAGE":
		average(m)
	default:
		r.failf("aggregate_function is %q; it must be SUM or AVERAGE", text.Excerpt(aggregate))
	}
	return m
}

// forest reads the node attributes of the operator.
func (r *onnxReader) forest() *onnxForest {
	f := &onnxForest{tree: r.ints("nodes_treeids"), node: r.ints("nodes_nodeids"), feature: r.ints("nodes_featureids"),
		yes: r.ints("nodes_truenodeids"), no: r.ints("nodes_falsenodeids"),
		missing: r.ints("nodes_missing_value_tracks_true"), value: r.floats("nodes_values")}
	nodes := len(f.tree)
	for _, a := range []struct {
		name     string
		count    int
		optional bool
	}{
		{"nodes_nodeids", len(f.node), false},
		{"nodes_featureids", len(f.feature), false},
		{"nodes_truenodeids", len(f.yes), false},
		{"nodes_falsenodeids", len(f.no), false},
		{"nodes_missing_value_tracks_true", len(f.missing), true},
		{"nodes_values", len(f.value), false},
	} {
		if a.count != nodes && !(a.optional && a.count == 0) {
			r.failf("the number of %s is %d; it must be %d, one per node", a.name, a.count, nodes)
		}
	}
	if r.err != nil || !r.hold("the arrays of the model", 10*int64(nodes)) {
		return f
	}
	f.mode = make([]uint8, 0, nodes)
	for m := range r.contents(r.attributes["nodes_modes"], onnxAttributeTexts) {
		mode := onnxMode(m.data)
		if mode < 0 {
			r.failf("nodes_modes[%d] is %q: the mode is not supported", len(f.mode), text.Excerpt(m.data))
		}
		if len(f.mode) == nodes || r.err != nil {
			r.failf("the number of nodes_modes exceeds the number of nodes, %d", nodes)
			return f
		}
		f.mode = append(f.mode, uint8(mode))
	}
	if len(f.mode) != nodes {
		r.failf("the number of nodes_modes is %d; it must be %d, one per node", len(f.mode), nodes)
	}
	f.weight, f.known = make([]float64, nodes), make([]bool, nodes)
	return f
}

// onnxMode returns the index of a mode in onnxModes, or −1 if the mode is unknown.
func onnxMode(name []byte) int {
	for i, m := range onnxModes {
		if string(name) == m {
			return i
		}
	}
	return -1
}

// index prepares find. It builds a map only if the node numbers are not the usual ones, which are
// the positions within the tree.
func (r *onnxReader) index(f *onnxForest) {
	f.first = map[int64]int{}
	regular, first := true, 0
	for i, t := range f.tree {
		if i == 0 || t != f.tree[i-1] {
			if _, again := f.first[t]; again {
				r.failf("nodes_treeids[%d]: the nodes of tree %d must be consecutive", i, t)
			}
			if !r.hold("the trees", settingBytes) {
				return
			}
			f.first[t], first = i, i
		}
		regular = regular && f.node[i] == int64(i-first)
	}
	if regular || !r.hold("the nodes", 64*int64(len(f.node))) {
		return
	}
	f.places = make(map[[2]int64]int, len(f.node))
	for i, t := range f.tree {
		key := [2]int64{t, f.node[i]}
		if _, again := f.places[key]; again {
			r.failf("nodes_nodeids[%d]: tree %d has two nodes with the number %d", i, t, f.node[i])
			return
		}
		f.places[key] = i
	}
}

// find returns the position of a node in the lists, or −1 if the node does not exist.
func (f *onnxForest) find(tree, node int64) int {
	if f.places != nil {
		if i, ok := f.places[[2]int64{tree, node}]; ok {
			return i
		}
		return -1
	}
	first, ok := f.first[tree]
	if !ok || node < 0 || node >= int64(len(f.tree)-first) || f.tree[first+int(node)] != tree {
		return -1
	}
	return first + int(node)
}

// weights reads the weights of the leaves. All of them must belong to the same target or, for a
// binary classifier, to the same class.
func (r *onnxReader) weights(f *onnxForest, kind string, labels int) {
	tree, node, id := r.ints(kind+"_treeids"), r.ints(kind+"_nodeids"), r.ints(kind+"_ids")
	weight := r.floats(kind + "_weights")
	targets := r.number("n_targets", 1)
	if kind == "class" {
		targets = 1
		if n := len(r.ints("classlabels_int64s")) + r.countTexts("classlabels_strings"); n != labels {
			r.failf("found %d classes: classifiers must have two", n)
		}
	}
	if targets != 1 {
		r.failf("n_targets is %d: multi-output models are not supported", targets)
	}
	if len(tree) != len(weight) || len(node) != len(weight) || len(id) != len(weight) {
		r.failf("found %d %s_treeids, %d %s_nodeids and %d %s_ids for %d weights: the numbers must be equal", len(tree), kind,
			len(node), kind, len(id), kind, len(weight))
	}
	if r.err != nil {
		return
	}
	for k := range weight {
		i := f.find(tree[k], node[k])
		switch {
		case i < 0:
			r.failf("%s_nodeids[%d]: tree %d has no node %d", kind, k, tree[k], node[k])
		case f.mode[i] != onnxLeaf:
			r.failf("%s_nodeids[%d]: node %d of tree %d has a weight, but it is not a leaf", kind, k, node[k], tree[k])
		case f.known[i]:
			r.failf("%s_nodeids[%d]: leaf %d of tree %d has two weights: a leaf must have one weight", kind, k,
				node[k], tree[k])
		case id[k] != id[0] || id[k] < 0 || id[k] >= int64(labels):
			r.failf("%s_ids[%d] is %d: multi-output models are not supported", kind, k, id[k])
		}
		if r.err != nil {
			return
		}
		f.weight[i], f.known[i] = weight[k], true
	}
}

// countTexts returns the number of strings in an attribute.
func (r *onnxReader) countTexts(name string) (n int) {
	for range r.contents(r.attributes[name], onnxAttributeTexts) {
		n++
	}
	return n
}

// An onnxTree contains the nodes of one tree. Node k of the tree is element lo+k of the lists.
type onnxTree struct {
	f           *onnxForest
	lo          int
	left, right []int32 // the true and the false node of each split; −1 for leaves
	merged      []bool  // whether a node was merged into an earlier node
	sets        [][]int64
}

// tree returns the tree that consists of the nodes from lo to hi. Its splits and leaves keep their
// order.
func (r *onnxReader) tree(f *onnxForest, lo, hi int) (t lambdamart.Tree) {
	o := onnxTree{f: f, lo: lo, left: make([]int32, hi-lo), right: make([]int32, hi-lo), merged: make([]bool, hi-lo)}
	for k := range o.left {
		i := lo + k
		if f.mode[i] == onnxLeaf {
			if o.left[k], o.right[k] = -1, -1; !f.known[i] {
				r.failf("leaf %d of tree %d has no weight", f.node[i], f.tree[i])
			}
			continue
		}
		yes, no := f.find(f.tree[i], f.yes[i]), f.find(f.tree[i], f.no[i])
		switch {
		case yes < 0:
			r.failf("nodes_truenodeids[%d] is %d, but tree %d contains no node with this ID", i, f.yes[i], f.tree[i])
			return t
		case no < 0:
			r.failf("nodes_falsenodeids[%d] is %d, but tree %d contains no node with this ID", i, f.no[i], f.tree[i])
			return t
		}
		o.left[k], o.right[k] = int32(yes-lo), int32(no-lo)
	}
	o.merge(r)
	reached, err := reachedNodes(o.left, o.right)
	if err != nil {
		r.failf("tree %d: %w", f.tree[lo], err)
		return t
	}
	number := make([]int32, hi-lo)
	splits, leaves := int32(0), int32(0)
	for k, ok := range reached {
		switch {
		case !ok && !o.merged[k]:
			r.failf("tree %d: node %d cannot be reached from the first node", f.tree[lo], f.node[lo+k])
			return t
		case o.merged[k]:
		case o.left[k] < 0:
			number[k] = ^leaves
			leaves++
		default:
			number[k] = splits
			splits++
		}
	}
	t.Feature, t.Threshold, t.MissingLeft = make([]int32, splits), make([]float32, splits), make([]bool, splits)
	t.Left, t.Right = make([]int32, splits), make([]int32, splits)
	t.Leaf = make([]float64, leaves)
	for k := range reached {
		switch s := number[k]; {
		case o.merged[k]:
		case s < 0:
			t.Leaf[^s] = f.weight[lo+k]
		default:
			t.Left[s], t.Right[s] = number[o.left[k]], number[o.right[k]]
			r.split(&t, int(s), &o, k)
		}
	}
	return t
}

// merge merges nodes that test the same category set. Converters write a set as a chain of
// BRANCH_EQ nodes for the same feature, all with the same true node. Each node of the chain is the
// false child of the previous node.
func (o *onnxTree) merge(r *onnxReader) {
	f := o.f
	next := func(k int32) bool { // whether the false node of k continues a chain
		i, n := o.lo+int(k), o.lo+int(o.right[k])
		return f.mode[i] == onnxEqual && f.mode[n] == onnxEqual && f.feature[i] == f.feature[n] &&
			o.left[k] == o.left[o.right[k]] && o.right[k] != 0
	}
	inside := make([]bool, len(o.left)) // whether a node is in a chain, but not its first node
	for k := range o.left {
		if o.left[k] >= 0 && next(int32(k)) {
			inside[o.right[k]] = true
		}
	}
	for k := range o.left {
		if inside[k] || f.mode[o.lo+k] != onnxEqual {
			continue
		}
		if o.sets == nil {
			o.sets = make([][]int64, len(o.left))
		}
		o.sets[k] = r.categories(nil, f, o.lo+k)
		for at := int32(k); next(at); at = int32(k) {
			n := o.right[at]
			if o.merged[n] {
				return // two chains share a node, which reachedNodes reports
			}
			o.sets[k] = r.categories(o.sets[k], f, o.lo+int(n))
			if len(f.missing) > 0 && f.missing[o.lo+int(n)] == 1 {
				f.missing[o.lo+k] = 1
			}
			o.merged[n], o.right[k] = true, o.right[n]
		}
	}
}

// categories appends to list the category that node i tests.
func (r *onnxReader) categories(list []int64, f *onnxForest, i int) []int64 {
	value := f.value[i]
	if value != math.Trunc(value) || value < 0 || value >= exactCategories {
		r.failf("nodes_values[%d] of %s is %v; it must be a whole number from 0 to %d", i, onnxModes[f.mode[i]], value,
			exactCategories-1)
		return list
	}
	return append(list, int64(value))
}

// split sets split s of t to node k, except its children. It exchanges the children if the node's
// comparison is true for values that go right in t.
func (r *onnxReader) split(t *lambdamart.Tree, s int, o *onnxTree, k int) {
	f, i := o.f, o.lo+k
	if j := f.feature[i]; j < 0 || j > math.MaxInt32 {
		r.failf("nodes_featureids[%d] is %d; it must be a feature index from 0 to %d", i, j, math.MaxInt32)
	}
	value := f.value[i]
	if value != value {
		r.failf("nodes_values[%d] is NaN; it must be a number", i)
	}
	t.Feature[s] = int32(f.feature[i])
	missing := len(f.missing) > 0 && f.missing[i] == 1
	mode := f.mode[i]
	switch mode {
	case onnxAtMost, onnxAbove:
		t.Threshold[s] = floor32(value)
	case onnxBelow, onnxAtLeast:
		if t.Threshold[s] = floor32(value); float64(t.Threshold[s]) == value {
			t.Threshold[s] = math.Nextafter32(t.Threshold[s], float32(math.Inf(-1)))
		}
	default:
		set := r.categories(nil, f, i)
		if mode == onnxEqual {
			set = o.sets[k]
		}
		if t.Categories == nil {
			t.Categories = make([][]uint32, len(t.Feature))
		}
		t.Categories[s] = r.sets.of(set)
		missing = missing || mode == onnxNotEqual
	}
	if t.MissingLeft[s] = missing; mode == onnxAbove || mode == onnxAtLeast || mode == onnxNotEqual {
		t.Left[s], t.Right[s], t.MissingLeft[s] = t.Right[s], t.Left[s], !missing
	}
}

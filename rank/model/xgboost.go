package model

import (
	"fmt"
	"math"
	"strings"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads XGBoost's models as JSON or UBJSON (doc/model.schema, src/learner.cc,
// src/gbm/gbtree_model.cc and src/tree/tree_model.cc of XGBoost 1.0 to 3.4). A tree is a set of
// arrays with one element per node. Node 0 is the root. A leaf has −1 in place of its children. A
// numerical split sends values below its condition left. A categorical split sends the categories
// of its set right.
//
// A field that no version up to 3.4 writes is an error, because later versions may add fields that
// change scores. For example, version 3.4 moved the tree weights from the booster dart into the
// model of gbtree.

// xgboostCategories is 1 more than the largest category that XGBoost supports.
const xgboostCategories = 1 << 24

// xgboostLink is the function with which an objective converts base_score to the initial score.
type xgboostLink int

const (
	linkIdentity xgboostLink = iota
	linkLog
	linkLogit
	linkRaw // linkLogit before version 1.3, and linkIdentity since
)

// sigmoid returns the Sigmoid of a model. It is 0 for binary:logitraw, because predictions with
// this objective are scores instead of probabilities.
func (l xgboostLink) sigmoid() float64 {
	if l == linkLogit {
		return 1
	}
	return 0
}

// xgboostObjectives maps the objectives of XGBoost 1.0 to 3.4 that support models with one output
// to their links.
var xgboostObjectives = map[string]xgboostLink{
	"binary:hinge":         linkIdentity,
	"binary:logistic":      linkLogit,
	"binary:logitraw":      linkRaw,
	"count:poisson":        linkLog,
	"multi:softmax":        linkIdentity,
	"multi:softprob":       linkIdentity,
	"rank:map":             linkIdentity,
	"rank:ndcg":            linkIdentity,
	"rank:pairwise":        linkIdentity,
	"reg:absoluteerror":    linkIdentity,
	"reg:expectileerror":   linkIdentity,
	"reg:gamma":            linkLog,
	"reg:linear":           linkIdentity,
	"reg:logistic":         linkLogit,
	"reg:pseudohubererror": linkIdentity,
	"reg:quantileerror":    linkIdentity,
	"reg:squarederror":     linkIdentity,
	"reg:squaredlogerror":  linkIdentity,
	"reg:tweedie":          linkLog,
	"survival:aft":         linkLog,
	"survival:cox":         linkLog,
}

// count reads a whole number that must not be negative.
func count(n modelfile.Node) int64 { return n.Whole(0, math.MaxInt32) }

// single fails if a member of n is greater than 1. The members count objects that are called what
// in errors.
func single(n modelfile.Node, what string, keys ...string) {
	for _, key := range keys {
		if v := count(n.Optional(key)); v > 1 {
			n.Failf("%s is %d: models with several %s are not supported", key, v, what)
		}
	}
}

// xgboostZeros is the name of an attribute that only simdrank writes. It states how splits treat 0.
// XGBoost keeps and ignores the attribute.
const (
	xgboostZeros = "simdrank_zeros"
	zerosValues  = "value"
	zerosMissing = "missing"
)

// readXGBoost reads a model in XGBoost's JSON or UBJSON format.
func readXGBoost(doc modelfile.Node, sets *setMemory) (*lambdamart.Model, error) {
	learner := doc.Get("learner")
	learner.Only("attributes", "feature_names", "feature_types", "gradient_booster", "learner_model_param", "objective")
	param := learner.Get("learner_model_param")
	param.Only("base_score", "boost_from_average", "num_class", "num_feature", "num_target")
	single(param, "outputs", "num_class", "num_target")
	m := &lambdamart.Model{NumFeatures: int(param.Get("num_feature").Whole(0, modelfile.MaxFeatures))}
	if names := learner.Optional("feature_names").Texts(); len(names) > 0 {
		if m.FeatureNames = names; len(names) != m.NumFeatures {
			learner.Failf("the number of feature_names is %d; it must be %d, one per feature", len(names), m.NumFeatures)
		}
	}
	m.Bias, m.Sigmoid = xgboostBias(doc, learner, param)
	model, weights := xgboostBooster(learner)
	readXGBoostTrees(m, model, sets)
	readXGBoostZeros(m, learner)
	if !weights.IsAbsent() {
		drop := weights.Floats32()
		if len(drop) != len(m.Trees) {
			weights.Failf("the number of weights is %d; it must be %d, one per tree", len(drop), len(m.Trees))
			drop = nil
		}
		for i, w := range drop {
			for l := range m.Trees[i].Leaf {
				m.Trees[i].Leaf[l] *= float64(w)
			}
		}
	}
	xgboostTexts(m, model)
	m.Settings = xgboostSettings(learner)
	m.Best = xgboostBest(learner, model, len(m.Trees))
	return m, doc.Err()
}

// settingBytes estimates the memory of a map entry, without the bytes of its texts.
const settingBytes = 64

// xgboostSettings returns the training settings in a model: the booster, the objective and the
// parameters of the objective.
func xgboostSettings(learner modelfile.Node) map[string]string {
	s := map[string]string{}
	add := func(name string, value modelfile.Node) {
		if text, ok := value.IfText(); ok && value.Hold("the settings", settingBytes+int64(len(name)+len(text))) {
			s[name] = text
		}
	}
	add("booster", learner.Get("gradient_booster").Get("name"))
	objective := learner.Get("objective")
	add("objective", objective.Optional("name"))
	for _, group := range objective.Members() {
		for name, value := range group.Members() {
			add(name, value)
		}
	}
	return s
}

// xgboostBooster returns the model of a booster and the weights of its trees, or an absent node if
// there are no weights. Up to version 3.3, the booster dart contains the weights next to a booster
// gbtree. Later versions store them in gbtree.
func xgboostBooster(learner modelfile.Node) (model, weights modelfile.Node) {
	booster := learner.Get("gradient_booster")
	switch name := booster.Get("name").Text(); name {
	case "gbtree":
		booster.Only("name", "model", "weight_drop")
	case "dart":
		booster.Only("name", "gbtree", "weight_drop")
		weights = booster.Get("weight_drop")
		booster = booster.Get("gbtree")
		booster.Only("name", "model")
	default:
		booster.Failf("the booster is %q; it must be gbtree or dart", text.Excerpt(name))
	}
	model = booster.Get("model")
	model.Only("cats", "gbtree_model_param", "iteration_indptr", "tree_info", "trees", "weight_drop")
	for _, n := range []modelfile.Node{booster, model} {
		if n.Has("weight_drop") {
			if !weights.IsAbsent() {
				n.Failf("found a second weight_drop in addition to %s", weights.Path())
			}
			weights = n.Get("weight_drop")
		}
	}
	return model, weights
}

// readXGBoostTrees reads the trees of a booster's model.
func readXGBoostTrees(m *lambdamart.Model, model modelfile.Node, sets *setMemory) {
	list := model.Get("trees")
	trees := list.Len()
	if model.Has("gbtree_model_param") {
		param := model.Get("gbtree_model_param")
		param.Only("num_parallel_tree", "num_trees", "size_leaf_vector")
		oneOutput(param)
		if n := count(param.Optional("num_trees")); param.Has("num_trees") && int(n) != trees {
			param.Failf("num_trees is %d, but there are %d trees", n, trees)
		}
	}
	for i, g := range model.Optional("tree_info").Ints32(math.MinInt32, math.MaxInt32) {
		if g != 0 {
			model.Failf("tree_info: tree %d belongs to output %d: multi-output models are not supported", i, g)
		}
	}
	appendTrees(m, list, func(i int, n modelfile.Node) (t lambdamart.Tree) {
		if id := count(n.Optional("id")); n.Has("id") && int(id) != i {
			n.Failf("the id of the tree is %d; it must be the position of the tree, %d", id, i)
		}
		readXGBoostTree(&t, n, sets)
		return t
	})
}

// oneOutput fails if the leaves of a tree contain several values.
func oneOutput(param modelfile.Node) {
	if n := count(param.Optional("size_leaf_vector")); n > 1 {
		param.Failf("multi-output models are not supported (%d values per leaf)", n)
	}
}

// xgboostBest returns the number of trees up to the best iteration, or 0 if this number is unknown.
// Version 1 stores the last iteration as the best one if training did not stop early. For a model
// without trees, this iteration is −1.
func xgboostBest(learner, model modelfile.Node, trees int) int {
	attributes := learner.Optional("attributes")
	if !attributes.Has("best_iteration") {
		return 0
	}
	best := attributes.Get("best_iteration").Whole(-1, math.MaxInt32)
	// Since version 2.0, models contain a list with the index of each iteration's first tree,
	// followed by the number of trees.
	if ends := model.Optional("iteration_indptr").Ints(0, int64(trees)); len(ends) > 0 {
		return int(ends[min(best+1, int64(len(ends))-1)])
	}
	// Since version 1.4, models contain the number of trees per iteration. If an iteration has
	// several trees, earlier versions contain only the number of trees up to the best iteration.
	if param := model.Optional("gbtree_model_param"); param.Has("num_parallel_tree") {
		return int(min((best+1)*max(count(param.Get("num_parallel_tree")), 1), int64(trees)))
	}
	if limit := count(attributes.Optional("best_ntree_limit")); limit > 0 {
		return int(min(limit, int64(trees)))
	}
	return int(min(best+1, int64(trees)))
}

// readXGBoostZeros determines from simdrank's attribute how splits treat 0. Without the attribute,
// the treatment is unknown.
func readXGBoostZeros(m *lambdamart.Model, learner modelfile.Node) {
	m.UnknownZeros = true
	attributes := learner.Optional("attributes")
	if !attributes.HasKey(xgboostZeros) {
		return
	}
	attribute := attributes.Get(xgboostZeros)
	switch zeros := attribute.Text(); zeros {
	case zerosMissing:
		m.SetZeroMissing(true)
	case zerosValues:
		m.UnknownZeros = false
	default:
		attribute.Failf("%q must be %v or %v", text.Excerpt(zeros), zerosValues, zerosMissing)
	}
}

// xgboostBias returns the initial score and the Sigmoid of the model. The initial score is
// base_score, converted by the link of the objective.
func xgboostBias(doc, learner, param modelfile.Node) (bias, sigmoid float64) {
	n := param.Get("base_score")
	// Since version 3.1, base_score is a string that contains an array.
	if s, ok := n.IfText(); ok && strings.HasPrefix(s, "[") {
		n = n.WithText(strings.Trim(s, "[]"))
	}
	if n.IsArray() {
		if n.Len() != 1 {
			n.Failf("found %d values: multi-output models are not supported", n.Len())
			return 0, 0
		}
		for _, e := range n.List() {
			n = e
		}
	}
	base := n.Number()
	objective := learner.Get("objective").Get("name")
	name := objective.Text()
	link, ok := xgboostObjectives[name]
	if !ok {
		objective.Failf("unknown objective %q: cannot interpret base_score", text.Excerpt(name))
	}
	sigmoid = link.sigmoid()
	if link == linkRaw {
		link = linkIdentity
		version := doc.Optional("version").Ints(0, math.MaxInt32)
		if len(version) > 1 && version[0] == 1 && version[1] < 3 {
			link = linkLogit
		}
	}
	bias = base
	switch link {
	case linkLog:
		bias = num.Log(base)
	case linkLogit:
		if base == 0 || base == 1 { // XGBoost 3.2 and later do the same; earlier versions fail
			base = math.Abs(base - 1e-6)
		}
		bias = 0 - num.Log(1/base-1) // subtract from 0, because −num.Log(1) would be −0 for a base of ½
	}
	if !finite(bias) {
		n.Failf("base_score is %v, which is invalid for the objective %s", base, name)
	}
	return bias, sigmoid
}

func readXGBoostTree(t *lambdamart.Tree, n modelfile.Node, memory *setMemory) {
	if n.Has("tree_param") {
		param := n.Get("tree_param")
		param.Only("num_deleted", "num_feature", "num_nodes", "size_leaf_vector")
		oneOutput(param)
	}
	n.Only("base_weights", "categories", "categories_nodes", "categories_segments", "categories_sizes",
		"default_left", "id", "leaf_child_counts", "left_children", "loss_changes", "parents", "right_children",
		"split_conditions", "split_indices", "split_type", "sum_hessian", "tree_param")
	left := n.Get("left_children").Ints32(-1, math.MaxInt32)
	right := n.Get("right_children").Ints32(-1, math.MaxInt32)
	index := n.Get("split_indices").Ints32(math.MinInt32, math.MaxInt32)
	condition := n.Get("split_conditions").Floats32()
	defaultLeft := n.Get("default_left").Bools()
	gain := n.Optional("loss_changes").Floats()
	weight := n.Optional("sum_hessian").Floats()
	kind := n.Optional("split_type").Ints(0, 1)
	nodes := len(left)
	for _, a := range []struct {
		name   string
		length int
		absent bool
	}{
		{"left_children", nodes, nodes == 0},
		{"right_children", len(right), false},
		{"split_indices", len(index), false},
		{"split_conditions", len(condition), false},
		{"default_left", len(defaultLeft), false},
		{"loss_changes", len(gain), gain == nil},
		{"sum_hessian", len(weight), weight == nil},
		{"split_type", len(kind), len(kind) == 0},
	} {
		if a.length != max(nodes, 1) && !(a.absent && nodes > 0) {
			n.Failf("the number of elements of %s is %d; it must be %d, one per node", a.name, a.length, nodes)
			return
		}
	}
	if n.Err() != nil {
		return
	}
	reached, err := reachedNodes(left, right)
	if err != nil { // unreachable nodes are not an error: XGBoost keeps pruned nodes in the arrays
		n.Failf("%w", err)
		return
	}
	number := make([]int32, nodes)
	splits, leaves := int32(0), int32(0)
	for i, ok := range reached {
		switch {
		case !ok:
		case left[i] < 0:
			number[i] = ^leaves
			leaves++
		default:
			number[i] = splits
			splits++
		}
	}
	sets := xgboostSets(n, nodes, memory)
	t.Feature = make([]int32, 0, splits)
	t.Threshold = make([]float32, 0, splits)
	t.MissingLeft = make([]bool, 0, splits)
	t.Left = make([]int32, 0, splits)
	t.Right = make([]int32, 0, splits)
	t.Leaf = make([]float64, 0, leaves)
	for i, ok := range reached {
		if !ok {
			continue
		}
		if left[i] < 0 {
			t.Leaf = append(t.Leaf, float64(condition[i]))
			if weight != nil {
				t.LeafWeight = append(t.LeafWeight, statistic(weight[i]))
			}
			continue
		}
		s := len(t.Feature)
		t.Feature = append(t.Feature, index[i])
		if gain != nil {
			t.Gain = append(t.Gain, statistic(gain[i]))
		}
		if weight != nil {
			t.Weight = append(t.Weight, statistic(weight[i]))
		}
		if len(kind) > 0 && kind[i] == 1 {
			if t.Categories == nil {
				t.Categories = make([][]uint32, splits)
			}
			set, ok := sets[int64(i)]
			if !ok {
				n.Failf("node %d has no categories", i)
				return
			}
			t.Categories[s] = set
			t.Threshold = append(t.Threshold, 0)
			t.MissingLeft = append(t.MissingLeft, !defaultLeft[i])
			t.Left = append(t.Left, number[right[i]])
			t.Right = append(t.Right, number[left[i]])
			continue
		}
		if condition[i] != condition[i] {
			n.Failf("the split condition of node %d is NaN; it must be a number", i)
			return
		}
		t.Threshold = append(t.Threshold, math.Nextafter32(condition[i], float32(math.Inf(-1))))
		t.MissingLeft = append(t.MissingLeft, defaultLeft[i])
		t.Left = append(t.Left, number[left[i]])
		t.Right = append(t.Right, number[right[i]])
	}
}

// reachedNodes reports which nodes can be reached from node 0, given the children of each node. The
// children of a leaf are negative. reachedNodes returns an error if the nodes are not a tree.
func reachedNodes(left, right []int32) ([]bool, error) {
	reached := make([]bool, len(left))
	stack := []int32{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case int(i) >= len(left):
			return nil, fmt.Errorf("child %d does not exist: the tree has %d nodes", i, len(left))
		case reached[i]:
			return nil, fmt.Errorf("node %d is reached by two paths", i)
		case left[i] < 0 != (right[i] < 0):
			return nil, fmt.Errorf("node %d has only one child", i)
		}
		reached[i] = true
		if left[i] >= 0 {
			stack = append(stack, right[i], left[i])
		}
	}
	return reached, nil
}

// statistic replaces a number that does not affect scores by 0 if it is not finite.
func statistic(v float64) float64 {
	if !finite(v) {
		return 0
	}
	return v
}

// xgboostSets returns the category sets of a tree by node.
func xgboostSets(n modelfile.Node, nodes int, memory *setMemory) map[int64][]uint32 {
	at := n.Optional("categories_nodes").Ints(0, int64(nodes)-1)
	if len(at) == 0 {
		return nil
	}
	all := n.Get("categories").Ints(0, xgboostCategories-1)
	segments := n.Get("categories_segments").Ints(0, int64(len(all)))
	sizes := n.Get("categories_sizes").Ints(0, int64(len(all)))
	if len(segments) != len(at) || len(sizes) != len(at) {
		n.Failf("the numbers of categories_segments, categories_sizes and categories_nodes are %d, %d and %d; "+
			"they must be equal", len(segments), len(sizes), len(at))
		return nil
	}
	sets := make(map[int64][]uint32, len(at))
	for i, node := range at {
		if segments[i]+sizes[i] > int64(len(all)) {
			n.Failf("node %d uses %d elements of categories from element %d, but categories has only %d elements",
				node, sizes[i], segments[i], len(all))
			return nil
		}
		sets[node] = memory.of(all[segments[i] : segments[i]+sizes[i]])
	}
	return sets
}

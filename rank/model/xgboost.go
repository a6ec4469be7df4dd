package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// XGBoost's models as JSON or UBJSON (doc/model.schema, src/learner.cc, src/gbm/gbtree_model.cc and
// src/tree/tree_model.cc of XGBoost 1.0 to 3.4). A tree is a set of arrays, one element per node;
// node 0 is the root, and a leaf has the children −1. A numerical split sends x < condition left, a
// categorical one sends the categories of its set right.
//
// Fields that no version up to 3.4 writes are errors: what a later version adds may change scores,
// as the weights of trees did that version 3.4 moved from the booster dart into the model of
// gbtree.

// The largest category that XGBoost takes for one.
const xgboostCategories = 1 << 24

// xgboostLink is how an objective turns base_score into the score of no trees.
type xgboostLink int

const (
	linkIdentity xgboostLink = iota
	linkLog
	linkLogit
	linkRaw // the identity, but linkLogit before version 1.3
)

// sigmoid returns Sigmoid of a model. Predictions of binary:logitraw are scores.
func (l xgboostLink) sigmoid() float64 {
	if l == linkLogit {
		return 1
	}
	return 0
}

// xgboostObjectives are those of XGBoost 1.0 to 3.4 that have one output, or may have.
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

// count reads a whole number that is not negative.
func count(n modelfile.Node) (int64, error) { return n.Whole(0, math.MaxInt32) }

// single returns an error when a member of a document says that the model has several of what it
// counts.
func single(n modelfile.Node, what string, keys ...string) error {
	for _, key := range keys {
		if v, err := modelfile.Optional(n, key, count); err != nil {
			return err
		} else if v > 1 {
			return n.Errorf("%s is %d: a model of several %s is no ranker", key, v, what)
		}
	}
	return nil
}

// xgboostZeros is an attribute of ours, which XGBoost keeps and does not look at: what
// [Model.Zeros] returns.
const xgboostZeros = "simdrank_zeros"

// readXGBoost reads a model.
func readXGBoost(doc modelfile.Node, sets *setMemory) (*lambdamart.Model, error) {
	learner, err := doc.Get("learner")
	if err != nil {
		return nil, err
	}
	if err := learner.Only("attributes", "feature_names", "feature_types", "gradient_booster", "learner_model_param",
		"objective"); err != nil {
		return nil, err
	}
	param, err := learner.Get("learner_model_param")
	if err != nil {
		return nil, err
	}
	if err := param.Only("base_score", "boost_from_average", "num_class", "num_feature", "num_target"); err != nil {
		return nil, err
	}
	if err := single(param, "outputs", "num_class", "num_target"); err != nil {
		return nil, err
	}
	features, err := modelfile.Required(param, "num_feature",
		func(n modelfile.Node) (int64, error) { return n.Whole(0, modelfile.MaxFeatures) })
	if err != nil {
		return nil, err
	}
	m := &lambdamart.Model{NumFeatures: int(features)}
	names, err := modelfile.Optional(learner, "feature_names", modelfile.Node.Texts)
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		if m.FeatureNames = names; len(names) != m.NumFeatures {
			return nil, learner.Errorf("%d feature_names for %d features", len(names), m.NumFeatures)
		}
	}
	if m.Bias, m.Sigmoid, err = xgboostBias(doc, learner, param); err != nil {
		return nil, err
	}
	model, weights, err := xgboostBooster(learner)
	if err != nil {
		return nil, err
	}
	if err := readXGBoostTrees(m, model, sets); err != nil {
		return nil, err
	}
	if err := readXGBoostZeros(m, learner); err != nil {
		return nil, err
	}
	if weights.Value != nil {
		drop, err := weights.Floats32()
		if err != nil {
			return nil, err
		}
		if len(drop) != len(m.Trees) {
			return nil, weights.Errorf("%d weights for %d trees", len(drop), len(m.Trees))
		}
		for i, w := range drop {
			for l := range m.Trees[i].Leaf {
				m.Trees[i].Leaf[l] *= float64(w)
			}
		}
	}
	if m.CategoryCodes, err = xgboostCodes(model); err != nil {
		return nil, err
	}
	m.Settings = xgboostSettings(learner)
	m.Best, err = xgboostBest(learner, model, len(m.Trees))
	return m, err
}

// xgboostSettings returns what a model says of its training: the booster, the objective, and the
// parameters of that.
func xgboostSettings(learner modelfile.Node) map[string]string {
	s := map[string]string{}
	add := func(name string, value any) {
		if text, ok := value.(string); ok {
			s[name] = text
		}
	}
	if booster, err := learner.At("gradient_booster", "name"); err == nil {
		add("booster", booster.Value)
	}
	objective, _ := learner.Get("objective") // without one it holds no members
	members, _ := objective.Value.(map[string]any)
	add("objective", members["name"])
	for _, group := range slices.Sorted(maps.Keys(members)) {
		parameters, _ := members[group].(map[string]any)
		for name, value := range parameters {
			add(name, value)
		}
	}
	return s
}

// xgboostBooster returns the model of a booster and the weights of its trees, a node without a
// value where they have none. Up to version 3.3 the booster dart has the weights beside a booster
// gbtree; from then on a gbtree has them.
func xgboostBooster(learner modelfile.Node) (model, weights modelfile.Node, err error) {
	booster, err := learner.Get("gradient_booster")
	if err != nil {
		return model, weights, err
	}
	name, err := modelfile.Required(booster, "name", modelfile.Node.Text)
	if err != nil {
		return model, weights, err
	}
	switch name {
	case "gbtree":
		err = booster.Only("name", "model", "weight_drop")
	case "dart":
		if err = booster.Only("name", "gbtree", "weight_drop"); err != nil {
			break
		}
		if weights, err = booster.Get("weight_drop"); err != nil {
			break
		}
		if booster, err = booster.Get("gbtree"); err != nil {
			break
		}
		err = booster.Only("name", "model")
	default:
		err = booster.Errorf("the booster is %q, want gbtree or dart", text.Excerpt(name))
	}
	if err != nil {
		return model, weights, err
	}
	if model, err = booster.Get("model"); err != nil {
		return model, weights, err
	}
	if err := model.Only("cats", "gbtree_model_param", "iteration_indptr", "tree_info", "trees",
		"weight_drop"); err != nil {
		return model, weights, err
	}
	for _, n := range []modelfile.Node{booster, model} {
		if n.Has("weight_drop") {
			if weights.Value != nil {
				return model, weights, n.Errorf("a second weight_drop beside %s", weights.Path)
			}
			if weights, err = n.Get("weight_drop"); err != nil {
				return model, weights, err
			}
		}
	}
	return model, weights, nil
}

// readXGBoostTrees reads the trees of a booster's model.
func readXGBoostTrees(m *lambdamart.Model, model modelfile.Node, sets *setMemory) error {
	trees, err := modelfile.Required(model, "trees", modelfile.Node.List)
	if err != nil {
		return err
	}
	if model.Has("gbtree_model_param") {
		param, err := model.Get("gbtree_model_param")
		if err != nil {
			return err
		}
		if err := param.Only("num_parallel_tree", "num_trees", "size_leaf_vector"); err != nil {
			return err
		}
		if n, err := modelfile.Optional(param, "size_leaf_vector", count); err != nil {
			return err
		} else if n > 1 {
			return param.Errorf("leaves of %d values: a model of several outputs is no ranker", n)
		}
		if n, err := modelfile.Optional(param, "num_trees", count); err != nil {
			return err
		} else if param.Has("num_trees") && int(n) != len(trees) {
			return param.Errorf("num_trees is %d, but there are %d trees", n, len(trees))
		}
	}
	groups, err := modelfile.Optional(model, "tree_info",
		func(n modelfile.Node) ([]int32, error) { return n.Ints32(math.MinInt32, math.MaxInt32) })
	if err != nil {
		return err
	}
	for i, g := range groups {
		if g != 0 {
			return model.Errorf("tree_info: tree %d is of output %d: a model of several outputs is no ranker", i, g)
		}
	}
	m.Trees = make([]lambdamart.Tree, len(trees))
	for i, n := range trees {
		if id, err := modelfile.Optional(n, "id", count); err != nil {
			return err
		} else if n.Has("id") && int(id) != i {
			return n.Errorf("the tree has the id %d", id)
		}
		if err := readXGBoostTree(&m.Trees[i], n, sets); err != nil {
			return err
		}
	}
	return nil
}

// xgboostBest returns the number of trees up to the best iteration, 0 where none is known. Version
// 1 names one without early stopping, too: the last, which is −1 for a model without trees.
func xgboostBest(learner, model modelfile.Node, trees int) (int, error) {
	if !learner.Has("attributes") {
		return 0, nil
	}
	attributes, err := learner.Get("attributes")
	if err != nil || !attributes.Has("best_iteration") {
		return 0, err
	}
	best, err := modelfile.Required(attributes, "best_iteration",
		func(n modelfile.Node) (int64, error) { return n.Whole(-1, math.MaxInt32) })
	if err != nil {
		return 0, err
	}
	// From version 2.0 on, the first trees of all iterations and the number of trees.
	ends, err := modelfile.Optional(model, "iteration_indptr",
		func(n modelfile.Node) ([]int64, error) { return n.Ints(0, int64(trees)) })
	if err != nil {
		return 0, err
	}
	if len(ends) > 0 {
		return int(ends[min(best+1, int64(len(ends))-1)]), nil
	}
	// From 1.4 on, the trees of an iteration; before, only the product where they are several.
	if param, err := model.Get("gbtree_model_param"); err == nil && param.Has("num_parallel_tree") {
		parallel, err := modelfile.Required(param, "num_parallel_tree", count)
		return int(min((best+1)*max(parallel, 1), int64(trees))), err
	}
	if limit, err := modelfile.Optional(attributes, "best_ntree_limit", count); err != nil || limit > 0 {
		return int(min(limit, int64(trees))), err
	}
	return int(min(best+1, int64(trees))), nil
}

// xgboostCodes reports whether a model has categories that are not their own codes. XGBoost 3.1 and
// newer keep the values that the columns of a data frame had: numbers, or the bytes of all texts
// and the offset of each.
func xgboostCodes(model modelfile.Node) (bool, error) {
	if !model.Has("cats") {
		return false, nil
	}
	cats, err := model.Get("cats")
	if err != nil {
		return false, err
	}
	if err := cats.Only("enc", "feature_segments", "sorted_idx"); err != nil {
		return false, err
	}
	columns, err := modelfile.Required(cats, "enc", modelfile.Node.List)
	if err != nil {
		return false, err
	}
	for _, c := range columns {
		if err := c.Only("offsets", "type", "values"); err != nil {
			return false, err
		}
		values, err := modelfile.Required(c, "values",
			func(n modelfile.Node) ([]int64, error) { return n.Ints(math.MinInt64, math.MaxInt64) })
		if err != nil {
			return false, err
		}
		ends := int64(len(values))
		offsets, err := modelfile.Optional(c, "offsets",
			func(n modelfile.Node) ([]int64, error) { return n.Ints(0, ends) })
		if err != nil {
			return false, err
		}
		if c.Has("offsets") {
			var texts []byte
			for _, v := range values {
				texts = append(texts, byte(v))
			}
			for i := 1; i < len(offsets); i++ {
				if lo, hi := offsets[i-1], offsets[i]; lo > hi || string(texts[lo:hi]) != strconv.Itoa(i-1) {
					return true, nil
				}
			}
			continue
		}
		for i, v := range values {
			if v != int64(i) {
				return true, nil
			}
		}
	}
	return false, nil
}

// readXGBoostZeros enters what the attribute of ours says of zeros. Without it that is not known.
func readXGBoostZeros(m *lambdamart.Model, learner modelfile.Node) error {
	m.UnknownZeros = true
	attribute, err := learner.At("attributes", xgboostZeros)
	if err != nil {
		return nil // no attribute
	}
	switch zeros, err := attribute.Text(); {
	case err != nil:
		return err
	case zeros == lambdamart.ZerosAreMissing.String():
		m.SetZeroMissing(true)
	case zeros == lambdamart.ZerosAreValues.String():
		m.UnknownZeros = false
	default:
		return attribute.Errorf("%q, want %v or %v", text.Excerpt(zeros), lambdamart.ZerosAreValues,
			lambdamart.ZerosAreMissing)
	}
	return nil
}

// xgboostBias returns the score of no trees, base_score through the link of the objective, and
// Sigmoid of the model.
func xgboostBias(doc, learner, param modelfile.Node) (bias, sigmoid float64, err error) {
	n, err := param.Get("base_score")
	if err != nil {
		return 0, 0, err
	}
	// From version 3.1 on it is an array within a string.
	if s, ok := n.Value.(string); ok && strings.HasPrefix(s, "[") {
		n.Value = strings.Trim(s, "[]")
	}
	if n.IsArray() {
		list, err := n.List()
		if err != nil {
			return 0, 0, err
		}
		if len(list) != 1 {
			return 0, 0, n.Errorf("%d values, want 1", len(list))
		}
		n = list[0]
	}
	base, err := n.Number()
	if err != nil {
		return 0, 0, err
	}
	objective, err := learner.At("objective", "name")
	if err != nil {
		return 0, 0, err
	}
	name, err := objective.Text()
	if err != nil {
		return 0, 0, err
	}
	link, ok := xgboostObjectives[name]
	if !ok {
		return 0, 0, objective.Errorf("the objective %q is not known, nor what it makes of base_score", text.Excerpt(name))
	}
	sigmoid = link.sigmoid()
	if link == linkRaw {
		link = linkIdentity
		version, err := modelfile.Optional(doc, "version",
			func(n modelfile.Node) ([]int64, error) { return n.Ints(0, math.MaxInt32) })
		if err != nil {
			return 0, 0, err
		}
		if len(version) > 1 && version[0] == 1 && version[1] < 3 {
			link = linkLogit
		}
	}
	bias = base
	switch link {
	case linkLog:
		bias = num.Log(base)
	case linkLogit:
		if base == 0 || base == 1 { // as from version 3.2 on; an error before
			base = math.Abs(base - 1e-6)
		}
		bias = 0 - num.Log(1/base-1) // not −0 for ½
	}
	if !finite(bias) {
		return 0, 0, n.Errorf("base_score %v of the objective %s", base, name)
	}
	return bias, sigmoid, nil
}

func readXGBoostTree(t *lambdamart.Tree, n modelfile.Node, memory *setMemory) error {
	if n.Has("tree_param") {
		param, err := n.Get("tree_param")
		if err != nil {
			return err
		}
		if err := param.Only("num_deleted", "num_feature", "num_nodes", "size_leaf_vector"); err != nil {
			return err
		}
		if size, err := modelfile.Optional(param, "size_leaf_vector", count); err != nil {
			return err
		} else if size > 1 {
			return param.Errorf("leaves of %d values: a model of several outputs is no ranker", size)
		}
	}
	if err := n.Only("base_weights", "categories", "categories_nodes", "categories_segments", "categories_sizes",
		"default_left", "id", "leaf_child_counts",
		"left_children", "loss_changes", "parents", "right_children", "split_conditions", "split_indices", "split_type",
		"sum_hessian", "tree_param"); err != nil {
		return err
	}
	child := func(n modelfile.Node) ([]int32, error) { return n.Ints32(-1, math.MaxInt32) }
	left, err := modelfile.Required(n, "left_children", child)
	if err != nil {
		return err
	}
	right, err := modelfile.Required(n, "right_children", child)
	if err != nil {
		return err
	}
	index, err := modelfile.Required(n, "split_indices",
		func(n modelfile.Node) ([]int32, error) { return n.Ints32(math.MinInt32, math.MaxInt32) })
	if err != nil {
		return err
	}
	condition, err := modelfile.Required(n, "split_conditions", modelfile.Node.Floats32)
	if err != nil {
		return err
	}
	defaultLeft, err := modelfile.Required(n, "default_left", modelfile.Node.Bools)
	if err != nil {
		return err
	}
	gain, err := modelfile.Optional(n, "loss_changes", modelfile.Node.Floats)
	if err != nil {
		return err
	}
	weight, err := modelfile.Optional(n, "sum_hessian", modelfile.Node.Floats)
	if err != nil {
		return err
	}
	kind, err := modelfile.Optional(n, "split_type", func(n modelfile.Node) ([]int64, error) { return n.Ints(0, 1) })
	if err != nil {
		return err
	}
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
			return n.Errorf("%s has %d elements for %d nodes", a.name, a.length, nodes)
		}
	}
	// Nodes that pruning took out stay in the arrays: number those that the root reaches.
	reached := make([]bool, nodes)
	stack := []int32{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int(i) >= nodes {
			return n.Errorf("child %d of %d nodes", i, nodes)
		}
		if reached[i] {
			return n.Errorf("node %d is reached by two paths", i)
		}
		reached[i] = true
		if left[i] < 0 != (right[i] < 0) {
			return n.Errorf("node %d has one child", i)
		}
		if left[i] >= 0 {
			stack = append(stack, right[i], left[i])
		}
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
	sets, err := xgboostSets(n, nodes, memory)
	if err != nil {
		return err
	}
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
				return n.Errorf("no categories of node %d", i)
			}
			t.Categories[s] = set
			t.Threshold = append(t.Threshold, 0)
			t.MissingLeft = append(t.MissingLeft, !defaultLeft[i])
			t.Left = append(t.Left, number[right[i]])
			t.Right = append(t.Right, number[left[i]])
			continue
		}
		if condition[i] != condition[i] {
			return n.Errorf("the split condition of node %d is NaN", i)
		}
		t.Threshold = append(t.Threshold, math.Nextafter32(condition[i], float32(math.Inf(-1))))
		t.MissingLeft = append(t.MissingLeft, defaultLeft[i])
		t.Left = append(t.Left, number[left[i]])
		t.Right = append(t.Right, number[right[i]])
	}
	return nil
}

// statistic returns a number that scores do not rest on, 0 where it is not finite.
func statistic(v float64) float64 {
	if !finite(v) {
		return 0
	}
	return v
}

// xgboostSets returns the sets of categories of a tree by node.
func xgboostSets(n modelfile.Node, nodes int, memory *setMemory) (map[int64][]uint32, error) {
	if !n.Has("categories_nodes") {
		return nil, nil
	}
	at, err := modelfile.Required(n, "categories_nodes",
		func(n modelfile.Node) ([]int64, error) { return n.Ints(0, int64(nodes)-1) })
	if err != nil || len(at) == 0 {
		return nil, err
	}
	all, err := modelfile.Required(n, "categories",
		func(n modelfile.Node) ([]int64, error) { return n.Ints(0, xgboostCategories-1) })
	if err != nil {
		return nil, err
	}
	length := func(n modelfile.Node) ([]int64, error) { return n.Ints(0, int64(len(all))) }
	segments, err := modelfile.Required(n, "categories_segments", length)
	if err != nil {
		return nil, err
	}
	sizes, err := modelfile.Required(n, "categories_sizes", length)
	if err != nil {
		return nil, err
	}
	if len(segments) != len(at) || len(sizes) != len(at) {
		return nil, n.Errorf("%d categories_segments and %d categories_sizes for %d categories_nodes", len(segments),
			len(sizes), len(at))
	}
	sets := make(map[int64][]uint32, len(at))
	for i, node := range at {
		if segments[i]+sizes[i] > int64(len(all)) {
			return nil, n.Errorf("node %d has the categories %d to %d of %d", node, segments[i], segments[i]+sizes[i],
				len(all))
		}
		list := all[segments[i] : segments[i]+sizes[i]]
		sets[node] = memory.of(list)
	}
	return sets, nil
}

// appendXGBoost appends the model as JSON.
func appendXGBoost(m *lambdamart.Model, b []byte) ([]byte, error) {
	if err := knowsOrder(m, "XGBoost"); err != nil {
		return nil, err
	}
	trees, objective := treesOf(m), `{"lambda_rank_param":{"fix_list_weight":"0","num_pairsample":"1"},"name":"rank:ndcg"}`
	base := m.Bias
	switch m.Sigmoid {
	case 0:
	case 1: // base_score is a probability: that of the score 0, and the bias goes into the leaves
		var err error
		if trees, err = biased(m); err != nil {
			return nil, err
		}
		base = 0.5
		objective = `{"name":"binary:logistic","reg_loss_param":{"scale_pos_weight":"1"}}`
	default:
		return nil, fmt.Errorf("model: a sigmoid of %v, where XGBoost's log loss has 1", m.Sigmoid)
	}
	if !finite(float64(float32(base))) {
		return nil, fmt.Errorf("model: the bias, %v, is too large for the float32 of XGBoost", base)
	}
	zero := true // no split takes 0 for a value: so does who makes XGBoost's data that way
	for i := range trees {
		for s := range trees[i].Feature {
			zero = zero && (trees[i].zeroMissing(s) || !trees[i].zeroMatters(s))
		}
	}
	b = append(b, `{"learner":{"attributes":{`...)
	if m.Best > 0 {
		b = fmt.Appendf(b, `"best_iteration":"%d"`, m.Best-1)
	}
	if zeros := m.Zeros(); zeros != lambdamart.ZerosAreUnknown {
		if zeros == lambdamart.ZerosAreMissing && !zero {
			zeros = lambdamart.ZerosAreValues // to the splits that send them another way than what is missing
		}
		if m.Best > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `"%s":"%v"`, xgboostZeros, zeros)
	}
	b = modelfile.AppendList(append(b, `},"feature_names":`...), m.FeatureNames, text.AppendQuoted)
	b = fmt.Appendf(b,
		`,"feature_types":[],"gradient_booster":{"model":{"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"%d","size_leaf_vector":"0"},"tree_info":`, len(trees))
	b = modelfile.AppendList(b, make([]int32, len(trees)), modelfile.AppendInt)
	b = append(b, `,"trees":[`...)
	for i := range trees {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = trees[i].appendXGBoost(append(b, '\n'), i, m.NumFeatures, zero); err != nil {
			return nil, fmt.Errorf("model: tree %d, %w", i, err)
		}
	}
	b = append(b, `]},"name":"gbtree"},"learner_model_param":{"base_score":"`...)
	b = appendXGBoostFloat(b, float32(base))
	return fmt.Appendf(b, `","boost_from_average":"1","num_class":"0","num_feature":"%d","num_target":"1"},`+
		`"objective":%s},"version":[1,7,4]}`+"\n", m.NumFeatures, objective), nil
}

func (t *tree) appendXGBoost(b []byte, id, features int, zero bool) ([]byte, error) {
	if err := t.leavesFit("XGBoost"); err != nil {
		return nil, err
	}
	nodes := len(t.Feature) + len(t.Leaf)
	value := make([]float32, nodes) // of leaves
	condition := make([]float32, nodes)
	gain, weight := make([]float32, nodes), make([]float32, nodes)
	left, right, parent, index, kind := make([]int32, nodes), make([]int32, nodes), make([]int32, nodes),
		make([]int32, nodes), make([]int32, nodes)
	defaultLeft := make([]int32, nodes)
	var categories, categoryNodes, segments, sizes []int64
	// Nodes are numbered level by level: XGBoost takes for granted that a right child follows the
	// left one.
	order := append(make([]int32, 0, nodes), t.root())
	parent[0] = math.MaxInt32
	for n := 0; n < len(order); n++ {
		weight[n] = float32(t.cover(order[n]))
		if order[n] < 0 {
			l := ^order[n]
			left[n], right[n] = -1, -1
			value[n], condition[n] = float32(t.Leaf[l]), float32(t.Leaf[l])
			continue
		}
		s := int(order[n])
		l, r, missing := t.Left[s], t.Right[s], t.missingLeft(s)
		index[n] = t.Feature[s]
		switch {
		case !t.categorical(s):
			condition[n] = math.Nextafter32(t.Threshold[s], float32(math.Inf(1)))
		case !slices.ContainsFunc(t.Categories[s], func(word uint32) bool { return word != 0 }):
			// XGBoost refuses an empty set; no number is below −∞ either.
			condition[n] = float32(math.Inf(-1))
		default:
			l, r, missing = r, l, !missing
			kind[n] = 1
			categoryNodes, segments = append(categoryNodes, int64(n)), append(segments, int64(len(categories)))
			list, err := t.xgboostCategoryList(s)
			if err != nil {
				return nil, err
			}
			categories, sizes = append(categories, list...), append(sizes, int64(len(list)))
		}
		if !zero && t.zeroMissing(s) && t.zeroMatters(s) {
			return nil, fmt.Errorf("split %d takes 0 for missing and others do not, which XGBoost has no words for", s)
		}
		left[n], right[n] = int32(len(order)), int32(len(order)+1)
		parent[len(order)], parent[len(order)+1] = int32(n), int32(n)
		order = append(order, l, r)
		if missing {
			defaultLeft[n] = 1
		}
		if len(t.Gain) > 0 {
			gain[n] = float32(t.Gain[s])
		}
	}
	b = modelfile.AppendList(append(b, `{"base_weights":`...), value, appendXGBoostFloat)
	b = modelfile.AppendList(append(b, `,"categories":`...), categories, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"categories_nodes":`...), categoryNodes, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"categories_segments":`...), segments, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"categories_sizes":`...), sizes, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"default_left":`...), defaultLeft, modelfile.AppendInt)
	b = strconv.AppendInt(append(b, `,"id":`...), int64(id), 10)
	b = modelfile.AppendList(append(b, `,"left_children":`...), left, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"loss_changes":`...), gain, appendXGBoostFloat)
	b = modelfile.AppendList(append(b, `,"parents":`...), parent, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"right_children":`...), right, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"split_conditions":`...), condition, appendXGBoostFloat)
	b = modelfile.AppendList(append(b, `,"split_indices":`...), index, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"split_type":`...), kind, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"sum_hessian":`...), weight, appendXGBoostFloat)
	return fmt.Appendf(b,
		`,"tree_param":{"num_deleted":"0","num_feature":"%d","num_nodes":"%d","size_leaf_vector":"0"}}`, features,
		nodes), nil
}

// cover returns the weight of the training rows that reach a node, or else their number, or else 0.
func (t *tree) cover(node int32) float64 {
	switch {
	case node < 0 && len(t.LeafWeight) > 0:
		return t.LeafWeight[^node]
	case node < 0 && len(t.LeafCount) > 0:
		return float64(t.LeafCount[^node])
	case node >= 0 && len(t.Weight) > 0:
		return t.Weight[node]
	case node >= 0 && len(t.Count) > 0:
		return float64(t.Count[node])
	}
	return 0
}

// xgboostCategoryList lists the categories of a split.
func (t *tree) xgboostCategoryList(s int) ([]int64, error) {
	list := categoriesOf(t.Categories[s])
	if n := len(list); n > 0 && list[n-1] >= xgboostCategories {
		return nil, fmt.Errorf("split %d: the category %d is too large for XGBoost", s, list[n-1])
	}
	return list, nil
}

// appendXGBoostFloat writes a number as XGBoost does, which takes one without an exponent for an
// integer and refuses it.
func appendXGBoostFloat(b []byte, v float32) []byte {
	switch {
	case v > math.MaxFloat32:
		return append(b, "Infinity"...)
	case v < -math.MaxFloat32:
		return append(b, "-Infinity"...)
	}
	return strconv.AppendFloat(b, float64(v), 'E', -1, 32)
}

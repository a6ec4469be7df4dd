package model

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// LightGBM's dump of a model as JSON (Booster.dump_model; DumpModel in
// src/boosting/gbdt_model_text.cpp and Tree::ToJSON in src/io/tree.cpp of LightGBM 2.1 to 4.7). It
// has 17 digits of every number, and ±1e300 for one that is infinite.

const lightgbmInfinite = 1e300

// readLightGBMDump reads a dump.
func readLightGBMDump(doc modelfile.Node, sets *setMemory) (*lambdamart.Model, error) {
	if err := doc.Only("name", "version", "num_class", "num_tree_per_iteration", "label_index", "max_feature_idx",
		"objective", "average_output", "feature_names", "monotone_constraints", "feature_infos", "tree_info",
		"feature_importances", "pandas_categorical"); err != nil {
		return nil, err
	}
	if version, err := modelfile.Optional(doc, "version", modelfile.Node.Text); err != nil {
		return nil, err
	} else if doc.Has("version") && !slices.Contains(lightgbmVersions, version) {
		return nil, doc.Errorf("version is %q, want v2, v3 or v4", text.Excerpt(version))
	}
	if err := single(doc, "classes", "num_class", "num_tree_per_iteration"); err != nil {
		return nil, err
	}
	last, err := modelfile.Required(doc, "max_feature_idx",
		func(n modelfile.Node) (int64, error) { return n.Whole(-1, modelfile.MaxFeatures-1) })
	if err != nil {
		return nil, err
	}
	m := &lambdamart.Model{NumFeatures: int(last) + 1}
	if m.FeatureNames, err = modelfile.Optional(doc, "feature_names", modelfile.Node.Texts); err != nil {
		return nil, err
	}
	if doc.Has("feature_names") && len(m.FeatureNames) != m.NumFeatures {
		return nil, doc.Errorf("%d feature_names for %d features", len(m.FeatureNames), m.NumFeatures)
	}
	forgetLightGBMNames(m)
	if m.Sigmoid, err = modelfile.Optional(doc, "objective", func(n modelfile.Node) (float64, error) {
		objective, err := n.Text()
		if err != nil {
			return 0, err
		}
		sigmoid, err := lightgbmSigmoid(objective)
		if err != nil {
			return 0, n.Errorf("%w", err)
		}
		return sigmoid, nil
	}); err != nil {
		return nil, err
	}
	trees, err := modelfile.Required(doc, "tree_info", modelfile.Node.List)
	if err != nil {
		return nil, err
	}
	m.Trees = make([]lambdamart.Tree, len(trees))
	for i, n := range trees {
		if m.Trees[i], err = lightgbmDumpTree(n, sets); err != nil {
			return nil, err
		}
	}
	if mean, err := modelfile.Optional(doc, "average_output", modelfile.Node.Bool); err != nil {
		return nil, err
	} else if mean {
		average(m)
	}
	m.CategoryCodes, err = modelfile.Optional(doc, "pandas_categorical", lightgbmCodes)
	return m, err
}

func lightgbmDumpTree(n modelfile.Node, sets *setMemory) (lambdamart.Tree, error) {
	if err := n.Only("tree_index", "num_leaves", "num_cat", "shrinkage", "tree_structure"); err != nil {
		return lambdamart.Tree{}, err
	}
	root, err := n.Get("tree_structure")
	if err != nil {
		return lambdamart.Tree{}, err
	}
	var b treeBuilder
	if _, err := b.lightgbmNode(root, sets); err != nil {
		return lambdamart.Tree{}, err
	}
	if leaves, err := modelfile.Optional(n, "num_leaves", count); err != nil {
		return lambdamart.Tree{}, err
	} else if n.Has("num_leaves") && int(leaves) != len(b.leaves) {
		return lambdamart.Tree{}, n.Errorf("num_leaves is %d, but the tree has %d", leaves, len(b.leaves))
	}
	t, err := b.tree()
	if err != nil {
		return t, n.Errorf("%w", err)
	}
	return t, nil
}

// lightgbmNode reads a node and what is below it.
func (b *treeBuilder) lightgbmNode(n modelfile.Node, sets *setMemory) (int32, error) {
	if !n.Has("split_index") {
		return b.lightgbmLeaf(n)
	}
	if err := n.Only("split_index", "split_feature", "split_gain", "threshold", "decision_type", "default_left",
		"missing_type", "internal_value", "internal_weight", "internal_count", "left_child",
		"right_child"); err != nil {
		return 0, err
	}
	var s nestedSplit
	var err error
	if s.id, err = modelfile.Required(n, "split_index", count); err != nil {
		return 0, err
	}
	feature, err := modelfile.Required(n, "split_feature",
		func(n modelfile.Node) (int64, error) { return n.Whole(0, modelfile.MaxFeatures) })
	if err != nil {
		return 0, err
	}
	s.feature = int32(feature)
	if s.gain, err = optional(n, "split_gain", modelfile.Node.Number, &b.noGains); err != nil {
		return 0, err
	}
	if s.weight, err = optional(n, "internal_weight", modelfile.Node.Number, &b.noWeights); err != nil {
		return 0, err
	}
	if s.count, err = optional(n, "internal_count", wholeCount, &b.noCounts); err != nil {
		return 0, err
	}
	if err := s.readLightGBM(n, sets); err != nil {
		return 0, err
	}
	return b.node(s, "left_child", "right_child", func(key string) (int32, error) {
		return modelfile.Required(n, key, func(n modelfile.Node) (int32, error) { return b.lightgbmNode(n, sets) })
	})
}

// readLightGBM reads how a split decides.
func (s *nestedSplit) readLightGBM(n modelfile.Node, sets *setMemory) error {
	decision, err := modelfile.Required(n, "decision_type", modelfile.Node.Text)
	if err != nil {
		return err
	}
	condition, err := n.Get("threshold")
	if err != nil {
		return err
	}
	switch decision {
	case "==":
		list, err := condition.Text()
		if err != nil {
			return err
		}
		s.threshold = lightgbmLeast
		s.categories, err = lightgbmDumpSet(condition, list, sets)
		return err // what is missing goes right
	case "<=":
	default:
		return n.Errorf("the decision_type is %q, want <= or ==", text.Excerpt(decision))
	}
	t, err := condition.Number()
	if err != nil {
		return err
	}
	switch {
	case t != t:
		return condition.Errorf("NaN")
	case math.Abs(t) >= lightgbmInfinite:
		t = math.Inf(int(math.Copysign(1, t)))
	}
	s.threshold = floor32(t)
	left, err := modelfile.Required(n, "default_left", modelfile.Node.Bool)
	if err != nil {
		return err
	}
	missing, err := modelfile.Required(n, "missing_type", modelfile.Node.Text)
	if err != nil {
		return err
	}
	switch missing {
	case "None": // NaN is taken for 0
		s.missingLeft = t >= 0
	case "Zero":
		s.missingLeft, s.zeroMissing = left, true
	case "NaN":
		s.missingLeft = left
	default:
		return n.Errorf("the missing_type is %q, want None, Zero or NaN", text.Excerpt(missing))
	}
	return nil
}

// lightgbmDumpSet reads categories such as 0||3||17.
func lightgbmDumpSet(n modelfile.Node, list string, sets *setMemory) ([]uint32, error) {
	var categories []int64
	if list != "" {
		for word := range strings.SplitSeq(list, "||") {
			c, err := modelfile.ParseWhole(n, word, 0, math.MaxInt32)
			if err != nil {
				return nil, err
			}
			categories = append(categories, c)
		}
	}
	return sets.of(categories), nil
}

func (b *treeBuilder) lightgbmLeaf(n modelfile.Node) (int32, error) {
	if n.Has("leaf_const") {
		return 0, n.Errorf("the leaves of the tree are linear models, which this package has not")
	}
	if err := n.Only("leaf_index", "leaf_value", "leaf_weight", "leaf_count"); err != nil {
		return 0, err
	}
	var l nestedLeaf
	var err error
	if l.id, err = modelfile.Optional(n, "leaf_index", count); err != nil { // the only leaf of a tree has none
		return 0, err
	}
	if l.value, err = modelfile.Required(n, "leaf_value", modelfile.Node.Number); err != nil {
		return 0, err
	}
	if l.weight, err = optional(n, "leaf_weight", modelfile.Node.Number, &b.noWeights); err != nil {
		return 0, err
	}
	if l.count, err = optional(n, "leaf_count", wholeCount, &b.noCounts); err != nil {
		return 0, err
	}
	return b.leaf(l), nil
}

// wholeCount reads a number of rows.
func wholeCount(n modelfile.Node) (int64, error) { return n.Whole(0, math.MaxInt64) }

// appendLightGBMDump appends the dump.
func appendLightGBMDump(m *lambdamart.Model, b []byte) ([]byte, error) {
	trees, average, err := lightgbmTrees(m)
	if err != nil {
		return nil, err
	}
	names, err := lightgbmFeatures(m)
	if err != nil {
		return nil, err
	}
	b = fmt.Appendf(b, `{"name":"tree","version":"v4","num_class":1,"num_tree_per_iteration":1,"label_index":0,`+
		`"max_feature_idx":%d,"objective":%q,"average_output":%v,"feature_names":`, m.NumFeatures-1,
		lightgbmObjective(m), average)
	b = modelfile.AppendList(b, names, text.AppendQuoted)
	b = append(b, `,"monotone_constraints":[],"feature_infos":{},"tree_info":[`...)
	for i, t := range trees {
		if i > 0 {
			b = append(b, ',')
		}
		if err := t.nestable(); err != nil {
			return nil, fmt.Errorf("model: tree %d, %w", i, err)
		}
		categories := 0
		for s := range t.Feature {
			if err := t.lightgbmCategory(s); err != nil {
				return nil, fmt.Errorf("model: tree %d, %w", i, err)
			}
			if t.categorical(s) {
				categories++
			}
		}
		b = fmt.Appendf(b, "\n{\"tree_index\":%d,\"num_leaves\":%d,\"num_cat\":%d,\"shrinkage\":1,\"tree_structure\":", i,
			len(t.Leaf), categories)
		b = append(t.appendLightGBMNode(b, t.root()), '}')
	}
	b = append(b, "],\n\"feature_importances\":{"...)
	first := true
	for j, n := range m.SplitImportance() {
		if n > 0 {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = strconv.AppendInt(append(text.AppendQuoted(b, names[j]), ':'), n, 10)
		}
	}
	return append(b, "},\"pandas_categorical\":null}\n"...), nil
}

func (t *tree) appendLightGBMNode(b []byte, node int32) []byte {
	if node < 0 {
		l := ^node
		b = append(b, '{')
		if len(t.Feature) > 0 {
			b = fmt.Appendf(b, `"leaf_index":%d,`, l)
		}
		b = modelfile.AppendFloat64(append(b, `"leaf_value":`...), t.Leaf[l])
		if len(t.LeafWeight) > 0 {
			b = modelfile.AppendFloat64(append(b, `,"leaf_weight":`...), t.LeafWeight[l])
		}
		if len(t.LeafCount) > 0 {
			b = modelfile.AppendInt(append(b, `,"leaf_count":`...), t.LeafCount[l])
		}
		return append(b, '}')
	}
	s := int(node)
	b = fmt.Appendf(b, "\n"+`{"split_index":%d,"split_feature":%d`, s, t.Feature[s])
	if len(t.Gain) > 0 {
		b = modelfile.AppendFloat64(append(b, `,"split_gain":`...), t.Gain[s])
	}
	missing := "NaN"
	if t.zeroMissing(s) {
		missing = "Zero"
	}
	if t.categorical(s) {
		missing = "None" // of no effect
		b = append(b, `,"threshold":"`...)
		for k, c := range categoriesOf(t.Categories[s]) {
			if k > 0 {
				b = append(b, "||"...)
			}
			b = strconv.AppendInt(b, c, 10)
		}
		b = append(b, `","decision_type":"=="`...)
	} else {
		v := between(t.Threshold[s])
		b = modelfile.AppendFloat64(append(b, `,"threshold":`...), max(-lightgbmInfinite, min(v, lightgbmInfinite)))
		b = append(b, `,"decision_type":"<="`...)
	}
	b = fmt.Appendf(b, `,"default_left":%v,"missing_type":"%s"`, t.missingLeft(s), missing)
	if len(t.Weight) > 0 {
		b = modelfile.AppendFloat64(append(b, `,"internal_weight":`...), t.Weight[s])
	}
	if len(t.Count) > 0 {
		b = modelfile.AppendInt(append(b, `,"internal_count":`...), t.Count[s])
	}
	b = t.appendLightGBMNode(append(b, `,"left_child":`...), t.Left[s])
	b = t.appendLightGBMNode(append(b, `,"right_child":`...), t.Right[s])
	return append(b, '}')
}

// categoriesOf lists the categories of a set.
func categoriesOf(set []uint32) (list []int64) {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			list = append(list, 32*int64(i)+int64(bits.TrailingZeros32(word)))
		}
	}
	return list
}

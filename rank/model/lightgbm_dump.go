package model

import (
	"bufio"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads and writes LightGBM's JSON dump of a model (Booster.dump_model; DumpModel in
// src/boosting/gbdt_model_text.cpp and Tree::ToJSON in src/io/tree.cpp of LightGBM 2.1 to 4.7).
// Numbers have 17 digits in the dump, and infinite numbers are written as ±1e300.

const lightgbmInfinite = 1e300

// readLightGBMDump reads a model from LightGBM's dump.
func readLightGBMDump(doc modelfile.Node, sets *setMemory) (*lambdamart.Model, error) {
	doc.Only("name", "version", "num_class", "num_tree_per_iteration", "label_index", "max_feature_idx", "objective",
		"average_output", "feature_names", "monotone_constraints", "feature_infos", "tree_info", "feature_importances",
		"pandas_categorical")
	if version := doc.Optional("version").Text(); doc.Has("version") && !slices.Contains(lightgbmVersions, version) {
		doc.Failf("the version is %q; it must be v2, v3 or v4", text.Excerpt(version))
	}
	single(doc, "classes", "num_class", "num_tree_per_iteration")
	m := &lambdamart.Model{NumFeatures: int(doc.Get("max_feature_idx").Whole(-1, modelfile.MaxFeatures-1)) + 1}
	names := doc.Optional("feature_names")
	if !names.Lists(lightgbmNames(nil).append) {
		m.FeatureNames = names.Texts()
	}
	if n := names.Len(); doc.Has("feature_names") && n != m.NumFeatures {
		doc.Failf("the number of feature_names is %d; it must be %d, one per feature", n, m.NumFeatures)
	}
	objective := doc.Optional("objective")
	var err error
	if m.Sigmoid, err = lightgbmSigmoid(objective.Text()); err != nil {
		objective.Failf("%w", err)
	}
	missing, err := newMissingTypes(m.NumFeatures, sets.Budget)
	if err != nil {
		return nil, err
	}
	appendTrees(m, doc.Get("tree_info"), func(_ int, n modelfile.Node) lambdamart.Tree {
		return lightgbmDumpTree(n, sets, missing)
	})
	m.MissingFeatures = missing.features()
	if doc.Optional("average_output").Bool() {
		average(m)
	}
	lightgbmTexts(m, doc.Optional("pandas_categorical"), func() []columnKind {
		return dumpKinds(m, doc.Optional("feature_infos"))
	})
	return m, doc.Err()
}

func lightgbmDumpTree(n modelfile.Node, sets *setMemory, missing missingTypes) lambdamart.Tree {
	n.Only("tree_index", "num_leaves", "num_cat", "shrinkage", "tree_structure")
	b := treeBuilder{missing: missing}
	b.lightgbmNode(n.Get("tree_structure"), sets)
	if leaves := count(n.Optional("num_leaves")); n.Has("num_leaves") && int(leaves) != len(b.leaves) {
		n.Failf("num_leaves is %d, but the tree has %d leaves", leaves, len(b.leaves))
	}
	return b.treeOf(n)
}

// lightgbmNode reads a node and the nodes below it.
func (b *treeBuilder) lightgbmNode(n modelfile.Node, sets *setMemory) int32 {
	if !n.Has("split_index") {
		return b.lightgbmLeaf(n)
	}
	n.Only("split_index", "split_feature", "split_gain", "threshold", "decision_type", "default_left", "missing_type",
		"internal_value", "internal_weight", "internal_count", "left_child", "right_child")
	s := nestedSplit{
		id:      count(n.Get("split_index")),
		feature: int32(n.Get("split_feature").Whole(0, modelfile.MaxFeatures)),
		gain:    optional(n, "split_gain", &b.noGains).Number(),
		weight:  optional(n, "internal_weight", &b.noWeights).Number(),
		count:   optional(n, "internal_count", &b.noCounts).Whole(0, math.MaxInt64),
	}
	s.readLightGBM(n, sets)
	b.missing.add(s.feature, n.Optional("missing_type").Text() == "None")
	return b.node(s, "left_child", "right_child", func(key string) int32 { return b.lightgbmNode(n.Get(key), sets) })
}

// readLightGBM reads the condition of a split.
func (s *nestedSplit) readLightGBM(n modelfile.Node, sets *setMemory) {
	decision := n.Get("decision_type").Text()
	condition := n.Get("threshold")
	switch decision {
	case "==":
		s.threshold = lightgbmLeast
		s.categories = lightgbmDumpSet(condition, sets)
		return // missing values go right
	case "<=":
	default:
		n.Failf("decision_type is %q; it must be <= or ==", text.Excerpt(decision))
	}
	t := condition.Number()
	switch {
	case t != t:
		condition.Failf("NaN")
	case math.Abs(t) >= lightgbmInfinite:
		t = math.Inf(int(math.Copysign(1, t)))
	}
	s.threshold = floor32(t)
	left := n.Get("default_left").Bool()
	switch missing := n.Get("missing_type").Text(); missing {
	case "None": // NaN is treated as 0
		s.missingLeft = t >= 0
	case "Zero":
		s.missingLeft, s.zeroMissing = left, true
	case "NaN":
		s.missingLeft = left
	default:
		n.Failf("missing_type is %q; it must be None, Zero or NaN", text.Excerpt(missing))
	}
}

// lightgbmDumpSet reads a category set such as 0||3||17.
func lightgbmDumpSet(n modelfile.Node, sets *setMemory) []uint32 {
	var categories []int64
	if list := n.Text(); list != "" {
		for word := range strings.SplitSeq(list, "||") {
			c, err := modelfile.ParseWhole(word, 0, math.MaxInt32)
			if err != nil {
				n.Failf("%w", err)
				return nil
			}
			categories = append(categories, c)
		}
	}
	return sets.of(categories)
}

func (b *treeBuilder) lightgbmLeaf(n modelfile.Node) int32 {
	if n.Has("leaf_const") {
		n.Failf("linear trees are not supported")
	}
	n.Only("leaf_index", "leaf_value", "leaf_weight", "leaf_count")
	return b.leaf(nestedLeaf{
		id:     count(n.Optional("leaf_index")), // absent if the tree has only one leaf
		value:  n.Get("leaf_value").Number(),
		weight: optional(n, "leaf_weight", &b.noWeights).Number(),
		count:  optional(n, "leaf_count", &b.noCounts).Whole(0, math.MaxInt64),
	})
}

// writeLightGBMDump writes the model in the format of LightGBM's dump.
func writeLightGBMDump(w *bufio.Writer, m *lambdamart.Model) error {
	trees, average, err := lightgbmTrees(m)
	if err != nil {
		return err
	}
	names, err := lightgbmFeatures(m)
	if err != nil {
		return err
	}
	var list []byte
	for i, t := range trees {
		if i > 0 {
			list = append(list, ',')
		}
		if err := t.nestable(); err != nil {
			return errs.Errorf("model", "tree %d, %w", i, err)
		}
		categories := 0
		for s := range t.Feature {
			if err := t.lightgbmCategory(s); err != nil {
				return errs.Errorf("model", "tree %d, %w", i, err)
			}
			if t.Categories[s] != nil {
				categories++
			}
		}
		list = fmt.Appendf(list, "\n{\"tree_index\":%d,\"num_leaves\":%d,\"num_cat\":%d,\"shrinkage\":1,\"tree_structure\":", i,
			len(t.Leaf), categories)
		list = append(t.appendLightGBMNode(list, t.root), '}')
	}
	var name []byte
	quoted := func(b []byte, j int) []byte {
		name = names.append(name[:0], j)
		return text.AppendQuoted(b, string(name))
	}
	fmt.Fprintf(w, `{"name":"tree","version":"v4","num_class":1,"num_tree_per_iteration":1,"label_index":0,`+
		`"max_feature_idx":%d,"objective":%q,"average_output":%v,"feature_names":[`, m.NumFeatures-1,
		lightgbmObjective(m), average)
	writeFeatures(w, m.NumFeatures, ',', quoted)
	w.WriteString(`],"monotone_constraints":[],"feature_infos":{`)
	separator := ""
	for j, texts := range m.Categories {
		if texts == nil {
			continue
		}
		fmt.Fprintf(w, `%s%s:{"min_value":-1,"max_value":%d,"values":[%s]}`, separator, quoted(nil, j), len(texts)-1,
			strings.ReplaceAll(lightgbmInfo(texts), ":", ","))
		separator = ","
	}
	fmt.Fprintf(w, `},"tree_info":[%s],`+"\n"+`"feature_importances":{`, list)
	splits := splitsOf(trees)
	for k, j := range slices.Sorted(maps.Keys(splits)) {
		if k > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, "%s:%d", quoted(nil, int(j)), splits[j])
	}
	fmt.Fprintf(w, "},\"pandas_categorical\":%s}\n", appendLightGBMTexts(nil, m))
	return nil
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
	if t.ZeroMissing[s] {
		missing = "Zero"
	}
	if t.Categories[s] != nil {
		missing = "NaN" // missing values go right
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
	b = fmt.Appendf(b, `,"default_left":%v,"missing_type":"%s"`, t.MissingLeft[s], missing)
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

package model

import (
	"math"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// This file reads CatBoost's model JSON (catboost/libs/model/model_export/json_model_helpers.cpp of
// CatBoost 1.2). The condition of a split is true for values above a float32 border, or for one
// category. In an oblivious tree, bit k of a leaf's number is set if the condition of split k is
// true. In other trees, a value goes right if the condition is true. The score is scale · (sum of
// the leaf values) + bias, in float64.
//
// CatBoost identifies a category by the hash of its text. A file contains the texts only if it was
// saved with the training data (the argument pool of save_model).

// catboostLevels is the maximum number of levels in an oblivious tree. With this limit, an int32
// can hold the number of any leaf. CatBoost permits at most 16 levels.
const catboostLevels = 30

// A catboostReader contains the properties of the features that splits refer to.
type catboostReader struct {
	sets       *setMemory
	numeric    []catboostNumeric // by float_feature_index
	categories []int32           // positions of the features by cat_feature_index
	texts      map[uint32]string // texts of the categories by hash
	scale      float64
}

type catboostNumeric struct {
	place    int32 // position of the feature
	nanRight bool  // whether NaN is above all borders
}

// A catboostSplit is a split without its children.
type catboostSplit struct {
	nestedSplit
	trueLeft bool // whether the condition is true for values that go left
}

func readCatBoost(doc modelfile.Node, sets *setMemory) (*lambdamart.Model, error) {
	doc.Only("ctr_data", "features_info", "model_info", "oblivious_trees", "scale_and_bias", "trees")
	r := catboostReader{sets: sets, scale: 1}
	m := &lambdamart.Model{}
	m.FeatureNames, m.NumFeatures = r.features(doc.Get("features_info"))
	if doc.Has("scale_and_bias") {
		m.Bias = r.scaleAndBias(doc.Get("scale_and_bias"))
	}
	params := doc.Optional("model_info").Optional("params")
	switch loss, _ := params.Optional("loss_function").Optional("type").IfText(); loss {
	case "Logloss", "CrossEntropy":
		m.Sigmoid = 1
	}
	m.Settings = catboostSettings(params.Optional("flat_params"))
	if doc.Err() != nil {
		return nil, doc.Err()
	}
	if doc.Has("trees") {
		appendTrees(m, doc.Get("trees"), func(_ int, n modelfile.Node) lambdamart.Tree {
			b := treeBuilder{noGains: true, noCounts: true}
			r.node(&b, n)
			return b.treeOf(n)
		})
		return m, doc.Err()
	}
	appendTrees(m, doc.Get("oblivious_trees"), func(_ int, n modelfile.Node) lambdamart.Tree { return r.oblivious(n) })
	return m, doc.Err()
}

// catboostSettings returns the training options that the user set.
func catboostSettings(params modelfile.Node) map[string]string {
	s := map[string]string{}
	for name, value := range params.Members() {
		if text, ok := value.IfScalar(); ok && value.Hold("the settings", settingBytes+int64(len(name)+len(text))) {
			s[name] = text
		}
	}
	if len(s) == 0 {
		return nil
	}
	return s
}

// scaleAndBias reads the scale and returns the bias. Since CatBoost 0.26, the bias is a list.
func (r *catboostReader) scaleAndBias(n modelfile.Node) (bias float64) {
	if count := n.Len(); count != 2 {
		n.Failf("found %d values, expected a scale and a bias", count)
	}
	for i, v := range n.List() {
		switch {
		case i == 0:
			r.scale = v.Number()
		case !v.IsArray():
			bias = v.Number()
		default:
			if outputs := v.Len(); outputs > 1 {
				v.Failf("found %d values: multi-output models are not supported", outputs)
			}
			for _, v := range v.List() {
				bias = v.Number()
			}
		}
	}
	return bias
}

// features reads the features. It returns their names, or nil if all names are default names, and
// the number of features.
func (r *catboostReader) features(info modelfile.Node) (names []string, count int) {
	info.Only("cat_features_hash", "categorical_features", "ctrs", "float_features")
	numeric, categories := catboostList(info, "float_features"), catboostList(info, "categorical_features")
	count = len(numeric) + len(categories)
	if count > modelfile.MaxFeatures {
		info.Failf("the model contains %d features: the limit is %d", count, modelfile.MaxFeatures)
	}
	if !info.Hold("the features", int64(count)*int64(unsafe.Sizeof("")+unsafe.Sizeof(catboostNumeric{})+1)) {
		return nil, 0
	}
	names = make([]string, count)
	seen, named := make([]bool, count), false
	place := func(i int, n modelfile.Node) int32 {
		if index := n.Get("feature_index").Whole(0, math.MaxInt32); index != int64(i) {
			n.Failf("feature_index is %d; it must be %d, the position in the list", index, i)
		}
		at := n.Get("flat_feature_index").Whole(0, int64(count)-1)
		if n.Err() != nil {
			return 0
		}
		if seen[at] {
			n.Failf("flat_feature_index %d belongs to two features", at)
		}
		seen[at] = true
		name, _ := n.Optional("feature_name").IfText()
		if name == "" {
			name, _ = n.Optional("feature_id").IfText()
		}
		if position := strconv.FormatInt(at, 10); name == "" || name == position {
			name = position
		} else {
			named = true
		}
		names[at] = name
		n.Hold("the feature names", int64(len(name)))
		return int32(at)
	}
	for i, n := range numeric {
		n.Only("borders", "feature_id", "feature_index", "feature_name", "flat_feature_index", "has_nans",
			"nan_value_treatment")
		f := catboostNumeric{place: place(i, n)}
		switch treatment := n.Get("nan_value_treatment").Text(); treatment {
		case "AsIs", "AsFalse":
		case "AsTrue":
			f.nanRight = true
		default:
			n.Failf("nan_value_treatment is %q; it must be AsIs, AsFalse or AsTrue", text.Excerpt(treatment))
		}
		r.numeric = append(r.numeric, f)
	}
	for i, n := range categories {
		n.Only("feature_id", "feature_index", "feature_name", "flat_feature_index", "string_values", "values")
		r.categories = append(r.categories, place(i, n))
	}
	r.hashes(info)
	if !named {
		names = nil
	}
	return names, count
}

// catboostList returns the objects of a list. The list may be absent.
func catboostList(info modelfile.Node, key string) (list []modelfile.Node) {
	if !info.Has(key) {
		return nil
	}
	for _, n := range info.Get(key).List() {
		if !n.Hold("the features", int64(unsafe.Sizeof(n))) {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// hashes reads the category texts.
func (r *catboostReader) hashes(info modelfile.Node) {
	r.texts = map[uint32]string{}
	if !info.Has("cat_features_hash") {
		return
	}
	for _, n := range info.Get("cat_features_hash").List() {
		n.Only("hash", "value")
		hash, text := n.Get("hash").Whole(0, math.MaxUint32), n.Get("value").Text()
		if n.Err() != nil || !n.Hold("the categories", settingBytes+int64(len(text))) {
			return
		}
		r.texts[uint32(hash)] = text
	}
}

// split reads a split. After an error, the fields of the result are unspecified.
func (r *catboostReader) split(n modelfile.Node) (s catboostSplit) {
	n.Only("border", "cat_feature_index", "ctr_target_border_idx", "float_feature_index", "split_index", "split_type",
		"value")
	switch kind := n.Get("split_type").Text(); kind {
	case "FloatFeature":
		i := n.Get("float_feature_index").Whole(0, int64(len(r.numeric))-1)
		s.threshold = n.Get("border").Number32()
		if n.Err() == nil {
			s.feature, s.missingLeft = r.numeric[i].place, !r.numeric[i].nanRight
		}
	case "OneHotFeature":
		i := n.Get("cat_feature_index").Whole(0, int64(len(r.categories))-1)
		category := r.category(n.Get("value"))
		if n.Err() == nil {
			s.feature, s.trueLeft = r.categories[i], true
			s.categories = r.sets.of([]int64{category})
		}
	case "OnlineCtr":
		n.Failf("split_type is OnlineCtr: statistics of hashed categories are not supported " +
			"(train with a larger one_hot_max_size, or without cat_features)")
	default:
		n.Failf("split_type is %q; it must be FloatFeature or OneHotFeature", text.Excerpt(kind))
	}
	return s
}

// category returns the category with the given hash.
func (r *catboostReader) category(hash modelfile.Node) int64 {
	h := hash.Whole(math.MinInt32, math.MaxInt32)
	if hash.Err() != nil {
		return 0
	}
	category, known := r.texts[uint32(h)]
	if !known {
		hash.Failf("the file does not contain the category with the hash %d: pass the training data as pool to save_model", h)
		return 0
	}
	c, err := strconv.ParseInt(category, 10, 64)
	if err != nil || c < 0 || c >= exactCategories || strconv.FormatInt(c, 10) != category {
		hash.Failf("the category is %q; it must be a whole number from 0 to %d", text.Excerpt(category),
			exactCategories-1)
	}
	return c
}

// oblivious reads an oblivious tree, in which all nodes of a level have the same split. The root
// level is the last split of the list, because its bit is the highest in a leaf's number. The
// splits are numbered level by level, so the children of split s have the numbers 2s+1 and 2s+2.
func (r *catboostReader) oblivious(n modelfile.Node) (t lambdamart.Tree) {
	n.Only("leaf_values", "leaf_weights", "splits")
	var levels []catboostSplit
	if n.Has("splits") {
		for i, s := range n.Get("splits").List() {
			if i == catboostLevels {
				s.Failf("an oblivious tree must have at most %d levels", catboostLevels)
			}
			if levels = append(levels, r.split(s)); s.Err() != nil {
				return t
			}
		}
	}
	t.Leaf = n.Get("leaf_values").Floats()
	leaves := 1 << len(levels)
	switch count := len(t.Leaf); {
	case n.Err() != nil:
		return t
	case count > leaves && count%leaves == 0:
		n.Failf("found %d leaf_values for %d leaves: multi-output models are not supported", count, leaves)
	case count != leaves:
		n.Failf("found %d leaf_values for %d splits: the number must be %d", count, len(levels), leaves)
	}
	for l := range t.Leaf {
		t.Leaf[l] *= r.scale
	}
	if n.Has("leaf_weights") {
		if t.LeafWeight = n.Get("leaf_weights").Floats(); len(t.LeafWeight) != leaves {
			n.Failf("the number of leaf_weights is %d; it must be %d, one per leaf", len(t.LeafWeight), leaves)
		}
	}
	splits := leaves - 1
	if n.Err() != nil || !n.Hold("the trees", int64(splits)*(4+4+24+1+4+4+8)) {
		return t
	}
	t.Feature, t.Threshold, t.MissingLeft = make([]int32, splits), make([]float32, splits), make([]bool, splits)
	t.Left, t.Right = make([]int32, splits), make([]int32, splits)
	child := func(node int) int32 {
		if node >= splits {
			return ^int32(node - splits)
		}
		return int32(node)
	}
	for s := range splits {
		level := &levels[len(levels)-bits.Len(uint(s+1))]
		t.Feature[s], t.Threshold[s], t.MissingLeft[s] = level.feature, level.threshold, level.missingLeft
		t.Left[s], t.Right[s] = child(2*s+1), child(2*s+2)
		if level.trueLeft {
			t.Left[s], t.Right[s] = t.Right[s], t.Left[s]
		}
		if level.categories != nil {
			if t.Categories == nil {
				t.Categories = make([][]uint32, splits)
			}
			t.Categories[s] = level.categories
		}
	}
	sumWeights(&t)
	return t
}

// sumWeights sets the weight of each split to the sum of the leaf weights below the split. The
// children of a split must have higher numbers than the split.
func sumWeights(t *lambdamart.Tree) {
	if t.LeafWeight == nil {
		return
	}
	t.Weight = make([]float64, len(t.Feature))
	weight := func(node int32) float64 {
		if node < 0 {
			return t.LeafWeight[^node]
		}
		return t.Weight[node]
	}
	for s := len(t.Feature) - 1; s >= 0; s-- {
		t.Weight[s] = weight(t.Left[s]) + weight(t.Right[s])
	}
}

// node reads a node of a tree that is not oblivious, and the nodes below it.
func (r *catboostReader) node(b *treeBuilder, n modelfile.Node) int32 {
	if !n.Has("split") {
		n.Only("value", "weight")
		value := n.Get("value")
		if value.IsArray() {
			value.Failf("found %d values: multi-output models are not supported", value.Len())
		}
		l := nestedLeaf{id: int64(len(b.leaves)), value: value.Number() * r.scale}
		l.weight = optional(n, "weight", &b.noWeights).Number()
		return b.leaf(l)
	}
	n.Only("left", "right", "split")
	s := r.split(n.Get("split"))
	s.id = int64(len(b.splits))
	left, right := "left", "right"
	if s.trueLeft {
		left, right = right, left
	}
	at := b.node(s.nestedSplit, left, right, func(key string) int32 { return r.node(b, n.Get(key)) })
	for _, c := range []int32{b.splits[at].left, b.splits[at].right} {
		if c < 0 {
			b.splits[at].weight += b.leaves[^c].weight
		} else {
			b.splits[at].weight += b.splits[c].weight
		}
	}
	return at
}

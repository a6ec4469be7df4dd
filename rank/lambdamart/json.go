package lambdamart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// jsonVersion is the version of this package's JSON format.
const jsonVersion = 1

// MarshalJSON encodes the model as a JSON object with the fields
//
//	format         "simdrank-lambdamart"
//	version        1
//	features       the number of features
//	feature_names  an array of strings; optional
//	bias           a number
//	sigmoid        a positive number in a log-loss model; optional
//	calibration    an object with the number relevant and the arrays scores and
//	               probabilities, or the numbers relevant, slope and intercept
//	               ([rank.Calibration]); optional
//	best           the number of trees with the best validation metric; optional
//	average        true if the score is the mean of the trees; optional
//	category_codes true if a trainer numbered the categories; optional
//	categories     an object that maps feature numbers (from 0) to arrays of category texts;
//	               optional
//	unknown_order  true if the model does not specify the order of its features; optional
//	unknown_zeros  true if the model does not specify whether 0 is missing; optional
//	missing_features
//	               the numbers of the features that had missing values in training, an
//	               array; optional
//	positions      the learned position-bias factors, [PositionFactors]; optional
//	settings       the options of the training, an object of strings; optional
//	trees          an array of objects
//
// A tree has one array for each field of [Tree]. The array has the field's name, in lower case with
// underscores. Fields that are nil are omitted. In a tree, each element of categories is null for a
// numerical split; otherwise it is the split's category set as an array of 32-bit words (see
// [Tree]). Numbers have enough digits to be read back bit-identically. An infinite threshold is
// ±1e39. MarshalJSON returns an error if the model is not valid.
func (m *Model) MarshalJSON() ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m.appendJSON(nil), nil
}

// UnmarshalJSON is like [Unmarshal] with the default memory limit: 2 GiB or 64 times the data
// length, whichever is larger.
func (m *Model) UnmarshalJSON(data []byte) error {
	read, err := Unmarshal(data)
	if err == nil {
		*m = *read
	}
	return err
}

// Unmarshal decodes a model that [Model.MarshalJSON] encoded. It returns an error if the model is
// not valid. The MemoryLimit option limits the size of the data and the size of the model. To read
// model files in this and other formats, use package model.
func Unmarshal(data []byte, o ...rank.ReadOptions) (*Model, error) {
	budget := files.BudgetOf(int64(len(data)), o...)
	m, err := (*Model)(nil), budget.Hold("the contents of the file", int64(len(data)))
	if err == nil {
		m, err = readJSON(data, budget)
	}
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return nil, errs.Op("lambdamart", err)
	}
	return m, nil
}

// appendJSON appends the model as JSON.
func (m *Model) appendJSON(b []byte) []byte {
	b = append(b, `{"format":"`+modelfile.TreesJSON+`","version":`...)
	b = strconv.AppendInt(b, jsonVersion, 10)
	b = append(b, `,"features":`...)
	b = strconv.AppendInt(b, int64(m.NumFeatures), 10)
	if m.FeatureNames != nil {
		b = append(b, `,"feature_names":`...)
		b = modelfile.AppendList(b, m.FeatureNames, text.AppendQuoted)
	}
	b = append(b, `,"bias":`...)
	b = modelfile.AppendFloat64(b, m.Bias)
	if m.Sigmoid > 0 {
		b = append(b, `,"sigmoid":`...)
		b = modelfile.AppendFloat64(b, m.Sigmoid)
	}
	if m.Calibration != nil {
		b = modelfile.AppendCalibration(append(b, `,"calibration":`...), m.Calibration)
	}
	if m.Best > 0 {
		b = append(b, `,"best":`...)
		b = strconv.AppendInt(b, int64(m.Best), 10)
	}
	if m.Average {
		b = append(b, `,"average":true`...)
	}
	if m.CategoryCodes {
		b = append(b, `,"category_codes":true`...)
	}
	b = m.appendCategories(b)
	if m.UnknownOrder {
		b = append(b, `,"unknown_order":true`...)
	}
	if m.UnknownZeros {
		b = append(b, `,"unknown_zeros":true`...)
	}
	if m.MissingFeatures != nil {
		n := 0
		for _, v := range m.MissingFeatures {
			if v {
				n++
			}
		}
		missing := make([]int32, 0, n)
		for f, v := range m.MissingFeatures {
			if v {
				missing = append(missing, int32(f))
			}
		}
		b = slices.Grow(append(b, `,"missing_features":`...), 10*n) // all features are missing if 0 is
		b = modelfile.AppendList(b, missing, modelfile.AppendInt)
	}
	b = m.PositionFactors.appendJSON(b)
	if len(m.Settings) > 0 {
		text, _ := json.Marshal(m.Settings) // cannot fail, because the map contains only strings
		b = append(append(b, `,"settings":`...), text...)
	}
	b = append(b, `,"trees":[`...)
	for i := range m.Trees {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n{"...)
		b = m.Trees[i].appendJSON(b)
		b = append(b, '}')
	}
	return append(b, "]}\n"...)
}

// appendCategories appends the field of the text categories, unless there are none.
func (m *Model) appendCategories(b []byte) []byte {
	if !text.HasCategories(m.Categories) {
		return b
	}
	separator := `,"categories":{"`
	for f, list := range m.Categories {
		if list == nil {
			continue
		}
		b = append(strconv.AppendInt(append(b, separator...), int64(f), 10), `":`...)
		b = modelfile.AppendList(b, list, text.AppendQuoted)
		separator = `,"`
	}
	return append(b, '}')
}

func (t *Tree) appendJSON(b []byte) []byte {
	b = modelfile.AppendList(append(b, `"feature":`...), t.Feature, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"threshold":`...), t.Threshold, modelfile.AppendFloat32)
	b = appendField(b, `,"categories":`, t.Categories, func(b []byte, set []uint32) []byte {
		if set == nil {
			return append(b, "null"...)
		}
		return modelfile.AppendList(b, set, modelfile.AppendInt)
	})
	b = appendField(b, `,"missing_left":`, t.MissingLeft, strconv.AppendBool)
	b = appendField(b, `,"zero_missing":`, t.ZeroMissing, strconv.AppendBool)
	b = modelfile.AppendList(append(b, `,"left":`...), t.Left, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"right":`...), t.Right, modelfile.AppendInt)
	b = appendField(b, `,"gain":`, t.Gain, modelfile.AppendFloat64)
	b = appendField(b, `,"weight":`, t.Weight, modelfile.AppendFloat64)
	b = appendField(b, `,"count":`, t.Count, modelfile.AppendInt)
	b = modelfile.AppendList(append(b, `,"leaf":`...), t.Leaf, modelfile.AppendFloat64)
	b = appendField(b, `,"leaf_weight":`, t.LeafWeight, modelfile.AppendFloat64)
	return appendField(b, `,"leaf_count":`, t.LeafCount, modelfile.AppendInt)
}

// appendField appends a list as a field of the object, unless the list is nil. name contains the
// comma, the quoted name and the colon.
func appendField[T any](b []byte, name string, list []T, one func([]byte, T) []byte) []byte {
	if list == nil {
		return b
	}
	return modelfile.AppendList(append(b, name...), list, one)
}

func readJSON(data []byte, budget *files.Budget) (*Model, error) {
	doc, err := modelfile.ParseJSON(data, budget)
	if err != nil {
		return nil, err
	}
	if format := doc.Get("format").Text(); format != string(modelfile.TreesJSON) {
		doc.Fail(fmt.Errorf("the format is %q; it must be %q", text.Excerpt(format), modelfile.TreesJSON))
	}
	// Check the version first. Otherwise a later version would be reported as an unknown field.
	if v := doc.Get("version").Whole(0, math.MaxInt64); v != jsonVersion {
		doc.Fail(fmt.Errorf("version %d of %s is not supported; this release reads version %d", v, modelfile.TreesJSON, jsonVersion))
	}
	doc.Only("format", "version", "features", "feature_names", "bias", "sigmoid", "calibration", "best",
		"average", "category_codes", "categories", "unknown_order", "unknown_zeros", "missing_features", "positions",
		"settings", "trees")
	m := &Model{
		NumFeatures:     int(doc.Get("features").Whole(0, maxFeatures)),
		FeatureNames:    doc.Optional("feature_names").Texts(),
		Bias:            doc.Get("bias").Number(),
		Sigmoid:         doc.Optional("sigmoid").Number(),
		Calibration:     modelfile.ReadCalibration(doc),
		Best:            int(doc.Optional("best").Whole(0, math.MaxInt32)),
		Average:         doc.Optional("average").Bool(),
		CategoryCodes:   doc.Optional("category_codes").Bool(),
		UnknownOrder:    doc.Optional("unknown_order").Bool(),
		UnknownZeros:    doc.Optional("unknown_zeros").Bool(),
		PositionFactors: readPositions(doc),
		Settings:        doc.Optional("settings").TextsByName(),
	}
	m.MissingFeatures = readMissing(doc, m.NumFeatures)
	m.Categories = readCategories(doc, m.NumFeatures)
	m.Trees = []Tree{}
	for _, n := range doc.Get("trees").List() {
		if !n.Hold("the trees", int64(unsafe.Sizeof(Tree{}))) {
			break
		}
		if m.Trees = append(m.Trees, readTree(n)); doc.Err() != nil {
			break
		}
	}
	return m, doc.Err()
}

// readMissing returns the model's MissingFeatures.
func readMissing(doc modelfile.Node, features int) []bool {
	list := doc.Optional("missing_features").Ints32(0, int32(features-1))
	if !doc.Has("missing_features") || doc.Err() != nil || !doc.Hold("the features", int64(features)) {
		return nil
	}
	missing := make([]bool, features)
	for _, f := range list {
		missing[f] = true
	}
	return missing
}

// readCategories returns Categories of a model.
func readCategories(doc modelfile.Node, features int) [][]string {
	n := doc.Optional("categories")
	if !doc.Has("categories") || !n.Hold("the text categories", int64(features)*int64(unsafe.Sizeof([]string{}))) {
		return nil
	}
	if _, scalar := n.IfScalar(); scalar || n.IsArray() {
		n.Failf("the value must be an object")
		return nil
	}
	lists := make([][]string, features)
	for name, list := range n.Members() {
		f, err := modelfile.ParseWhole(name, 0, int64(features)-1)
		if err != nil || strconv.FormatInt(f, 10) != name {
			n.Failf("the name %q must be the number of a feature, from 0 to %d", text.Excerpt(name), features-1)
			return nil
		}
		if lists[f] = list.Texts(); lists[f] == nil {
			lists[f] = []string{}
		}
	}
	return lists
}

func readTree(n modelfile.Node) Tree {
	n.Only("feature", "threshold", "categories", "missing_left", "zero_missing", "left", "right",
		"gain", "weight", "count", "leaf", "leaf_weight", "leaf_count")
	return Tree{
		Feature:     n.Get("feature").Ints32(0, maxFeatures),
		Threshold:   n.Get("threshold").Floats32(),
		Categories:  readSets(n.Optional("categories")),
		MissingLeft: n.Optional("missing_left").Bools(),
		ZeroMissing: n.Optional("zero_missing").Bools(),
		Left:        n.Get("left").Ints32(math.MinInt32, math.MaxInt32),
		Right:       n.Get("right").Ints32(math.MinInt32, math.MaxInt32),
		Gain:        n.Optional("gain").Floats(),
		Weight:      n.Optional("weight").Floats(),
		Count:       n.Optional("count").Ints(0, math.MaxInt64),
		Leaf:        n.Get("leaf").Floats(),
		LeafWeight:  n.Optional("leaf_weight").Floats(),
		LeafCount:   n.Optional("leaf_count").Ints(0, math.MaxInt64),
	}
}

// readSets returns the category sets of a tree. An element of the array is null or an array of
// words.
func readSets(n modelfile.Node) [][]uint32 {
	count := n.Len()
	if !n.IsArray() || !n.Hold("the category sets", int64(count)*int64(unsafe.Sizeof([]uint32{}))) {
		return nil
	}
	out := make([][]uint32, count)
	for i, e := range n.List() {
		if !e.IsNull() {
			out[i] = modelfile.Elements(e, func(digits []byte) (uint32, error) {
				v, err := modelfile.ParseWhole(digits, 0, math.MaxUint32)
				return uint32(v), err
			})
		}
	}
	return out
}

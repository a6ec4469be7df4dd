package lambdamart

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
)

// jsonVersion is the version of our JSON.
const jsonVersion = 1

// MarshalJSON returns the model as JSON, an object with the fields
//
//	format         "simdrank-lambdamart"
//	version        1
//	features       their number
//	feature_names  an array of strings; may be absent
//	bias           a number
//	sigmoid        a number above 0 in a model of log loss; may be absent
//	best           the number of trees that did best; may be absent
//	average        true where the score is the mean of the trees; may be absent
//	category_codes true where categories stand for other values; may be absent
//	unknown_order  true where a model does not say in which order data have its features; may be
//	               absent
//	unknown_zeros  true where a model does not say whether 0 is missing; may be absent
//	positions      what training has learned of positions, [PositionFactors]; may be absent
//	settings       the options of the training, an object of strings; may be absent
//	trees          an array of objects
//
// A tree has an array for each field of [Tree], under its name in lower case with underscores;
// those that are nil are absent. An element of categories is null, or the array of the set's words.
// Numbers are written with as many digits as it takes to read the same bits back; an infinite
// threshold is ±1e39. It returns an error if the model is not valid.
func (m *Model) MarshalJSON() ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m.appendJSON(nil), nil
}

// UnmarshalJSON reads what MarshalJSON returns. It returns an error if the model is not valid.
// Package model reads files, in this and all other formats.
func (m *Model) UnmarshalJSON(data []byte) error {
	read, err := readJSON(data)
	if err == nil {
		err = read.Validate()
	}
	if err != nil {
		return errs.Wrap(err, "lambdamart")
	}
	*m = *read
	return nil
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
	if m.UnknownOrder {
		b = append(b, `,"unknown_order":true`...)
	}
	if m.UnknownZeros {
		b = append(b, `,"unknown_zeros":true`...)
	}
	b = m.Positions.appendJSON(b)
	if len(m.Settings) > 0 {
		text, _ := json.Marshal(m.Settings) // strings are no error
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

// appendField appends a list that may be absent.
func appendField[T any](b []byte, name string, list []T, one func([]byte, T) []byte) []byte {
	if list == nil {
		return b
	}
	return modelfile.AppendList(append(b, name...), list, one)
}

func readJSON(data []byte) (*Model, error) {
	doc, err := modelfile.ParseJSON(data)
	if err != nil {
		return nil, err
	}
	if format, err := modelfile.Required(doc, "format", modelfile.Node.Text); err != nil {
		return nil, err
	} else if format != string(modelfile.TreesJSON) {
		return nil, fmt.Errorf("format %q, want %q", text.Excerpt(format), modelfile.TreesJSON)
	}
	version, err := doc.Get("version")
	if err != nil {
		return nil, err
	}
	// Before anything else, so that a model of a later version is called that and not an unknown
	// field.
	if v, err := version.Whole(0, math.MaxInt64); err != nil {
		return nil, err
	} else if v != jsonVersion {
		return nil, fmt.Errorf("version %d of %s; this release reads version %d", v, modelfile.TreesJSON, jsonVersion)
	}
	if err := doc.Only("format", "version", "features", "feature_names", "bias", "sigmoid", "best",
		"average", "category_codes", "unknown_order", "unknown_zeros", "positions", "settings", "trees"); err != nil {
		return nil, err
	}
	m := &Model{}
	features, err := modelfile.Required(doc, "features",
		func(n modelfile.Node) (int64, error) { return n.Whole(0, maxFeatures) })
	if err != nil {
		return nil, err
	}
	m.NumFeatures = int(features)
	if m.FeatureNames, err = modelfile.Optional(doc, "feature_names", modelfile.Node.Texts); err != nil {
		return nil, err
	}
	if m.Bias, err = modelfile.Required(doc, "bias", modelfile.Node.Number); err != nil {
		return nil, err
	}
	if m.Sigmoid, err = modelfile.Optional(doc, "sigmoid", modelfile.Node.Number); err != nil {
		return nil, err
	}
	best, err := modelfile.Optional(doc, "best",
		func(n modelfile.Node) (int64, error) { return n.Whole(0, math.MaxInt32) })
	if err != nil {
		return nil, err
	}
	m.Best = int(best)
	if m.Average, err = modelfile.Optional(doc, "average", modelfile.Node.Bool); err != nil {
		return nil, err
	}
	if m.CategoryCodes, err = modelfile.Optional(doc, "category_codes", modelfile.Node.Bool); err != nil {
		return nil, err
	}
	if m.UnknownOrder, err = modelfile.Optional(doc, "unknown_order", modelfile.Node.Bool); err != nil {
		return nil, err
	}
	if m.UnknownZeros, err = modelfile.Optional(doc, "unknown_zeros", modelfile.Node.Bool); err != nil {
		return nil, err
	}
	if m.Positions, err = modelfile.Optional(doc, "positions", readPositions); err != nil {
		return nil, err
	}
	if m.Settings, err = modelfile.Optional(doc, "settings", modelfile.Node.TextsByName); err != nil {
		return nil, err
	}
	trees, err := modelfile.Required(doc, "trees", modelfile.Node.List)
	if err != nil {
		return nil, err
	}
	m.Trees = make([]Tree, len(trees))
	for i, n := range trees {
		if err := m.Trees[i].readJSON(n); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (t *Tree) readJSON(n modelfile.Node) error {
	if err := n.Only("feature", "threshold", "categories", "missing_left", "zero_missing", "left", "right",
		"gain", "weight", "count", "leaf", "leaf_weight", "leaf_count"); err != nil {
		return err
	}
	index := func(n modelfile.Node) ([]int32, error) { return n.Ints32(0, maxFeatures) }
	child := func(n modelfile.Node) ([]int32, error) { return n.Ints32(math.MinInt32, math.MaxInt32) }
	count := func(n modelfile.Node) ([]int64, error) { return n.Ints(0, math.MaxInt64) }
	var err error
	if t.Feature, err = modelfile.Required(n, "feature", index); err != nil {
		return err
	}
	if t.Threshold, err = modelfile.Required(n, "threshold", modelfile.Node.Floats32); err != nil {
		return err
	}
	if t.Categories, err = modelfile.Optional(n, "categories", readSets); err != nil {
		return err
	}
	if t.MissingLeft, err = modelfile.Optional(n, "missing_left", modelfile.Node.Bools); err != nil {
		return err
	}
	if t.ZeroMissing, err = modelfile.Optional(n, "zero_missing", modelfile.Node.Bools); err != nil {
		return err
	}
	if t.Left, err = modelfile.Required(n, "left", child); err != nil {
		return err
	}
	if t.Right, err = modelfile.Required(n, "right", child); err != nil {
		return err
	}
	if t.Gain, err = modelfile.Optional(n, "gain", modelfile.Node.Floats); err != nil {
		return err
	}
	if t.Weight, err = modelfile.Optional(n, "weight", modelfile.Node.Floats); err != nil {
		return err
	}
	if t.Count, err = modelfile.Optional(n, "count", count); err != nil {
		return err
	}
	if t.Leaf, err = modelfile.Required(n, "leaf", modelfile.Node.Floats); err != nil {
		return err
	}
	if t.LeafWeight, err = modelfile.Optional(n, "leaf_weight", modelfile.Node.Floats); err != nil {
		return err
	}
	t.LeafCount, err = modelfile.Optional(n, "leaf_count", count)
	return err
}

// readSets returns an array of arrays of words, or of null.
func readSets(n modelfile.Node) ([][]uint32, error) {
	list, err := n.List()
	if err != nil {
		return nil, err
	}
	out := make([][]uint32, len(list))
	for i, e := range list {
		if e.Value == nil {
			continue
		}
		if out[i], err = modelfile.Elements(e, func(n modelfile.Node, text string) (uint32, error) {
			v, err := modelfile.ParseWhole(n, text, 0, math.MaxUint32)
			return uint32(v), err
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

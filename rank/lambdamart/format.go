package lambdamart

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/document"
	"github.com/simdrank/simdrank/internal/enum"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
)

// A Format is a form in which a [Model] is written. [Read] recognizes all of them.
type Format int

const (
	// FormatJSON is the form of this package, an object with the fields
	//
	//	format         "simdrank-lambdamart"
	//	version        1
	//	features       their number
	//	feature_names  an array of strings; may be absent
	//	bias           a number
	//	best           the number of trees that did best; may be absent
	//	category_codes true where categories stand for other values; may be absent
	//	unknown_zeros  true where a model does not say whether 0 is missing; may be absent
	//	trees          an array of objects
	//
	// A tree has an array for each field of [Tree], under its name in lower case with underscores;
	// those that are nil are absent. An element of categories is null, or the array of the set's
	// words. Numbers are written with as many digits as it takes to read the same bits back; an
	// infinite threshold is ±1e39.
	FormatJSON Format = iota

	// FormatLightGBM is the model text of LightGBM (versions 2.1 to 4.6) with one output. A key
	// that none of these versions writes is an error, for it may change scores. Its thresholds,
	// which are float64, become the largest float32 not above them: float32 features go the same
	// ways. Where LightGBM takes what is within 10⁻³⁵ of zero for missing, this package takes zero
	// alone. Linear trees are an error. Scores are LightGBM's raw scores, and the mean of the trees
	// for a random forest, whose first k trees sum to their share of it. On writing, the bias goes
	// into the leaves of the first tree.
	FormatLightGBM

	// FormatXGBoost is the model JSON of XGBoost (versions 1.0 to 3.4), boosters gbtree and dart,
	// with one output; its UBJSON is read too. Leaves that dart scales are read with their scale.
	// Scores are XGBoost's margins, of all trees. A field that none of these versions writes is an
	// error, for it may change scores. On writing, numbers become float32. XGBoost's data know what
	// is missing, not its models: a model is written when none of its splits takes zero for
	// missing, or all do, and then XGBoost's data are to be made with missing=0. The attribute
	// simdrank_zeros, which XGBoost keeps and does not look at, is "missing" then and otherwise
	// "value". A model without it is read with zeros as values and UnknownZeros set.
	FormatXGBoost
)

var formatNames = []string{FormatJSON: "json", FormatLightGBM: "lightgbm", FormatXGBoost: "xgboost"}

// String returns the name that [ParseFormat] reads.
func (f Format) String() string { return enum.Name("Format", formatNames, f) }

// ParseFormat returns the format of a name: json, lightgbm or xgboost.
func ParseFormat(name string) (Format, error) {
	return enum.Parse[Format]("lambdamart: format", formatNames, name)
}

// The JSON form's names.
const (
	jsonFormat  = "simdrank-lambdamart"
	jsonVersion = 1
)

// Save writes the model to a file as [FormatJSON]. The file appears whole or not at
// all: it is written beside path and renamed.
func (m *Model) Save(path string) error {
	if err := files.Save(path, func(w io.Writer) error { return m.Write(w, FormatJSON) }); err != nil {
		return fmt.Errorf("lambdamart: saving model %s: %w", path, err)
	}
	return nil
}

// Load reads a model file in any [Format], gzipped or not.
func Load(path string) (*Model, error) {
	m, err := files.Load(path, Read)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Write writes the model in the given form. A model that is not valid is an error.
func (m *Model) Write(w io.Writer, format Format) error {
	if err := m.Validate(); err != nil {
		return err
	}
	var text []byte
	var err error
	switch format {
	case FormatJSON:
		text = m.appendJSON(nil)
	case FormatLightGBM:
		text, err = m.appendLightGBM(nil)
	case FormatXGBoost:
		text, err = m.appendXGBoost(nil)
	default:
		err = fmt.Errorf("lambdamart: unknown model format %d", format)
	}
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Read reads a model in any [Format], gzipped or not.
func Read(r io.Reader) (*Model, error) {
	m, err := ReadAny(r)
	if err != nil {
		return nil, err
	}
	if trees, ok := m.(*Model); ok {
		return trees, nil
	}
	return nil, errors.New("model: a linear model, want boosted trees")
}

// ReadAny reads a model of any kind, gzipped or not: a [*Model] in any [Format], or a
// [*rank.Linear] in any [rank.Format].
func ReadAny(r io.Reader) (rank.Model, error) {
	plain, err := files.Uncompressed(r)
	if err != nil {
		return nil, fmt.Errorf("model: cannot read on: %w", err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	var m *Model
	head := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case document.IsUBJSON(text):
		var doc document.Node
		if doc, err = document.ParseUBJSON(text); err == nil {
			m, err = readXGBoost(doc, len(text))
		}
	case bytes.HasPrefix(head, []byte("{")):
		var doc document.Node
		if doc, err = document.ParseJSON(text); err != nil {
			break
		}
		switch f, _ := doc.Get("format"); {
		case f.Value == jsonFormat:
			m, err = readJSON(doc)
		case f.Value == "simdrank-linear":
			return linear(text)
		case doc.Has("learner"):
			m, err = readXGBoost(doc, len(text))
		case doc.Has("tree_info"):
			err = errors.New("a dump by LightGBM's dump_model, which is for reading only: save the model by save_model")
		default:
			err = fmt.Errorf("the JSON is neither %s nor simdrank-linear nor a model of XGBoost, which has a learner",
				jsonFormat)
		}
	case bytes.HasPrefix(head, []byte("tree\n")), bytes.HasPrefix(head, []byte("tree\r\n")):
		m, err = readLightGBM(text)
	case xgboostBinary(text):
		err = errors.New("the binary format of old versions of XGBoost: load the model with XGBoost (1.0 to 3.0) and save it as .json or .ubj")
	case xgboostDump(head):
		err = errors.New("a dump by XGBoost's dump_model, which is for reading only: save the model by save_model, as .json or .ubj")
	case len(head) > 0 && !bytes.HasPrefix(head, []byte("SVM-light")) && !bytes.HasPrefix(head, []byte("solver_type")):
		err = fmt.Errorf("%.12q begins neither JSON nor UBJSON nor the model text of LightGBM, SVMlight or liblinear",
			head)
	default:
		return linear(text)
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return m, nil
}

// xgboostBinary reports whether a file has the binary format that XGBoost wrote up to version 3.0:
// 136 bytes of parameters, maybe after a word, then the length of the objective's name, and the
// name.
func xgboostBinary(text []byte) bool {
	if bytes.HasPrefix(text, []byte("binf")) || bytes.HasPrefix(text, []byte("bs64")) {
		return true
	}
	const at = 136
	if len(text) < at+8 {
		return false
	}
	n := binary.LittleEndian.Uint64(text[at:])
	return n < 64 && int(n) <= len(text)-at-8 && bytes.Contains(text[at+8:at+8+int(n)], []byte(":"))
}

// xgboostDump reports whether a file is what dump_model writes: text, or an array of trees as JSON.
func xgboostDump(head []byte) bool {
	for _, start := range []string{"booster[", "0:[", "0:leaf="} {
		if bytes.HasPrefix(head, []byte(start)) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte("[")) && bytes.Contains(head[:min(len(head), 256)], []byte(`"nodeid"`))
}

func linear(text []byte) (rank.Model, error) {
	m, err := rank.ReadLinear(bytes.NewReader(text))
	if err != nil {
		return nil, err // not m, a nil pointer in an interface
	}
	return m, nil
}

// appendJSON appends the model as JSON.
func (m *Model) appendJSON(b []byte) []byte {
	b = append(b, `{"format":"`+jsonFormat+`","version":`...)
	b = strconv.AppendInt(b, jsonVersion, 10)
	b = append(b, `,"features":`...)
	b = strconv.AppendInt(b, int64(m.NumFeatures), 10)
	if m.FeatureNames != nil {
		b = append(b, `,"feature_names":`...)
		b = appendList(b, m.FeatureNames, appendString)
	}
	b = append(b, `,"bias":`...)
	b = appendNumber64(b, m.Bias)
	if m.Best > 0 {
		b = append(b, `,"best":`...)
		b = strconv.AppendInt(b, int64(m.Best), 10)
	}
	if m.CategoryCodes {
		b = append(b, `,"category_codes":true`...)
	}
	if m.UnknownZeros {
		b = append(b, `,"unknown_zeros":true`...)
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
	b = appendList(append(b, `"feature":`...), t.Feature, appendInt)
	b = appendList(append(b, `,"threshold":`...), t.Threshold, appendNumber32)
	b = appendField(b, `,"categories":`, t.Categories, func(b []byte, set []uint32) []byte {
		if set == nil {
			return append(b, "null"...)
		}
		return appendList(b, set, func(b []byte, v uint32) []byte { return strconv.AppendUint(b, uint64(v), 10) })
	})
	b = appendField(b, `,"missing_left":`, t.MissingLeft, strconv.AppendBool)
	b = appendField(b, `,"zero_missing":`, t.ZeroMissing, strconv.AppendBool)
	b = appendList(append(b, `,"left":`...), t.Left, appendInt)
	b = appendList(append(b, `,"right":`...), t.Right, appendInt)
	b = appendField(b, `,"gain":`, t.Gain, appendNumber64)
	b = appendField(b, `,"weight":`, t.Weight, appendNumber64)
	b = appendField(b, `,"count":`, t.Count, appendInt)
	b = appendList(append(b, `,"leaf":`...), t.Leaf, appendNumber64)
	b = appendField(b, `,"leaf_weight":`, t.LeafWeight, appendNumber64)
	return appendField(b, `,"leaf_count":`, t.LeafCount, appendInt)
}

func appendInt[T int32 | int64](b []byte, v T) []byte { return strconv.AppendInt(b, int64(v), 10) }

func appendString(b []byte, s string) []byte {
	text, _ := json.Marshal(s) // a string is no error
	return append(b, text...)
}

func appendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, v)
	}
	return append(b, ']')
}

// appendField appends a list that may be absent.
func appendField[T any](b []byte, name string, list []T, one func([]byte, T) []byte) []byte {
	if list == nil {
		return b
	}
	return appendList(append(b, name...), list, one)
}

func readJSON(doc document.Node) (*Model, error) {
	version, err := doc.Get("version")
	if err != nil {
		return nil, err
	}
	// Before anything else, so that a model of a later version is called that and not an unknown
	// field.
	if v, err := version.Whole(0, math.MaxInt64); err != nil {
		return nil, err
	} else if v != jsonVersion {
		return nil, fmt.Errorf("version %d of %s; this release reads version %d", v, jsonFormat, jsonVersion)
	}
	if err := doc.Only("format", "version", "features", "feature_names", "bias", "best", "category_codes",
		"unknown_zeros", "trees"); err != nil {
		return nil, err
	}
	m := &Model{}
	features, err := document.Required(doc, "features",
		func(n document.Node) (int64, error) { return n.Whole(0, maxFeatures) })
	if err != nil {
		return nil, err
	}
	m.NumFeatures = int(features)
	if m.FeatureNames, err = document.Optional(doc, "feature_names", document.Node.Texts); err != nil {
		return nil, err
	}
	if m.Bias, err = document.Required(doc, "bias", document.Node.Number); err != nil {
		return nil, err
	}
	best, err := document.Optional(doc, "best",
		func(n document.Node) (int64, error) { return n.Whole(0, math.MaxInt32) })
	if err != nil {
		return nil, err
	}
	m.Best = int(best)
	if m.CategoryCodes, err = document.Optional(doc, "category_codes", document.Node.Bool); err != nil {
		return nil, err
	}
	if m.UnknownZeros, err = document.Optional(doc, "unknown_zeros", document.Node.Bool); err != nil {
		return nil, err
	}
	trees, err := document.Required(doc, "trees", document.Node.List)
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

func (t *Tree) readJSON(n document.Node) error {
	if err := n.Only("feature", "threshold", "categories", "missing_left", "zero_missing", "left", "right",
		"gain", "weight", "count", "leaf", "leaf_weight", "leaf_count"); err != nil {
		return err
	}
	index := func(n document.Node) ([]int32, error) { return n.Ints32(0, maxFeatures) }
	child := func(n document.Node) ([]int32, error) { return n.Ints32(math.MinInt32, math.MaxInt32) }
	count := func(n document.Node) ([]int64, error) { return n.Ints(0, math.MaxInt64) }
	var err error
	if t.Feature, err = document.Required(n, "feature", index); err != nil {
		return err
	}
	if t.Threshold, err = document.Required(n, "threshold", document.Node.Floats32); err != nil {
		return err
	}
	if t.Categories, err = document.Optional(n, "categories", sets); err != nil {
		return err
	}
	if t.MissingLeft, err = document.Optional(n, "missing_left", document.Node.Bools); err != nil {
		return err
	}
	if t.ZeroMissing, err = document.Optional(n, "zero_missing", document.Node.Bools); err != nil {
		return err
	}
	if t.Left, err = document.Required(n, "left", child); err != nil {
		return err
	}
	if t.Right, err = document.Required(n, "right", child); err != nil {
		return err
	}
	if t.Gain, err = document.Optional(n, "gain", document.Node.Floats); err != nil {
		return err
	}
	if t.Weight, err = document.Optional(n, "weight", document.Node.Floats); err != nil {
		return err
	}
	if t.Count, err = document.Optional(n, "count", count); err != nil {
		return err
	}
	if t.Leaf, err = document.Required(n, "leaf", document.Node.Floats); err != nil {
		return err
	}
	if t.LeafWeight, err = document.Optional(n, "leaf_weight", document.Node.Floats); err != nil {
		return err
	}
	t.LeafCount, err = document.Optional(n, "leaf_count", count)
	return err
}

// sets returns an array of arrays of words, or of null.
func sets(n document.Node) ([][]uint32, error) {
	list, err := n.List()
	if err != nil {
		return nil, err
	}
	out := make([][]uint32, len(list))
	for i, e := range list {
		if e.Value == nil {
			continue
		}
		if out[i], err = document.Elements(e, func(n document.Node, text string) (uint32, error) {
			v, err := document.ParseWhole(n, text, 0, math.MaxUint32)
			return uint32(v), err
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// appendNumber32 and appendNumber64 write as many digits as it takes to read the same bits back.
func appendNumber32(b []byte, v float32) []byte {
	if math.IsInf(float64(v), 0) { // which JSON lacks; it reads back as infinite
		return strconv.AppendFloat(b, math.Copysign(1e39, float64(v)), 'g', -1, 64)
	}
	return strconv.AppendFloat(b, float64(v), 'g', -1, 32)
}

func appendNumber64(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }

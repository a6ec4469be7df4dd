package lambdamart

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
)

// jsonVersion is the version of our JSON.
const jsonVersion = 1

// Load reads a file as [Read] does.
func Load(path string) (*Model, error) { return ReadOptions{}.Load(path) }

// Read reads a model of boosted trees, compressed with gzip or not. Its first bytes tell the
// format:
//
//   - JSON as [Model.WriteJSON] writes it.
//   - The model text of LightGBM (versions 2.1 to 4.7) with one output. A key that none of these
//     versions writes is an error, for it may change scores. Thresholds, which are float64, become
//     the largest float32 not above them: float32 features go the same ways. Where LightGBM takes
//     what is within 10⁻³⁵ of zero for missing, this package takes zero alone. Linear trees are an
//     error. Scores are LightGBM's raw scores, and the mean of the trees for a random forest, which
//     is an [Model.Average].
//   - The dump of such a model as JSON (dump_model).
//   - The model JSON and UBJSON of XGBoost (versions 1.0 to 3.4), boosters gbtree and dart, with
//     one output. Leaves that dart scales are read with their scale. Scores are XGBoost's margins,
//     of all trees. A field that none of these versions writes is an error, for it may change
//     scores. A model that [Model.WriteXGBoost] did not write is read with zeros as values and
//     UnknownZeros set.
//   - The dump of such a model as JSON (dump_model with dump_format="json"), alone or as the splits
//     of an object that names the objective, as Elasticsearch has it. A dump lacks base_score:
//     scores are XGBoost's margins less that, and UnknownZeros is set. It names the features of its
//     splits alone: those named f0, f1 and so on have these places, others are numbered in the
//     order in which the dump names them, which is not that of data; see
//     [Model.UnknownOrder]. Indicators are an error.
//   - The XML of RankLib's LambdaMART and MART. Feature 1 is the first; names are taken as those of
//     a dump of XGBoost are. A missing value is 0. RankLib sums scores in float32.
//   - The MultipleAdditiveTreesModel of Solr. Thresholds become those that Solr makes of them. A
//     missing value goes right. Solr sums scores in float32, too.
//
// Names of features must be UTF-8. Names of LightGBM's text end at spaces, and at no other blanks.
//
// Sigmoid is set by LightGBM's objectives binary and cross_entropy, and by XGBoost's
// binary:logistic and reg:logistic.
//
// The category sets of a model may take 1 GiB; see [ReadOptions].
//
// Package model reads linear models, too.
func Read(r io.Reader) (*Model, error) { return ReadOptions{}.Read(r) }

// ReadOptions say how models are read. The zero value stands for the defaults.
type ReadOptions struct {
	// MemoryLimit is the number of bytes that the category sets of a model may take: a set has one
	// bit for each category from 0 to its largest one, so few bytes of a file can name a large one.
	// The default is 1 GiB. A model that takes more is a [rank.OptionError].
	MemoryLimit int64
}

// Load is like [Load] with these options.
func (o ReadOptions) Load(path string) (*Model, error) { return modelfile.Load(path, o.Read) }

// Read is like [Read] with these options.
func (o ReadOptions) Read(r io.Reader) (*Model, error) {
	text, kind, err := modelfile.Read(r)
	if err != nil {
		return nil, err
	}
	sets := setMemory{limit: cmp.Or(o.MemoryLimit, 1<<30)}
	m, err := parse(text, kind, &sets)
	if err == nil {
		err = sets.check()
	}
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return nil, errs.Wrap(err, "model")
	}
	return m, nil
}

// parse reads a model that may not be valid.
func parse(text []byte, kind modelfile.Kind, sets *setMemory) (*Model, error) {
	if kind.Linear() {
		return nil, errors.New("a linear model, want boosted trees")
	}
	if kind == modelfile.LightGBM {
		return readLightGBM(text, sets)
	}
	if kind == modelfile.RankLib {
		return readRankLib(text)
	}
	parse := modelfile.ParseJSON
	if modelfile.IsUBJSON(text) {
		parse = modelfile.ParseUBJSON
	}
	doc, err := parse(text)
	if err != nil {
		return nil, err
	}
	switch kind {
	case modelfile.XGBoost:
		return readXGBoost(doc, sets)
	case modelfile.XGBoostDump:
		return readXGBoostDump(doc, sets)
	case modelfile.LightGBMDump:
		return readLightGBMDump(doc, sets)
	case modelfile.SolrTrees:
		return readSolr(doc)
	}
	return readJSON(doc, sets)
}

// Save writes the model to a file as [Model.WriteJSON] does, compressed with gzip when its name
// ends in .gz. The file appears whole or not at all.
func (m *Model) Save(path string) error { return modelfile.Save(path, m.WriteJSON) }

// WriteJSON writes the model as JSON of this package, an object with the fields
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
// threshold is ±1e39. A model that is not valid is an error.
func (m *Model) WriteJSON(w io.Writer) error {
	return m.write(w, func(b []byte) ([]byte, error) { return m.appendJSON(b), nil })
}

// WriteLightGBM writes the model as the model text of LightGBM, version v4, with the bias in the
// leaves of the first tree. The objective is binary in a model with a Sigmoid, so that LightGBM
// predicts probabilities, and otherwise lambdarank. Spaces in feature names become underscores, as
// in LightGBM. A model that is not valid, or that the text cannot express, is an error. The text
// cannot express names that are empty, consist of =, or contain line breaks or zero bytes.
func (m *Model) WriteLightGBM(w io.Writer) error {
	return m.write(w, func(b []byte) ([]byte, error) { return m.appendLightGBM(b, "v4") })
}

// WriteLightGBMV3 is WriteLightGBM for version v3, of LightGBM 3 and of programs that read no later
// one.
func (m *Model) WriteLightGBMV3(w io.Writer) error {
	return m.write(w, func(b []byte) ([]byte, error) { return m.appendLightGBM(b, "v3") })
}

// WriteLightGBMDump writes the model as the JSON that LightGBM's dump_model makes, with the bias in
// the leaves of the first tree. Names of features and the objective are those of WriteLightGBM. A
// model that is not valid or that the JSON cannot express, and splits more than 500 deep, are an
// error.
func (m *Model) WriteLightGBMDump(w io.Writer) error { return m.write(w, m.appendLightGBMDump) }

// WriteXGBoost writes the model as the model JSON of XGBoost. Numbers become float32. XGBoost's
// data know what is missing, not its models: a model is written when none of its splits takes zero
// for missing, or all do, and then XGBoost's data are to be made with missing=0. The attribute
// simdrank_zeros, which XGBoost keeps and does not look at, is "missing" then and otherwise
// "value". The objective is rank:ndcg, or binary:logistic in a model with a Sigmoid of 1, whose
// bias is in the leaves of the first tree. A model that is not valid, has another Sigmoid, or is
// beyond the JSON otherwise is an error.
func (m *Model) WriteXGBoost(w io.Writer) error { return m.write(w, m.appendXGBoost) }

// WriteXGBoostUBJSON writes what WriteXGBoost writes as UBJSON, which XGBoost has read since
// version 1.6.
func (m *Model) WriteXGBoostUBJSON(w io.Writer) error { return m.write(w, m.appendXGBoostUBJSON) }

// WriteXGBoostDump writes the model as the JSON that XGBoost's dump_model makes, with the bias in
// the leaves of the first tree. Elasticsearch's learning to rank takes it as model/xgboost+json,
// for features with names. Numbers become float32, and Sigmoid is lost. A model that is not valid,
// takes 0 for missing where that matters, or has splits more than 500 deep is an error. So are
// names by which readers do not find the features of splits: a name of two features, and names such
// as f1 that are those of other places.
func (m *Model) WriteXGBoostDump(w io.Writer) error { return m.write(w, m.appendXGBoostDump) }

// WriteRankLib writes the model as RankLib's XML, with the bias in the leaves of the first tree.
// Features are numbered from 1 and lose their names, numbers become float32, and Sigmoid is lost.
// RankLib has no missing values: which way they go is lost. A model that is not valid, has splits
// of categories or more than 500 deep, or takes 0 for missing where that matters, is an error.
func (m *Model) WriteRankLib(w io.Writer) error { return m.write(w, m.appendRankLib) }

// WriteSolr writes the model as the JSON of Solr's MultipleAdditiveTreesModel, named simdrank, with
// what is said of WriteRankLib; but features keep their names, and without names are "1", "2" and
// so on. Solr adds 10⁻⁶ to each threshold, in float32: it is written so that the sum is the
// threshold or, because not every float32 is such a sum, the nearest one that has 0 on the same
// side.
func (m *Model) WriteSolr(w io.Writer) error { return m.write(w, m.appendSolr) }

func (m *Model) write(w io.Writer, appendTo func(b []byte) ([]byte, error)) error {
	if err := m.Validate(); err != nil {
		return err
	}
	text, err := appendTo(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// appendJSON appends the model as JSON.
func (m *Model) appendJSON(b []byte) []byte {
	b = append(b, `{"format":"`+modelfile.TreesJSON+`","version":`...)
	b = strconv.AppendInt(b, jsonVersion, 10)
	b = append(b, `,"features":`...)
	b = strconv.AppendInt(b, int64(m.NumFeatures), 10)
	if m.FeatureNames != nil {
		b = append(b, `,"feature_names":`...)
		b = appendList(b, m.FeatureNames, text.AppendQuoted)
	}
	b = append(b, `,"bias":`...)
	b = appendNumber64(b, m.Bias)
	if m.Sigmoid > 0 {
		b = append(b, `,"sigmoid":`...)
		b = appendNumber64(b, m.Sigmoid)
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

func readJSON(doc modelfile.Node, sets *setMemory) (*Model, error) {
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
		if err := m.Trees[i].readJSON(n, sets); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (t *Tree) readJSON(n modelfile.Node, sets *setMemory) error {
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
	if t.Categories, err = modelfile.Optional(n, "categories", sets.read); err != nil {
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

// read returns an array of arrays of words, or of null.
func (m *setMemory) read(n modelfile.Node) ([][]uint32, error) {
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
		m.take(len(out[i]))
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

// Package model reads and writes model files of every kind: linear models and boosted trees, in the
// formats of this module, SVMlight, liblinear, LightGBM, XGBoost, RankLib and Solr.
package model

import (
	"bytes"
	"fmt"
	"io"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A Format is a format that [Write] writes. [Read] recognizes all of them.
type Format int

const (
	// FormatJSON is the format of this module. For trees see [lambdamart.Model.WriteJSON]; for a
	// linear model it is an object with the fields
	//
	//	format     "simdrank-linear"
	//	version    1
	//	intercept  a number; may be absent
	//	weights    an array of numbers, the weight of feature 1 first
	//
	// and feature_names, an array of as many strings, where features have names; and settings, an
	// object of strings, where the options of the training are known.
	//
	// Numbers are written with as many digits as it takes to read the same bits back.
	FormatJSON Format = iota

	// FormatSVMLight is the model text of SVMlight and SVMrank with a linear kernel: one support
	// vector that holds the weights. The threshold is −Intercept.
	FormatSVMLight

	// FormatLiblinear is the model text of liblinear and liblinear-ranksvm. An intercept is written
	// as the weight of a bias feature of value 1.
	FormatLiblinear

	// FormatLightGBM is the model text of LightGBM, version v4; see
	// [lambdamart.Model.WriteLightGBM].
	FormatLightGBM

	// FormatXGBoost is the model JSON of XGBoost; see [lambdamart.Model.WriteXGBoost].
	FormatXGBoost

	FormatLightGBMV3    // version v3 of that text; see [lambdamart.Model.WriteLightGBMV3]
	FormatLightGBMDump  // LightGBM's dump; see [lambdamart.Model.WriteLightGBMDump]
	FormatXGBoostUBJSON // the binary form of FormatXGBoost; see [lambdamart.Model.WriteXGBoostUBJSON]
	FormatXGBoostDump   // XGBoost's dump as JSON; see [lambdamart.Model.WriteXGBoostDump]
	FormatRankLib       // RankLib's XML; see [lambdamart.Model.WriteRankLib]
	FormatSolr          // Solr's JSON; see [lambdamart.Model.WriteSolr]
)

var formatNames = []string{FormatJSON: "json", FormatSVMLight: "svmlight", FormatLiblinear: "liblinear",
	FormatLightGBM: "lightgbm", FormatXGBoost: "xgboost", FormatLightGBMV3: "lightgbm-v3",
	FormatLightGBMDump: "lightgbm-dump", FormatXGBoostUBJSON: "xgboost-ubj", FormatXGBoostDump: "xgboost-dump",
	FormatRankLib: "ranklib", FormatSolr: "solr"}

// writers write boosted trees.
var writers = map[Format]func(*lambdamart.Model, io.Writer) error{
	FormatJSON: (*lambdamart.Model).WriteJSON, FormatLightGBM: (*lambdamart.Model).WriteLightGBM,
	FormatXGBoost: (*lambdamart.Model).WriteXGBoost, FormatLightGBMV3: (*lambdamart.Model).WriteLightGBMV3,
	FormatLightGBMDump:  (*lambdamart.Model).WriteLightGBMDump,
	FormatXGBoostUBJSON: (*lambdamart.Model).WriteXGBoostUBJSON,
	FormatXGBoostDump:   (*lambdamart.Model).WriteXGBoostDump, FormatRankLib: (*lambdamart.Model).WriteRankLib,
	FormatSolr: (*lambdamart.Model).WriteSolr,
}

// String returns the name that [ParseFormat] reads.
func (f Format) String() string { return text.EnumName("Format", formatNames, f) }

// ParseFormat returns the format of a name: json, svmlight, liblinear, lightgbm, xgboost,
// lightgbm-v3, lightgbm-dump, xgboost-ubj, xgboost-dump, ranklib or solr.
func ParseFormat(name string) (Format, error) {
	return text.ParseEnum[Format]("model: format", formatNames, name)
}

// Load reads a file as [Read] does.
func Load(path string) (rank.Model, error) { return ReadOptions{}.Load(path) }

// Read reads a model of any kind, compressed with gzip or not. Its first bytes tell the format. The
// model is a [*lambdamart.Model] as [lambdamart.Read] reads it, or a [*rank.Linear]: from JSON (see
// [FormatJSON]), from the model text of SVMlight or SVMrank with a linear kernel, whose support
// vectors are summed up, or from that of liblinear or liblinear-ranksvm with two classes.
func Read(r io.Reader) (rank.Model, error) { return ReadOptions{}.Read(r) }

// ReadOptions are those of package lambdamart, for models of any kind.
type ReadOptions lambdamart.ReadOptions

// Load is like [Load] with these options.
func (o ReadOptions) Load(path string) (rank.Model, error) { return modelfile.Load(path, o.Read) }

// Read is like [Read] with these options.
func (o ReadOptions) Read(r io.Reader) (rank.Model, error) {
	text, kind, err := modelfile.Read(r)
	if err != nil {
		return nil, err
	}
	if kind.Linear() {
		m, err := readLinear(text, kind)
		if err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
		return m, nil
	}
	m, err := lambdamart.ReadOptions(o).Read(bytes.NewReader(text))
	if err != nil {
		return nil, err // not m, which would be a nil pointer in an interface
	}
	return m, nil
}

// Save writes a model to a file as [FormatJSON], compressed with gzip when its name ends in .gz.
// The file appears whole or not at all.
func Save(path string, m rank.Model) error {
	return modelfile.Save(path, func(w io.Writer) error { return Write(w, m, FormatJSON) })
}

// Write writes a [*rank.Linear] as FormatJSON, FormatSVMLight or FormatLiblinear, or a
// [*lambdamart.Model] as FormatJSON or any format after FormatLiblinear. Another model, and a model
// with a non-finite number, is an error.
func Write(w io.Writer, m rank.Model, format Format) error {
	switch m := m.(type) {
	case *rank.Linear:
		return writeLinear(w, m, format)
	case *lambdamart.Model:
		if write, ok := writers[format]; ok {
			return write(m, w)
		}
		return fmt.Errorf("model: boosted trees cannot be written as %v, a format of linear models", format)
	}
	return fmt.Errorf("model: a %T cannot be written", m)
}

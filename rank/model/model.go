// Package model reads and writes model files of every kind: linear models and boosted trees, in the
// formats of this module, SVMlight, liblinear, LightGBM, XGBoost, RankLib and Solr.
package model

import (
	"io"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// formats are those that Write writes.
var formats = []string{"json", "svmlight", "liblinear", "lightgbm", "xgboost", "lightgbm-v3", "lightgbm-dump",
	"xgboost-ubj", "xgboost-dump", "ranklib", "solr"}

// OptionWords returns the words that an option accepts, the default first. The kind is format, of
// [Write].
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"format": formats}[kind])
}

// Load reads a file as [Read] does. Errors name the file.
func Load(path string, o ...rank.ReadOptions) (rank.Model, error) {
	return modelfile.Load(path, func(r io.Reader) (rank.Model, error) { return Read(r, o...) })
}

// Read reads a model of any kind, compressed with gzip or not. Its first bytes tell the format.
//
// It is a [*rank.Linear] from
//
//   - JSON (see [Write]).
//   - The model text of SVMlight or SVMrank with a linear kernel, whose support vectors are summed
//     up.
//   - The model text of liblinear or liblinear-ranksvm with two classes.
//
// It is a [*lambdamart.Model] from
//
//   - JSON (see [Write]).
//   - The model text of LightGBM (versions 2.1 to 4.7) with one output. A key that none of these
//     versions writes is an error, for it may change scores. Thresholds, which are float64, become
//     the largest float32 not above them: float32 features go the same ways. Where LightGBM takes
//     what is within 10⁻³⁵ of zero for missing, this package takes zero alone. Linear trees are an
//     error. Scores are LightGBM's raw scores, and the mean of the trees for a random forest, which
//     has Average set.
//   - The dump of such a model as JSON (dump_model).
//   - The model JSON and UBJSON of XGBoost (versions 1.0 to 3.4), boosters gbtree and dart, with
//     one output. Leaves that dart scales are read with their scale. Scores are XGBoost's margins,
//     of all trees. A field that none of these versions writes is an error, for it may change
//     scores. A model that [Write] did not write is read with zeros as values and UnknownZeros set.
//   - The dump of such a model as JSON (dump_model with dump_format="json"), alone or as the splits
//     of an object that names the objective, as Elasticsearch has it. A dump lacks base_score:
//     scores are XGBoost's margins less that, and UnknownZeros is set. It names the features of its
//     splits alone: those named f0, f1 and so on have these places, others are numbered in the
//     order in which the dump names them, which is not that of data, and UnknownOrder is set.
//     Indicators are an error.
//   - The XML of RankLib's LambdaMART and MART. Feature 1 is the first; names are taken as those of
//     a dump of XGBoost are. A missing value is 0. RankLib sums scores in float32.
//   - The MultipleAdditiveTreesModel of Solr. Thresholds become those that Solr makes of them. A
//     missing value goes right. Solr sums scores in float32, too.
//
// Names of features must be UTF-8. Names of LightGBM's text end at spaces, and at no other blanks.
// Sigmoid is set by LightGBM's objectives binary and cross_entropy, and by XGBoost's
// binary:logistic and reg:logistic.
//
// MemoryLimit of the options bounds the bytes of the file, decompressed, and of the model that is
// made of them. A set of categories takes one bit for each category from 0 to its largest one, so
// that few bytes of a file can name a large set.
func Read(r io.Reader, o ...rank.ReadOptions) (rank.Model, error) {
	budget := files.NewBudget(r, o...)
	content, kind, err := modelfile.Read(r, budget)
	if err != nil {
		return nil, err
	}
	if kind.Linear() {
		m, err := readLinear(content, kind, budget)
		if err != nil {
			return nil, errs.Op("model", err)
		}
		return m, nil
	}
	m, err := readTrees(content, kind, budget)
	if err != nil {
		return nil, err // not m, which would be a nil pointer in an interface
	}
	return m, nil
}

// Trees returns a model that must be boosted trees, as in Trees(Load(path)). It returns err, or an
// error if the model is of another kind.
func Trees(m rank.Model, err error) (*lambdamart.Model, error) {
	if err != nil {
		return nil, err
	}
	trees, ok := m.(*lambdamart.Model)
	if !ok {
		return nil, errs.New("model", "a linear model, want boosted trees")
	}
	return trees, nil
}

// LoadScorer loads boosted trees and makes them ready for scoring, for a program that ranks one
// request after another. It returns an error if the model is of another kind.
func LoadScorer(path string, o ...rank.ReadOptions) (*lambdamart.Scorer, error) {
	trees, err := Trees(Load(path, o...))
	if err != nil {
		return nil, err
	}
	return trees.Scorer()
}

// Save writes a model to a file in the format json of [Write], whatever the extension of its name,
// compressed with gzip if the name ends in .gz. The file appears whole or not at all.
func Save(path string, m rank.Model) error {
	return modelfile.Save(path, func(w io.Writer) error { return Write(w, m, "json") })
}

// Write writes a model in a format, which is one of these words. [Read] recognizes all formats.
//
// For linear models ([*rank.Linear]) and boosted trees ([*lambdamart.Model]):
//
//	json  The format of this module, and the default (""). For trees see
//	      [lambdamart.Model.MarshalJSON]. For a linear model it is an object with the fields
//	      format ("simdrank-linear"), version (1), intercept (a number; may be absent) and
//	      weights (an array of numbers, the weight of feature 1 first); feature_names, an
//	      array of as many strings, where features have names; and settings, an object of
//	      strings, where the options of the training are known. Numbers are written with as
//	      many digits as it takes to read the same bits back.
//
// For linear models:
//
//	svmlight   The model text of SVMlight and SVMrank with a linear kernel: one support
//	           vector that holds the weights. The threshold is −Intercept.
//	liblinear  The model text of liblinear and liblinear-ranksvm. An intercept is written as
//	           the weight of a bias feature of value 1.
//
// For boosted trees:
//
//	lightgbm       The model text of LightGBM, version v4. The objective is binary in a model
//	               with a Sigmoid, so that LightGBM predicts probabilities, and otherwise
//	               lambdarank. Spaces in feature names become underscores, as in LightGBM.
//	               The text cannot express names that are empty, consist of =, or contain
//	               line breaks or zero bytes.
//	lightgbm-v3    The same in version v3, of LightGBM 3 and of programs that read no later
//	               one.
//	lightgbm-dump  The JSON that LightGBM's dump_model makes. Names of features and the
//	               objective are those of lightgbm. Splits more than 500 deep are an error.
//	xgboost        The model JSON of XGBoost. Numbers become float32. XGBoost's data know
//	               what is missing, not its models: a model is written when none of its
//	               splits takes zero for missing, or all do, and then XGBoost's data are to
//	               be made with missing=0. The attribute simdrank_zeros, which XGBoost keeps
//	               and does not look at, is "missing" then and otherwise "value". The
//	               objective is rank:ndcg, or binary:logistic in a model with a Sigmoid of 1,
//	               whose bias is in the leaves of the first tree. Other Sigmoids are an
//	               error.
//	xgboost-ubj    The same as UBJSON, which XGBoost has read since version 1.6.
//	xgboost-dump   The JSON that XGBoost's dump_model makes. Elasticsearch's learning to rank
//	               takes it as model/xgboost+json, for features with names. Numbers become
//	               float32, and Sigmoid is lost. A model that takes 0 for missing where that
//	               matters, or has splits more than 500 deep is an error. So are names by
//	               which readers do not find the features of splits: a name of two features,
//	               and names such as f1 that are those of other places.
//	ranklib        RankLib's XML. Features are numbered from 1 and lose their names, numbers
//	               become float32, and Sigmoid is lost. RankLib has no missing values: which
//	               way they go is lost. A model that has splits of categories or more than
//	               500 deep, or takes 0 for missing where that matters, is an error.
//	solr           The JSON of Solr's MultipleAdditiveTreesModel, named simdrank, with what
//	               is said of ranklib; but features keep their names, and without names are
//	               "1", "2" and so on. Solr adds 10⁻⁶ to each threshold, in float32: it is
//	               written so that the sum is the threshold or, because not every float32 is
//	               such a sum, the nearest one that has 0 on the same side.
//
// Another format is an error, as is a model of another kind, such as a [*lambdamart.Scorer]. So is
// a model that is not valid ([lambdamart.Model.Validate]), that has a number that is not finite, or
// that the format cannot express. A format of trees that has no bias has it in the leaves of the
// first tree.
func Write(w io.Writer, m rank.Model, format string) error {
	format, err := text.Choose("model", "format", formats, format)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case *rank.Linear:
		return writeLinear(w, m, format)
	case *lambdamart.Model:
		return writeTrees(w, m, format)
	}
	return errs.Errorf("model", "a %T cannot be written", m)
}

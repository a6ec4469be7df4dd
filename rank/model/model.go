// Package model reads and writes model files. It supports linear and tree models in the formats of
// simdrank, SVMlight, liblinear, LightGBM, XGBoost, CatBoost, ONNX, RankLib and Solr.
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

// formats are the formats that Write supports.
var formats = []string{"json", "svmlight", "liblinear", "lightgbm", "xgboost", "lightgbm-v3", "lightgbm-dump",
	"xgboost-ubj", "xgboost-dump", "onnx", "ranklib", "solr"}

// OptionWords returns the accepted values of an option, with the default first. The only kind is
// "format", the format of [Write].
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"format": formats}[kind])
}

// Load is like [Read] but reads a file. Its errors name the file.
func Load(path string, o ...rank.ReadOptions) (rank.Model, error) {
	return modelfile.Load(path, func(r io.Reader) (rank.Model, error) { return Read(r, o...) })
}

// Read reads a model of any supported format, and detects the format from the first bytes. The
// input may be compressed with gzip.
//
// Read returns a [*rank.Linear] for these formats:
//
//   - JSON (see [Write]).
//   - The model text of SVMlight or SVMrank with a linear kernel. Read sums the support vectors.
//   - The model text of liblinear or liblinear-ranksvm with two classes.
//   - An ONNX model that consists of the operator LinearRegressor with one output.
//
// Read returns a [*lambdamart.Model] for these formats:
//
//   - JSON (see [Write]).
//   - The model text of LightGBM (versions 2.1 to 4.7) with one output. Scores are LightGBM's raw
//     scores. A random forest's score is the mean of its trees, and Average is set. Keys that these
//     versions do not write are errors because they may change scores. Thresholds are float64 and
//     are rounded down to float32; float32 features still go the same way. LightGBM can treat
//     values within 10⁻³⁵ of zero as missing; this package treats only zero as missing. Linear
//     trees are not supported.
//   - The JSON dump of such a model (dump_model).
//   - The model JSON and UBJSON of XGBoost (versions 1.0 to 3.4) with one output and the booster
//     gbtree or dart. The leaf values of dart include the tree weights. Scores are XGBoost's
//     margins with all trees. Fields that these versions do not write are errors because they may
//     change scores. If [Write] did not write the model, zeros are treated as values and
//     UnknownZeros is set.
//   - The JSON dump of such a model (dump_model with dump_format="json"). Read also accepts
//     Elasticsearch's JSON object, which contains the objective and, in the field splits, the dump.
//     A dump lacks base_score, so scores are XGBoost's margins minus base_score. UnknownZeros is
//     set. A dump names only the features used in splits. The names f0, f1 and so on specify
//     positions, counted from 0. Other features are numbered by their first use in the dump, which
//     may differ from the column order, and UnknownOrder is set. Indicator features are not
//     supported.
//   - The model JSON of CatBoost (version 1.2) with one output. Scores are CatBoost's raw scores.
//     Splits by single categories (one-hot features) require categories that are whole numbers, and
//     a file that was saved with the training data (save_model's argument pool). Splits by
//     statistics of hashed categories (CTR) are not supported.
//   - An ONNX model that consists of the operator TreeEnsembleRegressor with one output, or of
//     TreeEnsembleClassifier with two classes and one weight per leaf (ai.onnx.ml, versions 1 to
//     5). The operators Identity, Cast and ZipMap may follow. Scores are raw scores. ONNX Runtime
//     itself sums in float32. A category that BRANCH_EQ compares must be a whole number,
//     and fractions of features are truncated. The model has no feature names.
//   - The XML of RankLib's LambdaMART and MART. Feature numbers start at 1, and names are treated
//     as in an XGBoost dump. Missing values are treated as 0. RankLib itself sums scores in
//     float32.
//   - The MultipleAdditiveTreesModel of Solr, also as the only model of the model store that Solr
//     shows or saves. Read converts thresholds as Solr does when it loads a model. Missing values
//     go right. Solr itself sums scores in float32.
//
// Feature names must be UTF-8. In LightGBM's text, only spaces separate names. LightGBM's
// objectives binary and cross_entropy set Sigmoid. XGBoost's binary:logistic and reg:logistic and
// CatBoost's Logloss and CrossEntropy do so, too, and the post_transform LOGISTIC of ONNX.
//
// The MemoryLimit option bounds the size of the decompressed file plus the size of the model. A
// category set uses one bit for each number up to its largest category. A few bytes of a file can
// therefore describe a large set.
func Read(r io.Reader, o ...rank.ReadOptions) (rank.Model, error) {
	budget := files.NewBudget(r, o...)
	content, kind, err := modelfile.Read(r, budget)
	if err != nil {
		return nil, err
	}
	if kind == modelfile.ONNX {
		return readONNX(content, budget)
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
		return nil, err // m would be a nil pointer in a non-nil interface
	}
	return m, nil
}

// Trees returns m as a tree model, for example in Trees(Load(path)). It returns err if err is not
// nil, and an error if m is not a tree model.
func Trees(m rank.Model, err error) (*lambdamart.Model, error) {
	if err != nil {
		return nil, err
	}
	trees, ok := m.(*lambdamart.Model)
	if !ok {
		return nil, errs.New("model", "the model is linear; it must be a tree model")
	}
	return trees, nil
}

// Save atomically writes a model to a file in the json format of [Write], regardless of the file
// extension. It compresses the file with gzip if the name ends in .gz.
func Save(path string, m rank.Model) error {
	return modelfile.Save(path, func(w io.Writer) error { return Write(w, m, "json") })
}

// Write writes a model in one of the formats below. [Read] recognizes all of these formats.
//
// This format supports linear models ([*rank.Linear]) and tree models ([*lambdamart.Model]):
//
//	json  The format of this module, and the default (""). For trees see
//	      [lambdamart.Model.MarshalJSON]. A linear model is an object with the fields format
//	      ("simdrank-linear"), version (1), intercept (a number, optional) and weights (an
//	      array of numbers that starts with the weight of feature 1). If features have names,
//	      feature_names is an array of the same length. If the training options are known,
//	      settings is an object of strings. If the model is calibrated, calibration is an
//	      object as in a tree model. Numbers have enough digits to be read back
//	      exactly.
//
// This format supports both types of models:
//
//	onnx  An ONNX model for ONNX Runtime 1.15 and later: the operator LinearRegressor, or
//	      TreeEnsembleRegressor of ai.onnx.ml, version 3. The input is a float32 matrix named
//	      features, and the output a column named scores. Numbers become float32, and Sigmoid
//	      and feature names are lost. It is an error if the model has categorical splits, or
//	      treats 0 as missing and this affects scores.
//
// These formats support linear models:
//
//	svmlight   The model text of SVMlight and SVMrank with a linear kernel. One support
//	           vector holds the weights. The threshold is −Intercept.
//	liblinear  The model text of liblinear and liblinear-ranksvm. An intercept is written as
//	           the weight of a bias feature with the value 1.
//
// These formats support tree models:
//
//	lightgbm       The model text of LightGBM, version v4. If Sigmoid is not 0, the objective
//	               is binary, and LightGBM predicts probabilities. Otherwise the objective is
//	               lambdarank. Spaces in feature names become underscores, as in LightGBM. It
//	               is an error if a name is empty, consists only of = signs, or contains line
//	               breaks or zero bytes.
//	lightgbm-v3    The same text in version v3, for LightGBM 3 and for programs that do not
//	               read later versions.
//	lightgbm-dump  The JSON of LightGBM's dump_model, with the feature names and objective of
//	               the format lightgbm. It is an error if splits are nested more than 500
//	               deep.
//	xgboost        The model JSON of XGBoost. Numbers become float32. In XGBoost the data
//	               determine which values are missing, not the model. A model can therefore
//	               be written only if all of its splits treat zero as missing or none does.
//	               If all do, create XGBoost's data with missing=0. The attribute
//	               simdrank_zeros is then "missing", and otherwise "value"; XGBoost keeps
//	               this attribute and ignores it. The objective is rank:ndcg if Sigmoid is 0.
//	               If Sigmoid is 1, it is binary:logistic, and the bias is added to the
//	               leaves of the first tree. It is an error if Sigmoid has another value.
//	xgboost-ubj    The same model as UBJSON, which XGBoost 1.6 and later can read.
//	xgboost-dump   The JSON of XGBoost's dump_model. The Elasticsearch Learning to Rank
//	               plugin accepts it as model/xgboost+json if features have names. Numbers
//	               become float32, and Sigmoid is lost. It is an error if the model treats 0
//	               as missing and this affects scores, or if splits are nested more than 500
//	               deep. It is also an error if two features share a name, or if a feature
//	               has the default name of another position, such as f1.
//	ranklib        RankLib's XML. Features are numbered from 1 and lose their names, numbers
//	               become float32, and Sigmoid is lost. RankLib does not support missing
//	               values, so their directions are lost. It is an error if the model has
//	               categorical splits, has splits nested more than 500 deep, or treats 0 as
//	               missing and this affects scores.
//	solr           The JSON of a Solr MultipleAdditiveTreesModel named simdrank. It has the
//	               same restrictions as ranklib, except that feature names are kept. Features
//	               without names are called "1", "2" and so on. Solr adds 10⁻⁶ to each
//	               threshold in float32. Thresholds are adjusted so that the sum is the
//	               original threshold. If no float32 leads to this sum, Write chooses the
//	               nearest sum for which 0 goes the same way.
//
// Only the format json stores the calibration.
//
// Write returns an error if the format is unknown, or if it does not support the type of m. It also
// returns an error if the model is not valid ([lambdamart.Model.Validate]), contains a number that
// is not finite, or cannot be expressed in the format. If a tree format cannot store the bias,
// Write adds it to the leaves of the first tree.
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
	return errs.Errorf("model", "a model of type %T cannot be written", m)
}

// Package modelfile contains the shared code of readers and writers of model files. It recognizes
// the format of a file by its first bytes, and reads JSON and UBJSON strictly, with errors that
// name the place. It also hashes data and options, so that a file resumes only the training that
// wrote it. Users import package model instead.
package modelfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
)

// A Kind is a model type in one of its formats.
type Kind string

const (
	LinearJSON Kind = "simdrank-linear" // the member "format" of simdrank's JSON
	SVMLight   Kind = "SVMlight"        // linear, like Liblinear
	Liblinear  Kind = "liblinear"
	TreesJSON  Kind = "simdrank-lambdamart"
	LightGBM   Kind = "LightGBM"
	XGBoost    Kind = "XGBoost" // JSON or UBJSON

	CatBoost     Kind = "CatBoost" // JSON
	ONNX         Kind = "ONNX"     // linear or a tree model
	LightGBMDump Kind = "a dump of LightGBM"
	XGBoostDump  Kind = "a dump of XGBoost"
	RankLib      Kind = "RankLib"
	SolrTrees    Kind = "org.apache.solr.ltr.model.MultipleAdditiveTreesModel" // the member "class"
)

// Linear reports whether the kind is a linear model. All others except ONNX are tree models.
func (k Kind) Linear() bool { return k == LinearJSON || k == SVMLight || k == Liblinear }

// MaxFeatures limits the number of features in a file, so that a damaged file cannot exhaust the
// memory.
const MaxFeatures = 1 << 24

// LargestMaxFeature is the largest value of data.Options.MaxFeature, with which users can raise the
// limit for data.
const LargestMaxFeature = 1 << 27

// Load opens a file and passes it to read. Errors name the file.
func Load[M any](path string, read func(r io.Reader) (M, error)) (M, error) {
	m, err := files.Load(path, read)
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		err = pathErr.Err // without the path, which is added below
	}
	if err != nil {
		var none M
		return none, errs.Wrap(err, "%s", path)
	}
	return m, nil
}

// Save is like [files.Save], but its errors name the file.
func Save(path string, write func(w io.Writer) error) error {
	return files.Save(path, func(w io.Writer) error {
		if err := write(w); err != nil {
			return errs.Wrap(err, "%s", path)
		}
		return nil
	})
}

// headLen is the size of the head that is inspected before the rest is read.
const headLen = 4096

// Read returns the uncompressed content of a model file, and its kind. If the file does not start
// like a model, Read stops after the beginning, because the file may be data of any size. The
// content is counted in the budget of the file.
func Read(r io.Reader, budget *files.Budget) (content []byte, kind Kind, err error) {
	if content, err = read(r, budget); err == nil {
		kind, err = kindOf(content, budget)
	}
	if err != nil {
		return nil, "", errs.Op("model", err)
	}
	return content, kind, nil
}

// read returns the content of a file, or only its beginning if it is not a model.
func read(r io.Reader, budget *files.Budget) ([]byte, error) {
	size := files.Size(r)
	plain, err := budget.Uncompressed(r)
	if err == nil {
		plain, err = text.Plain(plain)
	}
	if err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(plain, headLen)
	head, err := b.Peek(headLen)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if Begins(head) || len(bytes.TrimSpace(head)) == 0 {
		return budget.ReadAll(b, "the contents of the file", size)
	}
	return head, nil
}

// Begins reports whether a file that starts with head may be intended as a model: [Read] reads it
// or reports its actual format. A head of 512 bytes is sufficient.
func Begins(head []byte) bool {
	head, err := text.Unmarked(head)
	if err != nil {
		return false
	}
	kind, err := begins(head)
	return kind != "" || err != nil
}

// An UnknownError reports content that is not a model of any kind.
type UnknownError struct{ error }

// anyJSON is the kind of any text that starts with a JSON object.
const anyJSON Kind = "JSON"

// kindOf returns the kind of a text.
func kindOf(text []byte, budget *files.Budget) (Kind, error) {
	kind, err := begins(text)
	switch {
	case err != nil:
		return "", err
	case kind == anyJSON:
		return kindOfJSON(text, budget)
	case kind == "" && len(text) == 0:
		return "", errors.New("the file is empty")
	case kind == "":
		return "", UnknownError{fmt.Errorf("not a model file: it starts with %.12q; supported formats: JSON, UBJSON, ONNX, "+
			"RankLib XML, and LightGBM, SVMlight or liblinear text", text)}
	}
	return kind, nil
}

// otherRankLib lists RankLib's model types that are not sums of trees.
var otherRankLib = []string{"AdaRank", "Coordinate Ascent", "LambdaRank", "Linear Regression", "ListNet",
	"Random Forests", "RankBoost", "RankNet"}

// dumpStart matches the start of an XGBoost dump, whose nodes may have their members in any order.
var dumpStart = regexp.MustCompile(`^\[\s*\{\s*"(nodeid|depth|split|split_condition|yes|no|missing|gain|cover|children|leaf)"\s*:`)

// begins returns the kind that the first bytes indicate. It returns "" if they do not start a model
// file, and an error for known formats that are not supported.
func begins(text []byte) (Kind, error) {
	start := bytes.TrimLeft(text, " \t\r\n")
	switch has := func(prefix string) bool { return bytes.HasPrefix(start, []byte(prefix)) }; {
	case IsUBJSON(text):
		return XGBoost, nil
	case isONNX(text):
		return ONNX, nil
	case has("{"):
		return anyJSON, nil
	case has("tree\n"), has("tree\r\n"):
		return LightGBM, nil
	case has("SVM-light"):
		return SVMLight, nil
	case has("solver_type"):
		return Liblinear, nil
	case xgboostBinary(text):
		return "", errors.New("XGBoost's old binary format is not supported: " +
			"load the model with XGBoost (1.0 to 3.0) and save it as .json or .ubj")
	case has("[") && dumpStart.Match(start):
		return XGBoostDump, nil
	case has("<ensemble"), has("<?xml"), has("<!--"), has("## LambdaMART"), has("## MART"):
		return RankLib, nil
	case has("## "):
		name, _, _ := bytes.Cut(start[3:], []byte("\n"))
		if name := string(bytes.TrimSpace(name)); slices.Contains(otherRankLib, name) {
			return "", fmt.Errorf("RankLib models of type %s are not supported: use LambdaMART or MART", name)
		}
	case has("booster["), has("0:["), has("0:leaf="):
		return "", errors.New("XGBoost's text dump (dump_model) is not supported: " +
			"save the model with save_model as .json or .ubj")
	}
	return "", nil
}

// isONNX reports whether data starts like an ONNX model. Writers begin with the field ir_version
// (field 1, a number below 128), followed by one of the fields 2 to 8.
func isONNX(data []byte) bool {
	return len(data) > 2 && data[0] == 1<<3 && data[1] > 0 && data[1] < 128 && data[2] >= 2<<3 && data[2] < 9<<3
}

// xgboostBinary reports whether a file has the binary format that XGBoost wrote up to version 3.0.
// It contains an optional word, 136 bytes of parameters, the length of the objective's name, and
// the name.
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

// kindOfJSON determines the kind from a member of the object, which need not be read to its end.
func kindOfJSON(text []byte, budget *files.Budget) (Kind, error) {
	key, value, err := first(text, budget, "format", "learner", "tree_info", "splits", "class",
		"features_info", "oblivious_trees", "models", "managedList")
	if err != nil {
		return "", err
	}
	switch {
	case key == "format" && (value == string(LinearJSON) || value == string(TreesJSON)):
		return Kind(value), nil
	case key == "format":
		return "", fmt.Errorf("unknown format %q; it must be %q or %q", value, TreesJSON, LinearJSON)
	case key == "learner":
		return XGBoost, nil
	case key == "tree_info":
		return LightGBMDump, nil
	case key == "features_info", key == "oblivious_trees":
		return CatBoost, nil
	case key == "splits":
		return XGBoostDump, nil
	case key == "class" && value == string(SolrTrees), key == "models", key == "managedList":
		return SolrTrees, nil
	case key == "class":
		return "", fmt.Errorf("a Solr model of class %q is not supported: the class must be %s", value, SolrTrees)
	}
	return "", UnknownError{errors.New("unrecognized model JSON: expected a simdrank, XGBoost, CatBoost, " +
		"LightGBM-dump, XGBoost-dump or Solr model")}
}

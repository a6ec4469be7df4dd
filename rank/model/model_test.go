package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// stump is a model of one tree that every format of trees can express.
func stump() *lambdamart.Model {
	return &lambdamart.Model{NumFeatures: 2, Trees: []lambdamart.Tree{{
		Feature: []int32{1}, Threshold: []float32{2}, Left: []int32{-1}, Right: []int32{-2}, Leaf: []float64{-1, 1},
	}}}
}

// TestWriteRead writes both kinds of models in every format: what is written is read back and
// scores the same, and the formats of the other kind are refused.
func TestWriteRead(t *testing.T) {
	linear := &rank.Linear{Weights: []float64{1, 2}, Intercept: .5, Settings: map[string]string{"c": "1"}}
	for _, c := range []struct {
		m       rank.Model
		formats []string
		refused string
	}{
		{linear, []string{"json", "svmlight", "liblinear", "onnx"},
			"model: a linear model cannot be written as %v: the format must be json, svmlight, liblinear or onnx"},
		{stump(), []string{"json", "lightgbm", "xgboost", "lightgbm-v3", "lightgbm-dump",
			"xgboost-ubj", "xgboost-dump", "onnx", "ranklib", "solr"},
			"model: a tree model cannot be written as %v, which is a format for linear models"},
	} {
		t.Run(fmt.Sprintf("%T", c.m), func(t *testing.T) {
			var written []string
			for _, f := range OptionWords("format") {
				t.Run(f, func(t *testing.T) {
					var b bytes.Buffer
					if err := Write(&b, c.m, f); err != nil {
						if want := fmt.Sprintf(c.refused, f); err.Error() != want || b.Len() > 0 {
							t.Errorf("error %v, want %s; written %q", err, want, b.String())
						}
						return
					}
					written = append(written, f)
					got, err := Read(&b)
					if err != nil {
						t.Fatalf("%T as %v: %v", c.m, f, err)
					}
					for _, x := range [][]float32{{3, 4}, {1, 0}} {
						if reflect.TypeOf(got) != reflect.TypeOf(c.m) || got.Score(x) != c.m.Score(x) ||
							got.Features() != 2 {
							t.Errorf("%T as %v: %+v, want %+v", c.m, f, got, c.m)
						}
					}
				})
			}
			if !reflect.DeepEqual(written, c.formats) {
				t.Errorf("%T: written as %v, want %v", c.m, written, c.formats)
			}
			for _, name := range []string{"m.json", "m.json.gz"} {
				t.Run(name, func(t *testing.T) {
					path := filepath.Join(t.TempDir(), name)
					if err := Save(path, c.m); err != nil {
						t.Fatal(err)
					}
					if got, err := Load(path); err != nil || !reflect.DeepEqual(got, c.m) {
						t.Errorf("%+v, %v", got, err)
					}
				})
			}
		})
	}
	if got, err := Load("testdata/xgboost/ndcg.json"); err != nil || got.Features() == 0 {
		t.Errorf("XGBoost's JSON: %v", err)
	}
	if m, err := Load("testdata/xgboost/categories.ubj"); err != nil || m.Features() == 0 {
		t.Errorf("XGBoost's UBJSON: %v", err)
	}
}

// TestWriteEmpty: what may be absent of a tree may be empty.
func TestWriteEmpty(t *testing.T) {
	m := stump()
	tree := &m.Trees[0]
	tree.Categories, tree.MissingLeft, tree.ZeroMissing = [][]uint32{}, []bool{}, []bool{}
	tree.Gain, tree.Weight, tree.Count = []float64{}, []float64{}, []int64{}
	tree.LeafWeight, tree.LeafCount = []float64{}, []int64{}
	for format := range treeWriters {
		t.Run(format, func(t *testing.T) {
			if err := Write(io.Discard, m, format); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSigmoid: a model of log loss has its sigmoid in every format that has words for it; what
// others hold are scores.
func TestSigmoid(t *testing.T) {
	for _, sigmoid := range []float64{1, .5} {
		t.Run(fmt.Sprint(sigmoid), func(t *testing.T) {
			for format := range treeWriters {
				t.Run(format, func(t *testing.T) {
					m := stump()
					m.Sigmoid = sigmoid
					var b bytes.Buffer
					if err := Write(&b, m, format); strings.HasPrefix(format, "xgboost") &&
						format != "xgboost-dump" && sigmoid != 1 {
						if err == nil || !strings.Contains(err.Error(), "sigmoid is 0.5") || b.Len() > 0 {
							t.Errorf("error %v", err)
						}
						return
					} else if err != nil {
						t.Fatal(err)
					}
					want := sigmoid
					if format == "xgboost-dump" || format == "onnx" || format == "ranklib" || format == "solr" {
						want = 0
					}
					if m, err := read(&b); err != nil || m.Sigmoid != want {
						t.Errorf("%+v, %v, want the sigmoid %v", m, err, want)
					}
				})
			}
		})
	}
}

// TestReadErrors: with an error comes no model, and no nil pointer that looks like one.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":     "model: the file is empty",
		"tree": `model: not a model file: it starts with "tree"`,
		`{"format":"simdrank-linear","version":2}`:     "model: version 2 of simdrank-linear",
		`{"format":"simdrank-lambdamart","version":2}`: "model: version 2 of simdrank-lambdamart",
		`{"format":"simdrank-linear","version":1,"weights":[1],"settings":{"c":1}}`: "model: settings.c: found the number 1, " +
			"expected a string",
		"SVM-light\n1\n":                "model: line 2: the kernel type",
		"tree\nmax_feature_idx=x\n":     "model: line 2: ",
		`{"learner":{},"version":true}`: "model: ",
	} {
		t.Run(text, func(t *testing.T) {
			m, err := Read(strings.NewReader(text))
			if m != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, error %v, want %s", m, err, want)
			}
		})
	}
	m, err := Load(filepath.Join(t.TempDir(), "none"))
	if m != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, %v", m, err)
	}
	_, err = Trees(&rank.Linear{}, nil)
	if err == nil || err.Error() != "model: the model is linear; it must be a tree model" {
		t.Errorf("trees of a linear model: %v", err)
	}
	scorer, err := stump().Scorer()
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(io.Discard, scorer, "json"); err == nil ||
		err.Error() != "model: a model of type *lambdamart.Scorer cannot be written" {
		t.Errorf("a scorer: %v", err)
	}
}

func TestFormats(t *testing.T) {
	const want = `model: format "ubj": must be one of json, svmlight, liblinear, lightgbm, xgboost, ` +
		"lightgbm-v3, lightgbm-dump, xgboost-ubj, xgboost-dump, onnx, ranklib, solr"
	for _, m := range []rank.Model{stump(), &rank.Linear{}} {
		t.Run(fmt.Sprintf("%T", m), func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, m, "ubj"); err == nil || err.Error() != want || b.Len() > 0 {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
	var asDefault, asJSON bytes.Buffer
	err := errors.Join(Write(&asDefault, stump(), ""), Write(&asJSON, stump(), "json"))
	if err != nil || !bytes.Equal(asDefault.Bytes(), asJSON.Bytes()) {
		t.Errorf("no format: %v, %q", err, asDefault.String())
	}
}

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
		formats []Format
		refused string
	}{
		{linear, []Format{FormatJSON, FormatSVMLight, FormatLiblinear},
			"model: a linear model cannot be written as %v: want json, svmlight or liblinear"},
		{stump(), []Format{FormatJSON, FormatLightGBM, FormatXGBoost, FormatLightGBMV3, FormatLightGBMDump,
			FormatXGBoostUBJSON, FormatXGBoostDump, FormatRankLib, FormatSolr},
			"model: boosted trees cannot be written as %v, a format of linear models"},
	} {
		var written []Format
		for f := FormatJSON; f <= FormatSolr+1; f++ {
			var b bytes.Buffer
			if err := Write(&b, c.m, f); err != nil {
				if want := fmt.Sprintf(c.refused, f); err.Error() != want || b.Len() > 0 {
					t.Errorf("error %v, want %s; written %q", err, want, b.String())
				}
				continue
			}
			written = append(written, f)
			got, err := Read(&b)
			if err != nil {
				t.Fatalf("%T as %v: %v", c.m, f, err)
			}
			for _, x := range [][]float32{{3, 4}, {1, 0}} {
				if reflect.TypeOf(got) != reflect.TypeOf(c.m) || got.Score(x) != c.m.Score(x) || got.Features() != 2 {
					t.Errorf("%T as %v: %+v, want %+v", c.m, f, got, c.m)
				}
			}
		}
		if !reflect.DeepEqual(written, c.formats) {
			t.Errorf("%T: written as %v, want %v", c.m, written, c.formats)
		}
		for _, name := range []string{"m.json", "m.json.gz"} {
			path := filepath.Join(t.TempDir(), name)
			if err := Save(path, c.m); err != nil {
				t.Fatal(err)
			}
			if got, err := Load(path); err != nil || !reflect.DeepEqual(got, c.m) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
	}
	if got, err := Load("../lambdamart/testdata/xgboost/ndcg.json"); err != nil || got.Features() == 0 {
		t.Errorf("XGBoost's JSON: %v", err)
	}
	if m, err := Load("../lambdamart/testdata/xgboost/categories.ubj"); err != nil || m.Features() == 0 {
		t.Errorf("XGBoost's UBJSON: %v", err)
	}
}

// TestReadErrors: with an error comes no model, and no nil pointer that looks like one.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":     "model: the file is empty",
		"tree": `model: "tree" begins neither`,
		`{"format":"simdrank-linear","version":2}`:     "model: version 2 of simdrank-linear",
		`{"format":"simdrank-lambdamart","version":2}`: "model: version 2 of simdrank-lambdamart",
		`{"format":"simdrank-linear","version":1,"weights":[1],"settings":{"c":1}}`: "model: settings.c: the number 1, " +
			"want a string",
		"SVM-light\n1\n":                "model: line 2: kernel type",
		"tree\nmax_feature_idx=x\n":     "model: line 2: ",
		`{"learner":{},"version":true}`: "model: ",
	} {
		m, err := Read(strings.NewReader(text))
		if m != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want %s", text, m, err, want)
		}
	}
	m, err := Load(filepath.Join(t.TempDir(), "none"))
	if m != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, %v", m, err)
	}
	scorer, err := stump().Scorer()
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(io.Discard, scorer, FormatJSON); err == nil ||
		err.Error() != "model: a *lambdamart.Scorer cannot be written" {
		t.Errorf("a scorer: %v", err)
	}
}

func TestFormats(t *testing.T) {
	for f := FormatJSON; f <= FormatSolr; f++ {
		if got, err := ParseFormat(f.String()); err != nil || got != f {
			t.Errorf("%v: %v, %v", f, got, err)
		}
	}
	const want = `model: format "ubj": want one of json, svmlight, liblinear, lightgbm, xgboost, ` +
		"lightgbm-v3, lightgbm-dump, xgboost-ubj, xgboost-dump, ranklib, solr"
	if _, err := ParseFormat("ubj"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

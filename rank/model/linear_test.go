package model

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// awkward holds weights that a form with too few digits would not read back.
var awkward = []float64{0.1, -1.0 / 3, 0, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-7, 123456789.123456789, -2,
	math.Nextafter(1, 2)}

func TestLinearRoundTrip(t *testing.T) {
	for i, m := range []*rank.Linear{
		{Weights: awkward, Intercept: -1.0 / 7},
		{Weights: awkward},
		{Weights: []float64{}},
		{},
		{Weights: []float64{0, 0, 0}},
		{Weights: []float64{1, 2}, FeatureNames: []string{"bm25", "page \"rank\""}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, format := range []string{"json", "svmlight", "liblinear"} {
				t.Run(format, func(t *testing.T) {
					var b bytes.Buffer
					if err := Write(&b, m, format); err != nil {
						t.Fatal(err)
					}
					text := b.String()
					got, err := Read(&b)
					if err != nil {
						t.Fatalf("%v in\n%s", err, text)
					}
					sameModel(t, got, m)
					if names := got.(*rank.Linear).FeatureNames; format == "json" &&
						!slices.Equal(names, m.FeatureNames) {
						t.Errorf("names %q, want %q", names, m.FeatureNames)
					}
				})
			}
			path := filepath.Join(t.TempDir(), "model.json")
			for range 2 { // the second replaces the first
				if err := Save(path, m); err != nil {
					t.Fatal(err)
				}
			}
			got, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			sameModel(t, got, m)
			if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
				t.Errorf("saving left %v", files)
			}
		})
	}
}

func sameModel(t *testing.T, m rank.Model, want *rank.Linear) {
	t.Helper()
	got, ok := m.(*rank.Linear)
	if !ok {
		t.Fatalf("got a %T", m)
	}
	if len(got.Weights) != len(want.Weights) || math.Float64bits(got.Intercept) != math.Float64bits(want.Intercept) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for j, w := range want.Weights {
		if math.Float64bits(got.Weights[j]) != math.Float64bits(w) {
			t.Errorf("weight %d is %v, want %v", j, got.Weights[j], w)
		}
	}
}

// Texts as other programs write them.
func TestReadLinear(t *testing.T) {
	const svmRank = `SVM-light Version V6.20
0 # kernel type
3 # kernel parameter -d 
1 # kernel parameter -g 
1 # kernel parameter -s 
1 # kernel parameter -r 
empty# kernel parameter -u 
4 # highest feature index 
12 # number of training documents 
2 # number of support vectors plus 1 
0 # threshold b, each following line is a SV (starting with alpha*y)
1 1:0.5 3:-1.25 4:2 #
`
	for _, c := range []struct {
		name, text string
		weights    []float64
		intercept  float64
	}{
		{"svm_rank_learn", svmRank, []float64{0.5, 0, -1.25, 2}, 0},
		{"two support vectors", strings.Replace(strings.Replace(svmRank, "\n2 # number", "\n3 # number", 1),
			"0 # threshold", "1.5 # threshold", 1) + "-2 qid:3 1:1 2:3\n", []float64{-1.5, -6, -1.25, 2}, -1.5},
		{"CRLF", strings.ReplaceAll(svmRank, "\n", "\r\n"), []float64{0.5, 0, -1.25, 2}, 0},
		{"liblinear-ranksvm",
			"solver_type L2R_L2LOSS_RANKSVM\nnr_class 2\nnr_feature 3\nbias -1\nw\n0.25 \n-1 \n3e-2 \n",
			[]float64{0.25, -1, 0.03}, 0},
		{"liblinear labels",
			"solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel -1 1\nnr_feature 2\nbias 2\nw\n1 \n-2 \n3 \n",
			[]float64{-1, 2}, -6},
		{"liblinear spaces", "solver_type L2R_L2LOSS_SVC\nnr_class  2\nlabel 1 1\nnr_feature   1 \nbias  -1 \nw\n1\n",
			[]float64{1}, 0},
		{"JSON", ` {"format":"simdrank-linear","version":1,"intercept":1,"weights":[1,2.5e-3]} `, []float64{1, 0.0025},
			1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Read(strings.NewReader(c.text))
			if err != nil {
				t.Error(err)
				return
			}
			sameModel(t, m, &rank.Linear{Weights: c.weights, Intercept: c.intercept})
			z := bytes.NewBufferString(testkit.Gzip(c.text))
			if m, err = Read(z); err != nil {
				t.Errorf("gzipped: %v", err)
				return
			}
			sameModel(t, m, &rank.Linear{Weights: c.weights, Intercept: c.intercept})
		})
	}
	for _, c := range []struct{ text, want string }{
		{"", "empty"},
		{"hello", "not a model file"},
		{"\x1f\x8bnot gzip", "gzip"},
		{`{"format":"simdrank-linear","version":1,"weights":[1`, "byte 53: the file ends too early: expected ']'"},
		{`{"format":"simdrank-linear","version":2,"weights":[1]}`, "version 2"},
		{`{"format":"other","version":1,"weights":[1]}`, `format "other"`},
		{`{"format":"simdrank-linear","version":1}`, `the field "weights" is missing`},
		{`{"format":"simdrank-linear","version":1,"weights":[1],"extra":2}`, `unknown field "extra"`},
		{`{"format":"simdrank-linear","weights":[1]}`, `the field "version" is missing`},
		{`{"format":"simdrank-linear","version":1,"weights":[1],"weights":[2]}`, `"weights" appears twice`},
		{`{"format":"simdrank-linear","version":1,"intercept":1e999,"weights":[1]}`, "the intercept is +Inf; it must be finite"},
		{`{"format":"simdrank-linear","version":1,"weights":[1]}{}`, `"{}" after the end of the document`},
		{`{"format":"simdrank-linear","version":1,"weights":["a"]}`,
			`weights[0]: found the string "a", expected a number`},
		{`{"format":"simdrank-linear","version":1,"weights":[1,null]}`, "weights[1]: found null, expected a number"},
		{`{"format":"simdrank-linear","version":1,"weights":[1,1e999]}`,
			`element 1 of weights: "1e999" is not a finite number`},
		{`{"format":"simdrank-linear","version":1,"weights":[1,NaN]}`,
			`element 1 of weights: "NaN" is not a finite number`},
		{`{"format":"simdrank-linear","version":1,"weights":[1],"feature_names":["a","b"]}`,
			"the number of feature_names is 2; it must be 1, one per feature"},
		{`{"format":"simdrank-linear","version":1,"intercept":null,"weights":[1]}`, "intercept: found null, expected a number"},
		{strings.Replace(svmRank, "0 # kernel", "2 # kernel", 1), "line 2: the kernel type"},
		{strings.Replace(svmRank, "4 # highest", "999999999999 # highest", 1), "line 8: the highest feature index"},
		{strings.Replace(svmRank, "3:-1.25", "5:1", 1), "line 12: the feature index is 5; it must be from 1 to 4"},
		{strings.Replace(svmRank, "3:-1.25", "3:1_0", 1), `line 12: "1_0" is not a finite number`},
		{strings.Replace(svmRank, "3:-1.25", "3:nan", 1), `line 12: "nan" is not a finite number`},
		{strings.Replace(svmRank, "3:-1.25", "3", 1), `line 12: "3" must have the form INDEX:VALUE`},
		{strings.Replace(svmRank, "\n2 # number", "\n0 # number", 1),
			`line 10: the number of support vectors plus 1 is "0"; it must be a positive whole number`},
		{strings.Replace(svmRank, "0 # threshold", "x # threshold", 1), `line 11: "x" is not a finite number`},
		{strings.Replace(svmRank, "1 1:0.5", "1e200 1:1e200", 1), "the weight of feature 1 is +Inf; it must be finite"},
		{svmRank[:40], "the file ends at line 2, within the model: it may be truncated"},
		{svmRank[:len(svmRank)-40], "ends at line"},
		{"solver_type X\nnr_class 3\n", "line 2: nr_class"},
		{"solver_type X\nnr_class 2\nw\n", "line 3: nr_feature is missing"},
		{"solver_type X\nspeed 2\n", `line 2: "speed" is not a field of a liblinear model`},
		{"solver_type X\nnr_feature 16777217\n", "line 2: nr_feature is \"16777217\"; it must be"},
		{"solver_type X\nnr_feature 0\nbias 1e300\nw\n-1e300\n", "the intercept is -Inf; it must be finite"},
		{"solver_type X\nnr_class 2\nnr_feature 2\nw\n1\n", "ends at line 5"},
		{"solver_type X\nnr_class 2\nnr_feature 2\nw\n1\nx\n", `line 6: "x" is not`},
	} {
		t.Run(c.text, func(t *testing.T) {
			if m, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want error %q", m, err, c.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.json")); err == nil ||
		!strings.Contains(err.Error(), "none.json") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestLinearSaveRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json")
	for _, c := range []struct {
		m    rank.Linear
		want string
	}{
		{rank.Linear{Weights: []float64{1, math.NaN()}}, "the weight of feature 2 is NaN; it must be finite"},
		{rank.Linear{Intercept: math.Inf(1)}, "intercept is +Inf"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if err := Save(path, &c.m); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want error %q", err, c.want)
			}
		})
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 0 {
		t.Errorf("a failed save left %v", files)
	}
}

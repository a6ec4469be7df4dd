package model

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// calibrated contains the text of a model of each type, with the calibration CAL.
var calibrated = map[string]string{
	"linear": `{"format":"simdrank-linear","version":1,"weights":[1],"calibration":CAL}`,
	"trees": `{"format":"simdrank-lambdamart","version":1,"features":1,"bias":0,"calibration":CAL,` +
		`"trees":[{"feature":[0],"threshold":[1],"left":[-1],"right":[-2],"leaf":[0,1]}]}`,
}

func TestCalibration(t *testing.T) {
	for kind, text := range calibrated {
		for cal, want := range map[string]rank.Calibration{
			`{"relevant":2,"scores":[-1,0.1,1e+300],"probabilities":[0,0.25,1]}`: {Relevant: 2, Scores: []float64{-1, .1, 1e300},
				Probabilities: []float64{0, .25, 1}},
			`{"relevant":2,"slope":2.5,"intercept":-0.1}`: {Relevant: 2, Slope: 2.5, Intercept: -.1},
		} {
			t.Run(kind+" "+cal, func(t *testing.T) {
				m, err := Read(strings.NewReader(strings.Replace(text, "CAL", cal, 1)))
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if got := Calibration(m); got == nil || !reflect.DeepEqual(*got, want) {
						t.Fatalf("%+v, want %+v", got, want)
					}
					var b bytes.Buffer
					if err := Write(&b, m, "json"); err != nil {
						t.Fatal(err)
					}
					if !strings.Contains(b.String(), `"calibration":`+cal) {
						t.Errorf("wrote %s", b.String())
					}
					if m, err = Read(&b); err != nil {
						t.Fatal(err)
					}
				}
				var b bytes.Buffer
				if err := Write(&b, m, "onnx"); err != nil {
					t.Fatal(err)
				}
				if other, err := Read(&b); err != nil || Calibration(other) != nil {
					t.Errorf("onnx: %v", err)
				}
			})
		}
	}
	if Calibration(nil) != nil {
		t.Error("a calibration of no model")
	}
}

// TestCalibrationHostile reads invalid calibrations.
func TestCalibrationHostile(t *testing.T) {
	for kind, text := range calibrated {
		for cal, want := range map[string]string{
			`{"slope":1,"intercept":1}`:                  `the field "relevant" is missing`,
			`{"relevant":1e999,"slope":1,"intercept":1}`: "must be finite",
			`1`:                           "calibration: found the number 1, expected an object",
			`[]`:                          "calibration: found an array, expected an object",
			`{"relevant":1}`:              `calibration: the field "slope" is missing`,
			`{"relevant":1,"slope":1}`:    `calibration: the field "intercept" is missing`,
			`{"relevant":1,"scores":[1]}`: `calibration: the field "probabilities" is missing`,
			`{"relevant":1,"slope":-1,"intercept":0}`:                        "the slope must not be negative",
			`{"relevant":1,"slope":1e999,"intercept":0}`:                     "must be finite",
			`{"relevant":1,"slope":NaN,"intercept":0}`:                       "",
			`{"relevant":1,"slope":1,"intercept":0,"extra":1}`:               `unknown field "extra"`,
			`{"relevant":1,"scores":[],"probabilities":[]}`:                  "must contain at least one score",
			`{"relevant":1,"scores":[1,2],"probabilities":[0.5,0.4]}`:        "calibration probability 1 is 0.4",
			`{"relevant":1,"scores":[2,1],"probabilities":[0.5,0.6]}`:        "calibration score 1 is 1",
			`{"relevant":1,"scores":[1,2],"probabilities":[0.5]}`:            "2 scores and 1 probabilities",
			`{"relevant":1,"scores":[1,2],"probabilities":[0,1.5]}`:          "calibration probability 1 is 1.5",
			`{"relevant":1,"scores":[1,NaN],"probabilities":[0,1]}`:          "",
			`{"relevant":1,"scores":[1],"probabilities":[0],"slope":1}`:      `unknown field "slope"`,
			`{"relevant":1,"scores":[0` + strings.Repeat(",1", 1<<18) + `]}`: "limit",
		} {
			t.Run(kind+" "+cal[:min(len(cal), 40)], func(t *testing.T) {
				_, err := Read(strings.NewReader(strings.Replace(text, "CAL", cal, 1)),
					rank.ReadOptions{MemoryLimit: 1 << 20})
				if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
					t.Errorf("%v, want %q", err, want)
				}
			})
		}
	}
	for name, m := range map[string]rank.Model{
		"linear": &rank.Linear{Weights: []float64{1}, Calibration: &rank.Calibration{Slope: -1}},
		"trees":  &lambdamart.Model{Calibration: &rank.Calibration{Slope: -1}},
	} {
		t.Run("write "+name, func(t *testing.T) {
			if err := Write(new(bytes.Buffer), m, "json"); err == nil || !strings.Contains(err.Error(), "slope") {
				t.Error(err)
			}
		})
	}
}

// TestCalibrationOfFewerTrees: a calibration is for the scores of all trees.
func TestCalibrationOfFewerTrees(t *testing.T) {
	m := &lambdamart.Model{NumFeatures: 1, Calibration: &rank.Calibration{Slope: 1},
		Trees: []lambdamart.Tree{{Leaf: []float64{1}}, {Leaf: []float64{2}}}}
	if m.Truncate(2); m.Calibration == nil {
		t.Error("all trees: no calibration")
	}
	if m.Truncate(1); m.Calibration != nil {
		t.Error("one tree: a calibration")
	}
}

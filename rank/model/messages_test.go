package model

import (
	"bytes"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestAlignMessages compares whole errors. Each has different values, so that exchanged values are
// noticed.
func TestAlignMessages(t *testing.T) {
	names := func(list ...string) *rank.Dataset {
		d := rank.NewDataset(1, len(list))
		d.Names = list
		return d
	}
	a := Alignment{DataName: "data", ModelName: "model"}
	for _, c := range []struct {
		want string
		d    *rank.Dataset
		m    rank.Model
	}{
		{"data: feature names are required, because model contains feature names but not their order (use " +
			"--feature-names, or convert --feature-names for the model)", rank.NewDataset(1, 2),
			&lambdamart.Model{NumFeatures: 2, UnknownOrder: true}},
		{"data: found only 2 of the 3 features of model", names("x", "y"), &rank.Linear{Weights: make([]float64, 3)}},
		{"data: found features up to 2, but model has features up to 1 (change the option IgnoreExtraFeatures)",
			rank.NewDataset(1, 2), &rank.Linear{Weights: make([]float64, 1)}},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := a.ToModel(c.d, c.m); err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	const want = "data: found features up to 4, but model has features up to 3"
	if _, err := a.ToColumns(rank.NewDataset(1, 4), nil, 3, nil); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestZeroThreshold: a split at 0 sends the value 0 left, so treating 0 as missing changes no score
// if missing values go left, too.
func TestZeroThreshold(t *testing.T) {
	for name, left := range map[string]bool{"left": true, "right": false} {
		t.Run(name, func(t *testing.T) {
			m := stump()
			tree := &m.Trees[0]
			tree.Threshold[0], tree.MissingLeft, tree.ZeroMissing = 0, []bool{left}, []bool{true}
			if err := Write(new(bytes.Buffer), m, "onnx"); (err == nil) != left {
				t.Errorf("missing values go left: %v; error %v", left, err)
			}
		})
	}
}

// TestSVMLightEnd: SVMlight's reader requires the comment sign after the support vector.
func TestSVMLightEnd(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, &rank.Linear{Weights: []float64{1, 2}}, "svmlight"); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "1 1:1 2:2 #\n") {
		t.Errorf("%q", b.String())
	}
}

package model

import (
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
	if _, err := a.ToColumns(rank.NewDataset(1, 4), nil, 3); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

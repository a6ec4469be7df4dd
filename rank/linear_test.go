package rank

import (
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

func sameModel(t *testing.T, got, want *Linear) {
	t.Helper()
	if len(got.Weights) != len(want.Weights) || math.Float64bits(got.Intercept) != math.Float64bits(want.Intercept) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for j, w := range want.Weights {
		if math.Float64bits(got.Weights[j]) != math.Float64bits(w) {
			t.Errorf("weight %d is %v, want %v", j, got.Weights[j], w)
		}
	}
}

func TestLinearScore(t *testing.T) {
	d := randomSet(1, 3, 5, 7, 3)
	m := &Linear{Weights: []float64{1, -2, 0.5, 0, 3, 1e-3, 7}, Intercept: 0.25}
	scores := make([]float64, d.Rows())
	if err := m.ScoreInto(t.Context(), scores, d); err != nil {
		t.Fatal(err)
	}
	for i, s := range scores {
		want := m.Intercept
		for j, w := range m.Weights {
			want += w * float64(d.Row(i)[j])
		}
		if !testkit.Near(s, want, 1e-14) || m.Score(d.Row(i)) != s {
			t.Errorf("row %d: %v and %v, want %v", i, s, m.Score(d.Row(i)), want)
		}
	}
	// x has fewer or more features than there are weights.
	if got := m.Score([]float32{2}); got != 2.25 {
		t.Errorf("one feature: %v, want 2.25", got)
	}
	narrow := &Linear{Weights: m.Weights[:1]}
	if err := narrow.ScoreInto(t.Context(), scores, d.WithColumns(1)); err != nil ||
		scores[0] != float64(d.Row(0)[0]) {
		t.Errorf("one weight: %v, %v", scores[0], err)
	}
	if err := m.ScoreInto(t.Context(), scores[1:], d); err == nil ||
		!strings.Contains(err.Error(), "the length of dst is 14; it must be 15, one per document") {
		t.Errorf("short dst: %v", err)
	}
}

// Linear models contain the options of their training.
func TestSettings(t *testing.T) {
	d := randomSet(1, 10, 10, 3, 3)
	d.Names = []string{"a", "b", "c"}
	ridge, err := new(Ridge).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	svm, err := (&RankSVM{PerQuery: true, Loss: "logistic", NonNegative: []int{1}, Threads: 2}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *Linear
		want map[string]string
	}{
		{ridge, map[string]string{"model": "ridge", "alpha": "1", "no_intercept": "false"}},
		{svm, map[string]string{"model": "ranksvm", "c": "1", "loss": "logistic", "per_query": "true", "tol": "1e-06",
			"max_passes": "10000", "standardize": "false", "non_negative": "b"}},
	} {
		if !maps.Equal(c.m.Settings, c.want) {
			t.Errorf("%q, want %q", c.m.Settings, c.want)
		}
	}
}

package main

import (
	"math"
	"strings"
	"testing"
)

// The model finds items that the embeddings miss, and the numbers are identical on every machine.
func TestRun(t *testing.T) {
	m := market{items: 1500, dims: 16, train: 20, test: 10, candidates: 200, trees: 20}
	r, err := m.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for what, share := range map[string][2]float64{
		"nearest": {r.nearest, 0.45}, "candidates": {r.candidates, 1}, "ranked": {r.ranked, 0.81},
	} {
		if math.Abs(share[0]-share[1]) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, share[0], share[1])
		}
	}
	if r.retrieve <= 0 || r.rank <= 0 {
		t.Errorf("times %+v", r)
	}
	var text strings.Builder
	if r.print(&text, &m); !strings.Contains(text.String(), "Ranker.AppendTopK") {
		t.Error(text.String())
	}
}

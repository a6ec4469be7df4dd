package main

import (
	"math"
	"strings"
	"testing"
)

// The second stage ranks the relevant passages higher, and the numbers are identical on every
// machine.
func TestRun(t *testing.T) {
	var run, text strings.Builder
	r, err := search{passages: 300, queries: 20, dims: 16, candidates: 50}.run(t.Context(), &run)
	if err != nil {
		t.Fatal(err)
	}
	// The values are the means of mrr, ndcg@10 and recall@100 in both stages.
	for i, want := range [][2]float64{{0.25239716926186795, 0.9}, {0.293639381678734, 0.9}, {0.9, 0.9}} {
		first, second := r.first.Metrics[i].Mean, r.second.Metrics[i].Mean
		if math.Abs(first-want[0]) > 1e-9 || math.Abs(second-want[1]) > 1e-9 {
			t.Errorf("%v: %v and %v, want %v", r.first.Metrics[i].Metric, first, second, want)
		}
	}
	lines := strings.Split(run.String(), "\n")
	if len(lines) != 20*50+1 || !strings.HasPrefix(lines[0], "q0 Q0 p") || !strings.HasSuffix(lines[0], " reranked") {
		t.Errorf("%d lines, the first one is %q", len(lines), lines[0])
	}
	if r.print(&text); !strings.Contains(text.String(), "ndcg@10") {
		t.Error(text.String())
	}
}

package main

import (
	"math"
	"testing"
	"time"

	"github.com/simdrank/simdrank/rank"
)

func TestPhaseState(t *testing.T) {
	start := time.Now()
	for _, c := range []struct {
		unit, detail string
		done, total  int64
		want         string
	}{
		{"bytes", "", 2_350_000, 0, "2.4 MB, 10s"},
		{"bytes", "", 1_000_000, 5_000_000, "1.0 of 5.0 MB, 10s, 40s left"},
		{"trees", "valid ndcg@10 0.5000", 20, 100, "20 of 100 trees, valid ndcg@10 0.5000, 10s, 40s left"},
		{"", "", 500, 1000, "50 %, 10s, 10s left"},
		{"", "", 0, 0, "10s"},
		{"queries", "", 7, 7, "7 of 7 queries, 10s"},
	} {
		p := &phase{unit: c.unit, start: start}
		p.at(c.done, c.total)
		p.say(c.detail)
		if got := p.state(start.Add(10 * time.Second)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestSVMWay(t *testing.T) {
	w := svmWay{tol: 1e-6, trainings: 2}
	for i, c := range []struct {
		p    rank.FitReport
		want int64
	}{
		{rank.FitReport{Iterations: 1, Sampled: true, Gap: 1e-4}, 0},
		{rank.FitReport{Iterations: 2, Gap: math.Inf(1)}, 0},
		{rank.FitReport{Iterations: 3, Gap: 1e-2}, 0},
		{rank.FitReport{Iterations: 4, Gap: 1e-4}, 250},
		{rank.FitReport{Iterations: 5, Gap: 1e-3}, 250}, // does not go back
		{rank.FitReport{Iterations: 6, Gap: 1e-9}, 500},
		{rank.FitReport{Iterations: 0, Gap: 1}, 500}, // the second one begins
		{rank.FitReport{Iterations: 1, Gap: 1e-9}, 1000},
		{rank.FitReport{Iterations: 0, Gap: 1}, 500}, // one more than were expected
	} {
		if got := w.thousandths(c.p); got != c.want {
			t.Errorf("step %d: %d, want %d", i, got, c.want)
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/examples/internal/tutorial/tutorialtest"
)

// A small simulation: the bias costs much NDCG, and the additive correction recovers most of it.
func TestGenerated(t *testing.T) {
	s := usual
	s.Seeds, s.Clicks, s.Etas = 1, 3000, []float64{1}
	r, err := run(t.Context(), s, generate(2000))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r.print(&out)
	if _, err := r.tutorial().Files(); err != nil {
		t.Error(err)
	}
	of := r.Sets[0]
	if cost := of.Mean(fair, 0) - of.Mean(plain, 0); !(cost > .03) || !(of.Back(additive, 0) > 60) ||
		strings.Contains(out.String(), "NaN") {
		t.Errorf("the bias costs %v NDCG:\n%s", cost, &out)
	}
}

// Data without clicks is an error.
func TestNoClicks(t *testing.T) {
	p := generate(50)
	clear(p.train.Labels)
	_, err := run(t.Context(), usual, p)
	if err == nil || !strings.Contains(err.Error(), "Synthetic data: the simulated users click nothing") {
		t.Error(err)
	}
}

// The page is generated from results.json. The test recomputes its first numbers.
func TestMQ2008(t *testing.T) {
	text, err := os.ReadFile("results.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept results
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	tutorialtest.Compare(t, "clicks", kept.tutorial())
	p, err := load(tutorialtest.DataPath(t, "mq2008-fold1"))
	if err != nil {
		t.Fatal(err)
	}
	s := usual
	s.Seeds, s.Etas = 1, s.Etas[:1]
	r, err := run(t.Context(), s, p)
	if err != nil {
		t.Fatal(err)
	}
	for way, ndcg := range r.Sets[0].NDCG {
		if got, want := ndcg[0][0], kept.Sets[0].NDCG[way][0][0]; got != want {
			t.Errorf("%s: NDCG@10 is %v, but %v in results.json; main.go says how to update it", wayNames[way], got, want)
		}
	}
}

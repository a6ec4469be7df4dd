package main

import (
	"strings"
	"testing"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/examples/internal/tutorial/tutorialtest"
	"github.com/simdrank/simdrank/rank"
)

// output returns the results of the tutorial and the printed text.
func output(t *testing.T, d fold) (*results, string) {
	t.Helper()
	r, err := run(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r.print(&b)
	if strings.Contains(b.String(), "NaN") {
		t.Errorf("NaN is printed:\n%s", &b)
	}
	return r, b.String()
}

func TestGenerated(t *testing.T) {
	part := func(n uint64) *rank.Dataset {
		d := tutorial.Generator{Part: n, Rows: 600, Cols: 8, MinDocs: 5, MaxDocs: 20}.Dataset()
		lo, hi := d.Query(0)
		clear(d.Labels[lo:hi]) // a query without relevant documents
		return d
	}
	d := fold{part(0), part(1), part(2)}
	r, text := output(t, d)
	if _, err := r.tutorial().Files(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"train: 600 documents", "group size", "label", "best", "count as 1", "are skipped",
		"\n      1", "none"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not printed:\n%s", want, text)
		}
	}
	if lines := strings.Count(text[strings.Index(text, "\n  query"):], "\n"); lines < d.test.Queries() {
		t.Errorf("%d lines of queries for %d", lines, d.test.Queries())
	}
}

// TestMQ2008 requires about the validation NDCG that XGBoost reaches with these parameters. It is
// 0.8081 in the notebook (XGBoost 0.81), and 0.8086 with the histograms of XGBoost 1.7.
func TestMQ2008(t *testing.T) {
	d, err := load(tutorialtest.DataPath(t, "mq2008-fold1"))
	if err != nil {
		t.Fatal(err)
	}
	r, text := output(t, d)
	if best := r.BestNDCG(); best < 0.8076 {
		t.Errorf("validation NDCG is %v, want at least 0.8076", best)
	}
	if !strings.Contains(text, "7820  1223  587") {
		t.Errorf("label counts differ from the published ones:\n%s", text)
	}
	r.Name = "MQ2008"
	tutorialtest.Compare(t, "lambdamart", r.tutorial())
}

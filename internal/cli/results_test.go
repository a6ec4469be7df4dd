package cli

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// resultsOf returns results of two metrics: "x" is skipped for the second query.
func resultsOf(t *testing.T, ids ...string) *rank.Results {
	t.Helper()
	r := &rank.Results{QueryIDs: ids}
	for i, name := range []string{"ndcg@10", "mrr"} {
		m, err := rank.ParseMetric(name)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float64, len(ids))
		for q := range ids {
			values[q] = float64(q+i) / 3
			if q == 1 && i == 1 {
				values[q] = math.NaN()
			}
		}
		r.Metrics = append(r.Metrics, rank.MetricResult{Metric: m, Values: values})
	}
	return r
}

const storedResults = `{"format": "simdrank-results", "version": 1,
"metrics": ["ndcg@10","mrr"],
"conventions": {"gain":"exp","ties":"average"},
"queries": [
{"id": "<a>", "values": [0,0.3333333333333333]},
{"id": "b", "values": [0.3333333333333333,null]},
{"id": "c", "values": [0.6666666666666666,1]}
]}
`

func TestResultsFile(t *testing.T) {
	var out bytes.Buffer
	f := ResultsFile{Results: resultsOf(t, "<a>", "b", "c"),
		Conventions: map[string]string{"ties": "average", "gain": "exp"}}
	if err := f.Write(&out); err != nil || out.String() != storedResults {
		t.Errorf("wrote\n%s, %v, want\n%s", &out, err, storedResults)
	}
	if !BeginsResults(out.Bytes()[:40]) || BeginsResults([]byte(`{"format": "simdrank-linear"`)) {
		t.Error("the beginning is not recognized")
	}
	read, err := ReadResults(strings.NewReader(storedResults))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := read.Write(&again); err != nil || again.String() != storedResults {
		t.Errorf("read and wrote\n%s, %v", &again, err)
	}
	// Another order and fewer metrics.
	other := resultsOf(t, "c", "<a>", "b")
	got, err := read.Matching("f", []rank.Metric{read.Metrics[1].Metric}, other, "o")
	if err != nil || len(got.Metrics) != 1 || got.QueryIDs[0] != "c" {
		t.Fatalf("%+v, %v", got, err)
	}
	if v := got.Metrics[0].Values; v[0] != 1 || v[1] != 1./3 || !math.IsNaN(v[2]) {
		t.Errorf("values %v", v)
	}
}

func TestResultsFileErrors(t *testing.T) {
	read, err := ReadResults(strings.NewReader(storedResults))
	if err != nil {
		t.Fatal(err)
	}
	mrr := []rank.Metric{read.Metrics[1].Metric}
	map5, err := rank.ParseMetric("map@5")
	if err != nil {
		t.Fatal(err)
	}
	twice, infinite, foreign := resultsOf(t, "a", "a"), resultsOf(t, "a"), resultsOf(t, "\xff")
	infinite.Metrics[1].Values[0] = math.Inf(1)
	write := func(r *rank.Results) error { return (&ResultsFile{Results: r}).Write(&bytes.Buffer{}) }
	matching := func(metrics []rank.Metric, ids ...string) error {
		_, err := read.Matching("f", metrics, resultsOf(t, ids...), "o")
		return err
	}
	replaced := func(old, with string) error {
		_, err := ReadResults(strings.NewReader(strings.Replace(storedResults, old, with, 1)))
		return err
	}
	const limit = 1 << 12
	many := strings.Replace(storedResults, "[\n", "[\n"+strings.Repeat("[],", limit), 1)
	_, large := ReadResults(strings.NewReader(many), rank.ReadOptions{MemoryLimit: limit})
	for _, c := range []struct {
		err  error
		want string
	}{
		{write(twice), `the query "a" appears twice`},
		{write(infinite), `mrr of query "a" is +Inf; saved values must be finite`},
		{write(foreign), "UTF-8"},
		{matching(mrr, "<a>", "b"), `1 of 3 queries of f are not in o (for example "c")`},
		{matching(mrr, "<a>", "b", "c", "d"), `1 of 4 queries of o are not in f (for example "d")`},
		{matching(mrr, "<a>", "d"), `(for example "d"); 2 of 3 queries of f are not in o (for example "b")`},
		{matching([]rank.Metric{map5}, "<a>", "b", "c"), "f has no values of map@5; its metrics are ndcg@10,mrr"},
		{read.CheckConventions("f", map[string]string{"gain": "exp", "ties": "key"}, "g was evaluated"),
			"f was evaluated with --ties average, but g was evaluated with --ties key"},
		{read.CheckConventions("f", map[string]string{"gain": "exp"}, "this command evaluates"),
			"f was evaluated with --ties average, but this command evaluates without --ties"},
		{replaced("simdrank-results", "simdrank-linear"), "does not contain saved results"},
		{replaced(`"version": 1`, `"version": 2`), "version 2 of simdrank-results is not supported"},
		{replaced("mrr", "mmr"), `element 2: metric "mmr": the name is unknown`},
		{replaced("mrr", "nDCG@10"), "element 2: the metric ndcg@10 appears twice"},
		{replaced(`"ndcg@10","mrr"`, ""), "at least one metric"},
		{replaced(`"id": "b"`, `"id": "c"`), `the query "c" appears twice`},
		{replaced(`"id": "b"`, `"id": 5`), "found the number 5, expected a string"},
		{replaced("[0,", "["), "found 1 value, expected 2, one per metric"},
		{replaced("[0,", "[1e999,"), "the value is +Inf; it must be finite"},
		{replaced("[0,", "[NaN,"), "the value is NaN; it must be finite, or null"},
		{replaced("[0,", "[true,"), "expected a number"},
		{replaced("]}\n", ""), "the file ends too early"},
		{large, "memory"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
				t.Errorf("error %v, want %s", c.err, c.want)
			}
		})
	}
}

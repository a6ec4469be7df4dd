package compare

import (
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// TestMessages compares whole errors. Each has different values, so that exchanged values are
// noticed.
func TestMessages(t *testing.T) {
	metrics := []rank.Metric{testkit.Must(rank.ParseMetric("ndcg@3")), testkit.Must(rank.ParseMetric("map")),
		testkit.Must(rank.ParseMetric("mrr"))}
	results := func(ids []string, values []float64, metrics ...rank.Metric) *rank.Results {
		r := &rank.Results{QueryIDs: ids}
		for _, m := range metrics {
			r.Metrics = append(r.Metrics, rank.MetricResult{Metric: m, Values: values})
		}
		return r
	}
	nan, ids := math.NaN(), []string{"q", "r", "s"}
	for _, c := range []struct {
		want string
		b    *rank.Results
	}{
		{"a has 2 metrics but b has 1", results(ids, []float64{1, 2, 3}, metrics[0])},
		{"a has the metric map but b has mrr", results(ids, []float64{1, 2, 3}, metrics[0], metrics[2])},
		{"a has 3 queries but b has 2", results(ids[:2], []float64{1, 2}, metrics[:2]...)},
		{`query 2 of a is "r" but query 2 of b is "other"`,
			results([]string{"q", "other", "s"}, []float64{1, 2, 3}, metrics[:2]...)},
		{`ndcg@3 of b is +Inf on query "s"; values must be finite`,
			results(ids, []float64{1, 2, math.Inf(1)}, metrics[:2]...)},
		{"ndcg@3 is defined for every system on 1 queries; at least 2 are required",
			results(ids, []float64{nan, 2, nan}, metrics[:2]...)},
	} {
		t.Run(c.want, func(t *testing.T) {
			a := results(ids, []float64{3, 1, 2}, metrics[:2]...)
			_, err := Compare(t.Context(), []System{{"a", a}, {"b", c.b}}, Options{})
			if err == nil || err.Error() != "compare: "+c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	for _, c := range []struct {
		want   string
		values [][]float64
		o      Options
	}{
		{"system 3 has 4 values but the first system has 2", [][]float64{{1, 2}, {3, 4}, {5, 6, 7, 8}}, Options{}},
		{"value 1 of system 2 is -Inf; values must be finite", [][]float64{{1, 2}, {math.Inf(-1), 4}}, Options{}},
		{"the number of rounds is -5; it must be from 1 to 1073741824, or 0 for the default", [][]float64{{1, 2}, {3, 4}},
			Options{Rounds: -5}},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := Values(t.Context(), c.values, c.o); err == nil || err.Error() != "compare: "+c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

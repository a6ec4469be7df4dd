package rank

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
)

// goldenBits contains digests of results, by what computed them. Every architecture and tier must
// compute the same. If a line changes, results have changed, which belongs in the changelog.
var goldenBits = map[string]string{
	"dcg":                  "a1a6bea41c03642e",
	"ndcg":                 "ff7b552dc291dd2d",
	"ndcg@3":               "9d7acbb07e1712dd",
	"map":                  "0465282c620fcf59",
	"map@3":                "8e097281a6ddd988",
	"mrr":                  "ab89175a23a9daaa",
	"mrr@2":                "0a3830a42978019e",
	"precision@3":          "ccf4ac3fc023b3e8",
	"recall@3":             "7288470e686b3b91",
	"f1@3":                 "fcd5e8a0ae2f812a",
	"judged@3":             "afd892c7e9922e95",
	"success@2":            "ee627e632fb4c288",
	"r-precision":          "f030f25b0cccffef",
	"bpref":                "d1080c705e95fec8",
	"err":                  "165d3545ba49f390",
	"err@3":                "4869398f9cb66ea1",
	"rbp(0.9)":             "fc22e903fd45031b",
	"rbp(0.95)@3":          "fc690a0ebc7c3ee6",
	"auc":                  "7f4efffe1e0fe3e6",
	"pair-accuracy":        "1541fc41338ea966",
	"pair-accuracy-pooled": "cc88887f8697081d",
	"tau-b":                "be7b527a2e77a1c5",
	"weighted-tau":         "ea8460a9a6bfaf4f",
	"spearman":             "7613f810a64e640f",
	"ndcg@10":              "170763f98eab6f79",
	"map@10":               "84fc2dfc5a0c1936",
	"mrr@10":               "2c92bd2c17f7535d",
	"success@30":           "f5b13c8c27ca3a0d",
	"err@10":               "a96b91008a964ad2",
	"rbp(0.9)@10":          "ff020abeb9d165ae",

	"rbp-residual(0.9)":         "f569b70666d6c4d5",
	"rbp-residual(0.9)@3":       "e2efc08207e154a0",
	"inst":                      "ca1fa9943192024f",
	"inst(T=2,max_rel=3)":       "8a986ca7030a6460",
	"compat(0.95)":              "40668fecef86de2f",
	"alpha-dcg@5":               "377cf447f67df846",
	"alpha-ndcg@5":              "c17aebf92929a4aa",
	"alpha-ndcg(alpha=0.7)@3":   "b416212f532c1512",
	"err-ia@5":                  "33c175409ff7f3f1",
	"nerr-ia@5":                 "b01db53d8b4b230c",
	"nrbp":                      "a624e9acebe5894d",
	"nnrbp":                     "00a3410a46697df6",
	"nnrbp(alpha=0.3,beta=0.8)": "5f38381e2691c3e1",
	"map-ia":                    "bbdc9552ee3be1d5",
	"p-ia@5":                    "42080db3791b12eb",
	"strec@3":                   "dc8ea849ddeee8f4",
	"rbo(0.9)":                  "51648c03892990b0",
	"rbo-min(0.9)":              "85b1de9c84959e01",
	"rbo-residual(0.9)":         "62327552b62a3763",

	"tau":   "f7865ec01545dd87",
	"ridge": "75c87774e0da2b1c",
}

// digests collects bits by name.
type digests map[string]hash.Hash

func (d digests) add(name string, values ...float64) {
	if d[name] == nil {
		d[name] = sha256.New()
	}
	for _, v := range values {
		if math.IsNaN(v) {
			v = math.NaN() // the sign of a NaN differs between architectures
		}
		d[name].Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
}

// check compares the bits that were added under a name with its golden digest.
func (d digests) check(t *testing.T) {
	t.Helper()
	for name, h := range d {
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != goldenBits[name] {
			t.Errorf("%s: the bits have the digest %s, want %s", name, got, goldenBits[name])
		}
	}
}

// bitsLists returns the lists that bench/peers/metrics/lists.py samples. They contain ties, labels
// between integers, negative scores, single documents, queries without relevant documents, and
// documents that are unjudged or not retrieved.
func bitsLists(t *testing.T) []List {
	t.Helper()
	text, err := os.ReadFile("testdata/lists.json")
	if err != nil {
		t.Fatal(err)
	}
	var lists []List
	if err := json.Unmarshal(text, &lists); err != nil {
		t.Fatal(err)
	}
	for q := range lists {
		lists[q] = withMore(lists[q])
	}
	return lists
}

// namesOf returns the names of metrics in the form that NewEvaluator accepts.
func namesOf(metrics ...Metric) string {
	var names []string
	for _, m := range metrics {
		names = append(names, m.String())
	}
	return strings.Join(names, ",")
}

// TestBitsOfMetrics covers every metric with every combination of ties, gain, discount and empty
// queries.
func TestBitsOfMetrics(t *testing.T) {
	var metrics []Metric // metrics that have a digest
	missing := MetricNames()
	for name := range goldenBits {
		if m, err := ParseMetric(name); err == nil {
			metrics = append(metrics, m)
			base, _, _ := strings.Cut(name, "@")
			base, _, _ = strings.Cut(base, "(")
			missing = slices.DeleteFunc(missing, func(n string) bool { return strings.TrimSuffix(n, "@k") == base })
		}
	}
	if len(missing) > 0 {
		t.Errorf("no digest of %v", missing)
	}
	lists := bitsLists(t)
	d := digests{}
	for _, ties := range OptionWords("ties") {
		for _, gain := range OptionWords("gain") {
			for _, discount := range OptionWords("discount") {
				for _, empty := range []string{"skip", "zero"} {
					e, err := NewEvaluator(namesOf(metrics...), Options{NegativeUnjudged: true, Ties: ties, Gain: gain,
						Discount: discount, Empty: empty})
					if err != nil {
						t.Fatal(err)
					}
					r, err := e.EvalAll(context.Background(), lists)
					if err != nil {
						t.Fatal(err)
					}
					for _, m := range r.Metrics {
						mean := m.Mean
						if empty == "skip" {
							mean = weightedMean(m.Values, m.Weights)
						}
						d.add(m.Metric.String(), mean)
						d.add(m.Metric.String(), m.Values...)
					}
				}
			}
		}
	}
	d.check(t)
}

// weightedMean returns the mean of values. The weight of value q is 1/(q+1) times its weight.
func weightedMean(values, weights []float64) float64 {
	all := make([]float64, len(values))
	for q := range all {
		all[q] = 1 / float64(q+1)
		if weights != nil {
			all[q] *= weights[q]
		}
	}
	var mean num.ExactMean
	mean.Add(values, all, true)
	return mean.Value()
}

// A value does not depend on the other metrics of the evaluator, although metrics read more or less
// of a ranking.
func TestMetricsTogether(t *testing.T) {
	var metrics []Metric
	for name := range goldenBits {
		if m, err := ParseMetric(name); err == nil {
			metrics = append(metrics, m)
		}
	}
	lists := bitsLists(t)[:8]
	for q := range lists { // labels that may be grades
		for i, l := range lists[q].Labels {
			lists[q].Labels[i] = math.Floor(l)
		}
	}
	values := func(metrics ...Metric) (values []uint64) {
		e, err := NewEvaluator(namesOf(metrics...), Options{NegativeUnjudged: true})
		if err != nil {
			t.Fatal(err)
		}
		for q := range lists {
			v, err := e.AppendValues(nil, &lists[q])
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, math.Float64bits(v[0]))
		}
		return values
	}
	for _, m := range metrics {
		alone := values(m)
		for _, other := range metrics {
			if m != other && !slices.Equal(values(m, other), alone) {
				t.Errorf("%v has other values beside %v", m, other)
			}
		}
	}
}

// Tau's coefficients and p-values.
func TestBitsOfTau(t *testing.T) {
	lists, d := bitsLists(t), digests{}
	var x, y []float64 // joined lists; the last ones are large
	for _, l := range lists {
		x, y = append(x, l.Labels...), append(y, l.Scores...)
		for _, columns := range [][2][]float64{{l.Labels, l.Scores}, {x, y}} {
			k, err := KendallTau(columns[0], columns[1])
			if err != nil {
				t.Fatal(err)
			}
			d.add("tau", k.TauA(), k.TauB(), k.TauC(), k.Gamma(), k.PValue())
		}
	}
	d.check(t)
}

// The features of this ridge regression are small integers divided by 8; one feature is another one
// doubled.
func TestBitsOfRidge(t *testing.T) {
	rng := rand.NewPCG(1, 2)
	data := NewDataset(700, 40)
	data.Offsets, data.QueryIDs = append(data.Offsets, data.Rows()), append(data.QueryIDs, "1")
	for i := range data.Rows() {
		data.Labels[i] = float64(rng.Uint64() % 5)
		row := data.Row(i)
		for j := range row {
			row[j] = float32(int(rng.Uint64()%1000)-300) / 8
		}
		row[7] = 2 * row[6]
	}
	d := digests{}
	for _, r := range []Ridge{{}, {Alpha: 1e-9}, {Alpha: 100, NoIntercept: true}} {
		m, err := r.Fit(context.Background(), data)
		if err != nil {
			t.Fatal(err)
		}
		d.add("ridge", m.Intercept)
		d.add("ridge", m.Weights...)
	}
	d.check(t)
}

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
)

// goldenBits are digests of results by what computed them. Every architecture and tier computes the
// same; a line that changes is a change of results, for the changelog.
var goldenBits = map[string]string{
	"dcg":                  "2dc66d8432ae8c03",
	"ndcg":                 "5c1bc06522621cf1",
	"ndcg@3":               "846839ae2da8917e",
	"map":                  "a5783b179b378ffc",
	"map@3":                "6ff9b36f5c9b61e3",
	"mrr":                  "ebb6a198d60f484d",
	"mrr@2":                "7cd7889d0d21168d",
	"precision@3":          "c4f07cdf5f974165",
	"recall@3":             "a3f1099f492b5c24",
	"success@2":            "3657c63a5be53132",
	"r-precision":          "4067e3b4227c16e6",
	"bpref":                "fee38ca85b2838f8",
	"err":                  "173e1fa021a33c3e",
	"err@3":                "373250e191dde76c",
	"rbp(0.9)":             "333cba3ed338ee34",
	"rbp(0.95)@3":          "468fb0c2313a22a5",
	"auc":                  "1dbdf56d5e09d13c",
	"pair-accuracy":        "095218751a756d9a",
	"pair-accuracy-pooled": "d3210b0071e61aac",
	"tau-b":                "30ff77c0eb2ca924",
	"weighted-tau":         "21c79c9c146875b2",
	"spearman":             "11421c712a763a7c",
	"ndcg@10":              "d13cec0b80b431c5",
	"map@10":               "03e12f8f225a881e",
	"mrr@10":               "e1ef9117001ce0c2",
	"success@30":           "f5b13c8c27ca3a0d",
	"err@10":               "fdc21bb739608d5a",
	"rbp(0.9)@10":          "346fb0b7c03d32bc",

	"tau":    "f7865ec01545dd87",
	"ridge":  "75c87774e0da2b1c",
	"lambda": "2f4d2a697f36a9e9",
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

// check compares what was added under a name with its golden digest.
func (d digests) check(t *testing.T) {
	t.Helper()
	for name, h := range d {
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != goldenBits[name] {
			t.Errorf("%s: the bits have the digest %s, want %s", name, got, goldenBits[name])
		}
	}
}

// bitsLists returns the lists that bench/peers/metrics/lists.py draws: with ties, labels between
// integers, negative scores, single documents, queries without relevant documents, documents
// unjudged or not retrieved.
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
	return lists
}

// Every metric under every combination of ties, gain, discount and empty queries.
func TestBitsOfMetrics(t *testing.T) {
	var metrics []Metric // those with a digest
	missing := MetricNames()
	for name := range goldenBits {
		if m, err := ParseMetric(name); err == nil {
			metrics = append(metrics, m)
			missing = slices.DeleteFunc(missing, func(n string) bool { return strings.TrimSuffix(n, "@k") == m.m.name })
		}
	}
	if len(missing) > 0 {
		t.Errorf("no digest of %v", missing)
	}
	lists := bitsLists(t)
	weighted := slices.Clone(lists)
	for q := range weighted {
		weighted[q].Weight = 1 / float64(q+1)
	}
	d := digests{}
	for ties := TiesAverage; ties <= TiesByKey; ties++ {
		for gain := GainExp; gain <= GainLinear; gain++ {
			for discount := DiscountLog2; discount <= DiscountLETOR; discount++ {
				for empty := EmptySkip; empty <= EmptyZero; empty++ {
					e, err := NewEvaluator(metrics, NegativeUnjudged, ties, gain, discount, empty)
					if err != nil {
						t.Fatal(err)
					}
					lists := lists
					if empty == EmptySkip {
						lists = weighted
					}
					r, err := e.EvalAll(context.Background(), lists)
					if err != nil {
						t.Fatal(err)
					}
					for _, m := range r.Metrics {
						d.add(m.Metric.String(), m.Mean)
						d.add(m.Metric.String(), m.Values...)
					}
				}
			}
		}
	}
	d.check(t)
}

// Tau's coefficients and p-values.
func TestBitsOfTau(t *testing.T) {
	lists, d := bitsLists(t), digests{}
	var x, y []float64 // lists joined: the last are large
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

// The textbook forms of RankNet and LambdaRank.
func TestBitsOfTextbookForms(t *testing.T) {
	d := digests{}
	for i := -200; i <= 200; i++ {
		// rounded: the calls are inlined, and their sums would be fused with the product
		s := float64(float64(i) * 0.3)
		for _, alpha := range []float64{1, 0.7} {
			d.add("lambda", Sigmoid(s, 0.1, alpha), PairLogLoss(s, 0.1, alpha), RankNetLambda(s, 0.1, alpha))
		}
	}
	for _, l := range bitsLists(t) {
		for _, ndcg := range []bool{false, true} {
			lambdas, err := Lambdas(l.Labels, l.Scores, 1.3, ndcg)
			if err != nil {
				t.Fatal(err)
			}
			d.add("lambda", lambdas...)
		}
	}
	d.check(t)
}

// Ridge regression on small integers over 8, with a feature that is another one doubled.
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

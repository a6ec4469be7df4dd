package compare

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// Digests of intervals and p-values for three ways to break ties, by test. Every architecture and
// tier must compute the same. If a line changes, results have changed, which belongs in the
// changelog.
func TestBits(t *testing.T) {
	const metrics = "dcg,ndcg,ndcg@3,map,map@3,mrr,mrr@2,precision@3,recall@3,success@2,r-precision,bpref,err,err@3,rbp,rbp(0.95)@3,auc,pair-accuracy,tau-b,weighted-tau,spearman"
	var lists []rank.List
	readJSON(t, "lists.json", &lists)
	var s []System
	for _, ties := range []string{"stable", "key", "average"} {
		e, err := rank.NewEvaluator(metrics, rank.Options{NegativeUnjudged: true, Ties: ties, Empty: "zero"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.EvalAll(context.Background(), lists)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, System{"", r})
	}
	for test, want := range map[string]string{
		"randomization": "97a1369d141aed2d",
		"t":             "a02cda5205f9bdcd",
		"wilcoxon":      "b391a7e3ad1a1f79",
		"sign":          "104bd49aad238de0",
	} {
		t.Run(test, func(t *testing.T) {
			c, err := Compare(context.Background(), s, Options{Test: test, Rounds: 999, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			h := sha256.New()
			for _, system := range c.Systems[1:] {
				for _, m := range system.Metrics {
					d := m.Differences[0]
					for _, v := range []float64{m.Mean, d.Mean, d.Low, d.High, d.P, d.CorrectedP} {
						if math.IsNaN(v) {
							v = math.NaN() // the sign of a NaN differs between architectures
						}
						h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
					}
				}
			}
			if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
				t.Errorf("%v: the bits have the digest %s, want %s", test, got, want)
			}
		})
	}
}

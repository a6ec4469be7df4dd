package treceval

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// The measures named in the package comment are bit-identical to those of rank.Evaluator.
func TestSameBitsAsRank(t *testing.T) {
	const names = "map map_cut P recall success Rprec bpref recip_rank"
	r := rand.New(rand.NewPCG(1, 2))
	var judged, retrieved strings.Builder
	for topic := range 40 {
		for doc := range 60 {
			if r.IntN(2) == 0 {
				fmt.Fprintf(&judged, "%d 0 d%d %d\n", topic, doc, r.IntN(5)-1)
			}
			if r.IntN(3) > 0 {
				fmt.Fprintf(&retrieved, "%d Q0 d%d 0 %d r\n", topic, doc, r.IntN(40))
			}
		}
	}
	j, err := Read(strings.NewReader(judged.String()), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	run, err := trec.ReadRun(strings.NewReader(retrieved.String()))
	if err != nil {
		t.Fatal(err)
	}
	ms, err := NewMeasures(10, strings.Fields(names)...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ms.Eval(t.Context(), j, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range got.Names() {
		t.Run(name, func(t *testing.T) {
			e, err := rank.NewEvaluator(name, rank.Options{Preset: "trec_eval"})
			if err != nil {
				t.Fatal(err)
			}
			want, err := e.EvalAll(t.Context(), j.qrels.Lists(run))
			if err != nil {
				t.Fatal(err)
			}
			for i, topic := range got.Topics {
				if v, _ := got.Value(&topic, name); v != want.Metrics[0].Values[i] {
					t.Errorf("topic %s: %v, rank %v", topic.ID, v, want.Metrics[0].Values[i])
				}
			}
		})
	}
}

package fuzz

import (
	"bytes"
	"iter"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// FuzzReadSubtopics parses any input as subtopic judgments. An error must name a line. It evaluates
// two runs with the judgments and with each other as reference.
func FuzzReadSubtopics(f *testing.F) {
	for _, s := range []string{"1 a d1 1\n1 b d1 2\n1 a d2 0\n", "1 1 d1 1\r\n\n2 1 d1 -1\n2 9 d1 3",
		"1 1 d 1\n1 1 d 1\n", "1 1 d x\n", "\x1f\x8b"} {
		f.Add([]byte(s), []byte("1 Q0 d1 1 2.5 run\n1 Q0 d9 2 2.5 run\n1 Q0 d2 2 -1 run\n"))
	}
	f.Add([]byte("1 a d1 1\n"), []byte("{\"1\": {\"d1\": 2.5, \"d\\u0039\": -1e3},\n\"2\": {}}"))
	other, err := trec.ReadRun(bytes.NewReader([]byte("1 Q0 d2 1 3 o\n1 Q0 d1 1 2 o\n2 Q0 d1 1 2 o\n")))
	if err != nil {
		f.Fatal(err)
	}
	const metrics = "alpha-dcg@5,alpha-ndcg(alpha=.7)@5,err-ia@5,nerr-ia@5,nrbp,nnrbp(beta=.9)," +
		"map-ia,p-ia@5,strec(rel=2)@5,map,inst,compat,rbp-residual,rbo,rbo-min,rbo-residual"
	var evaluators []*rank.Evaluator
	for _, ties := range rank.OptionWords("ties") {
		e, err := rank.NewEvaluator(metrics, rank.Options{Preset: "trec_eval", Ties: ties})
		if err != nil {
			f.Fatal(err)
		}
		evaluators = append(evaluators, e)
	}
	f.Fuzz(func(t *testing.T, qrels, run []byte) {
		q, err := trec.ReadSubtopics(bytes.NewReader(qrels))
		checkParse(t, err)
		r, err2 := trec.ReadRun(bytes.NewReader(run))
		checkParse(t, err2)
		if err != nil || err2 != nil {
			return
		}
		for _, e := range evaluators {
			results, err := trec.EvalPieces(t.Context(), e, q, alone(r), alone(other))
			if err == trec.ErrUnjudged || err == trec.ErrUnreferred {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range results.Metrics {
				for i, x := range m.Values {
					// Another ranking may be better than the ideal one by a factor of e/(e−1).
					if !(x >= -1e-9 && x <= 1.6) {
						t.Fatalf("%v = %v of topic %s", m.Metric, x, results.QueryIDs[i])
					}
				}
			}
		}
	})
}

// alone returns a run as a single chunk.
func alone(r *trec.Run) iter.Seq2[*trec.Run, error] {
	return func(yield func(*trec.Run, error) bool) { yield(r, nil) }
}

package trec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// The folder contains one set of judgments in several formats, and a run. The values are from
// pytrec_eval and from MS MARCO's definition of MRR@10; see bench/peers/metrics/columns.py.
func TestColumnsOfPeers(t *testing.T) {
	const folder = "testdata/columns/"
	var want map[string]float64
	if err := json.Unmarshal(testkit.Must(os.ReadFile(folder+"values.json")), &want); err != nil {
		t.Fatal(err)
	}
	run := testkit.Must(LoadRun(folder + "msmarco.run.tsv"))
	for _, name := range []string{"beir.tsv", "floats.tsv", "msmarco.qrels.tsv"} {
		t.Run(name, func(t *testing.T) {
			q := testkit.Must(LoadQrels(folder + name))
			o := rank.Options{Preset: "trec_eval"}
			got, err := Evaluate(context.Background(), q, run, "map,ndcg_cut_10,mrr@10", o)
			if err != nil {
				t.Fatal(err)
			}
			for i, metric := range []string{"map", "ndcg_cut_10", "mrr@10"} {
				if mean := got.Metrics[i].Mean; !testkit.Near(mean, want[metric], 1e-12) {
					t.Errorf("%s %v, want %v", metric, mean, want[metric])
				}
			}
		})
	}
}

func TestThreeColumns(t *testing.T) {
	const header = "query-id\tcorpus-id\tscore\n"
	want := []Judgment{{"q1", "d1", 2}, {"q1", "d2", 0}, {"q2", "d1", 1}}
	for name, in := range map[string]string{
		"BEIR":              header + "q1\td1\t2\nq1\td2\t0\nq2\td1\t1\n",
		"BEIR, underscores": "\ufeffQuery_ID\tCorpus_ID\tScore\r\nq1\td1\t2\r\nq1\td2\t0\r\nq2\td1\t1",
		"decimal points":    header + "q1\td1\t2.0\nq1\td2\t0.0\nq2\td1\t1.0\n",
		"no header":         "# comment\n\nq1 d1 2\nq1 d2 0\nq2 d1 1\n",
		"MS MARCO":          "q1\t0\td1\t2\nq1\t0\td2\t0\nq2\t0\td1\t1\n",
		"TREC, floats":      "q1 0 d1 2.0\nq1 0 d2 -0.0\nq2 0 d1 1e0\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := slices.Collect(must(t, ReadQrels, in).All()); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}

	ranked := []ScoredDoc{{"q2", "d3", 1}, {"q1", "b", 1}, {"q1", "a", 1. / 2}, {"q1", "c", 1. / 1000}}
	for name, in := range map[string]string{
		"tabs":   "q2\td3\t1\nq1\tb\t1\nq1\ta\t2\nq1\tc\t1000\n",
		"blanks": "q2 d3 1\r\nq1 c 1000\r\nq1 a 2\r\nq1 b 1\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := must(t, ReadRun, in)
			if got := slices.Collect(r.All()); !slices.Equal(got, ranked) || r.Name != "" {
				t.Errorf("%v named %q, want %v", got, r.Name, ranked)
			}
			pieces, err := StreamRuns(func(runs []iter.Seq2[*Run, error]) (docs []ScoredDoc, err error) {
				for r, err := range runs[0] {
					if err != nil {
						return nil, err
					}
					docs = slices.AppendSeq(docs, r.All())
				}
				return docs, nil
			}, []io.Reader{strings.NewReader(in)})
			if err != nil || !slices.Equal(pieces, ranked) {
				t.Errorf("streamed: %v, %v", pieces, err)
			}
		})
	}
}

// The scores of all possible ranks differ, even as float32.
func TestScoresOfRanks(t *testing.T) {
	last := float32(2)
	for r := 1; r <= lastRank; r++ {
		if s := float32(1 / float64(r)); s >= last {
			t.Fatalf("rank %d has the score of the previous rank", r)
		} else {
			last = s
		}
	}
	for _, n := range []int{1, 7, 1000, lastRank} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			v, err := parseRank(fmt.Append(nil, n))
			quick, end, ok := quickRank(fmt.Append(nil, n, "\n       "), 0)
			if err != nil || !ok || end != len(fmt.Sprint(n)) || v != quick || v != 1/float64(n) {
				t.Errorf("%v, %v, %v, %v, %v", v, err, quick, end, ok)
			}
		})
	}
}

func TestThreeColumnErrors(t *testing.T) {
	qrels, run := errorOf(ReadQrels), errorOf(ReadRun)
	const header = "query-id\tcorpus-id\tscore\n"
	checkRefused(t, []refused{
		{qrels, header, "line 1: the qrels contain no judgments"},
		{qrels, header + "q1\td1\t0.5\n", `line 2, column 7: the relevance is not an integer: "0.5"`},
		{qrels, header + "q1\td1\n", `line 2: found 2 fields; there must be 3, as in the first line: "q1\td1"`},
		{qrels, header + "q1\t0\td1\t1\n", "line 2: found 4 fields; there must be 3, as in the first line"},
		{qrels, header + "q1\td1\t1\nq1\td1\t0\n", "line 3: topic q1: the document is judged twice, first in line 2"},
		{qrels, "corpus-id query-id score\n1 2 1\n", "line 1: three fields must be a topic, a document and its relevance, " +
			"or the header query-id, corpus-id, score"},
		{qrels, "q1 0 d1 1\nq1 d1 1\n", "line 2: found 3 fields; there must be 4, as in the first line"},
		{qrels, "q0 d 1\nq1 a 1\nq1 b 2\nq1 c 3\nq1 d 7\n", "line 2: the relevances differ within each topic"},
		{run, header + "q1\td1\t1\n", "line 1: this header belongs to judgments, not to a run"},
		{run, "qid pid rank\nq1 a 1\n", `line 1: the rank is not an integer from 1 to 8388608: "qid pid rank"`},
		{run, "q1 a 0\n", `line 1, column 6: the rank is not an integer from 1 to 8388608: "0"`},
		{run, "q1 a 1.5\n", "line 1, column 6: the rank is not an integer"},
		{run, "q1 a 8388609\n", "line 1, column 6: the rank is not an integer"},
		{run, "q1 a 1\nq1 b -1\n", "line 2, column 6: the rank is not an integer"},
		{run, "q1 a 1\nq1 b 2\nq1 c 2\n", `line 3: topic q1: rank 2 occurs twice, first in line 2: "c"`},
		{run, "q1 a 1\nq1 a 2\n", "line 2: topic q1: the document is retrieved twice"},
		{run, "q1 a 1\nq1 Q0 a 1 1 r\n", "line 2: found 6 fields; there must be 3, as in the first line"},
		{run, "q1 Q0 a 1 1 r\nq1 a 1\n", "line 2: found 3 fields; there must be 6, as in the first line"},
	})
	// With a header, or with equal relevances, the same numbers are judgments.
	for _, in := range []string{header + "q1 a 1\nq1 b 2\nq1 c 3\nq1 d 4\n",
		"q1 a 1\nq1 b 2\nq1 c 3\nq1 d 4\nq2 a 1\nq2 b 1\n", "q1 a 1\nq1 b 2\nq1 c 3\n",
		"q1 a 1\nq1 b 2\nq1 c 3\nq1 d -1\n"} {
		t.Run(in, func(t *testing.T) {
			if err := qrels(in); err != nil {
				t.Error(err)
			}
		})
	}
}

// Written files are read back.
func TestWriteColumns(t *testing.T) {
	q, r := mustRead(t, "2 0 b 2\n2 0 a -1\n1 0 c 0\n", "2 Q0 a 1 1 r\n2 Q0 b 2 2.5e-7 r\n1 Q0 c 1 -3 r\n2 Q0 d 3 1 r\n")
	for _, c := range []struct {
		name, want string
		write      func(io.Writer) error
	}{
		{"BEIR", "query-id\tcorpus-id\tscore\n2\tb\t2\n2\ta\t-1\n1\tc\t0\n", q.WriteBEIR},
		{"MS MARCO judgments", "2\t0\tb\t2\n2\t0\ta\t-1\n1\t0\tc\t0\n", q.WriteMSMARCO},
		{"MS MARCO run", "2\td\t1\n2\ta\t2\n2\tb\t3\n1\tc\t1\n", r.WriteMSMARCO},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.write(&b); err != nil || b.String() != c.want {
				t.Fatalf("%q, %v, want %q", b.String(), err, c.want)
			}
			if strings.HasSuffix(c.name, "run") {
				if got := must(t, ReadRun, b.String()); !slices.Equal(docsOf(got, "2"), docsOf(r, "2")) {
					t.Errorf("read back: %v", got)
				}
				return
			}
			got := slices.Collect(must(t, ReadQrels, b.String()).All())
			if !slices.Equal(got, slices.Collect(q.All())) {
				t.Errorf("read back: %v", got)
			}
		})
	}
}

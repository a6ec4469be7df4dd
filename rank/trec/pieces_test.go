package trec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// A run whose topics are contiguous, with comments, empty lines and topics of 1 to 40 documents.
func piecedRun(topics int) string {
	var b strings.Builder
	for i := range topics {
		topic := i * 7 % topics // no order
		if i%5 == 0 {
			b.WriteString("# a comment\n\n")
		}
		for d := range 1 + topic%40 {
			fmt.Fprintf(&b, "%d\tQ0 doc%d %d %v r\r\n", topic, d*13%57, d, float64(d*29%31)/7)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cutPieces collects the contents of a run's pieces, because pieces are overwritten.
func cutPieces(r io.Reader, size int) (all []string, n int, err error) {
	for run, err := range runPieces(r, size, nil, nil) {
		if err != nil {
			return nil, 0, err
		}
		n++
		for d := range run.All() {
			all = append(all, fmt.Sprint(run.Name, d))
		}
	}
	return all, n, nil
}

// Pieces of any size contain the whole run.
func TestRunPieces(t *testing.T) {
	text := piecedRun(100)
	zipped := bytes.NewBufferString(testkit.Gzip(text))
	_, whole := mustRead(t, "1 0 a 1\n", text)
	var want []string
	for d := range whole.All() {
		want = append(want, fmt.Sprint("r", d))
	}
	for _, size := range []int{1, 100, 1000, 3333, 10_000, len(text) - 1, len(text), len(text) + 1, 1 << 20} {
		for name, r := range map[string]io.Reader{"plain": strings.NewReader(text),
			"zipped": bytes.NewReader(zipped.Bytes()), "slow": iotest.HalfReader(strings.NewReader(text))} {
			t.Run(fmt.Sprint(name, " ", size), func(t *testing.T) {
				got, n, err := cutPieces(r, size)
				if err != nil || !slices.Equal(got, want) || size < 10_000 && n < 5 {
					t.Errorf("size %d, %s: %v, %d documents of %d, %d pieces", size, name, err, len(got), len(want), n)
				}
			})
		}
	}
	for run, err := range runPieces(strings.NewReader(text), 100, nil, nil) {
		if err != nil || !slices.Equal(run.Topics(), []string{"0"}) {
			t.Errorf("the first piece: %v, %v", run, err)
		}
		break
	}
}

// JSON is also read in pieces. A comma, a brace or a quote within an ID does not end a topic.
func TestRunPiecesJSON(t *testing.T) {
	var b strings.Builder
	for topic := range 100 {
		fmt.Fprintf(&b, "%c%q:\n{", "{,"[min(topic, 1)], fmt.Sprint("t{,", topic))
		for doc := range 20 {
			fmt.Fprintf(&b, "%.*s %q :%d%.*s", min(doc, 1), ",", fmt.Sprint(`},\"{`, doc), doc*topic, doc%2, "\n")
		}
		b.WriteString("}")
	}
	text := b.String() + "}"
	whole, err := ReadRun(strings.NewReader(text))
	if err != nil || len(whole.Topics()) != 100 {
		t.Fatal(err)
	}
	var want []string
	for d := range whole.All() {
		want = append(want, fmt.Sprint(d))
	}
	for _, size := range []int{1, 100, 1000, 3333, len(text) - 1, len(text), len(text) + 1, 1 << 20} {
		for _, end := range []string{"", "\n", " \n\n"} {
			t.Run(fmt.Sprintf("%d %q", size, end), func(t *testing.T) {
				got, n, err := cutPieces(iotest.HalfReader(strings.NewReader(text+end)), size)
				if err != nil || !slices.Equal(got, want) || size < 10_000 && n < 5 {
					t.Errorf("size %d: %v, %d documents of %d, %d pieces", size, err, len(got), len(want), n)
				}
			})
		}
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"score": {`"t{,70":`, `"t{,70": {"a": x},` + "\n" + `"71":`,
			`line 771, column 18: topic t{,70: document a: the score is not a finite number: "x"`},
		"twice": {`"t{,70":`, `"t{,7":`, `line 771, column 4: the topic is repeated: "t{,7"`},
		"short": {`}}`, `}`, "the file ends too early: expected a comma or a closing brace"},
		"comma": {`}}`, `},`, "the file ends too early: expected the ID of a topic in quotes"},
		"more":  {`}}`, `}}, "1": {"a": 1}}`, `expected the end of the file: ", \"1\": {\"a\": 1}}"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := cutPieces(strings.NewReader(strings.Replace(text, c.old, c.new, 1)), 100)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
		})
	}
}

func TestRunPiecesErrors(t *testing.T) {
	filler := strings.Repeat("# a comment that is long enough to fill a piece\n", 3)
	broken := errors.New("broken")
	for _, c := range []struct {
		in   io.Reader
		want string
	}{
		{strings.NewReader(""), "line 1: the run contains no documents"},
		{strings.NewReader(filler), "line 1: the run contains no documents"},
		{strings.NewReader("1 Q0 a 1 2 r\n" + filler + "2 Q0 a 1 2 r\n" + filler + "1 Q0 b 1 1 r\n"),
			"line 9: " + errScattered.Error() + `: "1"`},
		{strings.NewReader("1 Q0 a 1 2 r\n" + filler + "2 Q0 a 1 2 r\n" + filler + "3 Q0 b 1 x r\n"),
			`line 9, column 10: the score is not a number: "x"`},
		{strings.NewReader("1 Q0 a 1 2 r\n" + filler + "2 Q0 a 1 2 r\n" + filler + "2 Q0 a 1 1 r\n"),
			`line 9: topic 2: the document is retrieved twice, first in line 5: "a"`},
		{io.MultiReader(strings.NewReader("1 Q0 a 1 2 r\n"+filler+"2 Q0 a 1 2 r\n2 Q0 b"), iotest.ErrReader(broken)),
			"line 6: read error: broken"},
		{strings.NewReader("\x1f\x8b\x08"), "line 1: read error"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, _, err := cutPieces(c.in, 20)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.As(err, new(*rank.ParseError)) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// The results of pieces are bit-identical to those of the whole run, for any order of topics.
func TestEvalPieces(t *testing.T) {
	text := piecedRun(60)
	var judged strings.Builder
	for topic := range 70 {
		if topic%9 == 4 {
			continue
		}
		for d := range 20 {
			fmt.Fprintf(&judged, "%d 0 doc%d %d\n", topic, d*7%57, d%4-1+topic%2)
		}
	}
	q, r := mustRead(t, judged.String(), text)
	for _, opts := range []rank.Options{
		{Preset: "trec_eval"},
		{Preset: "sklearn", NegativeUnjudged: true, Empty: "skip"},
		{Preset: "trec_eval", Empty: "nan"},
		{Preset: "xgboost", NegativeUnjudged: true},
	} {
		t.Run(fmt.Sprint(opts.Preset, " ", opts.Empty), func(t *testing.T) {
			e := testkit.Must(rank.NewEvaluator("map,ndcg@10,auc,pair-accuracy,pair-accuracy-pooled,bpref", opts))
			for _, complete := range []bool{false, true} {
				t.Run(fmt.Sprint(opts, " complete ", complete), func(t *testing.T) {
					q.SkipUnanswered = !complete
					want, err := e.EvalAll(t.Context(), q.Lists(r))
					if err != nil {
						t.Fatal(err)
					}
					got, err := EvalPieces(t.Context(), e, q, runPieces(strings.NewReader(text), 2000, nil, nil), nil)
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(resultBits(got), resultBits(want)) {
						t.Errorf("%v, complete %t: %v, want %v", opts, complete, resultBits(got), resultBits(want))
					}
				})
			}
		})
	}
	e := testkit.Must(rank.NewEvaluator("err", rank.Options{Preset: "trec_eval", MaxLabel: 1}))
	_, err := EvalPieces(t.Context(), e, q, runPieces(strings.NewReader(text), 2000, nil, nil), nil)
	if want := "line "; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := EvalPieces(t.Context(), e, q, runPieces(strings.NewReader("x\n"), 100, nil, nil), nil); err == nil {
		t.Error("a run that is none")
	}
	for _, complete := range []bool{false, true} {
		t.Run(fmt.Sprint("complete ", complete), func(t *testing.T) {
			other := runPieces(strings.NewReader("elsewhere Q0 doc1 1 2 r\n"), 100, nil, nil)
			q.SkipUnanswered = !complete
			_, err := EvalPieces(t.Context(), e, q, other, nil)
			if err != ErrUnjudged {
				t.Errorf("a run of other topics, complete %t: %v", complete, err)
			}
		})
	}
}

// resultBits returns results in a form that can be compared bit by bit.
func resultBits(r *rank.Results) any {
	bits := func(values ...float64) (b []uint64) {
		for _, v := range values {
			b = append(b, math.Float64bits(v))
		}
		return b
	}
	all := []any{r.QueryIDs}
	for _, m := range r.Metrics {
		all = append(all, m.Metric, bits(m.Values...), bits(m.Weights...), bits(m.Mean), m.Counted, m.Skipped)
	}
	return all
}

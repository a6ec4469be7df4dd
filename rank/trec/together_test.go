package trec

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// runText returns a run of topics in the given order, each with up to most documents out of 40.
func runText(rng *rand.Rand, topics []int, most int) string {
	var b strings.Builder
	for _, topic := range topics {
		for _, d := range rng.Perm(40)[:1+rng.IntN(most)] {
			fmt.Fprintf(&b, "%d Q0 doc%d 1 %d r\n", topic, d, rng.IntN(20))
		}
	}
	return b.String()
}

// without returns the topics without a random fraction of them.
func without(rng *rand.Rand, topics []int, share float64) []int {
	return slices.DeleteFunc(slices.Clone(topics), func(int) bool { return rng.Float64() < share })
}

// piecesOf streams texts in pieces.
func piecesOf(texts []string, size int) (runs []iter.Seq2[*Run, error]) {
	for _, text := range texts {
		runs = append(runs, runPieces(strings.NewReader(text), size, nil, nil))
	}
	return runs
}

// merge adds scores.
func merge(t *testing.T, runs []*Run) *Run {
	t.Helper()
	merged, err := Merge(t.Context(), runs, "m", 0, 2, func(p *Pool, scores []float64) error {
		for run, ranked := range p.Ranked {
			for i, d := range ranked {
				scores[d.Doc] += float64(d.Score*float64(run+1)) + float64(i)
			}
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return merged
}

// Pieces of any size give the same merged run, byte for byte, whatever topics the runs lack.
func TestTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		topics := rng.Perm(30)
		var texts []string
		var whole []*Run
		for range 1 + rng.IntN(4) {
			text := runText(rng, append(without(rng, topics, []float64{0, .1, .9}[rng.IntN(3)]), 30), 8)
			texts, whole = append(texts, text), append(whole, must(t, ReadRun, text))
		}
		var want bytes.Buffer
		if err := merge(t, whole).Write(&want); err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 300, 1500, 1 << 20} {
			var got bytes.Buffer
			for pieces, err := range Together(piecesOf(texts, size)...) {
				if err != nil {
					t.Fatal(err)
				}
				if err := merge(t, pieces).Write(&got); err != nil {
					t.Fatal(err)
				}
			}
			if got.String() != want.String() {
				t.Fatalf("size %d: %s\nwant\n%s", size, &got, &want)
			}
		}
	}
	for pieces, err := range Together(piecesOf([]string{"1 Q0 a 1 1 r\n2 Q0 a 1 1 r\n", "2 Q0 a 1 1 s\n"}, 1)...) {
		if err != nil || len(pieces) != 2 || pieces[0].Name != "r" || pieces[1].Name != "s" {
			t.Fatalf("%v, %v", pieces, err)
		}
		break // ends the reading
	}
	for range Together() {
		t.Error("a piece of no run")
	}
}

// If the orders of runs differ little, little is kept in memory.
func TestTogetherKeeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	topics := make([]int, 2000)
	for i := range topics {
		topics[i] = 3 * i % 2000
	}
	read, taken, most := 0, 0, 0
	count := func(text string) iter.Seq2[*Run, error] {
		return func(yield func(*Run, error) bool) {
			for r, err := range runPieces(strings.NewReader(text), 400, nil, nil) {
				read += len(r.topics)
				most = max(most, read-taken)
				if !yield(r, err) {
					return
				}
			}
		}
	}
	runs := []iter.Seq2[*Run, error]{count(runText(rng, without(rng, topics, .2), 3)),
		count(runText(rng, without(rng, topics, .2), 3)), count(runText(rng, topics, 3))}
	extras := 0
	for pieces, err := range Together(runs...) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range pieces {
			taken += len(r.topics)
		}
		if len(pieces[0].topics) == 0 {
			extras += len(pieces[1].topics) + len(pieces[2].topics)
		}
	}
	if most > extras+200 {
		t.Errorf("%d topics were kept, %d of them for the end", most, extras)
	}
}

func TestTogetherErrors(t *testing.T) {
	line := func(topic string) string { return topic + " Q0 a 1 1 r\n" }
	for _, c := range []struct {
		texts []string
		want  string
		is    error
	}{
		{[]string{line("1") + line("2") + line("3"), line("2") + line("1") + line("3")},
			"trec: run 2, line 2: topic 1: " + errOrder.Error(), errOrder},
		{[]string{line("1") + line("2") + line("1"), line("1") + line("2")},
			`line 3: ` + errScattered.Error() + `: "1"`, errScattered},
		{[]string{line("1"), line("1") + "2 Q0 a 1 x r\n"}, `line 2, column 10: the score is not a number: "x"`, nil},
		{[]string{"", line("1")}, "line 1: the run contains no documents", nil},
	} {
		t.Run(c.want, func(t *testing.T) {
			var got error
			for _, err := range Together(piecesOf(c.texts, 1)...) {
				if got != nil {
					t.Error("more behind an error")
				}
				got = err
			}
			if got == nil || got.Error() != c.want || c.is != nil && !errors.Is(got, c.is) {
				t.Errorf("%q: %v, want %s", c.texts, got, c.want)
			}
		})
	}
}

// Runs from values have no lines, so an error must not contain any.
func TestTogetherOrderOfValues(t *testing.T) {
	piece := func(topic string) *Run {
		r, err := NewRun("r", slices.Values([]ScoredDoc{{Topic: topic, Doc: "a"}}))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	pieces := func(topics ...string) iter.Seq2[*Run, error] {
		return func(yield func(*Run, error) bool) {
			for _, topic := range topics {
				if !yield(piece(topic), nil) {
					return
				}
			}
		}
	}
	var got error
	for _, err := range Together(pieces("1", "2", "3"), pieces("2", "1", "3")) {
		got = err
	}
	if want := "trec: run 2: topic 1: " + errOrder.Error(); got == nil || got.Error() != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// Comparing with a reference run in pieces gives results bit-identical to those of the whole runs.
func TestEvalReferred(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	topics := rng.Perm(40)
	text, other := runText(rng, without(rng, topics, .2), 30), runText(rng, without(rng, topics, .2), 30)
	var judged strings.Builder
	for topic := range 50 {
		for d := range 20 {
			fmt.Fprintf(&judged, "%d 0 doc%d %d\n", topic, d*7%57, d%4-1+topic%2)
		}
	}
	q, run := mustRead(t, judged.String(), text)
	reference := must(t, ReadRun, other)
	for _, c := range []struct {
		q        *Qrels
		complete bool
		metrics  string
	}{{nil, false, "rbo,rbo-min"}, {q, false, "rbo,ndcg@10,rbo-residual"}, {q, true, "rbo,ndcg@10,rbo-residual"}} {
		t.Run(fmt.Sprint(c.metrics, " complete ", c.complete), func(t *testing.T) {
			lists := run.lists()
			if c.q != nil {
				q.SkipUnanswered = !c.complete
				lists = q.Lists(run)
			}
			setReference(lists, run, reference)
			e := testkit.Must(rank.NewEvaluator(c.metrics, rank.Options{Preset: "trec_eval"}))
			want, err := e.EvalAll(t.Context(), lists)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 3000, 1 << 20} {
				in := piecesOf([]string{text, other}, size)
				got, err := EvalPieces(t.Context(), e, c.q, in[0], in[1])
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(resultBits(got), resultBits(want)) {
					t.Errorf("%s, complete %t: %v, want %v", c.metrics, c.complete, resultBits(got), resultBits(want))
				}
			}
		})
	}
	in := piecesOf([]string{text, "x\n"}, 100)
	e := testkit.Must(rank.NewEvaluator("rbo", rank.Options{Preset: "trec_eval"}))
	if _, err := EvalPieces(t.Context(), e, nil, in[0], in[1]); err == nil {
		t.Error("a reference that is none")
	}
	q = must(t, ReadQrels, "1 0 a 1\n2 0 a 1\n")
	const both, first, second, elsewhere = "1 Q0 a 1 2 r\n2 Q0 a 1 2 r\n", "1 Q0 a 1 2 r\n", "2 Q0 a 1 2 r\n",
		"9 Q0 a 1 2 r\n"
	for _, c := range []struct {
		q              *Qrels
		run, reference string
		complete       bool
		want           error
	}{
		{q, elsewhere, both, false, ErrUnjudged},
		{q, elsewhere, both, true, ErrUnjudged},
		{q, both, elsewhere, false, ErrUnreferred},
		{q, both, elsewhere, true, ErrUnreferred},
		{nil, both, elsewhere, false, ErrUnreferred},
		{q, first, second, false, ErrUnreferred},
		{q, first, second, true, ErrUnreferred},
		{q, first, both, true, nil},
		{nil, elsewhere + first, first, false, nil},
	} {
		t.Run(fmt.Sprintf("%q %q complete %t", c.run, c.reference, c.complete), func(t *testing.T) {
			in := piecesOf([]string{c.run, c.reference}, 1)
			q.SkipUnanswered = !c.complete
			if _, err := EvalPieces(t.Context(), e, c.q, in[0], in[1]); err != c.want {
				t.Errorf("%+v: %v", c, err)
			}
		})
	}
}

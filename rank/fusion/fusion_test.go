package fusion

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

func mustRun(t testing.TB, text string) *trec.Run {
	t.Helper()
	run, err := trec.ReadRun(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// handRuns returns three runs; ranks and Q0 are ignored. In topic 1, c is only in the first and
// third run, and d only in the second. Topic 2 has equal scores and is only in the first run. Topic
// 3 is only in the third run. Lines are not sorted.
func handRuns(t testing.TB) []*trec.Run {
	return []*trec.Run{
		mustRun(t, "1 Q0 b 1 3 A\n1 Q0 a 2 5 A\n1 Q0 c 3 1 A\n2 Q0 x 1 7 A\n2 Q0 y 2 7 A\n"),
		mustRun(t, "1 Q0 b 1 8 B\n1 Q0 d 2 6 B\n1 Q0 a 3 4 B\n"),
		mustRun(t, "3 Q0 z 1 -2 C\n1 Q0 c 1 10 C\n"),
	}
}

// The values were computed by hand from the definitions of ranx 0.3.20 (fuse, with norm and
// method). ranx requires all topics in all runs, and keeps ties in file order. Ranks: a 1, b 2, c 3
// in the first run; b 1, d 2, a 3 in the second; c 1 in the third; y 1, x 2 in topic 2; z 1 in
// topic 3.
func TestByHand(t *testing.T) {
	z := 2 / math.Sqrt(8./3) // (5 − 3)/σ of 5, 3, 1, and of 8, 6, 4
	for _, c := range []struct {
		f    Fuser
		want string
	}{
		{Fuser{}, fmt.Sprint("1: b ", 1./62+1./61, " c ", 1./63+1./61, " a ", 1./61+1./63, " d ", 1./62,
			" 2: y ", 1./61, " x ", 1./62, " 3: z ", 1./61)},
		{Fuser{K: 1, Weights: []float64{1, 2, .5}}, fmt.Sprint("1: b ", 1./3+2./2, " a ", 1./2+2./4,
			" d ", 2./3, " c ", 1./4+.5/2, " 2: y ", 1./2, " x ", 1./3, " 3: z ", .5/2)},
		{Fuser{Method: "isr"}, fmt.Sprint("1: b ", 2*(1./4+1), " c ", 2*(1./9+1), " a ", 2*(1+1./9), " d ", 1./4,
			" 2: y ", 1., " x ", 1./4, " 3: z ", 1.)},
		// Four documents in topic 1: 4 3 2 and 1 for d; 4 3 2 and 1 for c; 4 and 2 for others. A
		// run without the topic contributes (C + 1)/2 for each document.
		{Fuser{Method: "borda"}, "1: b 9 a 8 c 7 d 6 2: y 5 x 4 3: z 3"},
		{Fuser{Method: "borda", Weights: []float64{1, 0, 2}}, "1: c 10 a 8 b 7 d 5 2: y 5 x 4 3: z 3"},
		// min-max: a 1, b 1/2, c 0; b 1, d 1/2, a 0; a single document is 0, and so are ties.
		{Fuser{Method: "combsum"}, "1: b 1.5 a 1 d 0.5 c 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combsum", Weights: []float64{.25, .5, 1}}, "1: b 0.625 d 0.25 a 0.25 c 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combmnz"}, "1: b 3 a 2 d 0.5 c 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combmnz", Weights: []float64{.25, .5, 1}}, "1: b 1.125 a 0.75 d 0.25 c 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combanz"}, "1: b 0.75 d 0.5 a 0.5 c 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combmed"}, "1: b 0.75 d 0.5 a 0.5 c 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combmax"}, "1: b 1 a 1 d 0.5 c 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combmin"}, "1: d 0.5 b 0.5 c 0 a 0 2: y 0 x 0 3: z 0"},
		{Fuser{Method: "combsum", Normalization: "sum"}, fmt.Sprint("1: b ", 2./6+4./6, " a ", 4./6,
			" d ", 2./6, " c 0 2: y 0 x 0 3: z 0")},
		{Fuser{Method: "combsum", Normalization: "zscore"}, fmt.Sprint("1: b ", z, " d 0 a ", 0., " c ", -z,
			" 2: y 0 x 0 3: z 0")},
		{Fuser{Method: "combmax", Normalization: "rank"}, fmt.Sprint("1: c 1 b 1 a 1 d ", 1-1./3,
			" 2: y 1 x 0.5 3: z 1")},
		{Fuser{Method: "combanz", Normalization: "none"}, "1: d 6 c 5.5 b 5.5 a 4.5 2: y 7 x 7 3: z -2"},
		{Fuser{Method: "combsum", Normalization: "none", Depth: 2}, "1: c 11 b 11 2: y 7 x 7 3: z -2"},
	} {
		t.Run(fmt.Sprint(c.f.method(), " ", c.f.Normalization, c.f.Weights, c.f.Depth), func(t *testing.T) {
			run, err := c.f.Fuse(t.Context(), handRuns(t))
			if err != nil {
				t.Fatalf("%+v: %v", c.f, err)
			}
			if run.Name != c.f.method() {
				t.Errorf("%v: name %s", c.f.Method, run.Name)
			}
			var got, want []string
			for _, topic := range run.Topics() {
				got = append(got, topic+":")
				for doc, score := range ranking(run, topic) {
					got = append(got, doc, fmt.Sprintf("%.13g", score))
				}
			}
			for _, word := range strings.Fields(c.want) {
				var v float64
				if _, err := fmt.Sscan(word, &v); err == nil && !strings.HasSuffix(word, ":") {
					word = fmt.Sprintf("%.13g", v)
				}
				want = append(want, word)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v %v weights %v depth %d:\n got %v\nwant %v", c.f.Method, c.f.Normalization, c.f.Weights,
					c.f.Depth, got, want)
			}
		})
	}
}

// Compares fused scores with the definitions, with ties, negative scores, a single run, and topics
// and documents that some runs lack.
func TestByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 26))
	for range 60 {
		runs := make([]map[string]float64, 1+rng.IntN(5)) // of one topic; nil for a run without the topic
		read := make([]*trec.Run, len(runs))
		weights := make([]float64, len(runs))
		all := map[string]bool{}
		for i := range runs {
			text := "other Q0 x 1 1 A\n"
			weights[i] = float64(rng.IntN(9)-3) / 4
			if rng.IntN(4) > 0 || i == 0 {
				runs[i] = map[string]float64{}
				for range 1 + rng.IntN(9) {
					doc := fmt.Sprint("d", rng.IntN(12))
					if _, ok := runs[i][doc]; !ok {
						runs[i][doc] = float64(rng.IntN(7)-3) / 2
						all[doc] = true
						text += fmt.Sprintf("t Q0 %s 1 %v A\n", doc, runs[i][doc])
					}
				}
			}
			read[i] = mustRun(t, text)
		}
		for _, method := range methods {
			f := Fuser{Method: method, Normalization: "none"}
			w := func(int) float64 { return 1 }
			if f.UsesWeights() && rng.IntN(2) == 0 {
				f.Weights, w = weights, func(run int) float64 { return weights[run] }
			}
			fused, err := f.Fuse(t.Context(), read)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for doc, got := range ranking(fused, "t") {
				n++
				var said []float64 // scores in the runs that contain the document
				var sum, ws, rrf, isr, borda float64
				for i, run := range runs {
					own, has := run[doc]
					rank := 1.0
					for d, s := range run {
						if s > own || s == own && d > doc {
							rank++
						}
					}
					if !has {
						borda += w(i) * float64(len(all)-len(run)+1) / 2
						continue
					}
					said = append(said, own)
					sum, ws = sum+own, ws+w(i)
					rrf, isr = rrf+w(i)/(60+rank), isr+1/(rank*rank)
					borda += w(i) * (float64(len(all)) - rank + 1)
				}
				slices.SortFunc(said, cmp.Compare[float64])
				m := float64(len(said))
				var want float64
				switch method {
				case "rrf":
					want = rrf
				case "combsum":
					for i, run := range runs {
						want += w(i) * run[doc]
					}
				case "combmnz":
					want = sum * ws
				case "combanz":
					want = sum / m
				case "combmed":
					want = (said[(len(said)-1)/2] + said[len(said)/2]) / 2
				case "combmax":
					want = said[len(said)-1]
				case "combmin":
					want = said[0]
				case "isr":
					want = m * isr
				case "borda":
					want = borda
				}
				if math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
					t.Errorf("%v of %v, weights %v: %s %v, want %v", method, runs, f.Weights, doc, got, want)
				}
			}
			if n != len(all) {
				t.Errorf("%v: %d documents, want %d", method, n, len(all))
			}
		}
	}
}

// Tests the median of three and of four values.
func TestMedian(t *testing.T) {
	var runs []*trec.Run
	for _, score := range []int{9, 2, 4, 1} {
		runs = append(runs, mustRun(t, fmt.Sprintf("1 Q0 a 1 %d r\n", score)))
	}
	for n, want := range map[int]float64{1: 9, 2: 5.5, 3: 4, 4: 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := Fuser{Method: "combmed", Normalization: "none"}
			run, err := f.Fuse(t.Context(), runs[:n])
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range ranking(run, "1") {
				if got != want {
					t.Errorf("%d runs: %v, want %v", n, got, want)
				}
			}
		})
	}
}

// Equal scores whose mean is rounded become 0 rather than amplified rounding errors. Scores of any
// magnitude keep their full precision.
func TestNormalizationEdges(t *testing.T) {
	for _, c := range []struct {
		n            string
		scores, want []float64
	}{
		{"zscore", []float64{.1, .1, .1}, []float64{0, 0, 0}},
		{"zscore", []float64{1e-200, 0}, []float64{1, -1}},
		{"zscore", []float64{1e200, -1e200}, []float64{1, -1}},
		{"min-max", []float64{1e308, 0, -1e308}, []float64{1, .5, 0}},
		{"sum", []float64{0x3p1021, 0x2p1021, 0}, []float64{.6, .4, 0}},
		{"sum", []float64{0x3p-1074, 0x2p-1074, 0}, []float64{.6, .4, 0}},
		{"min-max", []float64{.1, .1, .1}, []float64{0, 0, 0}},
		{"min-max", []float64{0x3p-40, 0x2p-40, 0x1p-40}, []float64{1, .5, 0}},
		{"sum", []float64{2}, []float64{0}},
		{"sum", []float64{1, 1}, []float64{0, 0}},
		{"rank", []float64{1, 1}, []float64{1, .5}},
	} {
		t.Run(fmt.Sprint(c.n, c.scores), func(t *testing.T) {
			ranked := make([]trec.PooledDoc, len(c.scores))
			for i, s := range c.scores {
				ranked[i].Score = s
			}
			got := make([]float64, len(ranked))
			normalize(got, ranked, c.n)
			if !slices.Equal(got, c.want) {
				t.Errorf("%v of %v: %v, want %v", c.n, c.scores, got, c.want)
			}
		})
	}
}

// seededRuns returns runs with common documents, ties, and topics that some runs lack.
func seededRuns(t testing.TB, runs, topics, docs int) []*trec.Run {
	state := uint64(1)
	next := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state >> 33 % uint64(n))
	}
	var all []*trec.Run
	for r := range runs {
		var text bytes.Buffer
		for topic := range topics {
			if topics > 1 && (topic+r)%7 == 0 {
				continue
			}
			// Documents are from an interval, in a different order per run.
			first := next(docs)
			for i := range docs {
				d := first + (i*(2*next(3)+1)+r)%docs
				fmt.Fprintf(&text, "t%d Q0 doc%d.%d 0 %d.%d run%d\n", topic, d, i%2*1000+i, next(40), next(10), r)
			}
		}
		all = append(all, mustRun(t, text.String()))
	}
	return all
}

// All methods are bit-identical on every architecture and with any number of threads.
func TestBits(t *testing.T) {
	runs := seededRuns(t, 4, 9, 30)
	for i, c := range []struct {
		n    string
		want string
	}{
		{"min-max", "2a55182d7bd61ee9"}, {"zscore", "000cf923321abc24"}, {"sum", "f05582b5fbf8cbaa"},
		{"rank", "53d7fdddd2d1c80f"}, {"none", "d9dff292f17e2f33"},
	} {
		t.Run(c.n, func(t *testing.T) {
			digest := func(threads int) string {
				h := fnv.New64a()
				for _, m := range methods {
					f := Fuser{Method: m, Normalization: c.n, Threads: threads, Depth: 20 * i}
					if f.UsesWeights() {
						f.Weights = []float64{.1, .7, 1, 1. / 3}
					}
					run, err := f.Fuse(t.Context(), runs)
					if err != nil {
						t.Fatal(err)
					}
					if err := run.Write(h); err != nil {
						t.Fatal(err)
					}
				}
				return fmt.Sprintf("%016x", h.Sum64())
			}
			if one, three := digest(1), digest(3); one != c.want || three != one {
				t.Errorf("%v: digest %s, with three threads %s, want %s", c.n, one, three, c.want)
			}
		})
	}
}

// Streamed runs have the same fused run. Errors name the run at fault.
func TestFusePieces(t *testing.T) {
	runs := seededRuns(t, 3, 9, 30)
	var pieces []iter.Seq2[*trec.Run, error]
	for _, r := range runs {
		// Each piece contains one topic.
		pieces = append(pieces, func(yield func(*trec.Run, error) bool) {
			for _, topic := range r.Topics() {
				piece, err := trec.NewRun("piece", func(yield func(trec.ScoredDoc) bool) {
					for doc, score := range ranking(r, topic) {
						if !yield(trec.ScoredDoc{Topic: topic, Doc: doc, Score: score}) {
							return
						}
					}
				})
				if !yield(piece, err) {
					return
				}
			}
		})
	}
	f := Fuser{Method: "combmnz", Depth: 20}
	fused, err := f.Fuse(t.Context(), runs)
	if err != nil {
		t.Fatal(err)
	}
	var got, want bytes.Buffer
	if err := fused.Write(&want); err != nil {
		t.Fatal(err)
	}
	for fused, err := range f.FusePieces(t.Context(), pieces) {
		if err != nil {
			t.Fatal(err)
		}
		if err := fused.Write(&got); err != nil {
			t.Fatal(err)
		}
	}
	if got.String() != want.String() {
		t.Errorf("%s\nwant\n%s", &got, &want)
	}
	for range f.FusePieces(t.Context(), pieces) {
		break
	}
	for want, f := range map[string]Fuser{
		"fusion: Depth is -1; it must not be negative": {Depth: -1},
		"fusion: run 2: line 2: topic 1: the score of the document is infinite; scores must be finite for combsum: \"b\"": {
			Method: "combsum"},
	} {
		t.Run(want, func(t *testing.T) {
			const line = "1 Q0 a 1 1 r\n"
			first := func(yield func(*trec.Run, error) bool) { yield(mustRun(t, line), nil) }
			second := func(yield func(*trec.Run, error) bool) { yield(mustRun(t, line+"1 Q0 b 1 inf r\n"), nil) }
			var failed error
			for _, err := range f.FusePieces(t.Context(), []iter.Seq2[*trec.Run, error]{first, second}) {
				failed = err
			}
			if failed == nil || failed.Error() != want {
				t.Errorf("%v, want %s", failed, want)
			}
		})
	}
}

// A scored document is the result of mapRRF.
type scored struct {
	doc   string
	score float64
}

// mapRRF is a typical implementation of reciprocal rank fusion with a map, for one topic.
func mapRRF(rankings [][]string) []scored {
	scores := map[string]float64{}
	for _, ranking := range rankings {
		for i, doc := range ranking {
			scores[doc] += 1 / (60 + float64(i+1))
		}
	}
	docs := make([]scored, 0, len(scores))
	for doc, score := range scores {
		docs = append(docs, scored{doc, score})
	}
	slices.SortFunc(docs, func(a, b scored) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return strings.Compare(b.doc, a.doc)
	})
	return docs
}

func TestMapRRF(t *testing.T) {
	runs := seededRuns(t, 5, 8, 60)
	fused, err := new(Fuser).Fuse(t.Context(), runs)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(fused.Topics()); n != 8 {
		t.Errorf("%d topics", n)
	}
	for _, topic := range fused.Topics() {
		var rankings [][]string
		for _, r := range runs {
			rankings = append(rankings, docsOf(r, topic))
		}
		var got []scored
		for doc, score := range ranking(fused, topic) {
			got = append(got, scored{doc, score})
		}
		if want := mapRRF(rankings); !slices.Equal(got, want) {
			t.Fatalf("topic %s: %v, want %v", topic, got, want)
		}
	}
}

// ranking returns a topic's documents with their scores, the best first.
func ranking(r *trec.Run, topic string) iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for d := range r.All() {
			if d.Topic == topic && !yield(d.Doc, d.Score) {
				return
			}
		}
	}
}

// docsOf returns the IDs of a topic's documents, the best first.
func docsOf(r *trec.Run, topic string) (docs []string) {
	for doc := range ranking(r, topic) {
		docs = append(docs, doc)
	}
	return docs
}

func TestErrors(t *testing.T) {
	infinite := mustRun(t, "1 Q0 a 1 1 r\n1 Q0 b 1 -inf r\n")
	huge := mustRun(t, "1 Q0 a 1 1e308 r\n1 Q0 b 1 -1e308 r\n")
	two := []*trec.Run{huge, infinite}
	for _, c := range []struct {
		f    Fuser
		runs []*trec.Run
		want string
	}{
		{Fuser{}, nil, "fusion: at least one run is required"},
		{Fuser{Method: "sum"}, two, `fusion: method "sum": must be one of rrf, combsum, combmnz, combanz, ` +
			"combmed, combmax, combmin, isr, borda"},
		{Fuser{Normalization: "max"}, two,
			`fusion: normalization "max": must be one of min-max, zscore, sum, rank, none`},
		{Fuser{K: -1}, two, "fusion: K is -1; it must be positive and finite"},
		{Fuser{K: math.NaN()}, two, "fusion: K is NaN; it must be positive and finite"},
		{Fuser{K: 1, Method: "isr"}, two, "fusion: method isr does not use K (only rrf does)"},
		{Fuser{Depth: -1}, two, "fusion: Depth is -1; it must not be negative"},
		{Fuser{Method: "combmax", Weights: []float64{1, 1}}, two,
			"fusion: method combmax does not support weights (supported: rrf, combsum, combmnz, borda)"},
		{Fuser{Weights: []float64{1}}, two, "fusion: the number of weights is 1; it must be 2, one per run"},
		{Fuser{Weights: []float64{1, math.Inf(1)}}, two, "fusion: the weight is +Inf; it must be finite"},
		{Fuser{Name: "a b"}, two, `fusion: the name "a b" contains a blank or a control character`},
		{Fuser{Method: "combmin"}, two, "fusion: run 2: line 2: topic 1: the score of the document is infinite; scores " +
			`must be finite for combmin: "b"`},
		{Fuser{Method: "combsum", Normalization: "none"}, []*trec.Run{huge, huge},
			"fusion: combsum: topic 1: document a: the merged score is +Inf; it must be finite"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := c.f.Fuse(t.Context(), c.runs)
			if err == nil || err.Error() != c.want {
				t.Errorf("%+v: %v, want %s", c.f, err, c.want)
			}
		})
	}
	f := Fuser{Method: "combsum"}
	_, err := f.Fuse(t.Context(), two[1:])
	var about *RunError
	var parse *rank.ParseError
	if !errors.As(err, &about) || about.Run != 0 || !errors.As(err, &parse) || parse.Line != 2 {
		t.Errorf("%v is not about line 2 of run 0", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Fuse(ctx, two[:1]); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
	if _, err := new(Fuser).Fuse(t.Context(), two); err != nil {
		t.Errorf("ranks need no finite scores: %v", err)
	}
}

package nearest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/vectors"
)

// A passages contains documents of 0 to 29 tokens of length 1, and a query.
type passages struct {
	tokens, query []float32
	rows, cols    int
	lengths       []int32
}

func newPassages(docs, queryTokens, cols int) *passages {
	r := rand.New(rand.NewPCG(7, 8))
	normalized := func() []float32 {
		v, norm := make([]float32, cols), 0.0
		for i := range v {
			v[i] = float32(r.NormFloat64())
			norm += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(norm))
		}
		return v
	}
	p := &passages{cols: cols}
	for range docs {
		n := r.IntN(30)
		p.lengths = append(p.lengths, int32(n))
		p.rows += n
		for range n {
			p.tokens = append(p.tokens, normalized()...)
		}
	}
	for range queryTokens {
		p.query = append(p.query, normalized()...)
	}
	return p
}

// neighbors returns all documents by their scores in float64, best first.
func (p *passages) neighbors() []Neighbor {
	var all []Neighbor
	first := 0
	for id, n := range p.lengths {
		var sum float64
		for i := 0; i < len(p.query); i += p.cols {
			best := math.Inf(-1)
			for j := first; j < first+int(n); j++ {
				var dot float64
				for k, v := range p.query[i:][:p.cols] {
					dot += float64(v) * float64(p.tokens[j*p.cols+k])
				}
				best = max(best, dot)
			}
			sum += best
		}
		first += int(n)
		all = append(all, Neighbor{int32(id), sum})
	}
	return byDot.sorted(all)
}

// The best documents, and their order, are those of a computation in float64.
func TestReranker(t *testing.T) {
	setTaskBytes(t)
	p := newPassages(200, 5, 24)
	want := p.neighbors()
	r, err := NewReranker[float32](p.tokens, p.rows, p.cols, p.cols, p.lengths)
	if err != nil {
		t.Fatal(err)
	}
	same := func(got, want []Neighbor) bool {
		return slices.EqualFunc(got, want, func(a, b Neighbor) bool {
			return a.ID == b.ID && (a.Score == b.Score || math.Abs(a.Score-b.Score) < 1e-5)
		})
	}
	before := Neighbor{-1, -1}
	var first []Neighbor
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			defer cpu.Force(tier)()
			for r.Threads = range 4 {
				for _, k := range []int{1, 10, 200, 300} {
					n := min(k, len(want))
					got, err := r.AppendNearest(t.Context(), []Neighbor{before}, p.query, k)
					if err != nil || got[0] != before || !same(got[1:], want[:n]) {
						t.Fatalf("%d threads, k = %d: %v, %v\nwant %v", r.Threads, k, got, err, want[:n])
					}
					if k == 200 {
						if first == nil {
							first = got
						}
						if !slices.Equal(got, first) {
							t.Errorf("%d threads: %v, want the bits of %v", r.Threads, got, first)
						}
					}
					candidates := slices.DeleteFunc(slices.Clone(want), func(n Neighbor) bool { return n.ID%3 != 0 })
					some := slices.Clone(candidates[:min(k, len(candidates))])
					slices.SortFunc(candidates, func(a, b Neighbor) int { return int(a.ID*7%200 - b.ID*7%200) })
					got, err = r.AppendReranked(t.Context(), candidates[:0], p.query, candidates, k)
					if err != nil || !same(got, some) {
						t.Fatalf("%d threads, k = %d, reranked: %v, %v\nwant %v", r.Threads, k, got, err, some)
					}
				}
			}
		})
	}
}

// Other types, strides and lengths have the scores of vectors.MaxSim. Ties are sorted by ID, and
// NaNs come last.
func TestRerankerTypes(t *testing.T) {
	testRerankerTypes[float32](t, []float32{1, 2, 9, 3, 4, 9, 1, 2, 9, float32(math.NaN()), 1}, []float32{1, 1})
	testRerankerTypes[vectors.F16](t, []vectors.F16{0x3c00, 0x4000, 0, 0x4200, 0x4400, 0, 0x3c00, 0x4000, 0, 0x7e00, 0},
		[]vectors.F16{0x3c00, 0x3c00})
	testRerankerTypes[float32](t, []vectors.BF16{0x3f80, 0x4000, 0, 0x4040, 0x4080, 0, 0x3f80, 0x4000, 0, 0x7fc0, 0},
		[]float32{1, 1})
	r, err := NewReranker[int8]([]int8{1, 2, 3, 4}, 2, 2, 2, []int64{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.AppendNearest(t.Context(), nil, []int8{1, 1}, 3)
	if want := []Neighbor{{1, 7}, {0, math.Inf(-1)}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func testRerankerTypes[Q, E vectors.Element](t *testing.T, tokens []E, query []Q) {
	t.Run(fmt.Sprintf("%T %T", query, tokens), func(t *testing.T) {
		r, err := NewReranker[Q](tokens, 4, 2, 3, []int{1, 0, 1, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		candidates := []Neighbor{{ID: 4}, {ID: 3}, {ID: 1}, {ID: 2}, {ID: 0}}
		got, err := r.AppendReranked(t.Context(), nil, query, candidates, 9)
		want := []Neighbor{{2, 7}, {0, 3}, {3, 3}, {1, math.Inf(-1)}, {4, math.NaN()}}
		if err != nil || !sameNeighbors(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	})
}

func TestRerankerErrors(t *testing.T) {
	a := make([]float32, 8)
	build := func(rows, cols, stride int, lengths ...int32) error {
		_, err := NewReranker[float32](a, rows, cols, stride, lengths)
		return err
	}
	r, err := NewReranker[float32](a, 4, 2, 2, []int{3, 1})
	if err != nil {
		t.Fatal(err)
	}
	_, types := NewReranker[vectors.F16](a, 4, 2, 2, []int{4})
	_, bytes := NewReranker[uint8](make([]uint8, 8), 4, 2, 2, []int{4})
	_, huge := NewReranker[float32](a, 4, 2, 2, []int64{1, math.MaxInt64})
	rerank := func(ctx context.Context, r *Reranker[float32], query []float32, k int, ids ...int32) error {
		candidates := []Neighbor{}
		for _, id := range ids {
			candidates = append(candidates, Neighbor{ID: id})
		}
		got, err := r.AppendReranked(ctx, make([]Neighbor, 2), query, candidates, k)
		_, err2 := r.AppendNearest(ctx, nil, query, k)
		if len(got) != 2 || len(ids) == 0 && fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Errorf("%d neighbors, %v and %v", len(got), err, err2)
		}
		return err
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	nan := []float32{1, 1, 1, float32(math.NaN())}
	for _, c := range []struct {
		want string
		err  error
	}{
		{"nearest: MaxSim does not support float16 queries with float32 tokens", types},
		{"nearest: MaxSim does not support uint8 queries with uint8 tokens", bytes},
		{"nearest: the stride is 1; it must be at least the number of columns, 2", build(4, 2, 1, 4)},
		{"nearest: 8 elements are too few for 5 rows of 2 columns with stride 2", build(5, 2, 2, 5)},
		{"nearest: document 1 has -1 tokens; the number must not be negative", build(4, 2, 2, 5-1, -1)},
		{"nearest: document 1 has 2 tokens, but only 1 rows remain", build(4, 2, 2, 3, 2)},
		{"nearest: document 1 has 9223372036854775807 tokens, but only 3 rows remain", huge},
		{"nearest: 2 documents have 3 tokens in total, but there are 4 rows", build(4, 2, 2, 3, 0)},
		{"nearest: the query has 0 elements; it must contain whole tokens with 2 elements", rerank(t.Context(), r, nil, 1)},
		{"nearest: the query has 3 elements; it must contain whole tokens with 2 elements", rerank(t.Context(), r, a[:3], 1)},
		{"nearest: the query has 4 elements; it must contain whole tokens with 0 elements", rerank(t.Context(), new(Reranker[float32]), a[:4], 1)},
		{"nearest: the query must not contain NaN (token 1, element 1 of 2)", rerank(t.Context(), r, nan, 1)},
		{"nearest: k is 0; it must be at least 1", rerank(t.Context(), r, a[:2], 0)},
		{"nearest: candidate 1: ID 2 is not one of the 2 documents",
			rerank(t.Context(), r, a[:2], 1, 0, 2)},
		{"nearest: candidate 0: ID -1 is not one of the 2 documents",
			rerank(t.Context(), r, a[:2], 1, -1)},
	} {
		t.Run(c.want, func(t *testing.T) {
			if c.err == nil || c.err.Error() != c.want {
				t.Errorf("%v, want %s", c.err, c.want)
			}
		})
	}
	if err := rerank(canceled, r, a[:2], 1, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if got, err := r.AppendReranked(t.Context(), nil, a[:2], nil, 1); len(got) > 0 || err != nil {
		t.Errorf("no candidates: %v, %v", got, err)
	}
}

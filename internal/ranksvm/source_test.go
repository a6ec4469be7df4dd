package ranksvm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// local is a Source of documents that are here.
type local struct {
	*Problem
	fetches int
}

// Pass goes through the queries in two parts, cut where a block ends.
func (l *local) Pass(ctx context.Context, p Pass) (all Sums, err error) {
	cut := p.Blocks[len(p.Blocks)/2][0]
	for _, part := range [][2]int{{0, cut}, {cut, len(l.Queries) - 1}} {
		problem := *l.Problem
		problem.Block, problem.Queries = p.Block, l.Queries[part[0]:part[1]+1]
		problem.QueryWeights = l.QueryWeights[part[0]:]
		sums, err := p.Of(ctx, &problem)
		if err != nil {
			return all, err
		}
		all.Append(sums)
	}
	return all, nil
}

func (l *local) Fetch(_ context.Context, draws []Draw, length int) (*Fetched, error) {
	l.fetches++
	f := &Fetched{}
	var all []int32
	for _, d := range draws {
		rows, pairs := d.Rows(l.Problem, length)
		f.Ranges = append(f.Ranges, [2]int{len(all), len(all) + len(rows)})
		f.Pairs = append(f.Pairs, pairs)
		all = append(all, rows...)
	}
	f.Features.gather(&l.Features, all)
	for _, r := range all {
		f.Labels = append(f.Labels, l.Labels[r])
	}
	return f, nil
}

func (l *local) Variances(context.Context, []float64) error { panic("not called") }
func (l *local) Weighted([]float64) Source                  { panic("not called") }

// A Source gives the sums and the samples of documents that are here, to the bit, also where some
// parts of queries have no pairs.
func TestSource(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := &Problem{Threads: 2, C: 1, PerQuery: true}
	p.Queries, p.Features = []int{0}, Matrix{Cols: 3, Stride: 3}
	for q := range 300 {
		for i := range 1 + r.IntN(60) {
			y := 0.0
			if i == 0 || q%3 == 0 && r.IntN(2) == 0 {
				y = float64(1 + r.IntN(3))
			}
			p.Labels = append(p.Labels, y)
			for range 3 {
				p.Features.X = append(p.Features.X, float32(r.IntN(1000))/999)
			}
		}
		p.Queries = append(p.Queries, len(p.Labels))
		p.QueryWeights = append(p.QueryWeights, float64(q%7))
	}
	p.Gain = func(y float64) float64 { return y * y }
	source := &local{Problem: p}
	away := *p
	away.Source, away.Features, away.Labels, away.Queries = source, Matrix{Cols: 3}, nil, nil
	away.Rows = len(p.Labels)
	for q := range p.Queries[1:] {
		lo, hi := p.Queries[q], p.Queries[q+1]
		away.Sizes = append(away.Sizes, Size{hi - lo, CountPairs(p.Labels[lo:hi])})
	}
	here, there := newPairSet(p), newPairSet(&away)
	w, g, h := []float64{1, -2, 0.5}, make([]float64, 3), make([]float64, 3)
	same := func(t *testing.T, what string, a, b *pairSet) {
		t.Helper()
		if a.docs != b.docs || a.pairs != b.pairs || len(a.units) != len(b.units) {
			t.Errorf("%s: %d documents, %d pairs, %d units, want %d, %d, %d", what, b.docs, b.pairs, len(b.units),
				a.docs, a.pairs, len(a.units))
		}
		for _, loss := range []pairLoss{{kind: SquaredHinge}, {kind: Hinge, width: 0.5}, {kind: Logistic}} {
			want, err := a.loss(t.Context(), loss, w, g)
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.loss(t.Context(), loss, w, h)
			if err != nil || got != want || !slices.Equal(g, h) {
				t.Errorf("%s, loss %d: %v, %v, want %v, %v; %v", what, loss.kind, got, h, want, g, err)
			}
			if only, err := b.loss(t.Context(), loss, w, nil); err != nil || only != want {
				t.Errorf("%s, loss %d alone: %v, want %v, %v", what, loss.kind, only, want, err)
			}
		}
	}
	same(t, "all", here, there)
	for _, c := range []struct {
		docs, length int
		again        bool // some parts have no pairs, so that others are drawn
	}{{500, 64, false}, {500, 4, true}, {3000, 3, true}, {1e6, 4, false}, {1e6, 64, false}} {
		t.Run(fmt.Sprint(c.docs, c.length), func(t *testing.T) {
			a, whole, err := here.sample(t.Context(), c.docs, c.length)
			if err != nil {
				t.Fatal(err)
			}
			source.fetches = 0
			b, all, err := there.sample(t.Context(), c.docs, c.length)
			if err != nil || all != whole {
				t.Fatal(all, whole, err)
			}
			if source.fetches > 1 != c.again {
				t.Errorf("%d fetches", source.fetches)
			}
			same(t, "sample", a, b)
			for i := range a.units {
				u, v := a.units[i], b.units[i]
				if u.weight != v.weight || u.full != v.full || u.pairs != v.pairs || !slices.Equal(u.lower, v.lower) {
					t.Fatalf("unit %d is %+v, want %+v", i, v, u)
				}
			}
			x, y := make([]float64, 9), make([]float64, 9)
			if err := a.hessian(t.Context(), pairLoss{}, w, x, false); err != nil {
				t.Fatal(err)
			}
			if err := b.hessian(t.Context(), pairLoss{}, w, y, false); err != nil || !slices.Equal(x, y) {
				t.Errorf("Hessian %v, want %v, %v", y, x, err)
			}
		})
	}
}

package lambdamart

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/sharded"
	"github.com/simdrank/simdrank/rank"
)

// inMemory are passes over shards that are pieces in memory, each with a worker of its own.
type inMemory struct {
	train, valid []*sharded.Piece
	workers      []sharded.Worker // of those, and one for validation data
	evaluator    *rank.Evaluator
	grown        func(p *sharded.Progress) error
}

// deal cuts d into n pieces of whole queries, with their rows as they are.
func deal(t *testing.T, d *rank.Dataset, n int) (pieces []*sharded.Piece, rows []*rank.Dataset) {
	t.Helper()
	for i := range n {
		var list []int
		first := i * d.Queries() / n
		for q := first; q < (i+1)*d.Queries()/n; q++ {
			list = append(list, q)
		}
		part, err := d.SubsetQueries(list)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, part.ToDense())
		about := *part
		about.X, about.Sparse, about.Cols, about.Stride = nil, nil, 0, 0
		pieces = append(pieces, &sharded.Piece{Data: &about, Piece: boost.Piece{FirstRow: d.Offsets[first],
			FirstQuery: first, Offsets: part.Offsets, Scores: make([]float64, part.Rows())}})
	}
	return pieces, rows
}

// fitShards trains on n shards as rankbeam does.
func fitShards(t *testing.T, o *Trainer, d, valid *rank.Dataset, n int, done *sharded.Progress,
	grown func(p *sharded.Progress) error) *Result {
	t.Helper()
	g := sharded.New(o)
	if err := g.Check(d.Rows(), d.Cols, d.Names); err != nil {
		t.Fatal(err)
	}
	m := &inMemory{grown: grown}
	pieces, rows := deal(t, d, n)
	m.train = pieces
	features := make([]boost.Feature, d.Cols)
	values := make([][]float32, d.Cols)
	var labels num.ExactMean
	all := g.Sample(d.Rows())
	for i, p := range pieces {
		own := make([]boost.Feature, d.Cols)
		var mean num.ExactMean
		if err := g.Count(own, &mean, rows[i]); err != nil {
			t.Fatal(err)
		}
		labels.Merge(&mean)
		for f := range own {
			features[f].Merge(&own[f])
		}
		for _, r := range all {
			if r := int(r) - p.FirstRow; r >= 0 && r < rows[i].Rows() {
				for f, v := range rows[i].Row(r) {
					values[f] = append(values[f], v)
				}
			}
		}
	}
	list := make([]boost.Binning, d.Cols)
	for f := range list {
		if slices.Contains(o.Categorical, f) {
			list[f], _ = g.Categorical(f, &features[f])
		} else {
			list[f] = g.Numerical(values[f], features[f].Missing)
		}
	}
	worker := *o
	worker.Start, worker.Validation, worker.EarlyStopping = nil, nil, 0
	if valid != nil {
		m.evaluator = o.Validation[0].Evaluator
		var rows2 []*rank.Dataset
		m.valid, rows2 = deal(t, valid, min(n, 2))
		rows = append(rows, rows2...)
	}
	start := o.Start
	if done != nil {
		start = done.Model.(*Model)
	}
	for i, p := range slices.Concat(m.train, m.valid) {
		w := sharded.New(&worker).Worker(list)
		p.Bins = w.Fill(rows[i], i >= n)
		m.workers = append(m.workers, w)
		for i := range p.Scores {
			p.Scores[i] = g.Bias(&labels)
		}
		if start != nil {
			if err := start.ScoreInto(t.Context(), p.Scores, rows[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := g.Fit(t.Context(), &rank.Dataset{Cols: d.Cols, Names: d.Names}, d.Rows(), list, g.Bias(&labels), done, m)
	if err != nil {
		t.Fatal(err)
	}
	return r.(*Result)
}

func (m *inMemory) Step(ctx context.Context, done *boost.CutTree, next int) (*sharded.Stepped, error) {
	at := &sharded.Stepped{}
	if done != nil {
		for i, p := range slices.Concat(m.train, m.valid) {
			if err := m.workers[i].Add(p, done); err != nil {
				return nil, err
			}
		}
		if m.evaluator != nil {
			means := make([]num.ExactMean, len(m.evaluator.Metrics()))
			for _, p := range m.valid {
				r, err := m.evaluator.EvalScores(ctx, p.Scores, p.Data)
				if err != nil {
					return nil, err
				}
				for k := range means {
					means[k].Add(r.Metrics[k].Values, r.Metrics[k].Weights, r.Metrics[k].Skipped > 0)
				}
			}
			for k := range means {
				at.Values = append(at.Values, sharded.Value{Mean: means[k].Value(), Skipped: means[k].Skipped})
			}
		}
	}
	for i, p := range m.train {
		if next < 0 {
			break
		}
		var n int
		var err error
		if at.Sums, n, err = m.workers[i].Derive(p, next, at.Sums); err != nil {
			return nil, err
		}
		at.Drawn += n
	}
	return at, nil
}

func (m *inMemory) Grow(_ context.Context, g *boost.Growth, h *boost.Histograms) error {
	for i := range m.train { // sums are the same in any order
		i = len(m.train) - 1 - i
		if err := m.workers[i].Histograms(m.train[i], g, h); err != nil {
			return err
		}
	}
	return nil
}

func (m *inMemory) Grown(_ context.Context, p *sharded.Progress) error {
	if m.grown == nil {
		return nil
	}
	return m.grown(p)
}

// Training on shards gives the bits of one machine under every option, from the start and on from
// any tree.
func TestSharded(t *testing.T) {
	plain, few := ranking(60, 12, 1), fewValues(ranking(50, 14, 2))
	weighted := ranking(40, 8, 3)
	weighted.Weights = make([]float64, weighted.Rows())
	weighted.QueryWeights = make([]float64, weighted.Queries())
	for i := range weighted.Weights {
		weighted.Weights[i] = float64(i%5) / 2
	}
	for q := range weighted.QueryWeights {
		weighted.QueryWeights[q] = float64(1 + q%3)
	}
	deep := mixed
	deep.DepthWise, deep.Leaves, deep.Depth = true, 0, 5
	levels := restrained
	levels.DepthWise, levels.Depth = true, 4
	start, err := (&Trainer{Trees: 2, Leaves: 4}).Fit(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		name string
		o    Trainer
		d    *rank.Dataset
	}{
		{"ndcg", Trainer{Trees: 4, DepthWise: true, Depth: 4}, plain},
		{"map", Trainer{Trees: 3, DepthWise: true, Depth: 3, Objective: MAP}, plain},
		{"pairwise", Trainer{Trees: 3, DepthWise: true, Leaves: 11, Objective: Pairwise, Truncation: -1}, plain},
		{"xe-ndcg", Trainer{Trees: 3, DepthWise: true, Depth: 3, Objective: XENDCG, Seed: 4}, plain},
		{"mean pairs", Trainer{Trees: 3, DepthWise: true, Depth: 3, MeanPairs: 2, Seed: 4}, plain},
		{"listnet", Trainer{Trees: 3, DepthWise: true, Depth: 3, Objective: ListNet}, weighted},
		{"yetirank", Trainer{Trees: 3, DepthWise: true, Depth: 3, Objective: YetiRank, Seed: 4}, plain},
		{"query-rmse", Trainer{Trees: 3, DepthWise: true, Depth: 3, Objective: QueryRMSE}, weighted},
		{"binary", Trainer{Trees: 3, DepthWise: true, Depth: 3, Objective: Binary, Sigmoid: .3}, weighted},
		{"regression", Trainer{Trees: 3, DepthWise: true, Depth: 3, Objective: Regression, RowFraction: .7}, weighted},
		{"regression on", Trainer{Trees: 2, DepthWise: true, Objective: Regression, Start: start.Model}, plain},
		{"mixed", deep, plain},
		{"few values", Trainer{Trees: 3, DepthWise: true, Depth: 5, MinRows: 3, Bins: 40}, few},
		{"zeros missing", Trainer{Trees: 3, DepthWise: true, ZeroMissing: true, FeatureFraction: .5}, few},
		{"sparse", Trainer{Trees: 3, DepthWise: true, ZeroMissing: true}, few.ToSparse()},
		{"weights", Trainer{Trees: 3, DepthWise: true, RowFraction: .5}, weighted},
		{"restrained", levels, plain},
		{"start", Trainer{Trees: 2, DepthWise: true, QueryFraction: .7, Start: start.Model}, plain},
		{"no split", Trainer{Trees: 3, DepthWise: true, MinRows: 10000}, plain},
		{"no split of some", Trainer{Trees: 3, DepthWise: true, MinRows: 10000, QueryFraction: .5}, plain},
	} {
		if testing.Short() && i%3 > 0 {
			continue // emulated
		}
		want, err := c.o.Fit(t.Context(), c.d)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 3, 8} {
			got := fitShards(t, &c.o, c.d, nil, n, nil, nil)
			if bitsOf(t, got.Model) != bitsOf(t, want.Model) || got.Stop != want.Stop || got.Grown != want.Grown {
				t.Errorf("%s: %d shards differ: %d trees (%s), want %d (%s)", c.name, n, got.Grown, got.Stop,
					want.Grown, want.Stop)
			}
		}
		boost.KeepBytes = 1 // leaves cannot keep their histograms
		without := fitShards(t, &c.o, c.d, nil, 2, nil, nil)
		if boost.KeepBytes = 1 << 30; bitsOf(t, without.Model) != bitsOf(t, want.Model) {
			t.Errorf("%s: differs without kept histograms", c.name)
		}
		var half *sharded.Progress
		keep := func(p *sharded.Progress) error {
			if p.Trees == 1 {
				m := *p.Model.(*Model)
				m.Trees = slices.Clone(m.Trees)
				half = &sharded.Progress{Model: &m, Trees: 1}
			}
			return nil
		}
		fitShards(t, &c.o, c.d, nil, 2, nil, keep)
		if half == nil {
			continue
		}
		if got := fitShards(t, &c.o, c.d, nil, 3, half, nil); bitsOf(t, got.Model) != bitsOf(t, want.Model) {
			t.Errorf("%s: a training that goes on differs", c.name)
		}
	}
}

// Early stopping, with the validation data in shards of their own, also after an interruption.
func TestShardedValidation(t *testing.T) {
	d, valid := ranking(40, 8, 5), ranking(20, 8, 9)
	for i := range valid.Rows() { // what is no category of the training data
		valid.Row(i)[3] = float32(i%40)/2 - 3
	}
	// Features that share bytes, with values that the training data lack.
	few, odd := fewValues(ranking(40, 8, 5)), fewValues(ranking(20, 8, 9))
	for i := range odd.Rows() {
		odd.Row(i)[i%8] = []float32{nan, 77, -1, float32(math.Inf(1)), 2.5}[i%5]
	}
	for _, c := range []struct {
		d, valid    *rank.Dataset
		zeroMissing bool
		categorical []int
	}{
		{d, valid, false, []int{3}}, {d, valid, true, []int{3}},
		{few, odd, false, []int{1, 2, 7}}, {few, odd, true, []int{0, 2}},
	} {
		d, valid := c.d, c.valid
		o := Trainer{Trees: 40, DepthWise: true, Depth: 3, LearningRate: .7, EarlyStopping: 3,
			Categorical: c.categorical, CategoryRows: 1, ZeroMissing: c.zeroMissing}
		o.Validation = []Validation{{Name: "valid", Data: valid, Evaluator: evaluator(t, "ndcg@5,map")}}
		want, err := o.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if want.Stop != StopEarly {
			t.Fatalf("%s after %d trees", want.Stop, want.Grown)
		}
		var states []*sharded.Progress
		keep := func(p *sharded.Progress) error {
			m := *p.Model.(*Model)
			m.Trees = slices.Clone(m.Trees)
			s := &sharded.Progress{Model: &m, Trees: p.Trees}
			for _, v := range p.Values {
				s.Values = append(s.Values, slices.Clone(v))
			}
			states = append(states, s)
			return nil
		}
		check := func(got *Result) {
			t.Helper()
			if bitsOf(t, got.Model) != bitsOf(t, want.Model) || got.Best != want.Best || got.Stop != want.Stop ||
				got.Model.Best != want.Model.Best || fmt.Sprint(got.Curves) != fmt.Sprint(want.Curves) {
				t.Errorf("best %d, %s, %v\nwant %d, %s, %v", got.Best, got.Stop, got.Curves, want.Best, want.Stop,
					want.Curves)
			}
		}
		check(fitShards(t, &o, d, valid, 3, nil, keep))
		for _, s := range []*sharded.Progress{states[0], states[len(states)-2], states[len(states)-1]} {
			check(fitShards(t, &o, d, valid, 2, s, nil))
		}
	}
}

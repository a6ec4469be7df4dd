package sharded

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

type trainer = lambdamart.Trainer

var nan = float32(math.NaN())

// deep returns the default trainer, but with trees that grow level by level, and with the fields of
// o that are not 0 and fields of these names set to 0. Only Depth limits trees unless o has Leaves.
func deep(o trainer, zero ...string) *trainer {
	o.DepthWise = true
	if o.Leaves == 0 {
		zero = append(zero, "Leaves")
	}
	return testkit.With(lambdamart.DefaultTrainer(), o, zero...)
}

// mixed and restrained use whatever decides bits.
var (
	mixed = *deep(trainer{Trees: 6, Depth: 5, MinRows: 5, Categorical: []int{3}, L1: .1, L2: 1,
		Monotone: []int8{1}, QueryFraction: .9, RowFraction: .9, FeatureFraction: .8, Seed: 3})
	restrained = *deep(trainer{Trees: 5, Depth: 4, MinRows: 4, Categorical: []int{3},
		Monotone: []int8{1}, ExtraTrees: true, NodeFeatureFraction: .7,
		Interactions: [][]int{{0, 1, 2, 3}, {3, 4, 5, 6}, {7, 0}}, MaxDeltaStep: .8, PathSmooth: 3, Seed: 9})
)

// inMemory are passes over shards that are pieces in memory, each with a worker of its own.
type inMemory struct {
	train, valid []*Piece
	workers      []*Worker // of those, and one for validation data
	evaluator    *rank.Evaluator
	grown        func(p *Progress) error
}

// deal cuts d into n pieces of whole queries, with their rows as they are.
func deal(t *testing.T, d *rank.Dataset, n int) (pieces []*Piece, rows []*rank.Dataset) {
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
		pieces = append(pieces, &Piece{Data: &about, Piece: boost.Piece{FirstRow: d.Offsets[first],
			FirstQuery: first, Offsets: part.Offsets, Scores: make([]float64, part.Rows())}})
	}
	return pieces, rows
}

// fitShards trains on n shards as rankbeam does.
func fitShards(t *testing.T, o *lambdamart.Trainer, d, valid *rank.Dataset, n int, done *Progress,
	grown func(p *Progress) error) *lambdamart.Result {
	t.Helper()
	g, err := New(o, d.Rows(), d.Cols, d.Names, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &inMemory{grown: grown}
	pieces, rows := deal(t, d, n)
	m.train = pieces
	features := make([]boost.Feature, d.Cols)
	values := make([][]float32, d.Cols)
	var labels num.ExactMean
	all := boost.SampleRows(d.Rows())
	for i, p := range pieces {
		own := make([]boost.Feature, d.Cols)
		var mean num.ExactMean
		if err := g.CountRows(own, &mean, rows[i]); err != nil {
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
			list[f], _ = g.Categorize(f, &features[f])
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
		start = done.Model
	}
	for i, p := range slices.Concat(m.train, m.valid) {
		g, err := New(&worker, d.Rows(), d.Cols, d.Names, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := g.Worker(list)
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
	r, err := g.Fit(t.Context(), list, g.Bias(&labels), done, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (m *inMemory) Step(ctx context.Context, done *boost.CutTree, next int) (*Stepped, error) {
	at := &Stepped{}
	if done != nil {
		for i, p := range slices.Concat(m.train, m.valid) {
			if err := m.workers[i].Add(&p.Piece, done); err != nil {
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
				at.Values = append(at.Values, Value{Mean: means[k].Value(), Skipped: means[k].Skipped})
			}
		}
	}
	for i, p := range m.train {
		if next < 0 {
			break
		}
		var n int
		var err error
		if at.Sums, n, err = m.workers[i].Derive(ctx, p, next, at.Sums); err != nil {
			return nil, err
		}
		at.Drawn += n
	}
	return at, nil
}

func (m *inMemory) Grow(_ context.Context, g *boost.Growth, h *boost.Histograms) error {
	for i := range m.train { // sums are the same in any order
		i = len(m.train) - 1 - i
		if err := m.workers[i].Histograms(&m.train[i].Piece, g, h); err != nil {
			return err
		}
	}
	return nil
}

func (m *inMemory) Grown(_ context.Context, p *Progress) error {
	if m.grown == nil {
		return nil
	}
	return m.grown(p)
}

// Training on shards gives the bits of one machine under every option, from the start and on from
// any tree.
func TestSharded(t *testing.T) {
	plain, few := synth.Ranking(60, 12, 1), synth.FewValues(synth.Ranking(50, 14, 2))
	weighted := synth.Ranking(40, 8, 3)
	weighted.Weights = make([]float64, weighted.Rows())
	weighted.QueryWeights = make([]float64, weighted.Queries())
	for i := range weighted.Weights {
		weighted.Weights[i] = float64(i%5) / 2
	}
	for q := range weighted.QueryWeights {
		weighted.QueryWeights[q] = float64(1 + q%3)
	}
	start, err := testkit.With(lambdamart.DefaultTrainer(), trainer{Trees: 2, Leaves: 4}).Fit(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		name string
		o    trainer
		d    *rank.Dataset
	}{
		{"ndcg", *deep(trainer{Trees: 4, Depth: 4}), plain},
		{"map", *deep(trainer{Trees: 3, Depth: 3, Objective: lambdamart.MAP}), plain},
		{"pairwise", *deep(trainer{Trees: 3, Leaves: 11, Objective: lambdamart.Pairwise}, "Truncation"), plain},
		{"xe-ndcg", *deep(trainer{Trees: 3, Depth: 3, Objective: lambdamart.XENDCG, Seed: 4}), plain},
		{"mean pairs", *deep(trainer{Trees: 3, Depth: 3, MeanPairs: 2, Seed: 4}), plain},
		{"listnet", *deep(trainer{Trees: 3, Depth: 3, Objective: lambdamart.ListNet}), weighted},
		{"yetirank", *deep(trainer{Trees: 3, Depth: 3, Objective: lambdamart.YetiRank, Seed: 4}), plain},
		{"query-rmse", *deep(trainer{Trees: 3, Depth: 3, Objective: lambdamart.QueryRMSE}), weighted},
		{"binary", *deep(trainer{Trees: 3, Depth: 3, Objective: lambdamart.Binary, Sigmoid: .3}), weighted},
		{"regression", *deep(trainer{Trees: 3, Depth: 3, Objective: lambdamart.Regression,
			RowFraction: .7}), weighted},
		{"regression on", *deep(trainer{Trees: 2, Objective: lambdamart.Regression, Start: start.Model}),
			plain},
		{"mixed", mixed, plain},
		{"few values", *deep(trainer{Trees: 3, Depth: 5, MinRows: 3, Bins: 40}), few},
		{"zeros missing", *deep(trainer{Trees: 3, ZeroMissing: true, FeatureFraction: .5}), few},
		{"sparse", *deep(trainer{Trees: 3, ZeroMissing: true}), few.ToSparse()},
		{"weights", *deep(trainer{Trees: 3, RowFraction: .5}), weighted},
		{"restrained", restrained, plain},
		{"start", *deep(trainer{Trees: 2, QueryFraction: .7, Start: start.Model}), plain},
		{"no split", *deep(trainer{Trees: 3, MinRows: 10000}), plain},
		{"no split of some", *deep(trainer{Trees: 3, MinRows: 10000, QueryFraction: .5}), plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && i%3 > 0 {
				return // emulated
			}
			want, err := c.o.Fit(t.Context(), c.d)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{1, 3, 8} {
				got := fitShards(t, &c.o, c.d, nil, n, nil, nil)
				if testkit.JSON(got.Model) != testkit.JSON(want.Model) || got.Stop != want.Stop ||
					got.Grown != want.Grown {
					t.Errorf("%d shards differ: %d trees (%s), want %d (%s)", n, got.Grown, got.Stop,
						want.Grown, want.Stop)
				}
			}
			boost.KeepBytes = 1 // leaves cannot keep their histograms
			without := fitShards(t, &c.o, c.d, nil, 2, nil, nil)
			if boost.KeepBytes = 1 << 30; testkit.JSON(without.Model) != testkit.JSON(want.Model) {
				t.Error("differs without kept histograms")
			}
			var half *Progress
			keep := func(p *Progress) error {
				if p.Trees == 1 {
					m := *p.Model
					m.Trees = slices.Clone(m.Trees)
					half = &Progress{Model: &m, Trees: 1}
				}
				return nil
			}
			fitShards(t, &c.o, c.d, nil, 2, nil, keep)
			if half == nil {
				return
			}
			if got := fitShards(t, &c.o, c.d, nil, 3, half, nil); testkit.JSON(got.Model) != testkit.JSON(want.Model) {
				t.Error("a training that goes on differs")
			}
		})
	}
}

// Early stopping, with the validation data in shards of their own, also after an interruption.
func TestShardedValidation(t *testing.T) {
	d, valid := synth.Ranking(40, 8, 5), synth.Ranking(20, 8, 9)
	for i := range valid.Rows() { // what is no category of the training data
		valid.Row(i)[3] = float32(i%40)/2 - 3
	}
	// Features that share bytes, with values that the training data lack.
	few, odd := synth.FewValues(synth.Ranking(40, 8, 5)), synth.FewValues(synth.Ranking(20, 8, 9))
	for i := range odd.Rows() {
		odd.Row(i)[i%8] = []float32{nan, 77, -1, float32(math.Inf(1)), 2.5}[i%5]
	}
	e, err := rank.NewEvaluator("ndcg@5,map", rank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		d, valid    *rank.Dataset
		zeroMissing bool
		categorical []int
	}{
		{d, valid, false, []int{3}}, {d, valid, true, []int{3}},
		{few, odd, false, []int{1, 2, 7}}, {few, odd, true, []int{0, 2}},
	} {
		t.Run(fmt.Sprint(c.zeroMissing, " ", c.categorical), func(t *testing.T) {
			d, valid := c.d, c.valid
			o := *deep(trainer{Trees: 40, Depth: 3, LearningRate: .7, EarlyStopping: 3,
				Categorical: c.categorical, CategoryRows: 1, ZeroMissing: c.zeroMissing})
			o.Validation = []lambdamart.Validation{{Name: "valid", Data: valid, Evaluator: e}}
			want, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			if want.Stop != boost.StopEarly {
				t.Fatalf("%s after %d trees", want.Stop, want.Grown)
			}
			var states []*Progress
			keep := func(p *Progress) error {
				m := *p.Model
				m.Trees = slices.Clone(m.Trees)
				s := &Progress{Model: &m, Trees: p.Trees}
				for _, v := range p.Values {
					s.Values = append(s.Values, slices.Clone(v))
				}
				states = append(states, s)
				return nil
			}
			check := func(got *lambdamart.Result) {
				t.Helper()
				if testkit.JSON(got.Model) != testkit.JSON(want.Model) || got.Best != want.Best ||
					got.Stop != want.Stop ||
					got.Model.Best != want.Model.Best || fmt.Sprint(got.Curves) != fmt.Sprint(want.Curves) {
					t.Errorf("best %d, %s, %v\nwant %d, %s, %v", got.Best, got.Stop, got.Curves, want.Best, want.Stop,
						want.Curves)
				}
			}
			check(fitShards(t, &o, d, valid, 3, nil, keep))
			for _, s := range []*Progress{states[0], states[len(states)-2], states[len(states)-1]} {
				check(fitShards(t, &o, d, valid, 2, s, nil))
			}
		})
	}
}

// Every option that decides how a tree grows is passed on.
func TestParams(t *testing.T) {
	names := map[string]string{"MaxBins": "Bins", "File": "BinsFile"}
	var o lambdamart.Trainer
	each := func(p reflect.Value, do func(name string, p, field reflect.Value)) {
		for i := range p.NumField() {
			name := p.Type().Field(i).Name
			do(name, p.Field(i), reflect.ValueOf(&o).Elem().FieldByName(cmp.Or(names[name], name)))
		}
	}
	set := func(_ string, p, field reflect.Value) {
		switch {
		case field.CanInt():
			field.SetInt(7)
		case field.CanUint():
			field.SetUint(7)
		case field.CanFloat():
			field.SetFloat(.5)
		case field.Kind() == reflect.Bool:
			field.SetBool(true)
		case field.Kind() == reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 2, 2))
		}
	}
	check := func(name string, p, field reflect.Value) {
		if name != "BinOptions" && !reflect.DeepEqual(p.Interface(), field.Interface()) {
			t.Errorf("%s is %v, want %v", name, p, field)
		}
	}
	for _, p := range []any{boost.Params{}, boost.BinOptions{}} {
		each(reflect.ValueOf(p), set)
	}
	p := params(&o)
	each(reflect.ValueOf(*p), check)
	each(reflect.ValueOf(p.BinOptions), check)
}

// own is an objective of a program's own.
type own struct{}

func (own) String() string { return "own" }

func (own) Begin(*lambdamart.Trainer, *rank.Dataset) (lambdamart.QueryLoss, float64, error) {
	return nil, 0, nil
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		o    trainer
		rows int
		want string
	}{
		{*lambdamart.DefaultTrainer(), 9, "lambdamart: training on shards requires DepthWise"},
		{*deep(trainer{Dart: true}), 9, "lambdamart: Dart is not supported on shards"},
		{*deep(trainer{BinsFile: "a"}), 9, "lambdamart: BinsFile is not supported on shards"},
		{*deep(trainer{PositionBias: "additive"}), 9,
			"lambdamart: PositionBias is not supported on shards"},
		{*deep(trainer{Checkpoint: "a"}), 9, "lambdamart: Checkpoint is not supported on shards"},
		{*deep(trainer{Objective: own{}}), 9,
			"lambdamart: the custom objective own is not supported on shards"},
		{*deep(trainer{Categorical: []int{2}}), 9, "lambdamart: categorical feature 2 does not exist: features are numbered 0 to 1"},
		{*deep(trainer{MinRows: -1}), 9, "lambdamart: MinRows is -1; it must be at least 0"},
		{*deep(trainer{Sigmoid: -1}), 9, "lambdamart: Sigmoid is -1; it must be positive and finite"},
		{*deep(trainer{}), 0, "lambdamart: cannot train on 0 rows and 2 features: the data must have rows and features"},
	} {
		t.Run(c.want, func(t *testing.T) {
			c.o.DepthWise = !strings.Contains(c.want, "DepthWise")
			if _, err := New(&c.o, c.rows, 2, nil, nil); err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// Weighted labels beyond float64 are an error, and so are categories that are none.
func TestWrongRows(t *testing.T) {
	d := rank.NewDataset(2, 1)
	d.Offsets, d.QueryIDs = []int{0, 2}, []string{"q"}
	d.Labels, d.Weights = []float64{1e308, 1e308}, []float64{10, 10}
	d.Row(1)[0] = .5
	o := deep(trainer{Objective: lambdamart.Regression})
	g, err := New(o, 2, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var labels num.ExactMean
	if err := g.CountRows(make([]boost.Feature, 1), &labels, d); err != nil {
		t.Fatal(err)
	}
	const want = "lambdamart: objective regression: the initial score is +Inf; it must be finite"
	if _, err = g.Fit(t.Context(), nil, g.Bias(&labels), nil, nil); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	o.Categorical = []int{0}
	if g, err = New(o, 2, 1, nil, nil); err != nil {
		t.Fatal(err)
	}
	err = g.CountRows(make([]boost.Feature, 1), &labels, d)
	if err == nil || err.Error() != "lambdamart: row 1: 0.5 is not a category of feature 1; it must be an integer below 16777216" {
		t.Error(err)
	}
}

// TestDeriveCanceled: a worker computes no derivatives after its context has ended.
func TestDeriveCanceled(t *testing.T) {
	d := synth.Ranking(4, 6, 1)
	g, err := New(deep(trainer{Depth: 2}), d.Rows(), d.Cols, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := g.Worker(slices.Repeat([]boost.Binning{{Bounds: []float32{1}, Missing: -1, Bins: 1}}, d.Cols))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ctx := range map[string]context.Context{"running": t.Context(), "ended": ended} {
		t.Run(name, func(t *testing.T) {
			p := &Piece{Data: d, Piece: boost.Piece{Offsets: d.Offsets, Scores: make([]float64, d.Rows())}}
			_, n, err := w.Derive(ctx, p, 0, nil)
			derived := slices.ContainsFunc(p.Grad, func(v float32) bool { return v != 0 })
			if want := ctx.Err(); err != want || n != d.Rows() || derived == (want != nil) {
				t.Errorf("%d rows, derived %v, %v", n, derived, err)
			}
		})
	}
}

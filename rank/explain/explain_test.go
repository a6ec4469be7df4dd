package explain

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// models returns one model of each kind, trained on some data, and the data.
func models(t *testing.T) (map[string]rank.Model, *rank.Dataset) {
	t.Helper()
	d := synth.Config{Seed: 3, Rows: 600, Cols: 9}.Dataset()
	linear, err := (&rank.Ridge{}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Leaves = 8, 7
	fit, err := trainer.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]rank.Model{"linear": linear, "trees": fit.Model}, d
}

// query explains a query with a new Explainer.
func query(ctx context.Context, m rank.Model, d *rank.Dataset, q int, o Options) (*Ranking, error) {
	e, err := New(m)
	if err != nil {
		return nil, err
	}
	return e.Explain(ctx, d, q, o)
}

// TestQuery checks that the differences of the features sum to those of the scores, and that the
// listed features have the largest effects.
func TestQuery(t *testing.T) {
	all, dense := models(t)
	unlabeled := &rank.Dataset{X: dense.X, Cols: dense.Cols, Stride: dense.Stride, Offsets: dense.Offsets,
		QueryIDs: dense.QueryIDs}
	for name, m := range all {
		t.Run(name, func(t *testing.T) {
			for kind, d := range map[string]*rank.Dataset{
				"dense": dense, "sparse": dense.ToSparse(), "unlabeled": unlabeled,
			} {
				t.Run(kind, func(t *testing.T) {
					r, err := query(t.Context(), m, d, 2, Options{Features: 3})
					if err != nil {
						t.Fatal(err)
					}
					lo, hi := d.Query(2)
					if r.Query != d.QueryIDs[2] || r.Total != hi-lo || len(r.Documents) != hi-lo {
						t.Errorf("query %s, %d documents, %d explained", r.Query, r.Total, len(r.Documents))
					}
					scores := make([]float64, d.Rows())
					if err := m.ScoreInto(t.Context(), scores, d); err != nil {
						t.Fatal(err)
					}
					order := kernels.AppendOrder(nil, scores[lo:hi], nil)
					phi := contributions(t, m, d)
					width := m.Features() + 1
					for k, doc := range r.Documents {
						last := k == len(order)-1
						next, above := -1, doc.Score-r.Base
						if !last {
							next = lo + order[k+1]
							above = doc.Score - scores[next]
						}
						if doc.Rank != k+1 || doc.Row != lo+order[k] || doc.Next != next ||
							doc.Score != scores[doc.Row] ||
							doc.Above != above {
							t.Errorf("rank %d: %+v", k+1, doc)
						}
						sum, least := doc.Others, math.Inf(1)
						listed := map[int]bool{}
						for _, f := range doc.Features {
							want := phi[doc.Row*width+f.Column]
							if f.Contribution != want || f.Value != d.Row(doc.Row)[f.Column] {
								t.Errorf("rank %d: %+v, want a contribution of %v", k+1, f, want)
							}
							if !last && f.Next != d.Row(next)[f.Column] {
								t.Errorf("rank %d: %+v", k+1, f)
							}
							if math.Abs(f.Difference) > least {
								t.Errorf("rank %d: features out of order", k+1)
							}
							least = math.Abs(f.Difference)
							sum += f.Difference
							listed[f.Column] = true
						}
						if math.Abs(sum-doc.Above) > 1e-12*math.Max(1, math.Abs(doc.Score)) {
							t.Errorf("rank %d: differences sum to %v, scores differ by %v", k+1, sum, doc.Above)
						}
						for j := range width - 1 {
							difference := phi[doc.Row*width+j]
							if !last {
								difference -= phi[next*width+j]
							}
							if !listed[j] && math.Abs(difference) > least {
								t.Errorf("rank %d: feature %d, which moved it by %v, is not listed", k+1, j,
									difference)
							}
						}
					}
				})
			}
		})
	}
}

func TestQueryOptions(t *testing.T) {
	all, d := models(t)
	m := all["linear"].(*rank.Linear)
	whole, err := query(t.Context(), m, d, 0, Options{Features: 9})
	if err != nil {
		t.Fatal(err)
	}
	best, err := query(t.Context(), m, d, 0, Options{Documents: 2, Features: 9})
	if err != nil || len(best.Documents) != 2 || best.Total != whole.Total {
		t.Fatalf("%+v, %v", best, err)
	}
	rows := []int{whole.Documents[5].Row, whole.Documents[3].Row, whole.Documents[5].Row}
	some, err := query(t.Context(), m, d, 0, Options{Rows: rows, Features: 9})
	if err != nil || len(some.Documents) != 2 {
		t.Fatalf("%+v, %v", some, err)
	}
	same := func(a, b Document) bool {
		return a.Rank == b.Rank && a.Row == b.Row && a.Next == b.Next && a.Above == b.Above &&
			slices.Equal(a.Features, b.Features)
	}
	if !same(some.Documents[0], whole.Documents[3]) || !same(some.Documents[1], whole.Documents[5]) ||
		!same(best.Documents[1], whole.Documents[1]) {
		t.Errorf("other explanations: %+v", some)
	}
	if n := len(whole.Documents[0].Features); n != 9 || whole.Documents[0].Others != 0 {
		t.Errorf("%d features, others %v", n, whole.Documents[0].Others)
	}

	// Names are those of the data or, if it has none, of the model. Columns that the data lacks are
	// 0.
	m.FeatureNames = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
	narrow := d.WithColumns(4)
	r, err := query(t.Context(), m, narrow, 0, Options{Documents: 1, Features: 9})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Documents[0].Features {
		if f.Column >= 4 || f.Name != m.FeatureNames[f.Column] {
			t.Errorf("%+v", f)
		}
	}
	narrow.Names = []string{"w", "x", "y", "z"}
	if r, err = query(t.Context(), m, narrow, 0, Options{Documents: 1}); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Documents[0].Features {
		if f.Name != narrow.Names[f.Column] {
			t.Errorf("%+v", f)
		}
	}
}

// other is a model of an unsupported type.
type other struct{ rank.Model }

func TestQueryErrors(t *testing.T) {
	all, d := models(t)
	m := all["linear"]
	bad := synth.Config{Seed: 3, Rows: 60, Cols: 9}.Dataset()
	bad.Row(3)[2] = float32(math.NaN())
	// The score of the first document overflows float64.
	far := rank.NewDataset(2, 1)
	far.Offsets, far.QueryIDs = []int{0, 2}, []string{"1"}
	copy(far.X, []float32{math.MaxFloat32, 1})
	for _, c := range []struct {
		model rank.Model
		data  *rank.Dataset
		query int
		o     Options
		want  string
	}{
		{m, d, -1, Options{}, "query -1 is out of range"},
		{m, d, 1, Options{Rows: []int{599}}, "row 599 is not in the query (rows 40–149)"},
		{m, d, 0, Options{Rows: []int{}}, "an explanation requires at least one document"},
		{m, d, 0, Options{Documents: 3, Features: -1}, "Documents is 3 and Features is -1; neither may be negative"},
		{m, bad, 0, Options{}, "row 3: the score is NaN"},
		{&rank.Linear{Weights: []float64{math.MaxFloat64}}, far, 0, Options{}, "row 0: the score is +Inf"},
		{&rank.Linear{Weights: []float64{-math.MaxFloat64}}, far, 0, Options{}, "row 0: the score is -Inf"},
		{&rank.Linear{Weights: make([]float64, 2)}, d, 0, Options{}, "the data has 9 columns"},
		{other{m}, d, 0, Options{}, "models of type explain.other are not supported"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := query(t.Context(), c.model, c.data, c.query, c.o)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "explain: ") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := query(ctx, m, d, 0, Options{}); err != context.Canceled {
		t.Error(err)
	}
}

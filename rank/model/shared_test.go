package model

import (
	"bytes"
	"context"
	"reflect"
	"sync"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// TestSharedByGoroutines has goroutines share trainers, data and models, as the comment of package
// rank allows: the race detector sees none of them written, and all results are the same.
func TestSharedByGoroutines(t *testing.T) {
	ctx := context.Background()
	dense := (&synth.Config{Rows: 300, Cols: 5, MaxDocs: 30, Seed: 1}).Dataset()
	for name, d := range map[string]*rank.Dataset{"dense": dense, "sparse": dense.ToSparse()} {
		t.Run(name, func(t *testing.T) {
			svm, ridge, trainer := rank.RankSVM{}, rank.Ridge{}, lambdamart.DefaultTrainer()
			trainer.Trees, trainer.Leaves = 3, 4
			linear, err := svm.Fit(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			grown, err := trainer.Fit(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			scorer, err := grown.Model.Scorer()
			if err != nil {
				t.Fatal(err)
			}
			work := func() (results []any) {
				keep := func(v any, err error) {
					if err != nil {
						t.Error(err)
					}
					results = append(results, v)
				}
				for _, m := range []rank.Model{linear, grown.Model, scorer} {
					scores := make([]float64, d.Rows())
					keep(scores, m.ScoreInto(ctx, scores, d))
					keep(m.Score(d.Row(7)), nil)
					keep(rank.Evaluate(ctx, m, d, "ndcg@10,tau-b", rank.Options{}))
				}
				for _, m := range []rank.Model{linear, grown.Model} {
					var b bytes.Buffer
					keep(&b, Write(&b, m, "json"))
				}
				m, err := svm.Fit(ctx, d)
				keep(m.Weights, err)
				keep(ridge.Fit(ctx, d))
				r, err := trainer.Fit(ctx, d)
				keep(r.Model, err)
				keep(data.Describe(t.Context(), d, nil))
				folds, err := d.Folds(3, 1)
				keep(nil, err)
				for train, test := range folds {
					keep([][]int{train, test}, nil)
				}
				keep(data.Normalize(d, "zscore"))
				keep(nil, d.Validate())
				return results
			}
			want := work()
			var group sync.WaitGroup
			for range 3 {
				group.Go(func() {
					if got := work(); !reflect.DeepEqual(got, want) {
						t.Error("other results")
					}
				})
			}
			group.Wait()
		})
	}
}

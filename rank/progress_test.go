package rank

import (
	"context"
	"errors"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

func TestProgress(t *testing.T) {
	d := randomSet(1, 100, 200, 5, 4)
	wide := thin(randomSet(2, 5, 5, maxNormal+100, 4), 30)
	for _, c := range []struct {
		name string
		do   func(ctx context.Context, progress func(done, total int64)) error
	}{
		{"ridge", func(ctx context.Context, progress func(done, total int64)) error {
			_, err := (&Ridge{Progress: progress}).Fit(ctx, d)
			return err
		}},
		{"ridge by conjugate gradients", func(ctx context.Context, progress func(done, total int64)) error {
			_, err := (&Ridge{Progress: progress}).Fit(ctx, wide)
			return err
		}},
		{"evaluator", func(ctx context.Context, progress func(done, total int64)) error {
			e := testkit.Must(NewEvaluator("ndcg@10", Options{Threads: 8, Progress: progress}))
			_, err := e.EvalScores(ctx, d.Labels, d)
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := testkit.NewProgress(t)
			if err := c.do(t.Context(), calls.Report); err != nil {
				t.Fatal(err)
			}
			calls.Check(4)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := c.do(ctx, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("a context that is done: %v", err)
			}
		})
	}
}

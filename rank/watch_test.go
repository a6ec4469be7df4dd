package rank

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"

	"github.com/simdrank/simdrank/internal/parallel"
)

// Long work tells who watches its context how far it has come, and rises to its end.
func TestWatch(t *testing.T) {
	d := randomSet(1, 100, 200, 5, 4)
	wide := thin(randomSet(2, 5, 5, maxNormal+100, 4), 30)
	e, err := NewEvaluator("ndcg@10", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func(ctx context.Context) error{
		"ridge": func(ctx context.Context) error {
			_, err := new(Ridge).Fit(ctx, d)
			return err
		},
		"ridge by conjugate gradients": func(ctx context.Context) error {
			_, err := new(Ridge).Fit(ctx, wide)
			return err
		},
		"evaluator": func(ctx context.Context) error {
			_, err := e.EvalScores(ctx, d.Labels, d)
			return err
		},
	} {
		var mu sync.Mutex
		told, most := 0, int64(0)
		ctx := parallel.Watch(t.Context(), func(done, total int64) {
			mu.Lock()
			defer mu.Unlock()
			told, most = told+1, max(most, 100*done/total)
			if done < 0 || done > total {
				t.Errorf("%s: %d of %d", name, done, total)
			}
		})
		if err := do(ctx); err != nil {
			t.Fatal(err)
		}
		if told < 4 || most < 75 {
			t.Errorf("%s: told %d times, the last of %d %%", name, told, most)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a context that is done: %v", name, err)
		}
	}
}

// Linear models know the options of their training.
func TestSettings(t *testing.T) {
	d := randomSet(1, 10, 10, 3, 3)
	d.Names = []string{"a", "b", "c"}
	ridge, err := new(Ridge).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	svm, err := (&RankSVM{PerQuery: true, Loss: "logistic", NonNegative: []int{1}, Threads: 2}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *Linear
		want map[string]string
	}{
		{ridge, map[string]string{"model": "ridge", "alpha": "1", "no_intercept": "false"}},
		{svm, map[string]string{"model": "ranksvm", "c": "1", "loss": "logistic", "per_query": "true", "tol": "1e-06",
			"max_passes": "10000", "standardize": "false", "non_negative": "b"}},
	} {
		if !maps.Equal(c.m.Settings, c.want) {
			t.Errorf("%q, want %q", c.m.Settings, c.want)
		}
	}
}

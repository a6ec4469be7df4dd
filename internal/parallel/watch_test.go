package parallel

import (
	"context"
	"sync"
	"testing"
)

func TestWatch(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var mu sync.Mutex
		seen := map[int64]int{}
		ctx := Watch(t.Context(), func(done, total int64) {
			mu.Lock()
			defer mu.Unlock()
			if seen[done]++; total != 5 {
				t.Errorf("%d of %d", done, total)
			}
		})
		for _, ctx := range []context.Context{ctx, Watch(ctx, nil), t.Context()} {
			if err := For(ctx, workers, 5, func(int, int) {}); err != nil {
				t.Error(err)
			}
			Tell(ctx, 6, 5)
		}
		for done := int64(1); done <= 6; done++ {
			if seen[done] != 1 {
				t.Errorf("%d workers: told %d times of %d", workers, seen[done], done)
			}
		}
	}
}

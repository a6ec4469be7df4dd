package parallel

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
)

func TestWatch(t *testing.T) {
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
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
					t.Errorf("told %d times of %d", seen[done], done)
				}
			}
		})
	}
}

// TestPart: parts are told of as one work.
func TestPart(t *testing.T) {
	var seen []int64
	ctx := Watch(t.Context(), func(done, total int64) { seen = append(seen, done, total) })
	for i := range 2 {
		if err := For(Part(ctx, i, 2), 1, 2, func(int, int) {}); err != nil {
			t.Error(err)
		}
	}
	if want := []int64{1, 4, 2, 4, 3, 4, 4, 4}; !slices.Equal(seen, want) {
		t.Errorf("%v, want %v", seen, want)
	}
	if Part(t.Context(), 0, 2) != t.Context() {
		t.Error("nobody watches")
	}
}

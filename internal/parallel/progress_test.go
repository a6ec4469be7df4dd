package parallel

import (
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

func TestProgress(t *testing.T) {
	for _, workers := range []int{1, 3} {
		calls := testkit.NewProgress(t)
		p := NewProgress(calls.Report, 21)
		if err := For(t.Context(), workers, 10, func(int, int) { p.Add(2) }); err != nil {
			t.Error(err)
		}
		p.Reach(20) // which is reported already
		p.Finish()
		p.Finish()
		p.Add(1)
		if calls.Check(11); calls.Calls != 11 || calls.Total != 21 {
			t.Errorf("%d calls, want 11; total %d, want 21", calls.Calls, calls.Total)
		}
	}
	if Part(nil, 0, 2) != nil {
		t.Error("a part of nothing to call")
	}
	parts := testkit.NewProgress(t)
	for i := range 2 {
		part := NewProgress(Part(parts.Report, i, 2), 3)
		part.Add(1)
		part.Finish()
	}
	if parts.Check(4); parts.Total != 6 {
		t.Errorf("total of two parts %d, want 6", parts.Total)
	}
	var calls []int64
	unknown := NewProgress(func(done, total int64) { calls = append(calls, done, total) }, 0)
	unknown.Add(1)
	unknown.Add(2)
	if unknown.Finish(); !slices.Equal(calls, []int64{1, 0, 3, 0}) {
		t.Errorf("calls %v of an unknown total", calls)
	}
	none := NewProgress(nil, 1)
	none.Add(1)
	none.Reach(1)
}

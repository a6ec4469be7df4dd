package parallel

import (
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
	NewProgress(func(_, total int64) { t.Errorf("a call of nothing: total %d", total) }, 0).Finish()
	none := NewProgress(nil, 1)
	none.Add(1)
	none.Reach(1)
}

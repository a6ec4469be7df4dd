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
		p.Finish()
		p.Finish()
		if p.Add(1); calls.Total != 21 {
			t.Errorf("total %d, want 21", calls.Total)
		}
		calls.Check(12)
	}
	NewProgress(func(_, total int64) { t.Errorf("a call of nothing: total %d", total) }, 0).Finish()
	NewProgress(nil, 1).Add(1)
}

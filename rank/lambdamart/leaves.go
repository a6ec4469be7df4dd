package lambdamart

import (
	"context"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// LeavesInto writes the index of the leaf that each document reaches in each tree to dst, row by
// row. Leaves are numbered as in [Tree]. For LightGBM models, LightGBM's predict_leaf_index returns
// the same numbers.
func (s *Scorer) LeavesInto(ctx context.Context, dst []int32, d *rank.Dataset) (err error) {
	defer memory.Begin().End(&err)
	if err := rank.CheckScoring(d, s.model.NumFeatures); err != nil {
		return err
	}
	if err := s.model.CheckCategories(d.Categories); err != nil {
		return err
	}
	list := s.model.Trees
	if len(dst) != d.Rows()*len(list) {
		return errs.Errorf("lambdamart", "the length of dst is %d; it must be %d documents × %d trees", len(dst), d.Rows(),
			len(list))
	}
	const rows = 128 // rows per task
	workers := parallel.Threads(s.Threads)
	dense := make([]denseRow, workers)
	return parallel.For(ctx, workers, (d.Rows()+rows-1)/rows, func(worker, task int) {
		for i := task * rows; i < min((task+1)*rows, d.Rows()); i++ {
			x := dense[worker].of(d, i)
			for k := range list {
				dst[i*len(list)+k] = int32(list[k].leafOf(x))
			}
		}
	})
}

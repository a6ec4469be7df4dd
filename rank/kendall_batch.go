package rank

import (
	"context"
	"fmt"
	"sync"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

// KendallByQuery sets dst[q] to [KendallTau] of the labels (x) and the scores (y) of each query
// of d, and returns dst, which is allocated when it is too short. There is a score for
// every row. w, which may be nil, gives the threads, among which the queries are shared.
//
// An error names the query; a query of one document, or of equal labels, is none: see [Kendall].
// Canceling ctx ends the call with its error.
func KendallByQuery[S kernels.Real](ctx context.Context, w *KendallWorkspace, d *Dataset, scores []S,
	dst []Kendall) ([]Kendall, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if len(scores) != d.Rows() {
		return nil, fmt.Errorf("rank: %d scores for %d rows", len(scores), d.Rows())
	}
	if len(dst) < d.Queries() {
		dst = make([]Kendall, d.Queries())
	}
	dst = dst[:d.Queries()]
	err := w.share(ctx, d.Queries(), func(w *KendallWorkspace, q int) (err error) {
		lo, hi := d.Query(q)
		if dst[q], err = KendallTauOf(w, d.Labels[lo:hi], scores[lo:hi]); err != nil {
			return errs.Wrap(err, "rank: query %q, labels as x and scores as y", d.QueryIDs[q])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// KendallMatrix returns [KendallTau] of every two of the columns: m[i][j] is that of columns i
// (as x) and j (as y). Each column is ranked once. w, which may be nil, gives the
// threads, among which the pairs of columns are shared. Its DropNaN has no effect: every pair of
// columns would lose other values.
//
// An error names the column: one of another length, or with a NaN. Canceling
// ctx ends the call with its error.
func KendallMatrix[T kernels.Real](ctx context.Context, w *KendallWorkspace, columns [][]T) (m [][]Kendall, err error) {
	for i, c := range columns {
		if len(c) != len(columns[0]) {
			return nil, fmt.Errorf("rank: column %d has %d values, column 0 has %d", i, len(c), len(columns[0]))
		}
	}
	ranks := make([][]int32, len(columns))
	err = w.share(ctx, len(columns), func(w *KendallWorkspace, i int) error {
		ranks[i] = make([]int32, len(columns[i]))
		if !kernels.RankColumn(&w.counter, ranks[i], columns[i]) {
			for k, v := range columns[i] {
				if v != v {
					return fmt.Errorf("rank: column %d, value %d: %w", i, k, ErrNaN)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m = make([][]Kendall, len(columns))
	for i := range m {
		m[i] = make([]Kendall, len(columns))
	}
	// The triangle below the diagonal, and that.
	type pair struct{ i, j int }
	var pairs []pair
	for i := range columns {
		for j := range i + 1 {
			pairs = append(pairs, pair{i, j})
		}
	}
	err = w.share(ctx, len(pairs), func(w *KendallWorkspace, p int) (err error) {
		i, j := pairs[p].i, pairs[p].j
		if m[i][j], err = KendallTauOf(w, ranks[i], ranks[j]); err == nil {
			m[j][i] = m[i][j].swapped()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// share calls do for every task, with workspaces of their own where several run at
// a time, and returns the error of the first task that has one. A nil w is an
// empty one.
func (w *KendallWorkspace) share(ctx context.Context, tasks int, do func(w *KendallWorkspace, task int) error) error {
	if w == nil {
		w = new(KendallWorkspace)
	}
	workers := min(parallel.Threads(w.Threads), tasks)
	for len(w.workers) < workers {
		w.workers = append(w.workers, new(KendallWorkspace))
	}
	for _, own := range w.workers {
		own.DropNaN = w.DropNaN
		own.Threads = 1
		if tasks == 1 {
			own.Threads = w.Threads
		}
	}
	var mu sync.Mutex
	first, at := error(nil), tasks
	err := parallel.For(ctx, workers, tasks, func(worker, task int) {
		if err := do(w.workers[worker], task); err != nil {
			mu.Lock()
			if task < at {
				first, at = err, task
			}
			mu.Unlock()
		}
	})
	if first != nil {
		return first
	}
	return err
}

// swapped returns the counts with x and y exchanged.
func (k Kendall) swapped() Kendall {
	k.TiedX, k.TiedY = k.TiedY, k.TiedX
	k.DistinctX, k.DistinctY = k.DistinctY, k.DistinctX
	k.triplesX, k.triplesY = k.triplesY, k.triplesX
	return k
}

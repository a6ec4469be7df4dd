package importance

import (
	"context"
	"math"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// A shuffler scores spans with permuted columns. Each goroutine has its own.
type shuffler struct {
	*permuting
	order  []int // for each row of the span, the row of the data that provides the permuted values
	scores []float64
	lists  rank.Dataset // labels and queries of the span

	block  rank.Dataset // a copy of the features of rows lo to hi−1
	lo, hi int
	member []bool // sparse data: whether a column is permuted
	listed []bool // sparse data: whether the span lists a column
}

func newShuffler(w *permuting) *shuffler {
	s := &shuffler{permuting: w, block: rank.Dataset{Cols: w.data.Cols, Stride: w.data.Stride}}
	if w.data.Sparse != nil {
		s.member, s.listed = make([]bool, w.data.Cols), make([]bool, w.data.Cols)
		s.block.Sparse = &rank.CSR{}
	}
	return s
}

// sum adds the drops on a span for the groups from to to−1. The first element of sums belongs to
// the group first and to the first query of the data.
func (s *shuffler) sum(ctx context.Context, sums []float64, first, from, to int, c span,
	progress *parallel.Progress) error {
	s.begin(c)
	queries := s.data.Queries()
	for repeat := range s.Repeats {
		s.shuffle(c, repeat)
		for g := from; g < to; g++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			drops := sums[(g-first)*queries:][c.from:c.to]
			if s.varies(c, s.columns[g]) {
				if err := s.score(ctx, c, s.columns[g]); err != nil {
					return errs.Wrap(err, "permuted %s", s.data.FeatureName(s.columns[g][0]))
				}
				after, err := s.evaluator.EvalScores(ctx, s.scores, &s.lists)
				if err != nil {
					return errs.Wrap(err, "permuted %s", s.data.FeatureName(s.columns[g][0]))
				}
				for i, v := range after.Metrics[0].Values {
					drops[i] += s.before[c.from+i] - v
				}
			} else {
				for i := range drops {
					drops[i] += s.before[c.from+i] - s.before[c.from+i] // NaN if the metric is undefined
				}
			}
			progress.Add(int64(len(s.scores)))
		}
	}
	return nil
}

// begin prepares for a span.
func (s *shuffler) begin(c span) {
	d := s.data
	lo, hi := d.Offsets[c.from], d.Offsets[c.to]
	if cap(s.order) < hi-lo {
		s.order, s.scores = make([]int, hi-lo), make([]float64, hi-lo)
	}
	s.order, s.scores = s.order[:hi-lo], s.scores[:hi-lo]
	s.lists = rank.Dataset{Labels: d.Labels[lo:hi], QueryIDs: d.QueryIDs[c.from:c.to]}
	for _, at := range d.Offsets[c.from : c.to+1] {
		s.lists.Offsets = append(s.lists.Offsets, at-lo)
	}
	if d.DocIDs != nil {
		s.lists.DocIDs = d.DocIDs[lo:hi]
	}
	s.lo, s.hi = 0, 0
	if d.Sparse != nil {
		clear(s.listed)
		for _, j := range d.Sparse.Columns[d.Sparse.Offsets[lo]:d.Sparse.Offsets[hi]] {
			s.listed[j] = true
		}
	}
}

// shuffle sets order to a random permutation of the rows of each query.
func (s *shuffler) shuffle(c span, repeat int) {
	key := num.Mix(num.Mix(s.Seed) + uint64(repeat))
	first := s.data.Offsets[c.from]
	for q := c.from; q < c.to; q++ {
		random := num.SplitMix(num.Mix(key + uint64(q)))
		lo, hi := s.data.Query(q)
		order := s.order[lo-first : hi-first]
		for i := range order { // the "inside-out" algorithm of Fisher and Yates
			k := random.Below(i + 1)
			order[i] = order[k]
			order[k] = lo + i
		}
	}
}

// varies reports whether permuting the columns may change the rows of a query.
func (s *shuffler) varies(c span, columns []int) bool {
	d := s.data
	for _, j := range columns {
		if d.Sparse != nil {
			if s.listed[j] {
				return true
			}
			continue
		}
		for q := c.from; q < c.to; q++ {
			lo, hi := d.Query(q)
			for i := lo + 1; i < hi; i++ {
				if math.Float32bits(d.X[i*d.Stride+j]) != math.Float32bits(d.X[lo*d.Stride+j]) {
					return true
				}
			}
		}
	}
	return false
}

// score sets scores to the scores of the span with permuted columns.
func (s *shuffler) score(ctx context.Context, c span, columns []int) error {
	first, end := s.data.Offsets[c.from], s.data.Offsets[c.to]
	for lo := first; lo < end; lo += permutedRows {
		hi := min(lo+permutedRows, end)
		order, scores := s.order[lo-first:hi-first], s.scores[lo-first:hi-first]
		if s.data.Sparse != nil {
			s.permuteSparse(lo, order, columns)
		} else {
			s.permuteDense(lo, hi, order, columns)
		}
		if err := s.model.ScoreInto(ctx, scores, &s.block); err != nil {
			return err
		}
		if s.data.Sparse == nil { // restore the copy
			for i := lo; i < hi; i++ {
				for _, j := range columns {
					s.block.X[(i-lo)*s.block.Stride+j] = s.data.X[i*s.data.Stride+j]
				}
			}
		}
	}
	return nil
}

// permuteDense copies rows to the block, unless it contains them already, and permutes columns.
func (s *shuffler) permuteDense(lo, hi int, order, columns []int) {
	stride := s.data.Stride
	if s.lo != lo || s.hi != hi {
		s.block.X = append(s.block.X[:0], s.data.X[lo*stride:hi*stride]...)
		s.lo, s.hi = lo, hi
	}
	for i, row := range order {
		for _, j := range columns {
			s.block.X[i*stride+j] = s.data.X[row*stride+j]
		}
	}
}

// permuteSparse sets the block to the rows from lo on, with permuted columns.
func (s *shuffler) permuteSparse(lo int, order, columns []int) {
	for _, j := range columns {
		s.member[j] = true
	}
	to := s.block.Sparse
	to.Offsets, to.Columns, to.Values = append(to.Offsets[:0], 0), to.Columns[:0], to.Values[:0]
	for i, row := range order {
		own, ownValues := s.data.Sparse.Row(lo + i)
		other, otherValues := s.data.Sparse.Row(row)
		a, b := 0, 0
		for a < len(own) || b < len(other) {
			switch {
			case a < len(own) && s.member[own[a]]:
				a++
			case b < len(other) && !s.member[other[b]]:
				b++
			case b == len(other) || a < len(own) && own[a] < other[b]:
				to.Columns, to.Values = append(to.Columns, own[a]), append(to.Values, ownValues[a])
				a++
			default:
				to.Columns, to.Values = append(to.Columns, other[b]), append(to.Values, otherValues[b])
				b++
			}
		}
		to.Offsets = append(to.Offsets, len(to.Columns))
	}
	for _, j := range columns {
		s.member[j] = false
	}
}

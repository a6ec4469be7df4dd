package parquet

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/simdrank/simdrank/rank"
)

// An entry is a nonzero feature of a row.
type entry struct {
	row   int32
	value float32
}

var errDense = errors.New("the features are dense")

// readSparse reads the features as sparse rows. It returns nil if they should be dense according to
// [data.Builder.Sparse], which it decides after the first tenth.
func (f *file) readSparse(features []int) (*rank.CSR, error) {
	if !f.builder.Sparse(0, f.rows) {
		return nil, nil
	}
	var total atomic.Int64
	columns := make([][]entry, len(features))
	errs := make([]error, len(features))
	f.each(len(features), 4+pageWork, func(k int, with *buffers) {
		row := 0
		read := func(add func(page []float32) error) error { return readColumn(f, features[k], with, add) }
		if codes := f.codes[features[k]]; codes != nil {
			read = func(add func(page []float32) error) error { return add(codes) }
		}
		errs[k] = read(func(page []float32) error {
			count := 0
			for _, v := range page {
				if v != 0 {
					count++
				}
			}
			values := total.Add(int64(count))
			if !f.builder.Sparse(int(values), f.rows) {
				return errDense
			}
			if count == 0 {
				row += len(page)
				return nil
			}
			fits := 8*values <= f.budget.limit-f.budget.held // otherwise they are only counted, for the error
			for i, v := range page {
				if v == 0 {
					continue
				}
				var err error
				if v-v != 0 {
					if v, err = f.nonfinite(v, row+i, features[k]); err != nil {
						return err
					}
				}
				if fits {
					columns[k] = append(columns[k], entry{int32(row + i), v})
				}
			}
			row += len(page)
			return nil
		})
	})
	if !f.builder.Sparse(int(total.Load()), f.rows) {
		return nil, nil
	}
	for _, err := range errs { // the first error in column order
		if err != nil {
			return nil, err
		}
	}
	if err := f.budget.hold("the features", 8*total.Load()); err != nil {
		return nil, err
	}
	return f.rowsOf(columns), nil
}

// rowsOf combines the entries of columns to rows.
func (f *file) rowsOf(columns [][]entry) *rank.CSR {
	c := &rank.CSR{Offsets: make([]int, f.rows+1)}
	size := max(4096, f.rows/64) // rows of a task
	each := func(do func(column int, e entry)) {
		tasks := (f.rows + size - 1) / size
		f.each(tasks, 0, func(task int, _ *buffers) {
			begins := func(e entry, row int) int { return int(e.row) - row }
			for k, entries := range columns {
				from, _ := slices.BinarySearchFunc(entries, task*size, begins)
				to, _ := slices.BinarySearchFunc(entries, (task+1)*size, begins)
				for _, e := range entries[from:to] {
					do(k, e)
				}
			}
		})
	}
	each(func(_ int, e entry) { c.Offsets[e.row+1]++ })
	for i := range f.rows {
		c.Offsets[i+1] += c.Offsets[i]
	}
	c.Columns, c.Values = make([]int32, c.Offsets[f.rows]), make([]float32, c.Offsets[f.rows])
	next := slices.Clone(c.Offsets[:f.rows])
	each(func(column int, e entry) {
		at := next[e.row]
		c.Columns[at], c.Values[at] = int32(column), e.value
		next[e.row]++
	})
	return c
}

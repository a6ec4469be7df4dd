package boost

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

const maxCategory = 1 << 24 // float32 represents all smaller integers exactly

// checkCategory returns an error if v, which is not missing, is not a category. v is feature f of
// row i.
func checkCategory(d *rank.Dataset, i, f int, v float32) error {
	if v >= maxCategory || v != float32(int32(v)) {
		return errs.Op("lambdamart", d.RowError(i, fmt.Errorf(
			"%v is not a category of %s; it must be an integer below %d", v, d.FeatureName(f), maxCategory)))
	}
	return nil
}

// rowsOf returns the values of feature f of dense data.
func rowsOf(d *rank.Dataset, f int) iter.Seq2[int, float32] {
	return func(yield func(int, float32) bool) {
		for i := range d.Rows() {
			if !yield(i, d.X[i*d.Stride+f]) {
				return
			}
		}
	}
}

// categoryBins maps categories to bins.
type categoryBins struct {
	dropped Dropped
	sorted  []int32 // the categories with a bin of their own, in ascending order
	binOf   []uint8 // their bins
	other   uint8   // bin of the other categories, or of missing values if there are no others
	missing uint8
	lacks   bool // whether there are missing values
}

// fit assigns bins to the most frequent categories of feature f of d. values yields the values of
// all rows, not only of the sample, except for the given number of zeros.
func (c *categoryBins) fit(d *rank.Dataset, f int, values iter.Seq2[int, float32], zeros int,
	opts BinOptions) (Binning, error) {
	rows, missing := map[int32]int{}, 0
	switch {
	case zeros > 0 && opts.ZeroMissing:
		missing = 1
	case zeros > 0:
		rows[0] = zeros
	}
	c.dropped = Dropped{Feature: f}
	for i, v := range values {
		if v < 0 {
			c.dropped.Negative++
		}
		if isMissingCategory(v, opts.ZeroMissing) {
			missing = 1
			continue
		}
		if err := checkCategory(d, i, f, v); err != nil {
			return Binning{}, err
		}
		rows[int32(v)]++
	}
	return c.settle(rows, missing, opts), nil
}

// settle assigns bins to the most frequent categories, given the number of rows of each. missing is
// 1 if there are missing values and 0 otherwise.
func (c *categoryBins) settle(rows map[int32]int, missing int, opts BinOptions) Binning {
	type count struct {
		category int32
		rows     int
	}
	all := make([]count, 0, len(rows))
	for category, n := range rows {
		all = append(all, count{category, n})
	}
	slices.SortFunc(all, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.category, b.category))
	})
	c.lacks = missing > 0
	out := Binning{Categories: []int32{}, Other: -1, Missing: -1}
	if most := opts.MaxBins - missing; len(all) > most {
		out.Other = most - 1
		for _, a := range all[out.Other:] {
			c.dropped.Categories++
			c.dropped.Rows += a.rows
		}
		all = all[:out.Other]
	}
	for _, a := range all {
		out.Categories = append(out.Categories, a.category)
	}
	if out.Bins = len(all); out.Other >= 0 {
		out.Bins++
	}
	c.index(&out)
	return out
}

// index prepares c to look up the bins of b.
func (c *categoryBins) index(b *Binning) {
	n := len(b.Categories)
	if c.other, c.missing = uint8(n), uint8(n); b.Other >= 0 {
		c.missing++
	}
	c.sorted = slices.Sorted(slices.Values(b.Categories))
	c.binOf = make([]uint8, n)
	for bin, category := range b.Categories {
		i, _ := slices.BinarySearch(c.sorted, category)
		c.binOf[i] = uint8(bin)
	}
}

func (c *categoryBins) bin(v float32, zeroMissing bool) uint8 {
	if isMissingCategory(v, zeroMissing) {
		return c.missing
	}
	if i, ok := slices.BinarySearch(c.sorted, int32(v)); ok {
		return c.binOf[i]
	}
	return c.other
}

// isMissingCategory reports whether v represents a missing category. As in LightGBM, negative
// numbers do.
func isMissingCategory(v float32, zeroMissing bool) bool {
	return !(v >= 0) || zeroMissing && v == 0
}

// Dropped counts the values of a categorical feature that training does not distinguish; see
// lambdamart.DroppedCategories.
type Dropped struct{ Feature, Categories, Rows, Negative int }

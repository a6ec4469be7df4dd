package boost

import (
	"cmp"
	"slices"

	"github.com/simdrank/simdrank/internal/trees"
)

// columnValues is the number of values of a byte.
const columnValues = 256

// A digit describes the position of a feature in the bytes of its column. The bin of the feature is
// byte/unit % bins, where bins is its number of bins.
type digit struct{ column, unit int }

// join assigns columns to the dense features. Features with few bins share a column: their bins are
// the digits of its byte, in a mixed-radix number of less than columnValues.
func (b *Bins) join(dense []int32) {
	b.columns, b.digits = nil, make([]digit, b.features)
	order := slices.Clone(dense)
	slices.SortStableFunc(order, func(f, g int32) int { return b.feature[g].Bins - b.feature[f].Bins })
	var open [columnValues/2 + 1][]int // columns by the number of bins that a further feature may have
	values := []int{}                  // number of values used in each column
	for _, f := range order {
		n, k := b.feature[f].Bins, -1
		for room := n; room < len(open) && k < 0; room++ { // prefer the column with the least room
			if last := len(open[room]) - 1; last >= 0 {
				k, open[room] = open[room][last], open[room][:last]
			}
		}
		if k < 0 {
			k = len(b.columns)
			b.columns, values = append(b.columns, nil), append(values, 1)
		}
		b.columns[k], values[k] = append(b.columns[k], f), values[k]*n
		if room := min(columnValues/values[k], len(open)-1); room > 1 {
			open[room] = append(open[room], k)
		}
	}
	for _, fs := range b.columns {
		slices.Sort(fs)
	}
	slices.SortFunc(b.columns, func(x, y []int32) int { return cmp.Compare(x[0], y[0]) })
	for k, fs := range b.columns {
		unit := 1
		for _, f := range fs {
			b.digits[f] = digit{k, unit}
			unit *= b.feature[f].Bins
		}
	}
}

// arrange assigns the histograms of dense features their places: first one per column, then one per
// feature that shares a column.
func (b *Bins) arrange() {
	b.stride = (len(b.columns) + 7) &^ 7
	b.at = make([]int, b.features)
	b.cells = b.stride * trees.HistogramCells
	for k, fs := range b.columns {
		for _, f := range fs {
			if b.at[f] = k * trees.HistogramCells; len(fs) > 1 {
				b.at[f] = b.cells
				b.cells += b.feature[f].Bins
			}
		}
	}
}

// leftOf returns the bytes of the column of dense feature f that go left if the given bins of f do.
func (b *Bins) leftOf(f int32, bins *[4]uint64) (left [4]uint64) {
	d := b.digits[f]
	if len(b.columns[d.column]) == 1 {
		return *bins
	}
	for v, n := 0, b.feature[f].Bins; v < columnValues; v++ {
		if inSet(bins, uint8(v/d.unit%n)) {
			left[v/64] |= 1 << (v % 64)
		}
	}
	return left
}

func inSet(set *[4]uint64, v uint8) bool { return set[v/64]>>(v%64)&1 != 0 }

// marginals computes the histograms of the features that share column k from the histogram of the
// column.
func (b *Bins) marginals(hist []int64, k int) {
	fs := b.columns[k]
	if len(fs) < 2 {
		return
	}
	cells := hist[k*trees.HistogramCells:]
	for i := len(fs) - 1; i > 0; i-- {
		f := fs[i]
		if n := b.feature[f].Bins; n > 1 { // a feature with one bin cannot be split
			takeDigit(hist[b.at[f]:][:n], cells, b.digits[f].unit)
		}
	}
	copy(hist[b.at[fs[0]]:][:b.feature[fs[0]].Bins], cells)
}

// takeDigit splits the last digit off the cells of a column. It sums the cells by the bins of this
// digit into own, and by the digits below it into the first cells. If it were inlined, it would run
// out of registers.
//
//go:noinline
func takeDigit(own, cells []int64, unit int) {
	below := cells[:unit]
	own[0] = trees.SumI64(below)
	for bin := 1; bin < len(own); bin++ {
		sum := int64(0)
		for j, v := range cells[bin*unit:][:len(below)] {
			sum += v
			below[j] += v
		}
		own[bin] = sum
	}
}

// addDigits adds the bins of a feature to the bytes of its shared column.
func addDigits(col, bins []uint8, unit int) {
	for i, bin := range bins {
		col[i] += bin * uint8(unit)
	}
}

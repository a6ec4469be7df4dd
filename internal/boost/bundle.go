package boost

import (
	"cmp"
	"slices"

	"github.com/simdrank/simdrank/internal/trees"
)

// columnValues is how many values a byte of a column has.
const columnValues = 256

// A digit tells the bin of a feature from the byte of its column: byte/unit % bins, where bins are
// those of the feature.
type digit struct{ column, unit int }

// join gives the dense features their columns. The bins of features that share one are the digits
// of its byte, as in a number whose digits have bases of their own: as many features as keep it
// below columnValues.
func (b *Bins) join(dense []int32) {
	b.columns, b.digits = nil, make([]digit, b.features)
	order := slices.Clone(dense)
	slices.SortStableFunc(order, func(f, g int32) int { return b.feature[g].Bins - b.feature[f].Bins })
	var open [columnValues/2 + 1][]int // columns by how many bins a further feature may have
	values := []int{}                  // of each column
	for _, f := range order {
		n, k := b.feature[f].Bins, -1
		for room := n; room < len(open) && k < 0; room++ { // as little room as will do
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

// arrange places the histograms of dense features: those of columns, then those of features that
// share one.
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

// leftOf returns the bytes of the column of a dense feature that go left where these bins of it do.
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

// marginals turns the histogram of column k in hist into those of its features, when it has
// several.
func (b *Bins) marginals(hist []int64, k int) {
	fs := b.columns[k]
	if len(fs) < 2 {
		return
	}
	cells := hist[k*trees.HistogramCells:]
	for i := len(fs) - 1; i > 0; i-- {
		f := fs[i]
		if n := b.feature[f].Bins; n > 1 { // else it cannot be split
			takeDigit(hist[b.at[f]:][:n], cells, b.digits[f].unit)
		}
	}
	copy(hist[b.at[fs[0]]:][:b.feature[fs[0]].Bins], cells)
}

// takeDigit sums the cells of a column whose last digit has the unit into those of its bins, and
// leaves the sums of the digits below in the first cells. Inlined, it would run out of registers.
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

// addDigits adds the bins of a feature to the bytes of the column that it shares.
func addDigits(col, bins []uint8, unit int) {
	for i, bin := range bins {
		col[i] += bin * uint8(unit)
	}
}

package trees

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
)

// cells draws a histogram with few rows a bin, empty bins among them.
func cells(d *draw, n int) (cells []int64, missing, total int64) {
	cells = make([]int64, n)
	for i := range cells {
		if d.IntN(4) > 0 {
			cells[i] = int64(d.IntN(1<<21))<<32 + int64(d.IntN(1<<22)-1<<21)
		}
		if d.Special { // ties, sides without Hessian
			cells[i] = int64(d.IntN(3))<<32 + int64(d.IntN(5)-2)
		}
	}
	if d.IntN(2) == 0 {
		missing = int64(d.IntN(1<<20))<<32 + int64(d.IntN(1<<21)-1<<20)
	}
	total = missing
	for _, c := range cells {
		total += c
	}
	return cells, missing, total
}

// splitArgs are the operands of a scan for splits; the results follow.
func splitArgs(d *draw, n int) []any {
	cells, missing, total := cells(d, n)
	alpha, lambda, minHess := 0.0, 0.0, int64(0)
	switch d.IntN(3) {
	case 1:
		alpha, lambda, minHess = math.Ldexp(d.Float64(), 22), math.Ldexp(d.Float64(), 23), int64(d.IntN(1<<24))
	case 2:
		minHess = int64(d.IntN(4))
	}
	order := d.IntN(3) - 1
	lo, hi := math.Inf(-1), math.Inf(1)
	if d.IntN(2) == 0 {
		lo, hi = -d.Float64(), d.Float64()
	}
	return []any{cells, missing, total, alpha, lambda, minHess, order, lo, hi, make([]int64, 3), make([]float64, 1)}
}

// barArgs are splitArgs and a bar.
func barArgs(d *draw, n int) []any {
	args, bar := splitArgs(d, n), -1.0
	if d.IntN(2) == 0 { // of the size of gains
		bar = math.Ldexp(d.Float64(), d.IntN(30)-5)
	}
	return append(args, bar)
}

// barCases are splitCases with bars: none, the best gain, and the next numbers to it.
func barCases() (cases [][]any) {
	for _, a := range splitCases() {
		best := BestSplitI64(a[0].([]int64), a[1].(int64), a[2].(int64), a[3].(float64), a[4].(float64),
			a[5].(int64), -1)
		for _, bar := range []float64{-1, math.Nextafter(best.Gain, -1), best.Gain, math.Nextafter(best.Gain, 1e300)} {
			args := slices.Clone(a)
			args[9], args[10] = make([]int64, 3), make([]float64, 1)
			cases = append(cases, append(args, bar))
		}
	}
	return cases
}

// splitCases are histograms on which a wrong comparison shows.
func splitCases() (cases [][]any) {
	add := func(cells []int64, missing int64, alpha float64, order int) {
		total := missing
		for _, c := range cells {
			total += c
		}
		cases = append(cases, []any{cells, missing, total, alpha, 0.0, int64(0), order, math.Inf(-1), math.Inf(1),
			make([]int64, 3), make([]float64, 1)})
	}
	cell := func(hess, grad int64) int64 { return hess<<32 + grad }
	// Ties of bins that any lane and vector takes, the first of which counts.
	for _, n := range []int{5, 9, 17, 33, 100} {
		cells := make([]int64, n)
		cells[0], cells[n-1] = cell(3, 2), cell(5, -2)
		add(cells, 0, 0, 0)
	}
	// A bin far behind the first best gains more by a few units in the last place.
	for _, at := range []int{4, 8, 16, 21, 33} {
		for more := range int64(4) {
			cells := make([]int64, 40)
			cells[0], cells[at], cells[39] = cell(1<<28, 1<<20), cell(1, 0), cell(1<<28, -1<<20-1-more)
			add(cells, 0, 0, 0)
		}
	}
	// Gradients at the ends of their range, in any lane: the Hessian above is not changed.
	for at := range 8 {
		for _, grad := range []int64{1<<31 - 1, -1 << 31} {
			cells := slices.Repeat([]int64{cell(1, 0)}, 9)
			cells[at], cells[8] = cell(3, grad), cell(1<<20, ^grad)
			add(cells, 0, 0, 0)
		}
	}
	// No gain at all: a bar just below 0 is cleared.
	add([]int64{cell(3, 0), cell(3, 0)}, 0, 0, 0)
	// A penalty whose square is beyond float32.
	cells := []int64{cell(3, 1<<20), cell(3, -1<<21), cell(5, 1<<20)}
	add(cells, 0, 0, 0)
	cases[len(cases)-1][4] = 0x1p66
	// Equal leaves on both sides; so are missing values to the left and to the right.
	for order := -1; order <= 1; order++ {
		add([]int64{cell(4, 6), cell(4, 6)}, 0, 0, order)
		add([]int64{cell(4, 6), cell(4, 6)}, cell(2, -5), 0, order)
	}
	for _, alpha := range []float64{math.Copysign(0, -1), math.SmallestNonzeroFloat64, 0.5, 2} {
		add([]int64{cell(3, 4), cell(5, -1), cell(2, -7), cell(6, 3)}, 0, alpha, 0)
	}
	// With gradients close to the Hessians, or to minus them, gains differ by little: g = h + d
	// makes g²/h = h + 2d + d²/h.
	d := testkit.NewDraw(17, 18, false)
	for range 300 {
		cells := make([]int64, 4)
		spread := 1 << (4 + d.IntN(12))
		for i := range cells {
			hess := 1<<26 + d.Int64N(1<<27)
			cells[i] = cell(hess, hess+d.Int64N(int64(spread))-int64(spread)/2)
		}
		add(cells, 0, 0, 0)
	}
	return cases
}

func putSplit(a []any, s Split) {
	left := int64(0)
	if s.MissingLeft {
		left = 1
	}
	if s.Bin < 0 {
		s.Gain = 0
	}
	copy(a[9].([]int64), []int64{int64(s.Bin), left, s.Left})
	a[10].([]float64)[0] = s.Gain
}

// specSplit tries every split, taken apart by divisions; gain returns the gain of a bin's split by
// the sums of both sides.
func specSplit(a []any, gain func(bin int, gl, hl, gr, hr float64) (float64, bool)) Split {
	best := Split{Bin: -1}
	minHess := max(a[5].(int64), 1)
	for side := range 2 {
		for b := range a[0].([]int64) {
			left := int64(side) * a[1].(int64)
			for _, c := range a[0].([]int64)[:b+1] {
				left += c
			}
			right := a[2].(int64) - left
			hess := func(s int64) int64 { return int64(math.Floor((float64(s>>1) + 1<<30) / (1 << 31))) }
			hl, hr := hess(left), hess(right)
			gl, gr := left-hl<<32, right-hr<<32
			if hl < minHess || hr < minHess {
				continue
			}
			if g, ok := gain(b, float64(gl), float64(hl), float64(gr), float64(hr)); ok &&
				(best.Bin < 0 || g > best.Gain) {
				best = Split{b, side == 1, g, left}
			}
		}
		if a[1].(int64) == 0 {
			break
		}
	}
	return best
}

// histogramCases are rows of more than one block, listed and not, of one group of features and of
// as many as are taken at once, of which some have few values.
func histogramCases() (cases [][]any) {
	const rows = histogramRows + 11
	for _, features := range []int{8, 72} {
		stride := features + 1
		bins, list, gh := make([]uint8, rows*stride), make([]uint32, rows), make([]int64, rows)
		for i := range bins {
			if bins[i] = uint8(i * i); i%stride%32 > 15 {
				bins[i] %= 2
			}
		}
		for i := range gh {
			list[i], gh[i] = uint32(rows-1-i), int64(i)
		}
		for _, listed := range []bool{false, true} {
			cases = append(cases, []any{make([]int64, features*HistogramCells), bins, stride, list, gh, listed})
		}
	}
	return cases
}

// histogramTile is scratch for the histograms of 72 features.
var histogramTile = make([]uint8, 72*HistogramTile)

var splitLengths = []int{0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 200, 250, 254, 255,
	256, 264}

var _ = register(
	entry{
		Name:    "HistogramU8",
		Lengths: []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 300},
		Long:    []int{histogramRows - 1, histogramRows + 1, 3*histogramRows + 5},
		Cases:   histogramCases,
		Args: func(d *draw, n int) []any {
			features := 8 * d.IntN(4)
			stride := features + d.IntN(20)
			all := n
			listed := d.IntN(3) > 0
			var rows []uint32
			if listed {
				all = 2*n + 1
				rows = make([]uint32, n)
				for i := range rows {
					rows[i] = uint32(d.IntN(all))
				}
			}
			bins := make([]uint8, max(all-1, 0)*stride+features)
			for i := range bins {
				bins[i] = uint8(d.Uint32())
				if d.Special { // few cells, the first and the last
					bins[i] = []uint8{0, 255, bins[i]}[d.IntN(3)]
				}
			}
			hist, gh := make([]int64, features*HistogramCells), make([]int64, n)
			for i := range hist {
				hist[i] = int64(d.Uint64() >> 20)
			}
			for i := range gh {
				gh[i] = int64(d.Uint64()) >> d.IntN(40)
			}
			return []any{hist, bins, stride, rows, gh, listed}
		},
		Call: func(a []any) {
			HistogramU8(a[0].([]int64), a[1].([]uint8), a[2].(int), nil, 0, listedRows(a), a[4].([]int64),
				histogramTile[:len(a[0].([]int64))/HistogramCells*HistogramTile])
		},
		Spec: func(a []any) {
			hist, bins, stride := a[0].([]int64), a[1].([]uint8), a[2].(int)
			for i, v := range a[4].([]int64) {
				r := i
				if a[5].(bool) {
					r = int(a[3].([]uint32)[i])
				}
				for f := range len(hist) / HistogramCells {
					hist[f*HistogramCells+int(bins[r*stride+f])] += v
				}
			}
		},
		Writes: []int{0},
	},
	entry{
		Name:    "HistogramU8Columns",
		Lengths: []int{0, 1, 31, 32, 33, 63, 64, 65, 127, 300},
		Long:    []int{8*histogramRows + 43},
		Args: func(d *draw, n int) []any {
			features, pitch := 8*d.IntN(4), n+d.IntN(3)
			cols := make([]uint8, max(features-1, 0)*pitch+n)
			for i := range cols {
				cols[i] = uint8(d.Uint32())
				if i/max(8*pitch, 1) == 1 { // a group of few cells
					cols[i] %= 2
				}
			}
			bins := make([]uint8, n*features)
			for i := range bins {
				bins[i] = cols[i%features*pitch+i/features]
			}
			gh := make([]int64, n)
			for i := range gh {
				gh[i] = int64(d.Uint64()) >> d.IntN(40)
			}
			return []any{make([]int64, features*HistogramCells), bins, features, cols, pitch, gh}
		},
		Call: func(a []any) {
			HistogramU8(a[0].([]int64), a[1].([]uint8), a[2].(int), a[3].([]uint8), a[4].(int), nil,
				a[5].([]int64), histogramTile[:a[2].(int)*HistogramTile])
		},
		Spec: func(a []any) {
			hist, cols, pitch := a[0].([]int64), a[3].([]uint8), a[4].(int)
			for f := range a[2].(int) {
				for i, v := range a[5].([]int64) {
					hist[f*HistogramCells+int(cols[f*pitch+i])] += v
				}
			}
		},
		Writes: []int{0},
	},
	entry{
		Name:    "HistogramU16",
		Lengths: []int{0, 1, 2, 3, 7, 31, 64, 130},
		Long:    []int{touchedRows - 1, touchedRows + 1, 3*touchedRows + 5},
		Args: func(d *draw, n int) []any {
			all := n
			listed := d.IntN(3) > 0
			var rows []uint32
			if listed {
				all = 2*n + 1
				rows = make([]uint32, n)
				for i := range rows {
					rows[i] = uint32(d.IntN(all))
				}
			}
			hist, gh := make([]int64, 1+d.IntN(300)), make([]int64, n)
			offsets, cells := []uint32{0}, []uint16{}
			for range all {
				for range d.IntN(4) * d.IntN(4) {
					cells = append(cells, uint16(d.IntN(len(hist))))
				}
				offsets = append(offsets, uint32(len(cells)))
			}
			for i := range hist {
				hist[i] = int64(d.Uint64() >> 20)
			}
			for i := range gh {
				gh[i] = int64(d.Uint64()) >> d.IntN(40)
			}
			return []any{hist, cells, offsets, rows, gh, listed}
		},
		Call: func(a []any) {
			HistogramU16(a[0].([]int64), a[1].([]uint16), a[2].([]uint32), listedRows(a), a[4].([]int64))
		},
		Spec: func(a []any) {
			for i, v := range a[4].([]int64) {
				r := i
				if a[5].(bool) {
					r = int(a[3].([]uint32)[i])
				}
				for k := a[2].([]uint32)[r]; k < a[2].([]uint32)[r+1]; k++ {
					a[0].([]int64)[a[1].([]uint16)[k]] += v
				}
			}
		},
		Writes: []int{0},
	},
	entry{
		Name: "SumI64",
		Args: func(d *draw, n int) []any {
			x := make([]int64, n)
			for i := range x {
				x[i] = int64(d.Uint64())
			}
			return []any{x, make([]int64, 1)}
		},
		Call: func(a []any) { a[1].([]int64)[0] = SumI64(a[0].([]int64)) },
		Spec: func(a []any) {
			for _, v := range a[0].([]int64) {
				a[1].([]int64)[0] += v
			}
		},
		Writes: []int{1},
	},
	entry{
		Name: "SubI64",
		Args: func(d *draw, n int) []any {
			a, b := make([]int64, n), make([]int64, n)
			for i := range a {
				a[i], b[i] = int64(d.Uint64()), int64(d.Uint64())
			}
			return []any{make([]int64, n), a, b}
		},
		Call: func(a []any) { SubI64(a[0].([]int64), a[1].([]int64), a[2].([]int64)) },
		Spec: func(a []any) {
			for i := range a[0].([]int64) {
				a[0].([]int64)[i] = a[1].([]int64)[i] - a[2].([]int64)[i]
			}
		},
		Writes: []int{0},
	},
	entry{
		Name:    "BestSplitI64",
		Lengths: splitLengths,
		Long:    []int{},
		Cases:   barCases,
		Args:    barArgs,
		Call: func(a []any) {
			putSplit(a, BestSplitI64(a[0].([]int64), a[1].(int64), a[2].(int64), a[3].(float64), a[4].(float64),
				a[5].(int64), a[11].(float64)))
		},
		Spec: func(a []any) {
			alpha, lambda := a[3].(float64), a[4].(float64)
			putSplit(a, specSplit(a, func(_ int, gl, hl, gr, hr float64) (float64, bool) {
				l, r := max(math.Abs(gl)-alpha, 0), max(math.Abs(gr)-alpha, 0)
				ll, rr := float64(l*l), float64(r*r)
				left, right := float64(ll*float64(hr+lambda)), float64(rr*float64(hl+lambda))
				gain := float64(left+right) / float64(float64(hl+lambda)*float64(hr+lambda))
				return gain, gain > a[11].(float64)
			}))
		},
		Writes: []int{9, 10},
	},
	entry{
		Name:    "BestSplitBoundI64",
		Lengths: splitLengths,
		Long:    []int{},
		Cases:   splitCases,
		Args:    splitArgs,
		Call: func(a []any) {
			putSplit(a, BestSplitBoundI64(a[0].([]int64), a[1].(int64), a[2].(int64), a[3].(float64), a[4].(float64),
				a[5].(int64),
				SplitBound{Order: a[6].(int), Lo: a[7].(float64), Hi: a[8].(float64)}))
		},
		Spec: func(a []any) {
			alpha, lambda, order := a[3].(float64), a[4].(float64), float64(a[6].(int))
			leaf := func(g, h float64) (v, gain float64) {
				s := 0.0
				switch {
				case g > alpha:
					s = g - alpha
				case g < -alpha:
					s = g + alpha
				}
				x := h + lambda
				switch v = -s / x; {
				case v < a[7].(float64):
					v = a[7].(float64)
				case v > a[8].(float64):
					v = a[8].(float64)
				}
				once, twice := float64(s*v), float64(float64(x*v)*v)
				return v, -(float64(once+once) + twice)
			}
			putSplit(a, specSplit(a, func(bin int, gl, hl, gr, hr float64) (float64, bool) {
				vl, left := leaf(gl, hl)
				vr, right := leaf(gr, hr)
				return left + right, bin == len(a[0].([]int64))-1 || order*vl <= order*vr
			}))
		},
		Writes: []int{9, 10},
	},
	entry{
		Name: "PartitionRows",
		Args: func(d *draw, n int) []any {
			all, stride := n+d.IntN(4), 1+d.IntN(2)*d.IntN(40)
			rows, gh, bins := make([]uint32, n), make([]int64, n), make([]uint8, max(all-1, 0)*stride+1)
			for i := range rows {
				rows[i], gh[i] = uint32(d.IntN(all)), int64(d.Uint64())
				if !d.Special {
					rows[i] = uint32(i + all - n)
				}
			}
			for i := range bins {
				bins[i] = uint8(d.Uint32())
			}
			left := make([]uint64, 4)
			for i := range left {
				left[i] = []uint64{d.Uint64(), 0, math.MaxUint64}[d.IntN(3)]
			}
			return []any{rows, gh, make([]uint32, n), make([]int64, n), bins, left, make([]int, 1), stride}
		},
		Call: func(a []any) {
			tmpRows, tmpGH := a[2].([]uint32), a[3].([]int64)
			a[6].([]int)[0] = PartitionRows(a[0].([]uint32), a[1].([]int64), tmpRows, tmpGH, a[4].([]uint8),
				a[7].(int), (*[4]uint64)(a[5].([]uint64)))
			clear(tmpRows)
			clear(tmpGH)
		},
		Spec: func(a []any) {
			rows, gh, left := a[0].([]uint32), a[1].([]int64), a[5].([]uint64)
			var sides [2][]uint32
			var sidesGH [2][]int64
			for i, r := range rows {
				side := 1
				if b := a[4].([]uint8)[int(r)*a[7].(int)]; left[b/64]&(1<<(b%64)) != 0 {
					side = 0
				}
				sides[side], sidesGH[side] = append(sides[side], r), append(sidesGH[side], gh[i])
			}
			a[6].([]int)[0] = copy(rows, sides[0])
			copy(gh, sidesGH[0])
			copy(rows[len(sides[0]):], sides[1])
			copy(gh[len(sides[0]):], sidesGH[1])
		},
		Writes: []int{0, 1, 2, 3, 6},
	},
	entry{
		Name: "BinF32",
		Args: func(d *draw, n int) []any {
			stride := 1 + d.IntN(2)*d.IntN(40)
			x := d.F32s(max(n-1, 0)*stride + 1)
			bounds := make([]float32, 1+d.IntN(255)>>d.IntN(8))
			for i := range bounds {
				bounds[i] = x[d.IntN(len(x))]
				if bounds[i] != bounds[i] || d.IntN(3) == 0 {
					bounds[i] = float32(d.IntN(100) - 50)
				}
			}
			bounds[len(bounds)-1] = float32(math.Inf(1))
			for i := range bounds { // ascending
				for j := range i {
					if bounds[j] > bounds[i] {
						bounds[i], bounds[j] = bounds[j], bounds[i]
					}
				}
			}
			return []any{make([]uint8, n), x, stride, bounds, d.IntN(2) == 0, make([]bool, 1)}
		},
		Call: func(a []any) {
			a[5].([]bool)[0] = BinF32(a[0].([]uint8), a[1].([]float32), a[2].(int), a[3].([]float32), a[4].(bool))
		},
		Spec: func(a []any) {
			bounds := a[3].([]float32)
			for i := range a[0].([]uint8) {
				v, b := a[1].([]float32)[i*a[2].(int)], 0
				for _, bound := range bounds {
					if bound < v {
						b++
					}
				}
				if v != v || v == 0 && a[4].(bool) {
					b, a[5].([]bool)[0] = len(bounds), true
				}
				a[0].([]uint8)[i] = uint8(b)
			}
		},
		Writes: []int{0, 5},
	},
	entry{
		Name: "InterleaveU8",
		Args: func(d *draw, n int) []any {
			stride, pitch := 8+d.IntN(20), n+d.IntN(3)
			cols := make([]uint8, 7*pitch+n)
			for i := range cols {
				cols[i] = uint8(d.Uint32())
			}
			return []any{make([]uint8, max(n-1, 0)*stride+8), stride, cols, pitch, n}
		},
		Call: func(a []any) { InterleaveU8(a[0].([]uint8), a[1].(int), a[2].([]uint8), a[3].(int), a[4].(int)) },
		Spec: func(a []any) {
			for i := range a[4].(int) {
				for f := range 8 {
					a[0].([]uint8)[i*a[1].(int)+f] = a[2].([]uint8)[f*a[3].(int)+i]
				}
			}
		},
		Writes: []int{0},
	},
	entry{
		Name: "SortF32",
		Args: func(d *draw, n int) []any {
			x := d.F32s(n)
			for i, v := range x {
				if v != v { // its sign is the processor's
					x[i] = 1
				}
			}
			if d.IntN(2) == 0 { // few bits: digits that all values share
				for i := range x {
					x[i] = float32(d.IntN(16))
				}
			}
			return []any{x, make([]float32, n)}
		},
		Cases: func() (cases [][]any) {
			const n = 1500 // beyond the lengths that are not sorted by digits
			for bit := range 32 {
				// one value differs from the others, in one digit
				for _, at := range []int{0, n / 2, n - 1} {
					x := slices.Repeat([]float32{1}, n)
					x[at] = math.Float32frombits(math.Float32bits(1) ^ 1<<bit)
					if bit != 30 { // NaN
						cases = append(cases, []any{x, make([]float32, n)})
					}
				}
			}
			return cases
		},
		Call: func(a []any) {
			SortF32(a[0].([]float32), a[1].([]float32))
			clear(a[1].([]float32))
		},
		Spec: func(a []any) {
			slices.SortFunc(a[0].([]float32), func(a, b float32) int {
				return cmp.Or(cmp.Compare(a, b), cmp.Compare(1/a, 1/b))
			})
		},
		Writes: []int{0, 1},
	},
)

// listedRows returns the rows of HistogramU8's operands, nil when none are listed.
func listedRows(a []any) []uint32 {
	if a[5].(bool) {
		return a[3].([]uint32)
	}
	return nil
}

func TestGradHess(t *testing.T) {
	for _, grad := range []int32{0, 1, -1, math.MaxInt32, math.MinInt32} {
		t.Run(fmt.Sprint(grad), func(t *testing.T) {
			for _, hess := range []int32{0, 1, 7, math.MaxInt32} {
				if g, h := GradHess(int64(hess)<<32 + int64(grad)); g != grad || h != hess {
					t.Errorf("%d and %d come back as %d and %d", grad, hess, g, h)
				}
			}
		})
	}
}

func TestTreePanics(t *testing.T) {
	hist, bytes, rows, gh := make([]int64, 8*HistogramCells), make([]uint8, 100), make([]uint32, 3), make([]int64, 3)
	tile := histogramTile
	for name, f := range map[string]func(){
		"HistogramU8 a multiple of 2112": func() {
			HistogramU8(hist[:7*HistogramCells], bytes, 8, nil, 0, nil, gh, tile)
		},
		"HistogramU8 2 and 3":                func() { HistogramU8(hist, bytes, 8, nil, 0, rows[:2], gh, tile) },
		"HistogramU8 8256":                   func() { HistogramU8(hist, bytes, 8, nil, 0, nil, gh, nil) },
		"HistogramU8 7; it must be":          func() { HistogramU8(hist, bytes, 7, nil, 0, nil, gh, tile) },
		"HistogramU8 len(bins) is 23":        func() { HistogramU8(hist, bytes[:23], 8, nil, 0, nil, gh, tile) },
		"HistogramU8 ends at 31":             func() { HistogramU8(hist, bytes, 8, bytes[:30], 4, nil, gh, tile) },
		"HistogramU8 pitch is 2":             func() { HistogramU8(hist, bytes, 8, bytes, 2, nil, gh, tile) },
		"SubI64 2 and 3":                     func() { SubI64(gh[:2], gh, gh) },
		"SubI64 overlaps":                    func() { SubI64(hist[1:3], hist[:2], hist[:2]) },
		"BestSplitI64 265; the limit is 264": func() { BestSplitI64(hist[:265], 0, 0, 0, 0, 0, -1) },
		"BestSplitBoundI64 the limit is 264": func() { BestSplitBoundI64(hist[:265], 0, 0, 0, 0, 0, SplitBound{}) },
		"PartitionRows 3 and 2": func() {
			PartitionRows(rows, gh[:2], make([]uint32, 3), make([]int64, 3),
				bytes, 1, new([4]uint64))
		},
		"PartitionRows len(tmpRows) is 2": func() {
			PartitionRows(rows, gh, make([]uint32, 2), make([]int64, 3), bytes, 1,
				new([4]uint64))
		},
		"PartitionRows overlaps": func() {
			PartitionRows(rows, gh, rows, make([]int64, 3), bytes, 1,
				new([4]uint64))
		},
		"BinF32 256; the limit is 255": func() { BinF32(bytes, make([]float32, 100), 1, make([]float32, 256), false) },
		"BinF32 ends at 3":             func() { BinF32(bytes[:2], make([]float32, 2), 2, nil, false) },
		"SortF32 2 and 3":              func() { SortF32(make([]float32, 3), make([]float32, 2)) },
		"SortF32 overlap":              func() { x := make([]float32, 4); SortF32(x[:3], x[1:]) },
		"InterleaveU8 stride is 7":     func() { InterleaveU8(bytes, 7, bytes, 3, 3) },
		"InterleaveU8 len(dst) is 23":  func() { InterleaveU8(bytes[:23], 8, bytes, 3, 3) },
		"InterleaveU8 len(cols) is 22": func() { InterleaveU8(bytes, 8, bytes[:22], 3, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			func() {
				defer func() {
					kernel, want, _ := strings.Cut(name, " ")
					if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), kernel+": ") ||
						!strings.Contains(err.Error(), want) {
						t.Error(err)
					}
				}()
				f()
			}()
		})
	}
}

// Goroutines write columns of the same rows side by side, which is no race.
func TestInterleaveTogether(t *testing.T) {
	const n, stride = 50, 24
	dst, want := make([]uint8, n*stride), make([]uint8, n*stride)
	cols := make([]uint8, 8*n)
	for i := range cols {
		cols[i] = uint8(i)
	}
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			clear(dst)
			var wait sync.WaitGroup
			for k := 0; k < stride; k += 8 {
				interleaveU8Generic(want[k:], stride, cols, n, n)
				wait.Go(func() { InterleaveU8(dst[k:], stride, cols, n, n) })
			}
			wait.Wait()
			restore()
			if !slices.Equal(dst, want) {
				t.Errorf("%v, want %v", dst, want)
			}
		})
	}
}

// Whatever is looked at roughly first, the best split is that of plain Go: with sums of any size,
// penalties and bars that are not in float32, and bars close to the best gain.
func TestBestSplitRough(t *testing.T) {
	d := testkit.NewDraw(19, 20, false)
	inf := math.Inf(1)
	bars := []float64{-1, -inf, inf, 0, math.Copysign(0, -1), math.NaN(), -5e-324, 5e-324, 1e-40, -1e-46, -1e300, 1e300}
	penalties := []float64{0, 0, 0, 5e-324, 0.3, 1000, 0x1p60, math.Nextafter(0x1p60, inf), 0x1p100, 1e300, inf}
	for range 2000 {
		cells := make([]int64, 1+d.IntN(256>>d.IntN(6)))
		most := [2]int64{} // of a cell's sums
		for i := range most {
			most[i] = max(1<<d.IntN(31)/int64(len(cells)), 1)
		}
		total, same := int64(0), d.IntN(3) == 0
		for i := range cells {
			grad := d.Int64N(2*most[0]) - most[0]
			if same { // gains differ by little
				grad = most[0] - d.Int64N(2)
			}
			cells[i] = d.Int64N(most[1]+1)<<32 + grad
			total += cells[i]
		}
		alpha, lambda := penalties[d.IntN(8)], penalties[d.IntN(len(penalties))]
		minHess, bar := float64(int64(1)<<(d.IntN(33)*d.IntN(2))), bars[d.IntN(len(bars))]
		for range 4 {
			gain, bin, left := bestSplitI64(cells, 0, total, alpha, lambda, minHess, bar)
			want, wantBin, wantLeft := bestSplitI64Generic(cells, 0, total, alpha, lambda, minHess, bar)
			if bin != wantBin || bin >= 0 && (gain != want || left != wantLeft) {
				t.Fatalf("%d cells, alpha %v, lambda %v, least Hessian %v, bar %v: bin %d, gain %v; want %d, %v",
					len(cells), alpha, lambda, minHess, bar, bin, gain, wantBin, want)
			}
			if bar = math.Nextafter(want, -inf); d.IntN(2) == 0 {
				bar = want - math.Abs(want)*math.Ldexp(1, -10-d.IntN(30))
			}
		}
	}
}

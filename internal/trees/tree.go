// Package trees contains the kernels of gradient-boosted trees in four families: tree (bins,
// histograms, splits and partitions, for training), lambda (derivatives of document pairs), forest
// (scores of blocks of documents) and request (scores of single documents and of requests).
//
// Lengths are checked. The contents of row lists and forest nodes are not checked: they index other
// operands, are created by the trainer and the forest builder, and checking them would cost as much
// as using them. This is why these kernels are internal.
package trees

import (
	"math"
	"slices"
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
)

// A cell of a histogram contains two integer sums, of Hessians in the upper half and of gradients
// in the lower half:
//
//	cell = hess·2³² + grad
//
// grad is signed and borrows from hess. [GradHess] separates the two sums. Both must fit in int32,
// which is the case if gradients are scaled to Σ|grad| ≤ 2³⁰. Sums of cells are then exact in any
// order.

// HistogramCells is the distance between the histograms of two features, in cells. There are 256
// cells for the bins, and 8 that keep the histograms of neighboring features in different cache
// sets.
const HistogramCells = 264

// histogramFeatures is the number of features that HistogramU8 processes at once, the number of
// bytes in a word.
const histogramFeatures = 8

// GradHess returns the two sums in a cell.
func GradHess(cell int64) (grad, hess int32) {
	grad = int32(cell)
	return grad, int32((cell - int64(grad)) >> 32)
}

// HistogramTile is the scratch memory of HistogramU8, in bytes per feature.
const HistogramTile = histogramRows + 8

// HistogramU8 adds rows to the histograms of len(hist)/HistogramCells features, a multiple of 8:
//
//	hist[f·HistogramCells + bins[rows[i]·stride+f]] += gh[i]
//
// for every i and f. If rows is nil, it uses rows 0 to len(gh)−1. Every row must lie within bins;
// this is not checked if rows are listed. cols is empty, or contains the same bins by feature, as
// cols[f·pitch+i]. Some tiers read cols if rows are not listed. tile is scratch of at least
// HistogramTile bytes per feature. It must be aligned to eight bytes, as with make, because the Go
// code stores words there.
func HistogramU8(hist []int64, bins []uint8, stride int, cols []uint8, pitch int, rows []uint32, gh []int64,
	tile []uint8) {
	features := len(hist) / HistogramCells
	if len(hist) != features*HistogramCells || features%histogramFeatures != 0 {
		panic(kern.Lengths("HistogramU8: len(hist) is %d; it must be a multiple of %d", len(hist),
			histogramFeatures*HistogramCells))
	}
	if rows != nil && len(rows) != len(gh) {
		panic(kern.Lengths("HistogramU8: len(rows) and len(gh) differ: %d and %d", len(rows), len(gh)))
	}
	if stride < features {
		panic(kern.Lengths("HistogramU8: stride is %d; it must be at least the number of features, %d", stride, features))
	}
	if len(tile) < features*HistogramTile {
		panic(kern.Lengths("HistogramU8: len(tile) is %d; it must be at least HistogramTile for each feature, %d", len(tile),
			features*HistogramTile))
	}
	if len(gh) == 0 || features == 0 {
		return
	}
	if need := (len(gh)-1)*stride + features; rows == nil && len(bins) < need {
		panic(kern.Lengths("HistogramU8: len(bins) is %d, but the last row ends at %d", len(bins), need))
	}
	if rows == nil && len(cols) > 0 {
		if pitch < len(gh) {
			panic(kern.Lengths("HistogramU8: pitch is %d; it must be at least len(gh), %d", pitch, len(gh)))
		}
		if need := (features-1)*pitch + len(gh); len(cols) < need {
			panic(kern.Lengths("HistogramU8: len(cols) is %d, but the last column ends at %d", len(cols), need))
		}
	}
	histogramU8(hist, bins, stride, cols, pitch, rows, gh, tile)
}

// HistogramU16 adds rows that list their cells to histograms:
//
//	hist[cells[k]] += gh[i], k from offsets[rows[i]] to offsets[rows[i]+1]−1
//
// for every i. If rows is nil, it uses rows 0 to len(gh)−1. Every row must have offsets, these must
// lie within cells, and the cells must lie within hist.
func HistogramU16(hist []int64, cells []uint16, offsets []uint32, rows []uint32, gh []int64) {
	if rows != nil && len(rows) != len(gh) {
		panic(kern.Lengths("HistogramU16: len(rows) and len(gh) differ: %d and %d", len(rows), len(gh)))
	}
	if rows == nil && len(gh) > 0 && len(offsets) <= len(gh) {
		panic(kern.Lengths("HistogramU16: len(offsets) is %d; it must be at least len(gh)+1, %d", len(offsets), len(gh)+1))
	}
	histogramU16Generic(hist, cells, offsets, rows, gh)
}

// histogramRows is the number of rows that are added to the histograms of all features, eight
// features at a time, before the next rows. For 136 features, the bins of these rows, the bins of
// the next rows and all histograms fit in a cache of 1 MiB.
const histogramRows = 1024

// SubI64 sets dst[i] to a[i] − b[i]. dst may be a or b.
func SubI64(dst, a, b []int64) {
	if len(dst) != len(a) {
		panic(kern.Lengths("SubI64: len(dst) and len(a) differ: %d and %d", len(dst), len(a)))
	}
	if len(a) != len(b) {
		panic(kern.Lengths("SubI64: len(a) and len(b) differ: %d and %d", len(a), len(b)))
	}
	if kern.Shifted(dst, a) || kern.Shifted(dst, b) {
		panic(kern.Error("SubI64: dst overlaps an input"))
	}
	for i := 0; i < len(dst); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(dst))
		subI64(dst[i:end], a[i:end], b[i:end])
	}
}

// SumI64 returns the sum of x, modulo 2⁶⁴.
func SumI64(x []int64) int64 {
	var s0, s1, s2, s3 int64
	for ; len(x) >= 4; x = x[4:] {
		s0, s1, s2, s3 = s0+x[0], s1+x[1], s2+x[2], s3+x[3]
	}
	for _, v := range x {
		s0 += v
	}
	return s0 + s1 + (s2 + s3)
}

// A Split divides the rows of a leaf by one feature: bins 0 to Bin go left, the others go right,
// and MissingLeft determines the direction of missing values.
type Split struct {
	Bin         int // −1 if no split is allowed; then Gain is meaningless
	MissingLeft bool
	Gain        float64 // of both sides, without subtracting the gain of the undivided leaf
	Left        int64   // the cell of the left side
}

// BestSplitI64 returns the best split of a leaf by a numerical feature. cells is the feature's
// histogram over the leaf, at most HistogramCells, without the cell of missing values. total is the
// sum of both. For every bin b
//
//	gl, hl = sums of cells[0] … cells[b], gr, hr = those of total less gl, hl
//	l = max(|gl|−alpha, 0), r = max(|gr|−alpha, 0)
//	x = hl + lambda, y = hr + lambda
//	gain = ((l·l)·y + (r·r)·x) / (x·y)
//
// with every operation rounded to float64. This equals l²/x + r²/y. alpha and lambda are the L1 and
// L2 penalties in units of the scaled gradient and Hessian. A split is allowed if both sides have a
// Hessian of at least max(minHess, 1) and the gain exceeds bar. A minimum number of rows is
// expressed as its share of the Hessian, as in LightGBM. A high bar avoids most of the divisions.
//
// Missing values go right. If missing is not 0, they may also go left if that gains more. Of equal
// gains the lowest bin wins.
func BestSplitI64(cells []int64, missing, total int64, alpha, lambda float64, minHess int64, bar float64) Split {
	if len(cells) > HistogramCells {
		panic(kern.Lengths("BestSplitI64: len(cells) is %d; the limit is %d", len(cells), HistogramCells))
	}
	least := float64(max(minHess, 1))
	var s Split
	s.Gain, s.Bin, s.Left = bestSplitI64(cells, 0, total, alpha, lambda, least, bar)
	if missing != 0 {
		if gain, bin, left := bestSplitI64(cells, missing, total, alpha, lambda, least, s.Gain); bin >= 0 {
			s = Split{bin, true, gain, left}
		}
	}
	return s
}

// A SplitBound keeps leaf values within limits and in order. Values and limits are in units of the
// scaled gradient divided by units of the Hessian.
type SplitBound struct {
	Order  int     // 1: the right value is at least the left one; −1: at most; 0: unrestricted
	Lo, Hi float64 // minimum and maximum value

	// If Smooth is above 0, the value v of a leaf with Hessian h is first limited to −Cap … Cap,
	// and then smoothed towards Parent: (w·v)/(w+1) + Parent/(w+1) with w = h·Smooth.
	Smooth, Cap, Parent float64
}

// Limit returns the value of a leaf after applying the bound.
func (b *SplitBound) Limit(v, hess float64) float64 {
	if b.Smooth > 0 {
		w := float64(hess * b.Smooth)
		v = float64(w*min(max(v, -b.Cap), b.Cap))/(w+1) + b.Parent/(w+1)
	}
	return min(max(v, b.Lo), b.Hi)
}

// Ordered reports whether the values of a split's two sides are in the required order.
func (b *SplitBound) Ordered(left, right float64) bool {
	return !(b.Order > 0 && left > right || b.Order < 0 && left < right)
}

// BestSplitBoundI64 is like [BestSplitI64] but for leaves with bounded values. The value and the
// gain of a side with gradient g and Hessian h are
//
//	x = h + lambda, s = max(|g|−alpha, 0) with the sign of g
//	v = bound.Limit(−s/x, h), which is min(max(−s/x, Lo), Hi) unless Smooth is above 0
//	gain = −(2·(s·v) + (x·v)·v)
//
// and the gain of a split is the sum of the left and the right gain. Order does not restrict a
// split at the last bin, which separates missing values from all others.
func BestSplitBoundI64(cells []int64, missing, total int64, alpha, lambda float64, minHess int64,
	bound SplitBound) Split {
	if len(cells) > HistogramCells {
		panic(kern.Lengths("BestSplitBoundI64: len(cells) is %d; the limit is %d", len(cells), HistogramCells))
	}
	least := float64(max(minHess, 1))
	s := Split{Bin: -1, Gain: math.Inf(-1)}
	gt, ht := floatSums(total)
	scan := func(start int64, missingLeft bool) {
		left := start
		for b, c := range cells {
			left += c
			gl, hl := floatSums(left)
			gr, hr := gt-gl, ht-hl
			if min(hl, hr) < least {
				continue
			}
			vl, gainL := boundedLeaf(gl, hl, alpha, lambda, &bound)
			vr, gainR := boundedLeaf(gr, hr, alpha, lambda, &bound)
			if b < len(cells)-1 && !bound.Ordered(vl, vr) {
				continue
			}
			if gain := gainL + gainR; gain > s.Gain {
				s = Split{b, missingLeft, gain, left}
			}
		}
	}
	scan(0, false)
	if missing != 0 {
		scan(missing, true)
	}
	return s
}

func boundedLeaf(g, h, alpha, lambda float64, bound *SplitBound) (value, gain float64) {
	x, s := h+lambda, math.Copysign(max(math.Abs(g)-alpha, 0), g)
	v := bound.Limit(-s/x, h)
	return v, -(float64(2*float64(s*v)) + float64(float64(x*v)*v))
}

// PartitionRows moves the rows whose bin is in left to the front and the other rows after them,
// each in their order. It moves the elements of gh in the same way, and returns the number of rows
// that went left. The bin of row r is bins[r·stride]. It is in left if bit bin%64 of left[bin/64]
// is set. tmpRows and tmpGH are scratch of the same length and must not overlap any operand. Every
// row must lie within bins; this is not checked.
func PartitionRows(rows []uint32, gh []int64, tmpRows []uint32, tmpGH []int64, bins []uint8, stride int,
	left *[4]uint64) int {
	n := len(rows)
	if len(gh) != n {
		panic(kern.Lengths("PartitionRows: len(rows) and len(gh) differ: %d and %d", n, len(gh)))
	}
	if len(tmpRows) != n || len(tmpGH) != n {
		panic(kern.Lengths("PartitionRows: len(tmpRows) is %d and len(tmpGH) is %d; both must be len(rows)", len(tmpRows), len(tmpGH)))
	}
	if kern.Overlaps(rows, tmpRows) || kern.Overlaps(gh, tmpGH) {
		panic(kern.Error("PartitionRows: scratch overlaps rows"))
	}
	nl, nr := 0, 0
	for i := 0; i < n; i += kern.BlockLen {
		end := min(i+kern.BlockLen, n)
		k := partitionRows(rows[nl:], gh[nl:], rows[i:end], gh[i:end], tmpRows[nr:], tmpGH[nr:], bins, stride,
			left)
		nl, nr = nl+k, nr+end-i-k
	}
	copy(rows[nl:], tmpRows[:nr])
	copy(gh[nl:], tmpGH[:nr])
	return nl
}

// BinF32 sets dst[i] to the bin of x[i·stride]: the number of bounds that are less than it, or
// len(bounds) if it is missing. NaN is missing, and so is zero if zeroMissing is set. It reports
// whether any value is missing. bounds has at most 255 ascending elements, and the last one is
// +Inf.
func BinF32(dst []uint8, x []float32, stride int, bounds []float32, zeroMissing bool) (missing bool) {
	if len(bounds) > 255 {
		panic(kern.Lengths("BinF32: len(bounds) is %d; the limit is %d", len(bounds), 255))
	}
	if len(dst) == 0 {
		return false
	}
	if need := (len(dst)-1)*stride + 1; len(x) < need {
		panic(kern.Lengths("BinF32: len(x) is %d, but the last value ends at %d", len(x), need))
	}
	for i := 0; i < len(dst); i += kern.BlockLen {
		missing = binF32(dst[i:min(i+kern.BlockLen, len(dst))], x[i*stride:], stride, bounds, zeroMissing) || missing
	}
	return missing
}

// InterleaveU8 writes eight columns as rows of bytes: dst[i·stride+f] = cols[f·pitch+i], for i from
// 0 to n−1 and f from 0 to 7.
func InterleaveU8(dst []uint8, stride int, cols []uint8, pitch, n int) {
	if n <= 0 {
		return
	}
	if stride < 8 {
		panic(kern.Value("InterleaveU8: stride is %v; it must be at least 8", float64(stride)))
	}
	if need := (n-1)*stride + 8; len(dst) < need {
		panic(kern.Lengths("InterleaveU8: len(dst) is %d, but the last row ends at %d", len(dst), need))
	}
	if need := 7*pitch + n; len(cols) < need {
		panic(kern.Lengths("InterleaveU8: len(cols) is %d, but the last column ends at %d", len(cols), need))
	}
	for i := 0; i < n; i += kern.BlockLen {
		interleaveU8(dst[i*stride:], stride, cols[i:], pitch, min(kern.BlockLen, n-i))
	}
}

// SortF32 sorts x in ascending order. −0 comes before +0, and NaNs come first or last by their
// sign. tmp is scratch of the same length and must not overlap x.
func SortF32(x, tmp []float32) {
	if len(tmp) != len(x) {
		panic(kern.Lengths("SortF32: len(tmp) and len(x) differ: %d and %d", len(tmp), len(x)))
	}
	if kern.Overlaps(x, tmp) {
		panic(kern.Error("SortF32: x and tmp overlap"))
	}
	if len(x) == 0 {
		return
	}
	// As unsigned integers, the bits of floats have the same order as the floats, if all bits of
	// negative floats and the sign bits of other floats are inverted.
	a := unsafe.Slice((*uint32)(unsafe.Pointer(&x[0])), len(x))
	b := unsafe.Slice((*uint32)(unsafe.Pointer(&tmp[0])), len(x))
	const bits, digits = 11, 3
	if len(x) < 1<<(bits-1) {
		for i, v := range a {
			a[i] = v ^ (uint32(int32(v)>>31) | 1<<31)
		}
		slices.Sort(a)
	} else {
		var counts [digits][1 << bits]uint32
		for i, v := range a {
			v ^= uint32(int32(v)>>31) | 1<<31
			a[i] = v
			counts[0][v%(1<<bits)]++
			counts[1][v>>bits%(1<<bits)]++
			counts[2][v>>(2*bits)]++
		}
		for d := range digits {
			n, shift := &counts[d], d*bits
			if n[a[0]>>shift%(1<<bits)] == uint32(len(a)) {
				continue // all have the same digit
			}
			at := uint32(0)
			for i, k := range n {
				n[i], at = at, at+k
			}
			for _, v := range a {
				i := &n[v>>shift%(1<<bits)]
				b[*i] = v
				*i++
			}
			a, b = b, a
		}
	}
	out := unsafe.Slice((*uint32)(unsafe.Pointer(&x[0])), len(x))
	for i, v := range a {
		out[i] = v ^ (uint32(int32(^v)>>31) | 1<<31)
	}
}

package trees

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
)

func histogramU8Generic(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64, tile []uint8) {
	features := len(hist) / HistogramCells
	for i := 0; i < len(gh); i += histogramRows {
		n := min(histogramRows, len(gh)-i)
		list, own := tileRows(bins, stride, rows, i, n)
		touchRows(own, stride, features, list, n)
		for f := 0; f < features; {
			groups := 1
			if f+4*histogramFeatures <= features {
				groups = 4
			}
			tileWords(tile, own[f:], stride, list, groups)
			for g := range groups {
				histogramEight(hist[f*HistogramCells:(f+histogramFeatures)*HistogramCells], wordsOf(tile, g), gh[i:i+n])
				f += histogramFeatures
			}
		}
	}
}

// tileRows returns a list of n rows, starting with the i-th one, and the bins to which the list
// refers.
func tileRows(bins []uint8, stride int, rows []uint32, i, n int) (list []uint32, from []uint8) {
	switch {
	case rows != nil:
		return rows[i : i+n], bins
	case n == 0:
		return nil, nil
	}
	return inOrder[:n], bins[i*stride:]
}

// inOrder is the list of a tile's rows if the rows are not listed.
var inOrder = func() (rows [histogramRows]uint32) {
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}()

// touchRows loads n rows into the cache. The loads overlap, because nothing waits for them. If the
// function were inlined, the compiler would omit them.
//
//go:noinline
func touchRows(bins []uint8, stride, features int, rows []uint32, n int) (sum uint8) {
	const line = 64
	for i := range n {
		r := i
		if rows != nil {
			r = int(rows[i])
		}
		row := bins[r*stride:][:features]
		for f := 0; f < len(row); f += line {
			sum += row[f]
		}
		sum += row[len(row)-1]
	}
	return sum
}

// wordsOf returns the part of a tile that contains the bytes of a group of eight features, row by
// row.
func wordsOf(tile []uint8, group int) *[histogramRows]uint64 {
	const bytes = histogramFeatures * histogramRows
	return (*[histogramRows]uint64)(unsafe.Pointer((*[bytes]uint8)(tile[group*histogramFeatures*HistogramTile:])))
}

// tileWords writes the bytes of rows to a tile, for one group of eight features or for four groups.
// A few groups and their histograms fit in L1, and a cache line of a row contains several groups.
func tileWords(tile, bins []uint8, stride int, rows []uint32, groups int) {
	rows = rows[:min(len(rows), histogramRows)] // avoids bounds checks
	t0 := wordsOf(tile, 0)
	if groups == 1 {
		for i, r := range rows {
			t0[i] = binary.LittleEndian.Uint64(bins[int(r)*stride:])
		}
		return
	}
	t1, t2, t3 := wordsOf(tile, 1), wordsOf(tile, 2), wordsOf(tile, 3)
	for i, r := range rows {
		row := (*[4 * histogramFeatures]uint8)(bins[int(r)*stride:])
		t0[i] = binary.LittleEndian.Uint64(row[0:])
		t1[i] = binary.LittleEndian.Uint64(row[8:])
		t2[i] = binary.LittleEndian.Uint64(row[16:])
		t3[i] = binary.LittleEndian.Uint64(row[24:])
	}
}

// histogramEight adds rows to the histograms of eight features. words contains the bins of the
// rows.
func histogramEight(hist []int64, words *[histogramRows]uint64, gh []int64) {
	// An index of type byte needs no bounds check.
	h := (*[histogramFeatures][HistogramCells]int64)(unsafe.Pointer((*[histogramFeatures * HistogramCells]int64)(hist)))
	for i, v := range gh[:min(len(gh), histogramRows)] {
		w := words[i]
		h[0][uint8(w)] += v
		h[1][uint8(w>>8)] += v
		h[2][uint8(w>>16)] += v
		h[3][uint8(w>>24)] += v
		h[4][uint8(w>>32)] += v
		h[5][uint8(w>>40)] += v
		h[6][uint8(w>>48)] += v
		h[7][uint8(w>>56)] += v
	}
}

// touchedRows is the number of rows that histogramU16Generic loads into the cache before it adds
// them. The number of cells differs between rows, so the end of a row's loop is often mispredicted,
// which would delay further loads.
const touchedRows = 256

func histogramU16Generic(hist []int64, cells []uint16, offsets, rows []uint32, gh []int64) {
	if rows == nil {
		for i, v := range gh {
			for _, c := range cells[offsets[i]:offsets[i+1]] {
				hist[c] += v
			}
		}
		return
	}
	for from := 0; from < len(gh); from += touchedRows {
		part := rows[from:min(from+touchedRows, len(gh))]
		touchCells(cells, offsets, part)
		for i, r := range part {
			v := gh[from+i]
			for _, c := range cells[offsets[r]:offsets[r+1]] {
				hist[c] += v
			}
		}
	}
}

// touchCells loads the cells of listed rows into the cache, like touchRows.
//
//go:noinline
func touchCells(cells []uint16, offsets, rows []uint32) (sum uint16) {
	for _, r := range rows {
		if at := int(offsets[r]); at < len(cells) {
			sum += cells[at]
		}
	}
	return sum
}

func subI64Generic(dst, a, b []int64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

// bestSplitI64Generic scans the bins; start is the sum before the first bin. If no split is
// allowed, the gain is bar.
func bestSplitI64Generic(cells []int64, start, total int64, alpha, lambda, minHess,
	bar float64) (gain float64, bin int, sum int64) {
	gain, bin = bar, -1
	// A gain that is less than bound is less than the best gain, even with rounding errors.
	bound := splitBound(bar)
	left := start
	gt, ht := floatSums(total)
	for b, c := range cells {
		left += c
		gl, hl := floatSums(left)
		gr, hr := gt-gl, ht-hl
		if hl < minHess || hr < minHess {
			continue
		}
		l, r := gl, gr
		if alpha != 0 { // otherwise, the signs do not matter
			l, r = positive(math.Abs(gl)-alpha), positive(math.Abs(gr)-alpha)
		}
		x, y := hl+lambda, hr+lambda
		a, d := float64(float64(l*l)*y)+float64(float64(r*r)*x), float64(x*y)
		if a <= float64(bound*d) {
			continue // avoid the division
		}
		if g := a / d; g > gain {
			gain, bin, sum = g, b, left
			bound = splitBound(gain)
		}
	}
	return gain, bin, sum
}

// splitBound returns a number slightly below the gain.
func splitBound(gain float64) float64 { return gain - float64(math.Abs(gain)*0x1p-40) }

func floatSums(cell int64) (grad, hess float64) {
	g, h := GradHess(cell)
	return float64(g), float64(h)
}

// partitionRowsGeneric moves each row and its element of gh either to rowsL and ghL or to rowsR and
// ghR. It returns the number of rows that go left. rows and gh may be the memory of rowsL and ghL,
// or follow their start. All four destinations must have room for all rows.
func partitionRowsGeneric(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64,
	bins []uint8, stride int, left *[4]uint64) int {
	set := *left
	n := len(rows)
	gh, rowsL, ghL, rowsR, ghR = gh[:n], rowsL[:n], ghL[:n], rowsR[:n], ghR[:n]
	nl := 0
	for i, r := range rows {
		b, v := bins[int(r)*stride], gh[i]
		// Write to both sides, and keep one, to avoid a branch.
		rowsL[nl], ghL[nl] = r, v
		rowsR[i-nl], ghR[i-nl] = r, v
		nl += int(set[b>>6] >> (b & 63) & 1)
	}
	return nl
}

func binF32Generic(dst []uint8, x []float32, stride int, bounds []float32, zeroMissing bool) (missing bool) {
	var table [256]int64
	for i := range table {
		table[i] = missingKey
	}
	for i, v := range bounds {
		table[i] = int64(kern.FloatKey(v))
	}
	first := uint8(uint(1) << bits.Len(uint(len(bounds))) >> 1)
	most, last := int64(math.MinInt64), len(dst)-1
	for i := 0; i <= last; i += 4 {
		// Run four searches at once, because each step of a search waits for the previous step. At
		// the end, the last value is searched for several times.
		i1, i2, i3 := min(i+1, last), min(i+2, last), min(i+3, last)
		k0, k1 := binKey(x[i*stride], zeroMissing), binKey(x[i1*stride], zeroMissing)
		k2, k3 := binKey(x[i2*stride], zeroMissing), binKey(x[i3*stride], zeroMissing)
		most = max(most, k0, k1, k2, k3)
		b0, b1, b2, b3 := searchFour(&table, first, k0, k1, k2, k3)
		dst[i], dst[i1], dst[i2], dst[i3] = b0, b1, b2, b3
	}
	return most == missingKey
}

// searchFour returns, for each k, how many of the ascending numbers in table are less than k, up to
// twice the first step. It uses the sign of a difference instead of a branch, which would often be
// mispredicted. If it were inlined, there would not be enough registers.
//
//go:noinline
func searchFour(table *[256]int64, step uint8, k0, k1, k2, k3 int64) (b0, b1, b2, b3 uint8) {
	for ; step > 0; step >>= 1 {
		b0 += step & uint8((table[b0+step-1]-k0)>>63)
		b1 += step & uint8((table[b1+step-1]-k1)>>63)
		b2 += step & uint8((table[b2+step-1]-k2)>>63)
		b3 += step & uint8((table[b3+step-1]-k3)>>63)
	}
	return b0, b1, b2, b3
}

// missingKey is the key of missing values. It is greater than the keys of all numbers.
const missingKey = math.MaxInt32

// binKey returns an integer key that has the same order as x.
func binKey(x float32, zeroMissing bool) int64 {
	if x != x || zeroMissing && x == 0 {
		return missingKey
	}
	return int64(kern.FloatKey(x))
}

func interleaveU8Generic(dst []uint8, stride int, cols []uint8, pitch, n int) {
	c0, c1, c2, c3 := cols[:n], cols[pitch:][:n], cols[2*pitch:][:n], cols[3*pitch:][:n]
	c4, c5, c6, c7 := cols[4*pitch:][:n], cols[5*pitch:][:n], cols[6*pitch:][:n], cols[7*pitch:][:n]
	for i := range n {
		lo := uint32(c0[i]) | uint32(c1[i])<<8 | uint32(c2[i])<<16 | uint32(c3[i])<<24
		hi := uint32(c4[i]) | uint32(c5[i])<<8 | uint32(c6[i])<<16 | uint32(c7[i])<<24
		binary.LittleEndian.PutUint64(dst[i*stride:], uint64(lo)|uint64(hi)<<32)
	}
}

func positive(v float64) float64 {
	if v > 0 {
		return v
	}
	return 0
}

package vectors

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/kernels"
)

// blocksF32 compares at least two queries with at least four rows. The results of consecutive
// queries are dstride elements apart in dst.
func blocksF32(dst []float32, dstride int, q, a []float32, s manyShape) {
	kern.RaceReadRows(a, s.rows, s.cols, s.stride)
	kern.RaceReadRows(q, s.queries, s.cols, s.qstride)
	for i := 0; kern.Race && i < s.queries; i++ {
		kern.RaceWrite(dst[i*dstride:][:s.rows])
	}
	var xx [blockQueries]float32
	var yy [blockRows]float32
	n := min(blockRows, max(4, blockBytes/4/s.cols&^3))
	most := kern.RowsOf(4*kern.BlockLen, blockQueries, s.cols) &^ 1 // about 1 MiB, as calls cannot be preempted
	for i := 0; i < s.queries; i += most {
		m := min(most, s.queries-i)
		i := min(i, s.queries-2) // if only one query remains, include the previous one again
		m = max(m, 2)
		x := q[i*s.qstride:]
		if s.metric == cosineMetric {
			for k := range m {
				v := x[k*s.qstride:][:s.cols]
				xx[k] = kernels.DotF32(v, v)
			}
		}
		for j := 0; j < s.rows; j += n {
			r := max(4, min(n, s.rows-j))
			j := min(j, s.rows-4)
			y, d := a[j*s.stride:], dst[i*dstride+j:]
			blockF32(s.metric, d, dstride, x, m, s.qstride, y, r, s.cols, s.stride)
			if s.metric == cosineMetric {
				for k := range r {
					v := y[k*s.stride:][:s.cols]
					yy[k] = kernels.DotF32(v, v)
				}
				for k := range m {
					cosinesF32(d[k*dstride:][:r], xx[k], yy[:r])
				}
			}
		}
	}
}

// blockF32 computes the products or distances of at least two queries and four rows. The kernels
// process two queries and four rows at a time. If fewer remain, blockF32 passes some of the
// previous queries or rows again.
func blockF32(m metric, dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride int) {
	if queries%2 != 0 {
		k := queries - 2
		blockF32(m, dst[k*dstride:], dstride, q[k*qstride:], 2, qstride, a[:(rows-1)*stride+cols], rows, cols, stride)
		queries--
	}
	if k := rows - 4; rows%4 != 0 {
		blockF32(m, dst[k:], dstride, q, queries, qstride, a[k*stride:(rows-1)*stride+cols], 4, cols, stride)
		rows &^= 3
	}
	if m == l2Metric {
		l2BlockF32(dst, dstride, q, queries, qstride, a, rows, cols, stride)
	} else {
		dotBlockF32(dst, dstride, q, queries, qstride, a, rows, cols, stride)
	}
}

// wideBlocks reports whether blocksWide supports the shape and is faster than comparing pairs of
// vectors.
func wideBlocks(s *manyShape) bool {
	return s.queries > 1 && s.rows > 3 && s.queries*s.rows >= 64 && 0 < s.cols && s.cols <= wideRows/4
}

// blocksWide converts tiles of rows and queries to float32, and calls blocksF32 to compare them.
func blocksWide[Q F16 | BF16 | float32, E F16 | BF16 | int8](dst []float32, q []Q, a []E, s manyShape) {
	var rowTile [wideRows + 16]float32
	var queryTile [wideQueries + 16]float32
	rows, queries := aligned(rowTile[:]), aligned(queryTile[:])
	w := (s.cols + 15) &^ 15 // number of columns, rounded up to whole cache lines
	n, m := wideRows/w&^3, wideQueries/w&^1
	for j := 0; j < s.rows; j += n {
		r := max(4, min(n, s.rows-j))
		j := min(j, s.rows-4)
		for k := range r {
			widenTo(rows[k*w:][:s.cols], a[(j+k)*s.stride:][:s.cols])
		}
		for i := 0; i < s.queries; i += m {
			c := max(2, min(m, s.queries-i))
			i := min(i, s.queries-2)
			for k := 0; k < c && (j == 0 || s.queries > m); k++ {
				widenTo(queries[k*w:][:s.cols], q[(i+k)*s.qstride:][:s.cols])
			}
			blocksF32(dst[i*s.rows+j:], s.rows, queries, rows,
				manyShape{metric: s.metric, queries: c, qstride: w, rows: r, cols: s.cols, stride: w})
		}
	}
}

// aligned returns the part of x that starts at the first cache line boundary, which is among the
// first 16 elements. Vectors that cross cache lines load at half the speed.
func aligned(x []float32) []float32 {
	return x[-uintptr(unsafe.Pointer(&x[0]))&63/4:]
}

func widenTo[T F16 | BF16 | int8 | float32](dst []float32, src []T) {
	switch src := any(src).(type) {
	case []F16:
		F32FromF16(dst, src)
	case []BF16:
		F32FromBF16(dst, src)
	case []int8:
		DequantizeI8(dst, src, 1)
	case []float32:
		copy(dst, src)
	}
}

//go:build !purego

package vectors

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// All block kernels have the same body, so the bit kernels also have the parameters own and norm,
// which only bytes use. For metrics other than the dot product, these are the products of queries
// and rows with themselves. The kernels read vectors in place and write results directly, without
// the panels and tiles of amd64, because products limit their speed in any case (ci/mca.txt).

//go:noescape
func blockI8NEON(dst []float32, dstride int, q []int8, queries, qstride int, a []int8, rows, cols, stride int,
	own *[blockQueries]int32, norm *[blockRows]int32, metric metric)

//go:noescape
func blockI8SDOTNEON(dst []float32, dstride int, q []int8, queries, qstride int, a []int8, rows, cols, stride int,
	own *[blockQueries]int32, norm *[blockRows]int32, metric metric)

func blockI8(dst []float32, q, a []int8, s manyShape) {
	if cpu.UseNEON && blockFits(&s, s.cols) {
		blockTiles(dst, q, a, &s)
		return
	}
	blockI8Generic(dst, q, a, s)
}

//go:noescape
func blockU8NEON(dst []float32, dstride int, q []uint8, queries, qstride int, a []uint8, rows, cols, stride int,
	own *[blockQueries]int32, norm *[blockRows]int32, metric metric)

//go:noescape
func blockU8SDOTNEON(dst []float32, dstride int, q []uint8, queries, qstride int, a []uint8, rows, cols, stride int,
	own *[blockQueries]int32, norm *[blockRows]int32, metric metric)

func blockU8(dst []float32, q, a []uint8, s manyShape) {
	if cpu.UseNEON && blockFits(&s, s.cols) {
		blockTiles(dst, q, a, &s)
		return
	}
	blockU8Generic(dst, q, a, s)
}

//go:noescape
func blockBitsNEON(dst []float32, dstride int, q []uint64, queries, qstride int, a []uint64, rows, cols, stride int,
	own *[blockQueries]int32, norm *[blockRows]int32, metric metric)

func blockBits(dst []float32, q, a []uint64, s manyShape) {
	if cpu.UseNEON && s.cols <= blockMaxBytes && blockFits(&s, 8*s.cols) {
		blockTiles(dst, q, a, &s)
		return
	}
	blockBitsGeneric(dst, q, a, s)
}

// blockMaxBytes is the maximum size of a vector. Sums of longer byte vectors may exceed an int32,
// and bit counts may exceed the 16 bits of a lane.
const blockMaxBytes = 1 << 15

// blockFits reports whether blockTiles supports the operands. size is the number of bytes of a
// vector.
func blockFits(s *manyShape, size int) bool {
	return s.ids == nil && s.queries > 1 && s.rows >= 4 && 16 <= size && size <= blockMaxBytes
}

// blockTiles compares up to 64 queries at a time with rows that fit in L1.
func blockTiles[T int8 | uint8 | uint64](dst []float32, q, a []T, s *manyShape) {
	kern.RaceReadRows(a, s.rows, s.cols, s.stride)
	kern.RaceReadRows(q, s.queries, s.cols, s.qstride)
	kern.RaceWrite(dst)
	var own [blockQueries]int32
	var norm [blockRows]int32
	n := min(blockRows, max(4, blockBytes/(s.cols*int(unsafe.Sizeof(q[0])))&^3))
	for i := 0; i < s.queries; i += blockQueries {
		x, queries := q[i*s.qstride:], min(blockQueries, s.queries-i)
		blockNorms(own[:queries], x, s.cols, s.qstride, s.metric)
		for k := queries; k%4 != 0; k++ {
			own[k] = own[queries-1] // the last query replaces missing queries
		}
		for j := 0; j < s.rows; j += n {
			rows := max(4, min(n, s.rows-j))
			j := min(j, s.rows-4)
			y := a[j*s.stride:]
			blockNorms(norm[:rows], y, s.cols, s.stride, s.metric)
			blockTile(dst[i*s.rows+j:], s.rows, x, queries, s.qstride, y, rows, s.cols, s.stride, &own, &norm, s.metric)
		}
	}
}

// blockNorms sets dst to the product of each vector with itself if the metric requires it.
func blockNorms[T int8 | uint8 | uint64](dst []int32, v []T, cols, stride int, metric metric) {
	if metric == dotMetric {
		return
	}
	switch v := any(v).(type) {
	case []int8:
		for i := range dst {
			x := v[i*stride:][:cols]
			dst[i] = int32(DotI8(x, x))
		}
	case []uint8:
		for i := range dst {
			x := v[i*stride:][:cols]
			dst[i] = int32(DotU8(x, x))
		}
	}
}

// blockTile computes the results of all pairs of queries and rows. It requires at least one query
// and four rows.
func blockTile[T int8 | uint8 | uint64](dst []float32, dstride int, q []T, queries, qstride int, a []T,
	rows, cols, stride int, own *[blockQueries]int32, norm *[blockRows]int32, metric metric) {
	switch q := any(q).(type) {
	case []int8:
		a := any(a).([]int8)
		if cpu.UseSDOT {
			blockI8SDOTNEON(dst, dstride, q, queries, qstride, a, rows, cols, stride, own, norm, metric)
			return
		}
		blockI8NEON(dst, dstride, q, queries, qstride, a, rows, cols, stride, own, norm, metric)
	case []uint8:
		a := any(a).([]uint8)
		if cpu.UseSDOT {
			blockU8SDOTNEON(dst, dstride, q, queries, qstride, a, rows, cols, stride, own, norm, metric)
			return
		}
		blockU8NEON(dst, dstride, q, queries, qstride, a, rows, cols, stride, own, norm, metric)
	case []uint64:
		blockBitsNEON(dst, dstride, q, queries, qstride, any(a).([]uint64), rows, cols, stride, own, norm, metric)
	}
}

//go:build !purego && amd64

package vectors

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
)

// This file compares blocks of queries with rows of bytes or bits. It transposes sixteen queries or
// rows at a time to a panel. A panel contains four bytes of each vector, then the next four bytes
// of each vector, and so on. The product of two panels is a tile of 256 sums, which are in
// registers and need no horizontal additions. All sums are exact.

const (
	panelVectors = 16 // number of vectors in a panel

	// Two panels of queries, the tiles of 64 rows and a panel of rows use 32 KiB. With fewer
	// results than blockLeast, clearing the panels takes more time than the panels save. The values
	// were measured on Zen 5.
	tileQueries = 32
	tileRows    = 64
	blockLeast  = 1 << 9

	// rowsAhead is the prefetch distance in rows. It was measured on Zen 5 with vectors of 128 and
	// 768 bytes.
	rowsAhead = 32

	// blockMaxCols is the maximum number of bytes of a vector for which sums fit in an int32.
	blockMaxCols = 1 << 15
)

type (
	// A blockPanel contains 16 transposed vectors. Word k of vector i is at 16·k+i.
	blockPanel [panelVectors * 128]uint32

	// A blockTile contains the sum for query i and row j at 16·i+j.
	blockTile [panelVectors * panelVectors]int32

	// A blockWork is aligned to a cache line. If the lines of a panel crossed cache line
	// boundaries, vectors of 768 bytes would take 1.2 times as long on Zen 5.
	blockWork struct {
		queries [tileQueries / panelVectors]blockPanel
		rows    blockPanel
		tiles   [tileRows / panelVectors][tileQueries / panelVectors]blockTile
	}

	// A blockResult describes the destination of a tile, and how to compute results from its sums
	// (see blockStore). add points to the first of sixteen values.
	blockResult struct {
		dst    *float32
		stride int
		add    *int32
		norm   *[panelVectors]int32
		scale  int32
	}

	// A blockKind is the type of the vectors' elements, which determines the products of panels.
	blockKind uint8
)

const (
	blockOfI8 blockKind = iota
	blockOfU8
	blockOfBits
)

// blockFits reports whether blockPanels supports the operands.
func blockFits(s *manyShape) bool {
	return s.ids == nil && s.rows >= panelVectors && s.queries > 1 && s.queries*s.rows >= blockLeast &&
		0 < s.cols && s.cols <= blockMaxCols
}

// blockPanels implements blockI8, blockU8 and blockBits. The operands q and a are passed as bytes,
// and the lengths and strides in the shape are also in bytes. A panel contains at most chunk bytes
// of each vector.
func blockPanels(dst []float32, q, a []uint8, s *manyShape, kind blockKind, chunk int) {
	kern.RaceReadRows(a, s.rows, s.cols, s.stride)
	kern.RaceReadRows(q, s.queries, s.cols, s.qstride)
	kern.RaceWrite(dst)
	var memory [unsafe.Sizeof(blockWork{}) + 63]byte
	start := unsafe.Pointer(&memory)
	w := (*blockWork)(unsafe.Add(start, -uintptr(start)&63))
	var (
		add     [tileQueries]int32  // value to add to the sums of each query
		own     [tileQueries]int64  // product of each query with itself
		norm    [panelVectors]int32 // product of each row with itself
		offsets [panelVectors]int
	)
	scale := int32(1)
	if s.metric == l2Metric {
		scale = -2
	}
	result := blockResult{stride: s.rows, norm: &norm, scale: scale}
	direct := s.metric != cosineMetric && s.cols <= chunk && blockDirect(kind)
	for q0 := 0; q0 < s.queries; q0 += tileQueries {
		some := min(tileQueries, s.queries-q0)
		for i := range some {
			x := q[(q0+i)*s.qstride:][:s.cols]
			add[i], own[i] = 0, 0
			if kind == blockOfBits {
				continue
			}
			if s.metric != dotMetric {
				own[i] = blockOwn(x, kind)
			}
			add[i] = scale * blockBias(x, kind)
			if s.metric == l2Metric {
				add[i] += int32(own[i])
			}
		}
		for r0 := 0; r0 < s.rows; r0 += tileRows {
			// If fewer than sixteen rows remain, the last sixteen rows are used, some of them
			// again.
			groups := (min(tileRows, s.rows-r0) + panelVectors - 1) / panelVectors
			for c0 := 0; c0 < s.cols; c0 += chunk {
				n := min(chunk, s.cols-c0)
				if r0 == 0 || s.cols > chunk {
					for g := 0; g*panelVectors < some; g++ {
						for i := range offsets {
							offsets[i] = (q0+min(g*panelVectors+i, some-1))*s.qstride + c0
						}
						blockPack(&w.queries[g], q, &offsets, n, kind, false)
					}
				}
				for k := range groups {
					first := min(r0+k*panelVectors, s.rows-panelVectors)
					for j := range offsets {
						offsets[j] = (first+j)*s.stride + c0
					}
					blockPack(&w.rows, a, &offsets, n, kind, true)
					if direct && s.metric != dotMetric {
						blockNorms(&norm, a[first*s.stride:], s, kind)
					}
					fetch := uintptr(unsafe.Pointer(unsafe.SliceData(a))) + uintptr((first+rowsAhead)*s.stride+c0)
					for g := 0; g*panelVectors < some; g++ {
						sums, to := min(panelVectors, some-g*panelVectors), (*blockResult)(nil)
						if direct && sums == panelVectors {
							at := q0 + g*panelVectors
							to, result.dst, result.add = &result, &dst[at*s.rows+first], &add[g*panelVectors]
						}
						blockMultiply(&w.tiles[k][g], &w.queries[g], &w.rows, (n+3)/4, sums, fetch, s.stride, c0 == 0,
							kind, to)
					}
				}
			}
			g0 := 0 // first panel of queries whose results are in tiles
			if direct {
				if g0 = some / panelVectors; g0*panelVectors == some {
					continue
				}
			}
			for k := range groups {
				first := min(r0+k*panelVectors, s.rows-panelVectors)
				if s.metric != dotMetric {
					blockNorms(&norm, a[first*s.stride:], s, kind)
				}
				for g := g0; g*panelVectors < some; g++ {
					at := q0 + g*panelVectors
					d, sums := dst[at*s.rows+first:], min(panelVectors, some-g*panelVectors)
					if s.metric == cosineMetric {
						blockCosines(d, s.rows, &w.tiles[k][g], add[g*panelVectors:][:sums], own[g*panelVectors:],
							&norm)
					} else {
						blockStore(d, s.rows, &w.tiles[k][g], add[g*panelVectors:][:sums], &norm, scale)
					}
				}
			}
		}
	}
}

// blockNorms sets norm to the product of each row with itself.
func blockNorms(norm *[panelVectors]int32, a []uint8, s *manyShape, kind blockKind) {
	for j := range norm {
		norm[j] = int32(blockOwn(a[j*s.stride:][:s.cols], kind))
	}
}

// blockCosines computes cosines from the sums of a tile and stores them in dst.
func blockCosines(dst []float32, stride int, tile *blockTile, add []int32, own []int64, norm *[panelVectors]int32) {
	for i, more := range add {
		d := dst[i*stride:][:panelVectors]
		for j := range d {
			d[j] = cosineOf(int64(tile[i*panelVectors+j]+more), own[i], int64(norm[j]))
		}
	}
}

// blockOwn returns the product of a vector with itself.
func blockOwn(x []uint8, kind blockKind) int64 {
	if kind == blockOfU8 {
		return DotU8(x, x)
	}
	return DotI8(int8s(x), int8s(x))
}

func int8s(x []uint8) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// bytesOf returns the memory of s as bytes, without copying.
func bytesOf[T int8 | uint64](s []T) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

//go:build !purego

package vectors

import "github.com/simdrank/simdrank/internal/cpu"

//go:noescape
func blockI8AVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)

//go:noescape
func blockI8AVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool,
	result *blockResult)

func blockI8(dst []float32, q, a []int8, s manyShape) {
	if chunk := blockChunk(&s, cpu.UseVNNI); chunk > 0 {
		blockPanels(dst, bytesOf(q), bytesOf(a), &s, blockOfI8, chunk)
		return
	}
	blockI8Generic(dst, q, a, s)
}

//go:noescape
func blockU8AVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool,
	result *blockResult)

func blockU8(dst []float32, q, a []uint8, s manyShape) {
	if chunk := blockChunk(&s, cpu.UseVNNI); chunk > 0 {
		blockPanels(dst, q, a, &s, blockOfU8, chunk)
		return
	}
	blockU8Generic(dst, q, a, s)
}

//go:noescape
func blockBitsAVX2(tile *blockTile, q, a *blockPanel, steps, queries int, fresh bool)

//go:noescape
func blockBitsAVX512(tile *blockTile, q, a *blockPanel, steps int, fetch uintptr, stride int, fresh bool,
	result *blockResult)

func blockBits(dst []float32, q, a []uint64, s manyShape) {
	b := s
	b.qstride, b.cols, b.stride = 8*s.qstride, 8*s.cols, 8*s.stride
	if chunk := blockChunk(&b, cpu.UseVPOPCNT); chunk > 0 {
		blockPanels(dst, bytesOf(q), bytesOf(a), &b, blockOfBits, chunk)
		return
	}
	blockBitsGeneric(dst, q, a, s)
}

// blockChunk returns the maximum number of bytes of a vector that a panel contains, or 0 if panels
// do not support the shape. feature reports whether the AVX-512 code can be used. The AVX2 code
// needs no feature, but converts bytes to words, which need twice the memory.
func blockChunk(s *manyShape, feature bool) int {
	switch {
	case !blockFits(s):
		return 0
	case feature:
		return 512
	case (cpu.UseAVX2 || cpu.UseAVX512) && s.cols >= 16:
		return 256
	}
	return 0
}

//go:noescape
func blockI8PackAVX512(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, flip uint32)

//go:noescape
func blockI8PackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, extend uint64)

//go:noescape
func blockBitsPackAVX2(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int)

// blockPack transposes n bytes of 16 vectors to a panel. The vectors start at the offsets in v.
func blockPack(p *blockPanel, v []uint8, offsets *[panelVectors]int, n int, kind blockKind, rows bool) {
	switch {
	case kind == blockOfBits && !cpu.UseVPOPCNT:
		blockBitsPackAVX2(p, v, offsets, n)
	case kind == blockOfBits, cpu.UseVNNI && !rows:
		blockI8PackAVX512(p, v, offsets, n, 0)
	case cpu.UseVNNI:
		blockI8PackAVX512(p, v, offsets, n, 0x80808080)
	case kind == blockOfI8:
		blockI8PackAVX2(p, v, offsets, n, 8)
	default:
		blockI8PackAVX2(p, v, offsets, n, 0)
	}
}

// blockHalves contains −128 as int8, which is 128 as uint8.
var blockHalves = func() (h [512]uint8) {
	for i := range h {
		h[i] = 128
	}
	return h
}()

// blockBias returns the correction for the bits that blockPack flips. VPDPBUSD multiplies signed
// bytes by unsigned bytes. Therefore, blockPack flips the highest bits of either the queries or the
// rows, to change their signedness.
func blockBias(x []uint8, kind blockKind) (bias int32) {
	if !cpu.UseVNNI {
		return 0
	}
	for ; len(x) > 0; x = x[min(len(x), len(blockHalves)):] {
		n := min(len(x), len(blockHalves))
		if kind == blockOfU8 {
			bias += int32(DotU8(x[:n], blockHalves[:n]))
		} else {
			bias += int32(DotI8(int8s(x[:n]), int8s(blockHalves[:n])))
		}
	}
	return bias
}

// blockMultiply adds the products of two panels to a tile. If the tile is fresh, it sets the tile
// to the products. The panels contain the given number of words of each vector. Only the results of
// the first queries must be correct. The AVX-512 code also prefetches the same number of words of
// 16 rows that start at fetch and are stride bytes apart. These rows may be beyond the end of the
// matrix.
//
// If result is not nil, the results are stored there instead of the tile. blockDirect must return
// true in this case.
func blockMultiply(tile *blockTile, q, a *blockPanel, words, queries int, fetch uintptr, stride int, fresh bool,
	kind blockKind, result *blockResult) {
	switch {
	case kind == blockOfBits && !cpu.UseVPOPCNT:
		blockBitsAVX2(tile, q, a, 2*words, queries, fresh)
	case kind == blockOfBits:
		blockBitsAVX512(tile, q, a, words, fetch, stride, fresh, result)
	case !cpu.UseVNNI:
		blockI8AVX2(tile, q, a, 2*words, queries, fresh)
	case kind == blockOfI8:
		blockI8AVX512(tile, q, a, words, fetch, stride, fresh, result)
	default:
		blockU8AVX512(tile, q, a, words, fetch, stride, fresh, result)
	}
}

// blockDirect reports whether blockMultiply can store results, instead of only a tile.
func blockDirect(kind blockKind) bool {
	return kind == blockOfBits && cpu.UseVPOPCNT || kind != blockOfBits && cpu.UseVNNI
}

//go:noescape
func blockI8StoreAVX2(dst []float32, stride int, tile *blockTile, add []int32, norm *[panelVectors]int32, scale int32)

//go:noescape
func blockI8StoreAVX512(dst []float32, stride int, tile *blockTile, add []int32, norm *[panelVectors]int32, scale int32)

// blockStore sets dst[i·stride+j] to scale times the sum of query i and row j, plus add[i] and
// norm[j]. It does so for each index i of add.
func blockStore(dst []float32, stride int, tile *blockTile, add []int32, norm *[panelVectors]int32, scale int32) {
	if cpu.UseAVX512 {
		blockI8StoreAVX512(dst, stride, tile, add, norm, scale)
		return
	}
	blockI8StoreAVX2(dst, stride, tile, add, norm, scale)
}

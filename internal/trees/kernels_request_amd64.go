//go:build !purego

package trees

import (
	"slices"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func documentRanksF32(ranks *[DocumentRows]uint8, values *[DocumentRows]float32, x []float32,
	features, groups []uint32, thresholds []float32) {
	if !cpu.UseAVX512 {
		documentRanksF32Generic(ranks, x, features, groups, thresholds)
		return
	}
	kern.RaceWrite(ranks[:len(features)])
	kern.RaceWrite(values[:len(features)])
	kern.RaceRead(x)
	kern.RaceRead(features)
	kern.RaceRead(groups)
	kern.RaceRead(thresholds)
	documentRanksF32AVX512(ranks, values, x, features, groups, thresholds)
}

//go:noescape
func documentRanksF32AVX512(ranks *[DocumentRows]uint8, values *[DocumentRows]float32, x []float32,
	features, groups []uint32, thresholds []float32)

func documentTablesF32(tables *DocumentTables, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	if !cpu.UseVBMI {
		documentTablesF32Generic(tables, x, docs, cols, stride, tiles, rows, blocks)
		return
	}
	kern.RaceReadRows(x, docs, cols, stride)
	kern.RaceRead(tiles)
	kern.RaceRead(rows)
	kern.RaceRead(blocks)
	documentTablesF32SearchAVX512(tables, x, docs, cols, stride, tiles, rows, blocks)
	documentTablesF32AVX512(tables, len(rows))
}

// documentOrder moves byte 16·r+d of four rows to byte 4·d+r.
var documentOrder = func() (order [64]uint8) {
	for i := range order {
		order[i] = uint8(i%4*16 + i/4)
	}
	return order
}()

// documentSpecials says what becomes of special values before they are compared. Its index is the
// flags of a row, documentLeft and twice documentZero. The elements are tables of VFIXUPIMMPS, of
// four bits per kind of value: those from bit 0 on are of quiet NaNs, from 4 of signaling ones,
// from 8 of zeros, and from 20 of +Inf, which is not above a threshold that is +Inf. Of the
// responses, 4 gives −Inf, 5 +Inf, 8 +0, and 14 the greatest finite value; 0 keeps the value.
var documentSpecials = [4]uint32{0xe00855, 0xe00844, 0xe00555, 0xe00444}

//go:noescape
func documentTablesF32SearchAVX512(tables *DocumentTables, x []float32, docs, cols, stride int,
	tiles, rows []uint32, blocks []float32)

//go:noescape
func documentTablesF32AVX512(tables *DocumentTables, rows int)

func documentLeavesU8(leaves [][DocumentTrees]uint8, ranks [][DocumentRows]uint8, second int, steps []uint8,
	slabs []uint32) {
	if !cpu.UseVBMI {
		documentLeavesU8Generic(leaves, ranks, second, steps, slabs)
		return
	}
	for d := range leaves {
		kern.RaceWrite(leaves[d][:DocumentSlab*len(slabs)])
		kern.RaceRead(ranks[d][:])
	}
	kern.RaceRead(steps)
	kern.RaceRead(slabs)
	documentLeavesU8AVX512(leaves, ranks, second, steps, slabs)
}

//go:noescape
func documentLeavesU8AVX512(leaves [][DocumentTrees]uint8, ranks [][DocumentRows]uint8, second int, steps []uint8,
	slabs []uint32)

func documentSumF64(scores []float64, leaves *DocumentLeaves, widths []uint32,
	values []float64, trees int) {
	if len(scores) < documentSumFew || !cpu.UseVBMI || slices.Max(widths) > documentSumWidth {
		documentSumF64Generic(scores, leaves, widths, values, trees)
		return
	}
	kern.RaceWrite(scores)
	for d := range scores {
		kern.RaceRead(leaves.Leaves[d][:trees])
	}
	kern.RaceRead(widths)
	kern.RaceRead(values)
	documentSumF64AVX512(scores, leaves, widths, values, trees)
}

const (
	documentSumFew   = 4  // documents that are summed together in less time than one by one
	documentSumWidth = 64 // values of a tree that are looked up in registers
)

// documentTrees moves byte 8·k+2·l+b of 64 trees to byte 16·l+2·k+b.
var documentTrees = func() (order [64]uint8) {
	for i := range order {
		order[i] = uint8(i%16/2*8 + i/16*2 + i%2)
	}
	return order
}()

//go:noescape
func documentSumF64AVX512(scores []float64, leaves *DocumentLeaves, widths []uint32,
	values []float64, trees int)

func documentWalkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	const most = 2 * 1024 // elements of a call, which nothing can interrupt
	for n := len(trees) &^ 15; n > 0 && (cpu.UseAVX2 || cpu.UseAVX512); n = len(trees) &^ 15 {
		kern.RaceRead(keys)
		kern.RaceRead(cells)
		kern.RaceRead(trees)
		n = min(n, most)
		score = documentWalkF64AVX2(score, keys, cells, trees[:n])
		trees = trees[n:]
	}
	return documentWalkF64Generic(score, keys, cells, trees)
}

//go:noescape
func documentWalkF64AVX2(score float64, keys []uint32, cells []uint64, trees []uint32) float64

func documentPackRanksF32(table *DocumentPackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		documentPackRanksF32Generic(table, x, docs, cols, stride, tiles, rows, blocks)
		return
	}
	kern.RaceReadRows(x, docs, cols, stride)
	kern.RaceRead(tiles)
	kern.RaceRead(rows)
	kern.RaceRead(blocks)
	if cpu.UseVBMI {
		documentPackRanksF32AVX512(table, x, docs, cols, stride, tiles, rows, blocks)
		return
	}
	documentPackRanksF32AVX2(table, x, docs, cols, stride, tiles, rows, blocks)
}

//go:noescape
func documentPackRanksF32AVX2(table *DocumentPackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32)

//go:noescape
func documentPackRanksF32AVX512(table *DocumentPackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32)

func documentPackSumF64(scores []float64, ranks *[DocumentRows][DocumentPack]int8,
	splits, pairs []uint32, values []float64, trees int) {
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		documentPackSumF64Generic(scores, ranks, splits, pairs, values, trees)
		return
	}
	kern.RaceWrite(scores)
	kern.RaceRead(splits)
	kern.RaceRead(pairs)
	kern.RaceRead(values)
	if cpu.UseVBMI && documentWidth(pairs) <= documentSumWidth {
		documentPackSumF64AVX512(scores, ranks, splits, pairs, values, trees)
		return
	}
	documentPackSumF64AVX2(scores, ranks, splits, pairs, values, trees)
}

//go:noescape
func documentPackSumF64AVX2(scores []float64, ranks *[DocumentRows][DocumentPack]int8,
	splits, pairs []uint32, values []float64, trees int)

// documentWidth returns the greatest number of values of a tree.
func documentWidth(pairs []uint32) (width uint32) {
	for i := 1; i < len(pairs); i += 2 {
		width = max(width, pairs[i])
	}
	return width
}

//go:noescape
func documentPackSumF64AVX512(scores []float64, ranks *[DocumentRows][DocumentPack]int8,
	splits, pairs []uint32, values []float64, trees int)

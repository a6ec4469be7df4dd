//go:build !purego

package trees

import (
	"slices"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func rankTableF32(ranks *[RankRows]uint8, values *[RankRows]float32, x []float32,
	features, groups []uint32, missing, thresholds []float32) {
	if !cpu.UseAVX512 {
		rankTableF32Generic(ranks, x, features, groups, missing, thresholds)
		return
	}
	kern.RaceWrite(ranks[:len(features)])
	kern.RaceWrite(values[:len(features)])
	kern.RaceRead(x)
	kern.RaceRead(features)
	kern.RaceRead(groups)
	kern.RaceRead(missing)
	kern.RaceRead(thresholds)
	rankTableF32AVX512(ranks, values, x, features, groups, missing, thresholds)
}

//go:noescape
func rankTableF32AVX512(ranks *[RankRows]uint8, values *[RankRows]float32, x []float32,
	features, groups []uint32, missing, thresholds []float32)

func rankTablesF32(tables *RankTables, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	if !cpu.UseVBMI {
		rankTablesF32Generic(tables, x, docs, cols, stride, tiles, rows, blocks)
		return
	}
	kern.RaceReadRows(x, docs, cols, stride)
	kern.RaceRead(tiles)
	kern.RaceRead(rows)
	kern.RaceRead(blocks)
	rankTablesF32SearchAVX512(tables, x, docs, cols, stride, tiles, rows, blocks)
	rankTablesF32AVX512(tables, len(rows))
}

// rankOrder moves byte 16·r+d of four rows to byte 4·d+r.
var rankOrder = func() (order [64]uint8) {
	for i := range order {
		order[i] = uint8(i%4*16 + i/4)
	}
	return order
}()

// rankSpecials says which values replace the value that missing values have. Its index is the flag
// rankZero of a row. The elements are tables of VFIXUPIMMPS, of four bits per kind of value: those
// from bit 0 on are of quiet NaNs, from 4 of signaling ones, from 8 of zeros, and from 20 of +Inf,
// which is not above a threshold that is +Inf. The response 1 is the document's value, 14 the
// greatest finite value, and 0 nothing: the value is missing.
var rankSpecials = [2]uint32{0x11e11100, 0x11e11000}

//go:noescape
func rankTablesF32SearchAVX512(tables *RankTables, x []float32, docs, cols, stride int,
	tiles, rows []uint32, blocks []float32)

//go:noescape
func rankTablesF32AVX512(tables *RankTables, rows int)

func rankLeavesU8(leaves [][RankTrees]uint8, ranks [][RankRows]uint8, second int, steps []uint8,
	slabs []uint32, masked bool) {
	if !cpu.UseVBMI {
		rankLeavesU8Generic(leaves, ranks, second, steps, slabs, masked)
		return
	}
	for d := range leaves {
		kern.RaceWrite(leaves[d][:RankSlab*len(slabs)])
		kern.RaceRead(ranks[d][:])
	}
	kern.RaceRead(steps)
	kern.RaceRead(slabs)
	rankLeavesU8AVX512(leaves, ranks, second, steps, slabs, masked)
}

//go:noescape
func rankLeavesU8AVX512(leaves [][RankTrees]uint8, ranks [][RankRows]uint8, second int, steps []uint8,
	slabs []uint32, masked bool)

func rankSumF64(scores []float64, leaves *RankLeaves, widths []uint32,
	values []float64, trees int) {
	if len(scores) < rankSumFew || !cpu.UseVBMI || slices.Max(widths) > rankSumWidth {
		rankSumF64Generic(scores, leaves, widths, values, trees)
		return
	}
	kern.RaceWrite(scores)
	for d := range scores {
		kern.RaceRead(leaves.Leaves[d][:trees])
	}
	kern.RaceRead(widths)
	kern.RaceRead(values)
	rankSumF64AVX512(scores, leaves, widths, values, trees)
}

const (
	rankSumFew   = 4  // documents that are summed together in less time than one by one
	rankSumWidth = 64 // values of a tree that are looked up in registers
)

// rankTreeOrder moves byte 8·k+2·l+b of 64 trees to byte 16·l+2·k+b.
var rankTreeOrder = func() (order [64]uint8) {
	for i := range order {
		order[i] = uint8(i%16/2*8 + i/16*2 + i%2)
	}
	return order
}()

//go:noescape
func rankSumF64AVX512(scores []float64, leaves *RankLeaves, widths []uint32,
	values []float64, trees int)

func walkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	const most = 2 * 1024 // elements of a call, which nothing can interrupt
	for n := len(trees) &^ 15; n > 0 && (cpu.UseAVX2 || cpu.UseAVX512); n = len(trees) &^ 15 {
		kern.RaceRead(keys)
		kern.RaceRead(cells)
		kern.RaceRead(trees)
		n = min(n, most)
		score = walkF64AVX2(score, keys, cells, trees[:n])
		trees = trees[n:]
	}
	return walkF64Generic(score, keys, cells, trees)
}

//go:noescape
func walkF64AVX2(score float64, keys []uint32, cells []uint64, trees []uint32) float64

func packRanksF32(table *PackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		packRanksF32Generic(table, x, docs, cols, stride, tiles, rows, blocks)
		return
	}
	kern.RaceReadRows(x, docs, cols, stride)
	kern.RaceRead(tiles)
	kern.RaceRead(rows)
	kern.RaceRead(blocks)
	if cpu.UseVBMI {
		packRanksF32AVX512(table, x, docs, cols, stride, tiles, rows, blocks)
		return
	}
	packRanksF32AVX2(table, x, docs, cols, stride, tiles, rows, blocks)
}

//go:noescape
func packRanksF32AVX2(table *PackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32)

//go:noescape
func packRanksF32AVX512(table *PackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32)

func packSumF64(scores []float64, ranks *[RankRows][PackSize]uint8,
	splits, pairs []uint32, values []float64, trees int, masked bool) {
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		packSumF64Generic(scores, ranks, splits, pairs, values, trees, masked)
		return
	}
	kern.RaceWrite(scores)
	kern.RaceRead(splits)
	kern.RaceRead(pairs)
	kern.RaceRead(values)
	if cpu.UseVBMI && !masked && pairsWidth(pairs) <= rankSumWidth {
		packSumF64AVX512(scores, ranks, splits, pairs, values, trees)
		return
	}
	packSumF64AVX2(scores, ranks, splits, pairs, values, trees, masked)
}

//go:noescape
func packSumF64AVX2(scores []float64, ranks *[RankRows][PackSize]uint8,
	splits, pairs []uint32, values []float64, trees int, masked bool)

// pairsWidth returns the greatest number of values of a tree.
func pairsWidth(pairs []uint32) (width uint32) {
	for i := 1; i < len(pairs); i += 2 {
		width = max(width, pairs[i])
	}
	return width
}

//go:noescape
func packSumF64AVX512(scores []float64, ranks *[RankRows][PackSize]uint8,
	splits, pairs []uint32, values []float64, trees int)

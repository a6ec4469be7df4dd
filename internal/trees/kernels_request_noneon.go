//go:build purego || !amd64

package trees

// Kernels that have assembly for amd64 alone. NEON scores documents by cells: it takes four
// instructions to look up 16 bytes in a table of 256. On neoverse-v2, by llvm-mca, that is 6.5
// cycles for a split of 16 trees, 12 for the 30 splits of a tree, beside the ranks of all values. A
// walk through ten levels takes 14, on neoverse-n1 14 where the splits take 24.

func rankTableF32(ranks *[RankRows]uint8, _ *[RankRows]float32, x []float32,
	features, groups []uint32, missing, thresholds []float32) {
	rankTableF32Generic(ranks, x, features, groups, missing, thresholds)
}

func rankTablesF32(tables *RankTables, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	rankTablesF32Generic(tables, x, docs, cols, stride, tiles, rows, blocks)
}

func rankLeavesU8(leaves [][RankTrees]uint8, ranks [][RankRows]uint8, second int, steps []uint8,
	slabs []uint32, masked bool) {
	rankLeavesU8Generic(leaves, ranks, second, steps, slabs, masked)
}

func rankSumF64(scores []float64, leaves *RankLeaves, widths []uint32,
	values []float64, trees int) {
	rankSumF64Generic(scores, leaves, widths, values, trees)
}

func packRanksF32(table *PackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	packRanksF32Generic(table, x, docs, cols, stride, tiles, rows, blocks)
}

func packSumF64(scores []float64, ranks *[RankRows][PackSize]uint8,
	splits, pairs []uint32, values []float64, trees int, masked bool) {
	packSumF64Generic(scores, ranks, splits, pairs, values, trees, masked)
}

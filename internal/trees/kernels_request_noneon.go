//go:build purego || !amd64

package trees

// Kernels that have assembly for amd64 alone. NEON scores documents by cells: it takes four
// instructions to look up 16 bytes in a table of 256. On neoverse-v2, by llvm-mca, that is 6.5
// cycles for a split of 16 trees, 12 for the 30 splits of a tree, beside the ranks of all values. A
// walk through ten levels takes 14, on neoverse-n1 14 where the splits take 24.

func documentRanksF32(ranks *[DocumentRows]uint8, _ *[DocumentRows]float32, x []float32,
	features, groups []uint32, thresholds []float32) {
	documentRanksF32Generic(ranks, x, features, groups, thresholds)
}

func documentTablesF32(tables *DocumentTables, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	documentTablesF32Generic(tables, x, docs, cols, stride, tiles, rows, blocks)
}

func documentLeavesU8(leaves [][DocumentTrees]uint8, ranks [][DocumentRows]uint8, second int, steps []uint8,
	slabs []uint32) {
	documentLeavesU8Generic(leaves, ranks, second, steps, slabs)
}

func documentSumF64(scores []float64, leaves *DocumentLeaves, widths []uint32,
	values []float64, trees int) {
	documentSumF64Generic(scores, leaves, widths, values, trees)
}

func documentPackRanksF32(table *DocumentPackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	documentPackRanksF32Generic(table, x, docs, cols, stride, tiles, rows, blocks)
}

func documentPackSumF64(scores []float64, ranks *[DocumentRows][DocumentPack]int8,
	splits, pairs []uint32, values []float64, trees int) {
	documentPackSumF64Generic(scores, ranks, splits, pairs, values, trees)
}

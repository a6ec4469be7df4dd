package trees

import "math"

func documentRanksF32Generic(ranks *[DocumentRows]uint8, x []float32, features, groups []uint32,
	thresholds []float32) {
	for g := 0; g < len(groups); g += 2 {
		n, flags := groups[g], groups[g+1]
		list := thresholds[:DocumentLanes*n]
		thresholds = thresholds[DocumentLanes*n:]
		for i := range DocumentLanes {
			r := DocumentLanes/2*g + i
			var v float32
			if f := features[r]; uint64(f) < uint64(len(x)) {
				v = x[f]
			}
			rank := uint32(0)
			switch {
			case v == v && (v != 0 || flags>>i&1 == 0):
				for t := i; t < len(list); t += DocumentLanes {
					if v > list[t] {
						rank++
					}
				}
			case flags>>(DocumentLanes+i)&1 == 0:
				rank = n
			}
			ranks[r] = uint8(rank)
		}
	}
}

func documentTablesF32Generic(tables *DocumentTables, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	documentSearch(x, docs, cols, stride, tiles, rows, blocks, func(r uint8, d int, rank uint8) {
		tables.Ranks[d][r] = rank
	})
}

// documentSearch sets the ranks of documents in the rows of a search.
func documentSearch(x []float32, docs, cols, stride int, tiles, rows []uint32, blocks []float32,
	set func(row uint8, doc int, rank uint8)) {
	for ; len(tiles) > 0; tiles = tiles[2:] {
		for _, row := range rows[:tiles[1]] {
			column := uint64(tiles[0]) + uint64(row>>14&15)
			n := documentBlock * int(row&15)
			if row&documentShort != 0 {
				n += documentBlock / 2
			}
			for d := range docs {
				var v float32
				if column < uint64(cols) {
					v = x[d*stride+int(column)]
				}
				if v != v || v == 0 && row&documentZero != 0 {
					if v = float32(math.NaN()); row&documentLeft != 0 {
						v = float32(math.Inf(-1))
					}
				}
				set(uint8(row>>4), d, documentRank(blocks[:n], v))
			}
			blocks = blocks[n:]
		}
		rows = rows[tiles[1]:]
	}
}

// documentRank returns the number of thresholds of blocks that a value is above; NaN is above all.
func documentRank(blocks []float32, v float32) uint8 {
	rank := 0
	for len(blocks) > 0 {
		block := blocks[:min(documentBlock, len(blocks))]
		i := 1
		for i < len(block) {
			above := !(v <= block[i])
			if i *= 2; above {
				i++
			}
		}
		rank += i - len(block)
		blocks = blocks[len(block):]
	}
	return uint8(min(rank, math.MaxUint8))
}

func documentLeavesU8Generic(leaves [][DocumentTrees]uint8, ranks [][DocumentRows]uint8, second int,
	steps []uint8, slabs []uint32) {
	for d := range leaves {
		first, second, rest := (*[DocumentWindow]uint8)(ranks[d][:]), (*[DocumentWindow]uint8)(ranks[d][second:]), steps
		for i, n := range slabs {
			slab := leaves[d][DocumentSlab*i:][:DocumentSlab]
			clear(slab)
			for range n {
				for _, ranks := range []*[DocumentWindow]uint8{first, second} {
					step := (*[DocumentStep]uint8)(rest)
					for t, leaf := range slab {
						rank := ranks[step[DocumentRow+t]%DocumentWindow]
						if leaf == step[DocumentFirst+t] && rank > step[DocumentLimit+t] {
							slab[t] = step[DocumentRight+t]
						}
					}
					rest = rest[DocumentStep:]
				}
			}
		}
	}
}

func documentSumF64Generic(scores []float64, leaves *DocumentLeaves, widths []uint32,
	values []float64, trees int) {
	for d, s := range scores {
		values := values
		for t := 0; t < trees; t += DocumentSlab {
			w := int(widths[t/DocumentSlab])
			slab := values[:DocumentSlab*w]
			for _, leaf := range leaves.Leaves[d][t:min(t+DocumentSlab, trees)] {
				s += slab[leaf]
				slab = slab[w:]
			}
			values = values[DocumentSlab*w:]
		}
		scores[d] = s
	}
}

func documentWalkF64Generic(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	for ; len(trees) >= 8; trees = trees[8:] {
		a, b, c, d := uint64(trees[0]), uint64(trees[2]), uint64(trees[4]), uint64(trees[6])
		for range max(trees[1], trees[3], trees[5], trees[7]) {
			a = documentNext(keys, cells, a)
			b = documentNext(keys, cells, b)
			c = documentNext(keys, cells, c)
			d = documentNext(keys, cells, d)
		}
		score += math.Float64frombits(cells[a+2])
		score += math.Float64frombits(cells[b+2])
		score += math.Float64frombits(cells[c+2])
		score += math.Float64frombits(cells[d+2])
	}
	for ; len(trees) >= 2; trees = trees[2:] {
		a := uint64(trees[0])
		for range trees[1] {
			a = documentNext(keys, cells, a)
		}
		score += math.Float64frombits(cells[a+2])
	}
	return score
}

// documentNext returns the cell after cell i. A limit that is less than the key borrows.
func documentNext(keys []uint32, cells []uint64, i uint64) uint64 {
	cell := cells[i]
	return i + cell>>48 + (cell&math.MaxUint32-uint64(keys[cell>>32&math.MaxUint16]))>>63
}

func documentPackRanksF32Generic(table *DocumentPackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	documentSearch(x, docs, cols, stride, tiles, rows, blocks, func(r uint8, d int, rank uint8) {
		table.Ranks[r][d] = DocumentPackRank(rank)
	})
}

func documentPackSumF64Generic(scores []float64, ranks *[DocumentRows][DocumentPack]int8,
	splits, pairs []uint32, values []float64, trees int) {
	for t := range trees {
		steps, w := pairs[t/2*2], pairs[t/2*2+1]
		var leaves [DocumentPack]uint8
		for s := range steps {
			split := splits[2*int(s)+t%2]
			row, rank, first, left := &ranks[uint8(split)], int8(split>>8), uint8(split>>16), uint8(split>>24)
			for d, leaf := range leaves {
				if leaf == first && row[d] >= rank {
					leaves[d] += left
				}
			}
		}
		for d := range scores {
			scores[d] += values[leaves[d]]
		}
		values = values[w:]
		if t%2 == 1 {
			splits = splits[2*steps:]
		}
	}
}

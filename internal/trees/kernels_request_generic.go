package trees

import "math"

func rankTableF32Generic(ranks *[RankRows]uint8, x []float32, features, groups []uint32,
	missing, thresholds []float32) {
	for g := 0; g < len(groups); g += 2 {
		n, flags := groups[g], groups[g+1]
		list := thresholds[:RankLanes*n]
		thresholds = thresholds[RankLanes*n:]
		for i := range RankLanes {
			r := RankLanes/2*g + i
			var v float32
			if f := features[r]; uint64(f) < uint64(len(x)) {
				v = x[f]
			}
			if v != v || v == 0 && flags>>i&1 != 0 {
				v = missing[r]
			}
			rank := uint8(0)
			for t := i; t < len(list); t += RankLanes {
				if !(v <= list[t]) {
					rank++
				}
			}
			ranks[r] = rank
		}
	}
}

func rankTablesF32Generic(tables *RankTables, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	rankSearch(x, docs, cols, stride, tiles, rows, blocks, func(r uint8, d int, rank uint8) {
		tables.Ranks[d][r] = rank
	})
}

// rankSearch sets the ranks of documents in the rows of a search.
func rankSearch(x []float32, docs, cols, stride int, tiles, rows []uint32, blocks []float32,
	set func(row uint8, doc int, rank uint8)) {
	for ; len(tiles) > 0; tiles = tiles[2:] {
		for _, row := range rows[:tiles[1]] {
			column := uint64(tiles[0]) + uint64(row>>14&15)
			n := rankBlock * int(row&15)
			if row&rankShort != 0 {
				n += rankBlock / 2
			}
			for d := range docs {
				var v float32
				if column < uint64(cols) {
					v = x[d*stride+int(column)]
				}
				if v != v || v == 0 && row&rankZero != 0 {
					v = blocks[0]
				}
				set(uint8(row>>4), d, rankIn(blocks[:n], v))
			}
			blocks = blocks[n:]
		}
		rows = rows[tiles[1]:]
	}
}

// rankIn returns the number of thresholds of blocks that a value is above; NaN is above all.
func rankIn(blocks []float32, v float32) uint8 {
	rank := 0
	for len(blocks) > 0 {
		block := blocks[:min(rankBlock, len(blocks))]
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

func rankLeavesU8Generic(leaves [][RankTrees]uint8, ranks [][RankRows]uint8, second int,
	steps []uint8, slabs []uint32, masked bool) {
	length := StepLength
	if masked {
		length = StepMasked
	}
	for d := range leaves {
		first, second, rest := (*[RankWindow]uint8)(ranks[d][:]), (*[RankWindow]uint8)(ranks[d][second:]), steps
		for i, n := range slabs {
			slab := leaves[d][RankSlab*i:][:RankSlab]
			clear(slab)
			for range n {
				for _, ranks := range []*[RankWindow]uint8{first, second} {
					step := (*[StepLength]uint8)(rest)
					for t, leaf := range slab {
						rank := ranks[step[StepRow+t]%RankWindow]
						if masked {
							rank &= rest[StepMask+t]
						}
						if leaf == step[StepFirst+t] && rank > step[StepLimit+t] {
							slab[t] = step[StepRight+t]
						}
					}
					rest = rest[length:]
				}
			}
		}
	}
}

func rankSumF64Generic(scores []float64, leaves *RankLeaves, widths []uint32,
	values []float64, trees int) {
	for d, s := range scores {
		values := values
		for t := 0; t < trees; t += RankSlab {
			w := int(widths[t/RankSlab])
			slab := values[:RankSlab*w]
			for _, leaf := range leaves.Leaves[d][t:min(t+RankSlab, trees)] {
				s += slab[leaf]
				slab = slab[w:]
			}
			values = values[RankSlab*w:]
		}
		scores[d] = s
	}
}

func walkF64Generic(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	for ; len(trees) >= 8; trees = trees[8:] {
		a, b, c, d := uint64(trees[0]), uint64(trees[2]), uint64(trees[4]), uint64(trees[6])
		for range max(trees[1], trees[3], trees[5], trees[7]) {
			a = walkNext(keys, cells, a)
			b = walkNext(keys, cells, b)
			c = walkNext(keys, cells, c)
			d = walkNext(keys, cells, d)
		}
		score += math.Float64frombits(cells[a+2])
		score += math.Float64frombits(cells[b+2])
		score += math.Float64frombits(cells[c+2])
		score += math.Float64frombits(cells[d+2])
	}
	for ; len(trees) >= 2; trees = trees[2:] {
		a := uint64(trees[0])
		for range trees[1] {
			a = walkNext(keys, cells, a)
		}
		score += math.Float64frombits(cells[a+2])
	}
	return score
}

// walkNext returns the cell after cell i. A limit that is less than the key borrows.
func walkNext(keys []uint32, cells []uint64, i uint64) uint64 {
	cell := cells[i]
	return i + cell>>48 + (cell&math.MaxUint32-uint64(keys[cell>>32&math.MaxUint16]))>>63
}

func packRanksF32Generic(table *PackTable, x []float32, docs, cols, stride int, tiles, rows []uint32,
	blocks []float32) {
	rankSearch(x, docs, cols, stride, tiles, rows, blocks, func(r uint8, d int, rank uint8) {
		table.Ranks[r][d] = PackRank(rank)
	})
}

func packSumF64Generic(scores []float64, ranks *[RankRows][PackSize]uint8,
	splits, pairs []uint32, values []float64, trees int, masked bool) {
	length := 1
	if masked {
		length = 2
	}
	for t := range trees {
		steps, w := int(pairs[t/2*2]), pairs[t/2*2+1]
		var leaves [PackSize]uint8
		for s := range steps {
			at := splits[length*(2*s+t%2):]
			split, mask := at[0], int8(-1)
			if masked {
				mask = int8(at[1])
			}
			row, rank, first, left := &ranks[uint8(split)], int8(split>>8), uint8(split>>16), uint8(split>>24)
			for d, leaf := range leaves {
				if leaf == first && int8(row[d])&mask >= rank {
					leaves[d] += left
				}
			}
		}
		for d := range scores {
			scores[d] += values[leaves[d]]
		}
		values = values[w:]
		if t%2 == 1 {
			splits = splits[2*length*steps:]
		}
	}
}

package trees

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
)

// The scratch of RankTableF32, what RankTablesF32 and PackRanksF32 make, and what
// RankSumF64 adds up.
var (
	rankValues [RankRows]float32
	rankTables RankTables
	rankLeaves RankLeaves
	packTable  PackTable
)

// randomCells draws a tree of so many leaves in the form of WalkF64, whose cells go to the
// end of others, and returns its root and levels.
func randomCells(d *draw, cells []uint64, rows, leaves int) (_ []uint64, root, levels uint32) {
	root = uint32(len(cells))
	cells = append(cells, 0, 0, 0)
	var grow func(at, leaves int, level uint32)
	grow = func(at, leaves int, level uint32) {
		levels = max(levels, level)
		if leaves == 1 {
			cells[at], cells[at+2] = WalkLeaf, math.Float64bits(d.NormFloat64())
			return
		}
		next := len(cells)
		cells = append(cells, 0, 0, 0, 0)
		limit := WalkKey(d.F32())
		if d.IntN(20) == 0 {
			limit = []uint32{0, WalkMissing - 1, WalkMissing}[d.IntN(3)]
		}
		cells[at] = WalkCell(uint16(next-at), uint16(d.IntN(rows)), limit)
		left := 1 + d.IntN(leaves-1)
		grow(next, left, level+1)
		grow(next+1, leaves-left, level+1)
	}
	grow(int(root), leaves, 0)
	return cells, root, levels
}

// walkArgs draws the operands of WalkF64 for a number of trees of up to n leaves.
func walkArgs(d *draw, n, trees int) []any {
	keys := make([]uint32, 1+n%7)
	for i := range keys {
		if keys[i] = WalkKey(d.F32()); d.IntN(9) == 0 {
			keys[i] = []uint32{0, WalkMissing}[d.IntN(2)]
		}
	}
	var cells []uint64
	var roots []uint32
	for range trees {
		var root, levels uint32
		cells, root, levels = randomCells(d, cells, len(keys), 1+d.IntN(n))
		roots = append(roots, root, levels+uint32(d.IntN(2))) // more levels change nothing
	}
	return []any{[]float64{math.Copysign(0, -1)}, keys, cells, roots}
}

// missingValue returns a random value for missing values.
func missingValue(d *draw) float32 {
	inf := float32(math.Inf(1))
	if special := []float32{float32(math.NaN()), inf, -inf}; d.IntN(2) == 0 {
		return special[d.IntN(len(special))]
	}
	return float32(d.IntN(160)-80) / 8
}

// searchArgs draws the operands of a search for up to most documents.
func searchArgs(d *draw, n, most int) []any {
	docs, cols := n%(most+1), n/3
	stride := cols + d.IntN(5)
	x := d.F32s(max((docs-1)*stride+cols, 0))
	var search RankSearch
	order := d.Perm(min(n, RankRows))
	for first := 0; len(order) > len(search.rows); first += d.IntN(24) {
		tile := uint32(first) &^ 15
		if d.IntN(9) == 0 {
			tile = (math.MaxUint32 - uint32(d.IntN(20))) &^ 15
		}
		for range d.IntN(min(len(order)-len(search.rows), 9) + 1) {
			thresholds := make([]float32, []int{0, 12, 28, 59, 250}[max(d.IntN(9)-4, 0)]+d.IntN(6))
			for i := range thresholds {
				thresholds[i] = float32(i-len(thresholds)/2) / 4
				if d.Special {
					thresholds[i] = math.Float32frombits(uint32(i)) // subnormal
				}
				if i > 0 && i == len(thresholds)-1 && d.IntN(4) == 0 {
					thresholds[i] = float32(math.Inf(1))
				}
			}
			search.Add(uint8(order[len(search.rows)]), tile+uint32(d.IntN(16)), thresholds, missingValue(d),
				d.IntN(2) == 0)
		}
	}
	for i := range x {
		if d.IntN(2) == 0 {
			x[i] = float32(d.IntN(160)-80) / 8
		}
	}
	return []any{make([]uint8, docs*len(search.rows)), x, cols, stride, search.tiles, search.rows,
		search.blocks}
}

// searchSpec counts thresholds one by one.
func searchSpec(a []any) {
	ranks, x, cols, stride := a[0].([]uint8), a[1].([]float32), a[2].(int), a[3].(int)
	tiles, rows, blocks := a[4].([]uint32), a[5].([]uint32), a[6].([]float32)
	n := len(rows)
	for ; len(tiles) > 0; tiles = tiles[2:] {
		for _, row := range rows[:tiles[1]] {
			thresholds := blocks[:32*(row&15)+16*(row>>12&1)]
			blocks = blocks[len(thresholds):]
			c := int64(tiles[0]) + int64(row>>14&15)
			for d := range len(ranks) / n {
				v := float32(0)
				if c < int64(cols) {
					v = x[d*stride+int(c)]
				}
				if math.IsNaN(float64(v)) || v == 0 && row>>31 != 0 {
					v = thresholds[0]
				}
				rank := 0
				for i, t := range thresholds {
					if (math.IsNaN(float64(v)) || v > t) && i%32 > 0 {
						rank++
					}
				}
				ranks[d*n+int(row>>4&255)] = uint8(min(rank, 255))
			}
		}
		rows = rows[tiles[1]:]
	}
}

var _ = register(
	entry{
		Name: "RankTableF32",
		Args: func(d *draw, n int) []any {
			x := d.F32s(n)
			features := make([]uint32, RankLanes*(n%(RankRows/RankLanes+1)))
			for r := range features {
				if features[r] = uint32(d.IntN(n + 3)); d.IntN(50) == 0 {
					features[r] = math.MaxUint32
				}
			}
			var groups []uint32
			var missing, thresholds []float32
			for range features {
				missing = append(missing, missingValue(d))
			}
			for range len(features) / RankLanes {
				count := d.IntN(6)
				if d.IntN(20) == 0 {
					count = 255 - d.IntN(2)
				}
				groups = append(groups, uint32(count), d.Uint32()&d.Uint32())
				for range RankLanes * count {
					t := d.F32()
					if d.IntN(3) == 0 && n > 0 {
						t = x[d.IntN(n)]
					}
					if t != t {
						t = float32(math.Inf(1))
					}
					thresholds = append(thresholds, t)
				}
			}
			return []any{make([]uint8, RankRows), x, features, groups, missing, thresholds}
		},
		Call: func(a []any) {
			RankTableF32((*[RankRows]uint8)(a[0].([]uint8)), &rankValues, a[1].([]float32), a[2].([]uint32),
				a[3].([]uint32), a[4].([]float32), a[5].([]float32))
		},
		Spec: func(a []any) {
			ranks, x, features := a[0].([]uint8), a[1].([]float32), a[2].([]uint32)
			groups, missing, thresholds := a[3].([]uint32), a[4].([]float32), a[5].([]float32)
			first := 0
			for r, f := range features {
				n, flags := int(groups[r/16*2]), groups[r/16*2+1]
				v := float32(0)
				if uint64(f) < uint64(len(x)) {
					v = x[f]
				}
				if math.IsNaN(float64(v)) || v == 0 && flags&(1<<(r%16)) != 0 {
					v = missing[r]
				}
				for j := range n {
					if math.IsNaN(float64(v)) || v > thresholds[first+16*j+r%16] {
						ranks[r]++
					}
				}
				if r%16 == 15 {
					first += 16 * n
				}
			}
		},
		Lengths: []int{0, 1, 2, 3, 7, 16, 17, 33, 46, 64, 136, 137, 150, 271, 288},
		Long:    []int{3000},
		Writes:  []int{0},
	},
	entry{
		Name: "RankTablesF32",
		Args: func(d *draw, n int) []any { return searchArgs(d, n, RankLanes) },
		Call: func(a []any) {
			ranks, cols, stride, rows := a[0].([]uint8), a[2].(int), a[3].(int), a[5].([]uint32)
			docs := len(ranks) / max(len(rows), 1)
			RankTablesF32(&rankTables, a[1].([]float32), docs, cols, stride,
				&RankSearch{a[4].([]uint32), rows, a[6].([]float32)})
			for d := range docs {
				copy(ranks[d*len(rows):], rankTables.Ranks[d][:len(rows)])
			}
		},
		Spec:    searchSpec,
		Lengths: []int{0, 1, 2, 3, 5, 6, 16, 17, 18, 20, 33, 34, 46, 67, 84, 101},
		Long:    []int{407},
		Writes:  []int{0},
	},
	entry{
		Name: "PackRanksF32",
		Args: func(d *draw, n int) []any { return searchArgs(d, n, PackSize) },
		Call: func(a []any) {
			ranks, cols, stride, rows := a[0].([]uint8), a[2].(int), a[3].(int), a[5].([]uint32)
			docs := len(ranks) / max(len(rows), 1)
			PackRanksF32(&packTable, a[1].([]float32), docs, cols, stride,
				&RankSearch{a[4].([]uint32), rows, a[6].([]float32)})
			for i := range ranks {
				ranks[i] = uint8(packTable.Ranks[i%len(rows)][i/len(rows)]) ^ 1<<7
			}
		},
		Spec:    searchSpec,
		Lengths: []int{0, 1, 2, 3, 5, 8, 9, 16, 17, 24, 25, 32, 33, 41, 57, 64, 65, 97},
		Long:    []int{436},
		Writes:  []int{0},
	},
	entry{
		Name: "RankLeavesU8",
		Args: func(d *draw, n int) []any {
			docs := n % 10
			ranks := make([]uint8, docs*RankRows)
			for r := range ranks {
				ranks[r] = uint8(d.IntN(256))
			}
			slabs := make([]uint32, n%(RankTrees/RankSlab+1))
			var steps []uint8
			masked, length := n%7 > 3, StepLength
			if masked {
				length = StepMasked
			}
			for s := range slabs {
				slabs[s] = uint32(d.IntN(n/8 + 1))
				for range 2 * slabs[s] {
					for k := range length {
						b := d.IntN(256)
						if k >= StepFirst && k < StepMask && d.IntN(4) > 0 {
							b %= 3
						}
						steps = append(steps, uint8(b))
					}
				}
			}
			leaves := make([]uint8, docs*RankTrees)
			for t := range leaves {
				leaves[t] = 17
			}
			return []any{leaves, ranks, d.IntN(RankRows - RankWindow + 1), steps, slabs, masked}
		},
		Call: func(a []any) {
			RankLeavesU8(blocksOf(a[0].([]uint8)), blocksOf(a[1].([]uint8)), a[2].(int), a[3].([]uint8),
				a[4].([]uint32), a[5].(bool))
		},
		Spec: func(a []any) {
			leaves, ranks, second := a[0].([]uint8), a[1].([]uint8), a[2].(int)
			steps, slabs, masked := a[3].([]uint8), a[4].([]uint32), a[5].(bool)
			length := 256
			if masked {
				length = 320
			}
			for d := 0; d < len(leaves); d += 256 {
				first := 0
				for s, n := range slabs {
					for t := range 64 {
						leaf := uint8(0)
						for i := range 2 * int(n) {
							step := steps[first+length*i+t:]
							rank := ranks[d+i%2*second+int(step[0]&127)]
							if masked {
								rank &= step[256]
							}
							if step[128] == leaf && rank > step[64] {
								leaf = step[192]
							}
						}
						leaves[d+64*s+t] = leaf
					}
					first += 2 * length * int(n)
				}
			}
		},
		Lengths: []int{0, 1, 2, 3, 4, 5, 7, 8, 13, 20, 32, 38, 63},
		Long:    []int{124, 389},
		Writes:  []int{0},
	},
	entry{
		Name: "RankSumF64",
		Args: func(d *draw, n int) []any {
			trees := n % (RankTrees + 1)
			leaves := make([]uint8, RankLanes*RankTrees)
			var widths []uint32
			var values []float64
			for t := 0; t < trees; t += RankSlab {
				w := 1 + d.IntN(64)
				if d.IntN(3) == 0 {
					w = []int{8, 32, 33, 64, 65}[d.IntN(5)]
				}
				widths = append(widths, uint32(w))
				values = append(values, d.F64s(RankSlab*w)...)
				for i := range RankSlab {
					for b := range RankLanes {
						leaves[b*RankTrees+t+i] = uint8(d.IntN(w))
					}
				}
			}
			scores := d.F64s(n % (RankLanes + 1))
			if len(scores) > 0 {
				scores[0] = math.Copysign(0, -1)
			}
			return []any{scores, leaves, widths, values, trees}
		},
		Call: func(a []any) {
			copy(rankLeaves.Leaves[:], blocksOf(a[1].([]uint8)))
			RankSumF64(a[0].([]float64), &rankLeaves, a[2].([]uint32), a[3].([]float64), a[4].(int))
		},
		Spec: func(a []any) {
			scores, leaves, widths := a[0].([]float64), a[1].([]uint8), a[2].([]uint32)
			values, trees := a[3].([]float64), a[4].(int)
			for d := range scores {
				first := 0
				for t := range trees {
					w := int(widths[t/64])
					scores[d] += values[first+w*(t%64)+int(leaves[256*d+t])]
					if t%64 == 63 {
						first += 64 * w
					}
				}
			}
		},
		Lengths: []int{0, 1, 4, 9, 31, 63, 64, 65, 99, 128, 129, 130, 192, 224, 255, 256, 257, 259},
		Long:    []int{513},
		Writes:  []int{0},
	},
	entry{
		Name: "PackSumF64",
		Args: func(d *draw, n int) []any {
			ranks := make([]uint8, RankRows*PackSize)
			for r := range ranks {
				ranks[r] = uint8(d.IntN(256))
			}
			var splits, pairs []uint32
			var values []float64
			wide := n > 8 && d.IntN(2) == 0 // each number of documents has narrow trees alone, too
			masked := d.IntN(2) == 0
			for t := 0; t < n; t += 2 {
				width, pair := 1+d.IntN(64), [2][]uint32{}
				if d.IntN(3) == 0 {
					width = []int{8, 32, 33, 64}[d.IntN(4)]
				}
				if wide && d.IntN(3) == 0 {
					width = 255
				}
				for i := range pair {
					var grow func(lo, hi int)
					grow = func(lo, hi int) {
						if hi-lo > 1 {
							left := 1 + d.IntN(hi-lo-1)
							row, first := uint8(d.IntN(256)), uint8(lo)
							split, mask := PackSplit(row, uint8(d.IntN(256)), first, uint8(left)), uint32(math.MaxUint8)
							if masked && d.IntN(2) == 0 {
								split, mask = PackSet(row, uint8(d.IntN(8)), first, uint8(left))
							}
							pair[i] = append(pair[i], split, mask)
							grow(lo, lo+left)
							grow(lo+left, hi)
						}
					}
					grow(0, 1+d.IntN(width))
				}
				steps := max(len(pair[0]), len(pair[1])) / 2
				for s := range steps {
					for _, list := range pair {
						split := []uint32{PackSplit(0, 0, NoSplit, 1), 0}
						if 2*s < len(list) {
							split = list[2*s:][:2]
						}
						if splits = append(splits, split[0]); masked {
							splits = append(splits, split[1])
						}
					}
				}
				pairs = append(pairs, uint32(steps), uint32(width))
				values = append(values, d.F64s(2*width)...)
			}
			scores := d.F64s(min(8*(n%9+1), PackSize))
			scores[0] = math.Copysign(0, -1)
			return []any{scores, ranks, splits, pairs, values, n, masked}
		},
		Call: func(a []any) {
			PackSumF64(a[0].([]float64),
				(*[RankRows][PackSize]uint8)(unsafe.Pointer(unsafe.SliceData(a[1].([]uint8)))),
				a[2].([]uint32), a[3].([]uint32), a[4].([]float64), a[5].(int),
				a[6].(bool))
		},
		Spec: func(a []any) {
			scores, ranks, all := a[0].([]float64), a[1].([]uint8), a[2].([]uint32)
			pairs, trees, masked, length := a[3].([]uint32), a[5].(int), a[6].(bool), 1
			if masked {
				length = 2
			}
			for d := range scores {
				splits, values := all, a[4].([]float64)
				for t := range trees {
					steps, width := int(pairs[t&^1]), int(pairs[t|1])
					leaf := uint32(0)
					for s := range steps {
						split := splits[length*(2*s+t%2)]
						rank := uint32(ranks[PackSize*int(split&255)+d] ^ 128)
						right := rank >= split>>8&255^128
						if masked && splits[length*(2*s+t%2)+1] != math.MaxUint8 {
							right = rank&splits[length*(2*s+t%2)+1] != 0
						}
						if split>>16&255 == leaf && right {
							leaf += split >> 24
						}
					}
					scores[d] += values[leaf]
					values = values[width:]
					if t&1 == 1 {
						splits = splits[2*length*steps:]
					}
				}
			}
		},
		Lengths: []int{0, 1, 2, 3, 4, 5, 6, 8, 9, 16, 18, 21},
		Long:    []int{130},
		Writes:  []int{0},
	},
	entry{
		Name: "WalkKeysF32",
		Args: func(d *draw, n int) []any {
			features, missing := make([]uint32, n/2), make([]uint32, n/2)
			for i := range features {
				if features[i] = uint32(d.IntN(n + 3)); d.IntN(50) == 0 {
					features[i] = math.MaxUint32
				}
				missing[i] = []uint32{0, WalkKey(1), WalkMissing}[d.IntN(3)]
			}
			return []any{make([]uint32, n/2), d.F32s(n), features, missing}
		},
		Call: func(a []any) {
			WalkKeysF32(a[0].([]uint32), a[1].([]float32), a[2].([]uint32), a[3].([]uint32))
		},
		Spec: func(a []any) {
			keys, x, features, missing := a[0].([]uint32), a[1].([]float32), a[2].([]uint32), a[3].([]uint32)
			for i, f := range features {
				if keys[i] = WalkKey(0); uint64(f) < uint64(len(x)) {
					keys[i] = WalkKey(x[f])
					if math.IsNaN(float64(x[f])) {
						keys[i] = missing[i]
					}
				}
			}
		},
		Writes: []int{0},
	},
	entry{
		Name: "WalkF64",
		Cases: func() (cases [][]any) {
			d := testkit.NewDraw(24, 40, false)
			for _, trees := range []int{24, 40, 50} { // sixteens, an eight, and what is left
				cases = append(cases, walkArgs(d, 20, trees))
			}
			return cases
		},
		Args: func(d *draw, n int) []any { return walkArgs(d, n, n%19) },
		Call: func(a []any) {
			score := a[0].([]float64)
			score[0] = WalkF64(score[0], a[1].([]uint32), a[2].([]uint64), a[3].([]uint32))
		},
		Spec: func(a []any) {
			score, keys, cells, roots := a[0].([]float64), a[1].([]uint32), a[2].([]uint64), a[3].([]uint32)
			for i := 0; i < len(roots); i += 2 {
				at := int(roots[i])
				for cells[at]>>48 != 0 {
					row, limit := cells[at]>>32&0xffff, uint32(cells[at])
					at += int(cells[at] >> 48)
					if keys[row] > limit {
						at++
					}
				}
				score[0] += math.Float64frombits(cells[at+2])
			}
		},
		Lengths: []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 18, 19, 27, 43, 54},
		Long:    []int{300},
		Writes:  []int{0},
	},
)

// blocksOf returns the blocks of 256 bytes of b.
func blocksOf(b []uint8) [][256]uint8 {
	return unsafe.Slice((*[256]uint8)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/256)
}

// TestWalkKey: keys are in the order of their values.
func TestWalkKey(t *testing.T) {
	order := []float32{float32(math.Inf(-1)), -math.MaxFloat32, -1, -math.SmallestNonzeroFloat32, 0,
		math.SmallestNonzeroFloat32, 1, math.MaxFloat32, float32(math.Inf(1))}
	for i, v := range order {
		if k := WalkKey(v); k == 0 || k == WalkMissing || i > 0 && k <= WalkKey(order[i-1]) {
			t.Errorf("the key of %v is %#x", v, k)
		}
	}
	if WalkKey(float32(math.Copysign(0, -1))) != WalkKey(0) {
		t.Error("−0 has another key than +0")
	}
	if WalkCell(3, 2, 1) != 3<<48|2<<32|1 {
		t.Errorf("a cell is %#x", WalkCell(3, 2, 1))
	}
}

// TestRankSearch counts thresholds of every number by searches for values at and between them.
func TestRankSearch(t *testing.T) {
	for n := range 256 {
		thresholds := make([]float32, n)
		for i := range thresholds {
			thresholds[i] = float32(i)
		}
		if n > 0 {
			thresholds[0] = float32(math.Copysign(0, -1))
		}
		var search RankSearch
		search.Add(0, 0, thresholds, 0, false)
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			for lo := -1; lo <= n; lo += PackSize / 2 {
				x := make([]float32, PackSize)
				for d := range x {
					x[d] = float32(lo) + float32(d)/2
				}
				PackRanksF32(&packTable, x, PackSize, 1, 1, &search)
				for d, v := range x {
					if d%RankLanes == 0 {
						RankTablesF32(&rankTables, x[d:], RankLanes, 1, 1, &search)
					}
					want := uint8(min(max(math.Ceil(float64(v)), 0), float64(n)))
					got, pack := rankTables.Ranks[d%RankLanes][0], packTable.Ranks[0][d]
					if got != want || pack != PackRank(want) {
						t.Fatalf("%v: %v is above %d of %d thresholds, want %d, in a pack %d", tier, v, got, n, want,
							int(pack)+128)
					}
				}
			}
			restore()
		}
	}
}

// TestRankSearchable compares special values with all thresholds that searches allow.
func TestRankSearchable(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	values := []float32{-inf, -math.MaxFloat32, -1, -math.SmallestNonzeroFloat32, float32(math.Copysign(0, -1)), 0,
		math.SmallestNonzeroFloat32, 1, math.Nextafter32(math.MaxFloat32, 0), math.MaxFloat32, inf, nan,
		math.Float32frombits(math.Float32bits(nan) | 1<<31)}
	pack := slices.Repeat(values, PackSize/len(values))
	for _, threshold := range values {
		got := RankSearchable(threshold)
		if want := threshold >= -math.MaxFloat32 && threshold != math.MaxFloat32; got != want {
			t.Errorf("searches allow %v: %v", threshold, got)
		}
		if !got {
			continue
		}
		for special := range 2 * len(values) {
			missing, zero := values[special/2], special%2 != 0
			var search RankSearch
			search.Add(0, 0, []float32{threshold}, missing, zero)
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				RankTablesF32(&rankTables, values, len(values), 1, 1, &search)
				PackRanksF32(&packTable, pack, len(pack), 1, 1, &search)
				restore()
				for d, v := range values {
					if v != v || v == 0 && zero {
						v = missing
					}
					want := !(v <= threshold)
					if got := rankTables.Ranks[d][0] > 0; got != want {
						t.Errorf("%v: %v is above %v: %v (missing %v, 0 missing %v)", tier, v, threshold, got,
							missing, zero)
					}
					for d := d; d < len(pack); d += len(values) {
						if got := packTable.Ranks[0][d] > PackRank(0); got != want {
							t.Errorf("%v: %v is above %v in place %d of a pack: %v (missing %v, 0 missing %v)",
								tier, v, threshold, d, got, missing, zero)
						}
					}
				}
			}
		}
	}
}

func TestRequestPanics(t *testing.T) {
	var ranks [RankRows]uint8
	var leaves RankLeaves
	features := make([]uint32, RankRows+RankLanes)
	table := func(features, groups []uint32, thresholds int) func() {
		return func() {
			RankTableF32(&ranks, &rankValues, nil, features, groups, make([]float32, len(features)),
				make([]float32, thresholds))
		}
	}
	five := make([]uint32, 5)
	sum := func(scores int, widths []uint32, values, trees int) func() {
		return func() {
			RankSumF64(make([]float64, scores), &leaves, widths, make([]float64, values), trees)
		}
	}
	pack := func(splits, pairs []uint32, values, trees int) func() {
		return func() {
			PackSumF64(make([]float64, 8), &packTable.Ranks, splits, pairs, make([]float64, values), trees, false)
		}
	}
	for name, f := range map[string]func(){
		"257 rows":            table(features, make([]uint32, 34), 0),
		"half a group":        table(features[:8], make([]uint32, 1), 0),
		"no group":            table(features[:16], nil, 0),
		"a group too many":    table(nil, make([]uint32, 2), 0),
		"256 thresholds":      table(features[:16], []uint32{256, 0}, 16*256),
		"a threshold missing": table(features[:16], []uint32{1, 0}, 15),
		"a value missing": func() {
			RankTableF32(&ranks, &rankValues, nil, features[:16], five[:2], make([]float32, 15), nil)
		},
		"a table too few":     func() { RankLeavesU8(leaves.Leaves[:2], leaves.Leaves[:1], 0, nil, nil, false) },
		"five slabs":          func() { RankLeavesU8(leaves.Leaves[:1], leaves.Leaves[:1], 0, nil, five, false) },
		"half a step":         func() { RankLeavesU8(nil, nil, 0, make([]uint8, 128), []uint32{1}, false) },
		"a step unmasked":     func() { RankLeavesU8(nil, nil, 0, make([]uint8, 2*StepMasked), []uint32{1}, false) },
		"a window too far":    func() { RankLeavesU8(nil, nil, 129, nil, nil, false) },
		"17 to sum":           sum(17, nil, 0, 0),
		"negative trees":      sum(1, nil, 0, -1),
		"trees without width": sum(1, []uint32{1}, 64, 65),
		"257 trees":           sum(1, make([]uint32, 5), 0, 257),
		"values missing":      sum(1, []uint32{1}, 63, 1),
		"17 documents":        func() { RankTablesF32(&rankTables, nil, 17, 0, 0, &RankSearch{}) },
		"-1 documents":        func() { RankTablesF32(&rankTables, nil, -1, 0, 0, &RankSearch{}) },
		"-1 columns":          func() { RankTablesF32(&rankTables, nil, 1, -1, 0, &RankSearch{}) },
		"a short stride":      func() { RankTablesF32(&rankTables, nil, 1, 2, 1, &RankSearch{}) },
		"a short x": func() {
			RankTablesF32(&rankTables, make([]float32, 7), 2, 4, 4, &RankSearch{rows: make([]uint32, 1)})
		},
		"257 rows of tables": func() {
			RankTablesF32(&rankTables, nil, 0, 0, 0, &RankSearch{rows: make([]uint32, 257)})
		},
		"65 documents":    func() { PackRanksF32(&packTable, nil, 65, 0, 0, &RankSearch{}) },
		"7 scores":        func() { PackSumF64(make([]float64, 7), &packTable.Ranks, nil, nil, nil, 0, false) },
		"72 scores":       func() { PackSumF64(make([]float64, 72), &packTable.Ranks, nil, nil, nil, 0, false) },
		"-1 trees":        pack(nil, nil, 0, -1),
		"a pair missing":  pack(nil, []uint32{0, 1}, 2, 3),
		"a pair too many": pack(nil, []uint32{0, 1}, 2, 0),
		"half a split":    pack(five[:1], []uint32{1, 1}, 2, 1),
		"a leaf missing":  pack(nil, []uint32{0, 1}, 1, 1),
		"a key too few":   func() { WalkKeysF32(nil, nil, make([]uint32, 1), make([]uint32, 1)) },
		"no missing key":  func() { WalkKeysF32(make([]uint32, 1), nil, make([]uint32, 1), nil) },
		//lint:ignore SA5012 an odd number of elements is what the kernel has to notice
		"half a tree": func() { WalkF64(0, nil, []uint64{WalkLeaf, 0, 0}, []uint32{0}) },
	} {
		t.Run(name, func(t *testing.T) {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			}()
		})
	}
}

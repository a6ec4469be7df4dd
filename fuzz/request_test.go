package fuzz

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/trees"
)

// FuzzRankTableF32 uses the data as a document, and compares the tiers with a count of the
// thresholds below single values. It also compares RankTablesF32 and PackRanksF32.
func FuzzRankTableF32(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		x := forestFloats(data)
		rng := rand.New(rand.NewPCG(seed, 2))
		features := make([]uint32, trees.RankLanes*rng.IntN(4))
		var groups []uint32
		var missing, thresholds []float32
		var want [trees.RankRows]uint8
		var search trees.RankSearch
		for r := range features {
			features[r] = uint32(rng.IntN(len(x) + 2))
		}
		for lo := 0; lo < len(features); lo += trees.RankLanes {
			n, flags := rng.IntN(9), rng.Uint32()
			if rng.IntN(8) == 0 {
				n = 30 + rng.IntN(226)
			}
			groups = append(groups, uint32(n), flags)
			group := make([]float32, trees.RankLanes*n)
			for k := range group {
				if group[k] = float32(rng.NormFloat64()); len(x) > 0 {
					if v := x[rng.IntN(len(x))]; trees.RankSearchable(v) {
						group[k] = v
					}
				}
			}
			for i := range trees.RankLanes {
				var v float32
				if j := int(features[lo+i]); j < len(x) {
					v = x[j]
				}
				inf := float32(math.Inf(1))
				instead := []float32{float32(math.NaN()), inf, -inf, float32(rng.NormFloat64())}[rng.IntN(4)]
				if missing = append(missing, instead); v != v || v == 0 && flags>>i&1 != 0 {
					v = instead
				}
				var row []float32
				for k := i; k < len(group); k += trees.RankLanes {
					if row = append(row, group[k]); !(v <= group[k]) {
						want[lo+i]++
					}
				}
				slices.Sort(row)
				search.Add(uint8(lo+i), features[lo+i], row, instead, flags>>i&1 != 0)
			}
			thresholds = append(thresholds, group...)
		}
		eachTier(func(tier cpu.Tier) {
			var got [trees.RankRows]uint8
			var values [trees.RankRows]float32
			if trees.RankTableF32(&got, &values, x, features, groups, missing, thresholds); got != want {
				t.Fatalf("%v: ranks %v, want %v", tier, got, want)
			}
			var tables trees.RankTables
			trees.RankTablesF32(&tables, slices.Repeat(x, 3), 3, len(x), len(x), &search)
			var pack trees.PackTable
			trees.PackRanksF32(&pack, slices.Repeat(x, 3), 3, len(x), len(x), &search)
			for d := range 3 {
				for r, got := range tables.Ranks[d][:len(features)] {
					if pack.Ranks[r][d] != trees.PackRank(got) {
						t.Fatalf("%v: rank %d of document %d of a pack is %d, want %d", tier, r, d,
							int(pack.Ranks[r][d])+128, got)
					}
					// Ranks of missing values may exceed the number of thresholds.
					if got != want[r] && (got < want[r] || uint32(want[r]) != groups[r/trees.RankLanes*2]) {
						t.Fatalf("%v: rank %d of document %d is %d, want %d", tier, r, d, got, want[r])
					}
				}
			}
		})
	})
}

// FuzzRankLeavesU8 evaluates random trees with ranks and limits from the data. It compares the sums
// of RankLeavesU8 and RankSumF64, WalkF64 and PackSumF64 with a simple walk.
func FuzzRankLeavesU8(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		if len(data) == 0 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 3))
		var ranks [trees.RankRows]uint8
		keys := make([]uint32, trees.RankRows)
		for r := range ranks {
			ranks[r] = data[r%len(data)]
			keys[r] = uint32(ranks[r])
		}
		const slabs = 3
		second := rng.IntN(len(ranks) - trees.RankWindow + 1)
		count := 1 + rng.IntN(slabs*trees.RankSlab)
		steps := make([][]uint8, slabs)
		widths, values := make([]uint32, slabs), []float64(nil)
		var cells []uint64
		var roots, packSplits, packPairs []uint32
		want, packEnd, valuesEnd := 0.0, 0, 0
		for s := range slabs {
			width := 1 + rng.IntN(66)
			if rng.IntN(8) == 0 {
				width = 255
			}
			splits := max(width-1-rng.IntN(2), 0)
			splits += splits % 2
			steps[s], widths[s] = make([]uint8, trees.StepLength*splits), uint32(width)
			var pair [2][]uint32
			for i := range trees.RankSlab {
				pair[i%2] = nil
				leaf := make([]float64, width)
				for l := range leaf {
					leaf[l] = rng.Float64()
				}
				values = append(values, leaf...)
				step := 0
				root, levels := len(cells), 0
				cells = append(cells, 0, 0, 0)
				var grow func(lo, hi, at, level int, reached bool)
				grow = func(lo, hi, at, level int, reached bool) {
					if levels = max(levels, level); hi-lo == 1 {
						cells[at], cells[at+2] = trees.WalkLeaf, math.Float64bits(leaf[lo])
						if reached && trees.RankSlab*s+i < count {
							want += leaf[lo]
						}
						return
					}
					row, right := rng.IntN(trees.RankWindow), lo+1+rng.IntN(hi-lo-1)
					limit := data[rng.IntN(len(data))]
					to := steps[s][trees.StepLength*step+i:]
					to[trees.StepRow], to[trees.StepLimit] = uint8(row), limit
					to[trees.StepFirst], to[trees.StepRight] = uint8(lo), uint8(right)
					row += step % 2 * second
					step++
					if limit < math.MaxUint8 { // otherwise no document goes right
						pair[i%2] = append(pair[i%2],
							trees.PackSplit(uint8(row), limit+1, uint8(lo), uint8(right-lo)))
					}
					next := len(cells)
					cells = append(cells, 0, 0, 0, 0)
					cells[at] = trees.WalkCell(uint16(next-at), uint16(row), uint32(limit))
					grow(lo, right, next, level+1, reached && ranks[row] <= limit)
					grow(right, hi, next+1, level+1, reached && ranks[row] > limit)
				}
				grow(0, 1+rng.IntN(min(splits+1, width)), root, 0, true)
				for ; step < splits; step++ {
					steps[s][trees.StepLength*step+i+trees.StepFirst] = trees.NoSplit
				}
				if i%2 == 1 {
					n := max(len(pair[0]), len(pair[1]))
					packPairs = append(packPairs, uint32(n), uint32(width))
					for k := range n {
						for _, list := range pair {
							split := trees.PackSplit(0, 0, trees.NoSplit, 0)
							if k < len(list) {
								split = list[k]
							}
							packSplits = append(packSplits, split)
						}
					}
					if trees.RankSlab*s+i == (count-1)|1 { // the last pair
						packEnd, valuesEnd = len(packSplits), len(values)
					}
				}
				if roots = append(roots, uint32(root), uint32(levels)); trees.RankSlab*s+i >= count {
					roots = roots[:2*count]
				}
			}
		}
		var pack [trees.RankRows][trees.PackSize]uint8
		for r, rank := range ranks {
			for d := range pack[r] {
				pack[r][d] = trees.PackRank(rank)
			}
		}
		var numbers []uint32
		for _, s := range steps {
			numbers = append(numbers, uint32(len(s)/(2*trees.StepLength)))
		}
		eachTier(func(tier cpu.Tier) {
			var leaves trees.RankLeaves
			tables := slices.Repeat([][trees.RankRows]uint8{ranks}, len(leaves.Leaves))
			for _, n := range []int{1, 3, 5, len(tables)} {
				clear(leaves.Leaves[:])
				trees.RankLeavesU8(leaves.Leaves[:n], tables[:n], second, slices.Concat(steps...), numbers, false)
				scores := make([]float64, n)
				trees.RankSumF64(scores, &leaves, widths, values, count)
				for _, s := range scores {
					if s != want {
						t.Fatalf("%v: the score by leaves is %v, want %v", tier, s, want)
					}
				}
			}
			for _, n := range []int{8, 32, 40, trees.PackSize} {
				scores := make([]float64, n)
				trees.PackSumF64(scores, &pack, packSplits[:packEnd], packPairs[:(count+1)/2*2],
					values[:valuesEnd], count, false)
				for d, s := range scores {
					if s != want {
						t.Fatalf("%v: the score of document %d of %d of a pack is %v, want %v", tier, d, n, s, want)
					}
				}
			}
			if s := trees.WalkF64(0, keys, cells, roots); s != want {
				t.Fatalf("%v: the score by cells is %v, want %v", tier, s, want)
			}
		})
	})
}

package order

import (
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/memory"
)

// A grid sorts or counts long columns of keys in parts that fit in the L2 cache. First, each block
// of the keys is partitioned in place into the parts. Then each part is gathered from all blocks.
// The keys pass through memory once, not once per halving. Goroutines share the blocks and the
// parts.
type grid[K int32 | int64] struct {
	keys   []K
	starts []K     // smallest key that each part may contain, in ascending order
	most   K       // largest key that the last part may contain
	pivots []K     // key near the median of each part; used if parts are counted
	at     []int32 // starts of the parts, block by block, and the end of the last part
}

// gridParts returns the number of parts into which n keys are divided.
func gridParts(n int) int { return min(1<<bits.Len(uint(n/gridPart)), gridMost) }

// part returns the start of part i if n keys are divided into equal parts.
func part(i, parts, n int) int { return int(int64(i) * int64(n) / int64(parts)) }

// split determines the parts from a sample of the keys, which it sorts. It makes about the given
// number of parts, or more if keys are tied. The keys of a run differ only in the bits of unit − 1.
// A run is divided only if it is longer than a part, and its parts then contain no keys of other
// runs.
func (g *grid[K]) split(sample []K, parts int, unit, least, most K) {
	slices.Sort(sample)
	g.starts, g.most = append(memory.Grow(g.starts, 3*parts)[:0], least), most
	last := least
	for i := 1; i < parts; i++ {
		k := sample[part(i, parts, len(sample))]
		run := k &^ (unit - 1)
		g.starts = append(g.starts, run)
		if i > 1 && run == last&^(unit-1) {
			g.starts = append(g.starts, k)
			if k == last && k < most {
				g.starts = append(g.starts, k+1)
			}
			if end := run | (unit - 1); end < most {
				g.starts = append(g.starts, end+1)
			}
		}
		last = k
	}
	slices.Sort(g.starts)
	g.starts = slices.Compact(g.starts)
}

// halve chooses a pivot for each part from the sample that split has sorted.
func (g *grid[K]) halve(sample []K) {
	g.pivots = memory.Grow(g.pivots, cap(g.starts))[:len(g.starts)]
	for p := range g.pivots {
		lo, hi := g.bounds(p)
		i, _ := slices.BinarySearch(sample, lo)
		j, _ := slices.BinarySearch(sample, hi)
		g.pivots[p] = lo
		if lo < hi {
			g.pivots[p] = min(max(sample[min((i+j)/2, len(sample)-1)], lo+1), hi)
		}
	}
}

// bounds returns the smallest and the largest key that part p may contain.
func (g *grid[K]) bounds(p int) (lo, hi K) {
	if p+1 < len(g.starts) {
		return g.starts[p], g.starts[p+1] - 1
	}
	return g.starts[p], g.most
}

// begin sets the starts of blocks of the given sizes, and reserves memory for the starts of their
// parts.
func (g *grid[K]) begin(blocks int, size func(b int) int) {
	g.at = memory.Grow(g.at, blocks*len(g.starts)+1)
	end := 0
	g.at[0] = 0
	for b := range blocks {
		end += size(b)
		g.at[(b+1)*len(g.starts)] = int32(end)
	}
}

// block returns the start and the end of block b.
func (g *grid[K]) block(b int) (start, end int) {
	return int(g.at[b*len(g.starts)]), int(g.at[(b+1)*len(g.starts)])
}

// size returns the number of keys in part p.
func (g *grid[K]) size(p int) (n int) {
	for k := p; k+1 < len(g.at); k += len(g.starts) {
		n += int(g.at[k+1] - g.at[k])
	}
	return n
}

// A partitionFunc is [PartitionCountI32] or [PartitionI64].
type partitionFunc[K int32 | int64] func(lo, hi, src []K, pivot K) (n int, positions int64)

func partitionKeys(lo, hi, src []int64, pivot int64) (n int, positions int64) {
	return PartitionI64(lo, hi, src, pivot), 0
}

// cut partitions block b into parts, and returns the number of inversions that the partition
// removes. lo and hi are scratch memory of the length of the block.
func (g *grid[K]) cut(b int, lo, hi []K, partition partitionFunc[K]) (inversions int64) {
	start, end := g.block(b)
	block, at := g.keys[start:end], g.at[b*len(g.starts):][:len(g.starts)]
	return cut(block, block, lo, hi, g.starts[1:], at[1:], start, partition)
}

// cut moves the keys of src to dst in the order of the parts, which splitters separate. It sets at
// to the starts of the parts; start is the start of dst. dst and lo may be src, as in a partition.
func cut[K int32 | int64](dst, src, lo, hi, splitters []K, at []int32, start int,
	partition partitionFunc[K]) (inversions int64) {
	if len(splitters) == 0 {
		copy(dst, src)
		return 0
	}
	mid := len(splitters) / 2
	if mid == 0 {
		lo = dst
	}
	n, positions := partition(lo, hi, src, splitters[mid])
	m := len(src) - n
	inversions = positions - int64(n)*int64(n-1)/2
	at[mid] = int32(start + n)
	if mid == 0 {
		copy(dst[n:], hi[:m])
		return inversions
	}
	inversions += cut(dst[:n], lo[:n], lo[:n], hi[m:], splitters[:mid], at[:mid], start, partition)
	return inversions + cut(dst[n:], hi[:m], hi[:m], lo[n:], splitters[mid+1:], at[mid+1:], start+n, partition)
}

// gather collects the keys of part p from all blocks and partitions them by the part's pivot. The
// first n keys of lo are below the pivot, and the first m keys of hi are not. It returns the number
// of inversions that this removes. lo and hi have the length of the part.
func gather(g *grid[int32], p int, lo, hi []int32) (n, m int, inversions int64) {
	for k := p; k+1 < len(g.at); k += len(g.starts) {
		src := g.keys[g.at[k]:g.at[k+1]]
		below, positions := PartitionCountI32(lo[n:], hi[m:], src, g.pivots[p])
		inversions += positions + int64(n+m)*int64(below)
		n, m = n+below, m+len(src)-below
	}
	return n, m, inversions - int64(n)*int64(n-1)/2
}

// across returns the number of inversions between different parts of different blocks. It uses
// before to count the keys of each part in earlier blocks.
func (g *grid[K]) across(before []int64) (inversions int64) {
	clear(before)
	for at := g.at; len(at) > 1; at = at[len(before):] {
		above := int64(0)
		for p := len(before) - 1; p >= 0; p-- {
			n := int64(at[p+1] - at[p])
			inversions += n * above
			above += before[p]
			before[p] += n
		}
	}
	return inversions
}

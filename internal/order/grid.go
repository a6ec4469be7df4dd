package order

import (
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/memory"
)

// A grid holds long columns of keys, which are sorted, or counted, in parts that fit the second
// cache: first each block of the keys is cut into the parts, in place, then each part is gathered
// from all blocks. Keys pass through memory once, not once per halving, and both blocks and parts
// are tasks for goroutines.
type grid[K int32 | int64] struct {
	keys   []K
	starts []K     // the least key that a part may have, ascending
	most   K       // the greatest that the last part may have
	pivots []K     // near the median of each part, if parts are counted
	at     []int32 // where parts begin, block by block, and the end of the last
}

// gridParts returns how many parts n keys are cut into.
func gridParts(n int) int { return min(1<<bits.Len(uint(n/gridPart)), gridMost) }

// part returns where part i of n begins, of the given number of parts.
func part(i, parts, n int) int { return int(int64(i) * int64(n) / int64(parts)) }

// split sets the parts by a sample of the keys, which it sorts: about as many as are wanted, more
// where keys have ties. Keys of a run agree but for the bits of unit − 1: only a run that is longer
// than a part is cut, and then no part holds keys of another run besides.
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

// halve finds a pivot for each part by the sample that split has sorted.
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

// bounds returns the least and the greatest key that a part may have.
func (g *grid[K]) bounds(p int) (lo, hi K) {
	if p+1 < len(g.starts) {
		return g.starts[p], g.starts[p+1] - 1
	}
	return g.starts[p], g.most
}

// begin lays out blocks of the given sizes, and makes room for where their parts begin.
func (g *grid[K]) begin(blocks int, size func(b int) int) {
	g.at = memory.Grow(g.at, blocks*len(g.starts)+1)
	end := 0
	g.at[0] = 0
	for b := range blocks {
		end += size(b)
		g.at[(b+1)*len(g.starts)] = int32(end)
	}
}

// block returns where block b begins and ends.
func (g *grid[K]) block(b int) (start, end int) {
	return int(g.at[b*len(g.starts)]), int(g.at[(b+1)*len(g.starts)])
}

// size returns how many keys a part has.
func (g *grid[K]) size(p int) (n int) {
	for k := p; k+1 < len(g.at); k += len(g.starts) {
		n += int(g.at[k+1] - g.at[k])
	}
	return n
}

// A partitionFunc is [PartitionCountI32], or [PartitionI64].
type partitionFunc[K int32 | int64] func(lo, hi, src []K, pivot K) (n int, positions int64)

func partitionKeys(lo, hi, src []int64, pivot int64) (n int, positions int64) {
	return PartitionI64(lo, hi, src, pivot), 0
}

// cut cuts block b into parts, and returns how many inversions that undoes. lo and hi are scratch
// of the same length.
func (g *grid[K]) cut(b int, lo, hi []K, partition partitionFunc[K]) (inversions int64) {
	start, end := g.block(b)
	block, at := g.keys[start:end], g.at[b*len(g.starts):][:len(g.starts)]
	return cut(block, block, lo, hi, g.starts[1:], at[1:], start, partition)
}

// cut moves src to dst, in the order of the parts that splitters are between, and sets at to where
// they begin; dst itself begins at start. dst may be src, and so may lo, as in a partition.
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

// gather partitions what the blocks have of part p by its pivot: the first n of lo are below, and
// the first m of hi are not. It returns how many inversions that undoes. lo and hi
// are as long as the part.
func gather(g *grid[int32], p int, lo, hi []int32) (n, m int, inversions int64) {
	for k := p; k+1 < len(g.at); k += len(g.starts) {
		src := g.keys[g.at[k]:g.at[k+1]]
		below, positions := PartitionCountI32(lo[n:], hi[m:], src, g.pivots[p])
		inversions += positions + int64(n+m)*int64(below)
		n, m = n+below, m+len(src)-below
	}
	return n, m, inversions - int64(n)*int64(n-1)/2
}

// across returns how many inversions there are between different parts of different blocks. It
// counts in before how many keys of each part earlier blocks have.
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

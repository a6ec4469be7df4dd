package kernels

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
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

// split sets the parts by a sample of the keys, which it sorts: about as many as are wanted, more
// where keys have ties. Keys of a run agree but for the bits of unit − 1: only a run that is longer
// than a part is cut, and then no part holds keys of another run besides.
func (g *grid[K]) split(sample []K, parts int, unit, least, most K) {
	slices.Sort(sample)
	g.starts, g.most = append(grow(g.starts, 3*parts)[:0], least), most
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
	g.pivots = grow(g.pivots, cap(g.starts))[:len(g.starts)]
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
	g.at = grow(g.at, blocks*len(g.starts)+1)
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

// A partitionFunc is [order.PartitionCountI32], or [order.PartitionI64].
type partitionFunc[K int32 | int64] func(lo, hi, src []K, pivot K) (n int, positions int64)

func partitionI64(lo, hi, src []int64, pivot int64) (n int, positions int64) {
	return order.PartitionI64(lo, hi, src, pivot), 0
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
		below, positions := order.PartitionCountI32(lo[n:], hi[m:], src, g.pivots[p])
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

// each calls do for the numbers below n, with one of the tasks each.
func (c *TauCounter) each(tasks []*tauTask, n int, do func(c *TauCounter, t *tauTask, i int)) {
	if len(tasks) == 1 { // allocates nothing
		for i := range n {
			do(c, tasks[0], i)
		}
		return
	}
	parallel.For(context.Background(), len(tasks), n, func(worker, i int) { do(c, tasks[worker], i) })
}

// countGrid sorts and counts long columns in parts, about as many as are wanted, and in blocks of
// that length. Where they are sorted c.y has the keys of y.
func (c *TauCounter) countGrid(tasks []*tauTask, sorted bool, parts, block int) {
	n := len(c.y)
	blocks, size := (n+block-1)/block, func(b int) int { return min(block, n-b*block) }
	if sorted {
		if tasks[0].countMonotone(c.y) {
			return
		}
		c.sampleGrid(tasks[0], parts)
		c.byY.begin(blocks, size)
		c.each(tasks, blocks, (*TauCounter).cutY)
	} else {
		c.a = grow(c.a, n)
		c.byX.keys = c.a
		c.byX.split(c.sampleGrid(tasks[0], parts), parts, 1<<32, math.MinInt64, math.MaxInt64)
		c.byX.begin(blocks, size)
		c.each(tasks, blocks, (*TauCounter).cutKeys)
		c.byY.begin(len(c.byX.starts), c.byX.size)
		c.addCutRuns(tasks[0])
		c.each(tasks, len(c.byX.starts), (*TauCounter).sortPart)
	}
	c.before = grow(c.before, len(c.byY.starts))
	tasks[0].discordant += c.byY.across(c.before)
	c.each(tasks, len(c.byY.starts), (*TauCounter).countPart)
}

// sampleGrid sets the parts of y by a sample, and returns that. Steps of the golden ratio cover the
// columns evenly, as equal ones do, but do not meet the same value of each period.
func (c *TauCounter) sampleGrid(t *tauTask, parts int) []int64 {
	n := gridSample * parts
	t.grow64(n)
	t.grow32(n)
	for i := range t.lo64 {
		at := uint64(uint32(i)*0x9e3779b1) * uint64(len(c.y)) >> 32
		t.pack(t.lo64[i:i+1], c.first, c.second, int(at))
		t.lo32[i] = keyY(t.lo64[i])
	}
	c.byY.keys = c.y
	c.byY.split(t.lo32, parts, 1, math.MinInt32, math.MaxInt32)
	c.byY.halve(t.lo32)
	return t.lo64
}

// keyY returns the key of y in a packed key.
func keyY(key int64) int32 { return int32(uint32(key) ^ 1<<31) }

// cutKeys makes block b of the keys, and cuts it.
func (c *TauCounter) cutKeys(t *tauTask, b int) {
	start, end := c.byX.block(b)
	t.grow64(end - start)
	t.pack(c.a[start:end], c.first, c.second, start)
	c.byX.cut(b, t.lo64, t.hi64, partitionI64)
}

// addCutRuns adds the runs of x that are cut into parts.
func (c *TauCounter) addCutRuns(t *tauTask) {
	for p := 0; p < len(c.byX.starts); {
		lo, hi := c.byX.bounds(p)
		start, end := c.byY.block(p)
		p++
		if lo>>32 != hi>>32 {
			continue
		}
		for p < len(c.byX.starts) && c.byX.starts[p]>>32 == lo>>32 {
			_, end = c.byY.block(p)
			p++
		}
		n := end - start
		t.ties.AddRun(int64(n))
		if t.listX && n > 1 {
			t.tiedX = append(t.tiedX, int32(lo>>32))
		}
	}
}

// sortPart sorts part p of the keys into the block p of c.y, and cuts that.
func (c *TauCounter) sortPart(t *tauTask, p int) {
	start, end := c.byY.block(p)
	t.y = c.y[start:end]
	lo, hi := c.byX.bounds(p)
	if lo == hi {
		for i := range t.y {
			t.y[i] = keyY(lo)
		}
		t.passed(end - start)
		t.both.AddRun(int64(end - start))
	} else {
		t.grow64(end - start)
		ties := t.ties
		n := 0
		for k := p; k+1 < len(c.byX.at); k += len(c.byX.starts) {
			n += copy(t.lo64[n:], c.a[c.byX.at[k]:c.byX.at[k+1]])
		}
		t.sort(t.lo64, t.hi64, lo, hi, depth(n))
		t.finish()
		if lo>>32 == hi>>32 {
			t.ties = ties // addCutRuns has added the run
		}
	}
	c.cutY(t, p)
}

// cutY cuts block b of c.y.
func (c *TauCounter) cutY(t *tauTask, b int) {
	start, end := c.byY.block(b)
	t.grow32(end - start)
	t.discordant += c.byY.cut(b, t.lo32, t.hi32, order.PartitionCountI32)
}

// countPart counts the inversions in part p of c.y.
func (c *TauCounter) countPart(t *tauTask, p int) {
	size := c.byY.size(p)
	lo, hi := c.byY.bounds(p)
	if lo == hi {
		t.passed(size)
		t.tiesY.AddRun(int64(size))
		if t.listY && size > 1 {
			t.tiedY = append(t.tiedY, lo)
		}
		return
	}
	t.grow32(size)
	n, m, inversions := gather(&c.byY, p, t.lo32, t.hi32)
	t.discordant += inversions
	pivot, depth := c.byY.pivots[p], depth(size)
	t.count(t.lo32[:n], t.hi32[m:], lo, pivot-1, depth)
	t.count(t.hi32[:m], t.lo32[n:], pivot, hi, depth)
}

func (t *tauTask) grow64(n int) { t.lo64, t.hi64 = grow(t.lo64, n), grow(t.hi64, n) }
func (t *tauTask) grow32(n int) { t.lo32, t.hi32 = grow(t.lo32, n), grow(t.hi32, n) }

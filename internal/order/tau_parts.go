package order

import (
	"context"
	"math"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
)

// countGrid sorts and counts long columns in parts and blocks. parts is the approximate number of
// parts, and block is the length of a block. If sorted is true, c.y already contains the keys of y
// in the order of x.
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
		c.a = memory.Grow(c.a, n)
		c.byX.keys = c.a
		c.byX.split(c.sampleGrid(tasks[0], parts), parts, 1<<32, math.MinInt64, math.MaxInt64)
		c.byX.begin(blocks, size)
		c.each(tasks, blocks, (*TauCounter).cutKeys)
		c.byY.begin(len(c.byX.starts), c.byX.size)
		c.addCutRuns(tasks[0])
		c.each(tasks, len(c.byX.starts), (*TauCounter).sortPart)
	}
	c.before = memory.Grow(c.before, len(c.byY.starts))
	tasks[0].discordant += c.byY.across(c.before)
	c.each(tasks, len(c.byY.starts), (*TauCounter).countPart)
}

// sampleGrid determines the parts of y from a sample, and returns the sample. Like equal steps,
// steps of the golden ratio cover the columns evenly. Unlike equal steps, they do not hit the same
// value in every period of periodic data.
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

// keyY returns the key of y that a packed key contains.
func keyY(key int64) int32 { return int32(uint32(key) ^ 1<<31) }

// cutKeys computes the keys of block b and partitions the block.
func (c *TauCounter) cutKeys(t *tauTask, b int) {
	start, end := c.byX.block(b)
	t.grow64(end - start)
	t.pack(c.a[start:end], c.first, c.second, start)
	c.byX.cut(b, t.lo64, t.hi64, partitionKeys)
}

// addCutRuns adds the runs of x that are divided into several parts.
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
		t.ties.addRun(int64(n))
		if t.listX && n > 1 {
			t.tiedX = append(t.tiedX, int32(lo>>32))
		}
	}
}

// sortPart sorts part p of the keys into block p of c.y, and partitions this block.
func (c *TauCounter) sortPart(t *tauTask, p int) {
	start, end := c.byY.block(p)
	t.y = c.y[start:end]
	lo, hi := c.byX.bounds(p)
	if lo == hi {
		for i := range t.y {
			t.y[i] = keyY(lo)
		}
		t.passed(end - start)
		t.both.addRun(int64(end - start))
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

// cutY partitions block b of c.y.
func (c *TauCounter) cutY(t *tauTask, b int) {
	start, end := c.byY.block(b)
	t.grow32(end - start)
	t.discordant += c.byY.cut(b, t.lo32, t.hi32, PartitionCountI32)
}

// countPart counts the inversions in part p of c.y.
func (c *TauCounter) countPart(t *tauTask, p int) {
	size := c.byY.size(p)
	lo, hi := c.byY.bounds(p)
	if lo == hi {
		t.passed(size)
		t.tiesY.addRun(int64(size))
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

// each calls do for the numbers 0 to n−1, each with one of the tasks.
func (c *TauCounter) each(tasks []*tauTask, n int, do func(c *TauCounter, t *tauTask, i int)) {
	if len(tasks) == 1 { // do not allocate memory
		for i := range n {
			do(c, tasks[0], i)
		}
		return
	}
	parallel.For(context.Background(), len(tasks), n, func(worker, i int) { do(c, tasks[worker], i) })
}

func (t *tauTask) grow64(n int) {
	t.lo64, t.hi64 = memory.Grow(t.lo64, n), memory.Grow(t.hi64, n)
}

func (t *tauTask) grow32(n int) {
	t.lo32, t.hi32 = memory.Grow(t.lo32, n), memory.Grow(t.hi32, n)
}

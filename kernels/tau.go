package kernels

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/order"
)

// Real is a type whose values have an order that Kendall's tau can look at.
type Real interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// PairCounts are the counts of every two of n values (x, y).
type PairCounts struct {
	Discordant int64 // ordered oppositely by x and y
	TiedBoth   int64 // equal in x and in y
	X, Y       Ties
}

// Ties are the counts of the runs of t equal values in a sorted column.
type Ties struct {
	Distinct int64 // runs
	Pairs    int64 // Σ t(t−1)/2
	triples  order.Uint128
}

// Triples returns Σ t(t−1)(t−2)/6 over the runs: the float64 nearest to the exact number.
func (s Ties) Triples() float64 { return s.triples.Float64() }

// AddRun adds a run of t ≥ 0 values; none is no run.
func (s *Ties) AddRun(t int64) {
	if t <= 1 {
		s.Distinct += t
		return
	}
	s.Distinct++
	s.Pairs += t * (t - 1) / 2
	if t > 2 {
		s.triples.Add(triples(t))
	}
}

// add adds the runs of a part of the column that shares no value with s.
func (s *Ties) add(t Ties) {
	s.Distinct += t.Distinct
	s.Pairs += t.Pairs
	s.triples.Add(t.triples)
}

// triples returns t(t−1)(t−2)/6.
func triples(t int64) order.Uint128 {
	hi, lo := bits.Mul64(uint64(t*(t-1)/2), uint64(max(0, t-2)))
	var u order.Uint128
	u.Hi, hi = hi/3, hi%3
	u.Lo, _ = bits.Div64(hi, lo, 3)
	return u
}

// A TauCounter counts concordant and discordant pairs and holds the memory that this takes, 24
// bytes per value or, of long columns, about 12, for the next call. Many ties of values that are
// neither integers nor float32 take up to 13 more. The zero value is ready. It is not safe for
// concurrent use.
//
// Both columns are mapped to 32-bit keys that keep their order: exactly, where the values are
// integers or float32, and otherwise as the value's position between the least and the greatest.
// Then the pairs of keys are sorted by x, and by y where x is equal, and the inversions of y
// counted, both by a quicksort whose partitions and leaves are kernels and whose depth is
// bounded, with [MergeCount] behind the bound: O(n log n) on any input. Inversions across a
// partition are the positions of what went left. Many keys are spread over cells of values before
// they are partitioned; that does not count, but is faster. Long columns are first cut into parts,
// each of which fits the second cache. Last, if different values got equal keys, these few pairs
// are looked at again.
type TauCounter struct {
	Threads int // goroutines for long columns; 0 and 1 stand for none

	// Progress, unless it is nil, is called now and then with how much of a call on long columns is
	// done, and of how much; with Threads by several goroutines at once. A call that has to count
	// twice, for too many values share keys, begins anew.
	Progress func(done, total int64)
	passed   atomic.Int64 // keys sorted, and keys counted

	a, b    []int64 // packed keys, and the other half to sort in
	y, free []int32 // keys of y in the order of x, and the other half to count in

	first, second *column // by which keys are sorted, and whose inversions are counted
	byX           grid[int64]
	byY           grid[int32]
	before        []int64 // keys of each part in earlier blocks
	x32, y32      []int32 // keys of columns that are made as a whole
	x64, y64      []float64
	columns       [2]column
	small         [2][directLen]float64 // columns for the direct count
	tasks         []*tauTask
	resolver      resolver
}

// CountTau counts the pairs of x and y. It reports false, and no counts, when one holds a NaN. −0
// equals +0, and infinities of a sign equal each other. x and y may overlap in any way. The counts
// are exact, whatever the number of threads.
//
// It panics when the lengths differ or are more than 2³¹−1, and when c is nil.
func CountTau[X, Y Real](c *TauCounter, x []X, y []Y) (counts PairCounts, ok bool) {
	if len(x) != len(y) {
		panic(kern.Lengths("kernels: CountTau: len(x) and len(y) differ", len(x), len(y)))
	}
	checkTau("kernels: CountTau", c, len(x))
	cx, cy := &c.columns[0], &c.columns[1]
	defer func() { *cx, *cy = column{}, column{} }() // keep nothing of the caller's
	var okX, okY bool
	*cx, okX = newColumn(x, &c.x32, &c.x64, c.threads(len(x)))
	*cy, okY = newColumn(y, &c.y32, &c.y64, c.threads(len(y)))
	if !okX || !okY {
		return PairCounts{}, false
	}
	if len(x) <= directLen {
		return c.countDirect(), true
	}
	counts, ok = c.count(cx, cy)
	if !ok {
		// Too many values share keys: ranks are exact.
		if !cx.exact {
			c.rank(cx, &c.x32)
		}
		if !cy.exact {
			c.rank(cy, &c.y32)
		}
		counts, _ = c.count(cx, cy)
	}
	return counts, true
}

// RankColumn sets dst[i] to the dense rank of x[i]: the number of different values that are less.
// It reports false, and leaves dst as it is, when x holds a NaN. The ranks are keys as good as the
// values to [CountTau], and exact. dst may overlap x.
//
// It panics when the lengths differ or are more than 2³¹−1, and when c is nil.
func RankColumn[X Real](c *TauCounter, dst []int32, x []X) (ok bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("kernels: RankColumn: len(dst) and len(x) differ", len(dst), len(x)))
	}
	checkTau("kernels: RankColumn", c, len(x))
	col, ok := newColumn(x, &c.x32, &c.x64, c.threads(len(x)))
	if ok {
		c.rank(&col, &dst)
	}
	return ok
}

// checkTau panics when there is no counter, or a column of n values whose indices need more than
// 31 bits.
func checkTau(name string, c *TauCounter, n int) {
	if c == nil {
		panic(kern.NilError(name + ": c"))
	}
	if n > math.MaxInt32 {
		panic(kern.Lengths(name+": len(x) is more than an index can be", n, math.MaxInt32))
	}
}

func (c *TauCounter) countDirect() (counts PairCounts) {
	cx, cy := &c.columns[0], &c.columns[1]
	n := cx.len()
	x, y := c.direct(cx, &c.small[0]), c.direct(cy, &c.small[1])
	concordant, discordant, untiedX, untiedY := order.CountPairsF64(x, y)
	all := int64(n) * int64(n-1) / 2
	counts.Discordant = discordant
	counts.TiedBoth = all - untiedX - untiedY + concordant + discordant
	counts.X = tiesDirect(x, &c.small[0], all-untiedX)
	counts.Y = tiesDirect(y, &c.small[1], all-untiedY)
	return counts
}

// direct returns numbers in the order of a column, in buf unless there is no need.
func (c *TauCounter) direct(col *column, buf *[directLen]float64) []float64 {
	if col.f64 != nil {
		return col.f64
	}
	keys := col.fill(c.useTasks(1)[0].kx[:], 0, col.len())
	for i, k := range keys {
		buf[i] = float64(k)
	}
	return buf[:len(keys)]
}

func tiesDirect(x []float64, buf *[directLen]float64, pairs int64) (t Ties) {
	if pairs == 0 {
		t.Distinct = int64(len(x))
		return t
	}
	s := buf[:copy(buf[:], x)]
	order.InsertionCount(s)
	addRuns(&t, s)
	return t
}

// addRuns adds the runs of sorted values.
func addRuns[T comparable](t *Ties, sorted []T) {
	start := 0
	for i := 1; i <= len(sorted); i++ {
		if i == len(sorted) || sorted[i] != sorted[start] {
			t.AddRun(int64(i - start))
			start = i
		}
	}
}

// grow returns a slice of length n, s if that is large enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return memory.Make[T](n)
	}
	return s[:n]
}

// threads returns how many goroutines n values are worth.
func (c *TauCounter) threads(n int) int { return max(1, min(c.Threads, n/parallelLen)) }

// count counts by keys; it reports false if too many values of an inexact column
// share keys.
func (c *TauCounter) count(x, y *column) (counts PairCounts, ok bool) {
	n := x.len()
	threads, parts := c.threads(n), 0
	if threads > 1 || n >= gridLen {
		parts = gridParts(n)
	}
	// What is sorted first better be sorted already, or else have no ties: then
	// partitions of the other end soon.
	if n < 1<<11 {
		return c.countOrdered(x, y, 1, 0, 0) // the difference is small
	}
	t := c.useTasks(1)[0]
	equalX, sortedX := x.sample(t)
	equalY, sortedY := y.sample(t)
	if sortedX && sortedY && threads == 1 {
		parts = 0 // partitions of what is nearly in order are cheap anywhere
	}
	if sortedY && !sortedX || sortedX == sortedY && equalX > equalY {
		counts, ok = c.countOrdered(y, x, threads, parts, gridBlock)
		counts.X, counts.Y = counts.Y, counts.X
		return counts, ok
	}
	return c.countOrdered(x, y, threads, parts, gridBlock)
}

// countOrdered counts by sorting x; in parts, unless there are none, and blocks of that length.
func (c *TauCounter) countOrdered(x, y *column, threads, parts, block int) (counts PairCounts, ok bool) {
	n := x.len()
	c.y, c.first, c.second = grow(c.y, n), x, y
	tasks := c.useTasks(threads)
	c.passed.Store(0)
	var told func(n int)
	if c.Progress != nil {
		told = func(n int) { c.Progress(c.passed.Add(int64(n)), 2*int64(len(c.y))) }
	}
	for _, t := range tasks {
		t.start(!x.exact, !y.exact)
		t.told = told
	}
	sorted := c.takeSorted(tasks[0])
	if sorted && told != nil {
		told(n)
	}
	if parts > 0 {
		c.countGrid(tasks, sorted, parts, block)
	} else {
		if !sorted {
			c.sort(tasks[0])
		}
		c.free = grow(c.free, n)
		tasks[0].count(c.y, c.free, math.MinInt32, math.MaxInt32, depth(n))
	}
	for _, t := range tasks {
		counts.Discordant += t.discordant
		counts.TiedBoth += t.both.Pairs
		counts.X.add(t.ties)
		counts.Y.add(t.tiesY)
	}
	ok = c.resolver.resolve(&counts, x, y, tasks)
	return counts, ok
}

func (c *TauCounter) useTasks(n int) []*tauTask {
	for len(c.tasks) < n {
		c.tasks = append(c.tasks, new(tauTask))
	}
	return c.tasks[:n]
}

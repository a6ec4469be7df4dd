package order

import (
	"math"
	"math/bits"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
)

// Kendall's tau is computed from pair counts of two columns of values, in five steps. Each step is
// in a separate file. CountTau and countOrdered call the steps in this order:
//
//   - column.go maps the values of each column to 32-bit keys that preserve their order. The map is
//     exact if the values are integers or float32. Otherwise, a key is the value's position between
//     the minimum and the maximum.
//   - tau_parts.go divides long columns into parts that fit in the L2 cache (grid.go).
//   - tau_sort.go sorts the pairs of keys by x, and by y if x is equal. It counts the ties of x and
//     returns the keys of y in this order.
//   - tau_count.go counts the inversions and the ties of these keys of y.
//   - tau_resolve.go compares the few pairs of different values that have equal keys.
//
// Sorting and counting both use a quicksort whose partitions and leaves are kernels. Its depth is
// bounded, and it switches to a merge sort at the bound, so that it takes O(n log n) time on any
// input. The number of inversions across a partition follows from the positions of the keys that go
// left. If there are many keys, they are moved to cells by value before they are partitioned. This
// counts no inversions, but is faster.

// Real is the types of values for which Kendall's tau can be computed.
type Real interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// PairCounts contains counts of the pairs of n values (x, y).
type PairCounts struct {
	Discordant int64 // number of pairs that x and y order differently
	TiedBoth   int64 // number of pairs that are tied in both x and y
	X, Y       Ties
}

// Ties contains counts of the runs of t equal values in a sorted column.
type Ties struct {
	Distinct int64   // number of runs
	Pairs    int64   // Σ t(t−1)/2
	Triples  Uint128 // Σ t(t−1)(t−2)/6
}

// A TauCounter contains the options of [CountTau], and keeps its memory for the next call. The zero
// value is ready for use. It is not safe for concurrent use.
type TauCounter struct {
	Threads int // number of goroutines for long columns, at least 1

	Progress func(done, total int64) // see kernels.Work
	progress *parallel.Progress      // progress of the call; nil if it is not reported

	a, b    []int64 // packed keys, and scratch memory for sorting them
	y, free []int32 // keys of y in the order of x, and scratch memory for counting

	first, second *column // the column by which keys are sorted, and the column whose inversions are counted
	byX           grid[int64]
	byY           grid[int32]
	before        []int64 // number of keys of each part in earlier blocks
	x32, y32      []int32 // keys of columns that are computed at once
	x64, y64      []float64
	columns       [2]column
	small         [2][directLen]float64 // columns for comparing all pairs
	tasks         []*tauTask
	resolver      resolver
}

// CountTau counts the pairs of x and y, which must have the same length, at most 2³¹−1. It returns
// false, without counts, if x or y contains a NaN.
func CountTau[X, Y Real](c *TauCounter, x []X, y []Y) (counts PairCounts, noNaN bool) {
	cx, cy := &c.columns[0], &c.columns[1]
	defer func() { *cx, *cy = column{}, column{} }() // do not keep the caller's memory alive
	var okX, okY bool
	*cx, okX = newColumn(x, &c.x32, &c.x64, c.threads(len(x)))
	*cy, okY = newColumn(y, &c.y32, &c.y64, c.threads(len(y)))
	if !okX || !okY {
		return PairCounts{}, false
	}
	if len(x) <= directLen {
		return c.countDirect(cx, cy), true
	}
	return c.count(cx, cy), true
}

// count counts the pairs of two columns by keys. If too many values share keys, it uses ranks as
// keys instead.
func (c *TauCounter) count(x, y *column) PairCounts {
	progress := parallel.NewProgress(c.Progress, 2*int64(x.len())) // each key is sorted and counted
	c.progress = progress
	counts, ok := c.countKeys(x, y)
	if !ok {
		if !x.exact {
			c.rank(x, &c.x32)
		}
		if !y.exact {
			c.rank(y, &c.y32)
		}
		c.progress = nil // the first count has reported almost all of the progress
		counts, _ = c.countKeys(x, y)
	}
	progress.Finish()
	return counts
}

// threads returns the number of goroutines to use for n values.
func (c *TauCounter) threads(n int) int { return max(1, min(c.Threads, n/parallelLen)) }

// countKeys counts the pairs by keys. It returns false if too many values of an inexact column
// share keys.
func (c *TauCounter) countKeys(x, y *column) (counts PairCounts, ok bool) {
	n := x.len()
	threads, parts := c.threads(n), 0
	if threads > 1 || n >= gridLen {
		parts = gridParts(n)
	}
	// Preferably sort first by a column that is already sorted or, if there is none, by the column
	// with fewer ties. Partitions of the other column then end soon.
	if n < 1<<11 {
		return c.countOrdered(x, y, 1, 0, 0) // the order makes little difference
	}
	t := c.useTasks(1)[0]
	equalX, sortedX := x.sample(t)
	equalY, sortedY := y.sample(t)
	if sortedX && sortedY && threads == 1 {
		parts = 0 // keys that are almost in order are partitioned fast without parts
	}
	if sortedY && !sortedX || sortedX == sortedY && equalX > equalY {
		counts, ok = c.countOrdered(y, x, threads, parts, gridBlock)
		counts.X, counts.Y = counts.Y, counts.X
		return counts, ok
	}
	return c.countOrdered(x, y, threads, parts, gridBlock)
}

// countOrdered counts the pairs by sorting x. It uses the given number of parts and blocks of the
// given length, or no grid if parts is 0. It returns false in the same case as countKeys.
func (c *TauCounter) countOrdered(x, y *column, threads, parts, block int) (counts PairCounts, ok bool) {
	n := x.len()
	c.y, c.first, c.second = memory.Grow(c.y, n), x, y
	tasks := c.useTasks(threads)
	for _, t := range tasks {
		t.start(!x.exact, !y.exact)
		t.progress = c.progress
	}
	sorted := c.takeSorted(tasks[0])
	if sorted {
		c.progress.Add(int64(n))
	}
	if parts > 0 {
		c.countGrid(tasks, sorted, parts, block)
	} else {
		if !sorted {
			c.sort(tasks[0])
		}
		c.free = memory.Grow(c.free, n)
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

// countDirect counts short columns by comparing all pairs.
func (c *TauCounter) countDirect(cx, cy *column) (counts PairCounts) {
	n := cx.len()
	x, y := c.direct(cx, &c.small[0]), c.direct(cy, &c.small[1])
	concordant, discordant, untiedX, untiedY := CountPairsF64(x, y)
	all := int64(n) * int64(n-1) / 2
	counts.Discordant = discordant
	counts.TiedBoth = all - untiedX - untiedY + concordant + discordant
	counts.X = tiesDirect(x, &c.small[0], all-untiedX)
	counts.Y = tiesDirect(y, &c.small[1], all-untiedY)
	return counts
}

// direct returns numbers that have the order of a column. It uses buf if necessary.
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
	insertionCount(s)
	addRuns(&t, s)
	return t
}

// addRun adds a run of t equal values. It does nothing if t is 0.
func (s *Ties) addRun(t int64) {
	if t <= 1 {
		s.Distinct += t
		return
	}
	s.Distinct++
	s.Pairs += t * (t - 1) / 2
	if t > 2 {
		s.Triples.Add(triples(t))
	}
}

// add adds the counts of another part of the column, which must share no value with the counts in
// s.
func (s *Ties) add(t Ties) {
	s.Distinct += t.Distinct
	s.Pairs += t.Pairs
	s.Triples.Add(t.Triples)
}

// triples returns t(t−1)(t−2)/6.
func triples(t int64) Uint128 {
	hi, lo := bits.Mul64(uint64(t*(t-1)/2), uint64(max(0, t-2)))
	var u Uint128
	u.Hi, hi = hi/3, hi%3
	u.Lo, _ = bits.Div64(hi, lo, 3)
	return u
}

// addRuns adds the runs of sorted values.
func addRuns[T comparable](t *Ties, sorted []T) {
	start := 0
	for i := 1; i <= len(sorted); i++ {
		if i == len(sorted) || sorted[i] != sorted[start] {
			t.addRun(int64(i - start))
			start = i
		}
	}
}

package kernels

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
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
	Distinct int64   // runs
	Pairs    int64   // Σ t(t−1)/2
	Triples  Uint128 // Σ t(t−1)(t−2)/6
}

// AddRun adds a run of t ≥ 0 values; none is no run.
func (s *Ties) AddRun(t int64) {
	if t <= 1 {
		s.Distinct += t
		return
	}
	s.Distinct++
	s.Pairs += t * (t - 1) / 2
	s.Triples.add(triples(t))
}

// add adds the runs of a part of the column that shares no value with s.
func (s *Ties) add(t Ties) {
	s.Distinct += t.Distinct
	s.Pairs += t.Pairs
	s.Triples.add(t.Triples)
}

// triples returns t(t−1)(t−2)/6.
func triples(t int64) Uint128 {
	hi, lo := bits.Mul64(uint64(t*(t-1)/2), uint64(max(0, t-2)))
	var u Uint128
	u.Hi, hi = hi/3, hi%3
	u.Lo, _ = bits.Div64(hi, lo, 3)
	return u
}

// A Uint128 counts triples: 2³¹ equal values have 2⁹⁰.
type Uint128 struct{ Hi, Lo uint64 }

func (u *Uint128) add(v Uint128) {
	var carry uint64
	u.Lo, carry = bits.Add64(u.Lo, v.Lo, 0)
	u.Hi, _ = bits.Add64(u.Hi, v.Hi, carry)
}

func (u *Uint128) sub(v Uint128) {
	var borrow uint64
	u.Lo, borrow = bits.Sub64(u.Lo, v.Lo, 0)
	u.Hi, _ = bits.Sub64(u.Hi, v.Hi, borrow)
}

// Float64 returns the nearest float64, ties to even: the bits below the top 64
// are folded into the last of these, which the conversion then rounds.
func (u Uint128) Float64() float64 {
	if u.Hi == 0 {
		return float64(u.Lo)
	}
	shift := uint(64 - bits.LeadingZeros64(u.Hi))
	top := u.Hi<<(64-shift) | u.Lo>>shift
	if u.Lo<<(64-shift) != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), int(shift))
}

// A TauCounter counts concordant and discordant pairs and holds the memory that this takes, 24
// bytes a value, for the next call. The zero value is ready. It is not safe for
// concurrent use.
//
// Both columns are mapped to 32-bit keys that keep their order: exactly, where the values are
// integers or float32, and otherwise as the value's position between the least and the greatest. Then the
// pairs of keys are sorted by x, and by y where x is equal, and the inversions of y counted,
// both by a quicksort whose partitions and leaves are kernels and whose depth is
// bounded, with [MergeCount] behind the bound: O(n log n) on any input. Inversions across a partition are
// the positions of what went left (see [order.PartitionCountI32]). Last, if different values got equal keys,
// these few pairs are looked at again.
type TauCounter struct {
	Threads int // goroutines for long columns; 0 and 1 stand for none

	a, b     []int64 // packed keys, and the other half to sort in
	sorted   []int64 // packed keys of a column to be ranked
	y, free  []int32 // keys of y in the order of x, and the other half to count in
	x32, y32 []int32 // keys of columns that are made as a whole
	x64, y64 []float64
	columns  [2]column
	small    [2][directLen]float64 // columns for the direct count
	tasks    []*tauTask
	resolver resolver
}

// CountTau counts the pairs of x and y, which must be of equal length. It reports
// false, and no counts, when one holds a NaN. −0 equals +0, and infinities of a sign equal
// each other.
func CountTau[X, Y Real](c *TauCounter, x []X, y []Y) (counts PairCounts, ok bool) {
	if len(x) != len(y) {
		panic(kern.Lengths("CountTau: lengths of x and y", len(x), len(y)))
	}
	cx, cy := &c.columns[0], &c.columns[1]
	defer func() { *cx, *cy = column{}, column{} }() // keep nothing of the caller's
	var okX, okY bool
	*cx, okX = newColumn(x, &c.x32, &c.x64, c.Threads)
	*cy, okY = newColumn(y, &c.y32, &c.y64, c.Threads)
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

// RankColumn sets dst[i] to the dense rank of x[i]: the number of different values
// that are less. It reports false when x holds a NaN. The ranks are keys as good as the values
// to [CountTau], and exact.
func RankColumn[X Real](c *TauCounter, dst []int32, x []X) (ok bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("RankColumn: lengths of dst and x", len(dst), len(x)))
	}
	col, ok := newColumn(x, &c.x32, &c.x64, c.Threads)
	if ok {
		c.rank(&col, &dst)
	}
	return ok
}

// A column gives the keys of its values.
type column struct {
	kind       columnKind
	exact      bool // different values have different keys
	f64        []float64
	f32        []float32
	k32        []int32
	mid, scale float64
}

type columnKind uint8

const (
	ready    columnKind = iota // k32 holds the keys
	float32s                   // floatKey of f32
	float64s                   // floatKey of f64, rounded to float32
	linear                     // (f64 − mid)·scale
)

// newColumn looks at the values; it reports false for a NaN. The buffers are for columns of
// types that are made float64 or keys first.
func newColumn[T Real](v []T, k32 *[]int32, f64 *[]float64, threads int) (c column, ok bool) {
	switch v := any(v).(type) {
	case []float64:
		return float64Column(v, threads)
	case []float32:
		return column{kind: float32s, exact: true, f32: v}, !hasNaN32(v)
	case []int32:
		return column{kind: ready, exact: true, k32: v}, true
	}
	if T(1)/2 != 0 {
		*f64 = grow(*f64, len(v))
		for i := range v {
			(*f64)[i] = float64(v[i])
		}
		return float64Column(*f64, threads)
	}
	*k32 = grow(*k32, len(v))
	integerKeys(*k32, v)
	return column{kind: ready, exact: true, k32: *k32}, true
}

func hasNaN32(v []float32) bool {
	for _, f := range v {
		if f != f {
			return true
		}
	}
	return false
}

// concentration is how many times as many pairs of a sample may share a sixty-fourth of the range of a column
// as would if its values were uniform, before float32, which follow the magnitude, spread it better.
const concentration = 8

// scan scans a column with the given number of goroutines.
func scan(v []float64, threads int) order.Scan {
	if threads <= 1 || len(v) <= parallelLen {
		return order.ScanF64(v)
	}
	m := part(threads/2, threads, len(v))
	var left order.Scan
	var half sync.WaitGroup
	half.Go(func() { left = scan(v[:m], threads/2) })
	right := scan(v[m:], threads-threads/2)
	half.Wait()
	return left.And(right)
}

func float64Column(v []float64, threads int) (c column, ok bool) {
	s := scan(v, threads)
	lo, hi := s.Min, s.Max
	span := hi - lo
	c.f64 = v
	switch {
	case s.NaN:
		return c, false
	case s.Integer && span < 1<<31 && math.Abs(lo) < 1<<52 && math.Abs(hi) < 1<<52:
		c.kind, c.exact, c.mid, c.scale = linear, true, lo, 1
	case s.Float32 || span > math.MaxFloat64:
		c.kind, c.exact = float64s, s.Float32
	default:
		c.kind, c.mid = linear, lo+float64(span/2)
		c.scale = (1<<31 - 1<<10) / max(hi-c.mid, c.mid-lo)
		if math.IsInf(c.scale, 0) || len(v) > 1<<12 && c.crowded() {
			c.kind = float64s
		}
	}
	return c, true
}

// crowded tells whether a few linear keys have most of the values, by a sample.
func (c *column) crowded() bool {
	const n = 64
	var bins [64]int
	pairs := 0
	step := len(c.f64) / n
	for i := range n {
		k := int32((c.f64[i*step] - c.mid) * c.scale)
		b := &bins[uint32(k)>>26^32]
		pairs += *b
		*b++
	}
	return pairs > concentration*n/2
}

// integerKeys sets dst to keys of integers: their distance from the least, or their ranks
// if that needs more than 32 bits.
func integerKeys[T Real](dst []int32, v []T) {
	var zero T
	signed := zero-1 < zero
	unsigned := func(v T) uint64 {
		if signed {
			return uint64(int64(v)) ^ 1<<63
		}
		return uint64(v)
	}
	lo, hi := uint64(math.MaxUint64), uint64(0)
	for _, t := range v {
		u := unsigned(t)
		lo, hi = min(lo, u), max(hi, u)
	}
	if hi-lo <= math.MaxUint32 || len(v) == 0 {
		for i, t := range v {
			dst[i] = int32(uint32(unsigned(t)-lo) ^ 1<<31)
		}
		return
	}
	index := make([]int32, len(v))
	for i := range index {
		index[i] = int32(i)
	}
	slices.SortFunc(index, func(i, j int32) int { return int(order.Compare(v[i], v[j])) })
	rank := int32(0)
	for i, j := range index {
		if i > 0 && v[j] != v[index[i-1]] {
			rank++
		}
		dst[j] = rank
	}
}

func (c *column) len() int { return max(len(c.f64), len(c.f32), len(c.k32)) }

// fill returns the keys of the values from lo to hi, in buf unless there is no need.
func (c *column) fill(buf []int32, lo, hi int) []int32 {
	buf = buf[:min(len(buf), hi-lo)]
	switch c.kind {
	case ready:
		return c.k32[lo:hi]
	case float32s:
		order.FloatKeysF32(buf, c.f32[lo:hi])
	case float64s:
		order.FloatKeysF64(buf, c.f64[lo:hi])
	case linear:
		order.LinearKeysF64(buf, c.f64[lo:hi], c.mid, c.scale)
	}
	return buf
}

// monotone reports whether the first n values ascend, or descend, strictly.
func (c *column) monotone(n int, down bool) bool {
	return monotone(c.f64, n, down) && monotone(c.f32, n, down) && monotone(c.k32, n, down)
}

func monotone[T cmp.Ordered](v []T, n int, down bool) bool {
	for i := 1; i < min(n, len(v)); i++ {
		if a, b := v[i-1], v[i]; a == b || (a > b) != down {
			return false
		}
	}
	return true
}

// sample returns how the keys of some values lie: how many of their pairs are
// equal, and whether they ascend or descend.
func (c *column) sample(t *tauTask) (equal int, sorted bool) {
	const n = 12
	s := t.kx[:n]
	for i := range s {
		j := part(i, n-1, c.len()-1)
		s[i] = c.fill(s[i:i+1], j, j+1)[0]
		for _, k := range s[:i] {
			if k == s[i] {
				equal++
			}
		}
	}
	return equal, monotone(s, n, s[0] > s[1])
}

// directLen is the length up to which comparing all pairs is faster.
const directLen = 32

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
		return make([]T, n)
	}
	return s[:n]
}

// parallelLen is the length of a column that is worth another goroutine.
const parallelLen = 1 << 15

// count counts by keys; it reports false if too many values of an inexact column
// share keys.
func (c *TauCounter) count(x, y *column) (counts PairCounts, ok bool) {
	n := x.len()
	threads := max(1, min(c.Threads, n/parallelLen))
	// What is sorted first better be sorted already, or else have no ties: then
	// partitions of the other end soon.
	if n < 1<<11 {
		return c.countOrdered(x, y, n, 1) // the difference is small
	}
	t := c.useTasks(1)[0]
	equalX, sortedX := x.sample(t)
	equalY, sortedY := y.sample(t)
	if sortedY && !sortedX || sortedX == sortedY && equalX > equalY {
		counts, ok = c.countOrdered(y, x, n, threads)
		counts.X, counts.Y = counts.Y, counts.X
		return counts, ok
	}
	return c.countOrdered(x, y, n, threads)
}

func (c *TauCounter) countOrdered(x, y *column, n, threads int) (counts PairCounts, ok bool) {
	c.y, c.free = grow(c.y, n), grow(c.free, n)
	tasks := c.useTasks(threads)
	for _, t := range tasks {
		t.start(!x.exact, !y.exact)
	}
	if !c.takeSorted(tasks[0], x, y) {
		c.sort(tasks, x, y)
	}
	c.countPart(tasks, c.y, c.free, math.MinInt32, math.MaxInt32)
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

// takeSorted fills c.y from columns in which x ascends or descends, where there is nothing to
// sort. It reports false for others.
func (c *TauCounter) takeSorted(t *tauTask, x, y *column) bool {
	n := len(c.y)
	down := x.monotone(8, true)
	if !down && !x.monotone(8, false) {
		return false
	}
	last := int64(math.MinInt64)
	for i := 0; i < n; i += stageLen {
		to := c.y[i:min(i+stageLen, n)]
		lo, hi := i, i+len(to)
		if down {
			lo, hi = n-hi, n-lo
		}
		keys := append(t.kx[:0], x.fill(t.kx[:], lo, hi)...)
		copy(to, y.fill(t.ky[:], lo, hi))
		if down {
			slices.Reverse(keys)
			slices.Reverse(to)
		}
		for _, k := range keys {
			if int64(k) <= last {
				return false
			}
			last = int64(k)
		}
	}
	t.ties.Distinct = int64(n)
	return true
}

// rank makes the keys of a column its dense ranks, in buf.
func (c *TauCounter) rank(col *column, buf *[]int32) {
	n := col.len()
	c.a, c.b, c.sorted = grow(c.a, n), grow(c.b, n), grow(c.sorted, n)
	t := c.useTasks(1)[0]
	for lo := 0; lo < n; lo += stageLen {
		hi := min(lo+stageLen, n)
		for i, k := range col.fill(t.kx[:], lo, hi) {
			c.a[lo+i] = int64(k)<<32 | int64(lo+i)
		}
	}
	t.start(false, false)
	t.sorted = c.sorted
	t.sort(c.a, c.b, math.MinInt64, math.MaxInt64, depth(n))
	t.flush()
	t.sorted = nil
	*buf = grow(*buf, n)
	ranks := *buf
	rank := int32(-1)
	for i := 0; i < n; {
		j := i + 1
		for j < n && c.sorted[j]>>32 == c.sorted[i]>>32 {
			j++
		}
		run := c.sorted[i:j]
		rank++
		if len(run) > 1 && !col.exact {
			slices.SortFunc(run, func(a, b int64) int {
				return int(order.Compare(col.f64[uint32(a)], col.f64[uint32(b)]))
			})
		}
		for k, key := range run {
			if k > 0 && !col.exact && col.f64[uint32(key)] != col.f64[uint32(run[k-1])] {
				rank++
			}
			ranks[uint32(key)] = rank
		}
		i = j
	}
	*col = column{kind: ready, exact: true, k32: ranks}
}

// depth is the bound on the partitions above a leaf. Halving n takes log₂ n of
// them, and a value with many ties two.
func depth(n int) int { return 3*bits.Len(uint(n)) + 8 }

// sort sorts the keys of the columns into y of the tasks.
func (c *TauCounter) sort(tasks []*tauTask, x, y *column) {
	n := len(c.y)
	c.a, c.b = grow(c.a, n), grow(c.b, n)
	if t := tasks[0]; len(tasks) == 1 && n > stageLen {
		// The first partition takes the keys while they are in the first cache.
		p := c.samplePivot(x, y)
		lo, hi := 0, 0
		for i := 0; i < n; i += stageLen {
			keys := t.stage[:min(stageLen, n-i)]
			t.pack(keys, x, y, i)
			m := order.PartitionI64(c.a[lo:], c.b[hi:], keys, p)
			lo, hi = lo+m, hi+len(keys)-m
		}
		t.y = c.y
		t.sort(c.a[:lo], c.b[hi:], math.MinInt64, p-1, depth(n))
		t.sort(c.b[:hi], c.a[lo:], p, math.MaxInt64, depth(n))
		t.finish()
		return
	}
	pack(tasks, c.a, x, y)
	c.sortPart(tasks, c.a, c.b, c.y, math.MinInt64, math.MaxInt64)
}

// samplePivot returns a key near the median.
func (c *TauCounter) samplePivot(x, y *column) int64 {
	t := c.tasks[0]
	keys := t.stage[:81]
	for i := range keys {
		t.pack(keys[i:i+1], x, y, part(2*i+1, 2*len(keys), len(c.y)))
	}
	slices.Sort(keys)
	return max(keys[len(keys)/2], math.MinInt64+1)
}

// startOfX returns the least key with the x of p: no run of x crosses a
// partition there.
func startOfX(p int64) int64 { return p &^ math.MaxUint32 }

// sortPart sorts a into y with the given tasks.
func (c *TauCounter) sortPart(tasks []*tauTask, a, free []int64, y []int32, lo, hi int64) {
	if len(tasks) > 1 && len(a) > parallelLen {
		if p := startOfX(pivot(a)); p > lo {
			n := order.PartitionI64(a, free, a, p)
			m := len(a) - n
			c.sortBoth(tasks, n, a[:n], free[m:], free[:m], a[n:], y, lo, p, hi)
			return
		}
	}
	t := tasks[0]
	t.y = y
	t.sort(a, free, lo, hi, depth(len(a)))
	t.finish()
}

// sortBoth shares the tasks between the n keys below p and those from there, by
// their numbers.
func (c *TauCounter) sortBoth(tasks []*tauTask, n int, left, freeLeft, right, freeRight []int64, y []int32, lo, p, hi int64) {
	k := share(len(tasks), n, len(y))
	var left1 sync.WaitGroup
	left1.Go(func() { c.sortPart(tasks[:k], left, freeLeft, y[:n], lo, p-1) })
	c.sortPart(tasks[k:], right, freeRight, y[n:], p, hi)
	left1.Wait()
}

// share returns how many of the tasks, at least one and not all, go to n of all elements.
func share(tasks, n, all int) int {
	return max(1, min(tasks-1, part(n, all, tasks)))
}

// part returns where part i of n begins, of the given number of parts.
func part(i, parts, n int) int { return int(int64(i) * int64(n) / int64(parts)) }

// countPart counts the inversions of a with the given tasks.
func (c *TauCounter) countPart(tasks []*tauTask, a, free []int32, lo, hi int32) {
	t := tasks[0]
	if len(tasks) > 1 && len(a) > parallelLen {
		if p := pivot(a); p > lo {
			n, positions := order.PartitionCountI32(a, free, a, p)
			t.discordant += positions - int64(n)*int64(n-1)/2
			m := len(a) - n
			k := share(len(tasks), n, len(a))
			var left sync.WaitGroup
			left.Go(func() { c.countPart(tasks[:k], a[:n], free[m:], lo, p-1) })
			c.countPart(tasks[k:], free[:m], a[n:], p, hi)
			left.Wait()
			return
		}
	}
	t.count(a, free, lo, hi, depth(len(a)))
}

// pack sets dst to the keys of the columns.
func pack(tasks []*tauTask, dst []int64, x, y *column) {
	if len(tasks) == 1 {
		tasks[0].pack(dst, x, y, 0)
		return
	}
	var all sync.WaitGroup
	for i, t := range tasks {
		lo, hi := part(i, len(tasks), len(dst)), part(i+1, len(tasks), len(dst))
		all.Go(func() { t.pack(dst[lo:hi], x, y, lo) })
	}
	all.Wait()
}

// pack sets dst to the keys of values from first.
func (t *tauTask) pack(dst []int64, x, y *column, first int) {
	for lo := 0; lo < len(dst); lo += stageLen {
		hi := min(lo+stageLen, len(dst))
		order.PackKeys(dst[lo:hi], x.fill(t.kx[:], first+lo, first+hi), y.fill(t.ky[:], first+lo, first+hi))
	}
}

// insertionLen is the length of a leaf in plain Go: insertion sorts it, and counts.
const insertionLen = 24

// stageLen is how many sorted keys wait to be split: they fit the first cache.
const stageLen = 1024

// A tauTask sorts and counts a part of the keys.
type tauTask struct {
	leaf int // length of what is not partitioned further

	// Phase one: keys come sorted, are split into runs of x and keys of y.
	stage   [1 + stageLen]int64 // the last key of before, then those that wait
	waiting int
	y       []int32 // where the keys of y go
	sorted  []int64 // where the keys go instead, when set
	newX    [stageLen / 8]uint8
	newKey  [stageLen / 8]uint8
	started bool
	run     int64 // length of the current run of x
	runKey  int64 // length of the current run of keys
	ties    Ties  // of x
	both    Ties  // of keys
	listX   bool  // collect tiedX
	tiedX   []int32

	// Phase two: inversions and ties of y.
	discordant int64
	tiesY      Ties
	listY      bool // collect tiedY
	tiedY      []int32

	kx, ky [stageLen]int32 // chunks of keys, before they are packed

	suspects suspects // what this task has found
}

func (t *tauTask) start(listX, listY bool) {
	t.leaf = insertionLen
	if cpu.UseAVX512 || cpu.UseAVX2 || cpu.UseNEON {
		t.leaf = order.LeafLen
	}
	t.waiting, t.started, t.run, t.runKey = 0, false, 0, 0
	t.ties, t.both, t.tiesY, t.discordant = Ties{}, Ties{}, Ties{}, 0
	t.listX, t.listY = listX, listY
	t.tiedX, t.tiedY = t.tiedX[:0], t.tiedY[:0]
}

// sort emits a in order. All its keys are in [lo, hi]; free is of the same length, and both are
// overwritten.
func (t *tauTask) sort(a, free []int64, lo, hi int64, depth int) {
	for len(a) > t.leaf {
		if lo == hi {
			t.emit(a)
			return
		}
		if depth == 0 {
			MergeCount(a, free)
			t.emit(a)
			return
		}
		depth--
		p := max(pivot(a), lo+1) // the left part may be empty, or [lo, lo], but the bounds are closer
		n := order.PartitionI64(a, free, a, p)
		m := len(a) - n
		t.sort(a[:n], free[m:], lo, p-1, depth)
		a, free, lo = free[:m], a[n:], p
	}
	if t.waiting+len(a) > stageLen {
		t.flush()
	}
	order.SortI64(t.stage[1+t.waiting:1+t.waiting+len(a)], a)
	t.waiting += len(a)
}

// emit takes keys that are sorted.
func (t *tauTask) emit(a []int64) {
	for len(a) > 0 {
		if t.waiting == stageLen {
			t.flush()
		}
		n := copy(t.stage[1+t.waiting:], a)
		t.waiting += n
		a = a[n:]
	}
	if t.waiting > 0 {
		t.flush()
	}
}

// flush splits the waiting keys.
func (t *tauTask) flush() {
	n := t.waiting
	if n == 0 {
		return
	}
	t.waiting = 0
	if t.sorted != nil {
		t.sorted = t.sorted[copy(t.sorted, t.stage[1:1+n]):]
		return
	}
	if !t.started {
		t.started = true
		t.stage[0] = t.stage[1] ^ math.MinInt64 // another x
	}
	order.SplitKeys(t.y[:n], t.newX[:], t.newKey[:], t.stage[:1+n])
	t.y = t.y[n:]
	clear(t.newX[(n+7)/8:])
	clear(t.newKey[(n+7)/8:])
	tied := false
	for i := 0; i < n; i += 64 {
		m := min(64, n-i)
		newX, newKey := binary.LittleEndian.Uint64(t.newX[i/8:]), binary.LittleEndian.Uint64(t.newKey[i/8:])
		t.run = addStarts(&t.ties, t.run, newX, m)
		t.runKey = addStarts(&t.both, t.runKey, newKey, m)
		tied = tied || bits.OnesCount64(newX) < m
	}
	if t.listX && tied {
		t.listTies(n)
	}
	t.stage[0] = t.stage[n]
}

// listTies adds the x that the n keys of the stage have more than once.
func (t *tauTask) listTies(n int) {
	for i := 0; i < n; i += 8 {
		tied := ^t.newX[i/8]
		if n-i < 8 {
			tied &= 1<<(n-i) - 1
		}
		for ; tied != 0; tied &= tied - 1 {
			k := int32(t.stage[1+i+bits.TrailingZeros8(tied)] >> 32)
			if m := len(t.tiedX); m == 0 || t.tiedX[m-1] != k {
				t.tiedX = append(t.tiedX, k)
			}
		}
	}
}

// finish splits what waits and ends the last runs.
func (t *tauTask) finish() {
	t.flush()
	t.ties.AddRun(t.run)
	t.both.AddRun(t.runKey)
}

// addStarts goes over n more sorted values, a bit of starts for each that differs from
// the one before. run is the length of the current run, before and after.
func addStarts(t *Ties, run int64, starts uint64, n int) int64 {
	if bits.OnesCount64(starts) == n {
		t.AddRun(run)
		t.Distinct += int64(n - 1)
		return 1
	}
	last := 0
	for ; starts != 0; starts &= starts - 1 {
		i := bits.TrailingZeros64(starts)
		t.AddRun(run + int64(i-last))
		run, last = 0, i
	}
	return run + int64(n-last)
}

// count counts the inversions of a and its ties. All keys are in [lo, hi]; free is of the same
// length, and both are overwritten.
func (t *tauTask) count(a, free []int32, lo, hi int32, depth int) {
	for len(a) > t.leaf {
		if lo == hi {
			t.tiesY.AddRun(int64(len(a)))
			if t.listY {
				t.tiedY = append(t.tiedY, lo)
			}
			return
		}
		if depth == 0 {
			t.discordant += MergeCount(a, free)
			t.addRunsY(a)
			return
		}
		if n := int64(len(a)); n > 1<<10 {
			if down := a[0] > a[1]; monotone(a, len(a), down) {
				if down {
					t.discordant += n * (n - 1) / 2
				}
				t.tiesY.Distinct += n
				return
			}
		}
		depth--
		p := max(pivot(a), lo+1)
		n, positions := order.PartitionCountI32(a, free, a, p)
		t.discordant += positions - int64(n)*int64(n-1)/2
		m := len(a) - n
		t.count(a[:n], free[m:], lo, p-1, depth)
		a, free, lo = free[:m], a[n:], p
	}
	if t.leaf == insertionLen {
		t.discordant += order.InsertionCount(a)
		t.addRunsY(a)
		return
	}
	inversions, equal := order.InversionsI32(a)
	t.discordant += inversions
	if equal == 0 {
		t.tiesY.Distinct += int64(len(a))
		return
	}
	order.InsertionCount(a)
	t.addRunsY(a)
}

// addRunsY adds the runs of sorted keys.
func (t *tauTask) addRunsY(sorted []int32) {
	start := 0
	for i := 1; i <= len(sorted); i++ {
		if i == len(sorted) || sorted[i] != sorted[start] {
			t.tiesY.AddRun(int64(i - start))
			if t.listY && i-start > 1 {
				t.tiedY = append(t.tiedY, sorted[start])
			}
			start = i
		}
	}
}

// pivot returns an element near the median: of three for short a, else the median of
// medians of such thirds (Tukey's ninther), to four levels.
func pivot[T int32 | int64](a []T) T {
	switch n := len(a); {
	case n < 128:
		return median3(a[n/4], a[n/2], a[n-1-n/4])
	case n < 1<<11:
		return ninther(a)
	case n < 1<<15:
		return thirds(a, ninther)
	}
	return thirds(a, func(a []T) T { return thirds(a, func(a []T) T { return thirds(a, ninther) }) })
}

func thirds[T int32 | int64](a []T, median func([]T) T) T {
	n := len(a) / 3
	return median3(median(a[:n]), median(a[n:2*n]), median(a[2*n:]))
}

func ninther[T int32 | int64](a []T) T {
	s := len(a) / 9
	return median3(
		median3(a[s/2], a[s/2+s], a[s/2+2*s]),
		median3(a[s/2+3*s], a[s/2+4*s], a[s/2+5*s]),
		median3(a[s/2+6*s], a[s/2+7*s], a[s/2+8*s]))
}

func median3[T int32 | int64](a, b, c T) T {
	return max(min(a, b), min(max(a, b), c))
}

// A resolver corrects the counts for values of a column that are different and share
// a key.
type resolver struct {
	tied     []int32  // keys of more than one value
	filter   []uint64 // a bit for the last bits of each: small, for the first cache
	second   []uint64 // a bit for a hash of each, for what passes the first
	suspects suspects
	table    []firstOf
}

// Suspects are values that share a key with another, or seem to: their keys and
// indices, packed, as long as these are few.
type suspects struct {
	found []int64
	limit int
	many  bool
}

func (s *suspects) reset(limit int) { s.found, s.limit, s.many = s.found[:0], limit, false }

func (s *suspects) add(key int32, index int) {
	if len(s.found) == s.limit {
		s.many = true
		return
	}
	s.found = append(s.found, int64(key)<<32|int64(index))
}

// A firstOf is a tied key with the first of its values.
type firstOf struct {
	key   int32
	used  bool
	seen  bool
	mixed bool // there is another value
	value float64
}

// resolve corrects counts by the tied keys that tasks have listed. It reports false when that
// would take longer than ranking the columns.
func (r *resolver) resolve(counts *PairCounts, x, y *column, tasks []*tauTask) bool {
	r.tied = r.tied[:0]
	for _, t := range tasks {
		r.tied = append(r.tied, t.tiedX...)
	}
	if !r.find(x, tasks) || !r.correct(counts, &counts.X, x, y, x) {
		return false
	}
	r.tied = r.tied[:0]
	for _, t := range tasks {
		r.tied = append(r.tied, t.tiedY...)
	}
	return r.find(y, tasks) && r.correct(counts, &counts.Y, x, y, y)
}

// find sets r.suspects to the values of a column whose keys are tied. The filters have 64 bits or
// more a tied key, so that few others pass. It reports false when there are too
// many.
func (r *resolver) find(col *column, tasks []*tauTask) bool {
	n := col.len()
	r.suspects.reset(64 + n/8)
	if len(r.tied) == 0 {
		return true
	}
	size := 1 << min(18, max(bits.Len(uint(len(r.tied))), min(9, bits.Len(uint(n/16))))) // words
	r.filter, r.second = grow(r.filter, size), grow(r.second, size)
	clear(r.filter)
	clear(r.second)
	for _, k := range r.tied {
		r.filter[int(uint32(k)>>6)&(size-1)] |= 1 << (k & 63)
		h := hash(k)
		r.second[int(h>>6)&(size-1)] |= 1 << (h & 63)
	}
	if len(tasks) == 1 {
		r.findPart(&r.suspects, tasks[0], col, 0, n)
	} else {
		var all sync.WaitGroup
		for i, t := range tasks {
			lo, hi := part(i, len(tasks), n), part(i+1, len(tasks), n)
			t.suspects.reset(r.suspects.limit)
			all.Go(func() { r.findPart(&t.suspects, t, col, lo, hi) })
		}
		all.Wait()
		for _, t := range tasks {
			r.suspects.found = append(r.suspects.found, t.suspects.found...)
			r.suspects.many = r.suspects.many || t.suspects.many
		}
	}
	return !r.suspects.many || r.findMixed(col, tasks[0])
}

// hash is Knuth's multiplicative hash, whose first bits depend on all of the key.
func hash(key int32) uint32 {
	h := uint32(key) * 0x9e3779b1
	return h ^ h>>16
}

// findPart adds the suspects among the values from lo to hi.
func (r *resolver) findPart(s *suspects, t *tauTask, col *column, lo, hi int) {
	filter, second := r.filter, r.second
	for ; lo < hi && !s.many; lo += stageLen {
		for i, k := range col.fill(t.kx[:], lo, min(lo+stageLen, hi)) {
			if filter[int(uint32(k)>>6)&(len(filter)-1)]&(1<<(k&63)) != 0 {
				if h := hash(k); second[int(h>>6)&(len(second)-1)]&(1<<(h&63)) != 0 {
					s.add(k, lo+i)
				}
			}
		}
	}
}

// findMixed is find for many ties, most of which are of equal values: it leaves out the keys
// that have one value only.
func (r *resolver) findMixed(col *column, t *tauTask) bool {
	n, size := col.len(), bits.Len(uint(len(r.tied)))+1
	r.table = grow(r.table, 1<<size)
	clear(r.table)
	at := func(k int32) *firstOf {
		h := hash(k) >> (32 - size)
		for r.table[h].used && r.table[h].key != k {
			h = (h + 1) & uint32(len(r.table)-1)
		}
		return &r.table[h]
	}
	for _, k := range r.tied {
		f := at(k)
		f.key, f.used = k, true
	}
	mixed := false
	for lo := 0; lo < n; lo += stageLen {
		for i, k := range col.fill(t.kx[:], lo, min(lo+stageLen, n)) {
			switch f, v := at(k), col.f64[lo+i]; {
			case !f.used:
			case !f.seen:
				f.seen, f.value = true, v
			case f.value != v:
				f.mixed, mixed = true, true
			}
		}
	}
	r.suspects.reset(64 + n/4)
	for lo := 0; lo < n && mixed; lo += stageLen {
		for i, k := range col.fill(t.kx[:], lo, min(lo+stageLen, n)) {
			if at(k).mixed {
				r.suspects.add(k, lo+i)
			}
		}
	}
	return !r.suspects.many
}

// correct goes over the pairs of suspects that share a key of col, which is x or y.
func (r *resolver) correct(counts *PairCounts, ties *Ties, x, y, col *column) bool {
	found := r.suspects.found
	slices.Sort(found)
	value := func(key int64) float64 { return col.f64[uint32(key)] }
	work := int64(0)
	for i, j := 0, 0; i < len(found); i = j {
		for j = i + 1; j < len(found) && found[j]>>32 == found[i]>>32; j++ {
		}
		group := found[i:j]
		if len(group) == 1 {
			continue
		}
		slices.SortFunc(group, func(a, b int64) int { return int(order.Compare(value(a), value(b))) })
		if value(group[0]) == value(group[len(group)-1]) {
			continue
		}
		n := int64(len(group))
		if work += n * n; work > 16*int64(col.len())+1<<16 {
			return false
		}
		// Not one run but those of the different values.
		ties.Distinct--
		ties.Pairs -= n * (n - 1) / 2
		ties.Triples.sub(triples(n))
		start := 0
		for k := 1; k <= len(group); k++ {
			if k == len(group) || value(group[k]) != value(group[start]) {
				ties.AddRun(int64(k - start))
				start = k
			}
		}
		for k, a := range group {
			for _, b := range group[:k] {
				if value(a) != value(b) {
					counts.correctPair(x, y, int(uint32(a)), int(uint32(b)), col == x)
				}
			}
		}
	}
	return true
}

// correctPair corrects the counts of pairs for the values i and j, which differ in the
// column that they share a key of.
func (c *PairCounts) correctPair(x, y *column, i, j int, byX bool) {
	keyX, realX := x.compare(i, j)
	keyY, realY := y.compare(i, j)
	if !byX && keyX != realX {
		return // corrected with those of x
	}
	if keyX == 0 && keyY == 0 {
		c.TiedBoth--
	}
	if realX*realY < 0 {
		c.Discordant++
	}
}

// compare compares two values by their keys, and themselves.
func (c *column) compare(i, j int) (byKey, real int64) {
	var k [2]int32
	byKey = order.Compare(c.fill(k[:1], i, i+1)[0], c.fill(k[1:], j, j+1)[0])
	if c.exact {
		return byKey, byKey
	}
	return byKey, order.Compare(c.f64[i], c.f64[j])
}

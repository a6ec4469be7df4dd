package kernels

import (
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
)

// MergeCount sorts a in ascending order and returns the number of inversions it
// had: pairs i < j with a[i] > a[j] (Knight 1966). It is stable, takes O(n log n) operations on any
// input and is exact: 2³¹ elements have fewer than 2⁶¹ pairs. tmp is scratch of at
// least the same length. a must hold no NaN: the order and the number would be unspecified.
//
// It panics when tmp is shorter than a, and when the two overlap.
func MergeCount[T cmp.Ordered](a, tmp []T) int64 {
	if len(tmp) < len(a) {
		panic(kern.Lengths("kernels: MergeCount: len(tmp) is less than len(a)", len(tmp), len(a)))
	}
	tmp = tmp[:len(a)]
	if kern.Overlaps(a, tmp) {
		panic(kern.OverlapError("kernels: MergeCount: tmp overlaps a"))
	}
	return mergeCount(a, tmp)
}

// mergeCount is the top-down merge sort of Knight (1966): each element
// taken from the right half jumps over all that are left of the left half.
func mergeCount[T cmp.Ordered](a, tmp []T) int64 {
	if len(a) <= mergeRun {
		return order.InsertionCount(a)
	}
	m := len(a) / 2
	inv := mergeCount(a[:m], tmp[:m]) + mergeCount(a[m:], tmp[m:])
	if a[m-1] <= a[m] {
		return inv
	}
	left := tmp[:m]
	copy(left, a[:m])
	i, j, k := 0, m, 0
	for i < m && j < len(a) {
		if a[j] < left[i] {
			a[k] = a[j]
			j++
			inv += int64(m - i)
		} else {
			a[k] = left[i]
			i++
		}
		k++
	}
	copy(a[k:], left[i:])
	return inv
}

// ArgsortWork is the workspace of [ArgsortF64], 16 bytes per value. The zero value is ready for
// use; it grows to the longest slice that it meets, after which sorting allocates nothing. It is
// not safe for concurrent use.
type ArgsortWork struct {
	keys, tmp []int64

	x      []float64
	column column
	hasNaN bool

	grid   grid[int64] // to sort in parts
	free   []int64
	starts []int // of the parts
}

// ArgsortF64 sets dst to the indices of x in ascending order of their values: dst[r] is the index
// of the value that has rank r. Equal values stand in ascending order of their indices. −0 equals
// +0; NaNs come last and equal each other. It takes O(n log n) operations on any input. dst may
// overlap x.
//
// It panics when the lengths differ, when x has more than 2³¹−1 elements, and when work is nil.
func ArgsortF64(dst []int32, x []float64, work *ArgsortWork) {
	switch {
	case len(dst) != len(x):
		panic(kern.Lengths("kernels: ArgsortF64: len(dst) and len(x) differ", len(dst), len(x)))
	case len(x) > math.MaxInt32:
		panic(kern.Lengths("kernels: ArgsortF64: len(x) is more than an index can be", len(x), math.MaxInt32))
	case work == nil:
		panic(kern.NilError("kernels: ArgsortF64: work"))
	}
	for r, k := range work.sort(x, nil, nil) {
		dst[r] = int32(order.KeyIndex(k))
	}
}

// sort returns keys in the order of the values, whose order.KeyIndex are their indices, with the
// help of a team, nil for none, which calls beside, too.
func (w *ArgsortWork) sort(x []float64, team *parallel.Team, beside func()) []int64 {
	n := len(x)
	w.keys, w.tmp, w.x = grow(w.keys, n), grow(w.tmp, n), x
	var ok bool
	if w.column, ok = float64Column(x, 1); !ok {
		w.column = column{kind: float64s, f64: x}
	}
	w.hasNaN = !ok
	if team == nil || n < argsortPart || slices.IsSorted(x) {
		if beside != nil {
			beside()
		}
		w.fill(0, n)
		order.SortKeys(w.keys, w.tmp)
		w.resolve(w.keys)
	} else {
		w.sortParts(team, beside)
	}
	w.x, w.column = nil, column{} // keep nothing of the caller's
	return w.keys
}

// fill makes the keys of the values from … to−1. Values of one key are in the order of the indices.
func (w *ArgsortWork) fill(from, to int) {
	var buf [chunkLen]int32
	for lo := from; lo < to; lo += chunkLen {
		for i, k := range w.column.fill(buf[:], lo, min(lo+chunkLen, to)) {
			if w.hasNaN && w.x[lo+i] != w.x[lo+i] {
				k = math.MaxInt32
			}
			w.keys[lo+i] = int64(k)<<32 | int64(lo+i)
		}
	}
}

// resolve puts sorted keys of different values that agree in order, which stand next to each other.
func (w *ArgsortWork) resolve(keys []int64) {
	if w.column.exact {
		return
	}
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && order.KeyTied(keys[to], keys[from]) {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(keys[from:to], func(a, b int64) int {
				x, y := w.x[order.KeyIndex(a)], w.x[order.KeyIndex(b)]
				return cmp.Or(cmp.Compare(ascendingKey(x), ascendingKey(y)), cmp.Compare(a, b))
			})
		}
		from = to
	}
}

// sortParts makes the keys and sorts them in parts, as Kendall's tau does.
func (w *ArgsortWork) sortParts(team *parallel.Team, beside func()) {
	n, g := len(w.keys), &w.grid
	length := max(argsortPart, n/gridMost) // for the grid grows with the square of the blocks
	blocks := (n + length - 1) / length
	g.keys, w.free = w.keys, grow(w.free, n)
	sample := w.tmp[:argsortSample*blocks]
	for i := range sample {
		at := part(i, len(sample), n)
		w.fill(at, at+1)
		sample[i] = w.keys[at]
	}
	g.split(sample, blocks, 1<<32, math.MinInt64, math.MaxInt64)
	g.begin(blocks, func(b int) int { return min(length, n-b*length) })
	team.Run(1+blocks, func(b int) {
		if b == 0 {
			beside()
			return
		}
		b--
		start, end := g.block(b)
		w.fill(start, end)
		g.cut(b, w.tmp[start:end], w.free[start:end], partitionI64)
	})
	w.starts = append(w.starts[:0], 0)
	for p := range g.starts {
		w.starts = append(w.starts, w.starts[p]+g.size(p))
	}
	team.Run(len(g.starts), func(p int) {
		keys, n := w.tmp[w.starts[p]:w.starts[p+1]], 0
		for k := p; k+1 < len(g.at); k += len(g.starts) {
			n += copy(keys[n:], g.keys[g.at[k]:g.at[k+1]])
		}
		order.SortKeys(keys, w.free[w.starts[p]:w.starts[p+1]])
		if !g.oneRun(p) {
			w.resolve(keys)
		}
	})
	w.keys, w.tmp = w.tmp, w.keys
	for p := range g.starts {
		if g.oneRun(p) {
			w.resolve(w.keys)
			return
		}
	}
}

// oneRun reports whether a part has keys of one run alone, as its neighbors may.
func (g *grid[K]) oneRun(p int) bool {
	lo, hi := g.bounds(p)
	return int64(lo)>>32 == int64(hi)>>32
}

// ascendingKey maps floats to integers in the same order. Both zeros have one key, and so have all
// NaNs, whose bits Go leaves to the hardware: the greatest.
func ascendingKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

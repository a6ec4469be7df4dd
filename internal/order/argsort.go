package order

import (
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
)

// An ArgsortWork sorts the indices of values in ascending order of the values. It keeps its memory,
// 16 bytes per value, for the next call. The zero value is ready for use. It is not safe for
// concurrent use.
type ArgsortWork struct {
	keys, tmp []int64

	x      []float64
	column column
	hasNaN bool

	grid   grid[int64] // grid for sorting in parts
	free   []int64
	starts []int // start of each part
}

// Sort returns keys in the order of the values: [KeyIndex] of a key is the index of its value, and
// equal values are sorted by index. −0 equals +0. NaNs come last and are equal to each other. If
// team is not nil, it shares the work and also calls beside. The keys are valid until the next
// call.
func (w *ArgsortWork) Sort(x []float64, team *parallel.Team, beside func()) []int64 {
	n := len(x)
	w.keys, w.tmp, w.x = memory.Grow(w.keys, n), memory.Grow(w.tmp, n), x
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
		SortKeys(w.keys, w.tmp)
		w.resolve(w.keys)
	} else {
		w.sortParts(team, beside)
	}
	w.x, w.column = nil, column{} // do not keep the caller's memory alive
	return w.keys
}

// fill computes the keys of the values from … to−1. Values with the same key are ordered by index.
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

// resolve corrects the order of sorted keys that are equal although their values differ. Such keys
// are adjacent.
func (w *ArgsortWork) resolve(keys []int64) {
	if w.column.exact {
		return
	}
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && KeyTied(keys[to], keys[from]) {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(keys[from:to], func(a, b int64) int {
				x, y := w.x[KeyIndex(a)], w.x[KeyIndex(b)]
				return cmp.Or(cmp.Compare(ascendingKey(x), ascendingKey(y)), cmp.Compare(a, b))
			})
		}
		from = to
	}
}

// sortParts computes the keys and sorts them in parts, as for Kendall's tau.
func (w *ArgsortWork) sortParts(team *parallel.Team, beside func()) {
	n, g := len(w.keys), &w.grid
	length := max(argsortPart, n/gridMost) // limit the number of blocks, because the grid grows with its square
	blocks := (n + length - 1) / length
	g.keys, w.free = w.keys, memory.Grow(w.free, n)
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
		g.cut(b, w.tmp[start:end], w.free[start:end], partitionKeys)
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
		SortKeys(keys, w.free[w.starts[p]:w.starts[p+1]])
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

// oneRun reports whether part p contains keys of only one run. Its neighbors may contain keys of
// the same run.
func (g *grid[K]) oneRun(p int) bool {
	lo, hi := g.bounds(p)
	return int64(lo)>>32 == int64(hi)>>32
}

// ascendingKey maps floats to integers in the same order. Both zeros have the same key. All NaNs
// also have the same key, the largest one, because their bits depend on the hardware.
func ascendingKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

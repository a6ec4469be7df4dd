package order

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/memory"
)

// A column maps its values to keys.
type column struct {
	kind       columnKind
	exact      bool // whether different values always have different keys
	f64        []float64
	f32        []float32
	k32        []int32
	mid, scale float64
}

type columnKind uint8

const (
	ready    columnKind = iota // k32 contains the keys
	float32s                   // keys are [FloatKeysF32] of f32
	float64s                   // keys are [FloatKeysF64] of f64
	linear                     // keys are (f64 − mid)·scale
)

// newColumn returns the column of the given values. It returns false if a value is NaN. It uses the
// buffers for types that must first be converted to float64 or to keys.
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
		*f64 = memory.Grow(*f64, len(v))
		for i := range v {
			(*f64)[i] = float64(v[i])
		}
		return float64Column(*f64, threads)
	}
	*k32 = memory.Grow(*k32, len(v))
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

// scan scans a column with up to the given number of goroutines.
func scan(v []float64, threads int) Scan {
	if threads <= 1 || len(v) <= parallelLen {
		return ScanF64(v)
	}
	m := part(threads/2, threads, len(v))
	var left Scan
	var half sync.WaitGroup
	half.Go(func() { left = scan(v[:m], threads/2) })
	right := scan(v[m:], threads-threads/2)
	half.Wait()
	return left.and(right)
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

// crowded reports whether a few linear keys have most of the values. It uses a sample.
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

// integerKeys sets dst to keys of integers. A key is the difference to the minimum, or a rank if
// the differences need more than 32 bits.
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
	slices.SortFunc(index, func(i, j int32) int { return int(compare(v[i], v[j])) })
	rank := int32(0)
	for i, j := range index {
		if i > 0 && v[j] != v[index[i-1]] {
			rank++
		}
		dst[j] = rank
	}
}

func (c *column) len() int { return max(len(c.f64), len(c.f32), len(c.k32)) }

// fill returns the keys of the values from lo to hi. It stores them in buf if necessary.
func (c *column) fill(buf []int32, lo, hi int) []int32 {
	buf = buf[:min(len(buf), hi-lo)]
	switch c.kind {
	case ready:
		return c.k32[lo:hi]
	case float32s:
		FloatKeysF32(buf, c.f32[lo:hi])
	case float64s:
		FloatKeysF64(buf, c.f64[lo:hi])
	case linear:
		LinearKeysF64(buf, c.f64[lo:hi], c.mid, c.scale)
	}
	return buf
}

// monotone reports whether the first n values strictly descend (if down is true) or ascend.
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

// sample examines a sample of the keys. It returns the number of pairs with equal keys, and whether
// the sampled keys ascend or descend.
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

// rank replaces the keys of a column by dense ranks, which it stores in buf.
func (c *TauCounter) rank(col *column, buf *[]int32) {
	n := col.len()
	c.a, c.b = memory.Grow(c.a, n), memory.Grow(c.b, n)
	t := c.useTasks(1)[0]
	for lo := 0; lo < n; lo += stageLen {
		hi := min(lo+stageLen, n)
		for i, k := range col.fill(t.kx[:], lo, hi) {
			c.a[lo+i] = int64(k)<<32 | int64(lo+i)
		}
	}
	SortKeys(c.a, c.b)
	*buf = memory.Grow(*buf, n)
	ranks := *buf
	rank := int32(-1)
	for i := 0; i < n; {
		j := i + 1
		for j < n && c.a[j]>>32 == c.a[i]>>32 {
			j++
		}
		run := c.a[i:j]
		rank++
		if len(run) > 1 && !col.exact {
			slices.SortFunc(run, func(a, b int64) int {
				return int(compare(col.f64[uint32(a)], col.f64[uint32(b)]))
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

// compare compares values i and j by their keys and by their real values.
func (c *column) compare(i, j int) (byKey, real int64) {
	var k [2]int32
	byKey = compare(c.fill(k[:1], i, i+1)[0], c.fill(k[1:], j, j+1)[0])
	if c.exact {
		return byKey, byKey
	}
	return byKey, compare(c.f64[i], c.f64[j])
}

// Package order sorts and ranks values: it ranks documents, sorts indices and counts pairs for
// Kendall's tau. Its kernels form two families. The family order scans columns, computes integer
// keys that order like the values, partitions, sorts small arrays and counts inversions. The family
// topk computes document keys, the top documents and the gains at their ranks. Kernels panic if
// their arguments are invalid, and access only memory within the slices.
//
// Documents are ranked by keys. The key of value x[i] is
//
//	descending(x[i])·2³² + i
//
// where descending is an int32 that falls as the value rises, is equal for −0 and +0, and is
// greatest for NaN. Ascending keys therefore correspond to descending values, with ties sorted by
// index and NaNs last. All keys are different. [KeyIndex] and [KeyTied] decode them.
package order

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

// These are the flags of [ScanF64].
const (
	hasNaN      = 1 << iota // a value is NaN
	hasWide                 // a value is not a float32
	hasFraction             // a value is not an integer
)

// A Scan describes the common properties of a column's values.
type Scan struct {
	Min, Max float64 // +Inf and −Inf if there are no values; unspecified if NaN is set
	NaN      bool    // some value is NaN; all other fields are unspecified
	Float32  bool    // every value is exactly representable as float32
	Integer  bool    // every value is an integer or infinite
}

// and returns the common properties of the values in two columns.
func (s Scan) and(t Scan) Scan {
	return Scan{min(s.Min, t.Min), max(s.Max, t.Max), s.NaN || t.NaN, s.Float32 && t.Float32, s.Integer && t.Integer}
}

// ScanF64 returns the properties of x.
func ScanF64(x []float64) Scan {
	lo, hi, flags := math.Inf(1), math.Inf(-1), uint64(0)
	for i := 0; i < len(x); i += kern.BlockLen {
		l, h, f := scanF64(x[i:min(i+kern.BlockLen, len(x))])
		lo, hi, flags = min(lo, l), max(hi, h), flags|f
	}
	// Adding 0 converts −0 to +0.
	return Scan{lo + 0, hi + 0, flags&hasNaN != 0, flags&hasWide == 0, flags&hasFraction == 0}
}

// LinearKeysF64 sets dst[i] to (x[i]−mid)·scale, with each operation rounded and the result
// truncated to an integer. Rounding and truncation keep the order, so different values have keys in
// the same order or equal keys. Every product must lie strictly between −2³¹ and 2³¹.
func LinearKeysF64(dst []int32, x []float64, mid, scale float64) {
	if len(dst) != len(x) {
		panic(kern.Lengths("LinearKeysF64: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	linearKeysF64(dst, x, mid, scale)
}

// FloatKeysF64 sets dst[i] to a key of the float32 nearest to x[i]. Keys order like the values, and
// differ if the float32 values differ. −0 has the key of +0. x must not contain NaN.
func FloatKeysF64(dst []int32, x []float64) {
	if len(dst) != len(x) {
		panic(kern.Lengths("FloatKeysF64: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	floatKeysF64(dst, x)
}

// FloatKeysF32 is like [FloatKeysF64] but for a float32 column, so different values have different
// keys. It reports whether x contains a NaN, whose key is unspecified.
func FloatKeysF32(dst []int32, x []float32) (nan bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("FloatKeysF32: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	return floatKeysF32(dst, x)
}

// PackKeys sets dst[i] to a number that is ordered by x[i] and, for equal x[i], by y[i]: x[i]·2³² +
// y[i] + 2³¹.
func PackKeys(dst []int64, x, y []int32) {
	if len(dst) != len(x) {
		panic(kern.Lengths("PackKeys: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	if len(x) != len(y) {
		panic(kern.Lengths("PackKeys: len(x) and len(y) differ: %d and %d", len(x), len(y)))
	}
	packKeys(dst, x, y)
}

// PartitionI64 moves the elements of src that are less than pivot to lo and all others to hi, and
// returns the number of elements in lo. Both keep their order. lo and hi must be at least as long
// as src, because whole vectors are written; the contents after the elements are unspecified. lo
// may start at the same address as src; no other overlap is allowed.
func PartitionI64(lo, hi, src []int64, pivot int64) int {
	checkPartition("PartitionI64", lo, hi, src)
	return partitionI64Long(lo, hi, src, pivot)
}

// partitionI64Long is partitionI64 for any length. lo or hi may start at the start of src, because
// kernels store only elements that they have already read.
func partitionI64Long(lo, hi, src []int64, pivot int64) (n int) {
	for i := 0; i < len(src); i += kern.BlockLen {
		n += partitionI64(lo[n:], hi[i-n:], src[i:min(i+kern.BlockLen, len(src))], pivot)
	}
	return n
}

// PartitionCountI32 is like [PartitionI64] but for int32. It also returns the sum of the positions
// in src of the n elements that are less than pivot. The number of pairs that the partition swaps
// is positions − n(n−1)/2.
func PartitionCountI32(lo, hi, src []int32, pivot int32) (n int, positions int64) {
	checkPartition("PartitionCountI32", lo, hi, src)
	return partitionCountI32Long(lo, hi, src, pivot)
}

// partitionCountI32Long is partitionCountI32 for any length.
func partitionCountI32Long(lo, hi, src []int32, pivot int32) (n int, positions int64) {
	for i := 0; i < len(src); i += kern.BlockLen {
		m, p := partitionCountI32(lo[n:], hi[i-n:], src[i:min(i+kern.BlockLen, len(src))], pivot)
		n += m
		positions += p + int64(i)*int64(m)
	}
	return n, positions
}

func checkPartition[T any](name string, lo, hi, src []T) {
	if len(lo) < len(src) {
		panic(kern.Lengths(name+": len(lo) is %d; it must be at least len(src), %d", len(lo), len(src)))
	}
	if len(hi) < len(src) {
		panic(kern.Lengths(name+": len(hi) is %d; it must be at least len(src), %d", len(hi), len(src)))
	}
	lo, hi = lo[:len(src)], hi[:len(src)]
	if kern.Overlaps(lo, hi) || kern.Overlaps(hi, src) || kern.Shifted(lo, src) {
		panic(kern.Error(name + ": lo, hi and src overlap"))
	}
}

// SpreadI64 moves keys to dst, sorted by their cells, and within a cell in their order in keys. The
// cell of a key k is ⌊(k−lo)/2^shift⌋ mod len(cells), where k−lo is treated as unsigned. It sets
// cells[i] to the end of cell i in dst. dst must have the length of keys and must not overlap any
// operand. The length of cells must be a power of two, and shift must be from 0 to 63.
func SpreadI64(dst []int64, cells []uint32, keys []int64, lo int64, shift int) {
	if len(dst) != len(keys) {
		panic(kern.Lengths("SpreadI64: len(dst) and len(keys) differ: %d and %d", len(dst), len(keys)))
	}
	if len(keys) > math.MaxInt32 {
		panic(kern.Lengths("SpreadI64: len(keys) is %d; the limit is %d", len(keys), math.MaxInt32))
	}
	if n := len(cells); n&(n-1) != 0 || n == 0 {
		panic(kern.Value("SpreadI64: len(cells) is %v; it must be a power of two", float64(n)))
	}
	if shift < 0 || shift > 63 {
		panic(kern.Value("SpreadI64: shift is %v; it must be from 0 to 63", float64(shift)))
	}
	if kern.Overlaps(dst, keys) {
		panic(kern.Error("SpreadI64: dst and keys overlap"))
	}
	clear(cells)
	for i := 0; i < len(keys); i += kern.BlockLen {
		tallyI64(cells, keys[i:min(i+kern.BlockLen, len(keys))], lo, shift)
	}
	n := uint32(0)
	for i, m := range cells {
		cells[i] = n
		n += m
	}
	for i := 0; i < len(keys); i += kern.BlockLen {
		moveI64(dst, cells, keys[i:min(i+kern.BlockLen, len(keys))], lo, shift)
	}
}

// LeafLen is the maximum number of elements of [SortI64] and [InversionsI32].
const LeafLen = 64

// SortI64 sorts src, of at most 64 elements, into dst, which may be src.
func SortI64(dst, src []int64) {
	if len(dst) != len(src) {
		panic(kern.Lengths("SortI64: len(dst) and len(src) differ: %d and %d", len(dst), len(src)))
	}
	if len(src) > LeafLen {
		panic(kern.Lengths("SortI64: len(src) is %d; the limit is %d", len(src), LeafLen))
	}
	if kern.Shifted(dst, src) {
		panic(kern.Error("SortI64: dst and src overlap"))
	}
	sortI64(dst, src)
}

// InversionsI32 counts the pairs i < j with a[i] > a[j], and the pairs with a[i] = a[j]. a must
// have at most 64 elements.
func InversionsI32(a []int32) (inversions, equal int64) {
	if len(a) > LeafLen {
		panic(kern.Lengths("InversionsI32: len(a) is %d; the limit is %d", len(a), LeafLen))
	}
	return inversionsI32(a)
}

// SplitKeys decodes the y values of [PackKeys] and marks where values change. keys[0] is the key
// before the first, and keys[1:] are the keys to split. Bit i%8 of newX[i/8] is set if the x of
// keys[i+1] differs from the x of keys[i]. newKey marks differences of the whole key. Bits after
// the last key are zero.
func SplitKeys(y []int32, newX, newKey []uint8, keys []int64) {
	if len(keys) != len(y)+1 {
		panic(kern.Lengths("SplitKeys: len(keys) is %d; it must be len(y)+1, %d", len(keys), len(y)+1))
	}
	if words := (len(y) + 7) / 8; len(newX) < words || len(newKey) < words {
		panic(kern.Lengths("SplitKeys: len(newX) is %d and len(newKey) is %d; both must be at least len(y)/8 rounded up", len(newX), len(newKey)))
	}
	splitKeys(y, newX, newKey, keys)
}

// CountPairsF64 compares each pair of (x, y) directly. concordant and discordant pairs are ordered
// alike and oppositely by x and y; untiedX and untiedY pairs differ in x and in y. It takes n²
// steps, which is fastest for few values. x and y must not contain NaN.
func CountPairsF64(x, y []float64) (concordant, discordant, untiedX, untiedY int64) {
	if len(x) != len(y) {
		panic(kern.Lengths("CountPairsF64: len(x) and len(y) differ: %d and %d", len(x), len(y)))
	}
	return countPairsF64(x, y)
}

// FilterI32 sets dst to the positions of the keys whose bit is set in filter, and returns their
// number. The bit of a key k is bit k mod 64 of the word ⌊k/64⌋ mod len(filter), where k is treated
// as unsigned. dst must be at least as long as keys, because whole vectors are written; the
// contents after the positions are unspecified. The length of filter must be a power of two, and
// dst must not overlap the other operands.
func FilterI32(dst, keys []int32, filter []uint64) int {
	if len(dst) < len(keys) {
		panic(kern.Lengths("FilterI32: len(dst) is %d; it must be at least len(keys), %d", len(dst), len(keys)))
	}
	if len(keys) > kern.BlockLen {
		panic(kern.Lengths("FilterI32: len(keys) is %d; the limit is %d", len(keys), kern.BlockLen))
	}
	if n := len(filter); n&(n-1) != 0 || n == 0 || n > 1<<26 {
		panic(kern.Lengths("FilterI32: len(filter) is %d; it must be a power of two, at most %d", n, 1<<26))
	}
	if dst = dst[:len(keys)]; kern.Overlaps(dst, keys) || kern.Overlaps(dst, filter) {
		panic(kern.Error("FilterI32: dst overlaps keys or filter"))
	}
	return filterI32(dst, keys, filter)
}

// KeyIndex returns the index of the value with the given key.
func KeyIndex(key int64) int { return int(uint32(key)) }

// KeyTied reports whether the values of two keys are equal. NaNs are equal to each other.
func KeyTied(a, b int64) bool { return (a^b)>>32 == 0 }

// SortKeys sorts keys of [RankKeysF32] in ascending order, which is the ranking. tmp is scratch of
// the same length and must not overlap keys. It takes O(n log n) steps for any input. It takes one
// pass if the keys are already sorted, as in the runs of search engines.
func SortKeys(keys, tmp []int64) {
	if len(tmp) != len(keys) {
		panic(kern.Lengths("SortKeys: len(tmp) and len(keys) differ: %d and %d", len(tmp), len(keys)))
	}
	if kern.Overlaps(keys, tmp) {
		panic(kern.Error("SortKeys: keys and tmp overlap"))
	}
	for i := 1; ; i++ {
		if i >= len(keys) {
			return
		}
		if keys[i-1] > keys[i] {
			break
		}
	}
	sortKeys(keys, tmp)
}

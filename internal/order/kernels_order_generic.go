package order

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
)

func scanF64Generic(x []float64) (lo, hi float64, flags uint64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		switch {
		case v != v:
			flags |= hasNaN
		case float64(float32(v)) != v:
			flags |= hasWide
		}
		if math.Trunc(v) != v {
			flags |= hasFraction
		}
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	return lo, hi, flags
}

func linearKeysF64Generic(dst []int32, x []float64, mid, scale float64) {
	for i, v := range x {
		dst[i] = int32((v - mid) * scale)
	}
}

func floatKeysF64Generic(dst []int32, x []float64) {
	for i, v := range x {
		dst[i] = kern.FloatKey(float32(v))
	}
}

func floatKeysF32Generic(dst []int32, x []float32) (nan bool) {
	for i, v := range x {
		dst[i] = kern.FloatKey(v)
		nan = nan || v != v
	}
	return nan
}

func packKeysGeneric(dst []int64, x, y []int32) {
	for i := range dst {
		dst[i] = int64(x[i])<<32 | int64(uint32(y[i])^1<<31)
	}
}

func partitionI64Generic(lo, hi, src []int64, pivot int64) int {
	n := 0
	for i, v := range src {
		lo[n], hi[i-n] = v, v
		if v < pivot {
			n++
		}
	}
	return n
}

// tallyI64Generic adds the number of keys in each cell to cells.
func tallyI64Generic(cells []uint32, keys []int64, lo int64, shift int) {
	last := uint64(len(cells) - 1)
	for _, k := range keys {
		cells[uint64(k-lo)>>(shift&63)&last]++
	}
}

// moveI64Generic moves keys to their cells in dst. It changes cells from the starts of the cells to
// their ends.
func moveI64Generic(dst []int64, cells []uint32, keys []int64, lo int64, shift int) {
	last := uint64(len(cells) - 1)
	for _, k := range keys {
		cell := &cells[uint64(k-lo)>>(shift&63)&last]
		at := *cell
		*cell = at + 1
		dst[at] = k
	}
}

func sortI64Generic(dst, src []int64) {
	copy(dst, src)
	insertionCount(dst)
}

func splitKeysGeneric(y []int32, newX, newKey []uint8, keys []int64) {
	for i := range y {
		y[i] = int32(uint32(keys[i+1]) ^ 1<<31)
		d := keys[i] ^ keys[i+1]
		if i%8 == 0 {
			newX[i/8], newKey[i/8] = 0, 0
		}
		if d>>32 != 0 {
			newX[i/8] |= 1 << (i % 8)
		}
		if d != 0 {
			newKey[i/8] |= 1 << (i % 8)
		}
	}
}

func partitionCountI32Generic(lo, hi, src []int32, pivot int32) (n int, positions int64) {
	for i, v := range src {
		lo[n], hi[i-n] = v, v
		if v < pivot {
			n++
			positions += int64(i)
		}
	}
	return n, positions
}

func inversionsI32Generic(a []int32) (inversions, equal int64) {
	for i, v := range a {
		for _, w := range a[:i] {
			if w > v {
				inversions++
			}
			if w == v {
				equal++
			}
		}
	}
	return inversions, equal
}

func countPairsF64Generic(x, y []float64) (concordant, discordant, untiedX, untiedY int64) {
	for i := range x {
		for j := range i {
			dx, dy := compare(x[i], x[j]), compare(y[i], y[j])
			untiedX += dx * dx
			untiedY += dy * dy
			switch dx * dy {
			case 1:
				concordant++
			case -1:
				discordant++
			}
		}
	}
	return concordant, discordant, untiedX, untiedY
}

func filterI32Generic(dst, keys []int32, filter []uint64) int {
	n, mask := 0, len(filter)-1
	for i, k := range keys {
		if filter[int(uint32(k)>>6)&mask]&(1<<(k&63)) != 0 {
			dst[n] = int32(i)
			n++
		}
	}
	return n
}

// compare returns −1, 0 or 1 if a is less than, equal to or greater than b.
func compare[T cmp.Ordered](a, b T) (c int64) {
	if a > b {
		c = 1
	}
	if a < b {
		c = -1
	}
	return c
}

// insertionCount sorts a by insertion and returns the number of inversions.
func insertionCount[T cmp.Ordered](a []T) int64 {
	var inv int64
	for i := 1; i < len(a); i++ {
		v, j := a[i], i
		for j > 0 && v < a[j-1] {
			a[j] = a[j-1]
			j--
		}
		a[j] = v
		inv += int64(i - j)
	}
	return inv
}

// mergeKeysGeneric sorts 65 to 128 keys. The first 64 keys and the remaining keys are already
// sorted.
func mergeKeysGeneric(keys []int64) {
	var first [LeafLen]int64
	copy(first[:], keys)
	i, j := 0, LeafLen
	for k := range keys {
		if i < LeafLen && (j == len(keys) || first[i] <= keys[j]) {
			keys[k] = first[i]
			i++
		} else {
			keys[k] = keys[j]
			j++
		}
	}
}

// sortKeysGeneric sorts few keys by insertion and many keys by a radix sort. In between, it moves
// the keys to more buckets than there are keys, in proportion to their values, and then sorts the
// nearly sorted keys by insertion.
func sortKeysGeneric(keys, tmp []int64) {
	n := len(keys)
	switch {
	case n <= 16:
		insertionCount(keys)
	case n <= fewKeys && spreadFew(keys, tmp) || n > fewKeys && n <= someKeys && spreadSome(keys, tmp):
		insertionCount(keys)
	default:
		radixSortKeys(keys, tmp)
	}
}

// These are the maximum numbers of keys for the sizes of a bucket sort, and of keys that are sorted
// by insertion.
const (
	fewKeys    = 256
	someKeys   = 1024
	fullBucket = 24
)

// spreadFew and spreadSome call spreadKeys with tables on the stack. Clearing the tables takes
// time, so the table of spreadFew is smaller.
func spreadFew(keys, tmp []int64) bool {
	var count [2 * fewKeys]uint16
	var bucket [fewKeys]uint16
	return spreadKeys(keys, tmp, count[:], bucket[:])
}

func spreadSome(keys, tmp []int64) bool {
	var count [2 * someKeys]uint16
	var bucket [someKeys]uint16
	return spreadKeys(keys, tmp, count[:], bucket[:])
}

// spreadKeys orders keys by buckets, which divide the range of the values evenly. If a bucket would
// contain too many keys, or if a value is not finite, it returns false and does not change the
// keys. count must be zero. Its length must be at least twice the number of keys, rounded up to a
// power of two.
func spreadKeys(keys, tmp []int64, count, bucket []uint16) bool {
	lo, hi := keys[0], keys[0]
	for _, k := range keys {
		lo, hi = min(lo, k), max(hi, k)
	}
	buckets := 2 << bits.Len(uint(len(keys)-1))
	first, last := keyValue(lo), keyValue(hi)
	scale := float64(buckets-1) / (first - last)
	// scale is infinite or NaN if a value is, or if all values are equal.
	if !(scale > 0 && scale <= math.MaxFloat64) {
		return false
	}
	bucket, count = bucket[:len(keys)], count[:buckets]
	for i, k := range keys {
		b := uint16((first - keyValue(k)) * scale)
		bucket[i] = b
		count[b]++
	}
	at, fullest := uint16(0), uint16(0)
	for i, c := range count {
		count[i] = at
		at += c
		fullest = max(fullest, c)
	}
	if fullest > fullBucket {
		return false
	}
	for i, b := range bucket {
		tmp[count[b]] = keys[i]
		count[b]++
	}
	copy(keys, tmp)
	return true
}

// keyValue returns the value of which key is the sort key.
func keyValue(key int64) float64 {
	b := ^int32(key >> 32)
	return float64(math.Float32frombits(uint32(b ^ b>>31&math.MaxInt32)))
}

// radixSortKeys sorts by the digits of the upper halves, starting with the lowest digit (LSD radix
// sort). It is stable, so that the lower halves, the indices of equal values, stay in ascending
// order. If they are not in ascending order initially, it calls the standard library's sort.
func radixSortKeys(keys, tmp []int64) {
	n := len(keys)
	all, any := ^int64(0), int64(0)
	for i, k := range keys {
		if i > 0 && uint32(keys[i-1]) > uint32(k) {
			slices.Sort(keys)
			return
		}
		all &= k
		any |= k
	}
	differ := uint64(all ^ any)
	digit := 8 // number of bits; larger tables are faster for more keys
	if n > 1500 {
		digit = 11
	}
	var table [1 << 11]int32
	mask := uint64(1)<<digit - 1
	src, dst := keys, tmp
	for shift := 32; shift < 64; shift += digit {
		if differ>>shift&mask == 0 {
			continue
		}
		count := table[:mask+1]
		clear(count)
		for _, k := range src {
			count[bucket(k, shift)&mask]++
		}
		at := int32(0)
		for i, c := range count {
			count[i] = at
			at += c
		}
		for _, k := range src {
			b := bucket(k, shift) & mask
			dst[count[b]] = k
			count[b]++
		}
		src, dst = dst, src
	}
	if &src[0] != &keys[0] {
		copy(keys, src)
	}
}

// bucket returns the bits of a key from shift on. Buckets have the order of the keys as unsigned
// numbers.
func bucket(key int64, shift int) uint64 { return (uint64(key) ^ 1<<63) >> (shift & 63) }

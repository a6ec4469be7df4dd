package kernels

import (
	"math"
	"math/bits"
	"slices"
)

func rankKeysF32Generic(dst []int64, x []float32, base int) (nan bool) {
	for i, v := range x {
		dst[i] = int64(descending(v))<<32 | int64(base+i)
		nan = nan || v != v
	}
	return nan
}

func rankGradesF32Generic(dst []int64, x []float32, grades []uint8, base int) (nan bool) {
	dst, grades = dst[:len(x)], grades[:len(x)]
	for i, v := range x {
		dst[i] = int64(descending(v))<<32 | int64(base+i)<<8 | int64(grades[i])
		nan = nan || v != v
	}
	return nan
}

func gainsOfKeysF64Generic(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	if len(keys) == 0 {
		return false
	}
	dst = dst[:len(keys)]
	last := ^keys[0]
	equal := uint64(0) // negative once two upper halves were equal
	for i, k := range keys {
		dst[i] = gains[k&15]
		equal |= uint64(k^last)>>32 - 1
		last = k
	}
	return equal>>63 != 0
}

func thresholdF32Generic(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	// In a long list few values are greater than their lane, and a branch is foreseen.
	for ; len(x) >= longList; x = x[16:] {
		for i, v := range x[:16] {
			if !(v <= lanes[i]) {
				if v > lanes[i] {
					lanes[i] = v
				} else {
					nan = true
				}
			}
		}
	}
	// In a short one it is not: the maximum of ordered integers takes none.
	var s [16]int32
	for i, v := range lanes {
		s[i] = floatKey(v)
	}
	for i, v := range x {
		if v != v {
			nan = true
			continue
		}
		s[i%16] = max(s[i%16], floatKey(v))
	}
	for i, key := range s {
		lanes[i] = math.Float32frombits(uint32(key ^ key>>31&math.MaxInt32))
	}
	insertionCount(s[:])
	key := s[16-k]
	return math.Float32frombits(uint32(key ^ key>>31&math.MaxInt32)), nan
}

// longList is a length from which branches on the best values are foreseen.
const longList = 512

func selectKeysF32Generic(dst []int64, x []float32, t float32, base int) int {
	n := 0
	if len(x) >= longList {
		for i, v := range x {
			if v >= t {
				dst[n] = int64(^floatKey(v))<<32 | int64(base+i)
				n++
			}
		}
		return n
	}
	for i, v := range x {
		// The index is written whether or not it is kept, for a branch would be mispredicted.
		dst[n] = int64(i)
		kept := 0
		if v >= t {
			kept = 1
		}
		n += kept
	}
	for j, i := range dst[:n] {
		dst[j] = int64(^floatKey(x[i]))<<32 | (int64(base) + i)
	}
	return n
}

func countLevelsU8Generic(counts *[16]int64, x []uint8, levels int) (others int64) {
	// Four tables: equal elements next to each other do not wait for each other.
	var table [4][16]int32
	var any uint8
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b, c, d := x[i], x[i+1], x[i+2], x[i+3]
		table[0][a%16]++
		table[1][b%16]++
		table[2][c%16]++
		table[3][d%16]++
		any |= a | b | c | d
	}
	for _, v := range x[i:] {
		table[0][v%16]++
		any |= v
	}
	if any > 15 {
		for _, v := range x {
			if int(v) < levels {
				counts[v]++
			} else {
				others++
			}
		}
		return others
	}
	for l := range counts {
		n := int64(table[0][l]) + int64(table[1][l]) + int64(table[2][l]) + int64(table[3][l])
		if l < levels {
			counts[l] += n
		} else {
			others += n
		}
	}
	return others
}

func mergeKeysGeneric(keys []int64) {
	var first [leafLen]int64
	copy(first[:], keys)
	i, j := 0, leafLen
	for k := range keys {
		if i < leafLen && (j == len(keys) || first[i] <= keys[j]) {
			keys[k] = first[i]
			i++
		} else {
			keys[k] = keys[j]
			j++
		}
	}
}

// topGainsF32Generic is made of the kernels that take its steps, so that it is that of all tiers without one of their own.
func topGainsF32Generic(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool) {
	inf := float32(math.Inf(-1))
	lanes := [16]float32{inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf}
	t, nan := thresholdF32(&lanes, x, k)
	if nan || t == inf {
		return nan, false
	}
	n := selectKeysF32(keys, x, t, 0)
	if n > topGainsKeys {
		return false, false
	}
	keys = keys[:n]
	sortI64(keys, keys)
	*dst = [16]float64{}
	for i, key := range keys[:k] {
		g := grades[KeyIndex(key)]
		if g >= 16 || i+1 < n && KeyTied(key, keys[i+1]) {
			return false, false
		}
		dst[i] = gains[g]
	}
	return false, true
}

// sortKeysGeneric sorts few keys by insertion and many by digits; between these it spreads the keys over
// more buckets than there are keys, in proportion to their values, and sorts what is nearly sorted by insertion.
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

// What is spread over buckets, and what is left to insertion at most.
const (
	fewKeys    = 256
	someKeys   = 1024
	fullBucket = 24
)

// spreadFew and spreadSome are spreadKeys with its tables on the stack, which takes time to clear.
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

// spreadKeys brings keys into the order of buckets, which divide the range of the values evenly. It reports false
// and leaves the keys as they are when a bucket were too full or a value is not finite. count is all zero and twice as
// long as the power of two from the number of keys on, or longer.
func spreadKeys(keys, tmp []int64, count, bucket []uint16) bool {
	lo, hi := keys[0], keys[0]
	for _, k := range keys {
		lo, hi = min(lo, k), max(hi, k)
	}
	buckets := 2 << bits.Len(uint(len(keys)-1))
	first, last := keyValue(lo), keyValue(hi)
	scale := float64(buckets-1) / (first - last)
	if !(scale > 0 && scale <= math.MaxFloat64) { // infinite or NaN: so is a value, or all are equal
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

// keyValue returns the value of a key.
func keyValue(key int64) float64 {
	b := ^int32(key >> 32)
	return float64(math.Float32frombits(uint32(b ^ b>>31&math.MaxInt32)))
}

// radixSortKeys sorts by the digits of the upper halves from the lowest (LSD radix sort). It is stable, so that
// the lower halves, the indices of equal values, stay in ascending order; where they were not, it leaves
// the keys to the standard library's sort.
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
	digit := 8 // bits: more keys pay for larger tables
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

// bucket returns the bits of a key from shift on, in the order of unsigned numbers.
func bucket(key int64, shift int) uint64 { return (uint64(key) ^ 1<<63) >> (shift & 63) }

package order

import (
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
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
	equal := uint64(0) // negative if two neighboring keys have equal upper halves
	for i, k := range keys {
		dst[i] = gains[k&15]
		equal |= uint64(k^last)>>32 - 1
		last = k
	}
	return equal>>63 != 0
}

func thresholdF32Generic(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	// In a long list, few values exceed the maximum of their lane, so the branch is predicted.
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
	// In a short list, the branch would be mispredicted. The maximum of integers needs no branch.
	var s [16]int32
	for i, v := range lanes {
		s[i] = kern.FloatKey(v)
	}
	for i, v := range x {
		if v != v {
			nan = true
			continue
		}
		s[i%16] = max(s[i%16], kern.FloatKey(v))
	}
	for i, key := range s {
		lanes[i] = math.Float32frombits(uint32(key ^ key>>31&math.MaxInt32))
	}
	insertionCount(s[:])
	key := s[16-k]
	return math.Float32frombits(uint32(key ^ key>>31&math.MaxInt32)), nan
}

// longList is the length from which branches on the best values are usually predicted.
const longList = 512

func selectKeysF32Generic(dst []int64, x []float32, t float32, base int) int {
	n := 0
	if len(x) >= longList {
		for i, v := range x {
			if v >= t {
				dst[n] = int64(^kern.FloatKey(v))<<32 | int64(base+i)
				n++
			}
		}
		return n
	}
	for i, v := range x {
		// Store the index even if it is not kept, because a branch would be mispredicted.
		dst[n] = int64(i)
		kept := 0
		if v >= t {
			kept = 1
		}
		n += kept
	}
	for j, i := range dst[:n] {
		dst[j] = int64(^kern.FloatKey(x[i]))<<32 | (int64(base) + i)
	}
	return n
}

func countLevelsU8Generic(counts *[16]int64, x []uint8, levels int) (others int64) {
	// Use four tables, so that equal neighboring elements do not wait for each other.
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

// bestGainsF32Generic calls the kernels for its steps. All tiers without an own kernel use it, and
// tiers with one use it for input that their kernel does not support.
func bestGainsF32Generic(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64,
	k int) (nan, ok bool) {
	inf := float32(math.Inf(-1))
	lanes := [16]float32{inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf}
	t, nan := thresholdF32(&lanes, x, k)
	if nan || len(x) < k {
		return nan, false
	}
	keys = keys[:selectKeysF32(keys, x, t, 0)]
	if len(keys) <= LeafLen {
		SortI64(keys, keys)
	} else {
		slices.Sort(keys)
	}
	*dst = [16]float64{}
	for i, key := range keys[:k] {
		g := grades[KeyIndex(key)]
		if g >= 16 || i+1 < len(keys) && KeyTied(key, keys[i+1]) {
			return false, false
		}
		dst[i] = gains[g]
	}
	return false, true
}

// rankGainsF32Generic ranks the keys, and calls gainsOfKeysF64 for the gains.
func rankGainsF32Generic(_ []float64, keys, tmp []int64, x []float32, grades []uint8,
	_ *[16]float64) (nan, ok bool) {
	nan = RankGradesF32(keys, x, grades)
	SortKeys(keys, tmp)
	return nan, false
}

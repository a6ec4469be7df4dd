package order

import (
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
)

// descending returns the upper half of a key: the complement of [kern.FloatKey]. NaN has the
// largest one.
func descending(v float32) int32 {
	if v != v {
		return math.MaxInt32
	}
	return ^kern.FloatKey(v)
}

// RankKeysF32 sets dst[i] to the key of x[i]. It reports whether x contains a NaN.
func RankKeysF32(dst []int64, x []float32) (nan bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("RankKeysF32: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	for i := 0; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		nan = rankKeysF32(dst[i:end], x[i:end], i) || nan
	}
	return nan
}

// MostGraded is the maximum number of documents whose keys can contain grades.
const MostGraded = 1 << 24

// RankGradesF32 is like [RankKeysF32], but each key also contains the grade of its document: the
// lower half of the key of x[i] is i·2⁸ + grades[i]. The gains can therefore be computed from the
// sorted keys alone ([GainsOfKeysF64]). There must be at most MostGraded documents.
func RankGradesF32(dst []int64, x []float32, grades []uint8) (nan bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("RankGradesF32: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	if len(grades) != len(x) {
		panic(kern.Lengths("RankGradesF32: len(grades) and len(x) differ: %d and %d", len(grades), len(x)))
	}
	if len(x) > MostGraded {
		panic(kern.Lengths("RankGradesF32: len(x) is %d; the limit is %d", len(x), MostGraded))
	}
	for i := 0; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		nan = rankGradesF32(dst[i:end], x[i:end], grades[i:end], i) || nan
	}
	return nan
}

// KeyGrade returns the grade in a key of [RankGradesF32].
func KeyGrade(key int64) uint8 { return uint8(key) }

// GainsOfKeysF64 sets dst[i] to the gain of the grade in keys[i], using only its lowest four bits.
// It reports whether two adjacent keys are tied ([KeyTied]).
func GainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	if len(dst) != len(keys) {
		panic(kern.Lengths("GainsOfKeysF64: len(dst) and len(keys) differ: %d and %d", len(dst), len(keys)))
	}
	for i := 0; i < len(keys); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(keys))
		tied = gainsOfKeysF64(dst[i:end], keys[i:end], gains) || i > 0 && KeyTied(keys[i-1], keys[i]) || tied
	}
	return tied
}

// RankGainsF32 combines [RankGradesF32], [SortKeys] and [GainsOfKeysF64] for short lists of
// different scores: it sets dst[i] to the gain of the document at rank i. It may return ok = false
// and leave dst unspecified, as it does for ties and NaNs. In this case keys contains the sorted
// keys, and nan reports NaNs. tmp is scratch and must not overlap keys. All slices must have the
// same length.
func RankGainsF32(dst []float64, keys, tmp []int64, x []float32, grades []uint8,
	gains *[16]float64) (nan, ok bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("RankGainsF32: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	if len(keys) != len(x) || len(tmp) != len(x) {
		panic(kern.Lengths("RankGainsF32: len(keys) is %d and len(tmp) is %d; both must be len(x)", len(keys), len(tmp)))
	}
	if len(grades) != len(x) {
		panic(kern.Lengths("RankGainsF32: len(grades) and len(x) differ: %d and %d", len(grades), len(x)))
	}
	return rankGainsF32(dst, keys, tmp, x, grades, gains)
}

// ThresholdF32 raises lanes[i%16] to x[i] if x[i] is greater, for every i, and returns the k-th
// largest lane, 1 ≤ k ≤ 16. If the lanes contained −Inf, or maxima of other values, at least k
// values are as large as the result. It ignores NaNs but reports them. Zeros become positive.
func ThresholdF32(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	if k < 1 || k > len(lanes) {
		panic(kern.Lengths("ThresholdF32: k is %d; it must be from 1 to %d", k, len(lanes)))
	}
	for ; len(x) > kern.BlockLen; x = x[kern.BlockLen:] {
		_, n := thresholdF32(lanes, x[:kern.BlockLen], k)
		nan = nan || n
	}
	t, n := thresholdF32(lanes, x, k)
	return t, nan || n
}

// SelectKeysF32 sets the first elements of dst to the keys of the values x[i] ≥ t in the order of
// i, with the index base+i, and returns their number. dst must be at least as long as x, because
// whole vectors are written; the contents after the keys are unspecified.
func SelectKeysF32(dst []int64, x []float32, t float32, base int) int {
	if len(dst) < len(x) {
		panic(kern.Lengths("SelectKeysF32: len(dst) is %d; it must be at least len(x), %d", len(dst), len(x)))
	}
	n := 0
	for i := 0; i < len(x); i += kern.BlockLen {
		n += selectKeysF32(dst[n:], x[i:min(i+kern.BlockLen, len(x))], t, base+i)
	}
	return n
}

// CountLevelsU8 adds the number of elements of x that equal l to counts[l], for every l below
// levels, which is at most 16. It returns the number of all other elements.
func CountLevelsU8(counts *[16]int64, x []uint8, levels int) (others int64) {
	if levels < 0 || levels > len(counts) {
		panic(kern.Lengths("CountLevelsU8: levels is %d; it must be from 0 to %d", levels, len(counts)))
	}
	for i := 0; i < len(x); i += kern.BlockLen {
		others += countLevelsU8(counts, x[i:min(i+kern.BlockLen, len(x))], levels)
	}
	return others
}

// These are workspace sizes of [TopKF32].
const (
	topKBlock = 4096 // number of values per block, which are read twice while they are in L1
	topKLimit = 1024 // maximum number of keys that are kept between blocks

	topKParts = (TopKMost + 5) / 6 // maximum number of parts of a list

	TopKMost = 128 // the maximum k
)

// TopKSpace returns the minimum length of the slices of [TopKF32] for n values.
func TopKSpace(n int) int { return min(max(n, 16*topKParts), topKLimit+topKBlock) }

// TopKF32 sets the first n elements of keys to the sorted keys of the k best values of x, 1 ≤ k ≤
// TopKMost, and of values that are tied with the last one. It reports NaNs and does not rank them.
// It returns ok = false if the lanes below contain fewer than k values above −Inf. It also does so
// if, up to some block, more than 1024 values are at least as good as the k-th best lane. The
// caller must then sort all keys. keys and tmp must have at least TopKSpace(len(x)) elements.
//
// The k-th largest of 16 lane maxima, over all blocks so far, is a lower bound of the k-th best
// value that few values reach: about 16 for k = 10, regardless of the number of values. If k is
// above 16, the list is divided into ⌈k/6⌉ parts of equal length, and the bound comes from 16 lanes
// per part. About 1.3·k values reach it.
func TopKF32(keys, tmp []int64, x []float32, k int) (n int, nan, ok bool) {
	if k < 1 || k > TopKMost {
		panic(kern.Lengths("TopKF32: k is %d; it must be from 1 to %d", k, TopKMost))
	}
	if space := TopKSpace(len(x)); len(keys) < space || len(tmp) < space {
		panic(kern.Lengths("TopKF32: the shorter of keys and tmp has %d elements; TopKSpace(len(x)) requires %d", min(len(keys), len(tmp)), space))
	}
	inf := float32(math.Inf(-1))
	lanes := [16]float32{inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf}
	least := inf // minimum of the values to keep
	if k > len(lanes) {
		if least, nan = thresholdOfParts(keys, tmp, x, k); least == inf {
			return 0, nan, false
		}
	}
	for i := 0; i < len(x); i += topKBlock {
		block := x[i:min(i+topKBlock, len(x))]
		if k <= len(lanes) {
			t, bad := thresholdF32(&lanes, block, k)
			nan = nan || bad
			least = max(least, t)
		}
		n += selectKeysF32(keys[n:], block, least, i)
		if n > topKLimit {
			if n = best(keys[:n], tmp, k); n > topKLimit {
				return 0, nan, false
			}
			least = max(least, x[KeyIndex(keys[min(n, k)-1])])
		}
	}
	if n = best(keys[:n], tmp, k); n < k || least == inf {
		return 0, nan, false
	}
	return n, nan, true
}

// thresholdOfParts divides x into ⌈k/6⌉ parts and computes the maxima of 16 lanes in each part. It
// returns the k-th largest of these maxima, or −Inf if there are fewer than k. keys and tmp are
// scratch memory.
func thresholdOfParts(keys, tmp []int64, x []float32, k int) (t float32, nan bool) {
	var maxima [16 * topKParts]float32
	for i := range maxima {
		maxima[i] = float32(math.Inf(-1))
	}
	n := (k + 5) / 6
	length := (len(x) + n - 1) / n
	for p := 0; p < n && p*length < len(x); p++ {
		_, bad := ThresholdF32((*[16]float32)(maxima[16*p:]), x[p*length:min((p+1)*length, len(x))], 1)
		nan = nan || bad
	}
	lanes := maxima[:16*n]
	rankKeysF32(keys[:len(lanes)], lanes, 0)
	SortKeys(keys[:len(lanes)], tmp[:len(lanes)])
	return lanes[KeyIndex(keys[k-1])], nan
}

// These are the limits of [BestGainsF32].
const (
	bestGainsMost = 15 // maximum k

	BestGainsLimit = 512                 // the maximum length of x
	BestGainsSpace = BestGainsLimit + 16 // the length of keys
)

// BestGainsF32 sets dst[i] to the gain of the document at rank i by descending score for the first
// k ranks, 1 ≤ k ≤ 15, and the other elements to 0. It combines TopKF32 and GainsOfKeysF64 for
// short lists. x contains at most BestGainsLimit scores, grades contains their grades, and gains
// contains the gains of grades. It reports NaNs. It returns ok = false and leaves dst unspecified
// in three cases: there are NaNs, there are fewer than k documents, or a document of the first k
// ranks is tied with another one or has a grade of 16 or more. keys is scratch of length
// BestGainsSpace.
func BestGainsF32(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64,
	k int) (nan, ok bool) {
	if k < 1 || k > bestGainsMost {
		panic(kern.Lengths("BestGainsF32: k is %d; it must be from 1 to %d", k, bestGainsMost))
	}
	if len(x) > BestGainsLimit {
		panic(kern.Lengths("BestGainsF32: len(x) is %d; the limit is %d", len(x), BestGainsLimit))
	}
	if len(grades) != len(x) {
		panic(kern.Lengths("BestGainsF32: len(grades) and len(x) differ: %d and %d", len(grades), len(x)))
	}
	if len(keys) < BestGainsSpace {
		panic(kern.Lengths("BestGainsF32: len(keys) is %d; it must be at least BestGainsSpace, %d", len(keys), BestGainsSpace))
	}
	return bestGainsF32(dst, keys, x, grades, gains, k)
}

// best sorts keys, and returns the number of keys that are among the first k or tied with the k-th.
func best(keys, tmp []int64, k int) int {
	if len(keys) <= LeafLen {
		SortI64(keys, keys)
	} else {
		SortKeys(keys, tmp[:len(keys)])
	}
	n := min(k, len(keys))
	for n > 0 && n < len(keys) && KeyTied(keys[n-1], keys[n]) {
		n++
	}
	return n
}

// TopKFrom is the minimum number of scores for which a top-k search is tried before a full sort.
const TopKFrom = 48

// TopKPays reports whether trying [TopKF32] for the k best of n scores is worthwhile before a sort.
func TopKPays(n, k int) bool {
	return k <= 16 && n >= max(TopKFrom, 3*k) || k <= TopKMost && n >= 8*k
}

// SortTied sorts runs of tied keys ([KeyTied]) with compare. The keys must already be sorted.
func SortTied(keys []int64, compare func(a, b int64) int) {
	for lo := 0; lo < len(keys); {
		hi := lo + 1
		for hi < len(keys) && KeyTied(keys[lo], keys[hi]) {
			hi++
		}
		if hi > lo+1 {
			slices.SortFunc(keys[lo:hi], compare)
		}
		lo = hi
	}
}

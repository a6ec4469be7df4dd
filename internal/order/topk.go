package order

import (
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
)

// descending is the upper half of a key: the complement of [kern.FloatKey], greatest for NaN.
func descending(v float32) int32 {
	if v != v {
		return math.MaxInt32
	}
	return ^kern.FloatKey(v)
}

// RankKeysF32 sets dst[i] to the key of x[i] and reports whether x holds a NaN.
func RankKeysF32(dst []int64, x []float32) (nan bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("RankKeysF32: len(dst) and len(x) differ", len(dst), len(x)))
	}
	for i := 0; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		nan = rankKeysF32(dst[i:end], x[i:end], i) || nan
	}
	return nan
}

// MostGraded is the largest number of documents whose keys can hold grades.
const MostGraded = 1 << 24

// RankGradesF32 is [RankKeysF32] with the grade of each document in its key: the lower half of the
// key of x[i] is i·2⁸ + grades[i]. So the sorted keys tell the gains without a look at the
// documents ([GainsOfKeysF64]). There are at most MostGraded documents.
func RankGradesF32(dst []int64, x []float32, grades []uint8) (nan bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("RankGradesF32: len(dst) and len(x) differ", len(dst), len(x)))
	}
	if len(grades) != len(x) {
		panic(kern.Lengths("RankGradesF32: len(grades) and len(x) differ", len(grades), len(x)))
	}
	if len(x) > MostGraded {
		panic(kern.Lengths("RankGradesF32: len(x) is above its limit", len(x), MostGraded))
	}
	for i := 0; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		nan = rankGradesF32(dst[i:end], x[i:end], grades[i:end], i) || nan
	}
	return nan
}

// KeyGrade returns the grade in a key of [RankGradesF32].
func KeyGrade(key int64) uint8 { return uint8(key) }

// GainsOfKeysF64 sets dst[i] to the gain of the grade in keys[i], of which it looks at the lowest
// four bits, and reports whether two keys that follow each other are tied ([KeyTied]).
func GainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	if len(dst) != len(keys) {
		panic(kern.Lengths("GainsOfKeysF64: len(dst) and len(keys) differ", len(dst), len(keys)))
	}
	for i := 0; i < len(keys); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(keys))
		tied = gainsOfKeysF64(dst[i:end], keys[i:end], gains) || i > 0 && KeyTied(keys[i-1], keys[i]) || tied
	}
	return tied
}

// RankGainsF32 is [RankGradesF32], [SortKeys] and [GainsOfKeysF64] in one, for short lists of
// different scores: it sets dst[i] to the gain of the document of rank i. It may give up, with ok
// false and dst unspecified, as it does on ties and NaNs: then keys holds the sorted keys, and nan
// tells of NaNs. tmp is scratch that must not overlap keys. All slices have one length.
func RankGainsF32(dst []float64, keys, tmp []int64, x []float32, grades []uint8,
	gains *[16]float64) (nan, ok bool) {
	if len(dst) != len(x) {
		panic(kern.Lengths("RankGainsF32: len(dst) and len(x) differ", len(dst), len(x)))
	}
	if len(keys) != len(x) || len(tmp) != len(x) {
		panic(kern.Lengths("RankGainsF32: len(keys) or len(tmp), and len(x), differ", min(len(keys), len(tmp)), len(x)))
	}
	if len(grades) != len(x) {
		panic(kern.Lengths("RankGainsF32: len(grades) and len(x) differ", len(grades), len(x)))
	}
	return rankGainsF32(dst, keys, tmp, x, grades, gains)
}

// ThresholdF32 raises lanes[i%16] to x[i] where that is greater, for every i, and returns the k-th
// largest of the lanes, 1 ≤ k ≤ 16: when these held −Inf, or maxima of other values, at least k
// values are as large. It takes no notice of NaNs but reports them. Zeros come out positive.
func ThresholdF32(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	if k < 1 || k > len(lanes) {
		panic(kern.Lengths("ThresholdF32: k and its limit", k, len(lanes)))
	}
	for ; len(x) > kern.BlockLen; x = x[kern.BlockLen:] {
		_, n := thresholdF32(lanes, x[:kern.BlockLen], k)
		nan = nan || n
	}
	t, n := thresholdF32(lanes, x, k)
	return t, nan || n
}

// SelectKeysF32 sets the first elements of dst to the keys of the values x[i] ≥ t in the order of
// i, with base+i for their index, and returns their number. dst is at least as long as x, for it is
// written in whole vectors: what follows the keys is unspecified.
func SelectKeysF32(dst []int64, x []float32, t float32, base int) int {
	if len(dst) < len(x) {
		panic(kern.Lengths("SelectKeysF32: len(dst) and len(x) differ", len(dst), len(x)))
	}
	n := 0
	for i := 0; i < len(x); i += kern.BlockLen {
		n += selectKeysF32(dst[n:], x[i:min(i+kern.BlockLen, len(x))], t, base+i)
	}
	return n
}

// CountLevelsU8 adds the number of elements of x that equal l to counts[l], for every l less than
// levels, which is at most 16, and returns how many elements are none of these.
func CountLevelsU8(counts *[16]int64, x []uint8, levels int) (others int64) {
	if levels < 0 || levels > len(counts) {
		panic(kern.Lengths("CountLevelsU8: levels and their limit", levels, len(counts)))
	}
	for i := 0; i < len(x); i += kern.BlockLen {
		others += countLevelsU8(counts, x[i:min(i+kern.BlockLen, len(x))], levels)
	}
	return others
}

// The workspace of [TopKF32].
const (
	topKBlock = 4096 // values that are looked at twice, from the nearest cache
	topKLimit = 1024 // keys that are kept from one block to the next

	topKParts = (TopKMost + 5) / 6 // the most parts of a list

	TopKMost = 128 // the largest k
)

// TopKSpace returns how long the slices of [TopKF32] are at least, for n values.
func TopKSpace(n int) int { return min(max(n, 16*topKParts), topKLimit+topKBlock) }

// TopKF32 sets the first n elements of keys to the keys of the k best values of x, 1 ≤ k ≤
// TopKMost, and of those that equal the last of them, sorted. It reports NaNs, which it ranks
// nowhere. It gives up, with ok false, when the lanes below hold fewer than k values above −Inf, or
// more than 1024 of the values up to some block are as good as the k-th best of them: then sort all
// keys. keys and tmp are at least TopKSpace(len(x)) long.
//
// Of each block the k-th largest of 16 lane maxima, over all blocks so far, is a lower bound of the
// k-th best value that few values reach: about 16 for k = 10, however many there are. A k above 16
// takes the bound from as many lanes for each part of the list, of ⌈k/6⌉ parts of equal length:
// about 1.3·k values reach it.
func TopKF32(keys, tmp []int64, x []float32, k int) (n int, nan, ok bool) {
	if k < 1 || k > TopKMost {
		panic(kern.Lengths("TopKF32: k and its limit", k, TopKMost))
	}
	if space := TopKSpace(len(x)); len(keys) < space || len(tmp) < space {
		panic(kern.Lengths("TopKF32: length of keys and tmp", min(len(keys), len(tmp)), space))
	}
	inf := float32(math.Inf(-1))
	lanes := [16]float32{inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf}
	least := inf // of the values that are worth keeping
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

// thresholdOfParts returns the k-th largest of the maxima of 16 lanes in each of ⌈k/6⌉ parts of x,
// −Inf when there are fewer. keys and tmp are scratch.
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

// The limits of [BestGainsF32].
const (
	bestGainsMost = 15 // the largest k

	BestGainsLimit = 512                 // the longest x
	BestGainsSpace = BestGainsLimit + 16 // length of keys
)

// BestGainsF32 sets dst[i] to the gain of the document of rank i by descending score for the first
// k ranks, 1 ≤ k ≤ 15, and the rest to 0: TopKF32 and GainsOfKeysF64 in one pass, for short lists.
// x holds the scores, at most BestGainsLimit, grades a grade for each and gains the gains of
// grades. It reports NaNs, and ok false, with dst unspecified, when there are any, when there are
// fewer than k documents, or when documents of the first k ranks are tied with each other or the
// next, or have a grade of 16 or more. keys is scratch of length BestGainsSpace.
func BestGainsF32(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64,
	k int) (nan, ok bool) {
	if k < 1 || k > bestGainsMost {
		panic(kern.Lengths("BestGainsF32: k and its limit", k, bestGainsMost))
	}
	if len(x) > BestGainsLimit {
		panic(kern.Lengths("BestGainsF32: len(x) is above its limit", len(x), BestGainsLimit))
	}
	if len(grades) != len(x) {
		panic(kern.Lengths("BestGainsF32: len(grades) and len(x) differ", len(grades), len(x)))
	}
	if len(keys) < BestGainsSpace {
		panic(kern.Lengths("BestGainsF32: length of keys, and wanted", len(keys), BestGainsSpace))
	}
	return bestGainsF32(dst, keys, x, grades, gains, k)
}

// best sorts keys and returns how many of them are among the k first or tied with the k-th.
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

// TopKFrom is the least number of scores of which the best are looked for before all are sorted.
const TopKFrom = 48

// TopKPays reports whether [TopKF32] for the k best of n scores is worth a try before a sort.
func TopKPays(n, k int) bool {
	return k <= 16 && n >= max(TopKFrom, 3*k) || k <= TopKMost && n >= 8*k
}

// SortTied sorts keys that are tied ([KeyTied]) among themselves. The keys are sorted.
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

//go:build !purego

package kernels

import (
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/cpu"
)

func rankKeysF32(dst []int64, x []float32, base int) (nan bool) {
	switch {
	case cpu.UseAVX512:
		raceWrite(dst)
		raceRead(x)
		return rankKeysF32AVX512(dst, x, base)
	case cpu.UseAVX2:
		raceWrite(dst)
		raceRead(x)
		return rankKeysF32AVX2(dst, x, base)
	}
	return rankKeysF32Generic(dst, x, base)
}

//go:noescape
func rankKeysF32AVX2(dst []int64, x []float32, base int) (nan bool)

//go:noescape
func rankKeysF32AVX512(dst []int64, x []float32, base int) (nan bool)

func rankGradesF32(dst []int64, x []float32, grades []uint8, base int) (nan bool) {
	switch {
	case cpu.UseAVX512:
		raceWrite(dst)
		raceRead(x)
		raceRead(grades)
		return rankGradesF32AVX512(dst, x, grades, base)
	case cpu.UseAVX2:
		raceWrite(dst)
		raceRead(x)
		raceRead(grades)
		return rankGradesF32AVX2(dst, x, grades, base)
	}
	return rankGradesF32Generic(dst, x, grades, base)
}

//go:noescape
func rankGradesF32AVX2(dst []int64, x []float32, grades []uint8, base int) (nan bool)

//go:noescape
func rankGradesF32AVX512(dst []int64, x []float32, grades []uint8, base int) (nan bool)

func gainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	if cpu.UseAVX512 {
		raceWrite(dst)
		raceRead(keys)
		raceRead(gains[:])
		return gainsOfKeysF64AVX512(dst, keys, gains)
	}
	return gainsOfKeysF64Generic(dst, keys, gains)
}

//go:noescape
func gainsOfKeysF64AVX512(dst []float64, keys []int64, gains *[16]float64) (tied bool)

func thresholdF32(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	switch {
	case cpu.UseAVX512 && len(x) >= thresholdAVX512From:
		raceWrite(lanes[:])
		raceRead(x)
		return thresholdF32AVX512(lanes, x, k)
	case cpu.UseAVX2 || cpu.UseAVX512:
		raceWrite(lanes[:])
		raceRead(x)
		return thresholdF32AVX2(lanes, x, k)
	}
	return thresholdF32Generic(lanes, x, k)
}

// thresholdAVX512From is the length from which fewer loads outweigh comparisons that go through masks.
const thresholdAVX512From = 1024

//go:noescape
func thresholdF32AVX2(lanes *[16]float32, x []float32, k int) (t float32, nan bool)

//go:noescape
func thresholdF32AVX512(lanes *[16]float32, x []float32, k int) (t float32, nan bool)

func selectKeysF32(dst []int64, x []float32, t float32, base int) int {
	switch {
	case cpu.UseAVX512:
		raceWrite(dst)
		raceRead(x)
		return selectKeysF32AVX512(dst, x, t, base)
	case cpu.UseAVX2:
		raceWrite(dst)
		raceRead(x)
		return selectKeysF32AVX2(dst, x, t, base)
	}
	return selectKeysF32Generic(dst, x, t, base)
}

//go:noescape
func selectKeysF32AVX2(dst []int64, x []float32, t float32, base int) int

//go:noescape
func selectKeysF32AVX512(dst []int64, x []float32, t float32, base int) int

// countLevelsAVX512To is the length that the registers of countLevelsU8AVX512 hold. Longer lists are counted
// as fast by AVX2, whose results are vectors to add, as by AVX-512 through masks.
const countLevelsAVX512To = 256

func countLevelsU8(counts *[16]int64, x []uint8, levels int) (others int64) {
	switch {
	case cpu.UseAVX512 && len(x) <= countLevelsAVX512To:
		raceWrite(counts[:])
		raceRead(x)
		return countLevelsU8AVX512(counts, x, levels)
	case cpu.UseAVX2 || cpu.UseAVX512:
		raceWrite(counts[:])
		raceRead(x)
		return countLevelsU8AVX2(counts, x, levels)
	}
	return countLevelsU8Generic(counts, x, levels)
}

//go:noescape
func countLevelsU8AVX512(counts *[16]int64, x []uint8, levels int) (others int64)

//go:noescape
func countLevelsU8AVX2(counts *[16]int64, x []uint8, levels int) (others int64)

func mergeKeys(keys []int64) {
	if cpu.UseAVX512 {
		raceWrite(keys)
		mergeKeysAVX512(keys)
		return
	}
	mergeKeysGeneric(keys)
}

//go:noescape
func mergeKeysAVX512(keys []int64)

func topGainsF32(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool) {
	if cpu.UseAVX512 || cpu.UseAVX2 {
		raceWrite(dst[:])
		raceWrite(keys)
		raceRead(x)
		raceRead(grades)
		raceRead(gains[:])
	}
	switch {
	case cpu.UseAVX512:
		return topGainsF32AVX512(dst, keys, x, grades, gains, k)
	case cpu.UseAVX2:
		return topGainsF32AVX2(dst, keys, x, grades, gains, k)
	}
	return topGainsF32Generic(dst, keys, x, grades, gains, k)
}

//go:noescape
func topGainsF32AVX2(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)

//go:noescape
func topGainsF32AVX512(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)

func sortKeys(keys, tmp []int64) {
	switch {
	case cpu.UseAVX512:
		quickSortKeys(keys, tmp, keys, 2*leafLen, 2*bits.Len(uint(len(keys))))
	case cpu.UseAVX2:
		quickSortKeys(keys, tmp, keys, leafLen, 2*bits.Len(uint(len(keys))))
	default:
		sortKeysGeneric(keys, tmp)
	}
}

// quickSortKeys is sortKeys by vector kernels: a quicksort down to leaves that are sorted in registers. When splits are
// uneven more than depth times it leaves the rest to the standard library's sort, which is O(n log n) on any input.
// What is sorted into keys is src, which is keys or tmp: the greater part of a split stays where it is split to.
func quickSortKeys(keys, tmp, src []int64, leaf, depth int) {
	for len(keys) > leaf {
		if depth == 0 {
			copy(keys, src)
			slices.Sort(keys)
			return
		}
		depth--
		n := partitionI64Long(keys, tmp, src, quickPivot(src))
		high := len(keys) - n
		quickSortKeys(keys[:n], tmp[high:], keys[:n], leaf, depth)
		keys, tmp = keys[n:], tmp[:high]
		src = tmp
	}
	if len(keys) <= leafLen {
		sortI64(keys, src)
		return
	}
	sortI64(keys[:leafLen], src[:leafLen])
	sortI64(keys[leafLen:], src[leafLen:])
	mergeKeys(keys)
}

// quickPivot returns the median of medians of three, of keys spread over the list.
func quickPivot(keys []int64) int64 {
	third := func(i int) int64 { // of nine parts i, i+1 and i+2
		n := len(keys)
		return median(keys[(2*i+1)*n/18], keys[(2*i+3)*n/18], keys[(2*i+5)*n/18])
	}
	return median(third(0), third(3), third(6))
}

func median(a, b, c int64) int64 { return max(min(a, b), min(max(a, b), c)) }

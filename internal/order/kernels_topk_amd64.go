//go:build !purego

package order

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func rankKeysF32(dst []int64, x []float32, base int) (nan bool) {
	switch {
	case cpu.UseAVX512:
		kern.RaceWrite(dst)
		kern.RaceRead(x)
		return rankKeysF32AVX512(dst, x, base)
	case cpu.UseAVX2:
		kern.RaceWrite(dst)
		kern.RaceRead(x)
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
		kern.RaceWrite(dst)
		kern.RaceRead(x)
		kern.RaceRead(grades)
		return rankGradesF32AVX512(dst, x, grades, base)
	case cpu.UseAVX2:
		kern.RaceWrite(dst)
		kern.RaceRead(x)
		kern.RaceRead(grades)
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
		kern.RaceWrite(dst)
		kern.RaceRead(keys)
		kern.RaceRead(gains[:])
		return gainsOfKeysF64AVX512(dst, keys, gains)
	}
	return gainsOfKeysF64Generic(dst, keys, gains)
}

//go:noescape
func gainsOfKeysF64AVX512(dst []float64, keys []int64, gains *[16]float64) (tied bool)

func thresholdF32(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	switch {
	case cpu.UseAVX512 && len(x) >= thresholdAVX512From:
		kern.RaceWrite(lanes[:])
		kern.RaceRead(x)
		return thresholdF32AVX512(lanes, x, k)
	case cpu.UseAVX2 || cpu.UseAVX512:
		kern.RaceWrite(lanes[:])
		kern.RaceRead(x)
		return thresholdF32AVX2(lanes, x, k)
	}
	return thresholdF32Generic(lanes, x, k)
}

// thresholdAVX512From is the length from which AVX-512 is faster, because it needs fewer loads.
// Below it, comparisons that write masks cost more.
const thresholdAVX512From = 1024

//go:noescape
func thresholdF32AVX2(lanes *[16]float32, x []float32, k int) (t float32, nan bool)

//go:noescape
func thresholdF32AVX512(lanes *[16]float32, x []float32, k int) (t float32, nan bool)

func selectKeysF32(dst []int64, x []float32, t float32, base int) int {
	switch {
	case cpu.UseAVX512:
		kern.RaceWrite(dst)
		kern.RaceRead(x)
		return selectKeysF32AVX512(dst, x, t, base)
	case cpu.UseAVX2:
		kern.RaceWrite(dst)
		kern.RaceRead(x)
		return selectKeysF32AVX2(dst, x, t, base)
	}
	return selectKeysF32Generic(dst, x, t, base)
}

//go:noescape
func selectKeysF32AVX2(dst []int64, x []float32, t float32, base int) int

//go:noescape
func selectKeysF32AVX512(dst []int64, x []float32, t float32, base int) int

// countLevelsAVX512To is the maximum length that fits in the registers of countLevelsU8AVX512. For
// longer lists, AVX2, whose comparisons produce vectors, is as fast as AVX-512, whose comparisons
// produce masks.
const countLevelsAVX512To = 256

func countLevelsU8(counts *[16]int64, x []uint8, levels int) (others int64) {
	switch {
	case cpu.UseAVX512 && len(x) <= countLevelsAVX512To:
		kern.RaceWrite(counts[:])
		kern.RaceRead(x)
		return countLevelsU8AVX512(counts, x, levels)
	case cpu.UseAVX2 || cpu.UseAVX512:
		kern.RaceWrite(counts[:])
		kern.RaceRead(x)
		return countLevelsU8AVX2(counts, x, levels)
	}
	return countLevelsU8Generic(counts, x, levels)
}

//go:noescape
func countLevelsU8AVX512(counts *[16]int64, x []uint8, levels int) (others int64)

//go:noescape
func countLevelsU8AVX2(counts *[16]int64, x []uint8, levels int) (others int64)

func bestGainsF32(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64,
	k int) (nan, ok bool) {
	if cpu.UseAVX512 || cpu.UseAVX2 && len(x) >= 8 {
		kern.RaceWrite(dst[:])
		kern.RaceRead(x)
		kern.RaceRead(grades)
		kern.RaceRead(gains[:])
		if cpu.UseAVX512 {
			nan, ok = bestGainsF32AVX512(dst, x, grades, gains, k)
		} else {
			nan, ok = bestGainsF32AVX2(dst, x, grades, gains, k)
		}
		if nan || ok {
			return nan, ok
		}
	}
	return bestGainsF32Generic(dst, keys, x, grades, gains, k)
}

//go:noescape
func bestGainsF32AVX2(dst *[16]float64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)

//go:noescape
func bestGainsF32AVX512(dst *[16]float64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)

// rankGainsAVX512From is the length from which sorting 64 keys of 32 bits at a time is faster than
// sorting keys of 64 bits, of which a vector contains 8.
const rankGainsAVX512From = 17

func rankGainsF32(dst []float64, keys, tmp []int64, x []float32, grades []uint8,
	gains *[16]float64) (nan, ok bool) {
	if len(x) <= 128 && (cpu.UseAVX2 && len(x) >= 8 || cpu.UseAVX512 && len(x) >= rankGainsAVX512From) {
		kern.RaceWrite(dst)
		kern.RaceRead(x)
		kern.RaceRead(grades)
		kern.RaceRead(gains[:])
		if cpu.UseAVX512 && len(x) > 64 {
			ok = rankGainsF32AVX512(dst, x, grades, gains)
		} else {
			ok = rankGainsF32AVX2(dst, x, grades, gains)
		}
		if ok {
			return false, true
		}
	}
	return rankGainsF32Generic(dst, keys, tmp, x, grades, gains)
}

//go:noescape
func rankGainsF32AVX2(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)

//go:noescape
func rankGainsF32AVX512(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)

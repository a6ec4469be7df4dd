//go:build !purego

package order

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func rankKeysF32(dst []int64, x []float32, base int) (nan bool) {
	kern.RaceWrite(dst)
	kern.RaceRead(x)
	if cpu.UseNEON {
		return rankKeysF32NEON(dst, x, base)
	}
	return rankKeysF32Generic(dst, x, base)
}

//go:noescape
func rankKeysF32NEON(dst []int64, x []float32, base int) (nan bool)

func rankGradesF32(dst []int64, x []float32, grades []uint8, base int) (nan bool) {
	kern.RaceWrite(dst)
	kern.RaceRead(x)
	kern.RaceRead(grades)
	if cpu.UseNEON {
		return rankGradesF32NEON(dst, x, grades, base)
	}
	return rankGradesF32Generic(dst, x, grades, base)
}

//go:noescape
func rankGradesF32NEON(dst []int64, x []float32, grades []uint8, base int) (nan bool)

func thresholdF32(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	kern.RaceWrite(lanes[:])
	kern.RaceRead(x)
	if cpu.UseNEON {
		nan = thresholdF32NEON(lanes, x)
		t, _ = thresholdF32Generic(lanes, nil, k)
		return t, nan
	}
	return thresholdF32Generic(lanes, x, k)
}

//go:noescape
func thresholdF32NEON(lanes *[16]float32, x []float32) (nan bool)

func selectKeysF32(dst []int64, x []float32, t float32, base int) int {
	kern.RaceWrite(dst[:len(x)])
	kern.RaceRead(x)
	if cpu.UseNEON {
		return selectKeysF32NEON(dst, x, t, base)
	}
	return selectKeysF32Generic(dst, x, t, base)
}

//go:noescape
func selectKeysF32NEON(dst []int64, x []float32, t float32, base int) int

func countLevelsU8(counts *[16]int64, x []uint8, levels int) (others int64) {
	kern.RaceWrite(counts[:])
	kern.RaceRead(x)
	if cpu.UseNEON {
		return countLevelsU8NEON(counts, x, levels)
	}
	return countLevelsU8Generic(counts, x, levels)
}

//go:noescape
func countLevelsU8NEON(counts *[16]int64, x []uint8, levels int) (others int64)

func bestGainsF32(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64,
	k int) (nan, ok bool) {
	kern.RaceWrite(dst[:])
	kern.RaceWrite(keys)
	kern.RaceRead(x)
	kern.RaceRead(grades)
	kern.RaceRead(gains[:])
	if cpu.UseNEON && len(x) >= 8 {
		if nan, ok = bestGainsF32NEON(dst, keys, x, grades, gains, k); nan || ok {
			return nan, ok
		}
	}
	return bestGainsF32Generic(dst, keys, x, grades, gains, k)
}

//go:noescape
func bestGainsF32NEON(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64, k int) (nan, ok bool)

func rankGainsF32(dst []float64, keys, tmp []int64, x []float32, grades []uint8,
	gains *[16]float64) (nan, ok bool) {
	if cpu.UseNEON && len(x) >= 8 && len(x) <= 128 {
		kern.RaceWrite(dst)
		kern.RaceRead(x)
		kern.RaceRead(grades)
		kern.RaceRead(gains[:])
		if rankGainsF32NEON(dst, x, grades, gains) {
			return false, true
		}
	}
	return rankGainsF32Generic(dst, keys, tmp, x, grades, gains)
}

//go:noescape
func rankGainsF32NEON(dst []float64, x []float32, grades []uint8, gains *[16]float64) (ok bool)

// frontI32 contains a permutation of bytes for each set of lanes, given as bits. The permutation
// moves these lanes to the front. The last row contains the number of lanes in each set.
//
//lint:ignore U1000 the assembly reads it
var frontI32 = func() (t [17][16]uint8) {
	for set := range 16 {
		k := uint8(0)
		for lane := range uint8(4) {
			if set>>lane&1 != 0 {
				for b := range uint8(4) {
					t[set][4*k+b] = 4*lane + b
				}
				k++
			}
		}
		t[16][set] = k
	}
	return t
}()

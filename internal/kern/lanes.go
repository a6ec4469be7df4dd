package kern

import "math"

// This file contains parts of the plain Go kernels.

// ClearLanes sets all lanes to −0, which is neutral in sums.
func ClearLanes[T float32 | float64](lane []T) {
	for k := range lane {
		lane[k] = T(math.Copysign(0, -1))
	}
}

// SumLanesF64 returns the sum of the lanes of a dot product.
func SumLanesF64(lane *[32]float64) float64 {
	var s [8]float64
	for k := range s {
		s[k] = (lane[k] + lane[8+k]) + (lane[16+k] + lane[24+k])
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// SumLanesF32 is like SumLanesF64 but for the 64 lanes of float32.
func SumLanesF32(lane *[64]float32) float32 {
	var s [16]float32
	for k := range s {
		s[k] = (lane[k] + lane[16+k]) + (lane[32+k] + lane[48+k])
	}
	for half := 8; half > 0; half /= 2 {
		for k := range half {
			s[k] += s[half+k]
		}
	}
	return s[0]
}

// The plain Go kernels compute a fused multiply-add of float32 in float64: the product is exact,
// the sum is rounded to float64, and the result is rounded to float32. This is wrong only if the
// first rounding results in the midpoint of two float32 values. In this case, the sum must be
// rounded to odd (Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums"), after
// which the second rounding is correct. Loops contain this code explicitly, because a function
// would be too large to be inlined.

// IsMidpoint reports whether s lies halfway between two float32 values: its last 28 bits are clear
// and the next one is set. It may also return true if s is zero or below the normal float32 range,
// which it does not check.
func IsMidpoint(s float64) bool {
	const normal = (1023 - 126) << 52 // bits of the smallest normal float32
	u := math.Float64bits(s)
	return u&(1<<28-1) == 0 && (u>>28&1 != 0 || u<<1 < 2*normal)
}

// RoundToOdd returns p + z rounded to odd. s is p + z rounded to nearest, and its last bit is even.
func RoundToOdd(p, z, s float64) float64 {
	b := s - p
	err := (p - (s - b)) + (z - b) // exact error of the sum (Knuth's TwoSum)
	if err == 0 {
		return s
	}
	if err > 0 == (s > 0) {
		return math.Float64frombits(math.Float64bits(s) + 1)
	}
	return math.Float64frombits(math.Float64bits(s) - 1)
}

package kernels

import "math"

// Plain Go: the reference that the assembly is tested against and the code of
// every other architecture. Products that are meant to be rounded are
// converted, as in float64(x*y) + z: some compilers fuse x*y + z otherwise.

// dotF64Generic returns the dot product of one block, in the order that [DotF64]
// documents.
func dotF64Generic(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	var lane [32]float64
	for k := range lane {
		lane[k] = math.Copysign(0, -1)
	}
	y = y[:len(x)]
	for i := range x {
		l := &lane[i%32]
		*l = math.FMA(x[i], y[i], *l)
	}
	return sumLanesF64(&lane)
}

// sumLanesF64 adds the lanes of a dot product up.
func sumLanesF64(lane *[32]float64) float64 {
	var s [8]float64
	for k := range s {
		s[k] = (lane[k] + lane[8+k]) + (lane[16+k] + lane[24+k])
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func dotF32Generic(x, y []float32) float32 {
	if len(x) == 0 {
		return 0
	}
	var lane [64]float32
	for k := range lane {
		lane[k] = float32(math.Copysign(0, -1))
	}
	y = y[:len(x)]
	for i := range x {
		l := &lane[i%64]
		*l = fmaF32(x[i], y[i], *l)
	}
	return sumLanesF32(&lane)
}

func sumLanesF32(lane *[64]float32) float32 {
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

func dotF32WideGeneric(x, y []float32) float64 {
	if len(x) == 0 {
		return 0
	}
	var lane [32]float64
	for k := range lane {
		lane[k] = math.Copysign(0, -1)
	}
	y = y[:len(x)]
	for i := range x {
		// The product of two float32 is exact in float64: fused or not is the same.
		lane[i%32] += float64(float64(x[i]) * float64(y[i]))
	}
	return sumLanesF64(&lane)
}

func axpyF64Generic(alpha float64, x, y []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] = math.FMA(alpha, x[i], y[i])
	}
}

func axpyF32Generic(alpha float32, x, y []float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] = fmaF32(alpha, x[i], y[i])
	}
}

func axpyDiffF64Generic(alpha float64, a, b, y []float64) {
	a, b = a[:len(y)], b[:len(y)]
	for i := range y {
		y[i] = math.FMA(alpha, a[i]-b[i], y[i])
	}
}

func axpyDiffF32Generic(alpha float32, a, b, y []float32) {
	a, b = a[:len(y)], b[:len(y)]
	for i := range y {
		y[i] = fmaF32(alpha, a[i]-b[i], y[i])
	}
}

func gemvF64Generic(dst, a []float64, rows, cols, stride int, x []float64) {
	for i := range rows {
		dst[i] = dotF64Generic(a[i*stride:i*stride+cols], x)
	}
}

func gemvF32Generic(dst, a []float32, rows, cols, stride int, x []float32) {
	for i := range rows {
		dst[i] = dotF32Generic(a[i*stride:i*stride+cols], x)
	}
}

func gemvF32WideGeneric(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	for i := range rows {
		dst[i] = dotMixedGeneric(a[i*stride:i*stride+cols], x)
	}
}

// dotMixedGeneric is dotF64Generic with x converted to float64.
func dotMixedGeneric(x []float32, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	var lane [32]float64
	for k := range lane {
		lane[k] = math.Copysign(0, -1)
	}
	y = y[:len(x)]
	for i := range x {
		l := &lane[i%32]
		*l = math.FMA(float64(x[i]), y[i], *l)
	}
	return sumLanesF64(&lane)
}

func gemvTF64Generic(dst, a []float64, rows, cols, stride int, c []float64) {
	for i := range rows {
		axpyF64Generic(c[i], a[i*stride:i*stride+cols], dst)
	}
}

func gemvTF32Generic(dst, a []float32, rows, cols, stride int, c []float32) {
	for i := range rows {
		axpyF32Generic(c[i], a[i*stride:i*stride+cols], dst)
	}
}

func gemvTF32WideGeneric(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	for i := range rows {
		row, ci := a[i*stride:i*stride+cols], c[i]
		for j := range row {
			dst[j] = math.FMA(ci, float64(row[j]), dst[j])
		}
	}
}

// fmaF32 returns x·y + z rounded once to float32. The product is exact in
// float64; rounding the sum to float64 and then to float32 goes wrong only
// when the first rounding lands on the midpoint of two float32 values, which has its last
// 28 bits clear (midpoints of subnormals have more). Then the sum is rounded to
// odd instead (Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums"), after which the second rounding is right.
func fmaF32(x, y, z float32) float32 {
	p := float64(float64(x) * float64(y))
	s := p + float64(z)
	if math.Float64bits(s)&(1<<28-1) == 0 {
		s = roundToOdd(p, float64(z), s)
	}
	return float32(s)
}

// roundToOdd returns p + z rounded to odd, for s = p + z rounded to nearest
// with an even last bit.
func roundToOdd(p, z, s float64) float64 {
	b := s - p
	err := (p - (s - b)) + (z - b) // exact (Knuth's TwoSum); NaN when s is not finite
	switch {
	case err > 0 == (s > 0) && err != 0 && err == err:
		return math.Float64frombits(math.Float64bits(s) + 1)
	case err != 0 && err == err:
		return math.Float64frombits(math.Float64bits(s) - 1)
	}
	return s
}

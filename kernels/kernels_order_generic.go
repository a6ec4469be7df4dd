package kernels

import (
	"cmp"
	"math"
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
		dst[i] = floatKey(float32(v))
	}
}

func floatKeysF32Generic(dst []int32, x []float32) (nan bool) {
	for i, v := range x {
		dst[i] = floatKey(v)
		nan = nan || v != v
	}
	return nan
}

// floatKey orders float32 as their values; −0 is +0.
func floatKey(v float32) int32 {
	b := int32(math.Float32bits(v + 0))
	return b ^ b>>31&math.MaxInt32
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

// compare returns −1, 0 or 1.
func compare[T cmp.Ordered](a, b T) (c int64) {
	if a > b {
		c = 1
	}
	if a < b {
		c = -1
	}
	return c
}

// mergeRun is the length up to which insertion beats merging.
const mergeRun = 12

// mergeCountGeneric is the top-down merge sort of Knight (1966): each element
// taken from the right half jumps over all that are left of the left half.
func mergeCountGeneric[T cmp.Ordered](a, tmp []T) int64 {
	if len(a) <= mergeRun {
		return insertionCount(a)
	}
	m := len(a) / 2
	inv := mergeCountGeneric(a[:m], tmp[:m]) + mergeCountGeneric(a[m:], tmp[m:])
	if a[m-1] <= a[m] {
		return inv
	}
	left := tmp[:m]
	copy(left, a[:m])
	i, j, k := 0, m, 0
	for i < m && j < len(a) {
		if a[j] < left[i] {
			a[k] = a[j]
			j++
			inv += int64(m - i)
		} else {
			a[k] = left[i]
			i++
		}
		k++
	}
	copy(a[k:], left[i:])
	return inv
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

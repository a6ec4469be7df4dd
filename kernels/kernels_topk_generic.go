package kernels

import (
	"slices"
)

func rankKeysF32Generic(dst []int64, x []float32, base int) (nan bool) {
	for i, v := range x {
		dst[i] = int64(descending(v))<<32 | int64(base+i)
		nan = nan || v != v
	}
	return nan
}

func thresholdF32Generic(lanes *[16]float32, x []float32, k int) (t float32, nan bool) {
	for i, v := range x {
		if v > lanes[i%16] {
			lanes[i%16] = v
		}
		nan = nan || v != v
	}
	for i := range lanes {
		lanes[i] += 0 // −0 becomes +0
	}
	s := *lanes
	for i := 1; i < len(s); i++ { // by insertion, descending
		v, j := s[i], i
		for ; j > 0 && v > s[j-1]; j-- {
			s[j] = s[j-1]
		}
		s[j] = v
	}
	return s[k-1], nan
}

func selectKeysF32Generic(dst []int64, x []float32, t float32, base int) int {
	n := 0
	for i, v := range x {
		if v >= t {
			dst[n] = int64(descending(v))<<32 | int64(base+i)
			n++
		}
	}
	return n
}

func countLevelsU8Generic(counts *[16]int64, x []uint8, levels int) (others int64) {
	// Four histograms: adjacent equal elements do not wait for each other.
	var h [4][256]int32
	for ; len(x) >= 4; x = x[4:] {
		h[0][x[0]]++
		h[1][x[1]]++
		h[2][x[2]]++
		h[3][x[3]]++
	}
	for _, v := range x {
		h[0][v]++
	}
	for l := range h[0] {
		n := int64(h[0][l]) + int64(h[1][l]) + int64(h[2][l]) + int64(h[3][l])
		if l < levels {
			counts[l] += n
		} else {
			others += n
		}
	}
	return others
}

// sortKeysGeneric sorts by insertion, or by digits of the upper half from the lowest (LSD
// radix sort): stable, so that the indices of equal values, which ascend at first, stay in order. It therefore asks for
// keys whose lower halves ascend, or sorts them as other numbers when they do not.
func sortKeysGeneric(keys, tmp []int64) {
	n := len(keys)
	if n <= 24 {
		insertionCount(keys)
		return
	}
	for i := 1; i < n; i++ {
		if uint32(keys[i-1]) > uint32(keys[i]) {
			slices.Sort(keys)
			return
		}
	}
	digit := 4 // bits: more keys pay for larger tables
	switch {
	case n > 1500:
		digit = 11
	case n > 200:
		digit = 8
	}
	var table [1 << 11]int32
	mask := uint64(1)<<digit - 1
	all, any := ^int64(0), int64(0)
	for _, k := range keys {
		all &= k
		any |= k
	}
	differ := uint64(all ^ any)
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
	if n > 0 && &src[0] != &keys[0] {
		copy(keys, src)
	}
}

// bucket returns the bits of a key from shift on, in the order of unsigned numbers.
func bucket(key int64, shift int) uint64 { return (uint64(key) ^ 1<<63) >> (shift & 63) }

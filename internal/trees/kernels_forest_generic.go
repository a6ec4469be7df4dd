package trees

import (
	"math"
	"math/bits"

	"github.com/simdrank/simdrank/internal/kern"
)

func forestColumnsF32Generic(dst, x []float32, rows, cols, stride int) {
	for lo := 0; lo < cols; lo += 16 { // copy few columns at a time, so that their cache lines stay in the cache
		hi := min(lo+16, cols)
		for i := range rows {
			at := dst[lo*ForestRows+i:]
			for j, v := range x[i*stride+lo : i*stride+hi] {
				at[j*ForestRows] = v
			}
		}
	}
	for j := range cols {
		clear(dst[j*ForestRows:][rows : (rows+63)&^63])
	}
}

func forestTestsF32Generic(dst []uint64, values, thresholds []float32) {
	clear(dst)
	for ; len(thresholds) > 0; thresholds = thresholds[min(255, len(thresholds)):] {
		n := min(255, len(thresholds))
		var table [256]int32
		for j := range table {
			table[j] = math.MaxInt32
		}
		for j, t := range thresholds[:n] {
			table[j] = kern.FloatKey(t)
		}
		for w := range len(values) / 64 {
			forestTestKeys(dst[w:n*ForestWords], (*[64]float32)(values[64*w:]), &table, n)
		}
		dst = dst[n*ForestWords:]
	}
}

// forestKey returns an integer key that has the same order as the values. NaN has the largest key.
func forestKey(v float32) int32 {
	if v != v {
		return math.MaxInt32
	}
	return kern.FloatKey(v)
}

// forestTestKeys sets the first word of a row for each of n threshold keys. The table is padded
// with the key of NaN. A search finds the first test that each document passes, and the bit is set
// in its row. All later rows include the bits of earlier rows.
func forestTestKeys(dst []uint64, values *[64]float32, table *[256]int32, n int) {
	var keys [len(values)]int32
	for i, v := range values {
		keys[i] = forestKey(v)
	}
	var first [len(values)]uint8
	for step := uint8(1) << (bits.Len(uint(n)) - 1); step > 0; step /= 2 {
		for i := range first {
			above := int64(table[first[i]+step-1]) - int64(keys[i])
			first[i] += step & uint8(above>>63)
		}
	}
	for i, j := range first {
		if at := int(j) * ForestWords; at < len(dst) {
			dst[at] |= 1 << i
		}
	}
	for at := ForestWords; at < len(dst); at += ForestWords {
		dst[at] |= dst[at-ForestWords]
	}
}

func forestTransposeGeneric(rows []uint64, words int) {
	for ; len(rows) > 0; rows = rows[64*ForestWords:] {
		for w := range words {
			var m [64]uint64
			for i := range m {
				m[i] = rows[i*ForestWords+w]
			}
			swapBits(&m, 32, 1<<32-1)
			swapBits(&m, 16, 0x0000ffff0000ffff)
			swapBits(&m, 8, 0x00ff00ff00ff00ff)
			swapBits(&m, 4, 0x0f0f0f0f0f0f0f0f)
			swapBits(&m, 2, 0x3333333333333333)
			swapBits(&m, 1, 0x5555555555555555)
			for i, word := range m {
				rows[i*ForestWords+w] = word
			}
		}
	}
}

// swapBits swaps the upper n of every 2n bits of a word with the lower n bits of the word n places
// after it. low is a mask of the lower n of every 2n bits.
func swapBits(m *[64]uint64, n int, low uint64) {
	for first := 0; first < 64; first += 2 * n {
		a, b := m[first:first+n], m[first+n:][:n]
		for i, v := range a {
			t := (v>>(n&63) ^ b[i]) & low
			b[i] ^= t
			a[i] = v ^ t<<(n&63)
		}
	}
}

func forestSelectGeneric(rows []uint64, ops []uint32) {
	for ; len(ops) >= 4; ops = ops[4:] {
		to := (*[ForestWords]uint64)(rows[ops[0]:])
		test := (*[ForestWords]uint64)(rows[ops[1]:])
		yes := (*[ForestWords]uint64)(rows[ops[2]:])
		no := (*[ForestWords]uint64)(rows[ops[3]:])
		for w := range to {
			to[w] = no[w] ^ test[w]&(no[w]^yes[w])
		}
	}
}

func forestAddF64Generic(scores []float64, planes []uint64, trees []uint8, leaves []float64) {
	for _, n := range trees {
		leaf := leaves[:1<<n]
		for w := range len(scores) / 64 {
			var word [16]uint64
			for b := range int(n) {
				word[b] = planes[b*ForestWords+w]
			}
			sum := (*[64]float64)(scores[64*w:])
			for i := 0; i < 64; i += 8 {
				low, high := bitColumns((*[8]uint64)(word[:8]), i), uint64(0)
				if n > 8 {
					high = bitColumns((*[8]uint64)(word[8:]), i)
				}
				for k := range 8 {
					sum[i+k] += leaf[int(low>>(8*k)&255|high>>(8*k)&255<<8)&(len(leaf)-1)]
				}
			}
		}
		planes, leaves = planes[ForestWords*int(n):], leaves[1<<n:]
	}
}

// bitColumns returns bits i to i+7 of the words as bytes. Bit b of byte k is bit i+k of word b.
func bitColumns(words *[8]uint64, i int) uint64 {
	x := words[0]>>i&255 | words[1]>>i&255<<8 | words[2]>>i&255<<16 | words[3]>>i&255<<24 |
		words[4]>>i&255<<32 | words[5]>>i&255<<40 | words[6]>>i&255<<48 | words[7]>>i<<56
	// Transpose an 8×8 bit matrix: first elements, then blocks of 2×2 and of 4×4.
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

package order

import (
	"encoding/binary"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
)

const (
	// UnjudgedGrade is the grade of unjudged documents.
	UnjudgedGrade = 255
	// FoldedGrade is the result of [FoldU8] for unjudged documents. It is the highest grade that
	// all kernels accept.
	FoldedGrade = 14
)

// FoldU8 sets dst[i] to FoldedGrade if grades[i] is 128 or more, and to grades[i] otherwise. It
// returns true if FoldedGrade then means only UnjudgedGrade, because each grade is either below
// FoldedGrade or UnjudgedGrade.
func FoldU8(dst, grades []uint8) (ok bool) {
	const (
		word  = 8
		ones  = 0x0101010101010101
		tops  = 0x80 * ones
		above = (0x80 - FoldedGrade) * ones // a byte + above has its top bit set if the byte ≥ FoldedGrade
	)
	if len(dst) != len(grades) {
		panic(kern.Lengths("FoldU8: len(dst) and len(grades) differ: %d and %d", len(dst), len(grades)))
	}
	n := len(grades)
	if n < word {
		ok = true
		for i, g := range grades {
			ok = ok && (g < FoldedGrade || g == UnjudgedGrade)
			if dst[i] = g; g >= 128 {
				dst[i] = FoldedGrade
			}
		}
		return ok
	}
	wrong := uint64(0)
	for i := 0; i < n; i += word {
		at := min(i, n-word) // the last word may overlap the previous one
		w := binary.LittleEndian.Uint64(grades[at:])
		top := w & tops
		marked := top >> 7 * UnjudgedGrade
		wrong |= marked&^w | (w&^tops+above)&tops&^top
		binary.LittleEndian.PutUint64(dst[at:], w&^marked|marked&(FoldedGrade*ones))
	}
	return wrong == 0
}

// AppendCountsF64 appends values[g] counts[g] times for each g from the last to the first, until
// dst has most elements. From the counts of grades it computes the gains of an ideal ranking. It
// may overwrite elements beyond the length of the result, within the capacity of dst.
func AppendCountsF64(dst []float64, values []float64, counts []int64, most int) []float64 {
	const step = 8 // number of elements that are written at a time
	at := len(dst)
	end := at
	for _, n := range counts {
		end += int(n)
	}
	end = min(end, most)
	if end <= at {
		return dst
	}
	dst = slices.Grow(dst, end-at+step)[:end+step]
	for g := len(counts) - 1; g >= 0 && at < end; g-- {
		v := values[g]
		same := [step]float64{v, v, v, v, v, v, v, v}
		next := min(at+int(counts[g]), end)
		for ; at < next; at += step {
			*(*[step]float64)(dst[at:]) = same
		}
		at = next
	}
	return dst[:end]
}

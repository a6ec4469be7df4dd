//go:build !purego

package order

import (
	"math/bits"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func scanF64AVX2(x []float64) (lo, hi float64, flags uint64)

//go:noescape
func scanF64AVX512(x []float64) (lo, hi float64, flags uint64)

func scanF64(x []float64) (lo, hi float64, flags uint64) {
	kern.RaceRead(x)
	switch {
	case cpu.UseAVX512:
		return scanF64AVX512(x)
	case cpu.UseAVX2:
		return scanF64AVX2(x)
	}
	return scanF64Generic(x)
}

//go:noescape
func linearKeysF64AVX2(dst []int32, x []float64, mid, scale float64)

//go:noescape
func linearKeysF64AVX512(dst []int32, x []float64, mid, scale float64)

func linearKeysF64(dst []int32, x []float64, mid, scale float64) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		linearKeysF64AVX512(dst, x, mid, scale)
	case cpu.UseAVX2:
		linearKeysF64AVX2(dst, x, mid, scale)
	default:
		linearKeysF64Generic(dst, x, mid, scale)
	}
}

//go:noescape
func floatKeysF64AVX2(dst []int32, x []float64)

//go:noescape
func floatKeysF64AVX512(dst []int32, x []float64)

func floatKeysF64(dst []int32, x []float64) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		floatKeysF64AVX512(dst, x)
	case cpu.UseAVX2:
		floatKeysF64AVX2(dst, x)
	default:
		floatKeysF64Generic(dst, x)
	}
}

//go:noescape
func floatKeysF32AVX2(dst []int32, x []float32) (nan bool)

//go:noescape
func floatKeysF32AVX512(dst []int32, x []float32) (nan bool)

func floatKeysF32(dst []int32, x []float32) (nan bool) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		return floatKeysF32AVX512(dst, x)
	case cpu.UseAVX2:
		return floatKeysF32AVX2(dst, x)
	}
	return floatKeysF32Generic(dst, x)
}

//go:noescape
func packKeysAVX2(dst []int64, x, y []int32)

//go:noescape
func packKeysAVX512(dst []int64, x, y []int32)

func packKeys(dst []int64, x, y []int32) {
	kern.RaceRead(x)
	kern.RaceRead(y)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		packKeysAVX512(dst, x, y)
	case cpu.UseAVX2:
		packKeysAVX2(dst, x, y)
	default:
		packKeysGeneric(dst, x, y)
	}
}

//go:noescape
func partitionI64AVX2(lo, hi, src []int64, pivot int64) int

//go:noescape
func partitionI64AVX512(lo, hi, src []int64, pivot int64) int

func partitionI64(lo, hi, src []int64, pivot int64) int {
	kern.RaceRead(src)
	kern.RaceWrite(lo[:len(src)])
	kern.RaceWrite(hi[:len(src)])
	switch {
	case cpu.UseAVX512:
		return partitionI64AVX512(lo, hi, src, pivot)
	case cpu.UseAVX2:
		return partitionI64AVX2(lo, hi, src, pivot)
	}
	return partitionI64Generic(lo, hi, src, pivot)
}

//go:noescape
func tallyI64AVX2(cells []uint32, keys []int64, lo int64, shift int)

func tallyI64(cells []uint32, keys []int64, lo int64, shift int) {
	kern.RaceRead(keys)
	kern.RaceWrite(cells)
	if cpu.UseAVX512 || cpu.UseAVX2 {
		tallyI64AVX2(cells, keys, lo, shift)
		return
	}
	tallyI64Generic(cells, keys, lo, shift)
}

//go:noescape
func moveI64AVX2(dst []int64, cells []uint32, keys []int64, lo int64, shift int)

func moveI64(dst []int64, cells []uint32, keys []int64, lo int64, shift int) {
	kern.RaceRead(keys)
	kern.RaceWrite(cells)
	kern.RaceWrite(dst)
	if cpu.UseAVX512 || cpu.UseAVX2 {
		moveI64AVX2(dst, cells, keys, lo, shift)
		return
	}
	moveI64Generic(dst, cells, keys, lo, shift)
}

//go:noescape
func sortI64AVX2(dst, src []int64)

//go:noescape
func sortI64AVX512(dst, src []int64)

func sortI64(dst, src []int64) {
	kern.RaceRead(src)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		sortI64AVX512(dst, src)
	case cpu.UseAVX2:
		sortI64AVX2(dst, src)
	default:
		sortI64Generic(dst, src)
	}
}

//go:noescape
func splitKeysAVX2(y []int32, newX, newKey []uint8, keys []int64)

//go:noescape
func splitKeysAVX512(y []int32, newX, newKey []uint8, keys []int64)

func splitKeys(y []int32, newX, newKey []uint8, keys []int64) {
	kern.RaceRead(keys)
	kern.RaceWrite(y)
	kern.RaceWrite(newX[:(len(y)+7)/8])
	kern.RaceWrite(newKey[:(len(y)+7)/8])
	switch {
	case cpu.UseAVX512:
		splitKeysAVX512(y, newX, newKey, keys)
	case cpu.UseAVX2:
		splitKeysAVX2(y, newX, newKey, keys)
	default:
		splitKeysGeneric(y, newX, newKey, keys)
	}
}

//go:noescape
func partitionCountI32AVX2(lo, hi, src []int32, pivot int32) (n int, positions int64)

//go:noescape
func partitionCountI32AVX512(lo, hi, src []int32, pivot int32) (n int, positions int64)

func partitionCountI32(lo, hi, src []int32, pivot int32) (n int, positions int64) {
	kern.RaceRead(src)
	kern.RaceWrite(lo[:len(src)])
	kern.RaceWrite(hi[:len(src)])
	switch {
	case cpu.UseAVX512:
		return partitionCountI32AVX512(lo, hi, src, pivot)
	case cpu.UseAVX2:
		return partitionCountI32AVX2(lo, hi, src, pivot)
	}
	return partitionCountI32Generic(lo, hi, src, pivot)
}

//go:noescape
func inversionsI32AVX2(a []int32) (inversions, equal int64)

//go:noescape
func inversionsI32AVX512(a []int32) (inversions, equal int64)

func inversionsI32(a []int32) (inversions, equal int64) {
	kern.RaceRead(a)
	switch {
	case cpu.UseAVX512:
		return inversionsI32AVX512(a)
	case cpu.UseAVX2:
		return inversionsI32AVX2(a)
	}
	return inversionsI32Generic(a)
}

//go:noescape
func countPairsF64AVX2(x, y []float64) (concordant, discordant, untiedX, untiedY int64)

//go:noescape
func countPairsF64AVX512(x, y []float64) (concordant, discordant, untiedX, untiedY int64)

func countPairsF64(x, y []float64) (concordant, discordant, untiedX, untiedY int64) {
	kern.RaceRead(x)
	kern.RaceRead(y)
	switch {
	case cpu.UseAVX512:
		return countPairsF64AVX512(x, y)
	case cpu.UseAVX2:
		return countPairsF64AVX2(x, y)
	}
	return countPairsF64Generic(x, y)
}

//go:noescape
func filterI32AVX2(dst, keys []int32, filter []uint64) int

//go:noescape
func filterI32AVX512(dst, keys []int32, filter []uint64) int

func filterI32(dst, keys []int32, filter []uint64) int {
	kern.RaceRead(keys)
	kern.RaceRead(filter)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		return filterI32AVX512(dst, keys, filter)
	case cpu.UseAVX2:
		return filterI32AVX2(dst, keys, filter)
	}
	return filterI32Generic(dst, keys, filter)
}

func mergeKeys(keys []int64) {
	if cpu.UseAVX512 {
		kern.RaceWrite(keys)
		mergeKeysAVX512(keys)
		return
	}
	mergeKeysGeneric(keys)
}

//go:noescape
func mergeKeysAVX512(keys []int64)

func sortKeys(keys, tmp []int64) {
	switch {
	case cpu.UseAVX512:
		quickSortKeys(keys, tmp, keys, 2*LeafLen, 2*bits.Len(uint(len(keys))))
	case cpu.UseAVX2:
		quickSortKeys(keys, tmp, keys, LeafLen, 2*bits.Len(uint(len(keys))))
	default:
		sortKeysGeneric(keys, tmp)
	}
}

// frontI64 and frontI32 hold, for each set of lanes as bits, the permutation of dwords that brings
// these lanes to the front, for the AVX2 partitions and the selection of keys.
var (
	//lint:ignore U1000 the assembly reads it
	frontI64 = func() (t [16][8]uint32) {
		for set := range t {
			k := 0
			for lane := range uint32(4) {
				if set>>lane&1 != 0 {
					t[set][k], t[set][k+1] = 2*lane, 2*lane+1
					k += 2
				}
			}
		}
		return t
	}()
	//lint:ignore U1000 the assembly reads it
	frontI32 = func() (t [256][8]uint8) {
		for set := range t {
			k := 0
			for lane := range uint8(8) {
				if set>>lane&1 != 0 {
					t[set][k] = lane
					k++
				}
			}
		}
		return t
	}()
)

//go:build !purego

package order

import (
	"math/bits"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func scanF64NEON(x []float64) (lo, hi float64, flags uint64)

func scanF64(x []float64) (lo, hi float64, flags uint64) {
	kern.RaceRead(x)
	if cpu.UseNEON {
		return scanF64NEON(x)
	}
	return scanF64Generic(x)
}

//go:noescape
func linearKeysF64NEON(dst []int32, x []float64, mid, scale float64)

func linearKeysF64(dst []int32, x []float64, mid, scale float64) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		linearKeysF64NEON(dst, x, mid, scale)
		return
	}
	linearKeysF64Generic(dst, x, mid, scale)
}

//go:noescape
func floatKeysF64NEON(dst []int32, x []float64)

func floatKeysF64(dst []int32, x []float64) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		floatKeysF64NEON(dst, x)
		return
	}
	floatKeysF64Generic(dst, x)
}

//go:noescape
func floatKeysF32NEON(dst []int32, x []float32) (nan bool)

func floatKeysF32(dst []int32, x []float32) (nan bool) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		return floatKeysF32NEON(dst, x)
	}
	return floatKeysF32Generic(dst, x)
}

//go:noescape
func packKeysNEON(dst []int64, x, y []int32)

func packKeys(dst []int64, x, y []int32) {
	kern.RaceRead(x)
	kern.RaceRead(y)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		packKeysNEON(dst, x, y)
		return
	}
	packKeysGeneric(dst, x, y)
}

//go:noescape
func partitionI64NEON(lo, hi, src []int64, pivot int64) int

func partitionI64(lo, hi, src []int64, pivot int64) int {
	kern.RaceRead(src)
	kern.RaceWrite(lo[:len(src)])
	kern.RaceWrite(hi[:len(src)])
	if cpu.UseNEON {
		return partitionI64NEON(lo, hi, src, pivot)
	}
	return partitionI64Generic(lo, hi, src, pivot)
}

//go:noescape
func tallyI64NEON(cells []uint32, keys []int64, lo int64, shift int)

func tallyI64(cells []uint32, keys []int64, lo int64, shift int) {
	kern.RaceRead(keys)
	kern.RaceWrite(cells)
	if cpu.UseNEON {
		tallyI64NEON(cells, keys, lo, shift)
		return
	}
	tallyI64Generic(cells, keys, lo, shift)
}

//go:noescape
func moveI64NEON(dst []int64, cells []uint32, keys []int64, lo int64, shift int)

func moveI64(dst []int64, cells []uint32, keys []int64, lo int64, shift int) {
	kern.RaceRead(keys)
	kern.RaceWrite(cells)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		moveI64NEON(dst, cells, keys, lo, shift)
		return
	}
	moveI64Generic(dst, cells, keys, lo, shift)
}

//go:noescape
func sortI64NEON(dst, src []int64)

func sortI64(dst, src []int64) {
	kern.RaceRead(src)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		sortI64NEON(dst, src)
		return
	}
	sortI64Generic(dst, src)
}

//go:noescape
func splitKeysNEON(y []int32, newX, newKey []uint8, keys []int64)

func splitKeys(y []int32, newX, newKey []uint8, keys []int64) {
	kern.RaceRead(keys)
	kern.RaceWrite(y)
	kern.RaceWrite(newX[:(len(y)+7)/8])
	kern.RaceWrite(newKey[:(len(y)+7)/8])
	if cpu.UseNEON {
		splitKeysNEON(y, newX, newKey, keys)
		return
	}
	splitKeysGeneric(y, newX, newKey, keys)
}

//go:noescape
func partitionCountI32NEON(lo, hi, src []int32, pivot int32) (n int, positions int64)

func partitionCountI32(lo, hi, src []int32, pivot int32) (n int, positions int64) {
	kern.RaceRead(src)
	kern.RaceWrite(lo[:len(src)])
	kern.RaceWrite(hi[:len(src)])
	if cpu.UseNEON {
		return partitionCountI32NEON(lo, hi, src, pivot)
	}
	return partitionCountI32Generic(lo, hi, src, pivot)
}

//go:noescape
func inversionsI32NEON(a []int32) (inversions, equal int64)

func inversionsI32(a []int32) (inversions, equal int64) {
	kern.RaceRead(a)
	if cpu.UseNEON {
		return inversionsI32NEON(a)
	}
	return inversionsI32Generic(a)
}

//go:noescape
func countPairsF64NEON(x, y []float64) (concordant, discordant, untiedX, untiedY int64)

func countPairsF64(x, y []float64) (concordant, discordant, untiedX, untiedY int64) {
	kern.RaceRead(x)
	kern.RaceRead(y)
	if cpu.UseNEON {
		return countPairsF64NEON(x, y)
	}
	return countPairsF64Generic(x, y)
}

//go:noescape
func filterI32NEON(dst, keys []int32, filter []uint64) int

func filterI32(dst, keys []int32, filter []uint64) int {
	kern.RaceRead(keys)
	kern.RaceRead(filter)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		return filterI32NEON(dst, keys, filter)
	}
	return filterI32Generic(dst, keys, filter)
}

// sortKeys uses plain Go for many keys. According to llvm-mca, a quicksort of 128 to 1024 keys
// takes 7 to 10 cycles per key on neoverse-v2, where a bucket sort takes 16 to 22. For more keys,
// the further partitions of a quicksort cost as much as the digits of a radix sort.
func sortKeys(keys, tmp []int64) {
	if cpu.UseNEON && len(keys) <= someKeys {
		quickSortKeys(keys, tmp, keys, LeafLen, 2*bits.Len(uint(len(keys))))
		return
	}
	sortKeysGeneric(keys, tmp)
}

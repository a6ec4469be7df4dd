package rank

import (
	"syscall"
	"unsafe"
)

// newFeatures returns a matrix of zeros. A large one asks for pages of 2 MiB, which
// cost fewer faults when it is filled and fewer misses of the TLB when it is swept.
func newFeatures(values int) []float32 {
	x := make([]float32, values)
	const page, huge = 4 << 10, 2 << 20
	if size := 4 * values; size >= 4*huge {
		start := -uintptr(unsafe.Pointer(&x[0])) & (page - 1)
		b := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), size)
		b = b[start : start+(uintptr(size)-start)&^(page-1)]
		// Advice only: an error changes nothing.
		_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE)
	}
	return x
}

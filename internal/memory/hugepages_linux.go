package memory

import (
	"syscall"
	"unsafe"
)

func advise(p unsafe.Pointer, size uintptr) {
	const page, huge = 4 << 10, 2 << 20
	if size < 2*huge { // at most one whole one
		return
	}
	start := -uintptr(p) & (page - 1)
	b := unsafe.Slice((*byte)(p), size)
	b = b[start : start+(size-start)&^(page-1)]
	// Advice only: an error changes nothing.
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE)
}

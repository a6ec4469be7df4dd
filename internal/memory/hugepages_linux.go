package memory

import (
	"syscall"
	"unsafe"
)

func advise(p unsafe.Pointer, size uintptr) {
	const page, huge = 4 << 10, 2 << 20
	if size < 2*huge { // contains at most one whole huge page
		return
	}
	start := -uintptr(p) & (page - 1)
	b := unsafe.Slice((*byte)(p), size)
	b = b[start : start+(size-start)&^(page-1)]
	// This is only advice, so an error has no consequence.
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE)
}

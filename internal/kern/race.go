//go:build race

package kern

import (
	"runtime"
	"unsafe"
)

// Race reports whether the race detector is enabled. It does not see the memory accesses of
// assembly, so the exported function or the dispatch reports them with the functions below.
const Race = true

// RaceRead tells the race detector that s is read.
func RaceRead[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// RaceWrite tells the race detector that s is written.
func RaceWrite[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// RaceReadRows tells the race detector that the rows of a matrix are read, but not the gaps between
// them.
func RaceReadRows[T any](a []T, rows, cols, stride int) {
	for i := range rows {
		RaceRead(a[i*stride : i*stride+cols])
	}
}

// RaceWriteRows tells the race detector that the rows of a matrix are written, but not the gaps
// between them.
func RaceWriteRows[T any](a []T, rows, cols, stride int) {
	for i := range rows {
		RaceWrite(a[i*stride : i*stride+cols])
	}
}

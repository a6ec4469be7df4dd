//go:build race

package kernels

import (
	"runtime"
	"unsafe"
)

// The race detector does not see what assembly touches; the exported function or the dispatch
// tells it.
const race = true

func raceRead[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

func raceWrite[T any](s []T) {
	if len(s) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// raceReadRows tells of the rows of a matrix and leaves out what lies between.
func raceReadRows[T any](a []T, rows, cols, stride int) {
	for i := range rows {
		raceRead(a[i*stride : i*stride+cols])
	}
}

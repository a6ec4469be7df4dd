//go:build race

package vectors

import (
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/testkit"
)

// The race detector sees the memory accesses of assembly.
func TestRaceIsSeen(t *testing.T) {
	write := func(s []float64) {
		for i := range s { // the race detector does not see clear
			s[i] = 1
		}
	}
	testkit.RaceIsSeen(t, write, map[string]func(s []float64){
		"DotBlock, read": func(s []float64) {
			a := unsafe.Slice((*int8)(unsafe.Pointer(&s[0])), 16*32)
			DotBlock(make([]float32, 32*16), make([]int8, 32*32), 32, 32, a, 16, 32, 32)
		},
		"DotBlock, write": func(s []float64) {
			dst := unsafe.Slice((*float32)(unsafe.Pointer(&s[0])), 32*16)
			DotBlock(dst, make([]int8, 32*32), 32, 32, make([]int8, 16*32), 16, 32, 32)
		},
	})
}

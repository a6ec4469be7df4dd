//go:build !purego

package kernels

import (
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern/kerntest"
)

// The lengths from which on the assembly goes another way, and those beside them, whether 512 bits
// are split or not.
func TestTunedLengths(t *testing.T) {
	var lengths []int
	for _, n := range []int{splitF32Wide, 256, 512, splitF32, dotFarF64, dotFarF64To, dotFarF32, 8192, dotFarF32To} {
		lengths = append(lengths, n-1, n, n+1)
	}
	for _, e := range table {
		if !slices.Contains(byFP512, e.Name) || e.Name == "GemvF32Wide" || e.Name == "GemvTF32Wide" {
			continue
		}
		e.Lengths, e.Long = lengths, []int{}
		kerntest.Table{e}.Test(t)
		restore := cpu.ForceOtherFP512()
		kerntest.Table{e}.Test(t)
		restore()
	}
}

//go:build !purego

package kernels

import (
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
)

// The lengths at which the assembly changes its algorithm, and adjacent lengths, on every kind of
// processor.
func TestTunedLengths(t *testing.T) {
	var lengths []int
	for _, n := range []int{16, 256, 512, dotFarF64, dotFarF64To, dotFarF32, 8192, dotFarF32To} {
		lengths = append(lengths, n-1, n, n+1)
	}
	for _, e := range table {
		t.Run(e.Name, func(t *testing.T) {
			if !slices.Contains(byCore, e.Name) || e.Name == "GemvF32Wide" || e.Name == "AddGemvTF32Wide" {
				return
			}
			e.Lengths, e.Long = lengths, []int{}
			for _, core := range cpu.Cores() {
				t.Run(core.String(), func(t *testing.T) {
					restore := cpu.ForceCore(core)
					testkit.Table{e}.Test(t)
					restore()
				})
			}
		})
	}
}

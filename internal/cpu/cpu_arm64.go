//go:build !purego

package cpu

import "golang.org/x/sys/cpu"

// UseNEON selects the assembly. UseSDOT is a feature within the tier: SDOT and UDOT, dot products
// of bytes (Armv8.2 and later).
var UseNEON, UseSDOT bool

// These are never true on arm64.
const (
	UseAVX2   = false
	UseAVX512 = false
	UseVBMI   = false
	UseFP512  = false
	UseIntel  = false
)

// detect needs no checks, since NEON is part of every arm64 processor that Go supports.
func detect() ([]Tier, Core) { return []Tier{NEON}, Whole }

func use(t Tier) {
	UseNEON = t == NEON
	UseSDOT = t == NEON && cpu.ARM64.HasASIMDDP
}

func dropFeatures() { UseSDOT = false }

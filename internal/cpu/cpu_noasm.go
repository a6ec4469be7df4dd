//go:build purego || !(amd64 || arm64)

package cpu

// Without assembly these are constants, and the compiler removes the branches.
const (
	UseAVX2   = false
	UseAVX512 = false
	UseVBMI   = false
	UseFP512  = false
	UseIntel  = false
	UseNEON   = false
	UseSDOT   = false
)

func detect() ([]Tier, Core) { return nil, Whole }

func use(Tier) {}

func dropFeatures() {}

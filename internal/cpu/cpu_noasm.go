//go:build purego || !(amd64 || arm64)

package cpu

// No assembly is built: the branches on these fold away.
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

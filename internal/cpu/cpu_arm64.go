//go:build !purego

package cpu

// UseNEON is what the kernels branch on.
var UseNEON bool

// Never true on arm64.
const (
	UseAVX2   = false
	UseAVX512 = false
	UseVBMI   = false
)

// detect has nothing to ask: NEON is part of every arm64 that Go runs on.
func detect() []Tier { return []Tier{NEON} }

func use(t Tier) { UseNEON = t == NEON }

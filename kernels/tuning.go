package kernels

// What was measured of the kernels in Go, on an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2 per
// core). No bit of a result depends on it; tuning_amd64.go has what assembly sees. A size that is
// part of an order of operations stands with its kernel.

// Long queries whose documents are shared among goroutines: how many documents are worth another
// goroutine, and how many are put in order at a time.
const (
	pairParallel = 1 << 15
	pairShare    = 1 << 13
)

package kernels

// These constants of the Go code were measured on an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2
// per core). They do not affect results. The constants of the assembly are in tuning_amd64.go.
// Sizes that are part of an order of operations are defined next to their kernel.

// Documents of long queries are shared among goroutines. pairParallel is the minimum number of
// documents per goroutine, and pairShare the number of documents that are sorted into place at a
// time.
const (
	pairParallel = 1 << 15
	pairShare    = 1 << 13
)

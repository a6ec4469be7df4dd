package kernels

// The constants in this file are used by Go code. They were measured on an AMD EPYC (Zen 5, 48 KiB
// of L1 and 1 MiB of L2 per core), and do not affect results. tuning_amd64.go contains the
// constants of the assembly. Sizes that determine the order of operations are defined next to their
// kernel.

// Goroutines share the documents of long queries. pairParallel is the minimum number of documents
// per goroutine. pairShare is the number of documents that a goroutine writes to the slices of the
// sweeps per task.
const (
	pairParallel = 1 << 15
	pairShare    = 1 << 13
)

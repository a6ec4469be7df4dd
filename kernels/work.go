package kernels

import "github.com/simdrank/simdrank/internal/order"

// A Work contains options for kernels that need temporary memory, and keeps this memory between
// calls. The zero value is ready to use. The memory grows until it suffices for the longest input.
// After that, kernels allocate only to start goroutines. A Work is not safe for concurrent use. If
// a kernel receives nil, it creates a temporary Work.
//
// [ArgsortF64] and [AppendOrder] use 16 bytes per value. AppendOrder uses 4 more bytes per value
// unless the scores are float32. [CountTau] uses 24 bytes per value, or about 12 for long columns.
// It uses up to 13 more bytes per value if many float64 values are tied.
type Work struct {
	// Threads is the maximum number of goroutines. Pair kernels use them for queries of at least
	// 65,536 documents, and CountTau for long columns. 0 or less means GOMAXPROCS.
	Threads int

	// Progress, if not nil, reports the progress of CountTau on long columns. Calls never overlap,
	// for any value of Threads. done never decreases, total does not change, and the last call has
	// done == total. Some inputs must be counted twice; Progress then reports only the end of the
	// second count.
	Progress func(done, total int64)

	// Stop, if not nil, is called every few milliseconds while a pair kernel processes a long
	// query, possibly from several goroutines. If it returns true, the kernel returns early, and
	// its results are meaningless.
	Stop func() bool

	keys, tmp []int64 // sort keys of scores, and scratch memory for sorting
	single    []float32
	argsort   order.ArgsortWork

	floats []float64
	ints   []int32
	step   []float64     // derivatives of the pairs across a gain step
	below  []int32       // Lower of the query for that step
	lanes  [4][8]float64 // loss accumulators for that step
	long   pairSweeps

	tau order.TauCounter
}

// stopped reports whether a kernel must return early.
func (w *Work) stopped() bool { return w.Stop != nil && w.Stop() }

// given returns w, or a new Work if w is nil.
func (w *Work) given() *Work {
	if w == nil {
		return new(Work)
	}
	return w
}

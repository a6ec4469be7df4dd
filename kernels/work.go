package kernels

import "github.com/simdrank/simdrank/internal/order"

// A Work holds the options of the kernels that need memory, and that memory for their next call.
// The zero value is ready for use. It grows to the longest input that it meets, after which no
// kernel allocates but for goroutines. It is not safe for concurrent use. A kernel that is given
// nil makes a Work of its own.
//
// [ArgsortF64] and [AppendOrder] keep 16 bytes a value, the latter 4 more unless the values are
// float32; [CountTau] keeps 24 or, of long columns, about 12, and up to 13 more if many values
// that are neither integers nor float32 are tied.
type Work struct {
	// Threads is how many goroutines share a query of 65,536 documents or more in the kernels of
	// pairs, and the long columns of CountTau; 0 or less means GOMAXPROCS.
	Threads int

	// Progress reports how far CountTau is on long columns, unless it is nil. Calls never overlap,
	// whatever Threads is; done does not fall, total does not change, and the last call has done ==
	// total. If too many values share keys, CountTau counts twice, of which it reports the first
	// count and the end.
	Progress func(done, total int64)

	// Stop, unless it is nil, ends a call of a kernel of pairs when it returns true: what the call
	// has written and returned by then means nothing. It is asked every few milliseconds of a long
	// query, by one goroutine or another.
	Stop func() bool

	keys, tmp []int64 // the keys of scores, and room to sort them
	single    []float32
	argsort   order.ArgsortWork

	floats []float64
	ints   []int32
	step   []float64     // one step's part of the derivatives of pairs
	below  []int32       // lower for that step
	lanes  [4][8]float64 // of its loss
	long   pairSweeps

	tau order.TauCounter
}

// stopped reports whether a kernel is to end.
func (w *Work) stopped() bool { return w.Stop != nil && w.Stop() }

// given returns w, or a new one.
func (w *Work) given() *Work {
	if w == nil {
		return new(Work)
	}
	return w
}

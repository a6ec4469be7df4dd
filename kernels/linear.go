package kernels

//go:generate go run ../ci/dispatch kernels

// AxpyF64 adds alpha·x to y: y[i] = alpha·x[i] + y[i], one fused multiply-add per
// element, rounded once. x may be y itself.
//
// It panics when the lengths differ, and when x and y overlap without being the same slice.
func AxpyF64(alpha float64, x, y []float64) { axpyF64(alpha, x, y) }

// AxpyF32 is like [AxpyF64] but in float32. It adds to y, and panics if AxpyF64 would.
func AxpyF32(alpha float32, x, y []float32) { axpyF32(alpha, x, y) }

// AxpyDiffF64 adds alpha·(a−b) to y: y[i] = alpha·(a[i]−b[i]) + y[i], where the
// difference is rounded and the rest is one fused multiply-add.
//
// It is for trainers that take one pair of documents at a time, such as stochastic gradient
// descent on a pairwise loss: a and b are the features of the two, y the weights. The trainers of
// package rank work on whole queries and do not call it.
//
// a and b may be y itself. It panics when the lengths differ, and when a or b overlaps y without
// being the same slice.
func AxpyDiffF64(alpha float64, a, b, y []float64) { axpyDiffF64(alpha, a, b, y) }

// AxpyDiffF32 is like [AxpyDiffF64] but in float32. It adds to y, and panics if AxpyDiffF64 would.
func AxpyDiffF32(alpha float32, a, b, y []float32) { axpyDiffF32(alpha, a, b, y) }

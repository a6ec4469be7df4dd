package kernels

//go:generate go run ../ci/dispatch kernels

// AxpyF64 adds alpha·x to y: y[i] = alpha·x[i] + y[i], one fused multiply-add per
// element, rounded once. x may be y itself.
//
// It panics when the lengths differ, and when x and y overlap without being the same slice.
func AxpyF64(alpha float64, x, y []float64) { axpyF64(alpha, x, y) }

// AxpyF32 is like [AxpyF64] but in float32. It adds to y, and panics if AxpyF64 would.
func AxpyF32(alpha float32, x, y []float32) { axpyF32(alpha, x, y) }

package kernels

//go:generate go run ../ci/dispatch kernels

// AxpyF64 adds alpha·x to y: y[i] = alpha·x[i] + y[i], computed by one fused multiply-add. x and y
// may be the same slice.
//
// It panics if the lengths differ, or if x and y overlap but are not the same slice.
func AxpyF64(alpha float64, x, y []float64) { axpyF64(alpha, x, y) }

// AxpyF32 is like [AxpyF64] but for float32.
func AxpyF32(alpha float32, x, y []float32) { axpyF32(alpha, x, y) }

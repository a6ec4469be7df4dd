//go:build purego || !amd64

package kernels

// Checks that amd64 makes in assembly. What they lead to has assembly on arm64, too.

func gemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	gemvF64Checked(dst, a, rows, cols, stride, x)
}

func gemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	gemvF32Checked(dst, a, rows, cols, stride, x)
}

func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	gemvF32WideChecked(dst, a, rows, cols, stride, x)
}

func gemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	gemvTF64Checked(dst, a, rows, cols, stride, c)
}

func gemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	gemvTF32Checked(dst, a, rows, cols, stride, c)
}

func gemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	gemvTF32WideChecked(dst, a, rows, cols, stride, c)
}

//go:build !purego

package kernels

//go:noescape
func l2F64(x, y []float64) float64

//go:noescape
func l2F64AVX2(x, y []float64) float64

//go:noescape
func l2F64AVX512(x, y []float64) float64

//go:noescape
func l2F32(x, y []float32) float32

//go:noescape
func l2F32AVX2(x, y []float32) float32

//go:noescape
func l2F32AVX512(x, y []float32) float32

//go:noescape
func cosineF64(x, y []float64) float64

//go:noescape
func cosineF64AVX2(x, y []float64) float64

//go:noescape
func cosineF64AVX512(x, y []float64) float64

//go:noescape
func cosineF32(x, y []float32) float32

//go:noescape
func cosineF32AVX2(x, y []float32) float32

//go:noescape
func cosineF32AVX512(x, y []float32) float32

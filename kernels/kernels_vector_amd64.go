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

//go:noescape
func dotI8(x, y []int8) int64

//go:noescape
func dotI8AVX2(x, y []int8) int64

//go:noescape
func dotI8AVX512(x, y []int8) int64

//go:noescape
func dotU8(x, y []uint8) int64

//go:noescape
func dotU8AVX2(x, y []uint8) int64

//go:noescape
func dotU8AVX512(x, y []uint8) int64

//go:noescape
func l2I8(x, y []int8) int64

//go:noescape
func l2I8AVX2(x, y []int8) int64

//go:noescape
func l2I8AVX512(x, y []int8) int64

//go:noescape
func l2U8(x, y []uint8) int64

//go:noescape
func l2U8AVX2(x, y []uint8) int64

//go:noescape
func l2U8AVX512(x, y []uint8) int64

//go:noescape
func cosineI8(x, y []int8) float32

//go:noescape
func cosineI8AVX2(x, y []int8) float32

//go:noescape
func cosineI8AVX512(x, y []int8) float32

//go:noescape
func cosineU8(x, y []uint8) float32

//go:noescape
func cosineU8AVX2(x, y []uint8) float32

//go:noescape
func cosineU8AVX512(x, y []uint8) float32

//go:noescape
func hammingBits(x, y []uint64) int64

//go:noescape
func hammingBitsAVX2(x, y []uint64) int64

//go:noescape
func hammingBitsAVX512(x, y []uint64) int64

//go:noescape
func jaccardBits(x, y []uint64) (both, either int64)

//go:noescape
func jaccardBitsAVX2(x, y []uint64) (both, either int64)

//go:noescape
func jaccardBitsAVX512(x, y []uint64) (both, either int64)

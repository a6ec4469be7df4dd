//go:build purego || !(amd64 || arm64)

package kernels

func l2F64(x, y []float64) float64 { return l2F64Generic(x, y) }

func l2F32(x, y []float32) float32 { return l2F32Generic(x, y) }

func cosineF64(x, y []float64) float64 { return cosineF64Generic(x, y) }

func cosineF32(x, y []float32) float32 { return cosineF32Generic(x, y) }

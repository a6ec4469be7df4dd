//go:build purego || !(amd64 || arm64)

package vectors

func blockI8(dst []float32, q, a []int8, s manyShape) { blockI8Generic(dst, q, a, s) }

func blockU8(dst []float32, q, a []uint8, s manyShape) { blockU8Generic(dst, q, a, s) }

func blockBits(dst []float32, q, a []uint64, s manyShape) { blockBitsGeneric(dst, q, a, s) }

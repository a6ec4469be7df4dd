package vectors_test

import (
	"fmt"

	"github.com/simdrank/simdrank/vectors"
)

// CosineF64, L2F32 and L2F64 are called in the same way.
func ExampleCosineF32() {
	query := []float32{1, 2, 2}
	document := []float32{2, 4, 4}
	fmt.Println(vectors.CosineF32(query, document), vectors.L2F32(query, document))
	// Output: 1 9
}

// DotU8, L2U8 and CosineU8 are called in the same way.
func ExampleDotI8() {
	query, document := []int8{127, -3, 0}, []int8{100, 10, 5}
	fmt.Println(vectors.DotI8(query, document), vectors.L2I8(query, document))
	fmt.Printf("%.3f\n", vectors.CosineI8(query, document))
	// Output:
	// 12670 923
	// 0.991
}

// This example quantizes a vector to a quarter of its memory. If a matrix has one scale, its
// products can be compared without it.
func ExampleQuantizeI8() {
	v := []float32{0.5, -1, 0.25, 0.001}
	scale := vectors.ScaleI8(v)
	codes, back := make([]int8, len(v)), make([]float32, len(v))
	vectors.QuantizeI8(codes, v, scale)
	vectors.DequantizeI8(back, codes, scale)
	fmt.Printf("%.5f %v %.3f\n", scale, codes, back)
	// Output: 0.00787 [64 -127 32 0] [0.504 -1.000 0.252 0.000]
}

// Vectors with a small angle differ in few sign bits.
func ExampleSignBits() {
	x, y := make([]uint64, 1), make([]uint64, 1)
	vectors.SignBits(x, []float32{0.5, -1, 0.25, 3})
	vectors.SignBits(y, []float32{0.4, -2, -0.1, 3})
	fmt.Println(vectors.HammingBits(x, y))
	// Output: 1
}

// The query remains exact, because only the vector is rounded. The following functions have the
// same parameters: DotF32F16, DotF32BF16, DotF32U8, L2F32F16, L2F32BF16, L2F32I8, L2F32U8,
// CosineF32F16, CosineF32BF16, CosineF32I8 and CosineF32U8.
func ExampleDotF32I8() {
	query := []float32{0.5, -0.25, 0.125}
	vector := []int8{100, 20, -8}
	fmt.Println(vectors.DotF32I8(query, vector))
	// Output: 44
}

func ExampleHammingBits() {
	x, y := []uint64{0b1101}, []uint64{0b0111}
	fmt.Println(vectors.HammingBits(x, y), vectors.JaccardBits(x, y))
	// Output: 2 0.5
}

// L2F16 and CosineF16 are called like DotF16. BF16FromF32, F32FromBF16, DotBF16, L2BF16 and
// CosineBF16 are called like the functions for F16.
func ExampleF16FromF32() {
	x := []float32{1, 0.1, -70000}
	halves, back := make([]vectors.F16, 3), make([]float32, 3)
	vectors.F16FromF32(halves, x)
	vectors.F32FromF16(back, halves)
	fmt.Println(back, vectors.DotF16(halves[:2], halves[:2]))
	// Output: [1 0.099975586 -Inf] 1.0099951
}

// This example computes the distances of a query to three vectors. DotRows, CosineRows and
// HammingRows are called in the same way.
func ExampleL2Rows() {
	rows := []float32{
		1, 2,
		4, 5,
		2, 2,
	}
	distances := make([]float32, 3)
	vectors.L2Rows(distances, []float32{1, 1}, rows, 3, 2, 2)
	fmt.Println(distances)
	// Output: [1 25 2]
}

// This example compares a query with the neighbors of a vertex in a graph. L2IDs, CosineIDs and
// HammingIDs are called in the same way.
func ExampleDotIDs() {
	rows := []int8{
		1, 2,
		4, 5,
		2, 2,
	}
	products := make([]float32, 2)
	vectors.DotIDs(products, []int8{10, 1}, rows, 2, 2, []int32{2, 0})
	fmt.Println(products)
	// Output: [22 12]
}

// This example computes the cosines of two queries and three vectors. The results of the first
// query come first. DotBlock, L2Block and HammingBlock are called in the same way.
func ExampleCosineBlock() {
	rows := []float32{
		1, 2,
		0, 5,
		-2, 1,
	}
	queries := []float32{
		0, 1,
		2, 4,
	}
	cosines := make([]float32, 2*3)
	vectors.CosineBlock(cosines, queries, 2, 2, rows, 3, 2, 2)
	fmt.Printf("%.3f\n", cosines)
	// Output: [0.894 1.000 0.447 1.000 0.894 0.000]
}

// This example scores two documents, of two tokens and of one token, for a query of two tokens.
func ExampleMaxSim() {
	query := []float32{
		1, 0,
		0, 1,
	}
	tokens := []float32{
		0.5, 0.5,
		1, 0,
		0, 0.75,
	}
	scores := make([]float64, 2)
	vectors.MaxSim(scores, query, tokens, 2, 2, [][2]int{{0, 2}, {2, 3}})
	fmt.Println(scores)
	// Output: [1.5 0.75]
}

package kernels_test

import (
	"fmt"

	"github.com/simdrank/simdrank/kernels"
)

// DotF64 and DotF32Wide are called alike.
func ExampleDotF32() {
	weights := []float32{0.5, 2, -1}
	features := []float32{2, 1, 3}
	fmt.Println(kernels.DotF32(weights, features))
	// Output: 0
}

// AxpyF32 is called alike.
func ExampleAxpyF64() {
	x, y := []float64{1, 2, 3}, []float64{10, 10, 10}
	kernels.AxpyF64(0.5, x, y)
	fmt.Println(y)
	// Output: [10.5 11 11.5]
}

// One step of stochastic gradient descent on a pair of documents. AxpyDiffF32 is called alike.
func ExampleAxpyDiffF64() {
	better, worse := []float64{1, 0, 2}, []float64{0, 1, 2}
	weights := []float64{0, 0, 0}
	const rate = 0.1
	kernels.AxpyDiffF64(rate, better, worse, weights)
	fmt.Println(weights)
	// Output: [0.1 -0.1 0]
}

// CosineF64, CosineF32Wide, L2F32, L2F32Wide, L2F64, NormF32 and NormF64 are called alike.
func ExampleCosineF32() {
	query := []float32{1, 2, 2}
	document := []float32{2, 4, 4}
	fmt.Println(kernels.CosineF32(query, document), kernels.L2F32(query, document), kernels.NormF32(query))
	// Output: 1 9 3
}

// DotU8, L2U8 and CosineU8 are called alike.
func ExampleDotI8() {
	query, document := []int8{127, -3, 0}, []int8{100, 10, 5}
	fmt.Println(kernels.DotI8(query, document), kernels.L2I8(query, document))
	fmt.Printf("%.3f\n", kernels.CosineI8(query, document))
	// Output:
	// 12670 923
	// 0.991
}

// A quarter of the memory; the products of a matrix with one scale need no other.
func ExampleQuantizeI8() {
	v := []float32{0.5, -1, 0.25, 0.001}
	scale := kernels.ScaleI8(v)
	codes, back := make([]int8, len(v)), make([]float32, len(v))
	kernels.QuantizeI8(codes, v, scale)
	kernels.DequantizeI8(back, codes, scale)
	fmt.Printf("%.5f %v %.3f\n", scale, codes, back)
	// Output: 0.00787 [64 -127 32 0] [0.504 -1.000 0.252 0.000]
}

// Vectors at a small angle differ in few signs.
func ExampleSignBits() {
	x, y := make([]uint64, 1), make([]uint64, 1)
	kernels.SignBits(x, []float32{0.5, -1, 0.25, 3})
	kernels.SignBits(y, []float32{0.4, -2, -0.1, 3})
	fmt.Println(kernels.HammingBits(x, y))
	// Output: 1
}

// The query stays exact: what rounds is the vector alone. DotF32F16, DotF32BF16 and DotF32U8, and
// L2F32F16, L2F32BF16, L2F32I8, L2F32U8, CosineF32F16, CosineF32BF16, CosineF32I8 and CosineF32U8
// take their operands alike.
func ExampleDotF32I8() {
	query := []float32{0.5, -0.25, 0.125}
	vector := []int8{100, 20, -8}
	fmt.Println(kernels.DotF32I8(query, vector))
	// Output: 44
}

// Eight integers of four bits in four bytes.
func ExampleDotI4() {
	x := []kernels.I4x2{kernels.NewI4x2(1, -2), kernels.NewI4x2(3, 7), kernels.NewI4x2(-8, 0), kernels.NewI4x2(0, 5)}
	y := []kernels.I4x2{kernels.NewI4x2(4, 4), kernels.NewI4x2(1, 1), kernels.NewI4x2(-8, 0), kernels.NewI4x2(2, 2)}
	fmt.Println(kernels.DotI4(x, y), kernels.L2I4(x, y))
	// Output: 80 98
}

func ExampleHammingBits() {
	x, y := []uint64{0b1101}, []uint64{0b0111}
	fmt.Println(kernels.HammingBits(x, y), kernels.JaccardBits(x, y))
	// Output: 2 0.5
}

// L2F16 and CosineF16 are called as DotF16 is, and BF16FromF32, F32FromBF16, DotBF16, L2BF16 and
// CosineBF16 as those of F16.
func ExampleF16FromF32() {
	x := []float32{1, 0.1, -70000}
	halves, back := make([]kernels.F16, 3), make([]float32, 3)
	kernels.F16FromF32(halves, x)
	kernels.F32FromF16(back, halves)
	fmt.Println(back, kernels.DotF16(halves[:2], halves[:2]))
	// Output: [1 0.099975586 -Inf] 1.0099951
}

// The distances of a query to three vectors. DotRows, CosineRows and HammingRows are called alike.
func ExampleL2Rows() {
	vectors := []float32{
		1, 2,
		4, 5,
		2, 2,
	}
	distances := make([]float32, 3)
	kernels.L2Rows(distances, []float32{1, 1}, vectors, 3, 2, 2)
	fmt.Println(distances)
	// Output: [1 25 2]
}

// The neighbors of a vertex of a graph. L2IDs, CosineIDs and HammingIDs are called alike.
func ExampleDotIDs() {
	vectors := []int8{
		1, 2,
		4, 5,
		2, 2,
	}
	products := make([]float32, 2)
	kernels.DotIDs(products, []int8{10, 1}, vectors, 2, 2, []int32{2, 0})
	fmt.Println(products)
	// Output: [22 12]
}

// Two queries and three vectors: the cosines of the first query come first. DotBlock, L2Block and
// HammingBlock are called alike.
func ExampleCosineBlock() {
	vectors := []float32{
		1, 2,
		0, 5,
		-2, 1,
	}
	queries := []float32{
		0, 1,
		2, 4,
	}
	cosines := make([]float32, 2*3)
	kernels.CosineBlock(cosines, queries, 2, 2, vectors, 3, 2, 2)
	fmt.Printf("%.3f\n", cosines)
	// Output: [0.894 1.000 0.447 1.000 0.894 0.000]
}

// Scores of two documents with three features each; a row takes four elements, of which the last is
// padding. GemvF64 and GemvF32Wide are called alike.
func ExampleGemvF32() {
	features := []float32{
		1, 2, 3, 0,
		4, 5, 6, 0,
	}
	weights := []float32{1, 0, -1}
	scores := make([]float32, 2)
	kernels.GemvF32(scores, features, 2, 3, 4, weights)
	fmt.Println(scores)
	// Output: [-2 -2]
}

// The gradient by the weights from the derivatives by the scores. GemvTF64 and GemvTF32 are called
// alike.
func ExampleGemvTF32Wide() {
	features := []float32{
		1, 2, 3,
		4, 5, 6,
	}
	derivatives := []float64{-1, 1}
	gradient := make([]float64, 3)
	kernels.GemvTF32Wide(gradient, features, 2, 3, 3, derivatives)
	fmt.Println(gradient)
	// Output: [3 3 3]
}

// The matrix
//
//	0 2 0
//	1 0 3
func ExampleSpmvF32Wide() {
	offsets := []int{0, 1, 3}
	index := []int32{1, 0, 2}
	value := []float32{2, 1, 3}
	scores := make([]float64, 2)
	kernels.SpmvF32Wide(scores, offsets, index, value, []float64{1, 10, 100})
	fmt.Println(scores)
	// Output: [20 301]
}

// The matrix of the example of SpmvF32Wide, transposed.
func ExampleSpmvTF32Wide() {
	offsets := []int{0, 1, 3}
	index := []int32{1, 0, 2}
	value := []float32{2, 1, 3}
	gradient := make([]float64, 3)
	kernels.SpmvTF32Wide(gradient, offsets, index, value, []float64{1, 10})
	fmt.Println(gradient)
	// Output: [10 2 30]
}

func ExampleNonzerosF32() {
	row := []float32{0, 2, 0, 0, 5}
	index, value := make([]int32, len(row)), make([]float32, len(row))
	n := kernels.NonzerosF32(index, value, row)
	fmt.Println(index[:n], value[:n])
	// Output: [1 4] [2 5]
}

func ExampleExpF64() {
	x := []float64{0, 1, -1}
	kernels.ExpF64(x, x)
	fmt.Printf("%.4f\n", x)
	// Output: [1.0000 2.7183 0.3679]
}

// Three documents with the labels 0, 1 and 1: two pairs, of which the first is in the wrong order.
func ExamplePairSquaredHinge() {
	q := kernels.PairQuery{
		Scores: []float64{0.5, 0, 2},
		Lower:  []int32{0, 1, 1},
		Weight: 1,
	}
	var work kernels.PairWork // for any number of queries, one after the other
	derivatives := make([]float64, 3)
	loss := kernels.PairSquaredHinge(derivatives, q, &work)
	fmt.Println(loss, derivatives)
	// Output: 2.25 [3 -3 0]
}

func ExamplePairHuberHinge() {
	q := kernels.PairQuery{Scores: []float64{0.5, 0, 2}, Lower: []int32{0, 1, 1}, Weight: 1}
	derivatives := make([]float64, 3)
	loss := kernels.PairHuberHinge(derivatives, q, 0.5, new(kernels.PairWork))
	fmt.Println(loss, derivatives)
	// Output: 1.25 [1 -1 0]
}

// Pairs weigh the difference of the labels.
func ExamplePairLogistic() {
	q := kernels.PairQuery{
		Scores: []float64{0, 0, 0},
		Lower:  []int32{0, 1, 2},
		Gain:   []float64{0, 1, 3},
		Weight: 1,
	}
	derivatives := make([]float64, 3)
	loss := kernels.PairLogistic(derivatives, q, 1, new(kernels.PairWork))
	fmt.Printf("%.4f %.1f\n", loss, derivatives)
	// Output: 4.1589 [2.0 0.5 -2.5]
}

// PairHuberHingeLaplacian and PairLogisticLaplacian take delta and sigma as a third argument.
func ExamplePairSquaredHingeLaplacian() {
	q := kernels.PairQuery{Scores: []float64{0.5, 0, 2}, Lower: []int32{0, 1, 1}, Weight: 1}
	l := make([]float64, 9)
	fmt.Println(kernels.PairSquaredHingeLaplacian(l, q))
	fmt.Println(l[:3])
	fmt.Println(l[3:6])
	fmt.Println(l[6:])
	// Output:
	// true
	// [2 -2 0]
	// [-2 2 0]
	// [0 0 0]
}

func ExampleArgsortF64() {
	x := []float64{0.3, 0.1, 0.3, 0.2}
	order := make([]int32, len(x))
	kernels.ArgsortF64(order, x, new(kernels.ArgsortWork))
	fmt.Println(order)
	// Output: [1 3 0 2]
}

func ExampleCountTau() {
	labels := []int{0, 1, 1, 2}
	scores := []float64{0.1, 0.4, 0.3, 0.2}
	var counter kernels.TauCounter
	counts, noNaN := kernels.CountTau(&counter, labels, scores)
	fmt.Println(noNaN, counts.Discordant, counts.X.Pairs, counts.Y.Pairs)
	// Output: true 2 1 0
}

func ExampleRankColumn() {
	x := []float64{0.3, 0.1, 0.3, 0.2}
	ranks := make([]int32, len(x))
	noNaN := kernels.RankColumn(new(kernels.TauCounter), ranks, x)
	fmt.Println(noNaN, ranks)
	// Output: true [2 0 2 1]
}

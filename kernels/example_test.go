package kernels_test

import (
	"fmt"

	"github.com/simdrank/simdrank/kernels"
)

// DotF64 and DotF32Wide are called in the same way.
func ExampleDotF32() {
	weights := []float32{0.5, 2, -1}
	features := []float32{2, 1, 3}
	fmt.Println(kernels.DotF32(weights, features))
	// Output: 0
}

// AxpyF32 is called in the same way.
func ExampleAxpyF64() {
	x, y := []float64{1, 2, 3}, []float64{10, 10, 10}
	kernels.AxpyF64(0.5, x, y)
	fmt.Println(y)
	// Output: [10.5 11 11.5]
}

// This example scores two documents with three features each. A row has four elements, of which the
// last is padding. GemvF64 and GemvF32Wide are called in the same way.
func ExampleGemvF32() {
	features := []float32{
		1, 2, 3, 0,
		4, 5, 6, 0,
	}
	weights := []float32{1, 0, -1}
	scores := make([]float32, 2)
	kernels.GemvF32(scores, weights, features, 2, 3, 4)
	fmt.Println(scores)
	// Output: [-2 -2]
}

// This example computes the gradient with respect to the weights from the derivatives with respect
// to the scores. AddGemvTF64 and AddGemvTF32 are called in the same way.
func ExampleAddGemvTF32Wide() {
	features := []float32{
		1, 2, 3,
		4, 5, 6,
	}
	derivatives := []float64{-1, 1}
	gradient := make([]float64, 3)
	kernels.AddGemvTF32Wide(gradient, derivatives, features, 2, 3, 3)
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
	kernels.SpmvF32Wide(scores, []float64{1, 10, 100}, offsets, index, value)
	fmt.Println(scores)
	// Output: [20 301]
}

// The matrix of the example of SpmvF32Wide, transposed.
func ExampleAddSpmvTF32Wide() {
	offsets := []int{0, 1, 3}
	index := []int32{1, 0, 2}
	value := []float32{2, 1, 3}
	gradient := make([]float64, 3)
	kernels.AddSpmvTF32Wide(gradient, []float64{1, 10}, offsets, index, value)
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

// This example has three documents with labels 0, 1 and 1. Of the two pairs, the first is ordered
// wrongly.
func ExamplePairSquaredHinge() {
	q := kernels.PairQuery{
		Scores: []float64{0.5, 0, 2},
		Lower:  []int32{0, 1, 1},
		Weight: 1,
	}
	var work kernels.Work // for any number of consecutive queries
	derivatives := make([]float64, 3)
	loss := kernels.PairSquaredHinge(derivatives, q, &work)
	fmt.Println(loss, derivatives)
	// Output: 2.25 [3 -3 0]
}

func ExamplePairHuberHinge() {
	q := kernels.PairQuery{Scores: []float64{0.5, 0, 2}, Lower: []int32{0, 1, 1}, Weight: 1}
	derivatives := make([]float64, 3)
	loss := kernels.PairHuberHinge(derivatives, q, 0.5, nil)
	fmt.Println(loss, derivatives)
	// Output: 1.25 [1 -1 0]
}

// In this example, the weight of a pair is its label difference.
func ExamplePairLogistic() {
	q := kernels.PairQuery{
		Scores: []float64{0, 0, 0},
		Lower:  []int32{0, 1, 2},
		Gain:   []float64{0, 1, 3},
		Weight: 1,
	}
	derivatives := make([]float64, 3)
	loss := kernels.PairLogistic(derivatives, q, 1, nil)
	fmt.Printf("%.4f %.1f\n", loss, derivatives)
	// Output: 4.1589 [2.0 0.5 -2.5]
}

// PairHuberHingeLaplacian and PairLogisticLaplacian have delta and sigma as a third argument.
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
	kernels.ArgsortF64(order, x, nil)
	fmt.Println(order)
	// Output: [1 3 0 2]
}

func ExampleAppendOrder() {
	scores := []float32{0.2, 0.9, 0.5, 0.9}
	fmt.Println(kernels.AppendOrder(nil, scores, nil))
	var w kernels.Work // reused by many calls
	best := make([]int, 0, 2)
	fmt.Println(kernels.AppendTopK(best, scores, 2, &w))
	// Output:
	// [1 3 2 0]
	// [1 3]
}

func ExampleCountTau() {
	labels := []int{0, 1, 1, 2}
	scores := []float64{0.1, 0.4, 0.3, 0.2}
	var work kernels.Work
	counts, noNaN := kernels.CountTau(labels, scores, &work)
	fmt.Println(noNaN, counts.Discordant, counts.X.Pairs, counts.Y.Pairs)
	// Output: true 2 1 0
}

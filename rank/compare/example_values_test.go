package compare_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank/compare"
)

// This program compares two systems by their NDCG on the same ten queries.
func ExampleValues() {
	before := []float64{0.52, 0.61, 0.33, 0.80, 0.45, 0.71, 0.28, 0.66, 0.49, 0.57}
	after := []float64{0.58, 0.66, 0.41, 0.79, 0.52, 0.77, 0.39, 0.70, 0.55, 0.60}
	differences, err := compare.Values(context.Background(), [][]float64{before, after}, compare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	d := differences[1][0] // of the second system from the first one
	fmt.Printf("%+.3f [%+.3f, %+.3f], p = %.4f\n", d.Mean, d.Low, d.High, d.P)
	fmt.Printf("better for %d queries, worse for %d\n", d.Better, d.Worse)
	// Output:
	// +0.055 [+0.031, +0.077], p = 0.0039
	// better for 9 queries, worse for 1
}

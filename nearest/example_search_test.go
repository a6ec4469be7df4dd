package nearest_test

import (
	"fmt"
	"log"

	"github.com/simdrank/simdrank/nearest"
)

// This program finds the nearest of four vectors with two elements each.
func ExampleIndex_AppendNearest() {
	matrix := []float32{1, 0, 0, 1, 3, 4, -1, 0} // row after row
	index, err := nearest.New[float32](matrix, 4, 2, 2, "cosine")
	if err != nil {
		log.Fatal(err)
	}
	found, err := index.AppendNearest(nil, []float32{0, 2}, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range found {
		fmt.Printf("vector %d: %.2f\n", n.ID, n.Score)
	}
	// Output:
	// vector 1: 1.00
	// vector 2: 0.80
}

package serve_test

import (
	"fmt"

	"github.com/simdrank/simdrank/rank/serve"
)

// A program that ranks the documents of one request by their features.
func ExampleLoad() {
	ranker, err := serve.Load("testdata/hotels.txt")
	if err != nil {
		panic(err)
	}
	hotels := []map[string]float32{
		{"price": 180, "rating": 3.1, "distance": 4.2, "chain": 1},
		{"price": 110, "rating": 4.8, "distance": 0.5, "chain": 3},
		{"price": 95, "distance": 0.9, "chain": 0}, // no rating yet
	}
	var x []float32
	for _, features := range hotels {
		if x, err = ranker.Columns().AppendRow(x, features); err != nil {
			panic(err)
		}
	}
	for _, best := range ranker.AppendTopK(nil, x, len(hotels), 2) {
		fmt.Printf("hotel %d: %.4f\n", best.Row, best.Score)
	}
	// Output:
	// hotel 1: 0.7345
	// hotel 2: 0.4535
}

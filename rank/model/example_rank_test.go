package model_test

import (
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank/model"
)

// A program that ranks the documents of one request by their features.
func ExampleLoadScorer() {
	scorer, err := model.LoadScorer("testdata/model.json")
	if err != nil {
		log.Fatal(err)
	}
	documents := []string{"D80", "D159", "D419"}
	features := []float32{
		2.5, 0.0625, 0,
		4, 0.4375, 1,
		10.5, 0.875, 1,
	}
	for _, row := range scorer.AppendTopK(nil, features, 3, 3, 3, 2) {
		fmt.Println(documents[row])
	}
	// Output:
	// D419
	// D159
}

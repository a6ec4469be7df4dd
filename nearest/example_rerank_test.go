package nearest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/nearest"
)

// This program searches in two stages. The first stage compares a vector per document, and the
// second stage compares a vector per token.
func ExampleReranker() {
	pooled := []float32{0.6, 0.5, 0.5, 0.6, -1, 0} // a vector per document
	tokens := []float32{1, 0, 0.6, 0.8, 0, 1, 0.8, 0.6, -1, 0}
	lengths := []int{2, 2, 1} // the documents have two, two and one tokens
	index, err := nearest.New[float32](pooled, 3, 2, 2, "dot")
	if err != nil {
		log.Fatal(err)
	}
	reranker, err := nearest.NewReranker[float32](tokens, 5, 2, 2, lengths)
	if err != nil {
		log.Fatal(err)
	}
	found, err := index.AppendNearest(nil, []float32{0.9, 0.9}, 2)
	if err != nil {
		log.Fatal(err)
	}
	query := []float32{0, 1, 0.8, 0.6} // two tokens
	found, err = reranker.AppendReranked(context.Background(), found[:0], query, found, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("document %d: %.2f\n", found[0].ID, found[0].Score)
	// Output: document 1: 2.00
}

package nearest_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/vectors"
)

// This example restricts a copy of an index to some of the vectors.
func ExampleIndex() {
	matrix := []float32{1, 0, 0, 1, 3, 4, -1, 0}
	index, err := nearest.New[float32](matrix, 4, 2, 2, "cosine")
	if err != nil {
		log.Fatal(err)
	}
	some := *index // allows only IDs 0, 2 and 3
	some.Allow = []uint64{1<<0 | 1<<2 | 1<<3}
	found, err := some.AppendNearest(nil, []float32{0, 2}, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found[0].ID, found[1].ID)
	// Output: 2 0
}

// This example searches in two stages: the nearest vectors by int8 codes, or by sign bits, are
// compared again as float32. Recall shows how many candidates are needed.
func ExampleIndex_AppendReranked() {
	const rows, cols, k = 2000, 64, 10
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.IntN(2001)-1000) / 1000
		}
		return x
	}
	matrix, queries := draw(rows*cols), draw(10*cols)

	// A common scale for all vectors preserves the order of dot products and distances. Cosines do
	// not depend on scales.
	codesOf := func(x []float32) []int8 {
		codes := make([]int8, len(x))
		vectors.QuantizeI8(codes, x, vectors.ScaleI8(x))
		return codes
	}
	signsOf := func(x []float32) []uint64 { // each row has a whole number of words
		signs := make([]uint64, len(x)/64)
		vectors.SignBits(signs, x)
		return signs
	}

	exact, err := nearest.New[float32](matrix, rows, cols, cols, "cosine")
	if err != nil {
		log.Fatal(err)
	}
	codes, err := nearest.New[int8](codesOf(matrix), rows, cols, cols, "cosine")
	if err != nil {
		log.Fatal(err)
	}
	signs, err := nearest.New[uint64](signsOf(matrix), rows, 1, 1, "hamming")
	if err != nil {
		log.Fatal(err)
	}
	for _, candidates := range []int{10, 100, 500} {
		var byCodes, bySigns float64
		for q := range 10 {
			query := queries[q*cols:][:cols]
			best, err := exact.AppendNearest(nil, query, k)
			if err != nil {
				log.Fatal(err)
			}
			var truth []int32
			for _, n := range best {
				truth = append(truth, n.ID)
			}
			found, err := codes.AppendNearest(nil, codesOf(query), candidates)
			if err != nil {
				log.Fatal(err)
			}
			if found, err = exact.AppendReranked(found[:0], query, found, k); err != nil {
				log.Fatal(err)
			}
			byCodes += nearest.Recall(found, truth) / 10
			if found, err = signs.AppendNearest(found[:0], signsOf(query), candidates); err != nil {
				log.Fatal(err)
			}
			if found, err = exact.AppendReranked(found[:0], query, found, k); err != nil {
				log.Fatal(err)
			}
			bySigns += nearest.Recall(found, truth) / 10
		}
		fmt.Printf("%3d candidates: recall@10 %.3f by int8, %.3f by signs\n", candidates, byCodes, bySigns)
	}
	// Output:
	//  10 candidates: recall@10 1.000 by int8, 0.280 by signs
	// 100 candidates: recall@10 1.000 by int8, 0.790 by signs
	// 500 candidates: recall@10 1.000 by int8, 0.990 by signs
}

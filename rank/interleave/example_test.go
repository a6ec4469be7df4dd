package interleave_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/interleave"
)

// This program simulates 80 users, for whom the documents 1, 2 and 3 are relevant. The second
// ranking contains them at higher positions.
func Example() {
	rankings := [][]int{
		{5, 1, 6, 2, 7, 3, 8, 4},
		{5, 1, 2, 6, 3, 7, 8, 4},
	}
	random := rand.New(rand.NewPCG(1, 1))
	var credits [][]float64
	for user := range 80 {
		list := interleave.TeamDraft(rankings, 8, 1, fmt.Sprint("user ", user))
		clicked := make([]bool, len(list.IDs))
		for i, id := range list.IDs {
			click, stop := 0.4, 0.1
			if id <= 3 {
				click, stop = 0.9, 0.5
			}
			clicked[i] = random.Float64() < click
			if clicked[i] && random.Float64() < stop {
				break
			}
		}
		c, err := list.Credits(clicked)
		if err != nil {
			log.Fatal(err)
		}
		credits = append(credits, c)
	}
	differences, err := interleave.Compare(context.Background(), credits, compare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	d := differences[1][0] // of the second ranking from the first one
	fmt.Printf("%+.3f [%+.3f, %+.3f], p = %.2g\n", d.Mean, d.Low, d.High, d.P)
	fmt.Printf("better in %d sessions, worse in %d\n", d.Better, d.Worse)
	// Output:
	// +0.150 [+0.056, +0.237], p = 0.0022
	// better in 41 sessions, worse in 17
}

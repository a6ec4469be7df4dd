package rank_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank"
)

// Train on values of the program.
func ExampleBuilder() {
	var b rank.Builder
	b.AddNamed("city bike", 2, map[string]float32{"price": 899, "rating": 4.5})
	b.AddNamed("city bike", 0, map[string]float32{"price": 749, "rating": 3.5})
	b.AddNamed("kids bike", 1, map[string]float32{"price": 299, "rating": 4})
	b.AddNamed("kids bike", 0, map[string]float32{"price": 279, "rating": 3})
	train, err := b.Dataset()
	if err != nil {
		log.Fatal(err)
	}
	svm := rank.RankSVM{C: 1}
	model, err := svm.Fit(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(train.Names, train.QueryIDs)
	fmt.Println(model.Weights[1] > 0)
	// Output:
	// [price rating] [city bike kids bike]
	// true
}

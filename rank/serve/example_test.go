package serve_test

import (
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank/serve"
)

// Build rows from structs.
func ExampleStructRows() {
	type hotel struct {
		Name     string
		Price    float64  `feature:"price"`
		Rating   *float32 `feature:"rating"` // nil is missing
		Distance float64  `feature:"distance"`
		Chain    int      `feature:"chain"`
	}
	ranker, err := serve.Load("testdata/hotels.txt")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := serve.NewStructRows[hotel](ranker.Columns())
	if err != nil {
		log.Fatal(err)
	}
	x := rows.AppendRow(nil, &hotel{Name: "Central", Price: 95, Distance: 0.9})
	fmt.Println(x, ranker.Score(x))
	// Output: [95 NaN 0.9 0] 0.45346818205120465
}

// Explain a score by the contributions of the features.
func ExampleRanker_ContributionsInto() {
	ranker, err := serve.Load("testdata/hotels.txt")
	if err != nil {
		log.Fatal(err)
	}
	names := ranker.Columns().Names()
	hotel := map[string]float32{"price": 110, "rating": 4.8, "distance": 0.5, "chain": 3}
	x, err := ranker.Columns().AppendRow(nil, hotel)
	if err != nil {
		log.Fatal(err)
	}
	contributions := make([]float64, len(names)+1)
	if err := ranker.ContributionsInto(contributions, x); err != nil {
		log.Fatal(err)
	}
	for j, name := range names {
		fmt.Printf("%-8s %+.4f\n", name, contributions[j])
	}
	fmt.Printf("mean     %+.4f\nscore    %+.4f\n", contributions[len(names)], ranker.Score(x))
	// Output:
	// price    +0.2625
	// rating   +0.5398
	// distance +0.0703
	// chain    +0.0669
	// mean     -0.2050
	// score    +0.7345
}

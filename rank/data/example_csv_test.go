package data_test

import (
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank/data"
)

// A program that reads a CSV file. Columns named label and qid are what their names say, and the
// others are features. An empty cell is a missing value.
func ExampleLoad() {
	d, err := data.Load("testdata/hotels.csv", data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Names)
	for q, id := range d.QueryIDs {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			fmt.Println(id, d.Labels[i], d.Row(i))
		}
	}
	// Output:
	// [price stars review]
	// paris 2 [120 4 8.7]
	// paris 0 [95 2 6.1]
	// paris 1 [180 5 NaN]
	// rome 1 [75 3 8.2]
	// rome 0 [140 3 7.5]
}

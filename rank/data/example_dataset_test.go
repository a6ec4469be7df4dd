package data_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// four queries of two documents each; two have a relevant one.
const fourQueries = `1 qid:a 1:2 2:3
0 qid:a 1:4 2:5
0 qid:b 1:0 2:1
0 qid:b 1:6 2:1
0 qid:c 1:1 2:1
2 qid:c 1:1 2:2
0 qid:d 1:2 2:1
0 qid:d 1:3 2:1
`

func readFour() *rank.Dataset {
	d, err := data.Read(strings.NewReader(fourQueries), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return d
}

// Within each query, features are scaled to the range from 0 to 1; those that are all equal become
// 0.
func ExampleNormalize() {
	d, err := data.Normalize(readFour(), "linear")
	if err != nil {
		log.Fatal(err)
	}
	for i := range 4 {
		fmt.Println(d.AppendRow(nil, i))
	}
	// Output:
	// [0 0]
	// [1 1]
	// [0 0]
	// [1 0]
}

func ExampleDescribe() {
	r, err := data.Describe(context.Background(), readFour(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Queries, "queries,", r.Rows, "documents, labels:", r.Labels)
	fmt.Printf("%.0f %% of the features are not 0\n", 100*r.Density())
	// Output:
	// 4 queries, 8 documents, labels: [{0 6} {1 1} {2 1}]
	// 94 % of the features are not 0
}

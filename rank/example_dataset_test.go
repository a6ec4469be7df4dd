package rank_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// fourQueries contains four queries with two documents each. Two of them have a relevant document.
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

// Split stratifies the queries by their highest labels, so both parts have relevant documents.
func ExampleDataset_Split() {
	train, test, err := readFour().Split(.5, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(train.Queries(), train.Labels)
	fmt.Println(test.Queries(), test.Labels)
	// Output:
	// 2 [0 0 0 2]
	// 2 [1 0 0 0]
}

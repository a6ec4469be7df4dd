package pairwise_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/pairwise"
)

func ExampleTransform() {
	d, err := data.Read(strings.NewReader("1 qid:a 1:5 2:1\n0 qid:a 1:3 2:4\n1 qid:b 1:9 2:9\n"), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	x, y := pairwise.Transform(d)
	fmt.Println(x.RawRowView(0), y)
	// Output: [2 -3] [1]
}

// Command score is the smallest program that scores a document. A test inspects its binary.
package main

import (
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank/serve"
)

func main() {
	ranker, err := serve.Load("model.json")
	if err != nil {
		log.Fatal(err)
	}
	x, err := ranker.Columns().AppendJSON(nil, []byte(`{"bm25": 12.5}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ranker.Score(x), ranker.AppendTopK(nil, x, 1, 1))
}

package model_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/model"
)

// A program that loads a model of any kind and scores the documents of a file.
func ExampleLoad() {
	m, err := model.Load("testdata/model.json")
	if err != nil {
		log.Fatal(err)
	}
	d, err := data.Load("testdata/test.txt", data.Options{Columns: m.Features()})
	if err != nil {
		log.Fatal(err)
	}
	scores := make([]float64, d.Rows())
	if err := m.ScoreInto(context.Background(), scores, d); err != nil {
		log.Fatal(err)
	}
	for i, score := range scores {
		fmt.Printf("%s %.4f\n", d.DocIDs[i], score)
	}
	// Output:
	// D419 1.3026
	// D80 -1.3829
	// D65 -0.0521
	// D159 -1.0313
}

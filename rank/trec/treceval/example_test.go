package treceval_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/simdrank/simdrank/rank/trec"
	"github.com/simdrank/simdrank/rank/trec/treceval"
)

// This example prints the same values as trec_eval -q -m map -m P.1.
func ExampleMeasures() {
	judgments, err := treceval.Read(strings.NewReader("301 0 d1 1\n301 0 d2 0\n302 0 d7 2\n"), "qrels")
	if err != nil {
		log.Fatal(err)
	}
	run, err := trec.ReadRun(strings.NewReader("301 Q0 d2 1 9 r\n301 Q0 d1 2 8 r\n302 Q0 d7 1 5 r\n"))
	if err != nil {
		log.Fatal(err)
	}
	m, err := treceval.NewMeasures(10, "map", "P.1")
	if err != nil {
		log.Fatal(err)
	}
	results, err := m.Eval(context.Background(), judgments, run)
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(results.WriteTopics(os.Stdout), results.WriteAll(os.Stdout)); err != nil {
		log.Fatal(err)
	}
	v, _ := results.Value(&results.All, "map")
	fmt.Println(v)
	// Output:
	// map                   	301	0.5000
	// P_1                   	301	0.0000
	// map                   	302	1.0000
	// P_1                   	302	1.0000
	// map                   	all	0.7500
	// P_1                   	all	0.5000
	// 0.75
}

package explain_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/explain"
)

func ExampleQuery() {
	const text = `2 qid:10 1:1 2:0.5 # docid = GX1
0 qid:10 1:0.25 2:1 # docid = GX2
`
	d, err := data.Read(strings.NewReader(text), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	m := &rank.Linear{Weights: []float64{2, -1}}
	r, err := explain.Query(context.Background(), m, d, 0, explain.Options{Documents: 1})
	if err != nil {
		log.Fatal(err)
	}
	best := r.Documents[0]
	fmt.Printf("%s is %g above %s\n", d.DocIDs[best.Row], best.Above, d.DocIDs[best.Next])
	for _, f := range best.Features {
		fmt.Printf("feature %d: %g against %g, %+g\n", f.Column+1, f.Value, f.Next, f.Difference)
	}
	// Output:
	// GX1 is 2 above GX2
	// feature 1: 1 against 0.25, +1.5
	// feature 2: 0.5 against 1, +0.5
}

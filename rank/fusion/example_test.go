package fusion_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/simdrank/simdrank/rank/fusion"
	"github.com/simdrank/simdrank/rank/trec"
)

// This example fuses two runs by reciprocal rank fusion.
func ExampleFuser() {
	var runs []*trec.Run
	for _, text := range []string{
		"301 Q0 doc1 1 9.5 bm25\n301 Q0 doc2 2 8.5 bm25\n",
		"301 Q0 doc3 1 0.9 dense\n301 Q0 doc1 2 0.8 dense\n",
	} {
		run, err := trec.ReadRun(strings.NewReader(text))
		if err != nil {
			log.Fatal(err)
		}
		runs = append(runs, run)
	}
	f := fusion.Fuser{Name: "hybrid"}
	fused, err := f.Fuse(context.Background(), runs)
	if err != nil {
		log.Fatal(err)
	}
	if err := fused.Write(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 301 Q0 doc1 1 0.03252247488101534 hybrid
	// 301 Q0 doc3 2 0.01639344262295082 hybrid
	// 301 Q0 doc2 3 0.016129032258064516 hybrid
}

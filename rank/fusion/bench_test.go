package fusion

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/simdrank/simdrank/rank/trec"
)

// BenchmarkRRF fuses 5 runs of 1000 topics with 1000 documents each; about half of the documents
// are shared. The alternatives use a map from document IDs to scores: map extracts the rankings
// from the runs as a program would, and map-of-rankings starts from strings. Reading is not
// measured.
func BenchmarkRRF(b *testing.B) {
	const topics, docs = 1000, 1000
	var runs []*trec.Run
	for r := range 5 {
		var text bytes.Buffer
		for topic := range topics {
			for i := range docs {
				// The modulus is a prime, so no document is repeated.
				d := (i + 1) * (7*r + topic%5 + 3) % 2003
				fmt.Fprintf(&text, "%d Q0 clueweb09-en%04d-%02d-%05d %d %d.5 run%d\n", topic+1, d, d%97, d*31%99991,
					i+1, docs-i, r)
			}
		}
		run, err := trec.ReadRun(&text)
		if err != nil {
			b.Fatal(err)
		}
		runs = append(runs, run)
	}
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			f := Fuser{Threads: threads}
			for b.Loop() {
				if _, err := f.Fuse(b.Context(), runs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	topicIDs := runs[0].Topics()
	rankings := func(topic string) (of [][]string) {
		for _, r := range runs {
			of = append(of, docsOf(r, topic))
		}
		return of
	}
	b.Run("map", func(b *testing.B) {
		for b.Loop() {
			for _, topic := range topicIDs {
				mapRRF(rankings(topic))
			}
		}
	})
	b.Run("map-of-rankings", func(b *testing.B) {
		all := make([][][]string, topics)
		for i, topic := range topicIDs {
			all[i] = rankings(topic)
		}
		for b.Loop() {
			for _, of := range all {
				mapRRF(of)
			}
		}
	})
}

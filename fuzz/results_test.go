package fuzz

import (
	"bytes"
	"testing"

	"github.com/simdrank/simdrank/internal/cli"
)

// FuzzReadResults reads any input as results of eval --save. Results that are read must be written
// and read again with the same text.
func FuzzReadResults(f *testing.F) {
	const stored = `{"format": "simdrank-results", "version": 1, "metrics": ["ndcg@10", "rbp(0.5)"],
		"conventions": {"gain": "exp"}, "queries": [{"id": "a", "values": [0.5, null]}, {"id": "b", "values": [1, 0]}]}`
	for _, s := range []string{stored, stored[:100], `{"format": "simdrank-results"}`, "[]", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		results, err := cli.ReadResults(bytes.NewReader(content))
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := results.Write(&first); err != nil {
			return // an identifier is not UTF-8
		}
		again, err := cli.ReadResults(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%s\nbecame\n%s, %v", &first, &second, err)
		}
	})
}

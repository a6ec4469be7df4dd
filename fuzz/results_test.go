package fuzz

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
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

// FuzzColumnReader reads any input as columns of numbers. An error must name a line, unless there
// are no numbers, and every row that is read must have all columns.
func FuzzColumnReader(f *testing.F) {
	for _, s := range []string{"1 2\n3 4\n", "a,b\n1,\n2,3", "\"a\"\tb\n1\t2", "# x\n\n1,2,3\n", "NaN 1\n", "\"\n"} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, content []byte, drop bool) {
		reader, added := cli.ColumnReader{DropNaN: drop}, 0
		err := reader.Read(bytes.NewReader(content), func(column int, _ string, v float64) error {
			if column != added%len(reader.Names) || math.IsNaN(v) {
				t.Fatalf("column %d after %d values: %v", column, added, v)
			}
			added++
			return nil
		})
		var parse *rank.ParseError
		switch {
		case err == nil && (added == 0 || added%len(reader.Names) != 0):
			t.Fatalf("%d values of %d columns", added, len(reader.Names))
		case errors.As(err, &parse) && parse.Line == 0:
			t.Fatal(err)
		}
	})
}

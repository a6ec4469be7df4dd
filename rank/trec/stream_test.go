package trec

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
)

// TestStreamRuns streams runs, and reads them whole if that fails: from readers that can seek, and
// from short ones that cannot.
func TestStreamRuns(t *testing.T) {
	var text strings.Builder
	for topic := range 2000 { // more than a piece
		for d := range 50 {
			fmt.Fprintf(&text, "%d Q0 document-with-a-long-name-%d 1 1 r\n", topic, d)
		}
	}
	sorted := text.String()
	scattered := sorted + "0 Q0 another 2 0 r\n"
	type results struct{ pieces, topics int }
	calls := 0
	use := func(runs []iter.Seq2[*Run, error]) (r results, err error) {
		calls++
		for runs, err := range Together(runs...) {
			if err != nil {
				return r, err
			}
			r.pieces++
			r.topics += len(runs[0].Topics())
		}
		return r, nil
	}
	seeks := func(s string) io.Reader { return strings.NewReader(s) }
	pipe := func(s string) io.Reader { return io.MultiReader(strings.NewReader(s)) }
	first := strings.Index(sorted, "\n1 ") + 1
	other := sorted[first:] + sorted[:first]
	for i, c := range []struct {
		readers []io.Reader
		most    int
		calls   int
		whole   bool
		err     error
	}{
		{[]io.Reader{seeks(sorted)}, 0, 1, false, nil},
		{[]io.Reader{seeks(scattered)}, 0, 2, true, nil},
		{[]io.Reader{pipe(sorted)}, 0, 1, false, nil},
		{[]io.Reader{pipe(scattered)}, len(scattered), 2, true, nil},
		{[]io.Reader{pipe(scattered)}, len(scattered) - 1, 1, false, errScattered},
		{[]io.Reader{seeks(sorted), seeks(sorted)}, 0, 1, false, nil},
		{[]io.Reader{seeks(sorted), seeks(other)}, 0, 2, true, nil},
		{[]io.Reader{seeks(sorted), pipe(sorted)}, 0, 1, true, nil},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			calls = 0
			r, err := streamRuns(c.most, use, slices.Clone(c.readers), nil, nil)
			if calls != c.calls || !errors.Is(err, c.err) {
				t.Errorf("case %d: %d calls, error %v; want %d, %v", i, calls, err, c.calls, c.err)
			}
			if err == nil && (r.topics != 2000 || c.whole != (r.pieces == 1)) {
				t.Errorf("case %d: %+v", i, r)
			}
		})
	}
	if _, err := StreamRuns(use, []io.Reader{pipe("x\n")}); err == nil {
		t.Error("a run of one word is read")
	}
}

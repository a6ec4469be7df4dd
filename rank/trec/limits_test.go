package trec

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// An endless text consists of a head and a line that never ends.
type endless struct {
	head, line string
	at         int
}

func (e *endless) Read(b []byte) (n int, err error) {
	for n < len(b) {
		text := e.head
		if e.at >= len(e.head) {
			text = e.line
		}
		k := copy(b[n:], text[e.at%len(text):])
		e.at, n = e.at+k, n+k
		if e.at == len(e.head) {
			e.head, e.at = "", 0
		}
	}
	return n, nil
}

// Endless texts, and short ones that decompress to long ones, are rejected when the memory in use
// reaches the limit.
func TestMemoryLimit(t *testing.T) {
	testkit.SkipShort64(t)
	const limit = 16 << 20
	read := map[string]func(r io.Reader) error{
		"qrels": func(r io.Reader) error { return errOf(ReadQrels(r, rank.ReadOptions{MemoryLimit: limit})) },
		"run":   func(r io.Reader) error { return errOf(ReadRun(r, rank.ReadOptions{MemoryLimit: limit})) },
		"subtopics": func(r io.Reader) error {
			return errOf(ReadSubtopics(r, rank.ReadOptions{MemoryLimit: limit}))
		},
		"prefs": func(r io.Reader) error {
			return errOf(ReadGroups(r, "prefs", rank.ReadOptions{MemoryLimit: limit}))
		},
	}
	for _, c := range []struct {
		name, of, head, line string
		option               bool // the error names the option
	}{
		{"documents", "qrels", "", "1 0 a 1\n", true},
		{"retrieved", "run", "", "1 Q0 a 1 2 r\n", true},
		{"subtopic", "subtopics", "", "1 1 a 1\n", true},
		{"preferences", "prefs", "", "1 1 1 a 1\n", true},
		{"long identifiers", "qrels", "", "1 0 " + strings.Repeat("a", 1<<20) + " 1\n", true},
		{"a line", "qrels", "1 0 ", "a", false},
		{"zeros", "run", "", "\x00", false},
		{"a topic of JSON", "run", `{"1": {`, `"a": 1, `, true},
		{"nested JSON", "run", `{"1": `, `{"a":`, true},
		{"topics of JSON", "run", `{"0": {"a": 1}`, `, "1": {"a": 1}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			compressed := func() io.Reader {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				if _, err := io.CopyN(z, &endless{head: c.head, line: c.line}, 17<<20); err != nil {
					t.Fatal(err)
				}
				z.Close()
				return &b
			}
			for name, r := range map[string]io.Reader{
				"plain": &endless{head: c.head, line: c.line}, "gzip": compressed(),
			} {
				t.Run(name, func(t *testing.T) {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					err := read[c.of](r)
					runtime.ReadMemStats(&after)
					option := (*rank.OptionError)(nil)
					if err == nil || c.option != errors.As(err, &option) {
						t.Errorf("%v, a memory limit is %v", err, c.option)
					}
					if got := after.HeapSys - min(before.HeapSys, after.HeapSys); got > 4*limit+64<<20 {
						t.Errorf("%d bytes of heap, limit %d", got, limit)
					}
				})
			}
		})
	}
}

func errOf[T any](_ T, err error) error { return err }

// A streamed run may be larger than the limit, but its topics must not be.
func TestMemoryLimitOfPieces(t *testing.T) {
	var text strings.Builder
	for topic := range 200 {
		for doc := range 100 {
			text.WriteString(strings.Repeat("t", topic+1))
			text.WriteString(" Q0 " + strings.Repeat("d", doc+1) + " 1 1 r\n")
		}
	}
	for name, c := range map[string]struct {
		limit int64
		ok    bool
	}{
		"a few topics": {1 << 18, true},
		"less":         {1 << 10, false},
	} {
		t.Run(name, func(t *testing.T) {
			documents := 0
			var failed error
			o := rank.ReadOptions{MemoryLimit: c.limit}
			for run, err := range runPieces(strings.NewReader(text.String()), 1000, []rank.ReadOptions{o}, nil) {
				if failed = err; err == nil {
					for i := range run.topics {
						documents += run.topics[i].docs()
					}
				}
			}
			if c.ok != (failed == nil) || c.ok && documents != 20000 {
				t.Errorf("%d documents, %v", documents, failed)
			}
		})
	}
	if _, err := ReadRun(strings.NewReader(text.String()), rank.ReadOptions{MemoryLimit: 1 << 18}); err == nil {
		t.Error("the whole run fits")
	}
	if _, err := ReadRun(strings.NewReader(text.String()), rank.ReadOptions{MemoryLimit: math.MaxInt64}); err != nil {
		t.Error(err)
	}
}

package files

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
)

// The default of rank.ReadOptions.MemoryLimit, of which the larger part counts.
const (
	leastBudget   = 2 << 30
	budgetPerByte = 64 // of a file
)

// A Budget counts the bytes that a reader holds, and refuses those beyond the memory limit. Readers
// ask it before they allocate what the content of a file, and not its length, decides. Its methods
// may be called by several goroutines at once.
type Budget struct {
	limit int64
	held  atomic.Int64
}

// NewBudget returns the budget of a reader under options, of which the last one counts. Call it
// with the file itself, compressed as it stands, whose size the default follows.
func NewBudget(r io.Reader, o ...rank.ReadOptions) *Budget {
	return BudgetOf(Size(r), o...)
}

// BudgetOf is NewBudget of a file of so many bytes, 0 if that is not known.
func BudgetOf(size int64, o ...rank.ReadOptions) *Budget {
	b := &Budget{limit: max(leastBudget, budgetPerByte*min(size, 1<<50))}
	if len(o) > 0 && o[len(o)-1].MemoryLimit > 0 {
		b.limit = o[len(o)-1].MemoryLimit
	}
	b.limit = min(b.limit, math.MaxInt) // which a slice can have
	return b
}

// Hold counts bytes that are about to be held, or returns a *rank.OptionError if there would be too
// many. what is a plural that needs the memory, as in "the category sets".
func (b *Budget) Hold(what string, n int64) error {
	held := b.held.Add(n)
	if n < 0 || held < 0 || held > b.limit {
		b.held.Add(-n)
		return b.exceeded(what, uint64(held))
	}
	return nil
}

// Release counts bytes that are held no longer.
func (b *Budget) Release(n int64) { b.held.Add(-n) }

// Options returns options with the limit of the budget.
func (b *Budget) Options() rank.ReadOptions { return rank.ReadOptions{MemoryLimit: b.limit} }

// Left returns how many bytes may still be held.
func (b *Budget) Left() int64 { return b.limit - b.held.Load() }

func (b *Budget) exceeded(what string, needed uint64) error {
	return &rank.OptionError{Option: "MemoryLimit",
		Err: fmt.Errorf("%s need %d bytes of memory or more, and the limit is %d", what, needed, b.limit)}
}

// ReadAll reads content whose size is expected, 0 if that is not known, and holds it, aligned for
// elements of 8 bytes. Its buffer is counted before it grows, when the old and the new one are
// there at once.
func (b *Budget) ReadAll(r io.Reader, what string, size int64) ([]byte, error) {
	for content := []byte(nil); ; {
		if len(content) == cap(content) {
			most := max(2*int64(len(content)), size+bytes.MinRead, 1<<12)
			if err := b.Hold(what, most); err != nil {
				return nil, err
			}
			content = append(memory.Buffer(int(most))[:0], content...)
			b.Release(int64(len(content)))
		}
		n, err := r.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if err == io.EOF {
			return content, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Reader returns a reader of content that is held: each byte of it takes so many bytes of the
// budget. Content beyond the budget is an error of Read.
func (b *Budget) Reader(r io.Reader, what string, each int64) io.Reader {
	return &budgetReader{r, b, what, each}
}

type budgetReader struct {
	io.Reader
	budget *Budget
	what   string
	each   int64
}

func (r *budgetReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if full := r.budget.Hold(r.what, r.each*int64(n)); full != nil {
		return 0, full
	}
	return n, err
}

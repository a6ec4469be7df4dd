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

// The defaults of rank.ReadOptions.MemoryLimit. The larger one applies.
const (
	leastBudget   = 2 << 30
	budgetPerByte = 64 // per byte of the file
)

// A Budget counts the bytes that a reader holds and enforces the memory limit. Readers ask it
// before each allocation whose size depends on the content of a file rather than on its length. It
// is safe for concurrent use. A Budget also decompresses, which its reader's options configure.
type Budget struct {
	limit int64
	held  atomic.Int64
	zstd  func(r io.Reader) (io.Reader, error) // rank.ReadOptions.Zstd
}

// NewBudget returns the budget of a reader. The last options apply. r must be the file itself,
// still compressed, because the default limit depends on its size.
func NewBudget(r io.Reader, o ...rank.ReadOptions) *Budget {
	return BudgetOf(Size(r), o...)
}

// BudgetOf is like NewBudget but takes the file size, or 0 if the size is unknown.
func BudgetOf(size int64, o ...rank.ReadOptions) *Budget {
	b := &Budget{limit: max(leastBudget, budgetPerByte*min(size, 1<<50))}
	if len(o) > 0 {
		last := o[len(o)-1]
		b.zstd = last.Zstd
		if last.MemoryLimit > 0 {
			b.limit = last.MemoryLimit
		}
	}
	b.limit = min(b.limit, math.MaxInt) // the maximum length of a slice
	return b
}

// Hold counts n bytes before they are allocated. It returns a *rank.OptionError if they exceed the
// limit. what is a plural noun phrase for the error, such as "the category sets".
func (b *Budget) Hold(what string, n int64) error {
	held := b.held.Add(n)
	if n < 0 || held < 0 || held > b.limit {
		b.held.Add(-n)
		return b.exceeded(what, uint64(held))
	}
	return nil
}

// Release subtracts n bytes that are no longer held.
func (b *Budget) Release(n int64) { b.held.Add(-n) }

// Options returns reading options with the limit of the budget.
func (b *Budget) Options() rank.ReadOptions {
	return rank.ReadOptions{MemoryLimit: b.limit, Zstd: b.zstd}
}

// Left returns the number of bytes that may still be held.
func (b *Budget) Left() int64 { return b.limit - b.held.Load() }

func (b *Budget) exceeded(what string, needed uint64) error {
	return &rank.OptionError{Option: "MemoryLimit",
		Err: fmt.Errorf("%s need at least %d bytes of memory, but the limit is %d", what, needed, b.limit)}
}

// ReadAll reads and holds the content of r, aligned for 8-byte elements. size is the expected size,
// or 0 if it is unknown. The buffer is counted before it grows, when the old and the new buffer
// exist at the same time.
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

// Reader returns a reader that counts its content as held: each byte read costs the given number of
// bytes. Read returns an error if the budget is exceeded.
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

package parquet

import (
	"fmt"

	"github.com/simdrank/simdrank/rank"
)

// A budget bounds the memory and the time that reading a file may cost. All sizes are in bytes.
type budget struct {
	limit int64 // the memory that the dataset may need
	held  int64 // the memory that was counted so far
	work  int64 // the size that all decoded values may have, including zeros that are not kept
}

// newBudget returns the budget of a file of the given size. pages is the size of the pages to read.
// The default limit is the one of rank.ReadOptions.
func newBudget(o rank.ReadOptions, size, pages int64) budget {
	limit := o.MemoryLimit
	if limit <= 0 {
		limit = max(2<<30, 64*min(size, 1<<50))
	}
	return budget{limit: limit, work: limit + 4096*pages}
}

// hold counts bytes that will be held, and returns an error if their sum exceeds the limit.
func (b *budget) hold(what string, bytes int64) error {
	if bytes > b.limit-b.held {
		return exceeded(what, "of memory", b.held+bytes, b.limit)
	}
	b.held += bytes
	return nil
}

// decode returns an error if rows × columns values are too many to decode. Sparse columns with any
// number of zeros need little memory and few bytes of the file, but each zero costs time.
func (b *budget) decode(rows, columns int) error {
	if bytes := 4 * int64(rows) * int64(columns); bytes > b.work {
		what := fmt.Sprintf("the values of %d columns in %d rows", columns, rows)
		return exceeded(what, "to decode", bytes, b.work)
	}
	return nil
}

func exceeded(what, use string, needed, limit int64) error {
	return &rank.OptionError{Option: "MemoryLimit",
		Err: fmt.Errorf("%s need at least %d bytes %s, but the limit is %d", what, needed, use, limit)}
}

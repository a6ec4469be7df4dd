package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// ReadPairs reads pairs of documents of d, one per line: the query ID, the better document, the
// worse document and optionally a weight, separated by blanks, tabs or commas. The weight is 1 if
// there is none. Documents are named by their IDs if d has document IDs, and otherwise by their
// rows within the query, counted from 1. The file may be compressed with gzip. Blank lines and
// lines that start with # are skipped. The pairs are sorted by query. Errors are
// [rank.ParseError]s, unless the file contains no pairs.
func ReadPairs(r io.Reader, d *rank.Dataset, o ...rank.ReadOptions) ([]rank.Pair, error) {
	p := newPairReader(d)
	err := eachLine(r, "the pairs", o, func(line int, content string) error {
		if err := p.add(content); err != nil {
			return &rank.ParseError{Line: line, Column: p.column, Err: err}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(p.pairs) == 0:
		return nil, errs.New("data", "the file contains no pairs")
	}
	slices.SortStableFunc(p.pairs, func(a, b pairOf) int { return cmp.Compare(a.query, b.query) })
	pairs := make([]rank.Pair, len(p.pairs))
	for i := range pairs {
		pairs[i] = p.pairs[i].Pair
	}
	return pairs, nil
}

// A pairOf is a pair with the index of its query.
type pairOf struct {
	rank.Pair
	query int32
}

// A document identifies a document of a query.
type document struct {
	query int32
	id    string
}

// A pairReader finds the documents of pairs.
type pairReader struct {
	d         *rank.Dataset
	queries   map[string]int32
	documents map[document]int32 // row of each document ID, or −1 if several rows have it
	pairs     []pairOf
	column    int // column of the current field, from 1
}

func newPairReader(d *rank.Dataset) *pairReader {
	p := &pairReader{d: d, queries: make(map[string]int32, d.Queries())}
	if d.DocIDs != nil {
		p.documents = make(map[document]int32, d.Rows())
	}
	for q, id := range d.QueryIDs {
		p.queries[id] = int32(q)
		if d.DocIDs == nil {
			continue
		}
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			key := document{int32(q), d.DocIDs[i]}
			if _, again := p.documents[key]; again {
				p.documents[key] = -1
			} else {
				p.documents[key] = int32(i)
			}
		}
	}
	return p
}

// add adds the pair of a line.
func (p *pairReader) add(line string) error {
	fields := splitFields(nil, line)
	at := func(i int) string {
		p.column = fields[i].at + 1
		return fields[i].text
	}
	if len(fields) > 4 {
		return fmt.Errorf("unexpected %.40q after the weight", at(4))
	}
	if p.column = 0; len(fields) == 0 {
		return nil
	}
	if len(fields) < 3 {
		return fmt.Errorf("found %s; each line must have a query, a better document, a worse document and optionally a weight",
			Count(len(fields), "field", "fields"))
	}
	query := at(0)
	q, known := p.queries[query]
	if !known {
		return fmt.Errorf("query %.40q is not in the data", query)
	}
	var rows [2]int32
	for k := range rows {
		var err error
		if rows[k], err = p.row(q, at(1+k)); err != nil {
			return err
		}
	}
	if rows[0] == rows[1] {
		return fmt.Errorf("document %.40q cannot be better than itself", fields[2].text)
	}
	pair := rank.Pair{Better: rows[0], Worse: rows[1], Weight: 1}
	if len(fields) == 4 {
		weight := at(3)
		w, err := text.ParseNumber(weight, 64)
		if err != nil {
			return fmt.Errorf("the weight %.40q is not a number", weight)
		}
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("the weight is %v; it must be finite and not negative", w)
		}
		pair.Weight = w
	}
	p.pairs = append(p.pairs, pairOf{pair, q})
	return nil
}

// row returns the row of a document of query q.
func (p *pairReader) row(q int32, id string) (int32, error) {
	query := p.d.QueryIDs[q]
	lo, hi := p.d.Query(int(q))
	if p.documents == nil {
		n, err := strconv.Atoi(id)
		if err != nil || n < 1 || n > hi-lo {
			return 0, fmt.Errorf("%.40q must be a row in query %.40q, from 1 to %d, because the data contains no document IDs", id,
				query, hi-lo)
		}
		return int32(lo + n - 1), nil
	}
	switch row, known := p.documents[document{q, id}]; {
	case !known:
		return 0, fmt.Errorf("document %.40q is not in query %.40q", id, query)
	case row < 0:
		return 0, fmt.Errorf("document %.40q occurs several times in query %.40q", id, query)
	default:
		return row, nil
	}
}

package data

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
)

// WriteLETOR writes a dataset as LETOR text, as [Read] reads it: the labels, the bits of the
// features, query ids and document ids come back as they were. Numbers are the shortest
// that do so. Features that are 0 are left out, except the last one of the first row,
// which tells how many there are. (NaN and infinities need AllowNonFinite to be read;
// the payload of a NaN is lost, and so are zeros that sparse rows list, and their signs.)
//
// A dataset that the format cannot hold is an error before anything is written: one
// without documents, with an empty query, with a query id that is empty, repeated, or
// has blanks or '#' in it, or with a document id that has blanks.
func WriteLETOR(w io.Writer, d *rank.Dataset) (err error) {
	defer memory.Begin().End(&err)
	if err := checkWritable(d); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			line = appendNumber(line[:0], d.Labels[i], 64)
			line = append(line, " qid:"...)
			line = append(line, d.QueryIDs[q]...)
			if d.Sparse != nil {
				line = appendSparse(line, d, i)
			} else {
				line = appendDense(line, d, i)
			}
			if d.DocIDs != nil && d.DocIDs[i] != "" {
				line = append(line, " #docid = "...)
				line = append(line, d.DocIDs[i]...)
			}
			line = append(line, '\n')
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// appendDense appends the features of row i, dense ones.
func appendDense(line []byte, d *rank.Dataset, i int) []byte {
	for j, v := range d.Row(i) {
		if math.Float32bits(v) != 0 || i == 0 && j+1 == d.Cols {
			line = appendFeature(line, j, v)
		}
	}
	return line
}

// appendSparse appends the features of row i, sparse ones.
func appendSparse(line []byte, d *rank.Dataset, i int) []byte {
	width := 0
	columns, values := d.Sparse.Row(i)
	for k, j := range columns {
		if v := values[k]; v != 0 {
			line = appendFeature(line, int(j), v)
			width = int(j) + 1
		}
	}
	if i == 0 && width < d.Cols {
		line = appendFeature(line, d.Cols-1, 0)
	}
	return line
}

// appendFeature appends the value of column j.
func appendFeature(line []byte, j int, v float32) []byte {
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(j+1), 10)
	line = append(line, ':')
	return appendNumber(line, float64(v), 32)
}

// checkWritable returns an error when d cannot come back from LETOR text as it is.
func checkWritable(d *rank.Dataset) error {
	if err := d.Validate(); err != nil {
		return err
	}
	if d.Rows() == 0 {
		return errNoDocuments
	}
	if d.Cols > modelfile.LargestMaxFeature {
		return errs.Errorf("data", "%d features, LETOR text holds at most %d", d.Cols,
			modelfile.LargestMaxFeature)
	}
	seen := make(map[string]bool, d.Queries())
	for q, id := range d.QueryIDs {
		lo, hi := d.Query(q)
		switch {
		case lo == hi:
			return errs.Errorf("data", "query %q has no documents", id)
		case id == "" || !printable(id, '#'):
			return errs.Errorf("data", "query id %q is empty or holds blanks or '#'", id)
		case seen[id]:
			return errs.Errorf("data", "query id %q stands for two queries", id)
		}
		seen[id] = true
	}
	for i, id := range d.DocIDs {
		if !printable(id, ' ') {
			return errs.Errorf("data", "document id %q of row %d holds blanks", id, i)
		}
	}
	return nil
}

// printable reports whether s has no blanks, no control characters and no other byte.
func printable(s string, other byte) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == other {
			return false
		}
	}
	return true
}

// appendNumber appends the shortest text that reads back as v, without an exponent
// where people would not write one.
func appendNumber(b []byte, v float64, bitSize int) []byte {
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e15) {
		format = 'e'
	}
	return strconv.AppendFloat(b, v, format, -1, bitSize)
}

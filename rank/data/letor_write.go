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

// WriteLETOR writes a dataset as LETOR text. [Read] restores the labels, the exact features, and
// the query and document IDs. Numbers have the fewest digits that restore them. Features that are 0
// are omitted, except the last one of the first row, which determines the number of features. NaN
// and infinities can be read back only with AllowNonFinite. NaN payloads, the signs of zeros, and
// explicit zeros in sparse rows are lost. Text categories are written as their numbers.
//
// WriteLETOR returns an error, before writing anything, if the format cannot express the dataset. A
// dataset must have documents and no empty query. Query IDs must be unique and not empty, and must
// not contain blanks, control characters or '#'. Document IDs must not contain blanks or control
// characters.
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

// appendDense appends the features of row i of d, which must be dense, except for those that are
// +0. Row 0 always gets the last feature, so that a reader restores d.Cols.
func appendDense(line []byte, d *rank.Dataset, i int) []byte {
	for j, v := range d.Row(i) {
		if math.Float32bits(v) != 0 || i == 0 && j+1 == d.Cols {
			line = appendFeature(line, j, v)
		}
	}
	return line
}

// appendSparse appends the nonzero features of row i of d, which must be sparse. Row 0 always gets
// the last feature, so that a reader restores d.Cols.
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

// appendFeature appends the feature v of column j, with its index.
func appendFeature(line []byte, j int, v float32) []byte {
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(j+1), 10)
	line = append(line, ':')
	return appendNumber(line, float64(v), 32)
}

// checkWritable returns an error if d cannot be written as LETOR text without loss.
func checkWritable(d *rank.Dataset) error {
	if err := d.Validate(); err != nil {
		return err
	}
	if d.Rows() == 0 {
		return errs.ErrNoDocuments
	}
	if d.Cols > modelfile.LargestMaxFeature {
		return errs.Errorf("data", "LETOR text supports at most %d features, but the data has %d",
			modelfile.LargestMaxFeature, d.Cols)
	}
	seen := make(map[string]bool, d.Queries())
	for q, id := range d.QueryIDs {
		lo, hi := d.Query(q)
		switch {
		case lo == hi:
			return errs.Errorf("data", "query %q has no documents", id)
		case id == "" || !printable(id, '#'):
			return errs.Errorf("data", "query ID %q must not be empty or contain blanks, control characters or '#'", id)
		case seen[id]:
			return errs.Errorf("data", "query ID %q is used by two queries", id)
		}
		seen[id] = true
	}
	for i, id := range d.DocIDs {
		if !printable(id, ' ') {
			return errs.Errorf("data", "document ID %q of row %d must not contain blanks or control characters", id, i)
		}
	}
	return nil
}

// printable reports whether s contains neither blanks nor control characters nor the byte other.
func printable(s string, other byte) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] == other {
			return false
		}
	}
	return true
}

// appendNumber appends the shortest text that restores v exactly. The text has no exponent unless v
// is very large or very small.
func appendNumber(b []byte, v float64, bitSize int) []byte {
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e15) {
		format = 'e'
	}
	return strconv.AppendFloat(b, v, format, -1, bitSize)
}

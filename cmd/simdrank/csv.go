package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/text"
)

// A tabular result writes a table, beginning with the column names.
type tabular interface{ csv(t *csvTable) }

// writeCSV writes a result as CSV (RFC 4180), except that lines end with a newline only.
func writeCSV(w io.Writer, r result) error {
	t := csvTable{Writer: csv.NewWriter(w)}
	if table, ok := r.(tabular); ok {
		table.csv(&t)
	} else if err := t.fields(r); err != nil {
		return err
	}
	t.Flush()
	return t.Error()
}

// A csvTable writes rows. Write errors are reported at the end.
type csvTable struct {
	*csv.Writer
	record []string
}

// row writes strings, integers and numbers. A number is written as the shortest decimal that parses
// to the same value. NaN, which means undefined, and nil become empty cells. Strings are escaped by
// [text.Cell].
func (t *csvTable) row(fields ...any) {
	t.record = t.record[:0]
	for _, f := range fields {
		s := ""
		switch v := f.(type) {
		case nil:
		case number:
			s = csvNumber(float64(v))
		case float64:
			s = csvNumber(v)
		case string:
			s = text.Cell(v)
		default:
			s = fmt.Sprint(v)
		}
		t.record = append(t.record, s)
	}
	t.Write(t.record) // the error is reported at the end
}

func csvNumber(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case v == math.Trunc(v) && math.Abs(v) < 1<<53: // for example a document count
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return formatNumber(v)
}

// fields writes a name and a value for each JSON field of r. Names of nested fields are joined, for
// example counts.pairs, and elements of lists are numbered, for example labels.1.
func (t *csvTable) fields(r any) error {
	var doc bytes.Buffer
	if err := text.WriteJSON(&doc, r); err != nil {
		return err
	}
	d := json.NewDecoder(&doc)
	d.UseNumber()
	t.row("name", "value")
	t.field(d, "")
	return nil
}

func (t *csvTable) field(d *json.Decoder, name string) {
	next := func() json.Token {
		token, err := d.Token()
		if err != nil {
			panic(err) // text.WriteJSON writes valid JSON
		}
		return token
	}
	value := next()
	kind, ok := value.(json.Delim)
	if !ok {
		t.row(name, value)
		return
	}
	if name != "" {
		name += "."
	}
	for i := 1; d.More(); i++ {
		key := strconv.Itoa(i)
		if kind == '{' {
			key = fmt.Sprint(next())
		}
		t.field(d, name+key)
	}
	next()
}

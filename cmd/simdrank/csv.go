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

// A tabular result writes the rows of a table, the names of its columns first.
type tabular interface{ csv(t *csvTable) }

// writeCSV writes a result as RFC 4180 has it, but for lines that end as they do in text.
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

// A csvTable takes rows. An error of writing is known at the end.
type csvTable struct {
	*csv.Writer
	record []string
}

// row writes strings, integers and numbers. Numbers have as many digits as it takes to read the
// same bits back; what is undefined (NaN) is empty, and so is nil. Strings are as [text.Cell] has
// them.
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
	t.Write(t.record) // its error is that of the end
}

func csvNumber(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case v == math.Trunc(v) && math.Abs(v) < 1<<53: // such as a count of documents
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return formatNumber(v)
}

// fields writes a name and a value for each field of the JSON of r, such as counts.pairs of one
// within another, and labels.1 in a list.
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
			panic(err) // it was made by text.WriteJSON
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

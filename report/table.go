package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A table contains the numbers of a figure as text.
type table struct {
	columns []string
	rows    [][]string
	note    string // for example which rows are shown
}

// table returns the numbers of the figure.
func (c *Chart) table() *table {
	if c.data != nil {
		return c.data
	}
	name := func(a *Axis, v float64) string {
		if v >= 0 && v < float64(len(a.Names)) && v == math.Trunc(v) {
			return a.Names[int(v)]
		}
		return number(v)
	}
	same := len(c.Series) > 0 && c.Y.Names == nil
	for i := range c.Series {
		same = same && slices.Equal(c.Series[i].X, c.Series[0].X) && c.Series[i].Low == nil
	}
	t := &table{}
	if same {
		t.columns = []string{c.X.Label}
		for _, s := range c.Series {
			label := s.Name
			if label == "" {
				label = c.Y.Label
			}
			t.columns = append(t.columns, label)
		}
		for i, v := range c.Series[0].X {
			row := []string{name(&c.X, v)}
			for _, s := range c.Series {
				row = append(row, number(s.Y[i]))
			}
			t.rows = append(t.rows, row)
		}
		return t.thin()
	}
	several := slices.ContainsFunc(c.Series, func(s Series) bool { return s.Name != "" })
	intervals := slices.ContainsFunc(c.Series, func(s Series) bool { return s.Low != nil })
	if several {
		t.columns = append(t.columns, "series")
	}
	t.columns = append(t.columns, c.X.Label, c.Y.Label)
	if intervals {
		t.columns = append(t.columns, "from", "to")
	}
	for _, s := range c.Series {
		for i := range s.X {
			var row []string
			if several {
				row = append(row, s.Name)
			}
			row = append(row, name(&c.X, s.X[i]), name(&c.Y, s.Y[i]))
			if s.Low != nil {
				row = append(row, number(s.Low[i]), number(s.High[i]))
			} else if intervals {
				row = append(row, "", "")
			}
			t.rows = append(t.rows, row)
		}
	}
	return t.thin()
}

// tableRows is the maximum number of table rows on a page.
const tableRows = 200

// thin reduces a table with too many rows to evenly spaced ones, including the first and the last.
func (t *table) thin() *table {
	n := len(t.rows)
	if n <= tableRows {
		return t
	}
	few := &table{columns: t.columns, note: fmt.Sprintf("%d of %d rows, evenly spaced", tableRows, n)}
	for k := range tableRows {
		few.rows = append(few.rows, t.rows[k*(n-1)/(tableRows-1)])
	}
	return few
}

// first reduces a table with too many rows to the first ones.
func (t *table) first() *table {
	n := len(t.rows)
	if n <= tableRows {
		return t
	}
	return &table{columns: t.columns, rows: t.rows[:tableRows], note: fmt.Sprintf("%d of %d rows. ", tableRows, n)}
}

// number formats a number with six digits, for tables of figures.
func number(v float64) string {
	switch {
	case v == 0:
		return "0" // not −0
	case math.Abs(v) >= 1e6 && math.Abs(v) < 1e15 && v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return minus(strconv.FormatFloat(v, 'g', 6, 64))
}

// minus replaces the first hyphen of a number, in its sign or exponent, by a minus sign.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }

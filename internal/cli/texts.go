package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// NumbersForTexts returns a warning if columns of d contain numbers, but the model has text
// categories for them. d has the columns of the model. It returns "" if there are none.
func NumbersForTexts(m *lambdamart.Model, d *rank.Dataset, model, data string) (warning string) {
	var columns []string
	for j := range min(d.Cols, len(m.Categories)) {
		if m.Categories[j] != nil && text.CategoriesOf(d.Categories, j) == nil {
			columns = append(columns, d.FeatureName(j))
		}
	}
	if columns == nil {
		return ""
	}
	return fmt.Sprintf("%s contains numbers in %s, for which %s has text categories: the numbers must be those that the "+
		"model gives its categories, from 0", few(columns), data, model)
}

// UnknownTexts returns a note about the documents of d with text categories that the model does not
// know. d has the columns and the numbering of the model. It returns "" if there are none.
func UnknownTexts(m *lambdamart.Model, d *rank.Dataset, model, data string) (note string) {
	var columns []string
	for j := range min(len(d.Categories), len(m.Categories)) {
		known := len(m.Categories[j])
		if len(d.Categories[j]) <= known {
			continue
		}
		documents, example := 0, ""
		for i := range d.Rows() {
			v := valueOf(d, i, j)
			if !(v >= float32(known) && v < float32(len(d.Categories[j]))) {
				continue
			}
			if documents++; documents == 1 {
				example = text.Excerpt(d.Categories[j][int(v)])
			}
		}
		if documents > 0 {
			columns = append(columns, fmt.Sprintf("%s in %s (for example %q)", d.FeatureName(j),
				Count(documents, "document", "documents"), example))
		}
	}
	if columns == nil {
		return ""
	}
	return fmt.Sprintf("%s contains text categories that are not in %s: %s; they are scored like other unseen categories",
		data, model, few(columns))
}

// valueOf returns a feature of a row.
func valueOf(d *rank.Dataset, row, column int) float32 {
	if d.Sparse == nil {
		return d.X[row*d.Stride+column]
	}
	columns, values := d.Sparse.Row(row)
	if k, found := slices.BinarySearch(columns, int32(column)); found {
		return values[k]
	}
	return 0
}

// few lists the first few texts.
func few(texts []string) string {
	const most = 3
	if n := len(texts); n > most {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), n-most)
	}
	return strings.Join(texts, ", ")
}

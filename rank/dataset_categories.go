package rank

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
)

// This file handles text categories.

// validateCategories returns an error if the text categories are invalid. It does not check the
// numbers in the features: a number without a text is an unknown category.
func (d *Dataset) validateCategories() error {
	if d.Categories != nil && len(d.Categories) != d.Cols {
		return errs.Errorf("rank", "the number of lists in Categories is %d; it must be %d, one per column",
			len(d.Categories), d.Cols)
	}
	for j, list := range d.Categories {
		if err := text.CheckCategories(list, d.FeatureName(j)); err != nil {
			return errs.Op("rank", err)
		}
	}
	return nil
}

// onlyNumbers returns an error if a column contains text categories, which linear models do not
// support.
func (d *Dataset) onlyNumbers() error {
	for j, list := range d.Categories {
		if list == nil {
			continue
		}
		err := fmt.Errorf("%s contains text categories, but linear models require numbers", d.FeatureName(j))
		if j < len(d.Names) {
			err = &OptionError{Option: "Ignore", Value: d.Names[j], Err: err}
		}
		return errs.Op("rank", err)
	}
	return nil
}

// WithCategories returns the dataset with its text categories renumbered. In each column, the texts
// in lists come first; the remaining texts of d follow in their old order. Use it to number the
// categories as in a model or in other data. A column is unchanged if d or lists contains no texts
// for it. The features are copied only if a number changes.
func (d *Dataset) WithCategories(lists [][]string) (_ *Dataset, err error) {
	defer memory.Begin().End(&err)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return d.renumber(lists), nil
}

// renumber is like WithCategories but for valid data.
func (d *Dataset) renumber(lists [][]string) *Dataset {
	out := *d
	out.Categories = slices.Clone(d.Categories)
	r := renumbering{codes: make([][]float32, d.Cols), unknown: make([]float32, d.Cols)}
	for j := range min(len(lists), len(d.Categories)) {
		if lists[j] == nil || d.Categories[j] == nil {
			continue
		}
		out.Categories[j], r.codes[j] = text.MergeCategories(lists[j], d.Categories[j])
		if r.unknown[j] = float32(len(out.Categories[j])); r.codes[j] != nil {
			r.columns = append(r.columns, int32(j))
		}
	}
	switch {
	case r.columns == nil:
	case d.Sparse != nil:
		out.Sparse = r.sparse(d)
	default:
		out.X = memory.Matrix(d.Rows(), d.Stride)
		copy(out.X, d.X)
		for i := range d.Rows() {
			row := out.Row(i)
			for _, j := range r.columns {
				row[j] = r.of(j, row[j])
			}
		}
	}
	return &out
}

// joinCategories merges the text categories of the parts for the given number of columns. It also
// returns the parts, renumbered accordingly. A column has texts if all parts have texts for it.
func joinCategories(parts []*Dataset, cols int) (lists [][]string, renumbered []*Dataset) {
	if !slices.ContainsFunc(parts, func(p *Dataset) bool { return p.Categories != nil }) {
		return nil, parts
	}
	lists = make([][]string, cols)
	for j := range lists {
		lists[j] = text.CategoriesOf(parts[0].Categories, j)
		for _, p := range parts[1:] {
			if other := text.CategoriesOf(p.Categories, j); other == nil || lists[j] == nil {
				lists[j] = nil
			} else {
				lists[j], _ = text.MergeCategories(lists[j], other)
			}
		}
	}
	renumbered = make([]*Dataset, len(parts))
	for i, p := range parts {
		renumbered[i] = p.renumber(lists)
	}
	return lists, renumbered
}

// A renumbering contains the new number of each category.
type renumbering struct {
	columns []int32     // columns whose numbers change
	codes   [][]float32 // new numbers by column and old number
	unknown []float32   // number of categories without a text, by column
}

// of returns the new number of a category of column j.
func (r *renumbering) of(j int32, v float32) float32 {
	switch codes := r.codes[j]; {
	case !(v >= 0): // missing
		return v
	case v < float32(len(codes)):
		return codes[int(v)]
	}
	return r.unknown[j]
}

// sparse returns the renumbered features of sparse data. A row that does not list a column has
// category 0.
func (r *renumbering) sparse(d *Dataset) *CSR {
	type value struct {
		column int32
		value  float32
	}
	to := &CSR{Offsets: make([]int, 1, d.Rows()+1)}
	var row []value
	numbers := make([]float32, len(r.columns))
	for i := range d.Rows() {
		row = row[:0]
		clear(numbers)
		columns, values := d.Sparse.Row(i)
		for k, j := range columns {
			if at, found := slices.BinarySearch(r.columns, j); found {
				numbers[at] = values[k]
			} else {
				row = append(row, value{j, values[k]})
			}
		}
		for k, j := range r.columns {
			if v := r.of(j, numbers[k]); v != 0 {
				row = append(row, value{j, v})
			}
		}
		slices.SortFunc(row, func(a, b value) int { return cmp.Compare(a.column, b.column) })
		for _, v := range row {
			to.Columns, to.Values = append(to.Columns, v.column), append(to.Values, v.value)
		}
		to.Offsets = append(to.Offsets, len(to.Values))
	}
	return to
}

// Package align makes data and models fit each other: columns, zeros, and how many trees score.
package align

import (
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// FeatureNames returns the names of a model's features, nil where it has none.
func FeatureNames(m rank.Model) []string {
	switch m := m.(type) {
	case *lambdamart.Model:
		return m.FeatureNames
	case *rank.Linear:
		return m.FeatureNames
	}
	return nil
}

// Unused reports of each feature of a model whether it has no influence on scores. Models that
// LightGBM trains on tables know the columns of queries and weights as such features.
func Unused(m rank.Model) []bool {
	unused := make([]bool, m.Features())
	if trees, ok := m.(*lambdamart.Model); ok {
		for k := range unused {
			unused[k] = true
		}
		for _, t := range trees.Trees {
			for _, k := range t.Feature {
				unused[k] = false
			}
		}
	}
	return unused
}

// columns returns data with the columns that a model, or training data, has by these names,
// whatever their order. Where either has no names, columns keep their places. Others are dropped
// where drop says so, and else an error that ends with a hint. Columns that the data lack are an
// error, or 0 if m is a model that does not use them. data and model are what errors call them.
func columns(d *rank.Dataset, names []string, m rank.Model, data, model string, drop bool,
	hint string) (*rank.Dataset, error) {
	if d.Names == nil || names == nil || slices.Equal(d.Names, names) {
		return d, nil
	}
	places := make(map[string]int, d.Cols)
	for j, name := range d.Names {
		places[name] = j
	}
	var unused []bool // nil until a column is missing
	order, added := make([]int, len(names)), 0
	for k, name := range names {
		j, found := places[name]
		if !found {
			if unused == nil && m != nil {
				unused = Unused(m)
			}
			if unused == nil || !unused[k] {
				return nil, fmt.Errorf("%s: no feature is named %q, as one of %s is", data, name, model)
			}
			j = d.Cols + added
			added++
		}
		order[k] = j
		delete(places, name)
	}
	if len(places) > 0 && !drop {
		for _, name := range d.Names { // the first
			if _, extra := places[name]; extra {
				return nil, fmt.Errorf("%s: %s has no feature named %q%s", data, model, name, hint)
			}
		}
	}
	d, err := withZeros(d, added).SubsetColumns(order)
	if err != nil {
		return nil, err
	}
	d.Names = slices.Clone(names)
	return d, nil
}

// withZeros returns d with n more columns, which are 0 and do not have names.
func withZeros(d *rank.Dataset, n int) *rank.Dataset {
	if n == 0 {
		return d
	}
	wide := *d
	wide.Cols, wide.Names = d.Cols+n, nil
	if d.Sparse == nil {
		wide.Stride = rank.Stride(wide.Cols)
		wide.X = make([]float32, d.Rows()*wide.Stride)
		for i := range d.Rows() {
			copy(wide.X[i*wide.Stride:], d.Row(i))
		}
	}
	return &wide
}

// ToModel returns data with the columns that m scores, as ToColumns does, and without those beyond,
// where drop says so. Else these are an error that names the option which drops them, "" for none.
func ToModel(d *rank.Dataset, m rank.Model, data, model string, drop bool, option string) (*rank.Dataset, error) {
	return toColumns(d, FeatureNames(m), m, m.Features(), data, model, drop, option)
}

// ToColumns returns data with the columns that training data, or a model, has: by their names,
// where both have names. Columns beyond are an error. Text leaves out features that are 0, the last
// ones too; data whose columns have names have no more than these, and fewer than the model are an
// error. data and model are what errors call them.
func ToColumns(d *rank.Dataset, names []string, cols int, data, model string) (*rank.Dataset, error) {
	return toColumns(d, names, nil, cols, data, model, false, "")
}

func toColumns(d *rank.Dataset, names []string, m rank.Model, known int, data, model string, drop bool,
	option string) (*rank.Dataset, error) {
	hint, beyond := "", ""
	if option != "" {
		hint, beyond = ": "+option+" scores without", ": "+option+" scores without those beyond"
	}
	d, err := columns(d, names, m, data, model, drop, hint)
	if err != nil {
		return nil, err
	}
	if d.Names != nil && d.Cols < known {
		return nil, fmt.Errorf("%s: %d of the %d features of %s", data, d.Cols, known, model)
	}
	if d.Cols > known {
		if !drop {
			return nil, fmt.Errorf("%s: features up to %d, but %s has %d%s", data, d.Cols, model, known, beyond)
		}
		d = d.FirstColumns(known)
	}
	return d, nil
}

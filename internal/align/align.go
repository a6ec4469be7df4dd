// Package align makes data and models fit each other: columns, zeros, and how many trees score.
package align

import (
	"fmt"
	"slices"
	"strings"

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

// underscored returns a name as LightGBM writes it.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }

// bare returns what the reader of CSV leaves of a name that LightGBM has written: it drops the
// blanks around a name, which LightGBM makes underscores.
func bare(name string) string { return strings.Trim(underscored(name), "_\t") }

// columns returns data with the columns that a model, or training data, has by these names,
// whatever their order. A name that no column has stands for the only other column whose
// underscored name is that of the name, underscored or else bare. If either has no names, columns
// keep their places. Other columns are dropped if drop is set, and otherwise the error that refuse
// returns. Columns that the data lack are an error, or 0 if m is a model that does not use them.
// data and model are the names that errors use.
func columns(d *rank.Dataset, names []string, m rank.Model, data, model string, drop bool,
	refuse func(format string, args ...any) error) (*rank.Dataset, error) {
	if d.Names == nil || names == nil || slices.Equal(d.Names, names) {
		return d, nil
	}
	places := make(map[string]int, d.Cols)
	for j, name := range d.Names {
		places[name] = j
	}
	order := make([]int, len(names))
	known := make(map[string]bool, len(names))
	var absent []int // places of names that no column has
	for k, name := range names {
		if known[name] {
			return nil, fmt.Errorf("%s: two features are named %q, so that columns of %s cannot be found by their names",
				model, name, data)
		}
		known[name] = true
		j, found := places[name]
		if !found {
			absent = append(absent, k)
			continue
		}
		order[k] = j
		delete(places, name)
	}
	for _, key := range []func(string) string{underscored, bare} {
		others := make(map[string][]string) // columns that are left
		for _, name := range d.Names {
			if _, left := places[name]; left && absent != nil {
				others[underscored(name)] = append(others[underscored(name)], name)
			}
		}
		rest := absent[:0]
		for _, k := range absent {
			switch found := others[key(names[k])]; len(found) {
			case 0:
				rest = append(rest, k)
			case 1:
				order[k] = places[found[0]]
				delete(places, found[0])
				delete(others, key(names[k]))
			default:
				return nil, fmt.Errorf("%s: %q and %q could both be the feature %q of %s: rename one of them", data, found[0],
					found[1], names[k], model)
			}
		}
		absent = rest
	}
	if len(absent) > 0 {
		var unused []bool
		if m != nil {
			unused = Unused(m)
		}
		for i, k := range absent {
			if unused == nil || !unused[k] {
				return nil, fmt.Errorf("%s: no feature is named %q, as one of %s is", data, names[k], model)
			}
			order[k] = d.Cols + i
		}
	}
	if len(places) > 0 && !drop {
		for _, name := range d.Names { // the first
			if _, extra := places[name]; extra {
				return nil, refuse("%s has no feature named %q", model, name)
			}
		}
	}
	d, err := withZeros(d, len(absent)).SubsetColumns(order)
	if err != nil {
		return nil, err
	}
	d.Names = slices.Clone(names) // trainers that start from a model accept no others
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

// ToModel returns data with the columns that m scores, as ToColumns does, and without those beyond
// if drop says so. Otherwise these are a [rank.OptionError], as the option IgnoreExtraFeatures
// drops them. Data without names are an error if the model does not say the order of its features.
func ToModel(d *rank.Dataset, m rank.Model, data, model string, drop bool) (*rank.Dataset, error) {
	if trees, ok := m.(*lambdamart.Model); ok && trees.UnknownOrder && d.Names == nil {
		return nil, fmt.Errorf("%s: %s names its features and not their order, and the data have no names (use "+
			"--feature-names, or convert --feature-names for the model)", data, model)
	}
	return toColumns(d, FeatureNames(m), m, m.Features(), data, model, drop,
		func(format string, args ...any) error {
			return fmt.Errorf("%s: %w", data, &rank.OptionError{Option: "IgnoreExtraFeatures",
				Err: fmt.Errorf(format, args...)})
		})
}

// ToColumns returns data with the columns that training data, or a model, has: by their names,
// where both have names. Columns beyond are an error. Text leaves out features that are 0, the last
// ones too; data whose columns have names have no more than these, and fewer than the model are an
// error. data and model are what errors call them.
func ToColumns(d *rank.Dataset, names []string, cols int, data, model string) (*rank.Dataset, error) {
	return toColumns(d, names, nil, cols, data, model, false, func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", data, fmt.Errorf(format, args...))
	})
}

func toColumns(d *rank.Dataset, names []string, m rank.Model, known int, data, model string, drop bool,
	refuse func(format string, args ...any) error) (*rank.Dataset, error) {
	d, err := columns(d, names, m, data, model, drop, refuse)
	if err != nil {
		return nil, err
	}
	if d.Names != nil && d.Cols < known {
		return nil, fmt.Errorf("%s: %d of the %d features of %s", data, d.Cols, known, model)
	}
	if d.Cols > known {
		if !drop {
			return nil, refuse("features up to %d, but %s has %d", d.Cols, model, known)
		}
		d = d.FirstColumns(known)
	}
	return d, nil
}

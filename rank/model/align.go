package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// FeatureNames returns the feature names of a model, or nil if the model has none.
func FeatureNames(m rank.Model) []string {
	switch m := m.(type) {
	case *lambdamart.Model:
		return m.FeatureNames
	case *rank.Linear:
		return m.FeatureNames
	}
	return nil
}

// Calibration returns a model's calibration, or nil if it has none.
func Calibration(m rank.Model) *rank.Calibration {
	switch m := m.(type) {
	case *lambdamart.Model:
		return m.Calibration
	case *rank.Linear:
		return m.Calibration
	}
	return nil
}

// TableFeatures returns the names of a table's columns that are features for m. Pass them to the
// Features option of readers. The result contains all feature names of m, except unused features
// that are named label or qid in upper or lower case. LightGBM models can list query columns as
// unused features.
func TableFeatures(m rank.Model) (names []string) {
	all := FeatureNames(m)
	if all == nil {
		return nil
	}
	unused := unusedFeatures(m)
	for k, name := range all {
		if !unused[k] || !strings.EqualFold(name, "label") && !strings.EqualFold(name, "qid") {
			names = append(names, name)
		}
	}
	return names
}

// TextFeatures returns the names of the features for which m has text categories. Pass them to the
// TextColumns option of readers.
func TextFeatures(m rank.Model) (names []string) {
	features := FeatureNames(m)
	for j, list := range textsOf(m) {
		if list != nil && features != nil {
			names = append(names, features[j])
		}
	}
	return names
}

// textsOf returns the text categories of a model, or nil if it has none.
func textsOf(m rank.Model) [][]string {
	if trees, ok := m.(*lambdamart.Model); ok {
		return trees.Categories
	}
	return nil
}

// unusedFeatures reports for each feature of a model whether no split uses the feature. In models
// that LightGBM trained on tables, the query and weight columns are such features. All features of
// models other than trees count as used.
func unusedFeatures(m rank.Model) []bool {
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

// An Alignment rearranges the columns of data to match a model or training data. If both sides have
// feature names, columns are matched by name, in any order. Otherwise they keep their positions.
// Text categories are renumbered by [rank.Dataset.WithCategories].
type Alignment struct {
	// DataName and ModelName are the names of the two sides in error messages. The defaults are
	// "the data" and "the model".
	DataName, ModelName string

	// IgnoreExtraFeatures drops columns that the model does not have. By default they are an error.
	IgnoreExtraFeatures bool
}

// ToModel returns d with the columns that m scores. If no column has a feature's name, ToModel also
// tries LightGBM's spelling, in which underscores replace spaces.
//
// It returns an error if d has names and lacks a feature that m uses, or if d has no names and m
// does not know the order of its features. It also returns an error if d has text categories in a
// column for which m has none. If d has extra columns, it returns a [rank.OptionError] unless
// IgnoreExtraFeatures is set. Data without names may have fewer columns than m; the missing
// features are 0.
func (a Alignment) ToModel(d *rank.Dataset, m rank.Model) (*rank.Dataset, error) {
	a.setDefaults()
	if trees, ok := m.(*lambdamart.Model); ok && trees.UnknownOrder && d.Names == nil {
		return nil, fmt.Errorf("%s: feature names are required, because %s contains feature names but not their order (use "+
			"--feature-names, or convert --feature-names for the model)", a.DataName, a.ModelName)
	}
	d, err := a.toColumns(d, FeatureNames(m), m, m.Features(), func(format string, args ...any) error {
		return errs.Wrap(&rank.OptionError{Option: "IgnoreExtraFeatures", Err: fmt.Errorf(format, args...)}, "%s",
			a.DataName)
	})
	if err != nil {
		return nil, err
	}
	return a.toCategories(d, textsOf(m))
}

// ToColumns returns d, for example validation data, with the columns of training data. The training
// data has cols columns with the given names; names is nil if they are unnamed. categories contains
// the text categories of the training data; see [rank.Dataset].
//
// It returns an error if d has extra columns, unless IgnoreExtraFeatures is set. It also returns an
// error if d lacks a column although it contains names, or if categories contains no texts for a
// text column of d. Data without names may have fewer columns, because LETOR files omit features
// that are 0. ToColumns adds the missing columns.
func (a Alignment) ToColumns(d *rank.Dataset, names []string, cols int, categories [][]string) (*rank.Dataset, error) {
	a.setDefaults()
	d, err := a.toColumns(d, names, nil, cols, func(format string, args ...any) error {
		return fmt.Errorf("%s: %w", a.DataName, fmt.Errorf(format, args...))
	})
	if err != nil {
		return nil, err
	}
	if d, err = a.toCategories(d, categories); err != nil {
		return nil, err
	}
	return d.WithColumns(cols), nil
}

// toCategories renumbers the text categories of d as in lists. It returns an error if a column of d
// contains text categories but has no list. A column of numbers is not changed.
func (a Alignment) toCategories(d *rank.Dataset, lists [][]string) (*rank.Dataset, error) {
	for j, list := range d.Categories {
		if list != nil && text.CategoriesOf(lists, j) == nil {
			return nil, fmt.Errorf("%s: %s contains text categories, but %s has no texts for it", a.DataName, d.FeatureName(j),
				a.ModelName)
		}
	}
	if d.Categories == nil {
		return d, nil
	}
	return d.WithCategories(lists)
}

func (a *Alignment) setDefaults() {
	a.DataName, a.ModelName = cmp.Or(a.DataName, "the data"), cmp.Or(a.ModelName, "the model")
}

// toColumns returns d with the columns that a model requires: known features, which have these
// names. m is nil if the columns come from training data instead of a model.
func (a Alignment) toColumns(d *rank.Dataset, names []string, m rank.Model, known int,
	refuse func(format string, args ...any) error) (*rank.Dataset, error) {
	d, err := a.byName(d, names, m, refuse)
	if err != nil {
		return nil, err
	}
	if d.Names != nil && d.Cols < known {
		return nil, fmt.Errorf("%s: found only %d of the %d features of %s", a.DataName, d.Cols, known, a.ModelName)
	}
	if d.Cols > known {
		if !a.IgnoreExtraFeatures {
			return nil, refuse("found features up to %d, but %s has features up to %d", d.Cols, a.ModelName, known)
		}
		d = d.WithColumns(known)
	}
	return d, nil
}

// underscored returns a name in LightGBM's spelling.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }

// bare returns the name that the CSV reader would produce from a name in LightGBM's spelling.
// LightGBM writes surrounding blanks as underscores, and the CSV reader removes them.
func bare(name string) string { return strings.Trim(underscored(name), "_\t") }

// byName returns d with the columns that have these names, in the order of names. If no column has
// a name, byName uses the only unused column that has the same name in LightGBM's spelling, either
// underscored or bare. If d or names has no names, columns keep their positions. Unused columns are
// dropped if the alignment permits it; otherwise byName returns the error from refuse. A name
// without a column becomes a column of zeros if m does not use the feature, and an error otherwise.
func (a Alignment) byName(d *rank.Dataset, names []string, m rank.Model,
	refuse func(format string, args ...any) error) (*rank.Dataset, error) {
	data, model := a.DataName, a.ModelName
	if d.Names == nil || names == nil || slices.Equal(d.Names, names) {
		return d, nil
	}
	places := make(map[string]int, d.Cols)
	for j, name := range d.Names {
		places[name] = j
	}
	order := make([]int, len(names))
	known := make(map[string]bool, len(names))
	var absent []int // positions of names without a column
	for k, name := range names {
		if known[name] {
			return nil, fmt.Errorf("%s: two features are named %q, so columns of %s cannot be matched by name",
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
		others := make(map[string][]string) // unused columns by their name in LightGBM's spelling
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
			unused = unusedFeatures(m)
		}
		for i, k := range absent {
			if unused == nil || !unused[k] {
				return nil, fmt.Errorf("%s: no feature named %q, which %s requires", data, names[k], model)
			}
			order[k] = d.Cols + i
		}
	}
	if len(places) > 0 && !a.IgnoreExtraFeatures {
		for _, name := range d.Names { // report the first unused column
			if _, extra := places[name]; extra {
				return nil, refuse("%s has no feature named %q", model, name)
			}
		}
	}
	wide := d.WithColumns(d.Cols + len(absent))
	wide.Absent = d.Absent // added columns must not count as absent features
	d, err := wide.SubsetColumns(order)
	if err != nil {
		return nil, err
	}
	d.Names = slices.Clone(names) // trainers that continue from a model require these names
	return d, nil
}

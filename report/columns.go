package report

import (
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// wideColumns is the number of columns above which figures about features copy the model and the
// data without unused columns. Otherwise their memory would depend on the highest feature number,
// however little data there is.
const wideColumns = 1 << 16

// usedByTrees returns a tree model of only the features that its splits use, and data of these
// features. The features keep their names; a feature without a name is named by its number from 1.
func usedByTrees(m *lambdamart.Model, d *rank.Dataset) (*lambdamart.Model, *rank.Dataset, error) {
	if m.NumFeatures <= wideColumns {
		return m, d, nil
	}
	few, columns := m.UsedFeatures()
	few.FeatureNames = names(m.FeatureNames, columns)
	if d != nil {
		var err error
		if d, err = subset(d, columns); err != nil {
			return nil, nil, err
		}
	}
	return few, d, nil
}

// usedByRows returns sparse data of only the features that its rows list, and a linear model of
// these features. The features are named as in [usedByTrees].
func usedByRows(m *rank.Linear, d *rank.Dataset) (*rank.Linear, *rank.Dataset, error) {
	if len(m.Weights) <= wideColumns || d.Sparse == nil {
		return m, d, nil
	}
	columns := listedColumns(d)
	few := &rank.Linear{FeatureNames: names(m.FeatureNames, columns)}
	for _, j := range columns {
		few.Weights = append(few.Weights, m.Weights[j])
	}
	d, err := subset(d, columns)
	return few, d, err
}

// listedColumns returns the columns that rows list, in ascending order: all if the data are dense.
func listedColumns(d *rank.Dataset) []int32 {
	set := ranksvm.NewColumns(d.Cols)
	if d.Sparse != nil {
		for _, j := range d.Sparse.Columns {
			set.Include(j)
		}
	} else {
		for j := range d.Cols {
			set.Include(int32(j))
		}
	}
	return set.List()
}

// names returns the names of columns.
func names(all []string, columns []int32) []string {
	some := make([]string, len(columns))
	for k, j := range columns {
		some[k] = featureName(all, int(j))
	}
	return some
}

// subset returns data of the given columns, which ascend, as far as d has them.
func subset(d *rank.Dataset, columns []int32) (*rank.Dataset, error) {
	var list []int
	for _, j := range columns {
		if int(j) < d.Cols {
			list = append(list, int(j))
		}
	}
	return d.SubsetColumns(list)
}

package lambdamart

import (
	"math"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// maxRows is the maximum number of training rows. It ensures that sums of rounded gradients fit in
// 31 bits.
const maxRows = 1 << 30

// filled checks d, and returns filledFor of its size and names.
func (t *Trainer) filled(d *rank.Dataset) (*Trainer, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return t.filledFor(d.Rows(), d.Cols, d.Names, d.Categories)
}

// filledFor returns a copy of the options in which empty strings and limits of 0 are replaced by
// explicit values. It returns an error if the options are invalid, or if they do not fit data with
// the given rows and columns.
func (t *Trainer) filledFor(rows, cols int, names []string, categories [][]string) (*Trainer, error) {
	o := *t
	if o.Objective == nil {
		return nil, errs.New("lambdamart", "Objective is nil"+useDefaults)
	}
	var err error
	if o.PositionBias, err = text.Choose("lambdamart", "position bias", positionBiases, t.PositionBias); err != nil {
		return nil, err
	}
	for _, v := range []struct {
		name     string
		v, least int
	}{
		{"Truncation", o.Truncation, 0},
		{"MeanPairs", o.MeanPairs, 0},
		{"Trees", o.Trees, 1},
		{"Leaves", o.Leaves, 0},
		{"Depth", o.Depth, 0},
		{"MinRows", o.MinRows, 0},
		{"Bins", o.Bins, 2},
		{"OneHot", o.OneHot, 0},
		{"CategoryRows", o.CategoryRows, 0},
		{"MaxCategories", o.MaxCategories, 1},
		{"MaxDrop", o.MaxDrop, 0},
		{"EarlyStopping", o.EarlyStopping, 0},
	} {
		if v.v < v.least {
			return nil, errs.Errorf("lambdamart", "%s is %d; it must be at least %d%s", v.name, v.v, v.least,
				hint(v.v == 0))
		}
	}
	const unlimited = math.MaxFloat64
	for _, v := range []struct {
		name  string
		v     float64
		above bool // whether v must be above 0, not only at least 0
		most  float64
	}{
		{"LearningRate", o.LearningRate, true, unlimited},
		{"MinHessian", o.MinHessian, false, unlimited},
		{"L1", o.L1, false, unlimited},
		{"L2", o.L2, false, unlimited},
		{"MinGain", o.MinGain, false, unlimited},
		{"PositionL2", o.PositionL2, false, unlimited},
		{"PositionNorm", o.PositionNorm, false, unlimited},
		{"CategorySmooth", o.CategorySmooth, false, unlimited},
		{"CategoryL2", o.CategoryL2, false, unlimited},
		{"QueryFraction", o.QueryFraction, true, 1},
		{"RowFraction", o.RowFraction, true, 1},
		{"FeatureFraction", o.FeatureFraction, true, 1},
		{"NodeFeatureFraction", o.NodeFeatureFraction, true, 1},
		{"MaxDeltaStep", o.MaxDeltaStep, false, unlimited},
		{"PathSmooth", o.PathSmooth, false, unlimited},
		{"DropRate", o.DropRate, false, 1},
		{"SkipDrop", o.SkipDrop, false, 1},
	} {
		if v.v > 0 && v.v <= v.most || v.v == 0 && !v.above {
			continue
		}
		must := "at least 0"
		if v.above {
			must = "greater than 0"
		}
		if v.most == 1 {
			must += " and at most 1"
		} else {
			must += " and finite"
		}
		return nil, errs.Errorf("lambdamart", "%s is %v; it must be %s%s", v.name, v.v, must, hint(v.v == 0))
	}
	if o.Leaves == 0 && o.Depth == 0 { // a tree must have at least one of the limits
		o.Depth = 6
	}
	if o.Leaves == 0 {
		o.Leaves = 1 << min(o.Depth, 16)
	}
	o.MinRows, o.CategoryRows = max(o.MinRows, 1), max(o.CategoryRows, 1)
	switch {
	case o.Start != nil && o.Start.PositionFactors.kind() != o.PositionBias:
		return nil, errs.Errorf("lambdamart", "the position bias is %v, but the model to start from was trained with the position bias %v",
			o.PositionBias, o.Start.PositionFactors.kind())
	case o.Leaves == 1:
		return nil, errs.New("lambdamart", "Leaves is 1; it must be at least 2, or 0 for no limit")
	case o.Bins > 255:
		return nil, errs.Errorf("lambdamart", "Bins is %d; it must be at most 255", o.Bins)
	case o.EarlyStopping > 0 && len(o.Validation) == 0:
		return nil, errs.New("lambdamart", "EarlyStopping requires a validation set")
	case o.PositionBias == pairwiseBias && o.MeanPairs > 0:
		return nil, errs.Errorf("lambdamart", "the position bias %v cannot be combined with MeanPairs",
			o.PositionBias)
	case len(o.CustomMetrics) > 0 && len(o.Validation) == 0:
		return nil, errs.New("lambdamart", "CustomMetrics require a validation set")
	case o.EarlyStopping > 0 && o.Dart:
		return nil, errs.New("lambdamart", "EarlyStopping cannot be combined with Dart: "+
			"each new tree rescales earlier ones, so the best trees cannot be restored")
	case rows > maxRows:
		return nil, errs.Errorf("lambdamart", "the data has %d rows; at most %d rows are supported", rows, maxRows)
	case len(o.Monotone) > cols:
		return nil, errs.Errorf("lambdamart", "the length of Monotone is %d; it must be %d, one per feature", len(o.Monotone),
			cols)
	}
	if o.Start != nil {
		if err := o.Start.checkColumns(cols, names, categories, "the model to start from"); err != nil {
			return nil, err
		}
	}
	if o.ZeroMissing && text.HasCategories(categories) {
		return nil, errs.New("lambdamart",
			"ZeroMissing cannot be combined with text categories, because 0 is the number of the first text")
	}
	o.Categorical = withTexts(o.Categorical, categories)
	for f, m := range o.Monotone {
		if m < -1 || m > 1 {
			return nil, errs.Errorf("lambdamart", "Monotone of feature %d is %d; it must be −1, 0 or 1", f, m)
		}
	}
	if err := o.checkInteractions(cols); err != nil {
		return nil, err
	}
	for _, f := range o.Categorical {
		if f >= 0 && f < len(o.Monotone) && o.Monotone[f] != 0 {
			return nil, errs.Errorf("lambdamart", "feature %d is categorical and cannot be monotone", f)
		}
	}
	return &o, nil
}

const useDefaults = " (use DefaultTrainer, which sets the defaults)"

// hint returns the end of an error message. If an option may have been forgotten, it recommends
// DefaultTrainer.
func hint(missing bool) string {
	if missing {
		return useDefaults
	}
	return ""
}

// checkInteractions returns an error unless the interaction sets contain only features of the data.
func (t *Trainer) checkInteractions(cols int) error {
	for i, set := range t.Interactions {
		if len(set) == 0 {
			return errs.Errorf("lambdamart", "set %d of Interactions is empty", i)
		}
		for _, f := range set {
			if f < 0 || f >= cols {
				return errs.Errorf("lambdamart", "set %d of Interactions contains feature %d; features must be from 0 to %d", i, f, cols-1)
			}
		}
	}
	return nil
}

// checkColumns returns an error unless the model and the data have the same features. The parameter
// what is the name of the model in errors.
func (m *Model) checkColumns(cols int, names []string, categories [][]string, what string) error {
	if m.NumFeatures != cols {
		return errs.Errorf("lambdamart", "%s has %d features, but the data has %d", what, m.NumFeatures, cols)
	}
	for f, list := range m.Categories {
		if list != nil && text.CategoriesOf(categories, f) == nil {
			return errs.Errorf("lambdamart", "%s contains text categories in %s, but numbers in the data",
				m.nameOf(f), what)
		}
	}
	if err := m.CheckCategories(categories); err != nil {
		return err
	}
	if m.FeatureNames == nil {
		return nil
	}
	if names == nil && m.UnknownOrder {
		return errs.Errorf("lambdamart", "%s does not specify the order of its features, and the data has no names", what)
	}
	for f, name := range names {
		if was := m.FeatureNames[f]; was != name {
			return errs.Errorf("lambdamart", "feature %d is %q in the data and %q in %s", f, name, was, what)
		}
	}
	return nil
}

// settings returns the options in the form that models store. The defaults of t must be filled in.
// Trees includes the trees of Start, so that resumed training stores the same settings as
// uninterrupted training.
func (t *Trainer) settings(names []string) map[string]string {
	o := *t
	if t.Start != nil {
		o.Trees += len(t.Start.Trees)
	}
	var skip []string
	if o.PositionBias == noBias {
		skip = append(skip, "position_l2", "position_norm")
	}
	if o.Objective != YetiRank {
		skip = append(skip, "permutations", "decay")
	}
	if !o.Dart {
		skip = append(skip, "drop_rate", "uniform_drop", "max_drop", "skip_drop", "xgboost_dart")
	}
	s := text.Settings("lambdamart", o, names, skip...)
	if t.Truncation == 0 {
		s["truncation"] = "all"
	}
	if t.Dart && t.MaxDrop == 0 {
		s["max_drop"] = "-1" // LightGBM's value for no limit
	}
	if t.Depth == 0 {
		s["depth"] = "any"
	}
	if t.Gains == nil {
		s["gains"] = "2^label-1"
	}
	if t.EarlyStopping > 0 {
		s["metric"] = t.metricNames(t.Validation[0])[0]
	}
	return s
}

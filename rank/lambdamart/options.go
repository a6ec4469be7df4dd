package lambdamart

import (
	"math"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// maxRows keeps sums of rounded gradients within 31 bits.
const maxRows = 1 << 30

// filled returns the options with the defaults that growing rests on in place of zeros, or why they
// do not fit each other or the data.
func (t *Trainer) filled(d *rank.Dataset) (*Trainer, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return t.filledFor(d.Rows(), d.Cols, d.Names)
}

// filledFor is filled for valid data of so many rows and columns.
func (t *Trainer) filledFor(rows, cols int, names []string) (*Trainer, error) {
	o := *t
	if o.Objective == nil {
		o.Objective = NDCG
	}
	var err error
	if o.PositionBias, err = text.Choose("lambdamart", "position bias", positionBiases, t.PositionBias); err != nil {
		return nil, err
	}
	depth, leaves := 0, 31
	if o.DepthWise {
		if depth = 6; o.Leaves != 0 {
			depth = 0
		}
		if o.Depth > 0 {
			depth = o.Depth
		}
		leaves = 1 << min(max(depth, 0), 16)
	}
	for _, v := range []struct {
		name string
		v    *int
		def  int
		min  int
	}{
		{"Trees", &o.Trees, 100, 1},
		{"Leaves", &o.Leaves, leaves, 2},
		{"Depth", &o.Depth, depth, 0},
		{"MinRows", &o.MinRows, 20, 1},
		{"Bins", &o.Bins, 255, 2},
		{"OneHot", &o.OneHot, 4, 1},
		{"CategoryRows", &o.CategoryRows, 100, 1},
		{"MaxCategories", &o.MaxCategories, 32, 1},
		{"EarlyStopping", &o.EarlyStopping, 0, 0},
	} {
		if *v.v == 0 {
			*v.v = v.def
		}
		if *v.v < v.min {
			return nil, errs.Errorf("lambdamart", "%s is %d, want at least %d", v.name, *v.v, v.min)
		}
	}
	for _, v := range []struct {
		name     string
		v        *float64
		def      float64
		negative bool // stands for 0
		max      float64
	}{
		{"LearningRate", &o.LearningRate, 0.1, false, math.MaxFloat64},
		{"MinHessian", &o.MinHessian, 1e-3, true, math.MaxFloat64},
		{"L1", &o.L1, 0, false, math.MaxFloat64},
		{"L2", &o.L2, 0, false, math.MaxFloat64},
		{"MinGain", &o.MinGain, 0, false, math.MaxFloat64},
		{"PositionL2", &o.PositionL2, 0, false, math.MaxFloat64},
		{"PositionNorm", &o.PositionNorm, 1, true, math.MaxFloat64},
		{"CategorySmooth", &o.CategorySmooth, 10, true, math.MaxFloat64},
		{"CategoryL2", &o.CategoryL2, 10, true, math.MaxFloat64},
		{"QueryFraction", &o.QueryFraction, 1, false, 1},
		{"RowFraction", &o.RowFraction, 1, false, 1},
		{"FeatureFraction", &o.FeatureFraction, 1, false, 1},
		{"NodeFeatureFraction", &o.NodeFeatureFraction, 1, false, 1},
		{"MaxDeltaStep", &o.MaxDeltaStep, 0, false, math.MaxFloat64},
		{"PathSmooth", &o.PathSmooth, 0, false, math.MaxFloat64},
		{"DropRate", &o.DropRate, .1, false, 1},
		{"SkipDrop", &o.SkipDrop, .5, true, 1},
	} {
		switch {
		case *v.v == 0:
			*v.v = v.def
		case *v.v < 0 && v.negative:
			*v.v = 0
		}
		if !(*v.v >= 0 && *v.v <= v.max) {
			return nil, errs.Errorf("lambdamart", "%s is %v, want a number from 0 to %v", v.name, *v.v, v.max)
		}
	}
	if o.MaxDrop == 0 {
		o.MaxDrop = 50
	}
	switch {
	case o.Start != nil && o.Start.Positions.kind() != o.PositionBias:
		return nil, errs.Errorf("lambdamart", "the position bias is %v, but the factors of the model to start from are %v",
			o.PositionBias, o.Start.Positions.kind())
	case o.Bins > 255:
		return nil, errs.Errorf("lambdamart", "Bins is %d, want at most 255", o.Bins)
	case o.EarlyStopping > 0 && len(o.Validation) == 0:
		return nil, errs.New("lambdamart", "EarlyStopping needs a validation set")
	case o.PositionBias == pairwiseBias && o.MeanPairs > 0:
		return nil, errs.Errorf("lambdamart", "the position bias %v takes the pairs of Truncation, not MeanPairs",
			o.PositionBias)
	case len(o.Measures) > 0 && len(o.Validation) == 0:
		return nil, errs.New("lambdamart", "Measures need a validation set")
	case o.EarlyStopping > 0 && o.Dart:
		return nil, errs.New("lambdamart", "EarlyStopping and Dart exclude each other: every tree changes those before it, so the best ones cannot be kept")
	case rows > maxRows:
		return nil, errs.Errorf("lambdamart", "%d rows; at most %d can be trained on", rows, maxRows)
	case len(o.Monotone) > cols:
		return nil, errs.Errorf("lambdamart", "Monotone holds %d features, the data %d", len(o.Monotone), cols)
	}
	if o.Start != nil {
		if err := o.Start.checkColumns(cols, names, "the model to start from"); err != nil {
			return nil, err
		}
	}
	for f, m := range o.Monotone {
		if m < -1 || m > 1 {
			return nil, errs.Errorf("lambdamart", "Monotone of feature %d is %d, want −1, 0 or 1", f, m)
		}
	}
	if err := o.checkInteractions(cols); err != nil {
		return nil, err
	}
	for _, f := range o.Categorical {
		if f >= 0 && f < len(o.Monotone) && o.Monotone[f] != 0 {
			return nil, errs.Errorf("lambdamart", "feature %d is categorical: it cannot be monotone", f)
		}
	}
	return &o, nil
}

// checkInteractions returns an error unless the sets hold features of the data.
func (t *Trainer) checkInteractions(cols int) error {
	for i, set := range t.Interactions {
		if len(set) == 0 {
			return errs.Errorf("lambdamart", "set %d of Interactions is empty", i)
		}
		for _, f := range set {
			if f < 0 || f >= cols {
				return errs.Errorf("lambdamart", "set %d of Interactions holds feature %d: features are 0 to %d", i, f, cols-1)
			}
		}
	}
	return nil
}

// checkColumns returns an error unless the features of the model are those of the data. what names
// the model.
func (m *Model) checkColumns(cols int, names []string, what string) error {
	if m.NumFeatures != cols {
		return errs.Errorf("lambdamart", "%s has %d features, the data %d", what, m.NumFeatures, cols)
	}
	if m.FeatureNames == nil {
		return nil
	}
	if names == nil && m.UnknownOrder {
		return errs.Errorf("lambdamart", "%s names its features and not their order, and the data have no names", what)
	}
	for f, name := range names {
		if was := m.FeatureNames[f]; was != name {
			return errs.Errorf("lambdamart", "feature %d is %q in the data and %q in %s", f, name, was, what)
		}
	}
	return nil
}

// settings returns the options of t, filled, as models keep them. Trees of a training that went on
// from another one are counted together, so that both give the same as one without a break.
func (t *Trainer) settings(names []string) map[string]string {
	o := *t
	// what objectives fill in, and tell the errors of
	o.Truncation = t.truncation()
	o.Sigmoid, _ = t.sigmoid()
	o.Permutations, o.Decay = t.yetiOptions()
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
	if t.Truncation < 0 {
		s["truncation"] = "all"
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

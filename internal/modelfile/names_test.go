package modelfile_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// fill sets the fields of a struct that files know to values that are not 0.
func fill(v reflect.Value, n *int) {
	*n++
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("file") != "-" {
				fill(v.Field(i), n)
			}
		}
	case v.Type() == reflect.TypeFor[lambdamart.Objective]():
		v.Set(reflect.ValueOf(lambdamart.MAP))
	case v.Kind() == reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), nil))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n)
	case v.Kind() == reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"name": "value"}))
	case v.Kind() == reflect.String:
		v.SetString("word")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(int64(*n))
	case v.CanUint():
		v.SetUint(uint64(*n))
	default:
		v.SetFloat(float64(*n))
	}
}

// TestNames pins the names that files have for fields of Go, and hashes with these names. If you
// rename a field, keep its tag; a new field needs one, "-" if files do not have it. The order of
// fields counts in hashes.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		of    any
		names string // GO=FILE or GO=FILE#HASH, the tags file and hash
		hash  string // "" for what only other structs hash
	}{
		{&lambdamart.Trainer{}, "Objective=objective Truncation=truncation Sigmoid=sigmoid NoNorm=no_norm Gains=gains " +
			"PositionBias=position_bias PositionL2=position_l2 PositionNorm=position_norm " +
			"MeanPairs=mean_pairs Permutations=permutations Decay=decay Trees=trees " +
			"LearningRate=learning_rate DepthWise=depth_wise Leaves=leaves Depth=depth MinRows=min_rows " +
			"MinHessian=min_hessian L1=l1 L2=l2 MinGain=min_gain Bins=bins ZeroMissing=zero_missing " +
			"Monotone=monotone Categorical=categorical OneHot=one_hot CategorySmooth=category_smooth " +
			"CategoryL2=category_l2 CategoryRows=category_rows MaxCategories=max_categories " +
			"QueryFraction=query_fraction RowFraction=row_fraction FeatureFraction=feature_fraction Seed=seed " +
			"ExtraTrees=extra_trees NodeFeatureFraction=node_feature_fraction Interactions=interactions " +
			"MaxDeltaStep=max_delta_step PathSmooth=path_smooth Dart=dart DropRate=drop_rate " +
			"UniformDrop=uniform_drop MaxDrop=max_drop SkipDrop=skip_drop " +
			"XGBoostDart=xgboost_dart#XGBoostDart EarlyStopping=early_stopping " +
			"Start=start",
			"db0f9ecfb48c219f0a357273bf7185e67b6a0eb7be9449dd518a3831566cf4fc"},
		{&rank.RankSVM{}, "C=c Loss=loss PerQuery=per_query Gain=gain Standardize=standardize Unpenalized=unpenalized " +
			"NonNegative=non_negative Tol=tol MaxPasses=max_passes",
			"1aa14bd4fd54ecaa042d4342104739b2197d7d35f99ded84b80e3f154d8fe285"},
		{&rank.Options{}, "Preset=#Preset Gain=#Gain GainTable=#GainTable Discount=#Discount Ties=#Ties Empty=#Empty " +
			"MaxLabel=#MaxLabel NegativeUnjudged=#NegativeUnjudged JudgedOnly=#JudgedOnly " +
			"RetrievedOnly=#RetrievedOnly NaNLast=#NaNLast",
			"69a211ada9da8d138ef68c47bbd8fdf51ba676cf9e1f3c96cf0283cfc4aa8c6d"},
		{&rank.Ridge{}, "Alpha=alpha NoIntercept=no_intercept", ""},
		{&lambdamart.Model{}, "NumFeatures=#NumFeatures FeatureNames=#FeatureNames Bias=#Bias Trees=#Trees " +
			"Sigmoid=#Sigmoid Calibration=#Calibration Best=#Best Average=#Average CategoryCodes=#CategoryCodes Categories=#Categories " +
			"UnknownOrder=#UnknownOrder UnknownZeros=#UnknownZeros MissingFeatures=#MissingFeatures PositionFactors=#Positions Settings=#Settings",
			""},
		{&lambdamart.Tree{}, "Feature=#Feature Threshold=#Threshold Categories=#Categories MissingLeft=#MissingLeft " +
			"ZeroMissing=#ZeroMissing Left=#Left Right=#Right Gain=#Gain Weight=#Weight Count=#Count " +
			"Leaf=#Leaf LeafWeight=#LeafWeight LeafCount=#LeafCount",
			""},
		{&lambdamart.PositionFactors{}, "Position=#Position Bias=#Bias Plus=#Plus Minus=#Minus", ""},
	} {
		v := reflect.ValueOf(c.of).Elem()
		t.Run(v.Type().String(), func(t *testing.T) {
			var names []string
			for i := range v.NumField() {
				f := v.Type().Field(i)
				name := f.Tag.Get("file")
				if name == "-" {
					continue
				}
				if hash := f.Tag.Get("hash"); hash != "" {
					name += "#" + hash
				}
				names = append(names, f.Name+"="+name)
			}
			if got := strings.Join(names, " "); got != c.names {
				t.Errorf("names in files %s, want %s", got, c.names)
			}
			n := 0
			fill(v, &n)
			if got := modelfile.HashOptions(c.of); c.hash != "" && got != c.hash {
				t.Errorf("hash %s, want %s", got, c.hash)
			}
		})
	}
}

package model

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

const (
	catboostFeatures = `"features_info":{"cat_features_hash":[{"hash":1121341681,"value":"1"},` +
		`{"hash":3052168893,"value":"red"},{"hash":3010176887,"value":"16777216"}],"categorical_features":[` +
		`{"feature_id":"k","feature_index":0,"flat_feature_index":1,"values":[1121341681]}],"float_features":[` +
		`{"borders":[0.5],"feature_id":"","feature_name":"a","feature_index":0,"flat_feature_index":0,"has_nans":true,` +
		`"nan_value_treatment":"AsFalse"}]}`
	catboostAbove = `{"border":0.5,"float_feature_index":0,"split_index":0,"split_type":"FloatFeature"}`
	catboostOne   = `{"cat_feature_index":0,"split_index":1,"split_type":"OneHotFeature","value":1121341681}`

	tinyCatBoost = `{` + catboostFeatures + `,"model_info":{"params":{"loss_function":{"type":"Logloss"},"flat_params":` +
		`{"depth":2,"loss_function":"Logloss","verbose":false}}},"oblivious_trees":[{"leaf_values":[1,2,3,4],` +
		`"leaf_weights":[10,20,30,40],"splits":[` + catboostAbove +
		`,` + catboostOne + `]}],"scale_and_bias":[2,[0.5]]}`

	nestedCatBoost = `{` + catboostFeatures + `,"trees":[{"left":{"value":1,"weight":10},"right":{"left":{"value":3,` +
		`"weight":20},"right":{"value":4,"weight":30},"split":` + catboostOne + `},"split":` + catboostAbove + `}]}`
)

func TestCatBoost(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name, text   string
		sigmoid      float64
		settings     map[string]string
		weight, leaf []float64
		scores       []float64 // of the rows below
	}{
		{"oblivious", tinyCatBoost, 1, map[string]string{"depth": "2", "loss_function": "Logloss", "verbose": "false"},
			[]float64{100, 30, 70}, []float64{10, 20, 30, 40}, []float64{2.5, 4.5, 6.5, 8.5, 2.5, 2.5, 6.5}},
		{"nested", nestedCatBoost, 0, nil, []float64{60, 50}, []float64{10, 30, 20}, []float64{1, 3, 1, 4, 1, 1, 1}},
		{"one leaf", `{` + catboostFeatures + `,"oblivious_trees":[{"leaf_values":[7],"splits":null}],"scale_and_bias":[1,0.5]}`,
			0, nil, nil, nil, []float64{7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := read(strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if m.Sigmoid != c.sigmoid || !maps.Equal(m.Settings, c.settings) || m.NumFeatures != 2 ||
				!slices.Equal(m.FeatureNames, []string{"a", "k"}) {
				t.Errorf("%+v", m)
			}
			tree := m.Trees[0]
			if !slices.Equal(tree.Weight, c.weight) || !slices.Equal(slices.Sorted(slices.Values(tree.LeafWeight)),
				slices.Sorted(slices.Values(c.leaf))) {
				t.Errorf("weights %v and %v, want %v and %v", tree.Weight, tree.LeafWeight, c.weight, c.leaf)
			}
			for i, x := range [][]float32{{0.5, 0}, {0.625, 0}, {0.5, 1}, {0.625, 1}, {nan, 3}, {nan, nan}, {nan, 1}} {
				if got := m.Score(x); got != c.scores[i] {
					t.Errorf("%v scores %v, want %v", x, got, c.scores[i])
				}
			}
		})
	}
}

// TestCatBoostErrors changes one part of a valid file.
func TestCatBoostErrors(t *testing.T) {
	for _, c := range []struct{ old, new, err string }{
		{`"trees":[`, `"trees":[` + catboostAbove + `,`, `trees[0]: unknown field "border"`},
		{`"split_type":"OneHotFeature"`, `"split_type":"OnlineCtr"`,
			"oblivious_trees[0].splits[1]: split_type is OnlineCtr: statistics of hashed categories are not supported"},
		{`"split_type":"OneHotFeature"`, `"split_type":"X"`, `split_type is "X"; it must be FloatFeature or`},
		{`"value":1121341681}]}`, `"value":-1242798403}]}`, `splits[1].value: the category is "red"; it must be a whole number`},
		{`"value":1121341681}]}`, `"value":-1284790409}]}`, `the category is "16777216"; it must be a whole number from 0 to 16777215`},
		{`"value":1121341681}]}`, `"value":7}]}`, "splits[1].value: the file does not contain the category with the hash 7"},
		{`"value":1121341681}]}`, `"value":3052168893}]}`, `"3052168893" is not a whole number from -2147483648 to`},
		{`"float_feature_index":0`, `"float_feature_index":1`, `"1" is not a whole number from 0 to 0`},
		{`"cat_feature_index":0`, `"cat_feature_index":1`, `"1" is not a whole number from 0 to 0`},
		{`[1,2,3,4]`, `[1,2,3,4,5,6,7,8]`, "oblivious_trees[0]: found 8 leaf_values for 4 leaves: multi-output models"},
		{`[1,2,3,4]`, `[1,2,3]`, "found 3 leaf_values for 2 splits: the number must be 4"},
		{`[10,20,30,40]`, `[10,20,30]`, "the number of leaf_weights is 3; it must be 4, one per leaf"},
		{`[2,[0.5]]`, `[2,[0.5,1]]`, "scale_and_bias[1]: found 2 values: multi-output models are not supported"},
		{`[2,[0.5]]`, `[2]`, "found 1 values, expected a scale and a bias"},
		{`AsFalse`, `AsX`, `nan_value_treatment is "AsX"; it must be AsIs, AsFalse or AsTrue`},
		{`"flat_feature_index":1`, `"flat_feature_index":2`, `"2" is not a whole number from 0 to 1`},
		{`"flat_feature_index":1`, `"flat_feature_index":0`, "flat_feature_index 0 belongs to two features"},
		{`"feature_index":0`, `"feature_index":1`, "feature_index is 1; it must be 0, the position in the list"},
		{`"has_nans":true`, `"has_nan":true`, `unknown field "has_nan"`},
		{`"border":0.5,"float`, `"border":"NaN","float`, "threshold is NaN"},
		{`"value":1,"weight":10`, `"value":[1,2],"weight":10`, "trees[0].left.value: found 2 values: multi-output"},
		{`{"value":1,"weight":10}`, `{"value":1,"weight":10,"gain":1}`, `trees[0].left: unknown field "gain"`},
	} {
		t.Run(c.new, func(t *testing.T) {
			text := tinyCatBoost
			if !strings.Contains(text, c.old) {
				text = nestedCatBoost
			}
			changed := strings.Replace(text, c.old, c.new, 1)
			_, err := read(strings.NewReader(changed))
			if changed == text || err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %s", err, c.err)
			}
		})
	}
}

// TestCatBoostDeep reads an oblivious tree of CatBoost's largest depth.
func TestCatBoostDeep(t *testing.T) {
	const depth = 16
	var leaves, splits strings.Builder
	for l := range 1 << depth {
		if l > 0 {
			leaves.WriteByte(',')
		}
		leaves.WriteString(shortest(float64(l)))
	}
	for k := range depth {
		if k > 0 {
			splits.WriteByte(',')
		}
		splits.WriteString(strings.Replace(catboostAbove, "0.5", shortest(float64(k)), 1))
	}
	m, err := read(strings.NewReader(`{` + catboostFeatures + `,"oblivious_trees":[{"leaf_values":[` + leaves.String() +
		`],"splits":[` + splits.String() + `]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for above := range depth + 1 {
		if got, want := m.Score([]float32{float32(above) - .5, 0}), float64(int(1)<<above-1); got != want {
			t.Errorf("with %d true splits, the score is %v, want %v", above, got, want)
		}
	}
}

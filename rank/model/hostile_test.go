package model

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

const (
	wideSVMLight = "SVM-light Version V6.20\n0\n3\n1\n1\n1\nempty\n16777216\n0\n2\n0\n1 16777216:1 #\n"
	deepSplit    = `{"split_index":0,"split_feature":0,"threshold":1,"decision_type":"<=","default_left":true,` +
		`"missing_type":"None","right_child":{"leaf_value":1},"left_child":`
	lightgbmHeader = "tree\nversion=v4\nmax_feature_idx=0\nfeature_names=a\n\nTree=0\n"
)

// TestHostile: models that claim much of little are refused, or read in what they need, and with a
// limit beyond which nothing is allocated.
func TestHostile(t *testing.T) {
	const limit = 1 << 22
	big := strings.Repeat("1,", limit)
	for name, c := range map[string]struct{ text, err string }{
		"zipped JSON": {testkit.Gzip(`{"format":"simdrank-linear","version":1,"weights":[` + big + "1]}"),
			"the contents of the file need"},
		"zipped text":   {testkit.Gzip("tree\n" + strings.Repeat("\n", 2*limit)), "the contents of the file need"},
		"zipped spaces": {testkit.Gzip("{" + strings.Repeat(" ", 2*limit)), "the contents of the file need"},
		"zipped XML":    {testkit.Gzip("<ensemble>" + strings.Repeat(" ", 2*limit)), "the contents of the file need"},
		"zipped UBJSON": {testkit.Gzip("{L\x00\x00\x00\x00\x00\x00\x00\x07learner" + strings.Repeat("N", 2*limit)),
			"the contents of the file need"},
		"wide SVMlight": {wideSVMLight, "the weights need"},
		"wide liblinear": {"solver_type x\nnr_class 2\nnr_feature 16777216\nbias -1\nw\n1\n",
			"the file ends at line 6"},
		"wide trees": {`{"format":"simdrank-lambdamart","version":1,"features":16777216,"bias":0,"trees":[]}`,
			""},
		"wide LightGBM": {"tree\nversion=v4\nmax_feature_idx=16777215\n\nend of trees\n", "the features need"},
		"wide dump":     {`{"tree_info":[],"max_feature_idx":16777215}`, "the features need"},
		"wide missing features": {`{"format":"simdrank-lambdamart","version":1,"features":16777216,"bias":0,` +
			`"missing_features":[1],"trees":[]}`, "the features need"},
		"wide XGBoost": {strings.Replace(tinyXGBoost, `"num_feature":"1"`, `"num_feature":"16777216"`, 1), ""},
		"long arrays": {lightgbmHeader + "num_leaves=2147483647\nleaf_value=1 2\n",
			"leaf_value contains 2 values, expected 2147483647"},
		"many sets": {lightgbmHeader + "num_leaves=2\nleaf_value=1 2\nsplit_feature=0\nthreshold=0\nleft_child=-1\nright_child=-2\n" +
			"num_cat=2147483646\ncat_boundaries=0\ncat_threshold=1\n",
			"cat_boundaries contains 1 values"},
		"repeated keys": {lightgbmHeader + strings.Repeat("num_leaves=1\n", 1000),
			"line 8: num_leaves appears twice, first on line 7"},
		"deep dump": {`{"max_feature_idx":0,"tree_info":[{"tree_structure":` + strings.Repeat(deepSplit, 2000),
			"nested more than 1024 deep"},
		"deep CatBoost": {`{` + catboostFeatures + `,"trees":[` + strings.Repeat(`{"left":`, 2000),
			"nested more than 1024 deep"},
		"CatBoost's levels": {`{` + catboostFeatures + `,"oblivious_trees":[{"leaf_values":[1],"splits":[` +
			strings.Repeat(catboostAbove+",", 60) + catboostAbove + `]}]}`,
			"an oblivious tree must have at most 30 levels"},
		"CatBoost's leaves": {`{` + catboostFeatures + `,"oblivious_trees":[{"leaf_values":[1],"splits":[` +
			strings.Repeat(catboostAbove+",", 29) + catboostAbove + `]}]}`, "found 1 leaf_values for 30 splits"},
		"CatBoost's features": {`{"features_info":{"float_features":[` + strings.Repeat("{},", 1<<17) +
			`{}]},"trees":[]}`,
			"the features need at least"},
		"zipped ONNX": {testkit.Gzip("\b\x08\x12\x80\x80\x80\x04" + strings.Repeat("a", 2*limit)),
			"the contents of the file need"},
		"ONNX's nodes": {onnxWith("nodes_treeids", message{data: appendContent(nil, onnxAttributeInts,
			make([]byte, limit/8))}), "the arrays of the model need"},
		"ONNX's floats": {onnxWith("nodes_values", message{data: appendContent(nil, onnxAttributeFloats,
			make([]byte, limit/2))}), "the arrays of the model need"},
		"ONNX's modes": {onnxWith("nodes_modes", make([]string, 1<<18)), `nodes_modes[0] is ""`},
		"ONNX's trees": {onnxWith("nodes_treeids", []int{0, 1 << 30, -1}), "tree 0 has no node 1"},
		"ONNX's names": {onnxWith("", message{data: bytes.Repeat([]byte{onnxNodeInput<<3 | 2, 0}, 1<<20)}),
			"the names need"},
		"ONNX's length": {"\b\x08:\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
			"a field of 9223372036854775807 bytes exceeds"},
		"wide ONNX": {onnxWith("nodes_featureids", []int{1<<24 - 1, 0, 0}),
			"split 0: feature 16777215 is out of range"},
		"deep XML": {"<ensemble><tree weight='1'><split>" + strings.Repeat("<feature>1</feature><threshold>1</threshold><split pos='left'>", 2000),
			"splits are nested more than 500 deep"},
		"XML trees": {"<ensemble>" +
			strings.Repeat("<tree weight='1'><split><output>1</output></split></tree>", 1<<15), "the trees need"},
		"XML attributes": {"<ensemble><tree weight='1' " + strings.Repeat("a='' ", 1<<17) + "></tree></ensemble>",
			"line 1: the tag and the text after it are longer than 65536 bytes"},
		"empty trees": {`{"format":"simdrank-lambdamart","version":1,"features":1,"bias":0,"trees":[` +
			strings.Repeat("1,", 1<<18) + "1]}",
			"trees[0]: found the number 1, expected an object"},
		"XGBoost's trees": {strings.Replace(tinyXGBoost, `"trees":[]`, `"trees":[`+
			strings.Repeat("{},", 1<<17)+"{}]", 1),
			`trees[0]: the field "left_children" is missing`},
		"members": {`{"format":"simdrank-linear","version":1,` + strings.Repeat(`"a":{},`, 1<<17),
			`"a" appears twice`},
		"sets": {`{"max_feature_idx":0,"tree_info":[{"tree_structure":{"split_index":0,"split_feature":0,"threshold":` +
			`"2147483647","decision_type":"==","left_child":{"leaf_value":1},"right_child":{"leaf_value":1}}}]}`, "the category sets need at least 2684"},
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte(c.text)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(bytes.NewReader(text), rank.ReadOptions{MemoryLimit: limit})
			runtime.ReadMemStats(&after)
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %s", err, c.err)
			}
			option := (*rank.OptionError)(nil)
			if needs := strings.Contains(c.err, " need"); needs != errors.As(err, &option) ||
				needs && !strings.Contains(err.Error(), fmt.Sprintf("but the limit is %d ", limit)) {
				t.Errorf("error %v, of MemoryLimit: %v", err, needs)
			}
			// What is read from a compressed file is copied once more at its end.
			if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(4*limit+16*len(text)) {
				t.Errorf("%d bytes took %d", len(text), spent)
			}
		})
	}
}

const tinyXGBoost = `{"learner":{"gradient_booster":{"name":"gbtree","model":{"trees":[]}},"learner_model_param":` +
	`{"base_score":"0.5","num_feature":"1"},"objective":{"name":"rank:ndcg"}}}`

// TestWide: a model of the most features is written and read back in a multiple of what is written.
func TestWide(t *testing.T) {
	testkit.SkipShort64(t)
	m := randomTrees(1, 3)
	m.NumFeatures = 1 << 20
	m.Trees[0].Feature[1] = 1<<20 - 1
	for _, format := range []string{
		"json", "lightgbm", "lightgbm-dump", "xgboost", "xgboost-ubj", "xgboost-dump", "onnx", "ranklib", "solr",
	} {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := Write(&b, m, format); err != nil {
				t.Fatal(err)
			}
			length := uint64(b.Len())
			back, err := Read(&b)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			x := make([]float32, m.NumFeatures)
			float32s := strings.HasPrefix(format, "xgboost") ||
				slices.Contains([]string{"onnx", "ranklib", "solr"}, format)
			if got, want := back.Score(x[:back.Features()]), m.Score(x); got != want && !float32s {
				t.Errorf("scores %v, want %v", got, want)
			}
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 12*length+1<<20 {
				t.Errorf("%d bytes took %d", length, spent)
			}
		})
	}
}

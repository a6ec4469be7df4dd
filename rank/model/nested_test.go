package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// nestedFormats are those of nodes within nodes, and what they cannot say.
var nestedFormats = []struct {
	name                          string
	format                        string
	float32s, missing, categories bool // leaves are float32; which way what is missing goes; sets
}{
	{"LightGBM's dump", "lightgbm-dump", false, true, true},
	{"XGBoost's dump", "xgboost-dump", true, true, true},
	{"RankLib", "ranklib", true, false, false},
	{"Solr", "solr", true, false, false},
}

// TestNestedRoundTrip: a model that is written and read back scores the same bits, of leaves that
// the format can hold.
func TestNestedRoundTrip(t *testing.T) {
	for _, f := range nestedFormats {
		t.Run(f.name, func(t *testing.T) {
			for name, s := range testkit.Shapes {
				t.Run(name, func(t *testing.T) {
					if s.Features == 0 || s.Leaves > 300 || s.Categories && !f.categories {
						return
					}
					s.Missing = s.Missing && f.missing
					s.Zero = s.Zero && !f.float32s
					rng := rand.New(rand.NewPCG(17, 18))
					s.Trees = min(s.Trees, 5)
					m := randomModel(rng, s)
					m.Bias = 0
					if f.name == "LightGBM's dump" {
						likeLightGBM(m)
					}
					for i := range m.Trees {
						for l, v := range m.Trees[i].Leaf {
							if f.float32s {
								m.Trees[i].Leaf[l] = float64(float32(v))
							}
						}
						for n, v := range m.Trees[i].Threshold {
							if f.name == "Solr" && v != 0 && math.Abs(float64(v)) < 1e-6 {
								m.Trees[i].Threshold[n] = 0
							}
							if f.name == "XGBoost's dump" && v == inf32 { // x < t has no infinite t above all x
								m.Trees[i].Threshold[n] = math.MaxFloat32
							}
						}
					}
					var b bytes.Buffer
					if err := Write(&b, m, f.format); err != nil {
						t.Fatal(err)
					}
					back, err := read(&b)
					if err != nil {
						t.Fatal(err)
					}
					if back.NumFeatures > m.NumFeatures || f.name == "Solr" && back.NumFeatures != m.NumFeatures {
						t.Errorf("%d features, want %d", back.NumFeatures, m.NumFeatures)
					}
					d := synth.TreeRows(rng, 100, s.Features)
					for i := range d.Rows() {
						x := d.Row(i)
						for j, v := range x {
							if !f.missing && v != v {
								x[j] = 1
							}
						}
						if got, want := back.Score(x), m.Score(x); got != want {
							t.Fatalf("row %d scores %v after, %v before", i, got, want)
						}
					}
					if strings.HasPrefix(f.name, "LightGBM") && s.Leaves > 1 {
						for i := range m.Trees {
							a, b := &back.Trees[i], &m.Trees[i]
							if !slices.Equal(a.Leaf, b.Leaf) || !slices.Equal(a.Gain, b.Gain) ||
								!slices.Equal(a.Count, b.Count) || !slices.Equal(a.LeafCount, b.LeafCount) ||
								!slices.Equal(a.Weight, b.Weight) || !slices.Equal(a.LeafWeight, b.LeafWeight) {
								t.Fatalf("tree %d has other leaves or statistics", i)
							}
						}
					}
				})
			}
		})
	}
}

// TestNestedBias: the bias is in the leaves of the first tree, or in one of its own.
func TestNestedBias(t *testing.T) {
	for _, f := range nestedFormats {
		t.Run(f.name, func(t *testing.T) {
			m := stump()
			m.Bias = 2
			empty := &lambdamart.Model{NumFeatures: 1, Bias: 2}
			for _, c := range []struct {
				m    *lambdamart.Model
				want float64
			}{{m, 3}, {empty, 2}} {
				t.Run(fmt.Sprint(c.want), func(t *testing.T) {
					var b bytes.Buffer
					if err := Write(&b, c.m, f.format); err != nil {
						t.Fatal(err)
					}
					back, err := read(&b)
					if err != nil || back.Bias != 0 || back.Score([]float32{0, 3}) != c.want {
						t.Errorf("%+v, %v, want the score %v", back, err, c.want)
					}
				})
			}
		})
	}
}

// TestOutOfRange: what could not be read back, for its numbers would be infinite, is not written.
func TestOutOfRange(t *testing.T) {
	const base = "the bias, 1e+308, is too large for XGBoost, which uses float32"
	for _, f := range []struct {
		name             string
		format           string
		float32s, biased bool // the bias is in the leaves of any model, not only in those of log loss
	}{
		{"LightGBM", "lightgbm", false, true},
		{"LightGBM's dump", "lightgbm-dump", false, true},
		{"XGBoost", "xgboost", true, false},
		{"XGBoost's UBJSON", "xgboost-ubj", true, false},
		{"XGBoost's dump", "xgboost-dump", true, true},
		{"RankLib", "ranklib", true, true},
		{"Solr", "solr", true, true},
	} {
		t.Run(f.name, func(t *testing.T) {
			for _, c := range []struct{ leaf, bias, sigmoid float64 }{
				{1e39, 0, 0}, {1e308, 1e308, 0}, {1e308, 1e308, 1},
			} {
				t.Run(fmt.Sprint(c), func(t *testing.T) {
					m := stump()
					m.Trees[0].Leaf[1], m.Bias, m.Sigmoid = c.leaf, c.bias, c.sigmoid
					want := fmt.Sprintf("tree 0, the value of leaf 1, %v, is too large", c.leaf)
					switch {
					case c.bias == 0 && !f.float32s:
						want = ""
					case c.bias != 0 && c.sigmoid == 0 && !f.biased:
						want = base
					}
					var b bytes.Buffer
					err := Write(&b, m, f.format)
					if want == "" {
						if _, back := read(&b); err != nil || back != nil {
							t.Errorf("%v, %v", err, back)
						}
					} else if err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
						t.Errorf("%v, want %s; %d bytes", err, want, b.Len())
					}
				})
			}
		})
	}
}

// TestNestedRefused: what a format has no words for.
func TestNestedRefused(t *testing.T) {
	deep := func(splits int) *lambdamart.Model { // a chain
		tree := lambdamart.Tree{Leaf: make([]float64, splits+1)}
		for s := range splits {
			tree.Feature, tree.Threshold = append(tree.Feature, 0), append(tree.Threshold, float32(-s))
			tree.Left, tree.Right = append(tree.Left, int32(s+1)), append(tree.Right, int32(^s))
		}
		tree.Left[splits-1] = int32(^splits)
		return &lambdamart.Model{NumFeatures: 1, Trees: []lambdamart.Tree{tree}}
	}
	zero, category, large := stump(), stump(), stump()
	zero.SetZeroMissing(true)
	category.Trees[0].Categories = [][]uint32{{1}}
	large.Trees[0].Leaf[1] = 1e39
	for _, f := range nestedFormats {
		t.Run(f.name, func(t *testing.T) {
			for _, c := range []struct {
				m    *lambdamart.Model
				want string
				ok   bool
			}{
				{deep(maxNesting), "", true},
				{deep(maxNesting + 1), "tree 0, split 500: splits are nested more than 500 deep", false},
				{zero, "tree 0, split 0 treats 0 as missing", !f.float32s},
				{category, "tree 0, split 0 is categorical", f.categories},
				{large, "tree 0, the value of leaf 1, 1e+39, is too large", !f.float32s},
			} {
				t.Run(c.want, func(t *testing.T) {
					var b bytes.Buffer
					err := Write(&b, c.m, f.format)
					if !c.ok && (err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0) ||
						c.ok && err != nil {
						t.Errorf("%v, want %s; %d bytes", err, c.want, b.Len())
					}
					if c.ok {
						if _, err := read(&b); err != nil {
							t.Errorf("what is written is not read: %v", err)
						}
					}
				})
			}
		})
	}
}

// lightgbmDumpText is the model of lightgbmText as LightGBM's dump_model has it.
const lightgbmDumpText = `{"name":"tree",
"version":"v4",
"num_class":1,
"num_tree_per_iteration":1,
"label_index":0,
"max_feature_idx":2,
"objective":"lambdarank",
"average_output":false,
"feature_names":["price","age","color"],
"monotone_constraints":[0,0,0],
"feature_infos":{"price":{"min_value":-1,"max_value":5,"values":[]},"color":{"min_value":0,"max_value":33,"values":[0,1,33]}},
"tree_info":[{"tree_index":0,"num_leaves":5,
"num_cat":1,
"shrinkage":0.1,
"tree_structure":{
"split_index":0,
"split_feature":0,
"split_gain":10,
"threshold":0.10000000000000001,
"decision_type":"<=",
"default_left":true,
"missing_type":"None",
"internal_value":0,
"internal_weight":15,
"internal_count":150,
"left_child":{
"split_index":1,
"split_feature":1,
"split_gain":5,
"threshold":1.0000000180025095e-35,
"decision_type":"<=",
"default_left":false,
"missing_type":"Zero",
"internal_value":0,
"internal_weight":3,
"internal_count":30,
"left_child":{"leaf_index":0,"leaf_value":1,"leaf_weight":1,"leaf_count":10},
"right_child":{"leaf_index":1,"leaf_value":2,"leaf_weight":2,"leaf_count":20}
},
"right_child":{
"split_index":2,
"split_feature":2,
"split_gain":2.5,
"threshold":"1||33",
"decision_type":"==",
"default_left":false,
"missing_type":"None",
"internal_value":0,
"internal_weight":12,
"internal_count":120,
"left_child":{"leaf_index":2,"leaf_value":4,"leaf_weight":3,"leaf_count":30},
"right_child":{
"split_index":3,
"split_feature":1,
"split_gain":0,
"threshold":2,
"decision_type":"<=",
"default_left":true,
"missing_type":"NaN",
"internal_value":0,
"internal_weight":9,
"internal_count":90,
"left_child":{"leaf_index":3,"leaf_value":8,"leaf_weight":4,"leaf_count":40},
"right_child":{"leaf_index":4,"leaf_value":16,"leaf_weight":5,"leaf_count":50}
}
}
}
},{"tree_index":1,"num_leaves":1,
"num_cat":0,
"shrinkage":1,
"tree_structure":{"leaf_value":0.5, 
"leaf_count":0}
}],

"feature_importances":{"age":2},
"pandas_categorical":[]}
`

func TestLightGBMDump(t *testing.T) {
	want, err := read(strings.NewReader(lightgbmText))
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(strings.NewReader(lightgbmDumpText))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*lambdamart.Model{got, want} { // the only leaf of a tree has a count here and none there
		m.Trees[1] = lambdamart.Tree{Leaf: m.Trees[1].Leaf}
		m.Settings = nil // which a dump has not
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the dump gives %+v, the text %+v", got, want)
	}
	forest, err := read(strings.NewReader(strings.Replace(lightgbmDumpText, `"average_output":false`,
		`"average_output":true`, 1)))
	if err != nil || forest.Score([]float32{1, -1, 33}) != 2.25 {
		t.Errorf("the average of a random forest: %v", err)
	}
	codes, err := read(strings.NewReader(strings.Replace(lightgbmDumpText, `"pandas_categorical":[]`,
		`"pandas_categorical":[["red"]]`, 1)))
	if err != nil || !codes.CategoryCodes {
		t.Errorf("categories of a data frame: %v", err)
	}
	infinite, err := read(strings.NewReader(strings.Replace(lightgbmDumpText, `"threshold":2`,
		`"threshold":1e+300`, 1)))
	if err != nil || infinite.Trees[0].Threshold[3] != inf32 {
		t.Errorf("an infinite threshold: %v", err)
	}
	refused(t, lightgbmDumpText, [][3]string{
		{`"version":"v4"`, `"version":"v5"`, `the version is "v5"; it must be v2, v3 or v4`},
		{`"objective":"lambdarank"`, `"objective":"binary sigmoid:0"`,
			`objective: the sigmoid is "0"; it must be positive`},
		{`"objective":"lambdarank"`, `"objective":1`, "objective: found the number 1, expected a string"},
		{`"num_class":1`, `"num_class":2`, "num_class is 2: models with several classes"},
		{`"max_feature_idx":2`, `"max_feature_idx":1`, "the number of feature_names is 3; it must be 2, one per feature"},
		{`"max_feature_idx":2`, `"max_feature_idx":99999999`, "is not a whole number from -1"},
		{`"num_leaves":5`, `"num_leaves":4`, "tree_info[0]: num_leaves is 4, but the tree has 5"},
		{`"label_index"`, `"base_score"`, `unknown field "base_score"`},
		{`"split_gain":10`, `"scale":10`, `tree_info[0].tree_structure: unknown field "scale"`},
		{`"leaf_weight":1,`, `"leaf_scale":1,`, `tree_info[0].tree_structure.left_child.left_child: unknown field "leaf_scale"`},
		{`"leaf_weight":1,`, `"leaf_const":1,`, "left_child.left_child: linear trees are not supported"},
		{`"leaf_index":1`, `"leaf_index":0`, "tree_info[0]: two leaves have the number 0"},
		{`"split_index":1`, `"split_index":2`, "tree_info[0]: two splits have the number 2"},
		{`"split_index":0`, `"split_index":9`, "tree_info[0]: the root has number 9"},
		{`"split_feature":0`, `"split_feature":3`, "tree 0: split 0: feature 3 is out of range; it must be from 0 to 2"},
		{`"decision_type":"<="`, `"decision_type":"<"`, `decision_type is "<"; it must be <= or ==`},
		{`"missing_type":"Zero"`, `"missing_type":"zero"`, `missing_type is "zero"; it must be None, Zero or NaN`},
		{`"threshold":"1||33"`, `"threshold":"1||x"`, `right_child.threshold: "x" is not a whole number`},
		{`"threshold":"1||33"`, `"threshold":"1||2147483648"`,
			`"2147483648" is not a whole number from 0 to 2147483647`},
		{`"threshold":2`, `"threshold":NaN`, "threshold: NaN"},
		{`"leaf_value":16`, `"leaf_value":1e999`, "value of leaf 4 is +Inf"},
		{`"left_child":{"leaf_index":2`, `"lost":{"leaf_index":2`, `unknown field "lost"`},
		{`"threshold":2,`, ``, `the field "threshold" is missing`},
	})
}

// refused reads a text with each change made to it, which must be an error.
func refused(t *testing.T, text string, changes [][3]string) {
	t.Helper()
	for _, c := range changes {
		if !strings.Contains(text, c[0]) {
			t.Fatalf("no %s in the model", c[0])
		}
		_, err := read(strings.NewReader(strings.Replace(text, c[0], c[1], 1)))
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v, want %s", c[1], err, c[2])
		}
	}
}

// xgboostDumpText has a split of each kind, with features that have names.
const xgboostDumpText = `[
  { "nodeid": 0, "depth": 0, "split": "price", "split_condition": 0.5, "yes": 1, "no": 2, "missing": 1 , "gain": 10, "cover": 6, "children": [
    { "nodeid": 1, "leaf": 1 , "cover": 1 }, 
    { "nodeid": 2, "depth": 1, "split": "color", "split_condition": [0, 33], "yes": 4, "no": 3, "missing": 3 , "gain": 5, "cover": 5, "children": [
      { "nodeid": 3, "leaf": 2 , "cover": 2 }, 
      { "nodeid": 4, "leaf": 4 , "cover": 3 }
    ]}
  ]},
  { "nodeid": 0, "leaf": 0.25 , "cover": 7 }
]`

func TestXGBoostDump(t *testing.T) {
	for i, text := range []string{xgboostDumpText, `{"objective":"rank:ndcg","splits":` + xgboostDumpText + `}`} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			m, err := read(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.FeatureNames, []string{"price", "color"}) || !m.UnknownZeros ||
				!slices.Equal(m.Trees[0].Gain, []float64{10, 5}) ||
				!slices.Equal(m.Trees[0].LeafWeight, []float64{1, 2, 3}) ||
				!slices.Equal(m.Trees[0].Weight, []float64{6, 5}) || m.Trees[0].Count != nil {
				t.Errorf("%+v", m)
			}
			for x, want := range map[[2]float32]float64{{.4, 0}: 1.25, {.5, 0}: 4.25, {.5, 33}: 4.25, {.5, 1}: 2.25,
				{9, nan32}: 2.25} {
				if got := m.Score(x[:]); got != want {
					t.Errorf("%v scores %v, want %v", x, got, want)
				}
			}
			if got := m.Score([]float32{nan32, 0}); got != 1.25 {
				t.Errorf("what is missing scores %v, want 1.25", got)
			}
		})
	}
	// What is written has the keys that the parsers of Elasticsearch and OpenSearch know.
	m, err := read(strings.NewReader(xgboostDumpText))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, m, "xgboost-dump"); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, key := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(b.String(), -1) {
		keys[key[1]] = true
	}
	want := strings.Fields("children depth leaf missing no nodeid split split_condition yes")
	if got := slices.Sorted(maps.Keys(keys)); !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
	numbered := strings.NewReplacer("price", "f7", "color", "f0").Replace(xgboostDumpText)
	if m, err := read(strings.NewReader(numbered)); err != nil || m.FeatureNames != nil || m.NumFeatures != 8 ||
		!slices.Equal(m.Trees[0].Feature, []int32{7, 0}) {
		t.Errorf("features without names: %+v, %v", m, err)
	}
	refused(t, xgboostDumpText, [][3]string{
		{`"missing": 1`, `"missing": 3`, "[0]: missing is 3; it must be one of the children 1 and 2"},
		{`"yes": 1`, `"yes": 7`, "[0]: missing is 1; it must be one of the children 7 and 2"},
		{`"yes": 4, "no": 3`, `"yes": 5, "no": 3`, "[0].children[1]: the children are 3 and 4; they must be 5 (yes) and 3 (no)"},
		{`"split_condition": 0.5, `, ``, "[0]: price has no split_condition: indicator features"},
		{`"split_condition": 0.5`, `"split_condition": NaN`, "[0].split_condition: NaN"},
		{`[0, 33]`, `[0, 16777216]`, `"16777216" is not a whole number`},
		{`"leaf": 4`, `"leaf": [4, 5]`, "[0].children[1].children[1].leaf: found an array, expected a number"},
		{`"leaf": 4`, `"leaf": 4, "scale": 2`, `[0].children[1].children[1]: unknown field "scale"`},
		{`"depth": 1`, `"kind": 1`, `[0].children[1]: unknown field "kind"`},
		{`"nodeid": 4`, `"nodeid": 3`, "[0].children[1]: the children are 3 and 3"},
		{`, 
    { "nodeid": 2`, `,{"nodeid":9,"leaf":1},
    { "nodeid": 2`, "[0]: the number of children is 3; it must be 2"},
		{`"split": "color"`, `"split": 5`, "[0].children[1].split: found the number 5, expected a string"},
		{`"nodeid": 0, "leaf"`, `"leaf"`, `[1]: the field "nodeid" is missing`},
		{"\n]", "\n", "the file ends too early: expected ']'"},
	})
	for objective, want := range map[string]float64{"binary:logistic": 1, "reg:logistic": 1, "binary:logitraw": 0,
		"rank:ndcg": 0} { // Elasticsearch makes probabilities of scores by it
		t.Run(objective, func(t *testing.T) {
			m, err := read(strings.NewReader(`{"objective":"` + objective + `","splits":` + xgboostDumpText + `}`))
			if err != nil || m.Sigmoid != want {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
	for text, want := range map[string][2]float64{"true": {1.25, 4.25}, "false": {1.25, 2.25}, "null": {1.25, 2.25}} {
		t.Run(text, func(t *testing.T) {
			m, err := read(strings.NewReader(`{"missing_as_zero":` + text + `,"splits":` + xgboostDumpText + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := [2]float64{m.Score([]float32{nan32, 1}), m.Score([]float32{1, nan32})}; got != want ||
				m.UnknownZeros != (text != "true") {
				t.Errorf("missing_as_zero %s: what is missing scores %v, want %v", text, got, want)
			}
		})
	}
	refused(t, `{"objective":"rank:ndcg","splits":[]}`, [][3]string{
		{"rank:ndcg", "rank:new", `unknown objective "rank:new"`},
		{`"splits"`, `"trees":1,"splits"`, `unknown field "trees"`},
		{`[]`, `5`, "splits: found the number 5, expected an array"},
	})
	refused(t, numbered, [][3]string{{`"f0"`, `"f16777216"`,
		`feature "f16777216": a model must have at most 16777216 features`}})
}

// TestSpellings: models that differ only in text that other readers of the format skip.
func TestSpellings(t *testing.T) {
	everywhere := map[string]func(string) string{
		"lines end in CRLF":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"empty lines before": func(s string) string { return "\n \n" + s },
		"empty lines after":  func(s string) string { return s + "\n\n" },
		"byte order mark":    func(s string) string { return "\ufeff" + s },
	}
	xml := map[string]func(string) string{
		"comment":    func(s string) string { return strings.Replace(s, "<ensemble>", "<!-- a --><ensemble>", 1) },
		"attributes": func(s string) string { return strings.Replace(s, "<ensemble>", "<ensemble version='1'>", 1) },
		"only XML":   func(s string) string { return s[strings.Index(s, "<ensemble>"):] },
		"comment first": func(s string) string {
			return "<!-- a -->\n" + s[strings.Index(s, "<ensemble>"):]
		},
	}
	sorted := map[string]func(string) string{"members sorted": func(s string) string {
		var doc any
		if err := json.Unmarshal([]byte(s), &doc); err != nil {
			t.Fatal(err)
		}
		text, _ := json.MarshalIndent(doc, "", "        ") // no error of what was unmarshaled
		return string(text)
	}}
	for _, f := range []struct {
		name, text string
		more       map[string]func(string) string
	}{
		{"LightGBM", lightgbmText, nil},
		{"LightGBM's dump", lightgbmDumpText, sorted},
		{"XGBoost's dump", xgboostDumpText, sorted},
		{"RankLib", ranklibText, xml},
		{"Solr", solrText, sorted},
	} {
		t.Run(f.name, func(t *testing.T) {
			want, err := read(strings.NewReader(f.text))
			if err != nil {
				t.Fatal(err)
			}
			changes := maps.Clone(everywhere)
			maps.Copy(changes, f.more)
			for name, change := range changes {
				t.Run(f.name+", "+name, func(t *testing.T) {
					if got, err := read(strings.NewReader(change(f.text))); err != nil ||
						!reflect.DeepEqual(got, want) {
						t.Errorf("%+v, %v, want %+v", got, err, want)
					}
				})
			}
		})
	}
}

const ranklibText = `## LambdaMART
## No. of trees = 2
## No. of leaves = 10
## No. of threshold candidates = 256
## Learning rate = 0.1
## Stop early = 100

<ensemble>
	<tree id="1" weight="0.1">
		<split>
			<feature> 3 </feature>
			<threshold> 0.1 </threshold>
			<split pos="left">
				<output> -1.5 </output>
			</split>
			<split pos="right">
				<feature> 1 </feature>
				<threshold> -2.0E-5 </threshold>
				<split pos="left">
					<output> 2.0 </output>
				</split>
				<split pos="right">
					<output> 4.0 </output>
				</split>
			</split>
		</split>
	</tree>
	<tree id="2" weight="1.0">
		<split>
			<output> 0.25 </output>
		</split>
	</tree>
</ensemble>
`

func TestRankLib(t *testing.T) {
	one := strings.ReplaceAll(strings.ReplaceAll(ranklibText, "\n\t", "\n"), "\t", "")
	for i, text := range []string{ranklibText, strings.ReplaceAll(ranklibText, "\n", "\r\n"),
		`<?xml version="1.0"?>` + "\n" + ranklibText[strings.Index(ranklibText, "<ens"):],
		strings.ReplaceAll(one[strings.Index(one, "<ens"):], "\n", "")} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			m, err := read(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			tenth := float64(float32(.1))
			for x, want := range map[[3]float32]float64{{0, 0, .1}: tenth*-1.5 + .25, {-1, 0, .2}: tenth*2 + .25,
				{-2e-5, 0, .2}: tenth*2 + .25, {0, 0, .2}: tenth*4 + .25} {
				if got := m.Score(x[:]); got != want || m.NumFeatures != 3 || m.FeatureNames != nil {
					t.Errorf("%v scores %v, want %v", x, got, want)
				}
			}
			if got := m.Score([]float32{nan32, 0, nan32}); got != tenth*-1.5+.25 { // as 0
				t.Errorf("what is missing scores %v", got)
			}
		})
	}
	named := strings.NewReplacer("<feature> 3 ", "<feature> bm25 ").Replace(ranklibText)
	if m, err := read(strings.NewReader(named)); err != nil || !slices.Equal(m.FeatureNames, []string{"bm25", "1"}) {
		t.Errorf("features with names: %v", err)
	}
	refused(t, ranklibText, [][3]string{
		{"<ensemble>", "<forest>", "line 8: found <forest>, expected <ensemble>"},
		{` weight="0.1"`, ``, "line 9: the tree has no weight"},
		{`weight="0.1"`, `weight="x"`, `line 9: the weight is "x": not a number`},
		{"<threshold> 0.1", "<threshold> NaN", `line 12: the threshold is "NaN": not a number`},
		{"<threshold> 0.1 </threshold>", "", "line 13: found <split>, expected <threshold>"},
		{`pos="left"`, `pos="right"`, `line 13: found a split with the position "right", expected left`},
		{"<output> -1.5 </output>", "", "line 15: the split has no <output> or <feature>"},
		{"<output> -1.5 </output>", "<output></output>", "line 14: <output> contains no text"},
		{"<output> -1.5 </output>", "<output>1<b/></output>", "line 14: found <b>, expected the end of an element"},
		{"<output> -1.5 </output>", "-1.5", `found "-1.5", expected an element`},
		{"<output> -1.5 </output>", "<value> 1 </value>", "line 14: found <value>, expected <feature> or <output>"},
		{"<feature> 3 </feature>", "<feature> 16777218 </feature>",
			`feature "16777218": a model must have at most 16777216`},
		{"</ensemble>", "", "line 34: unexpected EOF"},
		{"</ensemble>", "</ensemble><ensemble>", "a second ensemble: RankLib's random forests"},
		{"</ensemble>", "</ensemble>x", `found "x", expected an element`},
		{"</ensemble>", "</ensemble><a/>", "unexpected content after the ensemble"},
		{"</tree>", "</tree", "line 28: "},
		{"<ensemble>", "<!DOCTYPE a [<!ENTITY b \"c\">]><ensemble>", "line 8: unexpected XML directive"},
		{"> 0.25 <", "> &b; <", "line 30: invalid character entity &b;"},
		{"> 0.25 <", "> 1e99 <", "value of leaf 0 is +Inf"},
	})
	deep := "<ensemble><tree id=\"1\" weight=\"1\">" +
		strings.Repeat("<split><feature>1</feature><threshold>1</threshold>", 600)
	if _, err := read(strings.NewReader(deep)); err == nil || !strings.Contains(err.Error(), "more than 500 deep") {
		t.Errorf("a deep tree: %v", err)
	}
}

const solrText = `{
  "class" : "org.apache.solr.ltr.model.MultipleAdditiveTreesModel",
  "name" : "multipleadditivetreesmodel",
  "store" : "s",
  "features":[ { "name" : "userTextTitleMatch"}, { "name" : "originalScore"} ],
  "params" : { "trees" : [
    { "weight" : "0.5",
      "root": { "feature" : "userTextTitleMatch", "threshold" : "0.5",
        "left" : { "value" : "-100" },
        "right" : { "feature" : "originalScore", "threshold" : 10.0,
          "left" : { "value" : "50" },
          "right" : { "value" : 75 } } } },
    { "weight" : 2, "root" : { "value" : "-10" } } ] }
}`

func TestSolr(t *testing.T) {
	m, err := read(strings.NewReader(solrText))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.FeatureNames, []string{"userTextTitleMatch", "originalScore"}) {
		t.Errorf("%+v", m)
	}
	if tree := &m.Trees[0]; tree.Gain != nil || tree.Weight != nil || tree.Count != nil {
		t.Errorf("Solr's format contains neither gains, weights nor counts, but the tree has: %+v", tree)
	}
	for x, want := range map[[2]float32]float64{{.5, 0}: -70, {.500001, 0}: -70, {.5000011, 0}: 5, {1, 10}: 5,
		{1, 10.000001}: 5, {1, 11}: 17.5} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			if got := m.Score(x[:]); got != want {
				t.Errorf("%v scores %v, want %v", x, got, want)
			}
		})
	}
	if got := m.Score([]float32{nan32, nan32}); got != 17.5 {
		t.Errorf("what is missing scores %v, want 17.5", got)
	}
	refused(t, solrText, [][3]string{
		{`"weight" : "0.5",`, ``, `params.trees[0]: the field "weight" is missing`},
		{`"threshold" : "0.5"`, `"threshold" : "1_0"`, `params.trees[0].root.threshold: "1_0" is not a number`},
		{`"threshold" : "0.5"`, `"threshold" : "x"`, `params.trees[0].root.threshold: "x" is not a number`},
		{`"threshold" : "0.5",`, ``, `params.trees[0].root: the field "threshold" is missing`},
		{`"threshold" : "0.5"`, `"threshold" : "NaN"`, "tree 0: split 0: the threshold is NaN"},
		{`{ "name" : "originalScore"}`, `{ "name" : "originalScore","norm":{"class":"x"}}`,
			"features[1]: normalized features"},
		{`{ "name" : "originalScore"}`, `{ "name" : "originalScore","norm":{}}`, `norm: the field "class" is missing`},
		{`{ "name" : "originalScore"}`, `{ "name" : "userTextTitleMatch"}`,
			`features[1]: feature "userTextTitleMatch" appears twice`},
		{`"left" : { "value" : "50" },`, ``, `root.right: the field "left" is missing`},
		{`{ "value" : "50" }`, `{ }`, `root.right.left: the field "value" is missing`},
		{`{ "value" : "50" }`, `{ "value" : "50", "left":{} }`, `root.right.left: unknown field "left"`},
		{`"store"`, `"bias"`, `unknown field "bias"`},
		{`"trees" :`, `"bias":1,"trees":`, `params: unknown field "bias"`},
	})
	// Solr shows models with normalizers, and scores splits by unknown features as 0.
	norm := `, "norm": { "class" : "org.apache.solr.ltr.norm.IdentityNormalizer", "params" : null } }`
	shown := strings.NewReplacer(`Match"}`, `Match"`+norm, `"originalScore"}`, `"originalScore"`+norm).Replace(solrText)
	if got, err := read(strings.NewReader(shown)); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("with normalizers that do nothing: %+v, %v", got, err)
	}
	// Solr lists the models of a store.
	for _, store := range [][2]string{{`{"responseHeader":{"status":0,"QTime":1},"models":[`, `]}`},
		{`{"initArgs":{},"initializedOn":"2026-01-01T00:00:00Z","managedList":[`, `]}`}} {
		t.Run(store[0], func(t *testing.T) {
			got, err := read(strings.NewReader(store[0] + shown + store[1]))
			if err != nil || !reflect.DeepEqual(got, m) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	refused(t, `{"models":[`+shown+`]}`, [][3]string{
		{`"models":[`, `"models":[{},`, "models: found 2 models: the file must contain one"},
		{"MultipleAdditiveTreesModel", "LinearModel", `models[0]: a Solr model of class "org.apache.solr`},
		{`"threshold" : "0.5"`, `"threshold" : "x"`, `models[0].params.trees[0].root.threshold: "x" is not a number`},
	})
	unknown, err := read(strings.NewReader(strings.Replace(solrText, `"feature" : "originalScore"`,
		`"feature" : "x"`, 1)))
	if err != nil || unknown.Score([]float32{1, 11}) != -20 || unknown.Score([]float32{0, 11}) != -70 {
		t.Errorf("a split by an unknown feature: %v", err)
	}
	named := stump()
	named.FeatureNames = []string{"a", "b \"c\""}
	var b bytes.Buffer
	if err := Write(&b, named, "solr"); err != nil {
		t.Fatal(err)
	}
	if back, err := read(&b); err != nil || !slices.Equal(back.FeatureNames, named.FeatureNames) {
		t.Errorf("names: %v", err)
	}
	named.FeatureNames = []string{"a", "a"}
	if err := Write(&b, named, "solr"); err == nil ||
		!strings.Contains(err.Error(), "features 0 and 1 are both named a") {
		t.Errorf("a name twice: %v", err)
	}
}

func TestSolrThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	list := []float32{0, 1, -1, .1, 1e-5, -1e-5, 1e-6, 100, 1e30, -1e30, math.MaxFloat32, -math.MaxFloat32, inf32,
		-inf32}
	for range 1000 {
		list = append(list, float32((rng.Float64()-.5)*math.Pow(10, float64(rng.IntN(12)-5))))
	}
	for _, v := range list {
		if v < 0 && v > -1e-12 {
			continue // see below
		}
		got := solrThreshold(v) + solrSlack
		if (got < math.Nextafter32(v, -inf32) || got > math.Nextafter32(v, inf32)) &&
			math.Abs(float64(got-v)) > 0.6e-13 {
			t.Errorf("%v: Solr makes %v", v, got)
		}
	}
	for _, v := range []float32{1e-35, 1e-20, 3e-7, -1e-35, -3e-7,
		math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			got := solrThreshold(v) + solrSlack
			if (got >= 0) != (v >= 0) || v > 0 && v < 1e-14 && got != 0 || math.Abs(float64(v-got)) > 1.2e-13 {
				t.Errorf("Solr makes %v", got)
			}
		})
	}
}

// TestUnknownOrder: what needs the order of features is an error until SetFeatureNames tells it.
func TestUnknownOrder(t *testing.T) {
	m, err := read(strings.NewReader(xgboostDumpText))
	if err != nil || !m.UnknownOrder {
		t.Fatalf("order known: %v", err)
	}
	m.UnknownZeros = false
	if ranklib, err := read(strings.NewReader(strings.ReplaceAll(ranklibText, "<feature> 1 </feature>",
		"<feature> price </feature>"))); err != nil || !ranklib.UnknownOrder {
		t.Errorf("RankLib: %v", err)
	}
	for _, c := range []struct {
		name   string
		format string
		needs  bool
	}{
		{"json", "json", false},
		{"xgboost", "xgboost", true},
		{"xgboost-dump", "xgboost-dump", false},
		{"lightgbm", "lightgbm", true},
		{"lightgbm-dump", "lightgbm-dump", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			err := Write(&b, m, c.format)
			if option := (*rank.OptionError)(nil); c.needs != errors.As(err, &option) || !c.needs && err != nil {
				t.Fatal(err)
			}
			if c.needs {
				return
			}
			back, err := read(&b)
			if err != nil || !back.UnknownOrder {
				t.Errorf("order known: %v", err)
			}
		})
	}
	d := synth.TreeRows(rand.New(rand.NewPCG(1, 2)), 20, m.NumFeatures)
	d.Labels, d.Offsets, d.QueryIDs = make([]float64, 20), []int{0, 20}, []string{"1"}
	trainer := lambdamart.DefaultTrainer()
	trainer.Objective, trainer.Start, trainer.Trees = lambdamart.Regression, m, 1
	if _, err := trainer.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), "the data has no names") {
		t.Errorf("Start of data without names: %v", err)
	}
	if err := m.SetFeatureNames([]string{"price", "color"}); err != nil || m.UnknownOrder {
		t.Errorf("order unknown after SetFeatureNames: %v", err)
	}
}

// TestLightGBMPeer has LightGBM, whose command LIGHTGBM names, predict with what we write, to the
// bit.
func TestLightGBMPeer(t *testing.T) {
	lightgbm := os.Getenv("LIGHTGBM")
	if lightgbm == "" {
		t.Skip("LIGHTGBM does not name LightGBM's command")
	}
	for name, s := range map[string]testkit.Shape{
		"plain":      {Features: 7, Trees: 20, Leaves: 31},
		"missing":    {Features: 20, Trees: 20, Leaves: 31, Missing: true},
		"categories": {Features: 20, Trees: 20, Leaves: 64, Missing: true, Categories: true},
		"zeros":      {Features: 7, Trees: 20, Leaves: 31, Missing: true, Zero: true},
	} {
		t.Run(name, func(t *testing.T) {
			for version, format := range map[string]string{
				"v3": "lightgbm-v3", "v4": "lightgbm"} {
				t.Run(version, func(t *testing.T) {
					rng := rand.New(rand.NewPCG(5, 6))
					m := randomModel(rng, s)
					likeLightGBM(m)
					d := synth.TreeRows(rng, 300, s.Features)
					var rows, text bytes.Buffer
					for i := range d.Rows() {
						rows.WriteByte('0')
						for j, v := range d.Row(i) {
							if v != v || math.IsInf(float64(v), 0) || v != 0 && math.Abs(float64(v)) < 1e-30 {
								v = float32(j % 3) // LightGBM takes what is nearly 0 for it
								if s.Missing && i%2 == 0 {
									v = nan32
								}
							}
							d.Row(i)[j] = v
							fmt.Fprintf(&rows, "\t%v", float64(v))
						}
						rows.WriteByte('\n')
					}
					if err := Write(&text, m, format); err != nil {
						t.Fatal(err)
					}
					if !strings.Contains(text.String(), "\nversion="+version+"\n") {
						t.Errorf("no version %s", version)
					}
					dir := t.TempDir()
					for file, content := range map[string][]byte{"model.txt": text.Bytes(), "rows.tsv": rows.Bytes()} {
						if err := os.WriteFile(filepath.Join(dir, file), content, 0o666); err != nil {
							t.Fatal(err)
						}
					}
					cmd := exec.Command(lightgbm, "task=predict", "data=rows.tsv", "input_model=model.txt",
						"output_result=scores.txt", "predict_raw_score=true", "num_threads=1", "verbosity=-1")
					cmd.Dir = dir
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("%s %s: %v\n%s", name, version, err, out)
					}
					for i, row := range testkit.ReadNumbers(t, filepath.Join(dir, "scores.txt")) {
						if want := m.Score(d.Row(i)); row[0] != want {
							t.Fatalf("%s %s: row %d scores %s in LightGBM, %v here", name, version, i,
								strconv.FormatFloat(row[0], 'g', -1, 64), want)
						}
					}
				})
			}
		})
	}
}

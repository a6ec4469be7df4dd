package model

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// The models of testdata/xgboost are made by bench/peers/lambdamart/golden.py: an XGBoost model,
// and a line for each of rows.txt with the margin and the contributions.
var xgboostModels = []string{"ndcg.json", "lossguide.json", "categories.json", "categories.ubj", "dart.json",
	"forest.json"}

// goldenRows are the rows of the XGBoost models.
func goldenRows(t *testing.T) [][]float32 {
	var rows [][]float32
	for _, r := range testkit.ReadNumbers(t, "testdata/xgboost/rows.txt") {
		x := make([]float32, len(r))
		for j, v := range r {
			x[j] = float32(v)
		}
		rows = append(rows, x)
	}
	return rows
}

// goldenScores are the margin and the contributions of each row by one of the XGBoost models.
func goldenScores(t *testing.T, model string) [][]float64 {
	return testkit.ReadNumbers(t, filepath.Join("testdata/xgboost", strings.Split(model, ".")[0]+".txt"))
}

func TestXGBoostGolden(t *testing.T) {
	rows := goldenRows(t)
	for _, name := range xgboostModels {
		t.Run(name, func(t *testing.T) {
			m, err := loadTrees(filepath.Join("testdata/xgboost", name))
			if err != nil {
				t.Fatal(err)
			}
			want := goldenScores(t, name)
			for i, x := range rows {
				if got := m.Score(x); math.Abs(got-want[i][0]) > 1e-6*math.Max(1, math.Abs(want[i][0])) {
					t.Errorf("row %d scores %v, want %v", i, got, want[i][0])
				}
			}
			best := len(m.Trees)
			if name == "ndcg.json" {
				best = 4
			}
			if m.Best != best {
				t.Errorf("the first %d trees are best, want %d", m.Best, best)
			}
			// Out and in again: leaves are float32, and a tree that dart scales is rounded.
			var b bytes.Buffer
			if err := Write(&b, m, "xgboost"); err != nil {
				t.Fatal(err)
			}
			var ubj bytes.Buffer
			if err := Write(&ubj, m, "xgboost-ubj"); err != nil {
				t.Fatal(err)
			}
			binary, err := read(&ubj)
			if err != nil {
				t.Fatal(err)
			}
			back, err := read(&b)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(binary, back) {
				t.Error("JSON and UBJSON that are written differ")
			}
			for i, x := range rows {
				if got := back.Score(x); math.Abs(got-m.Score(x)) > 1e-6 {
					t.Errorf("row %d scores %v after writing, %v before", i, got, m.Score(x))
				}
			}
			for i, tree := range m.Trees { // their leaves may change places
				got := slices.Sorted(slices.Values(back.Trees[i].LeafWeight))
				want := slices.Sorted(slices.Values(tree.LeafWeight))
				if !slices.Equal(got, want) {
					t.Errorf("tree %d has the weights %v after writing, %v before", i, got, want)
				}
			}
		})
	}
	a, _ := loadTrees("testdata/xgboost/categories.json")
	if want := map[string]string{"booster": "gbtree", "objective": "rank:map", "fix_list_weight": "0",
		"num_pairsample": "1"}; !maps.Equal(a.Settings, want) {
		t.Errorf("settings %q, want %q", a.Settings, want)
	}
	dump, err := loadTrees("testdata/xgboost/categories.dump.json")
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range rows {
		if got, want := dump.Score(x)+a.Bias, a.Score(x); math.Abs(got-want) > 1e-15 { // summed in another order
			t.Errorf("the dump: row %d scores %v, want %v", i, got, want)
		}
	}
	for i := range a.Trees {
		if got, want := &dump.Trees[i], &a.Trees[i]; !slices.Equal(got.Leaf, want.Leaf) ||
			!slices.Equal(got.Feature, want.Feature) || !slices.Equal(got.Threshold, want.Threshold) ||
			!reflect.DeepEqual(got.Categories, want.Categories) || !slices.Equal(got.MissingLeft, want.MissingLeft) {
			t.Errorf("the dump: tree %d is %+v, want %+v", i, got, want)
		}
	}
	b, _ := loadTrees("testdata/xgboost/categories.ubj")
	if !reflect.DeepEqual(a, b) {
		t.Error("JSON and UBJSON of the same model differ")
	}
}

// TestXGBoostDialects: what other versions write differently.
func TestXGBoostDialects(t *testing.T) {
	raw, err := os.ReadFile("testdata/xgboost/ndcg.json")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	want, err := read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		// 3.1
		{`"base_score":"5E-1"`, `"base_score":"[5E-1]"`},
		{`"base_score":"5E-1"`, `"base_score":[5E-1]`},
		{`"base_score":"5E-1"`, `"base_score":0.5`},
		// 3.1
		{`"gbtree_model_param"`, `"cats":{"enc":[],"feature_segments":[],"sorted_idx":[]},"gbtree_model_param"`},
		{`"gbtree_model_param"`,
			`"cats":{"enc":[{"offsets":[0],"values":[]},{"type":13,"values":[0,1]},{"offsets":[0,1,2],"values":[48,49]}]},"gbtree_model_param"`},
		{`"gbtree_model_param"`, `"weight_drop":[1,1,1,1,1,1],"gbtree_model_param"`}, // 3.4
		{`"base_weights"`, `"leaf_child_counts":[0],"base_weights"`},                 // before 1.3
		{`"default_left":[1,`, `"default_left" : [ 1 ,`},                             // spaces
		{`"tree_info"`, `"iteration_indptr":[0,1,2,3,4,5,6],"tree_info"`},            // 2.0
		{`"best_iteration":"3"`, `"best_iteration":"3","note":"\u00e9\n{}"`},         //
	} {
		t.Run(strings.Join(c[:], " "), func(t *testing.T) {
			if !strings.Contains(text, c[0]) {
				t.Fatalf("no %s in the model", c[0])
			}
			got, err := read(strings.NewReader(strings.Replace(text, c[0], c[1], 1)))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, or another model", c[1], err)
			}
		})
	}
	got, err := read(strings.NewReader(strings.Replace(text, `"loss_changes":[1.2632529E1`, `"loss_changes":[1E999`,
		1)))
	if err != nil || want.Trees[0].Gain[0] == 0 || got.Trees[0].Gain[0] != 0 {
		t.Errorf("an infinite gain: %v, or not taken for 0", err)
	}
	for _, c := range [][3]string{
		{`"base_score":"5E-1"`, `"base_score":"[5E-1,1]"`,
			`learner.learner_model_param.base_score: "5E-1,1" is not a number`},
		{`"base_score":"5E-1"`, `"base_score":[1,2]`, "base_score: found 2 values: multi-output models are not supported"},
		{`"base_score":"5E-1"`, `"base_score":"nan"`, "base_score is NaN, which is invalid for the objective rank:ndcg"},
		{`"num_class":"0"`, `"num_class":"3"`, "num_class is 3: models with several outputs"},
		{`"num_target":"1"`, `"num_target":"2"`, "num_target is 2"},
		{`"num_feature":"6","num_target"`, `"num_feature":"2","num_target"`, "it must be from 0 to 1"},
		{`"num_feature":"6","num_target"`, `"num_feature":"0","num_target"`, "split 0: feature 0 is out of range; it must be from 0 to -1"},
		{`"name":"gbtree"`, `"name":"gblinear"`, `the booster is "gblinear"`},
		{`"gradient_booster":{`, `"gradient_booster":{"name":"dart"},"x":{`, `learner: unknown field "x"`},
		{`"attributes"`, `"intercept":[1],"attributes"`, `learner: unknown field "intercept"`},
		{`"num_target"`, `"offset":"1","num_target"`, `learner.learner_model_param: unknown field "offset"`},
		{`"gradient_booster":{`, `"gradient_booster":{"scale":1,`, `learner.gradient_booster: unknown field "scale"`},
		{`"gbtree_model_param"`, `"tree_weights":[1],"gbtree_model_param"`,
			`learner.gradient_booster.model: unknown field "tree_weights"`},
		{`"num_parallel_tree"`, `"average":"1","num_parallel_tree"`,
			`learner.gradient_booster.model.gbtree_model_param: unknown field "average"`},
		{`"base_weights"`, `"leaf_weights":[1],"base_weights"`,
			`learner.gradient_booster.model.trees[0]: unknown field "leaf_weights"`},
		{`"num_deleted"`, `"depth":"1","num_deleted"`,
			`learner.gradient_booster.model.trees[0].tree_param: unknown field "depth"`},
		{`"gbtree_model_param"`, `"cats":{"enc":[],"order":1},"gbtree_model_param"`,
			`model.cats: unknown field "order"`},
		{`"gbtree_model_param"`, `"cats":{"enc":[{"offsets":[0,9],"values":[]}]},"gbtree_model_param"`,
			`enc[0].offsets: "9" is not a whole number from 0 to 0`},
		{`"gbtree_model_param"`, `"weight_drop":[1],"gbtree_model_param"`,
			"model.weight_drop: the number of weights is 1; it must be 6, one per tree"},
		{`"gradient_booster":{"model":{`, `"gradient_booster":{"weight_drop":[1],"model":{"weight_drop":[1],`,
			"model: found a second weight_drop in addition to learner.gradient_booster.weight_drop"},
		{`"num_trees":"6"`, `"num_trees":"7"`, "num_trees is 7, but there are 6 trees"},
		{`"tree_info":[0,0`, `"tree_info":[0,1`, "tree 1 belongs to output 1: multi-output models"},
		{`"id":1`, `"id":2`, "trees[1]: the id of the tree is 2; it must be the position of the tree, 1"},
		{`"name":"rank:ndcg"`, `"name":"rank:new"`, `learner.objective.name: unknown objective "rank:new"`},
		{`"best_iteration":"3"`, `"best_iteration":"-2"`, `best_iteration: "-2" is not a whole number from -1`},
		{`"left_children":[1,`, `"left_children":[0,`, "trees[0]: node 0 is reached by two paths"},
		{`"left_children":[1,`, `"left_children":[-1,`, "node 0 has only one child"},
		{`"left_children":[1,`, `"left_children":[99,`, "child 99 does not exist: the tree has 13 nodes"},
		{`"left_children":[1,`, `"left_children":[`, "one per node"},
		{`"left_children":[1,`, `"left_children":["x",`, `left_children[0]: found the string "x", expected a number`},
		{`"loss_changes":[`, `"loss_changes":[1,`, "the number of elements of loss_changes is 14; it must be 13, one per node"},
		{`"categories_sizes":[3`, `"categories_sizes":[3,1`,
			"are 1, 2 and 1; they must be equal"},
		{`"sum_hessian":[`, `"sum_hessian":[1,`, "the number of elements of sum_hessian is 14; it must be 13, one per node"},
		{`"base_score":"5E-1"`, "\"base_score\":\"5E-1\n\"", `a string contains the control character '\n'`},
		{`"split_type":[0,`, `"split_type":[1,`, "node 0 has no categories"},
		{`"split_type":[0,`, `"split_type":[2,`,
			`element 0 of learner.gradient_booster.model.trees[0].split_type: "2" is not a whole number`},
		{`"size_leaf_vector":"0"}}`, `"size_leaf_vector":"2"}}`,
			"multi-output models are not supported (2 values per leaf)"},
		{`"learner":`, `"learned":`, "unrecognized model JSON"},
	} {
		t.Run(strings.Join(c[:], " "), func(t *testing.T) {
			if !strings.Contains(text, c[0]) {
				t.Fatalf("no %s in the model", c[0])
			}
			_, err := read(strings.NewReader(strings.Replace(text, c[0], c[1], 1)))
			if err == nil || !strings.Contains(err.Error(), c[2]) {
				t.Errorf("%s: %v, want %s", c[1], err, c[2])
			}
		})
	}
}

// TestXGBoostWeights: the booster dart of versions up to 3.3 and the weights that gbtree has from
// 3.4 on.
func TestXGBoostWeights(t *testing.T) {
	const model = `"model":{"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"1"},"iteration_indptr":[0,1],"tree_info":[0],"trees":[` +
		`{"id":0,"left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],"split_conditions":[0.5,1,-1],"default_left":[0,0,0]}]`
	for _, booster := range []string{
		`{` + model + `,"weight_drop":[0.5]},"name":"gbtree"}`,
		`{` + model + `},"name":"gbtree","weight_drop":[0.5]}`, // read by 3.4
		`{"name":"dart","gbtree":{` + model + `},"name":"gbtree"},"weight_drop":[0.5]}`,
	} {
		t.Run(fmt.Sprintf("%.60s", booster), func(t *testing.T) {
			m, err := read(strings.NewReader(`{"learner":{"attributes":{},"gradient_booster":` + booster +
				`,"learner_model_param":{"base_score":"[0E0]",` +
				`"num_class":"0","num_feature":"1"},"objective":{"name":"reg:squarederror"}},"version":[3,4,1]}`))
			if err != nil {
				t.Fatalf("%s: %v", booster, err)
			}
			if l, r := m.Score([]float32{0}), m.Score([]float32{1}); l != .5 || r != -.5 {
				t.Errorf("%s: scores %v and %v, want 0.5 and -0.5", booster, l, r)
			}
		})
	}
}

// TestXGBoostPruned: nodes that pruning took out stay in the arrays, and count for nothing.
func TestXGBoostPruned(t *testing.T) {
	m, err := read(strings.NewReader(`{"learner":{"gradient_booster":{"model":{"trees":[{"id":0,` +
		`"left_children":[1,-1,5,-1,-1,-1,-1],"right_children":[2,-1,6,-1,-1,-1,-1],"split_indices":[0,1,1,0,0,0,0],` +
		`"split_conditions":[0.5,1,2.5,7,8,3,4],"default_left":[0,0,1,0,0,0,0],"loss_changes":[9,8,7,0,0,0,0],` +
		`"sum_hessian":[30,10,20,4,6,12,8],"tree_param":{"num_deleted":"2","num_nodes":"7"}}]},"name":"gbtree"},` +
		`"learner_model_param":{"base_score":"0E0","num_feature":"2"},"objective":{"name":"rank:ndcg"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    []float32
		want float64
	}{
		{[]float32{0, 0}, 1}, {[]float32{1, 2}, 3}, {[]float32{1, 3}, 4}, {[]float32{1, nan32}, 3},
		{[]float32{nan32, 3}, 4},
	} {
		t.Run(fmt.Sprint(c.x), func(t *testing.T) {
			if got := m.Score(c.x); got != c.want {
				t.Errorf("%v scores %v, want %v", c.x, got, c.want)
			}
		})
	}
	tree := &m.Trees[0]
	if !slices.Equal(tree.Gain, []float64{9, 7}) || !slices.Equal(tree.LeafWeight, []float64{10, 12, 8}) {
		t.Errorf("gains %v, weights of leaves %v", tree.Gain, tree.LeafWeight)
	}
}

// TestXGBoostBase: the score of no trees, by objective and version.
func TestXGBoostBase(t *testing.T) {
	for _, c := range []struct {
		objective, base, version string
		want                     float64
	}{
		{"binary:logistic", "2.5E-1", "[3,4,1]", -math.Log(3)},
		{"binary:logistic", "5E-1", "[1,7,4]", 0},
		{"binary:logistic", "0E0", "[3,4,1]", math.Log(1e-6 / (1 - 1e-6))},
		{"reg:logistic", "1E0", "[3,4,1]", -math.Log(1e-6 / (1 - 1e-6))},
		{"binary:logitraw", "2.5E-1", "[1,2,1]", -math.Log(3)},
		{"binary:logitraw", "2.5E-1", "[1,3,0]", .25},
		{"count:poisson", "2E0", "[2,0,3]", math.Ln2},
		{"binary:hinge", "2.5E-1", "[3,4,1]", .25},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			m, err := read(strings.NewReader(`{"learner":{"attributes":{"best_iteration":"-1"},"gradient_booster":{"model":{"trees":[]},"name":"gbtree"},` +
				`"learner_model_param":{"base_score":"` + c.base +
				`","num_class":"0","num_feature":"1"},"objective":{"name":"` + c.objective + `"}},"version":` +
				c.version + `}`))
			if err != nil || math.Abs(m.Bias-c.want) > 1e-12*math.Abs(c.want) || m.Best != 0 ||
				c.want == 0 && math.Signbit(m.Bias) {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

// TestLightGBMSigmoid: the slope of log loss, by objective.
func TestLightGBMSigmoid(t *testing.T) {
	for objective, want := range map[string]float64{"": 0, "lambdarank": 0, "binary": 1, "binary sigmoid:0.5": .5,
		"cross_entropy": 1, "xentropy": 1, "cross_entropy_lambda": 0, "binary_like sigmoid:2": 0,
		"lambdarank sigmoid:2": 0, "binary sigmoid:0": -1, "binary sigmoid:inf": -1, "binary sigmoid:x": -1} {
		t.Run(objective, func(t *testing.T) {
			m, err := read(strings.NewReader("tree\nmax_feature_idx=0\nobjective=" + objective + "\n\nend of trees\n"))
			switch {
			case want < 0:
				if err == nil || !strings.Contains(err.Error(), "line 3: the sigmoid is ") {
					t.Error(err)
				}
			case err != nil || m.Sigmoid != want:
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

// TestXGBoostBest: trees up to the best iteration, which may have several.
func TestXGBoostBest(t *testing.T) {
	text, err := os.ReadFile("testdata/xgboost/ndcg.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string
		want     int
	}{
		{`"num_parallel_tree":"1"`, `"num_parallel_tree":"1"`, 4},
		{`"best_iteration":"3"`, `"best_iteration":"-1"`, 0},
		{`"best_iteration":"3"`, `"best_iteration":"99"`, 6},
		{`"best_iteration":"3"`, `"best_score":"3"`, 0},
		{`"tree_info"`, `"iteration_indptr":[0,1,1,2,5,6],"tree_info"`, 5},
		{`"num_parallel_tree":"1"`, `"num_parallel_tree":"3"`, 6},
		{`"num_parallel_tree":"1",`, ``, 6}, // of best_ntree_limit
	} {
		t.Run(c.new, func(t *testing.T) {
			m, err := read(strings.NewReader(strings.Replace(string(text), c.old, c.new, 1)))
			if err != nil || m.Best != c.want {
				t.Errorf("the first %d trees are best, want %d; %v", m.Best, c.want, err)
			}
		})
	}
	old := strings.NewReplacer(`"num_parallel_tree":"1",`, ``, `"best_ntree_limit":"6"`,
		`"best_limit":"6"`).Replace(string(text))
	if m, err := read(strings.NewReader(old)); err != nil || m.Best != 4 {
		t.Errorf("before 1.4: %v", err)
	}
}

// TestXGBoostCategoryCodes: categories that stand for other values than their numbers.
func TestXGBoostCategoryCodes(t *testing.T) {
	text, err := os.ReadFile("testdata/xgboost/categories.json")
	if err != nil {
		t.Fatal(err)
	}
	for enc, want := range map[string]bool{
		``:                                     false,
		`{"offsets":[0,1,2],"values":[48,49]}`: false, // "0", "1"
		`{"offsets":[0,3,4],"values":[114,101,100,98]}`: true, // "red", "b"
		`{"type":13,"values":[0,1,2]}`:                  false,
		`{"type":13,"values":[3,5]}`:                    true,
	} {
		t.Run(enc, func(t *testing.T) {
			m, err := read(strings.NewReader(strings.Replace(string(text), `"gbtree_model_param"`,
				`"cats":{"enc":[`+enc+`]},"gbtree_model_param"`, 1)))
			if err != nil || m.CategoryCodes != want {
				t.Fatalf("%v, want %v; %v", m, want, err)
			}
			var b bytes.Buffer
			if err := Write(&b, m, "json"); err != nil {
				t.Fatal(err)
			}
			if back, err := read(&b); err != nil || back.CategoryCodes != want {
				t.Errorf("lost in our JSON: %v", err)
			}
		})
	}
}

// TestXGBoostPeer has XGBoost load what we write.
func TestXGBoostPeer(t *testing.T) {
	if testing.Short() {
		t.Skip("starting XGBoost takes seconds")
	}
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import xgboost").Run(); err != nil {
		t.Skipf("no XGBoost: %v", err)
	}
	args := []string{"../../bench/peers/lambdamart/golden.py", "check"}
	for name, s := range map[string]testkit.Shape{
		"plain":      {Features: 7, Trees: 20, Leaves: 31},
		"missing":    {Features: 20, Trees: 20, Leaves: 31, Missing: true},
		"categories": {Features: 20, Trees: 20, Leaves: 64, Missing: true, Categories: true},
		"stumps":     {Features: 5, Trees: 40, Leaves: 2, Missing: true, Categories: true},
		"leaves":     {Features: 3, Trees: 3, Leaves: 1},
		"zeros":      {Features: 7, Trees: 20, Leaves: 31, Missing: true, Zero: true, Categories: true},
	} {
		rng := rand.New(rand.NewPCG(7, 8))
		m := randomModel(rng, s)
		if s.Zero {
			m.SetZeroMissing(true) // XGBoost gets the rows with missing=0
		}
		var rows, scores bytes.Buffer
		d := synth.TreeRows(rng, 300, s.Features)
		for i := range d.Rows() {
			x := d.Row(i)
			for j, v := range x {
				// which XGBoost refuses, and takes for no category
				if math.IsInf(float64(v), 0) || v > -1 && v < 0 {
					x[j] = 3
				}
				fmt.Fprintf(&rows, "%v ", x[j])
			}
			rows.WriteByte('\n')
			fmt.Fprintln(&scores, m.Score(x))
		}
		var text, binary bytes.Buffer
		if err := errors.Join(Write(&text, m, "xgboost"), Write(&binary, m, "xgboost-ubj")); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		args = append(args, dir)
		for file, content := range map[string][]byte{"model.json": text.Bytes(), "model.ubj": binary.Bytes(),
			"rows.txt":   rows.Bytes(),
			"scores.txt": scores.Bytes()} {
			if err := os.WriteFile(filepath.Join(dir, file), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command(python, args...).CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
}

// XGBoost keeps the letters of an escape like \u0026, and refuses \b and \/.
func TestXGBoostNames(t *testing.T) {
	m := stump()
	m.FeatureNames = []string{"<p> & \"q\" \\ größe/\u2028", "a\nb\rc\td\be"}
	const want = `"feature_names":["<p> & \"q\" \\ größe/` + "\u2028" + `","a\nb\rc\td\u0008e"]`
	var text, binary bytes.Buffer
	if err := errors.Join(Write(&text, m, "xgboost"), Write(&binary, m, "xgboost-ubj")); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), want) {
		t.Errorf("%s lacks %s", text.String(), want)
	}
	for i, b := range []*bytes.Buffer{&text, &binary} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if back, err := read(b); err != nil || !slices.Equal(back.FeatureNames, m.FeatureNames) {
				t.Errorf("%v %v, want names %q", back, err, m.FeatureNames)
			}
		})
	}
}

func TestXGBoostZeroMissing(t *testing.T) {
	m := stump()
	m.SetZeroMissing(true)
	if got := m.Score([]float32{0, 0}); got != 1 {
		t.Errorf("0 is missing and scores %v, want the right leaf's 1", got)
	}
	if err := Write(new(bytes.Buffer), m, "xgboost"); err != nil {
		t.Errorf("all splits take 0 for missing: %v", err)
	}
	m.Trees = append(m.Trees, stump().Trees...)
	if err := Write(new(bytes.Buffer), m, "xgboost"); err == nil ||
		!strings.Contains(err.Error(), "tree 0, split 0 treats 0 as missing") {
		t.Errorf("a split takes 0 for missing and another not: %v", err)
	}
	m.Trees[0].MissingLeft = []bool{true} // where 0 goes as a value too
	var b bytes.Buffer
	if err := Write(&b, m, "xgboost"); err != nil {
		t.Errorf("0 goes left either way: %v", err)
	}
	if back, err := read(&b); err != nil || zerosOf(back) != "value" ||
		back.Score([]float32{0, 0}) != -2 {
		t.Errorf("0 is a value where it matters: %v, or missing", err)
	}
	// What training takes 0 for says nothing about a split of categories whose set 0 is not in: it
	// goes right either way.
	m = stump()
	m.SetZeroMissing(true)
	other := stump().Trees[0]
	other.Categories, other.Threshold = [][]uint32{{2}}, []float32{0}
	m.Trees = append(m.Trees, other)
	if err := Write(new(bytes.Buffer), m, "xgboost"); err != nil {
		t.Errorf("0 is in no set of categories: %v", err)
	}
}

// zerosOf returns what a model says that zeros are.
func zerosOf(m *lambdamart.Model) string {
	switch {
	case m.UnknownZeros:
		return "unknown"
	case m.ZeroMissing():
		return "missing"
	}
	return "value"
}

// TestZeros writes models of every kind in every format and reads them back: they score the same,
// and still know what they take zeros for.
func TestZeros(t *testing.T) {
	const (
		values, missing, unknown = "value", "missing", "unknown"
	)
	formats := []string{"json", "lightgbm", "xgboost"}
	for _, c := range []struct {
		name  string
		set   func(m *lambdamart.Model)
		want  string
		sides [2]float64 // the stump's scores of 0 and of NaN
		// LightGBM's text always says what zeros are.
		lightgbm string
	}{
		{"new", func(*lambdamart.Model) {}, values, [2]float64{-1, 1}, values},
		{"values", func(m *lambdamart.Model) { m.SetZeroMissing(false) }, values, [2]float64{-1, 1}, values},
		{"missing", func(m *lambdamart.Model) { m.SetZeroMissing(true) }, missing, [2]float64{1, 1}, missing},
		{"unknown", func(m *lambdamart.Model) { m.UnknownZeros = true }, unknown, [2]float64{-1, 1}, values},
		{"no longer unknown", func(m *lambdamart.Model) { m.UnknownZeros = true; m.SetZeroMissing(true) }, missing,
			[2]float64{1, 1}, missing},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := stump()
			c.set(m)
			if got := [2]float64{m.Score([]float32{0, 0}), m.Score([]float32{0, nan32})}; zerosOf(m) != c.want ||
				got != c.sides {
				t.Errorf("zeros are %v and score %v, want %v and %v", zerosOf(m), got, c.want, c.sides)
			}
			for _, format := range formats {
				for seed := range uint64(4) {
					rng := rand.New(rand.NewPCG(seed, 12))
					m := randomModel(rng, testkit.Shape{Features: 6, Trees: 9, Leaves: 17,
						Missing: true, Categories: seed > 1})
					m.Bias, m.Best = 0, int(seed%2)*3
					c.set(m)
					for i := range m.Trees {
						tree := &m.Trees[i]
						for l, v := range tree.Leaf {
							tree.Leaf[l] = float64(float32(v)) // XGBoost's leaves
						}
						for s, set := range tree.Categories {
							if len(set) > 0 {
								// LightGBM takes a category 0 for a value
								tree.Categories[s] = []uint32{set[0] &^ 1}
							}
						}
					}
					var b bytes.Buffer
					if err := Write(&b, m, format); err != nil {
						t.Fatalf("%s as %v: %v", c.name, format, err)
					}
					back, err := read(&b)
					if err != nil {
						t.Fatalf("%s as %v: %v", c.name, format, err)
					}
					want := c.want
					if format == "lightgbm" {
						want = c.lightgbm
					}
					if zerosOf(back) != want {
						t.Errorf("%s as %v: zeros are %v, want %v", c.name, format, zerosOf(back), want)
					}
					d := synth.TreeRows(rng, 300, 5) // which lack a feature
					for i, v := range d.X {
						if math.IsInf(float64(v), 0) { // which XGBoost refuses
							d.X[i] = 3
						}
					}
					got, scores := make([]float64, d.Rows()), make([]float64, d.Rows())
					if err := back.ScoreInto(t.Context(), got, d); err != nil {
						t.Fatal(err)
					}
					if err := m.ScoreInto(t.Context(), scores, d); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, scores) {
						t.Errorf("%s as %v, seed %d: other scores", c.name, format, seed)
					}
				}
			}
		})
	}
	// Models of old, and of other libraries.
	for _, c := range []struct {
		text string
		want string
	}{
		{`{"format":"simdrank-lambdamart","version":1,"features":1,"bias":0,"trees":[{"feature":[0],"threshold":[2],"left":[-1],"right":[-2],"leaf":[-1,1]}]}`, values},
		{`{"format":"simdrank-lambdamart","version":1,"features":1,"bias":0,"trees":[{"feature":[0],"threshold":[2],"zero_missing":[true],"left":[-1],"right":[-2],"leaf":[-1,1]}]}`, missing},
		{`{"format":"simdrank-lambdamart","version":1,"features":1,"bias":0,"unknown_zeros":false,"trees":[]}`,
			values},
		{`{"format":"simdrank-lambdamart","version":1,"features":1,"bias":0,"unknown_zeros":true,"trees":[]}`,
			unknown},
		{lightgbmText, missing},
		{strings.Replace(lightgbmText, "decision_type=2 4 1 10", "decision_type=2 8 1 10", 1), values},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			m, err := read(strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if zerosOf(m) != c.want {
				t.Errorf("zeros are %v, want %v, in %s", zerosOf(m), c.want, c.text)
			}
		})
	}
	for _, name := range xgboostModels {
		t.Run(name, func(t *testing.T) {
			if m, err := loadTrees(filepath.Join("testdata/xgboost", name)); err != nil || zerosOf(m) != unknown {
				t.Errorf("zeros are not unknown, or %v", err)
			}
		})
	}
	m := stump()
	m.SetZeroMissing(true)
	var b bytes.Buffer
	if err := Write(&b, m, "xgboost"); err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(b.String(), `"missing"`, `"x"`, 1)
	if _, err := read(strings.NewReader(bad)); err == nil ||
		!strings.Contains(err.Error(), `learner.attributes.simdrank_zeros: "x" must be value or missing`) {
		t.Errorf("an attribute of no meaning: %v", err)
	}
}

// lightgbmText is a model by the letter of LightGBM's format, with a split of every kind.
const lightgbmText = `tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=lambdarank
feature_names=price age color
monotone_constraints=0 0 0
feature_infos=[-1:5] [0:9] 0:1:33
tree_sizes=100 100

Tree=0
num_leaves=5
num_cat=1
split_feature=0 1 2 1
split_gain=10 5 2.5 inf
threshold=0.10000000000000001 1.0000000180025095e-35 0 2
decision_type=2 4 1 10
left_child=1 -1 -3 -4
right_child=2 -2 3 -5
leaf_value=1 2 4 8 16
leaf_weight=1 2 3 4 5
leaf_count=10 20 30 40 50
internal_value=0 0 0 0
internal_weight=15 3 12 9
internal_count=150 30 120 90
cat_boundaries=0 2
cat_threshold=2 2
is_linear=0
shrinkage=0.1


Tree=1
num_leaves=1
num_cat=0
split_feature=
split_gain=
threshold=
decision_type=
left_child=
right_child=
leaf_value=0.5
leaf_weight=
leaf_count=
internal_value=
internal_weight=
internal_count=
is_linear=0
shrinkage=1


end of trees

feature_importances:
age=2

parameters:
[boosting: gbdt]
end of parameters

pandas_categorical:null
`

func TestLightGBM(t *testing.T) {
	m, err := read(strings.NewReader(lightgbmText))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.FeatureNames, []string{"price", "age", "color"}) || len(m.Trees) != 2 ||
		!slices.Equal(m.Trees[0].Gain, []float64{10, 5, 2.5, 0}) ||
		!maps.Equal(m.Settings, map[string]string{"boosting": "gbdt"}) {
		t.Errorf("%+v", m)
	}
	check := func(m *lambdamart.Model) {
		t.Helper()
		for _, c := range []struct {
			x    [3]float32
			want float64
		}{
			// Split 0: price ≤ .1, no missing values: NaN is 0. Split 1: age ≤ 1e-35; zero and NaN
			// are missing and go right.
			{[3]float32{0, -1, 0}, 1.5},
			{[3]float32{0, 0, 0}, 2.5},
			{[3]float32{nan32, nan32, 0}, 2.5},
			{[3]float32{-inf32, 1, 0}, 2.5},
			{[3]float32{math.Nextafter32(.1, 0), -1, 0}, 1.5},
			// 0.1 as a float32 is more than 0.1. Split 2: color is 1 or 33. Split 3: age ≤ 2, NaN
			// is missing and goes left.
			{[3]float32{.1, -1, 1}, 4.5},
			{[3]float32{1, -1, 33}, 4.5},
			{[3]float32{1, -1, 33.75}, 4.5},
			{[3]float32{1, 2, 0}, 8.5},
			{[3]float32{1, 2.5, -1}, 16.5},
			{[3]float32{1, nan32, nan32}, 8.5},
			{[3]float32{1, 0, 64}, 8.5},
			{[3]float32{1, inf32, 1e30}, 16.5},
		} {
			if got := m.Score(c.x[:]); got != c.want {
				t.Errorf("%v scores %v, want %v", c.x, got, c.want)
			}
		}
	}
	check(m)
	var b bytes.Buffer
	if err := Write(&b, m, "lightgbm"); err != nil {
		t.Fatal(err)
	}
	back, err := read(&b)
	if err != nil {
		t.Fatal(err)
	}
	check(back)
	if _, err := read(strings.NewReader(strings.ReplaceAll(lightgbmText, "\n", "\r\n"))); err != nil {
		t.Errorf("CRLF: %v", err)
	}
	for line, codes := range map[string]bool{
		`[]`: false, `[[0, 1, 2], ["0", "1"], [false, true]]`: false, `[["blue", "red"]]`: true,
		`[[0, 1], [3, 5]]`: true, `[[0.5]]`: true, `[[1, 2]]`: true,
	} {
		t.Run(line, func(t *testing.T) {
			m, err := read(strings.NewReader(strings.Replace(lightgbmText, "pandas_categorical:null",
				"pandas_categorical:"+line, 1)))
			if err != nil || m.CategoryCodes != codes {
				t.Errorf("pandas_categorical:%s: %v, want %v; %v", line, m, codes, err)
			}
		})
	}
	// Of version 2.1, without the end of trees.
	old := strings.NewReplacer("version=v4", "version=v2", "end of trees\n\nfeature_", "feature ", "is_linear=0\n",
		"").Replace(lightgbmText)
	if m, err := read(strings.NewReader(old)); err != nil {
		t.Errorf("version 2.1: %v", err)
	} else {
		check(m)
	}
	forest, err := read(strings.NewReader(strings.Replace(lightgbmText, "label_index", "average_output\nlabel_index",
		1)))
	if err != nil || forest.Score([]float32{1, -1, 33}) != 2.25 {
		t.Errorf("the average of a random forest: %v", err)
	}
	for _, c := range [][3]string{
		{"label_index", "base_score=1\nlabel_index", `line 5: unknown key "base_score"`},
		{"version=v4", "version=v5", `line 2: the version is "v5"; it must be v2, v3 or v4`},
		{"shrinkage=0.1", "leaf_scale=2", `line 31: unknown key "leaf_scale"`},
		{"shrinkage=0.1", "=2", `line 31: unknown key ""`},
		{"shrinkage=1\n", "leaf_const=2\n", `line 50: unknown key "leaf_const"`},
		{"decision_type=2", "decision_type=18", "line 19: value 1 of decision_type is 18, which contains unknown bits"},
		{"decision_type=2", "decision_type=-2", "line 19: value 1 of decision_type is -2, which contains unknown bits"},
		{"end of trees", "Trees=2", `line 53: found "Trees=2", expected a tree or the end of trees`},
		{"pandas_categorical:null", "pandas_categorical:[1]",
			"line 62: pandas_categorical: [0]: found the number 1, expected an array"},
		{"pandas_categorical:null", "pandas_categorical:[", "line 62: pandas_categorical: byte"},
		{"num_class=1", "num_class=3", "line 3: num_class is 3: multi-class models"},
		{"max_feature_idx=2", "max_feature_idx=x", `line 6: max_feature_idx is "x"; it must be a whole number`},
		{"max_feature_idx=2", "max_feature_idx=1", "line 8: the number of feature_names is 3; it must be 2, one per feature"},
		{"max_feature_idx=2\n", "", "line 12: max_feature_idx is missing"},
		{"num_leaves=5", "num_leaves=4", "line 22: leaf_value contains 5 values, expected 4"},
		{"num_leaves=5", "num_leaves=2000000000", "leaf_value contains 5 values, expected 2000000000"},
		{"threshold=0.1", "threshold=1_", `line 18: value 1 of threshold: "1_0000000000000001" is not a number`},
		{"threshold=0.1", "threshold=x", `line 18: value 1 of threshold: "x0000000000000001" is not a number`},
		{"threshold=0.1", "threshold=nan 0.1", "line 18: threshold contains 5 values, expected 4"},
		{"threshold=0.10000000000000001", "threshold=nan", "line 18: value 1 of threshold is NaN: thresholds must be numbers"},
		{"decision_type=2", "decision_type=14", "line 19: value 1 of decision_type is 14"},
		{"e-35 0 2", "e-35 1 2", "line 18: split 3 uses the category set 1, but the number of sets is 1"},
		{"cat_boundaries=0 2", "cat_boundaries=0 3",
			`line 28: value 2 of cat_boundaries: "3" is not a whole number from 0 to 2`},
		{"cat_boundaries=0 2", "cat_boundaries=2 0", "line 28: cat_boundaries must not decrease, but fall from 2 to 0"},
		{"cat_threshold=2 2\n", "", "cat_threshold is missing"},
		{"num_cat=1", "num_cat=2147483640", "cat_boundaries contains 2 values"},
		{"left_child=1", "left_child=0", "tree 0: split 0 is reached by two paths"},
		{"split_feature=0", "split_feature=7", "feature 7 is out of range; it must be from 0 to 2"},
		{"is_linear=0", "is_linear=1", "line 30: linear trees are not supported"},
		{"leaf_value=1", "leaf_value=inf", "value of leaf 0 is +Inf"},
		{"shrinkage=0.1", "num_cat=1", "line 31: num_cat appears twice, first on line 15"},
		{"tree_sizes=100", "tree_sizes=1 100", "line 11: found 3 tree_sizes, but the file has 2 trees"},
		{"leaf_count=10", "leaf_count=-10", `"-10" is not a whole number`},
	} {
		t.Run(strings.Join(c[:], " "), func(t *testing.T) {
			if !strings.Contains(lightgbmText, c[0]) {
				t.Fatalf("no %s in the model", c[0])
			}
			_, err := read(strings.NewReader(strings.Replace(lightgbmText, c[0], c[1], 1)))
			if err == nil || !strings.Contains(err.Error(), c[2]) {
				t.Errorf("%s: %v, want %s", c[1], err, c[2])
			}
		})
	}
}

// likeLightGBM makes −0.5 the category 0, as in models that are read from LightGBM.
func likeLightGBM(m *lambdamart.Model) {
	for i := range m.Trees {
		for s := range m.Trees[i].Feature {
			if t := &m.Trees[i]; t.Categories != nil && t.Categories[s] != nil {
				m.Trees[i].Threshold[s] = lightgbmLeast
			}
		}
	}
}

// Ours to LightGBM and back: the same bits of every score.
func TestLightGBMRoundTrip(t *testing.T) {
	for name, s := range testkit.Shapes {
		t.Run(name, func(t *testing.T) {
			if s.Features == 0 {
				return
			}
			rng := rand.New(rand.NewPCG(9, 10))
			m := randomModel(rng, s)
			likeLightGBM(m)
			var b bytes.Buffer
			if err := Write(&b, m, "lightgbm"); err != nil {
				t.Fatal(err)
			}
			checkTreeSizes(t, b.String())
			back, err := read(&b)
			if err != nil {
				t.Fatal(err)
			}
			d := synth.TreeRows(rng, 300, s.Features)
			for i := range d.Rows() {
				if got, want := back.Score(d.Row(i)), m.Score(d.Row(i)); got != want {
					t.Fatalf("row %d scores %v after, %v before", i, got, want)
				}
			}
			if s.Leaves > 1 && (!reflect.DeepEqual(back.Trees[0].Count, m.Trees[0].Count) ||
				!reflect.DeepEqual(back.Trees[0].LeafWeight, m.Trees[0].LeafWeight)) {
				t.Error("counts or weights differ")
			}
		})
	}
	m := stump()
	m.Trees[0].Categories, m.Trees[0].MissingLeft = [][]uint32{{1}}, []bool{true}
	if err := Write(new(bytes.Buffer), m, "lightgbm"); err == nil ||
		!strings.Contains(err.Error(), "tree 0, split 0 sends missing categories left") {
		t.Errorf("a missing category goes left: %v", err)
	}
	m = stump()
	for want, names := range map[string][]string{
		"":                                    {"a b  c", "d\t\u00a0"},
		`feature 0 is named "a\nb": names in`: {"a\nb", "c"},
		`feature 1 is named "": names in`:     {"a", ""},
		`features 0 and 1, "a b" and "a_b", are both named "a_b" in`: {"a b", "a_b"},
		`features 0 and 1, "a_b" and "a b", are both named "a_b" in`: {"a_b", "a b"},
	} {
		t.Run(want, func(t *testing.T) {
			var b bytes.Buffer
			m.FeatureNames = names
			if err := Write(&b, m, "lightgbm"); want != "" {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%q: %v, want %s", names, err, want)
				}
				return
			} else if err != nil {
				t.Fatal(err)
			}
			if back, err := read(&b); err != nil || !slices.Equal(back.FeatureNames, []string{"a_b__c", "d\t\u00a0"}) {
				t.Errorf("%v, %v", back, err)
			}
		})
	}
}

// LightGBM finds trees by their sizes.
func checkTreeSizes(t *testing.T, text string) {
	t.Helper()
	_, sizes, _ := strings.Cut(text, "tree_sizes=")
	sizes, _, _ = strings.Cut(sizes, "\n")
	at := strings.Index(text, "Tree=0")
	for i, s := range strings.Fields(sizes) {
		if !strings.HasPrefix(text[at:], fmt.Sprintf("Tree=%d\n", i)) {
			t.Errorf("byte %d is not the start of tree %d", at, i)
		}
		n, _ := strconv.Atoi(s)
		at += n
	}
	if !strings.HasPrefix(text[at:], "end of trees\n") {
		t.Error("the sizes do not end where the trees do")
	}
}

func TestFloor32(t *testing.T) {
	for _, c := range [][2]float64{
		{0, 0}, {1, 1}, {.1, float64(math.Nextafter32(.1, 0))}, {1e300, math.MaxFloat32}, {-1e300, math.Inf(-1)},
		{1e-300, 0},
		{-1e-300, -math.SmallestNonzeroFloat32}, {math.Inf(1), math.Inf(1)}, {math.Inf(-1), math.Inf(-1)},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := float64(floor32(c[0])); got != c[1] {
				t.Errorf("the largest float32 not above %v: %v, want %v", c[0], got, c[1])
			}
		})
	}
}

// A category of 2²⁴ is the first that XGBoost has no words for.
func TestXGBoostCategories(t *testing.T) {
	for c, want := range map[int]string{xgboostCategories - 1: "",
		xgboostCategories: "the category 16777216 is too large: XGBoost supports categories below 16777216"} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			words := make([]uint32, c/32+1)
			words[c/32] = 1 << (c % 32)
			tree := lambdamart.Tree{Feature: []int32{0}, Threshold: []float32{0}, Categories: [][]uint32{words},
				MissingLeft: []bool{false}, Left: []int32{^0}, Right: []int32{^1}, Leaf: []float64{1, 2}}
			m := &lambdamart.Model{NumFeatures: 1, Trees: []lambdamart.Tree{tree}}
			_, err := appendXGBoost(m, nil)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Error(err)
			}
		})
	}
}

// TestBetween: a float64 is not above the threshold that LightGBM gets where its float32 is not
// above ours.
func TestBetween(t *testing.T) {
	for _, v := range []float32{0, 1, .1, -.1, math.Nextafter32(1, 2), math.Nextafter32(1, 0), -1, 1e-45, -1e-45, 3e38,
		math.MaxFloat32, -math.MaxFloat32, inf32, -inf32} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			got := between(v)
			if float32(got) > v || floor32(got) != v {
				t.Errorf("%v, which is %v as a float32", got, float32(got))
			}
			if above := math.Nextafter(got, math.Inf(1)); v < math.MaxFloat32 && v > -inf32 && float32(above) <= v {
				t.Errorf("%v is not the largest float64", got)
			}
		})
	}
}

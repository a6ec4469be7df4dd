package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func TestSVM(t *testing.T) {
	for _, c := range []struct {
		f     SVMFlags
		m     rank.RankSVM
		given []string
		cs    []float64
		want  string
	}{
		{cs: []float64{1}},
		{f: SVMFlags{Path: "0.1, 3"}, cs: []float64{0.1, 3}},
		{f: SVMFlags{Path: "auto", Folds: 2}, cs: ranksvm.DefaultCs()},
		{m: rank.RankSVM{C: math.Inf(1)}, want: "--c +Inf: must be finite"},
		{m: rank.RankSVM{Tol: -1}, want: "--tol -1: must be greater than 0"},
		{m: rank.RankSVM{MaxPasses: -1}, want: "--max-passes -1: must be greater than 0"},
		{m: rank.RankSVM{Threads: -1}, want: "--threads -1: must be at least 0"},
		{f: SVMFlags{Folds: 1}, want: "--cv 1: must be at least 2"},
		{f: SVMFlags{Path: "1"}, given: []string{"c"}, want: "--c cannot be combined with --c-path"},
		{given: []string{"c-path"}, want: "--c-path is empty: must be auto, or numbers greater than 0, separated by commas"},
		{f: SVMFlags{Path: "1,0"}, want: `--c-path: "0" must be a finite number greater than 0`},
	} {
		t.Run(fmt.Sprint(c.cs, " ", c.want), func(t *testing.T) {
			m := c.m
			m.C, m.Tol, m.MaxPasses = cmp.Or(m.C, 1), cmp.Or(m.Tol, 1), cmp.Or(m.MaxPasses, 1)
			err := c.f.Check(&m, func(flag string) bool { return slices.Contains(c.given, flag) })
			if message(err) != c.want {
				t.Errorf("%+v: %v, want %q", c.f, err, c.want)
				return
			}
			if cs, err := c.f.CValues(&m); c.want == "" && (err != nil || !slices.Equal(cs, c.cs)) {
				t.Errorf("%+v: %v, %v, want %v", c.f, cs, err, c.cs)
			}
		})
	}
}

func TestSVMNote(t *testing.T) {
	path := &CPath{Metric: "map", Points: []CPoint{{C: .1}, {C: 1e9}}}
	for want, note := range map[string]func(m *rank.Linear){
		"map[pair_weights:gain]": func(m *rank.Linear) { new(SVMFlags).Note(m, "gain", nil, false) },
		"map[c_path:0.1,1e+09 cv:5 metric:map pair_weights:equal]": func(m *rank.Linear) {
			new(SVMFlags).Note(m, "equal", path, false)
		},
		"map[c_path:0.1,1e+09 cv:3 metric:map pair_weights:equal]": func(m *rank.Linear) {
			(&SVMFlags{Folds: 3}).Note(m, "equal", path, true)
		},
		"map[c_path:0.1,1e+09 metric:map pair_weights:equal]": func(m *rank.Linear) {
			new(SVMFlags).Note(m, "equal", path, true)
		},
	} {
		t.Run(want, func(t *testing.T) {
			m := &rank.Linear{Settings: map[string]string{}}
			if note(m); fmt.Sprint(m.Settings) != want {
				t.Errorf("%v, want %s", m.Settings, want)
			}
		})
	}
}

func TestTrees(t *testing.T) {
	for i, c := range []struct {
		f             TreesFlags
		set           func(*lambdamart.Trainer)
		leaves, valid bool
		want          string
	}{
		{},
		{set: func(o *lambdamart.Trainer) { o.MinRows, o.MinHessian, o.Truncation = 0, 0, 0 }},
		{set: func(o *lambdamart.Trainer) { o.Trees = 0 }, want: "--trees 0: must be at least 1"},
		{set: func(o *lambdamart.Trainer) { o.LearningRate = 0 }, want: "--learning-rate 0: must be greater than 0"},
		{set: func(o *lambdamart.Trainer) { o.L2 = math.NaN() }, want: "--l2 NaN: must be finite"},
		{set: func(o *lambdamart.Trainer) { o.RowFraction = 2 },
			want: "--row-fraction 2: must be greater than 0 and at most 1"},
		{set: func(o *lambdamart.Trainer) { o.Bins = 256 }, want: "--bins 256: must be from 2 to 255"},
		{set: func(o *lambdamart.Trainer) { o.Permutations = 0 }, want: "--permutations 0: must be at least 1"},
		{set: func(o *lambdamart.Trainer) { o.Decay = 0 }, want: "--decay 0: must be greater than 0 and at most 1"},
		{set: func(o *lambdamart.Trainer) { o.NodeFeatureFraction = 0 },
			want: "--node-fraction 0: must be greater than 0 and at most 1"},
		{set: func(o *lambdamart.Trainer) { o.MaxDeltaStep = -1 }, want: "--max-delta-step -1: must be at least 0"},
		{set: func(o *lambdamart.Trainer) { o.PathSmooth = -1 }, want: "--path-smooth -1: must be at least 0"},
		{set: func(o *lambdamart.Trainer) { o.Dart, o.DropRate = true, 0 },
			want: "--drop-rate 0: must be greater than 0 and at most 1"},
		{set: func(o *lambdamart.Trainer) { o.SkipDrop = 2 }, want: "--skip-drop 2: must be from 0 to 1"},
		{set: func(o *lambdamart.Trainer) { o.Dart, o.EarlyStopping = true, 2 }, valid: true,
			want: "--early-stopping cannot be combined with --dart: each new tree rescales earlier ones"},
		{set: func(o *lambdamart.Trainer) { o.Dart, o.EarlyStopping = true, 2 }, valid: true,
			f: TreesFlags{Search: true}},
		{set: func(o *lambdamart.Trainer) { o.Dart, o.Checkpoint = true, "a" },
			want: "--checkpoint cannot be combined with --dart: each new tree rescales earlier ones"},
		{set: func(o *lambdamart.Trainer) { o.Leaves = 1 }},
		{set: func(o *lambdamart.Trainer) { o.Leaves = 1 }, leaves: true, want: "--leaves 1: must be at least 2"},
		{set: func(o *lambdamart.Trainer) { o.Sigmoid = 0 }, want: "--sigmoid 0: must be greater than 0"},
		{set: func(o *lambdamart.Trainer) { o.CategoryRows = 0 }, want: "--cat-rows 0: must be at least 1"},
		{f: TreesFlags{LabelGain: "0, 1,3.5"}},
		{f: TreesFlags{LabelGain: "0,,3"}, want: `--label-gain: "" must be a finite number of at least 0`},
		{f: TreesFlags{LabelGain: "0,-1"}, want: `--label-gain: "-1" must be a finite number of at least 0`},
		{set: func(o *lambdamart.Trainer) { o.EarlyStopping = 1 },
			want: "--early-stopping requires validation data (--valid)"},
		{set: func(o *lambdamart.Trainer) { o.EarlyStopping = 1 }, f: TreesFlags{Retrain: true}, valid: true},
		{f: TreesFlags{Retrain: true}, want: "--retrain requires --early-stopping, which determines the number of trees"},
		{set: func(o *lambdamart.Trainer) { o.EarlyStopping = 1 }, f: TreesFlags{Retrain: true, Start: "a"},
			valid: true, want: "--retrain cannot be combined with --start"},
	} {
		t.Run(fmt.Sprint(i, " ", c.want), func(t *testing.T) {
			o := lambdamart.DefaultTrainer()
			if c.set != nil {
				c.set(o)
			}
			changed := func(flag string) bool {
				if of := objectivesOf[flag]; of != nil && !slices.Contains(of, "ndcg") {
					return strings.HasPrefix(c.want, "--"+flag+" ")
				}
				return c.leaves || flag != "leaves" && flag != "label-gain" && flag != "checkpoint-every"
			}
			if c.f.LabelGain != "" {
				changed = func(flag string) bool { return flag == "label-gain" }
			}
			if err := c.f.Check(o, changed, c.valid); message(err) != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// An objective looks at a flag if another value of it makes another model.
func TestCheckObjective(t *testing.T) {
	d := synth.Config{Seed: 1, Rows: 60, Cols: 2, MinDocs: 20, MaxDocs: 20}.Dataset()
	model := func(t *testing.T, o lambdamart.Trainer) string {
		o.Trees, o.MinRows, o.MinHessian, o.Threads = 2, 2, 0, 1
		r, err := o.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Model.Trees)
	}
	flags := map[string]func(o *lambdamart.Trainer){
		"truncation":   func(o *lambdamart.Trainer) { o.Truncation = 2 },
		"mean-pairs":   func(o *lambdamart.Trainer) { o.MeanPairs = 1 },
		"no-norm":      func(o *lambdamart.Trainer) { o.NoNorm = true },
		"sigmoid":      func(o *lambdamart.Trainer) { o.Sigmoid = 3 },
		"label-gain":   func(o *lambdamart.Trainer) { o.Gains = rank.GainTable{0, 1, 5, 6, 7} },
		"permutations": func(o *lambdamart.Trainer) { o.Permutations = 3 },
		"decay":        func(o *lambdamart.Trainer) { o.Decay = .5 },
	}
	if len(flags) != len(objectivesOf) {
		t.Errorf("%d flags of objectives, want %d", len(objectivesOf), len(flags))
	}
	for b := lambdamart.NDCG; ; b++ {
		if _, err := lambdamart.ParseObjective(b.String()); err != nil {
			break // these were all
		}
		o := *lambdamart.DefaultTrainer()
		o.Objective = b
		plain := model(t, o)
		for flag, set := range flags {
			t.Run(fmt.Sprintf("--objective %v --%s", b, flag), func(t *testing.T) {
				given := o
				set(&given)
				err := CheckObjective(&given, func(f string) bool { return f == flag })
				if same := model(t, given) == plain; (err != nil) != same {
					t.Errorf("the same model %t, %v", same, err)
				}
			})
		}
	}
	all := func(string) bool { return true }
	for want, o := range map[string]*lambdamart.Trainer{
		"--decay requires --objective yetirank":             {Objective: lambdamart.NDCG},
		"--label-gain requires --objective ndcg or xe-ndcg": {Objective: lambdamart.YetiRank},
	} {
		t.Run(want, func(t *testing.T) {
			if err := CheckObjective(o, all); message(err) != want {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	err := CheckObjective(&lambdamart.Trainer{Objective: lambdamart.MAP, MeanPairs: 2},
		func(flag string) bool { return flag == "truncation" || flag == "mean-pairs" })
	if want := "--truncation cannot be combined with --mean-pairs: both choose the pairs"; message(err) != want {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestTreesSettle(t *testing.T) {
	features := Features{Names: []string{"age", "color"}, Cols: 2, First: 1}
	o := lambdamart.DefaultTrainer()
	given := TreesFlags{Monotone: "age-", Categorical: "color", Interactions: "color,age; 2"}
	if err := given.Settle(o, features); err != nil ||
		fmt.Sprint(o.Monotone, o.Categorical, o.Interactions) != "[-1 0] [1] [[0 1] [1]]" {
		t.Errorf("%v, %v, %v, %v", err, o.Monotone, o.Categorical, o.Interactions)
	}
	for want, f := range map[string]TreesFlags{
		"feature 2 is in both --categorical and --monotone": {Monotone: "color+", Categorical: "color"},
		"--interactions: no feature named":                  {Interactions: "age,color;size"},
		"--interactions age;: sets must not be empty":       {Interactions: "age;"},
		"--categorical: ": {Categorical: "size"},
		"--monotone":      {Monotone: "age"},
	} {
		t.Run(want, func(t *testing.T) {
			if err := f.Settle(o, features); len(message(err)) < len(want) || message(err)[:len(want)] != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

func TestTreesStart(t *testing.T) {
	f := &TreesFlags{Start: "a.json"}
	for _, c := range []struct {
		missing bool // to the model
		flag    bool
		want    string
	}{
		{false, false, ""},
		{true, true, ""},
		{false, true, "a.json was trained with 0 as a value, so --start cannot be combined with --zero-missing"},
		{true, false, "a.json was trained with 0 as missing, so --start requires --zero-missing"},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			m := &lambdamart.Model{NumFeatures: 1, Trees: []lambdamart.Tree{{Feature: []int32{0},
				Threshold: []float32{1}, Left: []int32{-1}, Right: []int32{-2}, Leaf: []float64{0, 1}}}}
			m.SetZeroMissing(c.missing)
			o := lambdamart.DefaultTrainer()
			o.Start, o.ZeroMissing = m, c.flag
			if err := f.CheckStart(o); message(err) != c.want {
				t.Errorf("%v, want %q (zeros are missing: %v)", err, c.want, m.ZeroMissing())
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

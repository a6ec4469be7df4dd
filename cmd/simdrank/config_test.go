package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfig: a configuration of LightGBM trains what the flags that say the same train, and flags
// win.
func TestConfig(t *testing.T) {
	train, valid := writeTemp(t, "train.txt", letorText(t, part(0))), writeTemp(t, "vali.txt", letorText(t, part(1)))
	model := filepath.Join(t.TempDir(), "model.json")
	conf := writeTemp(t, "train.conf", `# as LightGBM's example
task = train
boosting_type = gbdt
objective = rank_xendcg
metric = ndcg
ndcg_eval_at = 3
data = `+train+`
valid_data = `+valid+` # to measure on
num_trees = 9
num_leaves = 7
min_data_in_leaf = 10
feature_fraction = 0.5
bagging_freq = 1
bagging_fraction = 0.9
verbosity = -1
output_model = `+model+`
`)
	for given, same := range map[string]string{
		"": "--leaves 7 --feature-fraction .5 --row-fraction .9",
		"--leaves 5 --feature-fraction 1 --threads 1": "--leaves 5 --row-fraction .9",
	} {
		t.Run(given, func(t *testing.T) {
			out := succeed(t, "", append([]string{"train", "--config", conf}, strings.Fields(given)...)...)
			got, err := os.ReadFile(model) // LightGBM's text, for only its configuration names the file
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(model)
			want := succeed(t, "", append(strings.Fields("train --model lambdamart --objective xe-ndcg --trees 9 --min-rows 10 "+
				"--metric ndcg@3 -d "+train+" --valid "+valid+" -o "+model), strings.Fields(same)...)...)
			text := succeed(t, "", "convert", "-i", model, "--to", "lightgbm", "-o", "-")
			if string(got) != text || !strings.Contains(out, "ndcg@3") ||
				strings.Count(out, "\n") != strings.Count(want, "\n") {
				t.Errorf("another model than by %s, %s", same, out)
			}
			file, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			named := filepath.Join(t.TempDir(), "named.json")
			succeed(t, "", append([]string{"train", "--config", conf, "-o", named}, strings.Fields(given)...)...)
			if got, err := os.ReadFile(named); err != nil || string(got) != string(file) {
				t.Errorf("another model by -o, %v", err)
			}
		})
	}
	// Every parameter that a flag stands for.
	all := writeTemp(t, "all.conf", `objective = lambdarank
num_iterations = 3
learning_rate = .2
num_leaves = 5
max_depth = 3
min_data_in_leaf = 4
min_sum_hessian_in_leaf = 0.1
min_gain_to_split = 0.01
lambda_l1 = .1
lambda_l2 = 2
feature_fraction = .8
max_bin = 63
seed = 3
num_threads = 2
early_stopping_round = 2
zero_as_missing = false
max_cat_to_onehot = 3
cat_smooth = 2
cat_l2 = 1
min_data_per_group = 5
max_cat_threshold = 8
sigmoid = 2
lambdarank_truncation_level = 9
lambdarank_norm = false
label_gain = 0,1,3,7,15
metric = map
extra_trees = true
feature_fraction_bynode = .7
max_delta_step = 2
path_smooth = 1
interaction_constraints = [1,2,3,4,5],[4,5,6,7,8]
boosting = gbdt
drop_rate = 7
monotone_constraints = 0,1,0,0,-1,0,0,0,0
`)
	succeed(t, "", "train", "--config", all, "-d", train, "--valid", valid, "-o", model)

	base := []string{"train", "--config", conf}
	fail(t, exitUsage, "", append(base, "--model", "ridge"), "--config requires --model lambdamart")
	fail(t, exitUsage, "", append(base, "x"), `unexpected argument "x"`)
	fail(t, exitUsage, "", append(base, "--leaves", "1"), "simdrank: --leaves 1: must be at least 2")
	for text, want := range map[string]string{
		"num_leaves = 1":                  ":1: num_leaves = 1: --leaves 1: must be at least 2",
		"\nnum_leaves = x":                ":2: num_leaves = x: must be a whole number",
		"early_stopping_rounds = 3":       ":1: early_stopping_rounds = 3: --early-stopping requires validation data (--valid)",
		"label_gain = 0,x":                `:1: label_gain = 0,x: --label-gain: "x" must be a finite number of at least 0`,
		"boosting = rf":                   ":1: boosting = rf is not supported",
		"drop_rate = 2\nboosting = dart":  ":1: drop_rate = 2: --drop-rate 2: must be greater than 0 and at most 1",
		"cat_feature = 1,999":             ":1: cat_feature = 1,999: --categorical: feature 999 does not exist: features are numbered ",
		"interaction_constraints = [999]": ":1: interaction_constraints = [999]: --interactions: feature 999 does not exist: features are numbered ",
		"mc = 1,-1":                       ":1: mc = 1,-1: the number of values is 2; it must be 9, because the data has features up to 8",
		"mc = 1,0,0,0,0,0,0,0,0":          ":1: mc = 1,0,0,0,0,0,0,0,0: --monotone: feature 0 does not exist: features are numbered ",
		"leafs = 3":                       ":1: unknown parameter leafs = 3",
		"valid = a.txt\nvalid_data = b.c": ":2: valid_data = b.c: line 1 already sets valid = a.txt",
	} {
		t.Run(text, func(t *testing.T) {
			conf := writeTemp(t, "bad.conf", text)
			fail(t, exitFailure, "", []string{"train", "--config", conf, "-d", train, "-o", model},
				"simdrank: "+conf+want)
		})
	}
	trained := func(t *testing.T, args ...string) string {
		t.Helper()
		succeed(t, "", append([]string{"train", "-d", train, "-o", model}, args...)...)
		file, err := os.ReadFile(model)
		if err != nil {
			t.Fatal(err)
		}
		return string(file)
	}
	dart := writeTemp(t, "dart.conf", "drop_rate = .3\nskip_drop = 0\nnum_trees = 4\n")
	signs := writeTemp(t, "signs.conf", "mc = 0,1,0,0,-1,0,0,0,0\nnum_trees = 4\n")
	binary := writeTemp(t, "binary.conf",
		"objective = binary\nsigmoid = 2\nlambdarank_truncation_level = 5\nlabel_gain = 0,1,9\nnum_trees = 4\n")
	for _, c := range []struct {
		got  []string
		want string
		same bool
	}{
		{[]string{"--config", dart, "--dart"}, "--dart --skip-drop 0 --drop-rate .3", true},
		{[]string{"--config", dart, "--dart"}, "--dart --skip-drop 0 --drop-rate .1", false},
		{[]string{"--config", signs}, "--monotone 1+,4-", true},
		{[]string{"--config", signs}, "--monotone 1-,4+", false},
		{[]string{"--config", binary}, "--objective binary --sigmoid 2", true}, // what LightGBM looks at
	} {
		t.Run(c.want, func(t *testing.T) {
			want := strings.Fields("--model lambdamart --trees 4 " + c.want)
			if (trained(t, c.got...) == trained(t, want...)) != c.same {
				t.Errorf("same model %t", !c.same)
			}
		})
	}
	positions := writeTemp(t, "positions.conf", "lambdarank_position_bias_regularization = 0.1\nnum_trees = 2\n")
	fail(t, exitFailure, "", []string{"train", "--config", positions, "-d", train, "-o", model}, "positions")
	fail(t, exitFailure, "", []string{"tune", "--config", conf},
		conf+":8: valid_data = "+valid+": tune does not support --valid")
	many := writeTemp(t, "many.conf", "\nmetric = ndcg,map\neval_at = 5")
	fail(t, exitFailure, "", []string{"tune", "-d", train, "--config", many},
		"many.conf:2: metric = ndcg,map: --metric ndcg@5,map@5: must be a single metric")
	fail(t, exitFailure, "", []string{"train", "--config", "nowhere"}, "nowhere: ")
	fail(t, exitUsage, "", []string{"train", "--config", writeTemp(t, "empty.conf", "")}, "train requires --data (-d)")
}

// TestConfigTables: LightGBM's parameters of columns mean what the flags mean.
func TestConfigTables(t *testing.T) {
	var text strings.Builder
	text.WriteString("rel,topic,w,day,c,x\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%d,q%d,%d,2026-01-01,%d,%d\n", i*7%3, i/10, 1+i%3, i%4, i*5%11)
	}
	data := writeTemp(t, "d.csv", text.String())
	plain := writeTemp(t, "plain.csv", "label,qid,x\n"+strings.Repeat("1,1,2\n0,1,3\n", 20))
	swapped := writeTemp(t, "swapped.csv", "qid,label,x\n"+strings.Repeat("1,1,2\n1,0,3\n", 20))
	letor := writeTemp(t, "d.txt", strings.Repeat("1 qid:1 1:2\n0 qid:1 1:3\n", 20))
	model := filepath.Join(t.TempDir(), "m.json")
	train := func(args ...string) string {
		t.Helper()
		succeed(t, "", append([]string{"train", "-d", data, "-o", model, "--trees", "3", "--min-rows", "2"},
			args...)...)
		b, err := os.ReadFile(model)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	conf := writeTemp(t, "columns.conf", `header = true
label_column = name:rel
group_column = name:topic
weight_column = name:w
ignore_column = name:day
categorical_feature = name:c
`)
	want := train("--model", "lambdamart", "--label-column", "rel", "--query-column", "topic", "--weight-column", "w",
		"--ignore-column", "day", "--categorical", "c")
	if got := train("--config", conf); got != want {
		t.Errorf("another model: %s\nwant %s", got, want)
	}
	numbers := writeTemp(t, "numbers.conf", "label_column = 0\ngroup_column = 0\nweight_column = 1\n"+
		"ignore_column = 2\ncategorical_feature = 3\n")
	if got := train("--config", numbers); got != want {
		t.Errorf("another model by numbers: %s\nwant %s", got, want)
	}
	if got := train("--config", numbers, "--valid", data); strings.Replace(got, `"best":3,`, "", 1) != want {
		t.Errorf("another model with --valid: %s\nwant %s", got, want)
	}
	other := train("--config", conf, "--weight-column", "-", "--ignore-column", "day,w")
	if other == want || !strings.Contains(other, `["c","x"]`) {
		t.Errorf("flags do not win: %s", other)
	}
	for _, c := range []struct{ text, data, want string }{
		{"header = true", plain, ""},
		{"has_header = 1", plain, ""},
		{"header = true\nlabel = name:label\ngroup = name:qid", plain, ""},
		{"header = false", letor, ""},
		{"label_column = 0", letor, ""},
		{"header = true", letor, "header = true: LETOR data has no named columns"},
		{"label_column = name:label", letor, "label_column = name:label: LETOR data has no named columns"},
		{"weight_column = 3", letor, "weight_column = 3: LETOR data has no named columns"},
		{"header = false", plain, "header = false: tables must have a header"},
		{"label_column = 1\ngroup_column = 0", swapped, ""},
		{"header = true", swapped, "c.conf:1: header = true: without label_column, LightGBM reads the label " +
			"from the first column, qid (add label_column = name:NAME)"},
		{"label_column = 3", plain, `c.conf:1: label_column = 3: "3" must be a column number from 0 to 2`},
		{"ignore_column = 0,2", plain, `ignore_column = 0,2: "2" must be a column number from 0 to 1, or name:NAME`},
		{"weight_column = 0,1", plain, "weight_column = 0,1: must be a single column"},
		{"interaction_constraints = [0,1]", plain, "feature numbers are supported only for LETOR data (use --interactions)"},
		{"weight_column = name:w", plain, `no column is named "w"`},
		{"header = maybe", plain, "header = maybe is not supported"},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			args := []string{"train", "--config", writeTemp(t, "c.conf", c.text), "--trees", "2", "--min-rows", "1",
				"--min-hessian", "0", "-d", c.data, "-o", model}
			if c.want == "" {
				succeed(t, "", args...)
			} else {
				fail(t, exitFailure, "", args, c.want)
			}
		})
	}
}

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// with returns the default trainer with the options that set changes.
func with(set func(o *lambdamart.Trainer)) *lambdamart.Trainer {
	o := lambdamart.DefaultTrainer()
	set(o)
	return o
}

// oneMachine trains in the memory. It returns the model as its file has it, too.
func oneMachine(t *testing.T, o lambdamart.Trainer, d *rank.Dataset) (r *lambdamart.Result, content string) {
	t.Helper()
	r, err := o.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := model.Write(&b, r.Model, "json"); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

func TestTrainTrees(t *testing.T) {
	dir, d, _ := setUp(t)
	e, err := rank.NewEvaluator("ndcg@3,map", rank.Options{Ties: "pessimistic"})
	if err != nil {
		t.Fatal(err)
	}
	o := *with(func(o *lambdamart.Trainer) {
		o.Objective, o.Truncation, o.Trees, o.EarlyStopping = lambdamart.Pairwise, 0, 4, 2
		o.DepthWise, o.Leaves, o.MinRows, o.MinHessian, o.L2 = true, 4, 1, 0, 2
		o.RowFraction, o.Seed, o.Monotone = .8, 7, []int8{0, -1, 0, 0, 1}
		o.Validation = []lambdamart.Validation{{Name: "valid", Data: d, Evaluator: e}}
	})
	want, text := oneMachine(t, o, d)
	flags := "train -d DIR/part-* -o DIR/m.json --model lambdamart --depth-wise --trees 4 --leaves 4 --min-rows 0 " +
		"--min-hessian 0 --truncation 0 --l2 2 --objective pairwise --row-fraction .8 --seed 7 --early-stopping 2 " +
		"--monotone 2-,5+ --valid DIR/part-* --metric ndcg@3,map --ties pessimistic --checkpoint DIR/c.json"
	args := strings.Fields(strings.ReplaceAll(flags, "DIR", dir))
	for _, more := range [][]string{{"--format", "json"}, {"--report", "--resume"}} {
		t.Run(strings.Join(more, " "), func(t *testing.T) {
			code, out, stderr := command(t, append(args, more...)...)
			b, err := os.ReadFile(dir + "/m.json")
			if code != 0 || stderr != "" || err != nil || string(b) != text {
				t.Errorf("%d, %v, %s%s: %s\nwant %s", code, err, out, stderr, b, text)
			}
			if more[0] == "--report" {
				if !strings.Contains(out, "\npairwise, ") || !strings.Contains(out, "binning: 6 files, ") {
					t.Error(out)
				}
				return
			}
			var got struct {
				Documents, Features int
				LambdaMART          treesResult
				Valid               map[string]struct{ Mean float64 }
				Passes              []struct{ Name string }
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil || got.Documents != d.Rows() ||
				got.Features != d.Cols || got.LambdaMART.Grown != want.Grown || got.LambdaMART.Best != want.Best ||
				got.Valid["map"].Mean == 0 || got.Passes[0].Name != "numbering" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"", 2, "--model lambdamart requires --depth-wise: "},
		{"--depth-wise --c 1", 2, "--c requires --model ranksvm"},
		{"--depth-wise --trees 0", 2, "--trees 0: must be at least 1"},
		{"--depth-wise --leaves 1", 2, "--leaves 1: must be at least 2"},
		{"--depth-wise --bins 300", 2, "--bins 300: must be from 2 to 255"},
		{"--depth-wise --learning-rate 0", 2, "--learning-rate 0: must be greater than 0"},
		{"--depth-wise --objective x", 2, `--objective: objective "x": must be `},
		{"--depth-wise --early-stopping 1", 2, "--early-stopping requires validation data (--valid)"},
		{"--depth-wise --retrain", 2, "--retrain requires --early-stopping"},
		{"--depth-wise --resume", 2, "--resume requires --checkpoint"},
		{"--depth-wise --monotone 9+", 2, "--monotone: feature 9 does not exist: features are numbered 1 to 5"},
		{"--depth-wise --categorical a", 2, `--categorical: "a" is not a feature number`},
		{"--depth-wise --categorical 1 --monotone 1+", 2, "feature 1 is in both --categorical and --monotone"},
		{"--depth-wise --categorical 1", 1, "DIR/part-0.txt:1: 0."},
		{"--depth-wise --min-rows 1000", 1, "DIR/part-*: cannot train: no split reduces the loss with --min-rows 1000"},
		{"--depth-wise --start DIR/a.json", 1, "DIR/a.json: the model is linear; it must be a tree model"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.ReplaceAll("train -d DIR/part-* -o DIR/none --model lambdamart "+c.args, "DIR", dir)
			code, out, stderr := command(t, strings.Fields(args)...)
			if want := "simdrank-beam: " + strings.ReplaceAll(c.want, "DIR", dir); code != c.code || out != "" ||
				!strings.HasPrefix(stderr, want) {
				t.Errorf("%d, %s%s\nwant %s", code, out, stderr, want)
			}
		})
	}
	if _, err := os.Stat(dir + "/none"); err == nil {
		t.Error("a model is left")
	}
}

// Flags that are zero to the library only where they are not given.
func TestTrainTreesFlags(t *testing.T) {
	dir, d, _ := setUp(t)
	for i := range d.Rows() {
		d.Row(i)[1] = float32(i * 7919 % 9)
	}
	if err := datafile.Save(dir+"/categories.simdrank", d); err != nil {
		t.Fatal(err)
	}
	for flags, o := range map[string]lambdamart.Trainer{
		"--sigmoid 2 --no-norm --label-gain 0,1,2,4,5 --categorical 2 --one-hot 2 --cat-smooth 0 --cat-l2 0 " +
			"--cat-rows 1 --max-categories 3": *with(func(o *lambdamart.Trainer) {
			o.Sigmoid, o.NoNorm, o.Gains = 2, true, rank.GainTable{0, 1, 2, 4, 5}
			o.Categorical, o.OneHot, o.CategoryRows, o.MaxCategories = []int{1}, 2, 1, 3
			o.CategorySmooth, o.CategoryL2 = 0, 0
		}),
		"--objective regression": *with(func(o *lambdamart.Trainer) { o.Objective = lambdamart.Regression }),
	} {
		t.Run(flags, func(t *testing.T) {
			o.Trees, o.DepthWise, o.Leaves, o.Depth, o.MinRows = 2, true, 0, 3, 1
			_, want := oneMachine(t, o, d)
			args := []string{"train", "-d", dir + "/categories*", "-o", dir + "/m.json", "--model", "lambdamart",
				"--depth-wise", "--depth", "3", "--trees", "2", "--min-rows", "1"}
			code, out, stderr := command(t, append(args, strings.Fields(flags)...)...)
			b, err := os.ReadFile(dir + "/m.json")
			if code != 0 || err != nil || string(b) != want {
				t.Errorf("%s: %d, %v, %s%s: %s\nwant %s", flags, code, err, out, stderr, b, want)
			}
		})
	}
}

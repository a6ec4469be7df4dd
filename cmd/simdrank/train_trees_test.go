package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	rankdata "github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// written is a model as a file.
func written(t *testing.T, m *lambdamart.Model) string {
	t.Helper()
	var b strings.Builder
	if err := model.Write(&b, m, "json"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// trainer returns the default trainer with the fields of o that are not 0, and with fields of these
// names set to 0.
func trainer(o lambdamart.Trainer, zero ...string) *lambdamart.Trainer {
	return testkit.With(lambdamart.DefaultTrainer(), o, zero...)
}

func TestTrainTrees(t *testing.T) {
	text := letorText(t, part(0))
	train := writeTemp(t, "train.txt", text)
	d, err := rankdata.Read(strings.NewReader(text), rankdata.Options{})
	if err != nil {
		t.Fatal(err)
	}
	queries := d.Queries()
	weights := writeTemp(t, "weights", strings.Repeat("2\n", queries-1)+"1\n")
	two := slices.Repeat([]float64{2}, queries)
	two[queries-1] = 1

	// Each flag does what the field of the library does.
	for _, c := range []struct {
		args    string
		want    lambdamart.Trainer
		weights []float64
	}{
		{"", *trainer(lambdamart.Trainer{Trees: 5}), nil},
		{"--leaves 5 --learning-rate 0.3 --threads 2",
			*trainer(lambdamart.Trainer{Trees: 5, Leaves: 5, LearningRate: .3}), nil},
		{"--depth-wise", *trainer(lambdamart.Trainer{Trees: 5, DepthWise: true}, "Leaves"), nil},
		{"--depth-wise --bins-file " + filepath.Join(t.TempDir(), "bins"),
			*trainer(lambdamart.Trainer{Trees: 5, DepthWise: true}, "Leaves"), nil},
		{"--depth-wise --depth 2 --min-rows 0 --min-hessian 0",
			*trainer(lambdamart.Trainer{Trees: 5, DepthWise: true, Depth: 2, MinRows: 1}, "MinHessian", "Leaves"), nil},
		{"--min-rows 40 --min-hessian 1 --min-gain 0.5",
			*trainer(lambdamart.Trainer{Trees: 5, MinRows: 40, MinHessian: 1, MinGain: .5}), nil},
		{"--l1 0.2 --l2 3 --bins 9", *trainer(lambdamart.Trainer{Trees: 5, L1: .2, L2: 3, Bins: 9}), nil},
		{"--query-fraction 0.5 --row-fraction 0.8 --feature-fraction 0.5 --seed 3",
			*trainer(lambdamart.Trainer{Trees: 5, QueryFraction: .5, RowFraction: .8, FeatureFraction: .5, Seed: 3}),
			nil},
		{"--objective map --truncation 0",
			*trainer(lambdamart.Trainer{Trees: 5, Objective: lambdamart.MAP}, "Truncation"), nil},
		{"--objective xe-ndcg", *trainer(lambdamart.Trainer{Trees: 5, Objective: lambdamart.XENDCG}), nil},
		{"--objective pairwise --truncation 3",
			*trainer(lambdamart.Trainer{Trees: 5, Objective: lambdamart.Pairwise, Truncation: 3}), nil},
		{"--objective yetirank --permutations 4 --decay 0.5 --seed 2",
			*trainer(lambdamart.Trainer{Trees: 5, Objective: lambdamart.YetiRank, Permutations: 4, Decay: .5, Seed: 2}),
			nil},
		{"--mean-pairs 2 --seed 2", *trainer(lambdamart.Trainer{Trees: 5, MeanPairs: 2, Seed: 2}), nil},
		{"--objective query-rmse", *trainer(lambdamart.Trainer{Trees: 5, Objective: lambdamart.QueryRMSE}), nil},
		{"--monotone 1+,3-", *trainer(lambdamart.Trainer{Trees: 5, Monotone: []int8{1, 0, -1, 0, 0, 0, 0, 0}}), nil},
		{"--sigmoid 2 --no-norm --label-gain 0,1,2,3,9",
			*trainer(lambdamart.Trainer{Trees: 5, Sigmoid: 2, NoNorm: true,
				Gains: rank.GainTable{0, 1, 2, 3, 9}}), nil},
		{"--zero-missing", *trainer(lambdamart.Trainer{Trees: 5, ZeroMissing: true}), nil},
		{"--weights " + weights, *trainer(lambdamart.Trainer{Trees: 5}), two},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			args := append([]string{"train", "-d", train, "-o", "-", "--model", "lambdamart", "--trees", "5"},
				strings.Fields(c.args)...)
			code, stdout, stderr := simdrank(t, "", args...)
			d.QueryWeights = c.weights
			r, err := c.want.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			want := written(t, r.Model)
			if code != exitOK || unsettled(stdout) != unsettled(want) ||
				!strings.Contains(stderr, "lambdamart trained in") {
				t.Errorf("exit %d, stderr %q; the library's model: %v", code, stderr, stdout == want)
			}
		})
	}
}

func TestCategorical(t *testing.T) {
	data := writeTemp(t, "train.txt", "1 qid:1 1:3\n0 qid:1 1:1\n1 qid:2 1:3\n0 qid:2 1:7\n")
	args := []string{"train", "-d", data, "-o", "-", "--model", "lambdamart", "--trees", "1", "--min-rows", "1"}
	if _, _, stderr := simdrank(t, "", append(args, "--categorical", "1", "--bins", "2")...); !strings.Contains(stderr,
		"warning: feature 1: 2 categories (2 documents) have no bin of their own") {
		t.Errorf("more categories than bins: %q", stderr)
	}
	if _, model, err := simdrank(t, "", append(args, "--categorical", "1")...); !strings.Contains(model,
		`"categories":[[`) {
		t.Errorf("categorical: %q, %s", err, model)
	}
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "%d qid:%d 1:%d 2:%d\n", i*i%7%3, i/20, i*i%11, i%5)
	}
	for flags, want := range map[string]lambdamart.Trainer{
		"--cat-smooth 0 --cat-l2 0 --cat-rows 2": *trainer(lambdamart.Trainer{CategoryRows: 2}, "CategorySmooth",
			"CategoryL2"),
		"--cat-smooth 3 --cat-l2 4 --one-hot 9 --max-categories 2": *trainer(lambdamart.Trainer{CategorySmooth: 3,
			CategoryL2: 4, OneHot: 9, MaxCategories: 2}),
	} {
		t.Run(flags, func(t *testing.T) {
			want.Trees, want.MinRows, want.Categorical = 5, 3, []int{0}
			d, err := rankdata.Read(strings.NewReader(many.String()), rankdata.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := want.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			_, got, stderr := simdrank(t, many.String(), append(strings.Fields("train -d - -o - --model lambdamart "+
				"--categorical 1 --trees 5 --min-rows 3"), strings.Fields(flags)...)...)
			if got != written(t, r.Model) || !strings.Contains(got, `"categories":[[`) {
				t.Errorf("another model, %s", stderr)
			}
		})
	}
	for _, last := range []string{"2", "200"} { // dense and sparse
		t.Run(last, func(t *testing.T) {
			args[2] = writeTemp(t, "train.txt", "1 qid:1 1:3\n0 qid:1 1:1.5 "+last+":1\n")
			fail(t, exitFailure, "", append(args, "--categorical", "1"), ":2: 1.5 is not a category of feature 1")
		})
	}
	args[2] = writeTemp(t, "train.txt", "1 qid:1 1:3\n0 qid:1 1:-1\n")
	const negative = "warning: feature 1: negative numbers are not categories and are treated as missing (1 document)\n"
	if _, _, stderr := simdrank(t, "", append(args, "--categorical", "1")...); !strings.Contains(stderr, negative) {
		t.Errorf("%q lacks %q", stderr, negative)
	}
}

// validated is what train --valid prints.
type validated struct {
	Trees *treesResult `json:"lambdamart"`
	Valid map[string]struct{ Mean float64 }
}

func TestTrainTreesValid(t *testing.T) {
	dir := t.TempDir()
	text, validText := letorText(t, part(0)), letorText(t, part(1))
	train, valid := writeTemp(t, "train.txt", text), writeTemp(t, "vali.txt", validText)
	path := filepath.Join(dir, "model.json")
	args := []string{"train", "-d", train, "--valid", valid, "-o", path, "--model", "lambdamart", "--metric",
		"ndcg@5,map"}
	early := append(slices.Clone(args), "--early-stopping", "3", "--learning-rate", "0.3")

	r := decode[validated](t, succeed(t, "", append(early, "--verbose", "--format", "json")...))
	f := r.Trees
	if f == nil || f.Stop != "early" || f.Grown != f.Best+3 || f.Trees != f.Best || len(f.Curves) != 4 ||
		f.BinBytes == 0 || f.TrainBytes < f.BinBytes {
		t.Fatalf("trained: %+v", f)
	}
	for _, c := range f.Curves {
		if len(c.Values) != f.Grown {
			t.Errorf("%s %s: %d values for %d trees", c.Set, c.Metric, len(c.Values), f.Grown)
		}
	}
	best := slices.MaxFunc(f.Curves[0].Values, func(a, b number) int { return int(math.Copysign(1, float64(a-b))) })
	if m := r.Valid["ndcg@5"]; f.Curves[0].Set != "valid" || f.Curves[0].Metric != "ndcg@5" ||
		math.Abs(m.Mean-float64(best)) > 1e-12 {
		t.Errorf("the best of %v is %v, the model's %v", f.Curves[0], best, m.Mean)
	}
	lines := succeed(t, "", append(early, "--verbose")...)
	if strings.Count(lines, "\ntree ") != f.Grown-1 || !strings.Contains(lines, "  valid ndcg@5 0.") ||
		!strings.Contains(lines, "memory: ") || !strings.Contains(lines, "(early)") {
		t.Errorf("report: %s", lines)
	}

	// Curves, and which trees are best, are the same whatever else is printed or written. Without
	// validation data all are.
	for _, with := range []string{"", valid} {
		t.Run(fmt.Sprint("valid ", with != ""), func(t *testing.T) {
			var want *treesResult
			var model string
			for _, more := range []string{"", "--verbose", "--report " + filepath.Join(dir, "page.html")} {
				t.Run(testkit.CaseName(more), func(t *testing.T) {
					args := append(slices.Clone(args),
						strings.Fields("--learning-rate 0.6 --trees 30 --format json "+more)...)
					if args[4] = with; with == "" {
						args = slices.Delete(args, 3, 5)
					}
					got := decode[validated](t, succeed(t, "", args...)).Trees
					file, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want, model = got, string(file)
					}
					same := got.Best == want.Best && reflect.DeepEqual(got.Curves, want.Curves) && string(file) == model
					if !same || (got.Best == 30) != (with == "") || len(got.Curves) < 2 {
						t.Errorf("best %d of %d, %d curves, want %d, %d", got.Best, got.Grown, len(got.Curves),
							want.Best, len(want.Curves))
					}
				})
			}
			succeed(t, "", append(slices.Clone(args), "--learning-rate", "0.6", "--trees", "30")...)
			if file, err := os.ReadFile(path); with != "" && (err != nil || string(file) != model) {
				t.Errorf("another model as text, %v", err)
			}
		})
	}
	// Data without a value of a metric are left out, where the curves are not asked for.
	flat := writeTemp(t, "flat.txt", "0 qid:1 1:1\n0 qid:1 1:2\n")
	without := decode[validated](t, succeed(t, "", "train", "-d", train, "--valid", flat, "-o", path, "--model",
		"lambdamart", "--trees", "3", "--format", "json"))
	if f := without.Trees; f.Best != 3 || len(f.Curves) == 0 || f.Curves[0].Set != "train" {
		t.Errorf("flat validation data: %+v", f)
	}

	// Training again grows as many trees on all data.
	again := decode[validated](t, succeed(t, "", append(early, "--retrain", "--format", "json")...))
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, err := rankdata.Read(strings.NewReader(text), rankdata.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := rankdata.Read(strings.NewReader(validText), rankdata.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := trainer(lambdamart.Trainer{Trees: f.Best, LearningRate: .3}).Fit(t.Context(), rank.Concat(a, b))
	if err != nil {
		t.Fatal(err)
	}
	if !again.Trees.Retrain || unsettled(string(got)) != unsettled(written(t, all.Model)) {
		t.Error("--retrain: not the model that all data give")
	}
	if again.Valid["ndcg@5"] != r.Valid["ndcg@5"] {
		t.Error("--retrain: the validation data are measured with a model that has seen them")
	}

	// Training goes on where it stopped.
	ten := succeedTrees(t, train, "10", "")
	if five := writeTemp(t, "five.json", succeedTrees(t, train, "5", "")); succeedTrees(t, train, "5", five) != ten {
		t.Error("--start: five trees and five more are not ten")
	}
}

// Where a training goes on from a model, text may leave out its last features, too, and columns
// with names stand in any order.
func TestStartColumns(t *testing.T) {
	text := letorText(t, small)
	start := writeTemp(t, "start.json", succeedTrees(t, writeTemp(t, "train.txt", text), "3", ""))
	few := regexp.MustCompile(` [78]:\S+`).ReplaceAllString(text, "")
	narrow, same := writeTemp(t, "narrow.txt", few+"0 qid:last 1:0\n"), writeTemp(t, "same.txt", few+"0 qid:last 8:0\n")
	if succeedTrees(t, narrow, "3", start) != succeedTrees(t, same, "3", start) {
		t.Error("data that lack the last features are not those in which they are 0")
	}
	rows, turnedRows := "label,qid,x,y\n", "label,qid,y,x\n"
	for i := range 60 {
		rows += fmt.Sprintf("%d,1,%d,%d\n", i%3, i%7, i%5)
		turnedRows += fmt.Sprintf("%d,1,%d,%d\n", i%3, i%5, i%7)
	}
	named, turned := writeTemp(t, "named.csv", rows), writeTemp(t, "turned.csv", turnedRows)
	first := writeTemp(t, "first.json", succeedTrees(t, named, "1", ""))
	if succeedTrees(t, named, "1", first) != succeedTrees(t, turned, "1", first) {
		t.Error("columns in another order make another model")
	}
	args := []string{"train", "--model", "lambdamart", "-o", start + ".on", "--start", start, "-d"}
	fail(t, exitFailure, "", append(args, named), named+": found only 2 of the 8 features of "+start)
	wide := writeTemp(t, "wide.txt", text+"0 qid:last 9:1\n")
	fail(t, exitFailure, "", append(args, wide), wide+": found features up to 9, but "+start+" has features up to 8\n")
}

// succeedTrees returns the file of a model of so many trees, which go on from start.
func succeedTrees(t *testing.T, train, trees, start string) string {
	t.Helper()
	args := []string{"train", "-d", train, "-o", "-", "--model", "lambdamart", "--trees", trees}
	if start != "" {
		args = append(args, "--start", start)
	}
	code, stdout, stderr := simdrank(t, "", args...)
	if code != exitOK {
		t.Fatal(stderr)
	}
	return stdout
}

func TestTrainTreesErrors(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[1]}`)
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--trees 0", exitUsage, "--trees 0: must be at least 1"},
		{"--leaves 1", exitUsage, "--leaves 1: must be at least 2"},
		{"--learning-rate 0", exitUsage, "--learning-rate 0: must be greater than 0"},
		{"--learning-rate NaN", exitUsage, "--learning-rate NaN"},
		{"--bins 256", exitUsage, "from 2 to 255"},
		{"--row-fraction 1.5", exitUsage, "greater than 0 and at most 1"},
		{"--l2 -1", exitUsage, "--l2 -1"},
		{"--sigmoid 0", exitUsage, "--sigmoid 0: must be greater than 0"},
		{"--label-gain 0,x", exitUsage, `--label-gain: "x" must be a finite number of at least 0`},
		{"--label-gain 0", exitFailure, train + ":4: label 1 has no gain: Gains covers the labels 0 to 0"},
		{"--objective rank", exitUsage, "must be ndcg, map, pairwise, xe-ndcg"},
		{"--early-stopping 3", exitUsage, "--valid"},
		{"--retrain", exitUsage, "--early-stopping"},
		{"--retrain --valid v --early-stopping 3 --weights w", exitUsage, "--weights"},
		{"--retrain --valid v --early-stopping 3 --start m", exitUsage, "--start"},
		{"--preset trec_eval --early-stopping 3 --valid " + train, exitFailure, train +
			": --preset trec_eval breaks ties by document ID"},
		{"--preset trec_eval --verbose", exitFailure,
			train + ": --preset trec_eval breaks ties by document ID"},
		{"--checkpoint-every 3", exitUsage, "--checkpoint-every requires --checkpoint"},
		{"--checkpoint-every 0 --checkpoint x", exitUsage, "--checkpoint-every 0: must be at least 1"},
		{"--checkpoint " + train, exitUsage, "would replace the input"},
		{"--checkpoint -", exitUsage, "--checkpoint -: must be a regular file"},
		{"--checkpoint " + out, exitUsage, "--output and --checkpoint must not name the same file"},
		{"--checkpoint " + os.DevNull, exitFailure, os.DevNull + " is not a regular file: --checkpoint requires one"},
		{"--checkpoint " + linear, exitFailure, linear + ": the file is not a training checkpoint"},
		{"--c 3", exitUsage, "--c requires --model ranksvm"},
		{"--cv 3", exitUsage, "--cv requires --model ranksvm"},
		{"--alpha 3", exitUsage, "--alpha requires --model ridge"},
		{"--monotone 9+", exitUsage, "feature 9 does not exist: features are numbered 1 to 8"},
		{"--monotone 1", exitUsage, `"1" must be a feature followed by + or -`},
		{"--monotone 1+,1-", exitUsage, "both + and -"},
		{"--monotone x+", exitUsage, `"x" is not a feature number`},
		{"--interactions 1-3;9", exitUsage, "--interactions: feature 9 does not exist: features are numbered 1 to 8"},
		{"--interactions 1;", exitUsage, "sets must not be empty"},
		{"--node-fraction 0", exitUsage, "--node-fraction 0: must be greater than 0 and at most 1"},
		{"--drop-rate .2", exitUsage, "--drop-rate requires --dart"},
		{"--objective binary --truncation 3", exitUsage, "--truncation requires --objective ndcg, map or pairwise"},
		{"--position-bias pairwise --mean-pairs 1", exitUsage, "--mean-pairs cannot be combined with --position-bias pairwise"},
		{"--dart --checkpoint c", exitUsage, "--checkpoint cannot be combined with --dart"},
		{"--position-l2 .2", exitUsage, "--position-l2 requires --position-bias additive"},
		{"--position-bias additive --position-norm .2", exitUsage, "--position-norm requires --position-bias pairwise"},
		{"--dart --valid v --early-stopping 3", exitUsage, "--early-stopping cannot be combined with --dart"},
		{"--categorical 0", exitUsage, "feature 0 does not exist: features are numbered 1 to 8"},
		{"--categorical 5-2", exitUsage, "ends before it starts"},
		{"--categorical 1", exitFailure, train + ":1: 0."},
		{"--categorical 1 --monotone 1+", exitUsage, "feature 1 is in both"},
		{"--bins-file " + train, exitFailure, "simdrank: bins file " + train + ": "},
		{"--start " + linear, exitFailure, linear + ": the model is linear; it must be a tree model"},
		{"--start " + train, exitFailure, train + ": "},
		{"--start nowhere", exitFailure, "nowhere: "},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			args := append([]string{"train", "-d", train, "-o", out, "--model", "lambdamart"},
				strings.Fields(c.args)...)
			fail(t, c.code, "", args, c.want)
		})
	}
	fail(t, exitUsage, "", []string{"train", "-d", train, "-o", out, "--trees", "5"},
		"--trees requires --model lambdamart")
	fail(t, exitUsage, "", []string{"train", "-d", train, "-o", out, "--model", "ridge", "--threads", "5"},
		"--threads requires --model ranksvm or lambdamart")
	same := writeTemp(t, "same.txt", "1 qid:1 1:1\n1 qid:1 1:2\n")
	fail(t, exitFailure, "", []string{"train", "-d", same, "-o", out, "--model", "lambdamart"},
		same+": cannot train: no query has documents with different labels")
	few := writeTemp(t, "few.txt", "1 qid:1 1:1\n0 qid:1 1:2\n")
	fail(t, exitFailure, "", []string{"train", "-d", few, "-o", out, "--model", "lambdamart"},
		few+": cannot train", "--min-rows 20")
	for _, zeros := range []string{"0\n0\n", "0\n"} { // of rows and of queries
		t.Run(zeros, func(t *testing.T) {
			fail(t, exitFailure, "", []string{"train", "-d", few, "-o", out, "--model", "lambdamart", "--weights",
				writeTemp(t, "w", zeros)}, few+": cannot train: all weights are 0")
		})
	}
	// Validation data may lack features, not have more. A label too high for the gain is seen when
	// they are trained on.
	valid := []string{"train", "-d", train, "-o", out, "--model", "lambdamart", "--early-stopping", "3", "--retrain",
		"--valid"}
	wide := writeTemp(t, "wide.txt", "1 qid:1 1:1\n0 qid:1 9:2\n")
	fail(t, exitFailure, "", append(valid, wide), wide+":2:9: ",
		"the feature index exceeds the requested 8 columns (the training data has no more features)")
	high := writeTemp(t, "high.txt", "99 qid:1 1:1\n0 qid:1 1:2\n")
	fail(t, exitFailure, "", append(valid, high), high+":1: ", "the objective pairwise supports any label")
	if left := testkit.FileNames(t, dir); left != nil {
		t.Errorf("left %q", left)
	}
}

func TestTrainTreesInterrupted(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	dir := t.TempDir()
	var out, errs strings.Builder
	code := run(canceled(), []string{"train", "-d", train, "-o", filepath.Join(dir, "m"), "--model", "lambdamart"}, nil,
		&out, &errs)
	if code != exitFailure || errs.String() != "simdrank: interrupted\n" || testkit.FileNames(t, dir) != nil {
		t.Errorf("exit %d, %q, left %q", code, &errs, testkit.FileNames(t, dir))
	}
}

// TestCheckpoint: an interrupt leaves the checkpoint, from which the same command resumes.
func TestCheckpoint(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("a single thread trains to the end before anything can interrupt it")
	}
	train := writeTemp(t, "train.txt", letorText(t, small))
	dir := t.TempDir()
	checkpoint, model := filepath.Join(dir, "checkpoint"), filepath.Join(dir, "model.json")
	args := strings.Fields("train --model lambdamart --trees 30 --leaves 4 -d " + train + " -o " + model)
	succeed(t, "", args...)
	want, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(model)
	args = append(args, "--checkpoint", checkpoint, "--checkpoint-every", "1")
	if said := interrupt(t, args, checkpoint, 0); len(testkit.FileNames(t, dir)) != 1 {
		t.Fatalf("%q, left %q", said, testkit.FileNames(t, dir))
	}
	fail(t, exitFailure, "", append(args, "--l2", "3"), "simdrank: checkpoint "+checkpoint+
		": the file belongs to a training run with other options")
	fail(t, exitUsage, "", append(args, "--report", checkpoint),
		"--report and --checkpoint must not name the same file")
	out := succeed(t, "", args...)
	if got, err := os.ReadFile(model); err != nil || string(got) != string(want) ||
		!strings.Contains(out, "30 grown (trees), ") {
		t.Errorf("another model than without a break, %v, %s", err, out)
	}
}

func TestImportance(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	model := writeTemp(t, "model.json", succeedTrees(t, train, "5", ""))
	r := decode[importances](t, succeed(t, "", "importance", "-m", model, "--format", "json"))
	var share float64
	splits := int64(0)
	for _, i := range r.Features {
		share += i.Share
		splits += *i.Splits
	}
	byGain := func(a, b featureImportance) int { return int(math.Copysign(1, *b.Gain-*a.Gain)) }
	if len(r.Features) < 2 || *r.Trees != 5 || math.Abs(share-1) > 1e-9 || splits == 0 ||
		!slices.IsSortedFunc(r.Features, byGain) {
		t.Errorf("%+v", r)
	}
	r = decode[importances](t, succeed(t, "", "importance", "-m", model, "--measure", "splits", "--format", "json"))
	if !slices.IsSortedFunc(r.Features, func(a, b featureImportance) int { return int(*b.Splits - *a.Splits) }) {
		t.Errorf("--measure splits: %+v", r)
	}
	if text := succeed(t, "", "importance", "-m", model); strings.Count(text, "\n") != len(r.Features)+1 {
		t.Error(text)
	}
	// No split looks at the second feature, and no gains are known.
	r = decode[importances](t, succeed(t, strings.Replace(stumps, `"feature":[1]`, `"feature":[0]`, 1), "importance",
		"-m", "-", "--format", "json"))
	if len(r.Features) != 1 || r.Features[0].Feature != 1 || *r.Features[0].Splits != 2 {
		t.Errorf("%+v", r)
	}
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[1]}`)
	fail(t, exitUsage, "", []string{"importance", "-m", linear}, "linear model")
}

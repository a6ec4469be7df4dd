package rankbeam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// trainer returns the default trainer with the options that set changes.
func trainer(set func(o *lambdamart.Trainer)) *lambdamart.Trainer {
	o := lambdamart.DefaultTrainer()
	set(o)
	return o
}

// The model is byte-identical to a training on one machine, for any number of files, even if the
// first attempt at every third file fails half-way.
func TestTrees(t *testing.T) {
	d := whole()
	smallPieces(t)
	t.Cleanup(func() { interrupt = nil })
	o := *trainer(func(o *lambdamart.Trainer) { o.Trees, o.DepthWise, o.Depth, o.MinRows, o.Leaves = 2, true, 2, 5, 0 })
	want := testkit.JSON(testkit.Must(o.Fit(t.Context(), d)).Model)
	var failed atomic.Int64
	interrupt = func(_ string, shard, attempt, steps int) error {
		if shard%3 == 2 && attempt == 1 && steps > 0 || shard%3 == 0 && attempt < attempts {
			failed.Add(1)
			return errors.New("injected")
		}
		return nil
	}
	for _, n := range []int{1, 3, 7, 16} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			j := &Job{Data: Data{Glob: shards(t, d, n)}, WorkDir: t.TempDir() + "/work"}
			got, _, err := j.TrainTrees(t.Context(), &o, TreesOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if testkit.JSON(got.Model) != want {
				t.Error("another model")
			}
			if left, _ := filepath.Glob(j.WorkDir + "/*"); len(left) > 0 {
				t.Errorf("the work folder holds %q", left)
			}
		})
	}
	if failed.Load() == 0 {
		t.Error("nothing failed")
	}
}

// An error of OnTree ends the training and keeps the trees so far.
func TestTreesOnTree(t *testing.T) {
	d := whole()
	j := &Job{Data: Data{Glob: shards(t, d, 2)}}
	enough := errors.New("enough")
	for _, c := range []struct{ from, want error }{{lambdamart.ErrStop, nil}, {enough, enough}} {
		t.Run(fmt.Sprint(c.from), func(t *testing.T) {
			o := *trainer(func(o *lambdamart.Trainer) {
				o.Trees, o.DepthWise, o.Leaves, o.Depth, o.MinRows = 3, true, 0, 2, 5
				o.OnTree = func(*lambdamart.Result) error { return c.from }
			})
			want, err := o.Fit(t.Context(), d)
			if !errors.Is(err, c.want) {
				t.Fatal(err)
			}
			got, _, err := j.TrainTrees(t.Context(), &o, TreesOptions{})
			if !errors.Is(err, c.want) || got == nil || testkit.JSON(got.Model) != testkit.JSON(want.Model) ||
				got.Stop != "progress" || got.Grown != 1 {
				t.Errorf("%v: %v, %+v", c.from, err, got)
			}
		})
	}
	trained := 0 // the same applies to retraining
	o := *trainer(func(o *lambdamart.Trainer) {
		o.Trees, o.DepthWise, o.Leaves, o.Depth = 1, true, 0, 1
		o.OnTree = func(*lambdamart.Result) error {
			if trained++; trained == 2 {
				return enough
			}
			return nil
		}
	})
	j.Valid = &j.Data
	first, _, err := j.TrainTrees(t.Context(), &o, TreesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := j.RetrainTrees(t.Context(), &o, first)
	if !errors.Is(err, enough) || got == nil || got.Grown != 1 {
		t.Errorf("trained anew: %v, %+v", err, got)
	}
}

// This test covers every objective, sampling, categories, missing values, weights, column names and
// a start model. (Package lambdamart tests more options, without pipelines.)
func TestTreesOptions(t *testing.T) {
	d := whole()
	for i := range d.Rows() {
		d.Row(i)[2] = float32(i * 7919 % 6)
		d.Row(i)[4] = float32(math.Round(float64(d.Row(i)[4]) * 3))
	}
	d.Names = strings.Fields("a b c d e f g h i")
	d.Weights, d.QueryWeights = make([]float64, d.Rows()), make([]float64, d.Queries())
	for i := range d.Weights {
		d.Weights[i] = float64(1+i%3) / 2
	}
	for q := range d.QueryWeights {
		d.QueryWeights[q] = float64(q % 4)
	}
	j := &Job{Data: Data{Glob: binaryShards(t, d, 3)}}
	start := testkit.Must(trainer(func(o *lambdamart.Trainer) { o.Trees, o.Leaves = 2, 4 }).Fit(t.Context(), d)).Model
	for _, o := range []lambdamart.Trainer{
		*trainer(func(o *lambdamart.Trainer) {
			o.Objective, o.QueryFraction, o.RowFraction, o.FeatureFraction, o.Seed = lambdamart.MAP, .7, .8, .6, 3
		}),
		*trainer(func(o *lambdamart.Trainer) {
			o.Objective, o.Truncation, o.L1, o.L2 = lambdamart.Pairwise, 0, .1, 1
			o.Categorical, o.Monotone = []int{2}, []int8{1, -1}
		}),
		*trainer(func(o *lambdamart.Trainer) {
			o.Objective, o.ZeroMissing, o.Bins, o.Seed = lambdamart.XENDCG, true, 20, 5
		}),
		*trainer(func(o *lambdamart.Trainer) { o.Objective, o.Sigmoid, o.Seed = lambdamart.Binary, .5, 2 }),
		*trainer(func(o *lambdamart.Trainer) {
			o.Start, o.Leaves, o.NoNorm, o.Gains = start, 5, true, rank.GainTable{0, 1, 2, 3, 4}
		}),
	} {
		t.Run(fmt.Sprint(o.Truncation, " ", o.Seed), func(t *testing.T) {
			o.Trees, o.DepthWise, o.MinRows = 2, true, 5
			if o.Leaves == 0 {
				o.Depth = 2
			}
			want := testkit.Must(o.Fit(t.Context(), d))
			got, done, err := j.TrainTrees(t.Context(), &o, TreesOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if testkit.JSON(got.Model) != testkit.JSON(want.Model) || got.Stop != want.Stop || got.Grown != want.Grown {
				t.Errorf("%+v: another model", o)
			}
			if done.Rows != d.Rows() || done.Queries != d.Queries() || done.Cols != d.Cols || done.Files != 3 ||
				len(done.Passes) < 8 || done.Passes[0].Name != "numbering" || done.Bytes == 0 || done.Seconds == 0 {
				t.Errorf("%+v", done)
			}
		})
	}
}

// Data may lack the last features of the start model if its columns have no names. If they have
// names, the columns may be in another order.
func TestTreesStartColumns(t *testing.T) {
	d := whole()
	o := *trainer(func(o *lambdamart.Trainer) { o.Trees, o.DepthWise, o.Depth, o.MinRows, o.Leaves = 1, true, 2, 5, 0 })
	o.Start = testkit.Must(o.Fit(t.Context(), d)).Model
	for i := range d.Rows() {
		clear(d.Row(i)[7:])
	}
	want := testkit.Must(o.Fit(t.Context(), d))
	j := &Job{Data: Data{Glob: binaryShards(t, d.WithColumns(7), 2)}}
	got, _, err := j.TrainTrees(t.Context(), &o, TreesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if testkit.JSON(got.Model) != testkit.JSON(want.Model) {
		t.Error("another model")
	}

	// Columns with names can be in any order.
	d = whole()
	turned := make([]int, d.Cols)
	for i := range d.Cols {
		d.Names = append(d.Names, fmt.Sprint("f", i))
		turned[i] = d.Cols - 1 - i
	}
	o.Start = nil
	o.Start = testkit.Must(o.Fit(t.Context(), d)).Model
	want = testkit.Must(o.Fit(t.Context(), d))
	other, err := d.SubsetColumns(turned)
	if err != nil {
		t.Fatal(err)
	}
	j.Data.Glob = binaryShards(t, other, 2)
	if got, _, err = j.TrainTrees(t.Context(), &o, TreesOptions{}); err != nil {
		t.Fatal(err)
	}
	if testkit.JSON(got.Model) != testkit.JSON(want.Model) {
		t.Error("another model of columns in another order")
	}
}

// binaryShards writes d to n data files and returns their pattern.
func binaryShards(t *testing.T, d *rank.Dataset, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		if err := datafile.Save(fmt.Sprintf("%s/%d.simdrank", dir, i), filePart(t, d, i, n)); err != nil {
			t.Fatal(err)
		}
	}
	return dir + "/*"
}

// Early stopping on validation data, and a training that is interrupted and resumed.
func TestTreesCheckpoint(t *testing.T) {
	d, valid := whole(), synth.Config{Seed: 1, Part: 1, Rows: 200, Cols: 9, MaxDocs: 15}.Dataset()
	o := *trainer(func(o *lambdamart.Trainer) {
		o.Trees, o.DepthWise, o.Depth, o.MinRows, o.LearningRate, o.EarlyStopping, o.Leaves = 30, true, 2, 5, 1, 1, 0
	})
	local := o
	e := testkit.Must(rank.NewEvaluator("ndcg@5,map", rank.Options{}))
	local.Validation = []lambdamart.Validation{{Name: "valid", Data: valid, Evaluator: e}}
	want := testkit.Must(local.Fit(t.Context(), d))
	if want.Stop != "early" {
		t.Fatalf("%s after %d trees", want.Stop, want.Grown)
	}
	check := func(got *lambdamart.Result, _ *Pass, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if testkit.JSON(got.Model) != testkit.JSON(want.Model) || got.Stop != want.Stop || got.Best != want.Best ||
			fmt.Sprint(got.Curves) != fmt.Sprint(want.Curves) {
			t.Errorf("best %d, %s, %v\nwant %d, %s, %v", got.Best, got.Stop, got.Curves, want.Best, want.Stop,
				want.Curves)
		}
	}
	file := filepath.Join(t.TempDir(), "checkpoint.json")
	kept := TreesOptions{Checkpoint: file, Resume: true}
	j := &Job{Data: Data{Glob: shards(t, d, 3)}, Valid: &Data{Glob: binaryShards(t, valid, 2)}, Evaluator: e}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := o
	stopped.OnTree = func(p *lambdamart.Result) error {
		if p.Grown == 2 {
			cancel()
		}
		return nil
	}
	part, _, err := j.TrainTrees(ctx, &stopped, kept)
	if !errors.Is(err, context.Canceled) || part == nil || part.Grown != 2 || part.Stop != "canceled" {
		t.Fatalf("%v, %+v", err, part)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `"trees":2,`) {
		t.Fatalf("%v, %.200s", err, text)
	}
	j.Data.Glob = shards(t, d, 2)
	check(j.TrainTrees(t.Context(), &o, kept))
	check(j.TrainTrees(t.Context(), &o, kept)) // it is complete

	all, err := local.Retrain(t.Context(), want, rank.Concat(d, valid))
	if err != nil {
		t.Fatal(err)
	}
	retrained, done, err := j.RetrainTrees(t.Context(), &o, want)
	if err != nil {
		t.Fatal(err)
	}
	if testkit.JSON(retrained.Model) != testkit.JSON(all.Model) || done.Rows != d.Rows()+valid.Rows() {
		t.Error("retrained: another model")
	}

	for _, cut := range [][2]string{{`"trees":2,`, `"trees":1,`}, {`"values":[[`, `"values":[[1],[`}} {
		t.Run(strings.Join(cut[:], " "), func(t *testing.T) {
			damaged := strings.Replace(string(text), cut[0], cut[1], 1)
			if err := os.WriteFile(file, []byte(damaged), 0o666); err != nil {
				t.Fatal(err)
			}
			_, _, err := j.TrainTrees(t.Context(), &o, kept)
			if err == nil || !strings.HasPrefix(err.Error(), file+": the file is damaged: ") {
				t.Errorf("%s: %v", cut[1], err)
			}
		})
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	o.L2 = 3
	if _, _, err := j.TrainTrees(t.Context(), &o, kept); err == nil ||
		err.Error() != file+": the file belongs to a training run with other data or options" {
		t.Error(err)
	}
	if err := os.WriteFile(file, text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := j.TrainTrees(t.Context(), &o, kept); err == nil ||
		err.Error() != file+": the file is not a checkpoint of training on Beam" {
		t.Error(err)
	}
}

func TestTreesErrors(t *testing.T) {
	const good = "1 qid:1 1:1 2:3\n0 qid:1 1:2 2:4\n"
	names := func(names ...string) func(d *rank.Dataset) { return func(d *rank.Dataset) { d.Names = names } }
	dir := write(t, good, "1 qid:2 1:1\n99 qid:2 1:2\n")
	narrow := write(t, "1 qid:1 1:1\n0 qid:1 1:1.5\n")
	none := write(t, "1 qid:1\n")
	wide := write(t, "1 qid:1 5:1\n0 qid:1 1:2\n")
	named := t.TempDir()
	for i, set := range []func(*rank.Dataset){names(strings.Fields("a b c d e f g h i")...),
		names(strings.Fields("a b c d e f g i h")...)} {
		d := filePart(t, whole(), i, 9)
		set(d)
		if err := datafile.Save(fmt.Sprintf("%s/%d", named, i), d); err != nil {
			t.Fatal(err)
		}
	}
	few := filePart(t, whole(), 0, 9).WithColumns(1)
	few.Names = []string{"a"}
	if err := datafile.Save(named+"/few", few); err != nil {
		t.Fatal(err)
	}
	deep := *trainer(func(o *lambdamart.Trainer) { o.DepthWise, o.Leaves = true, 0 })
	columns := func(cols int, names []string) error { return fmt.Errorf("columns %d %v", cols, names) }
	for _, c := range []struct {
		glob, want string
		t          lambdamart.Trainer
		job        Job
		resume     bool
	}{
		{dir + "/*", dir + "/b.txt:2: label 99: the gain", deep, Job{}, false},
		{dir + "/a*", "lambdamart: training on shards requires DepthWise", *lambdamart.DefaultTrainer(), Job{}, false},
		{dir + "/a*", "lambdamart: EarlyStopping requires a validation set",
			*trainer(func(o *lambdamart.Trainer) { o.DepthWise, o.EarlyStopping = true, 1 }), Job{}, false},
		{dir + "/a*", "lambdamart: Dart is not supported on shards",
			*trainer(func(o *lambdamart.Trainer) { o.DepthWise, o.Dart = true, true }), Job{}, false},
		{dir + "/a*", "lambdamart: BinsFile",
			*trainer(func(o *lambdamart.Trainer) { o.DepthWise, o.BinsFile = true, "x" }), Job{}, false},
		{dir + "/a*", "lambdamart: categorical feature 2 does not exist: features are numbered 0 to 1",
			*trainer(func(o *lambdamart.Trainer) { o.DepthWise, o.Categorical = true, []int{2} }), Job{},
			false},
		{dir + "/a*", "lambdamart: Trainer.Validation must be empty",
			*trainer(func(o *lambdamart.Trainer) { o.Validation = make([]lambdamart.Validation, 1) }), Job{}, false},
		{dir + "/a*", wide + "/a.txt: found features up to 5, but the training data has features up to 2", deep,
			Job{Valid: &Data{Glob: wide + "/*"}}, false},
		{dir + "/a*", named + "/few: found only 1 of the 2 features of the training data", deep,
			Job{Valid: &Data{Glob: named + "/few"}}, false},
		{dir + "/none*", dir + "/none*: no such file", deep, Job{}, false},
		{none + "/*", none + "/*: cannot train on 1 rows and 0 features: the data must have rows and features", deep, Job{}, false},
		{dir + "/a*", "lambdamart: Resume requires Checkpoint", deep, Job{}, true},
		{dir + "/a*", "columns 2 []", *lambdamart.DefaultTrainer(), Job{Settle: columns}, false},
		{dir + "/a*", dir + "/none*: no such file", deep, Job{Valid: &Data{Glob: dir + "/none*"}}, false},
		{named + "/[01]", named + "/1: the column names differ from " + named + "/0; all files must have the same " +
			"column names", deep, Job{}, false},
		{narrow + "/*", narrow + "/a.txt:2: 1.5 is not a category of feature 1; it must be an integer below 16777216",
			*trainer(func(o *lambdamart.Trainer) { o.DepthWise, o.Categorical = true, []int{0} }), Job{},
			false},
	} {
		t.Run(c.want, func(t *testing.T) {
			c.job.Data.Glob = c.glob
			if _, _, err := c.job.TrainTrees(t.Context(), &c.t, TreesOptions{Resume: c.resume}); err == nil ||
				!strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
	for want, j := range map[string]*Job{
		"lambdamart: RetrainTrees requires validation data":   {},
		"lambdamart: cannot retrain: the result has no trees": {Valid: &Data{}},
	} {
		t.Run(want, func(t *testing.T) {
			if _, _, err := j.RetrainTrees(t.Context(), &deep, &lambdamart.Result{}); err == nil ||
				!strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v\nwant %s", err, want)
			}
		})
	}
}

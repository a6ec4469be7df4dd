package lambdamart

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// TestCheckpoint: a training that is interrupted twice gives the same model, curves and best round
// as uninterrupted training, also with other threads and with sparse features.
func TestCheckpoint(t *testing.T) {
	d, test := clicked(synth.Ranking(12, 6, 1), 3), synth.Ranking(8, 6, 2)
	start, err := with(Trainer{Trees: 3, MinRows: 5}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Trainer{
		"plain": *DefaultTrainer(),
		"early": *with(Trainer{EarlyStopping: 8, LearningRate: .5}),
		"drawn": *with(Trainer{QueryFraction: .6, RowFraction: .8, FeatureFraction: .5, Seed: 3, DepthWise: true},
			"Leaves"),
		"started":    *with(Trainer{Start: start.Model, Objective: XENDCG}),
		"additive":   *with(Trainer{PositionBias: additiveBias, EarlyStopping: 12}),
		"pairwise":   *with(Trainer{PositionBias: pairwiseBias, Objective: Pairwise, EarlyStopping: 12}),
		"unmeasured": *with(Trainer{Leaves: 4}),
	} {
		t.Run(name, func(t *testing.T) {
			o.Trees, o.MinRows = 25, 5
			if name != "unmeasured" {
				o.Validation = []Validation{
					{"test", test, testkit.Must(rank.NewEvaluator("ndcg@5,map", rank.Options{}))},
					{"train", d, testkit.Must(rank.NewEvaluator("ndcg", rank.Options{}))},
				}
			}
			want, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			o.Checkpoint, o.CheckpointEvery = filepath.Join(t.TempDir(), "checkpoint"), 4
			for i, stop := range []int{6, 7, 100} {
				ctx, cancel := context.WithCancel(t.Context())
				o.Threads = 1 + i
				o.OnTree = func(p *Result) error {
					if p.Grown == stop {
						cancel()
					}
					return nil
				}
				data := d
				if i == 1 {
					data = d.ToSparse()
				}
				got, err := o.Fit(ctx, data)
				if stop < 25 {
					if !errors.Is(err, context.Canceled) || got.Grown != stop || got.Resumed != []int{0, 6}[i] {
						t.Fatalf("interrupted at %d: %v, %+v", stop, err, got)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				a, errA := want.Model.MarshalJSON()
				b, errB := got.Model.MarshalJSON()
				same := bytes.Equal(a, b)
				if errA != nil || errB != nil || !same || !reflect.DeepEqual(got.Curves, want.Curves) ||
					got.Best != want.Best || got.Stop != want.Stop || got.Grown != want.Grown || got.Resumed != 7 {
					t.Errorf("%d trees grown, best %d, %s, %d resumed, same model: %v; want %d, %d, %s", got.Grown,
						got.Best, got.Stop, got.Resumed, same, want.Grown, want.Best, want.Stop)
				}
				cancel()
			}
		})
	}
}

// Options that are omitted are equivalent to their explicit defaults.
func TestCheckpointDefaults(t *testing.T) {
	d := synth.Ranking(6, 4, 1)
	o := *with(Trainer{Trees: 2, MinRows: 5, Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), CheckpointEvery: 2})
	if _, err := o.Fit(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	o.Trees, o.Objective, o.Leaves, o.LearningRate = 3, NDCG, 31, .1
	if r, err := o.Fit(t.Context(), d); err != nil || r.Resumed != 2 {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestCheckpointErrors: a damaged checkpoint and a checkpoint of another training are rejected.
func TestCheckpointErrors(t *testing.T) {
	d := synth.Ranking(6, 4, 1)
	path := filepath.Join(t.TempDir(), "checkpoint")
	of := func(t *testing.T, metrics string, test *rank.Dataset) Trainer {
		return *with(Trainer{Trees: 5, MinRows: 5, Checkpoint: path, CheckpointEvery: 2,
			Validation: []Validation{{"test", test, testkit.Must(rank.NewEvaluator(metrics, rank.Options{}))}}})
	}
	test := synth.Ranking(6, 4, 2)
	o := of(t, "map", test)
	if _, err := o.Fit(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := synth.Ranking(6, 4, 1)
	other.Labels[0]++
	for i, c := range []struct {
		set  func(o *Trainer)
		data *rank.Dataset
		want string
	}{
		{nil, other, "the file belongs to a training run on other data"},
		{func(o *Trainer) { o.L2 = 3 }, d, "the file belongs to a training run with other options"},
		{func(o *Trainer) { *o = of(t, "ndcg", test) }, d, `the file belongs to a training run with other metrics: ["test map"] in the file, ["test ndcg"] in this run`},
		{func(o *Trainer) { *o = of(t, "map", synth.Ranking(6, 4, 3)) }, d, "test map has changed from "},
		{func(o *Trainer) { o.Trees = 3 }, d, "the file has 4 trees, but this training run has at most 3"},
		{changed(path, checkpointFormat, "x"), d, "the file is not a training checkpoint"},
		{changed(path, "{", ""), d, "the file is not a training checkpoint"},
		{changed(path, `"version":1`, `"version":2`), d, "version 2 of simdrank-checkpoint is not supported"},
		{changed(path, `"trees":4`, `"trees":3`), d, "the file is damaged: it contains 4 of 3 trees and the values of 1 of 1 metrics"},
		{changed(path, `"values":[[`, `"values":[[1,`), d, "is damaged"},
		{changed(path, `"feature":[`, `"feature":[9,`), d, "splits and"},
		{func(o *Trainer) { o.Checkpoint = t.TempDir() }, d, "is a directory"},
		{func(o *Trainer) { o.Checkpoint = filepath.Join(path, "x") }, d, "checkpoint "},
	} {
		t.Run(fmt.Sprint(i, " ", c.want), func(t *testing.T) {
			if err := os.WriteFile(path, kept, 0o666); err != nil {
				t.Fatal(err)
			}
			o := of(t, "map", test)
			if c.set != nil {
				c.set(&o)
			}
			if _, err := o.Fit(t.Context(), c.data); err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "lambdamart: checkpoint "+o.Checkpoint+": ") {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	// A file that can no longer be written is distinguished from the data, whose name the command
	// adds.
	o.Checkpoint = filepath.Join(t.TempDir(), "gone", "checkpoint")
	gone := filepath.Dir(o.Checkpoint)
	if err := os.Mkdir(gone, 0o777); err != nil {
		t.Fatal(err)
	}
	o.OnTree = func(*Result) error { return os.RemoveAll(gone) }
	if _, err := o.Fit(t.Context(), d); !errors.As(err, new(*modelfile.FileError)) ||
		!strings.HasPrefix(err.Error(), "lambdamart: checkpoint "+o.Checkpoint+": ") {
		t.Errorf("a folder that is gone: %v", err)
	}
	o.OnTree = nil
	broken := *d
	broken.X = d.X[1:]
	if _, err := o.Fit(t.Context(), &broken); err == nil || !strings.HasPrefix(err.Error(), "rank: ") {
		t.Errorf("data that are broken: %v", err)
	}
	dart := o
	dart.Dart = true
	if _, err := dart.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), "combined with Dart") {
		t.Error(err)
	}
	o.CheckpointEvery = -1
	if _, err := o.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), "CheckpointEvery is -1") {
		t.Error(err)
	}
}

// A tree that could not be evaluated, because the context ended, is not stored.
func TestCheckpointUnmeasured(t *testing.T) {
	d := synth.Ranking(6, 4, 1)
	ctx, cancel := context.WithCancel(t.Context())
	o := *with(Trainer{Trees: 5, MinRows: 5, Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), CheckpointEvery: 2,
		Validation: []Validation{{Name: "train", Data: d}}})
	trees := 0
	o.CustomMetrics = []CustomMetric{{Name: "trees", Value: func([]float64, *rank.Dataset) (float64, error) {
		if trees++; trees == 3 {
			cancel()
		}
		return 1, ctx.Err()
	}}}
	if _, err := o.Fit(ctx, d); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	ctx = t.Context()
	if r, err := o.Fit(ctx, d); err != nil || r.Resumed != 2 || r.Grown != 5 || len(r.Curves[0].Values) != 5 {
		t.Errorf("%v, %+v", err, r)
	}
}

// A value that JSON cannot represent is reported.
func TestCheckpointInfinite(t *testing.T) {
	d := synth.Ranking(6, 4, 1)
	o := *with(Trainer{Trees: 5, MinRows: 5, Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), CheckpointEvery: 2,
		Validation: []Validation{{Name: "train", Data: d}}})
	o.CustomMetrics = []CustomMetric{{Name: "loss", Value: func([]float64, *rank.Dataset) (float64, error) {
		return math.Inf(1), nil
	}}}
	want := "lambdamart: checkpoint " + o.Checkpoint + ": train loss after tree 1 is +Inf; values must be finite in JSON"
	if _, err := o.Fit(t.Context(), d); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// changed replaces the first occurrence of a text in a file.
func changed(path, old, text string) func(*Trainer) {
	return func(*Trainer) {
		b, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(b, []byte(old), []byte(text), 1), 0o666)
		}
		if err != nil {
			panic(err)
		}
	}
}

package datafile

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// An operation is something that reads a dataset and returns an error.
type operation struct {
	name string
	do   func(d *rank.Dataset) error
}

// operations are all that read datasets, with models of a dataset like those that they read.
func operations(t *testing.T, whole *rank.Dataset) []operation {
	svm, trainer := &rank.RankSVM{Threads: 2, MaxPasses: 3}, lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Threads = 2, 2
	linear, err := (&rank.Ridge{}).Fit(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	trees, err := trainer.Fit(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := trees.Model.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	explainer, err := explain.New(trees.Model)
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := rank.NewEvaluator("ndcg@10", rank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, whole.Rows())
	dir := t.TempDir()
	lists := func(d *rank.Dataset) (lists []rank.List) {
		for q := range d.Queries() {
			lo, hi := d.Query(q)
			lists = append(lists, rank.List{Scores: scores[lo:hi], Labels: d.Labels[lo:hi]})
		}
		return lists
	}
	return []operation{
		{"RankSVM.Fit", func(d *rank.Dataset) error { _, err := svm.Fit(t.Context(), d); return err }},
		{"RankSVM.FitPath", func(d *rank.Dataset) error {
			_, _, err := svm.FitPath(t.Context(), d, []float64{1}, rank.CSelection{Evaluator: evaluator, Folds: 2})
			return err
		}},
		{"Ridge.Fit", func(d *rank.Dataset) error { _, err := (&rank.Ridge{}).Fit(t.Context(), d); return err }},
		{"Linear.ScoreInto", func(d *rank.Dataset) error { return linear.ScoreInto(t.Context(), scores, d) }},
		{"Evaluate", func(d *rank.Dataset) error {
			_, err := rank.Evaluate(t.Context(), linear, d, "ndcg@10", rank.Options{})
			return err
		}},
		{"Evaluator.EvalScores", func(d *rank.Dataset) error {
			_, err := evaluator.EvalScores(t.Context(), scores, d)
			return err
		}},
		{"Evaluator.EvalAll", func(d *rank.Dataset) error {
			_, err := evaluator.EvalAll(t.Context(), lists(d))
			return err
		}},
		{"Trainer.Fit", func(d *rank.Dataset) error { _, err := trainer.Fit(t.Context(), d); return err }},
		{"Trainer.Retrain", func(d *rank.Dataset) error {
			_, err := trainer.Retrain(t.Context(), &lambdamart.Result{Best: 1}, d)
			return err
		}},
		{"Model.ScoreInto", func(d *rank.Dataset) error { return trees.Model.ScoreInto(t.Context(), scores, d) }},
		{"Scorer.ScoreInto", func(d *rank.Dataset) error { return scorer.ScoreInto(t.Context(), scores, d) }},
		{"Scorer.StagesInto", func(d *rank.Dataset) error {
			return scorer.StagesInto(t.Context(), scores, d, 1, func(int) error { return nil })
		}},
		{"Explainer.ContributionsInto", func(d *rank.Dataset) error {
			return explainer.ContributionsInto(t.Context(), make([]float64, d.Rows()*(d.Cols+1)), d)
		}},
		{"Explainer.Explain", func(d *rank.Dataset) error {
			_, err := explainer.Explain(t.Context(), d, d.Queries()-1, explain.Options{Features: 3})
			return err
		}},
		{"Dataset.SubsetRows", func(d *rank.Dataset) error { _, err := d.SubsetRows([]int{d.Rows() - 1}); return err }},
		{"Dataset.SubsetQueries", func(d *rank.Dataset) error {
			_, err := d.SubsetQueries([]int{d.Queries() - 1})
			return err
		}},
		{"Dataset.SubsetColumns", func(d *rank.Dataset) error { _, err := d.SubsetColumns([]int{1}); return err }},
		{"Dataset.Split", func(d *rank.Dataset) error { _, _, err := d.Split(.5, 1); return err }},
		{"Dataset.Folds", func(d *rank.Dataset) error { _, err := d.Folds(2, 1); return err }},
		{"Write", func(d *rank.Dataset) error { return Write(io.Discard, d) }},
		{"SavePieces", func(d *rank.Dataset) error {
			err := SavePieces(filepath.Join(dir, "new"), pieces(d, 100))
			if err == nil {
				return os.Remove(filepath.Join(dir, "new"))
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 0 {
				t.Errorf("left %v", entries)
			}
			return err
		}},
	}
}

// TestCut cuts a file while it is mapped, and has everything that returns an error read it.
func TestCut(t *testing.T) {
	if testkit.NeedFaults(t); !native {
		t.Skip("files are copied here")
	}
	path := filepath.Join(t.TempDir(), "a.simdrank")
	whole := synth.Config{Seed: 1, Rows: 20_000, Cols: 40, Density: .5}.Dataset()
	for _, c := range operations(t, whole) {
		t.Run(c.name, func(t *testing.T) {
			for _, labels := range []bool{true, false} {
				if err := Save(path, whole); err != nil {
					t.Fatal(err)
				}
				f, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Truncate(path, 1<<20); err != nil { // in the middle of the features
					t.Fatal(err)
				}
				if !labels { // they come behind the features, but are often read first
					f.Labels = whole.Labels
				}
				err = c.do(f.Dataset)
				f.Close()
				if !labels && slices.Contains([]string{"Evaluator.EvalScores", "Evaluator.EvalAll", "Dataset.Folds"},
					c.name) {
					continue // which read no features
				}
				const want = "is missing: the file was truncated while in use, or its disk failed"
				if err == nil || !strings.Contains(err.Error(), "read "+path+": byte ") ||
					!strings.HasSuffix(err.Error(), want) {
					t.Error(err)
				}
			}
		})
	}
}

// onlyChanged matches errors about valid data that only a change explains.
var onlyChanged = regexp.MustCompile("runtime error|kernels: |sparse row|in use")

// TestChanged cuts files and writes others' bytes to them at many moments, while operations read
// them. None panics, and an error about what only the change explains names the file.
func TestChanged(t *testing.T) {
	if testkit.NeedFaults(t); !native {
		t.Skip("files are copied here")
	}
	dense := synth.Config{Seed: 1, Rows: 3_000, Cols: 40, Density: .2}.Dataset()
	for _, c := range []struct {
		name  string
		whole *rank.Dataset
	}{{"dense", dense}, {"sparse", dense.ToSparse()}} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.simdrank")
			var file bytes.Buffer
			if err := Write(&file, c.whole); err != nil {
				t.Fatal(err)
			}
			size := int64(file.Len())
			moments := 8
			if testing.Short() {
				moments = 3
			}
			for _, o := range operations(t, dense) {
				t.Run(o.name, func(t *testing.T) {
					failed := 0
					for i := range 3 * moments {
						if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
							t.Fatal(err)
						}
						if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
							t.Fatal(err)
						}
						f, err := Open(path)
						if err != nil {
							t.Fatal(err)
						}
						changed := make(chan error)
						go func() {
							time.Sleep(time.Duration(i/3*i/3) * 100 * time.Microsecond)
							changed <- change(path, i, size)
						}()
						if i < 6 {
							if err := <-changed; err != nil {
								t.Error(err)
							}
						}
						if err = o.do(f.Dataset); err != nil {
							failed++
							text := err.Error()
							if onlyChanged.MatchString(text) && !strings.Contains(text, "read "+path+": ") {
								t.Error(err)
							}
						}
						if i >= 6 {
							if err := <-changed; err != nil {
								t.Error(err)
							}
						}
						f.Close()
					}
					if failed == 0 {
						t.Error("no error")
					}
				})
			}
		})
	}
}

// change cuts a file or writes to it: which and where depends on i.
func change(path string, i int, size int64) error {
	if i%3 == 0 {
		return os.Truncate(path, size*int64(i)/36)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	fill := byte(0xff) // NaN, and columns that are negative
	if i%3 == 1 {
		fill = 0x7c // large numbers
	}
	from := int64(4096)
	_, err = f.WriteAt(bytes.Repeat([]byte{fill}, int(size-from)), from)
	return err
}

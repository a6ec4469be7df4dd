package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A case worked out by hand: 7 trials on 1, 2 and 4 folds, with at most 3, 5 and 10 trees. Trials
// 1, 4 and 6 are promoted from the first rung, where 4 and 5 are equal. Trial 6 is promoted from
// the second one.
func TestRungs(t *testing.T) {
	s := &Study{LambdaMART: &lambdamart.Trainer{Trees: 10}, Trials: 7, Folds: 4, Halving: 2}
	if got, want := s.rungs(), []rung{{7, 1, 3}, {3, 2, 5}, {1, 4, 10}}; !slices.Equal(got, want) {
		t.Fatalf("rungs %v, want %v", got, want)
	}
	values := map[[2]int]float64{{0, 1}: .1, {1, 1}: .9, {2, 1}: .2, {3, 1}: .3, {4, 1}: .5, {5, 1}: .5, {6, 1}: .8,
		{1, 2}: .4, {4, 2}: .6, {6, 2}: .7, {6, 4}: .65}
	var done []Trial
	var got []string
	r := &Result{}
	for {
		trial, of, more := s.next(done)
		if !more {
			break
		}
		got = append(got, fmt.Sprintf("%d/%d/%d", trial, of.folds, of.trees))
		done = append(done, Trial{Value: values[[2]int{trial, of.folds}], Folds: make([]float64, of.folds)})
		r.add(trial, done[len(done)-1])
	}
	if want := "0/1/3 1/1/3 2/1/3 3/1/3 4/1/3 5/1/3 6/1/3 1/2/5 4/2/5 6/2/5 6/4/10"; strings.Join(got, " ") != want {
		t.Errorf("evaluations %v, want %v", got, want)
	}
	if r.Best != 6 || len(r.Trials) != 7 || len(r.Trials[1].Folds) != 2 || r.Trials[1].Value != .4 {
		t.Errorf("%+v", r)
	}
}

// Halving never trains on more folds than a search without it, and its maximum number of trees is
// always lower. It ends with all folds and trees.
func TestRungsCost(t *testing.T) {
	for folds := 2; folds <= 12; folds++ {
		t.Run(fmt.Sprint(folds), func(t *testing.T) {
			for halving := 2; halving <= folds; halving++ {
				for trials := 1; trials <= 40; trials++ {
					const trees = 7
					s := &Study{LambdaMART: &lambdamart.Trainer{Trees: trees}, Trials: trials, Folds: folds,
						Halving: halving}
					rungs, cost, grown := s.rungs(), 0, 0
					for _, r := range rungs {
						cost += r.trials * r.folds
						grown += r.trials * r.folds * r.trees
					}
					last := rungs[len(rungs)-1]
					if cost > trials*folds || grown >= trials*folds*trees && trials > 1 || last.folds != folds ||
						last.trees != trees || rungs[0].trials != trials {
						t.Fatalf("%d trials, halving %d: %v", trials, halving, rungs)
					}
				}
			}
		})
	}
}

// A search with halving has the same result for any number of threads, and if it is interrupted.
// The winner has the same value as without halving.
func TestHalving(t *testing.T) {
	d := small()
	for name, s := range studies() {
		t.Run(name, func(t *testing.T) {
			plain, err := s.Search(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			s.Halving = 2
			s.File = filepath.Join(t.TempDir(), "study.json")
			full, err := s.Search(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			best := full.Trials[full.Best]
			if !reflect.DeepEqual(best, plain.Trials[full.Best]) || len(full.Trials) != 4 {
				t.Errorf("%+v, without halving %+v", full, plain)
			}
			kept, err := os.ReadFile(s.File)
			if err != nil {
				t.Fatal(err)
			}
			for _, threads := range []int{1, 3} {
				s.File = filepath.Join(t.TempDir(), "study.json")
				s.setThreads(threads)
				for _, stop := range []int64{1, 5, 0} { // in both rungs; then to the end
					ctx, cancel := context.WithCancel(t.Context())
					s.Progress = func(done, total int64) {
						if stop > 0 && done > stop*1000 {
							cancel()
						}
					}
					got, err := s.Search(ctx, d)
					cancel()
					if stop > 0 && !errors.Is(err, context.Canceled) {
						t.Fatalf("error %v", err)
					}
					if stop == 0 && (err != nil || !reflect.DeepEqual(got, full)) {
						t.Errorf("%d threads: %v\n%+v, want\n%+v", threads, err, got, full)
					}
				}
				if file, err := os.ReadFile(s.File); err != nil || !bytes.Equal(file, kept) {
					t.Errorf("%d threads: %v, the file is\n%s\nwant\n%s", threads, err, file, kept)
				}
			}
			s.Progress = nil
			s.Trials = 5
			_, err = s.Search(t.Context(), d)
			want := "a study with another division into rungs: [{4 1 0} {2 3 0}] in the file"
			if s.LambdaMART != nil {
				want = "a study with another division into rungs: [{4 1 6} {2 3 12}] in the file"
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("another number of trials: %v", err)
			}
		})
	}
}

// The study file contains the folds and the trees with which each value was measured. A search does
// not resume from values that were measured with other numbers.
func TestHalvingFile(t *testing.T) {
	s := studies()["trees"]
	s.Halving, s.File = 2, filepath.Join(t.TempDir(), "study.json")
	if _, err := s.Search(t.Context(), small()); err != nil {
		t.Fatal(err)
	}
	text := testkit.Must(os.ReadFile(s.File))
	var file struct{ Trials []Trial }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, trial := range file.Trials {
		got = append(got, fmt.Sprintf("%d/%d", len(trial.Folds), trial.MaxTrees))
	}
	if want := "1/6 1/6 1/6 1/6 3/12 3/12"; strings.Join(got, " ") != want {
		t.Errorf("trials with folds/trees %v, want %v", got, want)
	}
	for changed, want := range map[string]string{
		`"max_trees":12`: " of at most 12; the limit must be 6",
		`"max_trees":0`:  " of at most 0; the limit must be 6",
		`"trees":7`:      "the trees of trial 1 are 7 of at most 6",
	} {
		t.Run(changed, func(t *testing.T) {
			field, _, _ := strings.Cut(changed, ":")
			old := regexp.MustCompile(field + `:\d+`).FindString(string(text))
			other := bytes.Replace(text, []byte(old), []byte(changed), 1)
			if err := os.WriteFile(s.File, other, 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := s.Search(t.Context(), small())
			if err == nil || !strings.Contains(err.Error(), "the file is damaged: the trees of trial 1 are ") ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
}

// Trials use the choices, and messages print their names.
func TestChoices(t *testing.T) {
	space := testkit.Must(ParseSpace("loss=squared-hinge|logistic,c=1|10"))
	s := &Study{RankSVM: &rank.RankSVM{}, Space: space}
	counts := map[string]int{}
	for trial := range 400 {
		v := draw(space, 1, trial)
		m := s.svm(v)
		if m.Loss != space[0].Format(v[0]) || m.C != v[1] {
			t.Fatalf("%v: loss %v, C %v", v, m.Loss, m.C)
		}
		counts[fmt.Sprint(m.Loss, " ", m.C)]++
	}
	for _, choice := range []string{"squared-hinge 1", "squared-hinge 10", "logistic 1", "logistic 10"} {
		t.Run(choice, func(t *testing.T) {
			if n := counts[choice]; n < 70 || n > 130 {
				t.Errorf("%d of 400", n)
			}
		})
	}
	trees := &Study{LambdaMART: lambdamart.DefaultTrainer(),
		Space: testkit.Must(ParseSpace("objective=pairwise|yetirank"))}
	for v, want := range map[float64]lambdamart.Builtin{2: lambdamart.Pairwise, 5: lambdamart.YetiRank} {
		t.Run(want.String(), func(t *testing.T) {
			if got := trees.trees([]float64{v}).Objective; got != want || trees.Space[0].Format(v) != want.String() {
				t.Errorf("objective %v, want %v", got, want)
			}
		})
	}
}

// A metric of one's own chooses the best trial, for example on pairs without labels.
func TestMetric(t *testing.T) {
	d := small()
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo + 1; i < hi; i++ {
			if d.Labels[i] != d.Labels[lo] {
				pair := rank.Pair{Better: int32(i), Worse: int32(lo), Weight: 1}
				if d.Labels[i] < d.Labels[lo] {
					pair.Better, pair.Worse = pair.Worse, pair.Better
				}
				d.Pairs = append(d.Pairs, pair)
			}
		}
	}
	d.Labels = make([]float64, d.Rows())
	metric := &lambdamart.CustomMetric{Name: "pair accuracy",
		Value: func(scores []float64, d *rank.Dataset) (float64, error) { return d.PairAccuracy(scores), nil }}
	for name, s := range studies() {
		t.Run(name, func(t *testing.T) {
			if s.Metric = metric; s.LambdaMART != nil {
				s.LambdaMART.Objective = lambdamart.Pairwise
			}
			r, err := s.Search(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			if v := r.Trials[r.Best].Value; !(v > 0.6 && v <= 1) {
				t.Errorf("%+v", r)
			}
		})
	}
	for _, c := range []struct {
		want   string
		change func(s *Study)
	}{
		{"Metric cannot be combined with Evaluator",
			func(s *Study) { s.Evaluator = testkit.Must(rank.NewEvaluator("map", rank.Options{})) }},
		{`Lower of Metric "pair accuracy" is not supported`, func(s *Study) { s.Metric.Lower = true }},
		{`Metric "x" has no Value function`, func(s *Study) { s.Metric = &lambdamart.CustomMetric{Name: "x"} }},
		{"Halving is 4; it must be from 2 to the number of folds, 3", func(s *Study) { s.Halving = 4 }},
		{"Trees is -5; it must be at least 1", func(s *Study) {
			s.RankSVM, s.LambdaMART, s.Halving = nil, with(lambdamart.Trainer{Trees: -5}), 2
		}},
	} {
		t.Run(c.want, func(t *testing.T) {
			m := *metric
			s := &Study{RankSVM: &rank.RankSVM{}, Folds: 3, Metric: &m}
			c.change(s)
			if _, err := s.Search(t.Context(), d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

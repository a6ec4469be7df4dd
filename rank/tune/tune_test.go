package tune

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// with returns the default trainer with the nonzero fields of o, and with the named fields set to
// 0.
func with(o lambdamart.Trainer, zero ...string) *lambdamart.Trainer {
	return testkit.With(lambdamart.DefaultTrainer(), o, zero...)
}

// small returns data that is trained on in milliseconds.
func small() *rank.Dataset {
	config := synth.Config{Seed: 1, Rows: 300, Cols: 5, MaxDocs: 20}
	return config.Dataset()
}

// studies returns one study per kind of ranker.
func studies() map[string]*Study {
	return map[string]*Study{
		"ranksvm": {RankSVM: &rank.RankSVM{Tol: 1e-3}, Trials: 4, Folds: 3, Seed: 7},
		"trees": {LambdaMART: with(lambdamart.Trainer{Trees: 12, EarlyStopping: 3, Bins: 15}),
			Trials: 4, Folds: 3, Seed: 7,
			Space: []Range{{"leaves", 2, 7, false, nil}, {"learning-rate", 0.05, 0.5, true, nil},
				{"feature-fraction", 0.5, 1, false, nil}}},
	}
}

// written returns a model in its file format.
func written(t *testing.T, m rank.Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := model.Write(&b, m, "json"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSearch: a search has the same result for any number of threads, and if it is interrupted.
func TestSearch(t *testing.T) {
	d := small()
	for name, s := range studies() {
		s.File = filepath.Join(t.TempDir(), "study.json")
		s.setThreads(1)
		want, err := s.Search(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		space := s.Space
		if space == nil {
			space = s.DefaultSpace()
		}
		if len(want.Trials) != 4 {
			t.Errorf("%s: %+v", name, want)
		}
		for i, trial := range want.Trials {
			if trial.Value > want.Trials[want.Best].Value || math.Abs(trial.Value-mean(trial.Folds)) > 0 ||
				!slices.Equal(trial.Parameters, draw(space, s.Seed, i)) {
				t.Errorf("%s: best %d, but trial %d is %+v", name, want.Best, i, trial)
			}
		}
		first, err := s.Fit(t.Context(), d, &want.Trials[want.Best])
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(s.File)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{2, 3, 8} {
			s.File = filepath.Join(t.TempDir(), "study.json")
			s.setThreads(threads)
			ctx, cancel := context.WithCancel(t.Context())
			s.Progress = func(done, total int64) {
				if trial := total / int64(s.Trials); done > 2*trial && done < 3*trial {
					cancel()
				}
			}
			part, err := s.Search(ctx, d)
			if !errors.Is(err, context.Canceled) || len(part.Trials) != 2 {
				t.Fatalf("%s: interrupted, %d trials, %v", name, len(part.Trials), err)
			}
			calls, begun := testkit.NewProgress(t), 0
			s.Progress, s.OnTrial = calls.Report, func(sofar *Result) {
				if begun++; len(sofar.Trials) != 1+begun {
					t.Errorf("%s: OnTrial receives %d trials before trial %d", name, len(sofar.Trials), 2+begun)
				}
			}
			got, err := s.Search(t.Context(), d)
			s.OnTrial = nil
			if calls.Check(2); begun != s.Trials-2 {
				t.Errorf("%s: OnTrial was called for %d trials, want %d", name, begun, s.Trials-2)
			}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d threads: %v\n%+v, want\n%+v", name, threads, err, got, want)
			}
			if file, err := os.ReadFile(s.File); err != nil || !bytes.Equal(file, kept) {
				t.Errorf("%s, %d threads: %v, the file is\n%s\nwant\n%s", name, threads, err, file, kept)
			}
			m, err := s.Fit(t.Context(), d, &got.Trials[got.Best])
			if err != nil || written(t, m) != written(t, first) {
				t.Errorf("%s, %d threads: another model, %v", name, threads, err)
			}
		}
	}
}

// Folds are evaluated concurrently, so they must not use the progress function of the evaluator's
// options.
func TestEvaluatorProgress(t *testing.T) {
	o := rank.Options{Progress: func(done, total int64) { t.Errorf("a fold reports %d of %d", done, total) }}
	s := &Study{RankSVM: &rank.RankSVM{MaxPasses: 5}, Trials: 1, Folds: 3,
		Evaluator: testkit.Must(rank.NewEvaluator("map", o))}
	if _, err := s.Search(t.Context(), small()); err != nil {
		t.Fatal(err)
	}
}

func (s *Study) setThreads(n int) {
	if s.LambdaMART != nil {
		s.LambdaMART.Threads = n
	} else {
		s.RankSVM.Threads = n
	}
}

// TestFolds compares values and numbers of trees with separate trainings of each fold, which share
// no bins.
func TestFolds(t *testing.T) {
	d := small()
	for _, patience := range []int{0, 2} {
		trainer := with(lambdamart.Trainer{Trees: 15, EarlyStopping: patience, Leaves: 5, MinRows: 5,
			LearningRate: .4})
		s := &Study{LambdaMART: trainer, Folds: 3, Seed: 2, Space: []Range{},
			Evaluator: testkit.Must(rank.NewEvaluator("map", rank.Options{}))}
		if patience > 0 {
			s.Trials, s.Space = 3, []Range{{"leaves", 3, 6, false, nil}, {"bins", 7, 8, false, nil}}
		}
		r, err := s.Search(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		folds, err := d.Folds(3, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Trials) != max(s.Trials, 1) {
			t.Errorf("patience %d: %d trials", patience, len(r.Trials))
		}
		for i, got := range r.Trials {
			var curves [][]float64
			for trained, tested := range folds {
				train, _ := d.SubsetQueries(trained)
				test, _ := d.SubsetQueries(tested)
				o := *s.trees(got.Parameters)
				o.EarlyStopping, o.Validation = 0, []lambdamart.Validation{{Data: test, Evaluator: s.Evaluator}}
				fitted, err := o.Fit(t.Context(), train)
				if err != nil {
					t.Fatal(err)
				}
				curves = append(curves, fitted.Curves[0].Values)
			}
			best, value := 0, math.Inf(-1)
			for n := range 15 {
				v := (curves[0][n] + curves[1][n] + curves[2][n]) / 3
				if patience > 0 && n >= best+patience {
					break
				}
				if v > value || patience == 0 {
					best, value = n+1, v
				}
			}
			if got.Trees != best || got.Value != value || got.Folds[1] != curves[1][best-1] {
				t.Errorf("patience %d, trial %d: %+v, want %d trees of %v", patience, i+1, got, best, value)
			}
		}
	}
}

// TestNothing: in some folds, or in all of them, no split reduces the loss.
func TestNothing(t *testing.T) {
	s := &Study{LambdaMART: with(lambdamart.Trainer{Trees: 5, MinRows: 1000}), Folds: 2, Space: []Range{}}
	r, err := s.Search(t.Context(), small())
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Trials[0]; got.Trees != 0 || !(got.Value > 0 && got.Value < 1) {
		t.Errorf("%+v", got)
	}
	if _, err := s.Fit(t.Context(), small(), &r.Trials[0]); err == nil || !strings.Contains(err.Error(), "no split") {
		t.Error(err)
	}
}

func TestSteps(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s := &steps{curves: make([][]float64, 2), none: make([]float64, 2), ended: make([]bool, 2), patience: 2, ctx: ctx,
		stop: stop, tell: func(int) {}}
	s.changed.L = &s.mu
	s.end(1, .5) // has no tree
	var got strings.Builder
	for _, value := range []float64{.1, .3, .2, .3} {
		s.add(0, value)
		fmt.Fprintf(&got, "%d decided, best %d, %v\n", s.grown, s.trees, ctx.Err())
	}
	if want := `1 decided, best 1, <nil>
2 decided, best 2, <nil>
3 decided, best 2, <nil>
4 decided, best 2, context canceled
`; got.String() != want {
		t.Errorf("%s\nwant\n%s", &got, want)
	}
	if got := s.at(s.trees); !slices.Equal(got, []float64{.3, .5}) {
		t.Error(got)
	}
}

func TestErrors(t *testing.T) {
	d := small()
	trees := with(lambdamart.Trainer{Trees: 2})
	validated := &lambdamart.Trainer{Validation: make([]lambdamart.Validation, 1)}
	for _, c := range []struct {
		want string
		s    Study
	}{
		{"tune: exactly one of LambdaMART and RankSVM must be set", Study{}},
		{"tune: exactly one of LambdaMART and RankSVM must be set", Study{LambdaMART: trees, RankSVM: &rank.RankSVM{}}},
		{"tune: Trials is -1; it must be at least 1", Study{LambdaMART: trees, Trials: -1}},
		{"tune: Start must not be set", Study{RankSVM: &rank.RankSVM{Start: &rank.Linear{}}}},
		{"tune: LambdaMART.Validation must be empty", Study{LambdaMART: validated}},
		{"tune: LambdaMART.CustomMetrics must be empty",
			Study{LambdaMART: &lambdamart.Trainer{CustomMetrics: make([]lambdamart.CustomMetric, 1)}}},
		{"tune: LambdaMART.Checkpoint must not be set", Study{LambdaMART: &lambdamart.Trainer{Checkpoint: "a"}}},
		{"tune: LambdaMART.BinsFile must not be set", Study{LambdaMART: &lambdamart.Trainer{BinsFile: "a"}}},
		{"tune: space: c is not a parameter of", Study{LambdaMART: trees, Space: []Range{{"c", 1, 2, true, nil}}}},
		{"tune: space: leaves: the lower limit is -3; it must be at least 2",
			Study{LambdaMART: trees, Space: []Range{{"leaves", -3, 2, true, nil}}}},
		{"tune: l2 has two ranges",
			Study{LambdaMART: trees, Space: []Range{{"l2", 1, 2, true, nil}, {"l2", 1, 2, true, nil}}}},
		{`tune: the evaluator has the metrics "map,ndcg"; it must have exactly one`,
			Study{LambdaMART: trees, Evaluator: testkit.Must(rank.NewEvaluator("map,ndcg", rank.Options{}))}},
		{"rank: the number of folds is 999", Study{LambdaMART: trees, Folds: 999}},
		{"tune: trial 1: fold 1 of 5: Leaves is 1", Study{LambdaMART: with(lambdamart.Trainer{Leaves: 1}),
			Space: []Range{}}},
		{"tune: trial 1 (c 1): fold 1 of 5: Tol is 2",
			Study{RankSVM: &rank.RankSVM{Tol: 2}, Space: []Range{{"c", 1, 1, false, nil}}}},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := c.s.Search(t.Context(), d); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestFile: a damaged file and a file of another study are rejected.
func TestFile(t *testing.T) {
	d := small()
	path := filepath.Join(t.TempDir(), "study.json")
	study := func() *Study {
		return &Study{RankSVM: &rank.RankSVM{Tol: 1e-2}, Trials: 2, Folds: 2, File: path}
	}
	if _, err := study().Search(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := small()
	other.X[3]++
	labeled := small()
	labeled.Labels[0]++
	for _, c := range []struct {
		want string
		set  func(s *Study)
		data *rank.Dataset
	}{
		{want: "the file belongs to a study with other data", data: other},
		{want: "the file belongs to a study with other data", data: labeled},
		{"the file belongs to a study with other ranker settings", func(s *Study) { s.RankSVM.Tol = 1e-3 }, d},
		{"the file belongs to a study with other ranker settings", func(s *Study) { s.RankSVM.Gain = rank.ExpGain }, d},
		{"the file belongs to a study with another metric: ndcg@10 in the file, map in this study", func(s *Study) {
			s.Evaluator = testkit.Must(rank.NewEvaluator("map", rank.Options{}))
		}, d},
		{"the file belongs to a study with other metric options",
			func(s *Study) {
				s.Evaluator = testkit.Must(rank.NewEvaluator("ndcg@10", rank.Options{Gain: "linear"}))
			}, d},
		{"the file belongs to a study with another number of folds: 2 in the file, 3 in this study", func(s *Study) { s.Folds = 3 }, d},
		{"the file belongs to a study with another seed: 0 in the file, 1 in this study", func(s *Study) { s.Seed = 1 }, d},
		{"the file belongs to a study with another space: c=1e-05:100:log in the file, c=1:2 in this study",
			func(s *Study) { s.Space = []Range{{"c", 1, 2, false, nil}} }, d},
		{"the file is not a study file", changed(path, fileFormat, "other"), d},
		{"the file is not a study file", changed(path, "{", ""), d},
		{"version 2 of simdrank-study is not supported; this release reads version 1",
			changed(path, `"version":1`, `"version":2`), d},
		{"the file is damaged: the parameters of trial 1 are [9]", changed(path, `{"parameters":[`,
			`{"parameters":[9],"was":[`), d},
		{"the file is damaged: the value of trial 1 is not the mean of its folds",
			changed(path, `"value":0`, `"value":1`), d},
		{"the file is damaged: json: cannot unmarshal string into Go value of type ",
			changed(path, `"trials":[`, `"trials":"","was":[`), d},
		{"the file is damaged: trial 1: json: cannot unmarshal number into Go value of type ",
			changed(path, `"trials":[`, `"trials":[1,`), d},
	} {
		t.Run(c.want, func(t *testing.T) {
			if err := os.WriteFile(path, kept, 0o666); err != nil {
				t.Fatal(err)
			}
			s := study()
			if c.set != nil {
				c.set(s)
			}
			want := "tune: " + path + ": " + c.want
			if _, err := s.Search(t.Context(), c.data); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	// A smaller number of trials returns the first ones. Sparse and dense forms are the same data.
	if err := os.WriteFile(path, kept, 0o666); err != nil {
		t.Fatal(err)
	}
	s := study()
	s.Trials = 1
	sparse := d.ToSparse()
	if r, err := s.Search(t.Context(), sparse); err != nil || len(r.Trials) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	s.File = filepath.Join(t.TempDir(), "no", "study.json")
	if _, err := s.Search(t.Context(), d); err == nil || !strings.Contains(err.Error(), s.File+": ") {
		t.Error(err)
	}
}

// changed replaces the first occurrence of a text in a file.
func changed(path, old, text string) func(*Study) {
	return func(*Study) {
		b, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(b, []byte(old), []byte(text), 1), 0o666)
		}
		if err != nil {
			panic(err)
		}
	}
}

func TestParseSpace(t *testing.T) {
	for text, want := range map[string]string{
		"leaves=7:63,learning-rate=.02:.3:log":   "leaves=7:63,learning-rate=0.02:0.3:log",
		" c=1e-5:100 ":                           "c=1e-05:100",
		"none":                                   "",
		"leaves":                                 `tune: range "leaves": it must have the form NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=CHOICE|CHOICE`,
		"leaves=7":                               `tune: range "leaves=7": it must have the form NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=CHOICE|CHOICE`,
		"leaves=7:9:lin":                         `tune: range "leaves=7:9:lin": it must have the form NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=CHOICE|CHOICE`,
		"leaves=7:x":                             `tune: range "leaves=7:x": "x" is not a number`,
		"leaves=:9":                              `tune: range "leaves=:9": "" is not a number`,
		"l2=NaN:9":                               `tune: range "l2=NaN:9": the lower limit is NaN; it must be at least 0`,
		"l2=1:Inf":                               `tune: range "l2=1:Inf": the upper limit is +Inf; it must be at most 1.7976931348623157e+308`,
		"l2=0:1:log":                             `tune: range "l2=0:1:log": the lower limit of a log range must be positive`,
		"l2=3:1":                                 `tune: range "l2=3:1": the lower limit 3 is greater than the upper limit 1`,
		"leaves=2.5:7":                           `tune: range "leaves=2.5:7": the limits must be integers`,
		"c=-2:1":                                 `tune: range "c=-2:1": the lower limit is -2; it must be greater than 0`,
		"c=0:1":                                  `tune: range "c=0:1": the lower limit is 0; it must be greater than 0`,
		"bins=2:256":                             `tune: range "bins=2:256": the upper limit is 256; it must be at most 255`,
		"objective=ndcg | yetirank,leaves=15|31": "objective=ndcg|yetirank,leaves=15|31",
		"loss=hinge":                             "loss=hinge",
		"loss=hinge|x":                           `tune: range "loss=hinge|x": "x" must be one of squared-hinge, hinge, logistic`,
		"leaves=7|x":                             `tune: range "leaves=7|x": "x" is not a number`,
		"leaves=7|7":                             `tune: range "leaves=7|7": the choice 7 is given twice`,
		"leaves=7|1":                             `tune: range "leaves=7|1": choice 1: the lower limit is 1; it must be at least 2`,
		"leafs=7|1":                              `tune: range "leafs=7|1": "leafs" is not a parameter`,
		"objective=0:2":                          `tune: range "objective=0:2": "0:2" must be one of ndcg, map, `,
		"c=1:2,c=1:2":                            "tune: c has two ranges",
		"leafs=1:2":                              `tune: range "leafs=1:2": "leafs" is not a parameter: use one of learning-rate, `,
	} {
		space, err := ParseSpace(text)
		var names []string
		for _, r := range space {
			names = append(names, r.String())
		}
		got := strings.Join(names, ",")
		if err != nil {
			got = err.Error()
		}
		if got != want && !(err != nil && strings.HasPrefix(got, want)) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestRanges: each parameter accepts the limits of its ranker and no value beyond them.
func TestRanges(t *testing.T) {
	const most = math.MaxFloat64
	least := math.SmallestNonzeroFloat64 // if 0 itself is too low
	next, inf := math.Nextafter, math.Inf(1)
	cases := map[string]struct{ below, low, high, above float64 }{
		"c":                {0, least, most, inf},
		"learning-rate":    {0, least, most, inf},
		"leaves":           {1, 2, math.MaxInt32, 1 << 31},
		"depth":            {0, 1, math.MaxInt32, 1 << 31},
		"min-rows":         {0, 1, math.MaxInt32, 1 << 31},
		"min-hessian":      {-least, 0, most, inf},
		"min-gain":         {-least, 0, most, inf},
		"l1":               {-least, 0, most, inf},
		"l2":               {-least, 0, most, inf},
		"query-fraction":   {0, least, 1, next(1, 2)},
		"row-fraction":     {0, least, 1, next(1, 2)},
		"feature-fraction": {0, least, 1, next(1, 2)},
		"bins":             {1, 2, 255, 256},
		"truncation":       {0, 1, math.MaxInt32, 1 << 31},
		"sigmoid":          {0, least, most, inf},
		"loss":             {-1, 0, 2, 3},
		"objective":        {-1, 0, 8, 9},
	}
	for _, name := range slices.Concat(ParameterNames("ranksvm"), ParameterNames("lambdamart")) {
		t.Run(name, func(t *testing.T) {
			c, ok := cases[name]
			if !ok {
				t.Fatal("the test knows no limits")
			}
			for _, bounds := range [][2]float64{{c.low, c.high}, {c.low, c.low}, {c.high, c.high}} {
				if err := (Range{Name: name, low: bounds[0], high: bounds[1]}).check(); err != nil {
					t.Errorf("%v: %v", bounds, err)
				}
			}
			for word, bounds := range map[string][2]float64{"lower": {c.below, c.high}, "upper": {c.low, c.above}} {
				err := (Range{Name: name, low: bounds[0], high: bounds[1]}).check()
				if err == nil || !strings.Contains(err.Error(), word+" limit is") {
					t.Errorf("%v: %v, want an error about the %s limit", bounds, err, word)
				}
			}
		})
	}
}

// TestParameters: each parameter sets the field with its name.
func TestParameters(t *testing.T) {
	for _, p := range parameters {
		if p.words != nil { // see TestChoices
			continue
		}
		field := ""
		for word := range strings.SplitSeq(p.name, "-") {
			field += strings.ToUpper(word[:1]) + word[1:]
		}
		for _, v := range []float64{1, p.low} {
			if p.above && v == p.low {
				continue
			}
			var svm rank.RankSVM
			var trees, want lambdamart.Trainer
			if p.svm != nil {
				if p.svm(&svm, v); svm.C != v || p.trees != nil {
					t.Errorf("%s: %+v", p.name, svm)
				}
				continue
			}
			p.trees(&trees, v)
			if f := reflect.ValueOf(&want).Elem().FieldByName(field); f.CanInt() {
				f.SetInt(int64(v))
			} else {
				f.SetFloat(v)
			}
			if !reflect.DeepEqual(trees, want) {
				t.Errorf("%s %v: %+v", p.name, v, trees)
			}
		}
	}
	s := &Study{LambdaMART: &lambdamart.Trainer{DepthWise: true}}
	if got := s.DefaultSpace()[1].String(); got != "depth=3:8" {
		t.Errorf("the space of trees grown level by level has %s", got)
	}
}

// TestDraw pins the samples of trials, because stored studies depend on them.
func TestDraw(t *testing.T) {
	space := []Range{{"c", 1e-5, 100, true, nil}, {"leaves", 2, 4, false, nil}, {"min-rows", 1, 100, true, nil},
		{"l2", 3, 3, false, nil}, {"row-fraction", .5, 1, false, nil}}
	got := [][]float64{draw(space, 0, 0), draw(space, 0, 1), draw(space, 1, 0)}
	want := [][]float64{
		{0.002325, 2, 2, 3, 0.7985},
		{0.0107, 3, 9, 3, 0.5841},
		{0.04549, 2, 77, 3, 0.6838},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	counts := map[float64]int{}
	for i := range 3000 {
		v := draw(space, 5, i)
		counts[v[1]]++
		for k, r := range space {
			if v[k] < r.low || v[k] > r.high || parameterOf(r.Name).integer && v[k] != math.Trunc(v[k]) {
				t.Fatalf("trial %d: %v is %v", i, r, v[k])
			}
		}
	}
	for _, leaves := range []float64{2, 3, 4} {
		if n := counts[leaves]; n < 900 || n > 1100 {
			t.Errorf("%v leaves: %d of 3000", leaves, n)
		}
	}
}

// TestFitParameters: a trial of another space is refused.
func TestFitParameters(t *testing.T) {
	const want = "tune: the trial has 3 parameters, but the space has 1"
	s := &Study{RankSVM: &rank.RankSVM{}, Space: []Range{{"c", 1, 2, false, nil}}}
	_, err := s.Fit(t.Context(), small(), &Trial{Parameters: make([]float64, 3)})
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

package rankbeam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
)

// svmSet has some blocks of sums, most of which are in two or more files.
func svmSet() *rank.Dataset {
	return synth.Config{Seed: 2, Rows: 9000, Cols: 7, MinDocs: 1, MaxDocs: 300, Noise: 0.3}.Dataset()
}

// svmSetLong has a query with a separate sum, and short queries before and after it.
func svmSetLong() *rank.Dataset {
	long := synth.Config{Seed: 3, Rows: 8300, Cols: 5, MinDocs: 8300, MaxDocs: 8300}.Dataset()
	long.QueryIDs[0] = "long"
	a := synth.Config{Seed: 3, Rows: 3000, Cols: 5}.Dataset()
	n := a.Queries()
	for q := range a.QueryIDs {
		a.QueryIDs[q] = fmt.Sprint("q", q)
	}
	var first, second []int
	for q := range n {
		if q < n/2 {
			first = append(first, q)
		} else {
			second = append(second, q)
		}
	}
	b, _ := a.SubsetQueries(first)
	c, _ := a.SubsetQueries(second)
	return rank.Concat(b, long, c)
}

// svmBits are the bits of a model's weights and of the results of a path.
func svmBits(m *rank.Linear, path []rank.CPoint) string {
	var b strings.Builder
	for _, w := range m.Weights {
		fmt.Fprintf(&b, "%016x ", math.Float64bits(w))
	}
	r := m.Report
	fmt.Fprintf(&b, "%v %x %x %d %d %d", r.Stop, r.Objective, r.Gap, r.Queries, r.Pairs, r.Passes)
	fmt.Fprintf(&b, "\n%g", r.C)
	for _, point := range path {
		fmt.Fprintf(&b, " %g %x %x", point.C, point.Value, point.Gap)
	}
	return b.String()
}

// trainOne trains on one machine.
func trainOne(t *testing.T, d, valid *rank.Dataset, s rank.RankSVM, o SVMOptions, metrics string) string {
	t.Helper()
	s.Gain = pairGain(o.Pairs)
	if o.QueryWeights != nil {
		weighted := *d
		weighted.QueryWeights = o.QueryWeights
		d = &weighted
	}
	if o.Cs == nil {
		m, err := s.Fit(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return svmBits(m, nil)
	}
	sel := rank.CSelection{Valid: valid, Folds: o.Folds}
	if metrics != "" {
		sel.Evaluator = testkit.Must(rank.NewEvaluator(metrics, rank.Options{}))
	}
	m, p, err := s.FitPath(t.Context(), d, o.Cs, sel)
	if err != nil {
		t.Fatal(err)
	}
	return svmBits(m, p)
}

// The model is bit-identical to one machine, for any number of files, threads and bytes per chunk
// and every loss, even if the first attempt at every third shard of a pass fails.
func TestRankSVM(t *testing.T) {
	smallPieces(t)
	rows := pieceRows
	pieceRows = 3000
	t.Cleanup(func() { pieceRows, interrupt = rows, nil })
	d, long := svmSet(), svmSetLong()
	sparse := synth.Config{Seed: 4, Rows: 6000, Cols: 300, Density: 0.03, MaxDocs: 80, Sparse: true}.Dataset()
	// The columns of the sparse set are among many unused columns.
	wide := *sparse
	wide.Cols = 300 * 300
	wide.Sparse = &rank.CSR{Offsets: sparse.Sparse.Offsets, Values: sparse.Sparse.Values}
	for _, j := range sparse.Sparse.Columns {
		wide.Sparse.Columns = append(wide.Sparse.Columns, 300*j)
	}
	weights := make([]float64, d.Queries())
	for q := range weights {
		weights[q] = float64(q%4) / 3
	}
	own := *d
	own.QueryWeights = weights
	valid := synth.Config{Seed: 2, Part: 1, Rows: 500, Cols: 7}.Dataset()
	validGlob := &Data{Glob: shards(t, valid, 2)}
	for _, c := range []struct {
		name  string
		d     *rank.Dataset
		s     rank.RankSVM
		o     SVMOptions
		files []int
	}{
		{"squared hinge", d, rank.RankSVM{C: .01}, SVMOptions{}, []int{1, 3, 7, 16}},
		{"hinge", d, rank.RankSVM{C: .01, Loss: "hinge", Tol: 1e-2}, SVMOptions{Pairs: "label"}, []int{3}},
		{"logistic", d, rank.RankSVM{PerQuery: true, Loss: "logistic", Tol: 1e-3}, SVMOptions{Pairs: "gain"},
			[]int{3}},
		{"long query", long, rank.RankSVM{C: 1e-4, Tol: 1e-3}, SVMOptions{}, []int{1, 4, 5}},
		{"standardized", d, rank.RankSVM{C: .01, Standardize: true, NonNegative: []int{0, 2}, Unpenalized: []int{1},
			Tol: 1e-3}, SVMOptions{}, []int{5}},
		{"sparse", sparse, rank.RankSVM{C: .1, Standardize: true, Tol: 1e-2}, SVMOptions{}, []int{5}},
		{"wide", &wide, rank.RankSVM{C: .1, Standardize: true, Tol: 1e-2}, SVMOptions{}, []int{1, 5}},
		{"wide cross-validation", &wide, rank.RankSVM{Tol: 1e-1}, SVMOptions{Cs: []float64{1e-3, 1e-1},
			Folds: 2}, []int{3}},
		{"weights", d, rank.RankSVM{C: .01, Tol: 1e-3}, SVMOptions{QueryWeights: weights}, []int{5}},
		{"own weights", &own, rank.RankSVM{C: .01, Tol: 1e-3}, SVMOptions{}, []int{1}},
		{"path", d, rank.RankSVM{Tol: 1e-2}, SVMOptions{Cs: []float64{1e-3, 1e-5}}, []int{3}},
		{"cross-validation", d, rank.RankSVM{Tol: 1e-2}, SVMOptions{Cs: []float64{1e-3, 1e-5}, Folds: 2,
			QueryWeights: weights}, []int{3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v *rank.Dataset
			job, metrics := Job{}, ""
			if c.name == "path" {
				v, job.Valid, metrics = valid, validGlob, "tau-b,ndcg"
				job.Evaluator = testkit.Must(rank.NewEvaluator(metrics, rank.Options{}))
			}
			want := trainOne(t, c.d, v, c.s, c.o, metrics)
			for _, n := range c.files {
				func() {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(map[int]int{1: 8, 7: 1}[n]))
					var failed atomic.Int64
					interrupt = func(_ string, shard, attempt, steps int) error {
						if attempt == 1 && shard%3 == steps {
							failed.Add(1)
							return errors.New("injected")
						}
						return nil
					}
					dir := t.TempDir()
					j := job
					j.Data.Glob, j.WorkDir = shards(t, c.d, n), dir
					if c.d == &own { // text has no weights
						j.Data.Glob = filepath.Join(t.TempDir(), "own")
						if err := datafile.Save(j.Data.Glob, c.d); err != nil {
							t.Fatal(err)
						}
					}
					begin := time.Now()
					m, path, done, err := j.TrainRankSVM(t.Context(), &c.s, c.o)
					if err != nil {
						t.Fatalf("%s, %d files: %v", c.name, n, err)
					}
					if got := svmBits(m, path); got != want {
						t.Errorf("%s, %d files: %s\nwant %s", c.name, n, got, want)
					}
					if failed.Load() == 0 || done.Files != n || done.Rows != c.d.Rows() ||
						done.Passes[0].Name != "read" {
						t.Errorf("%s, %d files: %d failures, %+v", c.name, n, failed.Load(), done)
					}
					checkFiles(t, dir, 0)
					t.Logf("%s, %d files: %d passes in %v", c.name, n, len(done.Passes), time.Since(begin))
				}()
			}
		})
	}
}

// This test uses the direct runner, files of different widths in memory, and column names.
func TestRankSVMInMemory(t *testing.T) {
	d := whole()
	texts := []*rank.Dataset{filePart(t, d, 0, 3).WithColumns(4), filePart(t, d, 1, 3),
		filePart(t, d, 2, 3).WithColumns(0)}
	for i, p := range texts {
		var b strings.Builder
		if err := data.WriteLETOR(&b, p); err != nil {
			t.Fatal(err)
		}
		memfs.Write(fmt.Sprintf("memfs://svm/part-%d", i), []byte(b.String()))
	}
	want := trainOne(t, rank.Concat(texts...), nil, rank.RankSVM{Tol: 1e-3, Standardize: true}, SVMOptions{}, "")
	j := &Job{Data: Data{Glob: "memfs://svm/part-*"}, WorkDir: "memfs://svmwork",
		Run: func(ctx context.Context, p *beam.Pipeline) error {
			_, err := beam.Run(ctx, "direct", p)
			return err
		}}
	var seen []string
	j.OnPass = func(p Pass) { seen = append(seen, p.Name) }
	m, _, done, err := j.TrainRankSVM(t.Context(), &rank.RankSVM{Tol: 1e-3, Standardize: true}, SVMOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := svmBits(m, nil); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if text := strings.Join(seen, " "); !strings.HasPrefix(text, "read variances sample gradient") ||
		len(seen) != len(done.Passes) {
		t.Errorf("passes: %s", text)
	}
	system, err := filesystem.New(t.Context(), "memfs://svmwork")
	if err != nil {
		t.Fatal(err)
	}
	if list, err := system.List(t.Context(), "memfs://svmwork/*"); err != nil || len(list) > 0 {
		t.Errorf("left %q, %v", list, err)
	}

	// All files must have the same names.
	dir := t.TempDir()
	for i, names := range []string{"a b c d e f g h i", "a b c d e f g h i", "b a c d e f g h i"} {
		p := filePart(t, d, i, 3)
		p.Names = strings.Fields(names)
		if err := datafile.Save(fmt.Sprintf("%s/%d", dir, i), p); err != nil {
			t.Fatal(err)
		}
	}
	j = &Job{Data: Data{Glob: dir + "/[01]"}}
	if m, _, _, err = j.TrainRankSVM(t.Context(), &rank.RankSVM{Tol: 0.1}, SVMOptions{}); err != nil ||
		strings.Join(m.FeatureNames, " ") != "a b c d e f g h i" {
		t.Errorf("%v, %+v", err, m)
	}
	j.Data.Glob = dir + "/?"
	if _, _, _, err = j.TrainRankSVM(t.Context(), &rank.RankSVM{}, SVMOptions{}); err == nil ||
		!strings.Contains(err.Error(), "all files must have the same column names") {
		t.Error(err)
	}

	// Row weights are rejected.
	d.Weights = make([]float64, d.Rows())
	j.Data.Glob = binaryShards(t, d, 2)
	_, _, _, err = j.TrainRankSVM(t.Context(), &rank.RankSVM{}, SVMOptions{})
	if err == nil || !strings.Contains(err.Error(), "row weights are not supported for RankSVM on Beam") {
		t.Error(err)
	}
}

// Training keeps the data that it has read in StateDir, and reuses it if the files are unchanged.
func TestRankSVMState(t *testing.T) {
	dir := write(t, "1 qid:1 1:1\n0 qid:1 1:2\n", "1 qid:2 2:1\n0 qid:2 1:1\n")
	j := &Job{Data: Data{Glob: dir + "/*"}, StateDir: filepath.Join(t.TempDir(), "state")}
	run := func(first string) *rank.Linear {
		t.Helper()
		m, _, done, err := j.TrainRankSVM(t.Context(), &rank.RankSVM{}, SVMOptions{})
		if err != nil || done.Passes[0].Name != first {
			t.Fatalf("%v, %+v, want %s first", err, done, first)
		}
		checkFiles(t, j.StateDir, 3)
		return m
	}
	want := svmBits(run("read"), nil)
	if got := svmBits(run("sample"), nil); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if err := os.WriteFile(dir+"/b.txt", []byte("1 qid:2 2:1\n0 qid:2 1:1 2:3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := svmBits(run("read"), nil); got == want {
		t.Error("another file gives the same model")
	}
	// A training that ends while it reads rows leaves no index of rows that it has replaced.
	other := *j
	other.Data.Glob = write(t, "1 qid:1 1:3\n0 qid:1 1:1\n", "1 qid:2 x\n") + "/*"
	if _, _, _, err := other.TrainRankSVM(t.Context(), &rank.RankSVM{}, SVMOptions{}); err == nil {
		t.Error("trained on wrong data")
	}
	run("read")
	os.Remove(j.StateDir + "/rows-1")
	run("read")
	os.WriteFile(j.StateDir+"/ranksvm", []byte("junk"), 0o666)
	run("read")
	j.Data.MaxFeature = 9
	run("read")
	run("sample")
}

func TestRankSVMErrors(t *testing.T) {
	const good = "1 qid:1 1:1\n0 qid:1 1:2\n"
	null := float32(math.NaN())
	for _, c := range []struct {
		name, want string
		s          rank.RankSVM
		o          SVMOptions
		metrics    string
		texts      []string
	}{
		{name: "a wrong value", texts: []string{good, "1 qid:2 1:1\n0 qid:2 1:x\n"},
			want: `DIR/b.txt:2:9: the feature value is not a number: "1:x"`},
		{name: "a query in two files", texts: []string{good, good},
			want: "DIR/b.txt:1: the query also has rows at DIR/a.txt:1; "},
		{name: "a missing feature", texts: []string{good, "1 qid:2 1:1\n0 qid:2 1:NULL\n"},
			want: "DIR/b.txt:2: feature 1 is NaN"},
		{name: "one label", texts: []string{"1 qid:1 1:1\n1 qid:1 1:2\n", "1 qid:2 1:1\n"},
			want: "DIR/*: cannot train: no query with a positive weight has documents with different labels"},
		{name: "no features", texts: []string{"1 qid:1\n0 qid:1\n"}, want: "DIR/*: the dataset has no features"},
		{name: "weights", o: SVMOptions{QueryWeights: []float64{1, 2}}, texts: []string{good},
			want: "the number of query weights is 2; it must be 1, one per query in DIR/*"},
		{name: "a gain", o: SVMOptions{Pairs: "gain"}, texts: []string{good, "1 qid:3 1:1\n2000 qid:3 1:2\n"},
			want: "DIR/b.txt:2: the gain of label 2000 is +Inf"},
		{name: "a setting", s: rank.RankSVM{C: -1}, texts: []string{good},
			want: "DIR/*: C is -1; it must be positive"},
		{name: "folds", o: SVMOptions{Cs: []float64{1e-3, 1}, Folds: 2}, texts: []string{good},
			want: "DIR/*: the number of folds is 2; it must be from 2 to the number of queries, 1"},
		{name: "a label", o: SVMOptions{Folds: 2, Cs: []float64{1}}, metrics: "err",
			texts: []string{good, "# a comment\n5 qid:7 1:1\n0 qid:7 1:2\n"},
			want:  "DIR/b.txt: query 7: document 1: label 5 exceeds 4, the highest label that err supports"},
		{name: "a function", s: rank.RankSVM{Gain: rank.ExpGain}, texts: []string{good},
			want: "RankSVM.Gain is not supported"},
		{name: "an enumeration", o: SVMOptions{Pairs: "x"}, texts: []string{good},
			want: "SVMOptions.Pairs: x: must be equal, label or gain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, work := write(t, c.texts...), t.TempDir()
			j := &Job{Data: Data{Glob: dir + "/*", NullAs: &null}, WorkDir: work}
			if c.metrics != "" {
				j.Evaluator = testkit.Must(rank.NewEvaluator(c.metrics, rank.Options{}))
			}
			_, _, _, err := j.TrainRankSVM(t.Context(), &c.s, c.o)
			if want := strings.ReplaceAll(c.want, "DIR", dir); err == nil || strings.Contains(err.Error(), "\n") ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %s", c.name, err, want)
			}
			checkFiles(t, work, 0)
		})
	}
}

// Persistent failures and cancellation end a training soon and leave no files.
func TestRankSVMFailures(t *testing.T) {
	t.Cleanup(func() { interrupt = nil })
	work := t.TempDir()
	j := &Job{Data: Data{Glob: shards(t, whole(), 3)}, WorkDir: work}
	interrupt = func(task string, shard, _, _ int) error {
		if task == "gradient" && shard == 0 {
			return errors.New("the disk is gone")
		}
		return nil
	}
	if _, _, _, err := j.TrainRankSVM(t.Context(), &rank.RankSVM{}, SVMOptions{}); err == nil ||
		!strings.Contains(err.Error(), "the disk is gone") {
		t.Error(err)
	}
	checkFiles(t, work, 0)

	valid := write(t, "1 qid:1 1:1\n0 qid:1 1:2\n") + "/a.txt"
	for _, at := range []string{"gradient", "evaluate"} {
		t.Run(at, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			release := make(chan struct{})
			interrupt = func(task string, _, _, _ int) error {
				if task == at {
					cancel()
					<-release
				}
				return nil
			}
			j.Valid = &Data{Glob: valid}
			var o SVMOptions
			if at == "evaluate" {
				o.Cs = []float64{1e-3}
			}
			_, _, _, err := j.TrainRankSVM(ctx, &rank.RankSVM{}, o)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", at, err)
			}
			close(release)
			if list, err := os.ReadDir(work); err != nil || len(list) > 0 {
				t.Errorf("%s: left %v, %v", at, list, err)
			}
		})
	}
}

package rankbeam

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // after Init, which sets one, too
	temp, err := os.MkdirTemp("", "rankbeam-")     // the SDK leaves a file there for each pipeline
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", temp)
	code := m.Run()
	os.RemoveAll(temp)
	os.Exit(code)
}

// everyMetric contains the metrics with per-query values and the pooled one.
const everyMetric = "ndcg@3,ndcg,map,mrr,err,rbp(0.9),tau-b,auc,pair-accuracy,pair-accuracy-pooled"

// whole is the data of most tests.
func whole() *rank.Dataset { return synth.Config{Seed: 1, Rows: 700, Cols: 9, MaxDocs: 15}.Dataset() }

// linear and trees are models of these data.
func linear(cols int) System {
	weights := make([]float64, cols)
	for j := range weights {
		weights[j] = 1 / float64(3*j+1)
	}
	return System{"linear", &rank.Linear{Weights: weights, Intercept: 0.1}}
}

func trees(t testing.TB, d *rank.Dataset) System {
	t.Helper()
	m, err := trainer(func(o *lambdamart.Trainer) { o.Trees, o.Leaves = 5, 6 }).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return System{"trees", m.Model}
}

// filePart returns the queries of file i of n.
func filePart(t testing.TB, d *rank.Dataset, i, n int) *rank.Dataset {
	t.Helper()
	var list []int
	for q := i * d.Queries() / n; q < (i+1)*d.Queries()/n; q++ {
		list = append(list, q)
	}
	p, err := d.SubsetQueries(list)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shards writes d to n files, of every kind in turn, and returns their pattern.
func shards(t testing.TB, d *rank.Dataset, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		p := filePart(t, d, i, n)
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w, pack, write := io.Writer(&b), i/2%2 == 1, data.WriteLETOR
		if pack {
			w = z
		}
		if i%2 == 1 {
			write = datafile.Write
		}
		if err := write(w, p); err != nil {
			t.Fatal(err)
		}
		if pack {
			z.Close()
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%03d", i)), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "part-*")
}

// outputs returns the concatenated output files of a name. It checks that there are n of them and
// no other files in the folder.
func outputs(t *testing.T, out string, n int) string {
	t.Helper()
	var all strings.Builder
	for i := range n {
		b, err := os.ReadFile(fmt.Sprintf("%s-%05d-of-%05d", out, i, n))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	checkFiles(t, filepath.Dir(out), n)
	return all.String()
}

// checkFiles checks the number of files in a folder.
func checkFiles(t *testing.T, dir string, n int) {
	t.Helper()
	if list, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(list) != n {
		t.Errorf("%d files, want %d: %q, %v", len(list), n, list, err)
	}
}

// results are the results of all tasks, as text that shows every bit.
type results struct{ scores, means, queries, table, about string }

// onOne returns the results of the library on one machine.
func onOne(t *testing.T, d *rank.Dataset, a, b System) (r results) {
	t.Helper()
	ctx := t.Context()
	var systems []compare.System
	for _, s := range []System{a, b} {
		metrics := strings.ReplaceAll(everyMetric, ",pair-accuracy-pooled", "")
		res, err := rank.Evaluate(ctx, s.Model, d, metrics, rank.Options{})
		if err != nil {
			t.Fatal(err)
		}
		systems = append(systems, compare.System{Name: s.Name, Results: res})
	}
	scores := make([]float64, d.Rows())
	if err := a.Model.ScoreInto(ctx, scores, d); err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		r.scores += strconv.FormatFloat(s, 'g', -1, 64) + "\n"
	}
	res, err := rank.Evaluate(ctx, a.Model, d, everyMetric, rank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.means = means(res)
	for q, id := range d.QueryIDs {
		line := map[string]any{"query": id}
		for _, m := range res.Metrics {
			if line[m.Metric.String()] = m.Values[q]; math.IsNaN(m.Values[q]) {
				line[m.Metric.String()] = nil
			}
		}
		text, _ := json.Marshal(line)
		r.queries += string(text) + "\n"
	}
	table, err := compare.Compare(ctx, systems, compare.Options{Rounds: 200})
	if err != nil {
		t.Fatal(err)
	}
	r.table = tableText(t, table)
	about, err := data.Describe(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	about.Duplicates = -1
	r.about = fmt.Sprintf("%+v", about)
	return r
}

func means(r *rank.Results) string {
	var s strings.Builder
	for _, m := range r.Metrics {
		fmt.Fprintf(&s, "%v %x %d %d\n", m.Metric, math.Float64bits(m.Mean), m.Counted, m.Skipped)
	}
	return s.String()
}

func tableText(t *testing.T, c *compare.Table) string {
	t.Helper()
	var b strings.Builder
	if err := c.Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// onMany returns the results of pipelines: only scores and means, unless all are requested.
func onMany(t *testing.T, j *Job, n int, a, b System, all bool) (r results) {
	t.Helper()
	ctx := t.Context()
	out := filepath.Join(t.TempDir(), "scores")
	if _, err := j.Predict(ctx, a, out); err != nil {
		t.Fatal(err)
	}
	r.scores = outputs(t, out, n)
	out = filepath.Join(t.TempDir(), "queries")
	j.Evaluator = testkit.Must(rank.NewEvaluator(everyMetric, rank.Options{}))
	res, pass, err := j.Evaluate(ctx, a, out)
	if err != nil {
		t.Fatal(err)
	}
	if pass.Files != n || pass.Rows == 0 || pass.Queries == 0 || pass.Bytes == 0 || pass.Seconds == 0 {
		t.Errorf("the pass: %+v", pass)
	}
	r.means, r.queries = means(res), outputs(t, out, n)
	if !all {
		return r
	}
	unpooled := strings.ReplaceAll(everyMetric, ",pair-accuracy-pooled", "")
	j.Evaluator = testkit.Must(rank.NewEvaluator(unpooled, rank.Options{}))
	table, _, err := j.Compare(ctx, []System{a, b}, compare.Options{Rounds: 200})
	if err != nil {
		t.Fatal(err)
	}
	r.table = tableText(t, table)
	about, _, err := j.Describe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r.about = fmt.Sprintf("%+v", about)
	return r
}

func checkSame(t *testing.T, got, want results, format string, args ...any) {
	t.Helper()
	for i := range reflect.TypeFor[results]().NumField() {
		name := reflect.TypeFor[results]().Field(i).Name
		if g, w := reflect.ValueOf(got).Field(i).String(), reflect.ValueOf(want).Field(i).String(); g != w && g != "" {
			t.Errorf("%s: %s: %.400s\nwant %.400s", fmt.Sprintf(format, args...), name, g, w)
		}
	}
}

// workOn makes an attempt at a task with a file. It returns the result and the chunks that were
// read.
func workOn[R any](ctx context.Context, task string, plan any, f file) (result R, read size, err error) {
	do, err := tasks[task].begin(encode(plan))
	if err != nil {
		return result, read, err
	}
	a := &attempt{task: task, number: 1, ids: map[int]*shardIDs{}}
	v, err := a.do(ctx, do, encode(f))
	if err == nil {
		result, err = decode[R](encode(v))
	}
	return result, a.size, err
}

// smallPieces makes chunks of data files small.
func smallPieces(t *testing.T) {
	before := pieceValues
	pieceValues = 300
	t.Cleanup(func() { pieceValues = before })
}

// Results are bit-identical to one machine, for any number of files and threads and any chunk size,
// even if the first attempt at every third file fails half-way.
func TestShards(t *testing.T) {
	d := whole()
	a, b := trees(t, d), linear(d.Cols)
	want := onOne(t, d, a, b)
	smallPieces(t)
	t.Cleanup(func() { interrupt = nil })
	for _, n := range []int{1, 3, 7, 16} {
		j := &Job{Data: Data{Glob: shards(t, d, n)}}
		for _, threads := range []int{1, 2, 8} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			var failed atomic.Int64 // workers run at the same time
			interrupt = func(_ string, shard, attempt, steps int) error {
				if shard%3 == 2 && attempt == 1 && steps > 1 || shard%3 == 0 && attempt < attempts {
					failed.Add(1)
					return errors.New("injected")
				}
				return nil
			}
			checkSame(t, onMany(t, j, n, a, b, threads == 8), want, "%d files, %d threads", n, threads)
			if failed.Load() == 0 {
				t.Error("nothing failed")
			}
		}
	}
}

// Every option reaches the workers: presets and single options.
func TestPolicies(t *testing.T) {
	d := whole()
	d.DocIDs = make([]string, d.Rows())
	for i := range d.DocIDs {
		if i%7 < 5 { // a data file may have ids of some rows
			d.DocIDs[i] = fmt.Sprint("doc", i*7919%1000)
		}
	}
	s := linear(d.Cols)
	for j := range s.Model.(*rank.Linear).Weights { // for ties
		s.Model.(*rank.Linear).Weights[j] = 0
	}
	j := &Job{Data: Data{Glob: shards(t, d, 3)}}
	for _, opts := range []rank.Options{
		{Preset: "trec_eval"}, {Preset: "lightgbm", Ties: "pessimistic", Empty: "nan"},
		{GainTable: rank.GainTable{0, 1, 5, 6, 7}, Discount: "letor", MaxLabel: 9, NaNLast: true,
			JudgedOnly: true, Ties: "key"},
	} {
		t.Run(fmt.Sprintf("%+v", opts), func(t *testing.T) {
			want, err := rank.Evaluate(t.Context(), s.Model, d, everyMetric, opts)
			if err != nil {
				t.Fatal(err)
			}
			j.Evaluator = testkit.Must(rank.NewEvaluator(everyMetric, opts))
			got, _, err := j.Evaluate(t.Context(), s, "")
			if err != nil {
				t.Fatal(err)
			}
			if means(got) != means(want) {
				t.Errorf("%v: %s\nwant %s", opts, means(got), means(want))
			}
		})
	}
	j.Data.Glob = shards(t, whole(), 2)
	j.Evaluator = testkit.Must(rank.NewEvaluator(everyMetric, rank.Options{Preset: "trec_eval"}))
	if _, _, err := j.Evaluate(t.Context(), s, ""); err == nil ||
		!strings.Contains(err.Error(), "the data has no document IDs") {
		t.Errorf("ids by which to order: %v", err)
	}
}

// This test uses the direct runner, files in memory, and a work folder that must remain unchanged.
func TestInMemory(t *testing.T) {
	const text = "1 qid:%d 1:%d 3:2\n0 qid:%[1]d 2:1\n"
	for i := range 3 {
		memfs.Write(fmt.Sprintf("memfs://data/part-%d", i), fmt.Appendf(nil, text, i, i))
	}
	var b bytes.Buffer // and a binary file
	if err := datafile.Write(&b, filePart(t, whole(), 0, 9).WithColumns(3)); err != nil {
		t.Fatal(err)
	}
	memfs.Write("memfs://data/part-3", b.Bytes())
	ran := 0
	j := &Job{Data: Data{Glob: "memfs://data/part-?"}, WorkDir: "memfs://work/",
		Run: func(ctx context.Context, p *beam.Pipeline) error {
			ran++
			_, err := beam.Run(ctx, "direct", p)
			return err
		}}
	pass, err := j.Predict(t.Context(), linear(3), "memfs://out/scores")
	if err != nil || ran != 1 || pass.Files != 4 {
		t.Fatalf("%v, %+v, ran %d", err, pass, ran)
	}
	system, err := filesystem.New(t.Context(), "memfs://out")
	if err != nil {
		t.Fatal(err)
	}
	scores, err := filesystem.Read(t.Context(), system, "memfs://out/scores-00001-of-00004")
	if want := "1.3857142857142857\n0.35\n"; err != nil || string(scores) != want {
		t.Errorf("%v, %q, want %q", err, scores, want)
	}
	for dir, want := range map[string]int{"memfs://work/*/*": 0, "memfs://work/*": 0, "memfs://out/*": 4} {
		if list, err := system.List(t.Context(), dir); err != nil || len(list) != want {
			t.Errorf("%s: %q, %v", dir, list, err)
		}
	}
}

// write puts texts into files a.txt, b.txt, … of a new folder.
func write(t *testing.T, texts ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".txt"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Invalid data causes one error with the file and the line, and nothing is written.
func TestErrors(t *testing.T) {
	const good = "1 qid:1 1:1\n0 qid:1 1:2\n"
	packed := bytes.NewBufferString(testkit.Gzip(strings.Repeat(strings.ReplaceAll(good, "qid:1", "qid:2"), 9)))
	binary := func(spoil func(b []byte)) string {
		var b bytes.Buffer
		if err := datafile.Write(&b, filePart(t, whole(), 3, 9)); err != nil {
			t.Fatal(err)
		}
		spoil(b.Bytes())
		return b.String()
	}
	out := filepath.Join(t.TempDir(), "out")
	wide := linear(2)
	for _, c := range []struct {
		name, want string
		texts      []string
		predict    bool
	}{
		{name: "a wrong value", texts: []string{good, "1 qid:2 1:1\n1 qid:2 1:x\n", "y"}, predict: true,
			want: "DIR/b.txt:2:9: the feature value is not a number: \"1:x\""},
		{name: "the first of three", texts: []string{"1 qid:7 2:1 1:1\n", "y", "z"}, predict: true,
			want: "DIR/a.txt:1:13: the feature index must be greater than the previous index, 2: \"1:1\""},
		{name: "an empty file", texts: []string{good, ""}, want: "DIR/b.txt:1: the file contains no documents",
			predict: true},
		{name: "a query in two files", texts: []string{good, "1 qid:2 1:1\n", "1 qid:3 1:1\n1 qid:1 1:1\n"},
			want: "DIR/c.txt:2: the query also has rows at DIR/a.txt:1; all rows of a query must be in one file: \"1\""},
		{name: "a query in three files", texts: []string{good, good, good},
			want: "DIR/b.txt:1: the query also has rows at DIR/a.txt:1; all rows of a query must be in one file: \"1\""},
		{name: "a query in two parts", texts: []string{good + "1 qid:2 1:1\n" + good},
			want: "DIR/a.txt:4: the query is not contiguous: its previous rows ended at line 2: \"1\""},
		{name: "no queries", texts: []string{good, "1 1:1\n"}, want: "DIR/b.txt:1:3: the rows have no qid:… after the label, and no group sizes are given: \"1:1\""},
		{name: "a feature too many", texts: []string{good, "1 qid:2 3:1\n"}, predict: true,
			want: "DIR/b.txt: found features up to 3, but linear has features up to 2 (change the option IgnoreExtraFeatures)"},
		{name: "a label", texts: []string{good, "-1 qid:2 1:1\n"},
			want: "DIR/b.txt:1: label -1 must not be negative (change the option NegativeUnjudged)"},
		{name: "an identifier that is not UTF-8", texts: []string{good, "1 qid:\xe9 1:1\n"},
			want: `DIR/b.txt:1: an identifier in JSON must be UTF-8, not "\xe9" (re-encode the file`},
		{name: "compressed and cut", texts: []string{good, packed.String()[:packed.Len()-9]}, predict: true,
			want: "DIR/b.txt:19: the file is truncated: the compressed data end early"},
		{name: "a binary file with another byte", predict: true,
			texts: []string{good, binary(func(b []byte) { b[9] = 99 })}, want: "DIR/b.txt: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, c.texts...)
			for _, predicts := range []bool{true, false} {
				j := &Job{Data: Data{Glob: dir + "/*"}}
				var err error
				if predicts {
					_, err = j.Predict(t.Context(), wide, out)
				} else {
					_, _, err = j.Evaluate(t.Context(), wide, out)
				}
				if predicts && !c.predict {
					if err != nil {
						t.Errorf("%s: %v", c.name, err)
					}
					removeAll(out + "-*")
					continue
				}
				want := strings.ReplaceAll(c.want, "DIR", dir)
				if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%s, predicts %v: %v\nwant %s", c.name, predicts, err, want)
				}
				checkFiles(t, filepath.Dir(out), 0)
			}
		})
	}
	option := (*rank.OptionError)(nil)
	_, _, err := (&Job{Data: Data{Glob: write(t, "1 qid:1 0:1\n") + "/*"}}).Describe(t.Context())
	if !errors.As(err, &option) || option.Option != "ZeroBased" || !strings.Contains(err.Error(), option.Error()) {
		t.Errorf("%v: %v", err, option)
	}
	for _, j := range []*Job{{Data: Data{Glob: out + "*"}}, {Data: Data{Glob: "nofs://x"}}} {
		t.Run(j.Data.Glob, func(t *testing.T) {
			if _, _, err := j.Describe(t.Context()); err == nil || !strings.Contains(err.Error(), j.Data.Glob) {
				t.Errorf("%s: %v", j.Data.Glob, err)
			}
		})
	}
}

// A persistent failure returns the error of the worker and leaves no files.
func TestFailures(t *testing.T) {
	t.Cleanup(func() { interrupt = nil })
	dir, out := write(t, "1 qid:1 1:1\n", "1 qid:2 1:1\n"), filepath.Join(t.TempDir(), "out")
	j := &Job{Data: Data{Glob: dir + "/*"}}
	interrupt = func(_ string, shard, _, _ int) error {
		if shard == 1 {
			return errors.New("the disk is gone")
		}
		return nil
	}
	if _, err := j.Predict(t.Context(), linear(1), out); err == nil || err.Error() != "the disk is gone" {
		t.Errorf("%v", err)
	}
	checkFiles(t, filepath.Dir(out), 0)

	interrupt = nil
	if _, err := j.Predict(t.Context(), linear(1), filepath.Join(dir, "a.txt", "out")); err == nil {
		t.Error("a file passes for a folder")
	}

	// Cancellation ends a pass even if its workers never end.
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	interrupt = func(string, int, int, int) error {
		cancel()
		<-release
		return nil
	}
	ended := make(chan error)
	go func() {
		_, err := j.Predict(ctx, linear(1), out)
		ended <- err
	}()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
}

// Files of another run are replaced, unless some of them would remain.
func TestOtherOutputs(t *testing.T) {
	dir := t.TempDir()
	out := dir + "/out[1]"
	j := &Job{Data: Data{Glob: write(t, "1 qid:1 1:1\n", "1 qid:2 1:1\n") + "/*"}}
	for _, c := range []struct {
		name string
		ok   bool
	}{
		{"out[1]-00000-of-00002", true}, {"out[1]-00009-of-00002", true}, {"out[1]-other-00000-of-00003", true},
		{"xout[1]-00000-of-00003", true}, {"out[1]-00002-of-00003.txt", true}, {"out[1]-x-of-y", true},
		{"out1-00000-of-00003", true}, {"out[1]-00002-of-00003", false},
		{"out[1]-00000-of-99999999999999999999", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(dir, c.name)
			if err := os.WriteFile(name, []byte("other"), 0o666); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				_, _, err := j.Evaluate(t.Context(), linear(1), out)
				if c.ok != (err == nil) ||
					err != nil && !strings.HasPrefix(err.Error(), name+": already exists from a run") {
					t.Errorf("%s: %v", c.name, err)
				}
			}
			os.Remove(name)
		})
	}
	if got, err := os.ReadFile(out + "-00000-of-00002"); err != nil || !strings.HasPrefix(string(got), "{") {
		t.Errorf("%s, %v", got, err)
	}
	text, err := os.ReadFile(out + "-00000-of-00002")
	if err != nil {
		t.Fatal(err)
	}
	j.Data.Glob = quote(out) + "-*"
	want := "the output " + dir + "/./out[1]-00000-of-00002 would replace an input"
	if _, err := j.Predict(t.Context(), linear(1), dir+"/./out[1]"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if kept, err := os.ReadFile(out + "-00000-of-00002"); err != nil || !bytes.Equal(kept, text) {
		t.Errorf("%s, %v", kept, err)
	}
	if _, err := j.Predict(t.Context(), linear(1), ""); err == nil {
		t.Error("scores go to files without a name")
	}
}

// shuffled runs pipelines with their elements in random order.
func shuffled(t *testing.T, r *rand.Rand) func(context.Context, *beam.Pipeline) error {
	return func(ctx context.Context, p *beam.Pipeline) error {
		edges, _, err := p.Build()
		if err != nil {
			return err
		}
		n := 0
		for _, e := range edges {
			if e.DoFn == nil || e.DoFn.Recv == nil { // beam.Create's has the elements in a field
				continue
			}
			if fn := reflect.Indirect(reflect.ValueOf(e.DoFn.Recv)); fn.Type().Name() == "createFn" {
				values := fn.FieldByName("Values").Interface().([][]byte)
				r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
				n += len(values)
			}
		}
		if n == 0 {
			t.Error("the pipeline has no elements")
		}
		return beamx.Run(ctx, p)
	}
}

// Results are bit-identical to one machine for any order in which files are processed and results
// are merged.
func TestOrder(t *testing.T) {
	d := whole()
	a, b := trees(t, d), linear(d.Cols)
	want := onOne(t, d, a, b)
	glob := shards(t, d, 7)
	for seed := range uint64(3) {
		j := &Job{Data: Data{Glob: glob}, Run: shuffled(t, rand.New(rand.NewPCG(seed, 0)))}
		checkSame(t, onMany(t, j, 7, a, b, true), want, "seed %d", seed)
	}

	smallPieces(t)
	files, err := (&Data{Glob: glob}).files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := testkit.Must(rank.NewEvaluator(everyMetric, rank.Options{}))
	m, err := sendModel(a.Model)
	if err != nil {
		t.Fatal(err)
	}
	type whole struct {
		About about
		Size  size
		Means []num.ExactMean
	}
	var parts [][]byte
	for _, f := range files {
		about, size, err := workOn[about](t.Context(), "describe", 0, f)
		if err != nil {
			t.Fatal(err)
		}
		plan := &scorePlan{Models: []*sentModel{m}, Names: []string{a.Name}, Evaluator: e}
		scored, _, err := workOn[part](t.Context(), "evaluate", plan, f)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, encode(&whole{about, size, scored.Means}))
	}
	r := rand.New(rand.NewPCG(1, 0))
	for range 20 { // random trees
		list := make([]whole, len(parts))
		for i := range list {
			if list[i], err = decode[whole](parts[i]); err != nil {
				t.Fatal(err)
			}
		}
		for len(list) > 1 {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			to, from := &list[0], &list[len(list)-1]
			to.Size.add(from.Size)
			to.About.merge(&from.About)
			for i := range to.Means {
				to.Means[i].Merge(&from.Means[i])
			}
			list = list[:len(list)-1]
		}
		res := &rank.Results{}
		for i, m := range e.Metrics() {
			mean := &list[0].Means[i]
			res.Metrics = append(res.Metrics, rank.MetricResult{Metric: m, Mean: mean.Value(), Counted: mean.Counted,
				Skipped: mean.Skipped})
		}
		got := results{means: means(res), about: fmt.Sprintf("%+v", list[0].About.description())}
		checkSame(t, got, want, "a random tree")
		if n := list[0].Size; n != (size{d.Queries(), d.Rows(), d.Cols, d.Absent}) {
			t.Errorf("%+v", n)
		}
	}
}

// Work on a mapped file, which is not read through the context, ends at the next chunk.
func TestCancelledWork(t *testing.T) {
	smallPieces(t)
	t.Cleanup(func() { interrupt = nil })
	name := filepath.Join(t.TempDir(), "d.simdrank")
	if err := datafile.Save(name, whole()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	last := 0
	interrupt = func(_ string, _, _, steps int) error {
		if last = steps; steps == 1 {
			cancel()
		}
		return nil
	}
	_, _, err := workOn[about](ctx, "describe", 0, file{Path: name})
	if !errors.Is(err, context.Canceled) || last != 1 {
		t.Errorf("%v after %d pieces", err, last)
	}
}

// This test uses data files with named columns in another order than the model's, wide and narrow
// files, and NaN.
func TestColumns(t *testing.T) {
	d := whole()
	d.Names = strings.Fields("a b c d e f g h i")
	m := &rank.Linear{Weights: []float64{1, 2}, FeatureNames: []string{"i", "b"}}
	j := &Job{Data: Data{Glob: shards(t, d, 2)}} // one of them is text, which has no names
	j.Data.Glob = strings.ReplaceAll(j.Data.Glob, "part-*", "part-001")
	out := filepath.Join(t.TempDir(), "scores")
	if _, err := j.Predict(t.Context(), System{"m.json", m}, out); err == nil ||
		!strings.Contains(err.Error(), `part-001: m.json has no feature named "a" (change the option IgnoreExtraFeatures)`) {
		t.Error(err)
	}
	j.IgnoreExtraFeatures = true
	if _, err := j.Predict(t.Context(), System{"m.json", m}, out); err != nil {
		t.Fatal(err)
	}
	p := filePart(t, d, 1, 2)
	want := m.Score([]float32{p.Row(0)[8], p.Row(0)[1]})
	if got := outputs(t, out, 1); !strings.HasPrefix(got, strconv.FormatFloat(want, 'g', -1, 64)+"\n") {
		t.Errorf("%.40s, want %v", got, want)
	}

	// Files with different widths are described like the whole dataset.
	a, b := filePart(t, whole(), 0, 3), filePart(t, whole(), 1, 3).WithColumns(4)
	c := filePart(t, whole(), 2, 3).ToSparse()
	nan := float32(math.NaN())
	for i := range a.Rows() {
		a.Row(i)[2], a.Row(i)[8] = 0.5, nan
	}
	for i := range b.Rows() {
		b.Row(i)[2], b.Row(i)[3] = 0.5, nan
	}
	a.Absent, b.Absent, c.Absent = 5, 7, 9
	a.Names, b.Names = strings.Fields("a b c d e f g h i"), strings.Fields("a b c d")
	a.QueryWeights, b.Positions = slices.Repeat([]float64{2}, a.Queries()), slices.Repeat([]int32{1}, b.Rows())
	dir := t.TempDir()
	var parts []*rank.Dataset
	for i, p := range []*rank.Dataset{b, a, c} {
		t.Run(fmt.Sprint(i+1, " files"), func(t *testing.T) {
			if err := datafile.Save(fmt.Sprintf("%s/%d.simdrank", dir, i), p); err != nil {
				t.Fatal(err)
			}
			parts = append(parts, p)
			wantAbout, err := data.Describe(t.Context(), rank.Concat(parts...), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, pass, err := (&Job{Data: Data{Glob: dir + "/*"}}).Describe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if wantAbout.Duplicates = -1; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", wantAbout) {
				t.Errorf("%d files: %+v\nwant %+v", len(parts), got, wantAbout)
			}
			if pass.Cols != got.Cols || pass.Absent != got.Absent ||
				got.Weights != (i > 0) || got.Positions != (i == 0) ||
				!slices.Equal(got.Names, rank.Concat(parts...).Names) {
				t.Errorf("%d files: %+v, %+v", len(parts), got, pass)
			}
		})
	}
}

// This test covers text options, and rows without labels and queries.
func TestText(t *testing.T) {
	for _, c := range []struct {
		null float32
		want string
	}{{float32(math.NaN()), "NaN\n0.6\n3.1\n"}, {0, "1.1\n0.6\n3.1\n"}} {
		t.Run(fmt.Sprint(c.null), func(t *testing.T) {
			j := &Job{Data: Data{Glob: write(t, "0:1 1:NULL\n1:2\n", "# none\n0:3\n") + "/*", ZeroBased: true,
				NullAs: &c.null, MaxFeature: 2}}
			out := filepath.Join(t.TempDir(), "out")
			if _, err := j.Predict(t.Context(), linear(2), out); err != nil {
				t.Fatal(err)
			}
			if got := outputs(t, out, 2); got != c.want {
				t.Errorf("NULL as %v: %q", c.null, got)
			}
		})
	}
}

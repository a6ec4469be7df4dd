package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

func TestMain(m *testing.M) {
	switch role, port, _ := strings.Cut(os.Getenv("SIMDRANK_BEAM_TEST"), " "); role {
	case "prism":
		n, _ := strconv.Atoi(port)
		if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: n}); err != nil {
			panic(err)
		}
		select {} // until the test ends the process
	case "main":
		os.Args = append(os.Args[:1], strings.Fields(port)...)
		main()
	case "workers":
		os.Exit(run(context.Background(), []string{"workers", "--port", port}, os.Stdout, os.Stderr))
	}
	os.Exit(inOwnTemp(m.Run))
}

// command runs the program.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	code = run(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// setUp writes data to three files, and a linear and another model.
func setUp(t *testing.T) (dir string, d *rank.Dataset, m *rank.Linear) {
	t.Helper()
	dir = t.TempDir()
	d = synth.Config{Seed: 1, Rows: 200, Cols: 5, MaxDocs: 15}.Dataset()
	for i := range 3 {
		var part []int
		for q := i * d.Queries() / 3; q < (i+1)*d.Queries()/3; q++ {
			part = append(part, q)
		}
		p, err := d.SubsetQueries(part)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := data.WriteLETOR(&text, p); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(fmt.Sprintf("%s/part-%d.txt", dir, i), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m = &rank.Linear{Weights: []float64{1, -2, 3, 0, 1}}
	for name, m := range map[string]*rank.Linear{"a.json": m, "b.json": {Weights: []float64{1, 1, 1, 1, 1}}} {
		if err := model.Save(filepath.Join(dir, name), m); err != nil {
			t.Fatal(err)
		}
	}
	return dir, d, m
}

func TestCommands(t *testing.T) {
	dir, d, m := setUp(t)
	want, err := rank.Evaluate(t.Context(), m, d, "ndcg@10,err", rank.Options{Preset: "lightgbm", Ties: "pessimistic"})
	if err != nil {
		t.Fatal(err)
	}
	code, out, stderr := command(t, "eval", "-m", dir+"/a.json", "-d", dir+"/part-*", "--metric", "ndcg@10,err",
		"--preset", "lightgbm", "--ties", "pessimistic", "--format", "json", "--per-query", dir+"/q",
		"--runner", "prism")
	var got struct {
		Metrics map[string]struct{ Mean float64 }
		Pass    struct{ Rows int }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("%d, %v: %s%s", code, err, out, stderr)
	}
	for _, r := range want.Metrics {
		if got.Metrics[r.Metric.String()].Mean != r.Mean {
			t.Errorf("%v: %v, want %v", r.Metric, got.Metrics, r.Mean)
		}
	}
	if _, err := os.Stat(dir + "/q-00002-of-00003"); err != nil || got.Pass.Rows != d.Rows() ||
		!strings.HasPrefix(stderr, fmt.Sprintf("3 files, %d queries, %d documents in ", d.Queries(), d.Rows())) {
		t.Errorf("%v, %+v, %s", err, got, stderr)
	}
	for _, c := range []struct {
		args string
		want string
	}{
		{"predict -m DIR/a.json -d DIR/part-* -o DIR/scores --format json", `"files": 3`},
		{"eval -m DIR/a.json -d DIR/part-*", "ndcg@10  0."},
		{"compare -d DIR/part-* DIR/a.json DIR/b.json --rounds 50 --test t", "b.json"},
		{"compare -d DIR/part-* DIR/a.json DIR/b.json DIR/a.json --all-pairs --correction tukey-hsd --interval student " +
			"--rounds 50 --power 0.8", "HSD p"},
		{"compare -d DIR/part-* DIR/a.json DIR/b.json --test t --interval student --format csv", "b.json,"},
		{"describe -d DIR/part-*", fmt.Sprintf("documents            %d\n", d.Rows())},
		{"compare -d DIR/part-* DIR/a.json DIR/b.json --rounds 50 --format json", `"rows_per_second": `},
		{"runner-flags", "--endpoint"},
		{"--help", "number of files and workers"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.args), func(t *testing.T) {
			code, out, stderr := command(t, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
			if code != 0 || !strings.Contains(out, c.want) {
				t.Errorf("%s: %d, %s%s", c.args, code, out, stderr)
			}
		})
	}
	if scores, err := os.ReadFile(dir + "/scores-00000-of-00003"); err != nil ||
		!strings.HasPrefix(string(scores), fmt.Sprintln(m.Score(d.Row(0)))) {
		t.Errorf("%v, %.40s", err, scores)
	}
}

// The JSON of describe begins as that of simdrank info -d does.
func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	d := synth.Config{Seed: 2, Rows: 40, Cols: 3, MaxDocs: 15}.Dataset()
	d.Names = []string{"bm25", "<age>", "3"}
	for i := range d.Rows() {
		d.Row(i)[1], d.Labels[i] = 2, math.NaN()
	}
	if err := datafile.Save(dir+"/d.simdrank", d); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := command(t, "describe", "-d", dir+"/d.simdrank", "--format", "json")
	about, err := data.Describe(t.Context(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	if err := text.WriteJSON(&want, cli.NewData(about)); err != nil {
		t.Fatal(err)
	}
	if begins := strings.TrimSuffix(want.String(), "\n}\n"); code != 0 || !strings.HasPrefix(out, begins+",\n") ||
		!strings.Contains(begins, "<age>") || !strings.Contains(begins, `"label": null`) {
		t.Errorf("%d, %s%s\nwant %s", code, out, stderr, begins)
	}
	if code, out, stderr = command(t, "describe", "-d", dir+"/d.simdrank"); code != 0 ||
		!strings.HasSuffix(out, "constant features    <age>\n") {
		t.Errorf("%d, %s%s", code, out, stderr)
	}
}

// Models of trees: what they say of zeros, and how many score.
func TestTrees(t *testing.T) {
	dir, _, _ := setUp(t)
	leaf := lambdamart.Tree{Leaf: []float64{1}, LeafWeight: []float64{1}, LeafCount: []int64{1}}
	m := &lambdamart.Model{NumFeatures: 6, UnknownZeros: true, CategoryCodes: true, Best: 1,
		Trees: []lambdamart.Tree{leaf, leaf}}
	if err := model.Save(dir+"/m.json", m); err != nil {
		t.Fatal(err)
	}
	const leaveOut = "m.json does not record whether 0 is a value or missing, and rows of DIR/part-* omit features"
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"predict -m DIR/m.json -d DIR/part-* -o DIR/s", 0, leaveOut},
		{"eval -m DIR/m.json -d DIR/part-*", 0, leaveOut},
		{"compare -d DIR/part-* DIR/a.json DIR/m.json --test t", 0, leaveOut},
		{"predict -m DIR/m.json -d DIR/part-* -o DIR/s --trees best", 0, cli.CategoryCodes},
		{"predict -m DIR/m.json -d DIR/part-* -o DIR/s --trees 3", 1, "--trees 3: the model has only 2 trees"},
		{"predict -m DIR/m.json -d DIR/part-* -o DIR/s --trees x", 2, "must be all, best or a number greater than 0"},
		{"predict -m DIR/a.json -d DIR/part-* -o DIR/s --trees 1", 2, "--trees requires a tree model, but DIR/a.json is a linear model"},
	} {
		t.Run(c.args, func(t *testing.T) {
			code, _, stderr := command(t, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
			if code != c.code || !strings.Contains(stderr, strings.ReplaceAll(c.want, "DIR", dir)) {
				t.Errorf("%d, %s", code, stderr)
			}
		})
	}
	scores, err := os.ReadFile(dir + "/s-00000-of-00003")
	if err != nil || !strings.HasPrefix(string(scores), "1\n1\n") {
		t.Errorf("%v, %.40s", err, scores)
	}
	_, _, stderr := command(t, "predict", "-m", dir+"/m.json", "-d", dir+"/part-*", "-o", dir+"/s",
		"--zero-missing=false")
	if strings.Contains(stderr, "does not say") {
		t.Error(stderr)
	}
}

// A model that is as --zero-missing asks keeps splits that differ: LightGBM has both in one model.
func TestZeroMissing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "m.json")
	m := &lambdamart.Model{NumFeatures: 2, Trees: []lambdamart.Tree{{
		Feature: []int32{0, 1}, Threshold: []float32{1, 2}, MissingLeft: make([]bool, 2),
		ZeroMissing: []bool{true, false}, Left: []int32{1, ^0}, Right: []int32{^2, ^1},
		Gain: make([]float64, 2), Weight: make([]float64, 2),
		Count: make([]int64, 2), Leaf: []float64{1, 2, 3}, LeafWeight: make([]float64, 3), LeafCount: make([]int64, 3),
	}}}
	if err := model.Save(name, m); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flag string
		want []bool
	}{{"", []bool{true, false}}, {"true", []bool{true, false}}, {"false", []bool{false, false}}} {
		t.Run(c.flag, func(t *testing.T) {
			var stderr strings.Builder
			cmd := &cobra.Command{}
			cmd.SetContext(t.Context())
			cmd.SetErr(&stderr)
			f := addScoreFlags(cmd, addJobFlags(cmd, ""))
			if c.flag != "" {
				cmd.Flags().Set("zero-missing", c.flag)
			}
			s, err := f.load(cmd, name)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Model.(*lambdamart.Model).Trees[0].ZeroMissing; !slices.Equal(got, c.want) {
				t.Errorf("--zero-missing=%s: %v, want %v", c.flag, got, c.want)
			}
			if warns := strings.Contains(stderr.String(), "warning"); warns != (c.flag == "false") {
				t.Errorf("--zero-missing=%s: %q", c.flag, stderr.String())
			}
		})
	}
}

func TestErrors(t *testing.T) {
	dir, _, _ := setUp(t)
	if err := os.WriteFile(dir+"/zero.txt", []byte("1 qid:1 0:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/nan.txt", []byte("1 qid:1 1:NaN\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/s[1]", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/wide.txt", []byte("1 qid:1 9:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"eval -m DIR/a.json -d DIR/z*", 1, `DIR/zero.txt:1:9: the feature index is 0 (use --zero-based if indices start at 0): "0:1"`},
		{"eval -m DIR/none -d DIR/z*", 1, "DIR/none: no such file or directory"},
		{"eval -m DIR/zero.txt -d DIR/p*", 1, "DIR/zero.txt: "},
		{"eval -m DIR/a.json -d DIR/y*", 1, "DIR/y*: no such file"},
		{"eval -m DIR/a.json -d DIR/p* --preset x", 2, `--preset: preset "x": must be one of sklearn`},
		{"eval -m DIR/a.json -d DIR/p* --preset trec_eval", 1,
			"DIR/p*: ties are broken by document ID, but the data has no document IDs (use another value of --ties)\n"},
		{"eval -m DIR/a.json -d DIR/p* --metric x", 2, `--metric: metric "x"`},
		{"eval -m DIR/a.json -d DIR/p* --format x", 2, "--format x: must be text or json"},
		{"eval -m DIR/a.json -d DIR/p* --runner x", 2, "--runner x: must be prism, direct,"},
		{"eval -m DIR/a.json", 2, `eval requires --data (-d)`},
		{"compare -d DIR/p* DIR/a.json", 2, "compare requires at least two models"},
		{"compare -d DIR/p* DIR/a.json DIR/b.json --test x", 2, `--test: `},
		{"compare -d DIR/p* DIR/a.json DIR/b.json --rounds 0", 2, "--rounds 0: must be greater than 0"},
		{"compare -d DIR/p* DIR/a.json DIR/b.json --power 2", 2, "--power 2: must be greater than 0 and less than 1"},
		{"frobnicate", 2, `unknown command "frobnicate"`},
		{"describe --data=", 2, "--data is empty"},
		{"predict -m DIR/a.json -d DIR/p* --output=", 2, "--output is empty"},
		{"describe -d DIR/part-0.txt part-1.txt", 2, `unexpected argument "part-1.txt": put patterns in quotes, e.g. -d '`},
		{"describe -d DIR/part-0.txt --data DIR/part-1.txt", 2, "--data is given twice"},
		{"train -d DIR/p* -o DIR/m --model lambdamart --depth-wise --checkpoint DIR/m", 2,
			"--output and --checkpoint must not name the same file"},
		{"train -d DIR/p* -o DIR/s[1] --model lambdamart --depth-wise --start DIR/s[1]", 2,
			"the output DIR/s[1] would replace the input DIR/s[1]\n"},
		{"help frobnicate", 2, `unknown help topic "frobnicate"`},
		{"eval -m DIR/a.json -d DIR/p* --max-feature 0", 2,
			`invalid argument "0" for "--max-feature" flag: must be a whole number from 1 to 134217728`},
		{"train -d DIR/p* -o DIR/part-1.txt", 2, "the output DIR/part-1.txt would replace the input DIR/part-1.txt\n"},
		{"train -d DIR/p* -o DIR/m --model lambdamart --depth-wise --checkpoint DIR/wide.txt --valid DIR/w*", 2,
			"the output DIR/wide.txt would replace the input DIR/wide.txt\n"},
		{"eval -m DIR/a.json -d DIR/nan.txt", 1, `DIR/nan.txt:1:9: the feature value must be finite: "1:NaN"`},
		{"train -d DIR/p* --valid DIR/wide.txt -o DIR/m", 1,
			"DIR/wide.txt: found features up to 9, but the training data has features up to 5\n"},
		{"train -d DIR/p* --valid DIR/wide.txt -o DIR/m --model lambdamart --depth-wise", 1,
			"DIR/wide.txt: found features up to 9, but the training data has features up to 5\n"},
		{"train -d DIR/p* --valid DIR/wide.txt -o DIR/m --cv 2", 1,
			"DIR/wide.txt: found features up to 9, but the training data has features up to 5\n"},
		{"train -d DIR/p* --valid DIR/none -o DIR/m", 1, "DIR/none: no such file\n"},
		{"train -d DIR/p* --valid DIR/nan.txt -o DIR/m --c-path 1,2", 1, "DIR/nan.txt:1:9: "},
	} {
		t.Run(fmt.Sprintf("%.60s", c.args), func(t *testing.T) {
			code, out, stderr := command(t, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
			*runners.Runner = ""
			if want := "simdrank-beam: " + strings.ReplaceAll(c.want, "DIR", dir); code != c.code || out != "" ||
				!strings.HasPrefix(stderr, want) {
				t.Errorf("%s: %d, %s%s\nwant %s", c.args, code, out, stderr, want)
			}
		})
	}
}

// A text that cannot be written is a failure, whoever writes it.
func TestFailedWrite(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	dir, _, _ := setUp(t)
	for _, args := range []string{"help", "--help", "help train", "completion bash", "runner-flags",
		"train -d " + dir + "/part-* -o " + dir + "/m.json"} {
		t.Run(strings.ReplaceAll(args, dir, "DIR"), func(t *testing.T) {
			var stderr strings.Builder
			code := run(t.Context(), strings.Fields(args), full, &stderr)
			got := stderr.String()
			if code != exitFailure || !strings.HasPrefix(got, "simdrank-beam: write /dev/full: ") {
				t.Errorf("exit %d, %q", code, got)
			}
		})
	}
}

// TestSignal ends a training by signals: the checkpoint is left, and nothing else.
func TestSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals of Unix")
	}
	data, _, _ := setUp(t)
	for _, c := range []struct {
		signal os.Signal
		code   int
	}{{os.Interrupt, 130}, {syscall.SIGTERM, 143}} {
		t.Run(fmt.Sprint(c.code), func(t *testing.T) {
			received := make(chan os.Signal, 1) // a program heeds signals that its test does, even under nohup
			signal.Notify(received, c.signal)
			defer signal.Stop(received)
			var code int
			var stderr, checkpoint string
			var left, temporary []string
			for range 5 {
				code, stderr, checkpoint, left, temporary = interrupted(t, data, c.signal)
				// Prism panics if the SDK stops its worker service, as it does after a signal,
				// while Prism starts a worker. It does so in a goroutine of its own.
				if !strings.Contains(stderr, "panic: unable to start sdk worker") {
					break
				}
			}
			if code != c.code || stderr != "simdrank-beam: interrupted\n" {
				t.Errorf("%v: exit %d, want %d, stderr %q", c.signal, code, c.code, stderr)
			}
			if !slices.Equal(left, []string{checkpoint}) || temporary != nil {
				t.Errorf("%v: left %q and %q", c.signal, left, temporary)
			}
		})
	}
}

// interrupted starts a training and sends it a signal after its first checkpoint. It returns the
// exit code, standard error, the name of the checkpoint, and the files that the training left.
func interrupted(t *testing.T, data string, s os.Signal) (
	code int, stderr, checkpoint string, left, temporary []string) {
	t.Helper()
	dir, temp := t.TempDir(), t.TempDir()
	checkpoint = filepath.Join(dir, "checkpoint")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "SIMDRANK_BEAM_TEST=main train -d "+data+
		"/part-* -o "+dir+"/m.json --model lambdamart --depth-wise --trees 100000 --min-rows 5 --checkpoint "+checkpoint)
	var output strings.Builder
	cmd.Stderr = &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, err := os.Stat(checkpoint); err != nil; _, err = os.Stat(checkpoint) {
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Signal(s)
	cmd.Wait()                          // the exit code is compared
	left, _ = filepath.Glob(dir + "/*") // no error: the pattern is one
	temporary, _ = filepath.Glob(temp + "/*")
	return cmd.ProcessState.ExitCode(), output.String(), checkpoint, left, temporary
}

// serve starts a process that plays a role, and returns where it listens.
func serve(t *testing.T, role string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("SIMDRANK_BEAM_TEST=%s %d", role, port))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	for {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		select {
		case <-ended:
			t.Fatalf("%s: %v", role, cmd.ProcessState)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Prism in a process of its own, and workers in another one.
func TestProcesses(t *testing.T) {
	dir, d, m := setUp(t)
	endpoint, environment := *jobopts.Endpoint, *jobopts.EnvironmentType
	t.Cleanup(func() {
		*jobopts.Endpoint, *jobopts.EnvironmentType = endpoint, environment
		*jobopts.EnvironmentConfig, *jobopts.WorkerBinary, *runners.Runner = "", "", ""
	})
	runner := []string{"-d", dir + "/part-*", "--runner", "universal", "--endpoint", serve(t, "prism"),
		"--environment_type", "EXTERNAL", "--environment_config", serve(t, "workers"), "--worker_binary",
		dir + "/a.json", "--work-dir", dir + "/work"}
	for _, args := range []string{"predict -m DIR/a.json -o DIR/scores", "train --c 0.1 -o DIR/trained.json",
		"train -o DIR/trees.json --model lambdamart --depth-wise --depth 2 --trees 1"} {
		t.Run(args, func(t *testing.T) {
			args := append(strings.Fields(strings.ReplaceAll(args, "DIR", dir)), runner...)
			if code, out, stderr := command(t, args...); code != 0 {
				t.Fatalf("%q: %d, %s%s", args, code, out, stderr)
			}
		})
	}
	svm, err := (&rank.RankSVM{C: 0.1}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if trained, err := model.Load(dir + "/trained.json"); err != nil ||
		!slices.Equal(trained.(*rank.Linear).Weights, svm.Weights) {
		t.Errorf("%v, %+v, want %v", err, trained, svm.Weights)
	}
	_, trees := oneMachine(t, *with(func(o *lambdamart.Trainer) {
		o.DepthWise, o.Leaves, o.Depth, o.Trees = true, 0, 2, 1
	}), d)
	if b, err := os.ReadFile(dir + "/trees.json"); err != nil || string(b) != trees {
		t.Errorf("%v, %s\nwant %s", err, b, trees)
	}
	var scores, want strings.Builder
	for i := range 3 {
		b, err := os.ReadFile(fmt.Sprintf("%s/scores-%05d-of-00003", dir, i))
		if err != nil {
			t.Fatal(err)
		}
		scores.Write(b)
	}
	for i := range d.Rows() {
		fmt.Fprintln(&want, m.Score(d.Row(i)))
	}
	if scores.String() != want.String() {
		t.Errorf("%.99s\nwant %.99s", scores.String(), want.String())
	}
	if left, err := filepath.Glob(dir + "/work/*"); err != nil || len(left) > 0 {
		t.Errorf("the work folder holds %q, %v", left, err)
	}
}

// The model of train is that of simdrank on one machine; flags are checked before the work.
func TestTrain(t *testing.T) {
	dir, d, _ := setUp(t)
	weights := make([]float64, d.Queries())
	text := "\ufeff# of queries\n"
	for q := range weights {
		weights[q] = float64(q % 3)
		text += fmt.Sprintln(weights[q])
	}
	if err := os.WriteFile(dir+"/weights", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	d.QueryWeights = weights
	svm := &rank.RankSVM{C: 0.1, Loss: "logistic", Gain: rank.ExpGain, PerQuery: true, Standardize: true}
	m, err := svm.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	m.Settings["pair_weights"], m.Settings["weights"] = "gain", "of queries" // as simdrank writes them
	var want strings.Builder
	if err := model.Write(&want, m, "json"); err != nil {
		t.Fatal(err)
	}
	flags := strings.Fields(strings.ReplaceAll("train -d DIR/part-* -o DIR/m.json --c 0.1 --loss logistic "+
		"--pair-weights gain --per-query --standardize --weights DIR/weights", "DIR", dir))
	code, out, stderr := command(t, append(flags, "--valid", dir+"/part-0*", "--format", "json", "--metric", "map")...)
	var got struct {
		Documents int
		RankSVM   struct{ Stop string }
		Valid     map[string]struct{ Mean float64 }
		Passes    []struct {
			Name  string
			Bytes int `json:"bytes_shipped"`
			Rows  int
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || stderr != "" {
		t.Fatalf("%d, %v: %s%s", code, err, out, stderr)
	}
	if got.Documents != d.Rows() || got.RankSVM.Stop != "converged" || !(got.Valid["map"].Mean > 0) ||
		got.Passes[0].Name != "read" || got.Passes[1].Bytes == 0 || got.Passes[2].Rows == 0 {
		t.Errorf("%+v", got)
	}
	if b, err := os.ReadFile(dir + "/m.json"); err != nil || string(b) != want.String() {
		t.Errorf("%v, %s\nwant %s", err, b, want.String())
	}
	args := strings.Fields("train -d " + dir + "/part-* -o - --report --c-path 0.01,1 --cv 2 --tol 0.01 --max-passes 1")
	if code, out, stderr := command(t, args...); code != 0 || !strings.HasPrefix(out, `{"format":`) ||
		!strings.Contains(stderr, "gradient: 3 files, 200 documents in ") || !strings.Contains(stderr, " *\n") ||
		!strings.Contains(stderr, "C = 1: trainings did not converge: ") {
		t.Errorf("%d, %s%s", code, out, stderr)
	}
	if err := os.WriteFile(dir+"/long", []byte("1\n"+strings.Repeat(" ", 1<<20)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--model tree", 2, "--model tree: must be "},
		{"--c 0", 2, "--c 0: must be greater than 0"},
		{"--cv 1", 2, "--cv 1: must be at least 2"},
		{"--c 1 --c-path 1", 2, "--c cannot be combined with --c-path"},
		{"--c-path 1,x", 2, `--c-path: "x" must be a finite number greater than 0`},
		{"--loss x", 2, "--loss: "},
		{"--pair-weights x", 2, "--pair-weights x: must be equal, label or gain"},
		{"--metric x", 2, "--metric: "},
		{"--weights DIR/long", 1, "DIR/long:2: the line is longer than 1048576 bytes"},
		{"--weights DIR/a.json", 1, `DIR/a.json:1:1: "{`},
		{"-o DIR/no/model", 1, "DIR/no/model: "},
		{"--c-path 0.1 --valid DIR/part-* --metric err --max-label 1", 1,
			"DIR/part-0.txt:1: label 2 exceeds 1, the highest label that err supports (use --max-label to raise the limit)"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := "train -d DIR/part-* " + c.args
			if !strings.Contains(args, "-o ") {
				args += " -o DIR/none"
			}
			code, out, stderr := command(t, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)
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

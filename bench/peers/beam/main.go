// Command beam compares simdrank-beam with simdrank on one machine and the same data. It compares
// the bytes of their results for several numbers of files and threads, and their times.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

func main() { peer.Main("beam", run) }

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "beam"))
	defer os.RemoveAll(dir)
	b := &bench{ctx: ctx, table: t, dir: dir, beam: filepath.Join(dir, "simdrank-beam.exe")}
	b.one = peer.Command(ctx, dir)
	peer.Run(ctx, nil, "go", "build", "-o", b.beam, "./beam/cmd/simdrank-beam")
	t.Heading("", "beam", "simdrank")
	b.sameBytes()
	b.speed()
}

type bench struct {
	ctx       context.Context
	table     *peer.Table
	dir       string
	one, beam string // the commands
}

// text and mixed are kinds of files. mixed alternates text, compressed text and binary data.
const (
	text = iota
	mixed
)

// write writes d to n files and returns their pattern.
func (b *bench) write(name string, d *rank.Dataset, n, form int) (pattern string) {
	dir := filepath.Join(b.dir, name)
	peer.Check(os.Mkdir(dir, 0o777))
	for i := range n {
		var list []int
		for q := i * d.Queries() / n; q < (i+1)*d.Queries()/n; q++ {
			list = append(list, q)
		}
		part := peer.Must(d.SubsetQueries(list))
		write := data.WriteLETOR
		switch {
		case form == mixed && i%3 == 1:
			write = packed
		case form == mixed && i%3 == 2:
			write = datafile.Write
		}
		peer.Check(files.Save(filepath.Join(dir, fmt.Sprintf("part-%03d", i)),
			func(w io.Writer) error { return write(w, part) }))
	}
	return filepath.Join(dir, "part-*")
}

// first returns the first file of a pattern.
func first(pattern string) string { return strings.Replace(pattern, "*", "000", 1) }

// packed writes text compressed with gzip.
func packed(w io.Writer, d *rank.Dataset) error {
	z := gzip.NewWriter(w)
	return errors.Join(data.WriteLETOR(z, d), z.Close())
}

// linear writes a linear model.
func (b *bench) linear(cols int) (path string) {
	m := &rank.Linear{Weights: make([]float64, cols)}
	for j := range m.Weights {
		m.Weights[j] = 1 / float64(3*j+1)
	}
	path = filepath.Join(b.dir, fmt.Sprintf("linear-%d.json", cols))
	peer.Check(model.Save(path, m))
	return path
}

// trees writes a tree model.
func (b *bench) trees(d *rank.Dataset) (path string) {
	t := lambdamart.DefaultTrainer()
	t.Trees = 20
	m := peer.Must(t.Fit(b.ctx, d))
	path = filepath.Join(b.dir, "trees.json")
	peer.Check(model.Save(path, m.Model))
	return path
}

// sameBytes compares the results of all commands.
func (b *bench) sameBytes() {
	d := synth.Config{Seed: 1, Rows: 6000, Cols: 20, MaxDocs: 60}.Dataset()
	whole := first(b.write("whole", d, 1, text))
	linear := b.linear(d.Cols)
	trees := b.trees(d)
	patterns := map[int]string{}
	numbers := []int{1, 3, 7, 16}
	for _, n := range numbers {
		patterns[n] = b.write(fmt.Sprint(n), d, n, mixed)
	}
	out := filepath.Join(b.dir, "scores")
	const metrics = "ndcg@10,ndcg,map,mrr,err,tau-b,pair-accuracy,pair-accuracy-pooled"
	for _, c := range []struct {
		what      string
		one, beam []string
	}{
		{"scores of trees", []string{"predict", "-m", trees}, []string{"predict", "-m", trees, "-o", out}},
		{"scores of a linear model", []string{"predict", "-m", linear}, []string{"predict", "-m", linear, "-o", out}},
		{"metrics", []string{"eval", "-m", trees, "--metric", metrics, "--format", "json"}, nil},
		{"comparison", []string{"compare", trees, linear, "--rounds", "1000", "--format", "json"}, nil},
		{"description", []string{"info", "--format", "json"}, []string{"describe", "--format", "json"}},
	} {
		if c.beam == nil {
			c.beam = c.one
		}
		_, stdout := peer.Run(b.ctx, nil, b.one, append(c.one, "-d", whole)...)
		want := digest(stdout)
		same, all := 0, 0
		for _, n := range numbers {
			for _, threads := range []int{1, 2, 8} {
				_, stdout := peer.Run(b.ctx, []string{fmt.Sprint("GOMAXPROCS=", threads)}, b.beam,
					append(c.beam, "-d", patterns[n])...)
				if c.beam[0] == "predict" {
					stdout = take(out, n)
				}
				got := digest(stdout)
				if all++; got == want {
					same++
				}
			}
		}
		b.table.Print(c.what+": 1, 3, 7, 16 files × 1, 2, 8 threads", fmt.Sprintf("%d of %d", same, all), want,
			float64(same)/float64(all), 1)
	}
	share := 1.0
	if err := peer.Catch(func() {
		peer.Run(b.ctx, nil, "go", "test", "-count=1", "-run", "^(TestOrder|TestShards)$", "./beam")
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		share = 0
	}
	b.table.Print("all of these: bundles in any order, and failing (go test)", "", "", share, 1)
}

// take reads and removes the n files of an output.
func take(out string, n int) (all []byte) {
	for i := range n {
		name := fmt.Sprintf("%s-%05d-of-%05d", out, i, n)
		part := peer.Must(os.ReadFile(name))
		peer.Check(os.Remove(name))
		all = append(all, part...)
	}
	return all
}

// digest returns the beginning of the SHA-256 hash of a result. From JSON, it removes fields that
// only one of the commands writes.
func digest(result []byte) string {
	if bytes.HasPrefix(result, []byte("{")) {
		var fields map[string]json.RawMessage
		peer.Check(json.Unmarshal(result, &fields))
		for _, name := range []string{"pass", "duplicate_documents", "sparse"} {
			delete(fields, name)
		}
		result = peer.Must(json.Marshal(fields))
	}
	return fmt.Sprintf("%x", sha256.Sum256(result))[:12]
}

// speed times the commands on the same rows as text, in 16 files and in one.
func (b *bench) speed() {
	rows := 1_000_000
	if b.table.Quick {
		rows = 200_000
	}
	d := synth.Config{Seed: 2, Rows: rows, Cols: 136}.Dataset()
	linear := b.linear(d.Cols)
	whole := b.write("large-whole", d, 1, text)
	pattern := b.write("large", d, 16, text)
	out := filepath.Join(b.dir, "scores")
	for _, args := range [][]string{{"predict", "-m", linear, "-o", out}, {"eval", "-m", linear}} {
		b.table.Compare(peer.Row{What: fmt.Sprintf("%s, %d × 136 in 16 files", args[0], rows), Target: .5,
			Ours: b.timed(b.beam, append(args, "-d", pattern)), Peer: b.timed(b.one, append(args, "-d", first(whole)))})
	}
	b.costs(linear, pattern)
	b.train("RankSVM", rows, pattern, first(whole), 12, "--c", "0.01")
	rows = 200_000
	some := synth.Config{Seed: 3, Rows: rows, Cols: 136}.Dataset()
	whole = b.write("trees-whole", some, 1, text)
	pattern = b.write("trees", some, 8, text)
	b.train("LambdaMART", rows, pattern, first(whole), 10,
		"--model", "lambdamart", "--depth-wise", "--depth", "6", "--trees", "20")
}

// train compares training times. Training on Beam may take several times as long as on one machine.
// The times exclude reading in simdrank, and the passes of simdrank-beam that only read. A row
// without a target includes all passes.
func (b *bench) train(what string, rows int, pattern, file string, times float64, flags ...string) {
	var one struct{ Seconds float64 }
	var many struct {
		SVM    struct{ Passes int } `json:"ranksvm"`
		Passes []struct {
			Name    string
			Seconds float64
		}
	}
	var all []float64 // times of simdrank-beam including reading
	models := [2]string{filepath.Join(b.dir, "model-beam"), filepath.Join(b.dir, "model-one")}
	run := func(name, data, model string, result any) float64 {
		args := append([]string{"train", "--format", "json", "-d", data, "-o", model}, flags...)
		seconds, stdout := peer.Run(b.ctx, nil, name, args...)
		peer.Check(json.Unmarshal(stdout, result))
		return seconds
	}
	rounds := b.table.Rounds
	defer func() { b.table.Rounds = rounds }()
	if b.table.Rounds = 3; b.table.Quick {
		b.table.Rounds = 1
	}
	what = fmt.Sprintf("%s, %d × 136", what, rows)
	b.table.Compare(peer.Row{What: what + ", without reading", Target: 1 / times,
		Ours: func() float64 {
			seconds := run(b.beam, pattern, models[0], &many)
			all = append(all, seconds)
			for _, p := range many.Passes {
				if p.Name == "read" || p.Name == "numbering" {
					seconds -= p.Seconds
				}
			}
			return seconds
		},
		Peer: func() float64 {
			run(b.one, file, models[1], &one)
			return one.Seconds
		}})
	b.table.Print(what+": with reading", peer.Duration(peer.Median(all)), "", 0, 0)
	var digests [2]string
	for i, name := range models {
		bytes := peer.Must(os.ReadFile(name))
		digests[i] = fmt.Sprintf("%x", sha256.Sum256(bytes))[:12]
	}
	same := 0.0
	if digests[0] == digests[1] {
		same = 1
	}
	b.table.Print(what+": the model", digests[0], digests[1], same, 1)
	if n := many.SVM.Passes; n > 0 {
		b.table.Print(what+": passes, of 40 at most", fmt.Sprint(n), "40", 40/float64(n), 1)
	}
	var least float64
	for i, p := range many.Passes {
		if i == 0 || p.Seconds < least {
			least = p.Seconds
		}
	}
	b.table.Print(what+": pipelines, and the shortest of them", fmt.Sprint(len(many.Passes)), peer.Duration(least),
		0, 0)
}

func (b *bench) timed(name string, args []string) func() float64 {
	return func() float64 {
		seconds, _ := peer.Run(b.ctx, nil, name, args...)
		return seconds
	}
}

// costs prints the costs from which the documentation estimates large clusters: the time of an
// almost empty pass, the processor time per row, and the bytes that workers send.
func (b *bench) costs(linear, pattern string) {
	d := synth.Config{Seed: 3, Rows: 100, Cols: 136}.Dataset()
	small := b.write("small", d, 1, text)
	for _, args := range [][]string{{"predict", "-m", linear}, {"eval", "-m", linear}, {"describe"}} {
		few := b.cost(args, small)
		many := b.cost(args, pattern)
		row := (many.processors - few.processors) / float64(many.Rows-few.Rows)
		b.table.Print(args[0]+": 100 rows, by the clock; a row, of processors; shipped", peer.Duration(few.Seconds),
			peer.Duration(row), float64(many.Bytes)/float64(many.Rows), 0)
	}
}

// A cost contains the median costs of a pass.
type cost struct {
	Rows       int
	Bytes      int64 `json:"bytes_shipped"`
	Seconds    float64
	processors float64 // seconds of the whole process
}

// cost runs a simdrank-beam command.
func (b *bench) cost(args []string, pattern string) cost {
	args = append(args, "-d", pattern, "--format", "json")
	if args[0] == "predict" {
		args = append(args, "-o", filepath.Join(filepath.Dir(pattern), "scores"))
	}
	var result struct{ Pass cost }
	var seconds, processors []float64
	for range b.table.Rounds {
		cmd := exec.CommandContext(b.ctx, b.beam, args...)
		stdout, err := cmd.Output()
		if err != nil {
			panic(fmt.Errorf("%v: %w", cmd, err))
		}
		peer.Check(json.Unmarshal(stdout, &result))
		seconds = append(seconds, result.Pass.Seconds)
		processors = append(processors, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	}
	result.Pass.Seconds, result.Pass.processors = peer.Median(seconds), peer.Median(processors)
	return result.Pass
}

// Command scoring compares scoring one document, 20 documents, 200 documents and a large batch with
// XGBoost, LightGBM, CatBoost, lleaves, treelite, TL2cgen, ONNX Runtime and leaves. Except for
// CatBoost, all programs score with a model that simdrank trained and wrote in their format.
// CatBoost trains its own symmetric trees, which simdrank reads. The scores must agree.
//
// Except for leaves, which is a Go module, the programs are called from Python, which is how they
// are mostly used. For one document, the call takes a large part of the time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

var leavesPath = flag.String("leaves", "", "the program built from leaves")

func main() { peer.Main("scoring", run) }

// A scorer is a peer with the format of the model that it reads.
type scorer struct{ name, pkg, format string }

var scorers = []scorer{
	{"XGBoost", "xgboost", "xgboost"}, {"LightGBM", "lightgbm", "lightgbm"}, {"CatBoost", "catboost", ""},
	{"lleaves", "lleaves", "lightgbm"}, {"treelite", "treelite", "lightgbm"}, {"TL2cgen", "tl2cgen", "lightgbm"},
	{"ONNX Runtime", "onnxruntime", "onnx"}, {"leaves", "", "lightgbm-v3"},
}

func run(ctx context.Context, t *peer.Table) {
	if *leavesPath == "" {
		panic(errors.New("-leaves is missing: use bench/peers/scoring/run"))
	}
	dir := peer.Must(os.MkdirTemp("", "scoring"))
	defer os.RemoveAll(dir)
	rows, forests := 100_000, [][2]int{{100, 31}, {500, 31}}
	if t.Quick {
		rows, forests, t.Rounds = 2000, [][2]int{{20, 31}}, 1
	}
	c := contest{t: t, dir: dir, train: synth.Config{Seed: 1, Rows: min(rows, 20_000), Cols: 136}.Dataset(),
		test: synth.Config{Seed: 1, Part: 1, Rows: rows, Cols: 136}.Dataset()}
	peer.WriteSet(c.path("train"), c.train)
	peer.WriteSet(c.path("test"), c.test)
	t.Heading("case", "ours", "peer")
	for _, f := range forests {
		trainer := lambdamart.DefaultTrainer()
		trainer.Trees, trainer.Leaves = f[0], f[1]
		m := peer.Must(trainer.Fit(ctx, c.train)).Model
		for _, s := range scorers {
			c.compare(ctx, s, m, f[0])
		}
	}
}

type contest struct {
	t           *peer.Table
	dir         string
	train, test *rank.Dataset
}

func (c *contest) path(name string) string { return filepath.Join(c.dir, name) }

// compare prints the rows of a peer for a model of simdrank.
func (c *contest) compare(ctx context.Context, s scorer, m *lambdamart.Model, trees int) {
	defer peer.Within("%s", s.name)
	path, what := c.path("model"), fmt.Sprintf("%d trees of 31 leaves", trees)
	if s.format == "" {
		what = fmt.Sprintf("%d symmetric trees of 32 leaves", trees)
		p := s.start(ctx, 2)
		p.Call("train %s %d %d %d %s %d 5", c.path("train"), c.train.Rows(), c.train.Cols, c.train.Queries(), path,
			trees)
		peer.Check(p.Close())
		m = peer.Must(model.Trees(model.Load(path)))
	} else {
		f := peer.Must(os.Create(path))
		peer.Check(errors.Join(model.Write(f, m, s.format), f.Close()))
	}
	ours := peer.Must(m.Scorer())
	sizes := []int{1, 20, 200, c.test.Rows()}
	for threads := 1; threads <= min(2, runtime.NumCPU()); threads++ {
		if threads > 1 {
			sizes = sizes[3:]
		}
		ours.Threads = threads
		p := s.start(ctx, threads)
		p.Call("load %s %s.x %d %d", path, c.path("test"), c.test.Rows(), c.test.Cols)
		c.agree(ctx, p, ours)
		program := p.Program(s.name, s.pkg)
		for _, rows := range sizes {
			c.t.Compare(peer.Row{What: fmt.Sprintf("%s, documents per call: %d", what, rows), Program: program,
				Threads: threads, Ours: c.time(ctx, ours, rows),
				Peer: func() float64 { return p.Seconds("time %d 0.05", rows) }})
		}
		peer.Check(p.Close())
	}
}

// start starts the peer with a number of threads.
func (s scorer) start(ctx context.Context, threads int) *peer.Process {
	if s.name == "leaves" {
		return peer.Start(ctx, nil, *leavesPath, fmt.Sprint(threads))
	}
	return peer.Python(ctx, "bench/peers/scoring/peer.py", s.pkg, fmt.Sprint(threads))
}

// time returns a function that times calls with the given number of rows. Each call scores other
// rows.
func (c *contest) time(ctx context.Context, s *lambdamart.Scorer, rows int) func() float64 {
	d, next := c.test, 0
	scores := make([]float64, rows)
	call := func() {
		if rows == d.Rows() {
			peer.Check(s.ScoreInto(ctx, scores, d))
			return
		}
		if next+rows > min(d.Rows(), 2000*rows) {
			next = 0
		}
		if rows == 1 {
			scores[0] = s.Score(d.Row(next))
		} else {
			s.ScoreRowsInto(scores, d.X[next*d.Stride:], rows, d.Cols, d.Stride)
		}
		next += rows
	}
	return func() float64 { return peer.Time(50*time.Millisecond, call) }
}

// agree compares the scores of all documents. Some peers add float32.
func (c *contest) agree(ctx context.Context, p *peer.Process, s *lambdamart.Scorer) {
	ours := make([]float64, c.test.Rows())
	peer.Check(s.ScoreInto(ctx, ours, c.test))
	p.Call("scores %s", c.path("scores"))
	theirs := peer.ReadFloats(c.path("scores"), len(ours))
	for i, v := range ours {
		if math.Abs(v-theirs[i]) > 1e-5*max(1, math.Abs(v)) {
			panic(fmt.Errorf("row %d has score %v in simdrank and %v in the peer", i, v, theirs[i]))
		}
	}
}

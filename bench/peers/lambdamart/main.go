// Command lambdamart compares the training of gradient-boosted trees with XGBoost, LightGBM and
// CatBoost, with the same sets, leaves, bins and learning rate. CatBoost's trees are symmetric, and
// have the next power of two of leaves. One evaluator evaluates all models on unseen documents.
// simdrank reads each model of a peer and must compute the same scores.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

func main() { peer.Main("lambdamart", run) }

const (
	bins         = 255
	learningRate = 0.1
	seeds        = 5
)

// A learner is a library with an objective, and simdrank's objective that is compared with it.
type learner struct {
	name, pkg string
	objective string // "quantized" is LightGBM's lambdarank with quantized gradients
	ours      lambdamart.Objective
}

var learners = []learner{
	{"XGBoost", "xgboost", "rank:ndcg", lambdamart.NDCG},
	{"LightGBM", "lightgbm", "lambdarank", lambdamart.NDCG},
	{"LightGBM, quantized gradients", "lightgbm", "quantized", lambdamart.NDCG},
	{"CatBoost", "catboost", "QueryRMSE", lambdamart.QueryRMSE},
	{"CatBoost", "catboost", "YetiRank", lambdamart.YetiRank},
}

// A problem is a training set with test documents.
type problem struct {
	name          string
	load          func(seed, part uint64) *rank.Dataset
	seeds         int  // number of seeds for the mean NDCG
	fixed         bool // all seeds use the same sets
	trees, leaves int
	rounds        int
	sparse        bool // omitted features are missing
	shap          bool // compare contributions to scores
	memory        bool // compare memory in addition to the data
}

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "lambdamart"))
	defer os.RemoveAll(dir)
	t.Heading("case", "ours", "peer")
	list := problems(t.Quick)
	if t.Growth {
		list = growing(t.Quick)
	}
	rounds := t.Rounds
	for _, p := range list {
		t.Rounds = min(p.rounds, rounds)
		c := &contest{t: t, dir: dir, problem: p, quality: map[lambdamart.Objective]float64{}}
		if !c.prepare() {
			fmt.Printf("%s: skipped, because this machine has too little memory\n", p.name)
			continue
		}
		for _, l := range learners {
			if p.sparse && l.pkg == "catboost" || t.Growth && l.ours != lambdamart.NDCG {
				continue // CatBoost treats omitted values as 0
			}
			c.compare(ctx, l)
		}
	}
}

func problems(quick bool) []problem {
	small := problem{name: "MQ2008 Fold1", load: mq2008, seeds: seeds, fixed: true, trees: 60, leaves: 15, rounds: 9}
	if mq2008(1, 0) == nil {
		small.name, small.fixed = "10k × 46", false
		small.load = synthetic(synth.Config{Rows: 10_000, Cols: 46, MinDocs: 5, MaxDocs: 40})
	}
	wide := problem{name: "100k × 136", load: synthetic(synth.Config{Rows: 100_000, Cols: 136}), seeds: seeds,
		trees: 100, leaves: 31, rounds: 5, shap: true}
	if quick {
		small.seeds, small.rounds = 1, 1
		wide.name, wide.load = "5k × 136", synthetic(synth.Config{Rows: 5_000, Cols: 136})
		wide.trees, wide.rounds, wide.seeds = 10, 1, 1
		few := sparse("5k × 500, 2% not zero", 5_000, 500, 10, 1)
		few.rounds = 1
		return []problem{small, wide, few}
	}
	long := problem{name: "1M × 136", load: synthetic(synth.Config{Rows: 1_000_000, Cols: 136}), seeds: 1,
		trees: 50, leaves: 31, rounds: 3, memory: true}
	return []problem{small, wide, few("100k × 136, 16 values", 136, 16), few("100k × 500, 2 values", 500, 2),
		sparse("100k × 2000, 2% not zero", 100_000, 2000, 50, seeds), long}
}

// growing returns problems of growing size.
func growing(quick bool) (list []problem) {
	sizes := []int{10_000, 100_000, 1_000_000, 4_000_000}
	if quick {
		sizes = []int{1_000, 10_000}
	}
	for _, rows := range sizes {
		list = append(list, problem{name: fmt.Sprintf("%dk × 136", rows/1000),
			load: synthetic(synth.Config{Rows: rows, Cols: 136}), seeds: 1, trees: 50, leaves: 31, rounds: 1,
			memory: true})
	}
	return list
}

// few is a problem with features that have the given number of distinct values.
func few(name string, cols, values int) problem {
	fine := synthetic(synth.Config{Rows: 100_000, Cols: cols})
	load := func(seed, part uint64) *rank.Dataset {
		d := fine(seed, part)
		for i := range d.Rows() {
			for j, x := range d.Row(i) { // from 0 to 1
				d.Row(i)[j] = float32(min(int(x*float32(values)), values-1))
			}
		}
		return d
	}
	return problem{name: name, load: load, seeds: 1, trees: 100, leaves: 31, rounds: 3}
}

// sparse is a problem with sparse features. The NDCG@10 of one seed is noisy.
func sparse(name string, rows, cols, trees, seeds int) problem {
	return problem{name: name,
		load:  synthetic(synth.Config{Rows: rows, Cols: cols, Density: .02, Sparse: true, Noise: .2}),
		seeds: seeds, trees: trees, leaves: 31, rounds: 3, sparse: true, memory: true}
}

// synthetic generates seeded sets: part 0 for training, and part 1 of at most 200,000 rows for
// testing.
func synthetic(c synth.Config) func(seed, part uint64) *rank.Dataset {
	return func(seed, part uint64) *rank.Dataset {
		c := c
		c.Seed, c.Part = seed, part
		if part > 0 {
			c.Rows = min(c.Rows, 200_000)
		}
		return c.Dataset()
	}
}

// mq2008 loads the training or the test set of MQ2008.
func mq2008(_, part uint64) *rank.Dataset {
	name := "train.txt.gz"
	if part > 0 {
		name = "test.txt.gz"
	}
	return peer.LoadShared(filepath.Join("mq2008-fold1", name))
}

// A contest compares simdrank with one learner after the other on a problem.
type contest struct {
	problem
	t           *peer.Table
	dir         string
	train, test *rank.Dataset
	quality     map[lambdamart.Objective]float64 // of simdrank, the mean over the seeds
}

// prepare loads the sets of the first seed. It returns false if the machine has too little memory:
// both processes contain the data, its bins and copies.
func (c *contest) prepare() bool {
	c.train, c.test = nil, nil
	runtime.GC()
	c.train = c.load(1, 0)
	if c.train.Sparse == nil && !peer.Fits(6*4*float64(len(c.train.X))) {
		return false
	}
	c.test = c.load(1, 1)
	return true
}

func (c *contest) trainer(o lambdamart.Objective, seed uint64, threads int) *lambdamart.Trainer {
	t := lambdamart.DefaultTrainer()
	t.Objective, t.Seed = o, seed
	t.Trees, t.Leaves, t.LearningRate, t.Bins = c.trees, c.leaves, learningRate, bins
	t.ZeroMissing, t.Threads = c.sparse, threads
	return t
}

// bin bins and returns the time.
func (c *contest) bin(ctx context.Context, threads int) (b *lambdamart.Binned, seconds float64) {
	runtime.GC() // so that it does not pay for earlier garbage
	t, started := c.trainer(lambdamart.NDCG, 0, threads), time.Now()
	b = peer.Must(t.Bin(ctx, c.train))
	return b, time.Since(started).Seconds()
}

// compare prints the rows of a learner.
func (c *contest) compare(ctx context.Context, l learner) {
	defer peer.Within("%s: %s", c.name, l.name)
	p := peer.Python(ctx, "bench/peers/lambdamart/peer.py", l.pkg)
	defer p.Close()
	program := p.Program(l.name, l.pkg)
	c.send(p, "train", c.train)
	c.send(p, "test", c.test)
	train := fmt.Sprintf("train %s %d %d %g", l.objective, c.trees, c.leaves, learningRate)

	row := peer.Row{What: fmt.Sprintf("%s, %d trees of %d leaves", c.name, c.trees, c.leaves), Program: program}
	if l.ours != lambdamart.NDCG {
		row.What += fmt.Sprintf(", objective %v", l.ours)
	}
	row.OurQuality, row.PeerQuality = c.accuracy(ctx, p, l, train)
	if c.memory {
		row.OurMemory, row.PeerMemory = c.ourMemory(ctx, l), c.peerMemory(ctx, l)
	}
	for _, threads := range []int{1, 2} {
		if threads > runtime.NumCPU() || threads > 1 && (c.t.Growth || c.t.Quick) {
			break
		}
		if l.objective != "quantized" && l.objective != "YetiRank" {
			c.t.Compare(peer.Row{What: c.name + ", binning", Program: program, Threads: threads,
				Ours: func() float64 { _, seconds := c.bin(ctx, threads); return seconds },
				Peer: func() float64 { return p.Seconds("bin %d %d", bins, threads) }})
		}
		p.Call("bin %d %d", bins, threads)
		row.Threads = threads
		row.Ours = func() float64 {
			b, _ := c.bin(ctx, threads)
			t, started := c.trainer(l.ours, 1, threads), time.Now()
			peer.Must(t.FitBinned(ctx, b))
			return time.Since(started).Seconds()
		}
		row.Peer = func() float64 { return p.Seconds("%s 1 %d", train, threads) }
		c.t.Compare(row)
	}
	if c.shap && l.objective != "quantized" && l.pkg != "catboost" {
		c.contributions(ctx, p, program)
	}
}

// ourMemory returns the maximum memory of binning and training in addition to the data, or 0 if the
// system does not report it.
func (c *contest) ourMemory(ctx context.Context, l learner) float64 {
	before := peer.ResetMemory()
	if before == 0 {
		return 0
	}
	peer.Must(c.trainer(l.ours, 1, 1).Fit(ctx, c.train))
	return peer.PeakMemory() - before
}

// peerMemory is like ourMemory for a new process of the peer. In a process that has trained before,
// freed memory would count as memory that it had before.
func (c *contest) peerMemory(ctx context.Context, l learner) float64 {
	p := peer.Python(ctx, "bench/peers/lambdamart/peer.py", l.pkg)
	defer p.Close()
	p.Program(l.name, l.pkg) // imports the library
	c.send(p, "train", c.train)
	return p.Seconds("memory %s %d %d %d %g 1", l.objective, bins, c.trees, c.leaves, learningRate)
}

// accuracy returns the mean NDCG@10 of both sides over the seeds. Seeds vary the training sets or,
// if there is only one, random choices.
func (c *contest) accuracy(ctx context.Context, p *peer.Process, l learner, train string) (ours, theirs float64) {
	evaluator := peer.Must(rank.NewEvaluator("ndcg@10", rank.Options{Empty: "one"}))
	mean := func(d *rank.Dataset, scores []float64) float64 {
		return peer.Must(evaluator.EvalScores(ctx, scores, d)).Metrics[0].Mean / float64(c.seeds)
	}
	_, known := c.quality[l.ours]
	for seed := range uint64(c.seeds) {
		trainSet, test := c.train, c.test
		if seed > 0 && !c.fixed {
			trainSet, test = c.load(seed+1, 0), c.load(seed+1, 1)
			c.send(p, "train", trainSet)
			c.send(p, "test", test)
		}
		if seed == 0 || !c.fixed {
			p.Call("bin %d %d", bins, runtime.NumCPU())
		}
		if !known {
			r := peer.Must(c.trainer(l.ours, seed+1, 0).Fit(ctx, trainSet))
			scores := make([]float64, test.Rows())
			peer.Check(r.Model.ScoreInto(ctx, scores, test))
			c.quality[l.ours] += mean(test, scores)
		}
		p.Call("%s %d %d", train, seed+1, runtime.NumCPU())
		scores := c.values(p, test.Rows(), "predict %s")
		if !c.sparse || l.pkg != "xgboost" { // XGBoost treats omitted values as missing, not as 0
			c.agree(ctx, p, test, scores)
		}
		theirs += mean(test, scores)
	}
	if c.seeds > 1 && !c.fixed {
		c.send(p, "train", c.train)
		c.send(p, "test", c.test)
	}
	return c.quality[l.ours], theirs
}

// model returns the model of the peer, as simdrank reads it.
func (c *contest) model(p *peer.Process) *lambdamart.Model {
	path := filepath.Join(c.dir, "model.json")
	p.Call("save %s", path)
	return peer.Must(model.Trees(model.Load(path)))
}

// agree compares the peer's scores with simdrank's for the peer's model. XGBoost adds float32.
func (c *contest) agree(ctx context.Context, p *peer.Process, d *rank.Dataset, theirs []float64) {
	scores := make([]float64, d.Rows())
	peer.Check(c.model(p).ScoreInto(ctx, scores, d))
	for i, s := range scores {
		if math.Abs(s-theirs[i]) > 1e-5*max(1, math.Abs(s)) {
			panic(fmt.Errorf("row %d has score %v in simdrank and %v in the peer", i, s, theirs[i]))
		}
	}
}

// contributions times feature contributions to the scores of the first documents by the peer's
// model.
func (c *contest) contributions(ctx context.Context, p *peer.Process, program peer.Program) {
	const rows = 2000
	m := c.model(p)
	part := *c.test
	part.X, part.Labels, part.Offsets = part.X[:rows*part.Stride], nil, nil
	values := make([]float64, rows*(part.Cols+1))
	e := peer.Must(explain.New(m))
	for _, threads := range []int{1, 2} {
		if threads > runtime.NumCPU() || threads > 1 && c.t.Quick {
			break
		}
		e.Threads = threads
		c.t.Compare(peer.Row{What: fmt.Sprintf("SHAP values of %d scores, %d trees", rows, c.trees), Program: program,
			Threads: threads,
			Ours: func() float64 {
				return peer.Time(50*time.Millisecond, func() { peer.Check(e.ContributionsInto(ctx, values, &part)) })
			},
			Peer: func() float64 {
				return p.Seconds("contributions %d %d %s", rows, threads, filepath.Join(c.dir, "values"))
			}})
	}
	theirs := c.values(p, len(values), fmt.Sprintf("contributions %d 1 %%s", rows))
	for i, v := range values {
		if math.Abs(v-theirs[i]) > 1e-4 { // XGBoost's are sums of a hundred float32
			panic(fmt.Errorf("row %d: feature %d contributes %v in simdrank and %v in the peer", i/(part.Cols+1),
				i%(part.Cols+1), v, theirs[i]))
		}
	}
}

// values sends a request with the path of a file, and returns the n numbers that the peer writes
// there.
func (c *contest) values(p *peer.Process, n int, request string) []float64 {
	path := filepath.Join(c.dir, "values")
	p.Call(request, path)
	return peer.ReadFloats(path, n)
}

// send writes a set and loads it into the peer.
func (c *contest) send(p *peer.Process, name string, d *rank.Dataset) {
	path := filepath.Join(c.dir, name)
	peer.WriteSet(path, d)
	request := "load"
	if d.Sparse != nil {
		request = "loadsparse"
	}
	p.Call("%s %s %s %d %d %d", request, name, path, d.Rows(), d.Cols, d.Queries())
}

package rankbeam

import (
	"context"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/sharded"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

func init() {
	tasks["numbering"] = fileTaskOf(numberFile)
	tasks["trees"] = taskOf(treeTask)
	gob.Register(lambdamart.NDCG) // an Objective of a Trainer
}

// A treePlan describes a pass of tree training for workers.
type treePlan struct {
	Name       string // of the pass
	Dir        string
	Trainer    lambdamart.Trainer
	Rows, Cols int        // of the training data
	Names      []string   // of its columns
	Start      *sentModel // start model; nil means none
	Bias       float64    // score of a row before the first tree, without Start

	Tree      boost.CutTree // the last complete tree; without leaves if there is none
	Next      int           // number of the tree for which derivatives are computed; negative means none
	Evaluator *rank.Evaluator

	Growth boost.Growth
}

// The passes over shards.
const (
	samplePass    = "sample"
	binningPass   = "binning"
	gradientPass  = "gradients"
	histogramPass = "histograms"
)

// binsFile is the name of the file of bins in the folder of a training.
const binsFile = "/bins"

// A numbered file has its number of rows and its column names, or nil without names.
type numbered struct {
	Size  size
	Names []string
}

// numberFile counts rows and columns.
func numberFile(ctx context.Context, a *attempt, _ *int, f file) (any, error) {
	var n numbered
	for d, err := range a.pieces(ctx, &f, f.options()) {
		if err != nil {
			return nil, err
		}
		n.Names = d.Names
	}
	n.Size = a.size
	return n, nil
}

// A treePart is the result of a shard.
type treePart struct {
	Output  string // the file that was written: values, bins or histograms
	Scores  string // the file of scores
	Shipped int64  // bytes of Output if the program reads it

	Sampled  int // rows
	Features []boost.Feature
	Labels   num.ExactMean

	Leaves []boost.Leaf
	Total  int64
	Drawn  int
	Sums   []float64
	Means  []num.ExactMean
}

// treeWork is an attempt at a shard.
type treeWork struct {
	attempt *attempt
	plan    *treePlan
	shard   treeShard
	trees   *sharded.Training
	worker  *sharded.Worker // contains the bins
	part    treePart
}

// treeTask performs the work of a pass on shards. Only the histogram pass has several shards.
func treeTask(ctx context.Context, a *attempt, plan *treePlan, shards []treeShard) (any, error) {
	w := &treeWork{attempt: a, plan: plan, shard: shards[0]}
	var err error
	if w.trees, err = sharded.New(&plan.Trainer, plan.Rows, plan.Cols, plan.Names, nil); err != nil {
		return nil, err
	}
	if w.plan.Name == samplePass {
		return &w.part, w.sample(ctx)
	}
	bins, err := loadBins(ctx, plan.Dir+binsFile)
	if err != nil {
		return nil, err
	}
	w.worker = w.trees.Worker(bins)
	switch w.plan.Name {
	case binningPass:
		err = w.fill(ctx)
	case gradientPass:
		err = w.step(ctx)
	default:
		err = w.grow(ctx, shards)
	}
	return &w.part, err
}

// lastBins caches the bins of the current training, which every pass needs.
var lastBins atomic.Pointer[namedBins]

type namedBins struct {
	name string
	bins []boost.Binning
}

// loadBins reads the bins of features.
func loadBins(ctx context.Context, name string) ([]boost.Binning, error) {
	if last := lastBins.Load(); last != nil && last.name == name {
		return last.bins, nil
	}
	b, err := remote.ReadAll(ctx, name)
	if err != nil {
		return nil, &ioError{cli.FileError(name, err)}
	}
	bins, err := decode[[]boost.Binning](b)
	if err == nil {
		lastBins.Store(&namedBins{name, bins})
	}
	return bins, err
}

// data iterates over the rows of the shard, dense and in the columns of the training data.
func (w *treeWork) data(ctx context.Context, do func(d *rank.Dataset) error) error {
	to := model.Alignment{DataName: w.shard.File.Path, ModelName: "the training data"}
	for d, err := range w.attempt.pieces(ctx, &w.shard.File, w.shard.File.options()) {
		if err != nil {
			return err
		}
		if d, err = to.ToColumns(d, w.plan.Names, w.plan.Cols, nil); err != nil {
			return err
		}
		if err := d.Validate(); err != nil {
			return cli.FileError(w.shard.File.Path, err)
		}
		if err := do(d.ToDense()); err != nil {
			return cli.FileError(w.shard.File.Path, err)
		}
	}
	return nil
}

// sample writes the values of sampled rows, feature by feature, and counts categories.
func (w *treeWork) sample(ctx context.Context) error {
	all := boost.SampleRows(w.plan.Rows)
	first, _ := slices.BinarySearch(all, uint32(w.shard.FirstRow))
	all = all[first:]
	values := make([][]float32, w.plan.Cols)
	w.part.Features = make([]boost.Feature, w.plan.Cols)
	row := w.shard.FirstRow
	err := w.data(ctx, func(d *rank.Dataset) error {
		for ; len(all) > 0 && int(all[0]) < row+d.Rows(); all = all[1:] {
			for f, v := range d.Row(int(all[0]) - row) {
				values[f] = append(values[f], v)
			}
			w.part.Sampled++
		}
		row += d.Rows()
		return w.trees.CountRows(w.part.Features, &w.part.Labels, d)
	})
	if err != nil {
		return err
	}
	out, err := w.open(ctx, "sample")
	if err != nil {
		return err
	}
	for f, v := range values {
		if w.part.Features[f].Categories == nil {
			out.write(v)
		}
	}
	w.part.Output, w.part.Shipped = out.name, out.bytes
	return out.close(nil)
}

// fill writes the bins of the rows and the other data that training needs. It also writes the
// scores by the start model.
func (w *treeWork) fill(ctx context.Context) (err error) {
	out, err := w.open(ctx, "rows")
	if err != nil {
		return err
	}
	defer func() { err = out.close(err) }()
	w.part.Output = out.name
	var scores *output
	start := w.plan.Start
	if start != nil {
		if scores, err = w.open(ctx, "scores"); err != nil {
			return err
		}
		defer func() { err = scores.close(err) }()
		w.part.Scores = scores.name
	}
	return w.data(ctx, func(d *rank.Dataset) error {
		if !w.shard.Valid {
			if err := w.worker.Check(d); err != nil {
				return err
			}
		}
		out.record(encode(&rowNames{d.QueryIDs, d.DocIDs}), int64s(d.Offsets), d.Labels, d.Weights, d.QueryWeights,
			w.worker.Fill(d, w.shard.Valid))
		if start == nil {
			return nil
		}
		own := make([]float64, d.Rows())
		if err := start.ScoreInto(ctx, own, d); err != nil {
			return err
		}
		scores.record(own, []float32{}, []float32{})
		return nil
	})
}

// rowNames are identifiers as in [rank.Dataset].
type rowNames struct{ QueryIDs, DocIDs []string }

// rows iterates over the rows of the shard. It reads the files of earlier passes: bins, and scores
// with derivatives.
func (w *treeWork) rows(ctx context.Context, names bool, do func(p *sharded.Piece) error) (err error) {
	bins, err := openInput(ctx, w.shard.Bins)
	if err != nil {
		return err
	}
	defer bins.close()
	var scores *input
	if w.shard.Scores != "" {
		if scores, err = openInput(ctx, w.shard.Scores); err != nil {
			return err
		}
		defer scores.close()
	}
	row, query := w.shard.FirstRow, w.shard.FirstQuery
	for {
		b, err := bins.record(6)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		d := &rank.Dataset{Labels: view[float64](b[2]), Weights: view[float64](b[3]), QueryWeights: view[float64](b[4])}
		for _, o := range view[int64](b[1]) {
			d.Offsets = append(d.Offsets, int(o))
		}
		if names {
			n, err := decode[rowNames](b[0])
			if err != nil {
				return &ioError{cli.FileError(w.shard.Bins, err)}
			}
			d.QueryIDs, d.DocIDs = n.QueryIDs, n.DocIDs
		}
		p := &sharded.Piece{Data: d, Piece: boost.Piece{FirstRow: row, FirstQuery: query, Offsets: d.Offsets,
			Bins: b[5]}}
		if scores == nil {
			p.Scores = slices.Repeat([]float64{w.plan.Bias}, d.Rows())
		} else {
			s, err := scores.record(3)
			if err != nil {
				return &ioError{cli.FileError(w.shard.Scores, err)}
			}
			p.Scores, p.Grad, p.Hess = view[float64](s[0]), view[float32](s[1]), view[float32](s[2])
		}
		if err := do(p); err != nil {
			return cli.FileError(w.shard.File.Path, err)
		}
		row, query = row+d.Rows(), query+d.Queries()
	}
}

// step adds a tree to the scores. It computes the metrics of validation data, and the derivatives
// of training data.
func (w *treeWork) step(ctx context.Context) (err error) {
	out, err := w.open(ctx, "scores")
	if err != nil {
		return err
	}
	defer func() { err = out.close(err) }()
	w.part.Scores = out.name
	t := &w.plan.Tree
	var e *rank.Evaluator
	if w.shard.Valid {
		if e, err = evaluatorOr(w.plan.Evaluator); err != nil {
			return err
		}
		w.part.Means = make([]num.ExactMean, len(e.Metrics()))
	}
	return w.rows(ctx, e != nil, func(p *sharded.Piece) (err error) {
		if len(t.Leaf) > 0 {
			if err := w.worker.Add(&p.Piece, t); err != nil {
				return err
			}
		}
		switch {
		case e != nil:
			r, err := e.EvalScores(ctx, p.Scores, p.Data)
			if err != nil {
				return err
			}
			addMeans(w.part.Means, r)
		case w.plan.Next >= 0:
			var n int
			if w.part.Sums, n, err = w.worker.Derive(ctx, p, w.plan.Next, w.part.Sums); err != nil {
				return err
			}
			w.part.Drawn += n
		}
		out.record(p.Scores, p.Grad, p.Hess)
		return nil
	})
}

// cellPool contains reusable histograms, which are large and needed for each element of a pass.
var cellPool = sync.Pool{New: func() any { return new([]int64) }}

// grow adds up the histograms of shards and writes them.
func (w *treeWork) grow(ctx context.Context, shards []treeShard) error {
	g := &w.plan.Growth
	h := &boost.Histograms{Leaves: make([]boost.Leaf, len(g.Tree.Cuts)+1)}
	n := w.worker.Cells()
	room := cellPool.Get().(*[]int64)
	defer cellPool.Put(room)
	*room = slices.Grow((*room)[:0], n*len(g.Histogram))[:n*len(g.Histogram)]
	clear(*room)
	h.Cells = slices.Collect(slices.Chunk(*room, n))
	for _, w.shard = range shards {
		err := w.rows(ctx, false, func(p *sharded.Piece) error { return w.worker.Histograms(&p.Piece, g, h) })
		if err != nil {
			return err
		}
	}
	w.part.Leaves, w.part.Total = h.Leaves, h.Total
	if len(h.Cells) == 0 {
		return nil
	}
	out, err := w.open(ctx, "histograms")
	if err != nil {
		return err
	}
	for _, cells := range h.Cells {
		out.write(cells)
	}
	w.part.Output, w.part.Shipped = out.name, out.bytes
	return out.close(nil)
}

// open opens a file of the training.
func (w *treeWork) open(ctx context.Context, kind string) (*output, error) {
	return w.attempt.create(ctx, w.plan.Dir+"/"+kind, "")
}

// An input is a file of records.
type input struct {
	*source
	buf *[]byte // of the last record
}

// buffers contain records, which are as large as chunks.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func openInput(ctx context.Context, name string) (*input, error) {
	f, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &input{f, buffers.Get().(*[]byte)}, nil
}

// record reads a record with the given number of lists, which are valid until the next call. After
// the last record, the error is io.EOF.
func (in *input) record(lists int) ([][]byte, error) {
	sizes := make([]byte, 8*lists)
	if _, err := io.ReadFull(in, sizes); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, &ioError{cli.FileError(in.path, err)}
	}
	total := 0
	for i := range lists {
		n, ok := binary.LittleEndian.Uint64(sizes[8*i:]), false
		if total, ok = memory.Sum(total, int((min(n, math.MaxInt-7)+7)&^7)); !ok || n > math.MaxInt-7 {
			return nil, &ioError{cli.FileError(in.path, fmt.Errorf("the record is damaged: the list length of %d bytes exceeds the address space", n))}
		}
	}
	if len(*in.buf) < total {
		*in.buf = memory.Buffer(total)
	}
	b := (*in.buf)[:total]
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, &ioError{cli.FileError(in.path, err)}
	}
	out := make([][]byte, lists)
	for i := range lists {
		n := binary.LittleEndian.Uint64(sizes[8*i:])
		if n > 0 { // else nil
			out[i] = b[:n]
		}
		b = b[(n+7)&^7:]
	}
	return out, nil
}

func (in *input) close() {
	buffers.Put(in.buf)
	in.Close()
}

func view[T any](b []byte) []T { return memory.View[T](b, binary.LittleEndian) }

// appendValues appends n values that a worker has written.
func appendValues(values []float32, from io.Reader, n int) ([]float32, error) {
	b := memory.Buffer(4 * n)
	_, err := io.ReadFull(from, b)
	return append(values, view[float32](b)...), err
}

// addCells adds histograms that a worker has written, with a lock for each leaf's.
func addCells(cells [][]int64, locks []sync.Mutex, from io.Reader) error {
	for k, to := range cells {
		buf := buffers.Get().(*[]byte)
		if len(*buf) < 8*len(to) {
			*buf = memory.Buffer(8 * len(to))
		}
		b := (*buf)[:8*len(to)]
		_, err := io.ReadFull(from, b)
		locks[k].Lock()
		for i, v := range view[int64](b) {
			to[i] += v
		}
		locks[k].Unlock()
		buffers.Put(buf)
		if err != nil {
			return err
		}
	}
	return nil
}

func int64s(list []int) []int64 {
	out := make([]int64, len(list))
	for i, v := range list {
		out[i] = int64(v)
	}
	return out
}

package rankbeam

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

// pairGain returns the field Gain of [rank.RankSVM] for a word that has been checked.
func pairGain(word string) func(label float64) float64 {
	gain, _ := cli.PairGain(word)
	return gain
}

// SVMOptions are the options of [Job.TrainRankSVM] in addition to those of a [rank.RankSVM].
type SVMOptions struct {
	// Pairs says what a pair of documents weighs, instead of the field Gain, which must be nil
	// because functions cannot be sent to workers: "equal", or "", means 1, "label" the difference
	// of the labels, and "gain" the difference of 2^label.
	Pairs        string
	QueryWeights []float64 // of all queries, in the order of the files; nil: those of the files

	// Path has a value of C chosen from Cs (nil: the default values), as [rank.RankSVM.FitPath]
	// does: on Valid of the job, or by a cross-validation of Folds parts (0: 5) if that is nil.
	Path  bool
	Cs    []float64
	Folds int
}

// TrainRankSVM trains RankSVM on all files together. The model is that of [rank.RankSVM.Fit], or of
// FitPath, on one machine, to the bit. Without Path there is no [rank.CPath].
//
// The solver runs in this process. For a pass, workers get the weights and send parts of the loss
// and the gradient back, one for some 2048 documents, which are added up in the order of the data.
// The first pass keeps what text holds as binary files in WorkDir, so that text is read once;
// binary files that a worker can map are used where they are. The sample of documents that Hessians
// are taken of is gathered in this process.
//
// Weights of rows are an error, as to [rank.RankSVM.Fit].
func (j *Job) TrainRankSVM(ctx context.Context, s *rank.RankSVM, o SVMOptions) (m *rank.Linear, path *rank.CPath,
	done *Pass, err error) {
	if s.Gain != nil {
		return nil, nil, nil,
			errors.New("the field Gain is set: functions do not travel, and SVMOptions.Pairs says what pairs weigh")
	}
	if _, err := ranksvm.ParseLoss(s.Loss); err != nil {
		return nil, nil, nil, err
	}
	if _, err := cli.PairGain(o.Pairs); err != nil {
		return nil, nil, nil, fmt.Errorf("SVMOptions.Pairs: %w", err)
	}
	o.Pairs = cmp.Or(o.Pairs, "equal")
	evaluator, err := newEvaluator(j.Metrics, j.Policies)
	if err != nil {
		return nil, nil, nil, err
	}
	kept, err := j.newState()
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { err = cmp.Or(err, kept.remove()) }()
	d := &svmData{state: kept, options: &o}
	if err := d.prepare(ctx); err != nil {
		return nil, nil, nil, err
	}
	if j.Settle != nil {
		if err := j.Settle(d.cols, d.names); err != nil {
			return nil, nil, nil, err
		}
	}
	if o.Path {
		m, path, err = d.fitPath(ctx, s, evaluator.Metrics()[0].String())
	} else {
		m, err = d.fit(ctx, s)
	}
	if err != nil {
		if place := (*dataError)(nil); errors.As(err, &place) { // says where
			return nil, nil, nil, place
		}
		return nil, nil, nil, cli.FileError(j.Data.Glob, err)
	}
	done = kept.total()
	done.Files, done.Queries, done.Rows, done.Cols = len(d.shards), len(d.sizes), d.rows, d.cols
	return m, path, done, nil
}

// fit trains a model.
func (d *svmData) fit(ctx context.Context, s *rank.RankSVM) (*rank.Linear, error) {
	f, err := ranksvm.Fit(ctx, d.trainer(s), d.data())
	if err != nil {
		return nil, err
	}
	return d.model(s, f), nil
}

// fitPath chooses C and trains a model with it.
func (d *svmData) fitPath(ctx context.Context, s *rank.RankSVM, metric string) (*rank.Linear, *rank.CPath, error) {
	by := &ranksvm.Selection{Metric: metric, Validate: d.validate, CrossValidate: d.crossValidate}
	if d.job.Valid == nil {
		by.Folds = cmp.Or(d.options.Folds, 5)
	}
	found, err := ranksvm.FitPath(ctx, d.trainer(s), d.data(), d.options.Cs, by)
	if err != nil {
		return nil, nil, err
	}
	p := &rank.CPath{Best: found.Best, Metric: metric}
	for _, point := range found.Points {
		p.Points = append(p.Points, rank.CPoint(point))
	}
	return d.model(s, found.Fitted), p, nil
}

// trainer returns the options of a training.
func (d *svmData) trainer(s *rank.RankSVM) *ranksvm.Options {
	o := &ranksvm.Options{
		C: s.C, Loss: s.Loss, PerQuery: s.PerQuery, Gain: pairGain(d.options.Pairs),
		Standardize: s.Standardize, Unpenalized: s.Unpenalized, NonNegative: s.NonNegative,
		Tol: s.Tol, MaxPasses: s.MaxPasses, Threads: s.Threads,
	}
	if s.Start != nil {
		o.Start = append([]float64{}, s.Start.Weights...)
	}
	if s.Progress != nil {
		o.Progress = func(r ranksvm.Report) { s.Progress(rank.FitReport(r)) }
	}
	return o
}

// model returns what was trained, with its report.
func (d *svmData) model(s *rank.RankSVM, f *ranksvm.Fitted) *rank.Linear {
	o := *s
	o.C, o.Tol, o.MaxPasses = f.C, f.Tol, f.MaxPasses
	r := rank.FitReport(f.Report)
	return &rank.Linear{Weights: f.Weights, FeatureNames: slices.Clone(d.names), Report: &r,
		Settings: text.Settings("ranksvm", o, d.names, "Threads")}
}

// data returns the files as those of internal/ranksvm.
func (d *svmData) data() *ranksvm.Data {
	data := &ranksvm.Data{Cols: d.cols, Nonzeros: d.nonzeros, Columns: d.columns, Source: d, Sizes: d.sizes,
		Rows: d.rows, QueryWeights: d.weights, NotFinite: d.notFinite}
	if data.Features.Cols = d.cols; d.columns != nil {
		data.Features.Cols = len(d.columns)
	}
	return data
}

// An svmPart is what the first pass tells of a file.
type svmPart struct {
	File     string // its name
	Kept     string // the data file of its rows
	Cols     int
	Names    []string
	Sizes    []ranksvm.Size // of its queries
	Weights  []float64      // of its queries; nil: 1
	Nonzeros int
	Gain     *dataError // a label whose gain is not finite; nil: none
}

// svmPreparation is the first pass over a file: it keeps what the others need.
type svmPreparation work

func (w *svmPreparation) do(ctx context.Context) error {
	p := &w.part.SVM
	p.File = w.shard.Path
	place, err := inPlace(ctx, w.shard.Path)
	if err != nil {
		return &ioError{err}
	}
	var wrong error // with the data
	pieces := func(yield func(*rank.Dataset, error) bool) {
		for d, err := range (*work)(w).pieces(ctx) {
			if err == nil {
				err = w.note(d)
			}
			if wrong = err; !yield(d, err) || err != nil {
				return
			}
		}
	}
	if p.Kept = w.shard.Path; place {
		for range pieces {
		}
		return wrong
	}
	p.Kept = path(w.plan.State, "rows", w.shard.Index)
	if err = saveData(ctx, p.Kept, pieces); err != nil && wrong == nil {
		return &ioError{err}
	}
	return wrong
}

// inPlace reports whether a file is a data file that can be mapped.
func inPlace(ctx context.Context, name string) (bool, error) {
	return remote.Load(ctx, name, func(r io.Reader) (bool, error) {
		f, local := r.(*os.File)
		if !local {
			return false, nil
		}
		start := make([]byte, 8)
		n, err := io.ReadFull(f, start)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = nil
		}
		return n == len(start) && datafile.IsData(start), err
	})
}

// note adds what a piece holds.
func (w *svmPreparation) note(d *rank.Dataset) error {
	p := &w.part.SVM
	err := d.Validate()
	if err == nil && d.Weights != nil {
		err = ranksvm.ErrRowWeights
	}
	if err != nil {
		return cli.FileError(w.shard.Path, err)
	}
	if p.Cols <= d.Cols {
		p.Cols, p.Names = d.Cols, slices.Clone(d.Names)
	}
	gain := pairGain(w.plan.Pairs)
	for i, y := range d.Labels {
		switch {
		case math.IsNaN(y):
			return d.RowError(i, errors.New("label is NaN"))
		case gain != nil && p.Gain == nil && !finite(gain(y)):
			p.Gain = wireError(d.RowError(i, fmt.Errorf("the gain of label %v is %v", y, gain(y))))
		}
	}
	if p.Weights == nil && d.QueryWeights != nil {
		p.Weights = slices.Repeat([]float64{1}, len(p.Sizes))
	}
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		p.Sizes = append(p.Sizes, ranksvm.Size{Rows: hi - lo, Pairs: ranksvm.CountPairs(d.Labels[lo:hi])})
		switch {
		case d.QueryWeights != nil:
			p.Weights = append(p.Weights, d.QueryWeights[q])
		case p.Weights != nil:
			p.Weights = append(p.Weights, 1)
		}
	}
	p.Nonzeros += nonzeros(d, 0, d.Rows())
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// nonzeros returns how many features of the rows from lo to hi−1 are not 0.
func nonzeros(d *rank.Dataset, lo, hi int) (n int) {
	if d.Sparse != nil {
		for _, v := range d.Sparse.Values[d.Sparse.Offsets[lo]:d.Sparse.Offsets[hi]] {
			if v != 0 {
				n++
			}
		}
		return n
	}
	for i := lo; i < hi; i++ {
		for _, v := range d.Row(i) {
			if v != 0 {
				n++
			}
		}
	}
	return n
}

// svmData are the files as a [ranksvm.Source].
type svmData struct {
	*state
	options *SVMOptions

	shards     []svmShard
	sizes      []ranksvm.Size // of all queries
	rows, cols int
	names      []string
	nonzeros   int     // where they are few; else 0
	columns    []int32 // that are trained; nil: all

	weights []float64 // of the queries; nil: 1 each
	written *string   // the start of the names of their files; "": not written yet
}

// An svmShard is a file that workers map, and where it begins in all the data.
type svmShard struct {
	File, Path string // of the data, and what holds its rows
	Query, Row int    // the first
}

// prepare does the first pass.
func (d *svmData) prepare(ctx context.Context) error {
	parts, err := d.read(ctx)
	if err != nil {
		return err
	}
	var heads []*rank.Dataset
	all := 0 // features that are not 0
	for i := range parts {
		f := &parts[i].SVM
		switch {
		case f.Gain != nil:
			return f.Gain
		case parts[i].Size.Rows > math.MaxInt32:
			return fmt.Errorf("%s: %d rows; at most %d of one file can be trained on", f.File, parts[i].Size.Rows,
				math.MaxInt32)
		}
		if f.Weights != nil && d.weights == nil {
			d.weights = slices.Repeat([]float64{1}, len(d.sizes))
		}
		d.shards = append(d.shards, svmShard{f.File, f.Kept, len(d.sizes), d.rows})
		d.sizes = append(d.sizes, f.Sizes...)
		if d.weights != nil {
			d.weights = append(d.weights, f.Weights...)
			d.weights = append(d.weights, slices.Repeat([]float64{1}, len(d.sizes)-len(d.weights))...)
		}
		d.rows += parts[i].Size.Rows
		all += f.Nonzeros
		heads = append(heads, &rank.Dataset{Cols: f.Cols, Names: f.Names, Offsets: []int{0}})
	}
	whole := rank.Concat(heads...)
	d.cols, d.names = whole.Cols, whole.Names
	for i, h := range heads {
		if h.Names != nil && d.names != nil || h.Names == nil && d.names == nil {
			continue
		}
		return fmt.Errorf("%s: the columns of all files need the same names", d.shards[i].File)
	}
	if w := d.options.QueryWeights; w != nil {
		if d.weights = w; len(w) != len(d.sizes) {
			return fmt.Errorf("%s, but %s has %s", cli.Count(len(w), "weight", "weights"), d.job.Data.Glob,
				cli.Count(len(d.sizes), "query", "queries"))
		}
	}
	d.written = new(string)
	if ranksvm.PrefersSparse(all, d.rows, d.cols) {
		if err := d.estimateDensity(ctx, all); err != nil {
			return err
		}
	}
	if ranksvm.Wide(d.cols, d.nonzeros) {
		return d.findColumns(ctx)
	}
	return nil
}

// An svmIndex is what a StateDir keeps beside rows.
type svmIndex struct {
	Key   string
	Parts []part
}

// read does the first pass, unless what came of it is kept.
func (d *svmData) read(ctx context.Context) (parts []part, err error) {
	index := svmIndex{}
	name := d.dir + "/ranksvm"
	if d.job.StateDir != "" {
		names, err := d.job.Data.files(ctx)
		if err != nil {
			return nil, err
		}
		if index.Key, err = stamp(ctx, names); err != nil {
			return nil, err
		}
		null := any(d.job.Data.NullAs)
		if v := d.job.Data.NullAs; v != nil {
			null = *v
		}
		index.Key += fmt.Sprintln(d.options.Pairs, d.job.Data.ZeroBased, d.job.Data.MaxFeature, null)
		if kept, err := remote.Load(ctx, name, io.ReadAll); err == nil {
			if was, err := decode[svmIndex](kept); err == nil && was.Key == index.Key && was.there(ctx) {
				return was.Parts, nil
			}
		}
		// Rows are about to be replaced: a training that fails must not leave the index of others.
		if err := removeAll(quote(name)); err != nil {
			return nil, err
		}
	}
	p := &plan{Task: prepareSVM, State: d.dir, Pairs: d.options.Pairs}
	done, err := d.job.pass(ctx, p, nil, func(list []part) error {
		parts = list
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.note("read", *done)
	if d.job.StateDir == "" {
		return parts, nil
	}
	index.Parts = parts
	return parts, remote.Save(ctx, name, encode(index))
}

// there reports whether the rows are.
func (x *svmIndex) there(ctx context.Context) bool {
	for i := range x.Parts {
		if _, err := stamp(ctx, []string{x.Parts[i].SVM.Kept}); err != nil {
			return false
		}
	}
	return true
}

// every returns elements for all shards, with what one is told.
func (d *svmData) every(told func(i int) any) []stateShard {
	elements := make([]stateShard, len(d.shards))
	for i := range elements {
		elements[i] = stateShard{i, encode(told(i))}
	}
	return elements
}

// end returns the number of the query behind the last one of a shard.
func (d *svmData) end(shard int) int {
	if shard+1 < len(d.shards) {
		return d.shards[shard+1].Query
	}
	return len(d.sizes)
}

// pass has workers do a task that goes through so many rows, and notes it under its name.
func (d *svmData) pass(ctx context.Context, task string, plan any, shards []stateShard, rows int,
	each func(shard int, result []byte) error) error {
	done, err := d.state.pass(ctx, task, plan, shards, each)
	if err == nil {
		done.Files, done.Rows = len(d.shards), rows
		d.note(task, done)
	}
	return err
}

// Weighted implements [ranksvm.Source].
func (d *svmData) Weighted(weights []float64) ranksvm.Source {
	other := *d
	other.weights, other.written = weights, new(string)
	return &other
}

// A densityPlan asks how many features of rows are not 0.
type densityPlan struct {
	Path string
	Rows []int
}

// estimateDensity decides whether features are taken for sparse, as one machine does: by a few rows
// first, and then by all.
func (d *svmData) estimateDensity(ctx context.Context, all int) error {
	rows, step := make([][]int, len(d.shards)), ranksvm.DensityStep(d.rows)
	seen, some, shard := 0, 0, 0
	for i := 0; i < d.rows; i += step {
		for shard+1 < len(d.shards) && d.shards[shard+1].Row <= i {
			shard++
		}
		rows[shard] = append(rows[shard], i-d.shards[shard].Row)
		seen++
	}
	told := d.every(func(i int) any { return densityPlan{d.shards[i].Path, rows[i]} })
	err := d.pass(ctx, "density", 0, told, seen, func(_ int, result []byte) error {
		n, err := decode[int](result)
		some += n
		return err
	})
	if err == nil && ranksvm.PrefersSparse(some, seen, d.cols) {
		d.nonzeros = all
	}
	return err
}

func countDensity(ctx context.Context, _ int, p densityPlan) (any, error) {
	d, done, err := openKept(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	defer done()
	n := 0
	for _, i := range p.Rows {
		n += nonzeros(d, i, i+1)
	}
	return n, nil
}

// findColumns decides which columns are trained, as one machine does.
func (d *svmData) findColumns(ctx context.Context) error {
	occur := ranksvm.NewColumns(d.cols)
	told := d.every(func(i int) any { return d.shards[i].Path })
	err := d.pass(ctx, "columns", 0, told, d.rows, func(_ int, result []byte) error {
		part, err := decode[ranksvm.Columns](result)
		occur.Merge(part)
		return err
	})
	d.columns = occur.Few(d.cols)
	return err
}

func addColumns(ctx context.Context, _ int, path string) (any, error) {
	d, done, err := openKept(ctx, path)
	if err != nil {
		return nil, err
	}
	defer done()
	occur, x := ranksvm.NewColumns(d.Cols), matrix(d)
	occur.Add(&x, d.Rows())
	return occur, nil
}

func init() {
	tasks["density"], tasks["variances"] = taskOf(countDensity), taskOf(addVariances)
	tasks["columns"] = taskOf(addColumns)
	tasks["gradient"], tasks["sample"] = taskOf(addGradient), taskOf(fetchSample)
	tasks["cross-validation"] = taskOf(crossValidate)
}

// A gradientPlan says which sums workers compute.
type gradientPlan struct {
	Pass    ranksvm.Pass // without Blocks
	Columns []int32      // that the weights are of; nil: all
	Pairs   string
}

// A gradientShard says which of them those of a shard are.
type gradientShard struct {
	Rows   kept
	Blocks [][2]int // that begin in this shard, by queries of it
	Tails  []tail   // the rest of the last one
}

// kept says where rows are, and the weights of their queries; "": 1 each.
type kept struct{ Path, Weights string }

// A tail is the first queries of a shard.
type tail struct {
	Rows    kept
	Queries int
}

// keptRows writes weights that are not written yet.
func (d *svmData) keptRows(ctx context.Context) ([]kept, error) {
	list := make([]kept, len(d.shards))
	if d.weights != nil && *d.written == "" {
		written := d.newName("weights")
		for i, s := range d.shards {
			err := remote.Save(ctx, fmt.Sprintf("%s-%d", written, i), encode(d.weights[s.Query:d.end(i)]))
			if err != nil {
				return nil, err
			}
		}
		*d.written = written
	}
	for i := range list {
		if list[i].Path = d.shards[i].Path; d.weights != nil {
			list[i].Weights = fmt.Sprintf("%s-%d", *d.written, i)
		}
	}
	return list, nil
}

// load returns rows and the weights of their queries.
func (k kept) load(ctx context.Context) (d *rank.Dataset, weights []float64, done func(), err error) {
	if d, done, err = openKept(ctx, k.Path); err != nil || k.Weights == "" {
		return d, nil, done, err
	}
	b, err := remote.Load(ctx, k.Weights, io.ReadAll)
	if err == nil {
		weights, err = decode[[]float64](b)
	}
	if err != nil {
		done()
		return nil, nil, nil, &ioError{cli.FileError(k.Weights, err)}
	}
	return d, weights, done, nil
}

// Pass implements [ranksvm.Source].
func (d *svmData) Pass(ctx context.Context, p ranksvm.Pass) (sums ranksvm.Sums, err error) {
	rows, err := d.keptRows(ctx)
	if err != nil {
		return sums, err
	}
	var elements []stateShard
	blocks := p.Blocks
	for i, s := range d.shards {
		g, end := gradientShard{Rows: rows[i]}, d.end(i)
		for len(blocks) > 0 && blocks[0][0] < end {
			b := blocks[0]
			blocks = blocks[1:]
			for k := i + 1; k < len(d.shards) && d.shards[k].Query < b[1]; k++ {
				if n := min(b[1], d.end(k)) - d.shards[k].Query; n > 0 {
					g.Tails = append(g.Tails, tail{rows[k], n})
				}
			}
			g.Blocks = append(g.Blocks, [2]int{b[0] - s.Query, min(b[1], end) - s.Query})
		}
		long := func(q ranksvm.Size) bool { return q.Rows > ranksvm.LongQuery }
		if len(g.Blocks) > 0 || slices.ContainsFunc(d.sizes[s.Query:end], long) {
			elements = append(elements, stateShard{i, encode(g)})
		}
	}
	p.Blocks = nil
	told := gradientPlan{p, d.columns, d.options.Pairs}
	err = d.pass(ctx, "gradient", told, elements, d.rows, func(_ int, result []byte) error {
		part, err := decode[ranksvm.Sums](result)
		sums.Append(part)
		return err
	})
	return sums, err
}

// pieceRows is about how many rows are gone through at a time, as long as their blocks are whole.
var pieceRows = 1 << 17

// addGradient computes the sums of the blocks and the long queries that begin in a shard.
func addGradient(ctx context.Context, p gradientPlan, g gradientShard) (any, error) {
	d, weights, done, err := g.Rows.load(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	var sums ranksvm.Sums
	add := func(d *rank.Dataset, weights []float64) error {
		part, err := p.sums(ctx, d, weights)
		sums.Append(part)
		return err
	}
	end := d.Queries() // of what has been added
	if len(g.Blocks) > 0 {
		end = g.Blocks[0][0]
	}
	// The short queries before the first block are of one that begins in a shard before.
	long := masked(d, 0, end, weights, func(rows int) bool { return rows > ranksvm.LongQuery })
	if slices.Max(append(long, 0)) > 0 {
		if err := add(queries(d, 0, end), long); err != nil {
			return nil, err
		}
	}
	whole := len(g.Blocks)
	if len(g.Tails) > 0 {
		whole--
	}
	for first := 0; first < whole; {
		lo, next := g.Blocks[first][0], first+1
		end = d.Queries()
		for ; next < len(g.Blocks); next++ {
			end = g.Blocks[next][0]
			if next == whole || d.Offsets[end]-d.Offsets[lo] >= pieceRows {
				break
			}
			end = d.Queries()
		}
		if err := add(queries(d, lo, end), cut(weights, lo, end)); err != nil {
			return nil, err
		}
		first = next
	}
	if whole == len(g.Blocks) {
		return sums, nil
	}
	lo := g.Blocks[whole][0]
	block := []*rank.Dataset{queries(d, lo, d.Queries())}
	all := masked(d, lo, d.Queries(), weights, func(int) bool { return true })
	for _, t := range g.Tails {
		d, weights, done, err := t.Rows.load(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		block = append(block, queries(d, 0, t.Queries))
		short := func(rows int) bool { return rows <= ranksvm.LongQuery }
		all = append(all, masked(d, 0, t.Queries, weights, short)...)
	}
	err = add(rank.Concat(block...), all)
	return sums, err
}

// masked returns the weights of the queries of d from lo to hi−1, 0 of those whose number of rows
// is not wanted.
func masked(d *rank.Dataset, lo, hi int, weights []float64, wanted func(rows int) bool) []float64 {
	list := make([]float64, hi-lo)
	for q := lo; q < hi; q++ {
		switch {
		case !wanted(d.Offsets[q+1] - d.Offsets[q]):
		case weights != nil:
			list[q-lo] = weights[q]
		default:
			list[q-lo] = 1
		}
	}
	return list
}

// sums returns the sums of whole blocks.
func (p *gradientPlan) sums(ctx context.Context, d *rank.Dataset, weights []float64) (ranksvm.Sums, error) {
	part := &ranksvm.Problem{
		Data: ranksvm.Data{Features: only(d, p.Columns), Labels: d.Labels, Queries: d.Offsets, QueryWeights: weights},
		C:    p.Pass.C, PerQuery: p.Pass.PerQuery, Gain: pairGain(p.Pairs),
		Block: p.Pass.Block, Threads: parallel.Threads(0),
	}
	pass := p.Pass
	pass.Weights = pass.Weights[:part.Features.Cols]
	return pass.Of(ctx, part)
}

// matrix returns the features of a dataset.
func matrix(d *rank.Dataset) ranksvm.Matrix {
	x := ranksvm.Matrix{Cols: d.Cols, X: d.X, Stride: d.Stride}
	if c := d.Sparse; c != nil {
		x.Offsets, x.Columns, x.Values = c.Offsets, c.Columns, c.Values
	}
	return x
}

// only returns the features of a dataset in the columns that are trained; nil: all.
func only(d *rank.Dataset, columns []int32) ranksvm.Matrix {
	x := matrix(d)
	if columns == nil {
		return x
	}
	return x.Only(columns, d.Rows())
}

// A samplePlan asks for documents of a shard.
type samplePlan struct {
	Path   string
	Draws  []ranksvm.Draw // by ascending queries
	Length int
	Output string // the start of the name of a file
}

// A sampled tells where they are.
type sampled struct {
	Output string
	Ranges [][2]int
	Pairs  []int64
	Bytes  int64
}

// Fetch implements [ranksvm.Source].
func (d *svmData) Fetch(ctx context.Context, draws []ranksvm.Draw, length int) (*ranksvm.Fetched, error) {
	output := d.newName("sample")
	plans, of := make([]samplePlan, len(d.shards)), make([][]int, len(d.shards))
	order := make([]int, len(draws))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return draws[a].Query - draws[b].Query })
	shard := 0
	for _, i := range order {
		for draws[i].Query >= d.end(shard) {
			shard++
		}
		draw := draws[i]
		draw.Query -= d.shards[shard].Query
		plans[shard].Draws = append(plans[shard].Draws, draw)
		of[shard] = append(of[shard], i)
	}
	var elements []stateShard
	for i := range plans {
		if p := &plans[i]; len(p.Draws) > 0 {
			p.Path, p.Length, p.Output = d.shards[i].Path, length, fmt.Sprintf("%s-%d", output, i)
			elements = append(elements, stateShard{i, encode(p)})
		}
	}
	f := &ranksvm.Fetched{Ranges: make([][2]int, len(draws)), Pairs: make([]int64, len(draws))}
	parts := []*rank.Dataset{{Cols: d.cols, Offsets: []int{0}}} // the first has the width of all
	rows, size := 0, int64(0)
	done, err := d.state.pass(ctx, "sample", 0, elements, func(shard int, result []byte) error {
		s, err := decode[sampled](result)
		if err != nil {
			return err
		}
		p, err := remote.Load(ctx, s.Output, datafile.Read)
		if err != nil {
			return cli.FileError(s.Output, err)
		}
		for k, i := range of[shard] {
			f.Ranges[i], f.Pairs[i] = [2]int{rows + s.Ranges[k][0], rows + s.Ranges[k][1]}, s.Pairs[k]
		}
		rows += p.Rows()
		size += s.Bytes
		parts = append(parts, p)
		return removeAll(quote(plans[shard].Output) + "-*") // also those of attempts that failed
	})
	if err != nil {
		return nil, err
	}
	done.Files, done.Rows, done.Bytes = len(d.shards), rows, done.Bytes+size
	d.note("sample", done)
	all := rank.Concat(parts...)
	f.Features, f.Labels = only(all, d.columns), all.Labels
	return f, nil
}

// fetchSample writes the documents of draws to a file.
func fetchSample(ctx context.Context, _ int, p samplePlan) (any, error) {
	d, done, err := openKept(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	defer done()
	problem := &ranksvm.Problem{Data: ranksvm.Data{Labels: d.Labels, Queries: d.Offsets}}
	s := sampled{Output: fmt.Sprintf("%s-%08x", p.Output, rand.Uint32())}
	var rows []int
	for _, draw := range p.Draws {
		list, pairs := draw.Rows(problem, p.Length)
		s.Ranges, s.Pairs = append(s.Ranges, [2]int{len(rows), len(rows) + len(list)}), append(s.Pairs, pairs)
		for _, r := range list {
			rows = append(rows, int(r))
		}
	}
	bare := &rank.Dataset{X: d.X, Cols: d.Cols, Stride: d.Stride, Sparse: d.Sparse, Labels: d.Labels,
		Offsets: d.Offsets, QueryIDs: make([]string, d.Queries())}
	part, err := bare.SubsetRows(rows)
	if err != nil {
		return nil, err
	}
	err = remote.Create(ctx, s.Output, func(w io.Writer) error {
		counted := &counter{w: w}
		err := datafile.Write(counted, part)
		s.Bytes = counted.n
		return err
	})
	if err != nil {
		return nil, &ioError{err}
	}
	return s, nil
}

// A counter counts bytes.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// A variancesPlan says where all rows are.
type variancesPlan struct {
	Paths []string
	Cols  int
}

// Variances implements [ranksvm.Source]. One worker goes through all shards, for the sums of one
// machine have the order of the rows.
func (d *svmData) Variances(ctx context.Context, v []float64) error {
	p := variancesPlan{Cols: d.cols}
	for _, s := range d.shards {
		p.Paths = append(p.Paths, s.Path)
	}
	return d.pass(ctx, "variances", p, []stateShard{{0, encode(0)}}, 2*d.rows, func(_ int, result []byte) error {
		list, err := decode[[]float64](result)
		copy(v, list)
		return err
	})
}

func addVariances(ctx context.Context, p variancesPlan, _ int) (any, error) {
	sums := ranksvm.NewVariances(p.Cols)
	each := func(do func(d *rank.Dataset) error) error {
		for _, path := range p.Paths {
			d, done, err := openKept(ctx, path)
			if err != nil {
				return err
			}
			err = cmp.Or(do(d), ctx.Err())
			done()
			if err != nil {
				return err
			}
		}
		return nil
	}
	err := each(func(d *rank.Dataset) error {
		for lo := 0; lo < d.Rows() && ctx.Err() == nil; lo += pieceRows {
			piece := rowsOf(d, lo, min(lo+pieceRows, d.Rows()))
			x := matrix(piece)
			sums.Sum(&x, piece.Rows())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	sums.Center()
	square := func(d *rank.Dataset) error {
		x := matrix(d)
		return sums.Square(ctx, &x, d.Rows(), parallel.Threads(0))
	}
	begun := rank.Concat() // the rows of a block that is not full yet
	err = each(func(d *rank.Dataset) error {
		lo := min((ranksvm.SpreadRows-begun.Rows())%ranksvm.SpreadRows, d.Rows())
		begun = rank.Concat(begun, rowsOf(d, 0, lo))
		if begun.Rows() == ranksvm.SpreadRows {
			if err := square(begun); err != nil {
				return err
			}
			begun = rank.Concat()
		}
		hi := d.Rows() - (d.Rows()-lo)%ranksvm.SpreadRows
		if hi > lo {
			if err := square(rowsOf(d, lo, hi)); err != nil {
				return err
			}
		}
		if hi < d.Rows() {
			begun = rank.Concat(begun, rowsOf(d, hi, d.Rows()))
		}
		return nil
	})
	if err == nil && begun.Rows() > 0 {
		err = square(begun)
	}
	if err != nil {
		return nil, err
	}
	v := make([]float64, p.Cols)
	sums.Values(v)
	return v, nil
}

// rowsOf returns the features and labels of the rows from lo to hi−1, as one query.
func rowsOf(d *rank.Dataset, lo, hi int) *rank.Dataset {
	one := *d
	one.Offsets, one.QueryIDs, one.QueryWeights = []int{0, lo, hi, d.Rows()}, make([]string, 3), nil
	one.DocIDs, one.Weights, one.Positions = nil, nil, nil
	return queries(&one, 1, 2)
}

// notFinite returns an error that names what is not finite. It goes through the files as they are,
// whose lines count.
func (d *svmData) notFinite(ctx context.Context) error {
	if _, err := d.job.pass(ctx, &plan{Task: findNotFinite}, nil, func([]part) error { return nil }); err != nil {
		return err
	}
	return errors.New("the values of the features are too large: their sums overflow")
}

// A finiteCheck ends with the first feature that is not finite.
type finiteCheck work

func (w *finiteCheck) piece(_ context.Context, d *rank.Dataset) error {
	var row []float32
	for i, y := range d.Labels {
		if !finite(y) {
			return d.RowError(i, fmt.Errorf("label is %v", y))
		}
		row = d.AppendRow(row[:0], i)
		for j, v := range row {
			if !finite(float64(v)) {
				return d.RowError(i, fmt.Errorf("%s is %v", d.FeatureName(j), v))
			}
		}
	}
	return nil
}

// validate measures weights on the validation data.
func (d *svmData) validate(ctx context.Context, w []float64) (float64, error) {
	j := *d.job
	j.Data = *j.Valid
	m := System{"the model", &rank.Linear{Weights: w, FeatureNames: d.names}}
	r, done, err := j.Evaluate(ctx, m, "")
	if err != nil {
		return 0, cmp.Or(ctx.Err(), error(wireError(err)))
	}
	d.note("validation", *done)
	return r.Metrics[0].Mean, nil
}

// A crossPlan has the models of a cross-validation: of each value of C, of each fold.
type crossPlan struct {
	Models  [][]ranksvm.PackedWeights
	Names   []string
	Metrics string
	Options []rank.Option
}

// A crossShard says of which fold the queries of a shard are.
type crossShard struct {
	File string
	Rows kept
	Fold []int
}

// crossValidate measures each of a list of models: query q is scored by models[k][fold[q]].
func (d *svmData) crossValidate(ctx context.Context, fold []int, models [][]ranksvm.PackedWeights) ([]float64, error) {
	rows, err := d.keptRows(ctx)
	if err != nil {
		return nil, err
	}
	told := d.every(func(i int) any { return crossShard{d.shards[i].File, rows[i], fold[d.shards[i].Query:d.end(i)]} })
	p := crossPlan{models, d.names, d.job.Metrics, d.job.Policies}
	sums := make([]num.ExactMean, len(models))
	err = d.pass(ctx, "cross-validation", p, told, d.rows, func(_ int, result []byte) error {
		part, err := decode[[]num.ExactMean](result)
		for k := range part {
			sums[k].Merge(&part[k])
		}
		return err
	})
	means := make([]float64, len(models))
	for k := range means {
		means[k] = sums[k].Value()
	}
	return means, err
}

func crossValidate(ctx context.Context, p crossPlan, s crossShard) (any, error) {
	d, weights, done, err := s.Rows.load(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := newEvaluator(p.Metrics, p.Options)
	if err != nil {
		return nil, err
	}
	whole := *d
	if whole.QueryWeights = d.QueryWeights; weights != nil {
		whole.QueryWeights = weights
	}
	sums := make([]num.ExactMean, len(p.Models))
	for lo := 0; lo < d.Queries(); {
		hi := lo + 1
		for hi < d.Queries() && d.Offsets[hi+1]-d.Offsets[lo] <= pieceRows {
			hi++
		}
		piece := queries(&whole, lo, hi)
		piece.SetLine(0, 0) // rows that were kept know no lines: errors name their queries
		scores := make([]float64, piece.Rows())
		for k, folds := range p.Models {
			for f, packed := range folds {
				m := &rank.Linear{Weights: packed.Unpack()}
				for q := range piece.Queries() {
					if s.Fold[lo+q] != f {
						continue
					}
					a, b := piece.Query(q)
					if err := m.ScoreInto(ctx, scores[a:b], queries(piece, q, q+1)); err != nil {
						return nil, cli.FileError(s.File, err)
					}
				}
			}
			r, err := e.EvalScores(ctx, scores, piece)
			if err != nil {
				return nil, cli.FileError(s.File, err)
			}
			addMeans(sums[k:k+1], r)
		}
		lo = hi
	}
	return sums, nil
}

var _ ranksvm.Source = (*svmData)(nil)

package rankbeam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/rank"
)

func init() {
	tasks["read"], tasks["density"], tasks["columns"] = fileTaskOf(keepFile), taskOf(countDensity), taskOf(addColumns)
}

// A readPlan describes the first pass for workers.
type readPlan struct {
	Dir   string // folder of the kept rows
	Pairs string // as in SVMOptions
}

// An svmPart is the result of the first pass for a file.
type svmPart struct {
	File     string // its name
	Kept     string // the data file of its rows
	Rows     int
	Cols     int
	Names    []string
	Sizes    []ranksvm.Size // of its queries
	Weights  []float64      // of its queries; nil: 1
	Nonzeros int
	Gain     *dataError // error about a label with a gain that is not finite, or nil
}

// keepFile is the first pass over a file. It stores the data for the other passes.
func keepFile(ctx context.Context, a *attempt, plan *readPlan, f file) (any, error) {
	s, err := open(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	p := &svmPart{File: f.Path, Kept: f.Path}
	gain := pairGain(plan.Pairs)
	var wrong error // with the data
	pieces := func(yield func(*rank.Dataset, error) bool) {
		for d, err := range a.piecesOf(ctx, s, f.options()) {
			if err == nil {
				err = p.note(d, gain)
			}
			if wrong = err; !yield(d, err) || err != nil {
				return
			}
		}
	}
	if s.isData() && s.mappable() != nil {
		for range pieces {
		}
		return p, wrong
	}
	p.Kept = fmt.Sprintf("%s/rows-%d", plan.Dir, a.shard)
	if err = saveData(ctx, p.Kept, pieces); err != nil && wrong == nil {
		return nil, &ioError{err}
	}
	return p, wrong
}

// note adds the contents of a chunk.
func (p *svmPart) note(d *rank.Dataset, gain func(float64) float64) error {
	err := d.Validate()
	if err == nil && d.Weights != nil {
		err = errors.New("row weights are not supported for RankSVM on Beam: use query weights")
	}
	if err != nil {
		return cli.FileError(p.File, err)
	}
	if p.Cols <= d.Cols {
		p.Cols, p.Names = d.Cols, slices.Clone(d.Names)
	}
	p.Rows += d.Rows()
	for i, y := range d.Labels {
		switch {
		case math.IsNaN(y):
			return d.RowError(i, errors.New("the label is NaN; it must be a number"))
		case gain != nil && p.Gain == nil && !finite(gain(y)):
			p.Gain = wireError(d.RowError(i,
				fmt.Errorf("the gain of label %v is %v; gains must be finite", y, gain(y))))
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

// nonzeros returns the number of nonzero features in the rows from lo to hi−1.
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
	nonzeros   int     // if they are few; otherwise 0
	columns    []int32 // that are trained; nil: all

	weights []float64 // of the queries; nil: 1 each
	written *string   // prefix of their file names; "": not written yet
}

// An svmShard is a file that workers map, and its start within all the data.
type svmShard struct {
	File, Path string // the data file, and the file with its rows
	Query, Row int    // the first
}

// prepare runs the first pass.
func (d *svmData) prepare(ctx context.Context) error {
	parts, err := d.read(ctx)
	if err != nil {
		return err
	}
	var heads []*rank.Dataset
	all := 0 // nonzero features
	for i := range parts {
		f := &parts[i]
		switch {
		case f.Gain != nil:
			return f.Gain
		case f.Rows > math.MaxInt32:
			return fmt.Errorf("%s: %d rows exceed the limit of %d rows per file", f.File, f.Rows, math.MaxInt32)
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
		var ok bool
		if d.rows, ok = memory.Sum(d.rows, f.Rows); !ok {
			return fmt.Errorf("%s: the number of rows up to the end of this file exceeds %d", f.File, math.MaxInt)
		}
		all += f.Nonzeros
		heads = append(heads, &rank.Dataset{Cols: f.Cols, Names: f.Names, Offsets: []int{0}})
	}
	whole := rank.Concat(heads...)
	d.cols, d.names = whole.Cols, whole.Names
	for i, h := range heads {
		if h.Names != nil && d.names != nil || h.Names == nil && d.names == nil {
			continue
		}
		return fmt.Errorf("%s: all files must have the same column names", d.shards[i].File)
	}
	if w := d.options.QueryWeights; w != nil {
		if d.weights = w; len(w) != len(d.sizes) {
			return fmt.Errorf("the number of query weights is %d; it must be %d, one per query in %s", len(w),
				len(d.sizes), d.job.Data.Glob)
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

// An svmIndex lists the rows that a StateDir keeps.
type svmIndex struct {
	Key   string
	Parts []svmPart
}

// read runs the first pass, unless its results were kept.
func (d *svmData) read(ctx context.Context) ([]svmPart, error) {
	list, err := d.job.Data.files(ctx)
	if err != nil {
		return nil, err
	}
	index := svmIndex{}
	name := d.dir + "/ranksvm"
	if d.kept {
		for _, f := range list {
			key, err := stamp(ctx, f.Path)
			if err != nil {
				return nil, err
			}
			index.Key += key
		}
		null := any(d.job.Data.NullAs)
		if v := d.job.Data.NullAs; v != nil {
			null = *v
		}
		index.Key += fmt.Sprintln(d.options.Pairs, d.job.Data.ZeroBased, d.job.Data.MaxFeature, null)
		if kept, err := remote.ReadAll(ctx, name); err == nil {
			if was, err := decode[svmIndex](kept); err == nil && was.Key == index.Key && was.there(ctx) {
				return was.Parts, nil
			}
		}
		// Remove the index before rows are replaced: a failed training must not leave an index of
		// other rows.
		if err := removeAll(quote(name)); err != nil {
			return nil, err
		}
	}
	parts, done, err := run[svmPart](ctx, d.state, "read", &readPlan{d.dir, d.options.Pairs}, list)
	if err != nil {
		return nil, err
	}
	d.note("read", done)
	if !d.kept {
		return parts, nil
	}
	index.Parts = parts
	return parts, remote.Save(ctx, name, encode(index))
}

// there reports whether the rows exist.
func (x *svmIndex) there(ctx context.Context) bool {
	return !slices.ContainsFunc(x.Parts, func(p svmPart) bool {
		_, err := stamp(ctx, p.Kept)
		return err != nil
	})
}

// every returns the result of told for each shard.
func every[S any](d *svmData, told func(i int) S) []S {
	list := make([]S, len(d.shards))
	for i := range list {
		list[i] = told(i)
	}
	return list
}

// end returns the number of the query after the last one of a shard.
func (d *svmData) end(shard int) int {
	if shard+1 < len(d.shards) {
		return d.shards[shard+1].Query
	}
	return len(d.sizes)
}

// pass runs a pass over the given number of rows of all files, and records it under its name.
func pass[R, S any](ctx context.Context, d *svmData, task string, plan any, shards []S, rows int) ([]R, error) {
	results, done, err := run[R](ctx, d.state, task, plan, shards)
	if err == nil {
		done.Files, done.Rows = len(d.shards), rows
		d.note(task, done)
	}
	return results, err
}

// Weighted implements [ranksvm.Source].
func (d *svmData) Weighted(weights []float64) ranksvm.Source {
	other := *d
	other.weights, other.written = weights, new(string)
	return &other
}

// A densityShard requests the number of nonzero features of rows.
type densityShard struct {
	Path string
	Rows []int
}

// estimateDensity decides whether features are treated as sparse, as on one machine: first by a few
// rows, and then by all rows.
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
	told := every(d, func(i int) densityShard { return densityShard{d.shards[i].Path, rows[i]} })
	counts, err := pass[int](ctx, d, "density", 0, told, seen)
	for _, n := range counts {
		some += n
	}
	if err == nil && ranksvm.PrefersSparse(some, seen, d.cols) {
		d.nonzeros = max(all, 1)
	}
	return err
}

func countDensity(ctx context.Context, _ *attempt, _ *int, p densityShard) (any, error) {
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

// findColumns selects the columns that are trained, as on one machine.
func (d *svmData) findColumns(ctx context.Context) error {
	occur := ranksvm.NewColumns(d.cols)
	parts, err := pass[ranksvm.Columns](ctx, d, "columns", 0, every(d, d.path), d.rows)
	for _, part := range parts {
		occur.Merge(part)
	}
	d.columns = occur.Few(d.cols)
	return err
}

func (d *svmData) path(shard int) string { return d.shards[shard].Path }

func addColumns(ctx context.Context, _ *attempt, _ *int, path string) (any, error) {
	d, done, err := openKept(ctx, path)
	if err != nil {
		return nil, err
	}
	defer done()
	occur, x := ranksvm.NewColumns(d.Cols), matrix(d)
	occur.Add(&x, d.Rows())
	return occur, nil
}

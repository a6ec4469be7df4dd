package rankbeam

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

var _ ranksvm.Source = (*svmData)(nil)

func init() {
	tasks["gradient"], tasks["sample"] = taskOf(addGradient), taskOf(fetchSample)
	tasks["variances"], tasks["not finite"] = taskOf(addVariances), fileTaskOf(checkFinite)
}

// A gradientPlan describes the sums that workers compute.
type gradientPlan struct {
	Pass    ranksvm.Pass // without Blocks
	Columns []int32      // columns of the weights; nil: all
	Pairs   string
}

// A gradientShard contains the blocks of a shard.
type gradientShard struct {
	Rows   kept
	Blocks [][2]int // that start in this shard, as queries of the shard
	Tails  []tail   // the remaining part of the last one
}

// kept contains the file names of rows and of their query weights. If Weights is empty, every
// weight is 1.
type kept struct{ Path, Weights string }

// A tail is the first queries of a shard.
type tail struct {
	Rows    kept
	Queries int
}

// keptRows returns the places of the rows. It first writes weights that are not written yet.
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
	b, err := remote.ReadAll(ctx, k.Weights)
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
	var shards []gradientShard
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
			shards = append(shards, g)
		}
	}
	p.Blocks = nil
	parts, err := pass[ranksvm.Sums](ctx, d, "gradient", gradientPlan{p, d.columns, d.options.Pairs}, shards, d.rows)
	for _, part := range parts {
		sums.Append(part)
	}
	return sums, err
}

// pieceRows is the approximate number of rows that are processed at a time, in whole blocks.
var pieceRows = 1 << 17

// addGradient computes the sums of the blocks and long queries that start in a shard.
func addGradient(ctx context.Context, _ *attempt, p *gradientPlan, g gradientShard) (any, error) {
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
	end := d.Queries() // of the added values
	if len(g.Blocks) > 0 {
		end = g.Blocks[0][0]
	}
	// The short queries before the first block belong to a block that starts in an earlier shard.
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

// masked returns the weights of the queries of d from lo to hi−1. It sets weights to 0 if the
// query's number of rows does not match.
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

// A sampleShard requests documents of a shard.
type sampleShard struct {
	Path   string
	Draws  []ranksvm.Draw // by ascending queries
	Length int
	Output string // prefix of a file name
}

// A sampled contains their places.
type sampled struct {
	Output string
	Ranges [][2]int
	Pairs  []int64
	Bytes  int64
}

// Fetch implements [ranksvm.Source].
func (d *svmData) Fetch(ctx context.Context, draws []ranksvm.Draw, length int) (*ranksvm.Fetched, error) {
	order := make([]int, len(draws))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return draws[a].Query - draws[b].Query })
	output := d.newName("sample")
	var shards []sampleShard
	var of [][]int // numbers of the draws of each of shards
	shard, last := 0, -1
	for _, i := range order {
		for draws[i].Query >= d.end(shard) {
			shard++
		}
		if shard != last {
			shards = append(shards, sampleShard{Path: d.path(shard), Length: length, Output: output})
			of, last = append(of, nil), shard
		}
		draw, k := draws[i], len(shards)-1
		draw.Query -= d.shards[shard].Query
		shards[k].Draws, of[k] = append(shards[k].Draws, draw), append(of[k], i)
	}
	results, done, err := run[sampled](ctx, d.state, "sample", 0, shards)
	if err != nil {
		return nil, err
	}
	f := &ranksvm.Fetched{Ranges: make([][2]int, len(draws)), Pairs: make([]int64, len(draws))}
	parts := []*rank.Dataset{{Cols: d.cols, Offsets: []int{0}}} // the first has the full width
	rows := 0
	for k, s := range results {
		p, err := remote.Load(ctx, s.Output, func(r io.Reader) (*rank.Dataset, error) { return datafile.Read(r) })
		if err != nil {
			return nil, cli.FileError(s.Output, err)
		}
		for n, i := range of[k] {
			f.Ranges[i], f.Pairs[i] = [2]int{rows + s.Ranges[n][0], rows + s.Ranges[n][1]}, s.Pairs[n]
		}
		rows += p.Rows()
		done.Bytes += s.Bytes
		parts = append(parts, p)
	}
	if err := removeAll(quote(output) + "-*"); err != nil { // including files of failed attempts
		return nil, err
	}
	done.Files, done.Rows = len(d.shards), rows
	d.note("sample", done)
	all := rank.Concat(parts...)
	f.Features, f.Labels = only(all, d.columns), all.Labels
	return f, nil
}

// fetchSample writes the sampled documents to a file.
func fetchSample(ctx context.Context, a *attempt, _ *int, p sampleShard) (any, error) {
	d, done, err := openKept(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	defer done()
	problem := &ranksvm.Problem{Data: ranksvm.Data{Labels: d.Labels, Queries: d.Offsets}}
	var s sampled
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
	out, err := a.create(ctx, p.Output, "")
	if err != nil {
		return nil, err
	}
	err = out.close(datafile.Write(out, part))
	s.Output, s.Bytes = out.name, out.bytes
	return s, err
}

// A variancesPlan contains the places of all rows.
type variancesPlan struct {
	Paths []string
	Cols  int
}

// Variances implements [ranksvm.Source]. One worker processes all shards, because the sums must be
// added in the order of the rows, as on one machine.
func (d *svmData) Variances(ctx context.Context, v []float64) error {
	p := variancesPlan{every(d, d.path), d.cols}
	lists, err := pass[[]float64](ctx, d, "variances", p, []int{0}, 2*d.rows)
	for _, list := range lists {
		copy(v, list)
	}
	return err
}

func addVariances(ctx context.Context, _ *attempt, p *variancesPlan, _ int) (any, error) {
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

// notFinite returns an error that names the value that is not finite. It reads the original files,
// to report their line numbers.
func (d *svmData) notFinite(ctx context.Context) error {
	list, err := d.job.Data.files(ctx)
	if err != nil {
		return err
	}
	if _, _, err := run[int](ctx, d.state, "not finite", 0, list); err != nil {
		return err
	}
	return errors.New("the feature values are too large: their sums overflow")
}

// checkFinite returns an error for the first label or feature that is not finite.
func checkFinite(ctx context.Context, a *attempt, _ *int, f file) (any, error) {
	var row []float32
	for d, err := range a.pieces(ctx, &f, f.options()) {
		if err != nil {
			return nil, err
		}
		for i, y := range d.Labels {
			if !finite(y) {
				return nil, d.RowError(i, fmt.Errorf("the label is %v; it must be finite", y))
			}
			row = d.AppendRow(row[:0], i)
			for j, v := range row {
				if !finite(float64(v)) {
					return nil, d.RowError(i, fmt.Errorf("%s is %v; features must be finite", d.FeatureName(j), v))
				}
			}
		}
	}
	return 0, nil
}

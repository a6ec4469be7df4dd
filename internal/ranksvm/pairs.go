package ranksvm

import (
	"context"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

// A pairSet contains the pairs that RankSVM learns from: listed pairs, or all documents of a query
// with different labels. The latter are not stored. The rows of a query are in ascending order of
// label, so the documents with a lower label than a given one form a prefix.
type pairSet struct {
	data *Problem

	units  []unit
	block  int      // the number of documents per task: see blockSize
	blocks [][2]int // ranges of units with about block documents each, without long units
	long   []int    // units longer than LongQuery
	docs   int
	pairs  int64

	work   []pairWork  // one per worker
	grads  [][]float64 // one per block or chunk, always added in this order
	losses []float64   // one per long unit, then one per block
	z, c   []float64   // scores and coefficients of a long unit

	ranges [][2]int // the queries of each block, if the data have a Source
}

// A unit is a query with pairs, or a sample of the documents of such a query.
type unit struct {
	n     int       // number of documents
	query int       // number of the query in the problem
	rows  []int32   // in ascending order of label; nil if the problem has a Source
	lower []int32   // for each of rows, the number of rows with a lower label
	gain  []float64 // the gain of each of rows; nil means that every pair has the weight 1
	// The pairs in which one of rows has the higher label have its element of better as a factor;
	// nil means that the factors are 1.
	better []float64
	// list contains the pairs if they are listed. Their documents are indices of rows, and lower,
	// gain and better are nil.
	list []Pair
	// If first is not −1, rows is a permutation of first to first+len(rows)−1.
	first  int
	pairs  int64
	weight float64 // factor of the loss of each pair
	full   float64 // the weight in the full set: without the factor by which a sample stands for all pairs
}

const (
	// blockDocs is the minimum number of documents per task. It determines the partial sums, and
	// thereby the bits of the model.
	blockDocs = 2048
	// With sparse features, a task should read blockValues nonzero features for each column of the
	// gradient that it writes. There are at least fewBlocks tasks nevertheless, so that other
	// threads have work.
	blockValues = 4
	fewBlocks   = 8
	// LongQuery is the length from which a query's rows no longer stay in the L2 cache between
	// scores and gradient. Such queries are divided among goroutines.
	LongQuery = 4 * blockDocs
	// groupBytes is the number of bytes of rows of short queries that are read together. The rows
	// stay in the L2 cache between scores and gradient, and the stream from memory starts anew for
	// each group. For queries of 10 to 200 rows of 576 bytes, a pass takes 0.9 of the time of one
	// group per query (Zen 4, 1 MiB of L2). Compared with 256 KiB, 384 KiB take 0.98 of the time
	// there but 1.04 on a Zen 5, where 128 KiB take as long.
	groupBytes = 256 << 10
)

// pairWork is the scratch memory of one worker.
type pairWork struct {
	x              Matrix    // gathered rows
	z, zs, c       []float64 // scores by row and by label; derivatives by label
	l, lx          []float64 // the Laplacian L of a unit, and LX
	wide, xT       []float64 // the rows of a unit in float64, and transposed
	degree         []float64 // diagonal of the Laplacian
	moments        []moment  // one per column; zero between uses
	ones, sum, own []float64
	kernel         kernels.Work
}

// newPairSet sorts every query by label and drops those without pairs or weight.
func newPairSet(data *Problem) *pairSet {
	if data.Source != nil {
		return newSourceSet(data)
	}
	if data.Pairs != nil {
		return newListSet(data)
	}
	p := &pairSet{data: data}
	n := len(data.Labels)
	rows, lower := make([]int32, n), make([]int32, n)
	for q, lo := range data.Queries[:max(len(data.Queries)-1, 0)] {
		hi := data.Queries[q+1]
		u := unit{n: hi - lo, query: q, rows: rows[lo:hi:hi], lower: lower[lo:hi:hi], first: lo}
		if u.pairs = sortByLabel(u.rows, u.lower, data.Labels, lo); data.Weights != nil {
			u.pairs = data.weighted(u.rows, u.lower)
		}
		if u.pairs > 0 {
			if u.weight = data.weight(q, u.pairs); u.weight > 0 {
				u.full = u.weight
				p.units = append(p.units, u)
			}
		}
	}
	p.prepare()
	return p
}

// maxGrade limits counting sort to the labels 0, 1, … maxGrade−1.
const maxGrade = 16

// sortByLabel fills rows with first, first+1, … in stable ascending order of label. It sets lower
// to the number of rows with a lower label and returns the number of pairs.
func sortByLabel(rows, lower []int32, labels []float64, first int) int64 {
	labels = labels[first : first+len(rows)]
	var count [maxGrade]int32
	for _, y := range labels {
		g := int(y)
		if uint(g) >= maxGrade || float64(g) != y {
			return sortAny(rows, lower, labels, first)
		}
		count[g]++
	}
	var pairs int64
	var below int32
	var next [maxGrade]int32 // the place of the next row of each grade
	for g, n := range count {
		next[g] = below
		for i := range n {
			lower[below+i] = below
		}
		pairs += int64(below) * int64(n)
		below += n
	}
	if pairs == 0 {
		return 0
	}
	for i, y := range labels {
		g := uint(y) % maxGrade
		rows[next[g]] = int32(first + i)
		next[g]++
	}
	return pairs
}

// sortAny is sortByLabel for labels of any value. labels[i] belongs to row first+i.
func sortAny(rows, lower []int32, labels []float64, first int) int64 {
	kernels.ArgsortF64(rows, labels, nil)
	pairs := countLower(lower, func(i int) float64 { return labels[rows[i]] })
	for i := range rows {
		rows[i] += int32(first)
	}
	return pairs
}

// countLower sets lower to the number of rows with a lower label and returns the number of pairs.
// The rows are in ascending order of label. label may read lower: it is called once per i, before
// lower[i] is set.
func countLower(lower []int32, label func(i int) float64) int64 {
	var pairs int64
	lo, last := 0, 0.0
	for i := range lower {
		if y := label(i); i == 0 || y != last {
			lo, last = i, y
		}
		lower[i] = int32(lo)
		pairs += int64(lo)
	}
	return pairs
}

// weighted returns the number of pairs that have a positive weight, for data with Weights.
func (p *Problem) weighted(rows, lower []int32) (pairs int64) {
	for i, r := range rows {
		if p.Weights[r] > 0 {
			pairs += int64(lower[i])
		}
	}
	return pairs
}

// blockSize returns the number of documents per task.
func (p *pairSet) blockSize() int {
	if p.data.Block > 0 {
		return p.data.Block
	}
	n, rows := p.data.Nonzeros, p.data.rows()
	if n == 0 {
		return blockDocs
	}
	wanted := int(blockValues * float64(p.data.Features.Cols) * (float64(rows) / float64(n)))
	return max(blockDocs, min(wanted, rows/fewBlocks))
}

// rows returns the number of documents in the data.
func (p *Problem) rows() int { return max(p.Rows, len(p.Labels)) }

// prepare divides the units into blocks and allocates the memory of the passes.
func (p *pairSet) prepare() {
	p.block = p.blockSize()
	longest, docs, lo := 0, 0, 0
	for i := range p.units {
		u := &p.units[i]
		p.pairs += u.pairs
		p.docs += len(u.rows)
		if p.data.Gain != nil && u.gain == nil && u.list == nil {
			u.gain = make([]float64, len(u.rows))
			for i, r := range u.rows {
				u.gain[i] = p.data.Gain(p.data.Labels[r])
			}
		}
		if p.data.Weights != nil && u.better == nil {
			u.better = make([]float64, len(u.rows))
			for i, r := range u.rows {
				u.better[i] = p.data.Weights[r]
			}
		}
		if len(u.rows) > LongQuery {
			p.long = append(p.long, i)
			p.z = slices.Grow(p.z[:0], len(u.rows))
			p.c = slices.Grow(p.c[:0], len(u.rows))
			continue
		}
		longest = max(longest, len(u.rows))
		if docs += len(u.rows); docs >= p.block {
			p.blocks = append(p.blocks, [2]int{lo, i + 1})
			docs, lo = 0, i+1
		}
	}
	if docs > 0 {
		p.blocks = append(p.blocks, [2]int{lo, len(p.units)})
	}
	p.work = make([]pairWork, p.data.Threads)
	for i := range p.work {
		p.work[i] = pairWork{z: make([]float64, longest), zs: make([]float64, longest), c: make([]float64, longest),
			kernel: kernels.Work{Threads: 1}}
	}
}

// grad returns the k-th partial gradient after setting it to zero.
func (p *pairSet) grad(k int) []float64 {
	for k >= len(p.grads) {
		p.grads = append(p.grads, make([]float64, p.data.Features.Cols))
	}
	clear(p.grads[k])
	return p.grads[k]
}

// loss computes the loss of all pairs with the weights w and, unless g is nil, sets g to its
// gradient. It reads the features once.
func (p *pairSet) loss(ctx context.Context, pl pairLoss, w, g []float64) (loss float64, err error) {
	var sums Sums
	if p.data.Source != nil {
		sums, err = p.data.Source.Pass(ctx, Pass{Loss: pl.kind, Width: pl.width, Weights: w, Gradient: g != nil,
			C: p.data.C, PerQuery: p.data.PerQuery, Blocks: p.ranges, Block: p.block})
	} else {
		sums, err = p.sums(ctx, pl, w, g != nil)
	}
	if err != nil {
		return 0, err
	}
	for _, part := range []Partial{sums.Long, sums.Blocks} {
		for _, l := range part.Losses {
			loss += l
		}
	}
	clear(g)
	for _, part := range []Partial{sums.Long, sums.Blocks} {
		for _, grad := range part.Gradients {
			kernels.AxpyF64(1, grad, g[:len(grad)])
		}
	}
	return loss, nil
}

// sums computes the parts of the loss and, if gradient is true, of the gradient. They remain valid
// until the next call.
func (p *pairSet) sums(ctx context.Context, pl pairLoss, w []float64, gradient bool) (s Sums, err error) {
	w = unlessZero(w)
	stop := func() bool { return ctx.Err() != nil }
	for i := range p.work {
		p.work[i].kernel.Stop = stop
	}
	p.losses = slices.Grow(p.losses[:0], len(p.long)+len(p.blocks))[:len(p.long)+len(p.blocks)]
	partial := 0 // number of gradients so far
	for k, i := range p.long {
		l, chunks, err := p.longUnit(ctx, pl, &p.units[i], w, gradient, partial)
		if err != nil {
			return s, err
		}
		p.losses[k] = l
		partial += chunks
	}
	if gradient {
		for b := range p.blocks {
			p.grad(partial + b)
		}
	}
	losses := p.losses[len(p.long):]
	err = parallel.For(ctx, p.data.Threads, len(p.blocks), func(worker, b int) {
		var grad []float64
		if gradient {
			grad = p.grads[partial+b]
		}
		losses[b] = p.short(&p.work[worker], pl, p.units[p.blocks[b][0]:p.blocks[b][1]], w, grad)
	})
	s.Long.Losses, s.Blocks.Losses = p.losses[:len(p.long)], losses
	if gradient {
		s.Long.Gradients, s.Blocks.Gradients = p.grads[:partial], p.grads[partial:partial+len(p.blocks)]
	}
	return s, err
}

// short returns the loss of units that are not long. Unless grad is nil, it adds their gradient to
// grad.
func (p *pairSet) short(work *pairWork, pl pairLoss, units []unit, w, grad []float64) (loss float64) {
	for len(units) > 0 {
		k := 1
		switch u := &units[0]; {
		case len(u.rows) > LongQuery:
		case u.first < 0:
			loss += p.scattered(work, pl, u, w, grad)
		default:
			k = p.together(units)
			loss = p.group(work, pl, units[:k], w, grad, loss)
		}
		units = units[k:]
	}
	return loss
}

// scattered returns the loss of one unit of scattered rows. Unless grad is nil, it adds the
// gradient to grad.
func (p *pairSet) scattered(work *pairWork, pl pairLoss, u *unit, w, grad []float64) float64 {
	z, c := work.z[:len(u.rows)], work.c[:len(u.rows)]
	work.x.gather(&p.data.Features, u.rows)
	work.x.Scores(z, 0, w)
	loss := pl.eval(&work.kernel, u, z, c)
	if grad != nil {
		work.x.Add(grad, 0, c)
	}
	return loss
}

// together returns the number of units, from the first on, that form a group: short units with
// adjacent rows of at most groupBytes in total, but at least one unit. With sparse features, each
// unit is a group.
func (p *pairSet) together(units []unit) int {
	x := &p.data.Features
	next := units[0].first + len(units[0].rows)
	most := groupBytes / (4 * max(x.Stride, 1))
	if x.Offsets != nil {
		most = 0
	}
	for k := range units[1:] {
		u := &units[1+k]
		if u.first != next || len(u.rows) > LongQuery || next+len(u.rows)-units[0].first > most {
			return 1 + k
		}
		next += len(u.rows)
	}
	return len(units)
}

// group adds the losses of units with adjacent rows to loss, one by one. Unless grad is nil, it
// adds their gradient to grad.
func (p *pairSet) group(work *pairWork, pl pairLoss, units []unit, w, grad []float64, loss float64) float64 {
	first, last := units[0].first, &units[len(units)-1]
	z := grow(&work.z, last.first+len(last.rows)-first)
	p.data.Features.Scores(z, first, w)
	for k := range units {
		u := &units[k]
		n := len(u.rows)
		z, zs, c := z[u.first-first:][:n], work.zs[:n], work.c[:n]
		u.byLabel(zs, z)
		loss += pl.eval(&work.kernel, u, zs, c)
		if grad != nil {
			u.byRow(z, c)
		}
	}
	if grad != nil {
		p.data.Features.Add(grad, first, z)
	}
	return loss
}

// byLabel copies a, which is in the order of the rows, to dst in the order of the labels. If it
// were inlined, the loop counter would be kept in memory.
//
//go:noinline
func (u *unit) byLabel(dst, a []float64) {
	rows, first := u.rows, int32(u.first)
	for i, r := range rows[:len(dst)] {
		dst[i] = a[r-first]
	}
}

// byRow copies a, which is in the order of the labels, to dst in the order of the rows.
//
//go:noinline
func (u *unit) byRow(dst, a []float64) {
	rows, first := u.rows, int32(u.first)
	for i, r := range rows[:len(a)] {
		dst[r-first] = a[i]
	}
}

// longUnit is group for one long query, whose rows are divided into chunks of p.block rows. It
// stores the gradient of each chunk as a partial gradient, starting with number partial, and
// returns the number of chunks.
func (p *pairSet) longUnit(ctx context.Context, pl pairLoss, u *unit, w []float64,
	gradient bool, partial int) (float64, int, error) {
	n := len(u.rows)
	chunks := (n + p.block - 1) / p.block
	z, c := p.z[:n], p.c[:n]
	// c contains the scores in the order of the rows until byLabel copies them to z.
	err := parallel.For(ctx, p.data.Threads, chunks, func(_, k int) {
		lo, hi := k*p.block, min((k+1)*p.block, n)
		p.data.Features.Scores(c[lo:hi], u.first+lo, w)
	})
	if err != nil {
		return 0, 0, err
	}
	u.byLabel(z, c)
	work := &p.work[0].kernel
	work.Threads = p.data.Threads
	l := pl.eval(work, u, z, c)
	if err := ctx.Err(); err != nil || !gradient {
		return l, 0, err
	}
	u.byRow(z, c)
	for k := range chunks {
		p.grad(partial + k)
	}
	err = parallel.For(ctx, p.data.Threads, chunks, func(_, k int) {
		lo, hi := k*p.block, min((k+1)*p.block, n)
		p.data.Features.Add(p.grads[partial+k], u.first+lo, z[lo:hi])
	})
	return l, chunks, err
}

// spread returns the largest difference between scores within a unit for the weights w.
func (p *pairSet) spread(ctx context.Context, w []float64) (float64, error) {
	widest := make([]float64, len(p.units))
	err := parallel.For(ctx, p.data.Threads, len(p.units), func(worker, i int) {
		work, u := &p.work[worker], &p.units[i]
		work.x.gather(&p.data.Features, u.rows)
		z := work.z[:len(u.rows)]
		work.x.Scores(z, 0, w)
		widest[i] = slices.Max(z) - slices.Min(z)
	})
	if err != nil {
		return 0, err
	}
	return slices.Max(widest), nil
}

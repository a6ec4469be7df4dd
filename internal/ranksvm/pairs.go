package ranksvm

import (
	"context"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

// A pairSet is what RankSVM learns from: the pairs of documents of one query with
// different labels. No pair is ever written down; a query holds its rows in ascending
// order of label, so that the partners of a document are a prefix.
type pairSet struct {
	data *Problem

	units  []unit
	block  int      // how many documents one task takes: see blockSize
	blocks [][2]int // ranges of units, about block documents each; longer units stand in none
	long   []int    // units longer than LongQuery
	docs   int
	pairs  int64

	work   []pairWork  // one a worker
	grads  [][]float64 // one a block or chunk: added up in that order whoever computed them
	losses []float64   // one a long unit, then one a block
	z, c   []float64   // scores and coefficients of a long unit

	ranges [][2]int // of a Source: the queries of blocks
}

// A unit is a query with pairs, or a sample of the documents of one.
type unit struct {
	n     int       // documents
	query int       // of the problem
	rows  []int32   // in ascending order of label; nil where the problem has a Source
	lower []int32   // how many of rows have a lower label than each
	gain  []float64 // of each of rows; nil: every pair weighs 1
	// the unit is rows first to first+len(rows)-1 of the dataset, in some order; -1: scattered rows
	first  int
	pairs  int64
	weight float64 // multiplies the loss of each pair
	full   float64 // weight without the factor by which a sample stands for all pairs
}

const (
	// blockDocs is how many documents one task takes at least. It decides how sums are cut,
	// and with it the bits of the model.
	blockDocs = 2048
	// Where few features are not zero, a task should take some of them for each column of the
	// gradient that it writes, but leave work for other threads.
	blockValues = 4
	fewBlocks   = 8
	// LongQuery is the length from which a query's rows no longer stay in the L2 cache between
	// scores and gradient. Such queries are divided among goroutines.
	LongQuery = 4 * blockDocs
	// groupBytes is how many bytes of rows of short queries are read at once. They stay in the
	// second-level cache between scores and gradient, and the stream from memory begins anew for
	// each group: for queries of 10 to 200 rows of 576 bytes a pass takes .9 of the time of a
	// group per query (Zen 4, 1 MiB of L2). 384 KiB take .98 of the time of 256 KiB there, but 1.04
	// on a Zen 5, where 128 KiB take the same.
	groupBytes = 256 << 10
)

// pairWork is the memory of one worker.
type pairWork struct {
	x              Matrix    // gathered rows
	z, zs, c       []float64 // scores by row and by label, derivatives by label
	l, lx          []float64 // Laplacian of a unit, and it times X
	wide, xT       []float64 // the rows of a unit in float64, and transposed
	degree         []float64 // diagonal of the Laplacian
	moments        []moment  // of columns; zero between uses
	ones, sum, own []float64
	kernel         kernels.Work
}

// newPairSet sorts every query by label and drops those without pairs or weight.
func newPairSet(data *Problem) *pairSet {
	if data.Source != nil {
		return newSourceSet(data)
	}
	p := &pairSet{data: data}
	n := len(data.Labels)
	rows, lower := make([]int32, n), make([]int32, n)
	for q, lo := range data.Queries[:max(len(data.Queries)-1, 0)] {
		hi := data.Queries[q+1]
		u := unit{n: hi - lo, query: q, rows: rows[lo:hi:hi], lower: lower[lo:hi:hi], first: lo}
		if u.pairs = sortByLabel(u.rows, u.lower, data.Labels, lo); u.pairs > 0 {
			if u.weight = data.weight(q, u.pairs); u.weight > 0 {
				u.full = u.weight
				p.units = append(p.units, u)
			}
		}
	}
	p.prepare()
	return p
}

// maxGrade bounds the labels that are sorted by counting: 0, 1, … maxGrade-1.
const maxGrade = 16

// sortByLabel fills rows with first, first+1, … in ascending and stable order of their
// labels, sets lower to the number of rows with a lower label and returns the number of pairs.
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
	var next [maxGrade]int32 // where the next row of a grade goes
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

// sortAny is sortByLabel for labels that are any numbers: labels[i] is that of row first+i.
func sortAny(rows, lower []int32, labels []float64, first int) int64 {
	kernels.ArgsortF64(rows, labels, nil)
	pairs := countLower(lower, func(i int) float64 { return labels[rows[i]] })
	for i := range rows {
		rows[i] += int32(first)
	}
	return pairs
}

// countLower sets lower to the number of rows with a lower label, for rows in ascending order of
// label, and returns the number of pairs. It asks for each label once, before it sets that element.
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

// blockSize returns how many documents one task takes.
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

// rows returns the number of documents of all the data.
func (p *Problem) rows() int { return max(p.Rows, len(p.Labels)) }

// prepare cuts the units into blocks and makes the memory of the passes.
func (p *pairSet) prepare() {
	p.block = p.blockSize()
	longest, docs, lo := 0, 0, 0
	for i := range p.units {
		u := &p.units[i]
		p.pairs += u.pairs
		p.docs += len(u.rows)
		if p.data.Gain != nil && u.gain == nil {
			u.gain = make([]float64, len(u.rows))
			for i, r := range u.rows {
				u.gain[i] = p.data.Gain(p.data.Labels[r])
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

// grad returns the k-th partial gradient, set to zero.
func (p *pairSet) grad(k int) []float64 {
	for k >= len(p.grads) {
		p.grads = append(p.grads, make([]float64, p.data.Features.Cols))
	}
	clear(p.grads[k])
	return p.grads[k]
}

// loss computes the loss of all pairs under the weights w. Unless g is nil it sets g to
// the gradient of the loss. It reads the features once.
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

// sums computes the parts of the loss and, if asked, of the gradient. They last until the next
// call.
func (p *pairSet) sums(ctx context.Context, pl pairLoss, w []float64, gradient bool) (s Sums, err error) {
	w = unlessZero(w)
	stop := func() bool { return ctx.Err() != nil }
	for i := range p.work {
		p.work[i].kernel.Stop = stop
	}
	p.losses = slices.Grow(p.losses[:0], len(p.long)+len(p.blocks))[:len(p.long)+len(p.blocks)]
	partial := 0 // gradients so far
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

// short returns the loss of the units that are not long and adds their gradient to grad unless
// that is nil.
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

// scattered returns the loss of one unit of scattered rows and adds its gradient to grad unless
// that is nil.
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

// together returns how many of the units, from the first on, make a group: short ones whose rows
// follow each other, groupBytes of them unless it is one unit. Those of sparse rows stand alone.
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

// group adds the losses of units whose rows follow each other to loss, one by one, and their
// gradient to grad unless that is nil.
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

// byLabel puts what a has by row in the order of the labels. Within another function its counter
// would go through memory.
//
//go:noinline
func (u *unit) byLabel(dst, a []float64) {
	rows, first := u.rows, int32(u.first)
	for i, r := range rows[:len(dst)] {
		dst[i] = a[r-first]
	}
}

// byRow puts what a has in the order of the labels in that of the rows.
//
//go:noinline
func (u *unit) byRow(dst, a []float64) {
	rows, first := u.rows, int32(u.first)
	for i, r := range rows[:len(a)] {
		dst[r-first] = a[i]
	}
}

// longUnit does what group does for one query, whose rows are shared out in chunks
// of p.block rows. The partial gradients are left from number partial on; it returns how many.
func (p *pairSet) longUnit(ctx context.Context, pl pairLoss, u *unit, w []float64,
	gradient bool, partial int) (float64, int, error) {
	n := len(u.rows)
	chunks := (n + p.block - 1) / p.block
	z, c := p.z[:n], p.c[:n]
	// c holds the scores in the order of rows until they are sorted into z.
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

// spread returns the largest difference of scores within a unit under the weights w.
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

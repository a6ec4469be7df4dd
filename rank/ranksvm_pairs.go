package rank

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
	d       *Dataset
	x       *csr                        // the features where few are not zero; nil: those of d
	gain    func(label float64) float64 // a pair weighs the difference; nil: all weigh 1
	threads int

	units  []unit
	blocks [][2]int // ranges of units, about blockDocs documents each; longer units stand in none
	long   []int    // units longer than longUnit
	docs   int
	pairs  int64

	work   []pairWork  // one a worker
	grads  [][]float64 // one a block or chunk: added up in that order whoever computed them
	losses []float64
	z, c   []float64 // scores and coefficients of a long unit
}

// A unit is a query with pairs, or a sample of the documents of one.
type unit struct {
	rows  []int32   // in ascending order of label
	lower []int32   // how many of rows have a lower label than each
	gain  []float64 // of each of rows; nil: every pair weighs 1
	// the unit is rows first to first+len(rows)-1 of the dataset, in some order; -1: scattered rows
	first  int
	pairs  int64
	weight float64 // multiplies the loss of each pair
	full   float64 // weight without the factor by which a sample stands for all pairs
}

const (
	// blockDocs is how many documents one task takes. It decides how sums are cut,
	// and with it the bits of the model.
	blockDocs = 2048
	// longUnit is the length from which a query's rows no longer stay in the
	// second-level cache between scores and gradient, and are shared out.
	longUnit = 4 * blockDocs
	// maxHessians is the most partial Hessians that are added up.
	maxHessians = 8
	// hessianBlock is how many values of X a Hessian works on at a time: 32 KiB.
	hessianBlock = 4 << 10
)

// pairWork is the memory of one worker.
type pairWork struct {
	x              []float32 // gathered rows
	sparse         csr       // or those
	z, zs, c       []float64 // scores by row and by label, derivatives by label
	l, lx          []float64 // Laplacian of a unit, and it times X
	wide, xT       []float64 // the rows of a unit in float64, and transposed
	ones, sum, own []float64
	kernel         kernels.PairWork
}

// newPairSet sorts every query by label and drops those without pairs. The pairs
// of query q weigh weight(q, number of its pairs).
func newPairSet(d *Dataset, gain func(float64) float64, threads int, weight func(q int, pairs int64) float64) *pairSet {
	p := &pairSet{d: d, x: newCSR(d, threads), gain: gain, threads: threads}
	rows, lower := make([]int32, d.Rows()), make([]int32, d.Rows())
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		u := unit{rows: rows[lo:hi:hi], lower: lower[lo:hi:hi], first: lo}
		if u.pairs = sortByLabel(u.rows, u.lower, d.Labels, lo); u.pairs > 0 {
			if u.weight = weight(q, u.pairs); u.weight > 0 {
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
	kernels.ArgsortF64(rows, labels, new(kernels.ArgsortWork))
	for i := range rows {
		rows[i] += int32(first)
	}
	return countLower(rows, lower, func(row int32) float64 { return labels[int(row)-first] })
}

// countLower sets lower to the number of rows with a lower label, for rows in
// ascending order of label, and returns the number of pairs.
func countLower(rows, lower []int32, label func(row int32) float64) int64 {
	var pairs int64
	for lo := 0; lo < len(rows); {
		hi := lo
		for y := label(rows[lo]); hi < len(rows) && label(rows[hi]) == y; {
			lower[hi] = int32(lo)
			hi++
		}
		pairs += int64(hi-lo) * int64(lo)
		lo = hi
	}
	return pairs
}

// prepare cuts the units into blocks and makes the memory of the passes.
func (p *pairSet) prepare() {
	longest, docs, lo := 0, 0, 0
	for i := range p.units {
		u := &p.units[i]
		p.pairs += u.pairs
		p.docs += len(u.rows)
		if p.gain != nil && u.gain == nil {
			u.gain = make([]float64, len(u.rows))
			for i, r := range u.rows {
				u.gain[i] = p.gain(p.d.Labels[r])
			}
		}
		if len(u.rows) > longUnit {
			p.long = append(p.long, i)
			p.z = slices.Grow(p.z[:0], len(u.rows))
			p.c = slices.Grow(p.c[:0], len(u.rows))
			continue
		}
		longest = max(longest, len(u.rows))
		if docs += len(u.rows); docs >= blockDocs {
			p.blocks = append(p.blocks, [2]int{lo, i + 1})
			docs, lo = 0, i+1
		}
	}
	if docs > 0 {
		p.blocks = append(p.blocks, [2]int{lo, len(p.units)})
	}
	p.work = make([]pairWork, p.threads)
	for i := range p.work {
		p.work[i] = pairWork{z: make([]float64, longest), zs: make([]float64, longest), c: make([]float64, longest)}
	}
}

// grad returns the k-th partial gradient, set to zero.
func (p *pairSet) grad(k int) []float64 {
	for k >= len(p.grads) {
		p.grads = append(p.grads, make([]float64, p.d.Cols))
	}
	clear(p.grads[k])
	return p.grads[k]
}

// loss computes the loss of all pairs under the weights w. Unless g is nil it sets g to
// the gradient of the loss. It reads the features once.
func (p *pairSet) loss(ctx context.Context, pl pairLoss, w, g []float64) (float64, error) {
	var sum float64
	partial := 0 // gradients so far
	for _, i := range p.long {
		u := &p.units[i]
		l, chunks, err := p.longUnit(ctx, pl, u, w, g, partial)
		if err != nil {
			return 0, err
		}
		sum += l
		partial += chunks
	}
	if n := len(p.blocks); len(p.losses) < n {
		p.losses = make([]float64, n)
	}
	if g != nil {
		for b := range p.blocks {
			p.grad(partial + b)
		}
	}
	err := parallel.For(ctx, p.threads, len(p.blocks), func(worker, b int) {
		var grad []float64
		if g != nil {
			grad = p.grads[partial+b]
		}
		var sum float64
		for i := p.blocks[b][0]; i < p.blocks[b][1]; i++ {
			if u := &p.units[i]; len(u.rows) <= longUnit {
				sum += p.unit(&p.work[worker], pl, u, w, grad)
			}
		}
		p.losses[b] = sum
	})
	if err != nil {
		return 0, err
	}
	for b := range p.blocks {
		sum += p.losses[b]
	}
	if g != nil {
		clear(g)
		for _, grad := range p.grads[:partial+len(p.blocks)] {
			kernels.AxpyF64(1, grad, g)
		}
	}
	return sum, nil
}

// scores sets z to the scores of the rows of the dataset from first on.
func (p *pairSet) scores(z []float64, first int, w []float64) {
	if p.x != nil {
		kernels.SpmvF32Wide(z, p.x.offsets[first:first+len(z)+1], p.x.index, p.x.value, w)
		return
	}
	kernels.GemvF32Wide(z, p.d.X[first*p.d.Stride:], len(z), p.d.Cols, p.d.Stride, w)
}

// gradient adds the rows of the dataset from first on, times c, to g.
func (p *pairSet) gradient(g []float64, first int, c []float64) {
	if p.x != nil {
		kernels.SpmvTF32Wide(g, p.x.offsets[first:first+len(c)+1], p.x.index, p.x.value, c)
		return
	}
	kernels.GemvTF32Wide(g, p.d.X[first*p.d.Stride:], len(c), p.d.Cols, p.d.Stride, c)
}

// unit returns the loss of one unit and adds its gradient to grad unless that is nil.
func (p *pairSet) unit(work *pairWork, pl pairLoss, u *unit, w, grad []float64) float64 {
	n := len(u.rows)
	z, c := work.z[:n], work.c[:n]
	if u.first < 0 {
		score, add := p.gather(work, u)
		score(z, w)
		l := pl.eval(&work.kernel, u, z, c)
		if grad != nil {
			add(grad, c)
		}
		return l
	}
	zs := work.zs[:n]
	p.scores(z, u.first, w)
	for i, r := range u.rows {
		zs[i] = z[int(r)-u.first]
	}
	l := pl.eval(&work.kernel, u, zs, c)
	if grad != nil {
		for i, r := range u.rows {
			z[int(r)-u.first] = c[i]
		}
		p.gradient(grad, u.first, z)
	}
	return l
}

// longUnit does what unit does for a query whose rows are shared out in chunks
// of blockDocs. The partial gradients are left from number partial on; it returns how many.
func (p *pairSet) longUnit(ctx context.Context, pl pairLoss, u *unit, w, g []float64,
	partial int) (float64, int, error) {
	n := len(u.rows)
	chunks := (n + blockDocs - 1) / blockDocs
	z, c := p.z[:n], p.c[:n]
	// c holds the scores in the order of rows until they are sorted into z.
	err := parallel.For(ctx, p.threads, chunks, func(_, k int) {
		lo, hi := k*blockDocs, min((k+1)*blockDocs, n)
		p.scores(c[lo:hi], u.first+lo, w)
	})
	if err != nil {
		return 0, 0, err
	}
	for i, r := range u.rows {
		z[i] = c[int(r)-u.first]
	}
	l := pl.eval(&p.work[0].kernel, u, z, c)
	if g == nil {
		return l, 0, nil
	}
	for i, r := range u.rows {
		z[int(r)-u.first] = c[i]
	}
	for k := range chunks {
		p.grad(partial + k)
	}
	err = parallel.For(ctx, p.threads, chunks, func(_, k int) {
		lo, hi := k*blockDocs, min((k+1)*blockDocs, n)
		p.gradient(p.grads[partial+k], u.first+lo, z[lo:hi])
	})
	return l, chunks, err
}

// gather copies the rows of a unit, in its order, to the worker's memory, and returns what
// multiplies them with a vector: score sets z = X·w, add adds Xᵀ·c to g.
func (p *pairSet) gather(work *pairWork, u *unit) (score func(z, w []float64), add func(g, c []float64)) {
	n, cols, stride := len(u.rows), p.d.Cols, p.d.Stride
	if p.x != nil {
		x := &work.sparse
		x.gather(p.x, u.rows)
		return func(z, w []float64) { kernels.SpmvF32Wide(z, x.offsets, x.index, x.value, w) },
			func(g, c []float64) { kernels.SpmvTF32Wide(g, x.offsets, x.index, x.value, c) }
	}
	if cap(work.x) < n*stride {
		work.x = make([]float32, n*stride)
	}
	x := work.x[:n*stride]
	work.x = x
	for i, r := range u.rows {
		copy(x[i*stride:(i+1)*stride], p.d.X[int(r)*stride:])
	}
	return func(z, w []float64) { kernels.GemvF32Wide(z, x, n, cols, stride, w) },
		func(g, c []float64) { kernels.GemvTF32Wide(g, x, n, cols, stride, c) }
}

// hessian sets h to the second derivative of the loss of all pairs at w, its diagonal or the upper
// triangle of it all (d×d, row-major):
//
//	Σ over pairs of weight·loss″(xᵢ−xⱼ)(xᵢ−xⱼ)ᵀ = Σ over units of XᵀLX,
//
// where L is the Laplacian of the graph that joins i and j with weight·loss″. With a margin it is
// that of the pairs within it, each with the weight that it has in the full set.
func (p *pairSet) hessian(ctx context.Context, pl pairLoss, w, h []float64, diagonal bool) error {
	tasks := min(max(p.docs/blockDocs, 1), maxHessians, len(p.units))
	parts := make([][]float64, tasks)
	zero := !slices.ContainsFunc(w, func(v float64) bool { return v != 0 })
	err := parallel.For(ctx, p.threads, tasks, func(worker, t int) {
		part := h
		if t > 0 {
			part = make([]float64, len(h))
		}
		clear(part)
		parts[t] = part
		work := &p.work[worker]
		for i := t * len(p.units) / tasks; i < (t+1)*len(p.units)/tasks; i++ {
			if ctx.Err() == nil {
				p.unitHessian(work, pl, &p.units[i], w, zero, part, diagonal)
			}
		}
	})
	if err != nil {
		return err
	}
	for _, part := range parts[1:] {
		kernels.AxpyF64(1, part, h)
	}
	return nil
}

// hessianCost estimates how many passes over the set cost as much as its Hessian: each row is
// multiplied with half the features and with the rows of its unit instead of twice with a vector.
func (p *pairSet) hessianCost() float64 {
	return float64(float64(p.d.Cols)/4) + float64(p.docs)/float64(2*len(p.units))
}

// unitHessian adds XᵀLX of one unit to h. zero tells that w is 0.
func (p *pairSet) unitHessian(work *pairWork, pl pairLoss, u *unit, w []float64, zero bool, h []float64,
	diagonal bool) {
	n := len(u.rows)
	score, _ := p.gather(work, u)
	var l []float64 // nil: all pairs have the same second derivative
	if !zero || u.gain != nil {
		z := work.z[:n]
		score(z, w)
		if l = grow(&work.l, n*n); !pl.laplacian(l, u, z) {
			return
		}
	} else {
		for len(work.ones) < n {
			work.ones = append(work.ones, 1)
		}
	}
	second := pl.weightIn(u) * pl.secondAtZero()
	if p.x != nil {
		p.sparseHessian(work, u, l, second, h, diagonal)
	} else {
		p.denseHessian(work, u, l, second, h, diagonal)
	}
}

// spread returns the largest difference of scores within a unit under the weights w.
func (p *pairSet) spread(ctx context.Context, w []float64) (float64, error) {
	widest := make([]float64, len(p.units))
	err := parallel.For(ctx, p.threads, len(p.units), func(worker, i int) {
		work, u := &p.work[worker], &p.units[i]
		score, _ := p.gather(work, u)
		z := work.z[:len(u.rows)]
		score(z, w)
		widest[i] = slices.Max(z) - slices.Min(z)
	})
	if err != nil {
		return 0, err
	}
	return slices.Max(widest), nil
}

// Where all pairs have the same second derivative, row i of LX is that times a row which holds xᵢ
// as often as i has partners, less the sum of the partners, which is the sum of all rows less those
// of the same label.

// denseHessian is unitHessian with the rows gathered in work.x.
func (p *pairSet) denseHessian(work *pairWork, u *unit, l []float64, second float64, h []float64, diagonal bool) {
	n, cols, from := len(u.rows), p.d.Cols, p.d.Stride
	x := work.x
	stride := (cols + 7) &^ 7
	lx, xT := grow(&work.lx, n*stride), grow(&work.xT, n*cols)
	// Rows are read many times: in float64, and a block of them that the first-level cache holds at
	// a time.
	block := max(hessianBlock/stride, 8)
	if l != nil {
		wide := grow(&work.wide, n*stride)
		for i := range n {
			for j, v := range x[i*from : i*from+cols] {
				wide[i*stride+j] = float64(v)
			}
		}
		clear(lx)
		for lo := 0; lo < n; lo += block {
			hi := min(lo+block, n)
			for i := range n {
				kernels.GemvTF64(lx[i*stride:i*stride+cols], wide[lo*stride:], hi-lo, cols, stride, l[i*n+lo:i*n+hi])
			}
		}
	} else {
		sum, own := grow(&work.sum, cols), grow(&work.own, cols)
		clear(sum)
		kernels.GemvTF32Wide(sum, x, n, cols, from, work.ones[:n])
		for lo := 0; lo < n; {
			hi := u.sameLabel(lo)
			clear(own)
			kernels.GemvTF32Wide(own, x[lo*from:], hi-lo, cols, from, work.ones[:hi-lo])
			partners := float64(n - (hi - lo))
			for i := lo; i < hi; i++ {
				row := lx[i*stride : i*stride+cols]
				for j, v := range x[i*from : i*from+cols] {
					row[j] = second * (float64(partners*float64(v)) - (sum[j] - own[j]))
				}
			}
			lo = hi
		}
	}
	if diagonal {
		for i := range n {
			for j, v := range x[i*from : i*from+cols] {
				h[j] += float64(float64(v) * lx[i*stride+j])
			}
		}
		return
	}
	for i := range n {
		for j, v := range x[i*from : i*from+cols] {
			xT[j*n+i] = float64(v)
		}
	}
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		for a := range cols {
			b := a &^ 7 // start where the rows are aligned
			kernels.GemvTF64(h[a*cols+b:(a+1)*cols], lx[lo*stride+b:], hi-lo, cols-b, stride, xT[a*n+lo:a*n+hi])
		}
	}
}

// sparseHessian is unitHessian with the rows gathered in work.sparse: the same bits without the
// zeros.
func (p *pairSet) sparseHessian(work *pairWork, u *unit, l []float64, second float64, h []float64, diagonal bool) {
	n, cols := len(u.rows), p.d.Cols
	x := &work.sparse
	if l != nil {
		if diagonal {
			x.diagonal(h, l)
			return
		}
		lx := grow(&work.lx, cols)
		for i := range n {
			clear(lx)
			kernels.SpmvTF32Wide(lx, x.offsets, x.index, x.value, l[i*n:(i+1)*n])
			x.outer(h, lx, i)
		}
		return
	}
	lx, sum, own := grow(&work.lx, cols), grow(&work.sum, cols), grow(&work.own, cols)
	clear(sum)
	kernels.SpmvTF32Wide(sum, x.offsets, x.index, x.value, work.ones[:n])
	for lo := 0; lo < n; {
		hi := u.sameLabel(lo)
		clear(own)
		kernels.SpmvTF32Wide(own, x.offsets[lo:hi+1], x.index, x.value, work.ones[:hi-lo])
		partners := float64(n - (hi - lo))
		if !diagonal {
			for j := range own {
				own[j] = sum[j] - own[j]
				lx[j] = second * -own[j]
			}
		}
		for i := lo; i < hi; i++ {
			index, value := x.row(i)
			if diagonal {
				for k, j := range index {
					v := float64(value[k])
					h[j] += float64(v * (second * (float64(partners*v) - (sum[j] - own[j]))))
				}
				continue
			}
			for k, j := range index {
				lx[j] = second * (float64(partners*float64(value[k])) - own[j])
			}
			x.outer(h, lx, i)
			for _, j := range index {
				lx[j] = second * -own[j]
			}
		}
		lo = hi
	}
}

// sameLabel returns the end of the documents that have the label of document lo, their first.
func (u *unit) sameLabel(lo int) int {
	hi := lo + 1
	for hi < len(u.lower) && u.lower[hi] == u.lower[lo] {
		hi++
	}
	return hi
}

// grow returns s with n elements, whatever they hold.
func grow(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n)
	}
	return (*s)[:n]
}

// sample returns a set of about docs documents, drawn by query and weighted so that its loss
// estimates that of p; it is p itself, whole, where that is no larger. Queries of more than
// 2·length documents are drawn in disjoint parts of about length.
func (p *pairSet) sample(docs, length int) (s *pairSet, whole bool) {
	type part struct{ unit, part int32 }
	var parts []part
	var all float64
	whole = true
	for i := range p.units {
		u := &p.units[i]
		all += float64(u.weight * float64(u.pairs))
		n := 1
		if len(u.rows) > 2*length {
			n = (len(u.rows) + length - 1) / length
			whole = false
		}
		for k := range n {
			parts = append(parts, part{int32(i), int32(k)})
		}
	}
	if docs >= p.docs && whole {
		return p, true
	}
	s = &pairSet{d: p.d, x: p.x, gain: p.gain, threads: p.threads}
	split := make([][]unit, len(p.units)) // of the long units that were drawn
	var drawn float64
	random := splitMix(uint64(len(parts)))
	for n, i := 0, 0; n < docs && i < len(parts); i++ {
		j := i + int(random.next()%uint64(len(parts)-i))
		parts[i], parts[j] = parts[j], parts[i]
		at := parts[i].unit
		u := p.units[at]
		if len(u.rows) > 2*length {
			if split[at] == nil {
				split[at] = p.split(&p.units[at], length)
			}
			if u = split[at][parts[i].part]; u.pairs == 0 {
				continue
			}
		}
		n += len(u.rows)
		drawn += float64(u.weight * float64(u.pairs))
		s.units = append(s.units, u)
	}
	for i := range s.units {
		s.units[i].weight *= all / drawn
	}
	s.prepare()
	return s, false
}

// split returns disjoint random parts of a long unit, weighted so that together they
// stand for all its pairs; some may have none.
func (p *pairSet) split(u *unit, length int) []unit {
	n := len(u.rows)
	k := (n + length - 1) / length
	// Deal the documents out in rounds, each round in another order, so that a
	// part holds documents from the whole range of labels and is sorted as they come.
	rows, lower := make([]int32, k*length), make([]int32, n)
	dealt := make([][]int32, k)
	hands := make([]int, k)
	for i := range hands {
		hands[i] = i
		dealt[i] = rows[i*length : i*length : (i+1)*length]
	}
	random := splitMix(uint64(n))
	for i, r := range u.rows {
		at := i % k
		j := at + int(random.next()%uint64(k-at))
		hands[at], hands[j] = hands[j], hands[at]
		dealt[hands[at]] = append(dealt[hands[at]], r)
	}
	parts := make([]unit, k)
	var pairs int64
	for i, rows := range dealt {
		part := &parts[i]
		*part = unit{rows: rows, lower: lower[:len(rows)], first: -1}
		lower = lower[len(rows):]
		part.pairs = countLower(rows, part.lower, func(row int32) float64 { return p.d.Labels[row] })
		pairs += part.pairs
	}
	for i := range parts {
		parts[i].weight = u.weight * (float64(u.pairs) / float64(pairs))
		parts[i].full = u.full
	}
	return parts
}

// A splitMix is the SplitMix64 generator (Steele, Lea, Flood 2014): the samples
// of a training must be the same everywhere and in every release of Go.
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A pairLoss is a convex loss of the score difference of a pair, z = zᵢ−zⱼ for i
// labeled higher than j.
type pairLoss struct {
	kind Loss
	// width is that of the zone in which the corner of hinge is rounded off, half on
	// each side, so that outside of it nothing changes:
	// max over 0 ≤ a ≤ 1 of a·(1−z) + ½·width·a·(1−a).
	width float64
	// margin, where it is above 0, leaves the pairs out of the Hessian whose second derivative may
	// change when z changes by that much: by a part of the width for hinge.
	margin float64
}

// weightIn returns what the Hessian of a unit is multiplied by.
func (pl pairLoss) weightIn(u *unit) float64 {
	if pl.margin > 0 {
		return u.full
	}
	return u.weight
}

// shrink returns what the scores are divided by and the corner's width then: the kernel's zone
// begins at z = 1, and s·h(width/s, z/s) with s = 1 + width/2 begins half a width earlier.
func (pl pairLoss) shrink() (s, width float64) {
	s = 1 + float64(pl.width/2)
	return s, pl.width / s
}

// eval returns the loss of a unit at the scores z and sets c to its derivatives. z may change
// by rounding.
func (pl pairLoss) eval(work *kernels.PairWork, u *unit, z, c []float64) float64 {
	q := kernels.PairQuery{Scores: z, Lower: u.lower, Gain: u.gain, Weight: u.weight}
	switch pl.kind {
	case SquaredHinge:
		return kernels.PairSquaredHinge(c, q, work)
	case Logistic:
		return kernels.PairLogistic(c, q, 1, work)
	}
	s, width := pl.shrink()
	for i := range z {
		z[i] /= s
	}
	l := float64(s * kernels.PairHuberHinge(c, q, width, work))
	for i := range z {
		z[i] *= s
	}
	return l
}

// secondAtZero is the second derivative for equal scores.
func (pl pairLoss) secondAtZero() float64 {
	switch {
	case pl.kind == SquaredHinge:
		return 2
	case pl.kind == Logistic:
		return 0.25
	case pl.core() > 2:
		return 1 / pl.width
	}
	return 0
}

// core is the width of the part of the zone that the margin leaves.
func (pl pairLoss) core() float64 { return pl.width * (1 - 2*pl.margin) }

// laplacian sets l (n×n) to the Laplacian of the graph that joins the documents i and j of a pair
// with the second derivative of its loss; it reports whether there is one that is not zero. It
// changes z.
func (pl pairLoss) laplacian(l []float64, u *unit, z []float64) bool {
	q := kernels.PairQuery{Scores: z, Lower: u.lower, Gain: u.gain, Weight: pl.weightIn(u)}
	switch pl.kind {
	case SquaredHinge:
		if pl.margin > 0 { // 1−z > margin
			for i := range z {
				z[i] /= 1 - pl.margin
			}
		}
		return kernels.PairSquaredHingeLaplacian(l, q)
	case Logistic:
		return kernels.PairLogisticLaplacian(l, q, 1)
	}
	core := pairLoss{kind: Hinge, width: pl.core()}
	s, width := core.shrink()
	for i := range z {
		z[i] /= s
	}
	q.Weight = q.Weight / s * (core.width / pl.width)
	return kernels.PairHuberHingeLaplacian(l, q, width)
}

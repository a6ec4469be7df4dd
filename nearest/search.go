package nearest

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

const (
	batch = 32 // number of queries that are searched at a time

	blockBytes = 1 << 18 // bytes of the rows that stay in L2 while a batch is compared with them
	blockRows  = 1 << 9  // maximum number of rows, so that the scores of a batch also stay in L2

	taskMost = 1 << 24 // maximum bytes of a task, because a search can be canceled only between tasks

	// If less than listShare/4 of a block is allowed, only the allowed rows are compared. This
	// takes a little longer per row, because the rows are not adjacent, and batches copy them.
	listShare = 3

	slack = 64 // number of candidates beyond 2k that are collected before they are reduced to the best k
)

// taskBytes is the minimum size of a task, in bytes of the matrix. Tests change it.
var taskBytes = 1 << 20

// A workspace is memory that several searches reuse.
type workspace[Q any] struct {
	queries []Q // elements of all queries of a batch, one query after the other
	workers []worker
}

// A worker is the workspace of one goroutine.
type worker struct {
	scores  []float32 // scores of a block of rows
	negated []float32
	keys    []int64 // sort keys of scores, with IDs as indices
	tmp     []int64
	ids     []int32 // allowed rows of a block
	scratch scratch
	best    [batch]candidates
}

// candidates contains the best vectors of a query so far. A worker processes rows in ascending
// order of ID.
type candidates struct {
	keys  []int64    // sort keys of the scores; not used by an exact index
	exact []Neighbor // neighbors of an exact index
	kept  int        // number of sorted candidates at the start, at least k; 0 before they were reduced
	least float32    // minimum score of further candidates; valid if bound
	bound bool       // whether scores that are NaN or less than least are not needed
}

// limits are the limits of a search.
type limits struct {
	k      int     // maximum number of neighbors
	radius float64 // score of the farthest neighbors; NaN if there is no limit
	ties   bool    // whether to return all vectors that are tied with the last neighbor, too
}

// search is like AppendNearest, but for n queries that were checked, at most a batch. It adds the
// number of comparisons to progress.
func (ix *Index[Q]) search(ctx context.Context, dst []Neighbor, queries []Q, n, stride int, l limits,
	progress *parallel.Progress) ([]Neighbor, error) {
	allowed := ix.rows
	if ix.Allow != nil {
		if words := (ix.rows + 63) / 64; len(ix.Allow) < words {
			return dst, errs.Errorf("nearest", "Allow has %d words of 64 bits, but %d vectors require %d",
				len(ix.Allow), ix.rows, words)
		}
		allowed = ix.countAllowed(0, ix.rows)
	}
	if l.k = min(l.k, allowed); l.k == 0 {
		return dst, ctx.Err()
	}

	// Round the number of rows of a block up to a multiple of 64, the number of bits in a word of
	// Allow.
	block := min(max(blockBytes/ix.rowBytes, 1)+63, blockRows) &^ 63
	threads := parallel.Threads(ix.Threads)
	// Divide twice, because the product of the divisors may overflow.
	bytes := ix.rows / 4 / threads * ix.rowBytes
	blocks := max(1, min(max(bytes, taskBytes), taskMost)/block/ix.rowBytes) // number of blocks in a task
	task := blocks * block
	tasks := (ix.rows-1)/task + 1
	threads = min(threads, tasks)

	w := ix.pool.Get().(*workspace[Q])
	defer ix.pool.Put(w)
	w.queries = w.queries[:0]
	for i := range n {
		w.queries = append(w.queries, queries[i*stride:][:ix.cols]...)
		ix.prepare(w.queries[i*ix.cols:])
	}
	for len(w.workers) < threads {
		w.workers = append(w.workers, worker{})
	}
	for t := range w.workers[:threads] {
		w.workers[t].reset(n, block)
		w.workers[t].limit(n, ix.metric, l.radius)
	}
	if threads > 1 {
		if err := ix.share(ctx, w, n, l, block, task, tasks, threads, progress); err != nil {
			return dst, err
		}
	} else {
		for t := range tasks {
			if err := ctx.Err(); err != nil {
				return dst, err
			}
			from, to := t*task, min((t+1)*task, ix.rows)
			ix.scan(w, &w.workers[0], n, l, block, from, to)
			progress.Add(int64(n) * int64(to-from))
		}
	}

	first := &w.workers[0]
	if l.radius != l.radius {
		dst = slices.Grow(dst, n*l.k)
	}
	for q := range n {
		if ix.exact != nil {
			found := first.best[q].exact
			for t := range w.workers[1:threads] {
				found = append(found, w.workers[1+t].best[q].exact...)
			}
			first.best[q].exact = found
			dst = append(dst, l.within(ix.metric, l.first(ix.metric, found))...)
			continue
		}
		keys := first.best[q].keys
		for t := range w.workers[1:threads] {
			keys = append(keys, w.workers[1+t].best[q].keys...)
		}
		first.best[q].keys = keys
		start := len(dst)
		dst = ix.append(dst, l.firstKeys(first.sorted(keys)))
		dst = dst[:start+len(l.within(ix.metric, dst[start:]))]
	}
	return dst, nil
}

// first sorts neighbors and returns the first k, and those that are tied with the last one if ties
// is set.
func (l *limits) first(m comparison, found []Neighbor) []Neighbor {
	m.sorted(found)
	n := min(l.k, len(found))
	for l.ties && n > 0 && n < len(found) && cmp.Compare(found[n].Score, found[n-1].Score) == 0 {
		n++
	}
	return found[:n]
}

// firstKeys is like first, but for sorted keys.
func (l *limits) firstKeys(keys []int64) []int64 {
	n := min(l.k, len(keys))
	for l.ties && n > 0 && n < len(keys) && keys[n]>>32 == keys[n-1]>>32 {
		n++
	}
	return keys[:n]
}

// within returns the first neighbors, up to the radius. The bound of the search is rounded, so a
// few neighbors may be farther.
func (l *limits) within(m comparison, found []Neighbor) []Neighbor {
	for l.radius == l.radius && len(found) > 0 && m.farther(found[len(found)-1].Score, l.radius) {
		found = found[:len(found)-1]
	}
	return found
}

// share scans the rows with several goroutines. It is a separate function, because its closure
// allocates the captured variables even if no goroutine is started.
func (ix *Index[Q]) share(ctx context.Context, w *workspace[Q], n int, l limits, block, task, tasks, threads int,
	progress *parallel.Progress) error {
	return parallel.For(ctx, threads, tasks, func(worker, t int) {
		from, to := t*task, min((t+1)*task, ix.rows)
		ix.scan(w, &w.workers[worker], n, l, block, from, to)
		progress.Add(int64(n) * int64(to-from))
	})
}

// scan adds the best of the rows from … to−1 to the candidates of the worker. Their IDs must be
// greater than the IDs of all rows that the worker has scanned.
func (ix *Index[Q]) scan(w *workspace[Q], worker *worker, n int, l limits, size, from, to int) {
	for end := from; from < to; from = end {
		end = min(from+size, to)
		if !worker.best[0].bound { // use a small block first, because all of its scores are sorted
			end = min(from+(2*l.k+slack+63)&^63, end)
		}
		block := selection{from: from, to: end}
		dropping := false // whether to drop rows that are not allowed after comparing them
		if ix.Allow != nil {
			switch allowed := ix.countAllowed(from, end); {
			case allowed == 0:
				continue
			case allowed*4 < (end-from)*listShare:
				worker.ids = ix.listAllowed(worker.ids[:0], from, end)
				block.ids = worker.ids
			default:
				dropping = allowed < end-from
			}
		}
		rows := block.len()
		scores := worker.scores[:n*rows]
		ix.matrix.scores(scores, w.queries, n, block, &worker.scratch)
		for q := range n {
			best := &worker.best[q]
			keys := worker.keysOf(scores[q*rows:][:rows], best, ix.metric)
			kept := 0
			for _, key := range keys {
				id := order.KeyIndex(key)
				if id = block.row(id); dropping && ix.Allow[id/64]>>(id%64)&1 == 0 {
					continue
				}
				keys[kept] = withID(key, id)
				kept++
			}
			if ix.exact != nil {
				ix.joinExact(best, w.queries[q*ix.cols:][:ix.cols], keys[:kept], l)
			} else {
				worker.join(best, keys[:kept], l)
			}
		}
	}
}

// prepare scales a copy of a query if its cosines could overflow or underflow otherwise.
func (ix *Index[Q]) prepare(query []Q) {
	if ix.metric == byCosine {
		scaleQuery(query)
	}
}

// reset prepares a worker for n queries and blocks of the given number of rows.
func (w *worker) reset(n, block int) {
	w.scores = slices.Grow(w.scores[:0], n*block)[:n*block]
	w.negated = slices.Grow(w.negated[:0], block)[:block]
	w.keys = slices.Grow(w.keys[:0], block)[:block]
	for q := range w.best[:n] {
		w.best[q] = candidates{keys: w.best[q].keys[:0], exact: w.best[q].exact[:0]}
	}
}

// limit sets the first bound of the scores. Rounding the radius preserves the order of scores.
func (w *worker) limit(n int, metric comparison, radius float64) {
	if metric.leastFirst() {
		radius = -radius
	}
	for q := range w.best[:n] {
		w.best[q].least, w.best[q].bound = float32(radius), radius == radius
	}
}

// keysOf returns sort keys of the scores that may become candidates. The next call overwrites them.
func (w *worker) keysOf(scores []float32, best *candidates, metric comparison) []int64 {
	if metric.leastFirst() {
		negated := w.negated[:len(scores)]
		clear(negated)
		kernels.AxpyF32(-1, scores, negated)
		scores = negated
	}
	if best.bound {
		return w.keys[:order.SelectKeysF32(w.keys, scores, best.least, 0)]
	}
	order.RankKeysF32(w.keys[:len(scores)], scores)
	return w.keys[:len(scores)]
}

// withID returns key with its ID replaced by id.
func withID(key int64, id int) int64 { return key&^math.MaxUint32 | int64(id) }

// join adds keys to the candidates. If there are then too many, it reduces the candidates to the
// best k.
func (w *worker) join(best *candidates, keys []int64, l limits) {
	best.keys = append(best.keys, keys...)
	if len(best.keys) < 2*max(l.k, best.kept)+slack {
		return
	}
	best.keys = l.firstKeys(w.sorted(best.keys))
	best.kept = len(best.keys)
	// Without ties, later scores that equal the last one need not be kept, because their IDs are
	// greater.
	switch last := scoreOf(best.keys[l.k-1]); {
	case last != last:
	case l.ties:
		best.bound, best.least = true, last
	case last == float32(math.Inf(1)):
		best.bound, best.least = true, float32(math.NaN())
	default:
		best.bound, best.least = true, math.Nextafter32(last, float32(math.Inf(1)))
	}
}

// joinExact is like join, but for an exact index. keys contains rounded scores. As rounding
// preserves the order of scores, each of the best k vectors has a rounded score that is at least
// the rounded score of the last candidate.
func (ix *Index[Q]) joinExact(best *candidates, query []Q, keys []int64, l limits) {
	for _, key := range keys {
		n := ix.neighbor(query, int32(order.KeyIndex(key)))
		if best.kept > 0 {
			last := best.exact[l.k-1]
			tied := l.ties && cmp.Compare(n.Score, last.Score) == 0
			if !tied && ix.metric.compare(n, last) > 0 {
				continue
			}
		}
		best.exact = append(best.exact, n)
	}
	if len(best.exact) < 2*max(l.k, best.kept)+slack {
		return
	}
	best.exact = l.first(ix.metric, best.exact)
	best.kept = len(best.exact)
	if last := best.exact[l.k-1].Score; last == last {
		best.bound, best.least = true, float32(last)
		if ix.metric.leastFirst() {
			best.least = -best.least
		}
	}
}

// neighbor returns the vector with the given ID and its exact score.
func (ix *Index[Q]) neighbor(query []Q, id int32) Neighbor {
	return Neighbor{id, 0 + ix.exact.score(query, int(id))} // adding 0 converts −0 to 0
}

// sorted sorts neighbors, nearest first.
func (m comparison) sorted(found []Neighbor) []Neighbor {
	slices.SortFunc(found, m.compare)
	return found
}

// farther reports whether a score is beyond a radius, or NaN.
func (m comparison) farther(score, radius float64) bool {
	if m.leastFirst() {
		return !(score <= radius)
	}
	return !(score >= radius)
}

// compare orders neighbors by distance, nearest first. Ties are ordered by ascending ID, and NaNs
// are last.
func (m comparison) compare(a, b Neighbor) int {
	return cmp.Or(m.compareScores(a.Score, b.Score), cmp.Compare(a.ID, b.ID))
}

// compareScores is like compare, but for scores only.
func (m comparison) compareScores(x, y float64) int {
	if m.leastFirst() {
		x, y = -x, -y
	}
	return cmp.Compare(y, x)
}

// sorted sorts keys by distance, nearest first.
func (w *worker) sorted(keys []int64) []int64 {
	w.tmp = slices.Grow(w.tmp[:0], len(keys))[:len(keys)]
	order.SortKeys(keys, w.tmp)
	return keys
}

// scoreOf returns the score in a key, such that higher scores are nearer.
func scoreOf(key int64) float32 {
	d := int32(key >> 32)
	if d == math.MaxInt32 {
		return float32(math.NaN())
	}
	d = ^d // kern.FloatKey(score), which is its own inverse
	return math.Float32frombits(uint32(d ^ d>>31&math.MaxInt32))
}

// append appends the neighbors of sorted keys.
func (ix *Index[Q]) append(dst []Neighbor, keys []int64) []Neighbor {
	for _, key := range keys {
		score := scoreOf(key)
		if ix.metric.leastFirst() {
			score = 0 - score // −score would convert 0 to −0
		}
		dst = append(dst, Neighbor{int32(order.KeyIndex(key)), float64(score)})
	}
	return dst
}

// rerank is like AppendReranked, but its arguments have been checked.
func (ix *Index[Q]) rerank(dst []Neighbor, w *workspace[Q], query []Q, candidates []Neighbor, k int) []Neighbor {
	n := len(candidates)
	if len(w.workers) == 0 {
		w.workers = append(w.workers, worker{})
	}
	worker := &w.workers[0]
	worker.reset(1, n)
	worker.ids = worker.ids[:0]
	for _, c := range candidates {
		worker.ids = append(worker.ids, c.ID)
	}
	w.queries = append(w.queries[:0], query...)
	ix.prepare(w.queries)
	if ix.exact != nil {
		found := worker.best[0].exact
		for _, id := range worker.ids {
			found = append(found, ix.neighbor(w.queries, id))
		}
		worker.best[0].exact = found
		return append(dst, ix.metric.sorted(found)[:min(k, n)]...)
	}
	ix.matrix.scores(worker.scores, w.queries, 1, selection{ids: worker.ids}, &worker.scratch)
	keys := worker.keysOf(worker.scores, &worker.best[0], ix.metric)
	for i, key := range keys {
		keys[i] = withID(key, int(worker.ids[i]))
	}
	return ix.append(dst, worker.sorted(keys)[:min(k, n)])
}

// countAllowed returns the number of allowed IDs from … to−1. from must be a multiple of 64.
func (ix *Index[Q]) countAllowed(from, to int) (n int) {
	for _, word := range ix.Allow[from/64 : to/64] {
		n += bits.OnesCount64(word)
	}
	if rest := to % 64; rest > 0 {
		n += bits.OnesCount64(ix.Allow[to/64] << (64 - rest))
	}
	return n
}

// listAllowed appends the allowed IDs from … to−1. from must be a multiple of 64.
func (ix *Index[Q]) listAllowed(ids []int32, from, to int) []int32 {
	for ; from < to; from += 64 {
		word := ix.Allow[from/64]
		if to-from < 64 {
			word &= 1<<(to-from) - 1
		}
		for ; word != 0; word &= word - 1 {
			ids = append(ids, int32(from+bits.TrailingZeros64(word)))
		}
	}
	return ids
}

package explain

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// shapRows is the maximum number of rows that a goroutine processes per task. The data that is
// prepared for a tree is used for all of these rows, and the contributions to their scores stay in
// the second-level cache.
const shapRows = 128

// treeContributions writes width numbers for each document of d: the contributions to its score
// and, as the last number, the mean score of the training rows. columns maps the slot of each
// feature to its column in d and among the contributions.
func (e *Explainer) treeContributions(ctx context.Context, dst []float64, width int, d *rank.Dataset,
	columns []int32) (err error) {
	defer memory.Begin().End(&err)
	g := &e.games
	progress := parallel.NewProgress(e.Progress, int64(d.Rows()))
	workers := parallel.Threads(e.Threads)
	rules := make(map[int]*quadrature)
	for i := range g.list {
		if n := chunk * g.list[i].chunks; rules[n] == nil {
			if rules[n], err = newQuadrature(ctx, workers, n); err != nil {
				return err
			}
		}
	}
	works := make([]work, workers)
	rows := min(shapRows, (d.Rows()+workers-1)/workers)
	return parallel.For(ctx, workers, (d.Rows()+rows-1)/max(rows, 1), func(worker, task int) {
		lo := task * rows
		hi := min(lo+rows, d.Rows())
		phi := dst[lo*width : hi*width]
		clear(phi)
		for i := width - 1; i < len(phi); i += width {
			phi[i] = g.mean
		}
		if works[worker].add(ctx, phi, width, g, columns, rules, d, lo) {
			progress.Add(int64(hi - lo))
		}
	})
}

// shares returns, for each split, the fraction of training rows that it sends left.
func shares(t *lambdamart.Tree) ([]float64, error) {
	splits := len(t.Feature)
	if splits == 0 {
		return nil, nil
	}
	var cover func(node int32) float64
	switch {
	case len(t.Count) == splits && len(t.LeafCount) == splits+1:
		cover = func(node int32) float64 {
			if node < 0 {
				return float64(t.LeafCount[^node])
			}
			return float64(t.Count[node])
		}
	case len(t.Weight) == splits && len(t.LeafWeight) == splits+1:
		cover = func(node int32) float64 {
			if node < 0 {
				return t.LeafWeight[^node]
			}
			return t.Weight[node]
		}
	default:
		return nil, errors.New("contributions require the counts or the weights of all splits and leaves, which the model does not contain")
	}
	left := make([]float64, splits)
	for s := range left {
		l, r := max(cover(t.Left[s]), 0), max(cover(t.Right[s]), 0)
		if left[s] = l / (l + r); !(l+r > 0 && left[s] <= 1) {
			left[s] = .5
		}
	}
	return left, nil
}

// mean returns the mean leaf value of a tree over its training rows. splits are the splits in
// preorder.
func mean(t *lambdamart.Tree, splits []int32, left []float64) float64 {
	if len(splits) == 0 {
		return t.Leaf[0]
	}
	mean := make([]float64, len(splits)) // mean value of the subtree at each split
	value := func(node int32) float64 {
		if node < 0 {
			return t.Leaf[^node]
		}
		return mean[node]
	}
	for _, s := range slices.Backward(splits) { // process children before their parents
		mean[s] = float64(left[s]*value(t.Left[s])) + float64((1-left[s])*value(t.Right[s]))
	}
	return mean[0]
}

// preorder returns the splits of a valid tree in preorder: each split precedes the splits of its
// left subtree, and these precede the splits of its right subtree.
func preorder(t *lambdamart.Tree) []int32 {
	if len(t.Feature) == 0 {
		return nil
	}
	splits := make([]int32, 0, len(t.Feature))
	for stack := []int32{0}; len(stack) > 0; {
		s := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; s >= 0 {
			splits = append(splits, s)
			stack = append(stack, t.Right[s], t.Left[s])
		}
	}
	return splits
}

// A game computes Shapley values for a tree. Its players are the features of the tree. Its value is
// the expected output of the tree if only some features of a document are known. Suppose that each
// feature is known with probability t. According to Owen (1972), the Shapley value φⱼ is an
// integral over t from 0 to 1: the derivative of the expected value with respect to the probability
// of feature j.
//
// On the path to a leaf, let z be the fraction of training rows that pass the splits on feature j.
// Let o be 1 if the document passes these splits, and 0 otherwise. The expected value of the leaf
// has a factor z + t(o−z) for each feature on the path. The derivative has o−z instead of the
// factor of feature j. The derivative is therefore a polynomial in t, whose degree is less than the
// number of features on the path. Gaussian quadrature with half this number of points integrates it
// exactly.
//
// A pass down the tree computes the product of the factors above each split at every quadrature
// point, times the quadrature weight. A pass up the tree computes the expected values U below each
// split. Let F = z + t(1−z) be the factor that the split's feature has above the split. Let F' = z'
// + t(1−z') be its factor on the side that the document takes, where z' is the fraction of rows
// that also go to this side. The split passes product · F'/F to this side, and the remainder of the
// product to the other side. Sums of these terms are polynomials again, so that
//
//	φⱼ += (z−z') · Σ over points of product/F² · (U of the side taken − U of the other)
//
// This term is the derivative below the split, minus the derivative that the previous split on
// feature j has already added. If the document does not pass the previous split, feature j adds
// nothing, and each side gets its fraction of the product. All factors are positive, so rounding
// errors are small.
type game struct {
	tree   *lambdamart.Tree
	splits []gameSplit // in preorder; children come after their parents
	values []float64   // leaf values
	chunks int         // number of chunks of quadrature points

	order []int32 // 0, 1, 2, …: indices of all splits
	top   []int32 // indices of the splits outside small subtrees
	small []subtree
}

// A subtree consists of a few splits on features that no other split on the same path uses. The
// contributions of its splits depend only on the sides that a document takes at these splits, and
// on the product above the subtree. Therefore, the contributions are computed once for each
// combination of sides, and multiplied by the product for each document.
type subtree struct {
	root, splits int32
	at           int // start of the subtree's tables among the values of a chunk
}

// subtreeSplits is the maximum number of splits in a subtree.
const subtreeSplits = 4

// A gameSplit is a split in the preorder list of a game.
type gameSplit struct {
	threshold float32
	simple    bool // whether the split is numerical and treats only NaN as missing
	split     int32
	slot      int32    // index of the feature's value in a row of x
	child     [2]int32 // left and right child: a split, or the number of splits plus the index of a leaf

	left   float64 // fraction of the training rows that go left
	share  float64 // z above the split: the fraction of rows that pass the previous splits on its feature
	before int32   // previous split on the path that uses the feature; −1 if there is none
	side   uint8   // index of the child of split before that leads to this split
	// other contains, for each value of work.known, the fraction z−z' that goes the other way.
	other [3]float64
}

// games contains the games of all trees, and assigns slots to the features that they use.
type games struct {
	list     []game
	slots    map[int32]int32 // slot of each feature
	features []int32         // feature of each slot
	order    []int32         // slots by ascending feature number
	last     []int32         // while a tree is added: last split on the path that uses the feature of each slot
	mean     float64         // mean score of the training rows
}

// add adds the game of a valid tree.
func (g *games) add(t *lambdamart.Tree) error {
	left, err := shares(t)
	if err != nil {
		return err
	}
	order := preorder(t)
	g.mean += mean(t, order, left)
	if len(order) == 0 {
		return nil // a tree with one leaf has no contributions
	}
	type above struct {
		parent   int32
		side     uint8
		taken    uint8 // side that leads to the current split
		features int   // number of features on the path
	}
	n := len(t.Feature)
	paths := make([]above, n)
	places := make([]int32, n) // index of each split in the preorder list
	for p, s := range order {
		places[s] = int32(p)
	}
	game := game{tree: t, splits: make([]gameSplit, n), values: t.Leaf}
	most := 1
	paths[0].parent = -1
	var path []int32 // splits above the current split
	for p, s := range order {
		f := t.Feature[s]
		slot, ok := g.slots[f]
		if !ok {
			slot = int32(len(g.features))
			g.slots[f], g.features, g.last = slot, append(g.features, f), append(g.last, -1)
		}
		split := gameSplit{threshold: t.Threshold[s], split: s, slot: slot, left: left[s], share: 1,
			before: -1, simple: (len(t.Categories) == 0 || t.Categories[s] == nil) &&
				(len(t.ZeroMissing) == 0 || !t.ZeroMissing[s])}
		at := &paths[p]
		for len(path) > 0 && path[len(path)-1] != at.parent {
			left := &game.splits[path[len(path)-1]]
			g.last[left.slot], path = left.before, path[:len(path)-1]
		}
		if at.parent >= 0 {
			paths[at.parent].taken = at.side
		}
		if split.before = g.last[slot]; split.before >= 0 {
			split.side = paths[split.before].taken
			split.share = game.splits[split.before].shareBelow(int(split.side))
		} else {
			at.features++
		}
		g.last[slot], path = int32(p), append(path, int32(p))
		most = max(most, at.features)
		split.other = [3]float64{split.shareBelow(1), split.shareBelow(0), 0}
		for side, node := range [2]int32{t.Left[s], t.Right[s]} {
			if node < 0 {
				split.child[side] = int32(n) + ^node
				continue
			}
			split.child[side] = places[node]
			paths[places[node]] = above{parent: int32(p), side: uint8(side), features: at.features}
		}
		game.splits[p] = split
	}
	for _, p := range path {
		g.last[game.splits[p].slot] = -1
	}
	game.chunks = (most + 2*chunk - 1) / (2 * chunk)
	game.divide()
	g.list = append(g.list, game)
	return nil
}

// divide finds the small subtrees of the game.
func (g *game) divide() {
	n := int32(len(g.splits))
	below := make([]int32, n) // number of splits in the subtree of each split, or a number above the limit
	for p := n - 1; p >= 0; p-- {
		s := &g.splits[p]
		below[p]++
		for _, child := range s.child {
			if child < n {
				below[p] = min(below[p]+below[child], subtreeSplits+1)
			}
		}
		if s.before >= 0 {
			below[p] = subtreeSplits + 1
		}
	}
	for p := range n {
		g.order = append(g.order, p)
	}
	at := int(2*n + 1)
	for p := int32(0); p < n; p++ {
		if below[p] > subtreeSplits {
			g.top = append(g.top, p)
			continue
		}
		g.small = append(g.small, subtree{p, below[p], at})
		at += 1 << below[p] * int(1+below[p])
		p += below[p] - 1
	}
}

// shareBelow returns the fraction z of the split's feature on the given side.
func (s *gameSplit) shareBelow(side int) float64 {
	if side == 0 {
		return float64(s.share * s.left)
	}
	return float64(s.share * (1 - s.left))
}

// chunk is the number of quadrature points that are processed together.
const chunk = 2

// points contains one value per point of a chunk.
type points [chunk]float64

// factors contains the factors of a split at the quadrature points of a chunk.
type factors struct {
	// pass contains F'/F for each value of work.known, the factor of the product on the side that
	// the document takes. For missed, it is the fraction of rows that go left.
	pass [3]points
	gain points // 1/F²
}

// missed is the third value of work.known, in addition to the sides 0 and 1. It means that the
// document did not pass a previous split on the same feature.
const missed = 2

// A work is the workspace of a goroutine that adds contributions.
type work struct {
	columns  []int32   // column of the feature of each slot
	x        []float32 // values of these features, row by row
	known    []uint8   // side that the document takes at each split, or missed
	moved    []float64 // sums of the moves of earlier chunks, per split, row by row
	chunks   int       // number of chunks that are processed together
	factors  []factors // factors of the current game: for each split, one element per chunk
	products []points  // products above the splits and leaves of the current game, in the same order
	// values contains the expected values below the splits of the current game, and its leaf
	// values, in the same order. After them, it contains the expected value and the moves of each
	// subtree for each combination of sides.
	values []points
	moves  []points // terms that the splits add to φ, in the same order
	at     []int32  // start of the values of each split and leaf
}

// These limits determine how many chunks of a tree are processed together. The factors must fit in
// the second-level cache. For common trees, the factors of all chunks fit. For larger trees, the
// moves of earlier chunks are stored, so that the memory of the factors does not grow with the
// depth.
const (
	mostFactors = 1 << 14 // maximum number of splits × chunks
	mostMoved   = 1 << 20 // maximum number of splits × rows
)

// load copies the features of row i of d to x. Features that d lacks are 0.
func (w *work) load(x []float32, g *games, d *rank.Dataset, i int) {
	clear(x)
	if d.Sparse == nil {
		row := d.Row(i)
		for slot, j := range w.columns {
			if int(j) < len(row) {
				x[slot] = row[j]
			}
		}
		return
	}
	listed, values := d.Sparse.Row(i)
	k := 0
	for _, slot := range g.order {
		j := w.columns[slot]
		for k < len(listed) && listed[k] < j {
			k++
		}
		if k < len(listed) && listed[k] == j {
			x[slot] = values[k]
		}
	}
}

// add adds to phi the contributions to the scores of the rows of d from lo on. It returns false if
// the context ended.
func (w *work) add(ctx context.Context, phi []float64, width int, g *games, columns []int32,
	rules map[int]*quadrature, d *rank.Dataset, lo int) bool {
	rows, features := len(phi)/width, len(g.features)
	w.columns = columns
	w.x = slices.Grow(w.x[:0], rows*features)[:rows*features]
	for i := range rows {
		w.load(w.x[i*features:][:features], g, d, lo+i)
	}
	for k := range g.list {
		game := &g.list[k]
		n := len(game.splits)
		step, part := min(game.chunks, max(mostFactors/n, 1)), rows
		if step < game.chunks {
			part = min(rows, max(mostMoved/n, 1))
			w.moved = slices.Grow(w.moved[:0], part*n)[:part*n]
		}
		for from := 0; from < rows; from += part {
			clear(w.moved)
			for c := 0; c < game.chunks; c += step {
				if ctx.Err() != nil {
					return false
				}
				w.prepare(game, rules[chunk*game.chunks], c, min(c+step, game.chunks))
				for i := from; i < min(from+part, rows); i++ {
					w.look(game, w.x[i*features:][:features])
					var moved, to []float64
					if step < game.chunks {
						moved = w.moved[(i-from)*n:][:n]
					}
					if c+step >= game.chunks {
						to = phi[i*width:][:width]
					}
					w.move(to, moved, game)
				}
			}
		}
	}
	return true
}

// prepare computes the factors of a game, and the tables of its subtrees, for the chunks in the
// range [from, to).
func (w *work) prepare(g *game, rule *quadrature, from, to int) {
	n, chunks := len(g.splits), to-from
	w.chunks = chunks
	w.known = slices.Grow(w.known[:0], n)[:n]
	w.factors = slices.Grow(w.factors[:0], n*chunks)[:n*chunks]
	nodes := (2*n + 1) * chunks
	w.products, w.values = slices.Grow(w.products[:0], nodes)[:nodes], slices.Grow(w.values[:0], nodes)[:nodes]
	for p := range g.splits {
		s := &g.splits[p]
		for c := range chunks {
			f := &w.factors[p*chunks+c]
			for k := range chunk {
				t := rule.at[(from+c)*chunk+k]
				above := s.share + float64(t*(1-s.share))
				f.gain[k] = 1 / float64(above*above)
				for side := range 2 {
					z := s.shareBelow(side)
					f.pass[side][k] = (z + float64(t*(1-z))) / above
				}
				f.pass[missed][k] = s.left
			}
		}
	}
	w.moves = slices.Grow(w.moves[:0], n*chunks)[:n*chunks]
	w.at = slices.Grow(w.at[:0], 2*n+1)[:2*n+1]
	for p := range w.at {
		w.at[p] = int32(p * chunks)
	}
	for i, v := range g.values {
		for c := range chunks {
			w.values[(n+i)*chunks+c] = points{v, v}
		}
	}
	// The tables of the subtrees follow the values and use the same indices.
	for i := range g.small {
		t := &g.small[i]
		for c := range chunks {
			w.products[int(t.root)*chunks+c] = points{1, 1}
		}
		for sides := range 1 << t.splits {
			for k := range t.splits {
				w.known[t.root+k] = uint8(sides >> k & 1)
			}
			w.play(g, g.order[t.root:t.root+t.splits])
			lo, hi := int(t.root)*chunks, int(t.root+t.splits)*chunks
			w.values = append(w.values, w.values[lo:lo+chunks]...)
			w.values = append(w.values, w.moves[lo:hi]...)
		}
	}
	for c := range chunks {
		copy(w.products[c][:], rule.weights[(from+c)*chunk:])
	}
}

// look sets known to the sides that a document takes, or to missed.
func (w *work) look(g *game, x []float32) {
	known := w.known
	for p := range g.splits {
		s := &g.splits[p]
		if s.before >= 0 && known[s.before] != s.side {
			known[p] = missed
			continue
		}
		v := x[s.slot]
		right := !(v <= s.threshold)
		if v != v || !s.simple {
			right = !g.tree.GoesLeft(int(s.split), v)
		}
		side := uint8(0)
		if right {
			side = 1
		}
		known[p] = side
	}
}

// move sums the moves of the current chunks and of earlier chunks for one document. moved contains
// the sums of earlier chunks; it is nil if all chunks are processed together. If phi is nil, move
// stores the new sums in moved. Otherwise the chunks are the last ones, and move adds the sums to
// the contributions phi.
func (w *work) move(phi, moved []float64, g *game) {
	chunks := w.chunks
	before := func(p int32) float64 {
		if moved == nil {
			return 0
		}
		return moved[p]
	}
	done := func(p int32, sum float64) {
		if phi == nil {
			moved[p] = sum
			return
		}
		phi[w.columns[g.splits[p].slot]] += sum
	}
	for i := range g.small {
		t := &g.small[i]
		sides := 0
		for k, side := range w.known[t.root : t.root+t.splits] {
			sides |= int(side) << k
		}
		w.at[t.root] = int32((t.at + sides*int(1+t.splits)) * chunks)
	}
	w.play(g, g.top)
	for _, p := range g.top {
		sum := before(p)
		for _, m := range w.moves[int(p)*chunks:][:chunks] {
			sum += m[0] + m[1]
		}
		done(p, sum)
	}
	for i := range g.small {
		t := &g.small[i]
		above, moves := w.products[int(t.root)*chunks:][:chunks], w.values[int(w.at[t.root])+chunks:]
		for k := range g.splits[t.root : t.root+t.splits] {
			m := moves[k*chunks:][:len(above)]
			sum := before(t.root + int32(k))
			for c := range above {
				sum += float64(above[c][0]*m[c][0]) + float64(above[c][1]*m[c][1])
			}
			done(t.root+int32(k), sum)
		}
	}
}

// play processes the given splits for one document. It computes the products in preorder and the
// expected values in reverse, and records the moves.
func (w *work) play(g *game, splits []int32) {
	chunks, known := w.chunks, w.known
	for _, p := range splits {
		s, side := &g.splits[p], known[p]
		above, factors := w.products[int(p)*chunks:][:chunks], w.factors[int(p)*chunks:][:chunks]
		hot := w.products[int(s.child[side&1])*chunks:][:chunks] // the left child of a missed split
		cold := w.products[int(s.child[^side&1])*chunks:][:chunks]
		for c := range above {
			a, h, l, pass := &above[c], &hot[c], &cold[c], &factors[c].pass[side]
			x, y := float64(a[0]*pass[0]), float64(a[1]*pass[1])
			h[0], h[1] = x, y
			l[0], l[1] = a[0]-x, a[1]-y
		}
	}
	for i := len(splits) - 1; i >= 0; i-- {
		p := splits[i]
		s, side := &g.splits[p], known[p]
		value, moves := w.values[int(p)*chunks:][:chunks], w.moves[int(p)*chunks:][:chunks]
		hot := w.values[w.at[s.child[side&1]]:][:chunks]
		cold := w.values[w.at[s.child[^side&1]]:][:chunks]
		above, factors := w.products[int(p)*chunks:][:chunks], w.factors[int(p)*chunks:][:chunks]
		other := s.other[side]
		for c := range value {
			v, h, l, a, f := &value[c], &hot[c], &cold[c], &above[c], &factors[c]
			x, y, pass := h[0]-l[0], h[1]-l[1], &f.pass[side]
			v[0], v[1] = l[0]+float64(pass[0]*x), l[1]+float64(pass[1]*y)
			moves[c] = points{float64(other * a[0] * f.gain[0] * x), float64(other * a[1] * f.gain[1] * y)}
		}
	}
}

// A quadrature is a Gaussian quadrature rule on the interval from 0 to 1. Σ weight·f(at) is the
// exact integral of any polynomial f whose degree is less than twice the number of points.
type quadrature struct {
	at, weights []float64
}

// newQuadrature returns the quadrature rule with n points; n must be even. The points are the roots
// of a Legendre polynomial, which Newton's method finds. The start values of Newton's method come
// from the function cosine, because the last bits of math.Cos depend on the processor.
func newQuadrature(ctx context.Context, workers, n int) (*quadrature, error) {
	q := &quadrature{make([]float64, n), make([]float64, n)}
	if n < 256 { // waking goroutines would take longer
		workers = 1
	}
	err := parallel.For(ctx, workers, n/2, func(_, i int) {
		x := cosine(math.Pi * (float64(i) + .75) / (float64(n) + .5))
		var slope float64
		for range 8 {
			before, value := 1.0, x
			for j := 2.0; j <= float64(n); j++ {
				before, value = value, (float64(float64((2*j-1)*x)*value)-float64((j-1)*before))/j
			}
			slope = float64(n) * (float64(x*value) - before) / (float64(x*x) - 1)
			last := x
			if x -= value / slope; x == last {
				break // the root does not change any more
			}
		}
		q.at[i], q.at[n-1-i] = (1-x)/2, (1+x)/2
		q.weights[i] = 1 / float64((1-float64(x*x))*float64(slope*slope))
		q.weights[n-1-i] = q.weights[i]
	})
	return q, err
}

// cosine returns the cosine of an angle from 0 to π/2 by its power series.
func cosine(x float64) float64 {
	sum, term := 1.0, 1.0
	for i := 2.0; i <= 24; i += 2 {
		term = float64(term*-float64(x*x)) / float64(i*(i-1))
		sum += term
	}
	return sum
}

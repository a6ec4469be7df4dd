package lambdamart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/portable"
	"github.com/simdrank/simdrank/internal/topk"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// An objective is a loss of the scores of each query.
type objective interface {
	// derivatives sets grad and hess to the first and second derivatives of the loss of query q by
	// the scores of its documents, for the tree of that number in the model. worker, from 0, tells
	// apart the goroutines that call it at the same time.
	derivatives(worker, tree, q int, scores []float64, grad, hess []float32)
}

// newObjective returns what t asks for on d, for a number of workers.
// The first query of d has the number first.
func newObjective(t *Trainer, d *rank.Dataset, first, workers int) (objective, error) {
	l, err := newLabeled(t, d)
	if err != nil {
		return nil, err
	}
	l.first = first
	if t.Objective == XENDCG {
		return &crossEntropy{labeled: *l, seed: t.Seed, work: make([]entropyWork, workers)}, nil
	}
	o := &pairs{labeled: *l, truncation: math.MaxInt, sigmoid: 1, norm: !t.NoNorm, work: make([]pairWork, workers)}
	switch {
	case t.Truncation == 0:
		o.truncation = 30
	case t.Truncation > 0:
		o.truncation = t.Truncation
	}
	switch {
	case t.Sigmoid > 0 && t.Sigmoid <= math.MaxFloat64:
		o.sigmoid = t.Sigmoid
	case t.Sigmoid != 0:
		return nil, fmt.Errorf("lambdamart: Sigmoid is %v, want a positive number", t.Sigmoid)
	}
	o.prepare(t.Objective)
	return o, nil
}

// labeled is what every objective keeps of the data.
type labeled struct {
	d     *rank.Dataset
	first int       // number of the first query, where d is part of the data
	gain  []float32 // of each row
}

// maxLabel is the highest label that the gain 2^label−1 takes: sums of gains stay far within
// float32.
const maxLabel = 62

// labelError returns an error about the label of row i.
func labelError(d *rank.Dataset, i int, format string, args ...any) error {
	return fmt.Errorf("lambdamart: %w", d.RowError(i, fmt.Errorf(format, args...)))
}

// newLabeled finds the gains of all rows: what the objective makes of their labels.
func newLabeled(t *Trainer, d *rank.Dataset) (*labeled, error) {
	l := &labeled{d: d, gain: make([]float32, d.Rows())}
	for y, g := range t.Gains {
		if !(math.Abs(g) <= 1<<maxLabel) {
			return nil, fmt.Errorf("lambdamart: gain %v of label %d: want a number up to 2^%d", g, y, maxLabel)
		}
	}
	for i, y := range d.Labels {
		switch {
		case math.IsNaN(y) || math.IsInf(y, 0):
			return nil, labelError(d, i, "label %v is not a finite number", y)
		case t.Objective == Pairwise:
		case t.Objective == MAP:
			if y > 0 {
				l.gain[i] = 1
			}
		case t.Gains != nil:
			g := t.Gains.Of(y)
			if g != g {
				return nil, labelError(d, i, "label %v has no gain: Gains holds those of the labels 0 to %d", y,
					len(t.Gains)-1)
			}
			l.gain[i] = float32(g)
		case !(y >= 0 && y <= maxLabel):
			return nil,
				labelError(d, i, "%w", &rank.OptionError{Option: "Gains", Err: fmt.Errorf(
					"label %v: the gain 2^label−1 takes labels from 0 to %d; the objective pairwise takes any", y, maxLabel)})
		default:
			l.gain[i] = float32(rank.GainExp.Of(y))
		}
	}
	return l, nil
}

// weight is what the derivatives of query q are multiplied by.
func (l *labeled) weight(q int) float64 {
	if l.d.QueryWeights == nil {
		return 1
	}
	return l.d.QueryWeights[q]
}

// pairs are the objectives of pairs: LambdaRank's NDCG and MAP, and RankNet's. Each pair of
// documents whose labels differ, at the ranks i < j, one of the first truncation ranks among them,
// costs
//
//	weight · ln(1+exp(−σ·(s_better−s_worse)))
//
// with the weight held fixed. It is |ΔM| of [swap], divided by 0.01+|sᵢ−sⱼ| when normalized, unless
// all scores are equal. Then the derivatives of the query are multiplied by log₂(1+Σ)/Σ where Σ is
// twice the sum of the sizes of first derivatives over its pairs. These are the definitions of
// LightGBM's lambdarank.
type pairs struct {
	labeled
	truncation int
	sigmoid    float64
	norm       bool

	limit    float32   // of a difference of gains
	scale    []float64 // of each query: what weights are multiplied by, 0 for a query without pairs
	discount []float32 // U and V of trees.LambdaDocs where they are the same for all queries
	minus    []float32
	ap       bool // they are those of average precision, and are the query's

	positions *positions // with PairwiseBias, else nil

	work []pairWork
}

// A pairWork is the memory of a worker.
type pairWork struct {
	keys, tmp  []int64
	docs       trees.LambdaDocs
	u, v       []float32
	grad, hess []float32
	x, e       []float64
}

// prepare computes what labels alone decide.
func (o *pairs) prepare(objective Objective) {
	longest := 0
	o.scale = make([]float64, o.d.Queries())
	for q := range o.scale {
		lo, hi := o.d.Query(q)
		longest = max(longest, hi-lo)
	}
	switch objective {
	case NDCG:
		// |ΔNDCG| = |Gᵢ−Gⱼ|·|Dᵢ−Dⱼ|/maxDCG, D the discounts 1/log₂(1+rank), maxDCG that of the best
		// ranking cut at the truncation.
		logs := portable.Log2Integers(longest + 1)
		o.limit = float32(math.Inf(1))
		o.discount, o.minus = make([]float32, padded(longest)), make([]float32, padded(longest))
		for i := range longest {
			o.discount[i] = float32(1 / logs[i+2])
			o.minus[i] = -o.discount[i]
		}
		var best []float32
		for q := range o.scale {
			lo, hi := o.d.Query(q)
			best = append(best[:0], o.gain[lo:hi]...)
			slices.Sort(best)
			slices.Reverse(best)
			ideal := 0.0
			for i, g := range best[:min(o.truncation, len(best))] {
				ideal += float64(float64(g) / logs[i+2])
			}
			if ideal > 0 {
				o.scale[q] = 1 / ideal
			}
		}
	case MAP:
		o.ap, o.limit = true, 1
		for q := range o.scale {
			lo, hi := o.d.Query(q)
			relevant := 0
			for _, g := range o.gain[lo:hi] {
				relevant += int(g)
			}
			if relevant > 0 {
				o.scale[q] = 1 / float64(relevant)
			}
		}
	case Pairwise:
		// Every pair weighs 1: gains are the places of labels among those of the query.
		o.limit = 1
		o.discount, o.minus = make([]float32, padded(longest)), make([]float32, padded(longest))
		for i := range o.discount {
			o.discount[i] = 1
		}
		var labels []float64
		for q := range o.scale {
			lo, hi := o.d.Query(q)
			labels = append(labels[:0], o.d.Labels[lo:hi]...)
			slices.Sort(labels)
			labels = slices.Compact(labels)
			for i, y := range o.d.Labels[lo:hi] {
				level, _ := slices.BinarySearch(labels, y)
				o.gain[lo+i] = float32(level)
			}
			o.scale[q] = 1
		}
	}
	for q := range o.scale {
		lo, hi := o.d.Query(q)
		if o.weight(q) == 0 || lo == hi || slices.Min(o.gain[lo:hi]) == slices.Max(o.gain[lo:hi]) {
			o.scale[q] = 0
		}
	}
}

// padded is n rounded up to what trees.LambdaDocs asks for.
func padded(n int) int { return (n + 15) &^ 15 }

// resize gives w the memory for n documents.
func (w *pairWork) resize(n int) {
	if cap(w.keys) < n {
		w.keys, w.tmp = make([]int64, n), make([]int64, n)
		w.x, w.e = make([]float64, n), make([]float64, n)
		p := padded(n)
		for _, s := range []*[]float32{&w.docs.Score, &w.docs.Gain, &w.docs.E, &w.docs.F, &w.u, &w.v, &w.grad,
			&w.hess} {
			*s = make([]float32, p)
		}
	}
	w.keys, w.tmp, w.x, w.e = w.keys[:n], w.tmp[:n], w.x[:n], w.e[:n]
	w.docs.N = n
	p := padded(n)
	for _, s := range []*[]float32{&w.docs.Score, &w.docs.Gain, &w.docs.E, &w.docs.F, &w.u, &w.v, &w.grad, &w.hess} {
		*s = (*s)[:p]
	}
}

// expRange is the largest range of σ·score in which exp(−σ(sᵢ−sⱼ)) is taken as a product of two
// factors that float32 holds.
const expRange = 160

func (o *pairs) derivatives(worker, _, q int, scores []float64, grad, hess []float32) {
	n := len(scores)
	if o.scale[q] == 0 {
		clear(grad)
		clear(hess)
		return
	}
	lo, hi := o.d.Query(q)
	gain := o.gain[lo:hi]
	w := &o.work[worker]
	w.resize(n)
	docs := &w.docs

	// Rank: scores as float32 from here on, equal ones in the order of the rows.
	plain := w.grad[:n]
	for i, s := range scores {
		plain[i] = float32(s)
	}
	topk.RankKeysF32(w.keys, plain)
	order.SortKeys(w.keys, w.tmp)
	score, sorted := docs.Score[:n], docs.Gain[:n]
	for r, key := range w.keys[:n] {
		i := order.KeyIndex(key)
		score[r], sorted[r] = plain[i], gain[i]
	}
	clear(w.grad)
	clear(w.hess)

	if o.ap {
		o.precision(w)
		docs.U, docs.V = w.u, w.v
	} else {
		docs.U, docs.V = o.discount[:len(w.grad)], o.minus[:len(w.grad)]
	}
	if !(float64(score[0])-float64(score[n-1]) <= math.MaxFloat64) {
		for r, s := range score { // beyond float32: infinite ones would differ by NaN
			score[r] = min(max(s, -math.MaxFloat32), math.MaxFloat32)
		}
	}
	top, bottom := float64(score[0]), float64(score[n-1])
	docs.Limit, docs.Base, docs.Slope = o.limit, 1, 0
	if o.norm && top != bottom {
		docs.Base, docs.Slope = 0.01, 1
	}

	var lanes [16]float32
	truncation := min(o.truncation, n)
	if o.positions != nil {
		scale := float64(o.scale[q] * o.weight(q))
		lanes[0] = float32(o.positions.pairs(worker, lo, w, o.sigmoid, scale, truncation))
	} else if o.sigmoid*(top-bottom) <= expRange {
		middle := float64((top + bottom) / 2)
		x, f := w.x[:n], docs.F[:n]
		for r, s := range score {
			x[r] = float64(o.sigmoid * (float64(s) - middle))
		}
		kernels.ExpF64(w.e, w.x)
		for r, e := range w.e[:n] {
			f[r] = float32(e)
		}
		for r, e := range w.e[:truncation] {
			docs.E[r] = float32(1 / e)
		}
		trees.LambdaF32(w.grad, w.hess, docs, 0, truncation, &lanes)
	} else {
		// The factors of one document at a time: exp(σ(sⱼ−sᵢ)) and 1.
		for i := range truncation {
			for r, s := range docs.Score[i:n] {
				w.x[i+r] = float64(o.sigmoid * (float64(s) - float64(docs.Score[i])))
			}
			kernels.ExpF64(w.e[i:], w.x[i:])
			for r, e := range w.e[i:] {
				docs.F[i+r] = float32(e)
			}
			docs.E[i] = 1
			trees.LambdaF32(w.grad, w.hess, docs, i, i+1, &lanes)
		}
	}

	factor := float64(o.sigmoid * o.scale[q])
	if sum := float64(2 * factor * float64(trees.SumLanesF32(&lanes))); o.norm && sum > 0 {
		factor *= portable.Log2(1+sum) / sum
	}
	factor *= o.weight(q)
	second := factor * o.sigmoid
	first, curved := w.grad[:n], w.hess[:n]
	if o.d.Weights == nil {
		hess = hess[:len(grad)]
		for r, key := range w.keys[:n] {
			i := order.KeyIndex(key)
			grad[i], hess[i] = float32(float64(first[r])*factor), float32(float64(curved[r])*second)
		}
		return
	}
	for r, key := range w.keys[:n] {
		i := order.KeyIndex(key)
		weight := o.d.Weights[lo+i]
		grad[i] = float32(float64(first[r]) * factor * weight)
		hess[i] = float32(float64(curved[r]) * second * weight)
	}
}

// precision sets u and v to what makes |uᵢ+vⱼ| the change of average precision, times the number of
// relevant documents, when the documents of ranks i < j swap places, of which just one is relevant
// (Burges 2010's ΔZ for MAP). With ranks from 1, c the number of relevant documents down to a rank
// and A the sum of 1/rank over them:
//
//	uᵢ = (cᵢ + 1 − relᵢ)/i − Aᵢ      the better place pays this, the documents between included
//	vⱼ = Aⱼ₋₁ − cⱼ/j
func (o *pairs) precision(w *pairWork) {
	found, harmonic := 0.0, 0.0
	for r, rel := range w.docs.Gain[:w.docs.N] {
		place := float64(r + 1)
		before := harmonic
		found += float64(rel)
		harmonic += float64(float64(rel) / place)
		w.u[r] = float32((found+1-float64(rel))/place - harmonic)
		w.v[r] = float32(before - found/place)
	}
}

// crossEntropy is the objective of XE-NDCG (Bruch 2021): with ρ the softmax of the scores, and φ
// the shares of 2^label − γ where γ is drawn from [0, 1) for every document and tree, the loss of a
// query is −Σ φ·ln ρ. As in LightGBM's rank_xendcg two more terms of the series of the inverse
// Hessian are added to the first derivative ρ−φ, so that a Newton step with the diagonal ρ(1−ρ) is
// nearer to one with the whole Hessian.
type crossEntropy struct {
	labeled
	seed uint64
	work []entropyWork
}

type entropyWork struct{ rho, param []float64 }

func (o *crossEntropy) derivatives(worker, tree, q int, scores []float64, grad, hess []float32) {
	n := len(scores)
	weight := o.weight(q)
	clear(grad)
	clear(hess)
	if n < 2 || weight == 0 {
		return
	}
	lo, hi := o.d.Query(q)
	w := &o.work[worker]
	if cap(w.rho) < n {
		w.rho, w.param = make([]float64, n), make([]float64, n)
	}
	rho, param := w.rho[:n], w.param[:n]

	top := slices.Max(scores)
	for i, s := range scores {
		rho[i] = s - top
	}
	kernels.ExpF64(rho, rho)
	sum := 0.0
	for _, e := range rho {
		sum += e
	}
	for i := range rho {
		rho[i] /= sum
	}

	var random rand.PCG
	random.Seed(o.seed+uint64(tree), uint64(o.first+q))
	share := 0.0
	for i, g := range o.gain[lo:hi] {
		param[i] = float64(g) + 1 - float64(float64(random.Uint64()>>11)*0x1p-53)
		share += param[i]
	}
	if !(share > 1e-15) {
		return
	}
	sum = 0
	for i, r := range rho {
		l := r - param[i]/share
		grad[i] = float32(l)
		param[i] = l / max(1-r, 1e-15)
		sum += param[i]
	}
	next := 0.0
	for i, r := range rho {
		l := float64(r * (sum - param[i]))
		grad[i] += float32(l)
		param[i] = l / max(1-r, 1e-15)
		next += param[i]
	}
	for i, r := range rho {
		g := float64(grad[i]) + float64(r*(next-param[i]))
		wi := weight
		if o.d.Weights != nil {
			wi *= o.d.Weights[lo+i]
		}
		grad[i], hess[i] = float32(g*wi), float32(float64(r*(1-r))*wi)
	}
}

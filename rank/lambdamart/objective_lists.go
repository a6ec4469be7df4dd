package lambdamart

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// softmax sets pᵢ to exp(xᵢ), divided by the sum of all exp(xⱼ). Neither slice may be empty.
func softmax(p, x []float64) {
	top := slices.Max(x)
	for i, v := range x {
		p[i] = v - top
	}
	kernels.ExpF64(p, p)
	sum := 0.0
	for _, e := range p {
		sum += e
	}
	for i := range p {
		p[i] /= sum
	}
}

// crossEntropy is the objective of XE-NDCG (Bruch 2021). ρ is the softmax of the scores. φ is
// 2^label − γ, divided by its sum over the query, where γ is sampled from [0, 1) for every document
// and tree. The loss of a query is −Σ φ·ln ρ.
//
// Like LightGBM's rank_xendcg, it adds two more terms of the series of the inverse Hessian to the
// first derivative ρ−φ. As a result, a Newton step with the diagonal ρ(1−ρ) of the Hessian is
// closer to a Newton step with the full Hessian.
type crossEntropy struct {
	labeled
	work []entropyWork
}

type entropyWork struct{ rho, param []float64 }

func newCrossEntropy(t *Trainer, d *rank.Dataset) (*crossEntropy, error) {
	l, err := newLabeled(XENDCG, t, d)
	if err != nil {
		return nil, err
	}
	return &crossEntropy{*l, make([]entropyWork, parallel.Threads(t.Threads))}, nil
}

func (o *crossEntropy) Derivatives(q Query, grad, hess []float32) {
	n := len(q.Scores)
	clear(grad)
	clear(hess)
	if n < 2 || queryWeight(q.Data, q.Index) == 0 {
		return
	}
	w := &o.work[q.Worker]
	if cap(w.rho) < n {
		w.rho, w.param = make([]float64, n), make([]float64, n)
	}
	rho, param := w.rho[:n], w.param[:n]
	softmax(rho, q.Scores)

	random := rand.NewPCG(q.Seed[0], q.Seed[1])
	share := 0.0
	for i, g := range o.gain[q.Row : q.Row+n] {
		param[i] = float64(g) + 1 - uniform(random)
		share += param[i]
	}
	if !(share > 1e-15) {
		return
	}
	sum := 0.0
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
		weight := q.Weight(i)
		grad[i], hess[i] = float32(g*weight), float32(float64(r*(1-r))*weight)
	}
}

// uniform returns a random number from [0, 1).
func uniform(random *rand.PCG) float64 { return float64(float64(random.Uint64()>>11) * 0x1p-53) }

// listNet is the objective of ListNet (Cao et al. 2007) with its top-one probabilities. ρ is the
// softmax of the scores and φ the softmax of the labels. The loss of a query is −Σ φ·ln ρ, its
// gradient is ρ−φ, and the diagonal of its Hessian is ρ(1−ρ).
type listNet struct {
	share []float64   // φ of each row
	work  [][]float64 // ρ of the documents of a query, one slice per worker
}

func newListNet(t *Trainer, d *rank.Dataset) (*listNet, error) {
	if err := checkLabels(d); err != nil {
		return nil, err
	}
	o := &listNet{make([]float64, d.Rows()), make([][]float64, parallel.Threads(t.Threads))}
	for q := range d.Queries() {
		if lo, hi := d.Query(q); lo < hi {
			softmax(o.share[lo:hi], d.Labels[lo:hi])
		}
	}
	return o, nil
}

func (o *listNet) Derivatives(q Query, grad, hess []float32) {
	n := len(q.Scores)
	if n < 2 {
		clear(grad)
		clear(hess)
		return
	}
	rho := slices.Grow(o.work[q.Worker][:0], n)[:n]
	o.work[q.Worker] = rho
	softmax(rho, q.Scores)
	share := o.share[q.Row:]
	for i, r := range rho {
		weight := q.Weight(i)
		grad[i], hess[i] = float32(float64(r-share[i])*weight), float32(float64(r*(1-r))*weight)
	}
}

// yetiRank is the objective of YetiRank (Gulin, Kuralenok and Pavlov 2011) as implemented in
// CatBoost. For each of P permutations of a query, its documents are ranked by sᵢ + ln(u/(1−u)),
// with u sampled from (0, 1) for each document. Each pair of neighbors, at ranks k and k+1 counted
// from 1, has the loss
//
//	0.15/P · decay^(k−1) · |yᵢ−yⱼ| · ln(1+exp(s_worse − s_better))
//
// where y are the labels and the better document has the higher label. The permutations are treated
// as constant.
type yetiRank struct {
	permutations int
	decay        float64
	work         []yetiWork
}

type yetiWork struct {
	keys, tmp     []int64
	noisy         []float32
	better, worse []int     // documents of each pair of neighbors
	x, e          []float64 // score difference of each pair, and its exponential
	grad, hess    []float64
}

// yetiWeight is the factor 0.15 of the loss, which CatBoost uses.
const yetiWeight = 0.15

func newYetiRank(t *Trainer, d *rank.Dataset) (*yetiRank, error) {
	if err := checkLabels(d); err != nil {
		return nil, err
	}
	switch {
	case t.Permutations < 1:
		return nil, errs.Errorf("lambdamart", "Permutations is %d; it must be at least 1%s", t.Permutations,
			hint(t.Permutations == 0))
	case !(t.Decay > 0 && t.Decay <= 1):
		return nil, errs.Errorf("lambdamart", "Decay is %v; it must be greater than 0 and at most 1%s", t.Decay,
			hint(t.Decay == 0))
	}
	return &yetiRank{permutations: t.Permutations, decay: t.Decay,
		work: make([]yetiWork, parallel.Threads(t.Threads))}, nil
}

func (o *yetiRank) Derivatives(q Query, grad, hess []float32) {
	n := len(q.Scores)
	clear(grad)
	clear(hess)
	if n < 2 || queryWeight(q.Data, q.Index) == 0 || slices.Min(q.Labels) == slices.Max(q.Labels) {
		return
	}
	w := &o.work[q.Worker]
	if cap(w.keys) < n {
		w.keys, w.tmp, w.noisy = make([]int64, n), make([]int64, n), make([]float32, n)
		w.better, w.worse = make([]int, n), make([]int, n)
		w.x, w.e, w.grad, w.hess = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	}
	keys, noisy, x, e := w.keys[:n], w.noisy[:n], w.x[:n-1], w.e[:n-1]
	better, worse := w.better[:n-1], w.worse[:n-1]
	first, second := w.grad[:n], w.hess[:n]
	clear(first)
	clear(second)
	random := rand.NewPCG(q.Seed[0], q.Seed[1])
	level := levelOf(q.Scores)
	for range o.permutations {
		if q.ended() {
			return
		}
		for i, s := range q.Scores {
			u := float64((float64(random.Uint64()>>12) + 0.5) * 0x1p-52) // in (0, 1), so that the logarithm is finite
			noisy[i] = float32(s - level + float64(num.Log2(u/(1-u))*math.Ln2))
		}
		order.RankKeysF32(keys, noisy)
		order.SortKeys(keys, w.tmp[:n])
		for k := range x {
			i, j := order.KeyIndex(keys[k]), order.KeyIndex(keys[k+1])
			if q.Labels[i] < q.Labels[j] {
				i, j = j, i
			}
			better[k], worse[k], x[k] = i, j, q.Scores[i]-q.Scores[j]
		}
		kernels.ExpF64(e, x)
		weight := yetiWeight / float64(o.permutations)
		for k, e := range e {
			i, j := better[k], worse[k]
			p := 1 / (1 + e)
			cost := float64(weight * (q.Labels[i] - q.Labels[j]))
			g, h := float64(cost*p), float64(float64(cost*p)*(1-p))
			first[i] -= g
			first[j] += g
			second[i] += h
			second[j] += h
			weight *= o.decay
		}
	}
	for i := range grad {
		weight := q.Weight(i)
		grad[i], hess[i] = float32(first[i]*weight), float32(second[i]*weight)
	}
}

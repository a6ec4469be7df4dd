package lambdamart

import (
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// listedPairs implements the objective Pairwise for a dataset with Pairs. The losses of the pairs
// and the normalization are the same as in pairs. Sums are float64 and follow the order of Pairs.
type listedPairs struct {
	d       *rank.Dataset
	sigmoid float64
	norm    bool
	work    [][]float64 // per worker: the first and second derivatives of a query
}

func newListedPairs(b Builtin, t *Trainer, d *rank.Dataset) (QueryLoss, error) {
	switch {
	case b != Pairwise:
		return nil, errs.Errorf("lambdamart", "objective %v is not supported for data with Pairs: use %v", b, Pairwise)
	case t.MeanPairs > 0:
		return nil, errs.New("lambdamart", "MeanPairs cannot be combined with Pairs of the dataset")
	case t.PositionBias == pairwiseBias:
		return nil, errs.Errorf("lambdamart", "PositionBias %s cannot be combined with Pairs of the dataset", pairwiseBias)
	}
	sigmoid, err := t.sigmoid()
	return &listedPairs{d, sigmoid, !t.NoNorm, make([][]float64, parallel.Threads(t.Threads))}, err
}

func (o *listedPairs) Derivatives(q Query, grad, hess []float32) {
	n := len(q.Scores)
	list := o.d.QueryPairs(q.Index)
	if len(list) == 0 || queryWeight(o.d, q.Index) == 0 {
		clear(grad)
		clear(hess)
		return
	}
	sums := slices.Grow(o.work[q.Worker][:0], 2*n)[:2*n]
	o.work[q.Worker] = sums
	clear(sums)
	first, second := sums[:n], sums[n:]
	norm := o.norm && slices.Min(q.Scores) != slices.Max(q.Scores)
	total := 0.0
	for k, p := range list {
		if k%endedPairs == endedPairs-1 && q.ended() {
			break
		}
		i, j := int(p.Better)-q.Row, int(p.Worse)-q.Row
		z, weight := q.Scores[i]-q.Scores[j], p.Weight
		if norm {
			weight /= 0.01 + math.Abs(z)
		}
		chance := 1 / (1 + num.Exp(float64(o.sigmoid*z))) // probability that the worse document ranks higher
		lambda := float64(weight * chance)
		h := float64(lambda * (1 - chance))
		first[i] -= lambda
		first[j] += lambda
		second[i] += h
		second[j] += h
		total += lambda
	}
	factor := o.sigmoid
	if sum := float64(2 * factor * total); o.norm && sum > 0 {
		factor *= num.Log2(1+sum) / sum
	}
	for i := range n {
		w := float64(factor * q.Weight(i))
		grad[i], hess[i] = float32(float64(first[i]*w)), float32(float64(second[i]*float64(w*o.sigmoid)))
	}
}

package lambdamart

import (
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// checkLabels returns an error about the first label that is not finite.
func checkLabels(d *rank.Dataset) error {
	for i, y := range d.Labels {
		if !finite(y) {
			return labelError(d, i, "label %v is not a finite number", y)
		}
	}
	return nil
}

// addLabels adds those of d to the mean that b begins with, if it begins with one: of Binary the
// share of labels above 0, of Regression their mean, each with the weight of its row times that of
// its query.
func (b Builtin) addLabels(mean *num.ExactMean, d *rank.Dataset) {
	if b != Binary && b != Regression {
		return
	}
	var values, weights []float64
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		values, weights = values[:0], weights[:0]
		for i := lo; i < hi; i++ {
			w := queryWeight(d, q)
			if d.Weights != nil {
				w *= d.Weights[i]
			}
			y := d.Labels[i]
			switch {
			case b == Binary && y > 0:
				y = 1
			case b == Binary:
				y = 0
			}
			values, weights = append(values, y), append(weights, w)
		}
		mean.Add(values, weights, false)
	}
}

// bias returns the score of every document before the first tree, by the mean of what addLabels has
// added, in any order.
func (b Builtin) bias(t *Trainer, labels *num.ExactMean) float64 {
	mean := 0.0
	if labels.Weights.Value() != 0 {
		mean = labels.Value()
	}
	if b == Binary {
		sigmoid, _ := t.sigmoid() // the loss has found no error
		return num.Log(min(max(mean/(1-mean), 1/maxOdds), maxOdds)) / sigmoid
	}
	return mean
}

// logLoss is the logistic loss of each row, LightGBM's binary and XGBoost's binary:logistic: with
// y = 1 for a label above 0, −1 for others,
//
//	ln(1+exp(−σ·y·s))
//
// so that 1/(1+exp(−σ·s)) is the probability of a label above 0. The initial score is that of the
// mean probability, as with LightGBM's boost_from_average.
type logLoss struct {
	sigmoid float64
	work    [][]float64
}

// maxOdds keeps the initial score finite where all rows are of one kind, as LightGBM does.
const maxOdds = 1e15

func newLogLoss(t *Trainer, d *rank.Dataset) (*logLoss, error) {
	if err := checkLabels(d); err != nil {
		return nil, err
	}
	sigmoid, err := t.sigmoid()
	if err != nil {
		return nil, err
	}
	return &logLoss{sigmoid, make([][]float64, parallel.Threads(t.Threads))}, nil
}

func (o *logLoss) Derivatives(q Query, grad, hess []float32) {
	n := len(q.Scores)
	e := slices.Grow(o.work[q.Worker][:0], n)[:n]
	o.work[q.Worker] = e
	for i, s := range q.Scores {
		if e[i] = float64(o.sigmoid * s); q.Labels[i] <= 0 {
			e[i] = -e[i]
		}
	}
	kernels.ExpF64(e, e)
	for i, e := range e {
		p := 1 / (1 + e) // of the other kind
		weight := q.Weight(i)
		g, h := float64(o.sigmoid*p), float64(o.sigmoid*o.sigmoid*float64(p*(1-p)))
		if q.Labels[i] > 0 {
			g = -g
		}
		grad[i], hess[i] = float32(g*weight), float32(h*weight)
	}
}

// regression is half the squared error of each row, ½(s−y)², LightGBM's regression and XGBoost's
// reg:squarederror. The initial score is the mean label, as with LightGBM's boost_from_average.
type regression struct{}

func (regression) Derivatives(q Query, grad, hess []float32) {
	for i, y := range q.Labels {
		weight := q.Weight(i)
		grad[i], hess[i] = float32((q.Scores[i]-y)*weight), float32(weight)
	}
}

// queryRMSE is half the squared error within each query, CatBoost's QueryRMSE: with residuals
// r = s−y and their weighted mean r̄ over the query,
//
//	½·Σ w·(r−r̄)²
//
// The first derivative is w·(r−r̄). CatBoost's second derivative is w, which is that of the squared
// error, and more than the loss has: w·(1−w/Σw).
type queryRMSE struct{}

func (queryRMSE) Derivatives(q Query, grad, hess []float32) {
	if len(q.Scores) == 0 {
		return
	}
	score, label := levelOf(q.Scores), levelOf(q.Labels)
	residual := func(i int) float64 { return q.Scores[i] - score - (q.Labels[i] - label) }
	sum, weights := 0.0, 0.0
	for i := range q.Scores {
		weight := q.Weight(i)
		sum += float64(weight * residual(i))
		weights += weight
	}
	if weights == 0 {
		clear(grad)
		clear(hess)
		return
	}
	mean := sum / weights
	for i := range q.Scores {
		weight := q.Weight(i)
		grad[i], hess[i] = float32((residual(i)-mean)*weight), float32(weight)
	}
}

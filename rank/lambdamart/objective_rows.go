package lambdamart

import (
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// checkLabels returns an error about the first label that is not finite.
func checkLabels(d *rank.Dataset) error {
	for i, y := range d.Labels {
		if !finite(y) {
			return labelError(d, i, fmt.Errorf("the label is %v; it must be finite", y))
		}
	}
	return nil
}

// logLoss is the logistic loss of each row, like LightGBM's binary and XGBoost's binary:logistic.
// With y = 1 for a label above 0 and y = −1 otherwise, the loss is
//
//	ln(1+exp(−σ·y·s))
//
// Therefore, 1/(1+exp(−σ·s)) is the probability of a label above 0. The initial score corresponds
// to the mean probability, as with LightGBM's boost_from_average.
type logLoss struct {
	sigmoid float64
	work    [][]float64
}

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
		p := 1 / (1 + e) // probability of the other class
		weight := q.Weight(i)
		g, h := float64(o.sigmoid*p), float64(o.sigmoid*o.sigmoid*float64(p*(1-p)))
		if q.Labels[i] > 0 {
			g = -g
		}
		grad[i], hess[i] = float32(g*weight), float32(h*weight)
	}
}

// regression is half the squared error of each row, ½(s−y)², like LightGBM's regression and
// XGBoost's reg:squarederror. The initial score is the mean label, as with LightGBM's
// boost_from_average.
type regression struct{}

func (regression) Derivatives(q Query, grad, hess []float32) {
	for i, y := range q.Labels {
		weight := q.Weight(i)
		grad[i], hess[i] = float32((q.Scores[i]-y)*weight), float32(weight)
	}
}

// queryRMSE is half the squared error within each query, like CatBoost's QueryRMSE. With residuals
// r = s−y and their weighted mean r̄ over the query, the loss is
//
//	½·Σ w·(r−r̄)²
//
// Its first derivative is w·(r−r̄). Its second derivative is w·(1−w/Σw), but like CatBoost,
// queryRMSE uses w, the second derivative of the squared error.
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

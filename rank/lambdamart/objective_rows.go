package lambdamart

import (
	"slices"

	"github.com/simdrank/simdrank/internal/exact"
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

// meanLabel returns the mean of value(label) over the rows, each with the weight of its row times
// that of its query; 0 where there is no weight. It does not depend on the order of the rows.
func meanLabel(d *rank.Dataset, value func(y float64) float64) float64 {
	var mean exact.Mean
	var values, weights []float64
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		values, weights = values[:0], weights[:0]
		for i := lo; i < hi; i++ {
			w := queryWeight(d, q)
			if d.Weights != nil {
				w *= d.Weights[i]
			}
			values, weights = append(values, value(d.Labels[i])), append(weights, w)
		}
		mean.Add(values, weights, false)
	}
	if mean.Weights.Value() == 0 {
		return 0
	}
	return mean.Value()
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

func newLogLoss(t *Trainer, d *rank.Dataset) (*logLoss, float64, error) {
	if err := checkLabels(d); err != nil {
		return nil, 0, err
	}
	sigmoid, err := t.sigmoid()
	if err != nil {
		return nil, 0, err
	}
	relevant := meanLabel(d, func(y float64) float64 {
		if y > 0 {
			return 1
		}
		return 0
	})
	odds := min(max(relevant/(1-relevant), 1/maxOdds), maxOdds)
	return &logLoss{sigmoid, make([][]float64, parallel.Threads(t.Threads))}, logarithm(odds) / sigmoid, nil
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

func newRegression(d *rank.Dataset) (regression, float64, error) {
	if err := checkLabels(d); err != nil {
		return regression{}, 0, err
	}
	return regression{}, meanLabel(d, func(y float64) float64 { return y }), nil
}

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
	sum, weights := 0.0, 0.0
	for i, y := range q.Labels {
		weight := q.Weight(i)
		sum += float64(weight * (q.Scores[i] - y))
		weights += weight
	}
	if weights == 0 {
		clear(grad)
		clear(hess)
		return
	}
	mean := sum / weights
	for i, y := range q.Labels {
		weight := q.Weight(i)
		grad[i], hess[i] = float32((q.Scores[i]-y-mean)*weight), float32(weight)
	}
}

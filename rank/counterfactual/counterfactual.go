// Package counterfactual estimates from logged clicks how users would rate a new ranking.
//
// The clicks were logged on other rankings, which users examined mostly at the first positions.
// [Evaluate] weights each click by the inverse of its position's propensity, so that documents
// count as if users had examined all of them.
package counterfactual

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// Options configures [Evaluate].
type Options struct {
	// Propensities contains the probability that a user examines the document at each position.
	// Element 0 belongs to position 1. Propensities must not be negative. Documents at positions
	// without a propensity, or with propensity 0, count as not shown, and a click on one is an
	// error.
	//
	// Propensities may be relative, like those that a model has learned. Multiplying all of them by
	// a number divides the ips estimates by this number, and does not change the snips estimates.
	Propensities []float64

	// MaxWeight, if positive, limits the click weights, which are inverse propensities. This
	// reduces the variance. However, documents at positions with larger weights then count less
	// than they should, so the ips estimates are too low. By default, weights are not limited.
	MaxWeight float64
}

// Results contains the estimates for one or more metrics.
type Results struct {
	Queries int `json:"queries"`
	Clicks  int `json:"clicks"`
	// Limited is the number of clicks whose weight MaxWeight reduced.
	Limited int `json:"limited_clicks"`
	// EffectiveClicks is the effective sample size (Kish 1965): (Σw)²/Σw² over all click weights w.
	// The estimates are about as precise as with this number of equally weighted clicks.
	EffectiveClicks float64    `json:"effective_clicks"`
	Estimates       []Estimate `json:"estimates"`
}

// An Estimate is a metric's estimated value.
type Estimate struct {
	Metric    string  `json:"metric"`
	Estimator string  `json:"estimator"` // ips or snips
	Value     float64 `json:"value"`
	// StandardError is the estimated standard error of Value.
	StandardError float64 `json:"standard_error"`
	// Low and High are the limits of Student's 95% confidence interval over the queries.
	Low  float64 `json:"low"`
	High float64 `json:"high"`

	// Values contains a value per query. Their mean is Value. To compare two rankings on the same
	// clicks, pass their Values to [compare.Values]. For snips, the values are a linear
	// approximation (delta method).
	Values []float64 `json:"-"`
}

// Evaluate estimates metrics for the ranking by scores, one score per row. The labels of d must be
// 1 for documents with a click and 0 for others, and d must have positions. Each query is one user
// session. Sessions without clicks must not be omitted. The metric names are separated by commas:
//
//	dcg, dcg@k    λ(i) = 1/log₂(i+1), for ranks up to k
//	average-rank  λ(i) = i
//
// A click on a document at rank i in the new ranking contributes w·λ(i). Its weight w is the
// inverse propensity. Documents with equal scores share the mean λ of their ranks. Evaluate returns
// two estimates for each metric, one after the other:
//
//   - ips divides the sum Σ w·λ(i) by the number of queries (Joachims, Swaminathan and Schnabel
//     2017). It is an unbiased estimate of Σ λ(i) over a query's relevant documents, averaged over
//     the queries. This is the mean DCG or the mean rank sum.
//   - snips divides the sum by Σ w, the estimated number of relevant documents (Swaminathan and
//     Joachims 2015). It estimates the mean λ(i) over the relevant documents, for example their
//     average rank. Its bias is of order 1/queries, and its variance is usually smaller.
//
// A document is relevant if users who examine it click on it. If only a fraction of them click on
// it, it counts as this fraction of a relevant document. Evaluate knows only documents in d.
// Therefore, d must contain all documents in the new ranking, even if they were not shown. Relevant
// documents that could not be shown are missing from the estimates.
//
// Evaluate returns an error for other labels, missing positions, a click without a propensity, NaN
// scores, no clicks, or fewer than two queries.
func Evaluate(ctx context.Context, scores []float64, d *rank.Dataset, names string, o Options) (*Results, error) {
	measures, err := parse(names)
	if err != nil {
		return nil, err
	}
	if len(scores) != d.Rows() {
		return nil, errs.Errorf("counterfactual", "the number of scores is %d; it must be %d, one per row", len(scores),
			d.Rows())
	}
	if d.Queries() < 2 {
		return nil, errs.New("counterfactual", "the data must contain at least two queries")
	}
	r := &Results{Queries: d.Queries()}
	weights, err := o.weigh(d, scores, r)
	if err != nil {
		return nil, err
	}
	// sums contains, for each measure and last for λ = 1, the sum of w·λ per query.
	sums := make([][]float64, len(measures)+1)
	for m := range sums {
		sums[m] = make([]float64, r.Queries)
	}
	var order []int
	work := new(kernels.Work)
	for q := range r.Queries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lo, hi := d.Query(q)
		order = kernels.AppendOrder(order[:0], scores[lo:hi], work)
		add(sums, q, measures, scores[lo:hi], weights[lo:hi], order)
	}
	for m, measure := range measures {
		for _, estimator := range []string{"ips", "snips"} {
			e := Estimate{Metric: measure.name, Estimator: estimator}
			if err := e.estimate(ctx, sums[m], sums[len(measures)]); err != nil {
				return nil, err
			}
			r.Estimates = append(r.Estimates, e)
		}
	}
	return r, nil
}

// A measure is a metric that is a sum of λ over the relevant documents.
type measure struct {
	name   string
	cutoff int // for DCG, or 0 for the average rank
}

// averageRank is the name of the metric λ(i) = i.
const averageRank = "average-rank"

// parse returns the metrics with the given names.
func parse(names string) (measures []measure, err error) {
	for name := range strings.SplitSeq(names, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == averageRank {
			measures = append(measures, measure{name: name})
			continue
		}
		m, err := rank.ParseMetric(name)
		if err != nil {
			return nil, errs.Op("counterfactual", err)
		}
		of, k, limited := strings.Cut(m.String(), "@")
		cutoff := math.MaxInt
		if limited {
			cutoff, err = strconv.Atoi(k)
		}
		if of != "dcg" || err != nil {
			return nil, errs.Errorf("counterfactual", "metric %v is not supported; metrics must be dcg, dcg@k or %s", m,
				averageRank)
		}
		measures = append(measures, measure{m.String(), cutoff})
	}
	return measures, nil
}

// lambda returns the mean of λ for the ranks lo+1 to hi. discounts contains the weights of DCG.
func (m measure) lambda(discounts []float64, lo, hi int) float64 {
	if m.cutoff == 0 {
		return float64(lo+hi+1) / 2
	}
	sum := 0.0
	for i := lo; i < min(hi, m.cutoff); i++ {
		sum += discounts[i]
	}
	return sum / float64(hi-lo)
}

// leastPropensity is the smallest positive propensity. The squares of its inverse are finite.
const leastPropensity = 1e-100

// weigh returns the weight of each row, which is 0 for rows without a click, and counts the clicks.
func (o *Options) weigh(d *rank.Dataset, scores []float64, r *Results) ([]float64, error) {
	if len(d.Positions) != d.Rows() {
		return nil, errs.New("counterfactual", "the data must contain the position of each document")
	}
	for k, p := range o.Propensities {
		if p != 0 && !(p >= leastPropensity && p <= 1/leastPropensity) {
			return nil, errs.Errorf("counterfactual", "position %d: the propensity is %v; it must be positive and finite, or 0",
				k+1, p)
		}
	}
	if !(o.MaxWeight >= 0) {
		return nil, errs.Errorf("counterfactual", "the maximum weight is %v; it must be positive, or 0 for no limit",
			o.MaxWeight)
	}
	weights := make([]float64, d.Rows())
	var sum, squares num.ExactSum
	for i, label := range d.Labels {
		position, propensity := int(d.Positions[i]), 0.0
		if position >= 1 && position <= len(o.Propensities) {
			propensity = o.Propensities[position-1]
		}
		var err error
		switch {
		case math.IsNaN(scores[i]):
			err = fmt.Errorf("the score is %v; it must be a number", scores[i])
		case label != 0 && label != 1:
			err = fmt.Errorf("the label is %v; it must be 1 for a click and 0 otherwise", label)
		case label == 1 && propensity == 0:
			err = fmt.Errorf("the click at position %d requires a positive propensity for this position", position)
		}
		if err != nil {
			return nil, errs.Op("counterfactual", d.RowError(i, err))
		}
		if label == 0 {
			continue
		}
		r.Clicks++
		weight := 1 / propensity
		if o.MaxWeight > 0 && weight > o.MaxWeight {
			r.Limited++
			weight = o.MaxWeight
		}
		weights[i] = weight
		sum.Add(weight)
		squares.Add(float64(weight * weight))
	}
	if r.Clicks == 0 {
		return nil, errs.New("counterfactual", "the data contains no clicks")
	}
	r.EffectiveClicks = float64(sum.Value()*sum.Value()) / squares.Value()
	return weights, nil
}

// add sets the sums of query q. order contains the documents by descending score.
func add(sums [][]float64, q int, measures []measure, scores, weights []float64, order []int) {
	discounts := metrics.Discounts(metrics.DiscountLog2, len(order))
	for lo, hi := 0, 0; lo < len(order); lo = hi {
		weight := 0.0
		for hi = lo; hi < len(order) && scores[order[hi]] == scores[order[lo]]; hi++ {
			weight += weights[order[hi]]
		}
		if weight == 0 {
			continue
		}
		for m, measure := range measures {
			sums[m][q] += float64(weight * measure.lambda(discounts, lo, hi))
		}
		sums[len(measures)][q] += weight
	}
}

// estimate sets the values of e. sums contains the sum of w·λ for each query, and weights contains
// the sum of w.
func (e *Estimate) estimate(ctx context.Context, sums, weights []float64) error {
	e.Values = sums
	if e.Estimator == "snips" {
		// The linear approximation of Σ sums / Σ weights by a mean over the queries.
		meanWeight := mean(weights)
		ratio := mean(sums) / meanWeight
		e.Values = make([]float64, len(sums))
		for q := range e.Values {
			e.Values[q] = ratio + (sums[q]-float64(ratio*weights[q]))/meanWeight
		}
	}
	e.Value = mean(e.Values)
	squares := 0.0
	for _, v := range e.Values {
		squares += float64((v - e.Value) * (v - e.Value))
	}
	n := float64(len(sums))
	e.StandardError = math.Sqrt(squares / (n - 1) / n)
	d, err := compare.Values(ctx, [][]float64{make([]float64, len(sums)), e.Values},
		compare.Options{Test: "t", Interval: "student"})
	if err != nil {
		return errs.Op("counterfactual", err)
	}
	e.Low, e.High = d[1][0].Low, d[1][0].High
	return nil
}

func mean(values []float64) float64 {
	var m num.ExactMean
	m.Add(values, nil, false)
	return m.Value()
}

package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/kernels"
)

// A Calibration maps model scores to relevance probabilities. [Calibrate] learns it.
// Probabilities never decrease with the score, but different scores may have the same probability.
// Rankings are therefore always sorted by score.
//
// If Scores is not empty, the map is isotonic: linear between the given points, and constant below
// the first and above the last. Otherwise it is 1/(1+exp(−Slope·s−Intercept)).
type Calibration struct {
	Relevant float64 // minimum label of relevant documents

	Scores        []float64 // ascending and distinct
	Probabilities []float64 // one per score, not decreasing

	Slope     float64 // not negative
	Intercept float64
}

// Validate returns an error if a number is not finite, or if the fields contradict each other or
// the comment above. Package model reads only valid calibrations.
func (c *Calibration) Validate() error {
	if len(c.Scores) != len(c.Probabilities) {
		return errs.Errorf("rank", "the calibration has %d scores and %d probabilities; their numbers must be equal",
			len(c.Scores), len(c.Probabilities))
	}
	if !isFinite(c.Relevant) {
		return errs.Errorf("rank", "the calibration's relevant label is %v; it must be finite", c.Relevant)
	}
	if !(c.Slope >= 0) || !isFinite(c.Slope) || !isFinite(c.Intercept) {
		return errs.Errorf("rank", "the calibration slope is %v and the intercept is %v; both must be finite, "+
			"and the slope must not be negative", c.Slope, c.Intercept)
	}
	if len(c.Scores) > 0 && (c.Slope != 0 || c.Intercept != 0) {
		return errs.New("rank", "calibration scores cannot be combined with a slope or an intercept")
	}
	for i, p := range c.Probabilities {
		switch {
		case !isFinite(c.Scores[i]) || i > 0 && c.Scores[i] <= c.Scores[i-1]:
			return errs.Errorf("rank", "calibration score %d is %v; scores must be finite and in ascending order",
				i, c.Scores[i])
		case !(p >= 0 && p <= 1) || i > 0 && p < c.Probabilities[i-1]:
			return errs.Errorf("rank", "calibration probability %d is %v; probabilities must be from 0 to 1 and "+
				"must not decrease", i, p)
		}
	}
	return nil
}

// Apply replaces scores with relevance probabilities. NaN remains NaN.
func (c *Calibration) Apply(scores []float64) {
	if len(c.Scores) > 0 {
		for i, s := range scores {
			scores[i] = c.between(s)
		}
		return
	}
	for i, s := range scores {
		if s == s { // 0 times infinity would be NaN
			scores[i] = -c.Intercept
			if c.Slope > 0 {
				scores[i] -= float64(c.Slope * s)
			}
		}
	}
	kernels.ExpF64(scores, scores)
	for i, e := range scores {
		scores[i] = 1 / (1 + e)
	}
}

// between returns the probability of a score according to the points.
func (c *Calibration) between(s float64) float64 {
	k, _ := slices.BinarySearch(c.Scores, s) // the first point that is not below s
	last := len(c.Scores) - 1
	switch {
	case s != s:
		return s
	case k > last:
		return c.Probabilities[last]
	case k == 0 || c.Scores[k] == s:
		return c.Probabilities[k]
	}
	low, high := float64(c.Scores[k-1]/2), float64(c.Scores[k]/2) // halves, because the difference may overflow
	p, q := c.Probabilities[k-1], c.Probabilities[k]
	return min(q, p+float64((q-p)*((float64(s/2)-low)/(high-low))))
}

// Calibrate learns a calibration from documents and their scores. The model must not have been
// trained on them. Documents whose label is at least relevant are relevant. Document and query
// weights are used. The methods are:
//
//	isotonic  Isotonic regression: the weighted least-squares fit that never decreases, found by
//	          pooling adjacent violators (Ayer et al. 1955). The default ("").
//	platt     Platt's logistic curve (1999), with regularized targets and Newton's method (Lin,
//	          Lin and Weng 2007). Use it if there are few relevant documents.
//
// Calibrate returns an error if a score is not finite, if all documents or none are relevant, or if
// Platt's curve decreases.
func Calibrate(ctx context.Context, d *Dataset, scores []float64, method string, relevant float64) (
	c *Calibration, err error) {
	defer memory.Begin().End(&err)
	if method, err = text.Choose("rank", "calibration", optionWords["calibration"], method); err != nil {
		return nil, err
	}
	samples, err := newSamples(d, scores, relevant)
	if err != nil {
		return nil, err
	}
	if method == "isotonic" {
		c = samples.isotonic()
	} else if c, err = samples.platt(ctx); err != nil {
		return nil, err
	}
	c.Relevant = relevant
	return c, c.Validate()
}

// calibrationSamples are documents from which a calibration is learned.
type calibrationSamples struct {
	scores   []float64
	weights  []float64 // positive
	relevant []bool
	sums     [2]float64 // total weights: irrelevant, relevant
}

// newSamples returns all documents with positive weights.
func newSamples(d *Dataset, scores []float64, relevant float64) (*calibrationSamples, error) {
	if len(scores) != d.Rows() || len(d.Labels) != d.Rows() {
		return nil, errs.Errorf("rank", "there are %d scores and %d labels; there must be %d, one per row",
			len(scores), len(d.Labels), d.Rows())
	}
	if err := d.validateExtras(); err != nil {
		return nil, err
	}
	c := &calibrationSamples{}
	query := 0
	for i, s := range scores {
		var err error
		switch {
		case !isFinite(s):
			err = fmt.Errorf("the score is %v; it must be finite", s)
		case math.IsNaN(d.Labels[i]):
			err = errors.New("the label is NaN; it must be a number")
		}
		if err != nil {
			return nil, errs.Op("rank", d.RowError(i, err))
		}
		w := 1.0
		if d.Weights != nil {
			w = d.Weights[i]
		}
		if d.QueryWeights != nil {
			for d.Offsets[query+1] <= i {
				query++
			}
			w = float64(w * d.QueryWeights[query])
		}
		if w == 0 {
			continue
		}
		class := 0
		if d.Labels[i] >= relevant {
			class = 1
		}
		c.sums[class] += w
		c.scores, c.weights, c.relevant = append(c.scores, s), append(c.weights, w), append(c.relevant, class == 1)
	}
	if !(c.sums[0] > 0 && c.sums[1] > 0) || !isFinite(c.sums[0]+c.sums[1]) {
		return nil, errs.Errorf("rank", "the total weight is %v for relevant documents (label at least %v) and %v for others; "+
			"both must be positive and finite", c.sums[1], relevant, c.sums[0])
	}
	return c, nil
}

// isotonic fits relevance by an increasing function.
func (c *calibrationSamples) isotonic() *Calibration {
	type block struct{ low, high, weight, relevant, mean float64 }
	var blocks []block // by descending score
	order := kernels.AppendOrder(nil, c.scores, nil)
	for k := 0; k < len(order); {
		b := block{low: c.scores[order[k]], high: c.scores[order[k]]}
		for ; k < len(order) && c.scores[order[k]] == b.low; k++ {
			i := order[k]
			b.weight += c.weights[i]
			if c.relevant[i] {
				b.relevant += c.weights[i]
			}
		}
		b.mean = b.relevant / b.weight
		for n := len(blocks) - 1; n >= 0 && blocks[n].mean <= b.mean; n-- { // pool
			b.high = blocks[n].high
			b.weight += blocks[n].weight
			b.relevant += blocks[n].relevant
			b.mean = min(1, b.relevant/b.weight)
			blocks = blocks[:n]
		}
		blocks = append(blocks, b)
	}
	m := &Calibration{}
	for _, b := range slices.Backward(blocks) {
		m.Scores, m.Probabilities = append(m.Scores, b.low), append(m.Probabilities, b.mean)
		if b.high > b.low {
			m.Scores, m.Probabilities = append(m.Scores, b.high), append(m.Probabilities, b.mean)
		}
	}
	return m
}

// plattRows is the number of rows between two checks of the context.
const plattRows = 1 << 14

// A plattFit is a logistic curve over scaled scores z: 1/(1+exp(−slope·z−intercept)).
type plattFit struct {
	slope, intercept float64
	loss             float64
	gradient         [2]float64
	hessian          [3]float64 // second derivatives: slope twice, mixed, intercept twice
}

// platt fits a logistic curve by Newton's method with backtracking.
func (c *calibrationSamples) platt(ctx context.Context) (*Calibration, error) {
	low, high := slices.Min(c.scores), slices.Max(c.scores)
	center := float64(low/2) + float64(high/2)
	_, exponent := math.Frexp(float64(high/2) - float64(low/2))
	z := make([]float64, len(c.scores)) // from −1 to 1
	for i, s := range c.scores {
		z[i] = math.Ldexp(float64(s/2)-float64(center/2), 1-exponent)
	}
	total := c.sums[0] + c.sums[1]
	f := plattFit{intercept: num.Log((c.sums[1] + 1) / (c.sums[0] + 1))}
	if err := c.differentiate(ctx, z, &f); err != nil {
		return nil, err
	}
	const most, tolerance = 100, 1e-12
	for range most {
		if max(math.Abs(f.gradient[0]), math.Abs(f.gradient[1])) <= tolerance*total {
			break
		}
		a, b, d := f.hessian[0]+float64(tolerance*total), f.hessian[1], f.hessian[2]+float64(tolerance*total)
		det := float64(a*d) - float64(b*b)
		slope := (float64(b*f.gradient[1]) - float64(d*f.gradient[0])) / det
		intercept := (float64(b*f.gradient[0]) - float64(a*f.gradient[1])) / det
		descent := float64(slope*f.gradient[0]) + float64(intercept*f.gradient[1])
		step, next := 1.0, plattFit{}
		for ; step >= 1e-10; step /= 2 {
			next = plattFit{slope: f.slope + float64(step*slope), intercept: f.intercept + float64(step*intercept)}
			if err := c.differentiate(ctx, z, &next); err != nil {
				return nil, err
			}
			if next.loss <= f.loss+float64(1e-4*float64(step*descent)) {
				break
			}
		}
		if step < 1e-10 { // the loss cannot decrease by more than its rounding error
			break
		}
		f = next
	}
	m := &Calibration{Slope: math.Ldexp(f.slope, -exponent)}
	if m.Slope < 0 || !isFinite(m.Slope) {
		return nil, errs.Errorf("rank", "the calibration slope is %v; it must be finite and must not be negative: "+
			"relevant documents must have higher scores than others", m.Slope)
	}
	m.Intercept = f.intercept - float64(m.Slope*center)
	return m, nil
}

// differentiate computes the log loss and its derivatives.
func (c *calibrationSamples) differentiate(ctx context.Context, z []float64, f *plattFit) error {
	targets := [2]float64{1 / (c.sums[0] + 2), (c.sums[1] + 1) / (c.sums[1] + 2)}
	var exps [plattRows]float64
	for first := 0; first < len(z); first += plattRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := z[first:min(first+plattRows, len(z))]
		e := exps[:len(part)]
		for i, z := range part {
			e[i] = -math.Abs(float64(f.slope*z) + f.intercept)
		}
		kernels.ExpF64(e, e)
		for i, z := range part {
			at := float64(f.slope*z) + f.intercept
			w, t := c.weights[first+i], targets[0]
			if c.relevant[first+i] {
				t = targets[1]
			}
			p := 1 / (1 + e[i])
			if at < 0 {
				p = e[i] / (1 + e[i])
			}
			f.loss += float64(w * (num.Log1p(e[i]) + max(at, 0) - float64(t*at)))
			g, h := float64(w*(p-t)), float64(w*e[i])/float64((1+e[i])*(1+e[i]))
			f.gradient[0] += float64(g * z)
			f.gradient[1] += g
			f.hessian[0] += float64(float64(h*z) * z)
			f.hessian[1] += float64(h * z)
			f.hessian[2] += h
		}
	}
	return nil
}

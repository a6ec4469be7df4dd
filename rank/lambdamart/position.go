package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// These are the values of [Trainer.PositionBias].
const (
	noBias       = "none"
	additiveBias = "additive"
	pairwiseBias = "pairwise"
)

// PositionFactors contains the position-bias factors that training has learned. The scores of a
// model do not depend on them.
type PositionFactors struct {
	// Position lists the positions, counted from 1, in ascending order. The other fields have one
	// value per position.
	Position []int32 `hash:"Position"`

	// Bias is the additive bias b of each position, which is added to the scores of documents
	// there. For two positions, b−b′ is the log ratio of their click rates. Bias is empty for other
	// methods.
	Bias []float64 `hash:"Bias"`

	// Plus and Minus are t⁺ and t⁻ of the pairwise method, which are 1 at the first position. t⁺ is
	// proportional to the probability that a relevant document is clicked. t⁻ is proportional to
	// the probability that a document without a click is irrelevant. Positions beyond Truncation
	// have no factors, and count as 1.
	Plus  []float64 `hash:"Plus"`
	Minus []float64 `hash:"Minus"`
}

// lastPropensity is the last position for which Propensities returns a value.
const lastPropensity = 1 << 16

// Propensities returns the probability of a click at each position, relative to the first position
// with a factor. Element 0 belongs to position 1. The values are exp(Bias) or
// Plus^(1+PositionNorm), divided by the first one. The field Settings contains PositionNorm.
// Positions without a factor, or at which training found no clicks, have the value 0. Positions
// above 65,536 are omitted. Propensities returns an error if m was trained without a position bias.
func (m *Model) Propensities() ([]float64, error) {
	f := m.PositionFactors
	if f == nil || len(f.Position) == 0 {
		return nil, errs.New("lambdamart", "the model was trained without a position bias")
	}
	norm := 0.0
	if setting, ok := m.Settings["position_norm"]; ok && f.Bias == nil {
		var err error
		if norm, err = text.ParseNumber(setting, 64); err != nil || !(norm >= 0 && norm <= math.MaxFloat64) {
			return nil, errs.Errorf("lambdamart", "the setting position_norm is %q; it must be a number that is not negative",
				setting)
		}
	}
	var propensities []float64
	for i, p := range f.Position {
		if p > lastPropensity {
			break
		}
		propensity := 0.0
		if f.Bias != nil {
			propensity = num.Exp(f.Bias[i] - f.Bias[0])
		} else if ratio := f.Plus[i] / f.Plus[0]; ratio > 0 && ratio <= math.MaxFloat64 {
			propensity = num.Exp2(float64((1 + norm) * num.Log2(ratio)))
		}
		propensities = append(propensities, make([]float64, int(p)-len(propensities))...)
		propensities[p-1] = propensity
	}
	return propensities, nil
}

// kind returns the PositionBias of the training that learned the factors. Without factors it
// returns noBias.
func (f *PositionFactors) kind() string {
	switch {
	case f == nil:
		return noBias
	case f.Bias != nil:
		return additiveBias
	}
	return pairwiseBias
}

func (f *PositionFactors) validate() error {
	if f == nil {
		return nil
	}
	for i, p := range f.Position {
		if p < 1 || i > 0 && p <= f.Position[i-1] {
			return fmt.Errorf("element %d of Position is %d; positions must be at least 1 and in ascending order", i, p)
		}
	}
	additive := f.kind() == additiveBias
	for _, of := range []struct {
		name   string
		values []float64
		wanted bool
		least  float64
	}{
		{"bias", f.Bias, additive, -math.MaxFloat64},
		{"plus", f.Plus, !additive, 0},
		{"minus", f.Minus, !additive, 0},
	} {
		want := 0
		if of.wanted {
			want = len(f.Position)
		}
		if len(of.values) != want {
			return fmt.Errorf("the number of %s factors is %d; it must be %d for %d positions", of.name, len(of.values),
				want, len(f.Position))
		}
		for i, v := range of.values {
			if !(v >= of.least && v <= math.MaxFloat64) {
				return fmt.Errorf("the %s factor of position %d is %v; factors must be finite and, except bias, not negative",
					of.name, f.Position[i], v)
			}
		}
	}
	return nil
}

// positions is the state of a training with a position bias. The model contains the factors.
type positions struct {
	o      *Trainer
	d      *rank.Dataset
	model  *Model
	place  []int32       // index of each row's position among the factors; −1 if the row has none
	sums   []positionSum // sums of each block of queries, one per position
	blocks int
	scores [][]float64 // scores of a query plus the position bias, one slice per worker

	// The following fields are used only by pairwiseBias.
	over [2][]float32 // inverses 1/t⁺ and 1/t⁻ of each position's factors
	// loss[0] contains for each row the loss of the pairs in which the row is the better document,
	// and loss[1] the loss of the other pairs. Both are 0 if the query has no pairs.
	loss [2][]float64
}

// A positionSum contains the sums of two values over the rows at a position, and the number of
// these rows.
type positionSum struct{ a, b, rows float64 }

// positionBlocks is the number of query blocks that are summed separately.
const positionBlocks = 64

// newPositions sets the factors of m to their initial values. It returns nil unless o enables a
// position bias. The defaults of o must be filled in.
func newPositions(o *Trainer, d *rank.Dataset, m *Model, workers int) (*positions, error) {
	if o.PositionBias == noBias {
		return nil, nil
	}
	if d.Positions == nil {
		return nil, errs.Op("lambdamart", &rank.OptionError{Option: "PositionBias",
			Err: errors.New("learning a position bias requires document positions, which the data does not contain")})
	}
	f := &PositionFactors{Position: slices.Clone(d.Positions)}
	if o.PositionBias == pairwiseBias && o.Truncation > 0 {
		f.Position = slices.DeleteFunc(f.Position, func(p int32) bool { return int(p) > o.truncation() })
	}
	if o.Start != nil {
		f.Position = append(f.Position, o.Start.PositionFactors.Position...)
	}
	slices.Sort(f.Position)
	f.Position = slices.Compact(f.Position)
	n := len(f.Position)
	if n == 0 && len(d.Positions) > 0 {
		return nil, errs.Errorf("lambdamart", "the position bias %v is learned from the first %d positions (Truncation), "+
			"but no document was shown there",
			o.PositionBias, o.truncation())
	}
	p := &positions{o: o, d: d, model: m, place: make([]int32, len(d.Positions)),
		scores: make([][]float64, workers)}
	p.blocks = min(max((1<<20)/max(n, 1), 1), positionBlocks)
	p.sums = make([]positionSum, p.blocks*n)
	for i, at := range d.Positions {
		k, found := slices.BinarySearch(f.Position, at)
		if p.place[i] = int32(k); !found {
			p.place[i] = -1
		}
	}
	if o.PositionBias == additiveBias {
		f.Bias = make([]float64, n)
	} else {
		f.Plus, f.Minus = slices.Repeat([]float64{1}, n), slices.Repeat([]float64{1}, n)
		for side := range p.loss {
			p.over[side], p.loss[side] = make([]float32, n), make([]float64, len(d.Positions))
		}
	}
	if o.Start != nil {
		s := o.Start.PositionFactors
		for i, at := range s.Position {
			k, _ := slices.BinarySearch(f.Position, at)
			if f.Bias != nil {
				f.Bias[k] = s.Bias[i]
			} else {
				f.Plus[k], f.Minus[k] = s.Plus[i], s.Minus[i]
			}
		}
	}
	m.PositionFactors = f
	p.invert()
	return p, nil
}

// leastFactor is the smallest t⁺ or t⁻ that is used as a divisor.
const leastFactor = 1e-16

// invert sets p.over to the inverses of the model's factors. It replaces inverses of small factors
// by 1, which leaves the pair weights unchanged.
func (p *positions) invert() {
	f := p.model.PositionFactors
	for k := range p.over[0] {
		p.over[0][k], p.over[1][k] = 1, 1
		if f.Plus[k] >= leastFactor {
			p.over[0][k] = float32(1 / f.Plus[k])
		}
		if f.Minus[k] >= leastFactor {
			p.over[1][k] = float32(1 / f.Minus[k])
		}
	}
}

// begin returns the scores at which the derivatives of a query must be computed. lo is the first
// row of the query.
func (p *positions) begin(worker, lo int, scores []float64) []float64 {
	if p.o.PositionBias == pairwiseBias {
		return scores
	}
	biased, bias := &p.scores[worker], p.model.PositionFactors.Bias
	*biased = slices.Grow((*biased)[:0], len(scores))[:len(scores)]
	for i, s := range scores {
		(*biased)[i] = s + bias[p.place[lo+i]]
	}
	return *biased
}

// load copies the factors of a query's documents to w. lo is the first row of the query.
func (p *positions) load(lo int, w *pairWork) {
	for r, key := range w.keys {
		w.docs.Plus[r], w.docs.Minus[r] = 1, 1
		if at := p.place[lo+order.KeyIndex(key)]; at >= 0 {
			w.docs.Plus[r], w.docs.Minus[r] = p.over[0][at], p.over[1][at]
		}
	}
	clear(w.docs.PlusLoss)
	clear(w.docs.MinusLoss)
}

// store stores the losses of the query's documents, multiplied by scale.
func (p *positions) store(lo int, w *pairWork, scale float64) {
	for r, key := range w.keys {
		i := lo + order.KeyIndex(key)
		p.loss[0][i], p.loss[1][i] = float64(w.docs.PlusLoss[r])*scale, float64(w.docs.MinusLoss[r])*scale
	}
}

// next returns the factors after another tree. It computes them from the derivatives or losses of
// the rows that the tree is fitted to.
func (p *positions) next(ctx context.Context, tr *training) (*PositionFactors, error) {
	f := p.model.PositionFactors
	if p.o.PositionBias == pairwiseBias {
		sums, err := sumPositions(ctx, p, tr.team, &tr.draw, p.loss[0], p.loss[1])
		if err != nil {
			return nil, err
		}
		return p.ratios(f, sums), nil
	}
	sums, err := sumPositions(ctx, p, tr.team, &tr.draw, tr.grad, tr.hess)
	if err != nil {
		return nil, err
	}
	return p.newton(f, sums), nil
}

// newton applies a Newton step to the biases. The objective is the loss plus L2/2·b² per row, as in
// LightGBM.
func (p *positions) newton(f *PositionFactors, sums []positionSum) *PositionFactors {
	out := &PositionFactors{Position: f.Position, Bias: make([]float64, len(sums))}
	for k, s := range sums {
		b, penalty := f.Bias[k], float64(p.o.PositionL2*s.rows)
		step := (s.a + float64(penalty*b)) / (s.b + penalty + 0.001)
		out.Bias[k] = b - float64(p.o.LearningRate*step)
	}
	return out
}

// ratios returns t⁺ and t⁻ of each position. They are the mean loss of the documents at this
// position, divided by the mean loss at the first position, to the power 1/(1+PositionNorm) (Hu et
// al. 2019, equations 30 and 31). The paper uses sums, over lists of equal length. If the lengths
// differ, sums would depend on the number of lists that reach a position. Lists without pairs are
// ignored.
func (p *positions) ratios(f *PositionFactors, sums []positionSum) *PositionFactors {
	exponent := 1 / (1 + p.o.PositionNorm)
	ratio := func(before, mean, first float64) float64 {
		switch {
		case !(first >= leastFactor && first <= math.MaxFloat64 && mean <= math.MaxFloat64):
			return before
		case mean <= 0:
			return 0
		}
		return num.Exp2(float64(exponent * num.Log2(mean/first)))
	}
	out := &PositionFactors{Position: f.Position}
	first := sums[0]
	for k, s := range sums {
		out.Plus = append(out.Plus, ratio(f.Plus[k], s.a/s.rows, first.a/first.rows))
		out.Minus = append(out.Minus, ratio(f.Minus[k], s.b/s.rows, first.b/first.rows))
	}
	return out
}

// take sets the factors of the model to f.
func (p *positions) take(f *PositionFactors) {
	p.model.PositionFactors = f
	if p.o.PositionBias == pairwiseBias {
		p.invert()
	}
}

// sumPositions sums two values of each row by position, over the sampled queries, and counts the
// rows. With pairwiseBias, it ignores queries without pairs, and counts a row as the weight of its
// query. It sums the rows of a block of queries in order, and then sums the blocks in order, so
// that the result does not depend on the number of threads.
func sumPositions[T float32 | float64](ctx context.Context, p *positions, team *parallel.Team, draw *boost.Draw,
	a, b []T) ([]positionSum, error) {
	n := len(p.model.PositionFactors.Position)
	// Multiply in int64, because the product may overflow a 32-bit int.
	begin := func(block int) int { return int(int64(block) * int64(p.d.Queries()) / int64(p.blocks)) }
	err := team.For(ctx, p.blocks, func(_, block int) {
		sums := p.sums[block*n:][:n]
		clear(sums)
		for q := begin(block); q < begin(block+1); q++ {
			if !draw.Query(q) {
				continue
			}
			lo, hi := p.d.Query(q)
			weight := 1.0
			if p.o.PositionBias == pairwiseBias {
				if !slices.ContainsFunc(a[lo:hi], func(loss T) bool { return loss > 0 }) {
					continue // the query has no pairs
				}
				weight = queryWeight(p.d, q)
			}
			for i := lo; i < hi; i++ {
				if at := p.place[i]; at >= 0 {
					s := &sums[at]
					s.a += float64(a[i])
					s.b += float64(b[i])
					s.rows += weight
				}
			}
		}
	})
	total := make([]positionSum, n)
	for block := range p.blocks {
		for k, s := range p.sums[block*n:][:n] {
			total[k].a += s.a
			total[k].b += s.b
			total[k].rows += s.rows
		}
	}
	return total, err
}

// appendJSON appends the factors as a field of a model.
func (f *PositionFactors) appendJSON(b []byte) []byte {
	if f == nil {
		return b
	}
	b = modelfile.AppendList(append(b, `,"positions":{"position":`...), f.Position, modelfile.AppendInt)
	b = appendField(b, `,"bias":`, f.Bias, modelfile.AppendFloat64)
	b = appendField(b, `,"plus":`, f.Plus, modelfile.AppendFloat64)
	b = appendField(b, `,"minus":`, f.Minus, modelfile.AppendFloat64)
	return append(b, '}')
}

// readPositions returns the factors of a model, or nil if the model has none.
func readPositions(model modelfile.Node) *PositionFactors {
	if !model.Has("positions") {
		return nil
	}
	n := model.Get("positions")
	n.Only("position", "bias", "plus", "minus")
	return &PositionFactors{Position: n.Get("position").Ints32(1, math.MaxInt32), Bias: n.Optional("bias").Floats(),
		Plus: n.Optional("plus").Floats(), Minus: n.Optional("minus").Floats()}
}

package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/document"
	"github.com/simdrank/simdrank/internal/enum"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/portable"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// A PositionBias is a way to learn from clicks on documents whose positions are known. Users click
// on what they look at, and they look at the first positions most, whatever is shown there. Both
// ways learn how much positions count while the trees are grown; see [PositionFactors].
type PositionBias int

const (
	// NoPositionBias takes labels for what they are.
	NoPositionBias PositionBias = iota

	// AdditiveBias adds a number per position to the scores before derivatives are taken: documents
	// that were shown high are expected to have more clicks. A Newton step per tree, times the
	// learning rate, fits these numbers. It is LightGBM's way (4.1 and later).
	AdditiveBias

	// PairwiseBias divides the weight of each pair of documents by t⁺ of the position of the better
	// one and t⁻ of that of the other one, which every tree estimates anew by the losses of the
	// pairs: Unbiased LambdaMART (Hu et al. 2019), XGBoost's lambdarank_unbiased. It is for the
	// objectives NDCG, MAP and Pairwise. It takes time by the pairs of different labels, which are
	// few where most documents have no click.
	//
	// The loss of a pair is ln(1+exp(−σ·(s_better−s_worse))), as in the paper. XGBoost's source
	// (2026) has the opposite sign there, so its factors differ.
	PairwiseBias
)

var positionBiasNames = []string{NoPositionBias: "none", AdditiveBias: "additive", PairwiseBias: "pairwise"}

// String returns the name that [ParsePositionBias] reads.
func (b PositionBias) String() string { return enum.Name("PositionBias", positionBiasNames, b) }

// ParsePositionBias returns the position bias of a name: none, additive or pairwise.
func ParsePositionBias(name string) (PositionBias, error) {
	return enum.Parse[PositionBias]("lambdamart: position bias", positionBiasNames, name)
}

// PositionFactors are what training has learned about positions. The scores of a model do not
// depend on them.
type PositionFactors struct {
	Position []int32 // in ascending order, from 1; the fields below have one value per position

	// AdditiveBias: the number b that is added to the scores of documents shown there. b−b′ is the
	// logarithm of how many times as often a document is clicked on there as at another position.
	Bias []float64

	// PairwiseBias: t⁺ and t⁻, which are 1 at the first of the positions. t⁺ is how likely a
	// relevant document is clicked on, and t⁻ how likely one without a click is irrelevant.
	// Positions beyond Truncation have none.
	Plus, Minus []float64
}

// kind returns which training the factors are from. There may be none.
func (f *PositionFactors) kind() PositionBias {
	switch {
	case f == nil:
		return NoPositionBias
	case f.Bias != nil:
		return AdditiveBias
	}
	return PairwiseBias
}

func (f *PositionFactors) validate() error {
	if f == nil {
		return nil
	}
	for i, p := range f.Position {
		if p < 1 || i > 0 && p <= f.Position[i-1] {
			return fmt.Errorf("position %d of the factors is %d: want whole numbers from 1 in ascending order", i, p)
		}
	}
	additive := f.kind() == AdditiveBias
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
			return fmt.Errorf("%d factors called %s, want %d for %d positions", len(of.values), of.name, want,
				len(f.Position))
		}
		for i, v := range of.values {
			if !(v >= of.least && v <= math.MaxFloat64) {
				return fmt.Errorf("the factor %s of position %d is %v", of.name, f.Position[i], v)
			}
		}
	}
	return nil
}

// positions is the state of a training with a position bias. The factors are the model's.
type positions struct {
	o       *Trainer
	d       *rank.Dataset
	model   *Model
	place   []int32       // of the row's position among the factors; −1 for one that has none
	sums    []positionSum // of a block of queries, a position each
	blocks  int
	workers []positionWork

	// PairwiseBias
	over [2][]float64 // 1/t⁺ and 1/t⁻ of each position
	loss [2][]float64 // of each row: of the pairs in which it is the better one, and the other one
}

// A positionSum adds up two values of the rows at a position.
type positionSum struct {
	a, b float64
	rows int
}

// A positionWork is the memory of a worker.
type positionWork struct {
	scores     []float64 // of a query, with the bias of their positions
	over, loss [2][]float64
	grad, hess []float64
	high, low  []int32 // ranks of documents with more than the least gain, and of the others
}

// positionBlocks is the number of blocks of queries that are summed apart from each other.
const positionBlocks = 64

// newPositions returns nil unless o asks for a position bias. It sets the factors of m to those
// that training begins with.
func newPositions(o *Trainer, d *rank.Dataset, m *Model, workers int) (*positions, error) {
	if o.PositionBias == NoPositionBias {
		return nil, nil
	}
	if d.Positions == nil {
		return nil, fmt.Errorf("lambdamart: %w", &rank.OptionError{Option: "PositionBias",
			Err: errors.New("the position bias is learned from the positions of documents, which the data lack")})
	}
	f := &PositionFactors{Position: slices.Clone(d.Positions)}
	if o.PositionBias == PairwiseBias && o.Truncation >= 0 {
		f.Position = slices.DeleteFunc(f.Position, func(p int32) bool { return int(p) > o.truncation() })
	}
	if o.Start != nil {
		f.Position = append(f.Position, o.Start.Positions.Position...)
	}
	slices.Sort(f.Position)
	f.Position = slices.Compact(f.Position)
	n := len(f.Position)
	p := &positions{o: o, d: d, model: m, place: make([]int32, len(d.Positions)),
		workers: make([]positionWork, workers)}
	p.blocks = min(max((1<<20)/max(n, 1), 1), positionBlocks)
	p.sums = make([]positionSum, p.blocks*n)
	for i, at := range d.Positions {
		k, found := slices.BinarySearch(f.Position, at)
		if p.place[i] = int32(k); !found {
			p.place[i] = -1
		}
	}
	if o.PositionBias == AdditiveBias {
		f.Bias = make([]float64, n)
	} else {
		f.Plus, f.Minus = slices.Repeat([]float64{1}, n), slices.Repeat([]float64{1}, n)
		for side := range p.loss {
			p.over[side], p.loss[side] = make([]float64, n), make([]float64, len(d.Positions))
		}
	}
	if o.Start != nil {
		s := o.Start.Positions
		for i, at := range s.Position {
			k, _ := slices.BinarySearch(f.Position, at)
			if f.Bias != nil {
				f.Bias[k] = s.Bias[i]
			} else {
				f.Plus[k], f.Minus[k] = s.Plus[i], s.Minus[i]
			}
		}
	}
	m.Positions = f
	p.invert()
	return p, nil
}

// leastFactor is the least t that weights are divided by.
const leastFactor = 1e-16

// invert makes p.over those of the model's factors; 0 stands for a weight that is not divided.
func (p *positions) invert() {
	f := p.model.Positions
	for k := range p.over[0] {
		p.over[0][k], p.over[1][k] = 0, 0
		if f.Plus[k] >= leastFactor {
			p.over[0][k] = 1 / f.Plus[k]
		}
		if f.Minus[k] >= leastFactor {
			p.over[1][k] = 1 / f.Minus[k]
		}
	}
}

// begin is called before the derivatives of a query whose first row is lo. It returns the scores to
// take them at.
func (p *positions) begin(worker, lo int, scores []float64) []float64 {
	if p.o.PositionBias == PairwiseBias {
		for side := range p.loss {
			clear(p.loss[side][lo : lo+len(scores)])
		}
		return scores
	}
	w, bias := &p.workers[worker], p.model.Positions.Bias
	w.scores = slices.Grow(w.scores[:0], len(scores))[:len(scores)]
	for i, s := range scores {
		w.scores[i] = s + bias[p.place[lo+i]]
	}
	return w.scores
}

// pairs does what [trees.LambdaF32] does for the documents of a query, of which the first row is
// lo, with weights that are divided by the factors of positions. It leaves the derivatives in grad
// and hess of d, which hold zeros, and returns the sum of the sizes of first derivatives. scale is
// what losses are multiplied by.
//
// All is float64: a document i of the first truncation ranks with those below it one by one, first
// with those of more than the least gain of the query. What is added to i is summed before.
func (p *positions) pairs(worker, lo int, d *pairWork, sigmoid, scale float64, truncation int) (sum float64) {
	w, docs, n := &p.workers[worker], &d.docs, d.docs.N
	w.resize(n)
	least := slices.Min(docs.Gain[:n])
	w.high, w.low = w.high[:0], w.low[:0]
	for r, key := range d.keys[:n] {
		at := p.place[lo+order.KeyIndex(key)]
		for side := range w.over {
			w.over[side][r] = 0
			if at >= 0 {
				w.over[side][r] = p.over[side][at]
			}
		}
		if docs.Gain[r] == least {
			w.low = append(w.low, int32(r))
		} else {
			w.high = append(w.high, int32(r))
		}
	}
	// exp(σ·s) of all documents, unless float64 does not hold them: then exp(−σ·(sᵢ−sⱼ)) for each
	// i.
	const widest = 1400
	top, bottom := float64(docs.Score[0]), float64(docs.Score[n-1])
	wide := !(float64(sigmoid*(top-bottom)) <= widest)
	exps := func(from int, center float64) {
		for r, s := range docs.Score[from:n] {
			d.x[from+r] = float64(sigmoid * (float64(s) - center))
		}
		kernels.ExpF64(d.e[from:n], d.x[from:n])
	}
	if !wide {
		exps(0, float64((top+bottom)/2))
	}
	pair := positionPair{docs: docs, positionWork: w, sigmoid: sigmoid, exp: d.e}
	high, low := w.high, w.low
	for i := range truncation {
		pair.inverse = 1
		if wide {
			exps(i, float64(docs.Score[i]))
		} else {
			pair.inverse = 1 / d.e[i]
		}
		isHigh := docs.Gain[i] != least
		if isHigh {
			high = high[1:]
		} else {
			low = low[1:]
		}
		pair.add(i, high)
		if isHigh {
			pair.add(i, low)
		}
	}
	for r, key := range d.keys[:n] {
		i := order.KeyIndex(key)
		d.grad[r], d.hess[r] = float32(w.grad[r]), float32(w.hess[r])
		for side := range w.loss {
			p.loss[side][lo+i] = float64(w.loss[side][r] * scale)
		}
	}
	return pair.sum
}

func (w *positionWork) resize(n int) {
	for _, s := range []*[]float64{&w.over[0], &w.over[1], &w.loss[0], &w.loss[1], &w.grad, &w.hess} {
		*s = slices.Grow((*s)[:0], n)[:n]
		clear(*s)
	}
}

// A positionPair adds pairs of documents to the derivatives and losses of a query.
type positionPair struct {
	*positionWork
	docs    *trees.LambdaDocs
	sigmoid float64
	exp     []float64 // exp(σ·s) times anything
	inverse float64   // 1/exp[i]
	sum     float64
}

// add adds the pairs of rank i with others below it whose gain is another one.
func (p *positionPair) add(i int, others []int32) {
	d, n := p.docs, len(p.grad)
	score, gain, v, exp := d.Score[:n], d.Gain[:n], d.V[:n], p.exp[:n]
	plus, minus, better, worse := p.over[0][:n], p.over[1][:n], p.loss[0][:n], p.loss[1][:n]
	grad, hess := p.grad[:n], p.hess[:n]
	si, gi, ui, plusI, minusI := float64(score[i]), float64(gain[i]), d.U[i], plus[i], minus[i]
	limit, base, slope := float64(d.Limit), float64(d.Base), float64(d.Slope)
	var sum, gradI, hessI, betterI, worseI float64
	for _, j := range others {
		apart, more := si-float64(score[j]), gi-float64(gain[j])
		if more == 0 {
			continue
		}
		weight := float64(min(math.Abs(more), limit)*math.Abs(float64(ui+v[j]))) / (base + float64(slope*apart))
		x := float64(exp[j] * p.inverse) // exp(−σ·apart)
		r := 1 / (1 + x)                 // what the probability of this order is
		q := float64(x * r)
		loss := log1p(x)
		var lambda, both float64
		if more > 0 {
			loss = float64(loss * weight)
			betterI += float64(loss * minus[j])
			worse[j] += float64(loss * plusI)
			both, lambda = float64(plusI*minus[j]), q
		} else {
			loss = float64((loss + float64(p.sigmoid*apart)) * weight)
			better[j] += float64(loss * minusI)
			worseI += float64(loss * plus[j])
			both, lambda = float64(plus[j]*minusI), r
		}
		if both > 0 {
			weight = float64(weight * both)
		}
		lambda = float64(lambda * weight)
		second := float64(float64(weight*q) * r)
		sum += lambda
		if more < 0 {
			lambda = -lambda
		}
		grad[j] += lambda
		gradI -= lambda
		hess[j] += second
		hessI += second
	}
	p.sum += sum
	grad[i] += gradI
	hess[i] += hessI
	better[i] += betterI
	worse[i] += worseI
}

// log1p returns ln(1+x) for 0 ≤ x ≤ 1, with an error below 2·10⁻⁹: 2·(s + s³/3 + … + s¹⁵/15) with
// s = x/(2+x) ≤ ⅓. portable.Log1p, which has all digits, takes longer.
func log1p(x float64) float64 {
	s := x / (2 + x)
	t := float64(s * s)
	p := math.FMA(t, 1./15, 1./13)
	p = math.FMA(t, p, 1./11)
	p = math.FMA(t, p, 1./9)
	p = math.FMA(t, p, 1./7)
	p = math.FMA(t, p, 1./5)
	p = math.FMA(t, p, 1./3)
	p = math.FMA(t, p, 1)
	return float64(2 * float64(s*p))
}

// next returns the factors after one more tree, by the derivatives or losses of the rows that it is
// grown on.
func (p *positions) next(ctx context.Context, tr *training) (*PositionFactors, error) {
	f := p.model.Positions
	if p.o.PositionBias == PairwiseBias {
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

// newton takes a step to the least of the loss plus L2/2·b² per row, as LightGBM does.
func (p *positions) newton(f *PositionFactors, sums []positionSum) *PositionFactors {
	out := &PositionFactors{Position: f.Position, Bias: make([]float64, len(sums))}
	for k, s := range sums {
		b, penalty := f.Bias[k], float64(p.o.PositionL2*float64(s.rows))
		step := (s.a + float64(penalty*b)) / (s.b + penalty + 0.001)
		out.Bias[k] = b - float64(p.o.LearningRate*step)
	}
	return out
}

// ratios returns t⁺ and t⁻ of each position by the sums of losses at the first position and there
// (Hu et al. 2019, equations 30 and 31).
func (p *positions) ratios(f *PositionFactors, sums []positionSum) *PositionFactors {
	out := &PositionFactors{Position: f.Position, Plus: slices.Clone(f.Plus), Minus: slices.Clone(f.Minus)}
	exponent := 1 / (1 + p.o.PositionNorm)
	ratio := func(sum, first float64) float64 {
		if sum <= 0 {
			return 0
		}
		return portable.Exp2(float64(exponent * portable.Log2(sum/first)))
	}
	for k, s := range sums {
		if first := sums[0].a; first >= leastFactor {
			out.Plus[k] = ratio(s.a, first)
		}
		if first := sums[0].b; first >= leastFactor {
			out.Minus[k] = ratio(s.b, first)
		}
	}
	return out
}

// take makes f the factors of the model.
func (p *positions) take(f *PositionFactors) {
	p.model.Positions = f
	if p.o.PositionBias == PairwiseBias {
		p.invert()
	}
}

// sumPositions adds up two values of each row by position, over the queries that were drawn: in
// order within a block of queries, then the blocks in order, whatever the number of threads.
func sumPositions[T float32 | float64](ctx context.Context, p *positions, team *parallel.Team, draw *draw,
	a, b []T) ([]positionSum, error) {
	n := len(p.model.Positions.Position)
	// int64, which the product needs where int has 32 bits
	begin := func(block int) int { return int(int64(block) * int64(p.d.Queries()) / int64(p.blocks)) }
	err := team.For(ctx, p.blocks, func(_, block int) {
		sums := p.sums[block*n:][:n]
		clear(sums)
		for q := begin(block); q < begin(block+1); q++ {
			if !draw.query(q) {
				continue
			}
			lo, hi := p.d.Query(q)
			for i := lo; i < hi; i++ {
				if at := p.place[i]; at >= 0 {
					s := &sums[at]
					s.a += float64(a[i])
					s.b += float64(b[i])
					s.rows++
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

// appendJSON appends the field of a model.
func (f *PositionFactors) appendJSON(b []byte) []byte {
	if f == nil {
		return b
	}
	b = appendList(append(b, `,"positions":{"position":`...), f.Position, appendInt)
	b = appendField(b, `,"bias":`, f.Bias, appendNumber64)
	b = appendField(b, `,"plus":`, f.Plus, appendNumber64)
	b = appendField(b, `,"minus":`, f.Minus, appendNumber64)
	return append(b, '}')
}

func readPositions(n document.Node) (f *PositionFactors, err error) {
	if err := n.Only("position", "bias", "plus", "minus"); err != nil {
		return nil, err
	}
	f = &PositionFactors{}
	if f.Position, err = document.Required(n, "position",
		func(n document.Node) ([]int32, error) { return n.Ints32(1, math.MaxInt32) }); err != nil {
		return nil, err
	}
	for _, of := range []struct {
		name string
		list *[]float64
	}{{"bias", &f.Bias}, {"plus", &f.Plus}, {"minus", &f.Minus}} {
		if *of.list, err = document.Optional(n, of.name, document.Node.Floats); err != nil {
			return nil, err
		}
	}
	return f, nil
}

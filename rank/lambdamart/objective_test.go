package lambdamart

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// labeledSet returns a dataset without features, with queries that have the given labels.
func labeledSet(queries ...[]float64) *rank.Dataset {
	d := rank.NewDataset(0, 1)
	for q, labels := range queries {
		d.Labels = append(d.Labels, labels...)
		d.Offsets = append(d.Offsets, len(d.Labels))
		d.QueryIDs = append(d.QueryIDs, fmt.Sprint(q))
	}
	d.X = make([]float32, len(d.Labels)*d.Stride)
	return d
}

// byScore returns the documents by descending score, with ties in order.
func byScore(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(float32(scores[b]), float32(scores[a])) })
	return order
}

// dcg and ap compute the measures of which the deltas are differences.
func dcg(gains []float64, cut int) (s float64) {
	for r, g := range gains[:min(cut, len(gains))] {
		s += g / math.Log2(float64(r+2))
	}
	return s
}

func ap(relevant []float64) (s float64) {
	found := 0.0
	for r, rel := range relevant {
		found += rel
		s += rel * found / float64(r+1)
	}
	return s / found
}

// swapped returns the absolute change of the objective's measure if the ranks i and j are swapped.
// ideal is the ideal DCG.
func swapped(objective Objective, values []float64, i, j int, ideal float64) float64 {
	other := slices.Clone(values)
	other[i], other[j] = other[j], other[i]
	switch objective {
	case NDCG:
		return math.Abs(dcg(other, len(other))-dcg(values, len(values))) / ideal
	case MAP:
		return math.Abs(ap(other) - ap(values))
	}
	return 1
}

// pairDerivatives follows the definitions: every delta is a difference of two measures.
func pairDerivatives(t *Trainer, labels, scores []float64) (grad, hess []float64) {
	n := len(labels)
	grad, hess = make([]float64, n), make([]float64, n)
	order := byScore(scores)
	values := make([]float64, n) // gains or relevance by rank
	for r, i := range order {
		values[r] = math.Exp2(labels[i]) - 1
		if t.Objective == MAP {
			values[r] = 0
			if labels[i] > 0 {
				values[r] = 1
			}
		}
	}
	best := slices.Clone(values)
	slices.Sort(best)
	slices.Reverse(best)
	sigmoid, truncation := t.Sigmoid, t.Truncation
	if sigmoid == 0 {
		sigmoid = 1
	}
	if truncation == 0 {
		truncation = 30
	}
	ideal := dcg(best, truncation)
	if best[0] == 0 && t.Objective != Pairwise {
		return grad, hess
	}
	sum := 0.0
	for i := range min(truncation, n) {
		for j := i + 1; j < n; j++ {
			a, b := order[i], order[j]
			if labels[a] == labels[b] || t.Objective == MAP && values[i] == values[j] {
				continue
			}
			weight := swapped(t.Objective, values, i, j, ideal)
			if !t.NoNorm && scores[order[0]] != scores[order[n-1]] {
				weight /= 0.01 + math.Abs(scores[a]-scores[b])
			}
			if labels[a] < labels[b] {
				a, b = b, a
			}
			p := 1 / (1 + math.Exp(sigmoid*(scores[a]-scores[b])))
			q := 1 / (1 + math.Exp(sigmoid*(scores[b]-scores[a]))) // 1−p without cancellation
			grad[a] -= sigmoid * weight * p
			grad[b] += sigmoid * weight * p
			hess[a] += sigmoid * sigmoid * weight * p * q
			hess[b] += sigmoid * sigmoid * weight * p * q
			sum += 2 * sigmoid * weight * p
		}
	}
	if !t.NoNorm && sum > 0 {
		for i := range grad {
			grad[i] *= math.Log2(1+sum) / sum
			hess[i] *= math.Log2(1+sum) / sum
		}
	}
	return grad, hess
}

// far reports whether derivatives differ by more than float32 rounding explains.
func far(got []float32, want []float64) bool {
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i, v := range want {
		if !(math.Abs(float64(got[i])-v) <= 3e-5*scale+1e-30) {
			return true
		}
	}
	return false
}

func TestPairDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for try := range 300 {
		n := 1 + rng.IntN(50)
		labels, scores := make([]float64, n), make([]float64, n)
		spread := []float64{0, 1, 30, 400}[rng.IntN(4)]
		for i := range labels {
			labels[i] = float64(max(0, rng.IntN(8)-3))
			if try%5 == 0 {
				labels[i] += 0.25 * float64(rng.IntN(4)) // real-valued ones
			}
			scores[i] = math.Round(spread*rng.NormFloat64()*1024) / 1024 // differences are exact in float32
			if rng.IntN(4) == 0 {
				scores[i] = math.Round(scores[i]) // ties
			}
		}
		tr := with(Trainer{
			Objective: []Objective{NDCG, MAP, Pairwise}[try%3], Truncation: []int{0, 1, 5, 100}[rng.IntN(4)],
			NoNorm:  rng.IntN(2) == 0,
			Sigmoid: []float64{0, 1, 0.3, 2}[rng.IntN(4)],
		})
		o, err := newObjective(tr, labeledSet(labels), 1)
		if err != nil {
			t.Fatal(err)
		}
		grad, hess := make([]float32, n), make([]float32, n)
		o.derivatives(t.Context(), 0, 0, 0, scores, grad, hess)
		wantG, wantH := pairDerivatives(tr, labels, scores)
		if far(grad, wantG) || far(hess, wantH) {
			t.Fatalf("%v, truncation %d, no norm %v, sigmoid %v\nlabels %v\nscores %v\n  grad %v\n  want %v\n  hess %v\n  want %v",
				tr.Objective, tr.Truncation, tr.NoNorm, tr.Sigmoid, labels, scores, grad, wantG, hess, wantH)
		}
	}
}

// Two documents in the wrong order, computed by hand: p = 1/(1+e^−1), |ΔNDCG| = 1 − 1/log₂3.
func TestPairByHand(t *testing.T) {
	d := labeledSet([]float64{0, 1})
	p := 1 / (1 + math.Exp(-1))
	delta := 1 - 1/math.Log2(3)
	for i, c := range []struct {
		tr         Trainer
		query, row []float64 // weights
		grad, hess float64
	}{
		{*with(Trainer{NoNorm: true}), nil, nil, p * delta, p * (1 - p) * delta},
		{*with(Trainer{NoNorm: true, Objective: Pairwise}), nil, nil, p, p * (1 - p)},
		{*with(Trainer{NoNorm: true, Objective: MAP}), nil, nil, p / 2, p * (1 - p) / 2},
		{*with(Trainer{NoNorm: true}), []float64{3}, nil, 3 * p * delta, 3 * p * (1 - p) * delta},
		{*with(Trainer{NoNorm: true}), nil, []float64{1, 2}, p * delta, p * (1 - p) * delta},
		{*with(Trainer{NoNorm: true}), []float64{3}, []float64{1, 2}, 3 * p * delta, 3 * p * (1 - p) * delta},
		{*with(Trainer{NoNorm: true, Gains: []float64{0, 5}}), nil, nil, p * delta, p * (1 - p) * delta},
		{*DefaultTrainer(), nil, nil, math.Log2(1+2*p*delta/1.01) / 2, (1 - p) * math.Log2(1+2*p*delta/1.01) / 2},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d.QueryWeights, d.Weights = c.query, c.row
			o, err := newObjective(&c.tr, d, 1)
			if err != nil {
				t.Fatal(err)
			}
			grad, hess := make([]float32, 2), make([]float32, 2)
			o.derivatives(t.Context(), 0, 0, 0, []float64{1, 0}, grad, hess)
			w := 1.0
			if c.row != nil {
				w = c.row[1]
			}
			if far(grad, []float64{c.grad, -c.grad * w}) || far(hess, []float64{c.hess, c.hess * w}) {
				t.Errorf("%+v: grad %v, hess %v; want ±%v, %v", c.tr, grad, hess, c.grad, c.hess)
			}
		})
	}
}

// Queries without information have derivatives of 0, whatever the slices contained before.
func TestNothingToLearn(t *testing.T) {
	for _, labels := range [][]float64{{}, {1}, {2, 2, 2}, {0, 0}} {
		t.Run(fmt.Sprint(labels), func(t *testing.T) {
			for _, objective := range []Objective{NDCG, MAP, Pairwise} {
				t.Run(objective.String(), func(t *testing.T) {
					o, err := newObjective(with(Trainer{Objective: objective}), labeledSet(labels), 1)
					if err != nil {
						t.Fatal(err)
					}
					grad, hess := []float32{7, 7, 7}[:len(labels)], []float32{7, 7, 7}[:len(labels)]
					o.derivatives(t.Context(), 0, 0, 0, []float64{1, 2, 3}[:len(labels)], grad, hess)
					for i := range grad {
						if grad[i] != 0 || hess[i] != 0 {
							t.Errorf("grad %v, hess %v", grad, hess)
						}
					}
				})
			}
		})
	}
}

// Scores beyond the range of the exponential give finite derivatives.
func TestHugeScores(t *testing.T) {
	labels := []float64{0, 3, 1, 0, 2}
	for i, objective := range []Objective{NDCG, MAP, Pairwise, NDCG, MAP, Pairwise, XENDCG, ListNet, YetiRank, Binary} {
		t.Run(objective.String(), func(t *testing.T) {
			o, err := newObjective(with(Trainer{Objective: objective, NoNorm: i > 2}), labeledSet(labels), 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, scale := range []float64{1, 1e2, 1e4, 1e30, 1e38, 3e38, 1e300} {
				grad, hess := make([]float32, 5), make([]float32, 5)
				o.derivatives(t.Context(), 0, 0, 0, []float64{scale, -scale, 0, scale / 2, -scale / 3}, grad, hess)
				for i := range grad {
					if g, h := float64(grad[i]), float64(hess[i]); math.IsNaN(g) || math.IsInf(g, 0) || !(h >= 0) ||
						math.IsInf(h, 0) {
						t.Errorf("scores up to %v: grad %v, hess %v", scale, grad, hess)
					}
				}
			}
		})
	}
}

// For two documents with scores s and t, the softmax is the logistic function, and the series has a
// closed form.
func TestCrossEntropy(t *testing.T) {
	d := labeledSet([]float64{0, 2}, []float64{1})
	o, err := newObjective(with(Trainer{Objective: XENDCG, Seed: 5}), d, 1)
	if err != nil {
		t.Fatal(err)
	}
	grad, hess := make([]float32, 2), make([]float32, 2)
	draws := map[float32]bool{}
	mean := 0.0
	const trees = 2000
	for tree := range trees {
		o.derivatives(t.Context(), 0, tree, 0, []float64{0.5, 0}, grad, hess)
		draws[grad[0]] = true
		r := 1 / (1 + math.Exp(-0.5))
		// ρ−φ = ±l; each further term is ρᵢ times the other's l/(1−ρ), and so on.
		rho := [2]float64{r, 1 - r}
		if h := float64(hess[0]); math.Abs(h-r*(1-r)) > 1e-6 {
			t.Fatalf("Hessian %v, want %v", h, r*(1-r))
		}
		// grad₀ = l + ρ₀·(−l/(1−ρ₁)) + ρ₀·(ρ₁·l/(1−ρ₀)/(1−ρ₁)) = l·(1 − 1 + 1)
		l := float64(grad[0])
		phi := rho[0] - l
		mean += phi / trees
		if !(phi > -1e-6 && phi < 0.5) { // (1−γ₀)/(1−γ₀ + 4−γ₁) < 1/4 + γ₁'s part
			t.Fatalf("share of the irrelevant document is %v", phi)
		}
		if math.Abs(float64(grad[0]+grad[1])) > 1e-6 {
			t.Fatalf("gradients %v do not cancel", grad)
		}
	}
	if len(draws) < trees/2 {
		t.Errorf("%d different draws for %d trees", len(draws), trees)
	}
	if mean < 0.09 || mean > 0.16 { // E (1−γ₀)/(5−γ₀−γ₁) = 0.122
		t.Errorf("mean share %v", mean)
	}
	o.derivatives(t.Context(), 0, 0, 1, []float64{3}, grad[:1], hess[:1])
	if grad[0] != 0 || hess[0] != 0 {
		t.Errorf("one document: %v, %v", grad[0], hess[0])
	}
}

func TestObjectiveErrors(t *testing.T) {
	for _, c := range []struct {
		tr     Trainer
		labels []float64
		want   string
	}{
		{*DefaultTrainer(), []float64{0, -1}, "row 1: label -1"},
		{*DefaultTrainer(), []float64{63}, "row 0: label 63"},
		{*with(Trainer{Gains: []float64{0, 1}}), []float64{2}, "row 0: label 2 has no gain"},
		{*with(Trainer{Gains: []float64{0, 1}}), []float64{0.5}, "row 0: label 0.5 has no gain"},
		{*with(Trainer{Gains: []float64{0, math.NaN()}}), []float64{0}, "gain of label 1 is NaN"},
		{*with(Trainer{Sigmoid: -1}), []float64{0}, "Sigmoid is -1"},
		{*with(Trainer{Objective: Pairwise}), []float64{math.NaN()}, "row 0: the label is NaN"},
		{*with(Trainer{Objective: Binary}), []float64{1, math.Inf(1)}, "row 1: the label is +Inf"},
		{*with(Trainer{Objective: YetiRank, Permutations: -1}), []float64{0}, "Permutations is -1"},
		{*with(Trainer{Objective: YetiRank, Decay: 1.5}), []float64{0}, "Decay is 1.5"},
		{*with(Trainer{Objective: own{none: true}}), []float64{0}, "objective own: Begin returned no loss"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := newObjective(&c.tr, labeledSet(c.labels), 1)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("labels %v: error %v, want %q", c.labels, err, c.want)
			}
		})
	}
}

// The objectives compute bit-identical results everywhere: hashes of derivatives of seeded queries.
func TestObjectiveBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	labels, scores := make([]float64, 70), make([]float64, 70)
	for i := range labels {
		labels[i] = float64(max(0, rng.IntN(8)-3))
		scores[i] = float64(rng.IntN(4000)-2000) / 256
	}
	for objective, want := range map[Objective]uint64{NDCG: 0x764ca0c4799154d3, MAP: 0x1571658a5cb0172e,
		Pairwise: 0x3e19717e79b6dd66, XENDCG: 0xfab1edf30a124a7e, ListNet: 0x6fa7ae5ae26ce62e,
		YetiRank: 0xf89f50ce1c3bc3ab, QueryRMSE: 0x78620b1fcde2a427, Binary: 0x3bcd824d91cbcb54} {
		t.Run(objective.String(), func(t *testing.T) {
			o, err := newObjective(with(Trainer{Objective: objective}), labeledSet(labels), 1)
			if err != nil {
				t.Fatal(err)
			}
			grad, hess := make([]float32, len(labels)), make([]float32, len(labels))
			o.derivatives(t.Context(), 0, 3, 0, scores, grad, hess)
			h := uint64(14695981039346656037) // FNV-1a
			for _, v := range slices.Concat(grad, hess) {
				h = (h ^ uint64(math.Float32bits(v))) * 1099511628211
			}
			if h != want {
				t.Errorf("hash %#x, want %#x", h, want)
			}
		})
	}
}

// Random pairs: the mean over many trees equals the expectation. Each document is paired with one
// of the m documents with another label, so a pair has the weight 1/m for each of its documents.
func TestMeanPairs(t *testing.T) {
	labels := []float64{2, 0, 1, 0, 2, 0}
	scores := []float64{.5, 1.5, -1, .25, 3, -2}
	others := func(i int) (m float64) {
		for _, y := range labels {
			if y != labels[i] {
				m++
			}
		}
		return m
	}
	for _, c := range []Trainer{
		*with(Trainer{Objective: Pairwise, MeanPairs: 1, NoNorm: true}),
		*with(Trainer{Objective: Pairwise, MeanPairs: 3, Sigmoid: .5}),
		*with(Trainer{Objective: NDCG, MeanPairs: 1, Truncation: 2}),
		*with(Trainer{Objective: NDCG, MeanPairs: 4}),
		*with(Trainer{Objective: MAP, MeanPairs: 2}),
	} {
		t.Run(fmt.Sprint(c.Truncation, " ", c.MeanPairs), func(t *testing.T) {
			n := len(labels)
			wantG, wantH := make([]float64, n), make([]float64, n)
			for i := range n {
				for j := range i {
					// The contribution of one pair is the result of all pairs minus the result with
					// all others equal.
					g, h := onePair(&c, labels, scores, i, j)
					p := 1/others(i) + 1/others(j)
					if c.Objective == MAP && (labels[i] > 0) == (labels[j] > 0) {
						continue
					} else if c.Objective == MAP {
						p = 1./3 + 1./3 // three are relevant and three are not
					}
					if c.NoNorm {
						p *= float64(c.MeanPairs)
					}
					wantG[i], wantG[j] = wantG[i]+p*g, wantG[j]-p*g
					wantH[i], wantH[j] = wantH[i]+p*h, wantH[j]+p*h
				}
			}
			o, err := newObjective(&c, labeledSet(labels), 1)
			if err != nil {
				t.Fatal(err)
			}
			const trees = 6000
			meanG, meanH := make([]float64, n), make([]float64, n)
			grad, hess := make([]float32, n), make([]float32, n)
			for tree := range trees {
				o.derivatives(t.Context(), 0, tree, 0, scores, grad, hess)
				for i := range grad {
					meanG[i] += float64(grad[i]) / trees
					meanH[i] += float64(hess[i]) / trees
				}
			}
			for i := range meanG {
				if math.Abs(meanG[i]-wantG[i]) > .05*(math.Abs(wantG[i])+.05) ||
					math.Abs(meanH[i]-wantH[i]) > .05*(wantH[i]+.05) {
					t.Errorf("%+v, document %d: mean derivatives %v and %v, want %v and %v",
						c, i, meanG[i], meanH[i], wantG[i],
						wantH[i])
				}
			}
		})
	}
}

// onePair differentiates the pair of documents i and j with respect to the score of i.
func onePair(t *Trainer, labels, scores []float64, i, j int) (grad, hess float64) {
	if labels[i] == labels[j] {
		return 0, 0
	}
	order := byScore(scores)
	values := make([]float64, len(labels))
	for r, k := range order {
		values[r] = math.Exp2(labels[k]) - 1
		if t.Objective == MAP {
			values[r] = min(labels[k], 1)
		}
	}
	swapped := slices.Clone(values)
	a, b := slices.Index(order, i), slices.Index(order, j)
	swapped[a], swapped[b] = swapped[b], swapped[a]
	weight := 1.0
	switch t.Objective {
	case NDCG:
		best := slices.Sorted(slices.Values(values))
		slices.Reverse(best)
		weight = math.Abs(dcg(swapped, len(labels))-dcg(values, len(labels))) / dcg(best, len(labels))
	case MAP:
		weight = math.Abs(ap(swapped) - ap(values))
	}
	if !t.NoNorm {
		weight /= .01 + math.Abs(scores[i]-scores[j])
	}
	sigmoid := t.Sigmoid
	if sigmoid == 0 {
		sigmoid = 1
	}
	sign := 1.0
	if labels[i] > labels[j] {
		sign = -1
	}
	p := 1 / (1 + math.Exp(-sign*sigmoid*(scores[i]-scores[j])))
	return sign * sigmoid * weight * p, sigmoid * sigmoid * weight * p * (1 - p)
}

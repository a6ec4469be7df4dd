package lambdamart

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// clicked returns a copy of a dataset with positions and with clicks as labels. Documents with
// higher labels tend to be at the top. Clicks become rarer with the position.
func clicked(d *rank.Dataset, seed uint64) *rank.Dataset {
	rng := rand.New(rand.NewPCG(seed, 9))
	c := *d
	c.Labels, c.Positions = make([]float64, d.Rows()), make([]int32, d.Rows())
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		shown := make([]float64, hi-lo)
		for i := range shown {
			shown[i] = 2*d.Labels[lo+i] + float64(rng.IntN(8))
		}
		for r, i := range byScore(shown) {
			c.Positions[lo+i] = int32(r + 1)
			if rng.IntN(5*(r+2)) < 2*int(1+d.Labels[lo+i]) {
				c.Labels[lo+i] = 1
			}
		}
	}
	return &c
}

// A directSum contains the sums for the position factors of a tree, by the definitions.
type directSum struct{ grad, hess, plus, minus, rows map[int32]float64 }

// directly differentiates a dataset at the given scores by the definitions: pair by pair, where
// every delta is a difference of two measures.
func directly(t *Trainer, d *rank.Dataset, scores []float64, f *PositionFactors) (grad, hess []float64, sum directSum) {
	factor := func(list []float64, i int) float64 {
		if k := slices.Index(f.Position, d.Positions[i]); k >= 0 {
			return list[k]
		}
		return 1
	}
	sum = directSum{map[int32]float64{}, map[int32]float64{}, map[int32]float64{}, map[int32]float64{},
		map[int32]float64{}}
	grad, hess = make([]float64, d.Rows()), make([]float64, d.Rows())
	paired := make([]bool, d.Rows())
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		if t.PositionBias == additiveBias {
			shifted := make([]float64, hi-lo)
			for i := range shifted {
				shifted[i] = scores[lo+i] + factor(f.Bias, lo+i)
			}
			g, h := pairDerivatives(t, d.Labels[lo:hi], shifted)
			copy(grad[lo:], g)
			copy(hess[lo:], h)
			continue
		}
		order := byScore(scores[lo:hi])
		values := make([]float64, hi-lo)
		for r, i := range order {
			values[r] = d.Labels[lo+i]
		}
		best := slices.Sorted(slices.Values(values))
		slices.Reverse(best)
		if best[0] == best[len(best)-1] {
			continue
		}
		total := 0.0
		for i := range min(30, len(order)) {
			for j := i + 1; j < len(order); j++ {
				if values[i] == values[j] {
					continue
				}
				weight := swapped(t.Objective, values, i, j, dcg(best, 30))
				a, b := lo+order[i], lo+order[j]
				if scores[lo+order[0]] != scores[lo+order[len(order)-1]] {
					weight /= 0.01 + math.Abs(scores[a]-scores[b])
				}
				if d.Labels[a] < d.Labels[b] {
					a, b = b, a
				}
				loss := weight * math.Log1p(math.Exp(scores[b]-scores[a]))
				plus, minus := factor(f.Plus, a), factor(f.Minus, b)
				sum.plus[d.Positions[a]] += loss / minus
				sum.minus[d.Positions[b]] += loss / plus
				weight /= plus * minus
				p := 1 / (1 + math.Exp(scores[a]-scores[b]))
				grad[a] -= weight * p
				grad[b] += weight * p
				hess[a] += weight * p * (1 - p)
				hess[b] += weight * p * (1 - p)
				total += 2 * weight * p
			}
		}
		for i := lo; i < hi; i++ {
			grad[i] *= math.Log2(1+total) / total
			hess[i] *= math.Log2(1+total) / total
		}
		for i := lo; i < hi; i++ {
			paired[i] = true
		}
	}
	for i, p := range d.Positions {
		sum.grad[p] += grad[i]
		sum.hess[p] += hess[i]
		if paired[i] || t.PositionBias == additiveBias {
			sum.rows[p]++
		}
	}
	return grad, hess, sum
}

// next returns the factors after f.
func (s directSum) next(t *Trainer, f *PositionFactors) *PositionFactors {
	out := &PositionFactors{Position: f.Position}
	first := f.Position[0]
	for k, p := range f.Position {
		if t.PositionBias == additiveBias {
			step := (s.grad[p] + t.PositionL2*s.rows[p]*f.Bias[k]) / (s.hess[p] + t.PositionL2*s.rows[p] + 0.001)
			out.Bias = append(out.Bias, f.Bias[k]-0.1*step)
			continue
		}
		rows := s.rows[p] / s.rows[first]
		out.Plus = append(out.Plus, math.Pow(s.plus[p]/s.plus[first]/rows, 1/(1+t.PositionNorm)))
		out.Minus = append(out.Minus, math.Pow(s.minus[p]/s.minus[first]/rows, 1/(1+t.PositionNorm)))
	}
	return out
}

// apart returns the largest difference between factors.
func apart(a, b *PositionFactors) float64 {
	worst := 0.0
	for _, l := range [][2][]float64{{a.Bias, b.Bias}, {a.Plus, b.Plus}, {a.Minus, b.Minus}} {
		if len(l[0]) != len(l[1]) {
			return math.Inf(1)
		}
		for i := range l[0] {
			worst = max(worst, math.Abs(l[0][i]-l[1][i]))
		}
	}
	return worst
}

// Each tree's derivatives and factors follow the definitions, at the previous scores and factors.
func TestPositionsDirectly(t *testing.T) {
	d := clicked(synth.Ranking(40, 6, 3), 1)
	for _, o := range []Trainer{
		*with(Trainer{Objective: NDCG, PositionBias: additiveBias}),
		*with(Trainer{PositionBias: additiveBias, Objective: MAP, PositionL2: 0.02}),
		*with(Trainer{PositionBias: additiveBias, Objective: Pairwise, PositionL2: 0.5}),
		*with(Trainer{Objective: NDCG, PositionBias: pairwiseBias, PositionNorm: 1}),
		*with(Trainer{PositionBias: pairwiseBias, Objective: MAP, PositionNorm: 2}),
		*with(Trainer{PositionBias: pairwiseBias, Objective: Pairwise, PositionNorm: 0.5}),
	} {
		t.Run(fmt.Sprint(o.PositionL2, " ", o.PositionNorm), func(t *testing.T) {
			scores := make([]float64, d.Rows())
			var before *PositionFactors
			most := 3
			if testing.Short() {
				most = 2 // emulated
			}
			for trees := range most + 1 {
				if trees > 0 {
					o.Trees = trees
					r, err := o.Fit(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					_, _, sum := directly(&o, d, scores, before)
					want := sum.next(&o, before)
					if e := apart(r.Model.PositionFactors, want); !(e <= 1e-5) {
						t.Errorf("%v, %v: after %d trees factors %v, directly %v: %v apart", o.PositionBias,
							o.Objective, trees, r.Model.PositionFactors, want, e)
					}
					before = r.Model.PositionFactors
					if err := r.Model.ScoreInto(t.Context(), scores, d); err != nil {
						t.Fatal(err)
					}
				}
				m := &Model{}
				p, err := newPositions(&o, d, m, 1)
				if err != nil {
					t.Fatal(err)
				}
				if before == nil {
					before = m.PositionFactors
				}
				p.take(before)
				objective, err := newObjective(&o, d, 1)
				if err != nil {
					t.Fatal(err)
				}
				if o.PositionBias == pairwiseBias {
					objective.loss.(*pairs).positions = p
				}
				grad, hess, _ := directly(&o, d, scores, before)
				for q := range d.Queries() {
					lo, hi := d.Query(q)
					g, h := make([]float32, hi-lo), make([]float32, hi-lo)
					objective.derivatives(t.Context(), 0, 0, q, p.begin(0, lo, scores[lo:hi]), g, h)
					if far(g, grad[lo:hi]) || far(h, hess[lo:hi]) {
						t.Fatalf("%v, %v, %d trees, query %d:\n grad %v\nwant %v\n hess %v\nwant %v", o.PositionBias,
							o.Objective, trees, q, g, grad[lo:hi], h, hess[lo:hi])
					}
				}
			}
		})
	}
}

// Scores that are far apart use another code path for exponentials, with the same derivatives.
func TestPositionsFarScores(t *testing.T) {
	d := clicked(synth.Ranking(1, 4, 3), 2)
	o := *with(Trainer{Objective: NDCG, PositionBias: pairwiseBias, PositionNorm: 1})
	for _, spread := range []float64{1e3, 1e4, 1e300} {
		t.Run(fmt.Sprint(spread), func(t *testing.T) {
			m := &Model{}
			p, err := newPositions(&o, d, m, 1)
			if err != nil {
				t.Fatal(err)
			}
			objective, err := newObjective(&o, d, 1)
			if err != nil {
				t.Fatal(err)
			}
			objective.loss.(*pairs).positions = p
			n := d.Rows()
			scores, g, h := make([]float64, n), make([]float32, n), make([]float32, n)
			for i := range scores {
				scores[i] = float64(i*i%7-3) * spread / 7
			}
			objective.derivatives(t.Context(), 0, 0, 0, p.begin(0, 0, scores), g, h)
			if spread <= 1e4 {
				grad, hess, _ := directly(&o, d, scores, m.PositionFactors)
				if far(g, grad) || far(h, hess) {
					t.Errorf("grad %v, want %v; hess %v, want %v", g, grad, h, hess)
				}
			}
			for i := range g {
				if !finite(float64(g[i])) || !(h[i] >= 0) || !finite(p.loss[0][i]) || !finite(p.loss[1][i]) {
					t.Errorf("row %d: grad %v, hess %v, losses %v and %v", i, g[i], h[i],
						p.loss[0][i], p.loss[1][i])
				}
			}
		})
	}
}

// factorBits returns a hash of a model and its factors.
func factorBits(t *testing.T, m *Model) uint64 {
	t.Helper()
	h := fnv.New64a()
	f := m.PositionFactors
	for _, v := range []any{modelHash(t, m), f.Position, f.Bias, f.Plus, f.Minus} {
		if err := binary.Write(h, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return h.Sum64()
}

// The hashes are the same on every architecture.
func TestPositionsSameBits(t *testing.T) {
	d := clicked(synth.Ranking(60, 12, 1), 1)
	additive, pairwise := mixed, mixed
	additive.PositionBias, additive.PositionL2 = additiveBias, 0.1
	pairwise.PositionBias = pairwiseBias
	for _, c := range []struct {
		o    Trainer
		want uint64
	}{
		{additive, 0xe0288b77ed3ef802},
		{pairwise, 0x4a737d009dd948a3},
		{*with(Trainer{Trees: 4, PositionBias: additiveBias, Objective: XENDCG}), 0x46d3107ad61968fa},
		{*with(Trainer{Trees: 4, PositionBias: pairwiseBias, Objective: MAP, Truncation: 5, DepthWise: true}, "Leaves"),
			0xfccc2aacffa6e4c6},
	} {
		t.Run(fmt.Sprint(c.want), func(t *testing.T) {
			fitEverywhere(t, fmt.Sprint(c.o.PositionBias, ", ", c.o.Objective), c.o, d, []int{1, 2, 8},
				factorBits, c.want)
			o := c.o
			o.Categorical = nil
			dense, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			sparse, err := o.Fit(t.Context(), synth.SparseWithZeros(d))
			if err != nil {
				t.Fatal(err)
			}
			if factorBits(t, dense.Model) != factorBits(t, sparse.Model) {
				t.Errorf("%v, %v: sparse data give other bits", o.PositionBias, o.Objective)
			}
		})
	}
}

// Training that resumes from a file is bit-identical to uninterrupted training. Early stopping
// gives the same bits as training with the number of trees that it keeps.
func TestPositionsResume(t *testing.T) {
	d, valid := clicked(synth.Ranking(60, 8, 5), 1), synth.Ranking(30, 8, 6)
	for _, bias := range []string{additiveBias, pairwiseBias} {
		t.Run(bias, func(t *testing.T) {
			o := mixed
			o.PositionBias = bias
			whole, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			part := o
			part.Trees = 2
			r, err := part.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			file, err := r.Model.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			part.Start = &Model{}
			if err := part.Start.UnmarshalJSON(file); err != nil {
				t.Fatal(err)
			}
			part.Trees = o.Trees - 2
			if r, err = part.Fit(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			if factorBits(t, r.Model) != factorBits(t, whole.Model) {
				t.Errorf("resumed, the model has factors %v, at once %v", r.Model.PositionFactors,
					whole.Model.PositionFactors)
			}

			o.Trees, o.EarlyStopping = 60, 3
			o.Validation = []Validation{{Name: "valid", Data: valid}}
			stopped, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			if stopped.Stop != boost.StopEarly {
				t.Fatalf("training stopped for %v after %d trees", stopped.Stop, stopped.Grown)
			}
			again, err := o.Retrain(t.Context(), stopped, d)
			if err != nil {
				t.Fatal(err)
			}
			if factorBits(t, again.Model) != factorBits(t, stopped.Model) {
				t.Errorf("stopped early, the model has factors %v, retrained %v", stopped.Model.PositionFactors,
					again.Model.PositionFactors)
			}
		})
	}
}

// A query with weight 2 counts like two copies of it, and one with weight 0 is ignored. A document
// beyond Truncation has no pairwise factors.
func TestPositionsWeights(t *testing.T) {
	d := clicked(synth.Ranking(30, 5, 7), 1)
	d.QueryWeights = slices.Repeat([]float64{1}, d.Queries())
	d.QueryWeights[3], d.QueryWeights[7] = 2, 0
	var chosen []int
	for q, w := range d.QueryWeights {
		for range int(w) {
			chosen = append(chosen, q)
		}
	}
	copied, err := d.SubsetQueries(chosen)
	if err != nil {
		t.Fatal(err)
	}
	copied.QueryWeights = nil
	for q := range copied.QueryIDs {
		copied.QueryIDs[q] = fmt.Sprint(q)
	}
	for _, bias := range []string{additiveBias, pairwiseBias} {
		t.Run(bias, func(t *testing.T) {
			o := *with(Trainer{Trees: 1, PositionBias: bias, Truncation: 12})
			weighed, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			twice, err := o.Fit(t.Context(), copied)
			if err != nil {
				t.Fatal(err)
			}
			if e := apart(weighed.Model.PositionFactors, twice.Model.PositionFactors); !(e <= 1e-6) {
				t.Errorf("factors %v by weights, %v by copies", weighed.Model.PositionFactors,
					twice.Model.PositionFactors)
			}
			if n := len(weighed.Model.PositionFactors.Position); (n == 12) != (bias == pairwiseBias) {
				t.Errorf("%d positions have factors", n)
			}
		})
	}
}

// If lists have several lengths, factors reflect the effect of positions and not the number of
// lists that reach them. If users examine everything, t⁺ and t⁻ stay near 1, whichever documents
// are shown where.
func TestPositionsLengths(t *testing.T) {
	d := synth.Ranking(600, 4, 8)
	rng := rand.New(rand.NewPCG(8, 9))
	d.Positions = make([]int32, d.Rows())
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i, p := range rng.Perm(hi - lo) {
			d.Positions[lo+i], d.Labels[lo+i] = int32(p+1), 0
		}
		d.Labels[lo+rng.IntN(hi-lo)] = 1
	}
	r, err := with(Trainer{Trees: 3, PositionBias: pairwiseBias, NoNorm: true}, "PositionNorm").Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Model.PositionFactors
	for i, list := range [][]float64{f.Plus, f.Minus} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			head, tail := 0.0, 0.0
			for _, v := range list[:5] {
				head += v / 5
			}
			for _, v := range list[len(list)-10:] {
				tail += v / 10
			}
			if !(tail > head/2 && tail < 2*head) {
				t.Errorf("factors are %v at the first positions and %v at the last ones", head, tail)
			}
		})
	}
}

func TestPositionErrors(t *testing.T) {
	d := synth.Ranking(20, 4, 1)
	c := clicked(d, 1)
	plain, err := with(Trainer{Trees: 1}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	learnt, err := with(Trainer{Trees: 1, PositionBias: pairwiseBias}).Fit(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	far := *c
	far.Positions = slices.Repeat([]int32{31}, far.Rows())
	for _, f := range []struct {
		o    Trainer
		d    *rank.Dataset
		want string
	}{
		{*with(Trainer{PositionBias: pairwiseBias}), &far, "from the first 30 positions (Truncation), but no document was"},
		{*with(Trainer{PositionBias: additiveBias}), d, "requires document positions, which the data does not contain"},
		{*with(Trainer{PositionBias: "x"}), c, `position bias "x": must be one of none, additive, pairwise`},
		{*with(Trainer{PositionBias: additiveBias, PositionL2: -1}), c, "PositionL2 is -1"},
		{*with(Trainer{PositionBias: pairwiseBias, PositionNorm: math.NaN()}), c, "PositionNorm is NaN"},
		{*with(Trainer{PositionBias: pairwiseBias, Objective: XENDCG}), c, "such as ndcg, not xe-ndcg"},
		{*with(Trainer{PositionBias: additiveBias, Start: plain.Model}), c,
			"the position bias is additive, but the model to start from was trained with the position bias none"},
		{*with(Trainer{Start: learnt.Model}), c, "the position bias is none, but the model to start from was trained with the position bias pairwise"},
	} {
		t.Run(f.want, func(t *testing.T) {
			if _, err := f.o.Fit(t.Context(), f.d); err == nil || !strings.Contains(err.Error(), f.want) {
				t.Errorf("error %v, want %q", err, f.want)
			}
		})
	}
	for want, f := range map[string]*PositionFactors{
		"element 1 of Position is 3":                    {Position: []int32{3, 3}, Bias: []float64{0, 0}},
		"element 0 of Position is 0":                    {Position: []int32{0}, Bias: []float64{0}},
		"the number of bias factors is 1; it must be 2": {Position: []int32{1, 2}, Bias: []float64{0}},
		"plus factors is 1; it must be 0": {Position: []int32{1}, Bias: []float64{0},
			Plus: []float64{1}},
		"the number of minus factors is 0; it must be 1": {Position: []int32{1}, Plus: []float64{1}},
		"the plus factor of position 4 is -1": {Position: []int32{4}, Plus: []float64{-1},
			Minus: []float64{1}},
		"bias factor of position 4 is +Inf":           {Position: []int32{4}, Bias: []float64{math.Inf(1)}},
		"plus factors is 0; it must be 1 for 1 posit": {Position: []int32{1}},
	} {
		t.Run(want, func(t *testing.T) {
			m := stump()
			m.PositionFactors = f
			if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
}

// The factors after each tree are those of LightGBM 4.6's command; see
// bench/peers/lambdamart/positions.py. LightGBM uses a table for its sigmoid; simdrank rounds
// gradients to integers.
func TestPositionsLightGBM(t *testing.T) {
	file, err := os.Open("testdata/lightgbm/clicks.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d, err := data.Read(file, data.Options{Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Trainer{
		"plain":       *DefaultTrainer(),
		"regularized": *with(Trainer{PositionL2: 0.5, LearningRate: 0.2}),
		"all-pairs":   *with(Trainer{NoNorm: true, Truncation: 100}),
	} {
		t.Run(name, func(t *testing.T) {
			o.PositionBias, o.Leaves = additiveBias, 3
			for i, want := range testkit.ReadNumbers(t, "testdata/lightgbm/"+name+".txt") {
				o.Trees = i + 1
				r, err := o.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				got := r.Model.PositionFactors
				if e := apart(got, &PositionFactors{Bias: want}); !(e <= 1e-5) {
					t.Errorf("%d trees: factors %v, LightGBM's %v: %v apart", o.Trees, got.Bias, want, e)
				}
			}
		})
	}
}

func TestPropensities(t *testing.T) {
	log2 := math.Log(2)
	for _, c := range []struct {
		name string
		m    Model
		want string
	}{
		{"additive", Model{PositionFactors: &PositionFactors{Position: []int32{1, 2, 4},
			Bias: []float64{log2, 0, -log2}}, Settings: map[string]string{"position_norm": "1"}}, "[1 0.5 0 0.25]"},
		{"pairwise", Model{PositionFactors: &PositionFactors{Position: []int32{2, 3, 1 << 20},
			Plus: []float64{0.5, 0.25, 1}}}, "[0 1 0.5]"},
		{"norm", Model{PositionFactors: &PositionFactors{Position: []int32{1, 2, 3}, Plus: []float64{2, 1, 0}},
			Settings: map[string]string{"position_norm": "1"}}, "[1 0.25 0]"},
		{"first without clicks", Model{PositionFactors: &PositionFactors{Position: []int32{1, 2},
			Plus: []float64{0, 1}}}, "[0 0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.m.Propensities()
			for i := range got {
				got[i] = math.Round(got[i]*1e15) / 1e15
			}
			if err != nil || fmt.Sprint(got) != c.want {
				t.Errorf("%v, %v; want %s", got, err, c.want)
			}
		})
	}
	for want, m := range map[string]Model{
		"lambdamart: the model was trained without a position bias": {},
		`lambdamart: the setting position_norm is "x"; it must be a number that is not negative`: {
			PositionFactors: &PositionFactors{Position: []int32{1}, Plus: []float64{1}},
			Settings:        map[string]string{"position_norm": "x"}},
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := m.Propensities(); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

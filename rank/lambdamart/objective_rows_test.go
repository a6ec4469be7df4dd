package lambdamart

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// softmaxOf is the softmax by its definition.
func softmaxOf(x []float64) []float64 {
	p := make([]float64, len(x))
	sum := 0.0
	for i, v := range x {
		p[i] = math.Exp(v)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// The derivatives equal finite differences of the documented losses. Second derivatives are those
// of the formula if it exceeds the second derivative of the loss.
func TestDerivativesOfLosses(t *testing.T) {
	const sigmoid = 0.7
	losses := map[Builtin]func(labels, weights, scores []float64) float64{
		Binary: func(labels, weights, scores []float64) (loss float64) {
			for i, s := range scores {
				if labels[i] <= 0 {
					s = -s
				}
				loss += weights[i] * math.Log1p(math.Exp(-sigmoid*s))
			}
			return loss
		},
		Regression: func(labels, weights, scores []float64) (loss float64) {
			for i, s := range scores {
				loss += weights[i] * (s - labels[i]) * (s - labels[i]) / 2
			}
			return loss
		},
		QueryRMSE: func(labels, weights, scores []float64) (loss float64) {
			mean, sum := 0.0, 0.0
			for i, s := range scores {
				mean += weights[i] * (s - labels[i])
				sum += weights[i]
			}
			for i, s := range scores {
				r := s - labels[i] - mean/sum
				loss += weights[i] * r * r / 2
			}
			return loss
		},
		ListNet: func(labels, _, scores []float64) (loss float64) {
			want := softmaxOf(labels)
			for i, p := range softmaxOf(scores) {
				loss -= want[i] * math.Log(p)
			}
			return loss
		},
	}
	for objective, loss := range losses {
		t.Run(objective.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, 6)) // the same for any order of the map
			for range 20 {
				n := 2 + rng.IntN(20)
				labels, scores, weights := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range labels {
					labels[i], scores[i] = float64(rng.IntN(5)-1)/2, rng.NormFloat64()*2
					if weights[i] = 1; objective != ListNet {
						weights[i] = float64(1+rng.IntN(4)) / 2
					}
				}
				d := labeledSet(labels)
				d.QueryWeights = []float64{2}
				d.Weights = weights
				o, err := newObjective(with(Trainer{Objective: objective, Sigmoid: sigmoid}), d, 1)
				if err != nil {
					t.Fatal(err)
				}
				grad, hess := make([]float32, n), make([]float32, n)
				o.derivatives(t.Context(), 0, 0, 0, scores, grad, hess)
				for i := range scores {
					const h = 1e-4
					at := func(step float64) float64 {
						s := slices.Clone(scores)
						s[i] += step
						return 2 * loss(labels, weights, s)
					}
					first, second := (at(h)-at(-h))/(2*h), (at(h)-2*at(0)+at(-h))/(h*h)
					if objective == QueryRMSE {
						second = 2 * weights[i]
					}
					if math.Abs(float64(grad[i])-first) > 1e-5*(1+math.Abs(first)) ||
						math.Abs(float64(hess[i])-second) > 1e-4*(1+second) {
						t.Fatalf("document %d of %d: %v and %v, want %v and %v", i, n, grad[i], hess[i],
							first, second)
					}
				}
			}
		})
	}
}

// The initial score minimizes the loss of a constant score, so the derivatives sum to 0.
func TestInitialScores(t *testing.T) {
	d := labeledSet([]float64{0, 2, 1}, []float64{0, 0}, []float64{3})
	for i, c := range []struct {
		objective     Objective
		rows, query   []float64
		sigmoid, want float64
	}{
		{Regression, nil, nil, 0, 1},
		{Regression, []float64{1, 2, 1, 0, 0, 0}, nil, 0, 1.25},
		{Regression, nil, []float64{1, 0, 2}, 0, 9. / 5},
		{Binary, nil, nil, 0, 0},
		{Binary, []float64{1, 3, 3, 1, 1, 3}, nil, 0, math.Log(3)},
		{Binary, []float64{1, 3, 3, 1, 1, 3}, nil, 2, math.Log(3) / 2},
		{Binary, nil, []float64{0, 1, 0}, 0, math.Log(1e-15)},
		{Binary, nil, []float64{0, 0, 1}, 0, math.Log(1e15)},
		{QueryRMSE, nil, nil, 0, 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d.Weights, d.QueryWeights = c.rows, c.query
			o, err := newObjective(with(Trainer{Objective: c.objective, Sigmoid: c.sigmoid}), d, 1)
			if err != nil || math.Abs(o.bias-c.want) > 1e-12 {
				t.Errorf("%v, weights %v and %v: %v, want %v; %v", c.objective, c.rows, c.query, o.bias, c.want, err)
			}
		})
	}
}

// yetiDerivatives follows the definition: it adds pairs of neighbors one after the other.
func yetiDerivatives(t *Trainer, query uint64, tree int, labels, scores []float64) (grad, hess []float64) {
	n := len(labels)
	grad, hess = make([]float64, n), make([]float64, n)
	random := rand.NewPCG(t.Seed+uint64(tree), query)
	for range t.Permutations {
		noisy := make([]float64, n)
		for i, s := range scores {
			u := (float64(random.Uint64()>>12) + 0.5) / (1 << 52)
			noisy[i] = s + math.Log(u) - math.Log1p(-u)
		}
		order := byScore(noisy)
		for k := range n - 1 {
			a, b := order[k], order[k+1]
			if labels[a] < labels[b] {
				a, b = b, a
			}
			w := 0.15 / float64(t.Permutations) * math.Pow(t.Decay, float64(k)) * (labels[a] - labels[b])
			p := 1 / (1 + math.Exp(scores[a]-scores[b]))
			grad[a] -= w * p
			grad[b] += w * p
			hess[a] += w * p * (1 - p)
			hess[b] += w * p * (1 - p)
		}
	}
	return grad, hess
}

func TestYetiRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for try := range 100 {
		n := 2 + rng.IntN(40)
		labels, scores := make([]float64, n), make([]float64, n)
		for i := range labels {
			labels[i], scores[i] = float64(rng.IntN(5)), rng.NormFloat64()*3
		}
		tr := with(Trainer{Objective: YetiRank, Seed: uint64(try), Permutations: 1 + rng.IntN(12),
			Decay: []float64{.5, .85, 1}[rng.IntN(3)]})
		o, err := newObjective(tr, labeledSet([]float64{1, 2}, labels), 1)
		if err != nil {
			t.Fatal(err)
		}
		grad, hess := make([]float32, n), make([]float32, n)
		o.derivatives(t.Context(), 0, 3, 1, scores, grad, hess)
		wantG, wantH := yetiDerivatives(tr, 1, 3, labels, scores)
		if far(grad, wantG) || far(hess, wantH) {
			t.Fatalf("%+v\nlabels %v\nscores %v\n  grad %v\n  want %v\n  hess %v\n  want %v", tr, labels, scores, grad,
				wantG, hess, wantH)
		}
	}
	// Of three documents with equal scores, each pair has the ranks 1 and 2 in a third of the
	// permutations, and the ranks 2 and 3 in another third.
	o, err := newObjective(with(Trainer{Objective: YetiRank, Seed: 1, Decay: .5}), labeledSet([]float64{0, 1, 3}), 1)
	if err != nil {
		t.Fatal(err)
	}
	const trees = 4000
	grad, hess, mean := make([]float32, 3), make([]float32, 3), make([]float64, 3)
	for tree := range trees {
		o.derivatives(t.Context(), 0, tree, 0, []float64{1, 1, 1}, grad, hess)
		for i, g := range grad {
			mean[i] += float64(g) / trees
		}
	}
	for i, want := range []float64{1 + 3, -1 + 2, -3 - 2} { // differences of labels
		if want *= yetiWeight * (1. / 3) * (1 + .5) / 2; math.Abs(mean[i]-want) > 0.02*.15 {
			t.Errorf("document %d: mean gradient %v, want %v", i, mean[i], want)
		}
	}
}

// own is a custom objective, with a function that Derivatives calls at the end.
type own struct {
	QueryLoss
	begin error
	none  bool // no loss
	spoil func(q Query, grad, hess []float32)
}

func (o own) String() string { return "own" }

func (o own) Begin(t *Trainer, d *rank.Dataset) (QueryLoss, float64, error) {
	loss, bias, err := Regression.Begin(t, d)
	if o.begin != nil {
		err = o.begin
	}
	if o.none {
		return nil, bias, err
	}
	o.QueryLoss = loss
	return o, bias, err
}

func (o own) Derivatives(q Query, grad, hess []float32) {
	o.QueryLoss.Derivatives(q, grad, hess)
	if o.spoil != nil {
		o.spoil(q, grad, hess)
	}
}

// A custom objective trains like the built-in one that it wraps. Its mistakes are errors that name
// the query and the row.
func TestOwnObjective(t *testing.T) {
	d := synth.Ranking(40, 6, 2)
	d.Weights = make([]float64, d.Rows())
	for i := range d.Weights {
		d.Weights[i] = float64(i % 3)
	}
	want, err := with(Trainer{Trees: 5, Objective: Regression}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	fit := func(t *testing.T, o own) (*Result, error) {
		return with(Trainer{Trees: 5, Objective: o, Threads: 3}).Fit(t.Context(), d)
	}
	got, err := fit(t, own{})
	if err != nil || modelHash(t, got.Model) != modelHash(t, want.Model) || got.Model.Bias != want.Model.Bias ||
		got.Model.Bias == 0 {
		t.Errorf("%v, bias %v and %v", err, got.Model.Bias, want.Model.Bias)
	}
	d.File = "a.txt"
	d.SetLine(0, 1)
	lo, _ := d.Query(7)
	spoil := func(tree int, g, h float32) own {
		return own{spoil: func(q Query, grad, hess []float32) {
			if q.Index == 7 && int(q.Seed[0]) == tree && q.Row == lo {
				grad[2], hess[2] = g, h
			}
		}}
	}
	inf := float32(math.Inf(1))
	at := fmt.Sprintf("lambdamart: a.txt:%d: query q7: the objective own returned the derivatives ", lo+3)
	for _, c := range []struct {
		o    own
		want string
	}{
		{own{begin: errors.New("no luck")}, "lambdamart: objective own: no luck"},
		{spoil(0, nan, 1), at + "NaN and 1 for tree 1: both must be finite and the second must not be negative"},
		{spoil(2, 1, nan), at + "1 and NaN for tree 3: both must be finite and the second must not be negative"},
		{spoil(1, -inf, 1), at + "-Inf and 1 for tree 2: both must be finite and the second must not be negative"},
		{spoil(1, 1, -.5), at + "1 and -0.5 for tree 2: both must be finite and the second must not be negative"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if r, err := fit(t, c.o); err == nil || err.Error() != c.want || r != nil {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestHugeLabels: weighted labels that overflow float64 are an error.
func TestHugeLabels(t *testing.T) {
	huge := labeledSet([]float64{1e308, 1e308})
	huge.Weights = []float64{10, 10}
	const want = "lambdamart: objective regression: the initial score is +Inf; it must be finite"
	regression := with(Trainer{Objective: Regression, DepthWise: true}, "Leaves")
	if _, err := newObjective(regression, huge, 1); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Other libraries grow the same trees with the same objectives;
// bench/peers/lambdamart/objectives.py writes the files. XGBoost uses float32 gradients.
func TestObjectivesOfPeers(t *testing.T) {
	const dir = "testdata/objectives/"
	rows := testkit.ReadNumbers(t, dir+"train.txt")
	d := rank.NewDataset(len(rows), 4)
	d.Weights = make([]float64, len(rows))
	for i, r := range rows {
		d.Labels[i], d.Weights[i] = r[0], r[1]
		for j, v := range r[2:] {
			d.Row(i)[j] = float32(v)
		}
		if i%10 == 0 {
			d.Offsets, d.QueryIDs = append(d.Offsets[:len(d.QueryIDs)], i), append(d.QueryIDs, fmt.Sprint(i))
		}
	}
	d.Offsets = append(d.Offsets[:len(d.QueryIDs)], len(rows))
	for _, objective := range []Builtin{Binary, Regression} {
		t.Run(objective.String(), func(t *testing.T) {
			for _, peer := range []string{"xgboost", "lightgbm"} {
				t.Run(peer, func(t *testing.T) {
					o := *with(Trainer{Objective: objective, Trees: 3, LearningRate: .3, L2: 1, MinRows: 1,
						MinHessian: 1, Leaves: 8,
						DepthWise: true, Depth: 3})
					if peer == "lightgbm" {
						o.DepthWise, o.Depth, o.Leaves, o.Sigmoid = false, 0, 4, .7
					}
					r, err := o.Fit(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					for i, want := range testkit.ReadNumbers(t, fmt.Sprintf("%s%s-%v.txt", dir, peer, objective)) {
						if got := r.Model.Score(d.Row(i)); math.Abs(got-want[0]) > 2e-6*(1+math.Abs(want[0])) {
							t.Errorf("row %d scores %v, want %v", i, got, want[0])
							break
						}
					}
				})
			}
		})
	}
	// Random pairs, averaged over many samples. XGBoost doubles second derivatives.
	var labels, scores []float64
	golden := testkit.ReadNumbers(t, dir+"xgboost-mean-pairs.txt")
	for _, r := range golden {
		labels, scores = append(labels, r[0]), append(scores, r[1])
	}
	o, err := newObjective(with(Trainer{MeanPairs: 1, NoNorm: true}), labeledSet(labels), 1)
	if err != nil {
		t.Fatal(err)
	}
	const trees = 20000
	grad, hess := make([]float32, len(labels)), make([]float32, len(labels))
	mean := make([][2]float64, len(labels))
	for tree := range trees {
		o.derivatives(t.Context(), 0, tree, 0, scores, grad, hess)
		for i := range mean {
			mean[i][0] += float64(grad[i]) / trees
			mean[i][1] += 2 * float64(hess[i]) / trees
		}
	}
	for i, m := range mean {
		if math.Abs(m[0]-golden[i][2]) > .03*math.Abs(golden[i][2])+2e-4 ||
			math.Abs(m[1]-golden[i][3]) > .03*golden[i][3] {
			t.Errorf("document %d: mean derivatives %v, XGBoost's %v", i, m, golden[i][2:])
		}
	}
}

// A resumed training is bit-identical to uninterrupted training: random choices depend on the
// number of the tree, and scores begin with those of the model.
func TestObjectivesResume(t *testing.T) {
	d := synth.Ranking(40, 6, 4)
	for _, o := range []Trainer{*with(Trainer{Objective: Binary, Sigmoid: 2}), *with(Trainer{Objective: Regression}),
		*with(Trainer{Objective: YetiRank, Seed: 3}), *with(Trainer{MeanPairs: 2, Seed: 3})} {
		t.Run(fmt.Sprint(o.Sigmoid, " ", o.MeanPairs, " ", o.Seed), func(t *testing.T) {
			o.Leaves, o.Trees = 6, 5
			want, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			o.Trees = 2
			half, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			o.Start, o.Trees = half.Model, 3
			got, err := o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			if modelHash(t, got.Model) != modelHash(t, want.Model) || got.Model.Sigmoid != want.Model.Sigmoid {
				t.Errorf("%v: resumed training differs", o.Objective)
			}
		})
	}
}

// A log-loss model predicts probabilities.
func TestProbabilities(t *testing.T) {
	d := synth.Ranking(30, 5, 3)
	for _, sigmoid := range []float64{1, .5} {
		t.Run(fmt.Sprint(sigmoid), func(t *testing.T) {
			r, err := with(Trainer{Trees: 4, Objective: Binary, Sigmoid: sigmoid}).Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			scores := make([]float64, d.Rows())
			if err := r.Model.ScoreInto(t.Context(), scores, d); err != nil {
				t.Fatal(err)
			}
			want := make([]float64, len(scores))
			relevant, mean := 0.0, 0.0
			for i, s := range scores {
				want[i] = 1 / (1 + math.Exp(-sigmoid*s))
				mean += want[i]
				relevant += min(d.Labels[i], 1)
			}
			if math.Abs(mean-relevant) > .02*relevant {
				t.Errorf("%v relevant documents, probabilities sum to %v", relevant, mean)
			}
			if err := r.Model.Probabilities(scores); err != nil {
				t.Fatal(err)
			}
			for i, got := range scores {
				if math.Abs(got-want[i]) > 1e-6 {
					t.Fatalf("document %d is relevant with probability %v, want %v", i, got, want[i])
				}
			}
		})
	}
	if err := (&Model{}).Probabilities(nil); err == nil {
		t.Error("probabilities of a model of other scores")
	}
	if err := (&Model{Sigmoid: -1}).Validate(); err == nil || !strings.Contains(err.Error(), "sigmoid is -1") {
		t.Errorf("a negative sigmoid: %v", err)
	}
}

package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
)

// Leaf values follow the formula, with derivatives at the scores of the earlier trees.
func TestRefitByHand(t *testing.T) {
	start, d := synth.Ranking(60, 8, 1), synth.Ranking(40, 8, 2)
	fit, err := with(Trainer{Trees: 5, Leaves: 9, Categorical: []int{3}, ZeroMissing: true}).Fit(t.Context(), start)
	if err != nil {
		t.Fatal(err)
	}
	m := *fit.Model
	m.Bias, m.Calibration = .25, &rank.Calibration{Slope: 1}
	for _, c := range []struct {
		o     Trainer
		decay float64
	}{
		{*DefaultTrainer(), .9},
		{*with(Trainer{LearningRate: .5, L1: .3, L2: 2, Threads: 3, RowFraction: .5}), 0},
		{*with(Trainer{Objective: XENDCG, Seed: 4, MaxDeltaStep: .2}), .4},
		{*with(Trainer{Objective: Pairwise, MaxDeltaStep: 1}), 1},
	} {
		t.Run(fmt.Sprint(c.decay), func(t *testing.T) {
			got, err := c.o.Refit(t.Context(), &m, d, c.decay)
			if err != nil {
				t.Fatal(err)
			}
			if err := got.Validate(); err != nil {
				t.Fatal(err)
			}
			if got.Calibration != nil {
				t.Error("the calibration of the old scores is kept")
			}
			o, err := c.o.filled(d)
			if err != nil {
				t.Fatal(err)
			}
			loss, err := newObjective(o, d, 1)
			if err != nil {
				t.Fatal(err)
			}
			scores := make([]float64, d.Rows())
			for i := range scores {
				scores[i] = .25
			}
			for i := range m.Trees {
				tree := &m.Trees[i]
				grads, hesses := make([]float64, len(tree.Leaf)), make([]float64, len(tree.Leaf))
				for q := range d.Queries() {
					lo, hi := d.Query(q)
					grad, hess := make([]float32, hi-lo), make([]float32, hi-lo)
					loss.derivatives(t.Context(), 0, i, q, scores[lo:hi], grad, hess)
					for k := range grad {
						l := tree.leafOf(d.Row(lo + k))
						grads[l] += float64(grad[k])
						hesses[l] += float64(hess[k])
					}
				}
				for l, old := range tree.Leaf {
					best := 0.0
					if hesses[l] > 0 {
						best = -math.Copysign(max(math.Abs(grads[l])-o.L1, 0), grads[l]) / (hesses[l] + o.L2)
					}
					if c.o.MaxDeltaStep > 0 {
						best = min(max(best, -c.o.MaxDeltaStep), c.o.MaxDeltaStep)
					}
					want := c.decay*old + (1-c.decay)*o.LearningRate*best
					if v := got.Trees[i].Leaf[l]; math.Abs(v-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("%+v: leaf %d of tree %d is %v, want %v", c.o, l, i, v, want)
					}
				}
				for r := range scores {
					scores[r] += got.Trees[i].Leaf[tree.leafOf(d.Row(r))]
				}
			}
		})
	}
}

// The hashes are the same on every architecture, for dense and sparse data. The model is not
// modified.
func TestRefitSameBits(t *testing.T) {
	d := synth.Ranking(50, 8, 2)
	fit, err := with(Trainer{Trees: 4, Leaves: 9}).Fit(t.Context(), synth.Ranking(60, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	before := modelHash(t, fit.Model)
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			for _, threads := range []int{1, 2, 8} {
				for _, d := range []*rank.Dataset{d, synth.SparseWithZeros(d)} {
					o := *with(Trainer{L2: 1, Threads: threads})
					restore := cpu.Force(tier)
					m, err := o.Refit(t.Context(), fit.Model, d, .3)
					restore()
					if err != nil {
						t.Fatal(err)
					}
					if got, want := modelHash(t, m), uint64(0xfe2f679dc15f558d); got != want {
						t.Errorf("%d threads: hash %#x, want %#x", threads, got, want)
					}
				}
			}
		})
	}
	if modelHash(t, fit.Model) != before {
		t.Error("the model was changed")
	}
}

func TestRefitRefuses(t *testing.T) {
	d := synth.Ranking(20, 8, 2)
	fit, err := with(Trainer{Trees: 2, Leaves: 4}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	named := synth.Ranking(20, 8, 2)
	named.Names = strings.Split("abcdefgh", "")
	of := *fit.Model
	of.FeatureNames = strings.Split("abcdxfgh", "")
	binary := *fit.Model
	binary.Sigmoid = .5
	if got, err := with(Trainer{Objective: Binary, Sigmoid: .5}).Refit(t.Context(), &binary, d, .5); err != nil ||
		got.Sigmoid != .5 {
		t.Errorf("a model of log loss: %v", err)
	}
	broken := Model{NumFeatures: 8, Trees: []Tree{{}}}
	for _, c := range []struct {
		want  string
		o     Trainer
		m     *Model
		d     *rank.Dataset
		decay float64
	}{
		{"the decay is NaN; it must be from 0 to 1", *DefaultTrainer(), fit.Model, d, math.NaN()},
		{"the decay is 1.5; it must be from 0 to 1", *DefaultTrainer(), fit.Model, d, 1.5},
		{"Monotone", *with(Trainer{Monotone: []int8{1}}), fit.Model, d, .5},
		{"PositionBias", *with(Trainer{PositionBias: additiveBias}), fit.Model, d, .5},
		{"the model to refit has 8 features, but the", *DefaultTrainer(), fit.Model, synth.Ranking(20, 5, 1), .5},
		{`feature 4 is "e" in the data and "x" in the model to refit`, *DefaultTrainer(), &of, named, .5},
		{"tree 0", *DefaultTrainer(), &broken, d, .5},
		{"requires the objective binary and", *DefaultTrainer(), &binary, d, .5},
		{"requires the objective binary and", *with(Trainer{Objective: Binary}), &binary, d, .5},
		{"LearningRate is -1", *with(Trainer{LearningRate: -1}), fit.Model, d, .5},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := c.o.Refit(t.Context(), c.m, c.d, c.decay); err == nil ||
				!strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "lambdamart: ") {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DefaultTrainer().Refit(ctx, fit.Model, d, .5); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

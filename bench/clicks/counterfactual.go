package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/counterfactual"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

const (
	shown    = 10 // documents of a session
	features = 4
	metrics  = "dcg@5,average-rank"

	exactSessions = 400_000 // sessions from which the true values are computed
)

// A clickLog contains sessions with relevances that are known. A document has one random feature
// for each logging ranker, which is higher for relevant documents. The new ranker sorts by the sum
// of the features.
type clickLog struct {
	data       *rank.Dataset
	scores     []float64 // of the new ranker
	relevances []float64 // probability of a click on an examined document
}

// newLog returns sessions of users who examine position k with probability 1/k^η.
func newLog(sessions int, propensities []float64, random *num.SplitMix) *clickLog {
	l := &clickLog{data: rank.NewDataset(sessions*shown, features)}
	d := l.data
	d.Offsets, d.Positions = []int{0}, make([]int32, d.Rows())
	l.scores, l.relevances = make([]float64, d.Rows()), make([]float64, d.Rows())
	for s := range sessions {
		ranker := random.Below(features) // each session shows the ranking by one feature
		lo := s * shown
		order := make([]int, shown)
		for k := range order {
			i := lo + k
			order[k], l.relevances[i] = i, 0.03
			relevant := float64(0)
			if random.Float64() < 0.3 {
				relevant, l.relevances[i] = 1, 0.3
			}
			for j := range d.Row(i) {
				x := float32(random.Float64() + float64(0.5*relevant))
				d.Row(i)[j] = x
				l.scores[i] += float64(x)
			}
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(d.Row(b)[ranker], d.Row(a)[ranker]) })
		for k, i := range order {
			d.Positions[i] = int32(k + 1)
			if random.Float64() < float64(propensities[k]*l.relevances[i]) {
				d.Labels[i] = 1
			}
		}
		d.Offsets, d.QueryIDs = append(d.Offsets, lo+shown), append(d.QueryIDs, strconv.Itoa(s))
	}
	return l
}

// examined returns the propensities 1/k^η.
func examined(eta float64) []float64 {
	p := make([]float64, shown)
	for k := range p {
		p[k] = num.Exp2(float64(-eta * num.Log2(float64(k+1))))
	}
	return p
}

// truth returns the true values in the order of the estimates. They do not depend on clicks.
func truth(ctx context.Context, seed uint64) ([]float64, error) {
	random := num.SplitMix(num.Mix(seed))
	var sums [2]num.ExactMean // of Σ λ·relevance, by metric
	var relevance num.ExactMean
	for range exactSessions / 1000 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := newLog(1000, examined(1), &random)
		for q := range l.data.Queries() {
			lo, hi := l.data.Query(q)
			order := make([]int, 0, shown)
			for i := lo; i < hi; i++ {
				order = append(order, i)
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(l.scores[b], l.scores[a]) })
			dcg, ranks, all := 0.0, 0.0, 0.0
			for r, i := range order {
				if r < 5 {
					dcg += l.relevances[i] / num.Log2(float64(r+2))
				}
				ranks += float64(l.relevances[i] * float64(r+1))
				all += l.relevances[i]
			}
			sums[0].Add([]float64{dcg}, nil, false)
			sums[1].Add([]float64{ranks}, nil, false)
			relevance.Add([]float64{all}, nil, false)
		}
	}
	return []float64{sums[0].Value(), sums[0].Value() / relevance.Value(), sums[1].Value(),
		sums[1].Value() / relevance.Value()}, nil
}

// counterfactuals prints estimates with known propensities next to the true values.
func counterfactuals(ctx context.Context, repetitions int, seed uint64) error {
	values, err := truth(ctx, seed)
	if err != nil {
		return err
	}
	fmt.Println("\n| η | sessions | max weight | effective clicks | metric | estimator | true | mean |" +
		" standard deviation | mean standard error | coverage |\n|---|---|---|---|---|---|---|---|---|---|---|")
	for _, of := range []struct {
		eta      float64
		sessions int
		limit    float64
		name     string
	}{{0.5, 2000, 0, "none"}, {1, 2000, 0, "none"}, {1, 2000, 5, "5"}, {1, 500, 0, "none"}} {
		all, errors := make([]*counterfactual.Results, repetitions), make([]error, repetitions)
		err := parallel.For(ctx, parallel.Threads(0), repetitions, func(_, i int) {
			random := num.SplitMix(num.Mix(seed<<32 + uint64(i)))
			l := newLog(of.sessions, examined(of.eta), &random)
			all[i], errors[i] = counterfactual.Evaluate(ctx, l.scores, l.data, metrics,
				counterfactual.Options{Propensities: examined(of.eta), MaxWeight: of.limit})
		})
		if err := cmp.Or(err, cmp.Or(errors...)); err != nil {
			return err
		}
		printEstimates(all, values, fmt.Sprintf("| %v | %d | %s |", of.eta, of.sessions, of.name))
	}
	return nil
}

// printEstimates prints a row for each estimate.
func printEstimates(all []*counterfactual.Results, values []float64, begin string) {
	n := float64(len(all))
	effective := 0.0
	for _, r := range all {
		effective += r.EffectiveClicks / n
	}
	for k, e := range all[0].Estimates {
		var mean, errors, squares float64
		covered := 0
		for _, r := range all {
			mean += r.Estimates[k].Value / n
			errors += r.Estimates[k].StandardError / n
			if r.Estimates[k].Low <= values[k] && values[k] <= r.Estimates[k].High {
				covered++
			}
		}
		for _, r := range all {
			squares += float64((r.Estimates[k].Value - mean) * (r.Estimates[k].Value - mean))
		}
		fmt.Printf("%s %.0f | %s | %s | %.4f | %.4f | %.4f | %.4f | %.1f%% |\n", begin, effective, e.Metric,
			e.Estimator, values[k], mean, math.Sqrt(squares/(n-1)), errors, 100*float64(covered)/n)
	}
}

// learnedLogs is the number of click logs from which propensities are learned, and learnedSessions
// is the number of sessions in each.
const learnedLogs, learnedSessions = 5, 20_000

// learned prints propensities that LambdaMART has learned, and estimates with these propensities.
func learned(ctx context.Context, _ int, seed uint64) error {
	values, err := truth(ctx, seed)
	if err != nil {
		return err
	}
	fmt.Println("\n| propensities | position 2 | 5 | 10 | dcg@5 ips | snips | average-rank ips | snips |\n" +
		"|---|---|---|---|---|---|---|---|")
	p := examined(1)
	fmt.Printf("| true | %.3f | %.3f | %.3f | %.4f | %.4f | %.3f | %.3f |\n", p[1], p[4], p[9], values[0], values[1],
		values[2], values[3])
	for _, way := range []struct {
		name, bias string
		norm       float64
	}{{"additive", "additive", 0}, {"pairwise, norm 0", "pairwise", 0}, {"pairwise, norm 1", "pairwise", 1}} {
		var sums [7]float64
		for i := range learnedLogs {
			random := num.SplitMix(num.Mix(seed<<32 + uint64(i)))
			l := newLog(learnedSessions, examined(1), &random)
			t := lambdamart.DefaultTrainer()
			t.PositionBias, t.PositionNorm, t.NoNorm = way.bias, way.norm, true
			t.Trees, t.Leaves, t.MinRows = 100, 8, 500
			r, err := t.Fit(ctx, l.data)
			if err != nil {
				return err
			}
			t.Start = &lambdamart.Model{NumFeatures: features, PositionFactors: r.Model.PositionFactors}
			if r, err = t.Fit(ctx, l.data); err != nil {
				return err
			}
			p, err := r.Model.Propensities()
			if err != nil {
				return err
			}
			e, err := counterfactual.Evaluate(ctx, l.scores, l.data, metrics, counterfactual.Options{Propensities: p})
			if err != nil {
				return err
			}
			row := []float64{p[1], p[4], p[9]}
			for _, of := range e.Estimates {
				row = append(row, of.Value)
			}
			for k, v := range row {
				sums[k] += v / learnedLogs
			}
		}
		fmt.Printf("| %s | %.3f | %.3f | %.3f | %.4f | %.4f | %.3f | %.3f |\n", way.name, sums[0], sums[1], sums[2],
			sums[3], sums[4], sums[5], sums[6])
	}
	return nil
}

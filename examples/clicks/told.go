package main

import (
	"fmt"
	"math"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// examination is η. As an objective, it is LambdaRank on clicks. The weight of each pair is divided
// by the probability that the user examined the position of the clicked document. This is the
// pairwise correction with the true factors.
type examination float64

// at returns the probability that a user examines a position. Positions start at 1.
func (eta examination) at(position int32) float64 {
	return math.Exp2(-float64(float64(eta) * math.Log2(float64(position))))
}

func (eta examination) String() string {
	return fmt.Sprintf("lambdarank, users examine k with 1/k^%v", float64(eta))
}

func (eta examination) Begin(_ *lambdamart.Trainer, d *rank.Dataset) (lambdamart.QueryLoss, float64, error) {
	longest := 0
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		longest = max(longest, hi-lo)
	}
	l := &examinationLoss{positions: d.Positions}
	for k := range longest {
		l.discount = append(l.discount, 1/math.Log2(float64(k+2)))
		l.weight = append(l.weight, 1/eta.at(int32(k+1)))
	}
	return l, 0, nil
}

type examinationLoss struct {
	positions []int32
	discount  []float64 // by rank
	weight    []float64 // by position
}

func (l *examinationLoss) Derivatives(q lambdamart.Query, grad, hess []float32) {
	g, h := make([]float64, len(grad)), make([]float64, len(grad))
	ranks := make([]int, len(grad))
	ideal, clicks := 0.0, 0
	for r, i := range kernels.AppendOrder(nil, q.Scores, nil) {
		ranks[i] = r
		if q.Labels[i] > 0 {
			ideal += l.discount[clicks]
			clicks++
		}
	}
	for i := range g {
		if q.Labels[i] == 0 {
			continue
		}
		weight := l.weight[l.positions[q.Row+i]-1] / ideal
		for j := range g {
			if q.Labels[j] > 0 {
				continue
			}
			w := weight * math.Abs(l.discount[ranks[i]]-l.discount[ranks[j]])
			p := 1 / (1 + math.Exp(q.Scores[i]-q.Scores[j])) // probability of the wrong order
			lambda := float64(w * p)
			g[i] -= lambda
			g[j] += lambda
			second := float64(lambda * (1 - p))
			h[i] += second
			h[j] += second
		}
	}
	for i := range g {
		grad[i], hess[i] = float32(g[i]), float32(h[i])
	}
}

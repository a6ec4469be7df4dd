package lambdamart

import (
	"context"
	"errors"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// A canceled training also ends while the derivatives of one long query are computed.
func TestEndWithinQuery(t *testing.T) {
	testkit.SkipShort64(t)
	for name, c := range map[string]struct {
		rows int
		set  func(o *Trainer)
	}{
		"mean pairs":   {100, func(o *Trainer) { o.MeanPairs = 1e9 }},
		"permutations": {100, func(o *Trainer) { o.Objective, o.Permutations = YetiRank, 1e9 }},
		"all pairs":    {300_000, func(o *Trainer) { o.Truncation = 0 }},
		"wide scores": {300_000, func(o *Trainer) {
			o.Truncation, o.Sigmoid = 0, 1e6
			o.Start = &Model{NumFeatures: 1, Trees: []Tree{{Feature: []int32{0}, Threshold: []float32{5},
				Left: []int32{^0}, Right: []int32{^1}, Leaf: []float64{0, 9}}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := rank.NewDataset(c.rows, 1)
			for i := range d.Labels {
				d.X[i*d.Stride], d.Labels[i] = float32(i%10), float64(i%3)
			}
			d.Offsets, d.QueryIDs = append(d.Offsets, c.rows), []string{"1"}
			ctx := testkit.EndAfter(t.Context(), 300) // without such a query, half as many checks occur
			o := DefaultTrainer()
			o.Trees, o.Threads, o.MinRows = 1, 1, 1
			c.set(o)
			_, err := o.Fit(ctx, d)
			if asked := ctx.Asked.Load(); !errors.Is(err, context.Canceled) || asked > 400 {
				t.Errorf("%v, asked %d times", err, asked)
			}
		})
	}
}

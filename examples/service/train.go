package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/serve"
)

// train trains a model on synthetic data with named features, for a first try.
func train() (*serve.Ranker, error) {
	const queries, documents = 200, 25
	names := []string{"bm25", "clicks", "freshness", "price"} // each from 0 to 10
	rng := rand.New(rand.NewPCG(1, 2))
	d := rank.NewDataset(queries*documents, len(names))
	d.Names = names
	for i := range d.Labels {
		row := d.Row(i)
		for j := range row {
			row[j] = 10 * rng.Float32()
		}
		d.Labels[i] = float64(int((2*row[0] + row[1]*row[2]/10 + 5*rng.Float32()) / 8)) // 0 to 4
	}
	for q := range queries {
		d.Offsets = append(d.Offsets, (q+1)*documents)
		d.QueryIDs = append(d.QueryIDs, fmt.Sprint(q+1))
	}
	result, err := lambdamart.DefaultTrainer().Fit(context.Background(), d)
	if err != nil {
		return nil, err
	}
	return serve.New(result.Model)
}

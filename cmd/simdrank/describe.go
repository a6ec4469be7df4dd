package main

import (
	"context"
	"io"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// dataInfo is what info tells of data.
type dataInfo struct {
	cli.Data
	Duplicates int  `json:"duplicate_documents"`
	Sparse     bool `json:"sparse"`
}

func describeData(ctx context.Context, d *rank.Dataset) (dataInfo, error) {
	r, err := data.Describe(ctx, d)
	if err != nil {
		return dataInfo{}, err
	}
	i := dataInfo{cli.NewData(r, d.Names), r.Duplicates, d.Sparse != nil}
	i.Weights, i.Positions = d.Weights != nil || d.QueryWeights != nil, d.Positions != nil
	return i, nil
}

func (i dataInfo) text(w io.Writer) error {
	kept := "dense"
	if i.Sparse {
		kept = "sparse"
	}
	return i.Text(w, kept, i.Duplicates)
}

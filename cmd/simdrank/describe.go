package main

import (
	"io"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
)

// dataInfo is what info tells of data.
type dataInfo struct {
	cli.Data
	Duplicates int  `json:"duplicate_documents"`
	Sparse     bool `json:"sparse"`
}

func describeData(r *rank.Description, d *rank.Dataset) dataInfo {
	i := dataInfo{cli.NewData(r, d.Names), r.Duplicates, d.Sparse != nil}
	i.Weights, i.Positions = d.Weights != nil || d.QueryWeights != nil, d.Positions != nil
	return i
}

func (i dataInfo) text(w io.Writer) error {
	kept := "dense"
	if i.Sparse {
		kept = "sparse"
	}
	return i.Text(w, kept, i.Duplicates)
}

// Command pairwise goes through the tutorial "Learning to rank with scikit-learn: the pairwise
// transform" (Pedregosa 2012): two queries whose documents lie apart, a regression of the labels
// that mistakes the gap between the queries for relevance, and RankSVM, which compares documents
// within a query only.
//
//	go run ./examples/pairwise -o FOLDER
//
// The folder gets a page, index.html, and its pictures.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/pairwise"
)

// blocks are the documents of the tutorial, numpy's draw with seed 0, and their part of its split.
//
//go:embed blocks.csv
var blocks []byte

// splits is how often the documents are split anew.
const splits = 100

func main() {
	log.SetFlags(0)
	folder := flag.String("o", "tutorial-pairwise", "folder to write to")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unexpected argument %q", flag.Arg(0))
	}
	r, err := run(context.Background(), splits)
	if err != nil {
		log.Fatal(err)
	}
	if err := r.tutorial().Write(*folder); err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Join(*folder, "index.html"))
}

// A point is a document, or a difference of two.
type point [2]float64

// unit returns the direction of p.
func (p point) unit() point {
	norm := math.Sqrt(float64(p[0]*p[0]) + float64(p[1]*p[1])) // the same bits everywhere, unlike Hypot
	return point{p[0] / norm, p[1] / norm}
}

func (p point) String() string {
	return strings.ReplaceAll(fmt.Sprintf("(%.4f, %.4f)", p[0], p[1]), "-", "−")
}

// results are the numbers of the tutorial.
type results struct {
	Train, Test *rank.Dataset // with a query per block
	True        point         // the direction along which relevance was drawn
	Differences []point       // of the pairs of Train, as the pairwise transform has them
	Signs       []float64     // of their labels, +1 and −1 in turn
	Perfect     [2]float64    // Kendall's tau-b of an order of each test block without a mistake
	Ridge       fitted
	RankSVM     fitted
	Splits      []split // the same by other splits of all documents
}

// A fitted model is its direction and Kendall's tau-b of its scores on each block of the test part.
type fitted struct {
	Direction point
	Tau       [2]float64
}

// mean returns the mean of the taus.
func (f fitted) mean() float64 { return (f.Tau[0] + f.Tau[1]) / 2 }

// A split has what was learnt from half of the documents and measured on the others.
type split struct{ Ridge, RankSVM fitted }

// run computes the results, with so many other splits.
func run(ctx context.Context, splits int) (*results, error) {
	all, err := data.Read(bytes.NewReader(blocks), data.Options{
		Format: "csv",
		Label:  "y", Query: "block", GatherQueries: true,
		Doc: "part", // text, which is no feature: here it stands for the name of the document
	})
	if err != nil {
		return nil, err
	}
	// Block 1 comes first in the file.
	all, err = all.SubsetQueries([]int{slices.Index(all.QueryIDs, "0"), slices.Index(all.QueryIDs, "1")})
	if err != nil {
		return nil, err
	}
	r := &results{True: point{math.Sqrt(3) / 2, 0.5}} // 60 degrees from the second axis
	for part, d := range map[string]**rank.Dataset{"train": &r.Train, "test": &r.Test} {
		var rows []int
		for i, of := range all.DocIDs {
			if of == part {
				rows = append(rows, i)
			}
		}
		if *d, err = all.SubsetRows(rows); err != nil {
			return nil, err
		}
	}
	differences, signs := pairwise.BalancedTransform(r.Train)
	r.Signs = signs
	for k := range signs {
		r.Differences = append(r.Differences, point(differences.RawRowView(k)))
	}
	for q := range r.Perfect {
		lo, hi := r.Test.Query(q)
		tau, err := rank.KendallTau(r.Test.Labels[lo:hi], r.Test.Labels[lo:hi])
		if err != nil {
			return nil, err
		}
		r.Perfect[q] = math.Sqrt(float64(tau.Concordant) / float64(tau.Pairs())) // scores without ties
	}
	if r.Ridge, r.RankSVM, err = fit(ctx, r.Train, r.Test); err != nil {
		return nil, err
	}
	for seed := range splits {
		train, test, err := shuffleSplit(all, uint64(seed))
		if err != nil {
			return nil, err
		}
		var s split
		if s.Ridge, s.RankSVM, err = fit(ctx, train, test); err != nil {
			return nil, err
		}
		r.Splits = append(r.Splits, s)
	}
	return r, nil
}

// fit learns ridge regression and RankSVM from train and measures them on test.
func fit(ctx context.Context, train, test *rank.Dataset) (ridge, svm fitted, err error) {
	r, err := (&rank.Ridge{Alpha: 1}).Fit(ctx, train)
	if err != nil {
		return ridge, svm, err
	}
	s, err := (&rank.RankSVM{Loss: "hinge", C: 0.1}).Fit(ctx, train)
	if err != nil {
		return ridge, svm, err
	}
	if ridge, err = measure(ctx, r, test); err != nil {
		return ridge, svm, err
	}
	svm, err = measure(ctx, s, test)
	return ridge, svm, err
}

// measure compares the scores of a model with the labels of each block.
func measure(ctx context.Context, m *rank.Linear, test *rank.Dataset) (f fitted, err error) {
	f.Direction = point(m.Weights).unit()
	scores := make([]float64, test.Rows())
	if err := m.ScoreInto(ctx, scores, test); err != nil {
		return f, err
	}
	if test.Queries() != len(f.Tau) {
		return f, fmt.Errorf("%d blocks", test.Queries())
	}
	for q := range f.Tau {
		lo, hi := test.Query(q)
		tau, err := rank.KendallTau(scores[lo:hi], test.Labels[lo:hi])
		if err != nil {
			return f, err
		}
		f.Tau[q] = tau.TauB()
	}
	return f, nil
}

// shuffleSplit divides the documents of each label at random into halves, as scikit-learn's
// StratifiedShuffleSplit does. [rank.Dataset.Split] divides queries by their highest label: so each
// document is made a query, and afterwards those of a block are put together again.
func shuffleSplit(all *rank.Dataset, seed uint64) (train, test *rank.Dataset, err error) {
	single := *all
	single.Offsets, single.QueryIDs = []int{0}, nil
	for q, block := range all.QueryIDs {
		for i, hi := all.Query(q); i < hi; i++ {
			single.Offsets = append(single.Offsets, i+1)
			single.QueryIDs = append(single.QueryIDs, block)
		}
	}
	train, test, err = single.Split(0.5, seed)
	for _, d := range []*rank.Dataset{train, test} {
		if err == nil {
			second := slices.Index(d.QueryIDs, all.QueryIDs[1]) // Split keeps the order of documents
			d.Offsets, d.QueryIDs = []int{0, second, d.Rows()}, all.QueryIDs
		}
	}
	return train, test, err
}

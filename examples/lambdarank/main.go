// Command lambdarank follows the tutorial "How to Learn to Rank" (onimaru.github.io). It shows the
// probability that one document ranks above another, the logistic loss of this probability, and its
// derivative λ. Then it shows DCG and NDCG, and how LambdaRank weights λ by the change of NDCG.
//
//	go run ./examples/lambdarank -o FOLDER
//
// It writes a page, index.html, and its figures to FOLDER.
package main

import (
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"slices"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/pairwise"
)

func main() {
	log.SetFlags(0)
	folder := flag.String("o", "tutorial-lambdarank", "folder to write to")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unexpected argument %q", flag.Arg(0))
	}
	r, err := run()
	if err != nil {
		log.Fatal(err)
	}
	if err := r.tutorial().Write(*folder); err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Join(*folder, "index.html"))
}

// A pairFunction is a function of the scores of documents i and j and the slope α.
type pairFunction func(si, sj, alpha float64) float64

// byDistance is the λ that the original tutorial draws: RankNet's λ times |sᵢ−sⱼ|, as a substitute
// for |ΔNDCG|.
func byDistance(si, sj, alpha float64) float64 {
	return pairwise.LambdaRankLambda(si, sj, alpha, si-sj)
}

// A curve is a function of the score difference.
type curve struct {
	Alpha float64
	X, Y  []float64
}

// curves samples f at 101 score differences from lo to hi for each slope.
func curves(f pairFunction, lo, hi float64, alphas ...float64) []curve {
	var cs []curve
	for _, alpha := range alphas {
		c := curve{Alpha: alpha}
		for i := range 101 {
			x := (float64(lo*float64(100-i)) + float64(hi*float64(i))) / 100
			c.X, c.Y = append(c.X, x), append(c.Y, f(x, 0, alpha))
		}
		cs = append(cs, c)
	}
	return cs
}

// A pair contains the scores of two documents and the values of the functions for α = 1. The first
// document should rank above the second.
type pair struct {
	I, J                              float64
	Sigmoid, Loss, Lambda, ByDistance float64
}

// A list contains the labels of a query's documents in ranking order.
type list struct {
	Name      string
	Labels    []float64
	DCG, NDCG []float64 // at cutoffs 1, 2, …
}

// Relevant returns the ranks of the relevant documents.
func (l *list) Relevant() (ranks []int) {
	for i, y := range l.Labels {
		if y > 0 {
			ranks = append(ranks, i+1)
		}
	}
	return ranks
}

// results are the numbers of the tutorial.
type results struct {
	Sigmoid, Loss      []curve // at six slopes
	Lambda, ByDistance []curve // at four slopes
	Pairs              []pair
	Lists              []*list
	Ideal              []float64 // DCG of the best order of these labels, at cutoffs 1, 2, …
	// λ of the documents of the first list, with equal pair weights and with the weights |ΔNDCG|
	RankNet, LambdaRank []float64
}

func run() (*results, error) {
	six, four := []float64{0, 0.25, 0.5, 0.75, 1, 1.5}, []float64{0.25, 0.75, 1, 1.5}
	r := &results{
		Sigmoid:    curves(pairwise.Sigmoid, -5, 5, six...),
		Loss:       curves(pairwise.LogLoss, -5, 5, six...),
		Lambda:     curves(pairwise.RankNetLambda, -3, 3, four...),
		ByDistance: curves(byDistance, -3, 3, four...),
		Pairs:      []pair{{I: 2, J: 0}, {I: 1, J: 1}, {I: 1, J: 2.5}},
		Lists: []*list{
			{Name: "A", Labels: []float64{1, 0, 0, 1, 0, 0, 0, 1, 1, 0}},
			{Name: "B", Labels: []float64{1, 0, 1, 0, 0, 0, 0, 0, 1, 1}},
		},
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		p.Sigmoid, p.Loss = pairwise.Sigmoid(p.I, p.J, 1), pairwise.LogLoss(p.I, p.J, 1)
		p.Lambda, p.ByDistance = pairwise.RankNetLambda(p.I, p.J, 1), byDistance(p.I, p.J, 1)
	}
	scores := make([]float64, len(r.Lists[0].Labels))
	for i := range scores {
		scores[i] = float64(len(scores)-i) / 4
	}
	ideal := slices.Sorted(slices.Values(r.Lists[0].Labels))
	slices.Reverse(ideal)
	for k := range scores {
		best, err := rank.Measure(fmt.Sprintf("dcg@%d", k+1), ideal, scores, rank.Options{})
		if err != nil {
			return nil, err
		}
		r.Ideal = append(r.Ideal, best)
		for _, l := range r.Lists {
			dcg, err := rank.Measure(fmt.Sprintf("dcg@%d", k+1), l.Labels, scores, rank.Options{})
			if err != nil {
				return nil, err
			}
			ndcg, err := rank.Measure(fmt.Sprintf("ndcg@%d", k+1), l.Labels, scores, rank.Options{})
			if err != nil {
				return nil, err
			}
			l.DCG, l.NDCG = append(l.DCG, dcg), append(l.NDCG, ndcg)
		}
	}
	var err error
	if r.RankNet, err = pairwise.RankNetLambdas(r.Lists[0].Labels, scores, 1); err != nil {
		return nil, err
	}
	r.LambdaRank, err = pairwise.LambdaRankLambdas(r.Lists[0].Labels, scores, 1)
	return r, err
}

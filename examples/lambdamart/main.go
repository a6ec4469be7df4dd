// Command lambdamart goes through a boosted-tree ranker from data to results on MQ2008 (LETOR 4.0):
// the sizes of the groups, training with early stopping, training again on all data with the number
// of trees that did best, and NDCG of every test query.
//
//	go run ./examples/lambdamart Fold1
//
// The folder holds train.txt, vali.txt and test.txt, gzipped or not. Without it,
// $SIMDRANK_DATA/mq2008-fold1 is looked at, and where there is none made-up data of that size stand
// in.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/letor"
)

func main() {
	log.SetFlags(0)
	folder, asked := "", len(os.Args) > 1
	if asked {
		folder = os.Args[1]
	} else {
		folder = filepath.Join(cmp.Or(os.Getenv("SIMDRANK_DATA"), "../shared/data"), "mq2008-fold1")
	}
	d, err := load(folder)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		fmt.Printf("No MQ2008 in %s: made-up data stand in.\n\n", folder)
		d, err = generate(), nil
	}
	if err != nil {
		log.Fatal(err)
	}
	if err := run(context.Background(), os.Stdout, d); err != nil {
		log.Fatal(err)
	}
}

// A fold is a dataset in three parts.
type fold struct{ train, vali, test *rank.Dataset }

// load reads a folder as LETOR publishes them.
func load(folder string) (fold, error) {
	var parts [3]*rank.Dataset
	for i, name := range []string{"train.txt", "vali.txt", "test.txt"} {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path + ".gz"); err == nil {
			path += ".gz"
		}
		var err error
		if parts[i], err = letor.Load(path); err != nil {
			return fold{}, err
		}
	}
	return fold{parts[0], parts[1], parts[2]}, nil
}

// generate makes up a fold of MQ2008's size.
func generate() fold {
	part := func(n uint64, rows int) *rank.Dataset {
		return synth.Config{Seed: 1, Part: n, Rows: rows, Cols: 46, MinDocs: 5, MaxDocs: 35}.Dataset()
	}
	return fold{part(0, 9630), part(1, 2707), part(2, 2874)}
}

func run(ctx context.Context, w io.Writer, d fold) error {
	for _, part := range []struct {
		name string
		d    *rank.Dataset
	}{{"train", d.train}, {"vali", d.vali}, {"test", d.test}} {
		describe(w, part.name, part.d)
	}

	// NDCG over whole lists as XGBoost counts it: a query without relevant documents, which
	// no order can make better or worse, counts as 1. Other tools leave such queries out.
	ndcg, err := rank.NewEvaluator(rank.MustParseMetrics("ndcg"), rank.XGBoost)
	if err != nil {
		return err
	}

	trainer := xgboost(0.01, 1, 0.1, 6)
	trainer.Trees = 100
	trainer.EarlyStopping = 5
	trainer.Validation = []lambdamart.Validation{
		{Name: "validation", Data: d.vali, Evaluator: ndcg},
		{Name: "train", Data: d.train, Evaluator: ndcg},
	}
	result, err := trainer.Fit(ctx, d.train)
	if err != nil {
		return err
	}
	curve(w, result)

	// The number of trees is known: now all data are there to learn from.
	final, err := trainer.Refit(ctx, result, rank.Concat(d.train, d.vali))
	if err != nil {
		return err
	}
	return queries(ctx, w, final.Model, d.test)
}

// xgboost returns a trainer that takes the steps of XGBoost's rank:ndcg with these parameters. It
// doubles second derivatives: a step G/(2H+1), with its default lambda of 1, is half of G/(H+1/2),
// and a gain G²/(2H+1) half of G²/(H+1/2).
func xgboost(eta, gamma, minChildWeight float64, maxDepth int) lambdamart.Trainer {
	return lambdamart.Trainer{
		DepthWise:    true,
		Depth:        maxDepth,
		LearningRate: eta / 2,
		MinGain:      gamma * 2,
		MinHessian:   minChildWeight / 2,
		MinRows:      1,
		L2:           0.5,
		Truncation:   -1,
	}
}

// describe prints how large the groups are, and how many documents have each label.
func describe(w io.Writer, name string, d *rank.Dataset) {
	sizes := map[int]int{}
	labels := map[float64]int{}
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		sizes[hi-lo]++
	}
	for _, l := range d.Labels {
		labels[l]++
	}
	fmt.Fprintf(w, "%s: %d documents of %d queries, %d features\n", name, d.Rows(), d.Queries(), d.Cols)
	counts(w, "group size", "queries", sizes)
	counts(w, "label", "documents", labels)
}

// counts prints a table of two rows.
func counts[K cmp.Ordered](w io.Writer, of, what string, counts map[K]int) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	top, bottom := of+"\t", what+"\t"
	keys := make([]K, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for i, k := range keys {
		if i > 0 && i%12 == 0 { // a line of a terminal is full
			fmt.Fprintf(t, "%s\n%s\n\n", top, bottom)
			t.Flush()
			top, bottom = of+"\t", what+"\t"
		}
		top += fmt.Sprintf("%v\t", k)
		bottom += fmt.Sprintf("%d\t", counts[k])
	}
	fmt.Fprintf(t, "%s\n%s\n\n", top, bottom)
	t.Flush()
}

// curve prints NDCG after each tree.
func curve(w io.Writer, r *lambdamart.Result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "trees\t")
	for _, c := range r.Curves {
		fmt.Fprintf(t, "%s %v\t", c.Set, c.Metric)
	}
	fmt.Fprintln(t)
	for i := range r.Grown {
		fmt.Fprintf(t, "%d\t", i+1)
		for _, c := range r.Curves {
			fmt.Fprintf(t, "%.6f\t", c.Values[i])
		}
		if i+1 == r.Best {
			fmt.Fprint(t, " best")
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintf(w, "stopped (%s): %d trees are best, validation %v %.6f\n\n", r.Stop, r.Best, r.Curves[0].Metric,
		r.Curves[0].Values[r.Best-1])
}

// queries prints what the model makes of each query of the test data. A query without relevant
// documents has no NDCG, and the table says so.
func queries(ctx context.Context, w io.Writer, m *lambdamart.Model, d *rank.Dataset) error {
	const metrics = "ndcg@5,ndcg@10,ndcg"
	fmt.Fprintf(w, "test data, by %d trees grown on train and vali\n", len(m.Trees))
	means := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(means, "queries without relevant documents\t")
	for _, m := range rank.MustParseMetrics(metrics) {
		fmt.Fprintf(means, "%v\t", m)
	}
	fmt.Fprintln(means)
	var byQuery *rank.Results
	for _, empty := range []struct {
		name   string
		option rank.Option
	}{{"count as 1", rank.EmptyOne}, {"count as 0", rank.EmptyZero}, {"are left out", rank.EmptySkip}} {
		r, err := rank.Evaluate(ctx, m, d, metrics, rank.XGBoost, empty.option)
		if err != nil {
			return err
		}
		fmt.Fprintf(means, "%s\t", empty.name)
		for _, m := range r.Metrics {
			fmt.Fprintf(means, "%.6f\t", m.Mean)
		}
		fmt.Fprintln(means)
		byQuery = r // of the last one, which tells queries without NDCG apart
	}
	means.Flush()

	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\nquery\tdocuments\trelevant\t")
	for _, m := range byQuery.Metrics {
		fmt.Fprintf(t, "%v\t", m.Metric)
	}
	fmt.Fprintln(t)
	for q, id := range d.QueryIDs {
		lo, hi := d.Query(q)
		relevant := 0
		for _, l := range d.Labels[lo:hi] {
			if l > 0 {
				relevant++
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t", id, hi-lo, relevant)
		for _, m := range byQuery.Metrics {
			if relevant == 0 {
				fmt.Fprint(t, "none\t")
			} else {
				fmt.Fprintf(t, "%.4f\t", m.Values[q])
			}
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

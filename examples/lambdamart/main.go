// Command lambdamart trains gradient-boosted trees for ranking on MQ2008 (LETOR 4.0). It shows the
// group sizes, training with early stopping, training again on all data with the best number of
// trees, and the NDCG of each test query.
//
//	go run ./examples/lambdamart -o FOLDER Fold1
//
// Fold1 contains train.txt, vali.txt and test.txt, which may be gzipped. The default is
// $SIMDRANK_DATA/mq2008-fold1. If there is no such folder, the program uses synthetic data of the
// same size. It prints the numbers and writes a page with figures to FOLDER/index.html.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "tutorial-lambdamart", "folder to write to")
	flag.Parse()
	var (
		d      fold
		name   = "MQ2008"
		err    error
		folder = flag.Arg(0)
	)
	switch flag.NArg() {
	case 0:
		folder = tutorial.MQ2008()
		if d, err = load(folder); errors.Is(err, fs.ErrNotExist) {
			fmt.Printf("No MQ2008 in %s: using synthetic data.\n\n", folder)
			name, d, err = "synthetic data", generate(), nil
		}
	case 1:
		name = filepath.Base(folder)
		d, err = load(folder)
	default:
		log.Fatalf("unexpected argument %q", flag.Arg(1))
	}
	if err != nil {
		log.Fatal(err)
	}
	r, err := run(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	r.print(os.Stdout)
	r.Name = name
	if err := r.tutorial().Write(*out); err != nil {
		log.Fatal(err)
	}
	fmt.Println("\n" + filepath.Join(*out, "index.html"))
}

// A fold is a dataset in three parts.
type fold struct{ train, vali, test *rank.Dataset }

// load reads a folder in the layout that LETOR publishes.
func load(folder string) (fold, error) {
	train, vali, test, err := tutorial.LoadFold(folder)
	return fold{train, vali, test}, err
}

// generate returns a synthetic fold of the size of MQ2008.
func generate() fold {
	part := func(n uint64, rows int) *rank.Dataset {
		return tutorial.Generator{Part: n, Rows: rows, Cols: 46, MinDocs: 5, MaxDocs: 35}.Dataset()
	}
	return fold{part(0, 9630), part(1, 2707), part(2, 2874)}
}

// A part is one of the datasets of a fold.
type part struct {
	Name   string
	Data   *rank.Dataset
	Sizes  map[int]int     // queries by their number of documents
	Labels map[float64]int // documents by label
}

// results are the numbers of the tutorial.
type results struct {
	Name  string // of the data
	Parts []*part
	Fit   *lambdamart.Result // on the training data
	Trees int                // of the model grown on training and validation data
	Tests []tested           // results on the test data, by the value of empty queries
}

// tested contains the results for one way to count queries without relevant documents.
type tested struct {
	Empty string
	*rank.Results
}

// patience is the number of trees without a better NDCG after which training stops.
const patience = 5

func run(ctx context.Context, d fold) (*results, error) {
	r := &results{Parts: []*part{
		{Name: "train", Data: d.train}, {Name: "vali", Data: d.vali}, {Name: "test", Data: d.test},
	}}
	for i := range r.Parts {
		r.Parts[i].count()
	}
	// NDCG of whole lists as in XGBoost: a query without relevant documents counts as 1, because no
	// order is better or worse. Other tools skip such queries.
	ndcg, err := rank.NewEvaluator("ndcg", rank.Options{Preset: "xgboost"})
	if err != nil {
		return nil, err
	}

	trainer := xgboost(0.01, 1, 0.1, 6)
	trainer.Trees = 100
	trainer.EarlyStopping = patience
	trainer.Validation = []lambdamart.Validation{
		{Name: "validation", Data: d.vali, Evaluator: ndcg},
		{Name: "train", Data: d.train, Evaluator: ndcg},
	}
	if r.Fit, err = trainer.Fit(ctx, d.train); err != nil {
		return nil, err
	}

	// The best number of trees is known, so the final model can use all data.
	final, err := trainer.Retrain(ctx, r.Fit, rank.Concat(d.train, d.vali))
	if err != nil {
		return nil, err
	}
	r.Trees = len(final.Model.Trees)
	for _, empty := range []struct {
		name, word string
	}{{"count as 1", "one"}, {"count as 0", "zero"}, {"are skipped", "skip"}} {
		t, err := rank.Evaluate(ctx, final.Model, d.test, "ndcg@5,ndcg@10,ndcg",
			rank.Options{Preset: "xgboost", Empty: empty.word})
		if err != nil {
			return nil, err
		}
		r.Tests = append(r.Tests, tested{empty.name, t})
	}
	return r, nil
}

// Patience returns patience, which the page shows.
func (r *results) Patience() int { return patience }

// BestNDCG returns the validation NDCG of the best number of trees.
func (r *results) BestNDCG() float64 { return r.Fit.Curves[0].Values[r.Fit.Best-1] }

// Counted returns the number of test queries that have an NDCG.
func (r *results) Counted() int { return r.skipped().Metrics[1].Counted }

// Perfect returns the number of test queries with an NDCG@10 of 1.
func (r *results) Perfect() (n int) {
	for _, v := range r.skipped().Metrics[1].Values {
		if v == 1 {
			n++
		}
	}
	return n
}

// skipped returns the results in which queries without relevant documents have no NDCG.
func (r *results) skipped() tested { return r.Tests[len(r.Tests)-1] }

// xgboost returns a trainer whose steps equal those of XGBoost's rank:ndcg with the given
// parameters. XGBoost doubles second derivatives. With its default lambda of 1, its step G/(2H+1)
// is half of G/(H+1/2), and its gain G²/(2H+1) is half of G²/(H+1/2).
func xgboost(eta, gamma, minChildWeight float64, maxDepth int) *lambdamart.Trainer {
	t := lambdamart.DefaultTrainer()
	t.DepthWise = true
	t.Leaves, t.Depth = 0, maxDepth
	t.LearningRate = eta / 2
	t.MinGain = gamma * 2
	t.MinHessian = minChildWeight / 2
	t.MinRows = 0
	t.L2 = 0.5
	t.Truncation = 0
	return t
}

// count counts the queries of each size and the documents of each label.
func (p *part) count() {
	p.Sizes, p.Labels = map[int]int{}, map[float64]int{}
	for q := range p.Data.Queries() {
		lo, hi := p.Data.Query(q)
		p.Sizes[hi-lo]++
	}
	for _, l := range p.Data.Labels {
		p.Labels[l]++
	}
}

// LabelCounts lists the number of documents of each label.
func (p *part) LabelCounts() string {
	var counts []string
	for _, label := range slices.Sorted(maps.Keys(p.Labels)) {
		counts = append(counts, fmt.Sprintf("%v: %d", label, p.Labels[label]))
	}
	return strings.Join(counts, ", ")
}

func (r *results) print(w io.Writer) {
	for _, p := range r.Parts {
		d := p.Data
		fmt.Fprintf(w, "%s: %d documents in %d queries, %d features\n", p.Name, d.Rows(), d.Queries(), d.Cols)
		counts(w, "group size", "queries", p.Sizes)
		counts(w, "label", "documents", p.Labels)
	}
	curve(w, r.Fit)
	r.queries(w)
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
		if i > 0 && i%12 == 0 { // the terminal line is full
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

// curve prints the NDCG after each tree.
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
	fmt.Fprintf(w, "stopped (%s): the best number of trees is %d, validation %v %.6f\n\n", r.Stop, r.Best, r.Curves[0].Metric,
		r.Curves[0].Values[r.Best-1])
}

// queries prints the means and the NDCG of each test query. Queries without relevant documents have
// no NDCG, and the table shows "none".
func (r *results) queries(w io.Writer) {
	fmt.Fprintf(w, "test data, %d trees trained on train and vali\n", r.Trees)
	means := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(means, "queries without relevant documents\t")
	for _, m := range r.Tests[0].Metrics {
		fmt.Fprintf(means, "%v\t", m.Metric)
	}
	fmt.Fprintln(means)
	for _, t := range r.Tests {
		fmt.Fprintf(means, "%s\t", t.Empty)
		for _, m := range t.Metrics {
			fmt.Fprintf(means, "%.6f\t", m.Mean)
		}
		fmt.Fprintln(means)
	}
	means.Flush()

	byQuery, d := r.skipped(), r.Parts[2].Data
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
	t.Flush()
}

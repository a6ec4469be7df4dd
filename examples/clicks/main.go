// Command clicks simulates clicks on documents whose relevance is known, and trains rankers on the
// clicks: without a correction, and with the two position-bias corrections of package lambdamart.
// It measures all rankers on the true labels of other queries, and compares them with a ranker that
// learns from users who examine all positions.
//
//	go run ./examples/clicks -o FOLDER Fold1
//
// The program takes a few minutes. It prints the numbers and writes a page with figures to
// FOLDER/index.html. The page in docs/tutorials is generated from results.json, which the following
// command writes. Tests recompute a part of it.
//
//	go run ./examples/clicks -results examples/clicks/results.json Fold1
//
// Fold1 is Fold1 of MQ2008 (LETOR 4.0). It contains train.txt, vali.txt and test.txt, which may be
// gzipped. The default is $SIMDRANK_DATA/mq2008-fold1. If there is no such folder, the program uses
// only seeded synthetic data.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "tutorial-clicks", "folder to write to")
	kept := flag.String("results", "", "file to write the results to, as JSON")
	flag.Parse()
	folder := cmp.Or(flag.Arg(0), tutorial.MQ2008())
	if flag.NArg() > 1 {
		log.Fatalf("unexpected argument %q", flag.Arg(1))
	}
	problems := []problem{generate(6000)}
	more := problems[0]
	more.Name, more.etas, more.many = "More clicks", []float64{1}, 5
	problems = append(problems, more)
	switch p, err := load(folder); {
	case err == nil:
		problems = append([]problem{p}, problems...)
	case flag.NArg() == 0 && errors.Is(err, fs.ErrNotExist):
		fmt.Printf("No MQ2008 in %s: using only synthetic data.\n\n", folder)
	default:
		log.Fatal(err)
	}
	r, err := run(context.Background(), usual, problems...)
	if err != nil {
		log.Fatal(err)
	}
	r.print(os.Stdout)
	if *kept != "" {
		text, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(*kept, append(text, '\n'), 0o666)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := r.tutorial().Write(*out); err != nil {
		log.Fatal(err)
	}
	fmt.Println("\n" + filepath.Join(*out, "index.html"))
}

// A problem contains documents to simulate clicks on, and others with true labels for the
// evaluation.
type problem struct {
	Name          string
	train, others *rank.Dataset
	etas          []float64 // values of η to simulate; nil means those of the settings
	many          int       // multiplies the number of clicks of the settings
}

// load reads a fold of MQ2008. Its validation and test data together are the evaluation data.
func load(folder string) (problem, error) {
	train, vali, test, err := tutorial.LoadFold(folder)
	if err != nil {
		return problem{}, err
	}
	return problem{"MQ2008", train, rank.Concat(vali, test), nil, 1}, nil
}

// generate returns a synthetic problem with the given number of documents in each part.
func generate(rows int) problem {
	part := func(n uint64) *rank.Dataset {
		return tutorial.Generator{Part: n, Rows: rows, Cols: 20, MinDocs: 10, MaxDocs: 30, Curved: true}.Dataset()
	}
	return problem{"Synthetic data", part(0), part(1), nil, 1}
}

// settings are the parameters of a simulation.
type settings struct {
	Etas   []float64 // a user examines position k with the probability 1/k^η
	Seeds  int       // simulations to average over
	Clicks int       // minimum number of clicks in a simulation

	// Sorts is the number of sort orders. Each list is sorted by a random feature in a random
	// direction.
	Sorts int
	// The probability of a click on an examined document is Most·(Noise + (1−Noise)·gain), where
	// gain is 2^label−1 divided by the gain of the highest label.
	Most, Noise float64
}

var usual = settings{Etas: []float64{0.5, 1, 1.5, 2}, Seeds: 5, Clicks: 12_000, Sorts: 10, Most: 0.5, Noise: 0.1}

// A session is a list that a user has seen.
type session struct {
	rows   []int // row of the document at each position
	clicks []float64
}

// browse simulates sessions until there are enough clicks. Sessions without a click, or with clicks
// on all documents, teach nothing and are dropped. sorts contains the scores of all documents for
// each sort order.
func (s *settings) browse(p *problem, sorts [][]float64, eta float64, rng *rand.Rand) (*rank.Dataset, error) {
	d := p.train
	var list []session
	top := rank.ExpGain(slices.Max(d.Labels))
	total := 0
	for round := 0; total < s.Clicks*p.many; round++ {
		if round == 100 && total == 0 {
			return nil, errors.New("the simulated users click nothing: the data must contain relevant documents in lists of two or more")
		}
		scores := sorts[round%len(sorts)]
		for q := range d.Queries() {
			lo, hi := d.Query(q)
			one := session{clicks: make([]float64, hi-lo)}
			for _, i := range kernels.AppendOrder(nil, scores[lo:hi], nil) {
				one.rows = append(one.rows, lo+i)
			}
			n := 0
			for k, i := range one.rows {
				examined := examination(eta).at(int32(k + 1))
				likes := s.Most * (s.Noise + float64((1-s.Noise)*rank.ExpGain(d.Labels[i])/top))
				if rng.Float64() < float64(examined*likes) {
					one.clicks[k] = 1
					n++
				}
			}
			if n > 0 && n < len(one.rows) {
				list = append(list, one)
				total += n
			}
		}
	}
	return dataset(d, list), nil
}

// dataset returns a dataset in which each session is a query, and clicks are the labels.
func dataset(d *rank.Dataset, list []session) *rank.Dataset {
	rows := 0
	for _, s := range list {
		rows += len(s.rows)
	}
	out := rank.NewDataset(rows, d.Cols)
	out.Offsets = []int{0}
	row := 0
	for n, s := range list {
		for k, i := range s.rows {
			copy(out.Row(row), d.Row(i))
			out.Labels[row], out.Positions = s.clicks[k], append(out.Positions, int32(k+1))
			row++
		}
		out.Offsets, out.QueryIDs = append(out.Offsets, row), append(out.QueryIDs, fmt.Sprint("session ", n))
	}
	return out
}

// sorts returns the scores of each sort order, by a random feature in a random direction.
func (s *settings) sorts(d *rank.Dataset, rng *rand.Rand) (scores [][]float64) {
	for range s.Sorts {
		j, sign := rng.IntN(d.Cols), float64(1-2*rng.IntN(2))
		of := make([]float64, d.Rows())
		for i := range of {
			of[i] = sign * float64(d.Row(i)[j])
		}
		scores = append(scores, of)
	}
	return scores
}

// fit trains on clicks. With a position bias it trains twice: the second training starts with the
// factors of the first one, so that no tree learns from the bias.
func fit(ctx context.Context, d *rank.Dataset, bias string, o lambdamart.Objective) (*lambdamart.Model,
	error) {
	// Documents appear in many sessions: a leaf of 500 rows contains about ten different documents.
	// Normalization by query would undo the weights of the pairwise factors, so NoNorm is set.
	// PositionNorm 0 uses the full ratio of losses as a factor.
	t := lambdamart.DefaultTrainer()
	t.Objective, t.PositionBias, t.PositionNorm, t.NoNorm = o, bias, 0, true
	t.Trees, t.LearningRate, t.Leaves, t.MinRows = 30, 0.2, 8, 500
	r, err := t.Fit(ctx, d)
	if err == nil && bias != "none" {
		t.Start = &lambdamart.Model{NumFeatures: d.Cols, PositionFactors: r.Model.PositionFactors}
		r, err = t.Fit(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	return r.Model, nil
}

// The ways to learn from clicks.
const (
	fair        = iota // users examine all positions
	plain              // no correction
	additive           // LightGBM's correction
	pairwise           // XGBoost's correction
	trueFactors        // the pairwise correction with the true factors of the simulation
	ways
)

var wayNames = [ways]string{"all examined", "no correction", "additive", "pairwise", "pairwise, true factors"}

// results are the numbers of the tutorial.
type results struct {
	Settings settings
	Sets     []*set
}

// A set contains the results of a problem.
type set struct {
	Name            string
	Clicks          int // minimum number in a simulation
	Queries, Others int
	Etas            []float64
	NDCG            [ways][][]float64 // @10, by way, η and seed
	// Factors by η that the figures show: the first positions of the first problem's first seed.
	Additive, Pairwise []*lambdamart.PositionFactors `json:",omitempty"`
}

// measure returns NDCG@10 on the true labels of the other queries.
func (p *problem) measure(ctx context.Context, m rank.Model) (float64, error) {
	r, err := rank.Evaluate(ctx, m, p.others, "ndcg@10", rank.Options{})
	if err != nil {
		return 0, err
	}
	return r.Metrics[0].Mean, nil
}

func run(ctx context.Context, s settings, problems ...problem) (*results, error) {
	out := &results{Settings: s}
	for i := range problems {
		p := &problems[i]
		of := &set{Name: p.Name, Clicks: s.Clicks * p.many, Queries: p.train.Queries(), Others: p.others.Queries(),
			Etas: s.Etas}
		if p.etas != nil {
			of.Etas = p.etas
		}
		for way := range of.NDCG {
			of.NDCG[way] = make([][]float64, len(of.Etas))
		}
		out.Sets = append(out.Sets, of)
		for seed := range s.Seeds {
			if err := of.simulate(ctx, &s, p, uint64(seed)); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		if i > 0 {
			of.Additive, of.Pairwise = nil, nil
		}
	}
	return out, nil
}

// drawn is the number of positions that the figures show.
const drawn = 15

// first returns the factors of the positions that the figures show.
func first(f *lambdamart.PositionFactors) *lambdamart.PositionFactors {
	n := min(drawn, len(f.Position))
	cut := func(s []float64) []float64 { return s[:min(n, len(s))] }
	return &lambdamart.PositionFactors{Position: f.Position[:n], Bias: cut(f.Bias), Plus: cut(f.Plus),
		Minus: cut(f.Minus)}
}

// simulate adds the results of one seed.
func (of *set) simulate(ctx context.Context, s *settings, p *problem, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 77))
	sorts := s.sorts(p.train, rng)
	learn := func(way, eta int, d *rank.Dataset, bias string, o lambdamart.Objective) error {
		m, err := fit(ctx, d, bias, o)
		if err != nil {
			return err
		}
		switch {
		case seed == 0 && way == additive:
			of.Additive = append(of.Additive, first(m.PositionFactors))
		case seed == 0 && way == pairwise:
			of.Pairwise = append(of.Pairwise, first(m.PositionFactors))
		}
		v, err := p.measure(ctx, m)
		of.NDCG[way][eta] = append(of.NDCG[way][eta], v)
		return err
	}
	d, err := s.browse(p, sorts, 0, rng)
	if err != nil {
		return err
	}
	if err := learn(fair, 0, d, "none", lambdamart.NDCG); err != nil {
		return err
	}
	for i, eta := range of.Etas {
		d, err := s.browse(p, sorts, eta, rng)
		if err != nil {
			return err
		}
		if i > 0 { // the result does not depend on η
			of.NDCG[fair][i] = of.NDCG[fair][0]
		}
		err = errors.Join(learn(plain, i, d, "none", lambdamart.NDCG),
			learn(additive, i, d, "additive", lambdamart.NDCG), learn(pairwise, i, d, "pairwise", lambdamart.NDCG),
			learn(trueFactors, i, d, "none", examination(eta)))
		if err != nil {
			return err
		}
	}
	return nil
}

// mean returns the mean over the seeds and its standard error.
func mean(values []float64) (m, e float64) {
	for _, v := range values {
		m += v
	}
	m /= float64(len(values))
	for _, v := range values {
		e += float64((v - m) * (v - m))
	}
	return m, math.Sqrt(e / float64(len(values)) / float64(max(len(values)-1, 1)))
}

// Mean returns the NDCG@10 of a way for the η with the given index.
func (of *set) Mean(way, eta int) float64 {
	m, _ := mean(of.NDCG[way][eta])
	return m
}

// Back returns the percentage of the NDCG lost to position bias that a way recovers.
func (of *set) Back(way, eta int) float64 {
	low := of.Mean(plain, eta)
	return 100 * (of.Mean(way, eta) - low) / (of.Mean(fair, eta) - low)
}

// A row is a row of a set's table.
type row struct {
	Eta   float64
	Cells []string
}

// Rows returns the table of a set: NDCG@10 with its standard error, and the recovered percentage.
func (of *set) Rows() (rows []row) {
	for i, eta := range of.Etas {
		r := row{Eta: eta}
		for way := range ways {
			m, e := mean(of.NDCG[way][i])
			cell := fmt.Sprintf("%.4f ± %.4f", m, e)
			if way > plain {
				cell += fmt.Sprintf(", %.0f%%", of.Back(way, i))
			}
			r.Cells = append(r.Cells, cell)
		}
		rows = append(rows, r)
	}
	return rows
}

// Ways returns the names of the ways.
func (r *results) Ways() []string { return wayNames[:] }

// Reached names the values of η for which a way recovers at least 90%.
func (of *set) Reached(way int) string {
	var list []string
	for i, eta := range of.Etas {
		if of.Back(way, i) >= 90 {
			list = append(list, fmt.Sprint(eta))
		}
	}
	switch {
	case len(list) == 0:
		return "for no η"
	case len(list) == len(of.Etas) && of.Curve():
		return "for every η"
	}
	return "for η = " + strings.Join(list, ", ")
}

func (r *results) print(w io.Writer) {
	for _, of := range r.Sets {
		fmt.Fprintf(w, "%s: NDCG@10 after clicks on %d queries, measured on %d others\n", of.Name, of.Queries, of.Others)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "η\t%s\n", strings.Join(wayNames[:], "\t"))
		for _, row := range of.Rows() {
			fmt.Fprintf(t, "%v\t%s\n", row.Eta, strings.Join(row.Cells, "\t"))
		}
		t.Flush()
		fmt.Fprintf(w, "at least 90%% of the gap is closed: additive %s, pairwise %s\n\n", of.Reached(additive), of.Reached(pairwise))
	}
}

// Rest is the share of the click probability that depends on relevance.
func (r *results) Rest() float64 { return 1 - r.Settings.Noise }

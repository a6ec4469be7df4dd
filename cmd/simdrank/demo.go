package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/report"
)

// demoMetrics lists the metrics in the demo's tables.
const demoMetrics = "ndcg@10,map,tau-b,pair-accuracy"

func demoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Train and compare rankers on synthetic data",
		Long: `Generate three small datasets, each of which favors a different ranker. For each
dataset, train on some of the queries and compare the rankers on the others. The
rankers are random scores, ridge regression, RankSVM and LambdaMART.

--write saves the first dataset as train.txt and test.txt, so that you can try the
other commands. The other datasets go to folders, for example curves/train.txt.
Existing files with other contents are not overwritten; they are reported as errors.

--report writes a page with figures about the second dataset, where trees fit a
relation that no weighted sum can express.`,
		Example: `  simdrank demo
  simdrank demo --report demo.html
  simdrank demo --write . && simdrank train -d train.txt --c 0.01 -o model.json`,
		Args: noArguments,
	}
	var seed uint64
	var dir, page string
	cmd.Flags().SortFlags = false
	cmd.Flags().Uint64Var(&seed, "seed", 1, "random `seed` of the data")
	cmd.Flags().StringVar(&dir, "write", "", "`folder` for the data files; created if necessary")
	cmd.Flags().StringVar(&page, "report", "", "HTML `file` for figures of the second dataset")
	format := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if page == "-" {
			return usagef("--report -: must be a file, because standard output shows the tables")
		}
		if err := checkFiles(page); err != nil {
			return err
		}
		problems := demoProblems(seed)
		if dir != "" {
			write := func(dir string) error { return writeDemo(cmd, dir, problems) }
			if err := files.SaveFolder(dir, write); err != nil {
				return err
			}
		}
		r, err := demo(cmd, seed, problems)
		if err != nil {
			return err
		}
		if r.Report = page; page != "" {
			if err := writeDemoPage(cmd, page, problems[1], r.Problems[1].systems); err != nil {
				return err
			}
		}
		return printResult(cmd.OutOrStdout(), format, r)
	}
	return cmd
}

// A demoProblem is a dataset on which rankers differ.
type demoProblem struct {
	name        string // name of its folder; "" if there is none
	about, told string // text before and after its table
	train, test *rank.Dataset
}

// demoProblems generates the data.
func demoProblems(seed uint64) []demoProblem {
	made := func(c synth.Config) (train, test *rank.Dataset) {
		c.Seed = seed
		train = c.Dataset()
		c.Part, c.Rows = 1, 10_000
		return train, c.Dataset()
	}
	lines := demoProblem{about: `Relevance is a weighted sum of the features, and feature means differ between queries.`,
		told: `RankSVM learns from pairs of documents within a query, so it ignores differences between
queries. Ridge predicts the labels, so it also fits the differences between queries.
Trees approximate a straight line by steps.`}
	lines.train, lines.test = made(synth.Config{Rows: 20_000, Cols: 46, MaxDocs: 100})
	curves := demoProblem{name: "curves", about: `Relevance is highest if features are close to a middle value, for example a length or a price.`,
		told: `A weighted sum has no peak in the middle, so linear rankers learn little. LambdaMART's
trees split a feature on both sides of the peak.`}
	curves.train, curves.test = made(synth.Config{Rows: 20_000, Cols: 46, MaxDocs: 100, Curved: true})
	pairs := demoProblem{name: "pairs", about: `Labels use the same scale in all queries, and each query has two or three documents.`,
		told: `Ridge compares documents across queries. RankSVM and LambdaMART learn only from the few
pairs within each query, so they need more data.`}
	pairs.train, pairs.test = made(synth.Config{Rows: 1_000, Cols: 46, MinDocs: 2, MaxDocs: 3, Real: true})
	ascending := slices.Sorted(slices.Values(pairs.train.Labels))
	for _, d := range []*rank.Dataset{pairs.train, pairs.test} {
		for i, y := range d.Labels {
			d.Labels[i] = 0
			for _, share := range []int{50, 75, 90, 97} { // percentage of documents with lower grades
				if y >= ascending[len(ascending)*share/100] {
					d.Labels[i]++
				}
			}
		}
	}
	return []demoProblem{lines, curves, pairs}
}

// checkDemo returns an error if a file exists whose beginning differs from the text of d. It is not
// from an earlier demo and must not be overwritten.
func checkDemo(path string, d *rank.Dataset) error {
	if files.Special(path) {
		return nil // nothing is overwritten, and opening a pipe would wait for its writer
	}
	f, err := os.Open(path)
	if err != nil {
		return nil // it does not exist, or writing reports the error
	}
	defer f.Close()
	row, err := d.SubsetRows([]int{0})
	if err != nil {
		return err
	}
	var first bytes.Buffer
	if err := data.WriteLETOR(&first, row); err != nil {
		return err
	}
	head := make([]byte, first.Len())
	if n, _ := io.ReadFull(f, head); string(head[:n]) != first.String() {
		return fmt.Errorf("%s already exists with other contents: choose another folder for --write", path)
	}
	return nil
}

// writeDemo writes the data to a folder.
func writeDemo(cmd *cobra.Command, dir string, problems []demoProblem) error {
	for _, p := range problems {
		at := func(name string) string { return filepath.Join(dir, p.name, name) }
		if err := cmp.Or(checkDemo(at("train.txt"), p.train), checkDemo(at("test.txt"), p.test)); err != nil {
			return err
		}
	}
	for _, p := range problems {
		write := func(dir string) error {
			for name, d := range map[string]*rank.Dataset{"train.txt": p.train, "test.txt": p.test} {
				if err := writeSized(cmd, filepath.Join(dir, name), "documents", int64(d.Rows()),
					func(w io.Writer) error { return data.WriteLETOR(w, d) }); err != nil {
					return err
				}
			}
			return nil
		}
		if p.name == "" {
			if err := write(dir); err != nil {
				return err
			}
			continue
		}
		if err := files.SaveFolder(filepath.Join(dir, p.name), write); err != nil {
			return err
		}
	}
	return nil
}

type demoResult struct {
	Seed     uint64              `json:"seed"`
	Problems []demoProblemResult `json:"problems"`
	Report   string              `json:"report,omitempty"` // file name of the page
}

type demoProblemResult struct {
	About   string       `json:"about"`
	Train   demoData     `json:"train"`
	Test    demoData     `json:"test"`
	Rankers []demoRanker `json:"rankers"`

	told    string
	systems []report.System // all rankers except random scores
}

type demoData struct {
	Documents int `json:"documents"`
	Queries   int `json:"queries"`
	Features  int `json:"features"`
}

type demoRanker struct {
	Name    string        `json:"name"`
	Seconds float64       `json:"seconds"` // training time
	Metrics *rank.Results `json:"metrics"` // metrics on the test data
}

// demo trains rankers on each dataset and evaluates them.
func demo(cmd *cobra.Command, seed uint64, problems []demoProblem) (*demoResult, error) {
	evaluator, err := rank.NewEvaluator(demoMetrics, rank.Options{})
	if err != nil {
		return nil, err
	}
	r := &demoResult{Seed: seed}
	comparing := begin(cmd, "comparing rankers", "")
	defer comparing.end()
	for _, p := range problems {
		result := demoProblemResult{
			About: p.about,
			Train: demoData{p.train.Rows(), p.train.Queries(), p.train.Cols},
			Test:  demoData{p.test.Rows(), p.test.Queries(), p.test.Cols},
			told:  p.told,
		}
		for _, ranker := range demoRankers {
			scores := make([]float64, p.test.Rows())
			var seconds float64
			if ranker.fit == nil {
				random := rand.New(rand.NewPCG(seed, 1<<32))
				for i := range scores {
					scores[i] = random.Float64()
				}
			} else {
				started := time.Now()
				m, err := ranker.fit(cmd.Context(), p.train)
				if err != nil {
					return nil, err
				}
				seconds = time.Since(started).Seconds()
				if err := m.ScoreInto(cmd.Context(), scores, p.test); err != nil {
					return nil, err
				}
				result.systems = append(result.systems, report.System{Name: ranker.name, Model: m, Scores: scores})
			}
			metrics, err := evaluator.EvalScores(cmd.Context(), scores, p.test)
			if err != nil {
				return nil, err
			}
			result.Rankers = append(result.Rankers, demoRanker{ranker.name, seconds, metrics})
			done := len(r.Problems)*len(demoRankers) + len(result.Rankers)
			comparing.at(int64(done), int64(len(problems)*len(demoRankers)))
		}
		r.Problems = append(r.Problems, result)
	}
	return r, nil
}

// writeDemoPage writes a page about the rankers of a problem.
func writeDemoPage(cmd *cobra.Command, path string, p demoProblem, systems []report.System) error {
	e, err := rank.NewEvaluator(demoMetrics, rank.Options{})
	if err != nil {
		return err
	}
	facts, err := facts(cmd, nil, nil)
	if err != nil {
		return err
	}
	page := &report.Page{Title: "simdrank demo", Note: p.about, Data: report.Set{Name: "test", Data: p.test},
		Train: report.Set{Name: "train", Data: p.train}, Systems: systems, Evaluator: e, Facts: facts}
	text, err := makePage(cmd, path, page)
	if err != nil {
		return err
	}
	return writeText(cmd, path, text)
}

// demoRankers lists the rankers that the demo compares. Without fit, scores are random.
var demoRankers = []struct {
	name string
	fit  func(ctx context.Context, d *rank.Dataset) (rank.Model, error)
}{
	{"random", nil},
	{"ridge", func(ctx context.Context, d *rank.Dataset) (rank.Model, error) {
		return asModel((&rank.Ridge{}).Fit(ctx, d))
	}},
	{"RankSVM", func(ctx context.Context, d *rank.Dataset) (rank.Model, error) {
		return asModel((&rank.RankSVM{C: 0.01}).Fit(ctx, d))
	}},
	{"LambdaMART", func(ctx context.Context, d *rank.Dataset) (rank.Model, error) {
		f, err := lambdamart.DefaultTrainer().Fit(ctx, d)
		if err != nil {
			return nil, err
		}
		return f.Model, nil
	}},
}

// csv has a row for each ranker of a problem.
func (r *demoResult) csv(t *csvTable) {
	row := []any{"problem", "ranker"}
	for _, m := range r.Problems[0].Rankers[0].Metrics.Metrics {
		row = append(row, m.Metric)
	}
	t.row(append(row, "seconds")...)
	for i, p := range r.Problems {
		for _, ranker := range p.Rankers {
			row = append(row[:0], i+1, ranker.Name)
			for _, m := range ranker.Metrics.Metrics {
				row = append(row, m.Mean)
			}
			t.row(append(row, ranker.Seconds)...)
		}
	}
}

func (r *demoResult) text(w io.Writer) error {
	for i, p := range r.Problems {
		fmt.Fprintf(w, "%d. %s\n   Training: %d documents, %d queries. Test: %d documents, %d queries. %d features.\n\n", i+1,
			p.About, p.Train.Documents, p.Train.Queries, p.Test.Documents, p.Test.Queries, p.Train.Features)
		t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
		fmt.Fprint(t, "ranker\t")
		for _, m := range p.Rankers[0].Metrics.Metrics {
			fmt.Fprintf(t, "%v\t", m.Metric)
		}
		fmt.Fprint(t, "trained in\t\n")
		for _, ranker := range p.Rankers {
			fmt.Fprintf(t, "%s\t", ranker.Name)
			for _, m := range ranker.Metrics.Metrics {
				fmt.Fprintf(t, "%.4f\t", m.Mean)
			}
			if ranker.Seconds == 0 {
				fmt.Fprint(t, "-\t\n")
			} else {
				fmt.Fprintf(t, "%.3f s\t\n", ranker.Seconds)
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(w, "\n   %s\n\n", strings.ReplaceAll(p.told, "\n", "\n   "))
	}
	_, err := fmt.Fprint(w, `Metrics are means over the test queries; higher is better. A random order has an expected
tau-b of 0 and a pair accuracy of 0.5.
`)
	if err != nil {
		return err
	}
	if r.Report == "" {
		_, err = fmt.Fprint(w, "To see figures of the second dataset in a browser, run: simdrank demo --report demo.html\n")
	} else {
		_, err = fmt.Fprintf(w, "To see figures of the second dataset, open %s in a browser.\n", errs.Line(r.Report))
	}
	return err
}

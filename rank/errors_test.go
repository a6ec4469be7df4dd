package rank_test

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
	"github.com/simdrank/simdrank/rank/trec"
)

// Errors begin with the name of exactly one package, or with the place in a file.
func TestErrorPrefixes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.txt")
	const text = "1 qid:1 1:1\n0 qid:1 1:2\n1 qid:2 1:1\n1 qid:2 1:2\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	changed := func(change func(d *rank.Dataset)) *rank.Dataset {
		d, err := data.Load(path, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		change(d)
		return d
	}
	good := changed(func(*rank.Dataset) {})
	broken := changed(func(d *rank.Dataset) { d.Offsets = []int{0, 2, 3} })
	infinite := changed(func(d *rank.Dataset) { d.Labels[2] = math.Inf(1) })
	high := changed(func(d *rank.Dataset) { d.Labels[2] = 99 })
	byHand := changed(func(d *rank.Dataset) { d.SetLine(0, 0); d.Labels[2] = 99 })
	wide := rank.NewDataset(1, 3)
	wide.Offsets, wide.QueryIDs = []int{0, 1}, []string{"1"}
	negative := rank.List{Labels: []float64{-1}, Scores: []float64{1}}
	e, err := rank.NewEvaluator("ndcg", rank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fit := func(d, valid *rank.Dataset) error {
		trainer := lambdamart.DefaultTrainer()
		trainer.Validation = []lambdamart.Validation{{Name: "v", Data: valid}}
		_, err := trainer.Fit(t.Context(), d)
		return err
	}
	trees := lambdamart.Model{Trees: []lambdamart.Tree{{}}}
	within := regexp.MustCompile(`: (rank|letor|trec|table|datafile|compare|lambdamart|model): `)
	saved := filepath.Join(t.TempDir(), "model.json")
	ctx, four := t.Context(), make([]float64, 4)
	unnamed := *good
	unnamed.QueryIDs = []string{"", "2"}
	_, _, noPath := new(rank.RankSVM).FitPath(ctx, good, []float64{0.5}, rank.CSelection{Folds: 2})
	for want, err := range map[string]error{
		`rank: metric "x": the name is unknown`:         failed(rank.ParseMetric("x")),
		`rank: loss "x"`:                                failed((&rank.RankSVM{Loss: "x"}).Fit(ctx, good)),
		"rank: at least one metric":                     failed(rank.NewEvaluator("", rank.Options{})),
		`rank: metric "precision": `:                    failed(rank.Measure("precision", nil, nil, rank.Options{})),
		"rank: document 1: label -1":                    failed(e.AppendValues(nil, &negative)),
		"rank: query 1: document 1: label -1":           failed(e.EvalAll(ctx, []rank.List{negative})),
		"rank: query 2: " + path + ":3: label ":         failed(e.EvalScores(ctx, four, infinite)),
		"rank: the columns for Kendall's tau differ":    failed(rank.KendallTau([]float64{1}, nil)),
		"rank: y[0]: NaN":                               failed(rank.KendallTau([]float64{1}, []float64{math.NaN()})),
		"rank: ridge: Alpha is -1":                      failed((&rank.Ridge{Alpha: -1}).Fit(ctx, good)),
		"rank: " + path + ":3: the label":               failed(new(rank.Ridge).Fit(ctx, infinite)),
		"rank: fold 1 of 2: at C = 0.5":                 noPath,
		"rank: the data has 3 columns":                  new(rank.Linear).ScoreInto(ctx, four[:1], wide),
		"compare: the number of systems":                failed(compare.Compare(ctx, nil, compare.Options{})),
		`compare: test "x"`:                             failed(compare.Values(ctx, nil, compare.Options{Test: "x"})),
		"lambdamart: validation set 1 (v): the query":   fit(good, broken),
		"lambdamart: validation set 1 (v): the set has": fit(good, wide),
		"lambdamart: " + path + ":3: label 99":          fit(high, good),
		"lambdamart: row 2: label 99":                   fit(byHand, good),
		"lambdamart: tree 0: ":                          trees.Validate(),
		"model: tree 0: ":                               model.Write(io.Discard, &trees, "json"),
		saved + ": tree 0: ":                            model.Save(saved, &trees),
		path + `: not a model file`:                     failed(model.Load(path)),
		`model: not a model file`:                       failed(model.Read(strings.NewReader("x"))),
		"model: Best is 3; it must be from 0": failed(model.Read(strings.NewReader(
			`{"format":"simdrank-lambdamart","version":1,"features":1,"bias":0,"best":3,"trees":[]}`))),
		"rank: the query offsets":               data.WriteLETOR(io.Discard, broken),
		`data: query ID "" must not`:            data.WriteLETOR(io.Discard, &unnamed),
		"line 1, column 1: the label":           failed(data.Read(strings.NewReader("x\n"), data.Options{})),
		"line 1: found 1 field":                 failed(trec.ReadQrels(strings.NewReader("x\n"))),
		"line 1: the run contains no documents": failed(trec.ReadRun(strings.NewReader(""))),
	} {
		t.Run(want, func(t *testing.T) {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("error %v, want one that begins with %s", err, want)
				return
			}
			if within.MatchString(err.Error()) {
				t.Errorf("a package within: %v", err)
			}
		})
	}
}

// failed returns the error of a call.
func failed[T any](_ T, err error) error { return err }

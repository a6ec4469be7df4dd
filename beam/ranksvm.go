package rankbeam

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// pairGain returns the field Gain of [rank.RankSVM] for a checked word.
func pairGain(word string) func(label float64) float64 {
	gain, _ := cli.PairGain(word)
	return gain
}

// SVMOptions contains options of [Job.TrainRankSVM] that [rank.RankSVM] does not have.
type SVMOptions struct {
	// Pairs is the weight of a document pair: "equal" or "" for 1, "label" for the label
	// difference, or "gain" for the difference of 2^label. It replaces RankSVM.Gain, which must be
	// nil because functions cannot be sent to workers.
	Pairs string
	// QueryWeights are the weights of all queries, in file order. nil means the weights in the
	// files.
	QueryWeights []float64

	// Cs are candidate values of C, as in [rank.RankSVM.FitPath]. The best value is selected on
	// Job.Valid or, if that is nil, by cross-validation with Folds folds (0 means 5). If Cs is nil,
	// training uses the field C of the RankSVM.
	Cs    []float64
	Folds int
}

// TrainRankSVM trains a RankSVM on all files. The model is bit-identical to the result of
// [rank.RankSVM.Fit] on one machine, or of [rank.RankSVM.FitPath] if Cs is set. path is nil if Cs
// is nil.
//
// The solver runs in this process. In each pass, workers receive the weights and return partial
// sums of the loss and the gradient, one per about 2048 documents. The sums are added in data
// order. The first pass converts text files to binary files in WorkDir, so text is read only once.
// Binary files that a worker can memory-map are used in place. The sample of documents for Hessians
// is kept in this process.
//
// Unlike [rank.RankSVM.Fit], TrainRankSVM returns an error for row weights.
func (j *Job) TrainRankSVM(ctx context.Context, s *rank.RankSVM, o SVMOptions) (m *rank.Linear, path []rank.CPoint,
	done *Pass, err error) {
	if s.Gain != nil {
		return nil, nil, nil,
			errors.New("RankSVM.Gain is not supported, because functions cannot be sent to workers; set SVMOptions.Pairs")
	}
	if _, err := ranksvm.ParseLoss(s.Loss); err != nil {
		return nil, nil, nil, err
	}
	if _, err := cli.PairGain(o.Pairs); err != nil {
		return nil, nil, nil, fmt.Errorf("SVMOptions.Pairs: %w", err)
	}
	o.Pairs = cmp.Or(o.Pairs, "equal")
	evaluator, err := evaluatorOr(j.Evaluator)
	if err != nil {
		return nil, nil, nil, err
	}
	kept, err := j.newState(j.StateDir)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { err = cmp.Or(err, kept.remove()) }()
	d := &svmData{state: kept, options: &o}
	if err := d.prepare(ctx); err != nil {
		return nil, nil, nil, err
	}
	if j.Settle != nil {
		if err := j.Settle(d.cols, d.names); err != nil {
			return nil, nil, nil, err
		}
	}
	if o.Cs != nil {
		m, path, err = d.fitPath(ctx, s, evaluator.Metrics()[0].String())
	} else {
		m, err = d.fit(ctx, s)
	}
	if err != nil {
		if place := (*dataError)(nil); errors.As(err, &place) { // it names the place
			return nil, nil, nil, place
		}
		return nil, nil, nil, cli.FileError(j.Data.Glob, err)
	}
	done = kept.total()
	done.Files, done.Queries, done.Rows, done.Cols = len(d.shards), len(d.sizes), d.rows, d.cols
	return m, path, done, nil
}

// fit trains a model.
func (d *svmData) fit(ctx context.Context, s *rank.RankSVM) (*rank.Linear, error) {
	f, err := ranksvm.Fit(ctx, d.trainer(s), d.data())
	if err != nil {
		return nil, err
	}
	return d.model(s, f), nil
}

// fitPath selects C and trains a model with it.
func (d *svmData) fitPath(ctx context.Context, s *rank.RankSVM, metric string) (*rank.Linear, []rank.CPoint, error) {
	by := &ranksvm.Selection{Metric: metric, Validate: d.validate, CrossValidate: d.crossValidate}
	if d.job.Valid == nil {
		by.Folds = cmp.Or(d.options.Folds, 5)
	}
	found, err := ranksvm.FitPath(ctx, d.trainer(s), d.data(), d.options.Cs, by)
	if err != nil {
		return nil, nil, err
	}
	var points []rank.CPoint
	for _, point := range found.Points {
		points = append(points, rank.CPoint(point))
	}
	return d.model(s, found.Fitted), points, nil
}

// trainer returns the options of a training.
func (d *svmData) trainer(s *rank.RankSVM) *ranksvm.Options {
	o := &ranksvm.Options{
		C: s.C, Loss: s.Loss, PerQuery: s.PerQuery, Gain: pairGain(d.options.Pairs),
		Standardize: s.Standardize, Unpenalized: s.Unpenalized, NonNegative: s.NonNegative,
		Tol: s.Tol, MaxPasses: s.MaxPasses, Threads: s.Threads,
	}
	if s.Start != nil {
		start := ranksvm.Pack(s.Start.Weights)
		o.Start = &start
	}
	if s.OnIteration != nil {
		o.OnIteration = func(r ranksvm.Report) { s.OnIteration(rank.FitReport(r)) }
	}
	return o
}

// model returns the trained model with its report.
func (d *svmData) model(s *rank.RankSVM, f *ranksvm.Fitted) *rank.Linear {
	o := *s
	o.C, o.Tol, o.MaxPasses = f.C, f.Tol, f.MaxPasses
	r := rank.FitReport(f.Report)
	return &rank.Linear{Weights: f.Weights.Unpack(nil), FeatureNames: slices.Clone(d.names), Report: &r,
		Settings: text.Settings("ranksvm", o, d.names)}
}

// data returns the files as data of internal/ranksvm.
func (d *svmData) data() *ranksvm.Data {
	data := &ranksvm.Data{Cols: d.cols, Nonzeros: d.nonzeros, Columns: d.columns, Source: d, Sizes: d.sizes,
		Rows: d.rows, QueryWeights: d.weights, NotFinite: d.notFinite}
	if data.Features.Cols = d.cols; d.columns != nil {
		data.Features.Cols = len(d.columns)
	}
	return data
}
func init() { tasks["cross-validation"] = taskOf(crossValidate) }

// validate returns the metric of weights on the validation data.
func (d *svmData) validate(ctx context.Context, w []float64) (float64, error) {
	j := *d.job
	j.Data = *j.Valid
	m := System{"the model", &rank.Linear{Weights: w, FeatureNames: d.names}}
	r, done, err := j.Evaluate(ctx, m, "")
	if err != nil {
		return 0, cmp.Or(ctx.Err(), error(wireError(err)))
	}
	d.note("validation", done)
	return r.Metrics[0].Mean, nil
}

// A crossPlan contains the models of a cross-validation, by value of C and fold.
type crossPlan struct {
	Models    [][]ranksvm.PackedWeights
	Evaluator *rank.Evaluator
}

// A crossShard contains the folds of the queries of a shard.
type crossShard struct {
	File string
	Rows kept
	Fold []int
}

// crossValidate returns the metric of each of a list of models. Query q is scored by
// models[k][fold[q]].
func (d *svmData) crossValidate(ctx context.Context, fold []int, models [][]ranksvm.PackedWeights) ([]float64, error) {
	rows, err := d.keptRows(ctx)
	if err != nil {
		return nil, err
	}
	told := every(d, func(i int) crossShard {
		return crossShard{d.shards[i].File, rows[i], fold[d.shards[i].Query:d.end(i)]}
	})
	p := crossPlan{models, d.job.Evaluator}
	parts, err := pass[[]num.ExactMean](ctx, d, "cross-validation", p, told, d.rows)
	sums := make([]num.ExactMean, len(models))
	for _, part := range parts {
		for k := range part {
			sums[k].Merge(&part[k])
		}
	}
	means := make([]float64, len(models))
	for k := range means {
		means[k] = sums[k].Value()
	}
	return means, err
}

func crossValidate(ctx context.Context, _ *attempt, p *crossPlan, s crossShard) (any, error) {
	d, weights, done, err := s.Rows.load(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := evaluatorOr(p.Evaluator)
	if err != nil {
		return nil, err
	}
	whole := *d
	if whole.QueryWeights = d.QueryWeights; weights != nil {
		whole.QueryWeights = weights
	}
	sums := make([]num.ExactMean, len(p.Models))
	for lo := 0; lo < d.Queries(); {
		hi := lo + 1
		for hi < d.Queries() && d.Offsets[hi+1]-d.Offsets[lo] <= pieceRows {
			hi++
		}
		piece := queries(&whole, lo, hi)
		piece.SetLine(0, 0) // kept rows have no line numbers, so errors name their queries
		scores := make([]float64, piece.Rows())
		for k, folds := range p.Models {
			for f, packed := range folds {
				m := &rank.Linear{Weights: packed.Unpack(nil)}
				for q := range piece.Queries() {
					if s.Fold[lo+q] != f {
						continue
					}
					a, b := piece.Query(q)
					if err := m.ScoreInto(ctx, scores[a:b], queries(piece, q, q+1)); err != nil {
						return nil, cli.FileError(s.File, err)
					}
				}
			}
			r, err := e.EvalScores(ctx, scores, piece)
			if err != nil {
				return nil, cli.FileError(s.File, err)
			}
			addMeans(sums[k:k+1], r)
		}
		lo = hi
	}
	return sums, nil
}

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	rankbeam "github.com/simdrank/simdrank/beam"
	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// svmFlags are those of RankSVM.
type svmFlags struct {
	cli.SVMFlags
	svm                  rank.RankSVM
	loss, weights, pairs string
	flags                *pflag.FlagSet
}

var pairWeights = map[string]rankbeam.PairWeights{"equal": rankbeam.EqualPairs, "label": rankbeam.LabelPairs,
	"gain": rankbeam.GainPairs}

func newSVMTrainer(flags *pflag.FlagSet) trainer {
	f := &svmFlags{flags: flags}
	flags.Float64Var(&f.svm.C, "c", 1, "ranksvm: weight of a pair's loss against the penalty")
	flags.StringVar(&f.loss, "loss", "squared-hinge", "ranksvm: loss of a pair: squared-hinge, hinge, logistic")
	flags.StringVar(&f.Path, "c-path", "", "ranksvm: values of C to choose from, as in 0.01,0.1,1, or auto")
	flags.IntVar(&f.Folds, "cv", 0, "ranksvm: folds of a cross-validation by query (default 5 without --valid)")
	cli.DefineSVM(flags, &f.svm)
	flags.StringVar(&f.weights, "weights", "", "ranksvm: weights of all queries, one per line")
	flags.StringVar(&f.pairs, "pair-weights", "equal", "ranksvm: weight of a pair: equal, label, gain")
	flags.IntVar(&f.svm.Threads, "threads", 0,
		"ranksvm: threads to use on this machine (default one per processor)")
	return f.train
}

// check returns wrong usage, and the values of C to choose from.
func (f *svmFlags) check() (cs []float64, err error) {
	if err := f.Check(&f.svm, f.flags.Changed); err != nil {
		return nil, err
	}
	if f.svm.Loss, err = rank.ParseLoss(f.loss); err != nil {
		return nil, errs.Wrap(err, "--loss")
	}
	if _, known := pairWeights[f.pairs]; !known {
		return nil, fmt.Errorf("--pair-weights %s: want equal, label or gain", f.pairs)
	}
	return f.CValues(&f.svm)
}

func (f *svmFlags) train(cmd *cobra.Command, t *training, job *rankbeam.Job, r *trainResult) (rank.Model, error) {
	cs, err := f.check()
	if err != nil {
		return nil, usageError{err}
	}
	o := rankbeam.SVMOptions{Pairs: pairWeights[f.pairs], Path: f.Path != "" || f.Folds > 0, Cs: cs, Folds: f.Folds,
		Metrics: t.metrics.metrics, Policies: t.policies, Settle: t.checkValid, Progress: t.progress()}
	if f.Folds == 0 {
		o.Valid = t.validData(job)
	}
	if f.weights != "" {
		if o.QueryWeights, err = remote.Load(cmd.Context(), f.weights, readWeights); err != nil {
			return nil, cli.FileError(f.weights, err)
		}
	}
	done, err := job.TrainRankSVM(cmd.Context(), &f.svm, o)
	if err != nil {
		return nil, err
	}
	f.Note(done.Model, f.pairs, done.Path, t.valid != "")
	if f.weights != "" {
		done.Model.Settings["weights"] = "of queries"
	}
	if job.Data.ZeroBased {
		done.Model.Settings["zero_based"] = "true"
	}
	r.Files, r.Documents, r.Queries, r.Features = done.Files, done.Documents, done.Queries, done.Features
	r.Passes = done.Passes
	unconverged := func(what string, gap float64) {
		warn(cmd, fmt.Sprintf("%s: %s did not converge: the bound of the relative gap is %.1e where --tol is %g "+
			"and --max-passes %d", job.Data.Glob, what, gap, f.svm.Tol, f.svm.MaxPasses))
	}
	if p := done.Path; p != nil {
		r.Path = cli.NewCPath(p)
		for _, p := range p.Points {
			if p.Unconverged > 0 {
				unconverged(fmt.Sprintf("C = %g: trainings", p.C), p.Gap)
			}
		}
	}
	m := done.Model.Report
	if !m.Converged() && r.Path == nil {
		unconverged("the training", m.Gap)
	}
	r.SVM = cli.NewRankSVM(f.svm.Loss, m)
	return done.Model, nil
}

// readWeights reads a weight per line.
func readWeights(r io.Reader) (weights []float64, err error) {
	if r, err = files.Uncompressed(r); err == nil {
		r, err = text.Plain(r)
	}
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(r)
	n := 1
	for ; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		v, err := text.ParseNumber(line, 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return nil, &rank.ParseError{Line: n, Text: text.Excerpt(line),
				Err: errors.New("want a finite number from 0")}
		}
		weights = append(weights, v)
	}
	if err := lines.Err(); err != nil {
		return nil, &rank.ParseError{Line: n, Err: text.ScanError(err)}
	}
	return weights, none(weights)
}

func none(weights []float64) error {
	if len(weights) == 0 {
		return errors.New("no weights")
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	rankbeam "github.com/simdrank/simdrank/beam"
	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
)

// svmFlags holds the flags for RankSVM.
type svmFlags struct {
	cli.SVMFlags
	svm            rank.RankSVM
	weights, pairs string
	flags          *pflag.FlagSet
}

func newSVMTrainer(flags *pflag.FlagSet) trainer {
	f := &svmFlags{flags: flags}
	section(flags, "RankSVM", func() {
		flags.Float64Var(&f.svm.C, "c", 1, "`weight` of the pair loss relative to the penalty")
		flags.StringVar(&f.Path, "c-path", "", "`list` of C values to try, e.g. 0.01,0.1,1, or auto")
		flags.IntVar(&f.Folds, "cv", 0, "cross-validation folds for --c-path (5 without --valid)")
		flags.StringVar(&f.svm.Loss, "loss", "squared-hinge", "`loss` function of a pair")
		flags.StringVar(&f.pairs, "pair-weights", "equal", "`weighting` of pairs")
		cli.DefineSVM(flags, &f.svm)
		flags.StringVar(&f.weights, "weights", "", "`file` of query weights, one per line")
		flags.IntVar(&f.svm.Threads, "threads", 0, "threads on this machine (default one per processor)")
	})
	accept(flags, "loss", rank.OptionWords("loss")...)
	accept(flags, "pair-weights", "equal", "label", "gain")
	return f.train
}

// check returns the values of C to choose from, or nil if C is fixed, and an error about wrong
// usage.
func (f *svmFlags) check() (cs []float64, err error) {
	if err := f.Check(&f.svm, f.flags.Changed); err != nil {
		return nil, err
	}
	if err := cli.CheckWord("loss", "loss", f.svm.Loss, rank.OptionWords("loss")); err != nil {
		return nil, err
	}
	if _, err := cli.PairGain(f.pairs); err != nil {
		return nil, fmt.Errorf("--pair-weights %w", err)
	}
	if f.Path == "" && f.Folds == 0 {
		return nil, nil
	}
	return f.CValues(&f.svm)
}

func (f *svmFlags) train(cmd *cobra.Command, t *training, job *rankbeam.Job, r *trainResult) (rank.Model, error) {
	cs, err := f.check()
	if err != nil {
		return nil, usageError{err}
	}
	o := rankbeam.SVMOptions{Pairs: f.pairs, Cs: cs, Folds: f.Folds}
	if f.Folds == 0 {
		job.Valid = t.validData
	}
	if f.weights != "" {
		if o.QueryWeights, err = remote.Load(cmd.Context(), f.weights, readWeights); err != nil {
			return nil, cli.FileError(f.weights, err)
		}
	}
	m, points, pass, err := job.TrainRankSVM(cmd.Context(), &f.svm, o)
	if err != nil {
		return nil, err
	}
	if points != nil {
		r.Path = cli.NewCPath(job.Evaluator.Metrics()[0].String(), m, points)
		for _, p := range points {
			if p.Unconverged > 0 {
				warn(cmd, cli.Unconverged(job.Data.Glob, fmt.Sprintf("C = %g: trainings", p.C), p.Gap, &f.svm))
			}
		}
	}
	f.Note(m, f.pairs, r.Path, t.valid != "")
	if f.weights != "" {
		m.Settings["weights"] = "of queries"
	}
	if job.Data.ZeroBased {
		m.Settings["zero_based"] = "true"
	}
	r.add(pass)
	if !m.Report.Converged() && r.Path == nil {
		warn(cmd, cli.Unconverged(job.Data.Glob, "the training", m.Report.Gap, &f.svm))
	}
	r.SVM = cli.NewRankSVM(f.svm.Loss, m.Report)
	return m, nil
}

// readWeights reads a weight per line.
func readWeights(r io.Reader) (weights []float64, err error) {
	err = cli.ReadNumbers(r, 1, func(_ int, _ string, v float64) error {
		if !(v >= 0) || math.IsInf(v, 0) {
			return errors.New("a weight must be finite and not negative")
		}
		weights = append(weights, v)
		return nil
	})
	return weights, err
}

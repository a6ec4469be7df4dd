package main

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// conventions returns the values of the flags that determine how the evaluator computes metrics. A
// flag that the preset determines is omitted.
func conventions(e *rank.Evaluator) map[string]string {
	o := e.Options()
	c := map[string]string{"preset": cmp.Or(o.Preset, "none"),
		"max-label": strconv.FormatFloat(cmp.Or(o.MaxLabel, 4), 'g', -1, 64)}
	for flag, word := range map[string]string{"gain": o.Gain, "ties": o.Ties, "empty": o.Empty} {
		if word == "" && o.Preset == "" {
			word = rank.OptionWords(flag)[0]
		}
		if word != "" {
			c[flag] = word
		}
	}
	return c
}

// saveResults writes the file of eval --save.
func saveResults(cmd *cobra.Command, path string, e *rank.Evaluator, r *rank.Results) error {
	f := cli.ResultsFile{Results: r, Conventions: conventions(e)}
	return readError(path, writeOutput(cmd, path, func(w io.Writer) error { return f.Write(w) }))
}

// savedSystems are the systems of compare whose results are read from files, by path.
type savedSystems map[string]*cli.ResultsFile

// readSaved reads the files of eval --save among the systems. The evaluator measures the others.
func readSaved(cmd *cobra.Command, paths []string, e *rank.Evaluator) (savedSystems, error) {
	saved := savedSystems{}
	for _, path := range paths {
		is, err := begins(cmd, path, cli.BeginsResults)
		if err == nil && is && saved[path] == nil {
			if saved[path], err = readInput(cmd, path, cli.ReadResults); err == nil {
				err = saved[path].CheckConventions(path, conventions(e), "this command evaluates")
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return saved, nil
}

// onlySaved reads systems that must all be files of eval --save. It also returns an evaluator of
// their metrics.
func onlySaved(cmd *cobra.Command, paths []string, metrics *metricFlags) (savedSystems, *rank.Evaluator, error) {
	for _, path := range paths {
		if is, err := begins(cmd, path, cli.BeginsResults); err != nil || !is {
			return nil, nil, usagef("compare requires --data (-d) for models and scores, or --qrels for TREC runs")
		}
	}
	for _, flag := range append(dialectFlags(), "preset", "gain", "ties", "empty", "max-label", "trees", "zero-missing",
		"ignore-extra-features") {
		if metrics.changed(flag) {
			return nil, nil, usagef("--%s cannot be combined with saved results", flag)
		}
	}
	saved := savedSystems{}
	for _, path := range paths {
		var err error
		if saved[path], err = readInput(cmd, path, cli.ReadResults); err == nil {
			first := saved[paths[0]]
			err = saved[path].CheckConventions(path, first.Conventions, paths[0]+" was evaluated")
		}
		if err != nil {
			return nil, nil, err
		}
	}
	list := saved[paths[0]].MetricNames()
	if metrics.changed("metric") {
		list = metrics.list
	}
	e, err := rank.NewEvaluator(list, rank.Options{})
	if err != nil {
		return nil, nil, usageError{err}
	}
	return saved, e, nil
}

// fill sets the results of the saved systems. They must be about the queries of the other systems
// or, if there are none, of the first system.
func (s savedSystems) fill(systems []compare.System, paths []string, metrics []rank.Metric) error {
	at := max(0, slices.IndexFunc(systems, func(s compare.System) bool { return s.Results != nil }))
	base := systems[at].Results
	if base == nil {
		base = s[paths[at]].Results
	}
	for i, path := range paths {
		if f := s[path]; f != nil {
			var err error
			if systems[i].Results, err = f.Matching(path, metrics, base, inputName(paths[at])); err != nil {
				return err
			}
		}
	}
	return nil
}

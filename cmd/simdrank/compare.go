package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

func compareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare -d data baseline system…, or compare --qrels judgments run run…, or compare saved saved…",
		Short: "Compare systems and mark significant differences",
		Long: `Compare systems with the first one, the baseline, on the same queries. A system is a
model or a score file (with -d), a TREC run (with --qrels), or a file that eval --save
wrote. NAME=FILE sets its name.

The table shows the mean of each metric. Stars mark significant differences from the
baseline: * for p < 0.05 and ** for p < 0.01. The test is paired and two-sided, and
p-values are corrected for the number of comparisons.

All formats show confidence intervals of the differences. The formats text, json and
csv also show the differences and effect sizes. Queries that are skipped for any
system are excluded for all. All queries count equally.

If a --fail-if rule is true for a difference from the baseline, over all queries or in a
--by group, the exit code is 3. The table is printed in any case. docs/reference/cli.md
and docs/reference/metrics.md describe the tests, the rules and the metrics.`,
		Example: `  simdrank compare -d test.txt ridge.json ranksvm.json scores.txt
  simdrank compare --qrels qrels.txt BM25=bm25.run dense.run.gz --metric ndcg@10,map --format latex
  simdrank compare --qrels qrels.txt *.run --all-pairs --correction tukey-hsd --power 0.8
  simdrank compare -d test.txt old.json new.json --fail-if 'ndcg@10 < -0.01'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("compare requires at least two systems, with the baseline first")
			}
			return nil
		},
	}
	var qrelsFile, output string
	var f cli.CompareFlags
	o := &f.Options
	cmd.Flags().SortFlags = false
	data := newDataFlags(cmd)
	cmd.Flags().StringVar(&qrelsFile, "qrels", "", "TREC judgments `file` (qrels)")
	cmd.Flags().StringVarP(&output, "output", "o", "-", "output `file`")
	perQuery := cmd.Flags().BoolP("per-query", "q", false, "also print the values of each query")
	format := choiceFlag(cmd, "format", "output `format`", "text", "json", "markdown", "latex", "csv")
	metrics := newMetricFlags(cmd)
	by := newByFlags(cmd)
	var test, correction, interval *choice
	section(cmd, "Significance", func() {
		test = choiceFlag(cmd, "test", "significance `test`", compare.OptionWords("test")...)
		cmd.Flags().BoolVar(&o.AllPairs, "all-pairs", false, "compare each pair of systems")
		correction = choiceFlag(cmd, "correction", "`correction` for multiple comparisons",
			compare.OptionWords("correction")...)
		interval = choiceFlag(cmd, "interval", "confidence interval `method`", compare.OptionWords("interval")...)
		cmd.Flags().IntVar(&o.Rounds, "rounds", 100_000, "randomization and bootstrap rounds")
		cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "random `seed`")
		cmd.Flags().Float64Var(&o.Power, "power", 0, "print how many queries a t-test with this `power` needs")
		cmd.Flags().Float64Var(&o.MinDifference, "min-difference", 0,
			"`difference` to detect with --power (default: observed)")
	})
	gate := addGate(cmd)
	scoring := addScoreFlags(cmd)
	addFeatureFlags(cmd)
	exclude(cmd, "qrels", append(dialectFlags(), "data", "by-column")...)
	exclude(cmd, "qrels", "trees", "zero-missing", "ignore-extra-features")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		allSaved := !cmd.Flags().Changed("data") && !cmd.Flags().Changed("qrels")
		o.Test, o.Correction, o.Interval, f.Format = test.value, correction.value, interval.value, format.value
		if err := f.Check(cmd.Flags().Changed); err != nil {
			return usageError{err}
		}
		if gate.given() {
			o.Interval = interval.value // in every format
		}
		names, paths, err := namedSystems(args)
		if err != nil {
			return usageError{err}
		}
		if o.Correction == "tukey-hsd" && (by.file != "" || by.column != "") {
			return usagef("--correction tukey-hsd is not supported for query groups (use holm or bonferroni)")
		}
		inputs := append(append(data.inputs(), qrelsFile, by.file), paths...)
		if err := checkFiles(output, inputs...); err != nil {
			return err
		}
		if qrelsFile != "" {
			metrics.preferTREC()
			if !metrics.changed("metric") {
				metrics.list = "map,ndcg_cut_10,P_10,recip_rank"
			}
		}
		var saved savedSystems
		var evaluator *rank.Evaluator
		switch {
		case allSaved && by.column != "":
			return usagef("--by-column requires --data (-d)")
		case allSaved:
			saved, evaluator, err = onlySaved(cmd, paths, metrics)
		default:
			evaluator, err = metrics.evaluator()
		}
		if err != nil {
			return err
		}
		if err := gate.check(evaluator); err != nil {
			return err
		}
		if !allSaved {
			if saved, err = readSaved(cmd, paths, evaluator); err != nil {
				return err
			}
		}
		var measure func(path string) (*rank.Results, error)
		var set *rank.Dataset
		if qrelsFile != "" {
			qrels, err := readQrels(cmd, qrelsFile, evaluator.Metrics())
			if err != nil {
				return err
			}
			measure = func(path string) (*rank.Results, error) {
				r, _, err := evalRun(cmd, evaluator, qrels, qrelsFile, "", path)
				return r, err
			}
		} else if !allSaved {
			models := map[string]rank.Model{}
			for _, path := range paths {
				if saved[path] != nil {
					continue
				}
				model, err := begins(cmd, path, modelfile.Begins)
				if err != nil {
					return err
				}
				if models[path], err = scoring.loadSystem(cmd, path, model); err != nil {
					return err
				}
				data.knows(models[path])
			}
			if set, err = data.load(cmd); err != nil {
				return err
			}
			if err := metrics.checkIDs(set, data.path); err != nil {
				return err
			}
			measure = func(path string) (*rank.Results, error) {
				return evalSystem(cmd, evaluator, models[path], path, set, data.path)
			}
		}
		systems := make([]compare.System, len(paths))
		for i, path := range paths {
			systems[i].Name = names[i]
			if saved[path] != nil {
				continue
			}
			if systems[i].Results, err = measure(path); err != nil {
				return err
			}
		}
		if err := saved.fill(systems, paths, evaluator.Metrics()); err != nil {
			return err
		}
		if o.Groups, err = by.of(cmd, systems[0].Results.QueryIDs, data, set); err != nil {
			return err
		}
		if *perQuery && format.value == "json" {
			if err := checkIDs(cmp.Or(data.path, qrelsFile), systems[0].Results.QueryIDs...); err != nil {
				return err
			}
		}
		if *perQuery && format.value == "csv" && !gate.given() { // no rounds for results that are not printed
			*o = compare.Options{Test: "t", Interval: "none", Groups: o.Groups}
		}
		testing := begin(cmd, "comparing systems", "rounds")
		defer testing.end()
		o.Progress = testing.at
		c, err := compare.Compare(cmd.Context(), systems, *o)
		testing.end()
		if err != nil {
			return err
		}
		err = writeOutput(cmd, output, func(w io.Writer) error {
			if *perQuery {
				return printResult(w, format, withQueries(c, systems))
			}
			return c.Write(w, format.value)
		})
		return cmp.Or(err, gate.apply(c))
	}
	return cmd
}

// begins reports whether is is true for the first 512 bytes of a file. Standard input and pipes can
// be read only once, so they are assumed to be scores or runs.
func begins(cmd *cobra.Command, path string, is func(head []byte) bool) (bool, error) {
	if path == "-" || files.Special(path) {
		return false, nil
	}
	head, err := files.Load(path, func(r io.Reader) ([]byte, error) {
		text, err := files.NewBudget(r, readOptions(cmd)).Uncompressed(r)
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(text, 512))
	})
	if err != nil {
		return false, readError(path, err)
	}
	return is(head), nil
}

// namedSystems returns the names and the files of systems. An argument is a file, or a name and a
// file separated by =. A = after a slash belongs to the path, as in ./a=b.run. Without a name, the
// file name is the name.
func namedSystems(args []string) (names, paths []string, err error) {
	names, paths = make([]string, len(args)), slices.Clone(args)
	for i, arg := range args {
		name, path, named := strings.Cut(arg, "=")
		if !named || name == "" || strings.ContainsAny(name, `/\`) {
			continue
		}
		if path == "" {
			return nil, nil, fmt.Errorf("%q: must be a file, or NAME=FILE", arg)
		}
		names[i], paths[i] = name, path
	}
	for i, path := range paths {
		if names[i] == "" {
			names[i] = systemName(path, paths)
		}
		if k := slices.Index(names[:i], names[i]); k >= 0 && paths[k] != path {
			return nil, nil, fmt.Errorf("%s and %s cannot both be named %q (use NAME=FILE)", paths[k], path, names[i])
		}
	}
	return names, paths, nil
}

// systemName returns the name of a file, or its path if another file has the same name.
func systemName(path string, paths []string) string {
	for _, other := range paths {
		if other != path && filepath.Base(other) == filepath.Base(path) {
			return path
		}
	}
	return filepath.Base(path)
}

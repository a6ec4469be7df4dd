package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	rankbeam "github.com/simdrank/simdrank/beam"
	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/model"
)

// A trainer trains a model of its kind, and fills the result.
type trainer func(cmd *cobra.Command, t *training, job *rankbeam.Job, r *trainResult) (rank.Model, error)

// trainers define the flags for each kind of model.
var trainers = map[string]func(flags *pflag.FlagSet) trainer{
	"ranksvm": newSVMTrainer, "lambdamart": newTreesTrainer,
}

// A training holds the flags for all kinds of models.
type training struct {
	job           *jobFlags
	metrics       *metricFlags
	output, valid string
	report        bool
	out           io.Writer // results go here, the model does not

	validData *rankbeam.Data // nil if there is none
}

func trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train -d pattern -o model",
		Short: "Train a ranker",
		Long: `Train a ranker on all files together. The model is byte-identical to the output of
simdrank train on one machine. See simdrank train --help for details of the flags.

Training reads the data many times. The first passes write temporary files to
--work-dir, which later passes read. The files contain binary data for RankSVM, or
binned features for LambdaMART. They are removed at the end.

LambdaMART requires --depth-wise. If training is interrupted, no model is written.
With --checkpoint and --resume, LambdaMART resumes and trains the same model.`,
		Example: `  simdrank-beam train -d 'data/train-*.gz' -o model.json --c 0.01
  simdrank-beam train -d 'data/train-*.gz' --valid 'data/vali-*.gz' -o trees.json \
    --model lambdamart --depth-wise --early-stopping 20 --metric ndcg@10`,
		Args: noArguments,
	}
	t := &training{job: addJobFlags(cmd, "text or json"), metrics: addMetricFlags(cmd)}
	kinds := slices.Sorted(maps.Keys(trainers))
	flags := cmd.Flags()
	flags.StringVarP(&t.output, "output", "o", "", "output `file` for the model, - for standard output")
	flags.StringVar(&t.valid, "valid", "", "`pattern` of validation data files")
	flags.BoolVar(&t.report, "report", false, "print each pass")
	kind := flags.String("model", "ranksvm", "`ranker` to train")
	accept(flags, "model", kinds...)
	train := map[string]trainer{}
	annotate(flags, rankersKey, []string{"ranksvm"}, func() {
		section(flags, "RankSVM", func() {
			flags.StringVar(&t.job.job.StateDir, "state-dir", "",
				"shared `folder` to keep parsed data in and to resume from")
		})
	})
	for _, k := range kinds {
		annotate(flags, rankersKey, []string{k}, func() { train[k] = trainers[k](flags) })
	}
	cmd.MarkFlagRequired("output")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if train[*kind] == nil {
			return usageError{fmt.Errorf("--model %s: must be %s", *kind, cli.OneOf(kinds))}
		}
		if err := misplaced(flags, *kind); err != nil {
			return err
		}
		return t.run(cmd, *kind, train[*kind])
	}
	return cmd
}

// misplaced returns an error about a flag for other kinds of models.
func misplaced(flags *pflag.FlagSet, kind string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if of := f.Annotations[rankersKey]; of != nil && !slices.Contains(of, kind) {
			err = usageError{fmt.Errorf("--%s requires --model %s", f.Name, cli.OneOf(of))}
		}
	})
	return err
}

func (t *training) run(cmd *cobra.Command, kind string, train trainer) error {
	job, err := t.job.start("text", "json")
	if err != nil {
		return err
	}
	if err := t.metrics.set(job); err != nil {
		return err
	}
	flags := cmd.Flags()
	checkpoint := flags.Lookup("checkpoint").Value.String()
	if checkpoint == t.output {
		return usageError{errors.New("--output and --checkpoint must not name the same file")}
	}
	for _, output := range []string{t.output, checkpoint} {
		err := replaced(output, job.Data.Glob, t.valid, flags.Lookup("weights").Value.String(),
			flags.Lookup("start").Value.String())
		if err != nil {
			return err
		}
	}
	elsewhere := strings.Contains(t.output, "://")
	if t.output != "-" && !elsewhere {
		if err := files.Check(t.output); err != nil {
			return err
		}
	}
	t.out = cmd.OutOrStdout()
	if t.output == "-" {
		t.out = cmd.ErrOrStderr()
	}
	var valid *rankbeam.Job
	if t.valid != "" {
		valid = new(*job)
		valid.Data.Glob = t.valid
		t.validData = &valid.Data
		// Errors in the validation data are found before the training, not after it.
		job.Settle = func(cols int, names []string) error {
			system := rankbeam.System{Name: "the training data", Model: &rank.Linear{Weights: make([]float64, cols),
				FeatureNames: names}}
			_, _, err := valid.Evaluate(cmd.Context(), system, "")
			return err
		}
	}
	job.OnPass = t.progress()
	r := trainResult{Model: kind}
	begin := time.Now()
	m, err := train(cmd, t, job, &r)
	if err != nil {
		return err
	}
	r.Seconds = time.Since(begin).Seconds()
	if valid != nil {
		system := rankbeam.System{Name: "the model", Model: m}
		if r.Valid, _, err = valid.Evaluate(cmd.Context(), system, ""); err != nil {
			return err
		}
	}
	write := func(w io.Writer) error {
		return errors.Join(cmd.Context().Err(), model.Write(w, m, "json"))
	}
	switch {
	case t.output == "-":
		err = write(cmd.OutOrStdout())
	case elsewhere:
		err = remote.Create(cmd.Context(), t.output, write)
	default:
		err = files.Save(t.output, write)
	}
	if err != nil {
		return err
	}
	if t.job.format == "json" {
		return text.WriteJSON(t.out, r)
	}
	return r.text(t.out)
}

// replaced returns a usage error if a local output would replace an input. Inputs are patterns and
// names, or "" if there is none.
func replaced(output string, inputs ...string) error {
	for _, pattern := range inputs {
		names, _ := filepath.Glob(pattern) // ignored: reading reports the error
		if name := files.Replaced(output, append(names, pattern)...); name != "" {
			return usageError{fmt.Errorf("the output %s would replace the input %s", output, name)}
		}
	}
	return nil
}

// progress returns the function that reports each pass of a training, or nil.
func (t *training) progress() func(rankbeam.Pass) {
	if !t.report || t.job.format == "json" {
		return nil
	}
	return func(p rankbeam.Pass) {
		fmt.Fprintf(t.out, "%s: %s\n", p.Name, took(&p, ""))
	}
}

// A trainResult has the JSON names of simdrank train.
type trainResult struct {
	Model     string  `json:"model"`
	Files     int     `json:"files"`
	Documents int     `json:"documents"`
	Queries   int     `json:"queries"`
	Features  int     `json:"features"`
	Seconds   float64 `json:"seconds"`

	SVM   *cli.RankSVM  `json:"ranksvm,omitempty"`
	Path  *cli.CPath    `json:"c_path,omitempty"`
	Trees *treesResult  `json:"lambdamart,omitempty"`
	Valid *rank.Results `json:"valid,omitempty"`

	Passes []rankbeam.Pass `json:"passes"`
}

// add adds the passes of a training.
func (r *trainResult) add(p *rankbeam.Pass) {
	r.Files, r.Documents, r.Queries, r.Features = p.Files, p.Rows, p.Queries, p.Cols
	r.Passes = append(r.Passes, p.Passes...)
}

// text prints the result.
func (r *trainResult) text(w io.Writer) error {
	fmt.Fprintf(w, "%s trained in %.2f s on %s of %s with %s in %s\n", r.Model, r.Seconds,
		cli.Count(r.Documents, "document", "documents"), cli.Count(r.Queries, "query", "queries"),
		cli.Count(r.Features, "feature", "features"), cli.Count(r.Files, "file", "files"))
	rows, size, seconds := 0, int64(0), 0.0
	for _, p := range r.Passes {
		rows, size, seconds = rows+p.Rows, size+p.Bytes, seconds+p.Seconds
	}
	fmt.Fprintf(w, "%s in %.2f s (%.0f documents per second), %s shipped\n",
		cli.Count(len(r.Passes), "pipeline", "pipelines"), seconds, float64(rows)/seconds,
		cli.Count(size, "byte", "bytes"))
	if s := r.SVM; s != nil {
		s.Text(w)
	}
	if r.Trees != nil {
		r.Trees.Text(w)
	}
	if r.Path != nil {
		if err := r.Path.Text(w); err != nil {
			return err
		}
	}
	if r.Valid == nil {
		return nil
	}
	fmt.Fprintln(w, "\nvalidation data")
	return cli.Metrics(w, r.Valid)
}

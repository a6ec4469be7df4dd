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

// A trainer trains a model of its kind, and enters into the result how that went.
type trainer func(cmd *cobra.Command, t *training, job *rankbeam.Job, r *trainResult) (rank.Model, error)

// trainers add the flags of each kind of model, whose usage begins with the kind.
var trainers = map[string]func(flags *pflag.FlagSet) trainer{
	"ranksvm": newSVMTrainer, "lambdamart": newTreesTrainer,
}

// A training is what flags of all kinds of models say.
type training struct {
	job           *jobFlags
	metrics       *metricFlags
	output, valid string
	report        bool
	out           io.Writer // takes results: not the model's

	validData *rankbeam.Data // nil for none
}

func trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train -d pattern -o model",
		Short: "Train a ranker",
		Long: `Train a ranker on all files together. The model is that of simdrank train on one
machine, byte for byte, and so are the flags: see there.

A training goes through the data many times. The first passes write what later ones
read to --work-dir: for RankSVM what text holds, in binary files, for LambdaMART
the features in bins. These files are removed at the end. An interrupt ends the
training and leaves no model; LambdaMART, which needs --depth-wise, can go on from
--checkpoint with --resume, to the same model.`,
		Example: `  simdrank-beam train -d 'data/train-*.gz' -o model.json --c 0.01
  simdrank-beam train -d 'data/train-*.gz' --valid 'data/vali-*.gz' -o trees.json \
    --model lambdamart --depth-wise --early-stopping 20 --metric ndcg@10`,
		Args: noArguments,
	}
	t := &training{job: addJobFlags(cmd, "text or json"), metrics: addMetricFlags(cmd)}
	kinds := slices.Sorted(maps.Keys(trainers))
	flags := cmd.Flags()
	flags.StringVarP(&t.output, "output", "o", "", "file for the model, or - for standard output")
	flags.StringVar(&t.valid, "valid", "", "pattern of validation data to measure the model on")
	flags.StringVar(&t.job.job.StateDir, "state-dir", "",
		"ranksvm: folder like --work-dir to keep what was read, and to go on from")
	flags.BoolVar(&t.report, "report", false, "print each pass")
	kind := flags.String("model", "ranksvm", "kind of ranker: "+strings.Join(kinds, ", "))
	train := map[string]trainer{}
	for _, k := range kinds {
		train[k] = trainers[k](flags)
	}
	cmd.MarkFlagRequired("output")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if train[*kind] == nil {
			return usageError{fmt.Errorf("--model %s: want %s", *kind, strings.Join(kinds, " or "))}
		}
		if err := misplaced(flags, kinds, *kind); err != nil {
			return err
		}
		return t.run(cmd, *kind, train[*kind])
	}
	return cmd
}

// misplaced returns an error for a flag that is of other kinds of models.
func misplaced(flags *pflag.FlagSet, kinds []string, kind string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		list, _, some := strings.Cut(f.Usage, ": ")
		of := strings.Split(list, ", ")
		if some && slices.Contains(kinds, of[0]) && !slices.Contains(of, kind) {
			err = usageError{fmt.Errorf("--%s is for --model %s", f.Name, strings.Join(of, " and "))}
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
		return usageError{errors.New("--output and --checkpoint name the same file")}
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
		// What is wrong with the validation data is found before the training, and not after.
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

// replaced returns an error of usage where an output of this machine would replace an input, of
// which there are patterns and names, "" for none.
func replaced(output string, inputs ...string) error {
	for _, pattern := range inputs {
		names, _ := filepath.Glob(pattern) // no error: the reading finds it
		if name := files.Replaced(output, append(names, pattern)...); name != "" {
			return usageError{fmt.Errorf("the output %s would replace the input %s", output, name)}
		}
	}
	return nil
}

// progress returns what takes the passes of a training.
func (t *training) progress() func(rankbeam.Pass) {
	if !t.report || t.job.format == "json" {
		return nil
	}
	return func(p rankbeam.Pass) {
		fmt.Fprintf(t.out, "%s: %s\n", p.Name, took(&p, ""))
	}
}

// A trainResult has the names of simdrank train.
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

// add enters what a training took.
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
	fmt.Fprintf(w, "%s in %.2f s, %.0f documents a second; %s shipped\n",
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

package main

import (
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func predictCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict -m model -d data",
		Short: "Score documents with a model, one score per line",
		Long: `Score documents with a model, one score per line, in the order of the data.
Neither label nor qid is needed, and queries may be scattered: lines may be as
short as 1:0.5 2:3. (A line whose first word has a colon has no label; an empty
line is no document.) Scores are in the order of the lines, also with --gather,
as eval takes them.

Scores are written with as many digits as it takes to read the same bits back.

Trees that were trained with --objective binary, LightGBM's and XGBoost's too,
tell the probability that a document is relevant; --probabilities writes it.

A model of trees scores with all of them. So does predict of LightGBM, which saves
no trees beyond the best iteration, and of XGBoost's Booster; XGBoost's scikit-learn
classes stop at the best iteration, as --trees best does. A number counts trees:
where XGBoost grew several per boosting round, a round counts as many.

Features that a document lacks are 0, as in all LETOR data. Data that have more
features than the model are an error; --ignore-extra-features scores without
those beyond.

Linear models take 0 for a value. Trees take 0, and so features left out, for a
value or for missing, as in their training; info -m tells which. XGBoost's models
do not say: to XGBoost features left out are missing, and with missing=0 zeros
are, too. --zero-missing scores all zeros as missing, --zero-missing=false as
values, with a warning where the model says otherwise.`,
		Example: `  simdrank predict -m model.json -d test.txt -o scores.txt
  zcat test.txt.gz | simdrank predict -m model.json -d - | head`,
		Args: noArguments,
	}
	var model, output string
	cmd.Flags().StringVarP(&model, "model", "m", "", "model to score with")
	data := newDataFlags(cmd)
	scoring := addScoreFlags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "-", "file for the scores")
	addFeatureFlags(cmd)
	probabilities := cmd.Flags().Bool("probabilities", false,
		"probabilities, not scores, by trees of --objective binary")
	format := formatFlag(cmd)
	cmd.MarkFlagRequired("model")
	cmd.MarkFlagRequired("data")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkFiles(output, model, data.path, data.group); err != nil {
			return err
		}
		if err := checkOutput(output); err != nil {
			return err
		}
		m, err := scoring.load(cmd, model)
		if err != nil {
			return err
		}
		trees, ok := m.(*lambdamart.Model)
		if *probabilities && !ok {
			return usagef("--probabilities: %s is a linear model, want trees trained with --objective binary",
				inputName(model))
		}
		data.unlabeled, data.noQueries = true, data.group == "" && data.form.normalize.value == "none"
		d, err := data.load(cmd)
		if err != nil {
			return err
		}
		scores, err := scoresOf(cmd, m, model, d, data.path)
		if err != nil {
			return err
		}
		if *probabilities {
			if err := trees.Probabilities(scores); err != nil {
				return errs.Wrap(err, "%s", inputName(model))
			}
		}
		return writeSized(cmd, output, "documents", int64(len(scores)), func(w io.Writer) error {
			return printResult(w, format, prediction{scores})
		})
	}
	return cmd
}

type prediction struct {
	Scores []float64 `json:"scores"`
}

func (p prediction) text(w io.Writer) error {
	var line []byte
	for _, s := range p.Scores {
		line = append(strconv.AppendFloat(line[:0], s, 'g', -1, 64), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

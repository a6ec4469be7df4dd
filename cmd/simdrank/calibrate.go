package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func calibrateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "calibrate -m model -d data -o output",
		Short: "Calibrate a model's scores to relevance probabilities",
		Long: `Learn a map from scores to relevance probabilities on validation data, and write the
model with this map. predict --calibrated then prints probabilities. Scores and rankings
do not change. Do not use the training data, because its scores are too optimistic.

  isotonic   isotonic regression, for data with about 1,000 relevant documents or more
  platt      a logistic curve with two parameters (Platt scaling)

The model and its calibration are written as JSON. Other formats cannot store
the calibration.`,
		Example: `  simdrank calibrate -m trees.json -d valid.txt -o calibrated.json
  simdrank calibrate -m lightgbm.txt -d valid.csv --calibration platt --relevant 2 -o model.json`,
		Args: noArguments,
	}
	var path, output string
	var relevant float64
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&path, "model", "m", "", "model `file`")
	data := newDataFlags(cmd)
	flags.StringVarP(&output, "output", "o", "", "output `file` for the new model")
	method := choiceFlag(cmd, "calibration", "`map` from scores to probabilities", rank.OptionWords("calibration")...)
	flags.Float64Var(&relevant, "relevant", 1, "minimum `label` for relevant documents")
	format := formatFlag(cmd)
	addFeatureFlags(cmd)
	for _, name := range []string{"model", "data", "output"} {
		cmd.MarkFlagRequired(name)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if relevant != relevant {
			return usagef("--relevant NaN: must be a number")
		}
		if err := checkFiles(output, append(data.inputs(), path)...); err != nil {
			return err
		}
		m, err := loadModel(cmd, path)
		if err != nil {
			return err
		}
		data.noQueries = data.group == "" && data.form.normalize.value == "none"
		d, err := data.loadFor(cmd, m, path)
		if err != nil {
			return err
		}
		scores, err := score(cmd, m, d, data.path)
		if err != nil {
			return err
		}
		c, err := rank.Calibrate(cmd.Context(), d, scores, method.value, relevant)
		if err != nil {
			return readError(data.path, err)
		}
		switch m := m.(type) {
		case *rank.Linear:
			m.Calibration = c
		case *lambdamart.Model:
			m.Calibration = c
		}
		if err := writeModel(cmd, output, m); err != nil {
			return err
		}
		r := calibrationResult{Method: method.value, Documents: d.Rows(), Points: len(c.Scores)}
		for _, label := range d.Labels {
			if label >= relevant {
				r.Relevant++
			}
		}
		if r.Points == 0 {
			r.Slope, r.Intercept = &c.Slope, &c.Intercept
		}
		return printResult(beside(cmd, output), format, r)
	}
	return cmd
}

type calibrationResult struct {
	Method    string   `json:"calibration"`
	Documents int      `json:"documents"`
	Relevant  int      `json:"relevant"`
	Points    int      `json:"points,omitempty"` // of an isotonic map
	Slope     *float64 `json:"slope,omitempty"`  // of Platt's curve
	Intercept *float64 `json:"intercept,omitempty"`
}

func (r calibrationResult) text(w io.Writer) error {
	with := counted(r.Points, "point")
	if r.Slope != nil {
		with = fmt.Sprintf("slope %.6g and intercept %.6g", *r.Slope, *r.Intercept)
	}
	_, err := fmt.Fprintf(w, "calibrated on %s, %d relevant: %s, %s\n", counted(r.Documents, "document"), r.Relevant,
		r.Method, with)
	return err
}

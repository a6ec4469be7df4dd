package main

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/letor"
	"github.com/simdrank/simdrank/rank/model"
)

func convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert -i input -o output --to format",
		Short: "Convert models and data from one format to another",
		Long: `Convert a linear model to json, simdrank's own format; svmlight, the model text
of SVMlight and SVMrank; or liblinear. Or a model of boosted trees to json;
lightgbm, the text that LightGBM saves; or xgboost, XGBoost's JSON. The format of
the input is recognized, XGBoost's binary ubj too.

Or rewrite data as plain letor: contiguous queries, qid on every row, indices
from 1, features that are 0 left out. With --group, --zero-based, --gather and
--null-as the input may be any dialect that the other commands read.`,
		Example: `  simdrank convert -i model.json --to svmlight -o model.dat
  simdrank convert -i lightgbm.txt --to json -o model.json
  simdrank convert -i train.txt --group train.query --zero-based --to letor -o train.letor.gz`,
		Args: noArguments,
	}
	var input, output string
	cmd.Flags().StringVarP(&input, "input", "i", "", "file to convert")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write")
	to := choiceFlag(cmd, "to", "format to write", append(wordsOf(model.FormatJSON, model.ParseFormat), "letor")...)
	data := addDialectFlags(cmd)
	cmd.MarkFlagRequired("input")
	cmd.MarkFlagRequired("output")
	cmd.MarkFlagRequired("to")
	cmd.Flags().Lookup("to").DefValue = "" // required: help shall name no default
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkOutput(output); err != nil {
			return err
		}
		if to.value == "letor" {
			data.path = input
			d, err := data.load(cmd)
			if err != nil {
				return err
			}
			return writeOutput(cmd, output, func(w io.Writer) error { return letor.Write(w, d) })
		}
		m, err := loadModel(cmd, input)
		if err != nil {
			return err
		}
		format, err := model.ParseFormat(to.value)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if err := model.Write(&text, m, format); err != nil {
			return errs.Wrap(err, "%s", inputName(input))
		}
		if trees, ok := m.(*lambdamart.Model); ok {
			warnZeros(cmd, trees, inputName(input), to.value)
		}
		return writeOutput(cmd, output, func(w io.Writer) error {
			_, err := text.WriteTo(w)
			return err
		})
	}
	return cmd
}

// warnZeros warns of what the format cannot say of zeros.
func warnZeros(cmd *cobra.Command, m *lambdamart.Model, model, to string) {
	switch zeros := m.Zeros(); {
	case to == "xgboost" && zeros == lambdamart.ZerosAreMissing:
		warn(cmd, "%s takes 0, and features left out, for missing, and XGBoost looks for that in its data: "+
			"make its DMatrix with missing=0 (simdrank itself finds it in the model written)", model)
	case to == "lightgbm" && zeros == lambdamart.ZerosAreUnknown:
		warn(cmd, "%s does not say whether 0 is a value or missing: the model written for LightGBM takes it for a value", model)
	}
}

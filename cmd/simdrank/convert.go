package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/letor"
	"github.com/simdrank/simdrank/rank/model"
)

func convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert -i input -o output [--to format]",
		Short: "Convert models and data from one format to another",
		Long: `Convert a linear model to json, simdrank's own format; svmlight, the model text
of SVMlight and SVMrank; or liblinear. Or a model of boosted trees to json;
lightgbm, the text that LightGBM saves; or xgboost, XGBoost's JSON. The format of
the input is recognized, XGBoost's binary ubj too.

Or rewrite data as plain letor: contiguous queries, qid on every row, indices
from 1, features that are 0 left out; or as simdrank, a binary data file, which
every -d takes: it opens at once, is mapped into memory and may be larger than
that. Text becomes one a few queries at a time, without the memory for all, unless
--gather is given or the output is compressed or standard output. With --group,
--zero-based, --gather and --null-as the input may be any dialect that the other
commands read. Without --to, output that ends in .simdrank is a data file.`,
		Example: `  simdrank convert -i model.json --to svmlight -o model.dat
  simdrank convert -i lightgbm.txt --to json -o model.json
  simdrank convert -i train.txt.gz -o train.simdrank
  simdrank convert -i train.txt --group train.query --zero-based --to letor -o train.letor.gz`,
		Args: noArguments,
	}
	var input, output string
	cmd.Flags().StringVarP(&input, "input", "i", "", "file to convert")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write")
	to := choiceFlag(cmd, "to", "format to write",
		append(wordsOf(model.FormatJSON, model.ParseFormat), "letor", "simdrank")...)
	data := addDialectFlags(cmd)
	cmd.MarkFlagRequired("input")
	cmd.MarkFlagRequired("output")
	cmd.Flags().Lookup("to").DefValue = "" // the name of the output decides: help shall name no default
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !cmd.Flags().Changed("to") {
			if !strings.HasSuffix(strings.TrimSuffix(output, ".gz"), ".simdrank") {
				return usagef("convert needs --to, unless --output ends in .simdrank")
			}
			to.value = "simdrank"
		}
		if err := checkOutput(output); err != nil {
			return err
		}
		data.path = input
		if to.value == "simdrank" {
			return data.convert(cmd, output)
		}
		if to.value == "letor" {
			d, err := data.load(cmd)
			if err != nil {
				return err
			}
			if i, j := missing(d); i >= 0 {
				err := fmt.Errorf("%s is missing, which LETOR text cannot say: --to simdrank keeps it", d.FeatureName(j))
				return readError(input, d.RowError(i, err))
			}
			return writeSized(cmd, output, "documents", int64(d.Rows()),
				func(w io.Writer) error { return letor.Write(w, d) })
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
			blank := func(name string) bool { return strings.Contains(name, " ") }
			if i := slices.IndexFunc(trees.FeatureNames, blank); i >= 0 && to.value == "lightgbm" {
				warn(cmd, "%s: names of features such as %q are written with _ for blanks, as LightGBM has them",
					inputName(input), trees.FeatureNames[i])
			}
		}
		return writeOutput(cmd, output, func(w io.Writer) error {
			_, err := text.WriteTo(w)
			return err
		})
	}
	return cmd
}

// missing returns the first row and column with a missing value, -1 where there is none.
func missing(d *rank.Dataset) (row, column int) {
	for i := range d.Rows() {
		var columns []int32
		var values []float32
		if d.Sparse != nil {
			columns, values = d.Sparse.Row(i)
		} else {
			values = d.Row(i)
		}
		for k, v := range values {
			if v == v {
				continue
			}
			if columns != nil {
				return i, int(columns[k])
			}
			return i, k
		}
	}
	return -1, -1
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

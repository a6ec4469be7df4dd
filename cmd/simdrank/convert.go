package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/letor"
	"github.com/simdrank/simdrank/rank/model"
)

// formatsByName are the formats that endings of names stand for.
var formatsByName = map[string]string{".simdrank": "simdrank", ".json": model.FormatJSON.String(),
	".ubj": model.FormatXGBoostUBJSON.String(), ".xml": model.FormatRankLib.String()}

func convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert -i input -o output [--to format]",
		Short: "Convert models and data from one format to another",
		Long: `Convert a linear model to json, simdrank's own format; svmlight, the model text
of SVMlight and SVMrank; or liblinear. Or a model of boosted trees to json;
lightgbm, the text that LightGBM saves (lightgbm-v3 for its older version), or
lightgbm-dump, the JSON of its dump_model; xgboost, XGBoost's JSON, or xgboost-ubj,
the same in binary, or xgboost-dump, the JSON of its dump_model, which
Elasticsearch takes as model/xgboost+json; ranklib, the XML of RankLib's
LambdaMART, which Elasticsearch takes as model/ranklib; or solr, the JSON of
Solr's MultipleAdditiveTreesModel. The format of the input is recognized: all of
these. What survives each way is in docs/formats.md.

With --feature-names the features of trees have these names, one per line. A model
whose features have names already finds them among these: a dump by XGBoost and
the XML of RankLib know no others than those of splits, and not their order.

Or rewrite data as plain letor: contiguous queries, qid on every row, indices
from 1, features that are 0 left out; or as simdrank, a binary data file, which
every -d takes: it opens at once, is mapped into memory and may be larger than
that. Text becomes one a few queries at a time, without the memory for all, unless
--gather is given or the output is compressed or standard output. With --group,
--zero-based, --gather and --null-as the input may be any dialect that the other
commands read.

Without --to the name of the output decides: .simdrank is a data file, .json a
model as json, .ubj one as xgboost-ubj and .xml one as ranklib.`,
		Example: `  simdrank convert -i model.json --to svmlight -o model.dat
  simdrank convert -i lightgbm.txt -o model.json
  simdrank convert -i model.json --to xgboost-dump --feature-names names.txt -o elastic.json
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
			if to.value = formatsByName[filepath.Ext(strings.TrimSuffix(output, ".gz"))]; to.value == "" {
				return usagef("convert needs --to, unless --output ends in .simdrank, .json, .ubj or .xml")
			}
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
		names, err := data.names(cmd)
		if err != nil {
			return err
		}
		if trees, ok := m.(*lambdamart.Model); ok && names != nil {
			if err := trees.SetFeatureNames(names); err != nil {
				return errs.Wrap(err, "%s", inputName(data.form.featureNames))
			}
		} else if names != nil {
			return usagef("--feature-names is for data and trees, and %s is a linear model", inputName(input))
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
			if i := slices.IndexFunc(trees.FeatureNames, blank); i >= 0 && strings.HasPrefix(to.value, "lightgbm") {
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
	case (to == "xgboost" || to == "xgboost-ubj") && zeros == lambdamart.ZerosAreMissing:
		warn(cmd, "%s takes 0, and features left out, for missing, and XGBoost looks for that in its data: "+
			"make its DMatrix with missing=0 (simdrank itself finds it in the model written)", model)
	case to != "json" && !strings.HasPrefix(to, "xgboost") && zeros == lambdamart.ZerosAreUnknown:
		warn(cmd, "%s does not say whether 0 is a value or missing: the model that is written takes it for a value", model)
	}
}

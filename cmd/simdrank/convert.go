package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	rankdata "github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
	"github.com/simdrank/simdrank/rank/trec"
)

// formatsByName maps file name extensions to formats.
var formatsByName = map[string]string{".simdrank": "simdrank", ".json": "json",
	".ubj": "xgboost-ubj", ".xml": "ranklib", ".onnx": "onnx"}

// trecFormats lists the formats of judgments and runs.
var trecFormats = []string{"qrels", "qrels-json", "qrels-beir", "qrels-msmarco", "run", "run-json", "run-msmarco"}

func convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert -i input -o output [--to format]",
		Short: "Convert models, data, judgments and runs between formats",
		Long: `The input format is detected. --to selects the output format:
  linear models   json, svmlight, liblinear, onnx
  tree models     json, onnx, or a format of LightGBM, XGBoost, RankLib or Solr
  data            letor (LETOR text), or simdrank: a binary file that every -d accepts
  judgments       qrels (TREC text), qrels-json (as in ranx), qrels-beir, qrels-msmarco;
                  also from the labels of .csv, .parquet, .simdrank or --input-format
  runs            run (TREC text), run-json (as in ranx), run-msmarco (without scores)

Without --to, the extension of the output file determines the format: .simdrank for
data; .json (json), .ubj (xgboost-ubj), .xml (ranklib) and .onnx (onnx) for models.

docs/reference/model-formats.md lists the properties that each format preserves.`,
		Example: `  simdrank convert -i model.json --to svmlight -o model.dat
  simdrank convert -i lightgbm.txt -o model.json
  simdrank convert -i model.json --to xgboost-dump --feature-names names.txt -o elastic.json
  simdrank convert -i train.txt.gz -o train.simdrank
  simdrank convert -i train.txt --group train.query --zero-based --to letor -o train.letor.gz
  simdrank convert -i run.json --to run --run-name bm25 -o bm25.run.gz`,
		Args: noArguments,
	}
	var input, output, name string
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&input, "input", "i", "", "input `file`")
	cmd.Flags().StringVarP(&output, "output", "o", "", "output `file`")
	to := choiceFlag(cmd, "to", "output `format`",
		append(append(model.OptionWords("format"), "letor", "simdrank"), trecFormats...)...)
	cmd.Flags().StringVar(&name, "run-name", "", "`name` of the run (default: its own, or the file's)")
	data := addDialectFlags(cmd)
	cmd.MarkFlagRequired("input")
	cmd.MarkFlagRequired("output")
	cmd.Flags().Lookup("to").DefValue = "" // without the flag, the output's extension decides
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !cmd.Flags().Changed("to") {
			if to.value = formatsByName[filepath.Ext(files.Stem(output))]; to.value == "" {
				return usagef("convert requires --to, unless --output ends in .simdrank, .json, .ubj, .xml or .onnx")
			}
		}
		ofTREC := slices.Contains(trecFormats, to.value)
		kind := data.form.of(input) // BEIR's judgments are TSV
		fromData := strings.HasPrefix(to.value, "qrels") && (cmd.Flags().Changed("input-format") || kind == "csv" ||
			kind == "parquet" || namesBinary(input))
		switch {
		case cmd.Flags().Changed("run-name") && to.value != "run":
			return usagef("--run-name requires --to run")
		case cmd.Flags().Changed("run-name") && text.CheckField(name) != nil:
			return checkRunName(name)
		case ofTREC && !fromData:
			if flag := otherFlag(cmd, "input", "output", "to", "run-name"); flag != "" {
				return usagef("--%s cannot be combined with --to %s: it applies to data and models", flag, to.value)
			}
		}
		if err := checkFiles(output, data.inputs()...); err != nil { // the input itself may be overwritten
			return err
		}
		if ofTREC && !fromData {
			return convertTREC(cmd, input, output, to.value, name)
		}
		data.path = input
		if fromData {
			return convertLabels(cmd, data, output, to.value)
		}
		if to.value == "simdrank" {
			return data.convert(cmd, output)
		}
		if to.value == "letor" {
			d, err := data.load(cmd)
			if err != nil {
				return err
			}
			if i, j := missing(d); i >= 0 {
				err := fmt.Errorf("the value of %s is missing, which LETOR text cannot represent "+
					"(use --to simdrank to keep it)", d.FeatureName(j))
				return readError(input, d.RowError(i, err))
			}
			var lost []string
			if d.Weights != nil || d.QueryWeights != nil {
				lost = append(lost, "weights")
			}
			if d.Positions != nil {
				lost = append(lost, "positions")
			}
			if text.HasCategories(d.Categories) {
				warn(cmd, "%s: text categories are written as numbers, because LETOR text cannot represent them (use --to simdrank to "+
					"keep them)", inputName(input))
			}
			if lost != nil {
				warn(cmd, "%s: %s are dropped, because LETOR text cannot represent them (use --to simdrank to keep them)", inputName(input),
					strings.Join(lost, " and "))
			}
			return writeSized(cmd, output, "documents", int64(d.Rows()),
				func(w io.Writer) error { return rankdata.WriteLETOR(w, d) })
		}
		m, err := loadModel(cmd, input)
		if errors.As(err, new(modelfile.UnknownError)) && !cmd.Flags().Changed("to") {
			err = fmt.Errorf("%w; without --to, %s is written as a model (use --to run-json or qrels-json for runs and judgments)",
				err, output)
		}
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
			return usagef("--feature-names requires data or a tree model, but %s is a linear model", inputName(input))
		}
		return convertModel(cmd, m, inputName(input), to.value, output)
	}
	return cmd
}

// wideFeatures is the number of unnamed features from which a model is not written to memory,
// because some formats list all features.
const wideFeatures = 1 << 16

// convertModel writes a model in another format, and warns if the format changes it.
func convertModel(cmd *cobra.Command, m rank.Model, name, to, output string) error {
	trees, ok := m.(*lambdamart.Model)
	written, features := m, []int32(nil)
	if ok && trees.NumFeatures > wideFeatures && trees.FeatureNames == nil {
		written, features = trees.UsedFeatures()
	}
	var text bytes.Buffer
	if err := model.Write(&text, written, to); err != nil {
		return errs.Wrap(err, "%s", name)
	}
	if ok {
		if err := warnChange(cmd, written.(*lambdamart.Model), text.Bytes(), name, to, features); err != nil {
			return err
		}
		warnZeros(cmd, trees, name, to)
	}
	warnNames(cmd, m, name, to)
	if model.Calibration(m) != nil && to != "json" {
		warn(cmd, "%s: the calibration is dropped, because %s does not store it", name, to)
	}
	if features != nil {
		return writeOutput(cmd, output, func(w io.Writer) error { return model.Write(w, m, to) })
	}
	return writeText(cmd, output, &text)
}

// otherFlag returns the name of a flag that was given and is not in names, or "".
func otherFlag(cmd *cobra.Command, names ...string) (other string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(names, f.Name) {
			other = f.Name
		}
	})
	return other
}

// convertTREC converts judgments or a run. A run without a name is named.
func convertTREC(cmd *cobra.Command, input, output, to, name string) error {
	if strings.HasPrefix(to, "qrels") {
		q, err := readInput(cmd, input, trec.ReadQrels)
		if parse := (*rank.ParseError)(nil); errors.As(err, &parse) && strings.Contains(parse.Text, " qid:") {
			parse.Err = fmt.Errorf("%w (use --input-format letor if it is data)", parse.Err)
		}
		if err != nil {
			return err
		}
		return writeQrels(cmd, input, output, to, q)
	}
	r, err := readInput(cmd, input, trec.ReadRun)
	if err != nil {
		return err
	}
	r.Name = cmp.Or(name, r.Name, strings.ReplaceAll(runName(input), " ", "_"))
	return writeTREC(cmd, input, output, map[string]func(io.Writer) error{"run": r.Write, "run-json": r.WriteJSON,
		"run-msmarco": r.WriteMSMARCO}[to])
}

// writeQrels writes judgments that were read from an input.
func writeQrels(cmd *cobra.Command, input, output, to string, q *trec.Qrels) error {
	return writeTREC(cmd, input, output, map[string]func(io.Writer) error{"qrels": q.Write, "qrels-json": q.WriteJSON,
		"qrels-beir": q.WriteBEIR, "qrels-msmarco": q.WriteMSMARCO}[to])
}

// writeTREC writes judgments or a run that were read from an input.
func writeTREC(cmd *cobra.Command, input, output string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil { // the content cannot be written in this format
		return readError(input, err)
	}
	return writeText(cmd, output, &text)
}

// convertLabels writes the labels of data as judgments.
func convertLabels(cmd *cobra.Command, data *dataFlags, output, to string) error {
	d, err := data.load(cmd)
	if err != nil {
		return err
	}
	if d.DocIDs == nil {
		return fmt.Errorf("%s: judgments require document identifiers (use --doc-column if the data are a table)",
			inputName(data.path))
	}
	for i, y := range d.Labels {
		if y != math.Trunc(y) || math.Abs(y) > math.MaxInt32 {
			return readError(data.path, d.RowError(i, fmt.Errorf("the label is %v; a judgment must be an integer", y)))
		}
	}
	qrels, err := trec.NewQrels(func(yield func(trec.Judgment) bool) {
		for q := range d.Queries() {
			lo, hi := d.Query(q)
			for i := lo; i < hi; i++ {
				if !yield(trec.Judgment{Topic: d.QueryIDs[q], Doc: d.DocIDs[i], Relevance: int(d.Labels[i])}) {
					return
				}
			}
		}
	})
	if err != nil {
		return readError(data.path, err)
	}
	return writeQrels(cmd, data.path, output, to, qrels)
}

// missing returns the first row and column with a missing value, or -1.
func missing(d *rank.Dataset) (row, column int) {
	values, isNaN := d.X, func(v float32) bool { return v != v }
	if d.Sparse != nil {
		values = d.Sparse.Values
	}
	if slices.ContainsFunc(values, isNaN) { // checked first, because Row allocates if d is sparse
		for i := range d.Rows() {
			if j := slices.IndexFunc(d.Row(i), isNaN); j >= 0 {
				return i, j
			}
		}
	}
	return -1, -1
}

// warnNames warns about feature names that LightGBM's formats change.
func warnNames(cmd *cobra.Command, m rank.Model, name, to string) {
	names := model.FeatureNames(m)
	blank := func(name string) bool { return strings.Contains(name, " ") }
	if i := slices.IndexFunc(names, blank); i >= 0 && strings.HasPrefix(to, "lightgbm") {
		warn(cmd, "%s: feature names such as %q are written with _ for spaces, as LightGBM does", name, names[i])
	}
}

// warnChange warns if the format in which the model was written changes scores. features contains
// the numbers of features of m, from 0, unless they are their indices.
func warnChange(cmd *cobra.Command, m *lambdamart.Model, written []byte, name, to string, features []int32) error {
	other, err := model.Trees(model.Read(bytes.NewReader(written), readOptions(cmd)))
	if err != nil {
		return errs.Wrap(err, "%s: the result in format %s cannot be read", name, to)
	}
	if m.Categories != nil && other.Categories == nil {
		warn(cmd, "%s: %s does not store the texts of categories: the data must contain their numbers", name, to)
	}
	c, err := model.BoundChange(m, other)
	if err != nil { // for example because of names such as f1, which means feature 1 in a dump of XGBoost
		warn(cmd, "%s: %s does not preserve the model: %s", name, to, errs.Bare(err))
		return nil
	}
	if c.Leaves > 0 {
		warn(cmd, "%s: %s rounds leaf values to float32: scores change by at most %.2g", name, to, c.Leaves)
	}
	if c.Thresholds > 0 {
		feature := fmt.Sprint(c.Feature + 1)
		if features != nil {
			feature = fmt.Sprint(features[c.Feature] + 1)
		}
		if m.FeatureNames != nil {
			feature = m.FeatureNames[c.Feature]
		}
		warn(cmd, "%s: %s cannot represent all thresholds: scores change by at most %.2g for some documents, for example "+
			"if feature %s is above %v and at most %v", name, to, c.Thresholds, feature, c.From, c.To)
	}
	if c.Missing > 0 {
		warn(cmd, "%s: %s does not preserve the direction of missing values: scores change by at most %.2g for documents "+
			"with missing values", name, to, c.Missing)
	}
	return nil
}

// warnZeros warns if the format cannot represent how the model treats zeros.
func warnZeros(cmd *cobra.Command, m *lambdamart.Model, model, to string) {
	switch {
	case (to == "xgboost" || to == "xgboost-ubj") && !m.UnknownZeros && m.ZeroMissing():
		warn(cmd, "%s treats 0 and omitted features as missing, but XGBoost reads this from its data: "+
			"create its DMatrix with missing=0 (simdrank reads it from the written model)", model)
	case to != "json" && !strings.HasPrefix(to, "xgboost") && m.UnknownZeros:
		warn(cmd, "%s does not record whether 0 is a value or missing: the written model treats it as a value", model)
	}
}

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	rankdata "github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
	"github.com/simdrank/simdrank/rank/trec"
)

// formatsByName are the formats that endings of names stand for.
var formatsByName = map[string]string{".simdrank": "simdrank", ".json": "json",
	".ubj": "xgboost-ubj", ".xml": "ranklib"}

func convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert -i input -o output [--to format]",
		Short: "Convert models, data, judgments and runs from one format to another",
		Long: `Convert a linear model to json, svmlight or liblinear; a tree model to json or a
format of LightGBM, XGBoost, RankLib or Solr; data to letor, plain LETOR text, or
simdrank, a binary data file that every -d accepts; and judgments and runs to
TREC's text (qrels, run) or JSON as ranx writes it (qrels-json, run-json).

The format of the input is recognized. Without --to the name of the output decides:
.simdrank is a data file, .json a model as json, .ubj as xgboost-ubj, .xml as ranklib.
docs/formats.md says what survives each conversion, docs/reference.md has details.`,
		Example: `  simdrank convert -i model.json --to svmlight -o model.dat
  simdrank convert -i lightgbm.txt -o model.json
  simdrank convert -i model.json --to xgboost-dump --feature-names names.txt -o elastic.json
  simdrank convert -i train.txt.gz -o train.simdrank
  simdrank convert -i train.txt --group train.query --zero-based --to letor -o train.letor.gz
  simdrank convert -i run.json --to run --run-name bm25 -o bm25.run.gz`,
		Args: noArguments,
	}
	var input, output, name string
	cmd.Flags().StringVarP(&input, "input", "i", "", "file to convert")
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write")
	to := choiceFlag(cmd, "to", "format to write",
		append(model.OptionWords("format"), "letor", "simdrank", "qrels", "qrels-json", "run",
			"run-json")...)
	cmd.Flags().StringVar(&name, "run-name", "", "name of a run (default its own, or the input's)")
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
		ofTREC := slices.Contains([]string{"qrels", "qrels-json", "run", "run-json"}, to.value)
		switch {
		case cmd.Flags().Changed("run-name") && to.value != "run":
			return usagef("--run-name is for --to run")
		case cmd.Flags().Changed("run-name") && text.CheckField(name) != nil:
			return usagef("--run-name %q: want a name without blanks", name)
		case ofTREC:
			if flag := otherFlag(cmd, "input", "output", "to", "run-name"); flag != "" {
				return usagef("--%s is for data and models, and --to %s writes neither", flag, to.value)
			}
		}
		if err := checkFiles(output, data.inputs()...); err != nil { // the input itself may be replaced
			return err
		}
		if ofTREC {
			return convertTREC(cmd, input, output, to.value, name)
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
			var lost []string
			if d.Weights != nil || d.QueryWeights != nil {
				lost = append(lost, "weights")
			}
			if d.Positions != nil {
				lost = append(lost, "positions")
			}
			if lost != nil {
				warn(cmd, "%s: %s are left out, which LETOR text cannot say: --to simdrank keeps them", inputName(input),
					strings.Join(lost, " and "))
			}
			return writeSized(cmd, output, "documents", int64(d.Rows()),
				func(w io.Writer) error { return rankdata.WriteLETOR(w, d) })
		}
		m, err := loadModel(cmd, input)
		if errors.As(err, new(modelfile.UnknownError)) && !cmd.Flags().Changed("to") {
			err = fmt.Errorf("%w; without --to, %s is to be a model: --to run-json and qrels-json write runs and judgments",
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
			return usagef("--feature-names is for data and trees, and %s is a linear model", inputName(input))
		}
		var text bytes.Buffer
		if err := model.Write(&text, m, to.value); err != nil {
			return errs.Wrap(err, "%s", inputName(input))
		}
		if trees, ok := m.(*lambdamart.Model); ok {
			if err := warnChange(cmd, trees, text.Bytes(), inputName(input), to.value); err != nil {
				return err
			}
			warnZeros(cmd, trees, inputName(input), to.value)
		}
		warnNames(cmd, m, inputName(input), to.value)
		return writeText(cmd, output, &text)
	}
	return cmd
}

// otherFlag returns the name of a flag that was given and is none of these, "" for none.
func otherFlag(cmd *cobra.Command, names ...string) (other string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(names, f.Name) {
			other = f.Name
		}
	})
	return other
}

// convertTREC writes judgments or a run, which gets a name if it has none, in another form.
func convertTREC(cmd *cobra.Command, input, output, to, name string) error {
	var content interface {
		Write(io.Writer) error
		WriteJSON(io.Writer) error
	}
	if strings.HasPrefix(to, "qrels") {
		q, err := readInput(cmd, input, trec.ReadQrels)
		if err != nil {
			return err
		}
		content = q
	} else {
		r, err := readInput(cmd, input, trec.ReadRun)
		if err != nil {
			return err
		}
		r.Name = cmp.Or(name, r.Name, strings.ReplaceAll(runName(input), " ", "_"))
		content = r
	}
	write := content.Write
	if strings.HasSuffix(to, "-json") {
		write = content.WriteJSON
	}
	var text bytes.Buffer
	if err := write(&text); err != nil { // about the content
		return readError(input, err)
	}
	return writeText(cmd, output, &text)
}

// missing returns the first row and column with a missing value, -1 where there is none.
func missing(d *rank.Dataset) (row, column int) {
	values, isNaN := d.X, func(v float32) bool { return v != v }
	if d.Sparse != nil {
		values = d.Sparse.Values
	}
	if slices.ContainsFunc(values, isNaN) { // first, because Row makes a slice of a sparse row
		for i := range d.Rows() {
			if j := slices.IndexFunc(d.Row(i), isNaN); j >= 0 {
				return i, j
			}
		}
	}
	return -1, -1
}

// warnNames warns of names of features that LightGBM's formats change.
func warnNames(cmd *cobra.Command, m rank.Model, name, to string) {
	names := model.FeatureNames(m)
	blank := func(name string) bool { return strings.Contains(name, " ") }
	if i := slices.IndexFunc(names, blank); i >= 0 && strings.HasPrefix(to, "lightgbm") {
		warn(cmd, "%s: feature names such as %q are written with _ for spaces, as LightGBM does", name, names[i])
	}
}

// warnChange warns of scores that a format changes in which the model was written.
func warnChange(cmd *cobra.Command, m *lambdamart.Model, written []byte, name, to string) error {
	other, err := model.Trees(model.Read(bytes.NewReader(written), readOptions(cmd)))
	if err != nil {
		return errs.Wrap(err, "%s: what is written as %s cannot be read", name, to)
	}
	c, err := model.BoundChange(m, other)
	if err != nil { // as of names such as f1, which a dump of XGBoost has for feature 1
		warn(cmd, "%s: %s does not keep the model: %s", name, to, errs.Bare(err))
		return nil
	}
	if c.Leaves > 0 {
		warn(cmd, "%s: %s rounds leaf values to float32: scores change by at most %.2g", name, to, c.Leaves)
	}
	if c.Thresholds > 0 {
		feature := fmt.Sprint(c.Feature + 1)
		if m.FeatureNames != nil {
			feature = m.FeatureNames[c.Feature]
		}
		warn(cmd, "%s: %s cannot express all thresholds: scores change by at most %.2g for documents with values such as "+
			"those of feature %s above %v and up to %v", name, to, c.Thresholds, feature, c.From, c.To)
	}
	if c.Missing > 0 {
		warn(cmd, "%s: %s does not keep which way missing values go: scores change by at most %.2g for documents that "+
			"have them", name, to, c.Missing)
	}
	return nil
}

// warnZeros warns of what the format cannot say of zeros.
func warnZeros(cmd *cobra.Command, m *lambdamart.Model, model, to string) {
	switch {
	case (to == "xgboost" || to == "xgboost-ubj") && !m.UnknownZeros && m.ZeroMissing():
		warn(cmd, "%s takes 0, and features left out, for missing, and XGBoost looks for that in its data: "+
			"make its DMatrix with missing=0 (simdrank itself finds it in the model written)", model)
	case to != "json" && !strings.HasPrefix(to, "xgboost") && m.UnknownZeros:
		warn(cmd, "%s does not say whether 0 is a value or missing: the model that is written takes it for a value", model)
	}
}

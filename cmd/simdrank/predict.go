package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

func predictCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict -m model -d data",
		Short: "Score documents with a model",
		Long: `Write one score per line, in the order of the data. Labels and qids are optional.

  --contributions   write the contribution of each feature, then the bias
  --leaves          write the index of the leaf in each tree
  --probabilities   write probabilities of relevance (--objective binary)
  --calibrated      write probabilities of relevance (calibrated models)
  --format csv      add a header, the query and the document
  --format trec     write a TREC run

Features that a document omits are 0. Trees treat 0 as a value or as missing, as in
training (see info -m); --zero-missing and --zero-missing=false override this. If the
data have more features than the model, predict requires --ignore-extra-features.`,
		Example: `  simdrank predict -m model.json -d test.txt -o scores.txt
  simdrank predict -m model.json -d test.txt --format trec --run-name trees -o run.gz
  simdrank predict -m model.json -d test.csv --contributions --format csv -o shap.csv
  zcat test.txt.gz | simdrank predict -m model.json -d - | head`,
		Args: noArguments,
	}
	var model, output string
	var contributions, leaves, calibrated bool
	p := &predictor{cmd: cmd, read: func() {}}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&model, "model", "m", "", "model `file`")
	data := newDataFlags(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "-", "output `file` for the scores")
	cmd.Flags().BoolVar(&contributions, "contributions", false, "write feature contributions to the score")
	cmd.Flags().BoolVar(&leaves, "leaves", false, "write leaf indices (tree models)")
	cmd.Flags().BoolVar(&p.probabilities, "probabilities", false, "write probabilities (trees of --objective binary)")
	cmd.Flags().BoolVar(&calibrated, "calibrated", false, "write calibrated probabilities (see calibrate)")
	format := choiceFlag(cmd, "format", "output `format`", "text", "json", "trec", "csv")
	cmd.Flags().StringVar(&p.run, "run-name", "simdrank", "`name` of the TREC run")
	scoring := addScoreFlags(cmd)
	addFeatureFlags(cmd)
	cmd.MarkFlagRequired("model")
	cmd.MarkFlagRequired("data")
	cmd.MarkFlagsMutuallyExclusive("contributions", "leaves", "probabilities", "calibrated")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p.form, p.path, p.data, p.output = format.value, model, data, output
		switch {
		case contributions:
			p.what = "contributions"
		case leaves:
			p.what = "leaves"
		default:
			p.what = "scores"
		}
		switch {
		case p.form == "trec" && p.what != "scores":
			return usagef("--%s cannot be combined with --format trec: use text, json or csv", p.what)
		case p.form != "trec" && cmd.Flags().Changed("run-name"):
			return usagef("--run-name requires --format trec")
		}
		if err := checkRunName(p.run); err != nil {
			return err
		}
		if err := checkFiles(output, append(data.inputs(), model)...); err != nil {
			return err
		}
		m, err := scoring.load(cmd, model)
		if err != nil {
			return err
		}
		p.model = m
		trees, isTrees := m.(*lambdamart.Model)
		switch {
		case leaves && !isTrees:
			return usagef("--leaves requires a tree model, but %s is a linear model", inputName(model))
		case calibrated:
			if err := p.setCalibration(); err != nil {
				return err
			}
		case p.probabilities && !isTrees:
			return usagef("--probabilities requires trees trained with --objective binary, but %s is a linear model",
				inputName(model))
		case p.probabilities:
			if err := trees.Probabilities(nil); err != nil { // fail before reading data
				return errs.Wrap(err, "%s", inputName(model))
			}
		}
		data.unlabeled = true
		data.knows(m)
		data.noQueries = !p.named() && data.group == "" && data.form.normalize.value == "none"
		if output != "-" {
			return save(cmd, output, p.write)
		}
		w := bufio.NewWriter(cmd.OutOrStdout())
		if err := p.write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	return cmd
}

// A predictor scores data and writes the results.
type predictor struct {
	cmd   *cobra.Command
	path  string // file of the model
	model rank.Model
	data  *dataFlags
	what  string // scores, contributions or leaves
	form  string // text, json, trec or csv
	run   string

	output        string
	probabilities bool              // write probabilities in place of scores
	calibration   *rank.Calibration // write probabilities in place of scores, if not nil

	scorer     *lambdamart.Scorer // nil for linear models
	explainer  *explain.Explainer // computes contributions
	warned     bool               // whether a warning about zeros was printed
	seen       rank.Dataset       // columns and names of the parts so far
	read       func()             // ends the progress bar of reading
	streams    bool               // whether that bar shows the progress of the whole work
	explaining *phase             // progress of contributions and leaves
	rows       int                // rows written so far
	line       []byte
}

// setCalibration prepares for --calibrated.
func (p *predictor) setCalibration() error {
	if p.calibration = model.Calibration(p.model); p.calibration != nil {
		return nil
	}
	trees := ""
	if p.cmd.Flags().Changed("trees") {
		trees = " for this number of trees"
	}
	return fmt.Errorf("--calibrated: %s is not calibrated%s (use simdrank calibrate)", inputName(p.path), trees)
}

// named reports whether the output names queries and documents.
func (p *predictor) named() bool { return p.form == "trec" || p.form == "csv" }

// write scores the data part by part, and writes the output.
func (p *predictor) write(w io.Writer) error {
	defer func() { p.explaining.end() }()
	if err := p.header(w); err != nil {
		return err
	}
	for d, err := range p.parts() {
		if err == nil {
			d, err = p.settle(d)
		}
		if err == nil {
			err = p.part(w, d)
		}
		if err != nil {
			return err
		}
	}
	if trees, ok := p.model.(*lambdamart.Model); ok { // even the last part may contain the last feature
		if warning := countedFromZero(p.cmd, trees, p.path, &p.seen, p.data.path); warning != "" {
			p.warn(warning)
		}
	}
	if p.form == "json" {
		end := "\n  ]\n}\n"
		if p.rows == 0 {
			end = "]\n}\n"
		}
		_, err := io.WriteString(w, end)
		return err
	}
	return nil
}

// parts yields LETOR text a few rows at a time, and other data at once.
func (p *predictor) parts() iter.Seq2[*rank.Dataset, error] {
	f := p.data
	return func(yield func(*rank.Dataset, error) bool) {
		if !f.streams() || f.gather {
			d, err := f.load(p.cmd)
			if err == nil && !p.named() {
				d, err = inLines(d)
			}
			yield(d, err)
			return
		}
		if err := f.readGroups(p.cmd); err != nil {
			yield(nil, err)
			return
		}
		if err := f.checkTableFlags(f.path); err != nil {
			yield(nil, err)
			return
		}
		in, reading, err := f.openPieces(p.cmd)
		if err != nil {
			yield(nil, err)
			return
		}
		p.read = reading.end
		defer in.Close()
		defer reading.end()
		if in.Format == "simdrank" { // it is memory-mapped, or in memory
			d, err := await(p.cmd.Context(), in.Read)
			reading.end()
			yield(d, readError(f.path, err))
			return
		}
		p.streams = true
		f.pieces(p.cmd, in)(yield)
	}
}

// inLines returns d with its rows in the order of the lines of its file, as one query.
func inLines(d *rank.Dataset) (*rank.Dataset, error) {
	order := lineOrder(d)
	if order == nil {
		return d, nil
	}
	one := *d
	one.Offsets, one.QueryIDs, one.QueryWeights = []int{0, d.Rows()}, []string{"1"}, nil
	return one.SubsetRows(order)
}

// settle converts a part to the columns of the model. For the first part it also prepares the
// model.
func (p *predictor) settle(d *rank.Dataset) (*rank.Dataset, error) {
	d, err := toColumns(p.cmd, p.model, p.path, d, p.data.path)
	if err != nil {
		return nil, err
	}
	trees, ok := p.model.(*lambdamart.Model)
	if !ok {
		return d, nil
	}
	if p.scorer == nil && trees.Categories != nil { // only LETOR text has several parts, and no texts
		p.read()
		noteTexts(p.cmd, trees, p.path, d, p.data.path)
	}
	if said := p.cmd.Flags().Changed("zero-missing"); !p.warned && (!said || p.scorer == nil) {
		if warning := setZeros(p.cmd, trees, p.path, d, p.data.path); warning != "" {
			p.warned = true
			p.warn(warning)
		}
	}
	p.seen = rank.Dataset{Cols: max(p.seen.Cols, d.Cols), Names: d.Names}
	if p.scorer == nil {
		p.scorer, err = trees.Scorer()
	}
	return d, err
}

// warn ends progress bars and prints a warning.
func (p *predictor) warn(warning string) {
	p.read()
	p.explaining.end()
	warn(p.cmd, "%s", warning)
}

// header writes the beginning of the output, before the rows.
func (p *predictor) header(w io.Writer) error {
	switch p.form {
	case "json":
		what := p.what
		if p.probabilities || p.calibration != nil {
			what = "probabilities"
		}
		_, err := fmt.Fprintf(w, "{\n  %q: [", what)
		return err
	case "csv":
	default:
		return nil
	}
	b := []byte("query,document")
	switch p.what {
	case "contributions":
		names := model.FeatureNames(p.model)
		for j := range p.model.Features() {
			name := strconv.Itoa(j + p.data.first())
			if names != nil {
				name = names[j]
			}
			b = appendCSV(append(b, ','), name)
		}
		b = append(b, ",bias"...)
	case "leaves":
		for k := range p.model.(*lambdamart.Model).Trees {
			b = fmt.Appendf(b, ",tree_%d", k)
		}
	default:
		column := ",score"
		switch {
		case p.probabilities:
			column = ",probability"
		case p.calibration != nil:
			column = ",score,probability"
		}
		b = append(b, column...)
	}
	_, err := w.Write(append(b, '\n'))
	return err
}

// part writes the output for a part.
func (p *predictor) part(w io.Writer, d *rank.Dataset) error {
	m := p.model
	if p.scorer != nil {
		m = p.scorer
	}
	if p.what == "scores" {
		var scores []float64
		var err error
		if p.streams {
			scores = make([]float64, d.Rows())
			err = m.ScoreInto(p.cmd.Context(), scores, d.FeatureRows(0, d.Rows()))
		} else {
			scores, err = score(p.cmd, m, d, p.data.path)
		}
		if err != nil {
			return err
		}
		if p.probabilities {
			if err := p.model.(*lambdamart.Model).Probabilities(scores); err != nil {
				return errs.Wrap(err, "%s", inputName(p.path))
			}
		}
		writing := p.writing()
		defer writing.end()
		w = writing.writer(w, int64(d.Rows()))
		probabilities := scores
		if p.calibration != nil {
			probabilities = slices.Clone(scores)
			p.calibration.Apply(probabilities)
		}
		switch {
		case p.form == "trec":
			return p.ranked(w, d, scores, probabilities)
		case p.form == "csv" && p.calibration != nil:
			return p.block(w, d, 0, d.Rows(), 2, func(b []byte, k int) []byte {
				return p.appendNumber(b, [][]float64{scores, probabilities}[k%2][k/2])
			})
		}
		return p.block(w, d, 0, d.Rows(), 1, func(b []byte, k int) []byte {
			return p.appendNumber(b, probabilities[k])
		})
	}
	width := p.model.Features() + 1
	if p.what == "leaves" {
		width = len(p.model.(*lambdamart.Model).Trees)
	}
	if p.explaining == nil { // reading is far ahead of this
		p.read()
		p.explaining = begin(p.cmd, "explaining "+inputName(p.data.path), "documents")
	}
	if p.what == "contributions" && p.explainer == nil {
		var err error
		if p.explainer, err = explain.New(p.model); err != nil {
			return readError(p.path, err)
		}
	}
	rows := max(1, predictedValues/max(width, 1))
	var phi []float64 // used again, because a row may be very wide
	for lo := 0; lo < d.Rows(); lo += rows {
		hi := min(lo+rows, d.Rows())
		part := d.FeatureRows(lo, hi)
		var value func(b []byte, k int) []byte
		var err error
		if p.what == "leaves" {
			leaves := make([]int32, (hi-lo)*width)
			err = p.scorer.LeavesInto(p.cmd.Context(), leaves, part)
			value = func(b []byte, k int) []byte { return strconv.AppendInt(b, int64(leaves[k]), 10) }
		} else {
			phi = slices.Grow(phi[:0], (hi-lo)*width)[:(hi-lo)*width]
			err = p.explainer.ContributionsInto(p.cmd.Context(), phi, part)
			value = func(b []byte, k int) []byte { return p.appendNumber(b, phi[k]) }
		}
		if err != nil {
			return readError(p.path, err)
		}
		if err := p.block(w, d, lo, hi, width, value); err != nil {
			return err
		}
		if p.streams {
			p.explaining.say(counted(p.rows, "document"))
		} else {
			p.explaining.at(int64(hi), int64(d.Rows()))
		}
	}
	return nil
}

// writing begins the progress bar of writing scores, unless the bar of reading shows the progress.
func (p *predictor) writing() *phase {
	switch {
	case p.streams || p.output == "-" && !isRegular(p.cmd.OutOrStdout()):
		return nil
	case p.output == "-":
		return begin(p.cmd, "writing standard output", "documents")
	}
	return begin(p.cmd, "writing "+p.output, "documents")
}

const (
	predictedValues = 2 << 20 // values that are computed at once
	writtenBytes    = 1 << 16 // length from which a part of a line is written
)

// block writes the rows lo to hi. Each row has width values, which value appends by their index.
func (p *predictor) block(w io.Writer, d *rank.Dataset, lo, hi, width int,
	value func(b []byte, k int) []byte) error {
	separator := byte('\t')
	if p.form != "text" {
		separator = ','
	}
	for i := lo; i < hi; i++ {
		b := p.line[:0]
		switch p.form {
		case "csv":
			b = append(appendCSV(b, queryOf(d, i)), ',')
			b = append(appendCSV(b, documentID(d, i)), ',')
		case "json":
			if p.rows > 0 {
				b = append(b, ',')
			}
			if b = append(b, "\n    "...); p.what != "scores" {
				b = append(b, '[')
			}
		}
		for j := range width {
			if j > 0 {
				b = append(b, separator)
			}
			if b = value(b, (i-lo)*width+j); len(b) >= writtenBytes {
				if _, err := w.Write(b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
		switch {
		case p.form != "json":
			b = append(b, '\n')
		case p.what != "scores":
			b = append(b, ']')
		}
		p.line = b
		p.rows++
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// ranked writes the lines of a TREC run, sorted by score. The lines contain values, which do not
// increase if scores decrease.
func (p *predictor) ranked(w io.Writer, d *rank.Dataset, scores, values []float64) error {
	var work kernels.Work
	var order []int
	var names []string // document IDs of a query
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		query := d.QueryIDs[q]
		unfit := text.CheckField(query) != nil || query[0] == '#' // such a line would be a comment
		names = names[:0]
		for i := lo; i < hi; i++ {
			name := documentID(d, i)
			switch {
			case math.IsNaN(scores[i]):
				return readError(p.data.path, d.RowError(i, errors.New("the score is NaN and cannot be ranked")))
			case text.CheckField(name) != nil:
				err := fmt.Errorf("the document ID is %q; in a TREC run, IDs must not be empty or contain blanks", name)
				return readError(p.data.path, d.RowError(i, err))
			case unfit:
				err := fmt.Errorf("the query ID is %q; in a TREC run, query IDs must not be empty, contain blanks or "+
					"begin with #", query)
				return readError(p.data.path, d.RowError(i, err))
			}
			names = append(names, name)
		}
		order = kernels.AppendOrder(order[:0], scores[lo:hi], &work)
		if p.calibration != nil {
			separate(values[lo:hi], scores[lo:hi], order)
		}
		for place, i := range order {
			b := fmt.Appendf(p.line[:0], "%s Q0 %s %d ", query, names[i], place+1)
			p.line = fmt.Appendf(p.appendNumber(b, values[lo+i]), " %s\n", p.run)
			if _, err := w.Write(p.line); err != nil {
				return err
			}
		}
	}
	return nil
}

// separate makes the probabilities of documents with different scores different. Programs sort runs
// by the numbers in the lines, some of them as float32. A probability that is not less than the one
// above it becomes the next lower float32. order contains the documents by descending score.
func separate(probabilities, scores []float64, order []int) {
	for k, i := range order[min(1, len(order)):] {
		above := order[k]
		switch limit := float32(probabilities[above]); {
		case scores[i] == scores[above]:
			probabilities[i] = probabilities[above]
		case float32(probabilities[i]) >= limit:
			probabilities[i] = float64(math.Nextafter32(limit, -1))
		}
	}
}

// appendNumber appends the shortest decimal that parses to v.
func (p *predictor) appendNumber(b []byte, v float64) []byte {
	if p.form == "json" && (math.IsNaN(v) || math.IsInf(v, 0)) {
		return append(b, "null"...)
	}
	if math.Float64bits(v) == 0 { // most contributions in wide data
		return append(b, '0')
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// queryOf returns the query of a row, or "" if the data have no queries.
func queryOf(d *rank.Dataset, row int) string {
	if d.Queries() == 0 {
		return ""
	}
	return d.QueryIDs[sort.SearchInts(d.Offsets, row+1)-1]
}

// documentID returns the ID of a document or, without one, its line or row. The name of the file
// precedes the line if the data are a folder.
func documentID(d *rank.Dataset, row int) string {
	if d.DocIDs != nil && d.DocIDs[row] != "" {
		return d.DocIDs[row]
	}
	switch file, line := d.Place(row); {
	case line == 0:
		return strconv.Itoa(row + 1)
	case file != d.File:
		return fmt.Sprintf("%s:%d", filepath.Base(file), line)
	default:
		return strconv.Itoa(line)
	}
}

// appendCSV appends a field, escaped by [text.Cell] and quoted if necessary (RFC 4180).
func appendCSV(b []byte, field string) []byte {
	field = text.Cell(field)
	if !strings.ContainsAny(field, "\",\r\n") {
		return append(b, field...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(field, `"`, `""`)...)
	return append(b, '"')
}

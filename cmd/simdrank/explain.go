package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
)

func explainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain -m model -d data --query ID",
		Short: "Explain the ranking of a query, feature by feature",
		Long: `Show the documents of a query in the order of their scores. For each document, list the
features that put it above the next one.

A score is the sum of feature contributions: weight times value in a linear model, and
Shapley values (TreeSHAP) in trees. For each feature, the output shows the difference
between the contributions to the two documents. The differences add up to the difference
between the scores. A negative difference favors the document below.

The last document is compared with the base: the intercept of a linear model, or the
mean score of the training rows of trees. Documents are identified by ID. A document
without an ID is identified by its line, or by its row if the data have no lines.`,
		Example: `  simdrank explain -m model.json -d test.txt --query 10032 -k 3
  simdrank explain -m trees.json -d test.csv --query 7 --doc GX000-01 --format json`,
		Args: noArguments,
	}
	var path, query, doc string
	var o explain.Options
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&path, "model", "m", "", "model `file`")
	data := newDataFlags(cmd)
	flags.StringVar(&query, "query", "", "query `ID`; optional if the data have only one query")
	flags.StringVar(&doc, "doc", "", "`ID` or line number of the only document to explain")
	flags.IntVarP(&o.Documents, "documents", "k", 10, "top documents to explain (0: all)")
	flags.IntVar(&o.Features, "features", 5, "features to list per document")
	format := formatFlag(cmd)
	scoring := addScoreFlags(cmd)
	addFeatureFlags(cmd)
	cmd.MarkFlagRequired("model")
	cmd.MarkFlagRequired("data")
	cmd.MarkFlagsMutuallyExclusive("doc", "documents")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if o.Documents < 0 {
			return usagef("--documents %d: must be at least 0", o.Documents)
		}
		if o.Features < 1 {
			return usagef("--features %d: must be greater than 0", o.Features)
		}
		if err := checkFiles("", append(data.inputs(), path)...); err != nil {
			return err
		}
		m, err := scoring.load(cmd, path)
		if err != nil {
			return err
		}
		data.unlabeled = true
		d, err := data.loadFor(cmd, m, path)
		if err != nil {
			return err
		}
		q, err := findQuery(d, query, inputName(data.path))
		if err != nil {
			return err
		}
		if doc != "" {
			row, err := findDocument(d, q, doc, inputName(data.path))
			if err != nil {
				return err
			}
			o.Rows = []int{row}
		}
		explainer, err := explain.New(m)
		if err != nil {
			return readError(path, err)
		}
		r, err := explainer.Explain(cmd.Context(), d, q, o)
		if err != nil {
			return readError(data.path, err)
		}
		e := explained(r, d, data.first())
		for _, of := range e.Documents {
			if format.value == "json" {
				if err := checkIDs(data.path, e.Query, of.Document, of.Next); err != nil {
					return err
				}
			}
		}
		return printResult(cmd.OutOrStdout(), format, e)
	}
	return cmd
}

// findQuery returns the number of a query. The id "" is valid if there is only one query.
func findQuery(d *rank.Dataset, id, data string) (int, error) {
	if id == "" && d.Queries() != 1 {
		return 0, usagef("explain requires --query, because %s has %d queries: %s", data, d.Queries(),
			examples(d.QueryIDs))
	}
	q := slices.Index(d.QueryIDs, id)
	switch {
	case id == "":
		return 0, nil
	case q >= 0:
		return q, nil
	}
	return 0, fmt.Errorf("%s contains no query %q (it contains %s: %s)", data, id,
		cli.Count(d.Queries(), "query", "queries"), examples(d.QueryIDs))
}

// documentName returns the name of a document: its ID, line or row.
func documentName(d *rank.Dataset, row int) string {
	id := documentID(d, row)
	switch file, line := d.Place(row); {
	case d.DocIDs != nil && d.DocIDs[row] != "" || line > 0 && file != d.File:
		return id
	case line == 0:
		return "row " + id
	}
	return "line " + id
}

// findDocument returns the row of a document of a query.
func findDocument(d *rank.Dataset, q int, name, data string) (int, error) {
	lo, hi := d.Query(q)
	var names []string
	for row := lo; row < hi; row++ {
		names = append(names, documentName(d, row))
	}
	if i := slices.Index(names, name); i >= 0 {
		return lo + i, nil
	}
	if line, err := strconv.Atoi(name); err == nil {
		for row := lo; row < hi; row++ {
			if line == cmp.Or(d.Line(row), row+1) {
				return row, nil
			}
		}
	}
	return 0, fmt.Errorf("%s: query %s has no document %q (it contains %s: %s)", data, d.QueryIDs[q], name,
		counted(hi-lo, "document"), examples(names))
}

// examples lists the first few names.
func examples(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:5], ", ") + ", …"
}

// An explanation is the result of explain.
type explanation struct {
	Query     string              `json:"query"`
	Total     int                 `json:"documents_of_query"`
	Base      float64             `json:"base"`
	Documents []explainedDocument `json:"documents"`
}

type explainedDocument struct {
	Rank     int                `json:"rank"`
	Document string             `json:"document"`       // ID, line or row
	Line     int                `json:"line,omitempty"` // 0 if it was not read from lines
	Label    number             `json:"label"`
	Score    float64            `json:"score"`
	Next     string             `json:"next,omitempty"` // document below; "" for the last one
	Above    float64            `json:"above_next"`     // difference from the next score, or from the base
	Features []explainedFeature `json:"features"`
	Others   float64            `json:"others"`
}

type explainedFeature struct {
	Feature      int     `json:"feature"` // as numbered in the data
	Name         string  `json:"name,omitempty"`
	Value        number  `json:"value"`      // null means missing
	Next         *number `json:"next_value"` // null means missing or no next document
	Contribution float64 `json:"contribution"`
	Difference   float64 `json:"difference"`
	// Text and NextText are the texts of categories.
	Text     string `json:"text,omitempty"`
	NextText string `json:"next_text,omitempty"`
}

// categoryText returns the text of a category in column j of d, or "" if the value has no text.
func categoryText(d *rank.Dataset, j int, v float32) string {
	if j >= len(d.Categories) || !(v >= 0 && v < float32(len(d.Categories[j]))) {
		return ""
	}
	return d.Categories[j][int(v)]
}

// explained converts a ranking of a query of d to the form that is printed.
func explained(r *explain.Ranking, d *rank.Dataset, first int) explanation {
	e := explanation{Query: r.Query, Total: r.Total, Base: r.Base}
	for _, doc := range r.Documents {
		out := explainedDocument{Rank: doc.Rank, Document: documentName(d, doc.Row), Line: d.Line(doc.Row),
			Label: number(math.NaN()), Score: doc.Score, Above: doc.Above, Features: []explainedFeature{},
			Others: doc.Others}
		if len(d.Labels) > 0 {
			out.Label = number(d.Labels[doc.Row])
		}
		if doc.Next >= 0 {
			out.Next = documentName(d, doc.Next)
		}
		for _, f := range doc.Features {
			feature := explainedFeature{Feature: f.Column + first, Name: f.Name, Value: number(f.Value),
				Contribution: f.Contribution, Difference: f.Difference, Text: categoryText(d, f.Column, f.Value)}
			if next := number(f.Next); doc.Next >= 0 {
				feature.Next, feature.NextText = &next, categoryText(d, f.Column, f.Next)
			}
			out.Features = append(out.Features, feature)
		}
		e.Documents = append(e.Documents, out)
	}
	return e
}

// csv has a row for each feature of a document, and one for the others together.
func (e explanation) csv(t *csvTable) {
	t.row("query", "rank", "document", "label", "score", "next", "above_next", "feature", "name", "value", "next_value",
		"contribution", "difference")
	for _, d := range e.Documents {
		row := func(of ...any) {
			t.row(append([]any{e.Query, d.Rank, d.Document, d.Label, d.Score, d.Next, d.Above}, of...)...)
		}
		for _, f := range d.Features {
			value, next := any(f.Value), any(number(math.NaN()))
			if f.Next != nil {
				next = *f.Next
			}
			if f.Text != "" {
				value = f.Text
			}
			if f.NextText != "" {
				next = f.NextText
			}
			row(f.Feature, f.Name, value, next, f.Contribution, f.Difference)
		}
		row(nil, "others", nil, nil, nil, d.Others)
	}
}

func (e explanation) text(w io.Writer) error {
	fmt.Fprintf(w, "query %s, %s\n", errs.Line(e.Query), counted(e.Total, "document"))
	for _, doc := range e.Documents {
		fmt.Fprintf(w, "\n%d. %s", doc.Rank, errs.Line(doc.Document))
		if !math.IsNaN(float64(doc.Label)) {
			fmt.Fprintf(w, "  label %g", float64(doc.Label))
		}
		fmt.Fprintf(w, "  score %.6g", doc.Score)
		if doc.Next != "" {
			fmt.Fprintf(w, ", %.6g above %s\n", doc.Above, errs.Line(doc.Next))
		} else {
			fmt.Fprintf(w, ", the last; %+.6g from the base %.6g\n", doc.Above, e.Base)
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		if doc.Next != "" {
			fmt.Fprint(t, "feature\tvalue\tbelow\tcontribution\tdifference\t\n")
		} else {
			fmt.Fprint(t, "feature\tvalue\tcontribution\t\n")
		}
		for _, f := range doc.Features {
			fmt.Fprintf(t, "%s\t%s\t", cmp.Or(errs.Line(f.Name), strconv.Itoa(f.Feature)), valueText(f.Value, f.Text))
			if f.Next != nil {
				fmt.Fprintf(t, "%s\t%+.4g\t", valueText(*f.Next, f.NextText), f.Contribution)
			}
			fmt.Fprintf(t, "%+.4g\t\n", f.Difference)
		}
		if doc.Next != "" {
			fmt.Fprintf(t, "others\t\t\t\t%+.4g\t\n", doc.Others)
		} else {
			fmt.Fprintf(t, "others\t\t%+.4g\t\n", doc.Others)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// valueText formats the value of a feature. text is the text of a category, or "".
func valueText(v number, text string) string {
	switch {
	case text != "":
		return errs.Line(text)
	case math.IsNaN(float64(v)):
		return "missing"
	}
	return strconv.FormatFloat(float64(v), 'g', 6, 32)
}

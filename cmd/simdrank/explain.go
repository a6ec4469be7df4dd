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
		Use:   "explain -m model -d data --query id",
		Short: "Tell why a model ranks the documents of a query as it does",
		Long: `Tell why a model ranks the documents of a query as it does: their order and scores,
and for each document the features that put it above the next one.

A score is a sum of what the features contribute: weight times value in a linear
model, and in trees the Shapley value of the feature (TreeSHAP). The difference of two
documents' contributions is what the feature moved them apart by, and these
differences add up to that of the scores. A negative one speaks for the document
below. The last document is set against the base: the intercept of a linear model,
the mean score of the rows that trees were trained on.

A document is called by its id, and where it has none by its line in the data, or
its row where the data have no lines.
For --zero-missing and --ignore-extra-features see predict --help.`,
		Example: `  simdrank explain -m model.json -d test.txt --query 10032 -k 3
  simdrank explain -m trees.json -d test.csv --query 7 --doc GX000-01 --format json`,
		Args: noArguments,
	}
	var path, query, doc string
	var o explain.Options
	flags := cmd.Flags()
	flags.StringVarP(&path, "model", "m", "", "model to explain")
	data := newDataFlags(cmd)
	flags.StringVar(&query, "query", "", "query to explain; may be left out where there is but one")
	flags.StringVar(&doc, "doc", "", "document to explain alone, by its id or line")
	flags.IntVarP(&o.Documents, "documents", "k", 10, "documents to explain, from the best on; 0 for all")
	flags.IntVar(&o.Features, "features", 5, "features to list per document")
	scoring := addScoreFlags(cmd)
	addFeatureFlags(cmd)
	format := formatFlag(cmd)
	cmd.MarkFlagRequired("model")
	cmd.MarkFlagRequired("data")
	cmd.MarkFlagsMutuallyExclusive("doc", "documents")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if o.Documents < 0 {
			return usagef("--documents %d: want a number from 0", o.Documents)
		}
		if o.Features < 1 {
			return usagef("--features %d: want a number above 0", o.Features)
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

// findQuery returns the number of a query, which "" names where there is no other.
func findQuery(d *rank.Dataset, id, data string) (int, error) {
	if id == "" && d.Queries() != 1 {
		return 0, usagef("explain needs --query, one of the %d queries of %s: %s", d.Queries(), data,
			examples(d.QueryIDs))
	}
	q := slices.Index(d.QueryIDs, id)
	switch {
	case id == "":
		return 0, nil
	case q >= 0:
		return q, nil
	}
	return 0, fmt.Errorf("%s: no query %q among %s: there are %s", data, id, cli.Count(d.Queries(), "query", "queries"),
		examples(d.QueryIDs))
}

// documentName returns what a document is called.
func documentName(d *rank.Dataset, row int) string {
	if d.DocIDs != nil && d.DocIDs[row] != "" {
		return d.DocIDs[row]
	}
	if line := d.Line(row); line > 0 {
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("row %d", row+1)
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
	return 0, fmt.Errorf("%s: query %s has no document %q among %d: there are %s", data, d.QueryIDs[q], name, hi-lo,
		examples(names))
}

// examples lists the first few names.
func examples(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:5], ", ") + ", …"
}

// An explanation is what explain prints.
type explanation struct {
	Query     string              `json:"query"`
	Total     int                 `json:"documents_of_query"`
	Base      float64             `json:"base"`
	Documents []explainedDocument `json:"documents"`
}

type explainedDocument struct {
	Rank     int                `json:"rank"`
	Document string             `json:"document"`       // its id, or its line
	Line     int                `json:"line,omitempty"` // where it was read from lines
	Label    number             `json:"label"`
	Score    float64            `json:"score"`
	Next     string             `json:"next,omitempty"` // the document below; "" for the last one
	Above    float64            `json:"above_next"`     // or above the base
	Features []explainedFeature `json:"features"`
	Others   float64            `json:"others"`
}

type explainedFeature struct {
	Feature      int     `json:"feature"` // as numbered in the data
	Name         string  `json:"name,omitempty"`
	Value        number  `json:"value"`      // null is missing
	Next         *number `json:"next_value"` // null is missing, or none
	Contribution float64 `json:"contribution"`
	Difference   float64 `json:"difference"`
}

// explained brings a ranking of a query of d into the form that is printed.
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
			feature := explainedFeature{f.Column + first, f.Name, number(f.Value), nil, f.Contribution, f.Difference}
			if next := number(f.Next); doc.Next >= 0 {
				feature.Next = &next
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
			next := number(math.NaN())
			if f.Next != nil {
				next = *f.Next
			}
			row(f.Feature, f.Name, f.Value, next, f.Contribution, f.Difference)
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
			fmt.Fprintf(t, "%s\t%s\t", cmp.Or(errs.Line(f.Name), strconv.Itoa(f.Feature)), valueText(f.Value))
			if f.Next != nil {
				fmt.Fprintf(t, "%s\t%+.4g\t", valueText(*f.Next), f.Contribution)
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

// valueText returns the value of a feature.
func valueText(v number) string {
	if math.IsNaN(float64(v)) {
		return "missing"
	}
	return strconv.FormatFloat(float64(v), 'g', 6, 32)
}

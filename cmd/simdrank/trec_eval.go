package main

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
	"github.com/simdrank/simdrank/rank/trec/treceval"
)

// A measureList is the value of a flag that may be given several times, with a measure each time.
type measureList struct{ names []string }

func (l *measureList) String() string { return strings.Join(l.names, " ") }
func (l *measureList) Type() string   { return "measure" }
func (l *measureList) Set(name string) error {
	l.names = append(l.names, name)
	return nil
}

func trecEvalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trec-eval judgments run",
		Short: "Evaluate a TREC run with trec_eval's flags and output",
		Long: `Evaluate a TREC run against judgments. The flags and measures are the same as in
trec_eval, and the output is byte-identical. Use eval for other metrics and conventions.

  -m ndcg_cut.5,10, -m ndcg.1=3,2=9   measures with parameters
  -m official, -m set, -m all_trec    sets of measures
  -m prefs, -m all_prefs              sets of measures for preferences (-R prefs)
  -m qrels_jg                         measures for judgment groups (-R qrels_jg)

Unlike trec_eval, it reports scores and relevances that are not numbers as errors, with
file, line and value. It also accepts empty lines, compressed files, and the formats
that eval reads. Runs are streamed and may be larger than RAM, unless the lines of a
topic are not contiguous.`,
		Example: `  simdrank trec-eval qrels.txt run.txt
  simdrank trec-eval -q -c -m all_trec qrels.txt run.gz
  simdrank trec-eval -l 2 -m map -m P.5,10 -m ndcg_cut.10 qrels.txt run.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("trec-eval requires two files, judgments and a run (found %d)", len(args))
			}
			return nil
		},
	}
	var measures measureList
	var single, noSummary, complete, judgedOnly bool
	var level, docs, collection int
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(&measures, "measure", "m", "measure or set of measures; may be repeated")
	flags.BoolVarP(&single, "query_eval_wanted", "q", false, "also print the values of each topic")
	flags.BoolVarP(&complete, "complete_rel_info_wanted", "c", false, "count judged topics without results")
	flags.IntVarP(&level, "level_for_rel", "l", 1, "minimum `relevance` of relevant documents")
	flags.BoolVarP(&noSummary, "nosummary", "n", false, "do not print values over all topics")
	flags.BoolVarP(&judgedOnly, "Judged_docs_only", "J", false, "skip retrieved documents without judgments")
	flags.IntVarP(&collection, "Number_docs_in_coll", "N", 0, "documents in the collection, for the measure utility")
	flags.IntVarP(&docs, "Max_retrieved_per_topic", "M", 0, "documents to evaluate per topic (default: all)")
	judgmentsFormat := &choice{"qrels", []string{"qrels", "qrels_jg", "prefs", "qrels_prefs"}, "format"}
	flags.VarP(judgmentsFormat, "Rel_info_format", "R", "format of the judgments")
	release := choiceFlag(cmd, "release", "trec_eval `version` to match: 10.0 or 9.0.8", "10", "9")
	form := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		version, err := strconv.Atoi(release.value)
		if err != nil {
			return err
		}
		m, err := treceval.NewMeasures(version, measures.names...)
		if err != nil {
			return usageError{errs.Wrap(err, "--measure (-m)")}
		}
		switch {
		case level < 0:
			return usagef("--level_for_rel (-l) %d: must be at least 0", level)
		case docs < 0 || docs == 0 && flags.Changed("Max_retrieved_per_topic"):
			return usagef("--Max_retrieved_per_topic (-M) %d: must be at least 1", docs)
		case collection < 0:
			return usagef("--Number_docs_in_coll (-N) %d: must be at least 0", collection)
		}
		m.RelevanceLevel, m.MaxDocs, m.Collection = level, docs, collection
		m.JudgedOnly, m.Complete = judgedOnly, complete
		if err := checkFiles("", args...); err != nil {
			return err
		}
		read := func(r io.Reader, o ...rank.ReadOptions) (*treceval.Judgments, error) {
			return treceval.Read(r, judgmentsFormat.value, o...)
		}
		judgments, err := readInput(cmd, args[0], read)
		if err != nil {
			return err
		}
		var topics coverage
		measure := func(runs []iter.Seq2[*trec.Run, error]) (*treceval.Results, error) {
			topics = newCoverage(judgments.Topics())
			r, err := m.EvalPieces(cmd.Context(), judgments, seen(runs[0], topics.add))
			return r, evalError(err, args[0], args[1])
		}
		results, err := measureRuns(cmd, args[1:], measure)
		if err != nil {
			return err
		}
		if complete {
			topics.warn(cmd, args[1], "count as empty results", "")
		} else {
			topics.warn(cmd, args[1], "are skipped", "use -c to count them")
		}
		if form.value == "json" {
			if err := checkIDs(args[1], results.RunID()); err != nil {
				return err
			}
		}
		for _, topic := range results.Topics {
			if single && form.value == "json" {
				if err := checkIDs(args[1], topic.ID); err != nil {
					return err
				}
			}
		}
		return printResult(cmd.OutOrStdout(), form, trecEvalResult{results, single, !noSummary})
	}
	return cmd
}

// A trecEvalResult is the result of trec-eval: values of each topic, and over all topics.
type trecEvalResult struct {
	*treceval.Results
	topics, all bool
}

// csv writes a row for each topic, and one for all topics.
func (r trecEvalResult) csv(t *csvTable) {
	names := r.Names()
	row := []any{"run", "topic"}
	for _, name := range names {
		row = append(row, name)
	}
	t.row(row...)
	write := func(topic *treceval.TopicResult) {
		row[0], row[1] = r.RunID(), topic.ID
		for i, name := range names {
			v, _ := r.Value(topic, name) // NaN if the topic has no value
			row[2+i] = v
		}
		t.row(row...)
	}
	if r.topics {
		for i := range r.Topics {
			write(&r.Topics[i])
		}
	}
	if r.all {
		write(&r.All)
	}
}

func (r trecEvalResult) text(w io.Writer) error {
	if r.topics {
		if err := r.WriteTopics(w); err != nil {
			return err
		}
	}
	if r.all {
		return r.WriteAll(w)
	}
	return nil
}

// MarshalJSON writes values under trec_eval's names. Values that are not finite become null.
func (r trecEvalResult) MarshalJSON() ([]byte, error) {
	type topic struct {
		ID     string            `json:"topic"`
		Values map[string]number `json:"values"`
	}
	values := func(t *treceval.TopicResult) map[string]number {
		m := map[string]number{}
		for _, name := range r.Names() {
			if v, ok := r.Value(t, name); ok {
				m[name] = number(v)
			}
		}
		return m
	}
	var out struct {
		Run    string            `json:"run"`
		All    map[string]number `json:"all,omitempty"`
		Topics []topic           `json:"topics,omitempty"`
	}
	out.Run = r.RunID()
	if r.all {
		out.All = values(&r.All)
	}
	if r.topics {
		for i := range r.Topics {
			out.Topics = append(out.Topics, topic{r.Topics[i].ID, values(&r.Topics[i])})
		}
	}
	return json.Marshal(out)
}

package main

import (
	"fmt"
	"io"
	"iter"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/rank/trec"
)

// An inspection is the result of info --qrels --run.
type inspection struct{ *trec.Inspection }

// inspect checks a run before its evaluation.
func inspect(cmd *cobra.Command, format *choice, qrelsPath, path string) error {
	if qrelsPath == "" || path == "" {
		return usagef("--qrels and --run require each other")
	}
	if err := checkFiles("", qrelsPath, path); err != nil {
		return err
	}
	qrels, err := readInput(cmd, qrelsPath, trec.ReadQrels)
	if err != nil {
		return err
	}
	s, err := measureRuns(cmd, []string{path}, func(runs []iter.Seq2[*trec.Run, error]) (*trec.Inspection, error) {
		s := trec.NewInspection(qrels, 10, 100, 1000)
		for r, err := range runs[0] {
			if err != nil {
				return nil, err
			}
			s.Add(r)
		}
		return s, nil
	})
	if err != nil {
		return err
	}
	return printResult(cmd.OutOrStdout(), format, inspection{s})
}

func (s inspection) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "topics with judgments\t%d\n  without results\t%d\n  without relevant documents\t%d\n",
		s.JudgedTopics, s.Unanswered, s.NoRelevant)
	fmt.Fprintf(t, "topics in the run\t%d\n  without judgments\t%d\n", s.RunTopics, s.UnjudgedTopics)
	fmt.Fprintf(t, "documents of judged topics\t%d\n  with tied scores\t%s\n", s.Documents,
		share(s.Tied, s.Documents))
	fmt.Fprintln(t, "\nranks\tdocuments\tjudged\ttopics with a tie across the last rank")
	for _, c := range s.Cutoffs {
		fmt.Fprintf(t, "1 to %d\t%d\t%s\t%d\n", c.K, c.Documents, share(c.Judged, c.Documents), c.TiedTopics)
	}
	return t.Flush()
}

// share returns a count and its share of the whole.
func share(part, whole int) string {
	return fmt.Sprintf("%d (%.1f%%)", part, 100*float64(part)/float64(max(whole, 1)))
}

// suspectCutoff is the number of documents per topic that [suspicions] inspects.
const suspectCutoff = 10

// suspicions returns clauses about a run whose values may be misleading. The judgments must be deep
// enough to cover the first ranks: one judgment per topic, as in MS MARCO, is not suspicious.
func suspicions(s *trec.Inspection) (parts []string) {
	at, common := s.Cutoffs[0], s.RunTopics-s.UnjudgedTopics
	if s.Judgments >= suspectCutoff*common && 2*at.Judged < at.Documents {
		parts = append(parts, fmt.Sprintf("only %d of %d documents at ranks 1 to %d are judged", at.Judged,
			at.Documents, at.K))
	}
	if 2*at.TiedTopics > common {
		parts = append(parts, fmt.Sprintf("in %d of %d topics, the documents at ranks %d and %d have equal scores",
			at.TiedTopics, common, at.K, at.K+1))
	}
	return parts
}

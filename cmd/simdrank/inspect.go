package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// An inspection is the result of info --qrels --run.
type inspection struct {
	*trec.Inspection
	QrelsDuplicates duplicates `json:"duplicate_judgments"`
	RunDuplicates   duplicates `json:"duplicate_documents"`
}

// duplicates is trec.Duplicates with the file name.
type duplicates struct {
	trec.Duplicates
	First string `json:"first,omitempty"` // file, line and document
}

func newDuplicates(path string, d trec.Duplicates) duplicates {
	if d.First == nil {
		return duplicates{d, ""}
	}
	return duplicates{d, readError(path, d.First).Error()}
}

// inspect checks a run before its evaluation.
func inspect(cmd *cobra.Command, format *choice, qrelsPath, path string) error {
	if qrelsPath == "" || path == "" {
		return usagef("--qrels and --run require each other")
	}
	if err := checkFiles("", qrelsPath, path); err != nil {
		return err
	}
	s, err := readInput(cmd, qrelsPath, func(r io.Reader, o ...rank.ReadOptions) (*trec.Inspection, error) {
		return trec.InspectQrels(r, []int{10, 100, 1000}, o...)
	})
	if err != nil {
		return err
	}
	_, err = readInput(cmd, path, func(r io.Reader, o ...rank.ReadOptions) (any, error) {
		return nil, s.ReadRun(r, o...)
	})
	if err != nil {
		return err
	}
	return printResult(cmd.OutOrStdout(), format, inspection{s, newDuplicates(qrelsPath, s.QrelsDuplicates),
		newDuplicates(path, s.RunDuplicates)})
}

func (s inspection) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "topics with judgments\t%d\n  without results\t%d\n  without relevant documents\t%d\n",
		s.JudgedTopics, s.Unanswered, s.NoRelevant)
	fmt.Fprintf(t, "topics in the run\t%d\n  without judgments\t%d\n", s.RunTopics, s.UnjudgedTopics)
	fmt.Fprintf(t, "documents of judged topics\t%d\n  with tied scores\t%s\n", s.Documents,
		share(s.Tied, s.Documents))
	fmt.Fprintf(t, "duplicate judgments\t%v\nduplicate documents\t%v\n", s.QrelsDuplicates, s.RunDuplicates)
	fmt.Fprintln(t, "\nranks\tdocuments\tjudged\ttopics with a tie across the last rank")
	for _, c := range s.Cutoffs {
		fmt.Fprintf(t, "1 to %d\t%d\t%s\t%d\n", c.K, c.Documents, share(c.Judged, c.Documents), c.TiedTopics)
	}
	return t.Flush()
}

// String returns the counts and the first example.
func (d duplicates) String() string {
	if d.First == "" {
		return "0"
	}
	return fmt.Sprintf("%d in %s, for example %s", d.Lines, counted(d.Topics, "topic"), errs.Line(d.First))
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

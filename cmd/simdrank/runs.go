package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// measureRuns calls measure with runs that [trec.StreamRuns] reads. Errors contain the file names.
// Each chunk has the name of its run or, if the run has no name, the name of its file.
func measureRuns[T any](cmd *cobra.Command, paths []string,
	measure func(runs []iter.Seq2[*trec.Run, error]) (T, error)) (T, error) {
	var names []string
	for _, path := range paths {
		names = append(names, inputName(path))
	}
	reading := begin(cmd, "reading "+strings.Join(names, " and "), "bytes")
	defer reading.end()
	return await(cmd.Context(), func() (T, error) { return openRuns(cmd, reading, paths, measure) })
}

// openRuns is like measureRuns, but does not end when the context is done.
func openRuns[T any](cmd *cobra.Command, reading *phase, paths []string,
	measure func(runs []iter.Seq2[*trec.Run, error]) (T, error)) (result T, err error) {
	readers := make([]io.Reader, len(paths))
	var size int64
	for i, path := range paths {
		readers[i] = cmd.InOrStdin()
		if path != "-" {
			f, err := os.Open(path)
			if err != nil {
				return result, readError(path, err)
			}
			defer f.Close()
			readers[i] = f
		}
		size += files.Size(readers[i])
	}
	reading.expect(size)
	for i, r := range readers {
		readers[i] = reading.reader(r)
	}
	return trec.StreamRuns(func(runs []iter.Seq2[*trec.Run, error]) (T, error) {
		for i, run := range runs {
			runs[i] = namedPieces(paths[i], run)
		}
		return measure(runs)
	}, readers, readOptions(cmd))
}

// namedPieces names the chunks of a run and adds the file name to errors.
func namedPieces(path string, pieces iter.Seq2[*trec.Run, error]) iter.Seq2[*trec.Run, error] {
	return func(yield func(*trec.Run, error) bool) {
		for r, err := range pieces {
			if err == nil {
				r.Name = cmp.Or(r.Name, runName(path))
			}
			if !yield(r, readError(path, err)) {
				return
			}
		}
	}
}

// runName returns a name for a run that has none, such as a run in JSON: the name of its file.
func runName(path string) string {
	return strings.TrimSuffix(files.Stem(filepath.Base(inputName(path))), ".json")
}

// evalRun evaluates the first run against qrels, unless qrels is nil, and compares it with the
// second run, if there is one. It also returns the name of the run. It warns about topics that some
// of the files lack; hint is added for topics with judgments that the run lacks.
func evalRun(cmd *cobra.Command, e *rank.Evaluator, qrels *trec.Qrels, qrelsPath, hint string,
	paths ...string) (*rank.Results, string, error) {
	var topics coverage
	var inspection *trec.Inspection
	var name string
	var others map[string]bool // topics of the reference
	results, err := measureRuns(cmd, paths, func(runs []iter.Seq2[*trec.Run, error]) (*rank.Results, error) {
		topics, others = coverage{}, map[string]bool{}
		if qrels != nil {
			topics, inspection = newCoverage(qrels.Topics()), trec.NewInspection(qrels, suspectCutoff)
		}
		run := seen(runs[0], func(r *trec.Run) {
			name = r.Name
			if qrels != nil {
				topics.add(r)
				inspection.Add(r)
			}
		})
		var reference iter.Seq2[*trec.Run, error]
		if len(runs) > 1 {
			reference = seen(runs[1], func(r *trec.Run) {
				for _, id := range r.Topics() {
					others[strings.Clone(id)] = true // a later chunk may overwrite id
				}
			})
		}
		r, err := trec.EvalPieces(cmd.Context(), e, qrels, run, reference)
		return r, runError(err, qrelsPath, paths)
	})
	if err != nil {
		return nil, "", err // the abandoned read may still write the name
	}
	if qrels != nil {
		treatment := "count as empty results"
		if qrels.SkipUnanswered {
			treatment, hint = "are skipped", ""
		}
		topics.warn(cmd, paths[0], treatment, hint, suspicions(inspection)...)
	}
	if len(paths) > 1 {
		warnReference(cmd, paths[1], results.QueryIDs, others)
	}
	return results, name, nil
}

// seen calls see with each chunk of a run before the chunk is used.
func seen(run iter.Seq2[*trec.Run, error], see func(r *trec.Run)) iter.Seq2[*trec.Run, error] {
	return func(yield func(*trec.Run, error) bool) {
		for r, err := range run {
			if err == nil {
				see(r)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// warnReference warns about evaluated topics that the reference lacks, and about topics of the
// reference that are not evaluated.
func warnReference(cmd *cobra.Command, path string, evaluated []string, reference map[string]bool) {
	common := 0
	for _, id := range evaluated {
		if reference[id] {
			common++
		}
	}
	var parts []string
	if missing := len(evaluated) - common; missing > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d evaluated topics are missing and count as empty results",
			missing, len(evaluated)))
	}
	if extra := len(reference) - common; extra > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d topics are not evaluated", extra,
			len(reference)))
	}
	warnParts(cmd, path, parts)
}

// warnParts writes one line about a file.
func warnParts(cmd *cobra.Command, path string, parts []string) {
	if len(parts) > 0 {
		warn(cmd, "%s: %s", inputName(path), strings.Join(parts, "; "))
	}
}

// runError adds file names to an error of evaluating a run.
func runError(err error, qrels string, paths []string) error {
	run, reference := inputName(paths[0]), inputName(paths[len(paths)-1])
	switch {
	case errors.Is(err, trec.ErrUnjudged):
		return fmt.Errorf("%s: no topic of this run has judgments in %s", run, inputName(qrels))
	case errors.Is(err, trec.ErrUnreferred) && qrels != "":
		return fmt.Errorf("%s: no topic of this run is in %s and has judgments in %s", reference, run, inputName(qrels))
	case errors.Is(err, trec.ErrUnreferred):
		return fmt.Errorf("%s: no topic of this run is in %s", reference, run)
	}
	return evalError(err, qrels, paths[0])
}

// A coverage counts the topics that are in both the judgments and a run, and the topics that are in
// only one of them.
type coverage struct {
	judged   map[string]bool // topics with judgments; true if the run has results
	answered int             // number of topics with judgments and results
	unjudged int             // topics of the run without judgments
}

// newCoverage returns the coverage of topics with judgments before a run is added.
func newCoverage(judged []string) coverage {
	c := coverage{judged: make(map[string]bool, len(judged))}
	for _, id := range judged {
		c.judged[id] = false
	}
	return c
}

func (c *coverage) add(r *trec.Run) {
	for _, id := range r.Topics() {
		switch answered, judged := c.judged[id]; {
		case !judged:
			c.unjudged++
		case !answered:
			c.judged[strings.Clone(id)] = true // a later chunk may overwrite id
			c.answered++
		}
	}
}

// warn writes one line about topics that only the judgments or only the run contain. treatment is
// the clause about topics that the run lacks, and hint, if not empty, names a flag that changes it.
// The line ends with the clauses more.
func (c *coverage) warn(cmd *cobra.Command, path, treatment, hint string, more ...string) {
	var parts []string
	if missing := len(c.judged) - c.answered; missing > 0 {
		part := fmt.Sprintf("%d of %d topics with judgments have no results and %s", missing, len(c.judged), treatment)
		if hint != "" {
			part += " (" + hint + ")"
		}
		parts = append(parts, part)
	}
	if c.unjudged > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d topics with results have no judgments and are skipped", c.unjudged,
			c.unjudged+c.answered))
	}
	warnParts(cmd, path, append(parts, more...))
}

// readQrels reads judgments, or subtopic judgments if a metric needs them.
func readQrels(cmd *cobra.Command, path string, metrics []rank.Metric) (*trec.Qrels, error) {
	if slices.ContainsFunc(metrics, rank.Metric.NeedsSubtopics) {
		return readInput(cmd, path, trec.ReadSubtopics)
	}
	return readInput(cmd, path, trec.ReadQrels)
}

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

// measureRuns has measure go through runs by [trec.StreamRuns]. Their errors have the names of the
// files, and each piece has the name of its run, or else that of its file.
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

// openRuns is measureRuns without an end when the context is done.
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

// namedPieces has the pieces of a run, named, and errors with the name of the file.
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

// runName is what a run is called that has no name, as JSON has none: the name of its file.
func runName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(inputName(path)), ".gz"), ".json")
}

// leaveOut is the hint of eval about topics without results, which compare always counts.
const leaveOut = "use --complete=false to leave them out"

// evalRun measures the first run by judgments, unless qrels is nil, and compares it with the second
// run, if there is one. It returns the name of the run, too. It warns of topics that only the
// judgments or the run have, with a hint about those that the run lacks.
func evalRun(cmd *cobra.Command, e *rank.Evaluator, qrels *trec.Qrels, qrelsPath, hint string,
	paths ...string) (*rank.Results, string, error) {
	var topics coverage
	var name string
	results, err := measureRuns(cmd, paths, func(runs []iter.Seq2[*trec.Run, error]) (*rank.Results, error) {
		topics = newCoverage(qrels)
		var reference iter.Seq2[*trec.Run, error]
		if len(runs) > 1 {
			reference = runs[1]
		}
		run := func(yield func(*trec.Run, error) bool) {
			for r, err := range runs[0] {
				if err == nil {
					name = r.Name
					topics.add(r)
				}
				if !yield(r, err) {
					return
				}
			}
		}
		r, err := trec.EvalPieces(cmd.Context(), e, qrels, run, reference)
		return r, runError(err, qrelsPath, paths)
	})
	if err != nil {
		return nil, "", err // the abandoned read may still write the name
	}
	if qrels != nil {
		topics.warn(cmd, paths[0], qrels.Complete, hint)
	}
	return results, name, nil
}

// runError completes an error of measuring a run by the names of the files.
func runError(err error, qrels string, paths []string) error {
	run, reference := inputName(paths[0]), inputName(paths[len(paths)-1])
	switch {
	case errors.Is(err, trec.ErrUnjudged):
		return fmt.Errorf("%s: no topic of it has judgments in %s", run, inputName(qrels))
	case errors.Is(err, trec.ErrUnreferred) && qrels != "":
		return fmt.Errorf("%s: no topic of it is in %s and has judgments in %s", reference, run, inputName(qrels))
	case errors.Is(err, trec.ErrUnreferred):
		return fmt.Errorf("%s: no topic of it is in %s", reference, run)
	}
	return evalError(err, qrels, paths[0])
}

// A coverage counts the topics that both judgments and a run have, and those that only one of them
// has.
type coverage struct {
	judged   map[string]bool // of topics with judgments: the run has results for them
	answered int             // of these
	unjudged int             // topics of the run without judgments
}

// newCoverage returns the coverage of judgments, which may be nil, by no run.
func newCoverage(qrels *trec.Qrels) coverage {
	c := coverage{judged: make(map[string]bool)}
	if qrels != nil {
		for _, id := range qrels.Topics() {
			c.judged[id] = false
		}
	}
	return c
}

func (c *coverage) add(r *trec.Run) {
	for _, id := range r.Topics() {
		switch answered, judged := c.judged[id]; {
		case !judged:
			c.unjudged++
		case !answered:
			c.judged[strings.Clone(id)] = true // a later piece may overwrite id
			c.answered++
		}
	}
}

// warn writes one line about the topics that only the judgments or only the run have.
func (c *coverage) warn(cmd *cobra.Command, path string, complete bool, hint string) {
	var parts []string
	if missing := len(c.judged) - c.answered; missing > 0 {
		counts := "are left out"
		if complete {
			counts = "count as empty results"
		}
		part := fmt.Sprintf("%d of %d topics with judgments have no results and %s", missing, len(c.judged), counts)
		if complete && hint != "" {
			part += " (" + hint + ")"
		}
		parts = append(parts, part)
	}
	if c.unjudged > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d topics with results have no judgments and are left out", c.unjudged,
			c.unjudged+c.answered))
	}
	if len(parts) > 0 {
		warn(cmd, "%s: %s", inputName(path), strings.Join(parts, "; "))
	}
}

// readQrels reads judgments, of subtopics when a metric needs them.
func readQrels(cmd *cobra.Command, path string, metrics []rank.Metric) (*trec.Qrels, error) {
	if slices.ContainsFunc(metrics, rank.Metric.NeedsSubtopics) {
		return readInput(cmd, path, trec.ReadSubtopics)
	}
	return readInput(cmd, path, trec.ReadQrels)
}

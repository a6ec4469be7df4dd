package main

import (
	"bytes"
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

// A measured run has what was measured, and what the run calls itself.
type measured[T any] struct {
	results T
	run     string
}

// measureRun has measure go through a run, some topics at a time: it may be larger than the memory.
// Where the lines of a topic do not stand together, it begins again with the whole run. qrels is
// the file of the judgments, which errors of measure about a line are about.
func measureRun[T any](cmd *cobra.Command, path, qrels string,
	measure func(pieces iter.Seq2[*trec.Run, error]) (T, error)) (measured[T], error) {
	through := func(runs iter.Seq2[*trec.Run, error]) (m measured[T], err error) {
		m.results, err = measure(namedPieces(path, runs, &m.run))
		if errors.As(err, new(*rank.ParseError)) {
			err = readError(qrels, err)
		}
		return m, err
	}
	whole := func(r io.Reader) (measured[T], error) {
		return through(func(yield func(*trec.Run, error) bool) { yield(trec.ReadRun(r)) })
	}
	once := false // the input can be read only once
	m, err := readInput(cmd, path, func(r io.Reader) (measured[T], error) {
		once = path == "-" || files.Size(r) == 0
		if !once {
			return through(trec.RunPieces(r))
		}
		kept := &keeper{Reader: r}
		m, err := through(trec.RunPieces(kept))
		switch parse := (*rank.ParseError)(nil); {
		case !errors.Is(err, trec.ErrScattered):
			return m, err
		case !kept.lost:
			return whole(io.MultiReader(append(kept.read, r)...))
		case errors.As(err, &parse):
			parse.Err = fmt.Errorf("%w; sort a long pipe by topic, or name a file", parse.Err)
		}
		return m, err
	})
	if errors.Is(err, trec.ErrScattered) && !once {
		return readInput(cmd, path, whole)
	}
	return m, err
}

// leaveOut is the hint of eval about topics without results, which compare always counts.
const leaveOut = "use --complete=false to leave them out"

// evalRun measures a run by judgments, and warns of topics that only one of the two has, with a
// hint about those that the run lacks.
func evalRun(cmd *cobra.Command, e *rank.Evaluator, qrels *trec.Qrels, qrelsPath, path string, complete bool,
	hint string) (measured[*rank.Results], error) {
	var topics coverage
	m, err := measureRun(cmd, path, qrelsPath, func(pieces iter.Seq2[*trec.Run, error]) (*rank.Results, error) {
		topics = newCoverage(qrels)
		r, err := qrels.EvalPieces(cmd.Context(), e, topics.of(pieces), complete)
		if errors.Is(err, trec.ErrUnjudged) {
			err = fmt.Errorf("no topic of it has judgments in %s", inputName(qrelsPath))
		}
		return r, err
	})
	if err == nil {
		topics.warn(cmd, path, complete, hint)
	}
	return m, err
}

// A coverage counts the topics that both judgments and a run have, and those that only one of them
// has.
type coverage struct {
	judged   map[string]bool // of topics with judgments: the run has results for them
	answered int             // of these
	unjudged int             // topics of the run without judgments
}

func newCoverage(qrels *trec.Qrels) coverage {
	c := coverage{judged: make(map[string]bool)}
	for _, id := range qrels.Topics() {
		c.judged[id] = false
	}
	return c
}

// of yields the pieces of a run, whose topics it counts.
func (c *coverage) of(pieces iter.Seq2[*trec.Run, error]) iter.Seq2[*trec.Run, error] {
	return func(yield func(*trec.Run, error) bool) {
		for r, err := range pieces {
			if err == nil {
				c.add(r)
			}
			if !yield(r, err) {
				return
			}
		}
	}
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

// evalReferred measures a run by the run reference; and by judgments, unless qrels is nil.
func evalReferred(cmd *cobra.Command, e *rank.Evaluator, qrels *trec.Qrels, qrelsPath, path, reference string,
	complete bool) (m measured[*rank.Results], err error) {
	for _, metric := range e.Metrics() {
		if qrels == nil && !metric.NeedsReference() {
			return m, usagef("--metric %v needs --qrels: by --reference alone there are rbo, rbo-min and rbo-residual",
				metric)
		}
	}
	var topics coverage
	if qrels != nil {
		defer func() {
			if err == nil {
				topics.warn(cmd, path, complete, leaveOut)
			}
		}()
	}
	measure := func(run, other iter.Seq2[*trec.Run, error]) (*rank.Results, error) {
		if qrels != nil {
			topics = newCoverage(qrels)
			run = topics.of(run)
		}
		return trec.EvalReferred(cmd.Context(), e, qrels, run, other, complete)
	}
	if size, ok := sizes(path, reference); ok {
		reading := begin(cmd, "reading "+inputName(path)+" and "+inputName(reference), "bytes")
		defer reading.end()
		reading.expect(size)
		m, err = await(cmd.Context(), func() (m measured[*rank.Results], err error) {
			m.results, err = measure(loadPieces(path, reading, &m.run), loadPieces(reference, reading, new(string)))
			return m, err
		})
		reading.end()
		if !unordered(err) { // else the runs are read whole
			return m, referredError(err, qrelsPath, path, reference)
		}
	}
	run, err := readInput(cmd, path, trec.ReadRun)
	if err != nil {
		return m, err
	}
	other, err := readInput(cmd, reference, trec.ReadRun)
	if err != nil {
		return m, err
	}
	whole := func(r *trec.Run) iter.Seq2[*trec.Run, error] {
		return func(yield func(*trec.Run, error) bool) { yield(r, nil) }
	}
	m.run = cmp.Or(run.Name, runName(path))
	m.results, err = measure(whole(run), whole(other))
	return m, referredError(err, qrelsPath, path, reference)
}

// referredError completes an error of [trec.EvalReferred] by the names of the files.
func referredError(err error, qrels, run, reference string) error {
	switch {
	case errors.Is(err, trec.ErrUnjudged):
		return fmt.Errorf("%s: no topic of it has judgments in %s", inputName(run), inputName(qrels))
	case errors.Is(err, trec.ErrUnreferred) && qrels != "":
		return fmt.Errorf("%s: no topic of it is in %s and has judgments in %s", inputName(reference), inputName(run),
			inputName(qrels))
	case errors.Is(err, trec.ErrUnreferred):
		return fmt.Errorf("%s: no topic of it is in %s", inputName(reference), inputName(run))
	case errors.As(err, new(*rank.ParseError)):
		return readError(qrels, err) // but for those that have the name of their file
	}
	return err
}

// sizes returns how many bytes files have in all. It reports whether all paths are those of files,
// which can be read again.
func sizes(paths ...string) (total int64, ok bool) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" || err != nil || !info.Mode().IsRegular() {
			return 0, false
		}
		total += info.Size()
	}
	return total, true
}

// loadPieces is [trec.RunPieces] of a file that the phase expects, with what namedPieces adds.
func loadPieces(path string, reading *phase, name *string) iter.Seq2[*trec.Run, error] {
	return namedPieces(path, func(yield func(*trec.Run, error) bool) {
		_, err := files.Load(path, func(r io.Reader) (struct{}, error) {
			trec.RunPieces(reading.reader(r))(yield)
			return struct{}{}, nil
		})
		if err != nil {
			yield(nil, err)
		}
	}, name)
}

// namedPieces has the pieces of a run, and sets name to what it is called, as they are then. Their
// errors have the name of the file.
func namedPieces(path string, pieces iter.Seq2[*trec.Run, error], name *string) iter.Seq2[*trec.Run, error] {
	return func(yield func(*trec.Run, error) bool) {
		for r, err := range pieces {
			if err == nil {
				*name = cmp.Or(r.Name, runName(path))
				r.Name = *name
			}
			if !yield(r, readError(path, err)) {
				return
			}
		}
	}
}

// unordered reports whether an error says that runs cannot be read topic by topic.
func unordered(err error) bool {
	return errors.Is(err, trec.ErrScattered) || errors.Is(err, trec.ErrOrder)
}

// runName is what a run is called that has no name, as JSON has none: the name of its file.
func runName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(inputName(path)), ".gz"), ".json")
}

// A keeper keeps what is read, for it to be read again, while it is not too much.
type keeper struct {
	io.Reader
	read []io.Reader // what was, in parts
	size int
	lost bool
}

// mostKept is how much a keeper keeps.
var mostKept = 64 << 20 // tests keep less

func (k *keeper) Read(b []byte) (int, error) {
	n, err := k.Reader.Read(b)
	k.size += n
	if k.lost = k.lost || k.size > mostKept; k.lost {
		k.read = nil
	} else {
		k.read = append(k.read, bytes.NewReader(bytes.Clone(b[:n])))
	}
	return n, err
}

package treceval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// A format is one of the formats of judgment files.
type format uint8

const (
	ofQrels format = iota
	ofGroups
	ofPrefs
	ofQrelsPrefs
)

var formatNames = []string{ofQrels: "qrels", ofGroups: "qrels_jg", ofPrefs: "prefs", ofQrelsPrefs: "qrels_prefs"}

// highestRelevance is the maximum relevance. The limit exists because measures keep a count for
// each relevance from 0 to the highest one.
const highestRelevance = 1 << 20

var errTooRelevant = fmt.Errorf("the relevance must be at most %d", highestRelevance)

// Judgments contains the judgments of a file.
type Judgments struct {
	format format
	file   string // file name; "" if the judgments were not read from a named file
	qrels  *trec.Qrels
}

// Read reads judgments in one of these formats (trec_eval -R). Each line has fields that are
// separated by blanks:
//
//	qrels        topic, iteration, document, relevance
//	qrels_jg     topic, group, document, relevance: for measures that average over groups
//	prefs        topic, group, subgroup, document, level: higher levels are preferred
//	qrels_prefs  topic, group, document, level: like prefs with a single subgroup
//
// Read reads them like [trec.ReadQrels] and [trec.ReadGroups]. It detects gzip compression and, for
// the format qrels, JSON. Empty lines and lines that start with '#' are skipped. Errors about a
// line are of type *rank.ParseError.
func Read(r io.Reader, of string, o ...rank.ReadOptions) (*Judgments, error) {
	f, err := text.ParseEnum[format]("treceval", "format", formatNames, of)
	if err != nil {
		return nil, err
	}
	j := &Judgments{format: f}
	if f == ofQrels {
		j.qrels, err = trec.ReadQrels(r, o...)
	} else {
		j.qrels, err = trec.ReadGroups(r, of, o...)
	}
	if err != nil {
		return nil, err
	}
	return j, nil
}

// Topics returns the IDs of the topics that have judgments, in file order.
func (j *Judgments) Topics() []string { return j.qrels.Topics() }

// Load is like [Read] but reads a file.
func Load(path, of string, o ...rank.ReadOptions) (*Judgments, error) {
	j, err := files.Load(path, func(r io.Reader) (*Judgments, error) { return Read(r, of, o...) })
	if j != nil {
		j.file = path
	}
	return j, (&Judgments{file: path}).failed(err)
}

// failed adds the file name to an error if the error is about a line of the file.
func (j *Judgments) failed(err error) error {
	if parse := (*rank.ParseError)(nil); errors.As(err, &parse) {
		parse.File = j.file
	}
	return err
}

// A worker evaluates topics, one at a time.
type worker struct {
	ms       Measures // copy of the Measures with memory that only this worker uses
	answered bool
	rankings []ranking // rankings of the current topic: one for qrels, and one per group for qrels_jg
	prefs    preferences
	topics   []TopicResult // topics that the worker evaluated, in any order

	relevant   int // number of judgments with a positive relevance in these topics
	unanswered int // number of topics that the run does not answer

	failed int // first of the worker's topics that failed
	err    error
}

// unanswered is the ranking of a topic that the run does not answer: one unjudged document.
var unanswered = []float64{math.NaN()}

// topics evaluates the judged topics that the run answers. It distributes them among the workers.
// If measured is not nil, topics instead evaluates all judged topics that are not in measured. It
// returns the error of the first topic that fails.
func (j *Judgments) topics(ctx context.Context, workers []worker, run *trec.Run, measured map[string]bool) error {
	if j.format >= ofPrefs {
		workers = workers[:1] // use one worker, because preferences need much memory
	}
	for i := range workers {
		workers[i].failed, workers[i].err = math.MaxInt, nil
	}
	preset := "trec_eval"
	if workers[0].ms.version == 9 {
		preset = "trec_eval9"
	}
	qrels := *j.qrels
	qrels.SkipUnanswered = measured == nil
	err := qrels.Judge(ctx, run, preset, len(workers), func(worker, topic int, l *rank.List) {
		w := &workers[worker]
		if measured[l.ID] || w.failed < topic {
			return
		}
		err := w.judge(ctx, j, l)
		if err == nil {
			err = w.measure(l.ID)
		}
		if err != nil {
			w.failed, w.err = topic, err
		}
	})
	if err != nil {
		return err
	}
	return slices.MinFunc(workers, func(a, b worker) int { return cmp.Compare(a.failed, b.failed) }).err
}

// judge prepares the data that the measures of a topic share.
func (w *worker) judge(ctx context.Context, j *Judgments, l *rank.List) error {
	w.answered, w.rankings = len(l.Labels) > 0, w.rankings[:0]
	if j.format >= ofPrefs {
		return w.prefs.set(ctx, &w.ms, l, j.groups(l))
	}
	for _, labels := range [][]float64{l.Labels, l.Unretrieved} {
		for _, label := range labels {
			if label > highestRelevance {
				e := l.Place(0, label)
				e.Text, e.Err = strconv.FormatFloat(label, 'f', -1, 64), errTooRelevant
				return e
			}
		}
	}
	if j.format == ofQrels {
		w.rank(l.Labels, l.Unretrieved)
		return nil
	}
	for _, g := range j.groups(l) {
		var missed []float64
		labels := slices.Repeat(unanswered, len(l.Labels))
		for _, judged := range g.labels {
			if judged.Document < len(labels) {
				labels[judged.Document] = judged.Label
			} else {
				missed = append(missed, judged.Label)
			}
		}
		w.rank(labels, missed)
	}
	return nil
}

// rank adds a ranking to the rankings of the topic.
func (w *worker) rank(labels, missed []float64) {
	if len(labels) == 0 {
		labels = unanswered
	}
	n := len(w.rankings)
	w.rankings = slices.Grow(w.rankings, 1)[:n+1] // reuse the memory of the ranking of an earlier topic
	w.rankings[n].set(&w.ms, labels, missed)
}

// A group contains the judgments of a topic by one group or subgroup of judges.
type group struct {
	name   string
	labels []groupLabel
}

// A groupLabel is a judgment. index is its index in List.Subtopics.
type groupLabel struct {
	rank.SubtopicLabel
	index int
}

// groups returns the judgments of a topic, sorted by group name.
func (j *Judgments) groups(l *rank.List) []group {
	names := j.qrels.Subtopics(l.ID)
	groups := make([]group, len(names))
	for i, s := range l.Subtopics {
		g := &groups[s.Subtopic]
		g.name, g.labels = names[s.Subtopic], append(g.labels, groupLabel{s, i})
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.name, b.name) })
	return groups
}

// measure computes the values of the topic that judge prepared.
func (w *worker) measure(id string) error {
	ms := &w.ms
	for i := range w.rankings {
		w.relevant += w.rankings[i].positive
	}
	switch {
	case w.answered || ms.Complete && ms.version == 10:
		w.topics = append(w.topics, w.values(id))
	case !ms.Complete && ms.version == 10:
		return errs.Op("treceval", &rank.OptionError{Option: "Complete",
			Err: fmt.Errorf("the run contains no documents for the judged topic %s", id)})
	default:
		w.unanswered++
	}
	return nil
}

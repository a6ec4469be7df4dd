package treceval

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// A format is the form of a file of judgments, with the fields of a line.
type format uint8

const (
	ofQrels      format = iota // topic, iteration, document, relevance
	ofGroups                   // topic, group, document, relevance
	ofPrefs                    // topic, group, subgroup, document, level
	ofQrelsPrefs               // topic, group, document, level: ofPrefs with a single subgroup
)

var formatNames = []string{ofQrels: "qrels", ofGroups: "qrels_jg", ofPrefs: "prefs", ofQrelsPrefs: "qrels_prefs"}

// highestRelevance bounds the relevance of documents, for measures count each value up to it.
const highestRelevance = 1 << 20

var errTooRelevant = fmt.Errorf("the relevance is above %d", highestRelevance)

// Judgments are the judgments of a file.
type Judgments struct {
	format format
	file   string       // that they were read from; "" when it has no name
	qrels  *trec.Qrels  // of the format qrels
	lines  [][]judgment // of the others: by topic, group, subgroup, descending level
}

// A judgment is a line of a file.
type judgment struct {
	topic, group, subgroup, doc string
	level                       float64
	line                        int

	rank int // of preferences: see preferences
}

// Read reads judgments of a format (trec_eval -R), each line of which has fields between blanks:
//
//	qrels        topic, iteration, document, relevance
//	qrels_jg     topic, group, document, relevance: for measures that average over groups
//	prefs        topic, group, subgroup, document, level: those of higher level are preferred
//	qrels_prefs  topic, group, document, level: prefs with a single subgroup
//
// They are read as by [trec.ReadQrels]: text compressed with gzip and, of the format qrels, JSON
// are recognized, empty lines and those that start with '#' are skipped. Errors about a line are of
// type *rank.ParseError.
func Read(r io.Reader, of string) (*Judgments, error) {
	f, err := text.ParseEnum[format]("treceval: format", formatNames, of)
	if err != nil {
		return nil, err
	}
	if f == ofQrels {
		q, err := trec.ReadQrels(r)
		if err != nil {
			return nil, err
		}
		return &Judgments{qrels: q}, nil
	}
	r, err = files.Uncompressed(r)
	if err != nil {
		return nil, &rank.ParseError{Line: 1, Err: fmt.Errorf("cannot read on: %w", err)}
	}
	whole, err := io.ReadAll(r)
	if err != nil {
		return nil, &rank.ParseError{Line: 1 + bytes.Count(whole, []byte("\n")), Err: err}
	}
	if whole, err = text.Unmarked(whole); err != nil {
		return nil, &rank.ParseError{Line: 1, Err: err}
	}
	all, err := f.parse(whole)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &rank.ParseError{Line: 1, Err: errors.New("no judgments")}
	}
	slices.SortStableFunc(all, func(a, b judgment) int {
		return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.group, b.group),
			cmp.Compare(a.subgroup, b.subgroup), cmp.Compare(b.level, a.level))
	})
	j := &Judgments{format: f}
	for t := range chunks(all, func(a, b *judgment) bool { return a.topic == b.topic }) {
		if err := f.check(t); err != nil {
			return nil, err
		}
		j.lines = append(j.lines, t)
	}
	return j, nil
}

// Load reads a file as [Read] does.
func Load(path, of string) (*Judgments, error) {
	j, err := files.Load(path, func(r io.Reader) (*Judgments, error) { return Read(r, of) })
	if parse := (*rank.ParseError)(nil); errors.As(err, &parse) {
		parse.File = path
	}
	if j != nil {
		j.file = path
	}
	return j, err
}

// parse splits the lines of a format.
func (f format) parse(whole []byte) (all []judgment, err error) {
	fields := 4
	if f == ofPrefs {
		fields = 5
	}
	number := 0
	for line := range strings.Lines(string(whole)) {
		number++
		// Not what Unicode calls spaces, of which an identifier may begin with one.
		blank := func(c rune) bool { return c <= ' ' }
		words := strings.FieldsFunc(line, blank)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		fail := func(what, format string, args ...any) ([]judgment, error) {
			return nil, &rank.ParseError{Line: number, Text: text.Excerpt(what), Err: fmt.Errorf(format, args...)}
		}
		if len(words) != fields {
			return fail(strings.TrimFunc(line, blank), "%d fields where %d are wanted", len(words), fields)
		}
		j := judgment{topic: words[0], group: words[1], doc: words[fields-2], line: number}
		if f == ofPrefs {
			j.subgroup = words[2]
		}
		last := words[fields-1]
		if f == ofGroups {
			n, err := strconv.Atoi(last)
			if err != nil {
				return fail(last, "the relevance is not an integer")
			}
			if n > highestRelevance {
				return fail(last, "%w", errTooRelevant)
			}
			j.level = float64(n)
		} else if j.level, err = text.ParseNumber(last, 64); err != nil || math.IsNaN(j.level) {
			return fail(last, "the level is not a number")
		}
		all = append(all, j)
	}
	return all, nil
}

// check finds documents with two judgments where one is wanted.
func (f format) check(topic []judgment) error {
	type place struct{ group, subgroup, doc string }
	seen := map[place]*judgment{}
	for i := range topic {
		j := &topic[i]
		at := place{j.group, j.subgroup, j.doc}
		if other := seen[at]; other != nil && (f == ofGroups || other.level != j.level) {
			return &rank.ParseError{Line: max(j.line, other.line), Text: j.doc,
				Err: fmt.Errorf("topic %s, group %s: the document is judged twice, first in line %d", j.topic, j.group,
					min(j.line, other.line))}
		}
		seen[at] = j
	}
	return nil
}

// chunks cuts a slice into those whose neighbors are alike.
func chunks[T any](s []T, alike func(a, b *T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for lo := 0; lo < len(s); {
			hi := lo + 1
			for hi < len(s) && alike(&s[lo], &s[hi]) {
				hi++
			}
			if !yield(s[lo:hi]) {
				return
			}
			lo = hi
		}
	}
}

// A judgedTopic is a topic that has judgments.
type judgedTopic struct {
	id       string
	answered bool
	positive int       // judgments with a relevance above 0
	groups   []ranking // one by qrels, and one of each group by qrels_jg
	prefs    preferences
}

// A worker measures topics, one at a time.
type worker struct {
	e      Evaluator // whose memory is the worker's own
	t      judgedTopic
	topics []Topic // that were measured, in any order

	relevant   int // judgments of the topics with a relevance above 0
	unanswered int // topics that were not measured, for the run does not answer them

	failed   int // the first topic that could not be measured
	failedID string
	err      error // why
}

// fail keeps why a topic cannot be measured.
func (w *worker) fail(topic int, err error) {
	if topic < w.failed {
		w.failed, w.failedID, w.err = topic, w.t.id, err
	}
}

// measure measures the topic that the worker has.
func (w *worker) measure(topic int) {
	t, e := &w.t, &w.e
	w.relevant += t.positive
	switch {
	case t.answered || e.Complete && e.version == 10:
		w.topics = append(w.topics, Topic{ID: t.id, values: make([]float64, len(e.columns))})
		e.measure(t, &w.topics[len(w.topics)-1])
	case !e.Complete && e.version == 10:
		w.fail(topic, errs.Op("treceval", &rank.OptionError{Option: "Complete",
			Err: fmt.Errorf("the run does not answer topic %s, which has judgments", t.id)}))
	default:
		w.unanswered++
	}
}

// unanswered is what stands for the documents of a topic that the run does not answer.
var unanswered = []int{notPooled}

// count returns the number of topics that have judgments.
func (j *Judgments) count() int {
	if j.format == ofQrels {
		return len(j.qrels.Topics())
	}
	return len(j.lines)
}

// topics has the workers measure the topics with judgments that the run answers; with measured,
// which a run answered before, all others. Of the formats but qrels the first worker measures all,
// for preferences take much memory. The error is that of the first topic that has one.
func (j *Judgments) topics(ctx context.Context, workers []worker, run *trec.Run, measured map[string]bool) error {
	for i := range workers {
		workers[i].failed, workers[i].err = math.MaxInt, nil
	}
	var err error
	if j.format == ofQrels {
		single := workers[0].e.version == 9
		do := func(i, topic int, id string, ranked, missed []int) {
			if measured[id] {
				return
			}
			w := &workers[i]
			t := &w.t
			if t.id, t.answered, t.positive = id, len(ranked) > 0, 0; t.groups == nil {
				t.groups = make([]ranking, 1)
			}
			highest := 0
			for _, list := range [][]int{ranked, missed} {
				for _, r := range list {
					highest = max(highest, r)
					if r > 0 {
						t.positive++
					}
				}
			}
			if highest > highestRelevance {
				w.fail(topic, errTooRelevant)
				return
			}
			if !t.answered {
				ranked = unanswered
			}
			t.groups[0].set(&w.e, ranked, missed)
			w.measure(topic)
		}
		err = j.qrels.Judge(ctx, run, measured != nil, single, len(workers), do)
	} else {
		w := &workers[0]
		for i, lines := range j.lines {
			id := lines[0].topic
			if measured[id] {
				continue
			}
			docs := w.e.retrieved(run, id, j.format)
			if measured == nil && len(docs) == 0 {
				continue
			}
			t := &w.t
			*t = judgedTopic{id: id, answered: len(docs) > 0}
			if err = ctx.Err(); err != nil {
				break
			}
			if j.format == ofGroups {
				t.setGroups(&w.e, docs, lines)
			} else if err := t.prefs.set(&w.e, docs, lines); err != nil {
				w.fail(i, err)
				break
			}
			w.measure(i)
		}
	}
	if err != nil {
		return err
	}
	first := &workers[0]
	for i := range workers {
		if workers[i].failed < first.failed {
			first = &workers[i]
		}
	}
	if first.err == errTooRelevant {
		return j.tooRelevant(run, first.failedID)
	}
	return first.err
}

// failed returns an error of topics, with the name of the file when it is about a line of it.
func (j *Judgments) failed(err error) error {
	if parse := (*rank.ParseError)(nil); errors.As(err, &parse) {
		parse.File = j.file
	}
	return err
}

// tooRelevant returns an error about a judgment of the topic with a relevance above the highest.
func (j *Judgments) tooRelevant(run *trec.Run, topic string) error {
	for _, l := range j.qrels.Lists(run, true) {
		for _, label := range slices.Concat(l.Labels, l.Unretrieved) {
			if l.ID != topic || label <= highestRelevance {
				continue
			}
			e := l.Place(0, label)
			e.Text, e.Err = strconv.FormatFloat(label, 'f', -1, 64), errTooRelevant
			return e
		}
	}
	return errs.Errorf("treceval", "topic %s: %w", topic, errTooRelevant)
}

// setGroups ranks the documents of the run by the judgments of each group.
func (t *judgedTopic) setGroups(e *Evaluator, docs []string, lines []judgment) {
	for group := range chunks(lines, func(a, b *judgment) bool { return a.group == b.group }) {
		relevance := make(map[string]int, len(group))
		for _, j := range group {
			relevance[j.doc] = int(j.level)
			if j.level > 0 {
				t.positive++
			}
		}
		ranked := make([]int, len(docs))
		for i, doc := range docs {
			r, ok := relevance[doc]
			switch {
			case !ok:
				r = notPooled
			case r < 0:
				r = notJudged
			}
			ranked[i] = r
			delete(relevance, doc)
		}
		var missed []int
		for _, r := range relevance {
			missed = append(missed, r)
		}
		if !t.answered {
			ranked = unanswered
		}
		t.groups = append(t.groups, ranking{})
		t.groups[len(t.groups)-1].set(e, ranked, missed)
	}
}

// retrieved returns the documents of a topic in the order that judgments of a format want: by
// descending score, equal ones by descending identifier, or of preferences by ascending.
func (e *Evaluator) retrieved(run *trec.Run, topic string, f format) []string {
	sign := 1
	if f == ofGroups {
		sign = -1
	}
	type scored struct {
		doc   string
		score float64
	}
	var docs []scored
	for doc, score := range run.Ranking(topic) {
		if e.version == 9 {
			score = float64(float32(score))
		}
		docs = append(docs, scored{doc, score})
	}
	slices.SortFunc(docs, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), sign*cmp.Compare(a.doc, b.doc))
	})
	names := make([]string, len(docs))
	for i := range docs {
		names[i] = docs[i].doc
	}
	return names
}

package trec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// subtopics contains judgments of a topic's documents per subtopic, or per group of judges.
type subtopics struct {
	names  []string // in the order of their first occurrence in the file
	labels []subtopicLabel
}

// A subtopicLabel is a document's judgment for one subtopic.
type subtopicLabel struct {
	document, subtopic int32
	line               int
	label              float64
}

// These forms describe subtopic judgments and judgments by groups. Each subtopic or group of a
// topic is read as a separate topic, whose ID consists of several fields.
var (
	subtopicForm = &form{fields: 4, most: 4, names: 2, second: "subtopic", doc: 2, value: 3,
		quick: quickRelevance, parse: parseRelevance, json: noJSON("subtopic judgments must be lines of four fields"),
		twice: "is judged twice for the subtopic", empty: errNoJudgments}
	groupForms = map[string]*form{
		"qrels_jg": {fields: 4, most: 4, names: 2, second: "group", doc: 2, value: 3,
			quick: quickRelevance, parse: parseRelevance,
			json:  noJSON("judgments by groups must be lines of four fields"),
			twice: "is judged twice", empty: errNoJudgments},
		"prefs":       preferenceForm(5),
		"qrels_prefs": preferenceForm(4),
	}
)

func preferenceForm(fields int) *form {
	return &form{fields: fields, most: fields, names: fields - 2, second: "group", doc: fields - 2, value: fields - 1,
		quick: quickScore, parse: parseLevel, json: noJSON("preferences must be lines of text"),
		twice: "is judged twice", again: true, empty: errNoJudgments}
}

func noJSON(what string) func([]byte) (float64, error) {
	return func([]byte) (float64, error) { return 0, errors.New(what + ", not JSON") }
}

func parseLevel(field []byte) (float64, error) {
	v, err := text.ParseNumber(field, 64)
	if err != nil || v != v {
		return 0, errors.New("the level is not a number")
	}
	return v, nil
}

// ReadSubtopics reads subtopic judgments in the format of TREC's diversity tasks. Each line has the
// fields
//
//	topic subtopic document relevance
//
// A document has one line per subtopic for which it was judged. For metrics that do not use
// subtopics, its relevance is the highest relevance in these lines. [Qrels.Lists] fills
// List.Subtopics. Otherwise ReadSubtopics is like [ReadQrels], with two exceptions: JSON is not
// supported, and a document must not be judged twice for a subtopic.
func ReadSubtopics(r io.Reader, o ...rank.ReadOptions) (*Qrels, error) {
	return subtopicForm.readSubtopics(r, "", o)
}

// LoadSubtopics is like [ReadSubtopics] but reads a file.
func LoadSubtopics(path string, o ...rank.ReadOptions) (*Qrels, error) {
	return files.Load(path, func(r io.Reader) (*Qrels, error) { return subtopicForm.readSubtopics(r, path, o) })
}

// ReadGroups reads judgments by groups of people in one of these trec_eval formats (-R). Each line
// has the fields
//
//	qrels_jg     topic group document relevance
//	prefs        topic group subgroup document level
//	qrels_prefs  topic group document level
//
// The level is a number: each group prefers documents with higher levels. As with [ReadSubtopics],
// List.Subtopics of [Qrels.Lists] contains the judgments; [Qrels.Subtopics] returns the names of
// the groups. ReadGroups returns an error if a document has two levels in a subgroup. If a run is
// joined with preferences, ties are broken by ascending document ID, as in trec_eval.
func ReadGroups(r io.Reader, format string, o ...rank.ReadOptions) (*Qrels, error) {
	f := groupForms[format]
	if f == nil {
		return nil, errs.Errorf("trec", "unknown format of judgments: %q", format)
	}
	q, err := f.readSubtopics(r, "", o)
	if q != nil {
		q.ascending = f.again
	}
	return q, err
}

// Subtopics returns the names of a topic's subtopics, indexed by the numbers in List.Subtopics. For
// groups with subgroups, a name consists of both names, separated by a blank.
func (q *Qrels) Subtopics(topic string) []string {
	k, ok := q.byID[topic]
	if !ok || q.subtopics == nil {
		return nil
	}
	return slices.Clone(q.subtopics[k].names)
}

func (f *form) readSubtopics(r io.Reader, file string, o []rank.ReadOptions) (*Qrels, error) {
	q := &Qrels{file: file, table: newTable()}
	err := f.read(r, file, math.MaxInt, o, func(_ *form, t *table, _ string) error {
		if err := f.checkTwins(t.topics, file, make([]twinFinder, parallel.Threads(0))); err != nil {
			return err
		}
		var parts [][]*topic // parts of each topic, one per subtopic or group
		for i := range t.topics {
			id, _, _ := strings.Cut(t.topics[i].id, " ")
			k := q.topic([]byte(id))
			if k == len(parts) {
				parts = append(parts, nil)
			}
			parts[k] = append(parts[k], &t.topics[i])
		}
		q.indices, q.subtopics = make([]docIndex, len(parts)), make([]subtopics, len(parts))
		for k := range parts {
			if err := q.gather(k, parts[k]); err != nil {
				return &rank.ParseError{File: file, Line: parts[k][0].line(0), Err: err}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return q, nil
}

// gather combines the parts of topic k. Each part contains the documents of one subtopic or group.
func (q *Qrels) gather(k int, parts []*topic) error {
	t, index := &q.topics[k], &q.indices[k]
	docs, size := 0, 0
	for _, part := range parts {
		docs += part.docs()
		size += len(part.text)
	}
	if err := checkText(t.id, size); err != nil {
		return err
	}
	index.reset(t, 2*docs)
	index.filter.reset(docs)
	t.text = make([]byte, 0, size)
	labels := make([]subtopicLabel, 0, docs)
	names := make([]string, len(parts))
	for s, part := range parts {
		_, names[s], _ = strings.Cut(part.id, " ")
		before := uint32(len(t.text))
		t.text = append(t.text, part.text...)
		for i, d := range part.documents {
			at, known := index.slot(d.hash, part.text, int(d.at))
			switch {
			case known < 0:
				known = t.docs()
				t.documents = append(t.documents, document{d.value, d.at + before, d.hash})
				t.lines = append(t.lines, lineRun{known, part.line(i)})
				index.enter(at, d.hash, known)
				index.filter.add(d.hash)
			case d.value > t.documents[known].value:
				t.documents[known].value, t.lines[known].line = d.value, part.line(i)
			}
			labels = append(labels, subtopicLabel{int32(known), int32(s), part.line(i), d.value})
		}
	}
	// Use ndeval's order of documents with equal gains: descending ID.
	slices.SortFunc(labels, func(a, b subtopicLabel) int {
		if a.document == b.document {
			return cmp.Compare(a.subtopic, b.subtopic)
		}
		return bytes.Compare(t.doc(int(b.document)), t.doc(int(a.document)))
	})
	q.subtopics[k] = subtopics{names, labels}
	return nil
}

// placed converts judgments to judgments of a list's documents. places contains the position of
// each document in the list, counted from 1.
func (s *subtopics) placed(places []int32) []rank.SubtopicLabel {
	to := make([]rank.SubtopicLabel, len(s.labels))
	for i, l := range s.labels {
		to[i] = rank.SubtopicLabel{Document: int(places[l.document]) - 1, Subtopic: int(l.subtopic), Label: l.label}
	}
	return to
}

// lists returns a list without judgments for each topic of the run. Metrics that compare rankings
// use these lists; see setReference.
func (r *Run) lists() []rank.List {
	q := &Qrels{made: true, table: table{make([]topic, len(r.topics)), r.byID},
		indices: make([]docIndex, len(r.topics))}
	for i := range q.topics {
		q.topics[i].id = r.topics[i].id
		q.indices[i].build(&q.topics[i])
	}
	return q.Lists(r)
}

// answers reports whether the run retrieved documents for a topic.
func (r *Run) answers(topic string) bool { _, ok := r.byID[topic]; return ok }

// setReference sets the reference rankings of lists, which were made from run. The reference
// ranking of a topic is its ranking in the run reference, in the order of [Run.All], or empty if
// reference does not answer the topic. The metrics rbo, rbo-min and rbo-residual of package rank
// compare a list with its reference ranking.
func setReference(lists []rank.List, run, reference *Run) {
	type referrer struct {
		order, other runOrder
		index        docIndex
		ranks        []int32 // rank of each document in the reference
	}
	workers := make([]referrer, parallel.Threads(0))
	for i := range workers {
		workers[i].order.rounded = true // treat ties as Lists does
	}
	// The error is nil, because this context never ends.
	_ = parallel.For(context.Background(), len(workers), len(lists), func(worker, i int) {
		w, l := &workers[worker], &lists[i]
		l.Reference, l.ReferenceLen = make([]int32, len(l.Labels)), 0
		other, ok := reference.byID[l.ID]
		if !ok {
			return
		}
		ref := &reference.topics[other]
		l.ReferenceLen = ref.docs()
		at, ok := run.byID[l.ID]
		if !ok {
			return
		}
		t := &run.topics[at]
		w.index.build(ref) // ignore the result, because a topic contains no document twice
		w.ranks = append(w.ranks[:0], make([]int32, ref.docs())...)
		keys := w.other.of(ref)
		for place := range w.ranks {
			w.ranks[ranked(keys, place)] = int32(place + 1)
		}
		keys = w.order.of(t)
		for place := range l.Reference {
			d := &t.documents[ranked(keys, place)]
			if other := w.index.find(d.hash, t.text, int(d.at)); other >= 0 {
				l.Reference[place] = w.ranks[other]
			}
		}
	})
}

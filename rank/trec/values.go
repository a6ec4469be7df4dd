package trec

import (
	"bufio"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
)

// A Judgment is the relevance of a document for a topic, negative for a document without judgment.
type Judgment struct {
	Topic, Doc string
	Relevance  int
}

// A ScoredDoc is a document that a run retrieved for a topic.
type ScoredDoc struct {
	Topic, Doc string
	Score      float64
}

// NewQrels makes judgments of values, such as [slices.Values] of a slice, in any order. A document
// that is judged twice for a topic is an error, as are identifiers that a file could not have:
// those that are empty, those with a blank or a control character in them, and topics that begin
// with '#'.
func NewQrels(judgments iter.Seq[Judgment]) (*Qrels, error) {
	q := &Qrels{table: newTable(), made: true}
	for j := range judgments {
		if err := q.put(j.Topic, j.Doc, float64(j.Relevance)); err != nil {
			return nil, err
		}
	}
	if len(q.topics) == 0 {
		return nil, errs.Op("trec", errNoJudgments)
	}
	q.indices = make([]docIndex, len(q.topics))
	for i := range q.topics {
		t := &q.topics[i]
		if _, second := q.indices[i].build(t); second > 0 {
			return nil, errs.Errorf("trec", "topic %s: document %s is judged twice", t.id, t.doc(second))
		}
	}
	return q, nil
}

// NewRun makes a run of values, such as [slices.Values] of a slice, in any order. A document that
// a topic has twice and a score that is not finite are errors, as are identifiers that a file could
// not have: those that are empty, those with a blank or a control character in them, and topics
// that begin with '#'.
func NewRun(name string, docs iter.Seq[ScoredDoc]) (*Run, error) {
	r := &Run{Name: name, table: newTable()}
	for d := range docs {
		if math.IsNaN(d.Score) || math.IsInf(d.Score, 0) {
			return nil, errs.Errorf("trec", "topic %s: document %s: the score is %v", d.Topic, d.Doc, d.Score)
		}
		if err := r.put(d.Topic, d.Doc, d.Score); err != nil {
			return nil, err
		}
	}
	if len(r.topics) == 0 {
		return nil, errs.Op("trec", errNoRetrieved)
	}
	var finder twinFinder
	for i := range r.topics {
		t := &r.topics[i]
		if _, second := finder.find(t); second > 0 {
			return nil, errs.Errorf("trec", "topic %s: document %s is retrieved twice", t.id, t.doc(second))
		}
	}
	return r, nil
}

// put adds a document of values.
func (all *table) put(topic, doc string, value float64) error {
	if what := topicFault(topic); what != "" {
		return errs.Errorf("trec", "the topic %q %s", topic, what)
	}
	if what := text.FieldFault(doc); what != "" {
		return errs.Errorf("trec", "topic %s: the document %q %s", topic, doc, what)
	}
	t := &all.topics[all.topic([]byte(topic))]
	at := max(len(t.text)-text.Slack, 0)
	if err := checkText(topic, at+len(doc)+1); err != nil {
		return errs.Op("trec", err)
	}
	t.text = append(append(t.text[:at], doc...), blanks...)
	hash, _ := copyField(t.text[at:], t.text, at)
	n := t.docs()
	t.sorted = t.sorted && (n == 0 || descends(t.documents[n-1].value, value))
	t.documents = append(t.documents, document{value, uint32(at), hash})
	return nil
}

// topicFault returns what is wrong with a word that is to be the first field of a line, "" for
// nothing.
func topicFault[T string | []byte](word T) string {
	if len(word) > 0 && word[0] == '#' {
		return "begins with #, as comments do"
	}
	return text.FieldFault(word)
}

// All returns the judgments in the order of the file, topic by topic.
func (q *Qrels) All() iter.Seq[Judgment] {
	return func(yield func(Judgment) bool) {
		for i := range q.topics {
			t := &q.topics[i]
			for d := range t.documents {
				if !yield(Judgment{t.id, string(t.doc(d)), integer(t.documents[d].value)}) {
					return
				}
			}
		}
	}
}

// All returns the documents of the run, topic by topic as in [Run.Topics]. Those of a topic are in
// trec_eval's order, the best first: by descending score, and equal ones by descending identifier.
func (r *Run) All() iter.Seq[ScoredDoc] {
	return func(yield func(ScoredDoc) bool) {
		var o runOrder
		for i := range r.topics {
			t := &r.topics[i]
			keys := o.of(t)
			for rank := range t.documents {
				d := ranked(keys, rank)
				if !yield(ScoredDoc{t.id, string(t.doc(d)), t.documents[d].value}) {
					return
				}
			}
		}
	}
}

// Write writes the judgments as TREC has them, with 0 for the iteration, in the order of All.
func (q *Qrels) Write(w io.Writer) error {
	out := bufio.NewWriterSize(w, writeSize)
	var line []byte
	for j := range q.All() {
		line = append(append(line[:0], j.Topic...), " 0 "...)
		line = append(append(line, j.Doc...), ' ')
		line = append(strconv.AppendInt(line, int64(j.Relevance), 10), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

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

// A Judgment is the relevance of a document for a topic. A negative relevance marks an unjudged
// document.
type Judgment struct {
	Topic, Doc string
	Relevance  int
}

// A ScoredDoc is a document that a run retrieved for a topic.
type ScoredDoc struct {
	Topic, Doc string
	Score      float64
}

// NewQrels makes judgments from values in any order, for example from [slices.Values] of a slice.
// It returns an error if a document is judged twice for a topic, or if an ID would not be valid in
// a file. IDs must not be empty and must not contain blanks or control characters. Topic IDs must
// not begin with '#'.
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

// NewRun makes a run from values in any order, for example from [slices.Values] of a slice. It
// returns an error if a document is retrieved twice for a topic, if a score is not finite, or if an
// ID would not be valid in a file. IDs must not be empty and must not contain blanks or control
// characters. Topic IDs must not begin with '#'.
func NewRun(name string, docs iter.Seq[ScoredDoc]) (*Run, error) {
	r := &Run{Name: name, table: newTable()}
	for d := range docs {
		if math.IsNaN(d.Score) || math.IsInf(d.Score, 0) {
			return nil, errs.Errorf("trec", "topic %s: document %s: the score is %v; it must be finite", d.Topic, d.Doc,
				d.Score)
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

// put adds a document with a value that the caller specified.
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

// topicFault returns the reason why a word cannot be the first field of a line. It returns "" if
// the word is valid.
func topicFault[T string | []byte](word T) string {
	if len(word) > 0 && word[0] == '#' {
		return "begins with #, as comments do"
	}
	return text.FieldFault(word)
}

// All returns the judgments, topic by topic in file order.
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

// All returns the documents of the run, topic by topic in the order of [Run.Topics]. The documents
// of a topic are in trec_eval's order: by descending score, with ties by descending ID.
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

// Write writes the judgments in TREC format, in the order of All, with 0 as the iteration.
func (q *Qrels) Write(w io.Writer) error { return q.write(w, ' ') }

// write writes the judgments. separator separates the fields of a line.
func (q *Qrels) write(w io.Writer, separator byte) error {
	out := bufio.NewWriterSize(w, writeSize)
	var line []byte
	for j := range q.All() {
		line = append(append(line[:0], j.Topic...), separator, '0', separator)
		line = append(append(line, j.Doc...), separator)
		line = append(strconv.AppendInt(line, int64(j.Relevance), 10), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

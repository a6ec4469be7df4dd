package trec

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A Pool contains the documents that several runs retrieved for a topic, each of them once.
type Pool struct {
	// Ranked contains the documents of each run, the best first in trec_eval's order. It is empty
	// for a run that does not contain the topic.
	Ranked [][]PooledDoc

	topic string
	docs  int      // number of documents
	from  []*topic // topic of each run; nil if a run does not contain the topic
}

// A PooledDoc is a retrieved document of one run.
type PooledDoc struct {
	Doc   int32 // index in the pool, counted from 0; the same for all runs
	index int32 // index of the document in the run's topic
	Score float64
}

// Fail returns an error about the document at an index of Ranked[run]. The error contains the
// document's line in the file of the run.
func (p *Pool) Fail(run, index int, err error) *rank.ParseError {
	t, i := p.from[run], int(p.Ranked[run][index].index)
	return &rank.ParseError{Line: t.line(i), Text: string(t.doc(i)), Err: fmt.Errorf("topic %s: %w", p.topic, err)}
}

// Merge merges several runs into one. The result contains the topics of all runs, in the order of
// their first occurrence.
//
// For each topic, Merge calls score, which must set scores[i] to the score of document i of the
// pool. The scores are initially 0. Several goroutines call score concurrently for different
// topics; their number is threads or, if that is 0 or negative, GOMAXPROCS. Each goroutine reuses
// its pool and scores for the next topic, so score must not keep p or scores.
//
// The documents of a topic are sorted by descending score; ties are broken by descending ID, as in
// trec_eval. If depth is positive, it is the maximum number of documents per topic. Merge returns
// an error if a score is not finite or if score returns an error. If several topics fail, it
// returns the error of the first such topic.
//
// progress, which may be nil, receives the number of topics; see the comment of package rank.
func Merge(ctx context.Context, runs []*Run, name string, depth, threads int,
	score func(p *Pool, scores []float64) error, progress func(done, total int64)) (*Run, error) {
	merged := &Run{Name: name, table: newTable()}
	for _, r := range runs {
		for i := range r.topics {
			merged.topic([]byte(r.topics[i].id))
		}
	}
	mergers := make([]merger, min(parallel.Threads(threads), max(len(merged.topics), 1)))
	failed := make([]error, len(merged.topics))
	done := parallel.NewProgress(progress, int64(len(merged.topics)))
	err := parallel.For(ctx, len(mergers), len(merged.topics), func(worker, i int) {
		m, t := &mergers[worker], &merged.topics[i]
		if failed[i] = m.collect(runs, t.id); failed[i] == nil {
			failed[i] = m.score(score)
		}
		if failed[i] == nil {
			m.rank(t, depth)
		}
		done.Add(1)
	})
	if err != nil {
		return nil, err
	}
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return merged, nil
}

// A merger merges the rankings of several runs, one topic at a time.
type merger struct {
	pool   Pool
	all    topic    // documents of the pool
	index  docIndex // index of the documents
	scores []float64
	order  runOrder
}

// collect sets the pool to the documents that the runs retrieved for a topic.
func (m *merger) collect(runs []*Run, id string) error {
	p := &m.pool
	p.topic, p.from = id, p.from[:0]
	total, size := 0, text.Slack
	for _, r := range runs {
		var t *topic
		if k, ok := r.byID[id]; ok {
			t = &r.topics[k]
			total += t.docs()
			size += len(t.text)
		}
		p.from = append(p.from, t)
	}
	if err := checkText(id, size); err != nil {
		return errs.Op("trec", err)
	}
	m.index.reset(&m.all, total+total/4)
	if p.Ranked == nil {
		p.Ranked = make([][]PooledDoc, len(runs))
	}
	// Reserve memory for the IDs of all runs, as if no document occurred twice.
	m.all.text, m.all.documents = slices.Grow(m.all.text[:0], size), slices.Grow(m.all.documents[:0], total)
	for run, t := range p.from {
		list := p.Ranked[run][:0]
		if t != nil {
			keys := m.order.of(t)
			for rank := range t.documents {
				i := ranked(keys, rank)
				d := &t.documents[i]
				list = append(list, PooledDoc{m.add(d, t.text), int32(i), d.value})
			}
		}
		p.Ranked[run] = list
	}
	p.docs = m.all.docs()
	return nil
}

// add returns the index of a document in the pool. If the pool does not contain the document, add
// appends it.
func (m *merger) add(d *document, b []byte) int32 {
	slot, i := m.index.slot(d.hash, b, int(d.at))
	if i >= 0 {
		return int32(i)
	}
	n := m.all.docs()
	m.index.enter(slot, d.hash, n)
	m.all.documents = append(m.all.documents, document{0, uint32(len(m.all.text)), d.hash})
	at := len(m.all.text)
	_, end := copyField(m.all.text[at:cap(m.all.text)], b, int(d.at))
	m.all.text = m.all.text[:at+end-int(d.at)+1] // include the blank that follows the ID
	return int32(n)
}

// score calls the given function to compute the scores of the pool, and stores them as values.
func (m *merger) score(score func(*Pool, []float64) error) error {
	n := m.pool.docs
	m.scores = append(m.scores[:0], make([]float64, n)...)
	if err := score(&m.pool, m.scores); err != nil {
		return err
	}
	for i, s := range m.scores {
		if s-s != 0 {
			return errs.Errorf("trec", "topic %s: document %s: the merged score is %v; it must be finite", m.pool.topic, m.all.doc(i), s)
		}
		m.all.documents[i].value = s
	}
	return nil
}

// rank sets t to the best documents of the pool.
func (m *merger) rank(t *topic, depth int) {
	n := m.pool.docs
	whole := depth <= 0 || depth >= n
	if whole {
		t.text = slices.Clone(m.all.text[:len(m.all.text)+text.Slack])
	} else {
		n = depth
	}
	t.documents, t.sorted = make([]document, n), true
	keys := m.order.of(&m.all)
	for rank := range t.documents {
		i := ranked(keys, rank)
		d := m.all.documents[i]
		if !whole { // copy only the IDs of these documents
			d.at = uint32(len(t.text))
			t.text = append(append(t.text, m.all.doc(i)...), '\n')
		}
		t.documents[rank] = d
		if rank > 0 && !descends(t.documents[rank-1].value, d.value) {
			t.sorted = false
		}
	}
	if !whole {
		t.text = append(t.text, blanks[:text.Slack]...)
	}
}

// writeSize is the size of output buffers in bytes.
const writeSize = 64 << 10

// Write writes the run in TREC format. Ranks are counted from 1, and scores have enough digits to
// be read back bit-identically. Topics are in the order of [Run.Topics], and documents in the order
// of [Run.All]. Write returns an error if Name is empty or contains blanks.
func (r *Run) Write(w io.Writer) error {
	if err := text.CheckField(r.Name); err != nil {
		return errs.Op("trec", err)
	}
	out := bufio.NewWriterSize(w, writeSize)
	var o runOrder
	var line []byte
	for i := range r.topics {
		t := &r.topics[i]
		keys := o.of(t)
		for rank := range t.documents {
			i := ranked(keys, rank)
			line = append(append(line[:0], t.id...), " Q0 "...)
			line = append(append(line, t.doc(i)...), ' ')
			line = append(strconv.AppendInt(line, int64(rank+1), 10), ' ')
			line = append(strconv.AppendFloat(line, t.documents[i].value, 'g', -1, 64), ' ')
			line = append(append(line, r.Name...), '\n')
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

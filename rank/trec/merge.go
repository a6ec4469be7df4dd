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

// A Pool holds the documents that several runs retrieved for a topic, each once.
type Pool struct {
	Ranked [][]PooledDoc // per run, the best first in trec_eval's order; empty where the run lacks the topic

	topic string
	docs  int      // number of documents
	from  []*topic // of the runs; nil where the run lacks the topic
}

// A PooledDoc is a document that a run retrieved.
type PooledDoc struct {
	Doc   int32 // its index in the pool, from 0; the same for all runs
	index int32 // in the run's topic
	Score float64
}

// Fail returns an error about the document that run has at an index of Ranked, with its line in the
// file that the run was read from.
func (p *Pool) Fail(run, index int, err error) *rank.ParseError {
	t, i := p.from[run], int(p.Ranked[run][index].index)
	return &rank.ParseError{Line: t.line(i), Text: string(t.doc(i)), Err: fmt.Errorf("topic %s: %w", p.topic, err)}
}

// Merge makes one run of several. For each topic of any of them, in the order in which the runs
// first have them, score fills the scores of the pooled documents, by their indices. It is called
// by several goroutines at once for different topics, on as many as threads says (0 or less:
// GOMAXPROCS), with scores that are 0 and a pool that is overwritten by the next one.
//
// The documents of a topic stand by descending score, and equal ones by descending identifier, as
// in trec_eval; a positive depth keeps that many of the best. A score that is not finite is an
// error, as is any that score returns; the topic that comes first decides which.
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

// A merger merges topics, one at a time.
type merger struct {
	pool   Pool
	all    topic    // the documents of the pool
	index  docIndex // of them
	scores []float64
	order  runOrder
}

// collect fills the pool of a topic.
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
	// There is room for all identifiers, as if no document came twice.
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

// add returns the index in the pool of a document of a text, which it adds if it is new.
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
	m.all.text = m.all.text[:at+end-int(d.at)+1] // with the blank behind it
	return int32(n)
}

// score scores the pool.
func (m *merger) score(score func(*Pool, []float64) error) error {
	n := m.pool.docs
	m.scores = append(m.scores[:0], make([]float64, n)...)
	if err := score(&m.pool, m.scores); err != nil {
		return err
	}
	for i, s := range m.scores {
		if s-s != 0 {
			return errs.Errorf("trec", "topic %s: document %s: the merged score is %v", m.pool.topic, m.all.doc(i), s)
		}
		m.all.documents[i].value = s
	}
	return nil
}

// rank fills a topic with the best documents of the pool.
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
		if !whole { // the text of the others is left out
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

// writeSize is how much text is written at once.
const writeSize = 64 << 10

// Write writes the run as TREC has it, with ranks from 1 and with as many digits of a score as it
// takes to read the same bits back. Topics stand as in [Run.Topics], their documents as in
// [Run.All]. A Name that is empty or has blanks in it is an error.
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

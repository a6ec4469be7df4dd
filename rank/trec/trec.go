// Package trec reads judgments and runs as TREC writes them, and joins them to the lists that an
// evaluator measures.
package trec

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// Qrels are relevance judgments as TREC writes them: a line for each judged document with the four
// fields
//
//	topic iteration document relevance
//
// between blanks. The relevance is an integer; a negative one marks a document without judgment.
//
// Judgments and runs are also read from, and written as, JSON in the form of ranx, in which topics
// have objects of documents with their relevance or score, such as
//
//	{"301": {"doc1": 1, "doc2": 0}, "302": {"doc7": 2}}
type Qrels struct {
	// Complete counts topics that a run does not answer as empty results (trec_eval -c), which by
	// most metrics are worth 0. Such topics are skipped by default.
	Complete bool

	file string // that they were read from; "" when it has no name
	made bool   // of values, which stand in no line
	table
	indices   []docIndex  // of the topics
	subtopics []subtopics // of the topics; nil unless the file is of subtopics or groups
	ascending bool        // a run's documents of equal scores stand by ascending identifier
}

// A Run is a system's answer to topics as TREC writes it: a line for each retrieved document with
// the six fields
//
//	topic Q0 document rank score run
//
// between blanks. As in trec_eval the scores alone make the order: rank and Q0 are ignored, and so
// is what follows the sixth field.
type Run struct {
	Name string // the run field of the last line
	table
}

// A table holds the topics of a file, in the order in which they begin.
type table struct {
	topics []topic
	byID   map[string]int
}

// A topic holds a topic's documents.
type topic struct {
	id        string
	text      []byte // identifiers of the documents, each with a blank behind it, and text.Slack bytes
	documents []document
	lines     []lineRun // none when they were not read
	sorted    bool      // by descending value, no two the same, even as float32
}

// A document is a line of a file.
type document struct {
	value float64 // the score of a run, or the relevance of judgments
	at    uint32  // of its identifier in the text of the topic
	hash  uint32  // of the identifier
}

// A lineRun says that the documents from first on, up to that of the next run, stand in the lines
// from line on.
type lineRun struct{ first, line int }

// docs returns the number of documents.
func (t *topic) docs() int { return len(t.documents) }

// doc returns the identifier of document i.
func (t *topic) doc(i int) []byte {
	at := int(t.documents[i].at)
	return t.text[at:fieldEnd(t.text, at)]
}

// line returns the line of document i in the file; 0 when it was not read.
func (t *topic) line(i int) int {
	next := sort.Search(len(t.lines), func(k int) bool { return t.lines[k].first > i })
	if next == 0 {
		return 0
	}
	run := t.lines[next-1]
	return run.line + i - run.first
}

// Topics returns the identifiers of the topics that have judgments, in the order of the file.
func (q *Qrels) Topics() []string { return q.ids() }

// Topics returns the identifiers of the topics that the run answers, in the order of the file.
func (r *Run) Topics() []string { return r.ids() }

func (t *table) ids() []string {
	ids := make([]string, len(t.topics))
	for i := range t.topics {
		ids[i] = t.topics[i].id
	}
	return ids
}

// Evaluate measures a run by the metrics of these names, between commas as [rank.NewEvaluator]
// reads them, over the topics of [Qrels.Lists]. Its comment says which presets give the figures of
// trec_eval. It returns [ErrUnjudged] if the run answers no topic with judgments.
func Evaluate(ctx context.Context, q *Qrels, r *Run, names string, o rank.Options) (*rank.Results, error) {
	e, err := rank.NewEvaluator(names, o)
	if err != nil {
		return nil, err
	}
	lists := q.Lists(r)
	if !slices.ContainsFunc(lists, func(l rank.List) bool { return len(l.Labels) > 0 }) {
		return nil, ErrUnjudged
	}
	return e.EvalAll(ctx, lists)
}

// Lists joins a run with judgments: a list for each topic that both have, in trec_eval's order, by
// ascending identifier, byte by byte, on which the last bits of means depend. Evaluate them with
// the preset trec_eval of [rank.Options] for the figures of trec_eval 10, or with trec_eval9 for
// those of trec_eval 9. Any other preset needs NegativeUnjudged, too.
//
// The documents of a list are sorted by descending score rounded to float32, and equal ones by
// descending identifier; the tie keys repeat that order, so that they serve both presets. A
// document without judgment has the label −1 (which needs NegativeUnjudged, part of both presets),
// and judged documents that the run lacks are in Unretrieved. If the judgments are Complete, a
// topic that the run does not answer has a list without retrieved documents.
func (q *Qrels) Lists(r *Run) []rank.List {
	return newLister(parallel.Threads(0), true).lists(q, r, q.joined(r, q.Complete))
}

// A lister makes lists, in memory that the next ones overwrite.
type lister struct {
	values []float64 // of all lists
	keys   []int64   // tie keys, which descend, for the longest list
	orders []runOrder
	places [][]int32 // of judged documents in the list, from 1, for a worker
}

// newLister returns a lister for so many workers, to whom scores that are equal as float32 are
// equal if they are rounded.
func newLister(workers int, rounded bool) *lister {
	m := &lister{orders: make([]runOrder, workers), places: make([][]int32, workers)}
	for i := range m.orders {
		m.orders[i].rounded = rounded
	}
	return m
}

// lists makes a list for each of the topics, which have judgments.
func (m *lister) lists(q *Qrels, r *Run, ids []string) []rank.List {
	if len(ids) == 0 {
		return nil
	}
	size, at := 0, make([]int, len(ids)) // values of all lists, and where those of a list begin
	for i, id := range ids {
		judged, retrieved := q.sizes(r, id)
		at[i] = size
		size += judged + 2*retrieved
		for len(m.keys) < retrieved {
			m.keys = append(m.keys, int64(-len(m.keys)))
		}
	}
	if size > len(m.values) {
		m.values = memory.Make[float64](size + size/4) // the next lists may have more
	}
	lists := make([]rank.List, len(ids))
	// This context is never done.
	_ = parallel.For(context.Background(), len(m.orders), len(ids), func(worker, i int) {
		l := &lists[i]
		m.list(l, worker, q, r, ids[i], -1, m.values[at[i]:])
		l.TieKeys = m.keys[:len(l.Labels):len(l.Labels)]
	})
	return lists
}

// sizes returns the numbers of documents that were judged for a topic and that the run retrieved.
func (q *Qrels) sizes(r *Run, id string) (judged, retrieved int) {
	if k, ok := r.byID[id]; ok {
		retrieved = r.topics[k].docs()
	}
	return q.topics[q.byID[id]].docs(), retrieved
}

// joined returns the topics that both have, or with complete all with judgments, ascending.
func (q *Qrels) joined(r *Run, complete bool) []string {
	if complete {
		return slices.Sorted(maps.Keys(q.byID))
	}
	var ids []string
	for i := range r.topics {
		if _, ok := q.byID[r.topics[i].id]; ok {
			ids = append(ids, r.topics[i].id)
		}
	}
	slices.Sort(ids)
	return ids
}

// list makes the list of a topic with judgments and of the run's answer, if there is one, in the
// first of the values. Documents that the judgments do not name get a label of their own.
func (m *lister) list(l *rank.List, worker int, q *Qrels, r *Run, id string, unnamed float64, values []float64) {
	k := q.byID[id]
	x := &q.indices[k]
	t := x.topic
	judged := t.documents
	*l = rank.List{ID: t.id}
	places := append(m.places[worker][:0], make([]int32, len(judged))...)
	m.places[worker] = places
	n := 0
	if at, ok := r.byID[id]; ok {
		answer := &r.topics[at]
		n = answer.docs()
		l.Labels, l.Scores, values = values[:n:n], values[n:2*n:2*n], values[2*n:]
		m.orders[worker].ascending = q.ascending
		sorted := m.orders[worker].of(answer)
		for rank := range n {
			doc := &answer.documents[ranked(sorted, rank)]
			l.Scores[rank] = doc.value
			l.Labels[rank] = unnamed
			if d := x.find(doc.hash, answer.text, int(doc.at)); d >= 0 {
				l.Labels[rank] = judged[d].value
				places[d] = int32(rank + 1)
			}
		}
	}
	missed := values[:0:len(judged)]
	for d, place := range places {
		if place == 0 {
			missed = append(missed, judged[d].value)
			places[d] = int32(n + len(missed))
		}
	}
	if len(missed) > 0 {
		l.Unretrieved = missed
	}
	var groups *subtopics
	if q.subtopics != nil {
		groups = &q.subtopics[k]
		l.Subtopics = groups.placed(places)
	}
	if q.made {
		return
	}
	l.Place = func(at int, label float64) *rank.ParseError {
		if i := at - n - len(missed); i >= 0 && groups != nil {
			j := groups.labels[i]
			return &rank.ParseError{File: q.file, Line: j.line, Text: string(t.doc(int(j.document)))}
		}
		// One line of several with the same label.
		d := slices.IndexFunc(judged, func(d document) bool { return d.value == label })
		if d < 0 {
			return nil
		}
		return &rank.ParseError{File: q.file, Line: t.line(d)}
	}
}

// A runOrder sorts topics' documents.
type runOrder struct {
	rounded    bool // scores that are equal as float32 count as equal
	ascending  bool // equal scores stand by ascending identifier
	scores     []float32
	keys, swap []int64
}

// of returns the keys of the documents by descending score, and equal ones by identifier; nil when
// they stand in that order.
func (o *runOrder) of(t *topic) []int64 {
	if t.sorted {
		return nil
	}
	n := t.docs()
	if n > len(o.keys) {
		o.scores, o.keys, o.swap = make([]float32, n), make([]int64, n), make([]int64, n)
	}
	scores, keys := o.scores[:n], o.keys[:n]
	for i := range t.documents {
		scores[i] = float32(t.documents[i].value)
	}
	order.RankKeysF32(keys, scores)
	order.SortKeys(keys, o.swap[:n])
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && order.KeyTied(keys[lo], keys[hi]) {
			hi++
		}
		if hi > lo+1 {
			slices.SortFunc(keys[lo:hi], func(ka, kb int64) int {
				a, b := order.KeyIndex(ka), order.KeyIndex(kb)
				if c := cmp.Compare(t.documents[b].value, t.documents[a].value); c != 0 && !o.rounded {
					return c
				}
				if o.ascending {
					a, b = b, a
				}
				return bytes.Compare(t.doc(b), t.doc(a))
			})
		}
		lo = hi
	}
	return keys
}

// ranked returns the index of the document at a rank, from 0, by the keys that a runOrder returns.
func ranked(keys []int64, rank int) int {
	if keys == nil {
		return rank
	}
	return order.KeyIndex(keys[rank])
}

// ReadQrels reads judgments. Text compressed with gzip and JSON are recognized, empty lines and
// those that start with '#' are skipped. A line with other than four fields, a relevance that is
// not an integer and a document judged twice for a topic are errors, of type *rank.ParseError. So
// are, in JSON, a topic that is there twice and identifiers that a line could not have. Topics
// without documents are left out.
func ReadQrels(r io.Reader, o ...rank.ReadOptions) (*Qrels, error) { return readQrels(r, "", o) }

// LoadQrels reads a file as [ReadQrels] does.
func LoadQrels(path string, o ...rank.ReadOptions) (*Qrels, error) {
	return files.Load(path, func(r io.Reader) (*Qrels, error) { return readQrels(r, path, o) })
}

// ReadRun reads a run, on as many threads as GOMAXPROCS says. Text compressed with gzip and JSON
// are recognized, empty lines and those that start with '#' are skipped. A line with fewer than six
// fields, a score that is not a number and a document that a topic has twice are errors, of type
// *rank.ParseError. So are, in JSON, a score that is not finite, a topic that is there twice and
// identifiers that a line could not have. JSON has no Name, and topics without documents are left
// out.
func ReadRun(r io.Reader, o ...rank.ReadOptions) (*Run, error) { return readRun(r, "", o) }

// LoadRun reads a file as [ReadRun] does.
func LoadRun(path string, o ...rank.ReadOptions) (*Run, error) {
	return files.Load(path, func(r io.Reader) (*Run, error) { return readRun(r, path, o) })
}

// A docIndex finds documents of one topic: an open-addressing hash table whose slots hold the hash
// of a document and its index plus 1, half the cost of a map.
type docIndex struct {
	topic  *topic
	slots  []uint64
	mask   uint64
	filter filter // of the hashes, without which find finds nothing
}

// build enters the documents of a topic, and returns the first two indices of the same one, or 0
// and 0.
func (x *docIndex) build(t *topic) (first, second int) {
	x.reset(t, 2*t.docs())
	x.filter.reset(t.docs())
	for i := range t.documents {
		x.filter.add(t.documents[i].hash)
		if same := x.put(i); same >= 0 {
			return same, i
		}
	}
	return 0, 0
}

// put enters a document, or returns the index of the same one that was there, otherwise −1.
func (x *docIndex) put(i int) int {
	d := &x.topic.documents[i]
	at, same := x.slot(d.hash, x.topic.text, int(d.at))
	if same < 0 {
		x.enter(at, d.hash, i)
	}
	return same
}

// reset empties the table, which becomes that of a topic and gets so many slots or more.
func (x *docIndex) reset(t *topic, slots int) {
	x.topic = t
	size := 8
	for size < slots {
		size *= 2
	}
	if size > cap(x.slots) {
		x.slots = make([]uint64, size)
	}
	x.slots = x.slots[:size]
	clear(x.slots)
	x.mask = uint64(size - 1)
}

// enter fills a free slot.
func (x *docIndex) enter(at uint64, hash uint32, index int) {
	x.slots[at] = uint64(hash)<<32 | uint64(index+1)
}

// slot returns the slot of the document whose identifier is the field of b at i, and its index; −1
// when the slot is free.
func (x *docIndex) slot(hash uint32, b []byte, i int) (at uint64, index int) {
	for at = uint64(hash) & x.mask; ; at = (at + 1) & x.mask {
		v := x.slots[at]
		if uint32(v) == 0 {
			return at, -1
		}
		if uint32(v>>32) != hash {
			continue
		}
		index := int(uint32(v)) - 1
		if sameField(b, i, x.topic.text, int(x.topic.documents[index].at)) {
			return at, index
		}
	}
}

// find returns the index of a document that the table and the filter hold, or −1; see slot.
func (x *docIndex) find(hash uint32, b []byte, i int) int {
	if !x.filter.has(hash) {
		return -1
	}
	_, d := x.slot(hash, b, i)
	return d
}

// A filter knows of most hashes that they are not among those added. It has a bit for each
// remainder of a hash: 16 to 32 times as many as hashes.
type filter struct {
	bits []uint64
	mask uint32
}

// reset empties the filter, which gets room for n hashes.
func (f *filter) reset(n int) {
	size := 1 << bits.Len(uint(n)/4) // words
	if size > cap(f.bits) {
		f.bits = make([]uint64, size)
	}
	f.bits = f.bits[:size]
	clear(f.bits)
	f.mask = uint32(min(64*uint64(size)-1, math.MaxUint32))
}

func (f *filter) has(hash uint32) bool { return f.bits[hash&f.mask/64]>>(hash%64)&1 != 0 }

func (f *filter) add(hash uint32) { f.bits[hash&f.mask/64] |= 1 << (hash % 64) }

// A twinFinder finds documents that a topic has twice.
type twinFinder struct {
	seen, seenAgain filter
	index           docIndex
	again           bool // a document may come twice with the same value
}

// find returns the first two indices of the same document, or 0 and 0. Only documents whose hashes
// have the same bit of a filter are compared.
func (f *twinFinder) find(t *topic) (first, second int) {
	f.seen.reset(t.docs())
	f.seenAgain.reset(t.docs())
	suspects := 0
	for i := range t.documents {
		if h := t.documents[i].hash; f.seen.has(h) {
			f.seenAgain.add(h)
			suspects++
		} else {
			f.seen.add(h)
		}
	}
	if suspects == 0 {
		return 0, 0
	}
	f.index.reset(t, 4*suspects) // each with one that was seen before
	for i := range t.documents {
		if !f.seenAgain.has(t.documents[i].hash) {
			continue
		}
		same := f.index.put(i)
		if same >= 0 && !(f.again && t.documents[same].value == t.documents[i].value) {
			return same, i
		}
	}
	return 0, 0
}

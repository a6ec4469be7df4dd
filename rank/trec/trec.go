// Package trec reads TREC judgments and runs, and joins them for evaluation.
//
// Start with [LoadQrels], [LoadRun] and [Evaluate]. [StreamRuns] and [EvalPieces] evaluate runs
// that are larger than RAM. [ReadSubtopics] reads judgments for diversity metrics. To evaluate
// exactly as trec_eval does, use package treceval.
//
// Errors about a file are of type [*rank.ParseError]. Evaluation returns [ErrUnjudged] if the run
// and the judgments have no topic in common, and [ErrUnreferred] if no topic can be compared with a
// reference run.
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

// Qrels contains relevance judgments. In a file, each line is the judgment of one document, with
// the four fields
//
//	topic iteration document relevance
//
// which are separated by blanks or tabs. The relevance is an integer, such as 1 or 1.0; a negative
// one marks an unjudged document. MS MARCO qrels have these fields. BEIR and MTEB qrels
// consist of a header and lines with three fields:
//
//	query-id corpus-id score
//	topic document relevance
//
// The header is not required.
//
// Judgments and runs can also be read from and written as JSON in the format of ranx. The outer
// object maps each topic to an object that maps documents to their relevance or score, for example
//
//	{"301": {"doc1": 1, "doc2": 0}, "302": {"doc7": 2}}
type Qrels struct {
	// SkipUnanswered skips topics that a run does not answer. By default they count as empty
	// results (trec_eval -c), which have the value 0 for most metrics.
	SkipUnanswered bool

	file string // file name; "" if the judgments were not read from a named file
	made bool   // whether the judgments were given as values, which have no lines
	table
	indices   []docIndex  // one index per topic
	subtopics []subtopics // one element per topic; nil unless the file contains subtopics or groups
	ascending bool        // whether ties in a run are broken by ascending document ID
}

// A Run contains a system's results for topics. In a file, each line is one retrieved document,
// with the six fields
//
//	topic Q0 document rank score run
//
// which are separated by blanks or tabs. As in trec_eval, only the scores determine the order:
// rank, Q0 and everything after the sixth field are ignored. An MS MARCO run has the three fields
//
//	topic document rank
//
// and no Name. A document at rank r, counted from 1, gets the score 1/r.
type Run struct {
	Name string // run field of the last line
	table
}

// A table contains the topics of a file, in the order of their first lines.
type table struct {
	topics []topic
	byID   map[string]int
}

// A topic contains the ID of a topic and the documents that a file lists for it.
type topic struct {
	id        string
	text      []byte // document IDs, each followed by a blank, and text.Slack bytes
	documents []document
	lines     []lineRun // lines of the documents; empty if they were not read from a file
	sorted    bool      // whether the values are descending and distinct, even as float32
}

// A document is one line of a file.
type document struct {
	value float64 // score in a run, or relevance in judgments
	at    uint32  // start of the document ID in the topic's text
	hash  uint32  // hash of the document ID
}

// A lineRun maps consecutive documents to consecutive lines of the file. Document first is on the
// given line. The run ends at the first document of the next run.
type lineRun struct{ first, line int }

// docs returns the number of the topic's documents.
func (t *topic) docs() int { return len(t.documents) }

// doc returns the ID of document i.
func (t *topic) doc(i int) []byte {
	at := int(t.documents[i].at)
	return t.text[at:fieldEnd(t.text, at)]
}

// line returns the line of document i in the file, or 0 if the document was not read from a file.
func (t *topic) line(i int) int {
	next := sort.Search(len(t.lines), func(k int) bool { return t.lines[k].first > i })
	if next == 0 {
		return 0
	}
	run := t.lines[next-1]
	return run.line + i - run.first
}

// Topics returns the IDs of the topics that have judgments, in file order.
func (q *Qrels) Topics() []string { return q.ids() }

// Topics returns the IDs of the topics that the run answers, in file order.
func (r *Run) Topics() []string { return r.ids() }

func (t *table) ids() []string {
	ids := make([]string, len(t.topics))
	for i := range t.topics {
		ids[i] = t.topics[i].id
	}
	return ids
}

// Evaluate evaluates a run on the topics of [Qrels.Lists]; see there for the presets that reproduce
// trec_eval's results. The names are metric names, separated by commas, as in [rank.NewEvaluator].
// Evaluate returns [ErrUnjudged] if the run answers no topic with judgments.
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

// Lists joins a run with judgments. It returns one list for each topic with judgments. A topic that
// the run does not answer has a list without retrieved documents, or no list if SkipUnanswered is
// set. Topics of the run without judgments are skipped, as in trec_eval. Topics are sorted by
// ascending ID, byte by byte, as in trec_eval, because the last bits of means depend on the order.
// Evaluate the lists with the preset trec_eval of [rank.Options] for the results of trec_eval 10,
// or with trec_eval9 for trec_eval 9. With any other preset, set NegativeUnjudged too.
//
// The documents of a list are sorted by descending score, rounded to float32; ties are broken by
// descending ID. The tie keys reproduce that order, so the lists work with both presets. An
// unjudged document has the label −1, which requires NegativeUnjudged; both presets set it.
// Unretrieved contains judged documents that the run does not retrieve.
func (q *Qrels) Lists(r *Run) []rank.List {
	return newLister(parallel.Threads(0), true).lists(q, r, q.joined(r, !q.SkipUnanswered))
}

// A lister makes lists. Each call of lists overwrites the memory of the previous lists.
type lister struct {
	values []float64 // labels and scores of all lists
	keys   []int64   // descending tie keys, enough for the longest list
	orders []runOrder
	places [][]int32 // ranks of the judged documents in the list, counted from 1, one slice per worker
}

// newLister returns a lister for the given number of workers. If rounded is true, scores that are
// equal as float32 are ties.
func newLister(workers int, rounded bool) *lister {
	m := &lister{orders: make([]runOrder, workers), places: make([][]int32, workers)}
	for i := range m.orders {
		m.orders[i].rounded = rounded
	}
	return m
}

// lists returns a list for each of the topics. All topics must have judgments.
func (m *lister) lists(q *Qrels, r *Run, ids []string) []rank.List {
	if len(ids) == 0 {
		return nil
	}
	size, at := 0, make([]int, len(ids)) // total number of values, and start of each list's values
	for i, id := range ids {
		judged, retrieved := q.sizes(r, id)
		at[i] = size
		size += judged + 2*retrieved
		for len(m.keys) < retrieved {
			m.keys = append(m.keys, int64(-len(m.keys)))
		}
	}
	if size > len(m.values) {
		m.values = memory.Make[float64](size + size/4) // allocate more, because the next lists may be larger
	}
	lists := make([]rank.List, len(ids))
	// The error is nil, because this context never ends.
	_ = parallel.For(context.Background(), len(m.orders), len(ids), func(worker, i int) {
		l := &lists[i]
		m.list(l, worker, q, r, ids[i], -1, m.values[at[i]:])
		l.TieKeys = m.keys[:len(l.Labels):len(l.Labels)]
	})
	return lists
}

// sizes returns the number of judged documents and the number of retrieved documents of a topic.
func (q *Qrels) sizes(r *Run, id string) (judged, retrieved int) {
	if k, ok := r.byID[id]; ok {
		retrieved = r.topics[k].docs()
	}
	return q.topics[q.byID[id]].docs(), retrieved
}

// joined returns topics in ascending order: all topics with judgments if complete is true, and
// otherwise the topics that are both in the judgments and in the run.
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

// list sets l to the list of a judged topic. The list is empty if the run does not answer the
// topic. Documents without a judgment get the label unnamed. list stores labels and scores at the
// start of values.
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
		// Report the first of the lines with this label.
		d := slices.IndexFunc(judged, func(d document) bool { return d.value == label })
		if d < 0 {
			return nil
		}
		return &rank.ParseError{File: q.file, Line: t.line(d)}
	}
}

// A runOrder sorts the documents of topics for the TREC order.
type runOrder struct {
	rounded    bool // whether scores that are equal as float32 are ties
	ascending  bool // whether ties are broken by ascending document ID instead of descending ID
	scores     []float32
	keys, swap []int64
}

// of returns sort keys of the documents, by descending score and then by ID. It returns nil if the
// documents are already in this order.
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

// ranked returns the index of the document at a rank, counted from 0. keys is the result of
// runOrder.of.
func ranked(keys []int64, rank int) int {
	if keys == nil {
		return rank
	}
	return order.KeyIndex(keys[rank])
}

// ReadQrels reads judgments. It detects gzip compression and JSON. Empty lines and lines that start
// with '#' are skipped. Topics without documents are dropped. ReadQrels returns a *rank.ParseError
// in these cases:
//
//   - A line does not contain four fields. Three are required if the first line contains three.
//   - A relevance is not an integer.
//   - A document is judged twice for a topic.
//   - Lines of three fields without a header may be a run: the relevances differ within each topic,
//     and some topic has more than three documents.
//   - In JSON, a topic is repeated, or an ID would not be valid in a line.
func ReadQrels(r io.Reader, o ...rank.ReadOptions) (*Qrels, error) { return readQrels(r, "", o, nil) }

// LoadQrels is like [ReadQrels] but reads a file.
func LoadQrels(path string, o ...rank.ReadOptions) (*Qrels, error) {
	return files.Load(path, func(r io.Reader) (*Qrels, error) { return readQrels(r, path, o, nil) })
}

// ReadRun reads a run, with GOMAXPROCS threads. It detects gzip compression and JSON. Empty lines
// and lines that start with '#' are skipped. ReadRun returns a *rank.ParseError in these cases:
//
//   - A line contains fewer than six fields. Three are accepted if the first line contains three.
//   - A score is not a number, or not finite in JSON.
//   - In a run with three fields, a rank is not an integer from 1 to 8,388,608, or two documents of
//     a topic share a rank.
//   - A document is retrieved twice for a topic.
//   - In JSON, a topic is repeated, or an ID would not be valid in a line.
//
// A run from JSON or with three fields has no Name. In JSON, topics without documents are dropped.
func ReadRun(r io.Reader, o ...rank.ReadOptions) (*Run, error) { return readRun(r, "", o, nil) }

// LoadRun is like [ReadRun] but reads a file.
func LoadRun(path string, o ...rank.ReadOptions) (*Run, error) {
	return files.Load(path, func(r io.Reader) (*Run, error) { return readRun(r, path, o, nil) })
}

// A docIndex finds documents of one topic by ID. It is an open-addressing hash table, which costs
// half as much as a map. A slot contains the hash of a document and the document's index plus 1.
type docIndex struct {
	topic  *topic
	slots  []uint64
	mask   uint64
	filter filter // filter of the hashes; set by build, and required by find
}

// build fills the index with the documents of a topic. If two documents are equal, it returns the
// first such pair of indices, and otherwise 0 and 0.
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

// put inserts document i and returns −1. If the table already contains the same document, put
// returns the index of that document instead.
func (x *docIndex) put(i int) int {
	d := &x.topic.documents[i]
	at, same := x.slot(d.hash, x.topic.text, int(d.at))
	if same < 0 {
		x.enter(at, d.hash, i)
	}
	return same
}

// reset empties the table for a new topic. The table then has at least the given number of slots.
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

// enter inserts a document into a free slot.
func (x *docIndex) enter(at uint64, hash uint32, index int) {
	x.slots[at] = uint64(hash)<<32 | uint64(index+1)
}

// slot returns the slot and the index of the document whose ID starts at b[i]. If the table does
// not contain the document, it returns a free slot and −1.
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

// find returns the index of the document whose ID starts at b[i], or −1 if the table does not
// contain it. The filter must contain all hashes of the table.
func (x *docIndex) find(hash uint32, b []byte, i int) int {
	if !x.filter.has(hash) {
		return -1
	}
	_, d := x.slot(hash, b, i)
	return d
}

// A filter recognizes most hashes that were not added to it. It is a bit set that is indexed by the
// low bits of a hash. The number of bits is 16 to 32 times the number of hashes.
type filter struct {
	bits []uint64
	mask uint32
}

// reset empties the filter and makes room for n hashes.
func (f *filter) reset(n int) {
	size := 1 << bits.Len(uint(n)/4) // number of words
	if size > cap(f.bits) {
		f.bits = make([]uint64, size)
	}
	f.bits = f.bits[:size]
	clear(f.bits)
	f.mask = uint32(min(64*uint64(size)-1, math.MaxUint32))
}

func (f *filter) has(hash uint32) bool { return f.bits[hash&f.mask/64]>>(hash%64)&1 != 0 }

func (f *filter) add(hash uint32) { f.bits[hash&f.mask/64] |= 1 << (hash % 64) }

// A twinFinder finds documents that occur twice in a topic.
type twinFinder struct {
	seen, seenAgain filter
	index           docIndex
	again           bool // whether a document may occur twice if the values are equal
}

// find returns the first pair of indices of the same document, or 0 and 0 if there is none. If
// f.again is set, pairs with equal values do not count. It compares documents only if their hashes
// have the same bit in a filter.
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
	f.index.reset(t, 4*suspects) // each suspect has the same bit as an earlier document
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

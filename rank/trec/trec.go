// Package trec reads judgments and runs as TREC writes them, and joins them to the lists that an
// evaluator measures.
package trec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/hugepages"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/internal/topk"
	"github.com/simdrank/simdrank/rank"
)

// Qrels are relevance judgments as TREC writes them: a line for each judged document with the four
// fields
//
//	topic iteration document relevance
//
// between blanks. The relevance is an integer; a negative one marks a document without judgment.
type Qrels struct {
	file   string // that they were read from; "" when it has no name
	topics []qrelsTopic
	byID   map[string]int
}

type qrelsTopic struct {
	topic
	labels []float64
	index  docIndex
}

// A Run is a system's answer to topics as TREC writes it: a line for each retrieved document with
// the six fields
//
//	topic Q0 document rank score run
//
// between blanks. As in trec_eval the scores alone make the order: rank and Q0 are ignored, and so
// is what follows the sixth field. A Run keeps the text that it was read from.
type Run struct {
	Name   string // the run field of the last line
	topics []runTopic
	byID   map[string]int
}

type runTopic struct {
	topic
	sorted bool // by descending score, no two the same, even as float32
}

// A topic holds a topic's documents.
type topic struct {
	id        string
	text      []byte // of the file
	documents []document
}

// A document is a line of a file.
type document struct {
	hash  uint64
	at    int     // of its identifier in the text
	score float64 // of a run
}

// add adds a document.
func (t *topic) add(id span, score float64) {
	hash := maphash.Bytes(seed, id.of(t.text))
	t.documents = append(t.documents, document{hash, id.lo, score})
}

// docs returns the number of documents.
func (t *topic) docs() int { return len(t.documents) }

// doc returns the identifier of document i.
func (t *topic) doc(i int) []byte {
	at := t.documents[i].at
	return t.text[at:fieldEnd(t.text, at)]
}

// line returns the line of document i in the file.
func (t *topic) line(i int) int {
	return 1 + bytes.Count(t.text[:t.documents[i].at], []byte("\n"))
}

// seed makes the hashes of documents comparable between files.
var seed = maphash.MakeSeed()

// Topics returns the identifiers of the topics that have judgments, in the order of the file.
func (q *Qrels) Topics() []string {
	return topicIDs(q.topics, func(t *qrelsTopic) string { return t.id })
}

// Topics returns the identifiers of the topics that the run answers, in the order of the file.
func (r *Run) Topics() []string { return topicIDs(r.topics, func(t *runTopic) string { return t.id }) }

func topicIDs[T any](topics []T, id func(*T) string) []string {
	ids := make([]string, len(topics))
	for i := range topics {
		ids[i] = id(&topics[i])
	}
	return ids
}

// Ranking returns the documents that the run retrieved for a topic, the best first, in trec_eval's
// order: by descending score, and equal ones by descending identifier. It is nil for a topic that
// the run does not answer.
func (r *Run) Ranking(topic string) []string {
	i, ok := r.byID[topic]
	if !ok {
		return nil
	}
	t := &r.topics[i]
	keys := new(runOrder).of(t)
	docs := make([]string, t.docs())
	for rank := range docs {
		docs[rank] = string(t.doc(ranked(keys, rank)))
	}
	return docs
}

// Judgment returns the relevance of a document for a topic, and whether the file has it.
func (q *Qrels) Judgment(topic, doc string) (relevance float64, ok bool) {
	i, ok := q.byID[topic]
	if !ok {
		return 0, false
	}
	t := &q.topics[i]
	if d := t.index.find(maphash.String(seed, doc), func(d int) bool { return string(t.doc(d)) == doc }); d >= 0 {
		return t.labels[d], true
	}
	return 0, false
}

// Lists joins a run with judgments: a list for each topic that both have, in trec_eval's order, by
// ascending identifier, byte by byte, on which the last bits of means depend. Evaluate them with
// the preset [rank.TrecEval] for the figures of trec_eval 10, or with [rank.TrecEval9] for those of
// trec_eval 9. With any other preset, [rank.NegativeUnjudged] goes behind it.
//
// The documents of a list stand by descending score rounded to float32, and equal ones by
// descending identifier; the tie keys repeat that order, so that they serve both presets. A
// document without judgment has the label −1 (which wants [rank.NegativeUnjudged], part of both
// presets), and judged documents that the run lacks are in Unretrieved. With complete, a topic that
// the run does not answer has a list without retrieved documents (trec_eval -c), which by most
// metrics is worth 0.
func (q *Qrels) Lists(r *Run, complete bool) []rank.List {
	most := 0
	for i := range r.topics {
		most = max(most, r.topics[i].docs())
	}
	keys := make([]int64, most)
	for i := range keys {
		keys[i] = int64(-i)
	}
	ids := slices.Sorted(maps.Keys(q.byID))
	if !complete {
		ids = slices.DeleteFunc(ids, func(id string) bool { return !r.Answers(id) })
	}
	if len(ids) == 0 {
		return nil
	}
	lists := make([]rank.List, len(ids))
	threads := parallel.Threads(0)
	orders := make([]runOrder, threads)
	for i := range orders {
		orders[i].rounded = true
	}
	// This context is never done.
	_ = parallel.For(context.Background(), threads, len(ids), func(worker, i int) {
		t := &q.topics[q.byID[ids[i]]]
		if j, ok := r.byID[t.id]; ok {
			lists[i] = t.join(&r.topics[j], &orders[worker], keys)
		} else {
			lists[i] = rank.List{ID: t.id, TieKeys: []int64{}, Unretrieved: t.labels}
		}
		lists[i].Place = func(_ int, label float64) *rank.ParseError {
			d := slices.Index(t.labels, label) // one line of several with the same label
			if d < 0 {
				return nil
			}
			return &rank.ParseError{File: q.file, Line: t.line(d)}
		}
	})
	return lists
}

// join is Lists for one topic; keys descend.
func (t *qrelsTopic) join(r *runTopic, o *runOrder, keys []int64) rank.List {
	n := r.docs()
	values := make([]float64, 2*n)
	l := rank.List{ID: t.id, Labels: values[:n:n], Scores: values[n:], TieKeys: keys[:n:n]}
	sorted := o.of(r)
	retrieved := make([]bool, t.docs())
	for rank := range n {
		i := ranked(sorted, rank)
		l.Scores[rank] = r.documents[i].score
		l.Labels[rank] = -1
		if d := t.find(r, i); d >= 0 {
			l.Labels[rank] = t.labels[d]
			retrieved[d] = true
		}
	}
	for d, seen := range retrieved {
		if !seen {
			l.Unretrieved = append(l.Unretrieved, t.labels[d])
		}
	}
	return l
}

// find returns the index of document i of a run's topic among the judged ones, or −1.
func (t *qrelsTopic) find(r *runTopic, i int) int {
	return t.index.find(r.documents[i].hash, func(d int) bool { return bytes.Equal(t.doc(d), r.doc(i)) })
}

// A runOrder sorts topics' documents.
type runOrder struct {
	rounded    bool // scores that are equal as float32 count as equal
	scores     []float32
	keys, swap []int64
}

// of returns the keys of the documents by descending score, and equal ones by descending
// identifier; nil when they stand in that order.
func (o *runOrder) of(t *runTopic) []int64 {
	if t.sorted {
		return nil
	}
	n := t.docs()
	if n > len(o.keys) {
		o.scores, o.keys, o.swap = make([]float32, n), make([]int64, n), make([]int64, n)
	}
	scores, keys := o.scores[:n], o.keys[:n]
	for i := range t.documents {
		scores[i] = float32(t.documents[i].score)
	}
	topk.RankKeysF32(keys, scores)
	order.SortKeys(keys, o.swap[:n])
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && order.KeyTied(keys[lo], keys[hi]) {
			hi++
		}
		if hi > lo+1 {
			slices.SortFunc(keys[lo:hi], func(ka, kb int64) int {
				a, b := order.KeyIndex(ka), order.KeyIndex(kb)
				if c := cmp.Compare(t.documents[b].score, t.documents[a].score); c != 0 && !o.rounded {
					return c
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

// ReadQrels reads judgments. Text compressed with gzip is recognized, empty lines and those that
// start with '#' are skipped. A line with other than four fields, a relevance that is not an
// integer and a document judged twice for a topic are errors, of type *rank.ParseError.
func ReadQrels(r io.Reader) (*Qrels, error) { return readQrels(r, "") }

// LoadQrels reads a file as [ReadQrels] does.
func LoadQrels(path string) (*Qrels, error) {
	return files.Load(path, func(r io.Reader) (*Qrels, error) { return readQrels(r, path) })
}

// ReadRun reads a run, on as many threads as GOMAXPROCS says. Text compressed with gzip is
// recognized, empty lines and those that start with '#' are skipped. A line with fewer than six
// fields, a score that is not a number and a document that a topic has twice are errors, of type
// *rank.ParseError.
func ReadRun(r io.Reader) (*Run, error) { return readRun(r, "") }

// LoadRun reads a file as [ReadRun] does.
func LoadRun(path string) (*Run, error) {
	return files.Load(path, func(r io.Reader) (*Run, error) { return readRun(r, path) })
}

func readQrels(r io.Reader, file string) (*Qrels, error) {
	q := &Qrels{file: file, byID: map[string]int{}}
	s, err := scan(r, file, 4, 4)
	if err != nil {
		return nil, err
	}
	var cur *qrelsTopic
	for s.next() {
		if id := s.at[0].of(s.text); cur == nil || string(id) != cur.id {
			i, ok := q.byID[string(id)]
			if !ok {
				i = len(q.topics)
				q.topics = append(q.topics, qrelsTopic{topic: topic{id: string(id), text: s.text}})
				q.byID[q.topics[i].id] = i
			}
			cur = &q.topics[i]
		}
		rel, err := strconv.Atoi(string(s.at[3].of(s.text)))
		if err != nil {
			return nil, s.fail(s.at[3], errors.New("the relevance is not an integer"))
		}
		cur.labels = append(cur.labels, float64(rel))
		cur.add(s.at[2], 0)
	}
	if s.err != nil {
		return nil, s.err
	}
	if len(q.topics) == 0 {
		return nil, &rank.ParseError{File: file, Line: 1, Err: errNoJudgments}
	}
	for i := range q.topics {
		t := &q.topics[i]
		if a, b := t.index.build(&t.topic); b > 0 {
			return nil, t.twice(file, "is judged twice", a, b)
		}
	}
	return q, nil
}

var (
	errNoJudgments = errors.New("no judgments")
	errNoRetrieved = errors.New("no documents in the run")
)

func (t *topic) twice(file, what string, a, b int) error {
	return &rank.ParseError{File: file, Line: t.line(b), Text: string(t.doc(b)),
		Err: fmt.Errorf("topic %s: the document %s, first in line %d", t.id, what, t.line(a))}
}

func readRun(r io.Reader, file string) (*Run, error) {
	s, err := scan(r, file, 6, math.MaxInt)
	if err != nil {
		return nil, err
	}
	threads := parallel.Threads(0)
	pieces := s.split(threads)
	runs, errs := make([]Run, len(pieces)), make([]error, len(pieces))
	share := func(tasks int, do func(worker, task int)) {
		// This context is never done.
		_ = parallel.For(context.Background(), threads, tasks, do)
	}
	share(len(pieces), func(_, i int) { errs[i] = runs[i].read(&pieces[i]) })
	run := &runs[0]
	for i := range runs {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if i > 0 {
			run.add(&runs[i])
		}
	}
	if len(run.topics) == 0 {
		return nil, &rank.ParseError{File: file, Line: 1, Err: errNoRetrieved}
	}
	const batch = 16
	batches := (len(run.topics) + batch - 1) / batch
	indices := make([]docIndex, min(batches, threads)) // of the workers
	twice := make([]error, batches)                    // the first of each batch
	share(batches, func(worker, b int) {
		for i := b * batch; i < min((b+1)*batch, len(run.topics)) && twice[b] == nil; i++ {
			t := &run.topics[i]
			if first, second := indices[worker].build(&t.topic); second > 0 {
				twice[b] = t.twice(file, "is retrieved twice", first, second)
			}
		}
	})
	for _, err := range twice {
		if err != nil {
			return nil, err
		}
	}
	return run, nil
}

// read reads the lines of a scanner.
func (run *Run) read(s *scanner) error {
	run.byID = map[string]int{}
	var cur *runTopic
	for s.next() {
		if id := s.at[0].of(s.text); cur == nil || string(id) != cur.id {
			i, ok := run.byID[string(id)]
			if !ok {
				n := 0 // documents: topics tend to be alike
				if i = len(run.topics); i > 0 {
					n = run.topics[i-1].docs()
				}
				run.topics = append(run.topics, runTopic{topic{string(id), s.text, make([]document, 0, n)}, true})
				run.byID[run.topics[i].id] = i
			}
			cur = &run.topics[i]
		}
		score, err := parseScore(s.text, s.at[4])
		if err != nil {
			return s.fail(s.at[4], err)
		}
		if n := len(cur.documents); n > 0 && !descends(cur.documents[n-1].score, score) {
			cur.sorted = false
		}
		cur.add(s.at[2], score)
	}
	if len(run.topics) > 0 {
		run.Name = string(s.at[5].of(s.text))
	}
	return s.err
}

// descends reports whether a score is below the one before, even as float32.
func descends(before, score float64) bool { return float32(score) < float32(before) }

// add adds the lines that follow.
func (run *Run) add(rest *Run) {
	if len(rest.topics) > 0 {
		run.Name = rest.Name
	}
	for i := range rest.topics {
		t := &rest.topics[i]
		at, ok := run.byID[t.id]
		if !ok {
			run.byID[t.id] = len(run.topics)
			run.topics = append(run.topics, *t)
			continue
		}
		all := &run.topics[at]
		all.sorted = all.sorted && t.sorted && descends(all.documents[all.docs()-1].score, t.documents[0].score)
		all.documents = append(all.documents, t.documents...)
	}
}

// parseScore reads a score; the text has text.Slack bytes after it.
func parseScore(b []byte, f span) (float64, error) {
	i, negative := f.lo, b[f.lo] == '-'
	if negative {
		i++
	}
	if m, exp, end, ok := text.ScanDecimal(b, i); ok && end == f.hi {
		if v, ok := text.Decimal64(m, exp); ok {
			if negative {
				v = -v
			}
			return v, nil
		}
	}
	v, err := text.ParseNumber(f.of(b), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(v) {
		return 0, errors.New("the score is not a number")
	}
	return v, nil // infinite beyond float64, as in C
}

// A span is a field's place in the text.
type span struct{ lo, hi int }

func (s span) of(text []byte) []byte { return text[s.lo:s.hi] }

// A scanner splits lines of at least so many fields.
type scanner struct {
	file   string
	fields int
	most   int
	text   []byte // ends with a newline and text.Slack bytes
	end    int    // of the lines
	failed error  // why the text ends where it does, if not for the file's end

	begin int // of the lines: they follow those of the pieces before

	// what is read next; the number of the line before, of these lines, and where it starts
	i, line, start int
	at             [6]span // its fields
	err            error   // why there is no next line
}

// scan reads a text whole, which identifiers of documents are then part of.
func scan(r io.Reader, file string, fields, most int) (*scanner, error) {
	s := &scanner{file: file, fields: fields, most: most}
	const extra = 1 + text.Slack
	size := max(int(files.Size(r)), 1<<16)
	r, err := files.Uncompressed(r)
	if err != nil {
		return nil, &rank.ParseError{File: file, Line: 1, Err: fmt.Errorf("cannot read on: %w", err)}
	}
	text := hugepages.Make[uint8](size + 1 + extra)
	for {
		n, err := r.Read(text[s.end : len(text)-extra])
		s.end += n
		if err == io.EOF {
			break
		}
		if err != nil { // the line that it cuts is not whole
			s.failed = err
			s.end = bytes.LastIndexByte(text[:s.end], '\n') + 1
			break
		}
		if s.end == len(text)-extra {
			more := hugepages.Make[uint8](2 * len(text))
			copy(more, text)
			text = more
		}
	}
	s.text = text[:s.end+extra]
	for i := range extra {
		s.text[s.end+i] = '\n'
	}
	return s, nil
}

// split returns scanners of about as many pieces of the text, each of whole lines.
func (s *scanner) split(pieces int) []scanner {
	const least = 1 << 18 // bytes of a piece
	pieces = max(1, min(pieces, s.end/least))
	all := make([]scanner, 0, pieces)
	for lo, k := 0, 1; k <= pieces; k++ {
		piece := *s
		piece.i, piece.begin = lo, lo
		if k < pieces {
			piece.failed = nil
			at := max(lo, s.end/pieces*k)
			piece.end = at + bytes.IndexByte(s.text[at:], '\n') + 1
		}
		lo = min(piece.end, s.end)
		all = append(all, piece)
	}
	return all
}

// lineNumber returns the number of the last line in the whole text.
func (s *scanner) lineNumber() int { return s.line + bytes.Count(s.text[:s.begin], []byte("\n")) }

// next goes to the next line that is neither empty nor a comment, and reports whether there is one.
func (s *scanner) next() bool {
	b, i := s.text, s.i
	for i < s.end {
		s.start = i
		s.line++
		n := 0
		for {
			for b[i] <= ' ' && b[i] != '\n' {
				i++
			}
			if b[i] == '\n' {
				break
			}
			if b[i] == '#' && n == 0 {
				i += bytes.IndexByte(b[i:], '\n')
				break
			}
			lo := i
			i = fieldEnd(b, i) // the newline at the latest
			if n < len(s.at) {
				s.at[n] = span{lo, i}
			}
			n++
		}
		i++
		s.i = i
		if n >= s.fields && n <= s.most {
			return true
		}
		if n > 0 {
			s.err = &rank.ParseError{File: s.file, Line: s.lineNumber(),
				Text: text.Excerpt(bytes.TrimSpace(b[s.start : i-1])),
				Err:  fmt.Errorf("%d fields where %d are wanted", n, s.fields)}
			return false
		}
	}
	if s.failed != nil {
		s.err = &rank.ParseError{File: s.file, Line: s.lineNumber() + 1, Err: s.failed}
	}
	return false
}

// fieldEnd returns the index of the first byte from i on that is a blank or a control character,
// eight at a time; there is one in front of the last text.Slack bytes.
func fieldEnd(b []byte, i int) int {
	for {
		if n, ok := blankIn(text.Word(b, i)); ok {
			return i + n/8
		}
		i += 8
	}
}

// blankIn returns how many bits come before the first byte of eight that is a blank or a control
// character, and whether there is one.
func blankIn(w uint64) (before int, ok bool) {
	const above = 0x2121212121212121 // the first byte that is neither
	low := (w - above) &^ w & text.HighBits
	return bits.TrailingZeros64(low) &^ 7, low != 0
}

func (s *scanner) fail(f span, err error) error {
	return &rank.ParseError{File: s.file, Line: s.lineNumber(), Column: f.lo - s.start + 1,
		Text: text.Excerpt(f.of(s.text)), Err: err}
}

// A docIndex finds documents of one topic: an open-addressing hash table whose slots hold half of a
// hash and a document's index plus 1, half the cost of a map.
type docIndex struct {
	slots []uint64
	mask  uint64
}

// build enters the documents, and returns the first two indices of the same one, or 0 and 0.
func (x *docIndex) build(t *topic) (first, second int) {
	x.reset(2 * t.docs())
	for i := range t.docs() {
		at, d := x.slot(t.documents[i].hash, func(d int) bool { return bytes.Equal(t.doc(d), t.doc(i)) })
		if d >= 0 {
			return d, i
		}
		x.enter(at, t.documents[i].hash, i)
	}
	return 0, 0
}

// reset empties the table, which gets so many slots or more.
func (x *docIndex) reset(slots int) {
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
func (x *docIndex) enter(at, hash uint64, index int) {
	x.slots[at] = hash&^math.MaxUint32 | uint64(index+1)
}

// slot returns the slot of a document and its index; −1 when the slot is free. same compares it
// with the document of an index.
func (x *docIndex) slot(hash uint64, same func(index int) bool) (at uint64, index int) {
	for at = hash & x.mask; ; at = (at + 1) & x.mask {
		v := x.slots[at]
		if v&math.MaxUint32 == 0 {
			return at, -1
		}
		if d := int(v&math.MaxUint32) - 1; (v^hash)&^math.MaxUint32 == 0 && same(d) {
			return at, d
		}
	}
}

// find returns the index of a document, or −1; see slot.
func (x *docIndex) find(hash uint64, same func(index int) bool) int {
	_, i := x.slot(hash, same)
	return i
}

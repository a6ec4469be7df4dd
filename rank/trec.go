package rank

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"math/bits"
	"os"
	"slices"
	"strconv"
)

// Qrels are relevance judgements as TREC writes them: a line for each judged document with the four fields
//
//	topic iteration document relevance
//
// between blanks. The relevance is an integer; a negative one marks a document without judgement.
type Qrels struct {
	topics []qrelsTopic
	byID   map[string]int
}

type qrelsTopic struct {
	trecTopic
	labels []float64
	index  docIndex
}

// A Run is a system's answer to topics as TREC writes it: a line for each retrieved document with the six fields
//
//	topic Q0 document rank score run
//
// between blanks. As in trec_eval the scores alone make the order: rank and Q0 are ignored.
type Run struct {
	Name   string // the last field of the first line
	topics []runTopic
	byID   map[string]int
}

type runTopic struct {
	trecTopic
	scores []float64
	sorted bool // by descending score, no two the same
}

// A trecTopic holds a topic's documents.
type trecTopic struct {
	id     string
	text   []byte   // the identifiers of the documents, one behind the other
	ends   []int    // of each document's in text
	hashes []uint64 // of each document
	lines  []int32  // of each document in the file
}

// add adds a document.
func (t *trecTopic) add(id []byte, line int) {
	t.text = append(t.text, id...)
	t.ends = append(t.ends, len(t.text))
	t.hashes = append(t.hashes, maphash.Bytes(trecSeed, id))
	t.lines = append(t.lines, int32(line))
}

// docs returns the number of documents.
func (t *trecTopic) docs() int { return len(t.ends) }

// doc returns the identifier of document i.
func (t *trecTopic) doc(i int) []byte {
	lo := 0
	if i > 0 {
		lo = t.ends[i-1]
	}
	return t.text[lo:t.ends[i]]
}

// trecSeed makes the hashes of documents comparable between files.
var trecSeed = maphash.MakeSeed()

// Topics returns the identifiers of the topics that have judgements, in the order of the file.
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

// Ranking returns the documents that the run retrieved for a topic, the best first, in trec_eval's order (see
// [Qrels.Lists]); nil for a topic that it does not answer.
func (r *Run) Ranking(topic string) []string {
	i, ok := r.byID[topic]
	if !ok {
		return nil
	}
	t := &r.topics[i]
	order := t.order()
	docs := make([]string, t.docs())
	for rank := range docs {
		i := rank
		if order != nil {
			i = int(order[rank])
		}
		docs[rank] = string(t.doc(i))
	}
	return docs
}

// Judgement returns the relevance of a document for a topic, and whether the file has it.
func (q *Qrels) Judgement(topic, doc string) (relevance float64, ok bool) {
	i, ok := q.byID[topic]
	if !ok {
		return 0, false
	}
	t := &q.topics[i]
	if d := t.index.find(&t.trecTopic, []byte(doc), maphash.String(trecSeed, doc)); d >= 0 {
		return t.labels[d], true
	}
	return 0, false
}

// Lists joins a run with judgements: a list for each topic that both have, in the
// order of the judgements. Evaluate them with the preset [TrecEval] for trec_eval's figures.
//
// The documents of a list are in trec_eval's order: by descending score rounded to float32, as it holds scores, and equal ones by
// descending identifier; the tie keys repeat it. A document without judgement has the label −1, and judged documents that
// the run lacks are in Unretrieved. With complete, a topic that the run does not answer
// has a list without retrieved documents (trec_eval -c), which by most metrics is worth 0.
func (q *Qrels) Lists(r *Run, complete bool) []List {
	var lists []List
	most := 0
	for i := range r.topics {
		most = max(most, r.topics[i].docs())
	}
	keys := make([]int64, most)
	for i := range keys {
		keys[i] = int64(-i)
	}
	for i := range q.topics {
		t := &q.topics[i]
		if j, ok := r.byID[t.id]; ok {
			lists = append(lists, t.join(&r.topics[j], keys))
		} else if complete {
			lists = append(lists, List{ID: t.id, TieKeys: []int64{}, Unretrieved: t.labels})
		}
	}
	return lists
}

// join is Lists for one topic; keys descend.
func (t *qrelsTopic) join(r *runTopic, keys []int64) List {
	n := r.docs()
	values := make([]float64, 2*n)
	l := List{ID: t.id, Labels: values[:n:n], Scores: values[n:], TieKeys: keys[:n:n]}
	order := r.order()
	retrieved := make([]bool, t.docs())
	for rank := range n {
		i := rank
		if order != nil {
			i = int(order[rank])
		}
		l.Scores[rank] = float64(float32(r.scores[i]))
		l.Labels[rank] = -1
		if d := t.index.find(&t.trecTopic, r.doc(i), r.hashes[i]); d >= 0 {
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

// order returns the documents in trec_eval's order, nil when they stand in it.
func (r *runTopic) order() []int32 {
	if r.sorted {
		return nil
	}
	order := make([]int32, r.docs())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := cmp.Compare(float32(r.scores[b]), float32(r.scores[a])); c != 0 {
			return c
		}
		return bytes.Compare(r.doc(int(b)), r.doc(int(a)))
	})
	return order
}

// ReadQrels reads judgements. Text compressed with gzip is recognised, empty lines are
// skipped. A line with other than four fields, a relevance that is not an integer and a document judged
// twice for a topic are errors, of type *ParseError.
func ReadQrels(r io.Reader) (*Qrels, error) { return readQrels(r, "") }

// LoadQrels reads a file as [ReadQrels] does.
func LoadQrels(path string) (*Qrels, error) { return loadTREC(path, readQrels) }

// ReadRun reads a run. Text compressed with gzip is recognised, empty lines are skipped. A line
// with other than six fields, a score that is not a number and a document that a topic has twice are errors, of type
// *ParseError.
func ReadRun(r io.Reader) (*Run, error) { return readRun(r, "") }

// LoadRun reads a file as [ReadRun] does.
func LoadRun(path string) (*Run, error) { return loadTREC(path, readRun) }

func loadTREC[T any](path string, read func(io.Reader, string) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return read(f, path)
}

func readQrels(r io.Reader, file string) (*Qrels, error) {
	q := &Qrels{byID: map[string]int{}}
	s := trecScanner{file: file, fields: 4}
	var cur *qrelsTopic
	err := s.scan(r, func(line []byte) error {
		f := &s.at
		if id := f[0].of(line); cur == nil || string(id) != cur.id {
			i, ok := q.byID[string(id)]
			if !ok {
				i = len(q.topics)
				q.topics = append(q.topics, qrelsTopic{trecTopic: trecTopic{id: string(id)}})
				q.byID[q.topics[i].id] = i
			}
			cur = &q.topics[i]
		}
		rel, err := strconv.Atoi(string(f[3].of(line)))
		if err != nil {
			return s.fail(f[3], line, errors.New("the relevance is not an integer"))
		}
		cur.labels = append(cur.labels, float64(rel))
		cur.add(f[2].of(line), s.line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(q.topics) == 0 {
		return nil, &ParseError{File: file, Line: 1, Err: errNoJudgements}
	}
	for i := range q.topics {
		t := &q.topics[i]
		if a, b := t.index.build(&t.trecTopic); b > 0 {
			return nil, t.twice(file, "is judged twice", a, b)
		}
	}
	return q, nil
}

var (
	errNoJudgements = errors.New("no judgements")
	errNoRetrieved  = errors.New("no documents in the run")
)

func (t *trecTopic) twice(file, what string, a, b int) error {
	return &ParseError{File: file, Line: int(t.lines[b]), Text: string(t.doc(b)),
		Err: fmt.Errorf("topic %s: the document %s, first in line %d", t.id, what, t.lines[a])}
}

func readRun(r io.Reader, file string) (*Run, error) {
	run := &Run{byID: map[string]int{}}
	s := trecScanner{file: file, fields: 6}
	var cur *runTopic
	err := s.scan(r, func(line []byte) error {
		f := &s.at
		if id := f[0].of(line); cur == nil || string(id) != cur.id {
			i, ok := run.byID[string(id)]
			if !ok {
				if len(run.topics) == 0 {
					run.Name = string(f[5].of(line))
				}
				i = len(run.topics)
				run.topics = append(run.topics, runTopic{trecTopic: trecTopic{id: string(id)}, sorted: true})
				run.byID[run.topics[i].id] = i
				if i > 0 { // topics tend to be alike
					before := &run.topics[i-1]
					n := before.docs()
					t := &run.topics[i]
					t.text = make([]byte, 0, len(before.text)+len(before.text)/8)
					t.ends, t.hashes, t.lines, t.scores = make([]int, 0, n), make([]uint64, 0, n), make([]int32, 0, n), make([]float64, 0, n)
				}
			}
			cur = &run.topics[i]
		}
		score, err := trecScore(line, f[4])
		if err != nil {
			return s.fail(f[4], line, err)
		}
		if n := len(cur.scores); n > 0 && !(float32(score) < float32(cur.scores[n-1])) {
			cur.sorted = false
		}
		cur.scores = append(cur.scores, score)
		cur.add(f[2].of(line), s.line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(run.topics) == 0 {
		return nil, &ParseError{File: file, Line: 1, Err: errNoRetrieved}
	}
	var index docIndex
	for i := range run.topics {
		t := &run.topics[i]
		if a, b := index.build(&t.trecTopic); b > 0 {
			return nil, t.twice(file, "is retrieved twice", a, b)
		}
	}
	return run, nil
}

// trecScore reads a score; line has wordSlack bytes after it.
func trecScore(line []byte, f span) (float64, error) {
	i, negative := f.lo, line[f.lo] == '-'
	if negative {
		i++
	}
	if m, exp, end, ok := scanDecimal(line, i); ok && end == f.hi {
		if v, ok := decimal64(m, exp); ok {
			if negative {
				v = -v
			}
			return v, nil
		}
	}
	v, err := parseNumber(f.of(line), 64)
	if err != nil || math.IsNaN(v) {
		return 0, errors.New("the score is not a number")
	}
	return v, nil
}

// A span is a field's place in its line.
type span struct{ lo, hi int }

func (s span) of(line []byte) []byte { return line[s.lo:s.hi] }

// A trecScanner splits lines of a fixed number of fields.
type trecScanner struct {
	file   string
	fields int
	line   int
	at     [6]span // the fields of the line
}

const trecBuffer = 256 << 10 // also the longest line that is read

// scan calls f with the fields of each line that is not empty. The line has
// wordSlack readable bytes after its end.
func (s *trecScanner) scan(r io.Reader, f func(line []byte) error) error {
	r, err := uncompressed(r)
	if err != nil {
		return &ParseError{File: s.file, Line: 1, Err: err}
	}
	b := bufio.NewReaderSize(r, trecBuffer)
	var tail []byte // a line copied for the bytes after it
	for {
		line, err := b.ReadSlice('\n')
		if len(line) > 0 {
			s.line++
			if err == bufio.ErrBufferFull {
				return &ParseError{File: s.file, Line: s.line, Err: fmt.Errorf("line longer than %d bytes", trecBuffer)}
			}
			if cap(line)-len(line) < wordSlack || line[len(line)-1] != '\n' {
				tail = append(append(tail[:0], bytes.TrimSuffix(line, []byte("\n"))...), "\n\n\n\n\n\n\n\n\n"...)
				line = tail[:len(tail)-wordSlack]
			}
			if lineErr := s.split(line, f); lineErr != nil {
				return lineErr
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &ParseError{File: s.file, Line: s.line + 1, Err: err}
		}
	}
}

// fieldEnd returns the index of the first byte from i on that is a blank or a control character, eight at a time; there
// is one within wordSlack bytes of the end.
func fieldEnd(line []byte, i int) int {
	const above = 0x2121212121212121 // the first byte that is neither
	for {
		w := word(line, i)
		if low := (w - above) &^ w & highBits; low != 0 {
			return i + bits.TrailingZeros64(low)/8
		}
		i += 8
	}
}

// split cuts a line that ends with a newline, and has wordSlack bytes after it, into fields.
func (s *trecScanner) split(line []byte, f func(line []byte) error) error {
	n, end := 0, len(line)
	line = line[:end+wordSlack]
	for i := 0; ; {
		for i < end && line[i] <= ' ' {
			i++
		}
		if i >= end {
			break
		}
		lo := i
		i = fieldEnd(line, i) // the newline at the latest
		if n < s.fields {
			s.at[n] = span{lo, i}
		}
		n++
	}
	switch n {
	case 0:
		return nil
	case s.fields:
		return f(line)
	}
	return &ParseError{File: s.file, Line: s.line, Text: excerpt(bytes.TrimSpace(line[:end])),
		Err: fmt.Errorf("%d fields where %d are wanted", n, s.fields)}
}

func (s *trecScanner) fail(f span, line []byte, err error) error {
	return &ParseError{File: s.file, Line: s.line, Column: f.lo + 1, Text: excerpt(f.of(line)), Err: err}
}

// A docIndex finds documents of one topic: an open-addressing hash table whose slots hold half of a hash and
// a document's index plus 1, half the cost of a map.
type docIndex struct {
	slots []uint64
	mask  uint64
}

// build enters the documents, and returns the first two indices of the same one, or 0 and 0.
func (x *docIndex) build(t *trecTopic) (first, second int) {
	size := uint64(8)
	for size < 2*uint64(t.docs()) {
		size *= 2
	}
	if size > uint64(cap(x.slots)) {
		x.slots = make([]uint64, size)
	}
	x.slots = x.slots[:size]
	clear(x.slots)
	x.mask = size - 1
	for i := range t.docs() {
		at, d := x.slot(t, t.doc(i), t.hashes[i])
		if d >= 0 {
			return d, i
		}
		x.slots[at] = t.hashes[i]&^math.MaxUint32 | uint64(i+1)
	}
	return 0, 0
}

// slot returns the slot of a document and its index; −1 when the slot is free.
func (x *docIndex) slot(t *trecTopic, doc []byte, hash uint64) (at uint64, index int) {
	for at = hash & x.mask; ; at = (at + 1) & x.mask {
		v := x.slots[at]
		if v&math.MaxUint32 == 0 {
			return at, -1
		}
		if (v^hash)&^math.MaxUint32 == 0 && bytes.Equal(t.doc(int(v&math.MaxUint32)-1), doc) {
			return at, int(v&math.MaxUint32) - 1
		}
	}
}

// find returns the index of a document, or −1.
func (x *docIndex) find(t *trecTopic, doc []byte, hash uint64) int {
	_, i := x.slot(t, doc, hash)
	return i
}

package trec

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// This file reads judgments and runs. The text is split into pieces of whole lines. Goroutines
// parse each piece while it is in the processor's cache, and produce a part. The parts are then
// combined in the order of the text. Of the text, only the IDs are kept.

// A form describes the lines of a file.
type form struct {
	fields, most int    // minimum and maximum number of fields in a line
	names        int    // number of fields at the start of a line that form the topic ID, joined by blanks
	second       string // name of the second of these fields in errors
	doc, value   int    // index of the document field, and of the relevance or score field
	// quick parses the value at b[i] and returns the end of the value. It returns false if it does
	// not support the form of the value.
	quick func(b []byte, i int) (v float64, end int, ok bool)
	// parse parses a value field, and json parses a JSON number.
	parse, json func(field []byte) (float64, error)
	twice, hint string // error if a document occurs twice in a topic, and a possible reason
	again       bool   // whether a document may occur twice if its values are equal
	empty       error  // error if a file contains no lines

	short *form // form of files with three columns; nil if such files are not supported
}

var (
	qrelsForm = &form{fields: 4, most: 4, names: 1, doc: 2, value: 3, quick: quickRelevance,
		parse: parseRelevance, json: parseRelevance, twice: "is judged twice",
		hint: " (subtopic judgments are for metrics such as alpha-ndcg@20)", empty: errNoJudgments, short: bareForm}
	runForm = &form{fields: 6, most: math.MaxInt, names: 1, doc: 2, value: 4, quick: quickScore,
		parse: parseScore, json: jsonScore, twice: "is retrieved twice", empty: errNoRetrieved, short: rankForm}

	errNoJudgments = errors.New("the qrels contain no judgments")
	errNoRetrieved = errors.New("the run contains no documents")
)

// readQrels reads judgments. If d is nil, duplicates are an error. Otherwise they are counted and
// dropped.
func readQrels(r io.Reader, file string, o []rank.ReadOptions, d *Duplicates) (*Qrels, error) {
	q := &Qrels{file: file}
	err := qrelsForm.read(r, file, math.MaxInt, o, func(f *form, t *table, _ string) error {
		if d != nil {
			d.drop(f, t.topics, &twinFinder{})
		}
		if err := f.checkDistinct(t.topics, file); err != nil {
			return err
		}
		q.table = *t
		q.indices = make([]docIndex, len(q.topics))
		return f.check(q.topics, file, parallel.Threads(0), func(_, topic int) (first, second int) {
			return q.indices[topic].build(&q.topics[topic])
		})
	})
	if err != nil {
		return nil, err
	}
	return q, nil
}

func readRun(r io.Reader, file string, o []rank.ReadOptions, d *Duplicates) (run *Run, err error) {
	err = readRuns(r, file, math.MaxInt, o, d, func(all *Run) error { run = all; return nil })
	if err != nil {
		return nil, err
	}
	return run, nil
}

// readRuns reads a run like form.read, and calls add for parts of the run. If d is nil, duplicates
// are an error. Otherwise they are counted and dropped.
func readRuns(r io.Reader, file string, size int, o []rank.ReadOptions, d *Duplicates,
	add func(run *Run) error) error {
	finders := make([]twinFinder, parallel.Threads(0))
	return runForm.read(r, file, size, o, func(f *form, t *table, name string) error {
		if d != nil {
			d.drop(f, t.topics, &finders[0])
		} else if err := f.checkTwins(t.topics, file, finders); err != nil {
			return err
		}
		if err := f.checkRanks(t.topics, file); err != nil {
			return err
		}
		return add(&Run{Name: name, table: *t})
	})
}

// check returns an error about the first topic that contains a document twice. The given number of
// workers call twins, which returns the two indices of such a document, or 0 and 0 if there is
// none.
func (f *form) check(topics []topic, file string, workers int,
	twins func(worker, topic int) (first, second int)) error {
	batch := parallel.Batch(len(topics), workers)
	batches := (len(topics) + batch - 1) / batch
	twice := make([]error, batches) // first error of each batch
	// The error is nil, because this context never ends.
	_ = parallel.For(context.Background(), workers, batches, func(worker, b int) {
		for i := b * batch; i < min((b+1)*batch, len(topics)) && twice[b] == nil; i++ {
			if first, second := twins(worker, i); second > 0 {
				twice[b] = f.twin(&topics[i], file, first, second)
			}
		}
	})
	for _, err := range twice {
		if err != nil {
			return err
		}
	}
	return nil
}

// twin returns an error about a document that a topic contains at two indices.
func (f *form) twin(t *topic, file string, first, second int) *rank.ParseError {
	name := strings.Split(t.id, " ")
	if f.names > 1 {
		name[0] += ", " + f.second + " " + name[1]
	}
	return &rank.ParseError{File: file, Line: t.line(second), Text: string(t.doc(second)),
		Err: fmt.Errorf("topic %s: the document %s, first in line %d%s", name[0], f.twice, t.line(first), f.hint)}
}

// checkTwins is like check, but uses the given finders, one per worker, instead of twins.
func (f *form) checkTwins(topics []topic, file string, finders []twinFinder) error {
	return f.check(topics, file, len(finders), func(worker, topic int) (first, second int) {
		finders[worker].again = f.again
		return finders[worker].find(&topics[topic])
	})
}

// read reads a text and calls add for tables of topics. A table comes from about size bytes of
// text, and the next table overwrites it. If the lines of each topic are adjacent, each table
// consists of whole topics. name is the field after the value in the last line so far. form is f,
// unless the first line shows that the file has three columns. The first error ends reading.
func (f *form) read(r io.Reader, file string, size int, o []rank.ReadOptions,
	add func(form *form, t *table, name string) error) error {
	const (
		pieceSize    = 256 << 10
		longestLine  = 16 << 20
		longestTopic = 1 << 30
	)
	budget := files.NewBudget(r, o...)
	b := builder{table: newTable(), size: files.Size(r), most: size, budget: budget}
	fail := func(err error) error {
		if parse := (*rank.ParseError)(nil); errors.As(err, &parse) {
			parse.File = file
			parse.Line += b.lines
			return parse
		}
		return &rank.ParseError{File: file, Line: b.lines + 1, Err: err}
	}
	content, err := budget.Uncompressed(r)
	if err != nil {
		return fail(fmt.Errorf("read error: %w", err))
	}
	in := bufio.NewReader(content)
	name := ""
	s := &text.Splitter{R: in, Lines: true, Size: min(text.PieceSize(pieceSize, b.size), size),
		Limit: longestLine, TooLong: fmt.Errorf("a line is longer than %d bytes", longestLine)}
	parse, threads := func(p *part, piece []byte) { p.parse(f, piece) }, parallel.Threads(0)
	lines := true
	if head, _ := in.Peek(512); isJSON(head) {
		j := &jsonReader{form: f, splitter: s, there: map[string]bool{}}
		s.Ends, s.TooLong = j.topicsEnd, fmt.Errorf("a topic is longer than %d bytes", longestTopic)
		// A topic needs memory for its text, for copies while the buffer grows, and for the parsed
		// topic.
		const times = 8
		if s.Limit = int(min(budget.Left()/times, longestTopic)); s.Limit < longestTopic {
			s.TooLong = budget.Hold("long topics", times*longestTopic)
		}
		parse, threads, lines = j.parse, 1, false
	}
	hand := func(t *table, name string) error { return add(f, t, name) }
	var failed error // error of add, which already contains the position
	piece, err := s.Next(nil)
	if err == nil && lines {
		var parse *rank.ParseError
		if f, parse = f.of(piece); parse != nil {
			return fail(parse)
		}
	}
	if err == nil {
		err = text.Parse(s, piece, threads, parse, func(p *part, _ int64) error {
			if p.err != nil {
				failed = fail(p.err)
				return failed
			}
			if len(p.sections) > 1 {
				name = string(p.name)
			}
			if err := b.add(p); err != nil {
				failed = fail(err)
			} else if b.full() {
				failed = b.hand(hand, name)
			}
			return failed
		})
	}
	if failed != nil {
		return failed
	}
	if err != nil && err != io.EOF {
		return fail(err)
	}
	switch {
	case len(b.topics) > 0:
		return hand(&b.table, name)
	case b.handed:
		return nil
	}
	return &rank.ParseError{File: file, Line: 1, Err: f.empty}
}

// A part contains the content of a parsed piece.
type part struct {
	// sections contains an element for each sequence of adjacent lines of the same topic. A further
	// element marks the end of the last section.
	sections  []section
	ids       []byte // topic IDs of the sections
	text      []byte // document IDs in the form of topic.text
	documents []document
	runs      []lineRun // lines of the documents, counted from the start of the piece
	name      []byte    // field after the value in the last line
	size      int       // size of the piece in bytes
	lines     int
	err       *rank.ParseError // error that ended parsing; its line is counted from the start of the piece

	line int     // line of the last document
	last float32 // value of the last document
}

// A section contains the start of the section in each slice of a part, as an index.
type section struct {
	id, text, documents, runs int
	sorted                    bool
}

// parse parses the lines of a piece.
func (p *part) parse(f *form, piece []byte) {
	p.reset(len(piece))
	s := scanner{form: f, text: piece, end: len(piece) - text.Slack}
	// Most lines differ from the previous line only in the document ID and the numbers. The text
	// before the document ID and the text after the value are the same.
	var before, behind likeness
	var id []byte // topic ID of the current line
	for {
		if doc := s.i + before.n; before.at(piece, s.i) && piece[doc] > ' ' {
			hash, docEnd := p.keep(piece, doc)
			at := blanksEnd(piece, docEnd)
			for range f.value - f.doc - 1 {
				at = blanksEnd(piece, fieldEnd(piece, at))
			}
			if v, end, ok := f.quick(piece, at); ok && behind.at(piece, end) {
				s.line++
				s.i = end + behind.n
				p.add(v, hash, docEnd-doc, s.line)
				continue
			}
		}
		if !s.next() {
			break
		}
		doc, value := s.at[f.doc], s.at[f.value]
		v, end, ok := f.quick(piece, value.lo)
		if !ok || end != value.hi {
			var err error
			if v, err = f.parse(value.of(piece)); err != nil {
				s.fail(value, err)
				break
			}
		}
		id = append(id[:0], s.at[0].of(piece)...)
		for _, name := range s.at[1:f.names] {
			id = append(append(id, ' '), name.of(piece)...)
		}
		p.topic(id)
		hash, docEnd := p.keep(piece, doc.lo)
		p.add(v, hash, docEnd-doc.lo, s.line)
		before.set(piece[s.start:doc.lo])
		behind.set(piece[value.hi:s.i])
		if f.value+1 < f.fields {
			p.name = append(p.name[:0], s.at[f.value+1].of(piece)...)
		}
	}
	p.begin()
	p.lines, p.err = s.line, s.err
}

// reset prepares p for a piece of the given size in bytes, which limits the total length of its
// IDs.
func (p *part) reset(size int) {
	*p = part{sections: p.sections[:0], ids: p.ids[:0], text: slices.Grow(p.text[:0], size),
		documents: p.documents[:0], runs: p.runs[:0], name: p.name[:0], size: size}
}

// begin starts a section.
func (p *part) begin() {
	p.sections = append(p.sections, section{len(p.ids), len(p.text), len(p.documents), len(p.runs), true})
}

// topic starts a section, unless the current section belongs to the same topic.
func (p *part) topic(id []byte) {
	if n := len(p.sections); n > 0 && bytes.Equal(p.ids[p.sections[n-1].id:], id) {
		return
	}
	p.begin()
	p.ids = append(p.ids, id...)
	p.line, p.last = 0, float32(math.NaN())
}

// keep copies the document ID at b[i] to the free memory after text, without adding it. It returns
// the hash and the end of the ID.
func (p *part) keep(b []byte, i int) (hash uint32, end int) {
	return copyField(p.text[len(p.text):cap(p.text)], b, i)
}

// add adds the document whose ID keep copied. size is the number of bytes of the ID, without the
// following blank.
func (p *part) add(value float64, hash uint32, size, line int) {
	s := &p.sections[len(p.sections)-1]
	if line != p.line+1 || p.line == 0 {
		p.runs = append(p.runs, lineRun{len(p.documents), line})
	}
	single := float32(value)
	if single >= p.last {
		s.sorted = false
	}
	p.line, p.last = line, single
	p.documents = append(p.documents, document{value, uint32(len(p.text) - s.text), hash})
	p.text = p.text[:len(p.text)+size+1]
}

// copyField copies the field at b[i] and up to 8 bytes after it. It returns the hash and the end of
// the field. The hash folds the halves of products of eight-byte words (as in Wang Yi's wyhash).
// The factors are random, so that nobody can construct a file with many collisions.
func copyField(to, b []byte, i int) (hash uint32, end int) {
	h := hashSeed
	for {
		w := text.Word(b, i)
		binary.LittleEndian.PutUint64(to, w)
		if n, ok := blankIn(w); ok {
			return uint32(fold(h ^ w&(1<<n-1))), i + n/8
		}
		h = fold(h ^ w)
		i, to = i+8, to[8:]
	}
}

var hashSeed, hashFactor = rand.Uint64(), rand.Uint64() | 1

func fold(x uint64) uint64 {
	hi, lo := bits.Mul64(x, hashFactor)
	return hi ^ lo
}

// blanks is the end of a topic's text: a newline and text.Slack bytes.
const blanks = "\n\n\n\n\n\n\n\n\n"

// A builder combines parts into tables.
type builder struct {
	table
	lines     int   // number of lines of the parts so far
	read      int64 // number of bytes of the parts so far
	size      int64 // number of bytes of the whole text; 0 if it is unknown
	held      int   // number of bytes of the parts in this table
	most      int   // approximate limit of held
	last      int   // index of the topic of the last line
	handed    bool  // whether add was called for an earlier table
	documents arena[document]
	text      arena[byte]

	budget *files.Budget
	taken  int64 // number of bytes of the budget that this table uses
}

// full reports whether the table is complete. Its last topic may continue in the next part, so a
// complete table contains at least one more topic.
func (t *builder) full() bool {
	return t.held >= t.most && len(t.topics) > 1 && t.last == len(t.topics)-1
}

// hand calls add with all topics except the last one, which becomes the first topic of the next
// table.
func (t *builder) hand(add func(t *table, name string) error, name string) error {
	last := t.topics[t.last]
	t.topics = t.topics[:t.last]
	delete(t.byID, last.id)
	if err := add(&t.table, name); err != nil {
		return err
	}
	t.handed, t.held = true, 0
	t.budget.Release(t.taken)
	t.taken = 0
	t.topics = t.topics[:0]
	clear(t.byID)
	to := &t.topics[t.topic([]byte(last.id))]
	to.lines, to.sorted = last.lines, last.sorted
	to.documents, to.text = t.documents.restart(last.documents), t.text.restart(last.text)
	return nil
}

// add adds the content of the next part to the table.
func (t *builder) add(p *part) error {
	t.read += int64(p.size)
	t.held += p.size
	if err := t.hold(p); err != nil {
		return err
	}
	// Estimate how much memory the table needs, as a multiple of this part. If the size of the text
	// is unknown, assume that the remainder has the size of the text so far.
	ahead := float64(t.read) / float64(p.size)
	if t.size > t.read {
		ahead = 1.05 * float64(t.size-t.read+int64(p.size)) / float64(p.size)
	}
	ahead = min(ahead, 2+1.5*float64(t.most)/float64(p.size))
	t.documents.next = int(ahead * float64(len(p.documents)))
	t.text.next = int(ahead * float64(len(p.text)+text.Slack*len(p.sections)))
	for i := range len(p.sections) - 1 {
		s, end := &p.sections[i], &p.sections[i+1]
		t.last = t.topic(p.ids[s.id:end.id])
		to := &t.topics[t.last]
		n, size := to.docs(), max(len(to.text)-text.Slack, 0)
		if err := checkText(to.id, size+end.text-s.text); err != nil {
			return &rank.ParseError{Line: p.runs[s.runs].line, Err: err}
		}
		more := p.documents[s.documents:end.documents]
		to.sorted = to.sorted && s.sorted && (n == 0 || descends(to.documents[n-1].value, more[0].value))
		to.documents = t.documents.append(to.documents, n, more)
		if size > 0 {
			for d := range to.documents[n:] {
				to.documents[n+d].at += uint32(size)
			}
		}
		to.text = t.text.append(to.text, size, p.text[s.text:end.text+text.Slack])
		for _, r := range p.runs[s.runs:end.runs] {
			to.lines = append(to.lines, lineRun{r.first - s.documents + n, r.line + t.lines})
		}
	}
	t.lines += p.lines
	return nil
}

// hold reserves the memory that the content of a part needs in the table.
func (t *builder) hold(p *part) error {
	const (
		perDocument = 64 // the document, up to four slots of an index, and room to grow
		perSection  = 256
		perRun      = 32
	)
	bytes := int64(perDocument)*int64(len(p.documents)) + perSection*int64(len(p.sections)) +
		perRun*int64(len(p.runs)) + 2*int64(len(p.text)+len(p.ids))
	t.taken += bytes
	return t.budget.Hold("the topics and documents", bytes)
}

// topic returns the index of a topic. It appends the topic if the table does not contain it.
func (t *table) topic(id []byte) int {
	k, ok := t.byID[string(id)]
	if !ok {
		k = len(t.topics)
		t.topics = append(t.topics, topic{id: string(id), sorted: true})
		t.byID[t.topics[k].id] = k
	}
	return k
}

func newTable() table { return table{byID: map[string]int{}} }

// An arena allocates slices in large blocks of memory.
type arena[T any] struct {
	block []T
	next  int // number of elements of the next block
}

// append returns the first n elements of s followed by more. If s is the last slice of the arena
// and there is room after it, s grows in place.
func (a *arena[T]) append(s []T, n int, more []T) []T {
	at := len(a.block) - len(s)
	switch {
	case len(s) == 0 && at+len(more) > cap(a.block):
		a.block, at = memory.Make[T](max(len(more), a.next))[:0], 0
	case len(s) > 0 && (at < 0 || &a.block[at] != &s[0] || at+n+len(more) > cap(a.block)):
		return append(s[:n], more...)
	}
	a.block = append(a.block[:at+n], more...)
	return slices.Clip(a.block[at:])
}

// restart releases all slices except s, which it moves to the start of the arena.
func (a *arena[T]) restart(s []T) []T {
	if a.block = a.block[:0]; len(s) > cap(a.block) {
		return slices.Clip(s)
	}
	a.block = append(a.block, s...)
	return slices.Clip(a.block)
}

// descends reports whether a value is less than the previous one, even after rounding to float32.
func descends(before, value float64) bool { return float32(value) < float32(before) }

// checkText returns an error if the IDs of a topic have so many bytes that uint32 offsets overflow.
func checkText(id string, size int) error {
	if uint64(size) > math.MaxUint32 {
		return fmt.Errorf("topic %s: the document IDs are longer than 4 GiB in total", id)
	}
	return nil
}

// A likeness is text that several lines have in common.
type likeness struct {
	n           int       // number of bytes; 0 if the lines have nothing in common
	words, mask [2]uint64 // the first 16 bytes, and a mask that is 0 at bytes after the text
	rest        []byte
}

func (l *likeness) set(common []byte) {
	var first, counts [16]byte
	for i := range copy(first[:], common) {
		counts[i] = 0xff
	}
	l.n, l.rest = len(common), common[min(len(first), len(common)):]
	for i := range l.words {
		l.words[i], l.mask[i] = text.Word(first[:], 8*i), text.Word(counts[:], 8*i)
	}
}

// at reports whether b continues with the text at index i. Near the end of b, it always returns
// false.
func (l *likeness) at(b []byte, i int) bool {
	if l.n == 0 || i+16 > len(b) {
		return false
	}
	differ := (text.Word(b, i)^l.words[0])&l.mask[0] | (text.Word(b, i+8)^l.words[1])&l.mask[1]
	return differ == 0 && (len(l.rest) == 0 || bytes.HasPrefix(b[i+16:], l.rest))
}

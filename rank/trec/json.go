package trec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// This file reads and writes judgments and runs in the JSON format of ranx. The text is an object
// with a member for each topic. The value of a topic is an object that maps documents to their
// relevance or score.

// isJSON reports whether a text starts with a JSON object.
func isJSON(b []byte) bool {
	const space = " \t\r\n"
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte(text.ByteOrderMark)), space)
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	b = bytes.TrimLeft(b[1:], space)
	return len(b) > 0 && (b[0] == '"' || b[0] == '}')
}

// A jsonReader reads a JSON object in pieces that consist of whole topics.
type jsonReader struct {
	form     *form
	splitter *text.Splitter  // cuts the text into pieces
	begun    bool            // whether the first brace, which precedes the topics, was read
	there    map[string]bool // topics that were read and have documents
	column   int             // column of the first byte of the piece, counted from 0
}

// topicsEnd returns the end of the last topic in b, including its comma, so that b can be cut
// there. It returns 0 if b contains no topic that is followed by a comma and more text.
func (j *jsonReader) topicsEnd(b []byte) int {
	depth, end := 0, 0
	if j.begun {
		depth = 1
	}
	for i := 0; i < len(b)-1; i++ {
		switch b[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 1 {
				end = i + 1
			}
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		}
	}
	return end
}

// parse parses the topics of a piece. It modifies the piece: it writes a blank after each document
// ID, because IDs in lines also end with a blank.
func (j *jsonReader) parse(p *part, piece []byte) {
	p.reset(len(piece))
	t := jsonText{text: piece, end: len(piece) - text.Slack, column: j.column, more: j.splitter.Err() != io.EOF}
	if !t.more && piece[t.end-1] == '\n' { // the splitter adds a newline if the text does not end with one
		t.end--
	}
	p.err = j.topics(p, &t)
	p.begin()
	p.lines = bytes.Count(piece[:t.end], []byte{'\n'})
	if last := bytes.LastIndexByte(piece[:t.end], '\n'); last >= 0 {
		j.column = t.end - last - 1
	} else {
		j.column += t.end
	}
}

// topics parses the topics of a piece.
func (j *jsonReader) topics(p *part, t *jsonText) *rank.ParseError {
	whole := t.text
	line, counted := 1, 0 // line of the byte at index counted
	topic := func(topic span) *rank.ParseError {
		id := topic.of(whole)
		if j.there[string(id)] {
			return t.fail(topic, errors.New("the topic is repeated"))
		}
		before := len(p.documents)
		_, err := t.object("a document", text.FieldFault[[]byte], func(doc span) *rank.ParseError {
			whole[doc.hi] = ' '
			value := t.value()
			v, err := j.form.json(value.of(whole))
			if err != nil {
				return t.fail(value, fmt.Errorf("topic %s: document %s: %w", id, doc.of(whole), err))
			}
			line += bytes.Count(whole[counted:doc.lo], []byte("\n"))
			counted = doc.lo
			p.topic(id)
			hash, end := p.keep(whole, doc.lo)
			p.add(v, hash, end-doc.lo, line)
			return nil
		})
		if len(p.documents) > before {
			j.there[string(id)] = true
		}
		return err
	}
	read := t.members
	if !j.begun {
		read, j.begun = t.object, true
	}
	over, err := read("a topic", topicFault[[]byte], topic)
	if t.peek(); over && t.i < t.end {
		err = t.want("the end of the file")
	}
	return err
}

// A jsonText is JSON text that is being parsed.
type jsonText struct {
	text   []byte
	end, i int  // end of the text, and index of the next byte to parse
	column int  // column of the first byte of the text, counted from 0
	more   bool // whether another piece follows, which starts with a topic
}

// fail returns an error about a position in the text.
func (p *jsonText) fail(at span, err error) *rank.ParseError {
	before := p.text[:at.lo]
	column := at.lo - bytes.LastIndexByte(before, '\n')
	line := 1 + bytes.Count(before, []byte("\n"))
	if line == 1 {
		column += p.column
	}
	return &rank.ParseError{Line: line, Column: column, Text: text.Excerpt(string(at.of(p.text))), Err: err}
}

// want returns an error about the next byte. It states which text was expected.
func (p *jsonText) want(what string) *rank.ParseError {
	if p.i >= p.end {
		return p.fail(span{p.i, p.i}, fmt.Errorf("the file ends too early: expected %s", what))
	}
	line, _, _ := bytes.Cut(p.text[p.i:p.end], []byte{'\n'})
	return p.fail(span{p.i, p.i + len(line)}, fmt.Errorf("expected %s", what))
}

// peek skips white space and returns the next byte, or 0 at the end of the text.
func (p *jsonText) peek() byte {
	for ; p.i < p.end; p.i++ {
		if p.text[p.i] > ' ' {
			return p.text[p.i]
		}
	}
	return 0
}

// object parses an object. It calls member for each member, which must parse the value. The names
// of the members are IDs; what describes them in errors. fault returns the reason why a name is
// invalid, or "" if the name is valid. object reports whether the object has ended.
func (p *jsonText) object(what string, fault func(name []byte) string,
	member func(name span) *rank.ParseError) (over bool, err *rank.ParseError) {
	if p.peek() != '{' {
		return false, p.want("an object, which begins with a brace")
	}
	p.i++
	if p.peek() == '}' {
		p.i++
		return true, nil
	}
	return p.members(what, fault, member)
}

// members is like object, but starts at the name of a member instead of the brace.
func (p *jsonText) members(what string, fault func(name []byte) string,
	member func(name span) *rank.ParseError) (over bool, err *rank.ParseError) {
	for p.peek() != 0 || !p.more {
		name, err := p.identifier(what, fault)
		if err != nil {
			return false, err
		}
		if p.peek() != ':' {
			return false, p.want("a colon")
		}
		p.i++
		p.peek()
		if err := member(name); err != nil {
			return false, err
		}
		c := p.peek()
		if c != ',' && c != '}' {
			return false, p.want("a comma or a closing brace")
		}
		if p.i++; c == '}' {
			return true, nil
		}
	}
	return false, nil
}

// identifier parses a string and returns its position. It decodes the string in place. The caller
// may overwrite the byte after the result.
func (p *jsonText) identifier(of string, fault func(name []byte) string) (span, *rank.ParseError) {
	if p.peek() != '"' {
		return span{}, p.want("the ID of " + of + " in quotes")
	}
	at := span{p.i + 1, p.i + 1}
	escaped := false
	for ; at.hi < p.end && p.text[at.hi] != '"'; at.hi++ {
		if p.text[at.hi] < ' ' {
			break
		}
		if p.text[at.hi] == '\\' {
			escaped = true
			at.hi++
		}
	}
	if at.hi >= p.end || p.text[at.hi] != '"' {
		p.i = min(at.hi, p.end)
		return span{}, p.want("the end of a string in quotes")
	}
	p.i = at.hi + 1
	what := ""
	if escaped {
		s, err := text.Unquote(p.text[at.lo-1 : p.i])
		if err != nil {
			what = err.Error()
		} else {
			at.hi = at.lo + copy(p.text[at.lo:], s) // the decoded string is not longer than the encoded string
		}
	} else if !utf8.Valid(at.of(p.text)) {
		what = text.ErrUTF8.Error()
	}
	if what == "" {
		what = fault(at.of(p.text))
	}
	if what != "" {
		return span{}, p.fail(at, fmt.Errorf("the ID of %s %s", of, what))
	}
	return at, nil
}

// value returns the position of the next number, or of the text that takes the place of a number.
func (p *jsonText) value() span {
	at := span{p.i, p.i}
	for at.hi < p.end && p.text[at.hi] > ' ' && p.text[at.hi] != ',' && p.text[at.hi] != '}' {
		at.hi++
	}
	p.i = at.hi
	return at
}

// WriteJSON writes the judgments as JSON in the format of ranx, one line per topic. It returns an
// error if an ID is not UTF-8.
func (q *Qrels) WriteJSON(w io.Writer) error {
	j := newJSONWriter(w)
	for d := range q.All() {
		if err := j.add(d.Topic, d.Doc, strconv.Itoa(d.Relevance)); err != nil {
			return err
		}
	}
	return j.end()
}

// WriteJSON writes the run as JSON in the format of ranx, one line per topic. Scores have enough
// digits to be read back bit-identically. Topics and documents are in the order of [Run.All]. The
// Name is not written, because the format has no place for it. WriteJSON returns an error if an ID
// is not UTF-8 or if a score is infinite.
func (r *Run) WriteJSON(w io.Writer) error {
	j := newJSONWriter(w)
	for d := range r.All() {
		if math.IsInf(d.Score, 0) {
			return errs.Errorf("trec", "topic %s: document %s: the score is %v; scores must be finite in JSON", d.Topic, d.Doc,
				d.Score)
		}
		if err := j.add(d.Topic, d.Doc, strconv.FormatFloat(d.Score, 'g', -1, 64)); err != nil {
			return err
		}
	}
	return j.end()
}

// A jsonWriter writes documents, sorted by topic.
type jsonWriter struct {
	out   *bufio.Writer
	b     []byte // buffer for the text of a document
	topic string // topic of the previous document; "" if there is none
}

func newJSONWriter(w io.Writer) *jsonWriter {
	return &jsonWriter{out: bufio.NewWriterSize(w, writeSize)}
}

func (j *jsonWriter) add(topic, doc, number string) error {
	if !utf8.ValidString(topic) || !utf8.ValidString(doc) {
		return errs.Errorf("trec", "topic %q: document %q: IDs must be UTF-8 in JSON", topic, doc)
	}
	b := j.b[:0]
	switch j.topic {
	case topic:
		b = append(b, ", "...)
	case "":
		b = append(text.AppendQuoted(append(b, '{'), topic), ": {"...)
	default:
		b = append(text.AppendQuoted(append(b, "},\n"...), topic), ": {"...)
	}
	j.topic = topic
	j.b = append(append(text.AppendQuoted(b, doc), ": "...), number...)
	_, err := j.out.Write(j.b)
	return err
}

func (j *jsonWriter) end() error {
	last := "}}\n"
	if j.topic == "" {
		last = "{}\n"
	}
	if _, err := j.out.WriteString(last); err != nil {
		return err
	}
	return j.out.Flush()
}

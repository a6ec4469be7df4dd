package trec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// This file reads and writes files with three columns: judgments in the format of BEIR and MTEB,
// and runs in the format of MS MARCO. The first line determines whether a file has three columns.

// beirHeader is the first line of judgments in the format of BEIR and MTEB.
const beirHeader = "query-id\tcorpus-id\tscore"

// lastRank is the maximum rank in a run with three columns. A document at rank r gets the score
// 1/r, and these scores differ as float32 up to this rank.
const lastRank = 1 << 23

var (
	// beirForm describes judgments with a header line, and bareForm judgments without one.
	beirForm = &form{fields: 3, most: 3, names: 1, doc: 1, value: 2, quick: quickRelevance, parse: parseRelevance,
		twice: "is judged twice", empty: errNoJudgments}
	bareForm = new(*beirForm)
	rankForm = &form{fields: 3, most: 3, names: 1, doc: 1, value: 2, quick: quickRank, parse: parseRank,
		twice: "is retrieved twice", empty: errNoRetrieved}

	errNoRank    = fmt.Errorf("the rank is not an integer from 1 to %d", lastRank)
	errLikeRanks = errors.New("the relevances differ within each topic, so the file may be a run " +
		"(if it contains judgments, add the header query-id, corpus-id, score)")
)

func quickRank(b []byte, i int) (v float64, end int, ok bool) {
	v, end, ok = quickRelevance(b, i)
	return 1 / v, end, ok && v >= 1 && v <= lastRank
}

func parseRank(field []byte) (float64, error) {
	n, err := strconv.Atoi(string(field))
	if err != nil || n < 1 || n > lastRank {
		return 0, errNoRank
	}
	return 1 / float64(n), nil
}

// of returns the form of a file that starts with the given piece. The form is f.short if the first
// line has three fields that end with a number, beirForm if the first line is the header of BEIR
// judgments, and f otherwise. The header is replaced by a comment. It is an error if three fields
// have another form.
func (f *form) of(piece []byte) (*form, *rank.ParseError) {
	any := scanner{form: &form{fields: 1, most: math.MaxInt}, text: piece, end: len(piece) - text.Slack}
	if f.short == nil || !any.next() {
		return f, nil
	}
	line := piece[any.start : any.i-1]
	fields := bytes.FieldsFunc(line, func(r rune) bool { return r <= ' ' })
	if len(fields) != 3 {
		return f, nil
	}
	_, err := parseScore(fields[2])
	if err == nil {
		return f.short, nil
	}
	header := strings.ReplaceAll(strings.ToLower(string(bytes.Join(fields, []byte("\t")))), "_", "-")
	switch {
	case f == runForm && header == beirHeader:
		err = errors.New("this header belongs to judgments, not to a run")
	case f == runForm:
		err = errNoRank
	case header == beirHeader:
		piece[any.start] = '#'
		return beirForm, nil
	default:
		err = errors.New("three fields must be a topic, a document and its relevance, or the header query-id, corpus-id, score")
	}
	return nil, &rank.ParseError{Line: any.line, Text: text.Excerpt(bytes.TrimSpace(line)), Err: err}
}

// checkDistinct returns an error if judgments without a header look like a run: the relevances
// within each topic are distinct and not negative, and a topic has more than three of them.
func (f *form) checkDistinct(topics []topic, file string) error {
	if f != bareForm {
		return nil
	}
	line := 0
	for i := range topics {
		t := &topics[i]
		seen := make(map[float64]bool, min(t.docs(), 16))
		for _, d := range t.documents {
			if d.value < 0 || seen[d.value] {
				return nil
			}
			seen[d.value] = true
		}
		if line == 0 && t.docs() > 3 {
			line = t.line(0)
		}
	}
	if line == 0 {
		return nil
	}
	return &rank.ParseError{File: file, Line: line, Err: errLikeRanks}
}

// checkRanks returns an error if two documents of a topic have the same rank.
func (f *form) checkRanks(topics []topic, file string) error {
	if f != rankForm {
		return nil
	}
	for i := range topics {
		t := &topics[i]
		if t.sorted {
			continue
		}
		first := make(map[float64]int, t.docs())
		for d, document := range t.documents {
			same, twice := first[document.value]
			if twice {
				return &rank.ParseError{File: file, Line: t.line(d), Text: string(t.doc(d)),
					Err: fmt.Errorf("topic %s: rank %.0f occurs twice, first in line %d", t.id, 1/document.value,
						t.line(same))}
			}
			first[document.value] = d
		}
	}
	return nil
}

// WriteBEIR writes the judgments as a TSV file with a header, as in BEIR and MTEB.
func (q *Qrels) WriteBEIR(w io.Writer) error {
	out := bufio.NewWriterSize(w, writeSize)
	fmt.Fprintln(out, beirHeader) // Flush returns the error
	for j := range q.All() {
		if _, err := fmt.Fprintf(out, "%s\t%s\t%d\n", j.Topic, j.Doc, j.Relevance); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteMSMARCO writes the judgments as in MS MARCO: TREC's four fields, separated by tabs.
func (q *Qrels) WriteMSMARCO(w io.Writer) error { return q.write(w, '\t') }

// WriteMSMARCO writes the run as in MS MARCO: topic, document and rank, separated by tabs. The Name
// and the scores are not written.
func (r *Run) WriteMSMARCO(w io.Writer) error {
	out := bufio.NewWriterSize(w, writeSize)
	var o runOrder
	for i := range r.topics {
		t := &r.topics[i]
		keys := o.of(t)
		for rank := range t.documents {
			if _, err := fmt.Fprintf(out, "%s\t%s\t%d\n", t.id, t.doc(ranked(keys, rank)), rank+1); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

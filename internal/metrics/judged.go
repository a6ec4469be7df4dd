package metrics

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
)

// A List is one query: its documents, in any order, with their labels and scores.
type List struct {
	Labels, Scores []float64
	Unretrieved    []float64       // labels of judged documents that are not in the list
	Subtopics      []SubtopicLabel // nil if there are no subtopic judgments
	Reference      *Reference      // nil if there is no other ranking
	TieKeys        []int64         // for TiesByKey
}

// judged is the first stage of a query: its documents, each with a label and a score in the most
// compact form that loses nothing.
type judged struct {
	list    *List   // without the unjudged documents under JudgedOnly
	dropped []int32 // those
	n       int     // documents of the list

	graded bool    // the labels are grades
	grades []uint8 // of the documents then
	folded bool    // FoldedGrade stands for unjudgedGrade, and no document has a higher grade

	scores []float32 // rounded
	exact  bool      // without loss, or with one that the policy asks for

	kept   List // memory of a list without unjudged documents
	bytes  []uint8
	folds  []uint8
	floats []float32
}

// set takes a list.
func (j *judged) set(p *Policy, l *List) error {
	j.list, j.dropped, j.folded, j.graded = l, j.dropped[:0], false, false
	if err := j.check(p); err != nil {
		return err
	}
	if p.JudgedOnly {
		j.condense(p)
	}
	j.n = len(j.list.Labels)
	if j.n > math.MaxInt32 {
		return fmt.Errorf("%d documents exceed the limit of %d", j.n, math.MaxInt32)
	}
	j.grade(p)
	j.floats, j.exact = slices.Grow(j.floats[:0], j.n)[:j.n], true
	floats := j.floats // not read again for each document
	for i, v := range j.list.Scores {
		f := float32(v)
		if float64(f) != v && v == v {
			j.exact = p.Single
		}
		floats[i] = f
	}
	j.scores = j.floats
	return nil
}

var noList List // the list of grades, never written

// setGrades takes a list in the form that set makes of one.
func (j *judged) setGrades(p *Policy, grades []uint8, scores []float32) error {
	j.list, j.dropped, j.folded = &noList, j.dropped[:0], false
	switch {
	case len(grades) != len(scores):
		return fmt.Errorf("the number of grades is %d; it must be %d, one per score", len(grades), len(scores))
	case len(grades) > math.MaxInt32:
		return fmt.Errorf("%d documents exceed the limit of %d", len(grades), math.MaxInt32)
	case p.Ties == TiesByKey:
		return errors.New("tie keys are not supported for grades")
	}
	if p.JudgedOnly {
		j.bytes, j.floats = j.bytes[:0], j.floats[:0]
		for i, g := range grades {
			if g == unjudgedGrade {
				j.dropped = append(j.dropped, int32(i))
				continue
			}
			j.bytes, j.floats = append(j.bytes, g), append(j.floats, scores[i])
		}
		grades, scores = j.bytes, j.floats
	}
	j.n, j.graded, j.exact = len(grades), true, true
	j.grades, j.scores = grades, scores
	return nil
}

func (j *judged) check(p *Policy) error {
	l := j.list
	if len(l.Labels) != len(l.Scores) {
		return fmt.Errorf("the number of labels is %d; it must be %d, one per score", len(l.Labels), len(l.Scores))
	}
	if p.Ties == TiesByKey && len(l.TieKeys) != len(l.Scores) {
		return fmt.Errorf("the number of tie keys is %d; it must be %d, one per score", len(l.TieKeys), len(l.Scores))
	}
	for i, v := range l.Labels {
		if v != v {
			return j.labelError(i, &LabelError{Err: errors.New("the label is NaN; it must be a number")})
		}
	}
	for i, v := range l.Unretrieved {
		if v != v {
			return j.unretrievedError(i, &LabelError{Err: errors.New("the label is NaN; it must be a number")})
		}
	}
	return nil
}

// condense leaves unjudged documents out.
func (j *judged) condense(p *Policy) {
	k := &j.kept
	*k = List{k.Labels[:0], k.Scores[:0], j.list.Unretrieved, j.list.Subtopics, j.list.Reference, k.TieKeys[:0]}
	for i, l := range j.list.Labels {
		if p.unjudged(l) {
			j.dropped = append(j.dropped, int32(i))
			continue
		}
		k.Labels = append(k.Labels, l)
		k.Scores = append(k.Scores, j.list.Scores[i])
		if j.list.TieKeys != nil {
			k.TieKeys = append(k.TieKeys, j.list.TieKeys[i])
		}
	}
	j.list = k
}

// place returns the number, from 0, that the caller knows document i of the list by.
func (j *judged) place(i int) int {
	for _, d := range j.dropped {
		if int(d) <= i {
			i++
		}
	}
	return i
}

// index returns the place in the list of a document that the caller counts from 0, −1 when it was
// left out.
func (j *judged) index(document int) int {
	before, dropped := slices.BinarySearch(j.dropped, int32(document))
	if dropped {
		return -1
	}
	return document - before
}

// labelError completes an error about the label of the list's document i.
func (j *judged) labelError(i int, e *LabelError) error {
	e.Document, e.Label = j.place(i), j.label(i)
	return e
}

// unretrievedError completes an error about the label of document i of those not retrieved.
func (j *judged) unretrievedError(i int, e *LabelError) error {
	e.Document, e.Label = len(j.list.Labels)+len(j.dropped)+i, j.list.Unretrieved[i]
	return e
}

// grade turns the labels into grades, if they are such.
func (j *judged) grade(p *Policy) {
	j.bytes, j.graded = slices.Grow(j.bytes[:0], j.n)[:j.n], false
	grades := j.bytes // not read again for each document
	for i, v := range j.list.Labels {
		g := uint8(int(v))
		if float64(g) != v || g == unjudgedGrade {
			if !p.unjudged(v) {
				return
			}
			g = unjudgedGrade
		}
		grades[i] = g
	}
	for _, v := range j.list.Unretrieved {
		if g := uint8(int(v)); (float64(g) != v || g == unjudgedGrade) && !p.unjudged(v) {
			return
		}
	}
	j.grades, j.graded = j.bytes, true
}

// fold makes the grade of unjudged documents FoldedGrade, if there are such documents and no others
// have it or a higher grade.
func (j *judged) fold(p *Policy) {
	if j.folded || !p.NegativeUnjudged || bytes.IndexByte(j.grades, unjudgedGrade) < 0 {
		return
	}
	j.folds = slices.Grow(j.folds[:0], j.n)[:j.n]
	if j.folded = order.FoldU8(j.folds, j.grades); j.folded {
		j.grades = j.folds
	}
}

// label returns the label of the list's document i.
func (j *judged) label(i int) float64 {
	if j.graded {
		return labelOf[j.grades[i]]
	}
	return j.list.Labels[i]
}

// score returns the score of the list's document i.
func (j *judged) score(i int) float64 {
	if j.exact { // rounding loses nothing, or nothing that counts
		return float64(j.scores[i])
	}
	return j.list.Scores[i]
}

// unretrieved returns the labels of documents that the list lacks, as far as they count.
func (j *judged) unretrieved(p *Policy) []float64 {
	if p.RetrievedOnly {
		return nil
	}
	return j.list.Unretrieved
}

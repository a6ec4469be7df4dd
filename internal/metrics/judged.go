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
// compact lossless form.
type judged struct {
	list    *List   // with JudgedOnly, without the unjudged documents
	dropped []int32 // the indices of the unjudged documents that list lacks
	n       int     // number of documents in list

	graded bool    // whether the labels are grades
	grades []uint8 // the grades of the documents, if graded
	folded bool    // whether unjudgedGrade is replaced by FoldedGrade, which is then the highest grade

	scores []float32 // the scores rounded to float32
	exact  bool      // whether rounding lost nothing, or the policy asks for rounding

	kept   List // memory for a list without unjudged documents
	bytes  []uint8
	folds  []uint8
	floats []float32
}

// set starts a query with the given list.
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
	floats := j.floats // a local, not reloaded for each document
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

var noList List // stands for the list of a query given as grades; never modified

// setGrades starts a query with documents that are already in the form set converts a list to.
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

// condense removes unjudged documents from the list.
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

// place returns the index of document i of the list in the caller's list.
func (j *judged) place(i int) int {
	for _, d := range j.dropped {
		if int(d) <= i {
			i++
		}
	}
	return i
}

// index is the inverse of place. It returns −1 for a document that was left out.
func (j *judged) index(document int) int {
	before, dropped := slices.BinarySearch(j.dropped, int32(document))
	if dropped {
		return -1
	}
	return document - before
}

// labelError adds document i of the list to an error about its label.
func (j *judged) labelError(i int, e *LabelError) error {
	e.Document, e.Label = j.place(i), j.label(i)
	return e
}

// unretrievedError adds unretrieved document i to an error about its label.
func (j *judged) unretrievedError(i int, e *LabelError) error {
	e.Document, e.Label = len(j.list.Labels)+len(j.dropped)+i, j.list.Unretrieved[i]
	return e
}

// grade converts the labels to grades if all of them can be.
func (j *judged) grade(p *Policy) {
	j.bytes, j.graded = slices.Grow(j.bytes[:0], j.n)[:j.n], false
	grades := j.bytes // a local, not reloaded for each document
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

// fold replaces unjudgedGrade by FoldedGrade if some documents are unjudged and no others have this
// or a higher grade.
func (j *judged) fold(p *Policy) {
	if j.folded || !p.NegativeUnjudged || bytes.IndexByte(j.grades, unjudgedGrade) < 0 {
		return
	}
	j.folds = slices.Grow(j.folds[:0], j.n)[:j.n]
	if j.folded = order.FoldU8(j.folds, j.grades); j.folded {
		j.grades = j.folds
	}
}

// label returns the label of document i of the list.
func (j *judged) label(i int) float64 {
	if j.graded {
		return labelOf[j.grades[i]]
	}
	return j.list.Labels[i]
}

// score returns the score of document i of the list.
func (j *judged) score(i int) float64 {
	if j.exact { // rounding loses nothing, or nothing that counts
		return float64(j.scores[i])
	}
	return j.list.Scores[i]
}

// unretrieved returns the labels of documents that are not in the list, unless the policy ignores
// them.
func (j *judged) unretrieved(p *Policy) []float64 {
	if p.RetrievedOnly {
		return nil
	}
	return j.list.Unretrieved
}

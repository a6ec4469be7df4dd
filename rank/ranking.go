package rank

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/correlation"
	"github.com/simdrank/simdrank/internal/measures"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/kernels"
)

// A ranking is one query in the order of its scores, as the measures see it. Slices are in rank
// order, and hold the first ranks that the plan asks for and those tied with the last of them.
type ranking struct {
	o *policy

	n           int       // documents of the list
	relevant    int       // relevant documents, those that were not retrieved included
	nonrelevant int       // judged documents that are not relevant, likewise
	labelPairs  float64   // pairs with different labels, once pairAccuracy has counted them
	labels      []float64 // absent when only gains of grades are wanted
	// where the tied documents of each rank end; empty when every document stands alone
	ends        []int32
	gains       []float64       // mean gain of the tied documents
	chances     []float64       // share of relevant documents among the tied ones
	ideal       []float64       // gains in ideal order
	idealSums   []idealSum      // DCGs of its heads that were asked for
	idealOf     [together]int64 // documents of each grade that it was made of
	idealLevels int             // grades that idealOf tells of; 0 when it was made otherwise
	discounts   []float64       // of the policy, as many as discountTo was asked for
	labelsEqual bool

	list       List    // what is ranked
	kept       List    // scratch: the list without unjudged documents
	dropped    []int32 // those
	graded     bool    // the labels are in grades
	grades     []uint8
	counts     [256]int64 // documents of each grade, those not retrieved included
	levels     int        // grades that are counted together: those seen so far
	unjudged   bool       // some grade is unjudgedGrade, which levels does not tell
	folded     bool       // unjudgedFolded stands for it, and no document has a higher grade
	single     []float32  // scores, rounded
	exact      bool       // without loss, or with one that the policy asks for
	bytes      []uint8    // scratch: grades of a list
	folds      []uint8    // scratch: grades, folded
	floats     []float32  // scratch: scores of a list
	keys       []int64    // of the documents in rank order
	gradeInKey bool       // and their grades, but not their plain indices
	gained     bool       // gains are filled without them
	tied       bool       // the query before had ties: this one is not taken to have none
	space      [2][]int64 // scratch: the keys' memory, and what sorts need

	user       measures.Cascade
	spearmanOf correlation.Spearman
	x, y       []float64 // labels and scores, for the measures of pairs
	u, v       []float64 // scratch: labels and gains
	topic      measures.Topic
	overlap    measures.Overlap
	given      []int32   // ranks in the reference ranking, of the documents of the list
	refs       []int32   // the same in rank order
	taken      []bool    // scratch: judged documents, ranks of the reference that a document has
	common     []float64 // documents that the first ranks of both have in common
	tau        correlation.WeightedTau
	pairsOf    KendallWorkspace
}

// set ranks a list.
func (r *ranking) set(p *plan, l *List) error {
	r.o, r.list, r.dropped = &p.o, *l, r.dropped[:0]
	if err := r.check(); err != nil {
		return err
	}
	if r.o.judging[JudgedOnly] {
		r.condense()
	}
	r.n = len(r.list.Labels)
	r.grade()
	r.floats, r.exact = slices.Grow(r.floats[:0], r.n)[:r.n], true
	floats := r.floats // not read again for each document
	for i, v := range r.list.Scores {
		f := float32(v)
		if float64(f) != v && v == v {
			r.exact = r.o.single
		}
		floats[i] = f
	}
	r.single = r.floats
	return r.rank(p)
}

// setGrades ranks documents with grades.
func (r *ranking) setGrades(p *plan, grades []uint8, scores []float32) error {
	r.o, r.dropped = &p.o, r.dropped[:0]
	if len(grades) != len(scores) {
		return fmt.Errorf("%d grades for %d scores", len(grades), len(scores))
	}
	if r.o.ties == TiesByKey {
		return errors.New("grades have no tie keys")
	}
	r.list = List{}
	r.n, r.graded, r.exact = len(grades), true, true
	r.grades, r.single = grades, scores
	if r.o.judging[JudgedOnly] {
		r.bytes, r.floats = r.bytes[:0], r.floats[:0]
		for i, g := range grades {
			if g == unjudgedGrade {
				r.dropped = append(r.dropped, int32(i))
				continue
			}
			r.bytes, r.floats = append(r.bytes, g), append(r.floats, scores[i])
		}
		r.n, r.grades, r.single = len(r.bytes), r.bytes, r.floats
	}
	return r.rank(p)
}

func (r *ranking) check() error {
	l := &r.list
	if len(l.Labels) != len(l.Scores) {
		return fmt.Errorf("%d labels for %d scores", len(l.Labels), len(l.Scores))
	}
	if r.o.ties == TiesByKey && len(l.TieKeys) != len(l.Scores) {
		return fmt.Errorf("%d tie keys for %d scores", len(l.TieKeys), len(l.Scores))
	}
	for i, v := range l.Labels {
		if v != v {
			return r.labelError(i, errors.New("the label is NaN"))
		}
	}
	for i, v := range l.Unretrieved {
		if v != v {
			return r.unretrievedError(i, errors.New("the label is NaN"))
		}
	}
	return nil
}

// condense leaves unjudged documents out.
func (r *ranking) condense() {
	k := &r.kept
	k.Labels, k.Scores, k.TieKeys = k.Labels[:0], k.Scores[:0], k.TieKeys[:0]
	for i, l := range r.list.Labels {
		if r.o.unjudged(l) {
			r.dropped = append(r.dropped, int32(i))
			continue
		}
		k.Labels = append(k.Labels, l)
		k.Scores = append(k.Scores, r.list.Scores[i])
		if r.list.TieKeys != nil {
			k.TieKeys = append(k.TieKeys, r.list.TieKeys[i])
		}
	}
	r.list.Labels, r.list.Scores, r.list.TieKeys = k.Labels, k.Scores, k.TieKeys
}

// place returns the number, from 1, that the caller knows document i of the list by.
func (r *ranking) place(i int) int {
	for _, d := range r.dropped {
		if int(d) <= i {
			i++
		}
	}
	return i + 1
}

// index returns the place in the list of a document that the caller counts from 0, −1 when it was
// left out.
func (r *ranking) index(document int) int {
	before, dropped := slices.BinarySearch(r.dropped, int32(document))
	if dropped {
		return -1
	}
	return document - before
}

// labelError returns an error about the label of the list's document i.
func (r *ranking) labelError(i int, err error) error {
	place := r.place(i)
	if r.list.Place != nil {
		if e := r.list.Place(place-1, r.list.Labels[i]); e != nil {
			e.Err = err
			return e
		}
	}
	return fmt.Errorf("document %d: %w", place, err)
}

// unretrievedError returns an error about the label of document i of those not retrieved.
func (r *ranking) unretrievedError(i int, err error) error {
	if r.list.Place != nil {
		if e := r.list.Place(len(r.list.Labels)+len(r.dropped)+i, r.list.Unretrieved[i]); e != nil {
			e.Err = err
			return e
		}
	}
	return fmt.Errorf("document %d of those not retrieved: %w", i+1, err)
}

// grade turns the labels into grades, if they are such.
func (r *ranking) grade() {
	r.bytes, r.graded = slices.Grow(r.bytes[:0], r.n)[:r.n], false
	bytes := r.bytes // not read again for each document
	for i, v := range r.list.Labels {
		g := uint8(int(v))
		if float64(g) != v || g == unjudgedGrade {
			if !r.o.unjudged(v) {
				return
			}
			g = unjudgedGrade
		}
		bytes[i] = g
	}
	for _, v := range r.list.Unretrieved {
		if g := uint8(int(v)); (float64(g) != v || g == unjudgedGrade) && !r.o.unjudged(v) {
			return
		}
	}
	r.grades, r.graded = r.bytes, true
}

// label returns the label of the list's document i.
func (r *ranking) label(i int) float64 {
	if r.graded {
		return labelOf[r.grades[i]]
	}
	return r.list.Labels[i]
}

// score returns the score of the list's document i.
func (r *ranking) score(i int) float64 {
	if r.exact { // rounding loses nothing, or nothing that counts
		return float64(r.single[i])
	}
	return r.list.Scores[i]
}

// rank sorts the documents and fills what the plan asks for.
func (r *ranking) rank(p *plan) error {
	r.labelPairs, r.folded = 0, false
	if r.n > math.MaxInt32 {
		return fmt.Errorf("%d documents: more than %d", r.n, math.MaxInt32)
	}
	if !r.tied && r.n >= topKFrom && r.n <= order.BestGainsLimit && p.depth > 0 && p.depth < together &&
		r.compact(p) {
		r.fold()
		if r.bestGains(p) {
			return r.judge(p)
		}
	}
	if nan := r.sort(p); nan && r.o.nans == NaNError {
		i := slices.IndexFunc(r.single, func(v float32) bool { return v != v })
		return fmt.Errorf("document %d: the score is NaN", r.place(i))
	}
	if p.needs&(needGains|needBinary) != 0 {
		if err := r.judge(p); err != nil {
			return err
		}
	}
	r.resolve()
	if r.compact(p) {
		r.gainsOfKeys(p)
		return nil
	}
	r.group()
	n := len(r.keys)
	r.labels, r.gains = slices.Grow(r.labels[:0], n)[:n], r.gains[:0]
	if p.needs&needGains != 0 {
		r.gains = slices.Grow(r.gains, n)[:n]
	}
	r.fill(p, r.labels, r.gains)
	if p.needs&needGains != 0 {
		r.average(r.gains)
	}
	if p.needs&needBinary != 0 {
		r.chance()
	}
	if p.needs&needPairs != 0 {
		r.labelsEqual = !r.pairs()
	}
	if p.needs&needSubtopics != 0 {
		if err := r.checkSubtopics(); err != nil {
			return err
		}
		r.judgeSubtopics(p)
	}
	if p.needs&needReference != 0 {
		return r.refer()
	}
	return nil
}

// fill fills labels in rank order, and gains unless they have no elements.
func (r *ranking) fill(p *plan, labels, gains []float64) {
	if !r.graded {
		for i, key := range r.keys {
			labels[i] = r.list.Labels[order.KeyIndex(key)]
		}
		for i := range gains {
			gains[i], _ = r.o.gainOf(labels[i]) // judge has seen that there is one
		}
		return
	}
	grades := r.grades // not read again for each document
	for i, key := range r.keys {
		grade := grades[order.KeyIndex(key)]
		labels[i] = labelOf[grade]
		if len(gains) > 0 {
			gains[i] = p.gains[grade]
		}
	}
}

// chance fills the chances of relevance.
func (r *ranking) chance() {
	r.chances = r.chances[:0]
	for _, l := range r.labels {
		r.chances = append(r.chances, r.relevance(l))
	}
	r.average(r.chances)
}

// judgeBy goes over to a plan that differs in the labels that are relevant.
func (r *ranking) judgeBy(p *plan) {
	r.o = &p.o
	if p.needs&needBinary != 0 {
		if err := r.judge(p); err != nil {
			panic(err) // labels are those of the plan before
		}
		r.chance()
	}
	if p.needs&needSubtopics != 0 {
		r.judgeSubtopics(p)
	}
}

// compact reports whether the plan needs no more of a document than its score as a float32 and its
// grade.
func (r *ranking) compact(p *plan) bool {
	return p.needs == needGains && r.graded && r.exact && !r.o.ties.reorders()
}

// defined reports whether the query leaves measures of these needs with a value.
func (r *ranking) defined(needs need) bool {
	switch {
	case needs&needGains != 0 && (len(r.ideal) == 0 || r.ideal[0] == 0), needs&needBinary != 0 && r.relevant == 0:
		return false
	case needs&needPairs != 0 && r.labelsEqual, needs&needSubtopics != 0 && r.topic.Subtopics() == 0:
		return false
	}
	return true
}

// short reports whether the policy gives a list of this length 0 at cutoff k.
func (r *ranking) short(k int) bool { return r.o.shortZero && r.n < k }

// weigh sums the first k gains times discounts.
func (r *ranking) weigh(gains []float64, k int) float64 {
	return kernels.DotF64(gains[:k], r.discountTo(k))
}

// discountTo returns the discounts of the first k ranks.
func (r *ranking) discountTo(k int) []float64 {
	if len(r.discounts) < k {
		r.discounts = discounts(r.o.discount, k)
	}
	return r.discounts[:k]
}

// relevance is 1 for a relevant document, else 0.
func (r *ranking) relevance(label float64) float64 {
	if r.o.isRelevant(label) {
		return 1
	}
	return 0
}

// relevantIn counts relevant documents at ranks lo to hi-1.
func (r *ranking) relevantIn(lo, hi int) int {
	n := 0
	for _, l := range r.labels[lo:hi] {
		if r.o.isRelevant(l) {
			n++
		}
	}
	return n
}

// judgedIn counts judged documents, as all relevant ones are, at ranks lo to hi-1.
func (r *ranking) judgedIn(lo, hi int) int {
	n := 0
	for _, l := range r.labels[lo:hi] {
		if !r.o.unjudged(l) {
			n++
		}
	}
	return n
}

// hits returns the expected number of relevant documents among the first k.
func (r *ranking) hits(k int) float64 {
	sum := 0.0
	for _, c := range r.chances[:k] {
		sum += c
	}
	return sum
}

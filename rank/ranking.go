package rank

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/topk"
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
	discounts   []float64       // of the policy, at least as many as ranks
	labelsEqual bool

	list       List    // what is ranked
	kept       List    // scratch: the list without unjudged documents
	dropped    []int32 // those
	graded     bool    // the labels are in grades
	grades     []uint8
	counts     [256]int64 // documents of each grade, those not retrieved included
	levels     int        // grades that are counted together: those seen so far
	single     []float32  // scores, rounded
	exact      bool       // without loss, or with one that the policy asks for
	bytes      []uint8    // scratch: grades of a list
	floats     []float32  // scratch: scores of a list
	keys       []int64    // of the documents in rank order
	gradeInKey bool       // and their grades, but not their plain indices
	space      [3][]int64 // scratch: the keys' memory, and what sorts need

	stops   []float64    // scratch of cascade: probabilities
	pass    [3][]float64 // scratch of passing
	order   []int32      // scratch of midRanks
	x, y    []float64    // labels and scores, for the measures of pairs
	u, v    []float64    // scratch: their ranks
	tau     weightedTau
	pairsOf KendallWorkspace
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
	r.floats, r.exact = r.floats[:0], true
	for _, v := range r.list.Scores {
		f := float32(v)
		r.exact = r.exact && (float64(f) == v || v != v || r.o.single)
		r.floats = append(r.floats, f)
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
		return fmt.Errorf("grades have no tie keys")
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
	r.bytes, r.graded = r.bytes[:0], false
	for _, v := range r.list.Labels {
		g := uint8(int(v))
		if float64(g) != v || g == unjudgedGrade {
			if !r.o.unjudged(v) {
				return
			}
			g = unjudgedGrade
		}
		r.bytes = append(r.bytes, g)
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
		return labelOf(r.grades[i])
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
	r.labelPairs = 0
	if r.n > math.MaxInt32 {
		return fmt.Errorf("%d documents: more than %d", r.n, math.MaxInt32)
	}
	if r.n >= topKFrom && r.n <= topk.TopGainsLimit && p.depth > 0 && p.depth < together && r.compact(p) &&
		r.topGains(p) {
		return r.judge(p)
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
	r.gains, r.chances, r.labels = r.gains[:0], r.chances[:0], r.labels[:0]
	if r.compact(p) {
		r.gainsOfKeys(p)
		return nil
	}
	r.group()
	for _, key := range r.keys {
		r.labels = append(r.labels, r.label(order.KeyIndex(key)))
	}
	if p.needs&needGains != 0 {
		for _, l := range r.labels {
			g, _ := r.o.gainOf(l) // judge has seen that there is one
			r.gains = append(r.gains, g)
		}
		r.average(r.gains)
	}
	if p.needs&needBinary != 0 {
		for _, l := range r.labels {
			r.chances = append(r.chances, r.relevance(l))
		}
		r.average(r.chances)
	}
	if p.needs&needPairs != 0 {
		r.labelsEqual = !r.pairs()
	}
	return nil
}

// topGains fills the gains of the best documents, and reports whether it could, which leaves judge
// to do.
func (r *ranking) topGains(p *plan) bool {
	r.makeSpace()
	r.gains = slices.Grow(r.gains[:0], together)[:together]
	_, ok := topk.TopGainsF32((*[together]float64)(r.gains), r.space[0], r.single, r.grades,
		(*[together]float64)(p.gains[:]), p.depth)
	r.gains, r.keys, r.ends = r.gains[:p.depth], r.keys[:0], r.ends[:0]
	return ok
}

// makeSpace makes what the search for the best documents needs.
func (r *ranking) makeSpace() {
	for i := range 2 {
		if r.space[i] == nil {
			r.space[i] = make([]int64, max(topk.TopKSpace, topk.TopGainsSpace))
		}
	}
}

// compact tells whether the plan needs no more of a document than its score as a float32 and its
// grade.
func (r *ranking) compact(p *plan) bool {
	return p.needs == needGains && r.graded && r.exact && !r.o.ties.reorders()
}

// gainsOfKeys fills gains, and groups of ties, from grades and keys alone.
func (r *ranking) gainsOfKeys(p *plan) {
	n := len(r.keys)
	r.gains = slices.Grow(r.gains, n)[:n]
	gains, grades, table := r.gains, r.grades, &p.gains // not read again for each document
	ties := false
	if r.gradeInKey && r.levels <= together {
		ties = topk.GainsOfKeysF64(gains, r.keys, (*[together]float64)(table[:]))
	} else {
		last := int64(math.MinInt64) // which is no key
		for i, key := range r.keys {
			grade := topk.KeyGrade(key)
			if !r.gradeInKey {
				grade = grades[order.KeyIndex(key)]
			}
			gains[i] = table[grade]
			ties = ties || order.KeyTied(key, last)
			last = key
		}
	}
	r.ends = r.ends[:0]
	if ties {
		r.group()
		r.average(r.gains)
	}
}

// topKFrom is the number of documents from which the best of them are looked for before they are
// sorted.
const topKFrom = 48

// sort fills keys with the best documents, all of them when the plan's depth is 0, and reports
// whether a score is NaN.
func (r *ranking) sort(p *plan) (nan bool) {
	depth := p.depth
	r.gradeInKey = false
	if depth > 0 && topKPays(r.n, depth) {
		r.makeSpace()
		n, nan, ok := topk.TopKF32(r.space[0], r.space[1], r.single, depth)
		if ok || nan && r.o.nans == NaNError {
			r.keys = r.space[0][:n]
			return nan
		}
	}
	for i := range 2 {
		if cap(r.space[i]) < r.n {
			r.space[i] = make([]int64, max(r.n, topk.TopKSpace))
		}
		r.space[i] = r.space[i][:cap(r.space[i])]
	}
	r.keys = r.space[0][:r.n]
	if r.gradeInKey = r.compact(p) && r.n <= topk.MostGraded; r.gradeInKey {
		nan = topk.RankGradesF32(r.keys, r.single, r.grades)
	} else {
		nan = topk.RankKeysF32(r.keys, r.single)
	}
	order.SortKeys(r.keys, r.space[1][:r.n])
	return nan
}

// resolve orders documents whose keys are tied: by scores that differ only beyond float32, and as
// the policy says.
func (r *ranking) resolve() {
	if r.exact && !r.o.ties.reorders() {
		return
	}
	for lo := 0; lo < len(r.keys); {
		hi := lo + 1
		for hi < len(r.keys) && order.KeyTied(r.keys[lo], r.keys[hi]) {
			hi++
		}
		if hi > lo+1 {
			slices.SortFunc(r.keys[lo:hi], r.compareTied)
		}
		lo = hi
	}
}

func (r *ranking) compareTied(ka, kb int64) int {
	a, b := order.KeyIndex(ka), order.KeyIndex(kb)
	if c := cmp.Compare(r.score(b), r.score(a)); c != 0 {
		return c
	}
	c := 0
	switch r.o.ties {
	case TiesPessimistic:
		c = cmp.Compare(r.label(a), r.label(b))
	case TiesOptimistic:
		c = cmp.Compare(r.label(b), r.label(a))
	case TiesByKey:
		c = cmp.Compare(r.list.TieKeys[b], r.list.TieKeys[a])
	}
	if c == 0 {
		c = cmp.Compare(a, b)
	}
	return c
}

// tiedAt tells whether the documents at ranks i-1 and i have equal scores, NaNs being equal to each
// other.
func (r *ranking) tiedAt(i int) bool {
	a, b := r.keys[i-1], r.keys[i]
	return order.KeyTied(a, b) && (r.exact || equalOrNaN(r.score(order.KeyIndex(a)), r.score(order.KeyIndex(b))))
}

func equalOrNaN(a, b float64) bool { return a == b || a != a && b != b }

// group finds the tied documents, when the policy averages over them.
func (r *ranking) group() {
	r.ends = r.ends[:0]
	if r.o.ties != TiesAverage {
		return
	}
	n, first := len(r.keys), 1
	for first < n && !r.tiedAt(first) {
		first++
	}
	if first >= n {
		return
	}
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && r.tiedAt(hi) {
			hi++
		}
		for ; lo < hi; lo++ {
			r.ends = append(r.ends, int32(hi))
		}
	}
}

// end returns the end of the group of tied ranks that begins at lo.
func (r *ranking) end(lo int) int {
	if len(r.ends) == 0 {
		return lo + 1
	}
	return int(r.ends[lo])
}

// average replaces values by the means of tied documents.
func (r *ranking) average(v []float64) {
	for lo := 0; lo < len(r.ends); {
		hi := r.end(lo)
		sum := 0.0
		for _, x := range v[lo:hi] {
			sum += x
		}
		for mean := sum / float64(hi-lo); lo < hi; lo++ {
			v[lo] = mean
		}
	}
}

// judge counts relevant and other documents and fills the ideal ranking.
func (r *ranking) judge(p *plan) error {
	unretrieved := r.list.Unretrieved
	if r.o.judging[RetrievedOnly] {
		unretrieved = nil
	}
	r.relevant, r.nonrelevant = 0, 0
	most := math.MaxInt // ranks of the ideal that are wanted
	if p.depth > 0 {
		most = p.depth
	}
	if r.graded {
		if err := r.countGrades(p, unretrieved); err != nil {
			return err
		}
		if p.needs&needBinary != 0 {
			for g, n := range r.counts[:r.levels] {
				if p.relevant[g] {
					r.relevant += int(n)
				} else {
					r.nonrelevant += int(n)
				}
			}
		}
		if p.needs&needGains != 0 {
			r.idealOfCounts(p, most)
		}
	} else {
		r.ideal, r.idealSums, r.idealLevels = r.ideal[:0], r.idealSums[:0], 0
		for i, l := range r.list.Labels {
			if err := r.count(p, l); err != nil {
				return r.labelError(i, err)
			}
		}
		for i, l := range unretrieved {
			if err := r.count(p, l); err != nil {
				return r.unretrievedError(i, err)
			}
		}
		slices.SortFunc(r.ideal, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	if p.needs&needGains != 0 {
		if n := min(max(r.n, len(r.ideal)), most); len(r.discounts) < n {
			r.discounts = discounts(r.o.discount, n)
		}
	}
	return nil
}

// idealOfCounts fills the first ranks of the ideal ranking, at most so many, from the documents of
// each grade; and keeps it, with its sums, when they are as they were, as at the cutoffs of like
// queries they tend to be.
func (r *ranking) idealOfCounts(p *plan, most int) {
	if r.levels <= together {
		same, left := r.levels == r.idealLevels, int64(most)
		for g := r.levels - 1; g >= 0; g-- {
			n := min(r.counts[g], left)
			same = same && r.idealOf[g] == n
			r.idealOf[g] = n
			left -= n
		}
		if same {
			return
		}
		r.idealLevels = r.levels
	} else {
		r.idealLevels = 0
	}
	r.ideal, r.idealSums = r.ideal[:0], r.idealSums[:0]
	for g := r.levels - 1; g >= 0; g-- {
		if n := min(int(r.counts[g]), most-len(r.ideal)); n > 0 {
			r.ideal = appendSame(r.ideal, p.gains[g], n)
		}
	}
}

// idealDCG returns the DCG of the first k ranks of the ideal ranking.
func (r *ranking) idealDCG(k int) float64 {
	for _, s := range r.idealSums {
		if s.k == k {
			return s.sum
		}
	}
	sum := r.weigh(r.ideal, k)
	r.idealSums = append(r.idealSums, idealSum{k, sum})
	return sum
}

type idealSum struct {
	k   int
	sum float64
}

// appendSame appends v n times, in steps of eight: what follows the slice may be overwritten.
func appendSame(s []float64, v float64, n int) []float64 {
	const step = 8
	have := len(s)
	s = slices.Grow(s, n+step)
	eight := [step]float64{v, v, v, v, v, v, v, v}
	for rest := s[have : have+n+step]; len(rest) > step; rest = rest[step:] {
		*(*[step]float64)(rest) = eight
	}
	return s[:have+n]
}

// count enters a label into the ideal ranking and the numbers of relevant and other documents.
func (r *ranking) count(p *plan, label float64) error {
	g, err := p.gainIfNeeded(label)
	switch {
	case err != nil:
		return err
	case r.o.unjudged(label):
		return nil
	case r.o.isRelevant(label):
		r.relevant++
	default:
		r.nonrelevant++
	}
	if p.needs&needGains != 0 {
		r.ideal = append(r.ideal, g)
	}
	return nil
}

// together is the number of grades that kernels count, and read from keys.
const together = 16

// countGrades is count for all grades at once.
func (r *ranking) countGrades(p *plan, unretrieved []float64) error {
	clear(r.counts[:r.levels])
	r.levels = min(max(r.levels, 5), together)
	first := (*[together]int64)(r.counts[:])
	if others := topk.CountLevelsU8(first, r.grades, r.levels); others > 0 {
		r.levels = 256
		clear(first[:])
		for _, g := range r.grades {
			r.counts[g]++
		}
	}
	for _, l := range unretrieved {
		g := uint8(unjudgedGrade)
		if l >= 0 {
			g = uint8(l)
		}
		r.counts[g]++
		r.levels = max(r.levels, int(g)+1)
	}
	if r.levels <= min(p.valid, together) {
		return nil
	}
	highest := 0
	for g := range r.counts[:r.levels] {
		if r.counts[g] == 0 {
			continue
		}
		if err := p.invalid[g]; err != nil {
			for i, v := range r.grades {
				if int(v) == g {
					return r.labelError(i, err)
				}
			}
			return r.unretrievedError(slices.Index(unretrieved, labelOf(uint8(g))), err)
		}
		highest = g
	}
	r.counts[unjudgedGrade] = 0
	if r.levels > together {
		r.levels = highest + 1 // nothing is left behind
	}
	return nil
}

// defined tells whether the query leaves measures of these needs with a value.
func (r *ranking) defined(needs need) bool {
	switch {
	case needs&needGains != 0 && (len(r.ideal) == 0 || r.ideal[0] == 0), needs&needBinary != 0 && r.relevant == 0:
		return false
	case needs&needPairs != 0 && r.labelsEqual:
		return false
	}
	return true
}

// short tells whether the policy gives a list of this length 0 at cutoff k.
func (r *ranking) short(k int) bool { return r.o.shortZero && r.n < k }

// weigh sums the first k gains times discounts.
func (r *ranking) weigh(gains []float64, k int) float64 {
	return kernels.DotF64(gains[:k], r.discounts[:k])
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

// hits returns the expected number of relevant documents among the first k.
func (r *ranking) hits(k int) float64 {
	sum := 0.0
	for _, c := range r.chances[:k] {
		sum += c
	}
	return sum
}

package treceval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/rank"
)

// mostJudged is the maximum number of judged documents in a topic with preferences. The time grows
// with the number of document pairs. With subgroups, the memory also grows, by one bit per ordered
// pair.
const mostJudged = 1 << 14

// preferences contains preferences between the documents of a topic. A document is represented by
// its index among the judged documents. Retrieved documents have the first indices, in the order of
// the run, and the other documents follow by ascending ID. Therefore, the run fulfills a preference
// for a over b if a < b and a was retrieved.
type preferences struct {
	judged, retrieved int
	groups            []preferenceGroup

	// levels and index are memory of add. They contain the level of each document (NaN if the user
	// did not judge it) and its index among the user's documents.
	levels []float64
	index  []int32
}

// A preferenceGroup contains the preferences of one user.
type preferenceGroup struct {
	both, one counted // counts of pairs with both documents retrieved, and with one
	neither   int     // number of preferences between documents that were not retrieved

	relevant, relevantRet       int // numbers of documents with a positive level
	nonrelevant, nonrelevantRet int // numbers of documents with level 0 or, without a matrix, any lower level

	docs   []int      // ascending; without subgroups, a document is repeated for each of its judgments
	levels []float64  // level of each element of docs
	matrix [][]uint64 // bit k of row i: docs[i] is preferred to docs[k]; nil if levels determine that
}

// counted contains the number of preferences, and the number of preferences that the run fulfills.
type counted struct{ fulfilled, possible int }

// set uses the judgments by groups and subgroups to compute the data that measures share.
func (p *preferences) set(ctx context.Context, ms *Measures, l *rank.List, groups []group) error {
	*p = preferences{}
	retrieved := len(l.Labels)
	if ms.MaxDocs > 0 {
		retrieved = min(ms.MaxDocs, retrieved)
	}
	place := make([]int, len(l.Labels)+len(l.Unretrieved)) // index of each document, plus 1; 0 if it was not judged
	for _, s := range l.Subtopics {
		if place[s.Document] == 0 {
			place[s.Document] = -1
			p.judged++
		}
	}
	if p.judged > mostJudged {
		err := l.Place(len(place), 0)
		err.Text, err.Err = l.ID, fmt.Errorf("a topic has preferences between %d documents; at most %d are supported", p.judged,
			mostJudged)
		return err
	}
	for i, judged := range place[:retrieved] {
		if judged != 0 {
			p.retrieved++
			place[i] = p.retrieved
		}
	}
	next := p.retrieved
	for _, s := range slices.Backward(l.Subtopics) { // go backward to visit the IDs in ascending order
		if place[s.Document] < 0 {
			next++
			place[s.Document] = next
		}
	}
	for _, g := range groups {
		for i := range g.labels {
			g.labels[i].Document = place[g.labels[i].Document] - 1
		}
		slices.SortFunc(g.labels, func(a, b groupLabel) int {
			return cmp.Or(cmp.Compare(b.Label, a.Label), a.Document-b.Document)
		})
	}
	p.levels, p.index = slices.Repeat([]float64{math.NaN()}, p.judged), make([]int32, p.judged)
	for len(groups) > 0 {
		name, n := groups[0].user(), 1
		for n < len(groups) && groups[n].user() == name {
			n++
		}
		failed, err := p.add(ctx, groups[:n])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			e := l.Place(len(place)+failed, 0)
			e.Err = fmt.Errorf("topic %s, group %s: %w", l.ID, name, err)
			return e
		}
		groups = groups[n:]
	}
	return nil
}

// user returns the name of the user, who may have several subgroups.
func (g *group) user() string {
	name, _, _ := strings.Cut(g.name, " ")
	return name
}

var (
	errBothLevels = errors.New("the document has level 0 in one subgroup and a higher level in another")
	errCircle     = errors.New("the subgroups contradict each other: one prefers the document to another document, and one the reverse")
)

// add adds the preferences of one user, whose judgments are in the subgroups. If it returns an
// error, it also returns the index of the judgment that caused the error.
func (p *preferences) add(ctx context.Context, subgroups []group) (failed int, err error) {
	g := preferenceGroup{}
	for _, s := range subgroups {
		for _, j := range s.labels {
			if was := p.levels[j.Document]; was > 0 && j.Label == 0 || was == 0 && j.Label > 0 {
				return j.index, errBothLevels
			}
			p.levels[j.Document] = j.Label
			g.docs = append(g.docs, j.Document)
		}
	}
	slices.Sort(g.docs)
	if len(subgroups) > 1 {
		g.docs = slices.Compact(g.docs)
	}
	g.levels = make([]float64, len(g.docs))
	for i, d := range g.docs {
		g.levels[i], p.index[d] = p.levels[d], int32(i)
	}
	for _, d := range g.docs {
		p.levels[d] = math.NaN() // reset the level for the next user
	}
	if len(subgroups) > 1 {
		g.matrix = p.closure(ctx, subgroups, len(g.docs))
	}
	for _, s := range subgroups {
		for _, j := range s.labels {
			if i := int(p.index[j.Document]); g.prefers(i, i) {
				return j.index, errCircle
			}
		}
	}
	for i, d := range g.docs {
		ret := 0
		if d < p.retrieved {
			ret = 1
		}
		if g.levels[i] > 0 {
			g.relevant++
			g.relevantRet += ret
		} else if g.levels[i] == 0 || g.matrix == nil {
			g.nonrelevant++
			g.nonrelevantRet += ret
		}
	}
	for i, a := range g.docs {
		if ctx.Err() != nil {
			break
		}
		for k, b := range g.docs {
			if g.prefers(i, k) {
				p.count(&g, a, b)
			}
		}
	}
	p.groups = append(p.groups, g)
	return 0, nil
}

// closure returns the preferences in the subgroups and the preferences that follow from them by
// transitivity, as the matrix of a preferenceGroup.
func (p *preferences) closure(ctx context.Context, subgroups []group, n int) [][]uint64 {
	matrix := make([][]uint64, n)
	for i := range matrix {
		matrix[i] = make([]uint64, (n+63)/64)
	}
	for _, s := range subgroups {
		for _, a := range s.labels {
			row := matrix[p.index[a.Document]]
			for _, b := range s.labels {
				if a.Label > b.Label {
					k := p.index[b.Document]
					row[k/64] |= 1 << (k % 64)
				}
			}
		}
	}
	// Use Warshall's algorithm.
	for via := range n {
		if ctx.Err() != nil {
			break
		}
		for _, row := range matrix {
			if row[via/64]>>(via%64)&1 != 0 {
				for w, preferred := range matrix[via] {
					row[w] |= preferred
				}
			}
		}
	}
	return matrix
}

// prefers reports whether the user prefers docs[i] to docs[k].
func (g *preferenceGroup) prefers(i, k int) bool {
	if g.matrix != nil {
		return g.matrix[i][k/64]>>(k%64)&1 != 0
	}
	return g.levels[i] > g.levels[k]
}

// count counts the preference for document a over document b.
func (p *preferences) count(g *preferenceGroup, a, b int) {
	switch {
	case max(a, b) < p.retrieved:
		g.both.add(a < b)
	case min(a, b) < p.retrieved:
		g.one.add(a < b)
	default:
		g.neither++
	}
}

func (c *counted) add(fulfilled bool) {
	c.possible++
	if fulfilled {
		c.fulfilled++
	}
}

// An area specifies the pairs of documents whose preferences count.
type area int

const (
	bothRetrieved area = 1 + iota // both documents were retrieved
	oneRetrieved                  // at least one of the documents was retrieved
	everywhere                    // all pairs
)

func (g *preferenceGroup) in(a area) counted {
	c := g.both
	if a >= oneRetrieved {
		c.fulfilled += g.one.fulfilled
		c.possible += g.one.possible
	}
	if a == everywhere {
		c.possible += g.neither
	}
	return c
}

func (p *preferences) total(a area) (sum counted) {
	for i := range p.groups {
		c := p.groups[i].in(a)
		sum.fulfilled += c.fulfilled
		sum.possible += c.possible
	}
	return sum
}

// share returns the fraction of preferences that the run fulfills, or 0 if there are no
// preferences.
func (c counted) share() float64 { return over(float64(c.fulfilled), float64(c.possible)) }

func prefsPossible(p *preferences) float64     { return float64(p.total(everywhere).possible) }
func prefsFulfilled(p *preferences) float64    { return float64(p.total(everywhere).fulfilled) }
func prefsFulfilledRet(p *preferences) float64 { return float64(p.total(bothRetrieved).fulfilled) }

// prefsSimple is the fraction of a topic's preferences that the run fulfills.
func prefsSimple(a area) func(p *preferences) float64 {
	return func(p *preferences) float64 { return p.total(a).share() }
}

// prefsByGroup is the mean over the groups of the fraction of preferences that the run fulfills.
func prefsByGroup(a area) func(p *preferences) float64 {
	return func(p *preferences) float64 {
		sum := 0.0
		for i := range p.groups {
			sum += p.groups[i].in(a).share()
		}
		return sum / float64(len(p.groups))
	}
}

// A place is the index of a document among the documents of a group.
type place struct {
	group *preferenceGroup
	index int
}

// prefsPair is a mean over pairs of documents. It averages the fraction of a pair's preferences
// that the run fulfills.
func prefsPair(area area) func(p *preferences) float64 {
	return func(p *preferences) float64 {
		r, n := p.retrieved, p.judged
		sum, pairs := 0.0, 0
		where := make([][]place, n) // places of each document in the groups
		for g := range p.groups {
			for i, d := range p.groups[g].docs {
				where[d] = append(where[d], place{&p.groups[g], i})
			}
		}
		forward, back := make([]int32, n), make([]int32, n) // numbers of preferences for a, and against a
		for _, of := range []struct{ a, aEnd, b, bEnd int }{{0, r, 0, r}, {0, r, r, n}, {r, n, r, n}}[:area] {
			for a := of.a; a < of.aEnd; a++ {
				clear(forward)
				clear(back)
				for _, at := range where[a] {
					for k, b := range at.group.docs {
						if at.group.prefers(at.index, k) {
							forward[b]++
						} else if at.group.prefers(k, at.index) {
							back[b]++
						}
					}
				}
				for b := max(of.b, a+1); b < of.bEnd; b++ {
					all := forward[b] + back[b]
					if all == 0 {
						continue
					}
					pairs++
					if a < r {
						sum += float64(forward[b]) / float64(all)
					}
				}
			}
		}
		return over(sum, float64(pairs))
	}
}

// prefsEven is like prefsByGroup, but first makes the numbers of relevant and nonrelevant documents
// in each group equal. It omits surplus nonrelevant documents, and adds missing ones at the end of
// the ranking.
func prefsEven(p *preferences) float64 {
	return p.even(func(g *preferenceGroup) counted {
		more := g.relevant - g.nonrelevant
		if more < 0 {
			return p.recount(g, g.relevant, p.judged)
		}
		c := g.in(everywhere)
		return counted{c.fulfilled + g.relevantRet*more, c.possible + g.relevant*more}
	})
}

// prefsEvenRet is like prefsEven, but uses only retrieved documents. Like trec_eval, it places the
// added documents after all relevant documents.
func prefsEvenRet(p *preferences) float64 {
	return p.even(func(g *preferenceGroup) counted {
		more := g.relevantRet - g.nonrelevantRet
		if more < 0 {
			return p.recount(g, g.relevantRet, p.retrieved)
		}
		return counted{g.both.fulfilled + g.relevantRet*more, g.both.possible + g.relevant*more}
	})
}

func (p *preferences) even(count func(g *preferenceGroup) counted) float64 {
	sum := 0.0
	for i := range p.groups {
		c := count(&p.groups[i])
		sum += float64(c.fulfilled) / float64(c.possible)
	}
	if sum > 0 { // the sum is NaN if a group has no preferences
		return sum / float64(len(p.groups))
	}
	return 0
}

// recount counts the preferences between the first end documents. Of the documents with the lowest
// level, it includes only the first ones, at most few. For a group without subgroups, it also
// counts, like trec_eval, a preference for every document with the lowest level to each of these
// documents. For a group with subgroups, the lowest level is 0, and few is replaced by the number
// of relevant documents.
func (p *preferences) recount(g *preferenceGroup, few, end int) (c counted) {
	lowest := math.Inf(1)
	for _, level := range g.levels {
		lowest = min(lowest, level)
	}
	if g.matrix != nil {
		lowest, few = 0, g.relevant
	}
	seen, left := 0, make([]bool, len(g.docs))
	for i, level := range g.levels {
		if level == lowest {
			seen++
			left[i] = seen > few
		}
	}
	for i, a := range g.docs {
		for k, b := range g.docs {
			among := g.matrix == nil && g.levels[i] == lowest && g.levels[k] == lowest
			if max(a, b) < end && !left[k] && (among || !left[i] && g.prefers(i, k)) {
				c.add(a < b && a < p.retrieved)
			}
		}
	}
	return c
}

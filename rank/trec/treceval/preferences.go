package treceval

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/rank"
)

// mostJudged bounds the documents that the preferences of a topic name: every pair takes memory.
const mostJudged = 1 << 14

// preferences are those of a topic, between documents. A document is its place among the judged
// ones: the retrieved stand in the order of the run, the others follow by ascending identifier. So
// the preference for a over b is fulfilled where a < b and a was retrieved.
type preferences struct {
	judged, retrieved int
	groups            []preferenceGroup
	counts            []int // of the groups that prefer a to b, at a·judged + b
}

// A preferenceGroup has the preferences of one user. They are those between classes or, where there
// are several subgroups, in a matrix.
type preferenceGroup struct {
	both, one counted // preferences between retrieved documents; between a retrieved and another one
	neither   int     // between documents that were not retrieved

	relevant, relevantRet       int // documents with a level above 0
	nonrelevant, nonrelevantRet int // with a lower one; in a matrix, with 0

	classes []class // by descending level
	matrix  []bool  // whether a is preferred to b, at a·judged + b; nil with classes
	levels  []float64
}

// counted are the preferences that there are, and those of them that the run fulfills.
type counted struct{ fulfilled, possible int }

// A class has the documents of one level, ascending.
type class struct {
	level float64
	docs  []int
}

// set computes what measures share from the documents of the run and the judgments.
func (p *preferences) set(e *Evaluator, docs []string, lines []judgment) error {
	place := map[string]int{}
	for _, j := range lines {
		place[j.doc] = -1
	}
	if len(place) > mostJudged {
		return &rank.ParseError{Line: lines[0].line, Text: lines[0].topic,
			Err: fmt.Errorf("preferences between %d documents of a topic, want at most %d", len(place), mostJudged)}
	}
	if e.MaxDocs > 0 {
		docs = docs[:min(e.MaxDocs, len(docs))]
	}
	*p = preferences{}
	for _, doc := range docs {
		if _, ok := place[doc]; ok {
			place[doc] = p.retrieved
			p.retrieved++
		}
	}
	p.judged = p.retrieved
	var others []string
	for doc, at := range place {
		if at < 0 {
			others = append(others, doc)
		}
	}
	slices.Sort(others)
	for _, doc := range others {
		place[doc] = p.judged
		p.judged++
	}
	for i := range lines {
		lines[i].rank = place[lines[i].doc]
	}
	p.counts = make([]int, p.judged*p.judged)
	for group := range chunks(lines, func(a, b *judgment) bool { return a.group == b.group }) {
		slices.SortStableFunc(group, func(a, b judgment) int {
			return cmp.Or(cmp.Compare(a.subgroup, b.subgroup), cmp.Compare(b.level, a.level), a.rank-b.rank)
		})
		var g preferenceGroup
		if group[0].subgroup == group[len(group)-1].subgroup {
			p.addClasses(&g, group)
		} else if err := p.addMatrix(&g, group); err != nil {
			return err
		}
		g.both.possible += g.both.fulfilled
		g.one.possible += g.one.fulfilled
		p.groups = append(p.groups, g)
	}
	return nil
}

// add counts the preference for a over b.
func (p *preferences) add(g *preferenceGroup, a, b int) {
	p.counts[a*p.judged+b]++
	switch {
	case max(a, b) < p.retrieved && a < b:
		g.both.fulfilled++
	case max(a, b) < p.retrieved:
		g.both.possible++
	case a < p.retrieved:
		g.one.fulfilled++
	case b < p.retrieved:
		g.one.possible++
	default:
		g.neither++
	}
}

func (p *preferences) addClasses(g *preferenceGroup, lines []judgment) {
	for level := range chunks(lines, func(a, b *judgment) bool { return a.level == b.level }) {
		c := class{level: level[0].level}
		retrieved := 0
		for _, j := range level {
			c.docs = append(c.docs, j.rank)
			if j.rank < p.retrieved {
				retrieved++
			}
		}
		if c.level > 0 {
			g.relevant += len(c.docs)
			g.relevantRet += retrieved
		} else {
			g.nonrelevant += len(c.docs)
			g.nonrelevantRet += retrieved
		}
		for _, above := range g.classes {
			for _, a := range above.docs {
				for _, b := range c.docs {
					p.add(g, a, b)
				}
			}
		}
		g.classes = append(g.classes, c)
	}
}

func (p *preferences) addMatrix(g *preferenceGroup, lines []judgment) error {
	n := p.judged
	g.matrix, g.levels = make([]bool, n*n), make([]float64, n)
	for i := range g.levels {
		g.levels[i] = -1
	}
	fail := func(j judgment, what string) error {
		return &rank.ParseError{Line: j.line, Text: j.doc,
			Err: fmt.Errorf("topic %s, group %s: %s", j.topic, j.group, what)}
	}
	for i, j := range lines {
		if was := g.levels[j.rank]; was > 0 && j.level == 0 || was == 0 && j.level > 0 {
			return fail(j, "the document has the level 0 in one subgroup, and a higher one in another")
		}
		g.levels[j.rank] = j.level
		for _, below := range lines[i:] {
			if below.subgroup == j.subgroup && below.level < j.level {
				g.matrix[j.rank*n+below.rank] = true
			}
		}
	}
	// Warshall's closure: preferences are transitive.
	for via := range n {
		for a := range n {
			if g.matrix[a*n+via] {
				for b, preferred := range g.matrix[via*n : via*n+n] {
					g.matrix[a*n+b] = g.matrix[a*n+b] || preferred
				}
			}
		}
	}
	for _, j := range lines {
		if g.matrix[j.rank*n+j.rank] {
			return fail(j, "the subgroups prefer the document to another one, and that to it")
		}
	}
	for a, level := range g.levels {
		switch {
		case level > 0:
			g.relevant++
			if a < p.retrieved {
				g.relevantRet++
			}
		case level == 0:
			g.nonrelevant++
			if a < p.retrieved {
				g.nonrelevantRet++
			}
		}
		for b := range n {
			if g.matrix[a*n+b] {
				p.add(g, a, b)
			}
		}
	}
	return nil
}

// An area says which preferences count.
type area uint8

const (
	everywhere    area = iota
	bothRetrieved      // between retrieved documents
	oneRetrieved       // where a document was retrieved
)

func (g *preferenceGroup) in(a area) counted {
	c := g.both
	if a != bothRetrieved {
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

func (c counted) share() float64 { return float64(c.fulfilled) / float64(c.possible) }

func prefsPossible(p *preferences) float64     { return float64(p.total(everywhere).possible) }
func prefsFulfilled(p *preferences) float64    { return float64(p.total(everywhere).fulfilled) }
func prefsFulfilledRet(p *preferences) float64 { return float64(p.total(bothRetrieved).fulfilled) }

// prefsSimple is the share of the preferences that are fulfilled.
func prefsSimple(a area) func(p *preferences) float64 {
	return func(p *preferences) float64 {
		if c := p.total(a); c.possible > 0 {
			return c.share()
		}
		return 0
	}
}

// prefsByGroup is the mean of these shares over the groups.
func prefsByGroup(a area) func(p *preferences) float64 {
	return func(p *preferences) float64 {
		sum := 0.0
		for i := range p.groups {
			if c := p.groups[i].in(a); c.possible > 0 {
				sum += c.share()
			}
		}
		return sum / float64(len(p.groups))
	}
}

// prefsPair is the mean over pairs of documents of the share of their preferences that is
// fulfilled.
func prefsPair(area area) func(p *preferences) float64 {
	return func(p *preferences) float64 {
		sum, pairs := 0.0, 0
		add := func(a, b int) {
			forward, back := p.counts[a*p.judged+b], p.counts[b*p.judged+a]
			if forward+back > 0 {
				pairs++
				if a < p.retrieved {
					sum += float64(forward) / float64(forward+back)
				}
			}
		}
		for a := range p.retrieved {
			for b := a + 1; b < p.retrieved; b++ {
				add(a, b)
			}
		}
		if area != bothRetrieved {
			for a := range p.retrieved {
				for b := p.retrieved; b < p.judged; b++ {
					add(a, b)
				}
			}
		}
		if area == everywhere {
			for a := p.retrieved; a < p.judged; a++ {
				for b := a + 1; b < p.judged; b++ {
					add(a, b)
				}
			}
		}
		if pairs == 0 {
			return 0
		}
		return sum / float64(pairs)
	}
}

// prefsEven is prefsByGroup where every group has as many documents that are not relevant as
// relevant ones: others are left out, or made up at the end of the ranking.
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

// prefsEvenRet is prefsEven of the retrieved documents; those that it makes up, trec_eval lets
// follow all relevant documents.
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
		sum += count(&p.groups[i]).share()
	}
	if sum > 0 { // and no group without preferences, which would make it NaN
		return sum / float64(len(p.groups))
	}
	return 0
}

// recount counts the preferences between the first documents up to end, leaving out all but the
// first few that are not relevant. As in trec_eval, these are also compared among themselves where
// a group has classes, and in a matrix as many stay as there are relevant documents at all.
func (p *preferences) recount(g *preferenceGroup, few, end int) (c counted) {
	add := func(a, b int) {
		if a < end && b < end {
			c.possible++
			if a < b && a < p.retrieved {
				c.fulfilled++
			}
		}
	}
	if g.matrix == nil {
		last := len(g.classes) - 1
		for i, above := range g.classes {
			for k := i + 1; k <= last; k++ {
				docs := g.classes[k].docs
				if k == last {
					docs = docs[:min(few, len(docs))]
				}
				for _, a := range above.docs {
					for _, b := range docs {
						add(a, b)
					}
				}
			}
		}
		for _, a := range g.classes[last].docs {
			for _, b := range g.classes[last].docs[:min(few, len(g.classes[last].docs))] {
				add(a, b)
			}
		}
		return c
	}
	seen, first := 0, end // the first that is left out
	for i, level := range g.levels[:end] {
		if level == 0 {
			if seen++; seen == g.relevant+1 {
				first = i
				break
			}
		}
	}
	kept := func(i int) bool { return i < first || g.levels[i] != 0 }
	for a := range end {
		for b := range end {
			if g.matrix[a*p.judged+b] && kept(a) && kept(b) {
				add(a, b)
			}
		}
	}
	return c
}

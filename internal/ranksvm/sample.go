package ranksvm

import (
	"context"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
)

const (
	// A sample has sampleDocsPerFeature documents per feature, for an error of some per cent in its
	// Hessian. minSampleDocs keeps rare features in the sample while more documents cost little.
	sampleDocsPerFeature = 40
	minSampleDocs        = 8192
	minDocsPerFeature    = 8
	leastSampleDocs      = 1024
	maxHessianPasses     = 8
	// The Hessian of a query takes quadratic time, so only parts of long queries are used.
	sampleLength = 64
	// A sample that turns out to be too small grows by these factors.
	sampleGrowth       = 6
	sampleLengthGrowth = 4
	maxSampleLength    = 1024
)

// firstSample draws the first sample. It reports whether minimizing on the sample first saves time.
func (t *Training) firstSample(ctx context.Context) (saves bool, err error) {
	n, full := t.full.data.Features.Cols, t.full
	saves = true
	docs := max(sampleDocsPerFeature*n, minSampleDocs)
	// A Hessian should not cost more passes than a better Hessian saves, but it should have some
	// documents per feature. If that makes it more expensive, a second Hessian at a better starting
	// point does not pay off.
	passes := float64(float64(n)/4) + min(float64(full.docs)/float64(2*len(full.units)), sampleLength)
	affordable := int(maxHessianPasses * float64(full.docs) / passes)
	if least := max(minDocsPerFeature*n, leastSampleDocs); affordable < least {
		affordable, saves = least, false
	}
	docs = min(docs, affordable)
	if few := max(full.docs/3, leastSampleDocs); few < docs {
		docs, saves = few, false
	}
	err = t.draw(ctx, docs, sampleLength)
	return saves && !t.whole, err
}

// draw draws a new sample, in which long queries are represented by parts of about length
// documents.
func (t *Training) draw(ctx context.Context, docs, length int) (err error) {
	t.sampleDocs, t.sampleLength = docs, length
	if t.sample, t.whole, err = t.full.sample(ctx, docs, length); err != nil {
		return err
	}
	t.proof.of(t.full, t.sample, int(provePasses*float64(t.full.docs)/t.full.hessianCost()))
	return nil
}

// GrowSample draws a larger sample. It returns false if there is none.
func (t allPairs) GrowSample(ctx context.Context) (bool, error) {
	if t.whole || t.sampleDocs >= t.full.docs && t.sampleLength >= maxSampleLength {
		return false, nil
	}
	err := t.draw(ctx, sampleGrowth*t.sampleDocs, min(sampleLengthGrowth*t.sampleLength, maxSampleLength))
	return err == nil, err
}

// A place is a candidate for a sample: a unit, or a part of a long unit.
type place struct{ unit, part int32 }

// sample returns a set of about docs documents, drawn by query and weighted so that its loss
// estimates the loss of p. If p is no larger, it returns p itself, and whole is true. Queries of
// more than 2·length documents are drawn in disjoint parts of about length documents.
func (p *pairSet) sample(ctx context.Context, docs, length int) (s *pairSet, whole bool, err error) {
	var places []place
	whole = true
	for i := range p.units {
		n := 1
		if p.units[i].splits(length) {
			n = p.units[i].parts(length)
			whole = false
		}
		for k := range n {
			places = append(places, place{int32(i), int32(k)})
		}
	}
	whole = whole && docs >= p.docs
	if p.data.Source != nil {
		s, err = p.fetchSample(ctx, places, docs, length, whole)
		return s, whole, err
	}
	if whole {
		return p, true, nil
	}
	s = &pairSet{data: p.data}
	split := make([][]unit, len(p.units)) // the parts of the long units that were drawn
	s.units = choose(places, docs, func(at place) unit {
		u := p.units[at.unit]
		if !u.splits(length) {
			return u
		}
		if split[at.unit] == nil {
			if u.list != nil {
				split[at.unit] = splitList(&u, length)
			} else {
				split[at.unit] = p.split(&u, length)
			}
		}
		return split[at.unit][at.part]
	})
	p.share(s)
	return s, false, nil
}

// splits reports whether a unit is drawn in parts of about length documents.
func (u *unit) splits(length int) bool { return u.n > 2*length }

// parts returns the number of parts of a unit that is drawn in parts.
func (u *unit) parts(length int) int {
	n := u.n
	if u.list != nil {
		n = len(u.list)
	}
	return (n + length - 1) / length
}

// choose draws units from places until they have docs documents. It leaves out units without pairs.
func choose(places []place, docs int, at func(place) unit) (units []unit) {
	places = slices.Clone(places)
	draw := num.SplitMix(len(places))
	for n, i := 0, 0; n < docs && i < len(places); i++ {
		j := i + draw.Below(len(places)-i)
		places[i], places[j] = places[j], places[i]
		if u := at(places[i]); u.pairs > 0 {
			n += u.n
			units = append(units, u)
		}
	}
	return units
}

// share sets the weights of the units of s so that their total weight equals the total weight of p.
func (p *pairSet) share(s *pairSet) {
	var all, drawn float64
	for i := range p.units {
		all += float64(p.units[i].weight * float64(p.units[i].pairs))
	}
	for i := range s.units {
		drawn += float64(s.units[i].weight * float64(s.units[i].pairs))
	}
	for i := range s.units {
		s.units[i].weight *= all / drawn
	}
	s.prepare()
}

// split returns disjoint random parts of a long unit, weighted so that together they represent all
// its pairs. Some parts may have no pairs.
func (p *pairSet) split(u *unit, length int) []unit {
	n := len(u.rows)
	k := u.parts(length)
	// Deal the documents in rounds, each in another order of the parts. Every part then has
	// documents from the whole range of labels, and its documents are already sorted.
	rows, lower := make([]int32, k*length), make([]int32, k*length)
	parts := make([]unit, k)
	hands := make([]int, k)
	for i := range hands {
		hands[i] = i
		lo, hi := i*length, (i+1)*length
		parts[i] = unit{rows: rows[lo:lo:hi], lower: lower[lo:lo:hi], first: -1}
	}
	draw := num.SplitMix(n)
	for i, r := range u.rows {
		at := i % k
		j := at + draw.Below(k-at)
		hands[at], hands[j] = hands[j], hands[at]
		part := &parts[hands[at]]
		part.rows, part.lower = append(part.rows, r), append(part.lower, u.lower[i])
	}
	var pairs int64
	for i := range parts {
		part := &parts[i]
		part.n = len(part.rows)
		// In u, documents of equal label have the same number of documents with a lower label.
		part.pairs = countLower(part.lower, func(i int) float64 { return float64(part.lower[i]) })
		if p.data.Weights != nil {
			part.pairs = p.data.weighted(part.rows, part.lower)
		}
		pairs += part.pairs
	}
	for i := range parts {
		parts[i].weight = u.weight * (float64(u.pairs) / float64(pairs))
		parts[i].full = u.full
	}
	return parts
}

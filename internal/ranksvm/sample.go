package ranksvm

import "github.com/simdrank/simdrank/internal/random"

const (
	// A sample has sampleDocsPerFeature documents a feature, which makes the error of its Hessian
	// some per cent, but not so few that rare features are missed where taking more costs little.
	sampleDocsPerFeature = 40
	minSampleDocs        = 8192
	minDocsPerFeature    = 8
	leastSampleDocs      = 1024
	maxHessianPasses     = 8
	// The Hessian of a query takes quadratic time: parts of long queries will do.
	sampleLength = 64
	// What a sample that turns out to be too small grows by.
	sampleGrowth       = 6
	sampleLengthGrowth = 4
	maxSampleLength    = 1024
)

// firstSample draws the first sample. It reports whether minimizing on the sample first saves time.
func (t *Training) firstSample() (saves bool) {
	n, full := t.full.data.Features.Cols, t.full
	saves = true
	docs := max(sampleDocsPerFeature*n, minSampleDocs)
	// A Hessian should cost no more passes than a better one saves, but have some documents a
	// feature. Where it costs more, a second one for a better starting point does not pay.
	passes := float64(float64(n)/4) + min(float64(full.docs)/float64(2*len(full.units)), sampleLength)
	affordable := int(maxHessianPasses * float64(full.docs) / passes)
	if least := max(minDocsPerFeature*n, leastSampleDocs); affordable < least {
		affordable, saves = least, false
	}
	docs = min(docs, affordable)
	if few := max(full.docs/3, leastSampleDocs); few < docs {
		docs, saves = few, false
	}
	t.draw(docs, sampleLength)
	return saves && !t.whole
}

// draw makes a new sample, of parts of about length of long queries.
func (t *Training) draw(docs, length int) {
	t.sampleDocs, t.sampleLength = docs, length
	t.sample, t.whole = t.full.sample(docs, length)
	t.proof.of(t.full, t.sample, int(provePasses*float64(t.full.docs)/t.full.hessianCost()))
}

// GrowSample makes a larger sample. It reports whether there is one.
func (t allPairs) GrowSample() bool {
	if t.whole || t.sampleDocs >= t.full.docs && t.sampleLength >= maxSampleLength {
		return false
	}
	t.draw(sampleGrowth*t.sampleDocs, min(sampleLengthGrowth*t.sampleLength, maxSampleLength))
	return true
}

// sample returns a set of about docs documents, drawn by query and weighted so that its loss
// estimates that of p; it is p itself, whole, where that is no larger. Queries of more than
// 2·length documents are drawn in disjoint parts of about length.
func (p *pairSet) sample(docs, length int) (s *pairSet, whole bool) {
	type part struct{ unit, part int32 }
	var parts []part
	var all float64
	whole = true
	for i := range p.units {
		u := &p.units[i]
		all += float64(u.weight * float64(u.pairs))
		n := 1
		if len(u.rows) > 2*length {
			n = (len(u.rows) + length - 1) / length
			whole = false
		}
		for k := range n {
			parts = append(parts, part{int32(i), int32(k)})
		}
	}
	if docs >= p.docs && whole {
		return p, true
	}
	s = &pairSet{data: p.data}
	split := make([][]unit, len(p.units)) // of the long units that were drawn
	var drawn float64
	draw := random.SplitMix(len(parts))
	for n, i := 0, 0; n < docs && i < len(parts); i++ {
		j := i + draw.Below(len(parts)-i)
		parts[i], parts[j] = parts[j], parts[i]
		at := parts[i].unit
		u := p.units[at]
		if len(u.rows) > 2*length {
			if split[at] == nil {
				split[at] = p.split(&p.units[at], length)
			}
			if u = split[at][parts[i].part]; u.pairs == 0 {
				continue
			}
		}
		n += len(u.rows)
		drawn += float64(u.weight * float64(u.pairs))
		s.units = append(s.units, u)
	}
	for i := range s.units {
		s.units[i].weight *= all / drawn
	}
	s.prepare()
	return s, false
}

// split returns disjoint random parts of a long unit, weighted so that together they
// stand for all its pairs; some may have none.
func (p *pairSet) split(u *unit, length int) []unit {
	n := len(u.rows)
	k := (n + length - 1) / length
	// Deal the documents out in rounds, each round in another order, so that a
	// part holds documents from the whole range of labels and is sorted as they come.
	rows, lower := make([]int32, k*length), make([]int32, n)
	dealt := make([][]int32, k)
	hands := make([]int, k)
	for i := range hands {
		hands[i] = i
		dealt[i] = rows[i*length : i*length : (i+1)*length]
	}
	draw := random.SplitMix(n)
	for i, r := range u.rows {
		at := i % k
		j := at + draw.Below(k-at)
		hands[at], hands[j] = hands[j], hands[at]
		dealt[hands[at]] = append(dealt[hands[at]], r)
	}
	parts := make([]unit, k)
	var pairs int64
	for i, rows := range dealt {
		part := &parts[i]
		*part = unit{rows: rows, lower: lower[:len(rows)], first: -1}
		lower = lower[len(rows):]
		part.pairs = countLower(rows, part.lower, func(row int32) float64 { return p.data.Labels[row] })
		pairs += part.pairs
	}
	for i := range parts {
		parts[i].weight = u.weight * (float64(u.pairs) / float64(pairs))
		parts[i].full = u.full
	}
	return parts
}

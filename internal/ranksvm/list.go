package ranksvm

import (
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
)

// A Pair is a listed pair of documents of a query. Documents are counted from the first row of the
// query.
type Pair struct {
	Better, Worse int32
	Weight        float64
}

// newListSet returns the set of the listed pairs. Rows keep their order.
func newListSet(data *Problem) *pairSet {
	p := &pairSet{data: data}
	rows := make([]int32, len(data.Labels))
	for q, list := range data.Pairs {
		lo, hi := data.Queries[q], data.Queries[q+1]
		if len(list) == 0 {
			continue
		}
		u := unit{n: hi - lo, query: q, rows: rows[lo:hi:hi], list: list, first: lo, pairs: int64(len(list))}
		if u.weight = data.weight(q, u.pairs); !(u.weight > 0) {
			continue
		}
		for i := range u.rows {
			u.rows[i] = int32(lo + i)
		}
		u.full = u.weight
		p.units = append(p.units, u)
	}
	p.prepare()
	return p
}

// evalList is eval for a unit of listed pairs, which are added in the order of the list.
func (pl pairLoss) evalList(u *unit, z, c []float64) (loss float64) {
	clear(c)
	for _, p := range u.list {
		w := float64(u.weight * p.Weight)
		l, d := pl.at(z[p.Better] - z[p.Worse])
		d = float64(w * d)
		loss += float64(w * l)
		c[p.Better] += d
		c[p.Worse] -= d
	}
	return loss
}

// at returns the loss and the derivative of a pair with the score difference z.
func (pl pairLoss) at(z float64) (l, d float64) {
	t := 1 - z
	switch {
	case pl.kind == Logistic:
		e := num.Exp(-math.Abs(z))
		l, d = num.Log1p(e), -e/(1+e)
		if z < 0 {
			return l - z, -1 / (1 + e)
		}
		return l, d
	case pl.kind == SquaredHinge:
		t = max(t, 0)
		return float64(t * t), -2 * t
	}
	switch half := pl.width / 2; {
	case t >= half && t > 0:
		return t, -1
	case t > -half:
		a := t/pl.width + 0.5
		return float64(a*t) + float64(half*float64(a*(1-a))), -a
	}
	if math.IsNaN(z) {
		return z, z
	}
	return 0, 0
}

// secondAt returns the second derivative of a pair with the score difference z, or 0 if the margin
// leaves out the pair.
func (pl pairLoss) secondAt(z float64) float64 {
	switch {
	case pl.kind == Logistic:
		e := num.Exp(-math.Abs(z))
		return e / float64((1+e)*(1+e))
	case pl.kind == SquaredHinge:
		if 1-z > pl.margin {
			return 2
		}
	case math.Abs(1-z) < pl.core()/2:
		return 1 / pl.width
	}
	return 0
}

// laplacianList is laplacian for a unit of listed pairs.
func (pl pairLoss) laplacianList(l []float64, u *unit, z []float64) (any bool) {
	clear(l)
	n, weight := len(z), pl.weightIn(u)
	for _, p := range u.list {
		i, j := int(p.Better), int(p.Worse)
		w := float64(weight * float64(p.Weight*pl.secondAt(z[i]-z[j])))
		if w == 0 {
			continue
		}
		l[i*n+j] -= w
		l[j*n+i] -= w
		l[i*n+i] += w
		l[j*n+j] += w
		any = true
	}
	return any
}

// splitList divides the pairs of a unit at random into parts of about length pairs. The rows of a
// part are the documents of its pairs.
func splitList(u *unit, length int) []unit {
	list := slices.Clone(u.list)
	draw := num.SplitMix(len(list))
	for i := range list {
		j := i + draw.Below(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
	k := u.parts(length)
	parts := make([]unit, k)
	for i := range parts {
		part := list[i*len(list)/k : (i+1)*len(list)/k]
		var docs []int32
		for _, p := range part {
			docs = append(docs, p.Better, p.Worse)
		}
		slices.Sort(docs)
		docs = slices.Compact(docs)
		for at := range part {
			better, _ := slices.BinarySearch(docs, part[at].Better)
			worse, _ := slices.BinarySearch(docs, part[at].Worse)
			part[at].Better, part[at].Worse = int32(better), int32(worse)
		}
		for at, r := range docs {
			docs[at] = u.rows[r]
		}
		parts[i] = unit{n: len(docs), query: u.query, rows: docs, list: part, first: -1, pairs: int64(len(part)),
			weight: u.weight, full: u.full}
	}
	return parts
}

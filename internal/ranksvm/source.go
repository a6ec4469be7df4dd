package ranksvm

import (
	"context"
	"fmt"
	"math"
)

// A Source processes documents that other processes hold. It returns partial sums and rows in the
// order of the queries, so the results do not depend on how the data are distributed.
type Source interface {
	// Pass processes all documents once.
	Pass(ctx context.Context, p Pass) (Sums, error)

	// Fetch returns the documents of draws from queries that are divided into parts of about the
	// given length.
	Fetch(ctx context.Context, draws []Draw, length int) (*Fetched, error)

	// Variances sets v to the variance of each column over the rows, or to 1 if the variance is 0.
	Variances(ctx context.Context, v []float64) error

	// Weighted returns a Source of the same documents with the given weights of all queries.
	Weighted(weights []float64) Source
}

// A Size describes a query of a Source.
type Size struct {
	Rows  int
	Pairs int64
}

// A Pass describes the sums to compute.
type Pass struct {
	Loss     Loss
	Width    float64 // width of the zone in which the corner of the hinge is rounded
	Weights  []float64
	Gradient bool
	C        float64 // as in Problem, with PerQuery
	PerQuery bool

	// Blocks are the ranges of short queries to sum: from query Blocks[b][0] to Blocks[b][1]−1.
	// Queries longer than LongQuery, which may lie between them, have their own sums.
	Blocks [][2]int
	Block  int // Problem.Block of the processes that sum a part of the data each
}

// Sums are the parts of a loss and its gradient. They are added in order, starting with Long.
type Sums struct{ Long, Blocks Partial }

// A Partial is a list of sums of long queries or of blocks. A long query has several gradients. A
// gradient that is shorter than the others ends in zeros.
type Partial struct {
	Losses    []float64
	Gradients [][]float64
}

// Append adds the sums of the queries that follow.
func (s *Sums) Append(next Sums) {
	for _, l := range []struct{ to, from *Partial }{{&s.Long, &next.Long}, {&s.Blocks, &next.Blocks}} {
		l.to.Losses = append(l.to.Losses, l.from.Losses...)
		l.to.Gradients = append(l.to.Gradients, l.from.Gradients...)
	}
}

// Of returns the sums of a problem that is a part of the data and consists of whole blocks.
func (p *Pass) Of(ctx context.Context, part *Problem) (Sums, error) {
	return newPairSet(part).sums(ctx, pairLoss{kind: p.Loss, width: p.Width}, p.Weights, p.Gradient)
}

// A Draw is a query in a sample, or a part of a query that is sampled in parts.
type Draw struct{ Query, Part int } // Part is −1 for a whole query

// Fetched contains the documents of draws. Parts are in ascending order of label.
type Fetched struct {
	Features Matrix
	Labels   []float64
	Ranges   [][2]int // the rows of each draw, from [0] to [1]−1
	Pairs    []int64  // for each draw that is a part: the number of pairs within all parts of its query
}

// Rows returns the rows of a draw's documents, and its value for Fetched.Pairs.
func (d Draw) Rows(p *Problem, length int) (rows []int32, pairs int64) {
	lo, hi := p.Queries[d.Query], p.Queries[d.Query+1]
	u := unit{n: hi - lo, rows: make([]int32, hi-lo), lower: make([]int32, hi-lo)}
	if d.Part < 0 {
		for i := range u.rows {
			u.rows[i] = int32(lo + i)
		}
		return u.rows, 0
	}
	sortByLabel(u.rows, u.lower, p.Labels, lo)
	parts := (&pairSet{data: p}).split(&u, length)
	for i := range parts {
		pairs += parts[i].pairs
	}
	return parts[d.Part].rows, pairs
}

// CountPairs returns the number of pairs of the query with these labels.
func CountPairs(labels []float64) int64 {
	return sortByLabel(make([]int32, len(labels)), make([]int32, len(labels)), labels, 0)
}

// newSourceSet returns the set of all pairs of a Source, whose Sizes contain the numbers of pairs.
func newSourceSet(data *Problem) *pairSet {
	p := &pairSet{data: data}
	p.block = p.blockSize()
	docs := 0 // number of documents in the current block
	for q, s := range data.Sizes {
		if s.Pairs == 0 {
			continue
		}
		w := data.weight(q, s.Pairs)
		if !(w > 0) {
			continue
		}
		p.units = append(p.units, unit{n: s.Rows, query: q, pairs: s.Pairs, weight: w, full: w})
		p.docs, p.pairs = p.docs+s.Rows, p.pairs+s.Pairs
		if s.Rows > LongQuery {
			continue
		}
		if docs == 0 {
			p.ranges = append(p.ranges, [2]int{q, 0})
		}
		p.ranges[len(p.ranges)-1][1] = q + 1
		if docs += s.Rows; docs >= p.block {
			docs = 0
		}
	}
	return p
}

// fetchSample is sample for data with a Source. If whole is true, it fetches all of p.
func (p *pairSet) fetchSample(ctx context.Context, places []place, docs, length int, whole bool) (*pairSet, error) {
	fetched := map[place]*unit{}
	data := *p.data
	data.Source = nil
	s := &pairSet{data: &data}
	for wanted := []place(nil); ; {
		known := len(wanted)
		at := func(at place) unit {
			u := p.units[at.unit]
			if has := fetched[at]; has != nil {
				return *has
			}
			if wanted = append(wanted, at); u.splits(length) {
				u.n /= (u.n + length - 1) / length // parts may have one document more
			}
			return u
		}
		if whole {
			s.units = s.units[:0]
			for _, at1 := range places {
				s.units = append(s.units, at(at1))
			}
		} else {
			s.units = choose(places, docs, at)
		}
		if len(wanted) == known {
			break
		}
		// Some parts may turn out to have no pairs, so that others are needed. Their documents are
		// fetched together in the next round.
		if err := p.fetch(ctx, &data, wanted, length, fetched); err != nil {
			return nil, err
		}
	}
	if whole {
		s.prepare()
	} else {
		p.share(s)
	}
	return s, nil
}

// fetch stores the documents of places in data, and the units made of them in fetched.
func (p *pairSet) fetch(ctx context.Context, data *Problem, places []place, length int,
	fetched map[place]*unit) error {
	draws := make([]Draw, len(places))
	for i, at := range places {
		u := &p.units[at.unit]
		draws[i] = Draw{u.query, -1}
		if u.splits(length) {
			draws[i].Part = int(at.part)
		}
	}
	f, err := p.data.Source.Fetch(ctx, draws, length)
	if err != nil {
		return err
	}
	data.Features, data.Labels = f.Features, f.Labels
	n := len(f.Labels)
	if n > math.MaxInt32 {
		return fmt.Errorf("ranksvm: Hessians require a sample of %d documents, but the limit is %d", n, math.MaxInt32)
	}
	rows, lower := make([]int32, n), make([]int32, n)
	for i, at := range places {
		lo, hi := f.Ranges[i][0], f.Ranges[i][1]
		u := p.units[at.unit]
		whole := u
		u.n, u.rows, u.lower, u.first = hi-lo, rows[lo:hi:hi], lower[lo:hi:hi], lo
		if draws[i].Part < 0 {
			sortByLabel(u.rows, u.lower, f.Labels, lo)
		} else {
			for k := range u.rows {
				u.rows[k] = int32(lo + k)
			}
			u.pairs = countLower(u.lower, func(i int) float64 { return f.Labels[lo+i] })
			u.weight = whole.weight * (float64(whole.pairs) / float64(f.Pairs[i]))
		}
		fetched[at] = &u
	}
	return nil
}

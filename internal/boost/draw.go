package boost

import (
	"math"
	"math/bits"

	"github.com/simdrank/simdrank/internal/num"
)

// A Draw samples the queries, rows and features for a tree. The sample depends only on the seed and
// on the number of the tree in the model, so that training can be resumed.
type Draw struct {
	o       *Params
	offsets []int // offsets of the queries

	queries, rows chance
}

// NewDraw returns a Draw for queries with the rows offsets[q] to offsets[q+1]−1.
func NewDraw(o *Params, offsets []int) Draw { return Draw{o: o, offsets: offsets} }

// A chance draws an event independently for each of many items, with the same probability.
type chance struct {
	key   uint64
	below uint64 // the probability, multiplied by 2⁶⁴
	all   bool
}

func newChance(fraction float64, key uint64) chance {
	if fraction >= 1 {
		return chance{all: true}
	}
	return chance{key: key, below: uint64(float64(fraction * (1 << 64)))}
}

func (c *chance) of(i int) bool { return c.all || num.Mix(c.key+uint64(i)*num.Golden) < c.below }

// Some reports whether trees are grown on a sample.
func (d *Draw) Some() bool {
	return d.o.QueryFraction < 1 || d.o.RowFraction < 1 || d.o.FeatureFraction < 1 ||
		d.o.NodeFeatureFraction < 1 || d.o.ExtraTrees
}

// Query reports whether query q is in the sample.
func (d *Draw) Query(q int) bool { return d.queries.of(q) }

// row reports whether row i is drawn if its query is drawn.
func (d *Draw) row(i int) bool { return d.rows.of(i) }

// TreeKey returns the base of all keys of a tree.
func TreeKey(seed uint64, tree int) uint64 {
	return num.Mix(seed ^ num.Mix(uint64(tree)+num.Golden))
}

// Begin samples the queries and rows of a tree. It returns the key for sampling its features.
func (d *Draw) Begin(tree int) (features uint64) {
	key := TreeKey(d.o.Seed, tree)
	d.queries, d.rows = newChance(d.o.QueryFraction, num.Mix(key+1)), newChance(d.o.RowFraction, num.Mix(key+2))
	return num.Mix(key + 3)
}

// Tree samples for a tree. It gives the grower the sampled rows in order, followed by the other
// rows, and returns the number of sampled rows.
func (d *Draw) Tree(g *Grower, tree int) int {
	d.Features(g, tree)
	n := 0
	if g.whole = d.queries.all && d.rows.all; g.whole {
		for i := range g.rows {
			g.rows[i] = uint32(i)
		}
		return len(g.rows)
	}
	left := g.tmpRows[:0]
	for q := range len(d.offsets) - 1 {
		lo, hi := d.offsets[q], d.offsets[q+1]
		in := d.Query(q)
		for i := lo; i < hi; i++ {
			if in && d.row(i) {
				g.rows[n] = uint32(i)
				n++
			} else {
				left = append(left, uint32(i))
			}
		}
	}
	copy(g.rows[n:], left)
	return n
}

// Sum adds up the derivatives of the rows of a sampled query, the first of which is row lo. If a
// Hessian is negative, the sum of Hessians is NaN.
func (d *Draw) Sum(lo int, grad, hess []float32) (s QuerySum) {
	for i, v := range grad {
		if d.row(lo + i) {
			s.Grad += math.Abs(float64(v))
			if s.Hess += float64(hess[i]); hess[i] < 0 {
				s.Hess = math.NaN()
			}
		}
	}
	return s
}

// Features starts a tree: it samples features that can be split, and sets the key of its nodes.
func (d *Draw) Features(g *Grower, tree int) {
	key := d.Begin(tree)
	keep(g.drawn, g.splittable, d.o.FeatureFraction, 0, key)
	g.key = num.Mix(^key)
}

// keep sets kept to a random sample of all. The sample size is the fraction of number or, if number
// is 0, of the elements of all.
func keep(kept, all []bool, fraction float64, number int, key uint64) {
	var list []int
	for i, ok := range all {
		if kept[i] = ok; ok {
			list = append(list, i)
		}
	}
	if number == 0 {
		number = len(list)
	}
	take := int(math.Ceil(float64(fraction * float64(number))))
	stream := num.SplitMix(key)
	for i := range list { // Fisher-Yates shuffle; elements after the first take are dropped
		hi, _ := bits.Mul64(stream.Next(), uint64(len(list)-i))
		j := i + int(hi)
		list[i], list[j] = list[j], list[i]
		kept[list[i]] = i < take
	}
}

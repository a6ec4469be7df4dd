package boost

import (
	"math"
	"math/bits"

	"github.com/simdrank/simdrank/internal/num"
)

// A Draw chooses the queries, rows and features that a tree is grown on. What is chosen depends on
// the seed and on the number of the tree in the model alone, so that training can be resumed.
type Draw struct {
	o       *Params
	offsets []int // of queries

	queries, rows chance
}

// NewDraw returns the draw from queries of the rows offsets[q] to offsets[q+1]−1.
func NewDraw(o *Params, offsets []int) Draw { return Draw{o: o, offsets: offsets} }

// A chance is an event for each of many things, with the same probability.
type chance struct {
	key   uint64
	below uint64 // of 2⁶⁴
	all   bool
}

func newChance(fraction float64, key uint64) chance {
	if fraction >= 1 {
		return chance{all: true}
	}
	return chance{key: key, below: uint64(float64(fraction * (1 << 64)))}
}

func (c *chance) of(i int) bool { return c.all || num.Mix(c.key+uint64(i)*num.Golden) < c.below }

// Some reports whether trees are grown on less than everything.
func (d *Draw) Some() bool {
	return d.o.QueryFraction < 1 || d.o.RowFraction < 1 || d.o.FeatureFraction < 1 ||
		d.o.NodeFeatureFraction < 1 || d.o.ExtraTrees
}

// Query reports whether query q was drawn.
func (d *Draw) Query(q int) bool { return d.queries.of(q) }

// row reports whether row i was drawn, given that its query was.
func (d *Draw) row(i int) bool { return d.rows.of(i) }

// TreeKey returns what all keys of a tree are made of.
func TreeKey(seed uint64, tree int) uint64 {
	return num.Mix(seed ^ num.Mix(uint64(tree)+num.Golden))
}

// Begin draws the queries and rows of a tree. It returns the key to draw its features by.
func (d *Draw) Begin(tree int) (features uint64) {
	key := TreeKey(d.o.Seed, tree)
	d.queries, d.rows = newChance(d.o.QueryFraction, num.Mix(key+1)), newChance(d.o.RowFraction, num.Mix(key+2))
	return num.Mix(key + 3)
}

// Tree draws for a tree, and gives the grower its rows in order, with those that were not drawn
// behind them. It returns the number drawn.
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

// Sum adds up the derivatives of the rows of a drawn query, the first of which is row lo. A
// negative Hessian makes the sum of Hessians NaN.
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

// Features begins a tree, and draws its features from those that can be split, and the key of its
// nodes.
func (d *Draw) Features(g *Grower, tree int) {
	key := d.Begin(tree)
	keep(g.drawn, g.splittable, d.o.FeatureFraction, 0, key)
	g.key = num.Mix(^key)
}

// keep sets kept to a sample of all: that fraction of them, or of number if it is not 0.
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
	for i := range list { // Fisher and Yates; those beyond take are left out
		hi, _ := bits.Mul64(stream.Next(), uint64(len(list)-i))
		j := i + int(hi)
		list[i], list[j] = list[j], list[i]
		kept[list[i]] = i < take
	}
}

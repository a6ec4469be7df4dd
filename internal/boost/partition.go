package boost

import (
	"context"

	"github.com/simdrank/simdrank/internal/trees"
)

// partRows is the number of rows from which two parts are better than one.
const partRows = 1 << 14

// partition sorts the rows of leaf l by the division made last into those of l and those of leaf r,
// and returns how many stay in l.
func (g *Grower) partition(l, r int) int {
	left, right := g.spans[l*g.parts:(l+1)*g.parts], g.spans[r*g.parts:(r+1)*g.parts]
	c := &g.cuts[len(g.cuts)-1]
	col, stride, set := g.column(c, g.leaves[l].rows)
	defer g.unmark(c)
	do := func(p int) {
		m := g.divide(left[p], col, stride, &set)
		left[p].hi, right[p].lo = m, m
	}
	if rows := g.leaves[l].rows; g.parts > 1 && rows >= serialRows {
		g.team.Run(g.parts, do)
	} else {
		for p := range g.parts {
			do(p)
		}
	}
	n := 0
	for _, s := range left {
		n += s.hi - s.lo
	}
	return n
}

// serialRows is the number of rows of a leaf from which partitions are shared among threads.
const serialRows = 4096

// keptColumns is how many columns there are for each that is kept.
const keptColumns = 8

// keptColumn returns column k, which divides n rows, if it is kept. It takes the place of another
// one when it has divided half as many rows more as there are: a copy takes the time of dividing
// all of them without.
func (g *Grower) keptColumn(k, n int) []uint8 {
	g.divided[k] += n
	least := 0 // kept column
	for i, of := range g.keptOf {
		if of == k {
			return g.kept[i]
		}
		if last := g.keptOf[least]; last >= 0 && (of < 0 || g.divided[of] < g.divided[last]) {
			least = i
		}
	}
	most := 0
	if of := g.keptOf[least]; of >= 0 {
		most = g.divided[of]
	}
	if g.divided[k] < most+g.b.rows/2 {
		return nil
	}
	if g.kept[least] == nil {
		g.kept[least] = make([]uint8, g.b.rows)
	}
	g.keptOf[least] = k
	col, parts := g.kept[least], g.team.Workers()
	g.team.Run(parts, func(p int) {
		for i := g.b.rows * p / parts; i < g.b.rows*(p+1)/parts; i++ {
			col[i] = g.b.wide[i*g.b.stride+k]
		}
	})
	return col
}

// column returns a column that tells the sides of a division of n rows, from one row to the next at
// a stride, and the values in it that go left. Of a sparse feature it is one of marks: 0 for the
// side of the usual bin, 1 for the other one.
func (g *Grower) column(c *division, n int) (col []uint8, stride int, left [4]uint64) {
	k, sparse := g.b.place(c.feature)
	if !sparse {
		d := g.b.digits[c.feature]
		left = g.b.leftOf(c.feature, &c.left)
		if g.b.cols != nil {
			return g.b.cols[d.column*g.b.rows:][:g.b.rows], 1, left
		}
		if col = g.keptColumn(d.column, n); col != nil {
			return col, 1, left
		}
		return g.b.wide[d.column:], g.b.stride, left
	}
	s := &g.b.sparse
	usual := c.goesLeft(s.usual[k])
	left[0] = 2
	if usual {
		left[0] = 1
	}
	rows, bins := s.of(k)
	for i, r := range rows {
		if c.goesLeft(bins[i]) != usual {
			g.marks[r] = 1
		}
	}
	return g.marks, 1, left
}

// unmark makes all marks 0 after a division.
func (g *Grower) unmark(c *division) {
	if k, sparse := g.b.place(c.feature); sparse {
		rows, _ := g.b.sparse.of(k)
		for _, r := range rows {
			g.marks[r] = 0
		}
	}
}

func (c *division) goesLeft(bin uint8) bool { return inSet(&c.left, bin) }

// divide sorts a span of rows by their values in a column, of which a set goes left, and returns
// where the right side begins.
func (g *Grower) divide(s span, col []uint8, stride int, left *[4]uint64) int {
	return s.lo + trees.PartitionRows(g.rows[s.lo:s.hi], g.gh[s.lo:s.hi], g.tmpRows[s.lo:s.hi], g.tmpGH[s.lo:s.hi], col,
		stride, left)
}

// place sorts the rows that the tree was not grown on, which stand behind the first n, into its
// leaves.
func (g *Grower) place(n int) []span {
	at := make([]span, len(g.leaves))
	at[0] = span{n, len(g.rows)}
	for i := range g.cuts {
		s := &at[g.cuts[i].leaf]
		col, stride, left := g.column(&g.cuts[i], s.hi-s.lo)
		m := g.divide(*s, col, stride, &left)
		g.unmark(&g.cuts[i])
		at[i+1] = span{m, s.hi}
		s.hi = m
	}
	return at
}

// label finds the leaf of each row, and clears the derivatives of the rows after the first n, on
// which the tree was not grown.
func (g *Grower) label(n int) {
	var others []span
	if n < len(g.rows) {
		others = g.place(n)
	}
	leafOf := g.LeafOf()
	// The context is not asked, because no row may keep a leaf of another tree.
	g.team.For(context.Background(), len(g.spans), func(_, task int) {
		for _, r := range g.rows[g.spans[task].lo:g.spans[task].hi] {
			leafOf[r] = uint32(task / g.parts)
		}
	})
	for l, s := range others {
		for _, r := range g.rows[s.lo:s.hi] {
			leafOf[r] = uint32(l)
			g.grad[r], g.hess[r] = 0, 0
		}
	}
}

// LeafOf returns the leaf of each row in the last tree. The leaves are stored in the scratch memory
// for partitions, which a complete tree no longer needs.
func (g *Grower) LeafOf() []uint32 { return g.tmpRows }

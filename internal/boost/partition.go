package boost

import (
	"context"

	"github.com/simdrank/simdrank/internal/trees"
)

// partRows is the number of rows above which dividing rows into two parts pays off.
const partRows = 1 << 14

// partition divides the rows of leaf l between l and leaf r by the last division. It returns the
// number of rows that stay in l.
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

// Partitions of at least serialRows rows are shared among threads.
const serialRows = 4096

// At most one column in keptColumns is kept.
const keptColumns = 8

// keptColumn returns column k, which is about to divide n rows, if it is kept. Column k replaces a
// kept column once it has divided more rows than that one, by at least half of all rows. A copy
// takes as long as dividing all rows without one.
func (g *Grower) keptColumn(k, n int) []uint8 {
	g.divided[k] += n
	least := 0 // the kept column that has divided the fewest rows
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

// column returns the column for a division of n rows: its bytes, the stride from one row to the
// next, and the set of bytes that go left. For a sparse feature, it returns marks, with 0 for the
// side of the usual bin and 1 for the other side.
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

// unmark resets all marks to 0 after a division.
func (g *Grower) unmark(c *division) {
	if k, sparse := g.b.place(c.feature); sparse {
		rows, _ := g.b.sparse.of(k)
		for _, r := range rows {
			g.marks[r] = 0
		}
	}
}

func (c *division) goesLeft(bin uint8) bool { return inSet(&c.left, bin) }

// divide partitions a span of rows by a column and returns the start of the right side. left is the
// set of bytes that go left.
func (g *Grower) divide(s span, col []uint8, stride int, left *[4]uint64) int {
	return s.lo + trees.PartitionRows(g.rows[s.lo:s.hi], g.gh[s.lo:s.hi], g.tmpRows[s.lo:s.hi], g.tmpGH[s.lo:s.hi], col,
		stride, left)
}

// place distributes the rows after the first n, on which the tree was not grown, to its leaves.
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

// label finds the leaf of each row. It clears the derivatives of rows after the first n, on which
// the tree was not grown.
func (g *Grower) label(n int) {
	var others []span
	if n < len(g.rows) {
		others = g.place(n)
	}
	leafOf := g.LeafOf()
	// Ignore the context, because no row may keep the leaf of an earlier tree.
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

package boost

import (
	"slices"

	"github.com/simdrank/simdrank/internal/trees"
)

// cells returns the histogram of feature f in a leaf.
func (g *Grower) cells(l *leaf, f int32) []int64 { return l.hist[g.b.at[f]:][:g.b.feature[f].Bins] }

// updates returns about how many cell updates a search of leaves with this total number of rows
// takes. An entry of a row is one update, and so is the search of a few cells.
func (g *Grower) updates(rows, leaves int) int {
	n := len(g.groups) * 8 * (rows + 3*leaves*trees.HistogramCells)
	for _, s := range g.stripes {
		n += int(float64(len(s.entries))/float64(g.b.rows)*float64(rows)) + 3*leaves*s.cells
	}
	return n
}

// Below serialUpdates cell updates, waking other threads costs more than it saves.
const serialUpdates = 40_000

// KeepBytes is large enough for the histograms of all leaves, except in the largest trees. Tests
// change it.
var KeepBytes int64 = 1 << 30

// If bins are in a file, mappedRows rows are read for all leaves before the next rows are.
const mappedRows = 1 << 16

// histograms builds the histograms of leaves for the groups and processes adjacent groups together.
// If bins are in a file, it reads the file once from start to end.
func (g *Grower) histograms(leaves []*leaf, groups []int, found *found) {
	step := g.b.rows
	if g.b.file != nil {
		step = mappedRows
	}
	found.at = found.at[:0]
	for _, l := range leaves {
		for _, group := range groups {
			clear(l.hist[group*8*trees.HistogramCells:][:8*trees.HistogramCells])
		}
		for _, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
			found.at = append(found.at, s.lo)
		}
	}
	for end := step; end < g.b.rows+step; end += step {
		for i, l := range leaves {
			for p, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
				from := found.at[i*g.parts+p]
				to := s.hi
				switch {
				case end >= g.b.rows:
				case g.whole:
					to = max(min(to, end), from)
				default:
					n, _ := slices.BinarySearch(g.rows[from:to], uint32(end))
					to = from + n
				}
				found.at[i*g.parts+p] = to
				g.addRows(l.hist, groups, from, to, found.tile)
			}
		}
	}
}

// The histograms of a leaf with at least shareRows rows per worker are built by rows. Each worker
// then reads an equal share of whole rows, but the sums of the workers have to be added.
const shareRows = 1 << 13

// histogramsOfShare builds the histograms of a worker's share of the rows of a leaf. Worker 0
// builds them in the leaf itself.
func (g *Grower) histogramsOfShare(l *leaf, worker, workers int) {
	found := &g.found[worker]
	hist := l.hist
	if worker > 0 {
		if found.share == nil {
			found.share = make([]int64, g.b.stride*trees.HistogramCells)
		}
		hist = found.share
	}
	for _, group := range g.groups {
		clear(hist[group*8*trees.HistogramCells:][:8*trees.HistogramCells])
	}
	lo, hi := l.rows*worker/workers, l.rows*(worker+1)/workers
	for _, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
		n := s.hi - s.lo
		if from, to := max(lo, 0), min(hi, n); from < to {
			g.addRows(hist, g.groups, s.lo+from, s.lo+to, found.tile)
		}
		lo, hi = lo-n, hi-n
	}
}

// addShares adds the histograms of the other workers' shares to hist, which has the share of worker
// 0.
func (g *Grower) addShares(hist []int64, groups []int, others []found) {
	for _, group := range groups {
		lo, hi := group*8*trees.HistogramCells, (group+1)*8*trees.HistogramCells
		for i := range others {
			sum := hist[lo:hi]
			for k, v := range others[i].share[lo:hi] {
				sum[k] += v
			}
		}
	}
}

// addRows adds rows from to to−1 of the grower to histograms.
func (g *Grower) addRows(hist []int64, groups []int, from, to int, tile []uint8) {
	if g.whole {
		g.b.addRows(hist, groups, from, nil, g.gh[from:to], tile)
	} else {
		g.b.addRows(hist, groups, 0, g.rows[from:to], g.gh[from:to], tile)
	}
}

// sparseHistograms builds the histograms of a leaf for a stripe. The usual bin of a feature gets
// the sum of the leaf minus the other bins.
func (g *Grower) sparseHistograms(l *leaf, st *stripe) {
	part := l.hist[st.at : st.at+st.cells]
	clear(part)
	for _, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
		if g.whole {
			trees.HistogramU16(part, st.entries, st.offsets[s.lo:s.hi+1], nil, g.gh[s.lo:s.hi])
		} else {
			trees.HistogramU16(part, st.entries, st.offsets, g.rows[s.lo:s.hi], g.gh[s.lo:s.hi])
		}
	}
	s := &g.b.sparse
	for k := st.from; k < st.to; k++ {
		lo, hi := s.at[k], s.at[k+1]
		l.hist[lo+int(s.usual[k])] = l.total - trees.SumI64(l.hist[lo:hi])
	}
}

// Bytes returns the memory size of histograms and copied columns.
func (g *Grower) Bytes() int64 {
	n := g.held
	for _, col := range g.kept {
		n += int64(len(col))
	}
	for i := range g.found {
		n += int64(len(g.found[i].tile) + 8*len(g.found[i].share))
	}
	return n
}

// take returns memory for the histograms of a leaf.
func (g *Grower) take() []int64 {
	if n := len(g.free); n > 0 {
		h := g.free[n-1]
		g.free = g.free[:n-1]
		return h
	}
	h := make([]int64, g.b.cells)
	g.held += int64(8 * len(h))
	return h
}

// full reports whether the leaves use more memory for histograms than allowed.
func (g *Grower) full() bool {
	if len(g.free) == 0 {
		return g.held > g.keep
	}
	return g.held-int64(8*len(g.free)*len(g.free[0])) > g.keep
}

func (g *Grower) release(l *leaf) {
	if l.hist != nil {
		g.free = append(g.free, l.hist)
		l.hist = nil
	}
}

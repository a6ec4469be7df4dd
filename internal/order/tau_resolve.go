package order

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/memory"
)

// A resolver corrects the counts for different values of a column that share a key.
type resolver struct {
	tied     []int32  // keys that several values have
	filter   []uint64 // one bit per value of a key's last bits; small enough for L1 if possible
	second   []uint64 // one bit per hash of a key, for keys that pass the first filter
	suspects suspects
	free     []int64   // scratch memory for sorting the suspects
	values   []float64 // values of the suspects
	table    []firstOf
}

// suspects contains values that share a key with another value, or may do so. It contains their
// packed keys and indices, up to a limit.
type suspects struct {
	found []int64
	limit int
	many  bool
}

func (s *suspects) reset(limit int) { s.found, s.limit, s.many = s.found[:0], limit, false }

func (s *suspects) add(key int32, index int) {
	if len(s.found) == s.limit {
		s.many = true
		return
	}
	s.found = append(s.found, int64(key)<<32|int64(index))
}

// A firstOf contains a tied key and the first value that has it.
type firstOf struct {
	key   int32
	used  bool
	seen  bool
	mixed bool // whether another value has the key
	value float64
}

// resolve corrects the counts by the tied keys that the tasks have listed. It returns false if this
// would take longer than ranking the columns.
func (r *resolver) resolve(counts *PairCounts, x, y *column, tasks []*tauTask) bool {
	r.tied = r.tied[:0]
	for _, t := range tasks {
		r.tied = append(r.tied, t.tiedX...)
	}
	if !r.find(x, tasks) || !r.correct(counts, &counts.X, x, y, x) {
		return false
	}
	r.tied = r.tied[:0]
	for _, t := range tasks {
		r.tied = append(r.tied, t.tiedY...)
	}
	return r.find(y, tasks) && r.correct(counts, &counts.Y, x, y, y)
}

// find sets r.suspects to the values of a column whose keys are tied. The first filter has at least
// eight bits per tied key while it is a small part of L2, and the second filter has 64, so that few
// other values pass. find returns false if there are too many suspects.
func (r *resolver) find(col *column, tasks []*tauTask) bool {
	n := col.len()
	r.suspects.reset(64 + n/8)
	if len(r.tied) == 0 {
		return true
	}
	r.filter = memory.Grow(r.filter, min(max(filterLen, 1<<bits.Len(uint(len(r.tied)/8))), filterMost))
	r.second = memory.Grow(r.second, 1<<min(18, max(bits.Len(uint(len(r.tied))), min(9, bits.Len(uint(n/16))))))
	clear(r.filter)
	clear(r.second)
	for _, k := range r.tied {
		r.filter[int(uint32(k)>>6)&(len(r.filter)-1)] |= 1 << (k & 63)
		h := hash(k)
		r.second[int(h>>6)&(len(r.second)-1)] |= 1 << (h & 63)
	}
	if len(tasks) == 1 {
		r.findPart(&r.suspects, tasks[0], col, 0, n)
	} else {
		var all sync.WaitGroup
		for i, t := range tasks {
			lo, hi := part(i, len(tasks), n), part(i+1, len(tasks), n)
			t.suspects.reset(r.suspects.limit)
			all.Go(func() { r.findPart(&t.suspects, t, col, lo, hi) })
		}
		all.Wait()
		for _, t := range tasks {
			r.suspects.found = append(r.suspects.found, t.suspects.found...)
			r.suspects.many = r.suspects.many || t.suspects.many
		}
	}
	return !r.suspects.many || r.findMixed(col, tasks[0])
}

// hash is Knuth's multiplicative hash. Its first bits depend on all bits of the key.
func hash(key int32) uint32 {
	h := uint32(key) * 0x9e3779b1
	return h ^ h>>16
}

// findPart adds the suspects among the values from lo to hi.
func (r *resolver) findPart(s *suspects, t *tauTask, col *column, lo, hi int) {
	second := r.second
	for ; lo < hi && !s.many; lo += chunkLen {
		keys := col.fill(t.kx[:], lo, min(lo+chunkLen, hi))
		for _, i := range t.ky[:FilterI32(t.ky[:], keys, r.filter)] {
			if h := hash(keys[i]); second[int(h>>6)&(len(second)-1)]&(1<<(h&63)) != 0 {
				s.add(keys[i], lo+int(i))
			}
		}
	}
}

// findMixed replaces find if there are many ties, most of them between equal values. It omits keys
// that only one value has.
func (r *resolver) findMixed(col *column, t *tauTask) bool {
	n, size := col.len(), bits.Len(uint(len(r.tied)))+1
	r.table = memory.Grow(r.table, 1<<size)
	clear(r.table)
	at := func(k int32) *firstOf {
		h := hash(k) >> (32 - size)
		for r.table[h].used && r.table[h].key != k {
			h = (h + 1) & uint32(len(r.table)-1)
		}
		return &r.table[h]
	}
	for _, k := range r.tied {
		f := at(k)
		f.key, f.used = k, true
	}
	mixed := false
	for lo := 0; lo < n; lo += stageLen {
		for i, k := range col.fill(t.kx[:], lo, min(lo+stageLen, n)) {
			switch f, v := at(k), col.f64[lo+i]; {
			case !f.used:
			case !f.seen:
				f.seen, f.value = true, v
			case f.value != v:
				f.mixed, mixed = true, true
			}
		}
	}
	r.suspects.reset(64 + n/4)
	for lo := 0; lo < n && mixed; lo += stageLen {
		for i, k := range col.fill(t.kx[:], lo, min(lo+stageLen, n)) {
			if at(k).mixed {
				r.suspects.add(k, lo+i)
			}
		}
	}
	return !r.suspects.many
}

// correct corrects the counts for each pair of suspects that share a key of col, which is x or y.
func (r *resolver) correct(counts *PairCounts, ties *Ties, x, y, col *column) bool {
	found := r.suspects.found
	r.free = memory.Grow(r.free, len(found))
	SortKeys(found, r.free)
	value := func(key int64) float64 { return col.f64[uint32(key)] }
	r.values = memory.Grow(r.values, len(found))
	for i, key := range found {
		r.values[i] = value(key) // load all values first, so that the cache misses overlap
	}
	work := int64(0)
	for i, j := 0, 0; i < len(found); i = j {
		for j = i + 1; j < len(found) && found[j]>>32 == found[i]>>32; j++ {
		}
		group := found[i:j]
		if !slices.ContainsFunc(r.values[i+1:j], func(v float64) bool { return v != r.values[i] }) {
			continue
		}
		slices.SortFunc(group, func(a, b int64) int { return int(compare(value(a), value(b))) })
		n := int64(len(group))
		if work += n * n; work > 16*int64(col.len())+1<<16 {
			return false
		}
		// Replace the run by the runs of the different values.
		ties.Distinct--
		ties.Pairs -= n * (n - 1) / 2
		ties.Triples.Sub(triples(n))
		start := 0
		for k := 1; k <= len(group); k++ {
			if k == len(group) || value(group[k]) != value(group[start]) {
				ties.addRun(int64(k - start))
				start = k
			}
		}
		for k, a := range group {
			for _, b := range group[:k] {
				if value(a) != value(b) {
					counts.correctPair(x, y, int(uint32(a)), int(uint32(b)), col == x)
				}
			}
		}
	}
	return true
}

// correctPair corrects the pair counts for values i and j, which differ in a column in which they
// have the same key. byX is true if this column is x.
func (c *PairCounts) correctPair(x, y *column, i, j int, byX bool) {
	keyX, realX := x.compare(i, j)
	keyY, realY := y.compare(i, j)
	if !byX && keyX != realX {
		return // was corrected with the suspects of x
	}
	if keyX == 0 && keyY == 0 {
		c.TiedBoth--
	}
	if realX*realY < 0 {
		c.Discordant++
	}
}

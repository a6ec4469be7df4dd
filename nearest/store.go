package nearest

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/vectors"
)

// A Store finds exact nearest neighbors among vectors that you can add, replace and delete at any
// time. Vectors have your own IDs. Q is the element type of queries, and E is the element type of
// vectors. The package comment lists the types that can be combined.
//
// A Store is safe for concurrent use. A search uses the vectors that the store contains when the
// search starts. It does not wait for writers and does not delay them. Its result depends only on
// these vectors, not on the order in which they were added.
//
// A store copies vectors to memory. Including deleted vectors that are not yet released, it uses at
// most 8 MiB more than twice the memory of the current vectors. IDs and, for cosine, norms need
// additional memory. [Store.Save] writes a snapshot. A store does not have a write-ahead log:
// changes after the last snapshot are lost when the program ends.
type Store[ID string | int64, Q, E vectors.Element | uint64] struct {
	// Threads is like [Index.Threads]. Do not change it during a search.
	Threads int

	cols  int
	empty *Index[Q] // index without vectors, which checks queries
	view  atomic.Pointer[[]*part[ID, Q, E]]

	writing sync.Mutex // held by writers; it protects the following fields
	places  map[ID]place[ID, Q, E]
	most    int // maximum length of places since it was allocated
}

// A Match is one search result of a [Store].
type Match[ID string | int64] struct {
	ID    ID
	Score float64 // value of the metric; for l2 and hamming, smaller is nearer
}

// A segment contains rows of a store. A writer adds rows until all are in use, and never changes
// them. Searches read the rows that were in use at their start.
type segment[ID string | int64, Q, E element] struct {
	ids   []ID
	rows  []E
	index *Index[Q] // of all rows, whether they are in use or not
	at    int       // position in the list of parts, for writers
}

// A part is the state of a segment at some time. It does not change. A list of parts is the state
// of a store.
type part[ID string | int64, Q, E element] struct {
	*segment[ID, Q, E]
	n     int      // number of rows in use
	live  int      // number of rows that were not deleted
	alive []uint64 // bitmap of the rows that were not deleted; nil if there are no other rows
}

// A place is the row of a vector.
type place[ID string | int64, Q, E element] struct {
	segment *segment[ID, Q, E]
	row     int
}

// The number of rows in a segment is limited by their size, because compaction copies up to half of
// a segment, and absolutely, because deleting a row copies a bitmap.
var segmentBytes = 8 << 20 // tests change it

const (
	segmentRows = 1 << 15
	leastBytes  = 1 << 12 // size of the first segment
)

// NewStore returns an empty store for vectors with cols elements. The metrics are the same as in
// [New]. It returns an error if the metric is unknown or does not support the types.
func NewStore[ID string | int64, Q, E vectors.Element | uint64](cols int, metric string) (*Store[ID, Q, E], error) {
	empty, err := New[Q]([]E(nil), 0, cols, cols, metric)
	if err != nil {
		return nil, err
	}
	s := &Store[ID, Q, E]{cols: cols, empty: empty, places: map[ID]place[ID, Q, E]{}}
	s.view.Store(new([]*part[ID, Q, E]))
	return s, nil
}

// Len returns the number of vectors.
func (s *Store[ID, Q, E]) Len() (n int) {
	for _, p := range *s.view.Load() {
		n += p.live
	}
	return n
}

// Put adds a vector, or replaces the vector that has the same ID. It copies the vector. It returns
// an error if the vector does not have the store's number of columns, or if it contains a NaN.
func (s *Store[ID, Q, E]) Put(id ID, vector []E) error {
	if len(vector) != s.cols {
		return errs.Errorf("nearest", "vector %v has %d elements, but the store has %d columns", id, len(vector),
			s.cols)
	}
	if i := firstNaN(vector); i >= 0 {
		return errs.Errorf("nearest", "vector %v must not contain NaN (element %d of %d)", id, i, len(vector))
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	parts := slices.Clone(*s.view.Load())
	if old, ok := s.places[id]; ok {
		parts = s.kill(parts, old)
	}
	parts = s.add(parts, id, vector)
	s.most = max(s.most, len(s.places))
	s.view.Store(&parts)
	return nil
}

// Delete deletes the vector with the given ID. It returns false if the store has no such vector.
func (s *Store[ID, Q, E]) Delete(id ID) bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	old, ok := s.places[id]
	if !ok {
		return false
	}
	delete(s.places, id)
	if s.most > 4*len(s.places)+64 { // a map does not shrink
		places := make(map[ID]place[ID, Q, E], len(s.places))
		for id, place := range s.places {
			places[id] = place
		}
		s.places, s.most = places, len(places)
	}
	parts := s.kill(slices.Clone(*s.view.Load()), old)
	s.view.Store(&parts)
	return true
}

// add adds a vector to the last segment, or to a new one if the last segment is full.
func (s *Store[ID, Q, E]) add(parts []*part[ID, Q, E], id ID, vector []E) []*part[ID, Q, E] {
	last := len(parts) - 1
	if last < 0 || parts[last].n == len(parts[last].ids) {
		parts = append(parts, s.newPart(len(parts)))
		if last >= 0 {
			parts = s.compact(parts, last)
		}
		last = len(parts) - 1
		if parts[last].n == len(parts[last].ids) {
			return s.add(parts, id, vector)
		}
	}
	p := *parts[last]
	copy(p.rows[p.n*s.cols:], vector)
	p.ids[p.n] = id
	s.places[id] = place[ID, Q, E]{p.segment, p.n}
	if p.alive != nil {
		p.alive = slices.Clone(p.alive)
		p.alive[p.n/64] |= 1 << (p.n % 64)
	}
	p.n, p.live = p.n+1, p.live+1
	parts[last] = &p
	return parts
}

// newPart returns an empty segment for a position. It has space for as many rows as there are
// vectors, within limits.
func (s *Store[ID, Q, E]) newPart(at int) *part[ID, Q, E] {
	size := s.cols * int(unsafe.Sizeof(*new(E)))
	n := min(max(len(s.places), leastBytes/size, 1), max(segmentBytes/size, 1), segmentRows)
	rows := make([]E, n*s.cols)
	index, err := New[Q](rows, n, s.cols, s.cols, s.empty.metric.String())
	if err != nil {
		panic(err) // NewStore has checked the arguments
	}
	index.Threads, index.pool = 1, s.empty.pool
	return &part[ID, Q, E]{segment: &segment[ID, Q, E]{ids: make([]ID, n), rows: rows, index: index, at: at}}
}

// kill deletes a row.
func (s *Store[ID, Q, E]) kill(parts []*part[ID, Q, E], old place[ID, Q, E]) []*part[ID, Q, E] {
	at := old.segment.at
	p := *parts[at]
	if p.alive == nil {
		p.alive = make([]uint64, (len(p.ids)+63)/64)
		for i := range p.n {
			p.alive[i/64] |= 1 << (i % 64)
		}
	} else {
		p.alive = slices.Clone(p.alive)
	}
	p.alive[old.row/64] &^= 1 << (old.row % 64)
	p.live--
	parts[at] = &p
	return s.compact(parts, at)
}

// compact removes a segment if it is full and more than half of its rows were deleted, or if all
// were deleted. It adds the remaining rows again. Therefore, full segments contain at most twice as
// many rows as vectors.
func (s *Store[ID, Q, E]) compact(parts []*part[ID, Q, E], at int) []*part[ID, Q, E] {
	p := parts[at]
	if p.live > 0 && (p.n < len(p.ids) || 2*p.live >= p.n) {
		return parts
	}
	parts = slices.Delete(parts, at, at+1)
	for i := at; i < len(parts); i++ {
		parts[i].at = i
	}
	p.each(func(row int) { parts = s.add(parts, p.ids[row], p.row(row)) })
	return parts
}

// row returns a vector.
func (s *segment[ID, Q, E]) row(i int) []E {
	cols := len(s.rows) / len(s.ids)
	return s.rows[i*cols:][:cols]
}

// each calls do for all rows that were not deleted.
func (p *part[ID, Q, E]) each(do func(row int)) {
	if p.alive == nil {
		for i := range p.n {
			do(i)
		}
		return
	}
	for at, word := range p.alive {
		for ; word != 0; word &= word - 1 {
			do(64*at + bits.TrailingZeros64(word))
		}
	}
}

// AppendNearest appends to dst the k vectors nearest to the query, nearest first, or all vectors if
// there are fewer than k. Scores are the same as in [Index.AppendNearest]. Ties are sorted by
// ascending ID, and NaNs come last.
//
// If allow is not nil, the search skips the vectors for whose IDs allow returns false. It calls
// allow for every vector, and allow must be safe for concurrent use.
//
// It returns an error if the query length is not the number of columns, if the query contains a
// NaN, or if k is less than 1. On error, dst is returned unchanged.
func (s *Store[ID, Q, E]) AppendNearest(dst []Match[ID], query []Q, k int, allow func(ID) bool) ([]Match[ID], error) {
	return s.search(dst, query, limits{k: k, radius: math.NaN(), ties: true}, allow)
}

// AppendWithin is like [Store.AppendNearest], but appends only vectors within a radius, as in
// [Index.AppendWithin].
func (s *Store[ID, Q, E]) AppendWithin(dst []Match[ID], query []Q, radius float64, k int, allow func(ID) bool) (
	[]Match[ID], error) {
	if radius != radius {
		return dst, errNoRadius
	}
	return s.search(dst, query, limits{k: k, radius: radius, ties: true}, allow)
}

// A finder is the state of a goroutine that searches a store.
type finder[ID string | int64] struct {
	limits limits // the radius is the score of the last match if there are k matches
	found  []Match[ID]
	rows   []Neighbor
	allow  []uint64
	err    error
}

func (s *Store[ID, Q, E]) search(dst []Match[ID], query []Q, l limits, allow func(ID) bool) ([]Match[ID], error) {
	if err := s.empty.check(query, l.k); err != nil {
		return dst, err
	}
	parts := *s.view.Load()
	work := 0
	for _, p := range parts {
		work += len(p.rows) * int(unsafe.Sizeof(*new(E)))
	}
	threads := min(parallel.Threads(s.Threads), len(parts), work/taskBytes+1)
	finders := make([]finder[ID], max(1, threads))
	for i := range finders {
		finders[i].limits = l
	}
	// The context is never canceled, so there is no other error.
	_ = parallel.For(context.Background(), threads, len(parts), func(worker, task int) {
		f := &finders[worker]
		if f.err == nil {
			f.err = parts[task].search(f, query, allow)
		}
	})
	all := &finders[0]
	for _, f := range finders {
		if f.err != nil {
			return dst, f.err
		}
	}
	for _, f := range finders[1:] {
		all.found = append(all.found, f.found...)
	}
	all.cut(s.empty.metric)
	return append(dst, all.found...), nil
}

// search adds the nearest rows of a part to the matches of a finder.
func (p *part[ID, Q, E]) search(f *finder[ID], query []Q, allow func(ID) bool) (err error) {
	ix := *p.index
	ix.rows, ix.Allow = p.n, p.alive
	if allow != nil {
		f.allow = append(f.allow[:0], make([]uint64, (p.n+63)/64)...)
		p.each(func(row int) {
			if allow(p.ids[row]) {
				f.allow[row/64] |= 1 << (row % 64)
			}
		})
		ix.Allow = f.allow
	}
	f.rows, err = ix.search(context.Background(), f.rows[:0], query, 1, ix.cols, f.limits, nil)
	for _, n := range f.rows {
		f.found = append(f.found, Match[ID]{p.ids[n.ID], n.Score})
	}
	f.cut(ix.metric)
	return err
}

// cut sorts the matches and keeps the first k.
func (f *finder[ID]) cut(m comparison) {
	slices.SortFunc(f.found, func(a, b Match[ID]) int {
		return cmp.Or(m.compareScores(a.Score, b.Score), cmp.Compare(a.ID, b.ID))
	})
	if len(f.found) < f.limits.k {
		return
	}
	f.found = f.found[:f.limits.k]
	if last := f.found[f.limits.k-1].Score; last == last {
		f.limits.radius = last
	}
}

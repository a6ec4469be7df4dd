package nearest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/vectors"
)

var nan = math.NaN()

// setSegmentBytes makes segments so small that few vectors fill several.
func setSegmentBytes(t *testing.T, bytes int) {
	before := segmentBytes
	segmentBytes = bytes
	t.Cleanup(func() { segmentBytes = before })
}

// A storeTest compares a store with a map of its vectors.
type storeTest[ID string | int64, Q, E element] struct {
	store   *Store[ID, Q, E]
	vectors map[ID][]E
	metric  comparison
	r       *rand.Rand
}

// want returns the matches of a search: an index of the same vectors in the order of their IDs.
func (s *storeTest[ID, Q, E]) want(t *testing.T, query []Q, radius float64, k int, allow func(ID) bool) (
	all []Match[ID]) {
	t.Helper()
	var a []E
	ids := slices.Sorted(maps.Keys(s.vectors))
	for _, id := range ids {
		a = append(a, s.vectors[id]...)
	}
	index, err := New[Q](a, len(ids), len(query), len(query), s.metric.String())
	if err != nil {
		t.Fatal(err)
	}
	if allow != nil {
		index.AllowFunc(func(row int32) bool { return allow(ids[row]) })
	}
	found, err := index.AppendNearest(nil, query, k)
	if radius == radius {
		found, err = index.AppendWithin(nil, query, radius, k)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range found {
		all = append(all, Match[ID]{ids[n.ID], n.Score})
	}
	return all
}

// check compares searches of the store with their definition, and its memory with the limit.
func (s *storeTest[ID, Q, E]) check(t *testing.T, query []Q) {
	t.Helper()
	k := []int{1, 3, 10, 1 << 30}[s.r.IntN(4)]
	s.store.Threads = 1 + s.r.IntN(3)
	s.checkSearch(t, query, k, nil)
	s.checkSearch(t, query, k, func(id ID) bool { return fmt.Sprint(id)[0]%2 == 0 })
	if n := len(s.vectors); s.store.Len() != n || s.store.most > 4*n+64 {
		t.Fatalf("%d vectors, and a map for %d, want %d", s.store.Len(), s.store.most, n)
	}
	parts := *s.store.view.Load()
	for i, p := range parts {
		if i < len(parts)-1 && (p.n < len(p.ids) || 2*p.live < p.n) {
			t.Fatalf("segment %d of %d has space for %d rows, %d are used, and %d were not deleted", i, len(parts),
				len(p.ids), p.n, p.live)
		}
	}
}

func (s *storeTest[ID, Q, E]) checkSearch(t *testing.T, query []Q, k int, allow func(ID) bool) {
	t.Helper()
	want := s.want(t, query, nan, k, allow)
	got, err := s.store.AppendNearest([]Match[ID]{{Score: -7}}, query, k, allow)
	if err != nil || !sameMatches(got[1:], want) || got[0].Score != -7 {
		t.Fatalf("%v, k = %d: %v, %v\nwant %v", s.metric, k, got, err, want)
	}
	if len(want) == 0 {
		return
	}
	radius := want[len(want)/2].Score
	want = s.want(t, query, radius, k, allow)
	got, err = s.store.AppendWithin(nil, query, radius, k, allow)
	if err != nil || !sameMatches(got, want) {
		t.Fatalf("%v, k = %d, radius %v: %v, %v\nwant %v", s.metric, k, radius, got, err, want)
	}
}

func sameMatches[ID string | int64](a, b []Match[ID]) bool {
	return slices.EqualFunc(a, b, func(a, b Match[ID]) bool {
		return a.ID == b.ID && cmp.Compare(a.Score, b.Score) == 0
	})
}

// checkStore runs random operations.
func checkStore[ID string | int64, Q, E element](t *testing.T, metric comparison, ids func(i int) ID) {
	t.Helper()
	const cols = 3
	setSegmentBytes(t, 60*cols)
	s := &storeTest[ID, Q, E]{vectors: map[ID][]E{}, metric: metric, r: rand.New(rand.NewPCG(21, uint64(metric)))}
	var err error
	if s.store, err = NewStore[ID, Q, E](cols, metric.String()); err != nil {
		t.Fatal(err)
	}
	for step := range 400 {
		id := ids(s.r.IntN(150))
		if _, ok := s.vectors[id]; step/100%2 == 1 && s.r.IntN(8) > 0 || step >= 370 { // mostly deletions
			if s.store.Delete(id) != ok {
				t.Fatalf("deleting %v: not %v", id, ok)
			}
			delete(s.vectors, id)
		} else {
			vector := draw[E](s.r, cols)
			if err := s.store.Put(id, vector); err != nil {
				t.Fatal(err)
			}
			s.vectors[id] = slices.Clone(vector)
			clear(vector) // the store has a copy
		}
		if step%20 == 0 {
			s.check(t, draw[Q](s.r, cols))
		}
	}
	s.checkFile(t, "store", draw[Q](s.r, cols))
	s.checkFile(t, "store.gz", draw[Q](s.r, cols))
	for id := range s.vectors {
		s.store.Delete(id)
	}
	clear(s.vectors)
	s.check(t, draw[Q](s.r, cols))
}

// checkFile checks that a loaded snapshot has the same vectors, and the same snapshot.
func (s *storeTest[ID, Q, E]) checkFile(t *testing.T, name string, query []Q) {
	t.Helper()
	path, again := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), name)
	if err := s.store.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadStore[ID, Q, E](path)
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Save(again); err != nil {
		t.Fatal(err)
	}
	if a, b := testkit.Must(os.ReadFile(path)), testkit.Must(os.ReadFile(again)); !slices.Equal(a, b) {
		t.Errorf("the snapshot of a snapshot is %x, want %x", b, a)
	}
	(&storeTest[ID, Q, E]{loaded, s.vectors, s.metric, s.r}).check(t, query)
}

func TestStore(t *testing.T) {
	setTaskBytes(t)
	text := func(i int) string { return strings.Repeat("é", i%3) + strconv.Itoa(i) }
	number := func(i int) int64 { return int64(i-70) << 40 }
	for _, metric := range []comparison{byDot, byL2, byCosine} {
		t.Run(metric.String(), func(t *testing.T) {
			checkStore[string, float32, float32](t, metric, text)
			checkStore[int64, float64, float64](t, metric, number)
		})
	}
	t.Run("types", func(t *testing.T) {
		checkStore[int64, float32, vectors.F16](t, byCosine, number)
		checkStore[string, vectors.BF16, vectors.BF16](t, byCosine, text)
		checkStore[string, int8, int8](t, byDot, text)
		checkStore[int64, uint8, uint8](t, byCosine, number)
		checkStore[int64, uint64, uint64](t, byHamming, number)
		checkStore[string, uint64, uint64](t, byJaccard, text)
	})
}

// A segment that lost most of its rows before it was full is compacted when it is full.
func TestStoreTail(t *testing.T) {
	setSegmentBytes(t, 8*4)
	store := testkit.Must(NewStore[int64, float32, float32](1, "dot"))
	for id := range int64(7) {
		testkit.Must(0, store.Put(id, []float32{1}))
	}
	for id := range int64(5) {
		store.Delete(id)
	}
	testkit.Must(0, store.Put(7, []float32{1}))
	if parts := *store.view.Load(); len(parts) != 1 || parts[0].n != 8 || parts[0].live != 3 {
		t.Fatalf("%+v", parts)
	}
	testkit.Must(0, store.Put(8, []float32{1}))
	if parts := *store.view.Load(); len(parts) != 1 || parts[0].n != 4 || parts[0].live != 4 {
		t.Fatalf("%d segments, %+v", len(parts), *parts[0])
	}
}

// A store finds the nearest vectors by a float64 reference, with the default size of segments.
func TestStoreRecall(t *testing.T) {
	const n, cols, k = 3000, 24, 20
	store := testkit.Must(NewStore[int64, float64, float64](cols, "l2"))
	r := rand.New(rand.NewPCG(22, 23))
	vector := func() []float64 {
		x := make([]float64, cols)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	var all [n][]float64
	for id := range all {
		all[id] = vector()
		if err := store.Put(int64(id), all[id]); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		query, ids := vector(), make([]int64, n)
		distances := make([]float64, n)
		for id, x := range all {
			ids[id] = int64(id)
			for i := range x {
				distances[id] += float64((x[i] - query[i]) * (x[i] - query[i]))
			}
		}
		slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(distances[a], distances[b]) })
		found, err := store.AppendNearest(nil, query, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range found {
			if m.ID != ids[i] {
				t.Fatalf("place %d: %v, want ID %d", i, m, ids[i])
			}
		}
	}
}

func TestStoreErrors(t *testing.T) {
	store := testkit.Must(NewStore[string, float32, float32](2, "dot"))
	_, cols := NewStore[string, float32, float32](0, "dot")
	_, types := NewStore[string, float64, float32](1, "dot")
	_, within := store.AppendWithin(nil, []float32{1, 2}, nan, 1, nil)
	search := func(query []float32, k int) error {
		return second(store.AppendNearest(nil, query, k, nil))
	}
	for want, err := range map[string]error{
		"nearest: the number of columns is 0; it must be at least 1":       cols,
		"nearest: float64 queries cannot be compared with float32 vectors": types,
		"nearest: vector a has 1 elements, but the store has 2 columns":    store.Put("a", []float32{1}),
		"nearest: vector a must not contain NaN (element 1 of 2)":          store.Put("a", []float32{1, float32(nan)}),
		"nearest: the query has 1 elements, but the vectors have 2":        search([]float32{1}, 1),
		"nearest: the query must not contain NaN (element 0 of 2)":         search([]float32{float32(nan), 1}, 1),
		"nearest: k is 0; it must be at least 1":                           search([]float32{1, 2}, 0),
		"nearest: the radius must not be NaN":                              within,
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if n := store.Len(); n != 0 {
		t.Errorf("%d vectors", n)
	}
}

// The memory is bounded, however many vectors were added and deleted.
func TestStoreMemory(t *testing.T) {
	const n, cols, cycles = 1500, 64, 12
	setSegmentBytes(t, 1<<16)
	store := testkit.Must(NewStore[int64, float32, float32](cols, "cosine"))
	used := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := used()
	vector := make([]float32, cols)
	for cycle := range int64(cycles) {
		for i := range int64(n) {
			vector[0] = float32(i + 1)
			if err := store.Put(cycle*n+i, vector); err != nil {
				t.Fatal(err)
			}
		}
		for i := range int64(n) {
			if i%300 > 0 {
				store.Delete(cycle*n + i)
			}
		}
	}
	if n := store.Len(); n != cycles*n/300 && n != 5*cycles {
		t.Errorf("%d vectors", n)
	}
	if grown := used() - before; grown > 2*5*cycles*(4*cols+100)+3*1<<16 {
		t.Errorf("%d vectors take %d bytes", store.Len(), grown)
	}
	runtime.KeepAlive(store)
}

// Searches see whole vectors, each ID once, and no older vector than an earlier search saw. Set
// SIMDRANK_STORE_SECONDS=60 and use the race detector for a long run.
func TestStoreConcurrent(t *testing.T) {
	setTaskBytes(t)
	const ids, cols = 100, 16
	setSegmentBytes(t, 30*4*cols)
	seconds, err := strconv.ParseFloat(cmp.Or(os.Getenv("SIMDRANK_STORE_SECONDS"), "0.3"), 64)
	if err != nil {
		t.Fatal(err)
	}
	store := testkit.Must(NewStore[int64, float32, float32](cols, "dot"))
	put := func(id int64, version float32) {
		vector := make([]float32, cols)
		for i := range vector {
			vector[i] = version * float32(1-i%2*2)
		}
		if err := store.Put(id, vector); err != nil {
			t.Error(err)
		}
	}
	for id := range int64(ids) {
		put(id, 1)
	}
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	var searches, changes atomic.Int64
	var group sync.WaitGroup
	for w := range int64(2) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(24, uint64(w)))
			versions := [ids]float32{}
			for time.Now().Before(end) {
				id := r.Int64N(ids/2)*2 + w // writers have different IDs
				versions[id]++
				put(id, 1+versions[id])
				put(ids+w, 1) // deleted again
				store.Delete(ids + w)
				changes.Add(3)
			}
		})
	}
	for w := range 2 {
		group.Go(func() {
			sum, first := slices.Repeat([]float32{1}, cols), make([]float32, cols)
			first[0] = 1
			seen := [ids]float64{}
			for time.Now().Before(end) {
				checkView(t, store, sum, first, seen[:], w)
				searches.Add(2)
				if t.Failed() {
					return
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d searches, %d changes in %v s", searches.Load(), changes.Load(), seconds)
}

// checkView searches by the sum of all elements, which is 0, and by the first element, the version.
func checkView(t *testing.T, store *Store[int64, float32, float32], sum, first []float32, seen []float64, w int) {
	allow := func(id int64) bool { return id < int64(len(seen)) }
	if w == 0 {
		store.Len()
	}
	found, err := store.AppendNearest(nil, sum, 1000, allow)
	if err != nil || len(found) != len(seen) {
		t.Errorf("%d vectors, %v", len(found), err)
		return
	}
	for i, m := range found {
		if m.ID != int64(i) || m.Score != 0 {
			t.Errorf("place %d: %v", i, m)
		}
	}
	found, err = store.AppendNearest(nil, first, 1000, allow)
	if err != nil || len(found) != len(seen) {
		t.Errorf("%d vectors, %v", len(found), err)
		return
	}
	for _, m := range found {
		if m.Score < seen[m.ID] {
			t.Errorf("%v after version %v", m, seen[m.ID])
		}
		seen[m.ID] = m.Score
	}
}

// Every truncated or changed snapshot is an error that names the file and the position.
func TestStoreDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	store := testkit.Must(NewStore[string, float32, float32](3, "l2"))
	for i, id := range []string{"", "b", "cc"} {
		if err := store.Put(id, []float32{1, float32(i), 3}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Save(path); err != nil {
		t.Fatal(err)
	}
	content := testkit.Must(os.ReadFile(path))
	load := func(b []byte, o ...rank.ReadOptions) error {
		s, err := readSnapshot[string, float32, float32](bytes.NewReader(b), "file", o)
		if err != nil && s != nil {
			t.Errorf("a store with %v", err)
		}
		return err
	}
	if err := load(content); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content[:9], 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := LoadStore[string, float32, float32](path)
	if want := "nearest: " + path + ": byte 0: the file is truncated"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	start := "file: byte "
	for i := range content {
		if err := load(content[:i]); err == nil || !strings.HasPrefix(err.Error(), start) ||
			!strings.HasSuffix(err.Error(), ": the file is truncated") {
			t.Errorf("%d bytes: %v", i, err)
		}
		for _, flip := range []byte{1, 0x80} {
			changed := slices.Clone(content)
			changed[i] ^= flip
			if err := load(changed); err == nil || !strings.HasPrefix(err.Error(), start) {
				t.Errorf("byte %d changed: %v", i, err)
			}
		}
	}
	header := strings.IndexByte(string(content), '\n') + 1
	with := func(old, new string) []byte { return []byte(strings.Replace(string(content), old, new, 1)) }
	for want, err := range map[string]error{
		"0: the file is not a snapshot of a store: it starts with \"hello\\n\"": load([]byte("hello\n")),
		"0: the store contains float32 vectors with int64 IDs; it must contain float32 vectors with string IDs": load(
			with("ids=string", "ids=int64")),
		"0: the number of columns is 2147483648; it must be at most 2147483647": load(
			with("cols=3", "cols=2147483648")),
		"0: metric \"l3\": must be one of dot, l2, cosine, hamming, jaccard": load(with("=l2", "=l3")),
		fmt.Sprintf("%d: the file is truncated", len(content)-4):             load(with("rows=3", "rows=4")),
		fmt.Sprintf("%d: unexpected data after the checksum", len(content)):  load(append(slices.Clone(content), 0)),
		fmt.Sprintf("%d: the IDs are not in ascending order: a follows b", header+13+14): load(
			with("\x02cc", "\x01a\x00")),
		fmt.Sprintf("%d: the vectors need at least 81 bytes of memory, but the limit is 60 (change the option MemoryLimit)",
			header+13+2): load(content, rank.ReadOptions{MemoryLimit: 60}),
	} {
		if err == nil || err.Error() != start+want {
			t.Errorf("%v, want %s", err, start+want)
		}
	}
	// A huge length needs no memory.
	const huge = "simdrank-store 1 ids=string vectors=float32 metric=l2 cols=2147483647 rows=9999\n"
	for length, want := range map[string]string{
		"\xff\xff\xff\x7f":                         "the file is truncated",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01": "the vectors need at least 9223372036854775807 bytes",
	} {
		if err := load([]byte(huge + length)); err == nil || !strings.HasPrefix(err.Error(), start+"80: "+want) {
			t.Errorf("%x: %v, want %s", length, err, want)
		}
	}
}

// The elements are little-endian on every architecture.
func TestAppendRow(t *testing.T) {
	for _, c := range []struct{ got, want []byte }{
		{appendRow(nil, []float32{1, -2}), []byte("\x00\x00\x80\x3f\x00\x00\x00\xc0")},
		{appendRow(nil, []float64{1}), []byte("\x00\x00\x00\x00\x00\x00\xf0\x3f")},
		{appendRow(nil, []vectors.F16{0x1234}), []byte("\x34\x12")},
		{appendRow(nil, []int8{-1, 2}), []byte("\xff\x02")},
		{appendRow(nil, []uint64{3}), []byte("\x03\x00\x00\x00\x00\x00\x00\x00")},
	} {
		t.Run(fmt.Sprintf("%x", c.want), func(t *testing.T) {
			if !slices.Equal(c.got, c.want) {
				t.Errorf("%x", c.got)
			}
		})
	}
}

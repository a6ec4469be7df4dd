package nearest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/vectors"
)

// ranked is a search by definition: it calls a kernel of two vectors for each row and sorts stably.
func ranked[Q, E element](a []E, rows, cols, stride int, metric comparison, query []Q) []Neighbor {
	all := make([]Neighbor, rows)
	for i := range all {
		all[i] = Neighbor{int32(i), compare(metric, query, a[i*stride:][:cols])}
	}
	slices.SortStableFunc(all, func(a, b Neighbor) int {
		if aNaN, bNaN := a.Score != a.Score, b.Score != b.Score; !aNaN && !bNaN && metric.leastFirst() {
			return cmp.Compare(a.Score, b.Score)
		}
		return cmp.Compare(b.Score, a.Score) // cmp sorts NaNs first
	})
	return all
}

// permit returns the first k of a ranking that a bitmap allows.
func permit(ranking []Neighbor, allow []uint64, k int) (some []Neighbor) {
	for _, n := range ranking {
		if len(some) < k && (allow == nil || allow[n.ID/64]>>(n.ID%64)&1 != 0) {
			some = append(some, n)
		}
	}
	return some
}

// within returns the start of a ranking whose scores are within a radius.
func within(ranking []Neighbor, metric comparison, radius float64) []Neighbor {
	for i, n := range ranking {
		if !(n.Score >= radius && !metric.leastFirst() || n.Score <= radius && metric.leastFirst()) {
			return ranking[:i]
		}
	}
	return ranking
}

// compare returns the score of two vectors by the kernels of two vectors.
func compare(metric comparison, x, y any) float64 {
	switch x := x.(type) {
	case []float64:
		return []func(x, y []float64) float64{kernels.DotF64, vectors.L2F64, cosineF64}[metric](x, y.([]float64))
	case []float32:
		switch y := y.(type) {
		case []float32:
			return float64([]func(x, y []float32) float32{kernels.DotF32, vectors.L2F32,
				cosineF32}[metric](x, y))
		case []vectors.F16:
			return float64([]func(x []float32, y []vectors.F16) float32{vectors.DotF32F16, vectors.L2F32F16,
				vectors.CosineF32F16}[metric](x, y))
		case []vectors.BF16:
			return float64([]func(x []float32, y []vectors.BF16) float32{vectors.DotF32BF16, vectors.L2F32BF16,
				vectors.CosineF32BF16}[metric](x, y))
		case []int8:
			return float64([]func(x []float32, y []int8) float32{vectors.DotF32I8, vectors.L2F32I8,
				vectors.CosineF32I8}[metric](x, y))
		case []uint8:
			return float64([]func(x []float32, y []uint8) float32{vectors.DotF32U8, vectors.L2F32U8,
				vectors.CosineF32U8}[metric](x, y))
		}
	case []vectors.F16:
		return float64([]func(x, y []vectors.F16) float32{vectors.DotF16, vectors.L2F16, vectors.CosineF16}[metric](x,
			y.([]vectors.F16)))
	case []vectors.BF16:
		return float64([]func(x, y []vectors.BF16) float32{vectors.DotBF16, vectors.L2BF16,
			vectors.CosineBF16}[metric](x, y.([]vectors.BF16)))
	case []int8:
		if y := y.([]int8); metric != byCosine {
			return float64([]func(x, y []int8) int64{vectors.DotI8, vectors.L2I8}[metric](x, y))
		} else {
			return cosine(vectors.DotI8(x, y), vectors.DotI8(x, x), vectors.DotI8(y, y))
		}
	case []uint8:
		if y := y.([]uint8); metric != byCosine {
			return float64([]func(x, y []uint8) int64{vectors.DotU8, vectors.L2U8}[metric](x, y))
		} else {
			return cosine(vectors.DotU8(x, y), vectors.DotU8(x, x), vectors.DotU8(y, y))
		}
	case []uint64:
		differ := vectors.HammingBits(x, y.([]uint64))
		if metric == byHamming {
			return float64(differ)
		}
		zeros := make([]uint64, len(x))
		both := (vectors.HammingBits(x, zeros) + vectors.HammingBits(zeros, y.([]uint64)) - differ) / 2
		if both+differ == 0 {
			return 1
		}
		return float64(both) / float64(both+differ)
	}
	panic("no kernel")
}

// cosineF32 is like vectors.CosineF32, but in float64 if products could overflow or underflow.
func cosineF32(x, y []float32) float32 {
	if v := kernels.DotF32(y, y); v < leastF32 || v > mostF32 {
		return float32(vectors.CosineF64(widened(x), widened(y)))
	}
	return vectors.CosineF32(x, y)
}

// cosine returns the cosine of vectors with these products.
func cosine(xy, xx, yy int64) float64 {
	if xx == 0 || yy == 0 {
		return 0
	}
	return float64(xy) / math.Sqrt(float64(xx)*float64(yy))
}

// sameNeighbors reports whether two lists are the same, NaNs included.
func sameNeighbors(a, b []Neighbor) bool {
	return slices.EqualFunc(a, b, func(a, b Neighbor) bool {
		return a.ID == b.ID && (a.Score == b.Score || a.Score != a.Score && b.Score != b.Score)
	})
}

// draw returns n random elements with few distinct values, so that scores are tied.
func draw[E element](r *rand.Rand, n int) []E {
	s := make([]E, n)
	for i := range s {
		v := r.IntN(5) - 2
		switch s := any(s).(type) {
		case []float64:
			s[i] = float64(v)
		case []float32:
			s[i] = float32(v)
		case []vectors.F16:
			s[i] = vectors.NewF16(float32(v))
		case []vectors.BF16:
			s[i] = vectors.NewBF16(float32(v))
		case []int8:
			s[i] = int8(v)
		case []uint8:
			s[i] = uint8(v + 2)
		case []uint64:
			s[i] = r.Uint64() & r.Uint64()
		}
	}
	return s
}

// check compares searches of every kind with their definition.
func check[Q, E element](t *testing.T, r *rand.Rand, metric comparison, a []E, rows, cols, stride int) {
	t.Helper()
	const queries = batch + 1
	qs := draw[Q](r, queries*(cols+1))
	index, err := New[Q](a, rows, cols, stride, metric.String())
	if err != nil {
		t.Fatal(err)
	}
	var rankings [queries][]Neighbor
	for q := range rankings {
		rankings[q] = ranked(a, rows, cols, stride, metric, qs[q*(cols+1):][:cols])
	}
	words := func(word func() uint64) []uint64 {
		bitmap := make([]uint64, (rows+63)/64)
		for i := range bitmap {
			bitmap[i] = word()
		}
		return bitmap
	}
	for name, allow := range map[string][]uint64{
		"all":   nil,
		"most":  words(func() uint64 { return r.Uint64() | r.Uint64() }),
		"some":  words(func() uint64 { return r.Uint64() & r.Uint64() & r.Uint64() }),
		"few":   words(func() uint64 { return r.Uint64() % 2 }),
		"start": append([]uint64{1<<63 | 5}, make([]uint64, rows/64)...),
		"none":  make([]uint64, (rows+63)/64),
	} {
		ix := *index
		ix.Threads, ix.Allow = []int{1, 2, 3, math.MaxInt/2 + 1}[r.IntN(4)], allow
		k := []int{1, 3, 40, rows + 1}[r.IntN(4)]
		name := fmt.Sprintf("%T queries, %T vectors, %d × %d, %v, %s allowed, k = %d, %d threads",
			qs, a, rows, cols, metric, name, k, ix.Threads)
		t.Run(name, func(t *testing.T) {
			var all []Neighbor
			for _, ranking := range rankings {
				all = append(all, permit(ranking, allow, k)...)
			}
			got, err := ix.AppendNearestBatch(t.Context(), nil, qs, queries, cols+1, k)
			if err != nil || !sameNeighbors(got, all) {
				t.Fatalf("%v, %v\nwant %v", got, err, all)
			}
			got, err = ix.AppendNearestBatch(t.Context(), nil, qs, 3, cols+1, k) // too few to copy rows
			if n := len(all) / queries; err != nil || !sameNeighbors(got, all[:3*n]) {
				t.Fatalf("%v, %v\nwant %v", got, err, all[:3*n])
			}
			before := Neighbor{-1, math.NaN()}
			for _, add := range []float64{-1, -1e-12, 0, 1e-12} {
				radius := rankings[0][r.IntN(rows)].Score + add
				if radius != radius {
					continue
				}
				want := within(permit(rankings[0], allow, k), metric, radius)
				got, err := ix.AppendWithin([]Neighbor{before}, qs[:cols], radius, k)
				if err != nil || !sameNeighbors(got, append([]Neighbor{before}, want...)) {
					t.Fatalf("radius %v: %v, %v\nwant %v", radius, got, err, want)
				}
			}
			got, err = ix.AppendNearest([]Neighbor{before}, qs[:cols], k)
			if n := len(all) / queries; err != nil || !sameNeighbors(got, append([]Neighbor{before}, all[:n]...)) {
				t.Fatalf("%v, %v\nwant %v", got, err, all[:n])
			}
		})
	}
	// Reranking all rows, in any order, is a search.
	var candidates []Neighbor
	for _, i := range r.Perm(rows) {
		candidates = append(candidates, Neighbor{ID: int32(i)})
	}
	k := 1 + r.IntN(rows+2)
	got, err := index.AppendReranked(candidates[:0], qs[:cols], candidates, k)
	if all := permit(rankings[0], nil, k); err != nil || !sameNeighbors(got, all) {
		t.Fatalf("%T vectors, %v, reranked: %v, %v\nwant %v", a, metric, got, err, all)
	}
}

// setTaskBytes makes tasks so small that even small searches use several goroutines.
func setTaskBytes(t *testing.T) {
	before := taskBytes
	taskBytes = 1
	t.Cleanup(func() { taskBytes = before })
}

func TestProgress(t *testing.T) {
	setTaskBytes(t)
	const rows, n = 2000, 2*batch + 5
	index, err := New[float32](make([]float32, rows), rows, 1, 1, "dot")
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 8} {
		for _, allow := range [][]uint64{nil, make([]uint64, (rows+63)/64)} {
			calls := testkit.NewProgress(t)
			index.Threads, index.Allow, index.Progress = threads, allow, calls.Report
			if _, err := index.AppendNearestBatch(t.Context(), nil, make([]float32, n), n, 1, 3); err != nil {
				t.Error(err)
			}
			if calls.Check(1); calls.Total != rows*n || allow == nil && calls.Calls < 9 {
				t.Errorf("%d threads: %d calls with total %d, want %d", threads, calls.Calls, calls.Total, rows*n)
			}
		}
	}
}

func TestSearch(t *testing.T) {
	setTaskBytes(t)
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			defer restore()
			r := rand.New(rand.NewPCG(1, uint64(tier)))
			for _, rows := range []int{1, 2, 128, 1100} { // parts of a word of a bitmap, words, blocks
				cols := 1 + r.IntN(9)
				stride := cols + r.IntN(3)
				n := (rows-1)*stride + cols
				for _, metric := range []comparison{byDot, byL2, byCosine} {
					check[float32](t, r, metric, draw[float32](r, n), rows, cols, stride)
					check[float64](t, r, metric, draw[float64](r, n), rows, cols, stride)
					if rows > 128 {
						continue // the types share all but the kernels
					}
					check[vectors.F16](t, r, metric, draw[vectors.F16](r, n), rows, cols, stride)
					check[vectors.BF16](t, r, metric, draw[vectors.BF16](r, n), rows, cols, stride)
					check[int8](t, r, metric, draw[int8](r, n), rows, cols, stride)
					check[uint8](t, r, metric, draw[uint8](r, n), rows, cols, stride)
					check[float32](t, r, metric, draw[vectors.F16](r, n), rows, cols, stride)
					check[float32](t, r, metric, draw[vectors.BF16](r, n), rows, cols, stride)
					check[float32](t, r, metric, draw[int8](r, n), rows, cols, stride)
					check[float32](t, r, metric, draw[uint8](r, n), rows, cols, stride)
				}
				for _, metric := range []comparison{byHamming, byJaccard} {
					check[uint64](t, r, metric, draw[uint64](r, n), rows, cols, stride)
				}
			}
		})
	}
}

// NaN scores come last, by ID. Infinities are numbers.
func TestSearchSpecial(t *testing.T) {
	setTaskBytes(t)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	r := rand.New(rand.NewPCG(3, 4))
	for _, specials := range [][]float32{
		{nan}, {nan, 1}, {inf}, {-inf}, {inf, -inf, nan, 0, float32(math.Copysign(0, -1))},
		{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nan}, {math.MaxFloat32, -math.MaxFloat32},
	} {
		t.Run(fmt.Sprint(specials), func(t *testing.T) {
			const rows, cols = 200, 2
			a := make([]float32, rows*cols)
			for i := range a {
				a[i] = specials[r.IntN(len(specials))]
			}
			for _, metric := range []comparison{byDot, byL2, byCosine} {
				check[float32](t, r, metric, a, rows, cols, cols)
			}
		})
	}
}

// Scores that are equal as float32 are compared exactly.
func TestSearchPrecision(t *testing.T) {
	setTaskBytes(t)
	const rows = 256
	places := rand.New(rand.NewPCG(9, 10)).Perm(rows) // of row i in the order of scores
	t.Run("float64", func(t *testing.T) {
		a := make([]float64, 0, 2*rows)
		for _, at := range places {
			a = append(a, 1<<14, float64(at))
		}
		checkPlaces(t, a, 2, byDot, []float64{1 << 14, -1}, places)
		checkPlaces(t, a, 2, byL2, []float64{0, 0}, places)
		checkPlaces(t, a, 2, byCosine, []float64{1, 0}, places)
	})
	t.Run("int8", func(t *testing.T) { checkBytes[int8](t, places, -128, 127) })
	t.Run("uint8", func(t *testing.T) { checkBytes[uint8](t, places, 0, 255) })
	t.Run("bits", func(t *testing.T) {
		const cols = float32Exact/64 + 1
		a, ones := make([]uint64, 8*cols), slices.Repeat([]uint64{math.MaxUint64}, cols)
		for i := range 8 {
			a[i*cols] = 1<<i - 1 // the other words are 0
		}
		checkPlaces(t, a, cols, byHamming, ones, []int{7, 6, 5, 4, 3, 2, 1, 0})
		for i := range a {
			a[i] = ^a[i]
		}
		checkPlaces(t, a, cols, byJaccard, ones, []int{0, 1, 2, 3, 4, 5, 6, 7})
	})
}

// checkBytes is for bytes from least to most.
func checkBytes[E int8 | uint8](t *testing.T, places []int, least, most E) {
	const cols = 1 << 11
	a := slices.Repeat([]E{most}, len(places)*cols)
	for i, at := range places {
		a[i*cols] = most - E(at)
	}
	query := slices.Repeat([]E{most}, cols)
	checkPlaces(t, a, cols, byCosine, query, places)
	query[0] = 1
	checkPlaces(t, a, cols, byDot, query, places)
	query = slices.Repeat([]E{least}, cols)
	query[0] = most
	checkPlaces(t, a, cols, byL2, query, places)
}

// checkPlaces checks that row i of a has rank places[i], also if only some rows are searched.
func checkPlaces[E element](t *testing.T, a []E, cols int, metric comparison, query []E, places []int) {
	t.Helper()
	index, err := New[E](a, len(a)/cols, cols, cols, metric.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{3, len(places)} {
		for index.Threads = range 3 {
			found, err := index.AppendNearestBatch(t.Context(), nil, slices.Concat(query, query), 2, cols, k)
			if err != nil || len(found) != 2*k {
				t.Fatal(found, err)
			}
			again, err := index.AppendReranked(nil, query, found[:k], k)
			if err != nil || !sameNeighbors(again, found[:k]) {
				t.Fatalf("%v: %v reranked: %v, %v", metric, found[:k], again, err)
			}
			for i, n := range found {
				if places[n.ID] != i%k {
					t.Fatalf("%v, k = %d: %v at place %d, want %d", metric, k, n, i%k, places[n.ID])
				}
			}
		}
	}
}

// A cosine of float64 is 1 for the same direction and for no other.
func TestCosineF64(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	x := make([]float64, 511)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	x[0] = 0
	scaled := func(by float64) []float64 {
		y := slices.Clone(x)
		for i := range y {
			y[i] *= by
		}
		return y
	}
	next := slices.Clone(x)
	next[300] = math.Nextafter(next[300], 9)
	ints, triple := make([]float64, len(x)), make([]float64, len(x))
	for i := range ints {
		ints[i] = float64(r.IntN(2001) - 1000)
		triple[i] = 3 * ints[i]
	}
	const below = 1 - 0x1p-53
	for _, c := range []struct {
		name     string
		x, y     []float64
		min, max float64
	}{
		{"a duplicate", x, slices.Clone(x), 1, 1},
		{"twice", x, scaled(2), 1, 1},
		{"an eighth", scaled(0.125), x, 1, 1},
		{"three times", ints, triple, 1, 1},
		{"a bit off", x, next, 1 - 1e-15, below},
		{"three times, rounded", x, scaled(3), 1 - 1e-15, below},
		{"the opposite", x, scaled(-2), -1, -1 + 1e-15},
		{"zeros", x, make([]float64, len(x)), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cosineF64(c.x, c.y); !(got >= c.min && got <= c.max) {
				t.Errorf("%v, want %v to %v", got, c.min, c.max)
			}
		})
	}
	if got := cosineF64([]float64{1e200, 1}, []float64{1e200, 1}); got == got {
		t.Errorf("%v, want NaN for products that overflow", got)
	}
}

// The best of many distinct scores, of rows in any order, with the default size of tasks.
func TestSearchLong(t *testing.T) {
	if testing.Short() {
		t.Skip("the sizes of tasks and blocks are the same on every architecture: not run in short mode")
	}
	const rows, k = 300_000, 1000
	random := rand.New(rand.NewPCG(5, 6)).Perm(rows)
	queries := []float32{1, -1, 2}
	for name, value := range map[string]func(i int) int{
		"random":     func(i int) int { return random[i] },
		"ascending":  func(i int) int { return i },
		"descending": func(i int) int { return rows - 1 - i },
	} {
		t.Run(name, func(t *testing.T) {
			a := make([]float32, rows)
			for i := range a {
				a[i] = float32(value(i))
			}
			index, err := New[float32](a, rows, 1, 1, "dot")
			if err != nil {
				t.Fatal(err)
			}
			for index.Threads = range 3 {
				got, err := index.AppendNearestBatch(t.Context(), nil, queries, len(queries), 1, k)
				if err != nil || len(got) != len(queries)*k {
					t.Fatal(len(got), err)
				}
				for i, n := range got {
					q, at := float64(queries[i/k]), float64(i%k)
					score := q * (rows - 1 - at)
					if q < 0 {
						score = q * at
					}
					if n.Score != score || float64(a[n.ID])*q != score {
						t.Fatalf("%d threads, query %v: neighbor %v is %v, want score %v",
							index.Threads, q, at, n, score)
					}
				}
			}
		})
	}
}

// Rows can be so far apart that the size of a block in bytes exceeds a 32-bit int.
func TestSearchStride(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 64 MiB of memory: not run in short mode")
	}
	const stride = 1 << 26
	a := make([]uint8, stride+1)
	a[stride] = 1
	index, err := New[uint8](a, 2, 1, stride, "dot")
	if err != nil {
		t.Fatal(err)
	}
	got, err := index.AppendNearest(nil, []uint8{2}, 2)
	if want := []Neighbor{{1, 2}, {0, 0}}; err != nil || !sameNeighbors(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestErrors(t *testing.T) {
	a := make([]float32, 8*4)
	index, err := New[float32](a, 8, 4, 4, "cosine")
	if err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	search := func(ix Index[float32], query []float32, k int) error {
		dst := make([]Neighbor, 2)
		got, err := ix.AppendNearest(dst, query, k)
		if len(got) != len(dst) {
			t.Errorf("%d neighbors with %v", len(got), err)
		}
		return err
	}
	const k = 3
	searchBatch := func(ctx context.Context, queries []float32, n, stride, k int) error {
		got, err := index.AppendNearestBatch(ctx, nil, queries, n, stride, k)
		if len(got) != 0 {
			t.Errorf("%d neighbors with %v", len(got), err)
		}
		return err
	}
	build := func(rows, cols, stride int, metric string) error {
		_, err := New[float32](a, rows, cols, stride, metric)
		return err
	}
	short := *index
	short.Allow = []uint64{}
	nan := []float32{0, 0, 0, 1, 0, 0, float32(math.NaN()), 0}
	_, bits := New[uint64](make([]uint64, 4), 4, 1, 1, "dot")
	_, types := New[float64](a, 8, 4, 4, "dot")
	_, high := index.AppendReranked(nil, a[:4], []Neighbor{{}, {ID: 8}}, 1)
	_, negative := index.AppendReranked(nil, a[:4], []Neighbor{{ID: -1}}, 1)
	within := func(query []float32, radius float64, k int) error {
		dst := make([]Neighbor, 2)
		got, err := index.AppendWithin(dst, query, radius, k)
		if len(got) != len(dst) {
			t.Errorf("%d neighbors with %v", len(got), err)
		}
		return err
	}
	zero := Index[float32]{}
	for want, err := range map[string]error{
		`nearest: metric "l3": must be one of dot, l2, cosine, hamming, jaccard`:       build(8, 4, 4, "l3"),
		"nearest: the number of rows is -1; it must be from 0 to 2147483647":           build(-1, 4, 4, "dot"),
		"nearest: the number of columns is 0; it must be at least 1":                   build(8, 0, 4, "dot"),
		"nearest: the stride is 3; it must be at least the number of columns, 4":       build(8, 4, 3, "dot"),
		"nearest: 32 elements are too few for 9 rows of 4 columns with stride 4":       build(9, 4, 4, "dot"),
		"nearest: 32 elements are too few for 2 rows of 4 columns with stride 29":      build(2, 4, 29, "dot"),
		"nearest: 32 elements are too few for 1 rows of 33 columns with stride 33":     build(1, 33, 33, "dot"),
		"nearest: metric hamming does not support float32 vectors":                     build(8, 4, 4, "hamming"),
		"nearest: metric dot does not support uint64 vectors":                          bits,
		"nearest: float64 queries cannot be compared with float32 vectors":             types,
		"nearest: the query has 3 elements, but the vectors have 4":                    search(*index, a[:3], 1),
		"nearest: k is 0; it must be at least 1":                                       search(*index, a[:4], 0),
		"nearest: the query must not contain NaN (element 2 of 4)":                     search(*index, nan[4:], 1),
		"nearest: Allow has 0 words of 64 bits, but 8 vectors require 1":               search(short, a[:4], 1),
		"nearest: the query has 4 elements, but the vectors have 0":                    search(zero, a[:4], 1),
		"nearest: the number of queries is -1; it must not be negative":                searchBatch(t.Context(), a, -1, 4, k),
		"nearest: the query stride is 3; it must be at least the number of columns, 4": searchBatch(t.Context(), a, 1, 3, k),
		"nearest: 32 elements are too few for 9 queries of 4 elements with stride 4":   searchBatch(t.Context(), a, 9, 4, k),
		"nearest: query 1: the query must not contain NaN (element 2 of 4)":            searchBatch(t.Context(), nan, 2, 4, k),
		"nearest: the radius must not be NaN":                                          within(a[:4], math.NaN(), 1),
		"nearest: k is -5; it must be at least 1":                                      within(a[:4], 0, -5),
		"nearest: allowed ID 8 is not one of the 8 vectors":                            index.AllowIDs([]int32{0, 8}),
		"nearest: allowed ID -1 is not one of the 8 vectors":                           index.AllowIDs([]int32{-1}),
		"context canceled":                                        searchBatch(canceled, a, 8, 4, k),
		"nearest: k is -1; it must be at least 1":                 searchBatch(t.Context(), a, 8, 4, -1),
		"nearest: candidate 1: ID 8 is not one of the 8 vectors":  high,
		"nearest: candidate 0: ID -1 is not one of the 8 vectors": negative,
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got, err := index.AppendReranked(nil, a[:4], nil, 1); len(got) > 0 || err != nil {
		t.Errorf("no candidates: %v, %v", got, err)
	}
	if index, err := New[float32](a, 8, 4, 4, ""); err != nil || index.metric != byDot {
		t.Errorf("no metric: %v, %v", index, err)
	}
	empty, err := New[float32]([]float32(nil), 0, 4, 4, "l2")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := empty.AppendNearest(nil, a[:4], 1); len(got) > 0 || err != nil {
		t.Errorf("no vectors: %v, %v", got, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestRecall(t *testing.T) {
	found := []Neighbor{{ID: 5}, {ID: 7}, {ID: 9}}
	for want, truth := range map[float64][]int32{0: {1, 2}, 0.5: {9, 8}, 1: {-1, 7, 5, -1}} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			if got := Recall(found, truth); got != want {
				t.Errorf("%v: %v, want %v", truth, got, want)
			}
		})
	}
	if got := Recall(found, []int32{-1}); got == got {
		t.Error(got)
	}
}

// After the first search, a search with one thread allocates nothing.
func TestAllocations(t *testing.T) {
	if kern.Race {
		t.Skip("the race detector makes pools forget")
	}
	r := rand.New(rand.NewPCG(7, 8))
	const rows, cols = 500, 8
	for _, metric := range []string{"l2", "cosine"} {
		checkAllocations[float32](t, draw[float32](r, rows*cols), rows, cols, metric)
		checkAllocations[float64](t, draw[float64](r, rows*cols), rows, cols, metric)
		checkAllocations[float32](t, draw[vectors.F16](r, rows*cols), rows, cols, metric)
	}
}

func checkAllocations[Q, E element](t *testing.T, a []E, rows, cols int, metric string) {
	index, err := New[Q](a, rows, cols, cols, metric)
	if err != nil {
		t.Fatal(err)
	}
	index.Threads = 1
	some := *index
	some.Allow = slices.Repeat([]uint64{0x1111}, (rows+63)/64)
	dst, ctx, r := make([]Neighbor, 0, 10*batch), t.Context(), rand.New(rand.NewPCG(7, 8))
	queries := draw[Q](r, cols*batch)
	for name, f := range map[string]func() error{
		"filtered": func() error {
			return second(some.AppendNearestBatch(ctx, dst, queries, batch, cols, 10))
		},
		"AppendWithin":  func() error { return second(some.AppendWithin(dst, queries[:cols], 0, 10)) },
		"AppendNearest": func() error { return second(index.AppendNearest(dst, queries[:cols], 10)) },
		"AppendNearestBatch": func() error {
			return second(index.AppendNearestBatch(ctx, dst, queries, batch, cols, 10))
		},
		"AppendReranked": func() error {
			return second(index.AppendReranked(dst, queries[:cols], make([]Neighbor, 10), 5))
		},
	} {
		t.Run(fmt.Sprintf("%T %s %s", a, metric, name), func(t *testing.T) {
			if n := testing.AllocsPerRun(20, func() {
				if err := f(); err != nil {
					t.Fatal(err)
				}
			}); n > 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

func TestAllow(t *testing.T) {
	const rows = 130
	index, err := New[float32](make([]float32, rows), rows, 1, 1, "dot")
	if err != nil {
		t.Fatal(err)
	}
	if err := index.AllowIDs([]int32{129, 3, 64, 3}); err != nil || !slices.Equal(index.Allow, []uint64{8, 1, 2}) {
		t.Errorf("%x, %v", index.Allow, err)
	}
	index.AllowFunc(func(id int32) bool { return id%64 == 1 })
	if !slices.Equal(index.Allow, []uint64{2, 2, 2}) {
		t.Errorf("%x", index.Allow)
	}
	if err := index.AllowIDs(nil); err != nil || !slices.Equal(index.Allow, make([]uint64, 3)) {
		t.Errorf("%x, %v", index.Allow, err)
	}
}

package nearest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/simdrank/simdrank/vectors"
)

// bigCosine returns the cosine of two vectors, rounded once.
func bigCosine(x, y []float64) float64 {
	number := func() *big.Float { return new(big.Float).SetPrec(300) }
	dot := func(x, y []float64) *big.Float {
		sum := number()
		for i := range x {
			sum.Add(sum, number().Mul(number().SetFloat64(x[i]), number().SetFloat64(y[i])))
		}
		return sum
	}
	norms := number().Sqrt(number().Mul(dot(x, x), dot(y, y)))
	if norms.Sign() == 0 {
		return 0
	}
	cosine, _ := norms.Quo(dot(x, y), norms).Float64()
	return cosine
}

// Cosines neither overflow nor underflow: they are correct for all exponents of queries and rows.
func TestCosineMagnitudes(t *testing.T) {
	t.Run("float32", func(t *testing.T) {
		checkMagnitudes(t, []int{-149, -140, -100, -49, 0, 59, 100, 127}, 1e-6,
			func(v float64) float32 { return float32(v) })
	})
	t.Run("bfloat16", func(t *testing.T) {
		checkMagnitudes(t, []int{-130, -100, -49, 0, 59, 127}, 1e-6,
			func(v float64) vectors.BF16 { return vectors.NewBF16(float32(v)) })
	})
	t.Run("float16", func(t *testing.T) {
		checkMagnitudes(t, []int{-24, -14, 0, 15}, 1e-6,
			func(v float64) vectors.F16 { return vectors.NewF16(float32(v)) })
	})
	t.Run("float64", func(t *testing.T) {
		checkMagnitudes(t, []int{-1074, -1000, -600, -451, 0, 501, 1000, 1023}, 1e-15,
			func(v float64) float64 { return v })
	})
}

func checkMagnitudes[E vectors.Element](t *testing.T, exps []int, tolerance float64, of func(float64) E) {
	const cols, each = 5, 3
	r := rand.New(rand.NewPCG(13, 14))
	var a []E
	for _, exp := range exps {
		for range each * cols {
			a = append(a, of(math.Ldexp(2*r.Float64()-1, exp)))
		}
	}
	a = append(a, make([]E, cols)...) // a zero vector
	rows := len(a) / cols
	index, err := New[E](a, rows, cols, cols, "cosine")
	if err != nil {
		t.Fatal(err)
	}
	var candidates []Neighbor
	for i := range rows {
		candidates = append(candidates, Neighbor{ID: int32(i)})
	}
	batch, err := index.AppendNearestBatch(t.Context(), nil, a, rows, cols, rows)
	if err != nil || len(batch) != rows*rows {
		t.Fatal(len(batch), err)
	}
	for q := range rows {
		query, found := a[q*cols:][:cols], batch[q*rows:][:rows]
		one, err := index.AppendNearest(nil, query, rows)
		if err != nil || !slices.Equal(one, found) {
			t.Fatalf("query %d: %v, %v\nin a batch %v", q, one, err, found)
		}
		again, err := index.AppendReranked(nil, query, candidates, rows)
		if err != nil || !slices.Equal(again, found) {
			t.Fatalf("query %d: %v, %v\nwithout candidates %v", q, again, err, found)
		}
		for _, n := range found {
			want := bigCosine(widened(query), widened(a[int(n.ID)*cols:][:cols]))
			if !(math.Abs(n.Score-want) <= tolerance) {
				t.Errorf("query %d, vector %d: %v, want %v", q, n.ID, n.Score, want)
			}
		}
	}
}

// Infinities and NaNs in vectors lead to NaNs.
func TestCosineInfinite(t *testing.T) {
	inf := float32(math.Inf(1))
	index, err := New[float32]([]float32{1, 0, inf, 1, 0, inf, float32(math.NaN()), 0}, 4, 2, 2, "cosine")
	if err != nil {
		t.Fatal(err)
	}
	got, err := index.AppendNearest(nil, []float32{1, 0}, 4)
	want := []Neighbor{{0, 1}, {1, math.NaN()}, {2, math.NaN()}, {3, math.NaN()}}
	if err != nil || !sameNeighbors(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// Copies of an index that search for the first time at the same time share the norms.
func TestCosineConcurrent(t *testing.T) {
	const rows, cols, k = 700, 3, 9
	r := rand.New(rand.NewPCG(15, 16))
	for _, metric := range []string{"float32", "float64"} {
		t.Run(metric, func(t *testing.T) {
			if metric == "float32" {
				checkConcurrent(t, draw[float32](r, rows*cols), rows, cols, k)
			} else {
				checkConcurrent(t, draw[float64](r, rows*cols), rows, cols, k)
			}
		})
	}
}

func checkConcurrent[E element](t *testing.T, a []E, rows, cols, k int) {
	index, err := New[E](a, rows, cols, cols, "cosine")
	if err != nil {
		t.Fatal(err)
	}
	want := ranked(a, rows, cols, cols, byCosine, a[:cols])
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			ix := *index
			ix.Threads = 1 + i%2
			if i%3 == 0 {
				ix.Allow = slices.Repeat([]uint64{0x1111}, (rows+63)/64)
			}
			got, err := ix.AppendNearest(nil, a[:cols], k)
			if want := permit(want, ix.Allow, k); err != nil || !sameNeighbors(got, want) {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
		})
	}
	group.Wait()
}

// The stored products have the bits that the kernels for cosines use, also for long rows of bytes.
func TestSquareF32(t *testing.T) {
	for _, cols := range []int{100, 300, 2000} {
		t.Run(fmt.Sprint(cols), func(t *testing.T) {
			r := rand.New(rand.NewPCG(17, uint64(cols)))
			query, signed, bytes := make([]float32, cols), make([]int8, cols), make([]uint8, cols)
			for i := range query {
				query[i], signed[i], bytes[i] = float32(r.NormFloat64()), int8(r.Uint32()), uint8(r.Uint32())
			}
			checkSquare(t, query, signed, vectors.CosineF32I8)
			checkSquare(t, query, bytes, vectors.CosineF32U8)
		})
	}
}

func checkSquare[E int8 | uint8](t *testing.T, query []float32, row []E, cosine func([]float32, []E) float32) {
	index, err := New[float32](row, 1, len(row), len(row), "cosine")
	if err != nil {
		t.Fatal(err)
	}
	got, err := index.AppendNearest(nil, query, 1)
	if want := float64(cosine(query, row)); err != nil || got[0].Score != want {
		t.Errorf("%T: %v, %v, want %v", row, got, err, want)
	}
}

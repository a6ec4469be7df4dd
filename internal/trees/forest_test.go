package trees

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
)

// thresholds draws n ascending thresholds, some of them special values.
func thresholds(d *draw, n int) (t []float32) {
	for len(t) < n {
		t = slices.DeleteFunc(append(t, d.F32s(n-len(t))...), func(v float32) bool { return v != v })
		slices.Sort(t)
		t = slices.Compact(t)
	}
	return t
}

// words draws n words of random bits.
func words(d *draw, n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = d.Uint64()
	}
	return w
}

var _ = register(
	entry{
		Name: "ForestColumnsF32",
		Args: func(d *draw, n int) []any {
			rows, cols := n%(ForestRows+1), n%41
			stride := cols + d.IntN(20)
			x := d.F32s(max((rows-1)*stride+cols, 0))
			if cols == 0 {
				x = nil
			}
			return []any{d.F32s(cols * ForestRows), x, rows, cols, stride}
		},
		Call: func(a []any) {
			ForestColumnsF32(a[0].([]float32), a[1].([]float32), a[2].(int), a[3].(int), a[4].(int))
		},
		Spec: func(a []any) {
			dst, x, rows, cols, stride := a[0].([]float32), a[1].([]float32), a[2].(int), a[3].(int), a[4].(int)
			for i := range (rows + 63) / 64 * 64 {
				for j := range cols {
					dst[j*ForestRows+i] = 0
					if i < rows {
						dst[j*ForestRows+i] = x[i*stride+j]
					}
				}
			}
		},
		Lengths: []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 48, 63, 64, 65, 66, 97, 128, 200, 512, 513 + 16,
			513 + 64, 1025},
		Writes: []int{0},
	},
	entry{
		Name: "ForestTestsF32",
		Args: func(d *draw, n int) []any {
			t := thresholds(d, n)
			return []any{words(d, len(t)*ForestWords), d.F32s(64 * (n % 9)), t}
		},
		Call: func(a []any) {
			dst, values := a[0].([]uint64), a[1].([]float32)
			ForestTestsF32(dst, values, a[2].([]float32))
			for at := ForestWords / 2; len(values) <= ForestRows/2 && at < len(dst); at += ForestWords {
				clear(dst[at : at+ForestWords/2]) // which have anything
			}
		},
		Spec: func(a []any) {
			dst, values, thresholds := a[0].([]uint64), a[1].([]float32), a[2].([]float32)
			for j, t := range thresholds {
				clear(dst[j*ForestWords : (j+1)*ForestWords])
				for i, v := range values {
					if v <= t {
						dst[j*ForestWords+i/64] |= 1 << (i % 64)
					}
				}
			}
		},
		Lengths: []int{0, 1, 2, 3, 7, 8, 9, 10, 15, 16, 17, 31, 32, 33, 35, 40, 62, 63, 64, 71, 100, 126,
			127, 128, 143, 254, 255, 256, 260, 269, 300, 377, 550},
		Long:   []int{2060},
		Writes: []int{0},
	},
	entry{
		Name: "ForestTranspose",
		Args: func(d *draw, n int) []any {
			return []any{words(d, n%4*64*ForestWords), n % (ForestWords + 1)}
		},
		Call: func(a []any) {
			ForestTranspose(a[0].([]uint64), a[1].(int))
			clearWords(a)
		},
		Spec: func(a []any) {
			rows := a[0].([]uint64)
			before := slices.Clone(rows)
			for at := 0; at < len(rows); at += 64 * ForestWords {
				for w := range ForestWords {
					for j := range 64 {
						word := uint64(0)
						for i := range 64 {
							word |= before[at+i*ForestWords+w] >> j & 1 << i
						}
						rows[at+j*ForestWords+w] = word
					}
				}
			}
			clearWords(a)
		},
		Lengths: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 17, 35},
		Long:    []int{71},
		Writes:  []int{0},
	},
	entry{
		Name: "ForestSelect",
		Args: func(d *draw, n int) []any {
			rows := 2 + n%7
			ops := make([]uint32, 4*n)
			for i := range ops {
				ops[i] = uint32(d.IntN(rows)) * ForestWords
			}
			return []any{words(d, rows*ForestWords), ops}
		},
		Call: func(a []any) { ForestSelect(a[0].([]uint64), a[1].([]uint32)) },
		Spec: func(a []any) {
			rows, ops := a[0].([]uint64), a[1].([]uint32)
			for i := 0; i < len(ops); i += 4 {
				for w := range uint32(ForestWords) {
					test, yes, no := rows[ops[i+1]+w], rows[ops[i+2]+w], rows[ops[i+3]+w]
					rows[ops[i]+w] = test&yes | no&^test
				}
			}
		},
		Lengths: []int{0, 1, 2, 3, 4, 5, 13, 50},
		Long:    []int{500},
		Writes:  []int{0},
	},
	entry{
		Name: "ForestAddF64",
		Args: func(d *draw, n int) []any {
			scores := d.F64s(64 * (n % 9))
			rows, leaf := 0, 0
			trees := make([]uint8, n/9)
			for i := range trees {
				most := []int{ForestPlanes, 6, 8, ForestMaxPlanes}[n/9%4]
				trees[i] = uint8(ForestPlanes + d.IntN(most-ForestPlanes+1))
				rows, leaf = rows+int(trees[i]), leaf+1<<trees[i]
			}
			if len(scores) > 0 {
				scores[0] = math.Copysign(0, -1)
			}
			leaves := make([]float64, leaf)
			for i := range leaves {
				leaves[i] = d.NormFloat64()
			}
			return []any{scores, words(d, rows*ForestWords), trees, leaves}
		},
		Call: func(a []any) {
			ForestAddF64(a[0].([]float64), a[1].([]uint64), a[2].([]uint8), a[3].([]float64))
		},
		Spec: func(a []any) {
			scores, planes, trees, leaves := a[0].([]float64), a[1].([]uint64), a[2].([]uint8), a[3].([]float64)
			for _, n := range trees {
				for i := range scores {
					leaf := 0
					for b := range int(n) {
						leaf |= int(planes[b*ForestWords+i/64]>>(i%64)&1) << b
					}
					scores[i] += leaves[leaf]
				}
				planes, leaves = planes[int(n)*ForestWords:], leaves[1<<n:]
			}
		},
		Lengths: []int{0, 1, 8, 9, 10, 17, 18, 19, 26, 27, 28, 35, 36, 37, 44, 46, 55, 64, 65, 74, 83, 92, 107},
		Long:    []int{9*40 + 8},
		Writes:  []int{0},
	},
)

// clearWords clears the words of rows that ForestTranspose leaves unspecified.
func clearWords(a []any) {
	rows := a[0].([]uint64)
	for at := 0; at < len(rows); at += ForestWords {
		clear(rows[at+a[1].(int) : at+ForestWords])
	}
}

func TestForestTest(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		thresholds []float32
		v          float32
		want       int
	}{
		{nil, 1, 0},
		{[]float32{1}, 1, 0},
		{[]float32{1}, 2, 1},
		{[]float32{0}, float32(math.Copysign(0, -1)), 0},
		{[]float32{-inf, inf}, -inf, 0},
		{[]float32{-inf, inf}, inf, 1},
		{[]float32{-inf, inf}, nan, 2},
	} {
		t.Run(fmt.Sprint(c.thresholds, " ", c.v), func(t *testing.T) {
			if got := ForestTest(c.thresholds, c.v); got != c.want {
				t.Errorf("%v among %v: %d, want %d", c.v, c.thresholds, got, c.want)
			}
		})
	}
	thresholds := []float32{-3, -1, 0, 2, 5, 6, 9}
	for n := range thresholds {
		for v := float32(-4); v < 11; v += .5 {
			want := 0
			for _, t := range thresholds[:n] {
				if v > t {
					want++
				}
			}
			if got := ForestTest(thresholds[:n], v); got != want {
				t.Errorf("%v among the first %d: %d, want %d", v, n, got, want)
			}
		}
	}
}

// fillStack overwrites the stack that the next call uses.
//
//go:noinline
func fillStack() (sum uint64) {
	var words [1 << 9]uint64
	for i := range words {
		words[i] = math.MaxUint64 >> (i % 2)
	}
	return words[len(words)-1]
}

// Documents without values pass no test, whatever the stack contains.
func TestForestStack(t *testing.T) {
	const tests = 31 // all that the kernel searches at once, so that every bit of a rank counts
	thresholds := make([]float32, tests)
	for i := range thresholds {
		thresholds[i] = float32(i - 10)
	}
	for _, tier := range cpu.Available() {
		for _, words := range []int{1, 5} { // in both halves of a row
			t.Run(fmt.Sprint(tier, " ", words), func(t *testing.T) {
				defer cpu.Force(tier)()
				want := make([]uint64, tests*ForestWords)
				for i := 10; i < tests; i++ {
					for w := range words {
						want[i*ForestWords+w] = math.MaxUint64
					}
				}
				rows, values := make([]uint64, tests*ForestWords), make([]float32, 64*words)
				fillStack()
				ForestTestsF32(rows, values, thresholds)
				if !slices.Equal(rows, want) {
					t.Errorf("%x, want %x", rows, want)
				}
			})
		}
	}
}

// Rows of the first tests that documents pass become those of all tests.
func TestForestOr(t *testing.T) {
	thresholds := []float32{-1, 0, 3}
	values := make([]float32, ForestRows)
	got, want := make([]uint64, 3*ForestWords), make([]uint64, 3*ForestWords)
	for i := range values {
		values[i] = float32(i%9) - 3
		if first := ForestTest(thresholds, values[i]); first < 3 {
			got[first*ForestWords+i/64] |= 1 << (i % 64)
		}
	}
	ForestOr(got)
	if ForestTestsF32(want, values, thresholds); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

func TestForestPanics(t *testing.T) {
	columns, x := make([]float32, 2*ForestRows), make([]float32, 128)
	rows, scores := make([]uint64, 5*ForestWords), make([]float64, 64)
	leaves := make([]float64, 32)
	for name, f := range map[string]func(){
		"513 rows":          func() { ForestColumnsF32(columns, make([]float32, 1026), 513, 2, 2) },
		"-1 rows":           func() { ForestColumnsF32(columns, nil, -1, 2, 2) },
		"short dst":         func() { ForestColumnsF32(columns[1:], x, 64, 2, 2) },
		"short stride":      func() { ForestColumnsF32(columns, x, 64, 2, 1) },
		"short x":           func() { ForestColumnsF32(columns, x, 64, 2, 3) },
		"63 values":         func() { ForestTestsF32(rows[:8], x[:63], []float32{1}) },
		"576 values":        func() { ForestTestsF32(rows[:8], make([]float32, 576), []float32{1}) },
		"a row too few":     func() { ForestTestsF32(rows[:8], x, []float32{1, 2}) },
		"nine words":        func() { ForestTranspose(nil, 9) },
		"63 rows":           func() { ForestTranspose(make([]uint64, 63*ForestWords), 1) },
		"half an operation": func() { ForestSelect(rows, make([]uint32, 6)) },
		"63 scores":         func() { ForestAddF64(scores[1:], rows, []uint8{5}, leaves) },
		"576 scores":        func() { ForestAddF64(make([]float64, 576), rows, []uint8{5}, leaves) },
		"4 planes":          func() { ForestAddF64(scores, rows[8:], []uint8{4}, leaves[16:]) },
		"13 planes": func() {
			ForestAddF64(scores, make([]uint64, 104), []uint8{13}, make([]float64, 1<<13))
		},
		"rows of six planes": func() { ForestAddF64(scores, make([]uint64, 48), []uint8{5}, leaves) },
		"leaves of no tree":  func() { ForestAddF64(scores, nil, nil, leaves) },
	} {
		t.Run(name, func(t *testing.T) {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			}()
		})
	}
}

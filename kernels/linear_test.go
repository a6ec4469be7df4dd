package kernels

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

func axpySpec[T float32 | float64](alpha T, x, y []T, fma func(x, y, z T) T) {
	for i := range y {
		y[i] = fma(alpha, x[i], y[i])
	}
}

func narrow(x []float64) []float32 {
	n := make([]float32, len(x))
	for i, v := range x {
		n[i] = float32(v)
	}
	return n
}

func axpyEntry[T float32 | float64](name string, call func(alpha T, x, y []T), fma func(x, y, z T) T) entry {
	return entry{
		Name: name,
		Args: func(d *draw, n int) []any {
			return []any{testkit.Drawn[T](d, 1)[0], testkit.Drawn[T](d, n), testkit.Drawn[T](d, n)}
		},
		Call:   func(a []any) { call(a[0].(T), a[1].([]T), a[2].([]T)) },
		Spec:   func(a []any) { axpySpec(a[0].(T), a[1].([]T), a[2].([]T), fma) },
		Writes: []int{2},
	}
}

func dotSpecMixed(x []float32, y []float64) float64 { return testkit.DotSpecF64(testkit.Wide(x), y) }

var _ = register(
	testkit.DotEntry("DotF64", DotF64, testkit.DotSpecF64),
	testkit.DotEntry("DotF32", DotF32, testkit.DotSpecF32),
	testkit.DotEntry("DotF32Wide", DotF32Wide,
		func(x, y []float32) float64 { return dotSpecMixed(x, testkit.Wide(y)) }),
	axpyEntry("AxpyF64", AxpyF64, math.FMA),
	axpyEntry("AxpyF32", AxpyF32, testkit.FMAF32),
)

// fmaF32 returns x·y + z rounded once, as in the reference.
func fmaF32(x, y, z float32) float32 {
	sum := []float32{z}
	axpyF32Generic(x, []float32{y}, sum)
	return sum[0]
}

// fmaF32 against exact arithmetic.
func TestFMAF32(t *testing.T) {
	d := testkit.NewDraw(7, 8, true)
	exact := func(v float32) *big.Float { return new(big.Float).SetPrec(700).SetFloat64(float64(v)) }
	scaled := func(v, exp int) float32 { return float32(math.Ldexp(float64(v*(1-2*d.IntN(2))), exp)) }
	for range 300_000 {
		x, y, z := d.F32(), d.F32(), d.F32()
		switch d.IntN(6) {
		case 0: // z is close to the negative product, so the sum cancels
			z = -x * y
		case 1: // the sum lies near the middle between two float32
			z = float32(math.Ldexp(float64(x*y), 20+d.IntN(9)))
		// the product has 25 bits and ends in the middle, z is below the last bit of float64 or
		// about
		case 2:
			x, y = scaled(d.IntN(1<<11)*2+1, d.IntN(60)-70), scaled(d.IntN(1<<12)*2+1, d.IntN(60)-70)
			z = scaled(1+d.IntN(9), math.Ilogb(float64(x)*float64(y))-35-d.IntN(30))
		case 3: // the product is half of the last bit of z, less a²
			n, a, e := 24-d.IntN(14), d.IntN(64), d.IntN(40)
			z = scaled(1<<23+d.IntN(1<<23), e-63)
			x, y = scaled(1<<(n-1)+a, e-31-n), scaled(1<<(n-1)-a, -31-n)
		case 4: // the same, for sums of less than 24 bits
			n, a := 24-d.IntN(8), d.IntN(1<<10)
			x, y = scaled(1<<(n-1)+a, -74-n), scaled(1<<(n-1)-a, -74-n)
			z = scaled(d.IntN(1<<d.IntN(24)), -149)
		}
		got := fmaF32(x, y, z)
		if spec := testkit.FMAF32(x, y, z); testkit.Differs([]float32{got}, []float32{spec}) >= 0 {
			t.Fatalf("fmaF32(%g, %g, %g) = %g, specification %g", x, y, z, got, spec)
		}
		sum := float64(x)*float64(y) + float64(z)
		if sum != sum || math.IsInf(sum, 0) || sum == 0 {
			if want := float32(sum); math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
				t.Fatalf("fmaF32(%g, %g, %g) = %g, want %g", x, y, z, got, want)
			}
			continue
		}
		r := exact(x)
		r.Add(r.Mul(r, exact(y)), exact(z))
		if want, _ := r.Float32(); got != want {
			t.Fatalf("fmaF32(%g, %g, %g) = %g, want %g", x, y, z, got, want)
		}
	}
}

func TestLinearLengths(t *testing.T) {
	f64, f32 := func(n int) []float64 { return make([]float64, n) }, func(n int) []float32 { return make([]float32, n) }
	for _, c := range []struct {
		want string
		call func()
	}{
		{"kernels: DotF64: len(x) and len(y) differ: 3 and 4", func() { DotF64(f64(3), f64(4)) }},
		{"kernels: DotF32: len(x) and len(y) differ: 4 and 3", func() { DotF32(f32(4), f32(3)) }},
		{"kernels: DotF32Wide: len(x) and len(y) differ: 0 and 1", func() { DotF32Wide(nil, f32(1)) }},
		{"kernels: SpmvF32Wide: len(offsets) is 2; it must be the number of rows + 1, 3",
			func() { SpmvF32Wide(f64(2), f64(3), []int{0, 1}, []int32{0}, f32(1)) }},
		{"kernels: SpmvF32Wide: len(index) and len(value) differ: 1 and 2",
			func() { SpmvF32Wide(f64(1), f64(3), []int{0, 1}, []int32{0}, f32(2)) }},
		{"kernels: SpmvF32Wide: column index 3 is out of range: there are 3 columns",
			func() { SpmvF32Wide(f64(2), f64(3), []int{0, 0, 1}, []int32{3}, f32(1)) }},
		{"kernels: SpmvF32Wide: column index -1 is out of range: there are 3 columns",
			func() { SpmvF32Wide(f64(1), f64(3), []int{0, 2}, []int32{0, -1}, f32(2)) }},
		{"kernels: SpmvF32Wide: column index 65600 is out of range: there are 65600 columns",
			func() { SpmvF32Wide(f64(1), f64(65600), []int{0, 3}, []int32{1, 65599, 65600}, f32(3)) }},
		{"kernels: SpmvF32Wide: column index -1 is out of range: there are 65600 columns",
			func() { SpmvF32Wide(f64(1), f64(65600), []int{0, 3}, []int32{65599, -1, 3}, f32(3)) }},
		{"kernels: AddSpmvTF32Wide: column index 3 is out of range: there are 3 columns",
			func() { AddSpmvTF32Wide(f64(3), f64(2), []int{0, 0, 1}, []int32{3}, f32(1)) }},
		{"kernels: AddSpmvTF32Wide: column index -1 is out of range: there are 3 columns",
			func() { AddSpmvTF32Wide(f64(3), f64(1), []int{0, 1}, []int32{-1}, f32(1)) }},
		{"kernels: AddSpmvTF32Wide: offsets are from 0 to 2; they must be from 0 to len(value), 1",
			func() { AddSpmvTF32Wide(f64(3), f64(1), []int{0, 2}, []int32{1}, f32(1)) }},
		{"kernels: NonzerosF32: len(index) and len(row) differ: 1 and 2",
			func() { NonzerosF32(make([]int32, 1), f32(2), f32(2)) }},
		{"kernels: NonzerosF32: len(value) and len(row) differ: 3 and 2",
			func() { NonzerosF32(make([]int32, 2), f32(3), f32(2)) }},
		{"kernels: AddSpmvTF32Wide: offsets must not decrease, but 0 follows 1",
			func() { AddSpmvTF32Wide(f64(3), f64(3), []int{0, 1, 0, 1}, []int32{1}, f32(1)) }},
		{"kernels: AxpyF64: len(x) and len(y) differ: 3 and 4", func() { AxpyF64(1, f64(3), f64(4)) }},
		{"kernels: AxpyF32: len(x) and len(y) differ: 3 and 4", func() { AxpyF32(1, f32(3), f32(4)) }},
		{"kernels: GemvF64: len(dst) and rows differ: 1 and 2", func() { GemvF64(f64(1), f64(3), f64(6), 2, 3, 3) }},
		{"kernels: GemvF32: len(x) and cols differ: 2 and 3", func() { GemvF32(f32(2), f32(2), f32(6), 2, 3, 3) }},
		{"kernels: GemvF32Wide: stride is 2; it must be at least cols, 3",
			func() { GemvF32Wide(f64(2), f64(3), f32(6), 2, 3, 2) }},
		{"kernels: AddGemvTF64: a has 5 elements, too few for 2 rows of 3 columns with stride 3",
			func() { AddGemvTF64(f64(3), f64(2), f64(5), 2, 3, 3) }},
		{"kernels: AddGemvTF32: len(dst) and cols differ: 2 and 3",
			func() { AddGemvTF32(f32(2), f32(2), f32(6), 2, 3, 3) }},
		{"kernels: AddGemvTF32Wide: len(c) and rows differ: 3 and 2",
			func() { AddGemvTF32Wide(f64(3), f64(3), f32(6), 2, 3, 3) }},
		{"kernels: GemvF64: len(dst) and rows differ: 0 and -1", func() { GemvF64(nil, f64(3), f64(6), -1, 3, 3) }},
		// (rows−1)·stride wraps around, to the sign bit and to zero.
		{fmt.Sprint("kernels: AddGemvTF64: a has 3 elements, too few for 3 rows of 3 columns with stride ", math.MaxInt/2+1),
			func() { AddGemvTF64(f64(3), f64(3), f64(3), 3, 3, math.MaxInt/2+1) }},
		{fmt.Sprint("kernels: GemvF64: a has 3 elements, too few for 5 rows of 3 columns with stride ", math.MaxInt/2+1),
			func() { GemvF64(f64(5), f64(3), f64(3), 5, 3, math.MaxInt/2+1) }},
		{fmt.Sprint("kernels: GemvF32: a has 3 elements, too few for 5 rows of 3 columns with stride ", math.MaxInt/2+1),
			func() { GemvF32(f32(5), f32(3), f32(3), 5, 3, math.MaxInt/2+1) }},
		{fmt.Sprint("kernels: GemvF32Wide: a has 3 elements, too few for 5 rows of 3 columns with stride ", math.MaxInt/2+1),
			func() { GemvF32Wide(f64(5), f64(3), f32(3), 5, 3, math.MaxInt/2+1) }},
		{fmt.Sprint("kernels: AddGemvTF64: a has 3 elements, too few for 5 rows of 3 columns with stride ", math.MaxInt/2+1),
			func() { AddGemvTF64(f64(3), f64(5), f64(3), 5, 3, math.MaxInt/2+1) }},
		{fmt.Sprint("kernels: AddGemvTF32: a has 3 elements, too few for 5 rows of 3 columns with stride ", math.MaxInt/2+1),
			func() { AddGemvTF32(f32(3), f32(5), f32(3), 5, 3, math.MaxInt/2+1) }},
		{fmt.Sprint("kernels: AddGemvTF32Wide: a has 3 elements, too few for 5 rows of 3 columns with stride ", math.MaxInt/2+1),
			func() { AddGemvTF32Wide(f64(3), f64(5), f32(3), 5, 3, math.MaxInt/2+1) }},
	} {
		t.Run(c.want, func(t *testing.T) {
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				if got := testkit.MustPanic(t, c.want, c.call); got != c.want {
					t.Errorf("%v: panic %q, want %q", tier, got, c.want)
				}
				restore()
			}
		})
	}
	GemvF64(f64(2), nil, nil, 2, 0, 0)
	AddGemvTF64(nil, nil, nil, 0, 0, 0)
	GemvF64(nil, f64(3), nil, 0, 3, 3)
}

// Identical slices are allowed if the doc comment says so, and give the same results as copies. Any
// other overlap with an output panics.
func TestLinearOverlap(t *testing.T) {
	d := testkit.NewDraw(9, 10, false)
	for _, n := range []int{1, 7, 64, 300, kern.BlockLen + 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x64, b64, x32, b32 := d.F64s(n+1), d.F64s(n), d.F32s(n+1), d.F32s(n)
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				check := func(what string, got, want any) {
					t.Helper()
					if k := testkit.Differs(got, want); k >= 0 {
						t.Errorf("%v: %s: element %d differs from that of separate slices", tier, what, k)
					}
				}
				same64, apart64 := slices.Clone(x64[:n]), slices.Clone(x64[:n])
				AxpyF64(1.5, same64, same64)
				AxpyF64(1.5, x64[:n], apart64)
				check("AxpyF64(alpha, y, y)", same64, apart64)
				same32, apart32 := slices.Clone(x32[:n]), slices.Clone(x32[:n])
				AxpyF32(1.5, same32, same32)
				AxpyF32(1.5, x32[:n], apart32)
				check("AxpyF32(alpha, y, y)", same32, apart32)
				restore()
			}
			if n == 1 {
				return
			}
			for what, f := range map[string]func(){
				"AxpyF64: y overlaps x":       func() { AxpyF64(1, x64[1:], x64[:n]) },
				"AxpyF32: y overlaps x":       func() { AxpyF32(1, x32[:n], x32[1:]) },
				"GemvF64: dst overlaps a":     func() { GemvF64(x64[:1], b64, x64[:n], 1, n, n) },
				"GemvF64: dst overlaps x":     func() { GemvF64(b64[n-1:], b64, x64[:n], 1, n, n) },
				"AddGemvTF32: dst overlaps a": func() { AddGemvTF32(x32[:n], b32[:1], x32[1:], 1, n, n) },
				"AddGemvTF32: dst overlaps c": func() { AddGemvTF32(b32, b32[:1], x32[1:], 1, n, n) },
			} {
				if got := testkit.MustPanic(t, what, f); got != "kernels: "+what {
					t.Errorf("panic %q, want %q", got, "kernels: "+what)
				}
			}
		})
	}
}

// Products that are −0, or underflow to it, add up to −0 at every length, because lanes and parts
// of vectors without an element do not take part. If there is no element, the result is +0.
func TestDotSignOfZero(t *testing.T) {
	// a last vector of one element in rows that AVX-512 reads from memory
	lengths := []int{225, 233, 241, 249, 281, 449, 465, 481, 497, 561}
	for n := range 140 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		rows := 5
		if n > 140 {
			rows = 40 // too many for L1
		}
		if n == 249 || n == 497 {
			rows = 500 // and for L2
		}
		for _, p := range []struct {
			x, y     float64
			x32, y32 float32
		}{{0, -1, 0, -1}, {0x1p-600, -0x1p-600, 0x1p-140, -0x1p-140}} {
			x, y, x32, y32 := make([]float64, n), make([]float64, n), make([]float32, n), make([]float32, n)
			for i := range x {
				x[i], y[i], x32[i], y32[i] = p.x, p.y, p.x32, p.y32
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				gemv64, gemv32, gemvWide := make([]float64, rows), make([]float32, rows), make([]float64, rows)
				a64, a32 := slices.Repeat(x, rows), slices.Repeat(x32, rows)
				GemvF64(gemv64, y, a64, rows, n, n)
				GemvF32(gemv32, y32, a32, rows, n, n)
				GemvF32Wide(gemvWide, y, a32, rows, n, n)
				got := map[string][]float64{
					"DotF64":      {DotF64(x, y)},
					"DotF32":      {float64(DotF32(x32, y32))},
					"DotF32Wide":  {DotF32Wide(x32, y32)},
					"GemvF64":     gemv64,
					"GemvF32":     testkit.Wide(gemv32),
					"GemvF32Wide": gemvWide,
				}
				for what, sums := range got {
					if what[len(what)-4:] == "Wide" && p.x != 0 {
						continue // products of float32 do not underflow in float64
					}
					for i, sum := range sums {
						if sum != 0 || math.Signbit(sum) != (n > 0) {
							t.Fatalf("%s, %v, %d products %v·%v, row %d: %v", what, tier, n, p.x, p.y, i, sum)
						}
					}
				}
				restore()
			}
		}
	}
}

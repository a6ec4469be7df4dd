package vectors

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

func l2SpecF64(x, y []float64) float64 {
	return testkit.DotSpecF64(testkit.Minus(x, y), testkit.Minus(x, y))
}
func l2SpecF32(x, y []float32) float32 {
	return testkit.DotSpecF32(testkit.Minus(x, y), testkit.Minus(x, y))
}

func cosineSpecF64(x, y []float64) float64 {
	norms := math.Sqrt(testkit.DotSpecF64(x, x)) * math.Sqrt(testkit.DotSpecF64(y, y))
	if norms == 0 {
		return 0
	}
	return testkit.DotSpecF64(x, y) / norms
}

func cosineSpecF32(x, y []float32) float32 {
	squared := float64(testkit.DotSpecF32(x, x)) * float64(testkit.DotSpecF32(y, y))
	if squared == 0 {
		return 0
	}
	return float32(float64(testkit.DotSpecF32(x, y)) / math.Sqrt(squared))
}

var _ = register(
	distanceEntry("L2F64", L2F64, l2SpecF64),
	distanceEntry("L2F32", L2F32, l2SpecF32),
	distanceEntry("CosineF64", CosineF64, cosineSpecF64),
	distanceEntry("CosineF32", CosineF32, cosineSpecF32),
	exactEntry("DotI8", DotI8, times),
	exactEntry("DotU8", DotU8, times),
	exactEntry("L2I8", L2I8, squareOff),
	exactEntry("L2U8", L2U8, squareOff),
	cosineBytesEntry("CosineI8", CosineI8),
	cosineBytesEntry("CosineU8", CosineU8),
	bitsEntry("HammingBits", HammingBits, hammingSpec),
	bitsEntry("JaccardBits", JaccardBits, jaccardSpec),
	halfEntry("DotF16", NewF16, DotF16, testkit.DotSpecF32),
	halfEntry("DotBF16", NewBF16, DotBF16, testkit.DotSpecF32),
	halfEntry("L2F16", NewF16, L2F16, l2SpecF32),
	halfEntry("L2BF16", NewBF16, L2BF16, l2SpecF32),
	halfEntry("CosineF16", NewF16, CosineF16, cosineSpecF32),
	halfEntry("CosineBF16", NewBF16, CosineBF16, cosineSpecF32),
	mixedEntry("DotF32F16", drawnF16, DotF32F16, testkit.DotSpecF32),
	mixedEntry("DotF32BF16", drawnBF16, DotF32BF16, testkit.DotSpecF32),
	mixedEntry("DotF32I8", drawnBytes[int8], DotF32I8, testkit.DotSpecF32),
	mixedEntry("DotF32U8", drawnBytes[uint8], DotF32U8, testkit.DotSpecF32),
	mixedEntry("L2F32F16", drawnF16, L2F32F16, l2SpecF32),
	mixedEntry("L2F32BF16", drawnBF16, L2F32BF16, l2SpecF32),
	mixedEntry("L2F32I8", drawnBytes[int8], L2F32I8, l2SpecF32),
	mixedEntry("L2F32U8", drawnBytes[uint8], L2F32U8, l2SpecF32),
	mixedEntry("CosineF32F16", drawnF16, CosineF32F16, cosineSpecF32),
	mixedEntry("CosineF32BF16", drawnBF16, CosineF32BF16, cosineSpecF32),
	mixedEntry("CosineF32I8", drawnBytes[int8], CosineF32I8, cosineSpecF32),
	mixedEntry("CosineF32U8", drawnBytes[uint8], CosineF32U8, cosineSpecF32),
	narrowEntry("F16FromF32", F16FromF32, f16Spec),
	widenEntry("F32FromF16", F32FromF16, F16.Float32),
	narrowEntry("BF16FromF32", BF16FromF32, bf16Spec),
	widenEntry("F32FromBF16", F32FromBF16, BF16.Float32),
)

// exactEntry is an entry for an integer kernel. spec is the specification for one pair of elements.
func exactEntry[T int8 | uint8](name string, call func(x, y []T) int64, spec func(x, y int64) int64) entry {
	return entry{
		Name:    name,
		Lengths: vectorLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			return []any{drawnBytes[T](d, n), drawnBytes[T](d, n), make([]int64, 1)}
		},
		Call: func(a []any) { a[2].([]int64)[0] = call(a[0].([]T), a[1].([]T)) },
		Spec: func(a []any) { a[2].([]int64)[0] = exactSum(a[0].([]T), a[1].([]T), spec) },
		Cases: func() (cases [][]any) {
			for _, n := range []int{1, 31, 64, 1000, kern.BlockLen, kern.BlockLen + 1} {
				low, high := extremes[T](n)
				for _, c := range [][2][]T{{low, low}, {low, high}, {high, low}, {high, high}} {
					cases = append(cases, []any{c[0], c[1], make([]int64, 1)})
				}
			}
			return cases
		},
		Writes: []int{2},
	}
}

func cosineBytesEntry[T int8 | uint8](name string, call func(x, y []T) float32) entry {
	e := exactEntry[T](name, nil, nil)
	e.Args = func(d *draw, n int) []any {
		return []any{drawnBytes[T](d, n), drawnBytes[T](d, n), make([]float32, 1)}
	}
	cases := e.Cases
	e.Cases = func() [][]any {
		all := cases()
		for i := range all {
			all[i][2] = make([]float32, 1)
		}
		return all
	}
	e.Call = func(a []any) { a[2].([]float32)[0] = call(a[0].([]T), a[1].([]T)) }
	e.Spec = func(a []any) {
		x, y := a[0].([]T), a[1].([]T)
		squared := float64(exactSum(x, x, times)) * float64(exactSum(y, y, times))
		a[2].([]float32)[0] = 0
		if squared != 0 {
			a[2].([]float32)[0] = float32(float64(exactSum(x, y, times)) / math.Sqrt(squared))
		}
	}
	return e
}

// bitsEntry is an entry for a bit kernel.
func bitsEntry[S int64 | float32](name string, call, spec func(x, y []uint64) S) entry {
	run := func(f func(x, y []uint64) S) func(a []any) {
		return func(a []any) { a[2].([]S)[0] = f(a[0].([]uint64), a[1].([]uint64)) }
	}
	return entry{
		Name:    name,
		Lengths: vectorLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			x, y := make([]uint64, n), make([]uint64, n)
			for i := range n {
				x[i], y[i] = d.Uint64(), d.Uint64()
				if d.Special {
					x[i], y[i] = []uint64{0, ^uint64(0), 1 << 63}[d.IntN(3)], []uint64{0, ^uint64(0), 1}[d.IntN(3)]
				}
			}
			return []any{x, y, make([]S, 1)}
		},
		Call:   run(call),
		Spec:   run(spec),
		Writes: []int{2},
	}
}

func hammingSpec(x, y []uint64) (differ int64) {
	for i := range x {
		for b := range 64 {
			differ += int64((x[i]^y[i])>>b) & 1
		}
	}
	return differ
}

func jaccardSpec(x, y []uint64) float32 {
	var both, either float64
	for i := range x {
		for b := range 64 {
			both += float64((x[i] & y[i]) >> b & 1)
			either += float64((x[i] | y[i]) >> b & 1)
		}
	}
	if either == 0 {
		return 1
	}
	return float32(both / either)
}

// halfEntry is like distanceEntry but for converted numbers.
func halfEntry[T F16 | BF16](name string, convert func(float32) T, call func(x, y []T) float32,
	spec func(x, y []float32) float32) entry {
	return entry{
		Name:    name,
		Lengths: vectorLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			return []any{drawnHalves(d, n, convert), drawnHalves(d, n, convert), make([]float32, 1)}
		},
		Call:   func(a []any) { a[2].([]float32)[0] = call(a[0].([]T), a[1].([]T)) },
		Spec:   func(a []any) { a[2].([]float32)[0] = spec(widened(a[0].([]T)), widened(a[1].([]T))) },
		Writes: []int{2},
	}
}

// mixedEntry is like distanceEntry but for float32 and another type, of which draw returns
// elements.
func mixedEntry[T F16 | BF16 | int8 | uint8](name string, drawn func(d *draw, n int) []T,
	call func(q []float32, x []T) float32, spec func(x, y []float32) float32) entry {
	return entry{
		Name:    name,
		Lengths: vectorLengths,
		Long:    noLengths,
		Args:    func(d *draw, n int) []any { return []any{d.F32s(n), drawn(d, n), make([]float32, 1)} },
		Call:    func(a []any) { a[2].([]float32)[0] = call(a[0].([]float32), a[1].([]T)) },
		Spec:    func(a []any) { a[2].([]float32)[0] = spec(a[0].([]float32), widened(a[1].([]T))) },
		Writes:  []int{2},
	}
}

func drawnF16(d *draw, n int) []F16   { return drawnHalves(d, n, NewF16) }
func drawnBF16(d *draw, n int) []BF16 { return drawnHalves(d, n, NewBF16) }

// drawnHalves returns n random numbers. If values are special, they have arbitrary bits.
func drawnHalves[T F16 | BF16](d *draw, n int, convert func(float32) T) []T {
	s := make([]T, n)
	finite := d.IntN(2) == 0
	for i := range s {
		s[i] = convert(d.F32())
		if d.Special {
			s[i] = []T{0, 1 << 15, T(d.Uint32()), s[i]}[d.IntN(4)]
		}
		if v := any(s[i]).(interface{ Float32() float32 }).Float32(); finite && v-v != 0 {
			s[i] = 1
		}
	}
	return s
}

func widened[T F16 | BF16 | int8 | uint8](x []T) []float32 {
	w := make([]float32, len(x))
	for i, v := range x {
		switch v := any(v).(type) {
		case interface{ Float32() float32 }:
			w[i] = v.Float32()
		case int8:
			w[i] = float32(v)
		case uint8:
			w[i] = float32(v)
		}
	}
	return w
}

func narrowEntry[T F16 | BF16](name string, call func(dst []T, src []float32), spec func(float32) T) entry {
	return entry{
		Name:    name,
		Lengths: vectorLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			src := d.F32s(n)
			for i := range src {
				if d.Special && d.IntN(2) == 0 { // any bits, or near the middle of two numbers
					src[i] = math.Float32frombits(d.Uint32())
					if d.IntN(2) == 0 {
						src[i] = math.Float32frombits(uint32(0x33000000+d.IntN(0x15000000))&^0xfff |
							uint32(d.IntN(3)-1)&0xfff)
					}
				}
			}
			return []any{make([]T, n), src}
		},
		Call: func(a []any) { call(a[0].([]T), a[1].([]float32)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]float32) {
				a[0].([]T)[i] = spec(v)
			}
		},
		Writes: []int{0},
	}
}

func widenEntry[T F16 | BF16](name string, call func(dst []float32, src []T), spec func(T) float32) entry {
	return entry{
		Name:    name,
		Lengths: vectorLengths,
		Long:    noLengths,
		Args: func(d *draw, n int) []any {
			return []any{make([]float32, n), drawnHalves(d, n, func(float32) T { return T(d.Uint32()) })}
		},
		Call: func(a []any) { call(a[0].([]float32), a[1].([]T)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]T) {
				a[0].([]float32)[i] = spec(v)
			}
		},
		Writes: []int{0},
	}
}

// f16Spec rounds by the definition: a multiple of the last bit that the exponent leaves.
func f16Spec(v float32) F16 {
	x := math.Abs(float64(v))
	sign := F16(math.Float32bits(v) >> 16 & 0x8000)
	switch {
	case v != v:
		return sign | 0x7e00 | F16(math.Float32bits(v)>>13&0x3ff)
	case x >= 65520:
		return sign | 0x7c00
	}
	exp := 0
	if x >= 0x1p-14 {
		exp = math.Ilogb(x) + 14
	}
	steps := math.RoundToEven(math.Ldexp(x, 24-exp)) // up to 2048, of 2^(exp−24)
	return sign | F16(exp<<10) + F16(steps)
}

// bf16Spec returns the nearer of the two numbers around v, or the even one if both are equally
// near.
func bf16Spec(v float32) BF16 {
	b := math.Float32bits(v)
	if v != v {
		return BF16(b>>16 | 0x40)
	}
	low := BF16(b >> 16)
	switch rest := b & 0xffff; {
	case rest > 0x8000, rest == 0x8000 && low&1 == 1:
		return low + 1
	}
	return low
}

// Every float16 and bfloat16 is converted exactly and back to itself, and float16 has the values of
// the formats of IEEE 754.
func TestHalves(t *testing.T) {
	for b := range 1 << 16 {
		h := F16(b)
		want := math.Ldexp(float64(b&0x3ff), -24)
		if exp := b >> 10 & 31; exp == 31 {
			want = math.Inf(1)
		} else if exp > 0 {
			want = math.Ldexp(float64(b&0x3ff|0x400), exp-25)
		}
		want = math.Copysign(want, float64(1-b>>15*2))
		got := h.Float32()
		if b&0x7fff > 0x7c00 {
			if got == got || NewF16(got) != h|0x200 {
				t.Fatalf("F16(%#x).Float32() = %v, which is %#x, want a quiet NaN", b, got, NewF16(got))
			}
		} else if math.Float64bits(float64(got)) != math.Float64bits(want) || NewF16(got) != h {
			t.Fatalf("F16(%#x).Float32() = %v, want %v; back %#x", b, got, want, NewF16(got))
		}
		v := BF16(b)
		if got := v.Float32(); got == got && NewBF16(got) != v || got != got && NewBF16(got) != v|0x40 ||
			math.Float32bits(got) != uint32(b)<<16 {
			t.Fatalf("BF16(%#x).Float32() = %v, back %#x", b, got, NewBF16(got))
		}
	}
}

// exactSum adds f over all pairs of elements.
func exactSum[T int8 | uint8](x, y []T, f func(x, y int64) int64) (sum int64) {
	for i := range x {
		sum += f(int64(x[i]), int64(y[i]))
	}
	return sum
}

func times(x, y int64) int64     { return x * y }
func squareOff(x, y int64) int64 { return (x - y) * (x - y) }

// drawnBytes returns n random bytes. If values are special, most of them are the minimum or
// maximum.
func drawnBytes[T int8 | uint8](d *draw, n int) []T {
	low, high := extremes[T](1)
	s := make([]T, n)
	for i := range s {
		s[i] = T(d.Uint32() >> 24)
		if d.Special {
			s[i] = []T{low[0], high[0], 0, s[i]}[d.IntN(4)]
		}
	}
	return s
}

// extremes returns n times the least byte, and the greatest.
func extremes[T int8 | uint8](n int) (low, high []T) {
	least, greatest := T(0), ^T(0)
	if greatest < 0 {
		least = 1
		for least > 0 {
			least <<= 1
		}
		greatest = ^least
	}
	return slices.Repeat([]T{least}, n), slices.Repeat([]T{greatest}, n)
}

// distanceEntry is like dotEntry but with fewer lengths.
func distanceEntry[T, S float32 | float64](name string, call, spec func(x, y []T) S) entry {
	e := testkit.DotEntry(name, call, spec)
	e.Lengths, e.Long = vectorLengths, noLengths
	return e
}

// vectorLengths is a short list of short lengths, because there are many such kernels and emulators
// are slow. TestVectorBlocks tests lengths beyond a block.
var (
	vectorLengths = func() (n []int) {
		for i := range 36 {
			n = append(n, i)
		}
		return append(n, 39, 40, 41, 47, 48, 49, 55, 57, 60, 63, 64, 65, 72, 79, 80, 81, 95, 96, 97, 100,
			111, 112, 113, 127, 128, 129, 143, 160, 175, 191, 193, 208, 255, 256, 257, 300, 385, 511, 513)
	}()
	noLengths = []int{}
)

// vectorEntries are the entries of this file.
func vectorEntries() (entries []entry) {
	for _, e := range table {
		if len(e.Lengths) > 0 && &e.Lengths[0] == &vectorLengths[0] {
			entries = append(entries, e)
		}
	}
	return entries
}

// This test uses vectors longer than a block. Emulated architectures skip it, because only amd64
// and arm64 have their own code.
func TestVectorBlocks(t *testing.T) {
	if testing.Short() && runtime.GOARCH != "arm64" {
		t.Skip("emulated")
	}
	for _, e := range vectorEntries() {
		t.Run(e.Name, func(t *testing.T) {
			d := testkit.NewDraw(15, 16, false)
			args := e.Args(d, kern.BlockLen+37)
			e.Spec(args)
			want := fmt.Sprint(args[e.Writes[0]])
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				e.Call(args)
				restore()
				if fmt.Sprint(args[e.Writes[0]]) != want {
					t.Errorf("%v: not the bits of the specification", tier)
				}
			}
		})
	}
}

// A processor without the optional features within tiers returns the same bits.
func TestWithoutFeatures(t *testing.T) {
	for _, e := range vectorEntries() {
		t.Run(e.Name, func(t *testing.T) {
			for _, n := range []int{0, 1, 15, 16, 17, 63, 64, 65, 100, 127, 300, 1000, 1100} {
				for _, tier := range cpu.Available() {
					results := [2]any{}
					for i, force := range []func(cpu.Tier) func(){cpu.Force, cpu.ForceWithoutFeatures} {
						args := e.Args(testkit.NewDraw(13, uint64(n), true), n)
						restore := force(tier)
						e.Call(args)
						restore()
						results[i] = fmt.Sprint(args[e.Writes[0]])
					}
					if results[0] != results[1] {
						t.Errorf("%v, n = %d: %v without features, %v with them", tier, n, results[1],
							results[0])
					}
				}
			}
		})
	}
}

// Arrays of the caller stay on its stack.
func TestVectorStack(t *testing.T) {
	if kern.Race {
		t.Skip("what is told to the race detector escapes")
	}
	var x [3]float32
	if n := testing.AllocsPerRun(10, func() {
		var f [3]F16
		var b [3]BF16
		F16FromF32(f[:], x[:])
		BF16FromF32(b[:], x[:])
		var y [3]float32
		F32FromF16(y[:], f[:])
		F32FromBF16(y[:], b[:])
		DotF16(f[:], f[:])
		L2BF16(b[:], b[:])
		CosineF16(f[:], f[:])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package kernels

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

// Invalid arguments cause a panic with a message that names the kernel and the problem, the same on
// every tier. FuzzArguments generates random arguments; this test has cases that are rarely
// generated.
func TestArguments(t *testing.T) {
	f64, f32, i32 := func(n int) []float64 { return make([]float64, n) },
		func(n int) []float32 { return make([]float32, n) }, func(n int) []int32 { return make([]int32, n) }
	overlap := f64(8)
	query := func(lower ...int32) PairQuery {
		return PairQuery{Scores: f64(len(lower)), Lower: lower, Weight: 1}
	}
	shared := query(0, 0, 2)
	shared.Gain = overlap[:3]
	lowered, shorts := query(0, 0, 2), unsafe.Slice((*int32)(unsafe.Pointer(&overlap[0])), 3)
	lowered.Lower = shorts
	inF32, inInts := unsafe.Slice((*float32)(unsafe.Pointer(&overlap[0])), 3),
		unsafe.Slice((*int)(unsafe.Pointer(&overlap[0])), 3)
	type test struct {
		want string
		call func()
	}
	tests := []test{
		// Their differences wrap around to positive numbers.
		{fmt.Sprint("kernels: SpmvF32Wide: offsets must not decrease, but ", math.MinInt, " follows 1"),
			func() { SpmvF32Wide(f64(4), f64(3), []int{0, 1, math.MinInt, -1, 5}, i32(5), f32(5)) }},
		{fmt.Sprint("kernels: AddSpmvTF32Wide: offsets must not decrease, but ", math.MinInt, " follows 1"),
			func() { AddSpmvTF32Wide(f64(3), f64(4), []int{0, 1, math.MinInt, -1, 5}, i32(5), f32(5)) }},
		{"kernels: NonzerosF32: value overlaps row",
			func() { row := f32(4); NonzerosF32(i32(3), row[:3], row[1:]) }},
		// Slices of several types can share memory, too.
		{"kernels: NonzerosF32: index overlaps row", func() { NonzerosF32(shorts, f32(3), inF32) }},
		{"kernels: NonzerosF32: index overlaps value", func() { NonzerosF32(shorts, inF32, f32(3)) }},
		{"kernels: SpmvF32Wide: dst overlaps the matrix",
			func() { SpmvF32Wide(overlap[:2], f64(3), inInts, i32(0), f32(0)) }},
		{"kernels: SpmvF32Wide: dst overlaps the matrix",
			func() { SpmvF32Wide(overlap[:1], f64(3), []int{0, 3}, shorts, f32(3)) }},
		{"kernels: AddSpmvTF32Wide: dst overlaps the matrix",
			func() { AddSpmvTF32Wide(overlap[:1], f64(1), []int{0, 3}, i32(3), inF32) }},
		{"kernels: PairLogistic: c overlaps Lower",
			func() { PairLogistic(overlap[1:4], lowered, 1, nil) }},
		{"kernels: PairHuberHingeLaplacian: l overlaps Lower",
			func() { PairHuberHingeLaplacian(overlap[:1], PairQuery{Scores: f64(1), Lower: shorts[:1]}, 1) }},

		{"kernels: ExpF64: len(dst) and len(x) differ: 1 and 2", func() { ExpF64(f64(1), f64(2)) }},
		{"kernels: ExpF64: dst overlaps x", func() { ExpF64(overlap[:3], overlap[1:4]) }},
		{"kernels: PairSquaredHinge: len(c) and len(Scores) differ: 2 and 3",
			func() { PairSquaredHinge(f64(2), query(0, 0, 2), nil) }},
		{"kernels: PairHuberHinge: len(Lower) and len(Scores) differ: 2 and 3",
			func() { PairHuberHinge(f64(3), PairQuery{Scores: f64(3), Lower: i32(2)}, 1, nil) }},
		{"kernels: PairLogistic: len(Gain) and len(Scores) differ: 0 and 1",
			func() { PairLogistic(f64(1), PairQuery{Scores: f64(1), Lower: i32(1), Gain: f64(0)}, 1, nil) }},
		{"kernels: PairLogistic: Lower[2] is 1; each element must be its index or the previous element",
			func() { PairLogistic(f64(3), query(0, 0, 1), 1, nil) }},
		{"kernels: PairLogistic: Lower[0] is -1; each element must be its index or the previous element",
			func() { PairLogistic(f64(1), query(-1), 1, nil) }},
		{"kernels: PairSquaredHinge: c overlaps Scores",
			func() { q := query(0, 0, 2); PairSquaredHinge(q.Scores, q, nil) }},
		{"kernels: PairSquaredHinge: c overlaps Gain",
			func() { PairSquaredHinge(overlap[2:5], shared, nil) }},
		{"kernels: PairHuberHinge: delta is -1; it must be finite and not negative",
			func() { PairHuberHinge(nil, query(), -1, nil) }},
		{"kernels: PairHuberHinge: delta is NaN; it must be finite and not negative",
			func() { PairHuberHinge(nil, query(), math.NaN(), nil) }},
		{"kernels: PairHuberHingeLaplacian: delta is +Inf; it must be finite and not negative",
			func() { PairHuberHingeLaplacian(nil, query(), math.Inf(1)) }},
		{"kernels: PairLogisticLaplacian: len(l) is 8; it must be the square of len(Scores), 9",
			func() { PairLogisticLaplacian(f64(8), query(0, 0, 2), 1) }},
		{"kernels: PairSquaredHingeLaplacian: l overlaps Scores",
			func() { PairSquaredHingeLaplacian(overlap[:4], PairQuery{Scores: overlap[3:5], Lower: i32(2)}) }},

		{"kernels: ArgsortF64: len(dst) and len(x) differ: 2 and 3",
			func() { ArgsortF64(i32(2), f64(3), nil) }},
		{"kernels: AppendTopK: k is -1; it must not be negative", func() { AppendTopK(nil, f64(3), -1, nil) }},
		{"kernels: CountTau: len(x) and len(y) differ: 2 and 3", func() { CountTau(f64(2), f32(3), nil) }},
	}
	if strconv.IntSize == 64 && !kern.Race {
		// Lengths beyond an int32. The elements do not matter, because lengths are checked first.
		one := new([2]float64)
		n := math.MaxInt32
		n++
		long64 := unsafe.Slice(&one[0], n)
		long32, longI := unsafe.Slice((*float32)(unsafe.Pointer(one)), n),
			unsafe.Slice((*int32)(unsafe.Pointer(one)), n)
		tests = append(tests,
			test{"kernels: ArgsortF64: len(x) is 2147483648; the limit is 2147483647",
				func() { ArgsortF64(longI, long64, nil) }},
			test{"kernels: AppendOrder: len(scores) is 2147483648; the limit is 2147483647",
				func() { AppendOrder(nil, long64, nil) }},
			test{"kernels: AppendTopK: len(scores) is 2147483648; the limit is 2147483647",
				func() { AppendTopK(nil, long32, 1, nil) }},
			test{"kernels: CountTau: len(x) is 2147483648; the limit is 2147483647",
				func() { CountTau(long64, long64, nil) }},
			test{"kernels: NonzerosF32: len(row) is 2147483648; the limit is 2147483647",
				func() { NonzerosF32(longI, long32, long32) }})
	}
	for _, c := range tests {
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
}

// If int has 32 bits, the square of 2¹⁶ documents wraps around to 0.
func TestLaplacianOverflow(t *testing.T) {
	const n = 1 << 16
	q := PairQuery{Scores: make([]float64, n), Lower: make([]int32, n)}
	if got := testkit.MustPanic(t, "no matrix", func() { PairSquaredHingeLaplacian(nil, q) }); !strings.Contains(got,
		"must be the square") {
		t.Errorf("panic %q", got)
	}
}

// The number of pairs exceeds 2³¹ and selects the algorithm, which must also work if int has 32
// bits.
func TestPairIsLongOverflow(t *testing.T) {
	const n = 1<<16 + 1
	lower := make([]int32, n)
	for i := range lower {
		lower[i] = int32(i)
	}
	if !pairIsLong(make([]float64, n), lower) {
		t.Error("65537 documents with distinct labels are short")
	}
}

// A NaN anywhere among the scores makes the loss NaN, and a delta of −0 is 0.
func TestPairSpecialValues(t *testing.T) {
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			for at := range 6 {
				q := PairQuery{Scores: []float64{1, 2, 3, 2, 1, 0}, Lower: []int32{0, 0, 2, 2, 4, 4}, Weight: 1}
				c, work := make([]float64, 6), new(Work)
				if plus, minus := PairHuberHinge(c, q, 0, work),
					PairHuberHinge(c, q, math.Copysign(0, -1), work); plus != minus {
					t.Errorf("delta 0 gives %v, -0 %v", plus, minus)
				}
				q.Scores[at] = math.NaN()
				for name, loss := range map[string]float64{
					"PairSquaredHinge": PairSquaredHinge(c, q, work), "PairHuberHinge": PairHuberHinge(c, q, 0.5, work),
					"PairLogistic": PairLogistic(c, q, 1, work),
				} {
					if loss == loss {
						t.Errorf("%s: the loss is %v with NaN as score %d", name, loss, at)
					}
				}
			}
			restore()
		})
	}
}

// Command linear compares the linear kernels with OpenBLAS, gonum, plain Go loops and the memory
// limits of this machine. openblas/peer.c contains OpenBLAS's side. Run it with the script run.
//
// On an AMD EPYC (Zen 5, two cores of a virtual machine), 206 rows of a full run reach their
// targets and 37 do not, 12 of them by less than 5%. These numbers include a kernel that no longer
// exists. On another, busier machine, 191 rows reach their targets and 55 do not. The reasons are:
//
//   - GemvT, Axpy and the sparse kernels add rows to a column one after another, which takes 4
//     cycles per row. With d = 46 in L1 they reach 0.68 (float64, of at most 0.75) and 0.36
//     (float32) of the limit. Two lanes of rows, or adding pairs before the sum, would be 1.09
//     times as fast for float64 and 1.8 times for float32. The result, 0.63 to 0.66, would still
//     miss the target.
//   - From n = 1M on, gonum and simdrank both wait for memory. At n = 16 a call takes 2.06 ns, and
//     an empty call 1.43 ns.
//   - DotF32 at 256 and 1024 reaches 0.89 to 0.91 of OpenBLAS, because a call costs 10 cycles in
//     addition to its loads. The avx2 tier reaches 0.96 to 0.99.
//   - Gemv with rows of three float32 vectors in L1 needs 8 operations per row for products, sums
//     and sums across lanes. On four pipes these take 2.3 cycles, but the loads only 1.5. In the
//     wide kernel, a row of 46 takes 7 cycles and its conversions take 4.4.
//   - At d = 700 in L1, x or dst does not fit in the registers. Loading it together with the rows
//     reaches 0.8 of the limit, or 0.74 including the call.
//   - GemvF32Wide in L2 converts 8 elements in 1.0 cycles. The target requires 0.96. The reason is
//     unknown, and prefetches do not help.
//   - L3 has two speeds, 70 and 82 µs for 8 MB, which depend on the process and affect simdrank and
//     OpenBLAS alike. The read limit nearly always has the first speed. L2 has two speeds for
//     vectors of 64 to 390 KB: AddGemvTF64 with d = 700 takes 3.0 µs in one of eight processes and
//     2.1 µs in the others. Rows for L3 and memory vary by ±8% between runs.
//
// On a Zen 4, which loads 64 bytes per cycle, DotF32 with 256 elements reaches 0.86 of OpenBLAS's
// speed (target 0.97), and DotF64 with 64 elements 0.95 (target 1). The processor executes two
// loads per cycle, of 8 or of 32 bytes, so each additional word costs 0.5 to 0.65 cycles.
//
// Without a call, 256 elements take 32 cycles for their loads, which hide the sums across lanes. In
// a loop of assembly they take 36 cycles, because a call loads 7 words: 3 arguments, 2 words to
// request preemption, the maximum length of this code path, and the return address. Without
// preemption, garbage collection would wait for milliseconds. In these benchmark loops they take 42
// cycles. The loops load 8 more words, because Go keeps all variables in memory across a call: 4
// words of the slices, the counter and its limit, the result, and g.
//
// OpenBLAS takes 36.4 cycles including its call. For 0.97 of its speed, simdrank could load only 8
// words. Without the 3 words that only simdrank needs, it would load 12, which is 0.91. Other
// instructions and stores cost nothing, and the avx2 code is as fast. The other rows from 256 on
// reach 0.96 to 1.4 of OpenBLAS's speed.
//
// A Zen 4 splits 512-bit operations, and loads and converts two vectors of four elements per cycle.
// This is the limit of the wide kernels. A row of GemvF32Wide with d = 136 needs 78 operations on
// the four pipes and 40 loads, which take 20 cycles each. The conversions alone take 17 cycles, and
// the limit, which reads the padded row, takes 18. The kernel takes 22 cycles.
//
//   - It reaches 0.80 of the limit in L1, 0.78 to 0.88 in L2, and 0.76 to 0.78 in L3.
//   - In L3, a kernel that reads one row after another, like the transpose (0.87), takes 27 cycles,
//     because it loads x for each row. Reading alone takes as long as converting, 21 cycles.
//     Reading at six positions takes 25 to 27. Prefetching ahead of them takes 1.03 to 1.7 times as
//     long, and six interleaved rows take 1.15 times as long.
//   - With d = 46, sums are a quarter of the operations. Four rows need 133 operations or 33
//     cycles, and take 38 cycles. The conversions take 24, so the kernel reaches 0.62 in L1.
//
// On an Emerald Rapids, 179 rows reach their targets and 67 do not. A conversion to 512 bits
// occupies both multiplication ports for a cycle, from memory or not, and the multiply-add occupies
// one of them. Eight elements therefore take 1.5 cycles (1.7 in a minimal loop), and their
// conversions alone take 1. Wide kernels reach at most 0.67 of their limit, or 0.8 if they convert
// both operands. They reach 0.38 to 0.67 in L1, 0.44 to 0.8 in L2, and 0.8 to 1.2 beyond. With 256
// bits, a conversion is one operation on two ports, and eight elements take 2 cycles. At 4096
// elements, where L1 ends, DotF64 reaches 0.93 of OpenBLAS's speed. Axpy with 256 to 32k elements
// reaches 0.85 to 0.94.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unsafe"

	"gonum.org/v1/gonum/floats"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/kernels"
)

var (
	peerPath = flag.String("peer", "", "the compiled openblas/peer.c")
	library  = flag.String("library", "", "NumPy's OpenBLAS")
)

func main() { peer.Main("linear", run) }

type number interface{ float32 | float64 }

// A machine contains the running peers and the duration of a measurement.
type machine struct {
	*peer.Table
	blas    *peer.Process // OpenBLAS with its own choice of kernels
	program peer.Program
	haswell *peer.Process // OpenBLAS with its AVX2 kernels
	least   time.Duration
}

func run(ctx context.Context, t *peer.Table) {
	if *peerPath == "" {
		panic(errors.New("-peer is missing: use bench/peers/linear/run"))
	}
	m := &machine{Table: t, least: 10 * time.Millisecond}
	if t.Quick {
		m.least = 5 * time.Millisecond
	}
	m.blas = peer.Start(ctx, nil, *peerPath, *library)
	defer m.blas.Close()
	m.haswell = peer.Start(ctx, []string{"OPENBLAS_CORETYPE=Haswell"}, *peerPath, *library)
	defer m.haswell.Close()
	core := m.blas.Call("core f64 0 0 0 0")
	m.program = peer.Program{Peer: "OpenBLAS", Version: core[0], Kernels: core[1]}
	fmt.Printf("our tier: %s\n", kernels.CPU())
	m.Heading("", "ours", "theirs")
	for _, part := range []func(*machine){dots, axpys, gemvs, avx2, generic} {
		part(m)
	}
}

// theirs times OpenBLAS. It checks that the sums of the results agree.
func (m *machine) theirs(blas *peer.Process, sum, tolerance float64, format string, args ...any) func() float64 {
	return func() float64 {
		v := blas.Floats(format+" %d", append(args, m.least.Milliseconds())...)
		if len(v) != 2 {
			panic(fmt.Errorf("the peer answered with %d numbers; it must answer with 2", len(v)))
		}
		if strings.Contains(format, "f32") {
			tolerance = math.Max(tolerance, 1e-3*math.Abs(sum)) // OpenBLAS uses fewer lanes
		}
		if math.Abs(v[1]-sum) > tolerance {
			panic(fmt.Errorf("%s: the results sum to %v in simdrank and to %v in the peer",
				fmt.Sprintf(format, args...), sum, v[1]))
		}
		return v[0]
	}
}

// limit measures the limits of the machine: "read" or "convert" a number of bytes.
func (m *machine) limit(what string, bytes int) func() float64 {
	return func() float64 {
		return m.blas.Seconds("%s f32 %d 0 0 %d", what, bytes&^511, m.least.Milliseconds())
	}
}

// ours times the function that operands(n) returns. That function makes the given number of kernel
// calls, because a call may take a few nanoseconds, and the time must not include a closure. Each
// round allocates short operands again, because their addresses may matter.
func (m *machine) ours(n int, operands func(n int) func(calls int)) func() float64 {
	return m.oursOn(cpu.Active(), n, operands)
}

func (m *machine) oursOn(tier cpu.Tier, n int, operands func(n int) func(calls int)) func() float64 {
	calls := max(1, min(256, 1<<16/n))
	f := operands(n)
	return func() float64 {
		defer cpu.Force(tier)()
		if n <= 8192 {
			f = operands(n)
		}
		// The clock rate of the processor rises slowly after a pause.
		peer.Time(max(m.least, 10*time.Millisecond), func() { f(calls) })
		return peer.Time(m.least, func() { f(calls) }) / float64(calls)
	}
}

// aligned returns the n numbers of fill in openblas/peer.c, where they start at a page. Here, long
// vectors start at a page, and short vectors at a cache line.
func aligned[T number](n int, seed uint32) []T {
	size := int(unsafe.Sizeof(T(0)))
	bound := 64
	if n*size >= 4096 {
		bound = 4096
	}
	s := make([]T, n+bound/size)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(s)))) & (bound - 1)
	s = s[skip/size : skip/size+n]
	for i := range s {
		h := (uint32(i)+1)*2654435761 + seed*40503
		s[i] = T(float64(h>>23)/512 - 0.5)
	}
	return s
}

// tolerance returns the maximum difference of sums of n products of numbers below 1/2.
func tolerance[T number](products int) float64 {
	if unsafe.Sizeof(T(0)) == 8 {
		return 1e-15 * float64(products)
	}
	return 1e-6 * float64(products)
}

func sum[T number](x []T) (s float64) {
	for _, v := range x {
		s += float64(v)
	}
	return s
}

//lint:ignore U1000 prevents the compiler from removing the calls
var sink float64

// sizes are the lengths of vectors. A quick run uses one for each level of memory.
func (m *machine) sizes() []int {
	if m.Quick {
		return []int{8, 46, 136, 220, 1024, 4096, 32 << 10}
	}
	return []int{8, 16, 46, 64, 136, 220, 256, 700, 1024, 4096, 32 << 10, 1 << 20, 16 << 20}
}

// Kernels are called directly, because calls of function values take longer. As in peer.c, results
// are not added, because storing and loading a sum in memory would take 3 ns per call.

func dotF64(n int) func(int) {
	x, y := aligned[float64](n, 1), aligned[float64](n, 2)
	return func(calls int) {
		var s float64
		for range calls {
			s = kernels.DotF64(x, y)
		}
		sink = s
	}
}

func dotGonum(n int) func(int) {
	x, y := aligned[float64](n, 1), aligned[float64](n, 2)
	return func(calls int) {
		var s float64
		for range calls {
			s = floats.Dot(x, y)
		}
		sink = s
	}
}

func dotF32(n int) func(int) {
	x, y := aligned[float32](n, 1), aligned[float32](n, 2)
	return func(calls int) {
		var s float32
		for range calls {
			s = kernels.DotF32(x, y)
		}
		sink = float64(s)
	}
}

func dotF32Wide(n int) func(int) {
	x, y := aligned[float32](n, 1), aligned[float32](n, 2)
	return func(calls int) {
		var s float64
		for range calls {
			s = kernels.DotF32Wide(x, y)
		}
		sink = s
	}
}

// dotPlain is a simple loop with sums of type S.
func dotPlain[T, S number](n int) func(int) {
	x, y := aligned[T](n, 1), aligned[T](n, 2)
	return func(calls int) {
		for range calls {
			var s S
			for i := range x {
				s += S(x[i]) * S(y[i])
			}
			sink = float64(s)
		}
	}
}

// alternate keeps y close to its initial values.
func alternate(k int) float64 { return 0.5 - float64(k&1) }

func axpyF64(n int) func(int) {
	x, y := aligned[float64](n, 1), aligned[float64](n, 2)
	return func(calls int) {
		for k := range calls {
			kernels.AxpyF64(alternate(k), x, y)
		}
	}
}

func axpyF32(n int) func(int) {
	x, y := aligned[float32](n, 1), aligned[float32](n, 2)
	return func(calls int) {
		for k := range calls {
			kernels.AxpyF32(float32(alternate(k)), x, y)
		}
	}
}

// byLength returns the target for a length: the first one with a sufficient bound.
func byLength(n int, bounds []int, targets []float64) float64 {
	for i, b := range bounds {
		if n <= b {
			return targets[i]
		}
	}
	return 0
}

const beyond = math.MaxInt

func dots(m *machine) {
	for _, n := range m.sizes() {
		x, y := aligned[float64](n, 1), aligned[float64](n, 2)
		m.Compare(peer.Row{
			What: fmt.Sprintf("DotF64 n = %d", n), Program: m.program,
			Target: byLength(n, []int{220, beyond}, []float64{1, 0.97}),
			Ours:   m.ours(n, dotF64),
			Peer:   m.theirs(m.blas, kernels.DotF64(x, y), tolerance[float64](n), "dot f64 %d 0 0", n),
		})
	}
	for _, n := range m.sizes() {
		m.Compare(peer.Row{
			What:   fmt.Sprintf("DotF64 n = %d / gonum", n),
			Target: byLength(n, []int{15, beyond}, []float64{0, 1.7}),
			Ours:   m.ours(n, dotF64),
			Peer:   m.ours(n, dotGonum),
		})
	}
	for _, n := range m.sizes() {
		x, y := aligned[float32](n, 1), aligned[float32](n, 2)
		m.Compare(peer.Row{
			What: fmt.Sprintf("DotF32 n = %d", n), Program: m.program,
			Target: byLength(n, []int{220, beyond}, []float64{1.1, 0.97}),
			Ours:   m.ours(n, dotF32),
			Peer:   m.theirs(m.blas, float64(kernels.DotF32(x, y)), tolerance[float32](n), "dot f32 %d 0 0", n),
		})
	}
	for _, n := range m.sizes() {
		if n < 1024 {
			continue
		}
		m.Compare(peer.Row{
			What:   fmt.Sprintf("DotF32Wide n = %d / limit (convert)", n),
			Target: byLength(n, []int{4095, beyond}, []float64{0, 0.9}),
			Ours:   m.ours(n, dotF32Wide),
			Peer:   m.limit("convert", 8*n),
		})
	}
}

func axpys(m *machine) {
	for _, n := range m.sizes() {
		x, y := aligned[float64](n, 1), aligned[float64](n, 2)
		kernels.AxpyF64(0.5, x, y)
		m.Compare(peer.Row{
			What: fmt.Sprintf("AxpyF64 n = %d", n), Program: m.program,
			Target: 0.95,
			Ours:   m.ours(n, axpyF64),
			Peer:   m.theirs(m.blas, sum(y), tolerance[float64](n), "axpy f64 %d 0 0", n),
		})
	}
	for _, n := range m.sizes() {
		x, y := aligned[float32](n, 1), aligned[float32](n, 2)
		kernels.AxpyF32(0.5, x, y)
		m.Compare(peer.Row{
			What: fmt.Sprintf("AxpyF32 n = %d", n), Program: m.program,
			Target: 0.95,
			Ours:   m.ours(n, axpyF32),
			Peer:   m.theirs(m.blas, sum(y), tolerance[float32](n), "axpy f32 %d 0 0", n),
		})
	}
}

// A level is a size of a matrix that fits in a level of memory.
type level struct {
	name        string
	bytes       int
	gemv, gemvT float64 // minimum share of the limit
	blas, blasT float64 // minimum ratio to OpenBLAS
}

func (m *machine) levels() []level {
	ram := 256 << 20
	if m.Quick {
		ram = 128 << 20
	}
	return []level{
		{"L1", 24 << 10, 0.75, 0.75, 1.7, 0},
		{"L2", 512 << 10, 0.80, 0.70, 1.7, 1.2},
		{"L3", 8 << 20, 0.90, 0.90, 0, 0},
		{"RAM", ram, 0.90, 0.85, 0, 0},
	}
}

func gemvs(m *machine) {
	widths := []int{46, 136, 220, 700}
	if m.Quick {
		widths = []int{46, 136}
	}
	for _, d := range widths {
		for _, l := range m.levels() {
			if m.Quick && d != 136 && l.name != "L1" {
				continue
			}
			gemvF64(m, d, l)
			gemvF32(m, d, l)
			gemvF32Wide(m, d, l)
		}
	}
}

// shape fills the level with rows of d elements, padded to 64 bytes.
func (l level) shape(d, elem int) (rows, stride int) {
	per := 64 / elem
	stride = (d + per - 1) / per * per
	return max(1, l.bytes/(stride*elem)), stride
}

// compareGemv prints the rows of one shape.
func (m *machine) compareGemv(kernel string, d int, l level, n int, operands func(int) func(int),
	limit string, share float64, blas func() float64, ratio float64) {
	what := fmt.Sprintf("%s d = %d, %s", kernel, d, l.name)
	if l.name == "L2" && d < 136 {
		share = 0
	}
	ours := m.ours(n, operands)
	m.Compare(peer.Row{What: what + " / limit (" + limit + ")", Target: share,
		Ours: ours, Peer: m.limit(limit, l.bytes)})
	if blas != nil {
		m.Compare(peer.Row{What: what, Program: m.program, Target: ratio, Ours: ours, Peer: blas})
	}
}

func gemvF64Operands(rows, d, stride int) func(int) func(int) {
	return func(int) func(int) {
		a, x, dst := aligned[float64](rows*stride, 1), aligned[float64](d, 2), aligned[float64](rows, 3)
		return func(calls int) {
			for range calls {
				kernels.GemvF64(dst, x, a, rows, d, stride)
			}
		}
	}
}

func addGemvTF64Operands(rows, d, stride int) func(int) func(int) {
	return func(int) func(int) {
		a, c, minus, dst := aligned[float64](rows*stride, 1), aligned[float64](rows, 2), aligned[float64](rows, 2),
			aligned[float64](d, 3)
		for i := range minus {
			minus[i] = -c[i]
		}
		return func(calls int) {
			for k := range calls {
				kernels.AddGemvTF64(dst, [][]float64{c, minus}[k&1], a, rows, d, stride)
			}
		}
	}
}

func gemvF64(m *machine, d int, l level) {
	rows, stride := l.shape(d, 8)
	l.bytes = rows * stride * 8
	a, x, dst := aligned[float64](rows*stride, 1), aligned[float64](d, 2), make([]float64, rows)
	kernels.GemvF64(dst, x, a, rows, d, stride)
	m.compareGemv("GemvF64", d, l, rows*d, gemvF64Operands(rows, d, stride), "read", l.gemv,
		m.theirs(m.blas, sum(dst), tolerance[float64](rows*d), "gemv f64 %d %d %d", d, rows, stride),
		l.blas)
	c, g := aligned[float64](rows, 2), aligned[float64](d, 3)
	kernels.AddGemvTF64(g, c, a, rows, d, stride)
	m.compareGemv("AddGemvTF64", d, l, rows*d, addGemvTF64Operands(rows, d, stride), "read", l.gemvT,
		m.theirs(m.blas, sum(g), tolerance[float64](rows*d), "gemvt f64 %d %d %d", d, rows, stride), l.blasT)
}

func gemvF32Operands(rows, d, stride int) func(int) func(int) {
	return func(int) func(int) {
		a, x, dst := aligned[float32](rows*stride, 1), aligned[float32](d, 2), aligned[float32](rows, 3)
		return func(calls int) {
			for range calls {
				kernels.GemvF32(dst, x, a, rows, d, stride)
			}
		}
	}
}

func addGemvTF32Operands(rows, d, stride int) func(int) func(int) {
	return func(int) func(int) {
		a, c, minus, dst := aligned[float32](rows*stride, 1), aligned[float32](rows, 2), aligned[float32](rows, 2),
			aligned[float32](d, 3)
		for i := range minus {
			minus[i] = -c[i]
		}
		return func(calls int) {
			for k := range calls {
				kernels.AddGemvTF32(dst, [][]float32{c, minus}[k&1], a, rows, d, stride)
			}
		}
	}
}

func gemvF32(m *machine, d int, l level) {
	rows, stride := l.shape(d, 4)
	l.bytes = rows * stride * 4
	a, x, dst := aligned[float32](rows*stride, 1), aligned[float32](d, 2), make([]float32, rows)
	kernels.GemvF32(dst, x, a, rows, d, stride)
	m.compareGemv("GemvF32", d, l, rows*d, gemvF32Operands(rows, d, stride), "read", l.gemv,
		m.theirs(m.blas, sum(dst), tolerance[float32](rows*d), "gemv f32 %d %d %d", d, rows, stride),
		l.blas)
	c, g := aligned[float32](rows, 2), aligned[float32](d, 3)
	kernels.AddGemvTF32(g, c, a, rows, d, stride)
	m.compareGemv("AddGemvTF32", d, l, rows*d, addGemvTF32Operands(rows, d, stride), "read", l.gemvT,
		m.theirs(m.blas, sum(g), tolerance[float32](rows*d), "gemvt f32 %d %d %d", d, rows, stride), l.blasT)
}

func gemvF32WideOperands(rows, d, stride int) func(int) func(int) {
	return func(int) func(int) {
		a, x, dst := aligned[float32](rows*stride, 1), aligned[float64](d, 2), aligned[float64](rows, 3)
		return func(calls int) {
			for range calls {
				kernels.GemvF32Wide(dst, x, a, rows, d, stride)
			}
		}
	}
}

func addGemvTF32WideOperands(rows, d, stride int) func(int) func(int) {
	return func(int) func(int) {
		a, c, minus, dst := aligned[float32](rows*stride, 1), aligned[float64](rows, 2), aligned[float64](rows, 2),
			aligned[float64](d, 3)
		for i := range minus {
			minus[i] = -c[i]
		}
		return func(calls int) {
			for k := range calls {
				kernels.AddGemvTF32Wide(dst, [][]float64{c, minus}[k&1], a, rows, d, stride)
			}
		}
	}
}

// The wide kernels have no peer. Their limit is the conversion of every element.
func gemvF32Wide(m *machine, d int, l level) {
	rows, stride := l.shape(d, 4)
	l.bytes = rows * stride * 4
	m.compareGemv("GemvF32Wide", d, l, rows*d, gemvF32WideOperands(rows, d, stride), "convert", l.gemv, nil,
		0)
	m.compareGemv("AddGemvTF32Wide", d, l, rows*d, addGemvTF32WideOperands(rows, d, stride), "convert", l.gemvT,
		nil, 0)
}

// avx2 compares the avx2 tier with OpenBLAS's kernels for the same instructions.
func avx2(m *machine) {
	if !slices.Contains(cpu.Available(), cpu.AVX2) {
		return
	}
	for _, n := range m.sizes() {
		x, y := aligned[float64](n, 1), aligned[float64](n, 2)
		x32, y32 := aligned[float32](n, 1), aligned[float32](n, 2)
		for _, r := range []peer.Row{
			{What: "DotF64 avx2 n = %d / OpenBLAS Haswell", Ours: m.oursOn(cpu.AVX2, n, dotF64),
				Peer: m.theirs(m.haswell, kernels.DotF64(x, y), tolerance[float64](n), "dot f64 %d 0 0", n)},
			{What: "DotF32 avx2 n = %d / OpenBLAS Haswell", Ours: m.oursOn(cpu.AVX2, n, dotF32),
				Peer: m.theirs(m.haswell, float64(kernels.DotF32(x32, y32)), tolerance[float32](n), "dot f32 %d 0 0",
					n)},
		} {
			r.What, r.Target = fmt.Sprintf(r.What, n), 1
			m.Compare(r)
		}
	}
}

// generic compares plain Go in the documented order with a simple loop, which uses one lane and
// rounds each product.
func generic(m *machine) {
	for _, n := range []int{64, 136, 1024, 32 << 10} {
		for _, r := range []peer.Row{
			{What: "DotF64", Target: 1 / 2.0, Ours: m.oursOn(cpu.Generic, n, dotF64),
				Peer: m.ours(n, dotPlain[float64, float64])},
			{What: "DotF32", Target: 1 / 6.0, Ours: m.oursOn(cpu.Generic, n, dotF32),
				Peer: m.ours(n, dotPlain[float32, float32])},
			{What: "DotF32Wide", Target: 1 / 1.5, Ours: m.oursOn(cpu.Generic, n, dotF32Wide),
				Peer: m.ours(n, dotPlain[float32, float64])},
		} {
			r.What += fmt.Sprintf(" generic n = %d / plain loop", n)
			m.Compare(r)
		}
	}
}

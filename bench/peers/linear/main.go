// Command linear times the linear kernels against OpenBLAS, gonum, plain Go loops and the limits of
// this machine's memory; openblas/peer.c is the other side. Use the script run.
//
// On an AMD EPYC (Zen 5, two cores of a virtual machine) 206 rows of a whole run, with those of a
// kernel that is gone, reach their targets and 37 do not, 12 of them by less than 5 %; on another
// one, of a busier host, 191 and 55. What holds the others back:
//
//   - The order of GemvT, which Axpy and the sparse kernels share: it adds the rows to a column one
//     after another, 4 cycles per row. With d = 46 in L1 that makes .68 (float64, .75 at best) and
//     .36 (float32) of the limit. Two lanes of rows, or pairs added before the sum, would take 1.09
//     times less for float64 and 1.8 for float32, which is .63 to .66 and short too.
//   - From n = 1M on gonum waits for the memory as we do. At n = 16 a call takes 2.06 ns, of which
//     1.43 are those of an empty one.
//   - DotF32 at 256 and 1024: a call costs 10 cycles besides its loads. .89 to .91 of OpenBLAS; the
//     avx2 tier .96 to .99.
//   - Gemv of rows of three float32 vectors in L1: products, sums and the sums across lanes are 8
//     operations per row for four pipes, 2.3 cycles where the loads take 1.5. Wide, a row of 46
//     takes 7 cycles, where its conversions take 4.4.
//   - d = 700 in L1: x, or dst, does not fit the registers. Its loads and those of the rows leave
//     .8 of the limit, .74 with the call.
//   - GemvF32Wide in L2 converts 8 elements in 1.0 cycles where .96 would do for the target:
//     unexplained, whatever is prefetched.
//   - L3 has two speeds, 70 and 82 µs for 8 MB, by process, for us and for OpenBLAS; the limit of
//     reads nearly always shows the first. L2 has two for vectors of 64 to 390 KB, and AddGemvTF64
//     with d = 700 took 3.0 µs there in one process of eight, else 2.1. Rows of L3 and memory
//     differ by ±8 % between runs.
//
// On a Zen 4, which loads 64 bytes per cycle, DotF32 of 256 takes .86 of OpenBLAS's speed (target
// .97) and DotF64 of 64 .95 (1). Two loads per cycle are all there are, of 8 bytes as of 32, and a
// word loaded adds .5 to .65 cycles. 256 elements take 32 cycles without a call, which are their
// loads, sums across lanes beside them; 36 in a loop of assembly, whose calls load 7 words: 3
// arguments, 2 that ask for preemption, without which a collection would wait for milliseconds, the
// length up to which this code runs, and the return address; and 42 in these loops, which load 8
// more, since after a call all that Go has is in memory: 4 of the slices, the counter and its
// limit, the result, and g. OpenBLAS takes 36.4, its call included: for .97 of its speed there are
// 8 words, and without those 3 that are ours alone 12 are left, .91. Instructions and stores are
// free beside that, and the code of avx2 takes as long. The other rows from 256 on have .96 to 1.4
// of OpenBLAS's speed.
//
// On a Zen 4, which splits what has 512 bits, two vectors of four elements are loaded and converted
// per cycle, and that is the limit of the wide kernels. A row of GemvF32Wide with d = 136 needs 78
// operations of the four pipes and 40 loads, 20 cycles of each, where the conversions alone take 17
// and the padded row, which the limit reads, 18. It takes 22: .80 of the limit in L1, .78 to .88 in
// L2, and .76 to .78 in L3, where even a kernel that reads one row after the other, as the
// transpose does (.87), takes 27: it loads x for each row. There, reading alone takes as long as
// converting, 21 cycles, and six places take 25 to 27; prefetches ahead of them take 1.03 to 1.7
// times as long, six rows side by side 1.15. With d = 46 sums are a quarter of the operations: four
// rows need 133, 33 cycles, and take 38, where the conversions take 24: .62 in L1.
//
// On an Emerald Rapids 179 rows reach their targets and 67 do not. A conversion to 512 bits takes
// both ports that multiply for a cycle, from memory or not, and the multiply-add one of them: 1.5
// cycles for eight elements (1.7 in a loop of nothing else), where the conversions alone take 1. So
// the wide kernels have .67 of their limit at best, and .8 those that convert both operands; in L1
// they have .38 to .67, in L2 .44 to .8, beyond .8 to 1.2. With 256 bits it is one operation of
// two ports, and eight elements take 2 cycles. DotF64 of 4096, where L1 ends, has .93 of OpenBLAS's
// speed, Axpy of 256 to 32k .85 to .94.
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

var peerPath = flag.String("peer", "", "the compiled openblas/peer.c")

func main() { peer.Main("linear", run) }

type number interface{ float32 | float64 }

// A machine is the peers that run and how long a measurement lasts.
type machine struct {
	*peer.Table
	blas    []*peer.Process // OpenBLAS, by the kernels that it picks
	haswell *peer.Process   // OpenBLAS with its AVX2 kernels
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
	cores := map[string]bool{}
	for _, coreType := range []string{"", "Cooperlake", "Haswell"} {
		if coreType == "Cooperlake" && !slices.Contains(cpu.Available(), cpu.AVX512) {
			continue
		}
		env := []string{"OPENBLAS_CORETYPE=" + coreType}
		p := peer.Start(ctx, env, *peerPath)
		defer p.Close()
		core := p.Call("core f64 0 0 0 0")
		if coreType == "Haswell" {
			m.haswell = p
		}
		if coreType != "Haswell" && !cores[core[0]] {
			cores[core[0]] = true
			m.blas = append(m.blas, p)
			fmt.Printf("OpenBLAS kernels: %s\n", core[0])
		}
	}
	fmt.Printf("our tier: %s\n", kernels.CPU())
	m.Heading("", "ours", "theirs")
	for _, part := range []func(*machine){dots, axpys, gemvs, avx2, generic} {
		part(m)
	}
}

// best asks each OpenBLAS and returns the shorter time, after checking that the
// sum of its result is ours.
func (m *machine) best(blas []*peer.Process, sum, tolerance float64, format string,
	args ...any) func() float64 {
	return func() float64 {
		shortest := math.Inf(1)
		for _, p := range blas {
			v := p.Floats(format+" %d", append(args, m.least.Milliseconds())...)
			if len(v) != 2 {
				panic(fmt.Errorf("answer of %d numbers", len(v)))
			}
			if strings.Contains(format, "f32") {
				tolerance = math.Max(tolerance, 1e-3*math.Abs(sum)) // OpenBLAS has fewer lanes
			}
			if math.Abs(v[1]-sum) > tolerance {
				panic(fmt.Errorf("%s: results differ: ours sums to %v, the peer's to %v",
					fmt.Sprintf(format, args...), sum, v[1]))
			}
			shortest = math.Min(shortest, v[0])
		}
		return shortest
	}
}

// limit measures what the machine can do: "read" or "convert" a number of bytes.
func (m *machine) limit(what string, bytes int) func() float64 {
	return func() float64 {
		return m.blas[0].Seconds("%s f32 %d 0 0 %d", what, bytes&^511, m.least.Milliseconds())
	}
}

// ours times what operands(n) returns, a function that makes as many calls of a kernel as it is
// told: a call may take only some nanoseconds, and calling a closure must not count. Short operands
// are new in every round, for where they lie may matter.
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
		// The clock of the processor rises slowly after a pause.
		peer.Time(max(m.least, 10*time.Millisecond), func() { f(calls) })
		return peer.Time(m.least, func() { f(calls) }) / float64(calls)
	}
}

// aligned returns the n numbers of fill in openblas/peer.c, which start a page there. Here they do
// so when they fill one; short vectors start a cache line.
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

// tolerance is how far sums of so many products of numbers below 1/2 may lie apart.
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

//lint:ignore U1000 keeps the calls from being dropped
var sink float64

// sizes are the lengths of vectors; a quick run keeps one in each level of memory.
func (m *machine) sizes() []int {
	if m.Quick {
		return []int{8, 46, 136, 220, 1024, 4096, 32 << 10}
	}
	return []int{8, 16, 46, 64, 136, 220, 256, 700, 1024, 4096, 32 << 10, 1 << 20, 16 << 20}
}

// The calls of each kernel are direct: through a function value they would take longer. As in
// peer.c, results are not added up: a sum in memory would take 3 ns per call, the chain of its
// store and load.

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

// dotPlain is the loop that one would write, with sums of type S.
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

// alternate keeps y near where it was.
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

// byLength returns the target for a length: the first whose bound is not exceeded.
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
			What:   fmt.Sprintf("DotF64 n = %d / OpenBLAS", n),
			Target: byLength(n, []int{220, beyond}, []float64{1, 0.97}),
			Ours:   m.ours(n, dotF64),
			Peer:   m.best(m.blas, kernels.DotF64(x, y), tolerance[float64](n), "dot f64 %d 0 0", n),
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
			What:   fmt.Sprintf("DotF32 n = %d / OpenBLAS", n),
			Target: byLength(n, []int{220, beyond}, []float64{1.1, 0.97}),
			Ours:   m.ours(n, dotF32),
			Peer:   m.best(m.blas, float64(kernels.DotF32(x, y)), tolerance[float32](n), "dot f32 %d 0 0", n),
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
			What:   fmt.Sprintf("AxpyF64 n = %d / OpenBLAS", n),
			Target: 0.95,
			Ours:   m.ours(n, axpyF64),
			Peer:   m.best(m.blas, sum(y), tolerance[float64](n), "axpy f64 %d 0 0", n),
		})
	}
	for _, n := range m.sizes() {
		x, y := aligned[float32](n, 1), aligned[float32](n, 2)
		kernels.AxpyF32(0.5, x, y)
		m.Compare(peer.Row{
			What:   fmt.Sprintf("AxpyF32 n = %d / OpenBLAS", n),
			Target: 0.95,
			Ours:   m.ours(n, axpyF32),
			Peer:   m.best(m.blas, sum(y), tolerance[float32](n), "axpy f32 %d 0 0", n),
		})
	}
}

// A level is a size of matrix, to lie in a level of the memory.
type level struct {
	name        string
	bytes       int
	gemv, gemvT float64 // least share of the limit
	blas, blasT float64 // least ratio to OpenBLAS
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

// shape pads rows of d elements to 64 bytes and fills the level with them.
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
		m.Compare(peer.Row{What: what + " / OpenBLAS", Target: ratio, Ours: ours, Peer: blas})
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
		m.best(m.blas, sum(dst), tolerance[float64](rows*d), "gemv f64 %d %d %d", d, rows, stride),
		l.blas)
	c, g := aligned[float64](rows, 2), aligned[float64](d, 3)
	kernels.AddGemvTF64(g, c, a, rows, d, stride)
	m.compareGemv("AddGemvTF64", d, l, rows*d, addGemvTF64Operands(rows, d, stride), "read", l.gemvT,
		m.best(m.blas, sum(g), tolerance[float64](rows*d), "gemvt f64 %d %d %d", d, rows, stride), l.blasT)
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
		m.best(m.blas, sum(dst), tolerance[float32](rows*d), "gemv f32 %d %d %d", d, rows, stride),
		l.blas)
	c, g := aligned[float32](rows, 2), aligned[float32](d, 3)
	kernels.AddGemvTF32(g, c, a, rows, d, stride)
	m.compareGemv("AddGemvTF32", d, l, rows*d, addGemvTF32Operands(rows, d, stride), "read", l.gemvT,
		m.best(m.blas, sum(g), tolerance[float32](rows*d), "gemvt f32 %d %d %d", d, rows, stride), l.blasT)
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

// The wide kernels have no peer; every element is converted, which is their limit.
func gemvF32Wide(m *machine, d int, l level) {
	rows, stride := l.shape(d, 4)
	l.bytes = rows * stride * 4
	m.compareGemv("GemvF32Wide", d, l, rows*d, gemvF32WideOperands(rows, d, stride), "convert", l.gemv, nil,
		0)
	m.compareGemv("AddGemvTF32Wide", d, l, rows*d, addGemvTF32WideOperands(rows, d, stride), "convert", l.gemvT,
		nil, 0)
}

// avx2 compares the tier below with the kernels that OpenBLAS has for the same instructions.
func avx2(m *machine) {
	if !slices.Contains(cpu.Available(), cpu.AVX2) {
		return
	}
	haswell := []*peer.Process{m.haswell}
	for _, n := range m.sizes() {
		x, y := aligned[float64](n, 1), aligned[float64](n, 2)
		x32, y32 := aligned[float32](n, 1), aligned[float32](n, 2)
		for _, r := range []peer.Row{
			{What: "DotF64 avx2 n = %d / OpenBLAS Haswell", Ours: m.oursOn(cpu.AVX2, n, dotF64),
				Peer: m.best(haswell, kernels.DotF64(x, y), tolerance[float64](n), "dot f64 %d 0 0", n)},
			{What: "DotF32 avx2 n = %d / OpenBLAS Haswell", Ours: m.oursOn(cpu.AVX2, n, dotF32),
				Peer: m.best(haswell, float64(kernels.DotF32(x32, y32)), tolerance[float32](n), "dot f32 %d 0 0", n)},
		} {
			r.What, r.Target = fmt.Sprintf(r.What, n), 1
			m.Compare(r)
		}
	}
}

// generic compares plain Go in the documented order with a plain loop, whose
// sum has one lane and rounds each product.
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

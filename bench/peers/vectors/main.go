//go:build linux

// Command vectors compares the vector kernels with NumKong (formerly SimSIMD), vek, gonum and plain
// Go loops, and exact searches with FAISS, usearch, NumKong and NumPy. numkong/peer.py, vek/main.go
// and flat.py contain the other sides. Run it with the script run.
//
// On an AMD EPYC (Zen 5, tier avx512), the following rows of two vectors missed their targets. An
// empty assembly call took 1.4 to 1.9 ns, because arguments are passed in memory and the caller's
// loop keeps its variables in memory. At the time of these measurements there were six argument
// words. With the present three, and without the jump to the code of the tier, calls should take
// 0.2 to 0.3 ns less. Only signed bytes would then reach their targets.
//
//   - DotF32 reaches 2.4 times gonum's speed at 96 elements (target 3) and 2.9 at 384. 12 loads of
//     64 bytes and the loads and stores of the call share four slots per cycle, and a load of 64
//     bytes takes two slots. Straight-line code for 96 elements with three words takes 3.25 ns, or
//     2.0 ns without its loads. The target requires 3.0 ns.
//   - CosineF32 at 96 elements reaches 1.1 times vek's speed (target 1.5). It takes 7 ns, and the
//     target requires 5.2 ns. Without the root it takes 5.8 ns, and also without the quotient 5.5
//     ns. vek starts from a float32 estimate of the root. In simdrank, equal vectors have a cosine
//     of 1.
//   - DotI8, L2I8, DotU8 and L2U8 at 96 elements reach 18.5, 19.8, 12 and 13 times the speed of
//     plain Go (target 20). The plain loops take 41 to 73 ns, so the target requires 2.1 ns for
//     unsigned bytes. With no elements, the kernel takes 2.2 to 2.9 ns. Registers from Z16 on,
//     which need no VZEROUPPER, do not make DotI8 and L2I8 faster. Storing the sum from its vector
//     makes DotI8 3% slower.
//   - HammingBits at 1024 bits reaches 3.2 times the speed of plain Go (target 4). It takes at
//     least 2.5 ns, most of it for the call. The target requires 1.7 ns.
//
// On a Zen 4, which loads 64 bytes per cycle, the loads alone rule out some targets: 3 times gonum
// for DotF32 (2.7 at 384 elements, if calls cost nothing), and 1.3 times vek for DotF32 from 384
// elements on and for L2F32 from 1536 on. Three FMAs for two loads limit CosineF32 with 768
// elements to 1.4 times vek. In a call, the processor stores one word per cycle, loads two, and
// dispatches six instructions.
//
//   - An empty call takes 1.9 ns for the 7 words that the call and its loop store. With two slices
//     as arguments it took 2.7 ns. Starting assembly after the dispatch, without a jump, saves 0.2
//     ns at 16 float32 elements and nothing from 96 on.
//   - DotI8, DotU8, L2I8 and L2U8 at 96 elements take 3.6 to 3.8 ns. 16 bytes take 2.8 ns for about
//     sixty instructions. 20 times plain Go requires 3.2 (DotI8), 2.8 (DotU8) and 2.6 ns (L2U8).
//     Shorter chains of sums are not faster.
//   - HammingBits at 1024 bits takes 3.1 to 3.4 ns. Its loads, 8 of 32 bytes and 13 of words, take
//     2.9 ns. 4 times plain Go requires 2.8 ns.
//   - CosineF32 takes 7.8 ns at 16 elements and 11.1 ns at 96, or 6.6 and 9.5 ns without root and
//     quotient. Calls overlap within 320 instructions or about 150 vector registers. 1.5 times vek
//     requires 7.3 ns at 96 elements, whose products alone take 4.9 ns. Computing squares before
//     products saves at most 1%.
//   - CosineF64 at 96 elements takes 15 ns, and its products take 9.7 ns.
//   - DotBF16 executes 12 operations of 512 bits per 64 elements, which occupy two slots of four
//     pipes each. SimSIMD executes 2 operations (VDPBF16PS), which round differently. DotBF16 takes
//     at least 9.7 ns at 384 elements and 19.5 ns at 768. 0.8 of SimSIMD requires 13.9 and 28 ns.
//   - DotIDs takes 44 to 48 ns per random row of 512 bytes and 220 to 245 ns per row of 3 KiB.
//     Contiguous rows take 44 and 160 ns. A loop that only reads takes 364 ns per random row of 3
//     KiB, 200 ns if whole rows are prefetched into L2, and 370 ns if they are prefetched into L1.
//
// On the tier avx2, CosineRows with 1M × 128 takes 1.4 times as long as reading (0.7; target 0.85).
// A row takes 19 ns, and a call of CosineF32 with root and quotient takes 15 of them. An
// alternative computes the products of 48 rows with the query and with themselves, and then their
// cosines. It takes 13 ns per row from L2, but 23 ns from memory, because memory is idle during the
// cosines. Processing eight rows at once, or prefetching rows, saves less than 5%.
//
// On that tier, blocks of bytes are at most twice as fast as blocks of float32. VPMADDWD computes
// 16 products and an FMA 8, and sums of signed bytes with VPMADDUBSW would not be exact.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/bits"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/floats"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/vectors"
)

var (
	loopPath = flag.String("loop", "", "the compiled numkong/loop.c")
	vekPath  = flag.String("vek", "", "the program built from vek")
)

func main() { peer.Main("vectors", run) }

// A machine contains the running peers and the duration of a measurement.
type machine struct {
	*peer.Table
	numkong, vek *peer.Process
	program      peer.Program // NumKong
	least        time.Duration
	dims         []int
}

func run(ctx context.Context, t *peer.Table) {
	if *loopPath == "" || *vekPath == "" {
		panic(errors.New("-loop or -vek is missing: use bench/peers/vectors/run"))
	}
	m := &machine{Table: t, least: 10 * time.Millisecond, dims: []int{96, 384, 768, 1536}}
	if t.Quick {
		m.least, m.dims = 5*time.Millisecond, []int{96, 768}
	}
	if t.Growth {
		growth(ctx, m)
		return
	}
	m.numkong = peer.Python(ctx, "bench/peers/vectors/numkong/peer.py", *loopPath)
	m.program = m.numkong.Program("NumKong", "numkong")
	defer m.numkong.Close()
	m.vek = peer.Start(ctx, nil, *vekPath)
	defer m.vek.Close()
	fmt.Printf("our tier: %s\n", kernels.CPU())
	m.Heading("", "ours", "theirs")
	for _, part := range []func(*machine){float32s, bytes, halves, mixed, sets, many} {
		part(m)
	}
	neighbors(ctx, m)
}

type number interface {
	int8 | uint8 | float32 | float64
}

// The multipliers of the two operands.
const seedX, seedY = 2654435761, 2246822519

// place returns n numbers that start at a cache line, at the page offset after sink's cache line.
// On a Zen 4, a load waits for a store to the same offset of another page: L2U8 with 384 bytes
// takes 10.9 instead of 9.3 ns if the offset is that of sink, and 22 ns if it is that of the call's
// arguments.
func place[T any](n int) []T {
	const line, page = 64, 4096
	size := int(unsafe.Sizeof(*new(T)))
	s := make([]T, n+page/size)
	after := uintptr(unsafe.Pointer(&sink))&^(line-1) + line
	skip := int((after-uintptr(unsafe.Pointer(unsafe.SliceData(s))))&(page-1)) / size
	return s[skip:][:n]
}

// vector returns n numbers as in numkong/peer.py.
func vector[T number](n int, seed uint32) []T {
	s := place[T](n)
	size := unsafe.Sizeof(T(0))
	for i := range s {
		h := (uint32(i) + 1) * seed
		if size == 1 {
			s[i] = T(h >> 24)
		} else {
			s[i] = T(float64(h>>23)/512 - 0.5)
		}
	}
	return s
}

// ours times f, which makes the given number of kernel calls. The time does not include a closure
// for each call.
func (m *machine) ours(f func(calls int)) func() float64 {
	const calls = 64
	return func() float64 {
		// The clock rate of the processor rises slowly after a pause.
		processorTime(max(m.least, 10*time.Millisecond), func() { f(calls) })
		return processorTime(m.least, func() { f(calls) }) / calls
	}
}

// processorTime is like peer.Time, but uses the processor time of this process, which hardly
// depends on the load of the machine.
func processorTime(least time.Duration, f func()) float64 {
	return peer.TimeBy(func() time.Duration {
		var t unix.Timespec
		peer.Check(unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t))
		return time.Duration(t.Nano())
	}, least, f)
}

// theirs times a peer and checks that its result is want.
func (m *machine) theirs(p *peer.Process, want float64, format string, args ...any) func() float64 {
	return func() float64 {
		v := p.Floats(format+" %d", append(args, m.least.Milliseconds())...)
		if len(v) != 2 || math.Abs(v[1]-want) > 2e-3*math.Max(1, math.Abs(want)) {
			panic(fmt.Errorf("%s: the result is %v in simdrank and %v in the peer",
				fmt.Sprintf(format, args...), want, v))
		}
		return v[0]
	}
}

// A rival is a peer of a row.
type rival struct {
	name   string
	target float64
	run    func() float64
}

// compare prints a row for each rival.
func (m *machine) compare(what string, ours func(calls int), rivals ...rival) {
	for _, r := range rivals {
		row := peer.Row{What: what, Target: r.target, Ours: m.ours(ours), Peer: r.run}
		if r.name == m.program.Peer {
			row.Program = m.program
		} else {
			row.What += " / " + r.name
		}
		m.Compare(row)
	}
}

// Results are stored and not added, because short calls would wait for the sum.
var (
	//lint:ignore U1000 prevents the compiler from removing the calls
	sink float64
	blas gonum.Implementation
)

func float32s(m *machine) {
	for _, n := range m.dims {
		x, y := vector[float32](n, seedX), vector[float32](n, seedY)
		x64, y64 := vector[float64](n, seedX), vector[float64](n, seedY)
		dot, l2, cosine := float64(kernels.DotF32(x, y)), float64(vectors.L2F32(x, y)), float64(vectors.CosineF32(x, y))
		m.compare(fmt.Sprintf("DotF32 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(kernels.DotF32(x, y))
			}
		},
			rival{"vek32", 1.3, m.theirs(m.vek, dot, "dot %d", n)},
			rival{"gonum", 3, m.ours(func(calls int) {
				for range calls {
					sink = float64(blas.Sdot(n, x, 1, y, 1))
				}
			})},
			rival{"NumKong", 0, m.theirs(m.numkong, dot, "dot f32 %d", n)})
		m.compare(fmt.Sprintf("L2F32 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.L2F32(x, y))
			}
		},
			rival{"vek32, with the root", 1.3, m.theirs(m.vek, math.Sqrt(l2), "distance %d", n)},
			rival{"NumKong", 0, m.theirs(m.numkong, l2, "sqeuclidean f32 %d", n)})
		m.compare(fmt.Sprintf("CosineF32 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.CosineF32(x, y))
			}
		},
			rival{"vek32", 1.5, m.theirs(m.vek, cosine, "cosine %d", n)},
			rival{"gonum, three dots", 3, m.ours(func(calls int) {
				for range calls {
					sink = float64(blas.Sdot(n, x, 1, y, 1)) /
						math.Sqrt(float64(blas.Sdot(n, x, 1, x, 1))*float64(blas.Sdot(n, y, 1, y, 1)))
				}
			})},
			rival{"NumKong", 0, m.theirs(m.numkong, 1-cosine, "angular f32 %d", n)})
		m.compare(fmt.Sprintf("L2F64 n = %d", n), func(calls int) {
			for range calls {
				sink = vectors.L2F64(x64, y64)
			}
		},
			rival{"gonum, with the root", 3, m.ours(func(calls int) {
				for range calls {
					sink = floats.Distance(x64, y64, 2)
				}
			})},
			rival{"NumKong", 0, m.theirs(m.numkong, l2, "sqeuclidean f64 %d", n)})
		m.compare(fmt.Sprintf("CosineF64 n = %d", n), func(calls int) {
			for range calls {
				sink = vectors.CosineF64(x64, y64)
			}
		},
			rival{"NumKong", 0, m.theirs(m.numkong, 1-cosine, "angular f64 %d", n)})
	}
}

// dotPlain and l2Plain are simple loops.
func dotPlain[T int8 | uint8](x, y []T) (sum int32) {
	for i := range x {
		sum += int32(x[i]) * int32(y[i])
	}
	return sum
}

func l2Plain[T int8 | uint8](x, y []T) (sum int32) {
	for i := range x {
		d := int32(x[i]) - int32(y[i])
		sum += d * d
	}
	return sum
}

// plain times a simple loop.
func plain[T any, S int32 | float32](m *machine, target float64, x, y []T, f func(x, y []T) S) rival {
	return rival{"plain Go", target, m.ours(func(calls int) {
		for range calls {
			sink = float64(f(x, y))
		}
	})}
}

func bytes(m *machine) {
	for _, n := range m.dims {
		x, y := vector[int8](n, seedX), vector[int8](n, seedY)
		u, v := vector[uint8](n, seedX), vector[uint8](n, seedY)
		m.compare(fmt.Sprintf("DotI8 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.DotI8(x, y))
			}
		},
			plain(m, 20, x, y, dotPlain),
			rival{"NumKong", 0, m.theirs(m.numkong, float64(vectors.DotI8(x, y)), "dot i8 %d", n)})
		m.compare(fmt.Sprintf("L2I8 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.L2I8(x, y))
			}
		},
			plain(m, 20, x, y, l2Plain),
			rival{"NumKong", 0, m.theirs(m.numkong, float64(vectors.L2I8(x, y)), "sqeuclidean i8 %d", n)})
		m.compare(fmt.Sprintf("CosineI8 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.CosineI8(x, y))
			}
		},
			rival{"NumKong", 0, m.theirs(m.numkong, 1-float64(vectors.CosineI8(x, y)), "angular i8 %d", n)})
		m.compare(fmt.Sprintf("DotU8 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.DotU8(u, v))
			}
		},
			plain(m, 20, u, v, dotPlain),
			rival{"NumKong", 0, m.theirs(m.numkong, float64(vectors.DotU8(u, v)), "dot u8 %d", n)})
		m.compare(fmt.Sprintf("L2U8 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.L2U8(u, v))
			}
		},
			plain(m, 20, u, v, l2Plain),
			rival{"NumKong", 0, m.theirs(m.numkong, float64(vectors.L2U8(u, v)), "sqeuclidean u8 %d", n)})
		m.compare(fmt.Sprintf("CosineU8 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.CosineU8(u, v))
			}
		},
			rival{"NumKong", 0, m.theirs(m.numkong, 1-float64(vectors.CosineU8(u, v)), "angular u8 %d", n)})
	}
}

func hammingPlain(x, y []uint64) (differ int32) {
	for i := range x {
		differ += int32(bits.OnesCount64(x[i] ^ y[i]))
	}
	return differ
}

func sets(m *machine) {
	for _, n := range []int{256, 1024, 4096} {
		b, c := vector[uint8](n/8, seedX), vector[uint8](n/8, seedY)
		x, y := place[uint64](n/64), place[uint64](n/64)
		for i := range x {
			x[i], y[i] = binary.LittleEndian.Uint64(b[8*i:]), binary.LittleEndian.Uint64(c[8*i:])
		}
		target := 4.0
		if n < 1024 {
			target = 0
		}
		m.compare(fmt.Sprintf("HammingBits %d bits", n), func(calls int) {
			for range calls {
				sink = float64(vectors.HammingBits(x, y))
			}
		},
			plain(m, target, x, y, hammingPlain),
			rival{"NumKong", 0, m.theirs(m.numkong, float64(vectors.HammingBits(x, y)), "hamming u1 %d", n/8)})
		m.compare(fmt.Sprintf("JaccardBits %d bits", n), func(calls int) {
			for range calls {
				sink = float64(vectors.JaccardBits(x, y))
			}
		},
			rival{"NumKong", 0, m.theirs(m.numkong, 1-float64(vectors.JaccardBits(x, y)), "jaccard u1 %d", n/8)})
	}
}

func dotF32I8Plain(q []float32, x []int8) (sum float32) {
	for i := range x {
		sum += q[i] * float32(x[i])
	}
	return sum
}

// mixed times kernels that no peer provides.
func mixed(m *machine) {
	for _, n := range m.dims {
		q, x := vector[float32](n, seedX), vector[int8](n, seedY)
		m.compare(fmt.Sprintf("DotF32I8 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.DotF32I8(q, x))
			}
		},
			rival{"plain Go", 0, m.ours(func(calls int) {
				for range calls {
					sink = float64(dotF32I8Plain(q, x))
				}
			})})
	}
}

func dotF16Plain(x, y []vectors.F16) (sum float32) {
	for i := range x {
		sum += x[i].Float32() * y[i].Float32()
	}
	return sum
}

func dotBF16Plain(x, y []vectors.BF16) (sum float32) {
	for i := range x {
		sum += x[i].Float32() * y[i].Float32()
	}
	return sum
}

func halves(m *machine) {
	for _, n := range m.dims {
		x, y := place[vectors.F16](n), place[vectors.F16](n)
		u, v := place[vectors.BF16](n), place[vectors.BF16](n)
		vectors.F16FromF32(x, vector[float32](n, seedX))
		vectors.F16FromF32(y, vector[float32](n, seedY))
		vectors.BF16FromF32(u, vector[float32](n, seedX))
		vectors.BF16FromF32(v, vector[float32](n, seedY))
		m.compare(fmt.Sprintf("DotF16 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.DotF16(x, y))
			}
		},
			plain(m, 15, x, y, dotF16Plain),
			rival{"NumKong", 0, m.theirs(m.numkong, float64(vectors.DotF16(x, y)), "dot f16 %d", n)})
		m.compare(fmt.Sprintf("DotBF16 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.DotBF16(u, v))
			}
		},
			plain(m, 15, u, v, dotBF16Plain),
			rival{"NumKong", 0, m.theirs(m.numkong, float64(vectors.DotBF16(u, v)), "dot bf16 %d", n)})
		m.compare(fmt.Sprintf("CosineF16 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.CosineF16(x, y))
			}
		},
			rival{"NumKong", 0, m.theirs(m.numkong, 1-float64(vectors.CosineF16(x, y)), "angular f16 %d", n)})
		m.compare(fmt.Sprintf("CosineBF16 n = %d", n), func(calls int) {
			for range calls {
				sink = float64(vectors.CosineBF16(u, v))
			}
		},
			rival{"NumKong", 0, m.theirs(m.numkong, 1-float64(vectors.CosineBF16(u, v)), "angular bf16 %d", n)})
	}
}

// scan times f, which takes milliseconds.
func (m *machine) scan(f func()) func() float64 {
	return func() float64 { return processorTime(m.least, f) }
}

// many compares the kernels for many vectors with the time of reading the matrix.
func many(m *machine) {
	for _, s := range []struct{ rows, cols int }{{1_000_000, 128}, {200_000, 768}} {
		if m.Quick {
			s.rows /= 10
		}
		a, q := memory.Make[float32](s.rows*s.cols), vector[float32](32*s.cols, seedX)
		copy(a, vector[float32](len(a), seedY))
		dst := make([]float32, 32*s.rows)
		// Two streams of 32 KiB are faster than one.
		read := rival{"reading", 0.85, m.scan(func() {
			for i := 0; i < len(a); i += 1 << 14 {
				x := a[i:min(i+1<<14, len(a))]
				sink = float64(vectors.L2F32(x[:len(x)/2], x[len(x)/2:len(x)/2*2]))
			}
		})}
		one := func(kernel func(dst, q, a []float32, rows, cols, stride int)) func() float64 {
			return m.scan(func() { kernel(dst[:s.rows], q[:s.cols], a, s.rows, s.cols, s.cols) })
		}
		for _, row := range []struct {
			what string
			ours func() float64
		}{
			{"DotRows", one(vectors.DotRows[float32, float32])},
			{"L2Rows", one(vectors.L2Rows[float32, float32])},
			{"CosineRows", one(vectors.CosineRows[float32, float32])},
		} {
			m.Compare(peer.Row{What: fmt.Sprintf("%s %d × %d / %s", row.what, s.rows, s.cols, read.name),
				Target: read.target, Ours: row.ours, Peer: read.run})
		}
		m.Compare(peer.Row{What: fmt.Sprintf("DotBlock %d × %d, 32 queries / one by one", s.rows, s.cols),
			Ours: m.scan(func() { vectors.DotBlock(dst, q, 32, s.cols, a, s.rows, s.cols, s.cols) }),
			Peer: m.scan(func() {
				for i := range 32 {
					vectors.DotRows(dst[i*s.rows:][:s.rows], q[i*s.cols:][:s.cols], a, s.rows, s.cols, s.cols)
				}
			})})
		const calls = 1000
		near, far, h := make([]int32, 32*calls), make([]int32, 32*calls), uint32(1)
		for i := range far {
			h = h*1664525 + 1013904223
			far[i] = int32(uint64(h) * uint64(s.rows) >> 32)
			near[i] = far[i/32*32]/32*32 + int32(i%32)
		}
		listed := func(ids []int32) func() float64 {
			return m.scan(func() {
				for k := 0; k < len(ids); k += 32 {
					vectors.DotIDs(dst[:32], q[:s.cols], a, s.cols, s.cols, ids[k:k+32])
				}
			})
		}
		m.Compare(peer.Row{What: fmt.Sprintf("DotIDs %d × %d, 32 rows / 32 contiguous ones", s.rows, s.cols),
			Target: 0.67, Ours: listed(far), Peer: listed(near)})
	}
}

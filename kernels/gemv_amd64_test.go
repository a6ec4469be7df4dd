//go:build !purego

package kernels

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

// A gemvKernel is one tier's implementation of an exported kernel.
type gemvKernel[X, A float32 | float64] func(dst []X, a []A, rows, cols, stride int, x []X)

// The kernels access nothing outside of their operands, including masked lanes. The dispatch hides
// this, because it calls them only if a whole last vector is in its page. Here they are called
// without it.
func TestGemvPlaces(t *testing.T) {
	gemvPlaces(t, "gemvF64", false, gemvF64Generic,
		map[cpu.Tier]gemvKernel[float64, float64]{cpu.AVX2: gemvF64AVX2, cpu.AVX512: gemvF64AVX512})
	gemvPlaces(t, "gemvF32", false, gemvF32Generic,
		map[cpu.Tier]gemvKernel[float32, float32]{cpu.AVX2: gemvF32AVX2, cpu.AVX512: gemvF32AVX512})
	gemvPlaces(t, "gemvF32Wide", false, gemvF32WideGeneric,
		map[cpu.Tier]gemvKernel[float64, float32]{cpu.AVX2: gemvF32WideAVX2, cpu.AVX512: gemvF32WideAVX512})
	gemvPlaces(t, "addGemvTF64", true, addGemvTF64Generic,
		map[cpu.Tier]gemvKernel[float64, float64]{cpu.AVX2: addGemvTF64AVX2, cpu.AVX512: addGemvTF64AVX512})
	gemvPlaces(t, "addGemvTF32", true, addGemvTF32Generic,
		map[cpu.Tier]gemvKernel[float32, float32]{cpu.AVX2: addGemvTF32AVX2, cpu.AVX512: addGemvTF32AVX512})
	gemvPlaces(t, "addGemvTF32Wide", true, addGemvTF32WideGeneric,
		map[cpu.Tier]gemvKernel[float64, float32]{cpu.AVX2: addGemvTF32WideAVX2, cpu.AVX512: addGemvTF32WideAVX512})
	// Four rows at a time, and the remaining ones one by one.
	gemvPlaces(t, "gemvF64Four", false, gemvF64Generic,
		map[cpu.Tier]gemvKernel[float64, float64]{cpu.AVX2: inFours(gemvF64FourAVX2, gemvF64AVX2)})
	gemvPlaces(t, "gemvF32Four", false, gemvF32Generic,
		map[cpu.Tier]gemvKernel[float32, float32]{cpu.AVX2: inFours(gemvF32FourAVX2, gemvF32AVX2)})
	gemvPlaces(t, "gemvF32WideFour", false, gemvF32WideGeneric,
		map[cpu.Tier]gemvKernel[float64, float32]{cpu.AVX2: inFours(gemvF32WideFourAVX2, gemvF32WideAVX2)})
	// Processors that split 512-bit operations run these.
	gemvPlaces(t, "gemvF32WideSplit", false, gemvF32WideGeneric,
		map[cpu.Tier]gemvKernel[float64, float32]{cpu.AVX512: gemvF32WideSplit})
	gemvPlaces(t, "addGemvTF32WideSplit", true, addGemvTF32WideGeneric,
		map[cpu.Tier]gemvKernel[float64, float32]{cpu.AVX512: addGemvTF32WideSplitAVX512})
}

// inFours calls four for a multiple of four rows, and one for the remaining rows.
func inFours[X, A float32 | float64](four, one gemvKernel[X, A]) gemvKernel[X, A] {
	return func(dst []X, a []A, rows, cols, stride int, x []X) {
		n := rows &^ 3
		if n > 0 {
			four(dst[:n], a, n, cols, stride, x)
		}
		if n < rows {
			one(dst[n:], a[n*stride:], rows-n, cols, stride, x)
		}
	}
}

func gemvPlaces[X, A float32 | float64](t *testing.T, name string, transposed bool, generic gemvKernel[X, A],
	kernels map[cpu.Tier]gemvKernel[X, A]) {
	d := testkit.NewDraw(15, 16, false)
	vectors, elements := testkit.Drawn[X](d, 1200), testkit.Drawn[A](d, 8400)
	dstAt, aAt, xAt := testkit.NewBuffer(t, 5000), testkit.NewBuffer(t, 80_000), testkit.NewBuffer(t, 5000)
	check := func(m testkit.Matrix) {
		in, out := m.Cols, m.Rows
		if transposed {
			in, out = out, in
		}
		dst, a, x := vectors[:out], elements[:m.Elements()], vectors[600:][:in]
		want := slices.Clone(dst)
		generic(want, a, m.Rows, m.Cols, m.Stride, x)
		for tier, kernel := range kernels {
			if !slices.Contains(cpu.Available(), tier) {
				continue
			}
			for _, p := range []testkit.Place{{End: true}, {End: false}} {
				got, a, x := testkit.Copy(dstAt, dst, p), testkit.Copy(aAt, a, p), testkit.Copy(xAt, x, p)
				err := testkit.NoFault(func() { kernel(got, a, m.Rows, m.Cols, m.Stride, x) })
				if err == nil {
					err = dstAt.Check()
				}
				if i := testkit.Differs(got, want); err != nil || i >= 0 {
					t.Fatalf("%s, %v, %+v, operands %v: element %d differs, error %v", name, tier, m, p, i, err)
				}
			}
		}
	}
	for n := 1; n < 520; n++ {
		check(testkit.Matrix{Rows: 1 + n%8, Cols: n, Stride: n}) // in L1
		if n < 140 {
			check(testkit.Matrix{Rows: 6 + n%6, Cols: n, Stride: n})      // several rows at a time
			check(testkit.Matrix{Rows: 12 + n%7, Cols: n, Stride: n + 1}) // and again
		}
		if rows := 9 + n%8; n > 48 { // more than gemvL1 bytes
			check(testkit.Matrix{Rows: rows, Cols: n, Stride: max(n, 8300/rows)})
		}
		// beyond it, where long rows are processed one by one
		if n > 220 {
			check(testkit.Matrix{Rows: 2, Cols: n, Stride: 4500})
		}
		if n == 64 || n == 260 {
			n += 160 // the widths between them behave alike
		}
	}
}

// The last vector of a row or of dst is loaded under a mask. If it reaches into the next page, the
// load costs some hundred nanoseconds, so then another kernel processes it. The functions on the
// stack show which kernel runs, because x is in a page that faults.
func TestGemvPageEnds(t *testing.T) {
	if kern.Race || !testkit.Pages {
		t.Skip("the race detector or the operating system changes the way to the kernels")
	}
	gemvPageEnds(t, "gemvF64", 8, 0, GemvF64)
	gemvPageEnds(t, "gemvF32", 16, 0, GemvF32)
	gemvPageEnds(t, "addGemvTF64", 8, 4, AddGemvTF64)
	gemvPageEnds(t, "addGemvTF32", 16, 8, AddGemvTF32)
	for _, core := range cpu.Cores() {
		t.Run(core.String(), func(t *testing.T) {
			restore := cpu.ForceCore(core)
			gemvPageEnds(t, "gemvF32Wide", 8, 0, GemvF32Wide)
			gemvPageEnds(t, "addGemvTF32Wide", 8, 4, AddGemvTF32Wide)
			restore()
		})
	}
}

// gemvPageEnds receives the lanes of a vector of the AVX-512 kernel. It also receives those of the
// AVX2 kernel if that must not reach beyond a page either.
func gemvPageEnds[X, A float32 | float64](t *testing.T, name string, avx512, avx2 int,
	call func(dst, x []X, a []A, rows, cols, stride int)) {
	transposed := avx2 > 0
	dstAt, aAt, xAt := testkit.NewBuffer(t, 4096), testkit.NewBuffer(t, 4096), testkit.NewBuffer(t, 4096)
	for tier, lanes := range map[cpu.Tier]int{cpu.AVX512: avx512, cpu.AVX2: avx2} {
		t.Run(name+" "+tier.String(), func(t *testing.T) {
			if lanes == 0 || !slices.Contains(cpu.Available(), tier) {
				return
			}
			restore := cpu.Force(tier)
			function := name + suffixes[tier]
			if name == "addGemvTF32Wide" && tier == cpu.AVX512 && !cpu.UseFP512 {
				function = "addGemvTF32WideSplitAVX512"
			}
			check := func(cols, dstEnd, aEnd int, here bool) {
				t.Helper()
				out, in := 1, cols
				if transposed {
					out, in = in, out
				}
				dst, a := make([]X, out), make([]A, cols)
				dst = testkit.Copy(dstAt, dst, testkit.Place{End: true, Offset: dstEnd * int(unsafe.Sizeof(dst[0]))})
				a = testkit.Copy(aAt, a, testkit.Place{End: true, Offset: aEnd * int(unsafe.Sizeof(a[0]))})
				x := testkit.Beyond(testkit.Copy(xAt, make([]X, 1), testkit.Place{End: true}), in)[1:]
				stack := faultStack(func() { call(dst, x, a, 1, cols, cols) })
				kernel := strings.Contains(stack, "kernels."+function+"\n")
				if kernel != here {
					t.Errorf("%d columns, dst %d and a %d elements before the end of a page: on the stack\n%s",
						cols, dstEnd, aEnd, stack)
				}
			}
			// The last vector has one element, then all but one.
			for missing, cols := range map[int]int{lanes - 1: 1, 1: lanes - 1} {
				check(cols, missing, missing, true)
				check(cols, missing, missing-1, false)
				if transposed {
					check(cols, missing-1, missing, false)
				}
			}
			check(lanes, 0, 0, true)
			restore()
		})
	}
}

package fuzz

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/vectors"
)

var argumentInputs = flag.Int("arguments", 20, "inputs per kernel that FuzzArguments draws from each seed")

// FuzzArguments calls every exported kernel with random arguments. Most of them are invalid:
// lengths, strides, offsets and indices that do not fit, huge and negative numbers, and overlapping
// operands. The operands are next to guard pages. A kernel must either panic with the same message
// on every tier and leave its operands unchanged, or return bit-identical results on every tier. It
// must not change other memory, and it must not fault.
func FuzzArguments(f *testing.F) {
	a := &arguments{work: new(kernels.Work)}
	for range 6 {
		a.buffers = append(a.buffers, testkit.NewBuffer(f, bufferLen))
	}
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		cores := cpu.Cores()
		defer cpu.ForceCore(cores[seed%uint64(len(cores))])()
		for pkg, kernels := range argumentKernels {
			for k, kernel := range kernels {
				a.Rand = rand.New(rand.NewPCG(seed, uint64(k)))
				for i := range *argumentInputs {
					if err := a.run(pkg, kernel); err != nil {
						t.Fatalf("%s.%s, seed %d, input %d: %v", pkg, kernel.name, seed, i, err)
					}
				}
			}
		}
	})
}

// TestArgumentKernels checks that argumentKernels contains every exported function of kernels and
// vectors that has operands.
func TestArgumentKernels(t *testing.T) {
	for pkg, kernels := range argumentKernels {
		files, err := filepath.Glob("../" + pkg + "/*.go")
		if err != nil || len(files) == 0 {
			t.Skipf("no source: %v", err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !fn.Name.IsExported() || fn.Type.Params.NumFields() == 0 {
					continue
				}
				if !slices.ContainsFunc(kernels, func(k argumentKernel) bool { return k.name == fn.Name.Name }) {
					t.Errorf("%s.%s is not among argumentKernels", pkg, fn.Name.Name)
				}
			}
		}
	}
}

// An argumentKernel generates operands for a kernel and returns a call with them. The call passes
// its results to a.number.
type argumentKernel struct {
	name string
	draw func(a *arguments) (call func())
}

var argumentKernels = map[string][]argumentKernel{"kernels": kernelsArguments, "vectors": vectorsArguments}

var kernelsArguments = []argumentKernel{
	{"DotF64", func(a *arguments) func() { return drawDot(a, kernels.DotF64) }},
	{"DotF32", func(a *arguments) func() { return drawDot(a, kernels.DotF32) }},
	{"DotF32Wide", func(a *arguments) func() { return drawDot(a, kernels.DotF32Wide) }},
	{"AxpyF64", func(a *arguments) func() { return drawAxpy(a, kernels.AxpyF64) }},
	{"AxpyF32", func(a *arguments) func() { return drawAxpy(a, kernels.AxpyF32) }},
	{"GemvF64", func(a *arguments) func() { return drawGemv(a, false, kernels.GemvF64) }},
	{"GemvF32", func(a *arguments) func() { return drawGemv(a, false, kernels.GemvF32) }},
	{"GemvF32Wide", func(a *arguments) func() { return drawGemv(a, false, kernels.GemvF32Wide) }},
	{"AddGemvTF64", func(a *arguments) func() { return drawGemv(a, true, kernels.AddGemvTF64) }},
	{"AddGemvTF32", func(a *arguments) func() { return drawGemv(a, true, kernels.AddGemvTF32) }},
	{"AddGemvTF32Wide", func(a *arguments) func() { return drawGemv(a, true, kernels.AddGemvTF32Wide) }},
	{"SpmvF32Wide", func(a *arguments) func() { return drawSpmv(a, false, kernels.SpmvF32Wide) }},
	{"AddSpmvTF32Wide", func(a *arguments) func() { return drawSpmv(a, true, kernels.AddSpmvTF32Wide) }},
	{"NonzerosF32", func(a *arguments) func() {
		n := a.length()
		row := operand(a, a.near(n), a.sparseF32, false)
		index, value := operand(a, a.near(n), a.int32, true), operand(a, a.near(n), a.f32, true)
		return func() { a.number(float64(kernels.NonzerosF32(index, value, row))) }
	}},
	{"ExpF64", func(a *arguments) func() {
		n := a.length()
		x, dst := operand(a, a.near(n), a.f64, false), operand(a, a.near(n), a.f64, true)
		return func() { kernels.ExpF64(dst, x) }
	}},
	{"PairSquaredHinge", func(a *arguments) func() {
		q, work := a.query(a.pairLength()), a.workspace()
		c := operand(a, a.near(len(q.Scores)), a.f64, true)
		return func() { a.number(kernels.PairSquaredHinge(c, q, work)) }
	}},
	{"PairHuberHinge", func(a *arguments) func() {
		q, work, delta := a.query(a.pairLength()), a.workspace(), a.f64()
		if a.IntN(4) != 0 {
			delta = math.Abs(delta)
		}
		c := operand(a, a.near(len(q.Scores)), a.f64, true)
		return func() { a.number(kernels.PairHuberHinge(c, q, delta, work)) }
	}},
	{"PairLogistic", func(a *arguments) func() {
		q, work, sigma := a.query(a.length()), a.workspace(), a.f64()
		c := operand(a, a.near(len(q.Scores)), a.f64, true)
		return func() { a.number(kernels.PairLogistic(c, q, sigma, work)) }
	}},
	{"PairSquaredHingeLaplacian", func(a *arguments) func() {
		q := a.query(a.IntN(20))
		l := operand(a, a.near(len(q.Scores)*len(q.Scores)), a.f64, true)
		return func() { a.flag(kernels.PairSquaredHingeLaplacian(l, q)) }
	}},
	{"PairHuberHingeLaplacian", func(a *arguments) func() {
		q, delta := a.query(a.IntN(20)), a.f64()
		l := operand(a, a.near(len(q.Scores)*len(q.Scores)), a.f64, true)
		return func() { a.flag(kernels.PairHuberHingeLaplacian(l, q, delta)) }
	}},
	{"PairLogisticLaplacian", func(a *arguments) func() {
		q, sigma := a.query(a.IntN(20)), a.f64()
		l := operand(a, a.near(len(q.Scores)*len(q.Scores)), a.f64, true)
		return func() { a.flag(kernels.PairLogisticLaplacian(l, q, sigma)) }
	}},
	{"CountTau", func(a *arguments) func() {
		switch a.IntN(5) {
		case 0:
			return drawTau(a, a.f64, a.f64)
		case 1:
			return drawTau(a, a.f32, a.f32)
		case 2:
			return drawTau(a, a.int32, func() float32 { return float32(a.IntN(5)) })
		case 3:
			return drawTau(a, func() uint8 { return uint8(a.IntN(4)) },
				func() float64 { return float64(a.IntN(9)) / 7 })
		}
		return drawTau(a, func() int64 { return int64(a.Uint64()) }, a.NormFloat64)
	}},
	{"ArgsortF64", func(a *arguments) func() {
		n := a.length()
		x, dst, work := operand(a, a.near(n), a.f64, false), operand(a, a.near(n), a.int32, true), a.workspace()
		return func() { kernels.ArgsortF64(dst, x, work) }
	}},
	{"AppendOrder", func(a *arguments) func() {
		x, work := operand(a, a.length(), a.f64, false), a.workspace()
		return func() { a.indices(kernels.AppendOrder(nil, x, work)) }
	}},
	{"AppendTopK", func(a *arguments) func() {
		n := a.length()
		x, k, work := operand(a, n, a.f32, false), a.int(a.IntN(n+2)), a.workspace()
		return func() { a.indices(kernels.AppendTopK(nil, x, k, work)) }
	}},
}

var vectorsArguments = []argumentKernel{
	{"L2F64", func(a *arguments) func() { return drawDot(a, vectors.L2F64) }},
	{"L2F32", func(a *arguments) func() { return drawDot(a, vectors.L2F32) }},
	{"CosineF64", func(a *arguments) func() { return drawDot(a, vectors.CosineF64) }},
	{"CosineF32", func(a *arguments) func() { return drawDot(a, vectors.CosineF32) }},
	{"DotI8", func(a *arguments) func() { return drawBytes(a, vectors.DotI8) }},
	{"DotU8", func(a *arguments) func() { return drawBytes(a, vectors.DotU8) }},
	{"L2I8", func(a *arguments) func() { return drawBytes(a, vectors.L2I8) }},
	{"L2U8", func(a *arguments) func() { return drawBytes(a, vectors.L2U8) }},
	{"CosineI8", func(a *arguments) func() { return drawBytes(a, vectors.CosineI8) }},
	{"CosineU8", func(a *arguments) func() { return drawBytes(a, vectors.CosineU8) }},
	{"HammingBits", func(a *arguments) func() {
		n := a.length()
		x, y := operand(a, a.near(n), a.Uint64, false), operand(a, a.near(n), a.Uint64, false)
		return func() { a.number(float64(vectors.HammingBits(x, y))) }
	}},
	{"JaccardBits", func(a *arguments) func() {
		n := a.length()
		x, y := operand(a, a.near(n), a.Uint64, false), operand(a, a.near(n), a.Uint64, false)
		return func() { a.number(float64(vectors.JaccardBits(x, y))) }
	}},
	{"DotF16", func(a *arguments) func() { return drawHalves(a, vectors.DotF16) }},
	{"DotBF16", func(a *arguments) func() { return drawHalves(a, vectors.DotBF16) }},
	{"L2F16", func(a *arguments) func() { return drawHalves(a, vectors.L2F16) }},
	{"L2BF16", func(a *arguments) func() { return drawHalves(a, vectors.L2BF16) }},
	{"CosineF16", func(a *arguments) func() { return drawHalves(a, vectors.CosineF16) }},
	{"CosineBF16", func(a *arguments) func() { return drawHalves(a, vectors.CosineBF16) }},
	{"DotRows", func(a *arguments) func() {
		return drawRows(a, vectors.DotRows[float32, float32], vectors.DotRows[vectors.BF16, vectors.BF16],
			vectors.DotRows[int8, int8], vectors.DotRows[int8, uint8])
	}},
	{"L2Rows", func(a *arguments) func() {
		return drawRows(a, vectors.L2Rows[float32, float32], vectors.L2Rows[vectors.BF16, vectors.BF16],
			vectors.L2Rows[int8, int8], vectors.L2Rows[int8, uint8])
	}},
	{"CosineRows", func(a *arguments) func() {
		return drawRows(a, vectors.CosineRows[float32, float32], vectors.CosineRows[vectors.BF16, vectors.BF16],
			vectors.CosineRows[int8, int8], vectors.CosineRows[int8, uint8])
	}},
	{"DotIDs", func(a *arguments) func() {
		return drawIDs(a, vectors.DotIDs[float32, float32], vectors.DotIDs[vectors.BF16, vectors.BF16])
	}},
	{"L2IDs", func(a *arguments) func() {
		return drawIDs(a, vectors.L2IDs[float32, float32], vectors.L2IDs[vectors.BF16, vectors.BF16])
	}},
	{"CosineIDs", func(a *arguments) func() {
		return drawIDs(a, vectors.CosineIDs[float32, float32], vectors.CosineIDs[vectors.BF16, vectors.BF16])
	}},
	{"DotBlock", func(a *arguments) func() {
		return drawBlock(a, vectors.DotBlock[float32, float32], vectors.DotBlock[vectors.BF16, vectors.BF16])
	}},
	{"L2Block", func(a *arguments) func() {
		return drawBlock(a, vectors.L2Block[float32, float32], vectors.L2Block[vectors.BF16, vectors.BF16])
	}},
	{"CosineBlock", func(a *arguments) func() {
		return drawBlock(a, vectors.CosineBlock[float32, float32], vectors.CosineBlock[vectors.BF16, vectors.BF16])
	}},
	{"MaxSim", func(a *arguments) func() {
		switch a.IntN(4) {
		case 0:
			return maxSimCall(a, drawnHalf[vectors.BF16](a), vectors.MaxSim[vectors.BF16, vectors.BF16])
		case 1:
			return maxSimCall(a, func() int8 { return int8(a.Uint32()) }, vectors.MaxSim[int8, int8])
		}
		return maxSimCall(a, a.f32, vectors.MaxSim[float32, float32])
	}},
	{"HammingRows", func(a *arguments) func() {
		return rowsCall(a, a.Uint64, a.Uint64, vectors.HammingRows)
	}},
	{"HammingIDs", func(a *arguments) func() {
		return idsCall(a, a.Uint64, a.Uint64, vectors.HammingIDs)
	}},
	{"HammingBlock", func(a *arguments) func() {
		return blockCall(a, a.Uint64, a.Uint64, vectors.HammingBlock)
	}},
	{"DotF32F16", func(a *arguments) func() { return drawMixed(a, drawnHalf[vectors.F16], vectors.DotF32F16) }},
	{"DotF32BF16", func(a *arguments) func() { return drawMixed(a, drawnHalf[vectors.BF16], vectors.DotF32BF16) }},
	{"DotF32I8", func(a *arguments) func() { return drawMixed(a, drawnByte[int8], vectors.DotF32I8) }},
	{"DotF32U8", func(a *arguments) func() { return drawMixed(a, drawnByte[uint8], vectors.DotF32U8) }},
	{"L2F32F16", func(a *arguments) func() { return drawMixed(a, drawnHalf[vectors.F16], vectors.L2F32F16) }},
	{"L2F32BF16", func(a *arguments) func() { return drawMixed(a, drawnHalf[vectors.BF16], vectors.L2F32BF16) }},
	{"L2F32I8", func(a *arguments) func() { return drawMixed(a, drawnByte[int8], vectors.L2F32I8) }},
	{"L2F32U8", func(a *arguments) func() { return drawMixed(a, drawnByte[uint8], vectors.L2F32U8) }},
	{"Cosines", func(a *arguments) func() {
		n, xx := a.length(), a.f32()
		yy, dst := operand(a, a.near(n), a.f32, false), operand(a, a.near(n), a.f32, true)
		return func() { vectors.Cosines(dst, xx, yy) }
	}},
	{"CosineF32F16", func(a *arguments) func() { return drawMixed(a, drawnHalf[vectors.F16], vectors.CosineF32F16) }},
	{"CosineF32BF16", func(a *arguments) func() {
		return drawMixed(a, drawnHalf[vectors.BF16], vectors.CosineF32BF16)
	}},
	{"CosineF32I8", func(a *arguments) func() { return drawMixed(a, drawnByte[int8], vectors.CosineF32I8) }},
	{"CosineF32U8", func(a *arguments) func() { return drawMixed(a, drawnByte[uint8], vectors.CosineF32U8) }},
	{"F16FromF32", func(a *arguments) func() {
		return drawConversion(a, drawnHalf[vectors.F16](a), a.f32, vectors.F16FromF32)
	}},
	{"BF16FromF32", func(a *arguments) func() {
		return drawConversion(a, drawnHalf[vectors.BF16](a), a.f32, vectors.BF16FromF32)
	}},
	{"F32FromF16", func(a *arguments) func() {
		return drawConversion(a, a.f32, drawnHalf[vectors.F16](a), vectors.F32FromF16)
	}},
	{"F32FromBF16", func(a *arguments) func() {
		return drawConversion(a, a.f32, drawnHalf[vectors.BF16](a), vectors.F32FromBF16)
	}},
	{"ScaleI8", func(a *arguments) func() {
		x := operand(a, a.length(), a.f32, false)
		return func() { a.number(float64(vectors.ScaleI8(x))) }
	}},
	{"QuantizeI8", func(a *arguments) func() {
		scale := a.f32()
		if a.IntN(4) != 0 {
			scale = float32(math.Abs(float64(scale)))
		}
		return drawConversion(a, drawnByte[int8](a), a.f32, func(dst []int8, src []float32) {
			vectors.QuantizeI8(dst, src, scale)
		})
	}},
	{"DequantizeI8", func(a *arguments) func() {
		scale := a.f32()
		return drawConversion(a, a.f32, drawnByte[int8](a), func(dst []float32, src []int8) {
			vectors.DequantizeI8(dst, src, scale)
		})
	}},
	{"SignBits", func(a *arguments) func() {
		n := a.length()
		src, dst := operand(a, a.near(n), a.f32, false), operand(a, a.near((n+63)/64), a.Uint64, true)
		return func() { vectors.SignBits(dst, src) }
	}},
	{"NewF16", func(a *arguments) func() {
		v := a.f32()
		return func() { a.number(float64(vectors.NewF16(v))) }
	}},
	{"NewBF16", func(a *arguments) func() {
		v := a.f32()
		return func() { a.number(float64(vectors.NewBF16(v))) }
	}},
}

func drawDot[T, S number](a *arguments, kernel func(x, y []T) S) func() {
	n := a.length()
	x, y := operand(a, a.near(n), drawn[T](a), false), operand(a, a.near(n), drawn[T](a), false)
	return func() { a.number(float64(kernel(x, y))) }
}

func drawBytes[T int8 | uint8, S int64 | float32](a *arguments, kernel func(x, y []T) S) func() {
	n, draw := a.length(), drawnByte[T](a)
	x, y := operand(a, a.near(n), draw, false), operand(a, a.near(n), draw, false)
	return func() { a.number(float64(kernel(x, y))) }
}

func drawnHalf[T vectors.F16 | vectors.BF16](a *arguments) func() T {
	return func() T { return T(a.Uint32()) }
}

func drawHalves[T vectors.F16 | vectors.BF16](a *arguments, kernel func(x, y []T) float32) func() {
	n, draw := a.length(), drawnHalf[T](a)
	x, y := operand(a, a.near(n), draw, false), operand(a, a.near(n), draw, false)
	return func() { a.number(float64(kernel(x, y))) }
}

func drawnByte[T int8 | uint8](a *arguments) func() T {
	return func() T { return T(a.Uint32()) }
}

func drawMixed[T comparable](a *arguments, draw func(a *arguments) func() T,
	kernel func(q []float32, x []T) float32) func() {
	n := a.length()
	q, x := operand(a, a.near(n), a.f32, false), operand(a, a.near(n), draw(a), false)
	return func() { a.number(float64(kernel(q, x))) }
}

func drawConversion[D, S comparable](a *arguments, to func() D, from func() S, kernel func(dst []D, src []S)) func() {
	n := a.length()
	src, dst := operand(a, a.near(n), from, false), operand(a, a.near(n), to, true)
	return func() { kernel(dst, src) }
}

func drawAxpy[T number](a *arguments, kernel func(alpha T, x, y []T)) func() {
	n, alpha := a.length(), drawn[T](a)()
	x, y := operand(a, a.near(n), drawn[T](a), false), operand(a, a.near(n), drawn[T](a), true)
	return func() { kernel(alpha, x, y) }
}

func drawGemv[A, X number](a *arguments, transposed bool,
	kernel func(dst, x []X, a []A, rows, cols, stride int)) func() {
	rows, cols := a.IntN(9), a.length()%70
	in, out := cols, rows
	if transposed {
		in, out = rows, cols
	}
	stride := cols + a.IntN(2)*a.IntN(9)
	size := max(0, rows-1)*stride + cols*min(1, rows)
	m := operand(a, a.near(size), drawn[A](a), false)
	x, dst := operand(a, a.near(in), drawn[X](a), false), operand(a, a.near(out), drawn[X](a), true)
	if rows > 2 && a.IntN(16) == 0 {
		// (rows−1)·stride wraps around
		stride = int(uint(math.MaxUint)/uint(rows-1)) + a.IntN(9) - 2
	}
	rows, cols, stride = a.int(rows), a.int(cols), a.int(stride)
	return func() { kernel(dst, x, m, rows, cols, stride) }
}

// drawRows generates operands for one of the kernels: for float32, half precision, bytes, and types
// without a kernel.
func drawRows(a *arguments, f32 func(dst, q, a []float32, rows, cols, stride int),
	half func(dst []float32, q, a []vectors.BF16, rows, cols, stride int),
	bytes func(dst []float32, q, a []int8, rows, cols, stride int),
	none func(dst []float32, q []int8, a []uint8, rows, cols, stride int)) func() {
	i8 := func() int8 { return int8(a.Uint32()) }
	switch a.IntN(8) {
	case 0:
		return rowsCall(a, i8, func() uint8 { return uint8(a.Uint32()) }, none)
	case 1, 2:
		return rowsCall(a, drawnHalf[vectors.BF16](a), drawnHalf[vectors.BF16](a), half)
	case 3:
		return rowsCall(a, i8, i8, bytes)
	}
	return rowsCall(a, a.f32, a.f32, f32)
}

func drawIDs(a *arguments, f32 func(dst, q, a []float32, cols, stride int, ids []int32),
	half func(dst []float32, q, a []vectors.BF16, cols, stride int, ids []int32)) func() {
	if a.IntN(3) == 0 {
		return idsCall(a, drawnHalf[vectors.BF16](a), drawnHalf[vectors.BF16](a), half)
	}
	return idsCall(a, a.f32, a.f32, f32)
}

func drawBlock(a *arguments,
	f32 func(dst, q []float32, queries, qstride int, a []float32, rows, cols, stride int),
	half func(dst []float32, q []vectors.BF16, queries, qstride int, a []vectors.BF16, rows, cols, stride int)) func() {
	if a.IntN(3) == 0 {
		return blockCall(a, drawnHalf[vectors.BF16](a), drawnHalf[vectors.BF16](a), half)
	}
	return blockCall(a, a.f32, a.f32, f32)
}

// drawMatrix generates a matrix with about the given number of rows, which may be too short.
func drawMatrix[T comparable](a *arguments, draw func() T, rows, cols int) (m []T, stride int) {
	stride = cols + a.IntN(2)*a.IntN(9)
	m = operand(a, a.near(max(0, rows-1)*stride+cols*min(1, rows)), draw, false)
	if rows > 2 && a.IntN(16) == 0 {
		stride = int(uint(math.MaxUint)/uint(rows-1)) + a.IntN(9) - 2 // (rows−1)·stride wraps around
	}
	return m, a.int(stride)
}

func rowsCall[Q, E comparable](a *arguments, query func() Q, element func() E,
	kernel func(dst []float32, q []Q, a []E, rows, cols, stride int)) func() {
	rows, cols := a.IntN(9), a.length()%140
	m, stride := drawMatrix(a, element, rows, cols)
	q, dst := operand(a, a.near(cols), query, false), operand(a, a.near(rows), a.f32, true)
	rows, cols = a.int(rows), a.int(cols)
	return func() { kernel(dst, q, m, rows, cols, stride) }
}

func idsCall[Q, E comparable](a *arguments, query func() Q, element func() E,
	kernel func(dst []float32, q []Q, a []E, cols, stride int, ids []int32)) func() {
	rows, cols, n := 1+a.IntN(8), a.length()%140, a.IntN(12)
	m, stride := drawMatrix(a, element, rows, cols)
	ids := operand(a, a.near(n), func() int32 {
		if a.IntN(80) == 0 {
			return a.int32()
		}
		return int32(a.IntN(rows))
	}, false)
	q, dst := operand(a, a.near(cols), query, false), operand(a, a.near(n), a.f32, true)
	cols = a.int(cols)
	return func() { kernel(dst, q, m, cols, stride, ids) }
}

func maxSimCall[T comparable](a *arguments, element func() T,
	kernel func(dst []float64, q, a []T, cols, stride int, docs [][2]int)) func() {
	tokens, rows, cols, n := a.IntN(5), a.IntN(20), a.length()%140, a.IntN(4)
	m, stride := drawMatrix(a, element, rows, cols)
	docs := operand(a, a.near(n), func() [2]int {
		from := a.IntN(rows + 1)
		return [2]int{from, a.int(from + a.IntN(rows+1-from))}
	}, false)
	q, dst := operand(a, a.near(tokens*cols), element, false), operand(a, a.near(n), a.f64, true)
	cols = a.int(cols)
	return func() { kernel(dst, q, m, cols, stride, docs) }
}

func blockCall[Q, E comparable](a *arguments, query func() Q, element func() E,
	kernel func(dst []float32, q []Q, queries, qstride int, a []E, rows, cols, stride int)) func() {
	queries, rows, cols := a.IntN(7), a.IntN(9), a.length()%140
	m, stride := drawMatrix(a, element, rows, cols)
	q, qstride := drawMatrix(a, query, queries, cols)
	dst := operand(a, a.near(queries*rows), a.f32, true)
	queries, rows, cols = a.int(queries), a.int(rows), a.int(cols)
	return func() { kernel(dst, q, queries, qstride, m, rows, cols, stride) }
}

func drawSpmv(a *arguments, transposed bool, kernel func(dst, x []float64, offsets []int, index []int32,
	value []float32)) func() {
	rows, cols := a.IntN(9), a.length()
	in, out := cols, rows
	if transposed {
		in, out = rows, cols
	}
	x, dst := operand(a, a.near(in), a.f64, false), operand(a, a.near(out), a.f64, true)
	at := a.IntN(3)
	next := func() int { at += a.IntN(2) * a.IntN(12); return at }
	offsets := operand(a, a.near(rows+1), next, false)
	for a.IntN(8) == 0 && len(offsets) > 0 {
		offsets = a.spoil(offsets)
	}
	index := operand(a, a.near(at), func() int32 {
		if cols == 0 || a.IntN(400) == 0 {
			return a.int32()
		}
		return int32(a.IntN(cols))
	}, false)
	value := operand(a, a.near(at), a.f32, false)
	return func() { kernel(dst, x, offsets, index, value) }
}

func drawTau[X, Y kernels.Real](a *arguments, x func() X, y func() Y) func() {
	n, c := a.length(), a.workspace()
	if a.IntN(20_000) == 0 {
		n = 70_000 + a.IntN(100) // enough for several goroutines
	}
	xs, ys := operand(a, a.near(n), x, false), operand(a, a.near(n), y, false)
	return func() {
		counts, noNaN := kernels.CountTau(xs, ys, c)
		a.flag(noNaN)
		for _, v := range []int64{counts.Discordant, counts.TiedBoth, counts.X.Distinct, counts.X.Pairs,
			counts.Y.Distinct, counts.Y.Pairs} {
			a.out = append(a.out, uint64(v))
		}
		a.number(counts.X.Triples)
		a.number(counts.Y.Triples)
	}
}

// arguments generates the arguments of consecutive calls.
type arguments struct {
	*rand.Rand
	buffers []*testkit.Buffer
	pools   []memory
	out     []uint64 // the results of a call

	work *kernels.Work
}

// run generates arguments and calls a kernel of the package with them on every tier.
func (a *arguments) run(pkg string, kernel argumentKernel) error {
	a.pools = a.pools[:0]
	call := kernel.draw(a)
	var want []uint64
	var wantText string
	for i, tier := range cpu.Available() {
		for _, p := range a.pools {
			p.reset()
		}
		a.out = a.out[:0]
		restore := cpu.Force(tier)
		text, err := caught(call)
		restore()
		if err != nil {
			return fmt.Errorf("%v: %v", tier, err)
		}
		if text != "" && !strings.HasPrefix(text, pkg+": "+kernel.name+": ") {
			return fmt.Errorf("%v: panic %q", tier, text)
		}
		// The kernel checks the indices of a sparse matrix during the computation.
		written := text == "" || strings.Contains(text, ": column index ")
		for k, p := range a.pools {
			if err := p.check(written); err != nil {
				return fmt.Errorf("%v: operand %d: %v (panic %q)", tier, k, err, text)
			}
			a.out = p.bits(a.out)
		}
		if i == 0 {
			want, wantText = slices.Clone(a.out), text
		} else if text != wantText || !slices.Equal(a.out, want) {
			return fmt.Errorf("%v: panic %q, results %x; plain Go: panic %q, results %x", tier, text, a.out, wantText,
				want)
		}
	}
	return nil
}

// caught returns the text of an intended panic of a kernel, and an error for any other panic.
func caught(call func()) (text string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		default:
			text = fmt.Sprint(p)
			if !strings.HasPrefix(text, "kernels: ") && !strings.HasPrefix(text, "vectors: ") {
				err = fmt.Errorf("%v\n%s", p, debug.Stack())
			}
		}
	}()
	call()
	return "", nil
}

// length returns a random number of elements for operands.
func (a *arguments) length() int {
	return a.IntN([]int{1, 2, 10, 10, 20, 20, 20, 40, 40, 70, 300}[a.IntN(11)])
}

// near returns n in most calls, and otherwise a length that does not fit.
func (a *arguments) near(n int) int {
	if a.IntN(14) != 0 {
		return n
	}
	return max(0, []int{n - 1, n + 1, 0, 2 * n, n / 2, a.IntN(50)}[a.IntN(6)])
}

// int returns n in most calls, and otherwise an invalid or extreme number.
func (a *arguments) int(n int) int {
	if a.IntN(14) != 0 {
		return n
	}
	random := int(a.Uint64() >> a.IntN(64))
	return []int{-1, 0, 1, n - 1, n + 1, -n, math.MinInt, math.MinInt + 1, math.MaxInt, math.MaxInt/2 + 1, random,
		-random}[a.IntN(12)]
}

// spoil makes some of the offsets invalid, in the operand's own pool. Sometimes their differences
// overflow.
func (a *arguments) spoil(offsets []int) []int {
	i := a.IntN(len(offsets))
	wrong := []int{a.int(offsets[i]), -1, math.MinInt, math.MaxInt, a.IntN(100)}[a.IntN(5)]
	change(a, offsets, i, wrong)
	if i+1 < len(offsets) && a.IntN(2) == 0 {
		// the largest positive difference to the previous one
		change(a, offsets, i+1, wrong+math.MaxInt)
	}
	return offsets
}

func (a *arguments) int32() int32 {
	return []int32{-1, 0, 1, int32(a.IntN(60)), int32(a.IntN(60)), math.MinInt32, math.MaxInt32,
		int32(a.Uint32())}[a.IntN(8)]
}

func (a *arguments) f64() float64 {
	if a.IntN(30) != 0 {
		return float64(a.IntN(1<<10)-1<<9) / 64
	}
	return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e300, 5e-324, 1e-310, 1,
		1 << 53, -1, math.Float64frombits(a.Uint64())}[a.IntN(13)]
}

func (a *arguments) f32() float32 {
	if a.IntN(30) != 0 {
		return float32(a.IntN(1<<10)-1<<9) / 64
	}
	return float32([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 3e38, -3e38, 1e-45, 1e-40,
		1, 1 << 24, -1}[a.IntN(12)])
}

func (a *arguments) sparseF32() float32 {
	if a.IntN(3) == 0 {
		return a.f32()
	}
	return 0
}

// drawn calls f64 or f32.
func drawn[T number](a *arguments) func() T {
	if f, ok := any(a.f64).(func() T); ok {
		return f
	}
	return any(a.f32).(func() T)
}

// pairLength sometimes returns the length of a query with enough pairs to be sorted.
func (a *arguments) pairLength() int {
	if a.IntN(1000) == 0 {
		return 520 + a.IntN(40)
	}
	return a.length()
}

func (a *arguments) query(n int) kernels.PairQuery {
	labels := []int{1, 3, 20}[a.IntN(3)] // about this many documents have a label
	if n > 500 {
		labels = 1
	}
	i, last := 0, 0
	lower := operand(a, a.near(n), func() int32 {
		if a.IntN(labels) == 0 {
			last = i
		}
		i++
		return int32(last)
	}, false)
	if len(lower) > 0 && lower[0] == 0 && a.IntN(12) == 0 {
		change(a, lower, a.IntN(len(lower)), a.int32())
	}
	q := kernels.PairQuery{Scores: operand(a, n, a.f64, false), Lower: lower, Weight: a.f64()}
	switch grade := 0.0; a.IntN(4) {
	case 0:
		q.Gain = operand(a, a.near(n), a.f64, false)
	case 1:
		i := 0
		q.Gain = operand(a, a.near(n), func() float64 { // like the labels
			if i < len(lower) && int(lower[i]) == i {
				grade++
			}
			i++
			return grade
		}, false)
	}
	return q
}

// workspace returns the shared workspace or, sometimes, nil.
func (a *arguments) workspace() *kernels.Work {
	if a.IntN(40) == 0 {
		return nil
	}
	a.work.Threads = a.int(1 + a.IntN(3))
	return a.work
}

func (a *arguments) indices(list []int) {
	for _, i := range list {
		a.out = append(a.out, uint64(i))
	}
}

func (a *arguments) number(v float64) { a.out = append(a.out, numberBits(v)) }

func (a *arguments) flag(v bool) {
	if v {
		a.out = append(a.out, 1)
	} else {
		a.out = append(a.out, 0)
	}
}

// memory contains one or several operands of a type.
type memory interface {
	reset()                     // restores the generated values
	check(written bool) error   // reports other changes
	bits(out []uint64) []uint64 // of the elements that the kernel may write, with one NaN for all
}

// bufferLen is the size of a buffer with guard pages. Longer operands are stored elsewhere.
const bufferLen = 3*4096 - 128

type pool[T comparable] struct {
	buffer *testkit.Buffer
	place  testkit.Place
	drawn  []T
	live   []T
	write  []bool // the elements that the kernel may write
}

// operand returns n numbers. They start or end at a guard page, or are surrounded by other numbers.
// Sometimes they overlap another operand of the type.
func operand[T comparable](a *arguments, n int, draw func() T, write bool) []T {
	if a.IntN(8) == 0 {
		for _, m := range a.pools {
			if p, ok := m.(*pool[T]); ok && len(p.live) >= n {
				return p.part(a.IntN(2)*a.IntN(len(p.live)-n+1), n, write)
			}
		}
	}
	more := 0
	if a.IntN(4) == 0 {
		more = a.IntN(6)
	}
	p := &pool[T]{drawn: make([]T, n+more), write: make([]bool, n+more)}
	for i := range p.drawn {
		p.drawn[i] = draw()
	}
	var zero T
	elem := int(unsafe.Sizeof(zero))
	p.place = testkit.Place{End: a.IntN(2) == 0, Offset: a.IntN(2) * a.IntN(128/elem+1) * elem}
	if k := len(a.pools); k < len(a.buffers) && (n+more)*elem+136 < bufferLen {
		p.buffer = a.buffers[k]
	}
	p.reset()
	a.pools = append(a.pools, p)
	return p.part(a.IntN(2)*a.IntN(more+1), n, write)
}

func (p *pool[T]) part(from, n int, write bool) []T {
	for i := from; write && i < from+n; i++ {
		p.write[i] = true
	}
	return p.live[from : from+n : from+n]
}

// change sets an element of an operand.
func change[T comparable](a *arguments, s []T, i int, v T) {
	for _, m := range a.pools {
		p, ok := m.(*pool[T])
		for k := 0; ok && k < len(p.live); k++ {
			if &p.live[k] == &s[i] {
				p.live[k], p.drawn[k] = v, v
			}
		}
	}
}

func (p *pool[T]) reset() {
	if p.buffer != nil {
		p.live = testkit.Copy(p.buffer, p.drawn, p.place) // always at the same addresses
		return
	}
	if p.live == nil {
		p.live = make([]T, len(p.drawn))
	}
	copy(p.live, p.drawn)
}

func (p *pool[T]) check(written bool) error {
	for i := range p.live {
		if got, want := rawBits(p.live[i]), rawBits(p.drawn[i]); got != want && !(written && p.write[i]) {
			return fmt.Errorf("element %d of %d, which is not to be written, was %x and is %x", i, len(p.live), want,
				got)
		}
	}
	if p.buffer != nil {
		return p.buffer.Check()
	}
	return nil
}

func (p *pool[T]) bits(out []uint64) []uint64 {
	for i, v := range p.live {
		if p.write[i] {
			if v != v {
				out = append(out, numberBits(math.NaN()))
			} else {
				out = append(out, rawBits(v))
			}
		}
	}
	return out
}

func numberBits(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	return math.Float64bits(v)
}

// rawBits returns the bits of a number of any size.
func rawBits[T any](v T) uint64 {
	switch unsafe.Sizeof(v) {
	case 8:
		return *(*uint64)(unsafe.Pointer(&v))
	case 4:
		return uint64(*(*uint32)(unsafe.Pointer(&v)))
	case 2:
		return uint64(*(*uint16)(unsafe.Pointer(&v)))
	}
	return uint64(*(*uint8)(unsafe.Pointer(&v)))
}

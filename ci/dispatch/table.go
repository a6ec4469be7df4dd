package main

import "strings"

// A kernel is a row of the table.
type kernel struct {
	kind   string // the template
	name   string // of the dispatch; the exported function has an upper-case first letter
	x, y   string // element types of the operands, or of dst and src; y is x if empty
	result string

	// needs is the feature that a processor of tier avx512 must have in addition to the tier.
	// Without it, the processor runs the avx2 code. FP512: a Zen 4 splits 512-bit operations.
	// There, conversions to float64 take 1.33 times as long with 512 bits as with 256, and dot
	// products 1.11 to 1.31 times.
	needs string
	sdot  bool // there is arm64 code for SDOT

	squares string // of a cosine: the functions that compute x·x and y·y
	scale   bool   // of a conversion: it has a scale
	lanes   int    // of a conversion: assembly processes multiples of it, and plain Go the tail

	pkg, arch string
}

// Kinds of kernels. On amd64 the dispatch of kernels of two vectors is an assembly function that
// jumps to the code of a tier. The exported function is inlined and calls it after its checks. A
// dispatch in Go would cost 0.6 to 1.1 ns more, and 1 to 3 ns for cosines. On a Zen 3, kernels of
// float32 and float64 would take 1.13 to 1.35 times as long for 4 to 128 elements. Byte kernels
// would take 1.14 to 1.29 times as long for 16 to 128 elements, other types 1.05 to 1.18 times, and
// cosines 1.03 to 1.25 times.
const (
	pair    = "pair"    // two vectors
	axpy    = "axpy"    // y += alpha·x
	convert = "convert" // dst from src
	largest = "largest" // scaleI8
)

// families contains the packages with kernels of these kinds. Each has one family.
var families = map[string]struct {
	name    string
	kernels []kernel
}{
	"kernels": {"linear", []kernel{
		{kind: pair, name: "dotF64", x: "float64", result: "float64"},
		{kind: pair, name: "dotF32", x: "float32", result: "float32"},
		{kind: pair, name: "dotF32Wide", x: "float32", result: "float64", needs: "FP512"},
		{kind: axpy, name: "axpyF64", x: "float64"},
		{kind: axpy, name: "axpyF32", x: "float32"},
	}},
	"vectors": {"vector", []kernel{
		{kind: pair, name: "l2F64", x: "float64", result: "float64"},
		{kind: pair, name: "l2F32", x: "float32", result: "float32"},
		{kind: pair, name: "cosineF64", x: "float64", result: "float64", squares: "kernels.DotF64 kernels.DotF64"},
		{kind: pair, name: "cosineF32", x: "float32", result: "float32", squares: "kernels.DotF32 kernels.DotF32"},
		{kind: pair, name: "dotI8", x: "int8", result: "int64", needs: "VNNI", sdot: true},
		{kind: pair, name: "dotU8", x: "uint8", result: "int64", needs: "VNNI", sdot: true},
		{kind: pair, name: "l2I8", x: "int8", result: "int64", needs: "VNNI", sdot: true},
		{kind: pair, name: "l2U8", x: "uint8", result: "int64", needs: "VNNI", sdot: true},
		{kind: pair, name: "cosineI8", x: "int8", result: "float32", squares: "DotI8 DotI8",
			needs: "VNNI", sdot: true},
		{kind: pair, name: "cosineU8", x: "uint8", result: "float32", squares: "DotU8 DotU8",
			needs: "VNNI", sdot: true},
		{kind: pair, name: "hammingBits", x: "uint64", result: "int64", needs: "VPOPCNT"},
		{kind: pair, name: "jaccardBits", x: "uint64", result: "(both, either int64)", needs: "VPOPCNT"},
		{kind: pair, name: "dotF16", x: "F16", result: "float32"},
		{kind: pair, name: "dotBF16", x: "BF16", result: "float32"},
		{kind: pair, name: "l2F16", x: "F16", result: "float32"},
		{kind: pair, name: "l2BF16", x: "BF16", result: "float32"},
		{kind: pair, name: "cosineF16", x: "F16", result: "float32", squares: "DotF16 DotF16"},
		{kind: pair, name: "cosineBF16", x: "BF16", result: "float32", squares: "DotBF16 DotBF16"},
		{kind: pair, name: "dotF32F16", x: "float32", y: "F16", result: "float32"},
		{kind: pair, name: "dotF32BF16", x: "float32", y: "BF16", result: "float32"},
		{kind: pair, name: "dotF32I8", x: "float32", y: "int8", result: "float32"},
		{kind: pair, name: "dotF32U8", x: "float32", y: "uint8", result: "float32"},
		{kind: pair, name: "l2F32F16", x: "float32", y: "F16", result: "float32"},
		{kind: pair, name: "l2F32BF16", x: "float32", y: "BF16", result: "float32"},
		{kind: pair, name: "l2F32I8", x: "float32", y: "int8", result: "float32"},
		{kind: pair, name: "l2F32U8", x: "float32", y: "uint8", result: "float32"},
		{kind: pair, name: "cosineF32F16", x: "float32", y: "F16", result: "float32",
			squares: "kernels.DotF32 DotF16"},
		{kind: pair, name: "cosineF32BF16", x: "float32", y: "BF16", result: "float32",
			squares: "kernels.DotF32 DotBF16"},
		{kind: pair, name: "cosineF32I8", x: "float32", y: "int8", result: "float32",
			squares: "kernels.DotF32 dotWidenedLong"},
		{kind: pair, name: "cosineF32U8", x: "float32", y: "uint8", result: "float32",
			squares: "kernels.DotF32 dotWidenedLong"},
		{kind: convert, name: "f16FromF32", x: "F16", y: "float32", lanes: 16},
		{kind: convert, name: "f32FromF16", x: "float32", y: "F16", lanes: 16},
		{kind: convert, name: "bF16FromF32", x: "BF16", y: "float32", lanes: 16},
		{kind: convert, name: "f32FromBF16", x: "float32", y: "BF16", lanes: 16},
		{kind: largest, name: "scaleI8", x: "float32", result: "float32", lanes: 16},
		{kind: convert, name: "quantizeI8", x: "int8", y: "float32", scale: true, lanes: 16},
		{kind: convert, name: "dequantizeI8", x: "float32", y: "int8", scale: true, lanes: 16},
		{kind: convert, name: "signBits", x: "uint64", y: "float32", lanes: 64},
	}},
}

// A tier describes an assembly function: the suffix of its name, and the condition under which it
// is called.
type tier struct{ Suffix, When string }

// Tiers returns the architecture's tiers in the order in which the dispatch tests them.
func (k kernel) Tiers() []tier {
	switch k.arch {
	case "amd64":
		return []tier{{"AVX512", "cpu.UseAVX512"}, {"AVX2", "cpu.UseAVX2"}}
	case "arm64":
		neon := tier{"NEON", "cpu.UseNEON"}
		if k.sdot {
			return []tier{{"SDOTNEON", "cpu.UseSDOT"}, neon}
		}
		return []tier{neon}
	}
	return nil
}

func (k kernel) Package() string { return k.pkg }
func (k kernel) Kind() string    { return k.kind }
func (k kernel) Name() string    { return k.name }
func (k kernel) Arch() string    { return k.arch }
func (k kernel) X() string       { return k.x }
func (k kernel) Result() string  { return k.result }
func (k kernel) Lanes() int      { return k.lanes }
func (k kernel) Scale() bool     { return k.scale }

// Feature is the macro of dispatch_amd64.h for the feature that the avx512 code requires.
func (k kernel) Feature() string {
	if k.needs == "" {
		return "AVX512"
	}
	return k.needs
}

// Arguments is the size of the arguments and results of assembly for two vectors.
func (k kernel) Arguments() int {
	switch k.result {
	case "float32":
		return 28
	case "float64", "int64":
		return 32
	}
	return 40 // two results
}

// Doc is the comment of the exported function. It is empty if that function is not generated.
func (k kernel) Doc() string {
	if docs[k.Exported()] == "" {
		return ""
	}
	return "// " + strings.ReplaceAll(strings.ReplaceAll(docs[k.Exported()], "\n", "\n// "), "// \n", "//\n")
}

// A and B are the names of the exported function's vectors. Vectors of two types are a query and a
// row.
func (k kernel) A() string {
	if k.y == "" {
		return "x"
	}
	return "q"
}

func (k kernel) B() string {
	if k.y == "" {
		return "y"
	}
	return "x"
}

func (k kernel) Exported() string { return strings.ToUpper(k.name[:1]) + k.name[1:] }

// Pair returns a list of two parameters, for example "x, y *float64" with the prefix "*".
func (k kernel) Pair(x, y, prefix string) string {
	if k.y == "" {
		return x + ", " + y + " " + prefix + k.x
	}
	return x + " " + prefix + k.x + ", " + y + " " + prefix + k.y
}

// Sums reports whether the result is the sum over blocks.
func (k kernel) Sums() bool {
	return k.kind == pair && k.squares == "" && !strings.HasPrefix(k.result, "(")
}

// Squares returns the two functions in squares, or none.
func (k kernel) Squares() []string { return strings.Fields(k.squares) }

// Dot is the function that computes the product of a cosine, and CosineOf the function that
// divides.
func (k kernel) Dot() string {
	if k.y == "" {
		return k.Squares()[0]
	}
	return "Dot" + strings.TrimPrefix(k.name, "cosine")
}

func (k kernel) CosineOf() string {
	if k.result == "float64" {
		return "cosineOfF64"
	}
	return "cosineOf"
}

// Per is the number of src elements per dst element, as a divisor: "/64", or empty for 1.
func (k kernel) Per() string {
	if k.x == "uint64" {
		return "/64"
	}
	return ""
}

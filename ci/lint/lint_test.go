package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// good is a project without problems.
var good = map[string]string{
	"internal/cpu/cpu_amd64.go": `package cpu

import "github.com/klauspost/cpuid/v2"

var a = cpuid.CPU.Supports(cpuid.AVX, cpuid.AVX2, cpuid.FMA3)
var b = cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.AVX512BW)
var c = cpuid.CPU.Has(cpuid.AVX512VBMI)
`,
	"go.mod": "module toy\n\ngo 1.26\n",
	"kernels/kernels_toy_generic.go": `package kernels

import "math"

const limit = 1 << 16

var one = math.Pi

type pair struct{ first, second int64 }

func addGeneric(x, y []float64) {}

func subGeneric(x, y []float64) {}
`,
	"kernels/kernels_toy_noasm.go": `//go:build purego || !(amd64 || arm64)

package kernels

func add(x, y []float64) {}

func sub(x, y []float64) {}
`,
	"kernels/kernels_toy_amd64.go": `package kernels

//go:noescape
func addAVX2(x, y []float64)

//go:noescape
func addAVX512(x, y []float64)

func add(x, y []float64) { addAVX2(x, y) }

//go:noescape
func sub(x, y []float64)

//go:noescape
func subAVX2(x, y []float64)
`,
	"kernels/kernels_toy_arm64.go": `package kernels

//go:noescape
func addNEON(x, y []float64)

func add(x, y []float64) { addNEON(x, y) }

func sub(x, y []float64) { subGeneric(x, y) }
`,
	"kernels/kernels_toy_amd64.s": `//go:build !purego

#include "go_asm.h"
#include "textflag.h"

#define sum Y3

// func addAVX2(x, y []float64)
// Requires: AVX2, FMA3
TEXT ·addAVX2(SB), NOSPLIT, $0-48
	MOVQ x_base+0(FP), SI
	CMPQ x_len+8(FP), $const_limit
	JGT  long
	TESTQ SI, SI
	JEQ  done
	VMOVUPD (SI), Y0
	VFMADD231PD (SI), Y0, sum // sum += x[i]·x[i]
	VMOVUPD sum, (SI)
	VZEROUPPER

done:
	RET

long:
	JMP ·addLong(SB)

// func sub(x, y []float64)
TEXT ·sub(SB), NOFRAME, $0-48
	CMPB other∕module∕cpu·UseAVX2(SB), $0
	JEQ 2(PC)
	JMP ·subAVX2(SB)
	JMP ·subGeneric(SB)
	CALL ·subGeneric(SB)

// func subAVX2(x, y []float64)
// Requires: AVX2
TEXT ·subAVX2(SB), NOSPLIT, $0-48
	VMOVSD X0, 8(SI)
	VMOVSD X0, pair_second(SI)
	RET
`,
	"kernels/kernels_toy_avx512_amd64.s": `//go:build !purego

#include "textflag.h"

// func addAVX512(x, y []float64)
// Requires: AVX-512 F, DQ
TEXT ·addAVX512(SB), NOSPLIT, $0-48
	MOVQ x_base+0(FP), SI
#include "toy_avx512_amd64.h"
	VMOVUPD.Z (SI), K1, Z0
	VZEROUPPER
	RET
`,
	"kernels/toy_avx512_amd64.h": strings.Repeat("\n", 50) + "\tKXNORB K1, K1, K1\n",
	"kernels/neon_arm64.h": `#define VFADDD2(m, n, d) WORD $(0x4e60d400 | m<<16 | n<<5 | d) // fadd Vd.2d, Vn.2d, Vm.2d
#define VSSHRD2(i, n, d) WORD $(0x4f000400 | (128-i)<<16 | n<<5 | d) // sshr Vd.2d, Vn.2d, #i
#define VFABSD2(n, d) WORD $(0x4ee0f800 | n<<5 | d) // fabs Vd.2d, Vn.2d
`,
	"kernels/kernels_toy_arm64.s": `//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func addNEON(x, y []float64)
// Requires: NEON
TEXT ·addNEON(SB), NOSPLIT, $0-48
	MOVD x_base+0(FP), R0
	FLDPQ (R0), (F0, F1)
	VFADDD2(0, 1, 2)
	VSSHRD2(3, 1, 2)
	VFABSD2(1, 2)
	WORD $0x4e61d402 // fadd v2.2d, v0.2d, v1.2d
	RET
`,
	"rank/read.go": `package rank

var a, _ = text.ParseNumber(s, 64)

var b, _ = strconv.ParseInt(s, 10, 64)

var c, _ = strconv.ParseFloat(strconv.FormatFloat(a, 'g', 12, 64), 64)
`,
	"kernels/toy_test.go": "package kernels\n\nvar _ = register(entry{name: \"Add\"}, toyEntry(\"sub\", subGeneric))\n",
	"fuzz/toy_test.go": `package fuzz

func FuzzAdd() {}

func FuzzSub() {}

func TestSub(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) { t.Error(sub(name)) })
	}
}
`,
	"bench/toy_test.go":             "package bench\n\n// BenchmarkToy times Add and Sub.\nfunc BenchmarkToy() {}\n",
	"kernels/shared_amd64.h":        "// a header of two packages\n",
	"internal/order/shared_amd64.h": "// a header of two packages\n",
	"internal/order/neon_arm64.h": `#define VFABSD2(n, d) WORD $(0x4ee0f800 | n<<5 | d) // fabs Vd.2d, Vn.2d
`,
	"internal/order/toy_arm64.h": "VFABSD2(1, 2)\n",
	"kernels/testdata/stray.s":   "not assembly of the project\n",
}

// Each case changes one place of the good project. The lint must report exactly one problem, which
// contains want.
var bad = []struct{ name, file, old, new, want string }{
	{"avx512 in avx2", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0", "VMOVUPD (SI), Z0", "requires AVX512F"},
	{"high register in avx2", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0", "VMOVUPD (SI), Y16",
		"requires AVX512F"},
	{"mask in avx2", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0", "VMOVUPD (SI), K1, Y0", "requires AVX512F"},
	{"vbmi2 in avx512", "kernels/kernels_toy_avx512_amd64.s", "VMOVUPD.Z (SI), K1, Z0", "VPCOMPRESSB Z0, K1, Z1",
		"VPCOMPRESSB is not in the lint's table"},
	{"vnni in avx512", "kernels/kernels_toy_avx512_amd64.s", "VMOVUPD.Z (SI), K1, Z0", "VPDPBUSD Z0, Z1, Z2",
		"VPDPBUSD Z0, Z1, Z2 requires AVX512VNNI, which is not detected"},
	{"unsaid vbmi", "kernels/kernels_toy_avx512_amd64.s", "VMOVUPD.Z (SI), K1, Z0",
		"VMOVUPD.Z (SI), K1, Z0\n\tVPERMB Z0, Z0, Z0", "addAVX512 uses AVX512VBMI"},
	{"vbmi in avx2", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0", "VPERMB Y0, Y0, Y0", "requires AVX512VBMI"},
	{"vnni in a header", "kernels/toy_avx512_amd64.h", "KXNORB K1, K1, K1", "VPDPBUSD Z0, Z1, Z2",
		"toy_avx512_amd64.h:51: addAVX512: VPDPBUSD"},
	{"undetected bmi2", "kernels/kernels_toy_amd64.s", "TESTQ SI, SI", "BZHIQ AX, SI, SI", "requires BMI2"},
	{"undetected popcnt", "kernels/kernels_toy_amd64.s", "TESTQ SI, SI", "POPCNTQ AX, SI", "requires POPCNT"},
	{"fma not detected", "internal/cpu/cpu_amd64.go", ", cpuid.FMA3", "", "requires FMA3"},
	{"legacy sse", "kernels/kernels_toy_amd64.s", "VMOVSD X0, 8(SI)", "MOVSD X0, 8(SI)",
		"MOVSD is not in the lint's table"},
	{"legacy sse under a name of the base", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0",
		"VMOVUPD (SI), Y0\n\tMOVQ SI, X1", "MOVQ SI, X1 is SSE"},
	{"requires too little", "kernels/kernels_toy_amd64.s", "// Requires: AVX2, FMA3", "// Requires: AVX2",
		`"Requires:" does not name it`},
	{"requires nothing", "kernels/kernels_toy_avx512_amd64.s", "// Requires: AVX-512 F, DQ\n", "",
		`no line "Requires:`},
	{"requires too little of avx512", "kernels/kernels_toy_avx512_amd64.s", "AVX-512 F, DQ", "AVX-512 F",
		"addAVX512 uses AVX512DQ"},
	{"no vzeroupper", "kernels/kernels_toy_avx512_amd64.s", "\tVZEROUPPER\n", "", "returns without VZEROUPPER"},
	{"vzeroupper on one path only", "kernels/kernels_toy_amd64.s", "\tVMOVUPD sum, (SI)\n",
		"\tVMOVUPD sum, (SI)\n\tTESTQ SI, SI\n\tJEQ  done\n", "returns without VZEROUPPER"},
	{"vzeroupper too early", "kernels/kernels_toy_avx512_amd64.s", "VZEROUPPER\n", "VZEROUPPER\n\tVPXORQ Z1, Z1, Z1\n",
		"returns without VZEROUPPER"},
	{"no return", "kernels/kernels_toy_avx512_amd64.s", "\tRET\n", "", "runs past its end"},
	{"tail call", "kernels/kernels_toy_avx512_amd64.s", "\tRET\n", "\tJMP ·subAVX2(SB)\n", "leaves the function"},
	{"tail call in between", "kernels/kernels_toy_avx512_amd64.s", "\tVZEROUPPER\n\tRET\n", "\tJMP ·addGeneric(SB)\n",
		"leaves the function"},
	{"dispatch to another kernel", "kernels/kernels_toy_amd64.s", "JMP ·subGeneric(SB)", "JMP ·addGeneric(SB)",
		"sub leaves the function by JMP"},
	{"dispatch that does more", "kernels/kernels_toy_amd64.s", "\tJEQ 2(PC)\n", "\tJEQ 2(PC)\n\tVMOVD AX, X0\n",
		"sub: VMOVD AX, X0 requires AVX2"},
	{"frame pointer", "kernels/kernels_toy_amd64.s", "MOVQ x_base+0(FP), SI",
		"MOVQ x_base+0(FP), BP\n\tMOVQ x_base+0(FP), SI", "uses BP"},
	{"address in R14", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0", "VMOVUPD 8(SI)(R14*8), Y0", "uses R14"},
	{"byte of R15", "kernels/kernels_toy_amd64.s", "TESTQ SI, SI", "TESTB AX, R15", "uses R15"},
	{"platform register", "kernels/kernels_toy_arm64.s", "MOVD x_base+0(FP), R0",
		"MOVD x_base+0(FP), R0\n\tMOVD R0, R18_PLATFORM", "the platform register"},
	{"goroutine on arm64", "kernels/kernels_toy_arm64.s", "MOVD x_base+0(FP), R0",
		"MOVD x_base+0(FP), R0\n\tMOVD R0, g", "the goroutine"},
	{"armv8.1 instruction", "kernels/kernels_toy_arm64.s", "MOVD x_base+0(FP), R0",
		"MOVD x_base+0(FP), R0\n\tLDADDD R1, (R0), R2", "LDADDD is not in the lint's table"},
	{"wrong word", "kernels/kernels_toy_arm64.s", "$0x4e61d402", "$0x4e61d403",
		"is not \"fadd v2.2d, v0.2d, v1.2d\", which is $0x4e61d402"},
	{"word without mnemonic", "kernels/kernels_toy_arm64.s", " // fadd v2.2d, v0.2d, v1.2d", "", "expected WORD $0x"},
	{"word of no instruction", "kernels/kernels_toy_arm64.s", "// fadd v2.2d, v0.2d, v1.2d",
		"// fad v2.2d, v0.2d, v1.2d", "unknown mnemonic"},
	{"word beyond armv8.0", "kernels/kernels_toy_arm64.s", "// fadd v2.2d, v0.2d, v1.2d", "// fadd v2.8h, v0.8h, v1.8h",
		"does not support"},
	{"macro with the wrong code", "kernels/neon_arm64.h", "0x4e60d400", "0x4e20d400", "is not \"fadd V0.2d"},
	{"macro with operands swapped", "kernels/neon_arm64.h", "m<<16 | n<<5 | d) // fadd", "n<<16 | m<<5 | d) // fadd",
		"is not \"fadd"},
	{"macro with a wrong immediate", "kernels/neon_arm64.h", "(128-i)", "(127-i)", "is not \"sshr"},
	{"macro of another package", "internal/order/neon_arm64.h", "n<<5 | d", "d | n<<5",
		"another package defines #define VFABSD2"},
	{"unused macro", "kernels/kernels_toy_arm64.s", "\tVFABSD2(1, 2)\n", "", "the package does not use VFABSD2"},
	{"macro without mnemonic", "kernels/neon_arm64.h", " // fadd Vd.2d, Vn.2d, Vm.2d", "", "expected WORD $0x"},
	{"macro whose mnemonic ignores a parameter", "kernels/neon_arm64.h", "Vn.2d, Vm.2d\n", "Vn.2d, Vn.2d\n",
		"does not use its parameter m"},
	{"no size of arguments", "kernels/kernels_toy_amd64.s", "TEXT ·addAVX2(SB), NOSPLIT, $0-48",
		"TEXT ·addAVX2(SB), NOSPLIT, $0", "not explicit"},
	{"may split the stack", "kernels/kernels_toy_amd64.s", "TEXT ·addAVX2(SB), NOSPLIT, $0-48",
		"TEXT ·addAVX2(SB), 0, $0-48", "not NOSPLIT"},
	{"a dispatch that does not stop", "kernels/kernels_toy_amd64.s", "TEXT ·sub(SB), NOFRAME",
		"TEXT ·sub(SB), NOSPLIT", "sub must be NOFRAME"},
	{"no build tag", "kernels/kernels_toy_amd64.s", "//go:build !purego\n", "\n", "must be //go:build !purego"},
	{"stale declaration", "kernels/kernels_toy_amd64.s", "// func addAVX2(x, y []float64)",
		"// func addAVX2(x []float64)", "does not contain the Go declaration"},
	{"no noescape", "kernels/kernels_toy_arm64.go", "//go:noescape\n", "", "no //go:noescape"},
	{"no reference", "kernels/kernels_toy_generic.go", "func subGeneric", "func difGeneric", "sub has no reference"},
	{"no entry", "kernels/toy_test.go", `toyEntry("sub", subGeneric)`, "entry{call: subGeneric}",
		"Sub has no entry in the table"},
	{"no fuzz target", "fuzz/toy_test.go", "func FuzzSub() {}", "", "Sub has no fuzz target"},
	{"no benchmark", "bench/toy_test.go", " and Sub", "", "Sub has no benchmark"},
	{"order of the reference", "kernels/kernels_toy_generic.go",
		"func addGeneric(x, y []float64) {}\n\nfunc subGeneric(x, y []float64) {}",
		"func subGeneric(x, y []float64) {}\n\nfunc addGeneric(x, y []float64) {}",
		"addGeneric must be before subGeneric"},
	{"order of the dispatch", "kernels/kernels_toy_arm64.go",
		"func add(x, y []float64) { addNEON(x, y) }\n\nfunc sub(x, y []float64) { subGeneric(x, y) }",
		"func sub(x, y []float64) { subGeneric(x, y) }\n\nfunc add(x, y []float64) { addNEON(x, y) }",
		"add must be before sub"},
	{"copy of a header", "internal/order/shared_amd64.h", "two", "one", "differs from kernels/shared_amd64.h, of which it must be a copy: run go generate ./internal/order"},
	{"lines of many instructions", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0",
		strings.Repeat("NOP;", 20), "30 instructions come from 11 source lines"},
	{"wide comment", "bench/toy_test.go", "times Add and Sub.", "times Add and Sub" + strings.Repeat(" and Add", 10) +
		".",
		"bench/toy_test.go:3: the line has 114 columns; the limit is 100"},
	{"wide code", "bench/toy_test.go", "{}", "{ _ = 1" + strings.Repeat(" + 1", 30) + "}",
		"the line has 148 columns; the limit is 120"},
	{"distance of a prefetch", "kernels/kernels_toy_amd64.s", "VMOVUPD (SI), Y0", "PREFETCHT0 (4096+64)(SI)",
		"a prefetch distance must be"},
	{"a parser of floats", "rank/read.go", "text.ParseNumber(s, 64)", "strconv.ParseFloat(s, 64)",
		"rank/read.go:3: strconv.ParseFloat accepts other numbers"},
	{"a parser of any base", "rank/read.go", "s, 10, 64", "s, 0, 64", "rank/read.go:5: strconv.ParseInt accepts other"},
	{"a scan", "rank/read.go", "text.ParseNumber(s, 64)", "fmt.Sscan(s, &v)", "rank/read.go:3: fmt.Sscan accepts"},
	{"an append of another name", "rank/read.go", "var a", "func Row(dst []int) []int { return dst }\n\nvar a",
		"rank/read.go:3: Row: a function that appends to dst"},
	{"a case without a subtest", "fuzz/toy_test.go", "t.Run(name, func(t *testing.T) { t.Error(sub(name)) })",
		"t.Error(sub(name))", "fuzz/toy_test.go:8: a loop over test cases must call t.Run"},
	{"macro that outlives its function", "kernels/kernels_toy_amd64.s", "\n// func sub(",
		"\n#define late Y4\n\n// func sub(", "macros are still defined: late"},
	{"macro that a header leaves", "kernels/toy_avx512_amd64.h", "\tKXNORB", "#define late Y4\n\tKXNORB",
		"kernels_toy_avx512_amd64.s: at the end of the file: macros are still defined: late"},
	{"macro that a function clears", "kernels/kernels_toy_amd64.s", "\n// func sub(",
		"\n#undef sum\n#define total Y3\n#undef total\n\n// func sub(", "macros are no longer defined: sum"},
	{"too many macros", "kernels/kernels_toy_amd64.s", "#define sum Y3", "#define sum Y3\n" + macros(30),
		"31 macros are defined"},
	{"argument as scratch", "kernels/kernels_toy_amd64.s", "MOVQ x_base+0(FP), SI",
		"MOVQ SI, x_base+0(FP)", "addAVX2: MOVQ stores to the argument x_base"},
	{"argument counted down", "kernels/kernels_toy_amd64.s", "MOVQ x_base+0(FP), SI",
		"DECQ x_len+8(FP)", "addAVX2: DECQ stores to the argument x_len"},
	{"far relative jump", "kernels/kernels_toy_amd64.s", "JEQ  done", "JEQ 4(PC)", "a jump by 4(PC)"},
	{"backward relative jump", "kernels/kernels_toy_amd64.s", "JEQ  done", "JEQ -1(PC)", "a jump by -1(PC)"},
	{"the goroutine on amd64", "kernels/kernels_toy_amd64.s", "MOVQ x_base+0(FP), SI", "MOVQ (TLS), SI",
		"runtime structures"},
	{"no comment for long", "kernels/toy_avx512_amd64.h", "\tKXNORB K1, K1, K1\n",
		strings.Repeat("\tKXNORB K1, K1, K1\n", 9),
		"toy_avx512_amd64.h:59: more than 8 instructions in a row without a comment"},
	{"form of a register map", "kernels/kernels_toy_amd64.s", "// Requires: AVX2, FMA3\n",
		"// Requires: AVX2, FMA3\n// Registers: SI x; Y0: an element.\n", `the entry "SI x"`},
	{"registers without names", "kernels/toy_avx512_amd64.h", "\tKXNORB K1, K1, K1\n",
		strings.Repeat("\tKXNORB K1, K1, K1 // K1 = 1\n", 100), "104 instructions but names only 0"},
	{"a call", "kernels/kernels_toy_amd64.s", "TESTQ SI, SI", "CALL ·subAVX2(SB)", "CALL is not in the lint's table"},
}

// macros defines n macros.
func macros(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "#define unused%d %d\n", i, i)
	}
	return b.String()
}

func TestGood(t *testing.T) {
	if found := run(t, good, nil); len(found) > 0 {
		t.Errorf("the good project: %q", found)
	}
}

func TestBad(t *testing.T) {
	for _, c := range bad {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(good[c.file], c.old) {
				t.Fatalf("%s does not hold %q", c.file, c.old)
			}
			found := run(t, good, map[string]string{c.file: strings.Replace(good[c.file], c.old, c.new, 1)})
			if len(found) != 1 || !strings.Contains(found[0], c.want) {
				t.Errorf("found %q, want one problem that says %q", found, c.want)
			}
		})
	}
}

// A file with a wrong name, folder or kernel may cause several problems. The lint must report at
// least one.
func TestStray(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"assembly elsewhere", "rank/fast_amd64.s", "", "assembly belongs in kernels, "},
		{"name of no tier", "kernels/kernels_toy_riscv64.s", "", "the name must end in"},
		{"no set", "kernels/kernels_lost_amd64.s", "//go:build !purego\n", "no kernels_lost_noasm.go"},
		{"unknown kernel", "kernels/kernels_toy_arm64.s",
			"//go:build !purego\n\n#include \"textflag.h\"\n\n// Requires: NEON\nTEXT ·mulNEON(SB), NOSPLIT, $0-0\n\tRET\n", "mulNEON implements no kernel"},
		{"wrong tier", "kernels/kernels_toy_arm64.s",
			"//go:build !purego\n\n#include \"textflag.h\"\n\n// Requires: NEON\nTEXT ·addAVX2(SB), NOSPLIT, $0-0\n\tRET\n", "must end in NEON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if found := run(t, good, map[string]string{c.file: c.text}); !strings.Contains(strings.Join(found, "\n"),
				c.want) {
				t.Errorf("found %q, want one problem that says %q", found, c.want)
			}
		})
	}
}

// If a kernel has no assembly on arm64, its Go code for arm64 and other architectures is in one
// file.
func TestNoNEON(t *testing.T) {
	const sub = "\nfunc sub(x, y []float64) {}\n"
	const onARM = "\nfunc sub(x, y []float64) { subGeneric(x, y) }\n"
	changed := map[string]string{
		"kernels/kernels_toy_noasm.go":  strings.Replace(good["kernels/kernels_toy_noasm.go"], sub, "", 1),
		"kernels/kernels_toy_noneon.go": "//go:build purego || !amd64\n\npackage kernels\n" + sub,
		"kernels/kernels_toy_arm64.go":  strings.Replace(good["kernels/kernels_toy_arm64.go"], onARM, "", 1),
	}
	if found := run(t, good, changed); len(found) > 0 {
		t.Errorf("found %q", found)
	}
	changed["kernels/kernels_toy_noneon.go"] += "\nfunc mul(x, y []float64) {}\n"
	if found := run(t, good, changed); !strings.Contains(strings.Join(found, "\n"), "mul has no reference") {
		t.Errorf("found %q, want one problem that says that mul has no reference", found)
	}
}

// run lints a project that consists of the given files. Files of the second map replace files of
// the first.
func run(t *testing.T, files, changed map[string]string) []string {
	t.Helper()
	needs(t)
	root := t.TempDir()
	for _, m := range []map[string]string{files, changed} {
		for name, text := range m {
			path := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := lint(root, false)
	if err != nil {
		t.Fatal(err)
	}
	return p.found
}

// needs skips a test if a tool is missing. In CI, the test fails instead.
func needs(t *testing.T) {
	if testing.Short() {
		t.Skip("the lint reads the same on every architecture: not run in short mode")
	}
	for _, tool := range []string{"go", assembler} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skipf("needs %s: %v", tool, err)
		}
	}
}

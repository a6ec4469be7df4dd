//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/cli"
)

const root = "../.."

var (
	allFamilies = familyNames()
	allTiers    = []string{"generic", "avx2", "avx512", "neon"}
)

func TestMutateAssembly(t *testing.T) {
	for _, c := range []struct {
		arch, code string
		want       []string // what the instruction becomes, in order
	}{
		{"amd64", "\tVSUBPD Y1, Y15, Y2 // difference",
			[]string{"(deleted)", "VADDPD Y1, Y15, Y2", "VSUBPD Y2, Y15, Y2", "VSUBPD Y1, Y0, Y2", "VSUBPD Y1, Y15, Y3",
				"VSUBPD Y15, Y1, Y2"}},
		{"amd64", "\tVMULPD X0, X1, X1", []string{"(deleted)", "VADDPD X0, X1, X1", "VMULPD X1, X1, X1",
			"VMULPD X0, X2, X1", "VMULPD X0, X1, X2"}},
		{"amd64", "#define sum Y15 // Σ x\n\tVMOVUPD (SI), sum\n#undef sum\n\tVMOVUPD (SI), sum",
			[]string{"(deleted)", "VMOVUPD (DI), sum", "VMOVUPD (SI), Y0", "VMOVUPD sum, (SI)",
				"(deleted)", "VMOVUPD (DI), sum", "VMOVUPD sum, (SI)"}},
		{"amd64", "loop: JLT done", []string{"(deleted)", "JLE done"}},
		{"amd64", "\tCMPQ AX, $917504; CMPQ a_len+32(FP), $(4<<20); CMPL AX, $(TO-FROM-1)", nil},
		{"amd64", "\tLEAL (8*LANES-FROM-1)(DX), AX", nil},
		{"amd64", "\tCMPB INTEL, $0; JNE single", nil},
		{"amd64", "\tVPXOR Y2, Y2, Y2", []string{"(deleted)", "VPOR Y2, Y2, Y2", "VPXOR Y2, Y2, Y3"}},
		{"amd64", "\tXORL AX, AX", []string{"(deleted)", "ORL AX, AX", "XORL AX, BX"}},
		{"amd64", "\tVPTERNLOGD $0xff, Z2, Z2, Z2", []string{"(deleted)", "VPTERNLOGD $0xff, Z2, Z2, Z3"}},
		{"arm64", "\tVEOR V9.B16, V9.B16, V9.B16", []string{"(deleted)", "VORR V9.B16, V9.B16, V9.B16",
			"VEOR V9.B16, V9.B16, V10.B16"}},
		{"amd64", "\tVPSRAD $31, Y2, Y3", []string{"(deleted)", "VPSRLD $31, Y2, Y3", "VPSRAD $30, Y2, Y3",
			"VPSRAD $31, Y3, Y3", "VPSRAD $31, Y2, Y4"}},
		{"amd64", "\tVCMPPS $3, Z4, Z4, K2", []string{"(deleted)", "VCMPPS $2, Z4, Z4, K2",
			"VCMPPS $3, Z5, Z4, K2", "VCMPPS $3, Z4, Z5, K2", "VCMPPS $3, Z4, Z4, K3"}},
		{"amd64", "\tCMPL AX, $(4096-V)", []string{"(deleted)", "CMPL BX, $(4096-V)", "CMPL AX, $(4097-V)",
			"CMPL AX, $(4095-V)"}},
		{"amd64", "#define TO 5120", nil},
		{"amd64", "\tVCVTSI2SDQ AX, X15, X15", []string{"(deleted)", "VCVTSI2SDQ BX, X15, X15",
			"VCVTSI2SDQ AX, X15, X0", "VCVTSI2SDQ X15, AX, X15"}},
		{"amd64", "\tADDQ $0x10, R13", []string{"(deleted)", "SUBQ $0x10, R13", "ADDQ $0x11, R13", "ADDQ $0xf, R13",
			"ADDQ $0x10, AX"}},
		{"amd64", "\tLEAQ 16(SI)(DX*8), R8", []string{"(deleted)", "LEAQ 24(SI)(DX*8), R8", "LEAQ 16(DI)(DX*8), R8",
			"LEAQ 16(SI)(SI*8), R8", "LEAQ 16(SI)(DX*4), R8", "LEAQ 16(SI)(DX*8), R9", "LEAQ R8, 16(SI)(DX*8)"}},
		{"amd64", "\tVMOVUPD.Z (SI), K7, Y0",
			[]string{"(deleted)", "VMOVUPD (SI), K7, Y0", "VMOVUPD.Z (DI), K7, Y0", "VMOVUPD.Z (SI), K1, Y0",
				"VMOVUPD.Z (SI), K7, Y1", "VMOVUPD.Z K7, (SI), Y0"}},
		{"amd64", "\tMOVQ x_len+8(FP), DX", []string{"(deleted)", "MOVQ x_len+8(FP), SI"}},
		{"amd64", "\tPREFETCHT0 64(SI); PCALIGN $16; VZEROUPPER; RET", nil},
		{"amd64", "#include \"textflag.h\"\nTEXT ·f(SB), NOSPLIT, $0-8", nil},
		{"amd64", "DATA mask<>+0x08(SB)/8, $0x7",
			[]string{"DATA mask<>+0x08(SB)/8, $0x8", "DATA mask<>+0x08(SB)/8, $0x6"}},
		{"amd64", "#define SIZE 8", []string{"9", "7"}},
		{"arm64", "#define HALF(x) VFMLA V31.D2, x.D2, V1.D2",
			[]string{"(deleted)", "VFMLS V31.D2, x.D2, V1.D2", "VFMLA V0.D2, x.D2, V1.D2",
				"VFMLA V31.D2, x.D2, V2.D2"}},
		{"arm64", "\tCSET GE, R17", []string{"(deleted)", "CSET GT, R17", "CSET GE, R0", "CSET R17, GE"}},
		{"arm64", "\tTBZ $0, R2, left", []string{"(deleted)", "TBNZ $0, R2, left", "TBZ $1, R2, left",
			"TBZ $0, R3, left"}},
	} {
		t.Run(c.code, func(t *testing.T) {
			var got []string
			for _, m := range mutateAssembly(c.arch, false, c.code+"\n") {
				got = append(got, m.to)
				if after := c.code[:m.start] + m.text + c.code[m.end:]; m.to != "(deleted)" &&
					!strings.Contains(normal(after), m.to) {
					t.Errorf("the edit gives %q, not %q", after, m.to)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q:\n got %q\nwant %q", c.code, got, c.want)
			}
		})
	}
}

// The branch after an iteration of several elements is replaced by its opposite, and every other
// branch by its neighbor.
func TestBranches(t *testing.T) {
	for code, want := range map[string]string{
		"\tSUBQ $16, CX\n\tJGE loop": "JLT loop", "\tADDQ $(3*LANES), DX; JLE done": "JGT done",
		"\tSUBS $4, R2\n\tBLT left": "BGE left",
		"\tSUBQ $1, CX\n\tJGE loop": "JGT loop", "\tDECQ CX\n\tJGE loop": "JGT loop",
		"\tCMPQ CX, $16\n\tJGE loop": "JGT loop", "\tSUBQ DX, CX\n\tJGE loop": "JGT loop",
		"\tSUBQ $16, CX\n\tJHI loop": "JCC loop",
	} {
		t.Run(code, func(t *testing.T) {
			var got []string
			for _, m := range mutateAssembly("amd64", false, code+"\n") {
				if strings.HasPrefix(m.from, "J") || strings.HasPrefix(m.from, "B") {
					got = append(got, m.to)
				}
			}
			if !slices.Equal(got, []string{"(deleted)", want}) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// The name of a place is the name of a function, a table, or a macro with all of its lines.
func TestAssemblyFunctions(t *testing.T) {
	const code = "#define MACRO(x) \\\n\tADDQ AX, x; \\\n\tINCQ x\nDATA table<>+8(SB)/8, $3\nTEXT ·f(SB), NOSPLIT, $0-0\n\tDECQ AX\n#undef MACRO\n\tNEGQ AX\n"
	got := map[string]string{}
	for _, m := range mutateAssembly("amd64", false, code) {
		got[m.from] = m.function
	}
	for from, function := range map[string]string{"ADDQ AX, x": "MACRO", "INCQ x": "MACRO",
		"DATA table<>+8(SB)/8, $3": "table<>", "DECQ AX": "f", "NEGQ AX": "f"} {
		if got[from] != function {
			t.Errorf("%s belongs to %q, not to %q", from, got[from], function)
		}
	}
}

func TestMutateGo(t *testing.T) {
	for code, want := range map[string][]string{
		"x = a < b":            {"(deleted)", "x = a <= b", "x = a >= b"},
		"if a == b { // equal": {"if !(a == b) {", "if a != b {"},
		"for i := 0; i < n; i += 4 {": {"for i := 1; i < n; i += 4 {", "for i := 0; i <= n; i += 4 {",
			"for i := 0; i >= n; i += 4 {", "for i := 0; i < n; i -= 4 {", "for i := 0; i < n; {",
			"for i := 0; i < n; i += 5 {", "for i := 0; i < n; i += 3 {"},
		"return a - b":             {"return a + b", "return b - a"},
		"return -x + y":            {"return -x - y", "return x + y"},
		"i++":                      {"i--"},
		"f(a, b)":                  {"(deleted)", "f(b, a)"},
		"return min(a, 0x7)":       {"return max(a, 0x7)", "return min(a, 0x8)", "return min(a, 0x6)"},
		"s := make([]int, n, 2*n)": nil,
		"x := .1":                  {"x := 0.10000000000000002"},
		"x := 0.0":                 {"x := 0.5"},
		"ok = true":                {"(deleted)", "ok = false"},
		"kern.RaceWrite(dst)":      nil,
		"return 0, n.errorf(s, 1)": {"return 0, n.errorf(1, s)", "return 0, n.errorf(s, 2)",
			"return 0, n.errorf(s, 0)"},
		"if cpu.UseAVX512 || !cpu.UseAVX2 {": nil,
		"if kern.Race { f(1, 2)":             nil,
		"x = slices.Grow(x, 2*n)":            {"(deleted)"},
		"w := bufio.NewWriterSize(f, 1<<16)": nil,
		"touchRows(bins, 1, 2)":              nil,
		"if a > 2*n && len(b) <= directLen {": {"if !(a > 2*n && len(b) <= directLen) {",
			"if a > 2*n || len(b) <= directLen {", "if a >= 2*n && len(b) <= directLen {",
			"if a <= 2*n && len(b) <= directLen {", "if a > 2/n && len(b) <= directLen {",
			"if a > 3*n && len(b) <= directLen {", "if a > 1*n && len(b) <= directLen {"},
		"if len(b) < directLen {": nil,
		"for i := 0; i < n; i += rowsOf(1<<17, a, b) {": {"for i := 1; i < n; i += rowsOf(1<<17, a, b) {",
			"for i := 0; i <= n; i += rowsOf(1<<17, a, b) {", "for i := 0; i >= n; i += rowsOf(1<<17, a, b) {",
			"for i := 0; i < n; i -= rowsOf(1<<17, a, b) {", "for i := 0; i < n; {"},
		"n, workers := 2, min(a, b)":   nil,
		"workers = 1":                  nil,
		"useAVX512 := has && n > 1":    nil,
		"s := dotF64(x, y)":            nil,
		`err := n.Only("a", "b", "c")`: nil,
		"s := math.FMA(x, y, z)":       {"s := math.FMA(x, z, y)"},
		"s := f.dotF64(x, y)":          {"s := f.dotF64(y, x)"},
		"s := a > kern.BlockLen":       {"s := a <= kern.BlockLen"},
		"s := a <= kern.BlockLen":      {"s := a < kern.BlockLen", "s := a > kern.BlockLen"},
		"if n > m && cpu.UseNEON {": {"if !(n > m && cpu.UseNEON) {", "if n > m || cpu.UseNEON {",
			"if n >= m && cpu.UseNEON {", "if n <= m && cpu.UseNEON {"},
		"return 1, err":                 {"return 2, err", "return 0, err"},
		"if err != nil { return 0, err": {"if !(err != nil) { return 0, err", "if err == nil { return 0, err"},
	} {
		t.Run(code, func(t *testing.T) {
			source := "package p\nfunc (t *T[K]) f() {\n\t" + code + "\n}\n"
			if strings.Contains(code, "{") {
				source += "}\n"
			}
			found, err := mutateGo("p.go", []byte(source))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range found {
				got = append(got, m.to)
				if m.function != "T.f" || m.line != 3 {
					t.Errorf("line %d of %s", m.line, m.function)
				}
				if after := source[:m.start] + m.text + source[m.end:]; m.to != "(deleted)" &&
					!strings.Contains(normal(after), strings.TrimSuffix(m.to, " {")) {
					t.Errorf("the edit gives %q, not %q", after, m.to)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q:\n got %q\nwant %q", code, got, want)
			}
		})
	}
}

// Every name in measured is a constant in the tree.
func TestMeasured(t *testing.T) {
	missing := map[string]bool{}
	for _, name := range measured {
		missing[name] = true
	}
	if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range aConstant.FindAllStringSubmatch(string(source), -1) {
			delete(missing, m[1])
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(missing) > 0 {
		t.Errorf("no constants: %v", missing)
	}
}

var aConstant = regexp.MustCompile(`(?m)^(?:const |\t)(\w+) += `)

func allMutations(t *testing.T) []*mutation {
	found, err := targets(root, allFamilies, allTiers)
	if err != nil {
		t.Fatal(err)
	}
	var all []*mutation
	for _, target := range found {
		ms, err := mutations(root, target)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ms...)
	}
	return all
}

// A seed selects the same mutants of the same tree, and another seed selects others. A line that is
// inserted above does not change the selection.
func TestDraw(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "vectors", "kernels_block_amd64.s"))
	if err != nil {
		t.Fatal(err)
	}
	first := func(source string, seed uint64) string {
		all := mutateAssembly("amd64", false, source)
		for _, m := range all {
			m.target = target{"vectors/kernels_block_amd64.s", &families[0], &tiers[1]}
		}
		draw(all, seed)
		var keys []string
		for _, m := range all[:100] {
			keys = append(keys, m.key())
		}
		return strings.Join(keys, "\n")
	}
	want := first(string(source), 1)
	if first(string(source), 1) != want {
		t.Error("the same seed draws others")
	}
	if first(string(source), 2) == want {
		t.Error("another seed draws the same")
	}
	if first(strings.Replace(string(source), "#include", "// one more line\n#include", 1), 1) != want {
		t.Error("a comment changes what is drawn")
	}
}

// Every file in the mutated directories belongs to one family and runs on a tier.
func TestFamilies(t *testing.T) {
	found, err := targets(root, allFamilies, allTiers)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, target := range found {
		if was, ok := of[target.path]; ok && was != target.family.name {
			t.Errorf("%s belongs to %s and to %s", target.path, was, target.family.name)
		}
		of[target.path] = target.family.name
	}
	dirs := map[string]bool{}
	for _, f := range families {
		for _, pattern := range f.files {
			dirs[filepath.Dir(pattern)] = true
		}
	}
	if err := fs.WalkDir(os.DirFS(root), "rank", func(path string, d fs.DirEntry, err error) error {
		dirs[path] = dirs[path] || err == nil && d.IsDir() && d.Name() != "testdata"
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for dir, mutated := range dirs {
		t.Run(dir, func(t *testing.T) {
			if !mutated {
				return
			}
			for _, end := range []string{"*.go", "*.s", "*.h"} {
				t.Run(end, func(t *testing.T) {
					paths, err := filepath.Glob(filepath.Join(root, dir, end))
					if err != nil {
						t.Fatal(err)
					}
					for _, path := range paths {
						path = filepath.Join(dir, filepath.Base(path))
						if _, ok := of[path]; !ok && !slices.ContainsFunc(notBuilt,
							func(end string) bool { return strings.HasSuffix(path, end) }) {
							t.Errorf("%s belongs to no family", path)
						}
					}
				})
			}
		})
	}
	for name, want := range map[string]string{"pair": "pair", "internal/ranksvm...": "ranksvm",
		"rank/lambdamart/...": "lambdamart"} {
		t.Run(name, func(t *testing.T) {
			found, err := targets(root, []string{name}, allTiers)
			if err != nil || len(found) == 0 || slices.ContainsFunc(found,
				func(t target) bool { return t.family.name != want }) {
				t.Errorf("%v, or not the files of %s", err, want)
			}
		})
	}
	for _, name := range []string{"rank/", "rnk/...", ""} {
		t.Run(name, func(t *testing.T) {
			if _, err := targets(root, []string{name}, allTiers); err == nil {
				t.Errorf("%q is accepted", name)
			}
		})
	}
}

// Every line of the list names a mutation of this tree. If code has changed, review its equivalents
// again.
func TestEquivalents(t *testing.T) {
	keys, err := parseEquivalents(listed)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range allMutations(t) {
		delete(keys, m.key())
	}
	for key := range keys {
		t.Errorf("equivalents.txt: mutation %q no longer exists", key)
	}
	for _, bad := range []string{"x.s: f: - A + B\n", "# reason\n\nx.s: f: - A + B\n",
		"# reason\nx.s: f: - A + B\nx.s: f: - A + B\n"} {
		t.Run(bad, func(t *testing.T) {
			if _, err := parseEquivalents(bad); err == nil {
				t.Errorf("%q is accepted", bad)
			}
		})
	}
}

// script writes a shell program that replaces a test program.
func script(t *testing.T, lines string) (r *runner, binary string) {
	binary = filepath.Join(t.TempDir(), "x.test")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+lines), 0o755); err != nil {
		t.Fatal(err)
	}
	return &runner{root: root}, binary
}

var aStage = stage{tier: &tiers[0], pkg: "ci/mutate"}

// A signal that ends the harness also ends the test program and its child processes.
func TestInterrupt(t *testing.T) {
	r, binary := script(t, "sleep 3600 & echo $! >$TMPDIR/new; mv $TMPDIR/new $TMPDIR/pid; wait\n")
	ctx := cli.Context()
	ended := make(chan error)
	go func() {
		_, err := r.test(ctx, aStage, binary, 0)
		ended <- err
	}()
	pid := 0
	for pid == 0 {
		text, _ := os.ReadFile(filepath.Join(filepath.Dir(binary), "pid"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		time.Sleep(time.Millisecond)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the test program ends with %v", err)
	}
	// The kernel may need a moment, and the new parent may not wait for the program. If the program
	// stayed alive, this test would wait for it.
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// A program that loops exceeds its limit of processor time. Waiting does not count towards the
// limit.
func TestLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes four seconds")
	}
	t.Run("loops", func(t *testing.T) {
		t.Parallel()
		r, binary := script(t, "while :; do :; done\n")
		_, err := r.test(t.Context(), aStage, binary, 0)
		if exit := exitError(err); exit == nil || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Errorf("ends with %v", err)
		}
	})
	t.Run("waits", func(t *testing.T) {
		t.Parallel()
		r, binary := script(t, "sleep 4\n")
		if took, err := r.test(t.Context(), aStage, binary, 0); err != nil || took > time.Second {
			t.Errorf("ends with %v after %v of processor time", err, took)
		}
	})
}

// The tests of a file are in the test file with the longest matching name.
func TestOwnTests(t *testing.T) {
	dir := t.TempDir()
	for name, source := range map[string]string{"a_test.go": "func TestA(t *testing.T) {", "b_test.go": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"a.go": "^(TestA)$", "a_b_c.go": "^(TestA)$", "ab.go": "", "b.go": "",
		"a.s": ""} {
		t.Run(name, func(t *testing.T) {
			if got := ownTests(filepath.Join(dir, name)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Programs from the same source have the same fingerprint, independent of the folder of their
// files. A different instruction changes the fingerprint.
func TestFingerprint(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	r := &runner{root: t.TempDir(), scratch: t.TempDir()}
	write := func(name, source string) {
		if err := os.WriteFile(filepath.Join(r.root, name), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n")
	write("m_test.go", "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { t.Log(f()) }\n")
	write("m.go", "package m\n\nfunc f() int\n")
	const text = "#define F(x) MOVQ $1, AX\nTEXT ·f(SB), 4, $0-8\n\tF(1)\n\tMOVQ AX, r+0(FP)\n\tRET\n"
	write("m_amd64.s", text)
	s := stage{tier: &tiers[0], pkg: "."}
	t.Setenv("GOWORK", "off")
	for to, want := range map[string]bool{"F(2)": true, "ADDQ AX, AX": false} {
		t.Run(to, func(t *testing.T) {
			m := &mutation{target: target{path: "m_amd64.s", tier: s.tier}, start: strings.Index(text, "F(1)"),
				text: to}
			m.end = m.start + len("F(1)")
			overlay, err := r.overlay(m, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			binary := filepath.Join(t.TempDir(), "m.test")
			if err := r.build(t.Context(), s, binary, "-overlay", overlay); err != nil {
				t.Fatal(err)
			}
			if same, err := r.same(t.Context(), s, binary); same != want || err != nil {
				t.Errorf("the program is the same: %v, %v; want %v", same, err, want)
			}
		})
	}
}

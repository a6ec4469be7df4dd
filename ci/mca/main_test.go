package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestWorse(t *testing.T) {
	const before = `A  legend of 1.0000.

NEON:
kernel      elements          neoverse-n1       apple-m1
dotF32NEON        64  0.2000  99% 100% L  0.1000  50%
hammingBitsNEON    8  1.0000  99% 100% L  1.0000  50%

Times:
dotI8      1.5×

Trees:
dotF32NEON        64  3.0000  | 1.0000
`
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{"", "", nil},
		{"1.0000.", "9.0000.", nil},
		{"0.2000", "0.2100", nil}, // 5 %
		{"0.2000", "0.1000", nil},
		{"0.2000", "0.2101", []string{"SLOWER THAN BEFORE: NEON: dotF32NEON 0.2101, was 0.2000 (column 1)"}},
		{"0.1000", "0.2000", []string{"SLOWER THAN BEFORE: NEON: dotF32NEON 0.2000, was 0.1000 (column 2)"}},
		{"3.0000", "3.2000", []string{"SLOWER THAN BEFORE: Trees: dotF32NEON 3.2000, was 3.0000 (column 1)"}},
		{"| 1.0000", "| 9.0000", nil},
		{"1.5", "3.0", nil},
		{"hammingBitsNEON", "jaccardBitsNEON", nil},
	} {
		t.Run(c.new, func(t *testing.T) {
			if got := worse(before, strings.Replace(before, c.old, c.new, 1)); !slices.Equal(got, c.want) {
				t.Errorf("%q instead of %q: %q, want %q", c.new, c.old, got, c.want)
			}
		})
	}
	if ours("a | b\nc\n") != "a \nc\n" {
		t.Error("what stands behind a bar counts")
	}
}

func TestLoopOf(t *testing.T) {
	lines := [][2]string{
		{"10", "fmov\td0, x0"},
		{"14", "fmla\tv0.4s, v1.4s, v2.4s"},
		{"18", "bl\t0x100 <other>"},
		{"1c", "b.ne\t0x14 <f+0x4>"},
		{"20", "ldp\tq0, q1, [x0]"},
		{"24", "fmla\tv0.4s, v1.4s, v2.4s"},
		{"28", "cbnz\tx1, 0x20 <f+0x10>"},
		{"2c", "fmla\tv0.4s, v1.4s, v2.4s"},
		{"30", "fmla\tv0.4s, v1.4s, v2.4s"},
		{"34", "b.ne\t0x2c <f+0x1c>"},
		{"38", "b\t0x20 <f+0x10>"},
	}
	want := loop{"fmla\tv0.4s, v1.4s, v2.4s", "fmla\tv0.4s, v1.4s, v2.4s", "b.ne\t.L"}
	if got := loopOf(lines, "fmla"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want = loop{"ldp\tq0, q1, [x0]", "fmla\tv0.4s, v1.4s, v2.4s", "cbnz\tx1, .L"}
	if got := loopOf(lines, "ldp"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := loopOf(lines, "sdot"); got != nil {
		t.Errorf("%q without the instruction", got)
	}
}

func TestBlockOf(t *testing.T) {
	lines := [][2]string{
		{"10", "addq\t%rax, (%rdi)"},
		{"14", "jne\t0x10 <f>"},
		{"18", "addq\t%rax, (%rdi)"},
		{"1c", "addq\t%rbx, (%rdi)"},
		{"20", "vzeroupper"},
		{"24", "retq"},
	}
	want := loop{"addq\t%rax, (%rdi)", "addq\t%rbx, (%rdi)", "vzeroupper"}
	if got := blockOf(lines, "addq"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRows checks that every assembly kernel has a row in the table of its package and tier.
func TestRows(t *testing.T) {
	rows := map[string][]row{}
	for _, s := range sections {
		rows[s.pkg+s.tier] = append(rows[s.pkg+s.tier], s.rows...)
	}
	for _, s := range sections {
		t.Run(s.title, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("../..", s.pkg, "*_"+s.arch+".s"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: no assembly for %s: %v", s.pkg, s.arch, err)
			}
			function := regexp.MustCompile(`(?m)^TEXT ·(\w+)` + s.tier + `\(SB\)`)
			for _, f := range files {
				source, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range function.FindAllStringSubmatch(string(source), -1) {
					has := func(r row) bool { return r.kernel == m[1] }
					if m[1] != "fetch" && !slices.ContainsFunc(rows[s.pkg+s.tier], has) {
						t.Errorf("%s, %s: no row for %s", s.pkg, s.tier, m[1])
					}
				}
			}
		})
	}
}

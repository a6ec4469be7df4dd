package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

var (
	funcLine  = regexp.MustCompile(`^func (\w+)\(`)
	aLengths  = regexp.MustCompile(`^\t\tpanic\(\w+Lengths\{`)
	canInline = regexp.MustCompile(`(?m): can inline (\w+)$`)
)

// TestInlined checks that the compiler inlines kernels with a dispatch in assembly, because another
// Go call would cost a nanosecond. These are the kernels that check only lengths. Go functions that
// choose the code of a tier must not be inlined, because goroutines are preempted in their
// prologues.
func TestInlined(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles kernels for two architectures, whichever runs: not run in short mode")
	}
	for _, pkg := range []string{"kernels", "vectors"} {
		t.Run(pkg, func(t *testing.T) {
			testInlined(t, pkg)
		})
	}
}

func testInlined(t *testing.T, pkg string) {
	files, err := filepath.Glob("../../" + pkg + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		for line := range bytes.Lines(text) {
			if match := funcLine.FindSubmatch(line); match != nil {
				name = string(match[1])
			} else if aLengths.Match(line) {
				want = append(want, name)
			}
		}
	}
	if len(want) < 3 {
		t.Fatalf("%s: found only %q", pkg, want)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			cmd := exec.Command("go", "build", "-gcflags=-m", "./"+pkg)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "GOARCH="+arch, "CGO_ENABLED=0")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
			inlined := map[string]bool{}
			for _, match := range canInline.FindAllSubmatch(out, -1) {
				inlined[string(match[1])] = true
			}
			for _, name := range want {
				if !inlined[name] {
					t.Errorf("GOARCH=%s: %s is not inlined: go build -gcflags=-m=2 ./%s says why", arch, name, pkg)
				}
			}
			dispatch, err := declarations("../../"+pkg, regexp.MustCompile(`^kernels_(linear|vector)_`+arch+`\.go$`))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range dispatch {
				if f.body && inlined[f.name] {
					t.Errorf("GOARCH=%s: %s is inlined, and a loop over it could not be preempted", arch, f.name)
				}
			}
		})
	}
}

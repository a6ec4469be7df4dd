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
	canInline = regexp.MustCompile(`(?m): can inline (\w+)$`)
)

// The kernels of two vectors are as long as what the compiler inlines may be, on processors with
// assembly: one more call of Go would take a nanosecond. They are those that panic with unequal.
func TestInlined(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles kernels for two architectures, whichever runs: not run in short mode")
	}
	files, err := filepath.Glob("../../kernels/*.go")
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
			} else if bytes.HasPrefix(line, []byte("\t\tpanic(unequal{")) {
				want = append(want, name)
			}
		}
	}
	if len(want) < 30 {
		t.Fatalf("found %d kernels of two vectors", len(want))
	}
	for _, arch := range []string{"amd64", "arm64"} {
		cmd := exec.Command("go", "build", "-gcflags=-m", "./kernels")
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
				t.Errorf("GOARCH=%s: %s is not inlined: go build -gcflags=-m=2 ./kernels says why", arch, name)
			}
		}
	}
}

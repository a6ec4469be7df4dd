// Command fused finds code whose results depend on the architecture: products that the compiler
// fuses with a sum into one rounding, and calls of functions of package math that round differently
// from one architecture to the next.
//
// It checks every package of the workspace except those in the directories listed in outside, and
// no tests.
//
//	go run ./ci/fused
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// outside names the directories whose packages measure, check or demonstrate.
var outside = []string{"bench", "ci", "examples", "fuzz", "internal/testkit"}

// targets are architectures that together fuse all that any of them does. arm64 fuses sums,
// differences and their negatives; riscv64, like loong64 and ppc64le, computes a conversion to
// uint64 by a difference, which arm64 does not need; amd64 fuses from GOAMD64=v3 on, nothing that
// arm64 does not, and is asked about the packages that have files of its own. Package beam, whose
// dependencies take as long to compile as all else together, is compiled for the first one alone:
// it has no such files, and converts no float to uint64.
var targets = [][]string{
	{"GOARCH=arm64"},
	{"GOARCH=riscv64"},
	{"GOARCH=amd64", "GOAMD64=v3"},
}

// unequal names the functions of math that are assembly on some architectures or fuse products
// inside, and the methods of rand.Rand that call them.
var unequal = strings.Fields(`
	math.Acos math.Acosh math.Asin math.Asinh math.Atan math.Atan2 math.Atanh math.Cbrt math.Cos math.Cosh math.Erf
	math.Erfc math.Erfcinv math.Erfinv math.Exp math.Exp2 math.Expm1 math.Gamma math.Hypot math.J0 math.J1 math.Jn
	math.Lgamma math.Log math.Log10 math.Log1p math.Log2 math.Pow math.Sin math.Sincos math.Sinh math.Tan math.Tanh
	math.Y0 math.Y1 math.Yn NormFloat64 ExpFloat64`)

func main() {
	directories, err := packages()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fused:", err)
		os.Exit(2)
	}
	found, err := check(directories)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fused:", err)
		os.Exit(2)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	fmt.Printf("%d packages on %d architectures: %d problems\n", len(directories), len(targets), len(found))
	if len(found) > 0 {
		os.Exit(1)
	}
}

// packages returns the directories of the packages to check, relative to the working directory.
func packages() ([]string, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "work").Output()
	if err != nil {
		return nil, fmt.Errorf("go list work: %w", err)
	}
	var directories []string
	for line := range strings.Lines(string(out)) {
		directory, err := filepath.Rel(root, strings.TrimSpace(line))
		if err != nil {
			return nil, err
		}
		directory = filepath.ToSlash(directory)
		if !slices.ContainsFunc(outside, func(o string) bool { return strings.HasPrefix(directory+"/", o+"/") }) {
			directories = append(directories, directory)
		}
	}
	return directories, nil
}

// check returns what it finds in the packages of directories, a line for each place.
func check(directories []string) ([]string, error) {
	var found []string
	for i, target := range targets {
		compiled := directories
		switch i {
		case 1:
			inBeam := func(d string) bool { return strings.HasPrefix(d+"/", "beam/") }
			compiled = slices.DeleteFunc(slices.Clone(directories), inBeam)
		case 2:
			var err error
			if compiled, err = differing(directories); err != nil {
				return nil, err
			}
		}
		lines, err := fused(compiled, target)
		if err != nil {
			return nil, err
		}
		found = append(found, lines...)
	}
	for _, directory := range directories {
		lines, err := calls(directory)
		if err != nil {
			return nil, err
		}
		found = append(found, lines...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// differing returns the directories of the packages that have other files on amd64 than on arm64.
func differing(directories []string) ([]string, error) {
	var found []string
	for _, directory := range directories {
		var files [2][]string
		for i, arch := range []string{"arm64", "amd64"} {
			context := build.Default
			context.GOARCH, context.CgoEnabled = arch, false
			p, err := context.ImportDir(directory, 0)
			if err != nil {
				return nil, err
			}
			files[i] = p.GoFiles
		}
		if !slices.Equal(files[0], files[1]) {
			found = append(found, directory)
		}
	}
	return found, nil
}

// decision matches what the compiler prints for a product that it fuses: the places of the calls
// that are inlined, the outermost first, and of the sum.
var decision = regexp.MustCompile(`(?m)^fmahash triggered (?:(.*); )?(\S+) [01]+$`)

// fused compiles the packages for a target and returns the sums that the compiler fuses with
// products. It asks the compiler for its decisions instead of looking for instructions, which those
// of math.FMA are, too.
func fused(directories, target []string) ([]string, error) {
	args := []string{"build", "-o", os.DevNull, "-gcflags=-d=fmahash=vy"}
	for _, directory := range directories {
		args = append(args, "./"+directory)
	}
	command := exec.Command("go", args...)
	command.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GSHS_LOGFILE="), target...)
	out, err := command.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", target, err, bytes.TrimSpace(out))
	}
	var found []string
	for _, match := range decision.FindAllSubmatch(out, -1) {
		inlined := ""
		if len(match[1]) > 0 {
			inlined = fmt.Sprintf(" (inlined at %s)", match[1])
		}
		found = append(found,
			fmt.Sprintf("%s: a product may be fused with this sum%s: write float64(x*y) + z or math.FMA(x, y, z)",
				match[2], inlined))
	}
	return found, nil
}

// calls returns the calls of unequal functions in the Go files of a directory, whatever they are
// built for.
func calls(directory string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			called := selector.Sel.Name
			if x, ok := selector.X.(*ast.Ident); ok && x.Name == "math" {
				called = "math." + called
			}
			if slices.Contains(unequal, called) {
				found = append(found, fmt.Sprintf("%s: %s differs between architectures: see internal/num",
					set.Position(selector.Pos()), called))
			}
			return true
		})
	}
	return found, nil
}

// Command fused finds code with results that depend on the architecture: products that the compiler
// fuses with a sum, and calls of functions of package math that round differently between
// architectures.
//
// It checks every package of the workspace except packages in the directories of outside. It does
// not check tests.
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

// outside lists directories with packages that measure, check or demonstrate.
var outside = []string{"bench", "ci", "examples", "fuzz", "internal/testkit"}

// targets are architectures that together show every fusion of any architecture. arm64 fuses sums,
// differences and their negatives. riscv64, like loong64 and ppc64le, converts to uint64 with a
// difference, which arm64 does not. amd64 with GOAMD64=v3 fuses no more than arm64, so it is used
// only for packages with files of its own. Package beam is compiled only for arm64, because its
// dependencies take as long to compile as all other code. It contains no such files and no
// conversions to uint64.
var targets = [][]string{
	{"GOARCH=arm64"},
	{"GOARCH=riscv64"},
	{"GOARCH=amd64", "GOAMD64=v3"},
}

// unequal lists the functions of package math that are written in assembly on some architectures or
// contain fused products, and the methods of rand.Rand that call them.
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

// check returns the problems in the packages of directories, one line each.
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

// differing returns the directories of packages with different files on amd64 and arm64.
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

// decision matches the compiler's message for a fused product: the positions of the inlined calls,
// outermost first, and the position of the sum.
var decision = regexp.MustCompile(`(?m)^fmahash triggered (?:(.*); )?(\S+) [01]+$`)

// fused compiles the packages for a target and returns the sums that the compiler fuses with
// products. It uses messages of the compiler, because calls of math.FMA compile to the same
// instructions.
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

// calls returns the calls of unequal functions in the Go files of a directory, for any build
// constraints.
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

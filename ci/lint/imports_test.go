package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/simdrank/simdrank/"

// levels lists the packages of the module, lowest level first. A package may import only packages
// of lower levels. Packages of the last level may import all packages, and so may tests.
var levels = []string{
	"internal/errs",
	"internal/cpu internal/text internal/memory internal/num internal/parallel",
	"internal/kern",
	"internal/testkit internal/order",
	"internal/trees",
	"kernels",
	"internal/ranksvm internal/metrics vectors",
	"rank",
	"internal/files",
	"internal/modelfile",
	"internal/boost",
	"internal/synth rank/trec rank/compare rank/pairwise rank/datafile rank/lambdamart nearest nearest/vectorfile",
	"internal/sharded rank/data rank/model",
	"rank/explain rank/tune rank/trec/treceval rank/fusion rank/interleave rank/counterfactual rank/importance",
	"internal/cli rank/serve",
	"report",
}

// top lists directories with packages that no package in levels imports.
var top = []string{"beam", "bench", "ci", "cmd", "examples", "fuzz", "parquet"}

// levelOf returns the level of a package. It returns len(levels) for packages in top, and −1 if the
// table does not contain the package.
func levelOf(pkg string) int {
	if first, _, _ := strings.Cut(pkg, "/"); slices.Contains(top, first) {
		return len(levels)
	}
	return slices.IndexFunc(levels, func(level string) bool { return slices.Contains(strings.Fields(level), pkg) })
}

// checkImports returns the imports of a package that break the rule of levels.
func checkImports(pkg string, imports []string) (problems []string) {
	level := levelOf(pkg)
	if level < 0 {
		return []string{pkg + " is at no level of the table"}
	}
	for _, other := range imports {
		if at := levelOf(other); level < len(levels) && at >= level {
			problems = append(problems, fmt.Sprintf("%s imports %s, which is not below it", pkg, other))
		}
	}
	return problems
}

// named reports whether a page mentions a package, as in `rank/model`, or its parent folder, as in
// `ci/`.
func named(page, pkg string) bool {
	if strings.Contains(page, "`"+pkg+"`") {
		return true
	}
	for i := range pkg {
		if pkg[i] == '/' && strings.Contains(page, "| `"+pkg[:i+1]+"` |") {
			return true
		}
	}
	return false
}

func TestImports(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command, which answers the same on every architecture: not run in short mode")
	}
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "work")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		paths := strings.Fields(line)
		var imports []string
		for _, path := range paths[1:] {
			if pkg, ok := strings.CutPrefix(path, module); ok {
				imports = append(imports, pkg)
			}
		}
		for _, problem := range checkImports(strings.TrimPrefix(paths[0], module), imports) {
			t.Error(problem)
		}
		if pkg := strings.TrimPrefix(paths[0], module); !named(string(page), pkg) {
			t.Errorf("docs/architecture.md does not name %s", pkg)
		}
		packages++
	}
	if packages < 20 {
		t.Errorf("%d packages", packages)
	}
}

// TestForeignInternals finds packages and tests of nested modules that import an internal package
// of the root module. Copies of such packages outside of the repository would not compile. Only the
// command and beam may import internal packages, because they require an exact version of the root.
func TestForeignInternals(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command, which answers the same on every architecture: not run in short mode")
	}
	packages := 0
	for _, dir := range []string{"examples", "parquet"} {
		t.Run(dir, func(t *testing.T) {
			cmd := exec.Command("go", "list", "-f",
				`{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "./...")
			cmd.Dir = "../../" + dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(out)) {
				paths := strings.Fields(line)
				packages++
				for _, path := range paths[1:] {
					if strings.HasPrefix(path, module+"internal/") {
						t.Errorf("%s imports %s", paths[0], path)
					}
				}
			}
		})
	}
	if packages < 8 {
		t.Errorf("%d packages", packages)
	}
}

// TestGonum checks that rank/pairwise is the only public package that links gonum.
func TestGonum(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command, which answers the same on every architecture: not run in short mode")
	}
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var linked []string
	for line := range strings.Lines(string(out)) {
		path, deps, _ := strings.Cut(line, " ")
		pkg, ours := strings.CutPrefix(path, module)
		if ours && levelOf(pkg) < len(levels) && strings.Contains(deps, "gonum.org/") {
			linked = append(linked, pkg)
		}
	}
	if !slices.Equal(linked, []string{"rank/pairwise"}) {
		t.Errorf("gonum is linked by %q, want rank/pairwise only", linked)
	}
}

// TestLockstep checks that modules with internal imports use the constant of the required version.
func TestLockstep(t *testing.T) {
	for _, c := range []struct{ mod, source string }{
		{"beam/go.mod", "beam/data.go"},
		{"cmd/simdrank/go.mod", "cmd/simdrank/main.go"},
	} {
		t.Run(c.mod, func(t *testing.T) {
			mod, err := os.ReadFile("../../" + c.mod)
			if err != nil {
				t.Fatal(err)
			}
			required := regexp.MustCompile(`(?m)^\tgithub.com/simdrank/simdrank v([0-9.]+)$`).FindSubmatch(mod)
			if required == nil {
				t.Errorf("%s requires no version of the library", c.mod)
				return
			}
			name := "ThisModuleNeedsSimdrankV" + strings.ReplaceAll(string(required[1]), ".", "_")
			for path, text := range map[string]string{
				"internal/cli/lockstep.go": "const " + name + " = true",
				c.source:                   "const _ = cli." + name,
			} {
				t.Run(path, func(t *testing.T) {
					source, err := os.ReadFile("../../" + path)
					if err != nil {
						t.Fatal(err)
					}
					if !strings.Contains(string(source), text+"\n") {
						t.Errorf("%s requires %s of the library, but %s lacks %q", c.mod, required[1], path, text)
					}
				})
			}
		})
	}
}

func TestCheckImports(t *testing.T) {
	for _, c := range []struct {
		pkg, other string
		problems   int
	}{
		{"rank", "kernels", 0},
		{"rank", "rank/data", 1},
		{"rank", "rank", 1},
		{"rank/datafile", "rank/trec", 1},
		{"rank/model", "rank/lambdamart", 0},
		{"kernels", "rank", 1},
		{"kernels", "vectors", 1},
		{"kernels", "cmd/simdrank", 1},
		{"internal/cpu", "internal/kern", 1},
		{"cmd/simdrank", "rank/model", 0},
		{"rank/new", "rank", 1},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := checkImports(c.pkg, []string{c.other}); len(got) != c.problems {
				t.Errorf("%s imports %s: %q", c.pkg, c.other, got)
			}
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// project holds the state of a run and the problems that it has found.
type project struct {
	root  string
	found []string
	api   map[string]bool // names that public packages export, with the folder of the package

	kernels, functions, instructions, words int
}

// complain records a problem at a line of a file below the root. Line 0 means the whole file.
func (p *project) complain(file string, line int, format string, args ...any) {
	if rel, err := filepath.Rel(p.root, file); err == nil {
		file = rel
	}
	if line > 0 {
		file = fmt.Sprintf("%s:%d", file, line)
	}
	p.found = append(p.found, file+": "+fmt.Sprintf(format, args...))
}

// A tierFile describes the assembly files that are named kernels_FAMILY + end.
type tierFile struct{ end, tier, arch string }

// tierFiles is sorted by descending length of end.
var tierFiles = []tierFile{
	{"_avx512_amd64.s", "AVX512", "amd64"},
	{"_amd64.s", "AVX2", "amd64"},
	{"_arm64.s", "NEON", "arm64"},
}

// kernelPackages are the folders of packages that may contain kernels and assembly.
var kernelPackages = []string{"kernels", "vectors", "internal/order", "internal/trees"}

var setFile = regexp.MustCompile(`^kernels_([a-z0-9]+)_no(asm|neon)\.go$`)

// lint checks the project at root, and lowers the counts of prose if update is set. The error says
// why it could not check.
func lint(root string, update bool) (*project, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	p := &project{root: root, api: map[string]bool{}}
	tiers, err := detected(filepath.Join(root, "internal", "cpu", "cpu_amd64.go"))
	if err != nil {
		return nil, err
	}
	p.strayAssembly()
	if err := p.columns(); err != nil {
		return nil, err
	}
	if err := p.prose(update); err != nil {
		return nil, err
	}
	p.size()
	headers := map[string]string{} // path of the first header with each name
	for _, dir := range kernelPackages {
		dir = filepath.Join(root, filepath.FromSlash(dir))
		if err := p.kernelPackage(dir, tiers, headers); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// kernelPackage checks a package in kernelPackages.
func (p *project) kernelPackage(dir string, tiers map[string][]string, headers map[string]string) error {
	stubs, err := declarations(dir, regexp.MustCompile(`^kernels_.*_(amd64|arm64)\.go$`))
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.s"))
	if err != nil {
		return err
	}
	asmHeaders := map[string]string{}
	defer func() {
		for _, dir := range asmHeaders {
			os.RemoveAll(dir)
		}
	}()
	for _, file := range files {
		i := slices.IndexFunc(tierFiles, func(t tierFile) bool { return strings.HasSuffix(file, t.end) })
		if i < 0 {
			p.complain(file, 0, "the name must end in _amd64.s, _avx512_amd64.s or _arm64.s")
			continue
		}
		if err := p.assemblyFile(file, tierFiles[i], tiers, stubs, asmHeaders); err != nil {
			return err
		}
	}
	if err := p.headers(dir, headers); err != nil {
		return err
	}
	if err := p.wordsOf(dir); err != nil {
		return err
	}
	return p.sets(dir, stubs)
}

// headers compares the headers of dir with headers of the same name in earlier packages. They must
// be copies, because the go command does not rebuild a package if a header in another folder
// changes. go generate makes these copies.
func (p *project) headers(dir string, first map[string]string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.h"))
	if err != nil {
		return err
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p.text(path, strings.Split(string(text), "\n"))
		if filepath.Base(path) == encoded {
			if err := p.encodings(dir, string(text), first); err != nil {
				return err
			}
			continue
		}
		other, ok := first[filepath.Base(path)]
		if !ok {
			first[filepath.Base(path)] = path
			continue
		}
		original, err := os.ReadFile(other)
		if err != nil {
			return err
		}
		if !bytes.Equal(original, text) {
			rel, _ := filepath.Rel(p.root, other)
			pkg, _ := filepath.Rel(p.root, dir)
			p.complain(path, 0, "differs from %s, of which it must be a copy: run go generate ./%s",
				filepath.ToSlash(rel), filepath.ToSlash(pkg))
		}
	}
	return nil
}

// encoded is the header that defines instructions as macros.
const encoded = "neon_arm64.h"

var definition = regexp.MustCompile(`^#define (\w+)`)

// encodings complains about macros that the assembly of dir does not use, and about macros that
// differ from those in earlier packages.
func (p *project) encodings(dir, text string, first map[string]string) error {
	path := filepath.Join(dir, encoded)
	used := map[string]bool{}
	for _, pattern := range []string{"*_arm64.s", "*_arm64.h"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, file := range files {
			if file == path {
				continue
			}
			code, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for _, name := range regexp.MustCompile(`\w+`).FindAllString(string(code), -1) {
				used[name] = true
			}
		}
	}
	for i, line := range strings.Split(text, "\n") {
		m := definition.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if !used[m[1]] {
			p.complain(path, i+1, "the package does not use %s", m[1])
		}
		if other, ok := first[m[1]]; ok && other != line {
			p.complain(path, i+1, "another package defines %s", other)
		}
		first[m[1]] = line
	}
	return nil
}

// strayAssembly complains about assembly outside of kernelPackages.
func (p *project) strayAssembly() {
	filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".s") {
			return nil
		}
		if dir, err := filepath.Rel(p.root, filepath.Dir(path)); err != nil ||
			!slices.Contains(kernelPackages, filepath.ToSlash(dir)) {
			p.complain(path, 0, "assembly belongs in %s", strings.Join(kernelPackages, ", "))
		}
		return nil
	})
}

// detected returns the processor features that the dispatch tests, by tier. The first call of
// Supports tests the features of avx2, and the second one the additional features of avx512. Calls
// of Has test features that only some avx512 processors support, and on which a dispatch may
// branch.
func detected(file string) (map[string][]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	var calls [][]string
	var some []string
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if ok && (fun.Sel.Name == "Supports" || fun.Sel.Name == "Has") {
			var names []string
			for _, a := range call.Args {
				if s, ok := a.(*ast.SelectorExpr); ok {
					names = append(names, s.Sel.Name)
				}
			}
			if fun.Sel.Name == "Has" {
				some = append(some, names...)
			} else {
				calls = append(calls, names)
			}
		}
		return true
	})
	if len(calls) != 2 {
		return nil, fmt.Errorf("%s: %d calls of Supports, expected two: avx2 and avx512", file, len(calls))
	}
	return map[string][]string{"AVX2": calls[0], "AVX512": slices.Concat(calls[0], calls[1], some),
		"NEON": nil}, nil
}

// A declared is a function declaration in a Go file.
type declared struct {
	name, signature string // signature: "func dotF64AVX2(x, y []float64) float64"
	doc             string
	file            string
	line            int
	body            bool
}

// declarations returns the functions in the files of dir with a matching name.
func declarations(dir string, match *regexp.Regexp) ([]declared, error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []declared
	for _, e := range entries {
		if !match.MatchString(e.Name()) {
			continue
		}
		fset, path := token.NewFileSet(), filepath.Join(dir, e.Name())
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			doc := ""
			if fn.Doc != nil {
				for _, c := range fn.Doc.List {
					doc += c.Text + "\n" // the group's Text method omits directives
				}
			}
			all = append(all, declared{
				name:      fn.Name.Name,
				signature: "func " + fn.Name.Name + strings.TrimPrefix(types.ExprString(fn.Type), "func"),
				doc:       doc,
				file:      path,
				line:      fset.Position(fn.Pos()).Line,
				body:      fn.Body != nil,
			})
		}
	}
	return all, nil
}

// sets checks that every kernel has a reference, tests, a fuzz target and a benchmark, and that
// kernels appear in the same order in every file. A kernel is a function in
// kernels_FAMILY_noasm.go, or in kernels_FAMILY_noneon.go if it has no assembly on arm64.
func (p *project) sets(dir string, stubs []declared) error {
	for _, s := range stubs {
		if !s.body && !strings.Contains(s.doc, "//go:noescape") {
			p.complain(s.file, s.line, "%s has no //go:noescape: its arguments would be allocated", s.name)
		}
	}
	plain, err := filepath.Glob(filepath.Join(dir, "kernels_*_no*.go"))
	if err != nil {
		return err
	}
	fuzz, err := declarations(filepath.Join(p.root, "fuzz"), regexp.MustCompile(`_test\.go$`))
	if err != nil {
		return err
	}
	bench, err := declarations(filepath.Join(p.root, "bench"), regexp.MustCompile(`_test\.go$`))
	if err != nil {
		return err
	}
	tested, err := registered(dir)
	if err != nil {
		return err
	}
	families := map[string]bool{}
	for _, path := range plain {
		m := setFile.FindStringSubmatch(filepath.Base(path))
		if m == nil {
			p.complain(path, 0, "the name must be kernels_FAMILY_noasm.go or kernels_FAMILY_noneon.go")
			continue
		}
		if families[m[1]] {
			continue
		}
		families[m[1]] = true
		if err := p.family(dir, m[1], fuzz, bench, tested); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "kernels_*.s"))
	for _, path := range files {
		if f, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), "kernels_"), "_"); !families[f] {
			p.complain(path, 0, "the set has no kernels_%s_noasm.go or …_noneon.go", f)
		}
	}
	return err
}

// family checks the files of one family.
func (p *project) family(dir, family string, fuzz, bench []declared, tested map[string]bool) error {
	read := func(end string) ([]declared, error) {
		return declarations(dir, regexp.MustCompile(`^kernels_`+family+end+`$`))
	}
	dispatch, err := read(`_no(asm|neon)\.go`)
	if err != nil {
		return err
	}
	// the only file with all kernels defines their order
	complete, err := read(`_amd64\.go`)
	if err != nil {
		return err
	}
	place := func(k declared) int {
		return slices.IndexFunc(complete, func(d declared) bool { return d.name == k.name })
	}
	slices.SortStableFunc(dispatch, func(a, b declared) int { return place(a) - place(b) })
	reference, err := read(`_generic\.go`)
	if err != nil {
		return err
	}
	var order []string
	for _, k := range dispatch {
		if slices.Contains(order, strings.TrimSuffix(k.name, "Rows")) {
			continue // a kernel calls it after its checks
		}
		order = append(order, k.name)
		p.kernels++
		exported := strings.ToUpper(k.name[:1]) + k.name[1:]
		if !slices.ContainsFunc(reference, func(d declared) bool { return d.name == k.name+"Generic" }) {
			p.complain(k.file, k.line, "%s has no reference %sGeneric in kernels_%s_generic.go", k.name, k.name, family)
		}
		if !tested[k.name] && !tested[exported] {
			p.complain(k.file, k.line, "%s has no entry in the table of the tests", exported)
		}
		if !covers(fuzz, "Fuzz", exported) {
			p.complain(k.file, k.line, "%s has no fuzz target: neither Fuzz%s nor one whose comment names it", exported,
				exported)
		}
		if !covers(bench, "Benchmark", exported) {
			p.complain(k.file, k.line, "%s has no benchmark: neither Benchmark%s nor one whose comment names it",
				exported, exported)
		}
	}
	for _, part := range []struct{ end, suffix string }{
		{`_generic\.go`, "Generic"}, {`_noasm\.go`, ""}, {`_noneon\.go`, ""},
		{`_amd64\.go`, ""}, {`_amd64\.go`, "AVX2"}, {`_amd64\.go`, "AVX512"},
		{`_arm64\.go`, ""}, {`_arm64\.go`, "NEON"},
	} {
		functions, err := read(part.end)
		if err != nil {
			return err
		}
		p.inOrder(order, functions, part.suffix)
	}
	for _, t := range tierFiles {
		path := filepath.Join(dir, "kernels_"+family+t.end)
		functions, err := texts(path)
		if err != nil {
			return err
		}
		for _, f := range functions {
			// For example, dotI8SDOTNEON implements dotI8, and blockI8PackAVX2 is a part of
			// blockI8.
			base := strings.TrimSuffix(f.name, t.tier)
			part := func(kernel string) bool {
				rest, ok := strings.CutPrefix(base, kernel)
				return ok && (rest == "" || 'A' <= rest[0] && rest[0] <= 'Z')
			}
			if !slices.ContainsFunc(order, part) {
				p.complain(path, f.line, "%s implements no kernel of the set %s", f.name, family)
			}
		}
		p.inOrder(order, functions, t.tier)
	}
	return nil
}

// inOrder complains if the functions that implement kernels with a suffix are not in the order of
// the kernels.
func (p *project) inOrder(order []string, functions []declared, suffix string) {
	last := -1
	for _, f := range functions {
		base, ok := strings.CutSuffix(f.name, suffix)
		at := slices.Index(order, base)
		if !ok || at < 0 {
			continue
		}
		if at < last {
			p.complain(f.file, f.line, "%s must be before %s%s, as in the _amd64.go file of the family",
				f.name, order[last], suffix)
		}
		last = max(last, at)
	}
}

// covers reports whether a function with the prefix is named after the kernel, or mentions it in
// its comment.
func covers(functions []declared, prefix, exported string) bool {
	word := regexp.MustCompile(`(?i)\b` + exported + `\b`)
	return slices.ContainsFunc(functions, func(d declared) bool {
		return d.name == prefix+exported || strings.HasPrefix(d.name, prefix) && word.MatchString(d.doc)
	})
}

// registered returns the strings in calls of register in the tests of dir. They include the names
// of the table's entries.
func registered(dir string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || types.ExprString(call.Fun) != "register" {
				return true
			}
			ast.Inspect(call, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					names[strings.Trim(lit.Value, `"`)] = true
				}
				return true
			})
			return false
		})
	}
	return names, nil
}

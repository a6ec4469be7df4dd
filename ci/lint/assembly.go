package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An instruction of an assembled function, after macro expansion. If it comes from a header, path
// is the header.
type instruction struct {
	pc, line           int
	path               string
	mnemonic, operands string
}

// A function in an assembled file.
type function struct {
	name         string
	line         int
	instructions []instruction
	dispatch     bool // jumps to the function of a tier
}

var (
	textLine = regexp.MustCompile(`^TEXT\s+·(\w+)\(SB\),\s*([^,]+),\s*(\S+)`)
	sizes    = regexp.MustCompile(`^\$\d+-\d+$`)
	listed   = regexp.MustCompile(`^\t0x[0-9a-f]+ (\d+) \(([^)]*):(\d+)\)\t(\S+)\t?(.*)$`)
	aReturn  = regexp.MustCompile(`^\s*RET\b`)
	aTarget  = regexp.MustCompile(`^\d+$`)
)

// assemblyFile checks the functions of one .s file. headers contains the folder of go_asm.h for
// each architecture.
func (p *project) assemblyFile(path string, file tierFile, tiers map[string][]string, stubs []declared,
	headers map[string]string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	source := strings.Split(string(raw), "\n")
	if source[0] != "//go:build !purego" {
		p.complain(path, 1, "the first line must be //go:build !purego")
	}
	if headers[file.arch] == "" && slices.Contains(source, `#include "go_asm.h"`) {
		dir, err := os.MkdirTemp("", "lint")
		if err != nil {
			return err
		}
		headers[file.arch] = dir
		if err := asmHeader(dir, filepath.Dir(path), file.arch); err != nil {
			return err
		}
	}
	assembled, err := assemble(path, file.arch, headers[file.arch])
	if err != nil {
		return err
	}
	named, err := p.macros(path)
	if err != nil {
		return err
	}
	p.text(path, source)
	for _, f := range assembled {
		p.functions++
		p.instructions += len(f.instructions)
		p.sourceLines(path, f)
		p.names(path, f, named[f.name])
		f.dispatch = file.end == "_amd64.s" && !hasTier(f.name)
		p.declaration(path, file, source, f, stubs)
		if f.dispatch {
			p.body(path, file, source, nil, f) // it runs on every machine
			continue
		}
		used := p.body(path, file, source, tiers[file.tier], f)
		requires := requirement(source, f.line)
		if requires == "" {
			p.complain(path, f.line, "%s: the comment above has no line \"Requires: FEATURE, …\"", f.name)
			continue
		}
		for _, name := range used {
			// avx512 includes avx2
			if !names(requires, name) && !(file.tier == "AVX512" && slices.Contains(tiers["AVX2"], name)) {
				p.complain(path, f.line, "%s uses %s: \"Requires:\" does not name it", f.name, name)
			}
		}
	}
	return nil
}

// minLines returns the minimum number of source lines for a number of instructions. Profilers,
// debuggers and fault reports show lines, and a macro is only one line.
const minLines = 20

// sourceLines complains about a function with fewer lines than minLines.
func (p *project) sourceLines(path string, f function) {
	type place struct {
		path string
		line int
	}
	lines := map[place]bool{}
	for _, in := range f.instructions {
		lines[place{in.path, in.line}] = true
	}
	if n := len(f.instructions); n >= minLines && len(lines) < minLines {
		p.complain(path, f.line,
			"%s: %d instructions come from %d source lines, but must come from at least %d: include a body after #defines instead of a macro",
			f.name, n, len(lines), minLines)
	}
}

// hasTier reports whether a function is named after a tier. A function without a tier dispatches:
// it jumps to functions with a tier, to the reference, or to another Go function of its kernel.
func hasTier(name string) bool {
	return slices.ContainsFunc(tierFiles, func(t tierFile) bool { return strings.HasSuffix(name, t.tier) })
}

// declaration checks a function's TEXT line and the comment above it.
func (p *project) declaration(path string, file tierFile, source []string, f function, stubs []declared) {
	m := textLine.FindStringSubmatch(source[f.line-1])
	switch {
	case m == nil:
		p.complain(path, f.line, "expected TEXT ·name(SB), NOSPLIT, $frame-arguments")
	case !f.dispatch && !strings.Contains(m[2], "NOSPLIT"):
		p.complain(path, f.line, "%s is not NOSPLIT", f.name)
	case f.dispatch && m[2] != "NOFRAME":
		p.complain(path, f.line, "%s must be NOFRAME, and not NOSPLIT: a loop over it could not be preempted", f.name)
	case !sizes.MatchString(m[3]):
		p.complain(path, f.line, "%s: the size of the arguments is not explicit: %s", f.name, m[3])
	}
	if !f.dispatch && !strings.HasSuffix(f.name, file.tier) {
		p.complain(path, f.line, "%s: the name must end in %s, the tier of the file", f.name, file.tier)
	}
	i := slices.IndexFunc(stubs, func(d declared) bool { return d.name == f.name && !d.body })
	if i < 0 {
		p.complain(path, f.line, "%s has no Go declaration in a kernels_*_%s.go", f.name, file.arch)
		return
	}
	p.arguments(f, stubs[i])
	if !strings.Contains(strings.Join(commentAbove(source, f.line), " "), stubs[i].signature) {
		p.complain(path, f.line, "%s: the comment above does not contain the Go declaration: %s", f.name,
			stubs[i].signature)
	}
}

// body checks the instructions of a function and returns the features it uses.
func (p *project) body(path string, file tierFile, source, allowed []string, f function) (used []string) {
	for _, in := range f.instructions {
		if in.path == path && (in.line == f.line || in.mnemonic != "RET" && aReturn.MatchString(source[in.line-1])) {
			continue // the assembler's own prologue and epilogue of a function with a frame
		}
		if f.dispatch && in.mnemonic == "CALL" {
			continue // never reached; it makes the assembler generate a prologue
		}
		feat, err := feature(file.arch, in.mnemonic, in.operands)
		switch {
		case err != nil:
			p.complain(in.path, in.line, "%s: %v", f.name, err)
		case feat != "" && !slices.Contains(allowed, feat):
			p.complain(in.path, in.line, "%s: %s %s requires %s, which is not detected for the tier %s", f.name,
				in.mnemonic, in.operands, feat, file.tier)
		case feat != "" && !slices.Contains(used, feat):
			used = append(used, feat)
		}
		if in.mnemonic == "RET" {
			continue
		}
		for _, name := range aName.FindAllString(symbols.ReplaceAllString(in.operands, ""), -1) {
			if what, ok := reserved[file.arch][lowPart.ReplaceAllString(name, "$1")]; ok {
				p.complain(in.path, in.line, "%s: %s %s uses %s, %s", f.name, in.mnemonic, in.operands, name, what)
			}
		}
	}
	if file.arch == "amd64" {
		p.upperHalves(path, strings.TrimSuffix(strings.TrimSuffix(f.name, file.tier), "Split"), f)
	}
	return used
}

// upperHalves follows every path through a function. It complains about a return if a YMM or ZMM
// register may have been used since the last VZEROUPPER. It also complains about jumps out of the
// function, except jumps to another function of the kernel before such a use.
func (p *project) upperHalves(path, kernel string, f function) {
	at := map[int]int{}
	for i, in := range f.instructions {
		if _, ok := at[in.pc]; !ok {
			at[in.pc] = i
		}
	}
	type state struct {
		i     int
		dirty bool
	}
	seen := map[state]bool{}
	complained := map[int]bool{}
	work := []state{{0, false}}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		if s.i >= len(f.instructions) {
			p.complain(path, f.line, "%s runs past its end", f.name)
			return
		}
		in := f.instructions[s.i]
		switch {
		case in.mnemonic == "RET":
			if s.dirty && !complained[s.i] {
				complained[s.i] = true
				p.complain(in.path, in.line, "%s returns without VZEROUPPER after the use of a ymm or zmm register",
					f.name)
			}
			continue
		case in.mnemonic == "VZEROUPPER":
			s.dirty = false
		case wide.MatchString(in.operands):
			s.dirty = true
		}
		if in.mnemonic[0] == 'J' {
			if !s.dirty && strings.HasPrefix(in.operands, "kernels."+kernel) {
				continue
			}
			if !aTarget.MatchString(in.operands) {
				p.complain(in.path, in.line, "%s leaves the function by %s %s", f.name, in.mnemonic, in.operands)
				continue
			}
			target, _ := strconv.Atoi(in.operands)
			work = append(work, state{at[target], s.dirty})
			if in.mnemonic == "JMP" {
				continue
			}
		}
		work = append(work, state{s.i + 1, s.dirty})
	}
}

// asmHeader writes go_asm.h for the package in folder pkg to dir. Like the go command, it defines
// the constants and struct fields of the package.
func asmHeader(dir, pkg, arch string) error {
	run := func(args ...string) (string, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = pkg
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("go %s in %s: %w\n%s%s", strings.Join(args[:2], " "), pkg, err, stderr.Bytes(), out)
		}
		return string(out), nil
	}
	list, err := run("list", "-f", `{{.ImportPath}}{{"\n"}}{{join .GoFiles " "}}{{"\n"}}{{join .Imports " "}}`, ".")
	if err != nil {
		return err
	}
	lines := strings.Split(list, "\n")
	var config string
	if imports := strings.Fields(lines[2]); len(imports) > 0 {
		config, err = run(append([]string{"list", "-deps", "-export", "-f",
			"{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}"}, imports...)...)
		if err != nil {
			return err
		}
	}
	importConfig := filepath.Join(dir, "importcfg")
	if err := os.WriteFile(importConfig, []byte(config), 0o644); err != nil {
		return err
	}
	_, err = run(append([]string{"tool", "compile", "-p", lines[0], "-importcfg", importConfig, "-asmhdr",
		filepath.Join(dir, "go_asm.h"),
		"-o", filepath.Join(dir, "package.o")}, strings.Fields(lines[1])...)...)
	return err
}

// assemble runs Go's assembler on a file and returns the assembled functions. header is the folder
// of go_asm.h, if the file includes it.
func assemble(path, arch, header string) ([]function, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	// not os.DevNull: if assembling fails, the assembler removes its output, even /dev/null as root
	object, err := os.CreateTemp("", "lint")
	if err != nil {
		return nil, err
	}
	object.Close()
	defer os.Remove(object.Name())
	cmd := exec.Command("go", "tool", "asm", "-S", "-p", "kernels", "-o", object.Name(),
		"-I", filepath.Join(strings.TrimSpace(string(goroot)), "pkg", "include"), "-I", filepath.Dir(path), "-I",
		header,
		"-D", "GOOS_linux", "-D", "GOARCH_"+arch, filepath.Base(path))
	cmd.Dir = filepath.Dir(path)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go tool asm: %w\n%s%s", err, stderr.Bytes(), out)
	}
	var functions []function
	for _, l := range strings.Split(string(out), "\n") {
		m := listed.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		pc, _ := strconv.Atoi(m[1])
		line, _ := strconv.Atoi(m[3])
		switch m[4] {
		case "TEXT":
			name, _, _ := strings.Cut(m[5], "(SB)")
			functions = append(functions, function{name: strings.TrimPrefix(name, "kernels."), line: line})
		case "FUNCDATA", "PCDATA":
		default:
			f := &functions[len(functions)-1]
			f.instructions = append(f.instructions,
				instruction{pc, line, filepath.Join(filepath.Dir(path), m[2]), m[4], m[5]})
		}
	}
	return functions, nil
}

// texts returns the functions of an assembly file in source order. If the file does not exist, it
// returns none.
func texts(path string) ([]declared, error) {
	raw, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []declared
	for i, l := range strings.Split(string(raw), "\n") {
		if m := textLine.FindStringSubmatch(l); m != nil {
			found = append(found, declared{name: m[1], file: path, line: i + 1})
		}
	}
	return found, nil
}

// commentAbove returns the lines of the comment right above a line.
func commentAbove(source []string, line int) []string {
	i := line - 1
	for i > 0 && strings.HasPrefix(source[i-1], "//") {
		i--
	}
	var text []string
	for _, l := range source[i : line-1] {
		text = append(text, strings.TrimSpace(strings.TrimPrefix(l, "//")))
	}
	return text
}

// names reports whether a list such as "AVX-512 F, DQ" names AVX512DQ.
func names(requires, feature string) bool {
	if part, ok := strings.CutPrefix(feature, "AVX512"); ok {
		return regexp.MustCompile(`AVX-?512.*` + part + `\b`).MatchString(requires)
	}
	return regexp.MustCompile(`\b` + feature + `\b`).MatchString(requires)
}

// requirement returns what follows "Requires:" in the comment above a line.
func requirement(source []string, line int) string {
	for _, l := range commentAbove(source, line) {
		if r, ok := strings.CutPrefix(l, "Requires:"); ok {
			return strings.TrimSpace(r)
		}
	}
	return ""
}

package main

import (
	"go/ast"
	"go/parser"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// These limits and the checks below ensure that you can read an assembly function on its own.
const (
	maxMacros      = 25  // macros that a reader must know at a TEXT line
	maxUncommented = 8   // instruction lines in a row without a comment
	maxUnnamed     = 100 // instructions of a function whose registers need no names
	minNamed       = 4   // names of registers in a longer one
)

var (
	defineLine  = regexp.MustCompile(`^\s*#define\s+(\w+)(.*)$`)
	undefLine   = regexp.MustCompile(`^\s*#undef\s+(\w+)`)
	includeLine = regexp.MustCompile(`^\s*#include\s+"([^"]+)"`)
	ifLine      = regexp.MustCompile(`^\s*#(ifdef|ifndef)\s+(\w+)`)
	label       = regexp.MustCompile(`^\w+:`)
	relative    = regexp.MustCompile(`(-?\d+)\(PC\)`)
	inArgument  = regexp.MustCompile(`\b(\w+)\+\d+\(FP\)$`)
	readsLast   = regexp.MustCompile(`^(V?U?COMI|V?CMP|V?P?TEST|BTL|BTQ|PREFETCH|PRFM|J)`)
	aRegister   = regexp.MustCompile(`^(A[XLH]|B[XLHP]|C[XLH]|D[XLHI]|S[IP]|[RFVXYZK]\d+|ZR)$`)
	mapEntry    = regexp.MustCompile(`^[A-Z]+\d*(-[A-Z]+\d*)?(, [A-Z]+\d*(-[A-Z]+\d*)?)*: \S`)
	mapOther    = regexp.MustCompile(`^(see [a-z0-9_]+\.h|named below)$`)
)

// A reader processes a file like the assembler's preprocessor.
type reader struct {
	dir     string
	live    map[string]string // the defined macros and their values
	visited func(path string, line int, text string)
}

// read calls visited for each line of a file and of the headers that it includes. It skips
// neon_arm64.h, which defines instructions as macros, and headers that Go generates.
func (r *reader) read(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var skipped []bool // for each enclosing condition, whether it is false
	for i, l := range strings.Split(string(raw), "\n") {
		directive := strings.TrimSpace(l)
		if m := ifLine.FindStringSubmatch(l); m != nil {
			_, defined := r.live[m[2]]
			skipped = append(skipped, defined != (m[1] == "ifdef"))
			continue
		}
		if n := len(skipped); n > 0 {
			if strings.HasPrefix(directive, "#else") {
				skipped[n-1] = !skipped[n-1]
				continue
			}
			if strings.HasPrefix(directive, "#endif") {
				skipped = skipped[:n-1]
				continue
			}
		}
		if slices.Contains(skipped, true) {
			continue
		}
		if m := defineLine.FindStringSubmatch(l); m != nil {
			value, _, _ := strings.Cut(m[2], "//")
			r.live[m[1]] = strings.TrimSpace(value)
		} else if m := undefLine.FindStringSubmatch(l); m != nil {
			delete(r.live, m[1])
		} else if m := includeLine.FindStringSubmatch(l); m != nil {
			header := filepath.Join(r.dir, m[1])
			if _, err := os.Stat(header); err == nil && m[1] != "neon_arm64.h" {
				if err := r.read(header); err != nil {
					return err
				}
			}
		}
		r.visited(path, i+1, l)
	}
	return nil
}

// macros complains about macros that are still defined after their function, and about too many
// macros at a TEXT line. It returns the number of named registers in each function.
func (p *project) macros(path string) (named map[string]int, err error) {
	r := reader{dir: filepath.Dir(path), live: map[string]string{}}
	named = map[string]int{}
	var before map[string]string // at the last TEXT line
	var registers map[string]bool
	function := ""
	r.visited = func(at string, line int, text string) {
		if m := textLine.FindStringSubmatch(text); m != nil && at == path {
			if before == nil {
				before = maps.Clone(r.live)
				if n := len(before); n > maxMacros {
					p.complain(path, line, "%s: %d macros are defined before it; the limit is %d", m[1], n, maxMacros)
				}
			}
			p.balance(path, line, "before "+m[1], before, r.live)
			before = maps.Clone(r.live) // a leak is reported once
			function, registers = m[1], map[string]bool{}
		}
		if function == "" {
			return
		}
		for name, value := range r.live {
			if aRegister.MatchString(value) {
				registers[name] = true
			}
		}
		named[function] = len(registers)
	}
	if err := r.read(path); err != nil {
		return nil, err
	}
	if before != nil {
		p.balance(path, 0, "at the end of the file", before, r.live)
	}
	return named, nil
}

// balance complains if the defined macros differ from those at the previous TEXT line.
func (p *project) balance(path string, line int, where string, before, live map[string]string) {
	lacking := func(of, in map[string]string) string {
		var names []string
		for name := range of {
			if _, ok := in[name]; !ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return strings.Join(names, " ")
	}
	if names := lacking(live, before); names != "" {
		p.complain(path, line, "%s: macros are still defined: %s; #undef them at the end of their function", where, names)
	}
	if names := lacking(before, live); names != "" {
		p.complain(path, line, "%s: macros are no longer defined: %s; define the macros of a function after its TEXT line", where,
			names)
	}
}

// text checks the lines of an assembly file or header: comments, jumps and register maps.
func (p *project) text(path string, lines []string) {
	bare := 0 // instruction lines since the last comment
	macro := false
	for i, l := range lines {
		code, comment, commented := strings.Cut(l, "//")
		if strings.HasPrefix(strings.TrimSpace(comment), "Registers:") && strings.TrimSpace(code) == "" {
			p.registerMap(path, i, lines)
		}
		for _, m := range relative.FindAllStringSubmatch(code, -1) {
			if n, _ := strconv.Atoi(m[1]); n < 0 || n > 2 {
				p.complain(path, i+1, "a jump by %s: give its target a label", m[0])
			}
		}
		if strings.Contains(code, "(TLS)") {
			p.complain(path, i+1, "assembly must not read runtime structures")
		}
		code = strings.TrimSpace(code)
		wasMacro := macro || strings.HasPrefix(code, "#define")
		macro = wasMacro && strings.HasSuffix(code, `\`)
		switch {
		case commented || strings.HasPrefix(l, "TEXT"):
			bare = 0
		case wasMacro || code == "" || strings.HasPrefix(code, "#") || label.MatchString(code) ||
			strings.HasPrefix(code, "DATA") || strings.HasPrefix(code, "GLOBL") || strings.HasPrefix(code, "PCALIGN"):
		default:
			if bare++; bare == maxUncommented+1 {
				p.complain(path, i+1, "more than %d instructions in a row without a comment: describe their result",
					maxUncommented)
			}
		}
	}
}

// registerMap checks the form of a register map, whose first line is lines[i].
func (p *project) registerMap(path string, i int, lines []string) {
	var words []string
	for _, l := range lines[i:] {
		text, ok := strings.CutPrefix(l, "//")
		if !ok || strings.TrimSpace(text) == "" {
			break
		}
		words = append(words, strings.Fields(text)...)
	}
	text := strings.Join(words[1:], " ")
	text, _, _ = strings.Cut(text, ". ") // sentences may follow
	for _, entry := range strings.Split(strings.TrimSuffix(text, "."), "; ") {
		if !mapEntry.MatchString(entry) && !mapOther.MatchString(entry) {
			p.complain(path, i+1, `the register map has the entry %q, expected "Registers: SI, DI: x, y; Z0-Z3: sums."`, entry)
		}
	}
}

// arguments complains about stores to arguments. Only results may be stored in the caller's frame.
func (p *project) arguments(f function, stub declared) {
	results := map[string]bool{}
	if e, err := parser.ParseExpr("func" + stub.signature[strings.Index(stub.signature, "("):]); err == nil {
		if fn, ok := e.(*ast.FuncType); ok && fn.Results != nil {
			for _, field := range fn.Results.List {
				for _, name := range field.Names {
					results[name.Name] = true
				}
				if len(field.Names) == 0 {
					results["ret"] = true
				}
			}
		}
	}
	for _, in := range f.instructions {
		m := inArgument.FindStringSubmatch(in.operands)
		if m == nil || readsLast.MatchString(in.mnemonic) {
			continue
		}
		name, _, _ := strings.Cut(m[1], "_")
		if !results[name] && !results[m[1]] {
			p.complain(in.path, in.line, "%s: %s stores to the argument %s: use a local such as %s-8(SP)", f.name,
				in.mnemonic, m[1], m[1])
		}
	}
}

// names complains about a long function without register names.
func (p *project) names(path string, f function, named int) {
	if n := len(f.instructions); n > maxUnnamed && named < minNamed {
		p.complain(path, f.line, "%s has %d instructions but names only %d registers: #define at least %d names", f.name, n, named,
			minNamed)
	}
}

package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Go's assembler lacks many arm64 vector instructions. A kernel encodes them as WORD in one of two
// forms, with the mnemonic in GNU syntax:
//
//	WORD $0x4e61d402 // fadd v2.2d, v0.2d, v1.2d
//	#define FADD2D(m, n, d) WORD $(0x4e60d400 | m<<16 | n<<5 | d) // fadd Vd.2d, Vn.2d, Vm.2d
//
// In the second form, a register is a capital letter and the name of a parameter. An immediate is
// #name or [name].
var (
	aWord    = regexp.MustCompile(`\b(WORD|BYTE|LONG|QUAD|DWORD)\b`)
	plain    = regexp.MustCompile(`^\s*WORD\s+\$(0x[0-9a-fA-F]+)\s*;?\s*//\s*(.+?)\s*$`)
	macro    = regexp.MustCompile(`^#define\s+(\w+)\(([\w, ]+)\)\s+(WORD\s+\$.*?)\s*//\s*(.+?)\s*$`)
	register = `\b([BDHQSVWX])%s\b`
	constant = `(#|\[)%s\b`
)

// A word is an encoding and its expected mnemonic.
type word struct {
	file     string
	line     int
	code     uint32
	mnemonic string
}

// assembler encodes mnemonics.
const assembler = "aarch64-linux-gnu-as"

// wordsOf checks every WORD in the assembly of dir.
func (p *project) wordsOf(dir string) error {
	var files []string
	for _, pattern := range []string{"*.s", "*.h"} {
		f, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		files = append(files, f...)
	}
	var words []word
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, l := range strings.Split(string(raw), "\n") {
			code, _, _ := strings.Cut(l, "//")
			if !aWord.MatchString(code) {
				continue
			}
			p.words++
			if m := plain.FindStringSubmatch(l); m != nil {
				v, err := strconv.ParseUint(m[1], 0, 32)
				if err != nil {
					p.complain(path, i+1, "%v", err)
					continue
				}
				words = append(words, word{path, i + 1, uint32(v), m[2]})
			} else if m := macro.FindStringSubmatch(l); m != nil {
				w, err := expand(path, i+1, m)
				if err != nil {
					p.complain(path, i+1, "%v", err)
				}
				words = append(words, w...)
			} else {
				p.complain(path, i+1, "expected WORD $0x… // mnemonic, or #define NAME(d) WORD $(…) // mnemonic: %s",
					strings.TrimSpace(l))
			}
		}
	}
	if len(words) == 0 {
		return nil
	}
	codes, problems, err := encode(words)
	if err != nil {
		return err
	}
	done := map[string]bool{} // report one problem per line
	for i, w := range words {
		where := fmt.Sprint(w.file, w.line)
		c, ok := codes[i]
		switch {
		case done[where] || ok && c == w.code:
			continue
		case ok:
			p.complain(w.file, w.line, "WORD $0x%08x is not %q, which is $0x%08x", w.code, w.mnemonic, c)
		default:
			p.complain(w.file, w.line, "%s: %s", w.mnemonic, problems[i])
		}
		done[where] = true
	}
	return nil
}

// expand expands a macro with Go's assembler for many arguments. For immediates, it tries every
// value that the GNU assembler accepts.
func expand(path string, line int, m []string) ([]word, error) {
	name, body, mnemonic := m[1], m[3], m[4]
	var parameters []string
	for _, s := range strings.Split(m[2], ",") {
		parameters = append(parameters, strings.TrimSpace(s))
	}
	// Registers 0 and 31 determine the position and width of a field. Distinct registers in all
	// fields determine their order.
	cases := [][]int{make([]int, len(parameters)), make([]int, len(parameters))}
	var immediate []int
	for i, s := range parameters {
		cases[1][i] = 5 + 7*i
		switch {
		case regexp.MustCompile(fmt.Sprintf(register, s)).MatchString(mnemonic):
			c := make([]int, len(parameters))
			c[i] = 31
			cases = append(cases, c)
		case regexp.MustCompile(fmt.Sprintf(constant, s)).MatchString(mnemonic):
			immediate = append(immediate, i)
		default:
			return nil, fmt.Errorf("the mnemonic of %s does not use its parameter %s: %s", name, s, mnemonic)
		}
	}
	for _, at := range immediate {
		var all [][]int
		for _, c := range cases {
			for v := range 64 {
				d := slices.Clone(c)
				d[at] = v
				all = append(all, d)
			}
		}
		cases = all
	}
	mnemonics := make([]word, len(cases))
	var calls strings.Builder
	fmt.Fprintf(&calls, "#define %s(%s) %s\nTEXT ·words(SB), 4, $0-0\n", name, m[2], body)
	for i, c := range cases {
		args, text := make([]string, len(c)), mnemonic
		for j, v := range c {
			args[j] = strconv.Itoa(v)
			text = regexp.MustCompile(fmt.Sprintf(register, parameters[j])).ReplaceAllString(text, "${1}"+args[j])
			text = regexp.MustCompile(fmt.Sprintf(constant, parameters[j])).ReplaceAllString(text, "${1}"+args[j])
		}
		fmt.Fprintf(&calls, "\t%s(%s)\n", name, strings.Join(args, ", "))
		mnemonics[i] = word{file: path, line: line, mnemonic: text}
	}
	calls.WriteString("\tRET\n")

	dir, err := os.MkdirTemp("", "lint")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "words_arm64.s")
	if err := os.WriteFile(file, []byte(calls.String()), 0o644); err != nil {
		return nil, err
	}
	functions, err := assemble(file, "arm64", dir)
	if err != nil {
		return nil, err
	}
	got := functions[0].instructions
	if len(got) != len(cases)+1 {
		return nil, fmt.Errorf("%s expands to more than one instruction", name)
	}
	for i := range mnemonics {
		v, err := strconv.ParseInt(strings.TrimPrefix(got[i].operands, "$"), 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		mnemonics[i].code = uint32(v)
	}
	if len(immediate) == 0 {
		return mnemonics, nil
	}
	codes, _, err := encode(mnemonics)
	if err != nil {
		return nil, err
	}
	var valid []word
	for i, w := range mnemonics {
		if _, ok := codes[i]; ok {
			valid = append(valid, w)
		}
	}
	if len(valid) == 0 {
		return nil, fmt.Errorf("no immediate from 0 to 63 makes %s an instruction: %s", name, mnemonic)
	}
	return valid, nil
}

var complaint = regexp.MustCompile(`^[^:]*:(\d+): Error: (.*)$`)

// encode encodes every mnemonic for baseline arm64 with the GNU assembler. If the assembler rejects
// a mnemonic, encode returns a problem instead of a code.
func encode(words []word) (codes map[int]uint32, problems map[int]string, err error) {
	dir, err := os.MkdirTemp("", "lint")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	problems = map[int]string{}
	for {
		var text strings.Builder
		var kept []int
		for i, w := range words {
			if _, bad := problems[i]; !bad {
				kept = append(kept, i)
				text.WriteString(w.mnemonic + "\n")
			}
		}
		source, object := filepath.Join(dir, "w.s"), filepath.Join(dir, "w.o")
		if err := os.WriteFile(source, []byte(text.String()), 0o644); err != nil {
			return nil, nil, err
		}
		out, err := exec.Command(assembler, "-march=armv8.2-a+dotprod", "-o", object, source).CombinedOutput()
		if err == nil {
			codes, err = words32(object, kept)
			return codes, problems, err
		}
		before := len(problems)
		for _, l := range strings.Split(string(out), "\n") {
			if m := complaint.FindStringSubmatch(l); m != nil {
				n, _ := strconv.Atoi(m[1])
				problems[kept[n-1]] = m[2]
			}
		}
		if len(problems) == before {
			return nil, nil, fmt.Errorf("%s (Debian: binutils-aarch64-linux-gnu): %w\n%s", assembler, err, out)
		}
	}
}

// words32 reads the instructions of an object file, one for each element of kept.
func words32(object string, kept []int) (map[int]uint32, error) {
	f, err := elf.Open(object)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := f.Section(".text").Data()
	if err != nil {
		return nil, err
	}
	if len(text) != 4*len(kept) {
		return nil, fmt.Errorf("%d mnemonics assemble to %d bytes; each must assemble to 4 bytes", len(kept), len(text))
	}
	codes := map[int]uint32{}
	for j, i := range kept {
		codes[i] = binary.LittleEndian.Uint32(text[4*j:])
	}
	return codes, nil
}

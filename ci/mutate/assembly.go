//go:build unix

package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// untouched matches lines that are never mutated: hints, alignment, rules of ci/lint, and
// directives.
var untouched = regexp.MustCompile(`^(PREFETCH\w*|\w*AHEAD\w*|PCALIGN|NOP\w*|PAUSE|VZEROUPPER|RET|TEXT|GLOBL|FUNCDATA|PCDATA|NO_LOCAL_POINTERS)$`)

// commutative matches mnemonics, and macros named after them, with interchangeable first two
// operands.
var commutative = regexp.MustCompile(`^(V?P?(ADD|MUL|AND|OR|XOR|ORR|EOR|TEST)([PS][SD]|[BWDLQ]|[DQ]?(32|64)?)|VP(ADD|MUL|MIN|MAX|CMPEQ|AVG)\w*|VFN?M(ADD|SUB)231\w*|VP(AND|OR|XOR)[DQ]?|K(AND|OR|XOR|XNOR|TEST|ORTEST)[BWDQ]|TST|VFML[AS]|VCMEQ|VCMTST|VUMAX|VUMIN|(FADD|FMUL|FMIN|FMINNM|FMAX|FCMEQ|FABD)([DS]|D2|S4))(\.Z)?$`)

// mnemonics lists parts of mnemonics and their replacements. The first match applies.
var mnemonics = exchanges(
	`\.Z$ `,
	`^VADD(P|S) VSUB$1`, `^VSUB(P|S) VADD$1`, `^VMUL(P|S) VADD$1`, `^VDIV(P|S) VMUL$1`,
	`^V(P?)MIN V${1}MAX`, `^V(P?)MAX V${1}MIN`,
	`^VFMADD VFNMADD`, `^VFNMADD VFMADD`, `^VFMSUB VFMADD`,
	`UNPCKL UNPCKH`, `UNPCKH UNPCKL`, `^VMOVSHDUP VMOVSLDUP`, `^VMOVSLDUP VMOVSHDUP`,
	`^VPADD VPSUB`, `^VPSUB VPADD`, `^VPSLL VPSRL`, `^VPSRL VPSLL`, `^VPSRA VPSRL`, `^VPCMPGT VPCMPEQ`,
	`^VPCMPEQ VPCMPGT`,
	`^VANDN(P) VAND$1`, `^VAND(P) VOR$1`, `^VOR(P) VAND$1`, `^VXOR(P) VOR$1`, `^VPANDN VPAND`, `^VPAND VPOR`,
	`^VPOR VPAND`, `^VPXOR VPOR`,
	`^KANDN KAND`, `^KAND([BWDQ]) KOR$1`, `^KOR([BWDQ]) KAND$1`, `^KXOR([BWDQ]) KOR$1`, `^KSHIFTL KSHIFTR`,
	`^KSHIFTR KSHIFTL`,
	`^ADD([BLQ]) SUB$1`, `^SUB([BLQ]) ADD$1`, `^AND([BLQ]) OR$1`, `^OR([BLQ]) AND$1`, `^XOR([BLQ]) OR$1`, `^ADC SBB`,
	`^SBB ADC`,
	`^SHL([LQ]) SHR$1`, `^SHR([LQ]) SHL$1`, `^SAR([LQ]) SHR$1`, `^INC DEC`, `^DEC INC`, `^BSF BSR`, `^TZCNT LZCNT`,
	`^BLSR BLSI`,
	`^ADD(S?)$ SUB$1`, `^SUB(S?)$ ADD$1`, `^AND(S?W?)$ ORR`, `^ORR(W?)$ AND$1`, `^EOR(W?)$ ORR$1`, `^LSL(W?)$ LSR$1`,
	`^LSR(W?)$ LSL$1`, `^ASR(W?)$ LSR$1`,
	`^VADD$ VSUB`, `^VSUB$ VADD`, `^VAND$ VORR`, `^VORR$ VAND`, `^VEOR$ VORR`, `^VUSHR$ VSHL`, `^VSHL$ VUSHR`,
	`^VBIT$ VBIF`, `^VBIF$ VBIT`, `^VUMAX$ VUMIN`, `^VUMIN$ VUMAX`,
	`^VFMLA VFMLS`, `^VFMLS VFMLA`, `^V(UZP|ZIP|TRN)1 V${1}2`, `^V(UZP|ZIP|TRN)2 V${1}1`,
	`^FADD(D2|S4)$ FSUB$1`, `^FSUB(D2|S4)$ FADD$1`, `^FMUL(D2|S4)$ FDIV$1`, `^FDIV(D2|S4)$ FMUL$1`,
	`^FMIN(D2|PD)$ FMAX$1`, `^FMAX(D2|PD)$ FMIN$1`, `^CMGTD2$ CMGED2`, `^CMGED2$ CMGTD2`, `^FCMGTS4$ FCMGES4`,
	`^FCMGES4$ FCMGTS4`,
)

type exchange struct {
	from *regexp.Regexp
	to   string
}

func exchanges(pairs ...string) (list []exchange) {
	for _, p := range pairs {
		from, to, _ := strings.Cut(p, " ")
		list = append(list, exchange{regexp.MustCompile(from), to})
	}
	return list
}

// conditions maps conditions of amd64 and arm64 to their replacement: the neighbor or, if there is
// none, the opposite.
var conditions = map[string]string{
	"EQ": "NE", "NE": "EQ", "LT": "LE", "LE": "LT", "GT": "GE", "GE": "GT", "HI": "CC", "CC": "HI", "AE": "HI",
	"LS": "CS", "CS": "LS",
	"LO": "LS", "HS": "HI", "MI": "PL", "PL": "MI", "OS": "OC", "OC": "OS", "PS": "PC", "PC": "PS",
}

// Mnemonics that end with a condition, and two mnemonics in which a letter selects the condition.
var (
	conditional = regexp.MustCompile(`^(J|B|CMOV[LQW]|SET)([A-Z]{2})$`)
	zeroBranch  = regexp.MustCompile(`^([CT]B)(N?)(ZW?)$`)
)

var opposites = map[string]string{"LT": "GE", "GE": "LT", "LE": "GT", "GT": "LE"}

// aStep matches instructions that change a count of elements by the size of an iteration. The
// branch after it chooses between another iteration and the tail. If the tail can process all
// elements of an iteration, or none, the neighbor of the condition gives the same results at all
// lengths. The opposite condition is used instead, because it tests the tests.
var aStep = regexp.MustCompile(`^(SUB|ADD)[BWLQS]? \$(\(|const_|[A-Z]|[2-9]|1[0-9]|0x[0-9a-f]{2})`)

// aLimit matches comparisons of a length with a limit that selects the faster of two bit-identical
// loops: sizes of caches, and lengths between FROM and TO.
var aLimit = regexp.MustCompile(`^(CMP[LQ]|LEA[LQ]) .*(\$\([0-9]+<<20\)$|\$[0-9]{5,}$|\b(FROM|TO)\b)`)

// aKind matches tests of the kind of processor, which also select such loops. The branch after it
// is not mutated either.
var aKind = regexp.MustCompile(`^CMPB (INTEL|FP512), \$0$`)

// anIdiom matches instructions that set a register to zeros or ones for any operands. With one
// other source, the result would depend on earlier instructions, and usually be zero as well.
var anIdiom = regexp.MustCompile(`^(V?P?XOR(PS|PD|[DLQ])?|VPCMPEQ[BWDQ]|KX(N)?OR[BWDQ]|VPTERNLOG[DQ] \$0xff,|VEOR) `)

// aSign matches a shift that leaves only signs. A shift by more bits gives the same result.
var aSign = regexp.MustCompile(`^VPSRAD \$31,`)

// aNaN matches tests for NaN. The conditions "unordered" (3) and "not equal to itself" (4) agree.
var aNaN = regexp.MustCompile(`^VCMPP[SD] \$3, (\w+), (\w+),`)

// aScalar matches instructions that copy the upper lanes of the result from the second operand.
// Scalar code does not read these lanes.
var aScalar = regexp.MustCompile(`^VCVTSI2S[DS][LQ]$`)

// amd64Registers lists registers that a mutation may exchange.
var amd64Registers = []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13"}

var (
	defined    = regexp.MustCompile(`^#define\s+(\w+)(\([^)]*\))?`)
	undefined  = regexp.MustCompile(`^#undef\s+(\w+)`)
	aText      = regexp.MustCompile(`^TEXT\s+·(\w+)`)
	aData      = regexp.MustCompile(`^DATA\s+·?([^\s+]+)[^(]*\(SB\)/\d+,\s*`)
	aLabel     = regexp.MustCompile(`^\s*\w+:`)
	aMnemonic  = regexp.MustCompile(`^\s*[\pL_][\pL\pN_.]*`)
	aToken     = regexp.MustCompile(`[\pL_·∕][\pL\pN_·∕.<>]*|0x[0-9a-fA-F]+|[0-9]+|.`)
	aVector    = regexp.MustCompile(`^([XYZKVFR])(\d+)(\.\w+)?$`)
	elsewhere  = regexp.MustCompile(`\((FP|TLS)\)`)
	aNumber    = regexp.MustCompile(`^(0x[0-9a-fA-F]+|[0-9]+)$`)
	aDirective = regexp.MustCompile(`^\s*#`)
)

// An assembler collects the mutations of an assembly file.
type assembler struct {
	arch     string
	wide     bool // registers 16 to 31 are allowed
	function string
	line     int
	last     string            // the previous instruction
	names    map[string]string // of registers
	found    []*mutation
}

// mutateAssembly returns the mutations of an assembly file or header.
func mutateAssembly(arch string, avx512 bool, source string) []*mutation {
	a := &assembler{arch: arch, wide: avx512 || arch == "arm64", names: map[string]string{}}
	text, offset, macro := "(body)", 0, false
	for line := range strings.Lines(source) {
		a.line++
		at := offset
		offset += len(line)
		code, _, _ := strings.Cut(strings.TrimRight(line, "\n"), "//")
		continues := strings.HasSuffix(strings.TrimRight(code, " \t"), `\`)
		code = strings.TrimRight(strings.TrimRight(code, " \t"), `\`)
		if !macro {
			a.function = text
		}
		if m := defined.FindStringSubmatch(code); m != nil {
			a.function = m[1]
			at, code = at+len(m[0]), code[len(m[0]):]
			if value := strings.TrimSpace(code); a.register(value) != "" {
				a.names[m[1]] = value
				code = ""
			}
		} else if m := undefined.FindStringSubmatch(code); m != nil {
			delete(a.names, m[1])
			code = ""
		} else if m := aText.FindStringSubmatch(code); m != nil {
			text = m[1]
			code = ""
		} else if m := aData.FindStringSubmatch(code); m != nil {
			a.function = m[1]
			a.operand(at, code, len(m[0]), len(code))
			code = ""
		} else if aDirective.MatchString(code) {
			code = ""
		}
		macro = continues
		for _, one := range strings.SplitAfter(code, ";") {
			a.instruction(at, strings.TrimSuffix(one, ";"))
			at += len(one)
		}
	}
	return a.found
}

// replace records the mutation that replaces code[start:end] by text. The code starts at an offset
// of the file.
func (a *assembler) replace(at int, code string, start, end int, text string) {
	a.found = append(a.found, &mutation{line: a.line, function: a.function, start: at + start, end: at + end,
		text: text,
		from: normal(code), to: normal(code[:start] + text + code[end:])})
}

// instruction records the mutations of an instruction, a macro call or the value of a macro.
func (a *assembler) instruction(at int, code string) {
	if label := aLabel.FindString(code); label != "" {
		at, code = at+len(label), code[len(label):]
	}
	if strings.TrimSpace(code) == "" {
		return
	}
	m := aMnemonic.FindStringIndex(code)
	if m == nil {
		if a.function != "FROM" && a.function != "TO" {
			a.operand(at, code, 0, len(code))
		}
		return
	}
	mnemonic := strings.TrimSpace(code[:m[1]])
	last := a.last
	a.last = normal(code)
	if untouched.MatchString(mnemonic) || aLimit.MatchString(a.last) || aKind.MatchString(a.last) ||
		aKind.MatchString(last) {
		return
	}
	a.replace(at, code, 0, len(code), "")
	if c := conditional.FindStringSubmatch(mnemonic); c != nil && opposites[c[2]] != "" && aStep.MatchString(last) {
		a.replace(at, code, m[1]-len(mnemonic), m[1], c[1]+opposites[c[2]])
	} else {
		a.mnemonic(at, code, m[1]-len(mnemonic), mnemonic)
	}
	start, end := m[1], len(code)
	if strings.HasPrefix(code[start:], "(") { // of a macro
		start, end = start+1, strings.LastIndexByte(code, ')')
		if end < 0 { // an invocation over several lines
			end = len(code)
		}
	}
	operands := split(code, start, end)
	if anIdiom.MatchString(a.last) {
		names := map[string]bool{}
		for _, o := range operands {
			if name := code[o[0]:o[1]]; name != "$0xff" {
				names[name] = true
			}
		}
		if len(names) == 1 {
			o := operands[len(operands)-1]
			a.operand(at, code, o[0], o[1])
			return
		}
	}
	nan := aNaN.FindStringSubmatch(a.last)
	for i, o := range operands {
		switch {
		case i == 0 && aSign.MatchString(a.last):
			a.replace(at, code, o[0], o[1], strings.Replace(code[o[0]:o[1]], "31", "30", 1))
		case i == 0 && nan != nil && nan[1] == nan[2]:
			a.replace(at, code, o[0], o[1], "$2")
		case i != 1 || !aScalar.MatchString(mnemonic):
			a.operand(at, code, o[0], o[1])
		}
	}
	if len(operands) > 1 && !commutative.MatchString(mnemonic) {
		x, y := operands[0], operands[1]
		p, q := code[x[0]:x[1]], code[y[0]:y[1]]
		if p != q && !strings.HasPrefix(p, "$") && !strings.HasPrefix(q, "$") && !elsewhere.MatchString(p+q) {
			a.replace(at, code, x[0], y[1], q+code[x[1]:y[0]]+p)
		}
	}
}

// split returns the bounds of the operands in code[start:end].
func split(code string, start, end int) (operands [][2]int) {
	depth, from := 0, start
	for i := start; i <= end; i++ {
		switch {
		case i == end || code[i] == ',' && depth == 0:
			x, y := from, i
			for x < y && strings.ContainsRune(" \t", rune(code[x])) {
				x++
			}
			for x < y && strings.ContainsRune(" \t", rune(code[y-1])) {
				y--
			}
			if x < y {
				operands = append(operands, [2]int{x, y})
			}
			from = i + 1
		case code[i] == '(' || code[i] == '[':
			depth++
		case code[i] == ')' || code[i] == ']':
			depth--
		}
	}
	return operands
}

// mnemonic records the mutations of the mnemonic or macro name at code[start:].
func (a *assembler) mnemonic(at int, code string, start int, name string) {
	end := start + len(name)
	if m := conditional.FindStringSubmatch(name); m != nil {
		if other, ok := conditions[m[2]]; ok {
			a.replace(at, code, start, end, m[1]+other)
		}
		return
	}
	if m := zeroBranch.FindStringSubmatch(name); m != nil {
		n := "N"
		if m[2] == "N" {
			n = ""
		}
		a.replace(at, code, start, end, m[1]+n+m[3])
		return
	}
	for _, x := range mnemonics {
		if x.from.MatchString(name) {
			a.replace(at, code, start, end, x.from.ReplaceAllString(name, x.to))
			return
		}
	}
}

// operand records the mutations of the registers, numbers, conditions and mnemonics in an operand.
func (a *assembler) operand(at int, code string, start, end int) {
	if elsewhere.MatchString(code[start:end]) { // go vet checks the arguments
		return
	}
	tokens := aToken.FindAllStringIndex(code[start:end], -1)
	for _, t := range tokens {
		x, y := start+t[0], start+t[1]
		token := code[x:y]
		switch {
		case aNumber.MatchString(token):
			for _, other := range a.numbers(token, code[y:end]) {
				a.replace(at, code, x, y, other)
			}
		case conditions[token] != "" && token != "PC" && token != "CS":
			a.replace(at, code, x, y, conditions[token])
		case a.register(token) != "":
			a.replace(at, code, x, y, a.register(token))
		case len(token) > 2:
			a.mnemonic(at, code, x, token)
		}
	}
}

// numbers returns the replacements for a number: its neighbors or, if it is an offset from a
// register, the number plus eight.
func (a *assembler) numbers(token, after string) (others []string) {
	v, err := strconv.ParseUint(token, 0, 64)
	if err != nil {
		return nil
	}
	format := "%d"
	if strings.HasPrefix(token, "0x") {
		format = "%#x"
	}
	if strings.HasPrefix(after, "(") && !strings.HasPrefix(after, "(PC)") {
		return []string{fmt.Sprintf(format, v+8)}
	}
	// may be a scale
	if strings.HasPrefix(after, ")") && slices.Contains([]uint64{1, 2, 4, 8}, v) {
		return []string{fmt.Sprintf(format, map[uint64]uint64{1: 2, 2: 4, 4: 8, 8: 4}[v])}
	}
	if v < math.MaxUint64 {
		others = append(others, fmt.Sprintf(format, v+1))
	}
	if v > 0 {
		others = append(others, fmt.Sprintf(format, v-1))
	}
	return others
}

// register returns the register that replaces another one, which is the next of its kind, or "". A
// token may be a name that is defined as a register.
func (a *assembler) register(token string) string {
	if named, ok := a.names[token]; ok {
		token = named
	}
	if i := slices.Index(amd64Registers, token); i >= 0 && a.arch == "amd64" {
		return amd64Registers[(i+1)%len(amd64Registers)]
	}
	m := aVector.FindStringSubmatch(token)
	if m == nil {
		return ""
	}
	n, _ := strconv.Atoi(m[2])
	next, kind := n+1, m[1]
	switch {
	case kind == "K" && a.arch == "amd64":
		next = n%7 + 1 // K0 is not a mask
	case strings.Contains("XYZ", kind) && a.arch == "amd64":
		if next == 32 || next == 16 && !a.wide {
			next = 0
		}
	case strings.Contains("VF", kind) && a.arch == "arm64":
		next %= 32
	case kind == "R" && a.arch == "arm64":
		if next == 18 || next == 27 { // reserved
			next = 0
		}
	default:
		return ""
	}
	return fmt.Sprint(kind, next, m[3])
}

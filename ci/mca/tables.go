package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// A row is a kernel, without the suffix of its tier, a pattern of an instruction of its main loop,
// and the elements of one iteration: numbers, bytes, pairs of four bits or words of bits of each
// vector, and of all pairs of vectors where there are several.
type row struct {
	kernel, pattern string
	elements        int
}

var neonRows = []row{
	{"dotF64", "fmla", 32}, {"dotF32", "fmla", 64}, {"dotF32Wide", "fmla", 32},
	{"l2F64", "fmla", 32}, {"l2F32", "fmla", 64}, {"l2F32Wide", "fmla", 16},
	{"cosineF64", "fmla", 16}, {"cosineF32", "fmla", 32}, {"cosineF32Wide", "fmla", 16},
	{"dotF16", "fmla", 32}, {"dotBF16", "fmla", 32}, {"l2F16", "fmla", 32}, {"l2BF16", "fmla", 32},
	{"cosineF16", "fmla", 32}, {"cosineBF16", "fmla", 32},
	{"dotI8", "sadalp", 128}, {"dotI8SDOT", "sdot", 128}, {"dotU8", "uadalp", 128}, {"dotU8SDOT", "udot", 128},
	{"l2I8", "uadalp", 128}, {"l2I8SDOT", "udot", 128}, {"l2U8", "uadalp", 128}, {"l2U8SDOT", "udot", 128},
	{"cosineI8", "sadalp", 128}, {"cosineI8SDOT", "sdot", 128},
	{"cosineU8", "uadalp", 128}, {"cosineU8SDOT", "udot", 128},
	{"hammingBits", "cnt", 8}, {"jaccardBits", "cnt", 8},
	{"dotF32F16", "fmla", 32}, {"dotF32BF16", "fmla", 32}, {"dotF32I8", "fmla", 32}, {"dotF32U8", "fmla", 32},
	{"l2F32F16", "fmla", 32}, {"l2F32BF16", "fmla", 32}, {"l2F32I8", "fmla", 32}, {"l2F32U8", "fmla", 32},
	{"cosineF32F16", "fmla", 32}, {"cosineF32BF16", "fmla", 32},
	{"cosineF32I8", "fmla", 32}, {"cosineF32U8", "fmla", 32},
	{"dotI4", "sadalp", 128}, {"dotI4SDOT", "sdot", 128}, {"l2I4", "uadalp", 128}, {"l2I4SDOT", "udot", 128},
	{"quantizeI8", "fcvtns", 16}, {"signBits", "fcmgt", 16},
	{"gemvF32Wide", "fmla", 32}, {"dotBlockF32", "fmla", 64}, {"l2BlockF32", "fmla", 64},
	{"blockI8", "sadalp", 512}, {"blockI8SDOT", "sdot", 512}, {"blockU8", "uadalp", 512}, {"blockU8SDOT", "udot", 512},
	{"blockBits", "cnt", 64},
}

var avx2Rows = []row{
	{"dotF64", "fmadd", 32}, {"dotF32", "fmadd", 64}, {"dotF32Wide", "fmadd", 32},
	{"l2F64", "fmadd", 32}, {"l2F32", "fmadd", 64}, {"l2F32Wide", "fmadd", 32},
	{"cosineF64", "fmadd", 16}, {"cosineF32", "fmadd", 32}, {"cosineF32Wide", "fmadd", 16},
	{"dotF16", "fmadd", 32}, {"dotBF16", "fmadd", 32}, {"l2F16", "fmadd", 32}, {"l2BF16", "fmadd", 32},
	{"cosineF16", "fmadd", 32}, {"cosineBF16", "fmadd", 32},
	{"dotI8", "madd", 64}, {"dotU8", "madd", 64}, {"l2I8", "madd", 64}, {"l2U8", "madd", 64},
	{"cosineI8", "madd", 64}, {"cosineU8", "madd", 64}, {"hammingBits", "psadbw", 8}, {"jaccardBits", "psadbw", 8},
	{"dotF32F16", "fmadd", 32}, {"dotF32BF16", "fmadd", 32}, {"dotF32I8", "fmadd", 32}, {"dotF32U8", "fmadd", 32},
	{"dotI4", "madd", 64}, {"l2I4", "madd", 64}, {"quantizeI8", "cvtps2dq", 16}, {"signBits", "movmsk", 8},
	{"dotBlockF32", "fmadd", 64}, {"l2BlockF32", "fmadd", 64}, {"blockI8", "maddwd", 128},
	{"blockBits", "pshufb", 16},
}

var avx512Rows = []row{
	{"dotF64", "fmadd", 32}, {"dotF32", "fmadd", 64}, {"dotF32Wide", "fmadd", 32},
	{"l2F64", "fmadd", 32}, {"l2F32", "fmadd", 64}, {"l2F32Wide", "fmadd", 32},
	{"cosineF64", "fmadd", 32}, {"cosineF32", "fmadd", 64}, {"cosineF32Wide", "fmadd", 32},
	{"dotF16", "fmadd", 64}, {"dotBF16", "fmadd", 64}, {"l2F16", "fmadd", 64}, {"l2BF16", "fmadd", 64},
	{"cosineF16", "fmadd", 64}, {"cosineBF16", "fmadd", 64},
	{"dotI8", "vpdp", 256}, {"dotU8", "vpdp", 256}, {"l2I8", "vpdp", 256}, {"l2U8", "vpdp", 256},
	{"cosineI8", "vpdp", 256}, {"cosineU8", "vpdp", 256}, {"hammingBits", "popcnt", 8}, {"jaccardBits", "popcnt", 8},
	{"dotF32F16", "fmadd", 64}, {"dotF32BF16", "fmadd", 64}, {"dotF32I8", "fmadd", 64}, {"dotF32U8", "fmadd", 64},
	{"dotI4", "vpdp", 256}, {"l2I4", "vpdp", 256}, {"quantizeI8", "cvtps2dq", 16}, {"signBits", "vcmp", 64},
	{"dotBlockF32", "fmadd", 256}, {"l2BlockF32", "fmadd", 256},
	{"blockI8", "vpdp", 1024}, {"blockU8", "vpdp", 1024}, {"blockBits", "popcnt", 128},
}

// vectorTable appends the rows of some kernels: of one architecture and tier, whose suffix is that
// of their names.
func vectorTable(text *strings.Builder, scratch, arch, tier string, rows []row, machines []machine) ([]string, error) {
	var functions []string
	for _, r := range rows {
		functions = append(functions, r.kernel+tier+".abi0")
	}
	lines, err := disassembled(scratch, arch, "kernels", functions)
	if err != nil {
		return nil, err
	}
	var loops []loop
	for i, r := range rows {
		l := loopOf(lines[functions[i]], r.pattern)
		if l == nil {
			return nil, fmt.Errorf("no loop with %s in %s", r.pattern, functions[i])
		}
		loops = append(loops, l)
	}
	views, err := measureAll(machines, loops)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(text, "%-24s %8s", "kernel", "elements")
	for _, m := range machines {
		fmt.Fprintf(text, "  %-26s", m.name)
	}
	text.WriteString("\n")
	var faults []string
	for i, r := range rows {
		fmt.Fprintf(text, "%-24s %8d", r.kernel+tier, r.elements)
		for k, m := range machines {
			v := views[k][i]
			loads, vectors := m.limits(loops[i])
			bound := max(v.bound, loads, vectors)
			fmt.Fprintf(text, " %7.4f %3.0f%% %3.0f%% %-9s", v.cycles/float64(r.elements), 100*loads/v.cycles,
				100*bound/v.cycles, v.unit)
			if arch == "arm64" && v.cycles > most*bound {
				faults = append(faults, fmt.Sprintf("SHORT: %s%s on %s takes %.2f cycles, its bound is %.2f",
					r.kernel, tier, m.name, v.cycles, bound))
			}
		}
		text.WriteString("\n")
	}
	if slices.ContainsFunc(rows, func(r row) bool { return strings.HasSuffix(r.kernel, "SDOT") }) {
		text.WriteString("\nTimes of NEON over those of SDOT:\n")
		for i, r := range rows {
			base, ok := strings.CutSuffix(r.kernel, "SDOT")
			if !ok {
				continue
			}
			fmt.Fprintf(text, "%-33s", base)
			without := slices.IndexFunc(rows, func(r row) bool { return r.kernel == base })
			for k := range machines {
				fmt.Fprintf(text, " %6.1f×%20s", views[k][without].cycles/views[k][i].cycles, "")
			}
			text.WriteString("\n")
		}
	}
	return faults, nil
}

// A section is a table of the kernels of one tier.
type section struct {
	title, arch, tier string
	rows              []row
	machines          []machine
}

var armMachines = []machine{neoverseN1, neoverseV1, neoverseV2, appleM1}

var sections = []section{
	{"NEON", "arm64", "NEON", neonRows, armMachines},
	{"AVX2", "amd64", "AVX2", avx2Rows, []machine{zen3, zen4, iceLake, sapphireRapids}},
	{"AVX-512", "amd64", "AVX512", avx512Rows, []machine{zen4, iceLake, sapphireRapids}},
}

const legend = `What llvm-mca makes of main loops. For each processor: cycles per element; the share of them that
the loads need; the share that the bound needs, which is the largest of loads, vector instructions
(of NEON), dispatch and units; the busiest unit.

- The M1 is modelled as a Cyclone with three vector pipes; it has four. The pipes bind L2 of float32
  and float64, which subtracts and multiplies each pair of vectors: hence 70 % of the loads there.
- SDOT leaves dot products and distances of bytes bound by their loads, at 1.5 and 1.9 times NEON on
  neoverse-v1 and -v2. Blocks load less per product: 4 times.
- Taking pairs of four bits apart costs as much with SDOT as without.
- znver4's model loads two vectors of 64 bytes per cycle; the processor loads one. llvm-mca gives
  znver5 the model of znver4.
`

// A plainRow is a kernel of NEON that stands against plain Go, and what a unit of its work is. Each
// side has a function, a pattern of an instruction of its loop, and the units of an iteration.
type plainRow struct {
	what        string
	neon, plain row
}

var orderRows = []plainRow{ // the compiler puts the references into what calls them
	{"PartitionI64: element", row{"partitionI64NEON.abi0", "csinc|cinc", 4}, row{"partitionI64", "str", 1}},
	{"PartitionCountI32: element", row{"partitionCountI32NEON.abi0", "csinc|cinc", 4},
		row{"partitionCountI32", "str", 1}},
}

var rankRows = []plainRow{
	{"RankGradesF32: score", row{"rankGradesF32NEON.abi0", "zip1", 4}, row{"rankGradesF32Generic", "eon", 1}},
}

var treeRows = []plainRow{
	{"HistogramU8: update", row{"histogramU8NEON.abi0", "mul", 16}, row{"histogramEight", "str", 8}},
	{"SubI64: element", row{"subI64NEON.abi0", "sub", 8}, row{"subI64", "str\tx", 1}},
	{"BestSplitI64: bin", row{"bestSplitI64NEON.abi0", "fmul", 4}, row{"bestSplitI64Generic", "fmul", 1}},
	{"PartitionRows: row", row{"partitionRowsNEON.abi0", "csel", 4}, row{"partitionRowsGeneric", "str", 1}},
	{"BinF32: level of the search", row{"binF32NEON.abi0", "adc", 8}, row{"searchFour", "ldr", 4}},
	{"InterleaveU8: row", row{"interleaveU8NEON.abi0", "zip1", 16}, row{"interleaveU8Generic", "str", 1}},
	{"ForestColumnsF32: value", row{"forestColumnsF32NEON.abi0", "trn1", 16},
		row{"forestColumnsF32Generic", "ldr\ts", 1}},
	{"ForestTestsF32: value, test", row{"forestTestsF32NEON.abi0", "sli", 64}, row{"forestTestKeys", "asr", 1}},
	{"ForestSelect: 64 documents", row{"forestSelectNEON.abi0", "bsl", 8}, row{"forestSelect", "eor", 1}},
	{"ForestAddF64: leaf", row{"forestAddF64NEON.abi0", "fadd", 16}, row{"forestAddF64Generic", "fadd", 1}},
	{"DocumentWalkF64: level of a tree", row{"documentWalkF64NEON.abi0", "cinc", 8},
		row{"documentWalkF64Generic", "lsr", 4}},
}

var plainSections = []struct {
	title, pkg string
	rows       []plainRow
}{
	{"Kernels of sorting", "internal/order", orderRows},
	{"Kernels of rankings", "internal/topk", rankRows},
	{"Kernels of trees", "internal/trees", treeRows},
}

// plainTable appends the kernels of a package beside plain Go.
func plainTable(text *strings.Builder, scratch, pkg string, kernels []plainRow) ([]string, error) {
	rows := make([]row, 0, 2*len(kernels)) // NEON and plain Go in turns
	for _, r := range kernels {
		rows = append(rows, r.neon, r.plain)
	}
	var functions []string
	for _, r := range rows {
		functions = append(functions, r.kernel)
	}
	lines, err := disassembled(scratch, "arm64", pkg, functions)
	if err != nil {
		return nil, err
	}
	var loops []loop
	for _, r := range rows {
		l := loopOf(lines[r.kernel], r.pattern)
		if l == nil {
			return nil, fmt.Errorf("no loop with %s in %s", r.pattern, r.kernel)
		}
		loops = append(loops, l)
	}
	views, err := measureAll(armMachines, loops)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(text, "%-34s", "kernel: unit")
	for _, side := range []string{"NEON", "| Go"} {
		fmt.Fprintf(text, " %5s", side)
		for _, m := range armMachines {
			fmt.Fprintf(text, " %11s", m.name)
		}
	}
	text.WriteString("\n")
	var faults []string
	for i, r := range kernels {
		fmt.Fprintf(text, "%-34s %5d", r.what, len(loops[2*i]))
		for k := range armMachines {
			fmt.Fprintf(text, " %11.2f", views[k][2*i].cycles/float64(r.neon.elements))
		}
		fmt.Fprintf(text, " | %3d", len(loops[2*i+1]))
		for k, m := range armMachines {
			neon := views[k][2*i].cycles / float64(r.neon.elements)
			plain := views[k][2*i+1].cycles / float64(r.plain.elements)
			fmt.Fprintf(text, " %11.2f", plain)
			if neon >= plain {
				faults = append(faults, fmt.Sprintf("SLOWER than plain Go on %s: %s", m.name, r.what))
			}
		}
		text.WriteString("\n")
	}
	return faults, nil
}

// measure returns the whole table, and what is wrong with the kernels.
func measure() (table string, faults []string, err error) {
	scratch, err := os.MkdirTemp("", "mca")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(scratch)
	var text strings.Builder
	text.WriteString(legend)
	for _, s := range sections {
		fmt.Fprintf(&text, "\n%s:\n", s.title)
		more, err := vectorTable(&text, scratch, s.arch, s.tier, s.rows, s.machines)
		if err != nil {
			return "", nil, err
		}
		faults = append(faults, more...)
	}
	for _, s := range plainSections {
		fmt.Fprintf(&text, "\n%s: instructions of an iteration, and cycles of a unit:\n", s.title)
		more, err := plainTable(&text, scratch, s.pkg, s.rows)
		if err != nil {
			return "", nil, err
		}
		faults = append(faults, more...)
	}
	text.WriteString("ForestTestsF32 in plain Go is a search: its cycles are those of a value and one level of that.\n")
	return regexp.MustCompile(` +\n`).ReplaceAllString(text.String(), "\n"), faults, nil
}

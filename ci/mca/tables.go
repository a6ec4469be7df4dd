package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// A row describes a kernel: its name without the tier, a pattern of an instruction in its main
// loop, and the number of elements per iteration. Elements are numbers, bytes, pairs of four bits
// or words of bits. If an iteration processes several pairs of vectors, the number includes all of
// them. A pattern with the prefix "block " selects the instructions between two branches, for
// kernels without an innermost loop.
type row struct {
	kernel, pattern string
	elements        int
}

var neonRows = []row{
	{"dotF64", "fmla", 32}, {"dotF32", "fmla", 64}, {"dotF32Wide", "fmla", 32}, {"gemvF32Wide", "fmla", 32},
	{"axpyF64", "fmla", 16}, {"axpyF32", "fmla", 32}, {"gemvF64", "fmla", 32}, {"gemvF32", "fmla", 64},
	{"addGemvTF64", "fmla", 32},
	{"addGemvTF32", "fmla", 64}, {"addGemvTF32Wide", "fmla", 32}, {"spmvF32Wide", "fmadd", 2},
	{"addSpmvTF32Wide", "fmadd", 2}, {"nonzerosF32", "block uzp1", 16}, {"expF64", "fmla", 2},
	{"pairSquaredHinge", "fmla", 16}, {"pairHuberHinge", "fmla", 16}, {"pairLogistic", "fdiv", 16},
	{"pairSweep", "bic", 1},
}

var neonVectorRows = []row{
	{"l2F64", "fmla", 32}, {"l2F32", "fmla", 64}, {"cosineF64", "fmla", 16},
	{"cosineF32", "fmla", 32}, {"dotF16", "fmla", 32},
	{"dotBF16", "fmla", 32}, {"l2F16", "fmla", 32}, {"l2BF16", "fmla", 32}, {"cosineF16", "fmla", 32},
	{"cosineBF16", "fmla", 32}, {"dotI8", "sadalp", 128}, {"dotI8SDOT", "sdot", 128},
	{"dotU8", "uadalp", 128}, {"dotU8SDOT", "udot", 128}, {"l2I8", "uadalp", 128}, {"l2I8SDOT", "udot", 128},
	{"l2U8", "uadalp", 128}, {"l2U8SDOT", "udot", 128}, {"cosineI8", "sadalp", 128},
	{"cosineI8SDOT", "sdot", 128}, {"cosineU8", "uadalp", 128}, {"cosineU8SDOT", "udot", 128},
	{"hammingBits", "cnt", 8}, {"jaccardBits", "cnt", 8}, {"dotF32F16", "fmla", 32},
	{"dotF32BF16", "fmla", 32}, {"dotF32I8", "fmla", 32}, {"dotF32U8", "fmla", 32}, {"l2F32F16", "fmla", 32},
	{"l2F32BF16", "fmla", 32}, {"l2F32I8", "fmla", 32}, {"l2F32U8", "fmla", 32},
	{"cosineF32F16", "fmla", 32}, {"cosineF32BF16", "fmla", 32}, {"cosineF32I8", "fmla", 32},
	{"cosineF32U8", "fmla", 32}, {"quantizeI8", "fcvtns", 16},
	{"signBits", "fcmgt", 16}, {"dotBlockF32", "fmla", 64}, {"l2BlockF32", "fmla", 64},
	{"blockI8", "sadalp", 512}, {"blockI8SDOT", "sdot", 512}, {"blockU8", "uadalp", 512},
	{"blockU8SDOT", "udot", 512}, {"blockBits", "cnt", 64}, {"f16FromF32", "fcvtn", 8},
	{"bF16FromF32", "xtn", 8}, {"f32FromF16", "fcvtl", 8}, {"f32FromBF16", "shll", 8},
	{"scaleI8", "smax", 16}, {"dequantizeI8", "scvtf", 16}, {"cosinesF32", "fsqrt", 2},
	{"maxSimF32", "fmla", 96}, {"maxSimI8SDOT", "sdot", 384},
}

var avx2Rows = []row{
	{"dotF64", "fmadd", 32}, {"dotF32", "fmadd", 64}, {"dotF32Wide", "fmadd", 32}, {"axpyF64", "fmadd", 16},
	{"axpyF32", "fmadd", 32},
	{"gemvF64", "fmadd", 32}, {"gemvF32", "fmadd", 64}, {"gemvF32Wide", "fmadd", 32},
	{"gemvF64Four", "fmadd", 32}, {"gemvF32Four", "fmadd", 64}, {"gemvF32WideFour", "fmadd", 32},
	{"addGemvTF64", "fmadd", 64}, {"addGemvTF32", "fmadd", 128}, {"addGemvTF32Wide", "fmadd", 64},
	{"spmvF32Wide", "vcvtps2pd", 2}, {"addSpmvTF32Wide", "vcvtps2pd", 2}, {"nonzerosF32", "bsf", 1},
	{"expF64", "fmadd|fnmadd", 4}, {"pairSquaredHinge", "fmadd", 32}, {"pairHuberHinge", "fmadd", 32},
	{"pairLogistic", "vdiv", 32}, {"pairSweep", "vpcmpgtq", 1},
}

var avx2VectorRows = []row{
	{"l2F64", "fmadd", 32}, {"l2F32", "fmadd", 64}, {"cosineF64", "fmadd", 16},
	{"cosineF32", "fmadd", 32}, {"dotF16", "fmadd", 32},
	{"dotBF16", "fmadd", 32}, {"l2F16", "fmadd", 32}, {"l2BF16", "fmadd", 32}, {"cosineF16", "fmadd", 32},
	{"cosineBF16", "fmadd", 32}, {"dotI8", "madd", 64}, {"dotU8", "madd", 64}, {"l2I8", "madd", 64},
	{"l2U8", "madd", 64}, {"cosineI8", "madd", 64}, {"cosineU8", "madd", 64}, {"hammingBits", "psadbw", 8},
	{"jaccardBits", "psadbw", 8}, {"dotF32F16", "fmadd", 32}, {"dotF32BF16", "fmadd", 32},
	{"dotF32I8", "fmadd", 32}, {"dotF32U8", "fmadd", 32},
	{"quantizeI8", "cvtps2dq", 16}, {"signBits", "movmsk", 8}, {"dotBlockF32", "fmadd", 64},
	{"l2BlockF32", "fmadd", 64}, {"blockI8", "maddwd", 128}, {"blockBits", "pshufb", 16},
	{"l2F32F16", "fmadd", 32}, {"l2F32BF16", "fmadd", 32}, {"l2F32I8", "fmadd", 32},
	{"l2F32U8", "fmadd", 32}, {"cosineF32F16", "fmadd", 32}, {"cosineF32BF16", "fmadd", 32},
	{"cosineF32I8", "fmadd", 32}, {"cosineF32U8", "fmadd", 32}, {"f16FromF32", "vcvtps2ph", 8},
	{"bF16FromF32", "vpsrld", 8}, {"f32FromF16", "vcvtph2ps", 8}, {"f32FromBF16", "vpmovzxwd", 8},
	{"scaleI8", "vpmax", 16}, {"dequantizeI8", "vcvtdq2ps", 16}, {"cosinesF32", "vsqrt", 4},
	{"blockI8Pack", "block vpunpck", 256}, {"blockBitsPack", "block vpunpck", 256},
	{"blockI8Store", "vpmulld", 16}, {"maxSimF32", "fmadd", 96},
}

var avx512Rows = []row{
	{"dotF64", "fmadd", 32}, {"dotF32", "fmadd", 64}, {"dotF32Wide", "fmadd", 32}, {"axpyF64", "fmadd", 32},
	{"axpyF32", "fmadd", 64},
	{"gemvF64", "fmadd", 224}, {"gemvF32", "fmadd", 448}, {"gemvF32Wide", `fmadd.*\(%r10`, 32},
	{"gemvF32WideSplit", "fmadd", 96}, {"addGemvTF64", "fmadd", 224}, {"addGemvTF32", "fmadd", 448},
	{"addGemvTF32Wide", "fmadd", 224}, {"addGemvTF32WideSplit", "fmadd", 112}, {"nonzerosF32", "vpcompress", 16},
	{"expF64", "fmadd|fnmadd", 8}, {"pairSquaredHinge", "fmadd", 32}, {"pairHuberHinge", "fmadd", 32},
	{"pairLogistic", "vdiv", 32}, {"pairSweep", "vaddpd", 1},
}

var avx512VectorRows = []row{
	{"l2F64", "fmadd", 32}, {"l2F32", "fmadd", 64}, {"cosineF64", "fmadd", 32},
	{"cosineF32", "fmadd", 64}, {"dotF16", "fmadd", 64},
	{"dotBF16", "fmadd", 64}, {"l2F16", "fmadd", 64}, {"l2BF16", "fmadd", 64}, {"cosineF16", "fmadd", 64},
	{"cosineBF16", "fmadd", 64}, {"dotI8", "vpdp", 256}, {"dotU8", "vpdp", 256}, {"l2I8", "vpdp", 256},
	{"l2U8", "vpdp", 256}, {"cosineI8", "vpdp", 256}, {"cosineU8", "vpdp", 256},
	{"hammingBits", "popcnt", 8}, {"jaccardBits", "popcnt", 8}, {"dotF32F16", "fmadd", 64},
	{"dotF32BF16", "fmadd", 64}, {"dotF32I8", "fmadd", 64}, {"dotF32U8", "fmadd", 64},
	{"quantizeI8", "cvtps2dq", 16}, {"signBits", "vcmp", 64},
	{"dotBlockF32", "fmadd", 256}, {"l2BlockF32", "fmadd", 256}, {"blockI8", "vpdp", 1024},
	{"blockU8", "vpdp", 1024}, {"blockBits", "popcnt", 128}, {"l2F32F16", "fmadd", 64},
	{"l2F32BF16", "fmadd", 64}, {"l2F32I8", "fmadd", 64}, {"l2F32U8", "fmadd", 64},
	{"cosineF32F16", "fmadd", 64}, {"cosineF32BF16", "fmadd", 64}, {"cosineF32I8", "fmadd", 64},
	{"cosineF32U8", "fmadd", 64}, {"l2RowsF32", "fmadd", 64}, {"cosineRowsF32", "fmadd", 64},
	{"f16FromF32", "vcvtps2ph", 16}, {"bF16FromF32", "vpmov", 16}, {"f32FromF16", "vcvtph2ps", 16},
	{"f32FromBF16", "vpmovzxwd", 16}, {"scaleI8", "vpmax", 16}, {"dequantizeI8", "vcvtdq2ps", 16},
	{"cosinesF32", "vsqrt", 8}, {"blockI8Pack", "block vpunpck", 1024}, {"blockI8Store", "vpmulld", 16},
	{"maxSimF32", "fmadd", 256}, {"maxSimI8Pack", "vpxor", 64}, {"maxSimI8", "vpdp", 1024},
}

// Sorting kernels. On NEON and AVX2, two loops sort a leaf of 64 elements: the first one sorts its
// halves, and the second one the halves of the merged leaf. The row describes the first loop. The
// row of scanF64 describes the slowest case, in which all values so far could be float32 and
// integers.

var neonOrderRows = []row{
	{"scanF64", "frintz", 2}, {"linearKeysF64", "fcvtzs", 4}, {"floatKeysF64", "fcvtn", 4}, {"floatKeysF32", "sshr", 4},
	{"packKeys", "zip1", 4}, {"partitionI64", "csinc|cinc", 4}, {"tallyI64", "lsr", 4}, {"moveI64", "lsr", 4},
	{"sortI64", "uqsub", 32}, {"splitKeys", "uzp", 8},
	{"partitionCountI32", "csinc|cinc", 4}, {"inversionsI32", "cmgt", 16}, {"countPairsF64", "fcmgt", 4},
	{"filterI32", "lsr", 4},
}

var avx2OrderRows = []row{
	{"scanF64", "vmin", 8}, {"linearKeysF64", "vmulpd", 4}, {"floatKeysF64", "vcvtpd2ps", 4},
	{"floatKeysF32", "ymm", 8}, {"packKeys", "vpmovzxdq", 4}, {"partitionI64", "vpermd", 16},
	{"tallyI64", "vpsrlq", 16}, {"moveI64", "prefetch", 32},
	{"sortI64", "vpcmpgtq", 32}, {"splitKeys", "vmovmsk", 8}, {"partitionCountI32", "vpermd", 32},
	{"inversionsI32", "vpcmpgtd", 64}, {"countPairsF64", "vcmp", 4}, {"filterI32", "adc", 4},
}

var avx512OrderRows = []row{
	{"scanF64", "vmin", 16}, {"linearKeysF64", "vmulpd", 8}, {"floatKeysF64", "vcvtpd2ps", 8},
	{"floatKeysF32", "zmm", 16}, {"packKeys", "zmm", 8}, {"partitionI64", "vpcompress", 32},
	{"sortI64", "block vpminsq", 64}, {"splitKeys", "zmm", 8}, {"partitionCountI32", "vpcompress", 64},
	{"inversionsI32", "vpcmp.*uw", 64}, {"countPairsF64", "vcmp", 8},
	{"filterI32", "vpcompress", 16}, {"mergeKeys", "block vpminsq", 128},
}

// Ranking kernels.

var neonRankRows = []row{
	{"rankKeysF32", "zip1", 4}, {"rankGradesF32", "zip1", 4}, {"thresholdF32", "fcmgt", 16},
	{"selectKeysF32", "tbl", 16}, {"countLevelsU8", "cmeq", 128}, {"bestGainsF32", "umin", 16},
	{"rankGainsF32", "block umax", 64},
}

var avx2RankRows = []row{
	{"rankKeysF32", "vpunpck", 8}, {"rankGradesF32", "vpunpck", 8}, {"thresholdF32", "vmax", 32},
	{"selectKeysF32", "vpermd", 8}, {"countLevelsU8", "vpcmpeqb", 128}, {"bestGainsF32", "vpmovzx", 16},
	{"rankGainsF32", "block vpminsd", 64},
}

var avx512RankRows = []row{
	{"rankKeysF32", "zmm", 16}, {"rankGradesF32", "zmm", 16}, {"gainsOfKeysF64", "zmm", 8},
	{"thresholdF32", "vmax", 64},
	{"selectKeysF32", "kortest", 64}, {"countLevelsU8", "vpcmp", 1024}, {"bestGainsF32", "vpmovzx", 16},
	{"rankGainsF32", "block vpminsd", 128},
}

// Tree kernels.

var neonTreeRows = []row{
	{"histogramU8", "mul", 16}, {"subI64", "sub", 8}, {"bestSplitI64", "fmul", 4}, {"partitionRows", "csel", 4},
	{"binF32", "adc", 8}, {"interleaveU8", "zip1", 16}, {"forestColumnsF32", "trn1", 16}, {"forestTestsF32", "sli", 64},
	{"forestSelect", "bsl", 8}, {"forestAddF64Leaves", "zip1", 128}, {"forestAddF64", "fadd", 16},
	{"walkF64", "cinc", 16}, {"lambdaF32", "fdiv", 16}, {"lambdaUnbiasedF32", "fdiv", 16},
}

var avx2TreeRows = []row{
	{"histogramU8", `block addq\t.*\(`, 64}, {"histogramU8Columns", `block movl\t`, 32},
	{"histogramU8Fetch", "prefetch", 64},
	{"histogramU8Tile", "block vpunpck", 256}, {"subI64", "vpsubq", 16}, {"bestSplitI64", "vmulpd", 4},
	{"binF32", "vcmp", 1},
	{"interleaveU8", "vpunpck", 16}, {"forestColumnsF32", "vperm|vunpck", 64}, {"forestTestsF32", "vcmp", 8},
	{"forestSelect", "vp", 8}, {"forestTranspose", "vpsrlq", 32}, {"forestAddF64", "vp", 1}, {"walkF64", "cmpl", 8},
	{"packRanksF32", "vpermps", 32}, {"packSumF64", "vpcmpgtb", 128}, {"lambdaF32", "vdiv", 16},
	{"lambdaUnbiasedF32", "vdiv", 16},
}

var avx512TreeRows = []row{
	{"subI64", "vpsubq", 32}, {"bestSplitI64", "vmulps", 16},
	{"partitionRows", "vpcompress", 64}, {"binF32", "vcmp", 1},
	{"rankTableF32", "vcmp", 32}, {"rankTablesF32Search", "vpermps", 16}, {"rankTablesF32", "vpermb", 64},
	{"rankLeavesU8", "vpermi2b", 8}, {"rankSumF64", "vaddpd", 1}, {"packRanksF32", "vpermps", 64},
	{"packSumF64", "vpcmpleb", 256},
	{"forestColumnsF32", "zmm", 256}, {"forestTestsF32", "vperm", 16}, {"forestSelect", "vp", 64},
	{"forestTranspose", "vpsrlq", 64},
	{"forestAddF64", "vaddpd", 64}, {"lambdaF32", "vdiv", 16}, {"lambdaUnbiasedF32", "vdiv", 16},
}

// vectorTable appends the rows of a section.
func vectorTable(text *strings.Builder, scratch string, s section) ([]string, error) {
	arch, tier, rows, machines := s.arch, s.tier, s.rows, s.machines
	var functions []string
	for _, r := range rows {
		functions = append(functions, r.kernel+tier+".abi0")
	}
	lines, err := disassembled(scratch, arch, s.pkg, functions)
	if err != nil {
		return nil, err
	}
	var loops []loop
	for i, r := range rows {
		var l loop
		if p, straight := strings.CutPrefix(r.pattern, "block "); straight {
			l = blockOf(lines[functions[i]], p)
		} else {
			l = loopOf(lines[functions[i]], r.pattern)
		}
		if l == nil {
			return nil, fmt.Errorf("%s contains no loop that matches %q", functions[i], r.pattern)
		}
		loops = append(loops, l)
	}
	views, err := measureAll(machines, loops)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(text, "%-24s %8s", "kernel", "elements")
	for _, m := range machines {
		fmt.Fprintf(text, "  %-31s", m.name)
	}
	text.WriteString("\n")
	var faults []string
	for i, r := range rows {
		fmt.Fprintf(text, "%-24s %8d", r.kernel+tier, r.elements)
		for k, m := range machines {
			v := views[k][i]
			loads, vectors := m.limits(loops[i])
			bound := max(v.bound, loads, vectors)
			fmt.Fprintf(text, " %7.4f %3.0f%% %3.0f%% %3.0f%% %-9s", v.cycles/float64(r.elements), 100*loads/v.cycles,
				100*bound/v.cycles, 100*v.busy/v.cycles, v.unit)
			if (m == neoverseV2 || m == appleM1) && max(bound, v.busy) < least*v.cycles && !waits[r.kernel+" "+m.name] {
				faults = append(faults, fmt.Sprintf("SHORT: %s%s on %s takes %.2f cycles, its bound is %.2f",
					r.kernel, tier, m.name, v.cycles, max(bound, v.busy)))
			}
		}
		text.WriteString("\n")
	}
	if slices.ContainsFunc(rows, func(r row) bool { return strings.HasSuffix(r.kernel, "SDOT") }) {
		text.WriteString("\nTimes of NEON over those of SDOT:\n")
		for i, r := range rows {
			base, ok := strings.CutSuffix(r.kernel, "SDOT")
			without := slices.IndexFunc(rows, func(r row) bool { return r.kernel == base })
			if !ok || without < 0 { // without SDOT, maxSimI8 uses the kernel of float32
				continue
			}
			fmt.Fprintf(text, "%-33s", base)
			for k := range machines {
				fmt.Fprintf(text, " %6.1f×%25s", views[k][without].cycles/views[k][i].cycles, "")
			}
			text.WriteString("\n")
		}
	}
	return faults, nil
}

// A section is a table of the kernels of one tier in a package.
type section struct {
	title, pkg, arch, tier string
	rows                   []row
	machines               []machine
}

var (
	armMachines  = []machine{neoverseN1, neoverseV1, neoverseV2, appleM1}
	avx2Machines = []machine{zen3, zen4, iceLake, sapphireRapids}
	wideMachines = []machine{zen4, iceLake, sapphireRapids}
)

var sections = []section{
	{"NEON", "kernels", "arm64", "NEON", neonRows, armMachines},
	{"AVX2", "kernels", "amd64", "AVX2", avx2Rows, avx2Machines},
	{"AVX-512", "kernels", "amd64", "AVX512", avx512Rows, wideMachines},
	{"NEON, vectors", "vectors", "arm64", "NEON", neonVectorRows, armMachines},
	{"AVX2, vectors", "vectors", "amd64", "AVX2", avx2VectorRows, avx2Machines},
	{"AVX-512, vectors", "vectors", "amd64", "AVX512", avx512VectorRows, wideMachines},
	{"NEON, sorting", "internal/order", "arm64", "NEON", neonOrderRows, armMachines},
	{"AVX2, sorting", "internal/order", "amd64", "AVX2", avx2OrderRows, avx2Machines},
	{"AVX-512, sorting", "internal/order", "amd64", "AVX512", avx512OrderRows, wideMachines},
	{"NEON, rankings", "internal/order", "arm64", "NEON", neonRankRows, armMachines},
	{"AVX2, rankings", "internal/order", "amd64", "AVX2", avx2RankRows, avx2Machines},
	{"AVX-512, rankings", "internal/order", "amd64", "AVX512", avx512RankRows, wideMachines},
	{"NEON, trees", "internal/trees", "arm64", "NEON", neonTreeRows, armMachines},
	{"AVX2, trees", "internal/trees", "amd64", "AVX2", avx2TreeRows, avx2Machines},
	{"AVX-512, trees", "internal/trees", "amd64", "AVX512", avx512TreeRows, wideMachines},
}

// waits lists the NEON loops that wait longer for results than for units of a processor. The legend
// explains why.
var waits = map[string]bool{
	"expF64 apple-m1": true, "pairLogistic apple-m1": true,
	"bestSplitI64 apple-m1": true, "partitionRows apple-m1": true,
	"lambdaUnbiasedF32 apple-m1": true,
	"binF32 neoverse-v2":         true,
}

const legend = `This table contains llvm-mca's predictions for the main loops of kernels. Each processor has these
columns.

- the cycles per element
- the share of the cycles that the loads need
- the share that the bound needs, which is the maximum of loads, vector instructions (NEON), dispatch
  and units
- the busiest unit, and its share of busy cycles

The busiest unit can have a larger share than the bound. llvm-mca assigns instructions to units in
turn, so instructions that could run on any unit may occupy the only unit for shifts or conversions.
On neoverse-v2 and apple-m1, the bound or the busiest unit accounts for at least 85% of the cycles of
each NEON loop, with two exceptions.

- expF64, pairLogistic, bestSplitI64, lambdaUnbiasedF32, partitionRows on apple-m1: chains of
  dependent instructions fill the schedulers of the Cyclone model. It has fewer scheduler entries than
  an M1, and its multiplications take twice as long. expF64 is a chain of 165 cycles, and the window of
  192 instructions holds four of them: 35 cycles per vector, although the units need only 14. Of a
  thousand random instruction orders, none of pairLogistic and bestSplitI64 takes less than 0.99 of the
  time. One order of partitionRows takes 0.91 of the time, but 1.08 on neoverse-v1.
- binF32 on neoverse-v2: groups of eight searches wait for the loads of their next level, but the next
  eight searches do not wait for them. If the loop is unrolled with keys and bins, eight searches of
  four levels run at 99% of the speed of their units, and of eight levels at 94%. On neoverse-v1 they
  run at 100%.

The models differ from the processors.

- The M1 is modelled as a Cyclone with three vector pipes, but it has four. The pipes limit L2 of
  float32 and float64, which subtracts and multiplies each pair of vectors. Loads therefore need only
  70% of the cycles.
- With SDOT, loads limit dot products and distances of bytes. They are 1.5 and 1.9 times as fast as
  NEON on neoverse-v1 and -v2. Blocks need fewer loads per product and are 4 times as fast.
- Unpacking pairs of four bits costs the same with SDOT as without.
- znver4's model loads two vectors of 64 bytes per cycle; the processor loads one. The model converts
  one vector of 32 bytes from float32 to float64 per cycle. The processor converts two from memory, 1.3
  from registers, and 0.75 vectors of 64 bytes. It takes 0.15 cycles per element for
  addGemvTF32WideSplit, where the model predicts 0.25, 0.17 for gemvF32WideSplit, and 0.26 for
  DotF32Wide, where the model predicts 0.5. The model computes maxima and minima of floats on the
  multiplication units. The processor computes them on the addition units, and pairSquaredHinge is
  balanced for that. llvm-mca uses the model of znver4 for znver5.
- znver3's model also converts one such vector per cycle; the processor converts 1.5 from memory. No
  model includes the 340 cycles that a Zen 3 takes to mix SSE with AVX. ci/lint rejects such code.
`

// A plainRow compares a NEON kernel with plain Go. what describes the kernel and the unit of its
// work. Each side has a function, a pattern of an instruction in its loop, and the units per
// iteration.
type plainRow struct {
	what        string
	neon, plain row
}

var orderRows = []plainRow{ // the compiler inlines the references into their callers
	{"PartitionI64: element", row{"partitionI64NEON.abi0", "csinc|cinc", 4}, row{"partitionI64", "str", 1}},
	{"PartitionCountI32: element", row{"partitionCountI32NEON.abi0", "csinc|cinc", 4},
		row{"partitionCountI32", "str", 1}},
}

var rankRows = []plainRow{
	{"SelectKeysF32: value, of 16 with some", row{"selectKeysF32NEON.abi0", "tbl", 16},
		row{"selectKeysF32Generic", "cset|cinc|csinc", 1}},
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
	{"WalkF64: level of a tree", row{"walkF64NEON.abi0", "cinc", 16}, row{"walkF64Generic", "lsr", 4}},
}

var sparseRows = []plainRow{
	{"SpmvF32Wide: element", row{"spmvF32WideNEON.abi0", "fmadd", 2}, row{"spmvF32WideGeneric", "fmadd", 1}},
	{"AddSpmvTF32Wide: element", row{"addSpmvTF32WideNEON.abi0", "fmadd", 2}, row{"addSpmvTF32Wide", `ldr\ts\d`, 1}},
	{"PairSweep: sum that grows, of 16", row{"pairSweepNEON.abi0", "bic", 7}, row{"pairSweepGeneric", "fadd", 2}},
}

var vectorRows = []plainRow{
	{"CosinesF32: row", row{"cosinesF32NEON.abi0", "fsqrt", 2}, row{"cosinesF32", "fsqrt", 1}},
}

var plainSections = []struct {
	title, pkg string
	rows       []plainRow
}{
	{"Kernels of sparse rows and pairs", "kernels", sparseRows},
	{"Kernels of vectors", "vectors", vectorRows},
	{"Kernels of sorting", "internal/order", orderRows},
	{"Kernels of rankings", "internal/order", rankRows},
	{"Kernels of trees", "internal/trees", treeRows},
}

// plainTable appends a comparison of a package's kernels with plain Go.
func plainTable(text *strings.Builder, scratch, pkg string, kernels []plainRow) ([]string, error) {
	rows := make([]row, 0, 2*len(kernels)) // alternately NEON and plain Go
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
			return nil, fmt.Errorf("%s contains no loop that matches %q", r.kernel, r.pattern)
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

// measure returns the complete table, and the kernels that are too slow.
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
		more, err := vectorTable(&text, scratch, s)
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
	text.WriteString("ForestTestsF32 in plain Go is a search: its cycles are those of a value and one level of that.\n" +
		"ForestAddF64 numbers leaves in loops that are not counted here, of NEON nor of plain Go.\n")
	return regexp.MustCompile(` +\n`).ReplaceAllString(text.String(), "\n"), faults, nil
}

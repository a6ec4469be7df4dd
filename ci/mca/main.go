// Command mca prints llvm-mca's predictions for the main loops of kernels. They come from a model;
// no hardware is timed. The model knows the ports of a processor and the latency of its
// instructions. It ignores caches and mispredicted branches. The model of the Apple M1 is that of
// the Cyclone, an older core with three vector pipes instead of four.
//
//	go run ./ci/mca           compares the table with ci/mca.txt. The exit status is 1 if a loop
//	                          takes more than 1.05 times as long, if the tables differ, or if a
//	                          kernel is too slow
//	go run ./ci/mca -update   writes the table to ci/mca.txt, and prints slower loops
//
// NEON kernels are also compared with the code that Go's compiler generates for the same loop in
// plain Go. They must not take longer on any processor.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

const (
	// Release 17 is the first with models of both Neoverse cores, and Debian contains 19.
	llvm  = "19"
	table = "ci/mca.txt"

	iterations = 200
	least      = .85  // minimum share of a NEON loop's cycles that its bound or busiest unit needs
	tolerance  = 1.05 // maximum ratio of a loop's cycles to the committed cycles
)

func main() {
	update := flag.Bool("update", false, "write "+table)
	flag.Parse()
	if err := run(*update); err != nil {
		fmt.Fprintln(os.Stderr, "mca:", err)
		os.Exit(1)
	}
}

func run(update bool) error {
	have, faults, err := measure()
	if err != nil {
		return err
	}
	committed, err := os.ReadFile(table)
	if err != nil && !update {
		return err
	}
	faults = append(faults, worse(string(committed), have)...)
	if update {
		for _, f := range faults {
			fmt.Fprintln(os.Stderr, f)
		}
		return os.WriteFile(table, []byte(have), 0o666)
	}
	fmt.Print(have)
	if ours(string(committed)) != ours(have) {
		faults = append(faults, table+" does not match the code: run go run ./ci/mca -update")
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d faults:\n%s", len(faults), strings.Join(faults, "\n"))
	}
	return nil
}

// ours returns a table without the text after a bar, which describes plain Go, because the
// compiler's code may change.
func ours(table string) string {
	lines := strings.Split(table, "\n")
	for i, l := range lines {
		lines[i], _, _ = strings.Cut(l, "|")
	}
	return strings.Join(lines, "\n")
}

// worse returns the cycles in a table that exceed those in another table by more than tolerance. A
// row is identified by its section, which is the last line before it that ends with a colon, and by
// its text before two spaces. Cycles are the numbers with at least two decimals.
func worse(before, after string) (found []string) {
	cycles := regexp.MustCompile(`\b\d+\.\d\d+\b`)
	rows := func(table string, visit func(name string, cycles []string)) {
		section := ""
		for _, l := range strings.Split(ours(table), "\n") {
			if strings.HasSuffix(l, ":") {
				section = l
			}
			if name, rest, ok := strings.Cut(l, "  "); ok && section != "" {
				visit(section+" "+name, cycles.FindAllString(rest, -1))
			}
		}
	}
	old := map[string][]string{}
	rows(before, func(name string, cycles []string) { old[name] = cycles })
	rows(after, func(name string, cycles []string) {
		if len(cycles) != len(old[name]) {
			return // another set of processors
		}
		for i, c := range cycles {
			was, _ := strconv.ParseFloat(old[name][i], 64)
			is, _ := strconv.ParseFloat(c, 64)
			if is > was*tolerance {
				found = append(found,
					fmt.Sprintf("SLOWER THAN BEFORE: %s %s, was %s (column %d)", name, c, old[name][i], i+1))
			}
		}
	})
	return found
}

// failed returns an error with the command and the start of its error output.
func failed(command *exec.Cmd, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w\n%.500s", err, exit.Stderr)
	}
	return fmt.Errorf("%.100s: %w", command, err)
}

// A loop is the assembly text of a loop without its label.
type loop []string

// matches returns the number of matching instructions.
func (l loop) matches(pattern string) (n int) {
	re := regexp.MustCompile(pattern)
	for _, line := range l {
		if re.MatchString(line) {
			n++
		}
	}
	return n
}

var (
	instruction = regexp.MustCompile(`^ *([0-9a-f]+): *\t(.*)$`)
	symbol      = regexp.MustCompile(`^[0-9a-f]+ <(.*)>:$`)
	branch      = regexp.MustCompile(`^(b|b\.[a-z]+|cbn?z|tbn?z|j[a-z]+)\t(?:.*, )?0x([0-9a-f]+)( |$)`)
	comment     = regexp.MustCompile(`\s+(# |//).*$`)
	jump        = regexp.MustCompile(`^(b|b\.[a-z]+|bl|br|cbn?z|tbn?z|retq?|j[a-z]+|call[a-z]*)(\t|$)`)
	place       = regexp.MustCompile(` *<[^>]*>$`)
)

// disassembled returns the instructions of functions by name, from the test binary of a package.
func disassembled(scratch, arch, pkg string, functions []string) (map[string][][2]string, error) {
	binary := filepath.Join(scratch, arch+"-"+filepath.Base(pkg))
	if _, err := os.Stat(binary); err != nil { // another tier may have built it
		build := exec.Command("go", "test", "-c", "-o", binary, "./"+pkg)
		build.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s for %s: %w\n%s", pkg, arch, err, out)
		}
	}
	prefix := "github.com/simdrank/simdrank/" + pkg + "."
	objdump := exec.Command("llvm-objdump-"+llvm, "-d", "--no-show-raw-insn",
		"--disassemble-symbols="+prefix+strings.Join(functions, ","+prefix), binary)
	out, err := objdump.Output()
	if err != nil {
		return nil, failed(objdump, err)
	}
	lines, name := map[string][][2]string{}, ""
	for _, l := range strings.Split(string(out), "\n") {
		if m := symbol.FindStringSubmatch(l); m != nil {
			name = strings.TrimPrefix(m[1], prefix)
		} else if m := instruction.FindStringSubmatch(l); m != nil {
			lines[name] = append(lines[name], [2]string{m[1], comment.ReplaceAllString(m[2], "")})
		}
	}
	return lines, nil
}

// loopOf returns the instructions from the target of a backward branch up to the branch. It selects
// the loop with the most matching instructions and without calls, returns and inner loops. If
// several branches have the same target, it uses the first one after a match, because rare paths
// follow later.
func loopOf(lines [][2]string, pattern string) (best loop) {
	at, starts, matched := map[string]int{}, []int{}, map[int]bool{}
	for i, l := range lines {
		at[l[0]] = i
		b := branch.FindStringSubmatchIndex(l[1])
		if b == nil {
			continue
		}
		start, ok := at[l[1][b[4]:b[5]]]
		if !ok {
			continue
		}
		inside := slices.ContainsFunc(starts, func(s int) bool { return s > start })
		starts = append(starts, start)
		var found loop
		for _, k := range lines[start : i+1] {
			text := place.ReplaceAllString(k[1], "")
			if m := branch.FindStringSubmatchIndex(k[1]); m != nil {
				text = k[1][:m[4]-2] + ".L"
			}
			found = append(found, text)
		}
		n := found.matches(pattern)
		if n == 0 || matched[start] || inside || found.matches(call) > 0 {
			continue
		}
		matched[start] = true
		if n > best.matches(pattern) {
			best = found
		}
	}
	return best
}

// blockOf returns the sequence of instructions without a branch that contains the most matches.
func blockOf(lines [][2]string, pattern string) (best loop) {
	var block loop
	for _, l := range append(lines, [2]string{"", "ret"}) {
		if !jump.MatchString(l[1]) {
			block = append(block, place.ReplaceAllString(l[1], ""))
			continue
		}
		if block.matches(pattern) > best.matches(pattern) {
			best = block
		}
		block = nil
	}
	return best
}

// call matches calls and returns.
const call = `^(bl|ret|call)`

// A view is llvm-mca's prediction for a loop.
type view struct {
	cycles float64 // per iteration
	bound  float64 // minimum cycles for its dispatch and its units
	unit   string  // the busiest unit
	busy   float64 // the cycles for which the unit is busy
}

// A machine is a processor, with the operations per cycle of its model.
type machine struct {
	name  string
	arch  string
	loads float64 // loaded vectors of 16 or 32 bytes; on an M1, load instructions
	wide  float64 // loaded vectors of 64 bytes
	pairs bool    // whether an instruction that loads two vectors counts once
	pipes float64 // vector instructions, if all pipes execute nearly all of them
}

var (
	neoverseN1     = machine{name: "neoverse-n1", arch: "aarch64", loads: 2, pipes: 2}
	neoverseV1     = machine{name: "neoverse-v1", arch: "aarch64", loads: 3, pipes: 4}
	neoverseV2     = machine{name: "neoverse-v2", arch: "aarch64", loads: 3, pipes: 4}
	appleM1        = machine{name: "apple-m1", arch: "aarch64", loads: 2, pairs: true, pipes: 3}
	zen3           = machine{name: "znver3", arch: "x86-64", loads: 2}
	zen4           = machine{name: "znver4", arch: "x86-64", loads: 2, wide: 2}
	iceLake        = machine{name: "icelake-server", arch: "x86-64", loads: 2, wide: 2}
	sapphireRapids = machine{name: "sapphirerapids", arch: "x86-64", loads: 3, wide: 2}
)

// limits returns the minimum cycles for the loads and for the vector instructions of an iteration.
func (m machine) limits(l loop) (loads, vectors float64) {
	if m.arch == "x86-64" {
		loads = float64(l.matches(`^v[a-z0-9]+\t[^\t]*\(.*, %[xy]mm\d+`)) / m.loads
		if n := l.matches(`^v[a-z0-9]+\t[^\t]*\(.*, %zmm\d+`); n > 0 {
			loads += float64(n) / m.wide
		}
		return loads, 0
	}
	n := l.matches(`^ld[pr]\t[qd]`)
	if !m.pairs {
		n += l.matches(`^ldp\tq`)
	}
	return float64(n) / m.loads, float64(l.matches(`^[a-z0-9]+\tv\d`)) / m.pipes
}

// views predicts all loops on a machine in one run of llvm-mca.
func (m machine) views(loops []loop) ([]view, error) {
	var text strings.Builder
	for i, l := range loops {
		body := strings.ReplaceAll(".L:\n"+strings.Join(l, "\n"), ".L", fmt.Sprintf(".L%d", i))
		fmt.Fprintf(&text, "# LLVM-MCA-BEGIN %d\n%s\n# LLVM-MCA-END\n", i, body)
	}
	run := exec.Command("llvm-mca-"+llvm, "-march="+m.arch, "-mcpu="+m.name, "-instruction-info=false",
		"-iterations="+strconv.Itoa(iterations))
	run.Stdin = strings.NewReader(text.String())
	out, err := run.Output()
	if err != nil {
		return nil, failed(run, err)
	}
	parts := regexp.MustCompile(`(?m)^\[\d+\] Code Region.*$`).Split(string(out), -1)[1:]
	if len(parts) != len(loops) {
		return nil, fmt.Errorf("llvm-mca-%s -mcpu=%s: the output contains %d of %d loops", llvm, m.name, len(parts),
			len(loops))
	}
	views := make([]view, len(parts))
	for i, p := range parts {
		views[i] = viewOf(p)
	}
	return views, nil
}

var (
	resource = regexp.MustCompile(`(?m)^\[[\d.]+\] +- (.*)$`)
	family   = regexp.MustCompile(`^([A-Z][a-z0-9]+Unit|Zn\d|ICX|SPR)`)
	pressure = regexp.MustCompile(`(?s)Resource pressure per iteration:\n[^\n]*\n([^\n]*)`)
)

func viewOf(report string) view {
	number := func(name string) float64 {
		m := regexp.MustCompile(name + `: +([\d.]+)`).FindStringSubmatch(report)
		x, _ := strconv.ParseFloat(m[1], 64)
		return x
	}
	v := view{cycles: number("Total Cycles") / iterations, bound: number("Block RThroughput"), unit: "dispatch"}
	names := resource.FindAllStringSubmatch(report, -1)
	v.busy = number("Total uOps") / iterations / number("Dispatch Width")
	for i, p := range strings.Fields(pressure.FindStringSubmatch(report)[1]) {
		if x, err := strconv.ParseFloat(p, 64); err == nil && x > v.busy+.01 {
			v.busy, v.unit = x, family.ReplaceAllString(names[i][1], "")
		}
	}
	return v
}

// measureAll predicts the loops on several machines in parallel.
func measureAll(machines []machine, loops []loop) ([][]view, error) {
	views, errs := make([][]view, len(machines)), make([]error, len(machines))
	var wait sync.WaitGroup
	for i, m := range machines {
		wait.Go(func() { views[i], errs[i] = m.views(loops) })
	}
	wait.Wait()
	return views, errors.Join(errs...)
}

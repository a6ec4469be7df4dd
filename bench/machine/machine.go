package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
)

// A machine describes the machine of a result.
type machine struct {
	Processor string
	CPUs      int
	Caches    []string // caches of one core: level and size
	System    string
	Go        string
	Tiers     []string // supported tiers; the default tier is last
	Load      string   // load average over a minute, before and after
	Date      string   // UTC
	Commit    string   // of this project; "" if git does not report it
	Peers     []peer   // installed programs and libraries for bench/peers
}

// A peer is another program or library. Its version is "" if it reports none.
type peer struct {
	Name    string
	Version string
}

// describe returns a description of this machine.
func describe(ctx context.Context) machine {
	m := machine{
		Processor: cmp.Or(cpuid.CPU.BrandName, armProcessor(read("/proc/cpuinfo")), "unknown"),
		CPUs:      runtime.NumCPU(),
		Caches:    caches(),
		System:    strings.TrimSpace(runtime.GOOS + "/" + runtime.GOARCH + " " + read("/proc/sys/kernel/osrelease")),
		Go:        runtime.Version(),
		Load:      load1(),
		Date:      time.Now().UTC().Format("2006-01-02 15:04"),
		Commit:    output(ctx, "git", "describe", "--always", "--dirty"),
		Peers:     peers(ctx),
	}
	if c := cpuid.CPU; c.Family != 0 {
		m.Processor = fmt.Sprintf("%s (family %d, model %d)", m.Processor, c.Family, c.Model)
	}
	return m
}

func read(path string) string {
	content, _ := os.ReadFile(path)
	return strings.TrimSpace(string(content))
}

// load1 returns the load average of the last minute, or "unknown".
func load1() string {
	first, _, _ := strings.Cut(read("/proc/loadavg"), " ")
	return cmp.Or(first, "unknown")
}

// armProcessor returns the name of the core from the numbers that Linux reports.
func armProcessor(cpuinfo string) string {
	m := regexp.MustCompile(`(?s)CPU implementer\s*: (\S+).*?CPU part\s*: (\S+)`).FindStringSubmatch(cpuinfo)
	if m == nil {
		return ""
	}
	names := map[string]string{"0xd08": "Cortex-A72", "0xd0b": "Cortex-A76", "0xd0c": "Neoverse N1",
		"0xd40": "Neoverse V1", "0xd49": "Neoverse N2", "0xd4f": "Neoverse V2", "0xd84": "Neoverse V3",
		"0xd8e": "Neoverse N3"}
	if name := names[m[2]]; m[1] == "0x41" && name != "" {
		return "Arm " + name
	}
	return fmt.Sprintf("implementer %s, part %s", m[1], m[2])
}

// caches returns the caches that one core owns or shares, if Linux or the processor reports them.
func caches() (list []string) {
	indexes, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	for _, dir := range indexes {
		kind := map[string]string{"Data": "d", "Instruction": "i"}[read(dir+"/type")]
		list = append(list, "L"+read(dir+"/level")+kind+" "+read(dir+"/size"))
	}
	if len(list) > 0 {
		return list
	}
	c := cpuid.CPU.Cache
	for i, size := range []int{c.L1D, c.L1I, c.L2, c.L3} {
		if size > 0 {
			list = append(list, fmt.Sprintf("%s %dK", []string{"L1d", "L1i", "L2", "L3"}[i], size>>10))
		}
	}
	return list
}

// output returns the output of a command, or "" if it fails.
func output(ctx context.Context, name string, args ...string) string {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// peers returns the installed peers. Only bench/peers measures them.
func peers(ctx context.Context) (found []peer) {
	version := regexp.MustCompile(`\d+(\.\d+)+\S*`)
	for _, p := range []struct{ name, variable string }{{"trec_eval", "TREC_EVAL"}, {"LightGBM", "LIGHTGBM"},
		{"liblinear-ranksvm", "LIBLINEAR_RANKSVM"}} {
		if program, err := exec.LookPath(os.Getenv(p.variable)); err == nil {
			found = append(found, peer{p.name, version.FindString(output(ctx, program, "--version"))})
		}
	}
	script := "import importlib.metadata as m\n" +
		"for d in m.distributions(): print(d.metadata['Name'], d.version)"
	wanted := []string{"faiss", "lightgbm", "numpy", "scikit-learn", "scipy", "xgboost"}
	// bench/peers runs the system's Python, even if another one comes first in PATH.
	for line := range strings.Lines(cmp.Or(output(ctx, "/usr/bin/python3", "-c", script),
		output(ctx, "python3", "-c", script))) {
		name, v, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name = strings.ToLower(name); slices.Contains(wanted, name) {
			found = append(found, peer{name, v})
		}
	}
	if v := output(ctx, "Rscript", "-e", `cat(as.character(packageVersion("pcaPP")))`); v != "" {
		found = append(found, peer{"pcaPP (R)", v})
	}
	if v := output(ctx, "dpkg-query", "-W", "-f=${Version}", "libopenblas0"); v != "" {
		found = append(found, peer{"OpenBLAS", v})
	}
	slices.SortFunc(found, func(a, b peer) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return slices.Compact(found)
}

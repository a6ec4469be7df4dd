//go:build unix

// Command mutate finds missing tests. It changes the code in one place at a time: operands,
// registers, constants, masks, conditions, loop steps, or a deleted statement. It builds each
// mutant outside of the tree and runs the tests. It prints one line for each mutant that survives,
// and a summary. For each survivor, write a test that catches it. If no test can detect the change,
// add a line with the reason to equivalents.txt.
//
//	go run ./ci/mutate -n 200 -seed 1  # all code that this machine can run
//	go run ./ci/mutate -n 200 -seed 1 -family pair -tier avx2,avx512
//	go run ./ci/mutate -n 20 -seed 1 -list                  # print the mutants, run nothing
//
// The exit status is 1 if the tests catch less than the share -min of the mutants that are not in
// equivalents.txt.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/cli"
)

//go:embed equivalents.txt
var listed string

type atomicCount struct{ n atomic.Int64 }

func (c *atomicCount) next() int64 { return c.n.Add(1) }

func main() {
	var tierNames []string
	for _, t := range tiers {
		if t.available() {
			tierNames = append(tierNames, t.name)
		}
	}
	n := flag.Int("n", 200, "number of mutants to run")
	seed := flag.Uint64("seed", 1, "random seed; the same tree and seed give the same mutants")
	family := flag.String("family", strings.Join(familyNames(), ","),
		"families to mutate, or DIR/... for all families in a directory")
	tier := flag.String("tier", strings.Join(tierNames, ","), "tiers to mutate and test")
	least := flag.Float64("min", .97, "minimum share of mutants to catch")
	list := flag.Bool("list", false, "print the mutants without running them")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx := cli.Context() // a signal ends the started programs and removes the files
	ok, err := mutate(ctx, *n, *seed, strings.Split(*family, ","), strings.Split(*tier, ","), *least, *list)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(cli.ExitCode(ctx, 2))
	}
	if !ok {
		os.Exit(1)
	}
}

// available reports whether this machine can run the tests of a tier.
func (t tier) available() bool {
	if len(t.run) > 0 {
		_, err := exec.LookPath(t.run[0])
		return err == nil
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	return t.name == "generic" || runtime.GOARCH == t.arch &&
		slices.Contains(strings.Fields(string(info)), map[string]string{"avx2": "avx2", "avx512": "avx512bw"}[t.name])
}

// mutate runs n mutants and reports whether enough of them were caught.
func mutate(ctx context.Context, n int, seed uint64, familyNames, tierNames []string, least float64,
	list bool) (bool, error) {
	root, err := os.Getwd()
	if err != nil {
		return false, err
	}
	found, err := targets(root, familyNames, tierNames)
	if err != nil {
		return false, err
	}
	var all []*mutation
	for _, t := range found {
		ms, err := mutations(root, t)
		if err != nil {
			return false, err
		}
		all = append(all, ms...)
	}
	draw(all, seed)
	if list {
		for _, m := range all[:min(n, len(all))] {
			fmt.Println(m)
		}
		return true, nil
	}
	equivalent, err := parseEquivalents(listed)
	if err != nil {
		return false, err
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	r := &runner{root: root, scratch: scratch}

	counts := map[string]*[known + 1]int{}
	for _, name := range tierNames {
		counts[name] = new([known + 1]int)
	}
	for done := 0; done < n && len(all) > 0; {
		batch := all[:min(n-done, len(all))]
		all = all[len(batch):]
		outcomes, err := r.tryAll(ctx, batch, equivalent)
		if err != nil {
			return false, err
		}
		for i, m := range batch {
			counts[m.tier.name][outcomes[i]]++
			if outcomes[i] != notBuilds {
				done++
			}
		}
	}
	return summarize(tierNames, counts, least), nil
}

// tryAll runs mutants on all processors and prints each survivor.
func (r *runner) tryAll(ctx context.Context, batch []*mutation, equivalent map[string]bool) ([]outcome, error) {
	outcomes, errs := make([]outcome, len(batch)), make([]error, runtime.NumCPU())
	var next atomicCount
	var wg sync.WaitGroup
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil {
				i := int(next.next()) - 1
				if i >= len(batch) {
					return
				}
				if equivalent[batch[i].key()] {
					outcomes[i] = known
					continue
				}
				outcomes[i], errs[w] = r.try(ctx, batch[i])
				if errs[w] == nil && outcomes[i] == survived {
					fmt.Println(batch[i])
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// summarize prints a line for each tier, and reports whether the tests caught enough mutants.
func summarize(tierNames []string, counts map[string]*[known + 1]int, least float64) bool {
	var all, dead int
	for _, name := range tierNames {
		c := counts[name]
		run := c[caught] + c[endless] + c[survived]
		all, dead = all+run, dead+c[caught]+c[endless]
		fmt.Printf("%s: %d caught (%d by the time limit), %d survived, %d listed as equivalent, %d did not build or give the same program", name,
			c[caught]+c[endless], c[endless], c[survived], c[known], c[notBuilds])
		if run > 0 {
			fmt.Printf(": %.1f%% of the other mutants caught", 100*float64(c[caught]+c[endless])/float64(run))
		}
		fmt.Println()
	}
	return float64(dead) >= least*float64(all)
}

// parseEquivalents parses the list of equivalents. Below a comment with the reason, it contains
// lines of the output without the directory and the line number.
func parseEquivalents(text string) (map[string]bool, error) {
	keys := map[string]bool{}
	reason := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.TrimSpace(line) == "":
			reason = false
		case strings.HasPrefix(line, "#"):
			reason = true
		case !reason:
			return nil, fmt.Errorf("equivalents.txt:%d: the line above %q must state a reason", i+1, line)
		case keys[line]:
			return nil, fmt.Errorf("equivalents.txt:%d: %q is listed twice", i+1, line)
		default:
			keys[line] = true
		}
	}
	return keys, nil
}

// Command tau compares KendallTau with scipy.stats.kendalltau, R's pcaPP::cor.fk and a merge sort
// in plain Go on the same columns, and checks that they agree.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// The peers. The merge sort is a function of this program.
const (
	scipy = iota
	corfk
	merge
)

// targetThreads is the minimum gain of a second goroutine at a million values, by kind of columns.
var targetThreads = map[string]float64{"random": 1.6, "labels": 1.4}

func main() { peer.Main("tau", run) }

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "tau"))
	defer os.RemoveAll(dir)
	python := peer.Python(ctx, "bench/peers/tau/peer.py")
	r := peer.Start(ctx, nil, "Rscript", "bench/peers/tau/peer.R")
	c := contest{t: t, peers: []*peer.Process{python, r}, dir: dir, programs: []peer.Program{
		python.Program("SciPy", "scipy"), r.Program("pcaPP", "pcaPP"), {}}}
	t.Heading("tau-b and p-value, one thread", "ours", "peer")
	if t.Growth {
		c.growth()
	} else {
		for _, kind := range synth.ColumnKinds {
			for _, n := range []int{10, 30, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000} {
				if !t.Quick || quick(kind, n) {
					c.compare(kind, n)
				}
			}
		}
		compareThreads(t)
	}
	peer.Check(python.Close())
	peer.Check(r.Close())
}

// A contest contains the peers and their descriptions. The description of the merge sort is empty.
type contest struct {
	t        *peer.Table
	peers    []*peer.Process
	programs []peer.Program
	dir      string
}

// load generates columns and loads them into the peers.
func (c *contest) load(kind string, n int) (x, y []float64) {
	x, y = synth.Columns(kind, n)
	path := filepath.Join(c.dir, "columns")
	write(path, x, y)
	for _, p := range c.peers {
		p.Call("load %s %d", path, n)
	}
	return x, y
}

// growth compares time and memory with scipy for 10⁴ to 10⁸ values.
func (c *contest) growth() {
	work := &kernels.Work{Threads: 1}
	least := 20 * time.Millisecond
	c.t.Rounds = 1
	c.peers = c.peers[:1]
	for n, top := 10_000, 100_000_000; n <= top; n *= 10 {
		if c.t.Quick {
			top = 100_000
		}
		if !peer.Fits(250 * float64(n)) {
			fmt.Printf("%d values: skipped, because this machine has too little memory\n", n)
			continue
		}
		x, y := c.load("random", n)
		ours := func() { peer.Must(rank.KendallTauOf(x, y, work)) }
		row := peer.Row{What: fmt.Sprintf("%d random values", n), Program: c.programs[scipy],
			Ours:       func() float64 { return peer.Time(least, ours) },
			Peer:       func() float64 { return c.peers[scipy].Seconds("time %g", least.Seconds()) },
			PeerMemory: c.peers[scipy].Seconds("memory"),
		}
		if before := peer.ResetMemory(); before > 0 {
			*work = kernels.Work{Threads: 1}
			ours()
			row.OurMemory = peer.PeakMemory() - before
		}
		c.t.Compare(row)
	}
}

// quick reports whether -quick includes a case.
func quick(kind string, n int) bool {
	switch kind {
	case "random":
		return n == 100 || n == 10_000 || n == 1_000_000
	case "labels", "integers":
		return n == 10_000
	}
	return n == 1_000_000
}

// compare prints the rows of one pair of columns: every tier over every peer.
func (c *contest) compare(kind string, n int) {
	defer peer.Within("%s, n = %d", kind, n)
	x, y := c.load(kind, n)
	work := &kernels.Work{Threads: 1}
	check(c.peers, work, x, y)
	least := 20 * time.Millisecond
	rounds := c.t.Rounds
	if n > 1_000_000 {
		rounds = 3
	}
	tiers := cpu.Available()
	ours := make([][]float64, len(tiers))
	theirs := make([][]float64, len(c.programs))
	for range rounds {
		for i, p := range c.peers {
			theirs[i] = append(theirs[i], p.Seconds("time %g", least.Seconds()))
		}
		theirs[merge] = append(theirs[merge], peer.Time(least, func() { mergeSort(x, y) }))
		for i, tier := range tiers {
			restore := cpu.Force(tier)
			ours[i] = append(ours[i], peer.Time(least, func() {
				k, _ := rank.KendallTauOf(x, y, work)
				k.TauB()
				k.PValue()
			}))
			restore()
		}
	}
	for i, tier := range slices.Backward(tiers) {
		restore := cpu.Force(tier)
		for p, program := range c.programs {
			row := peer.Row{What: fmt.Sprintf("%s, %d values", kind, n), Program: program}
			if p == merge {
				row.What += ": Go merge sort"
			}
			c.t.Result(row, ours[i], theirs[p])
		}
		restore()
	}
}

// check compares results: scipy's tau-b exactly, its p-value to 1e-12, and the counts of the merge
// sort. cor.fk uses another order of operations, so its result may differ by four units in the last
// place.
func check(peers []*peer.Process, c *kernels.Work, x, y []float64) {
	want := peers[scipy].Floats("value")
	fk := peers[corfk].Floats("value")
	discordant := mergeSort(x, y)
	for _, tier := range cpu.Available() {
		restore := cpu.Force(tier)
		k, err := rank.KendallTauOf(x, y, c)
		restore()
		peer.Check(err)
		switch tau, p := k.TauB(), k.PValue(); {
		case tau != want[0]:
			panic(fmt.Errorf("%v: tau-b is %v in simdrank and %v in scipy", tier, tau, want[0]))
		case math.Abs(p-want[1]) > 1e-12*want[1]:
			panic(fmt.Errorf("%v: the p-value is %v in simdrank and %v in scipy", tier, p, want[1]))
		case math.Abs(tau-fk[0]) > 0x1p-50:
			panic(fmt.Errorf("%v: tau-b is %v in simdrank and %v in cor.fk", tier, tau, fk[0]))
		case k.Discordant != discordant:
			panic(fmt.Errorf("%v: simdrank counts %d discordant pairs, but the merge sort counts %d", tier, k.Discordant, discordant))
		}
	}
}

// mergeSort is the usual implementation in Go: a sort with slices.SortFunc and a merge count.
func mergeSort(x, y []float64) (discordant int64) {
	type pair struct{ x, y float64 }
	pairs := make([]pair, len(x))
	for i := range x {
		pairs[i] = pair{x[i], y[i]}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		switch {
		case a.x < b.x || a.x == b.x && a.y < b.y:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	ys := make([]float64, len(y))
	for i, p := range pairs {
		ys[i] = p.y
	}
	return mergeCount(ys, make([]float64, len(y)))
}

// mergeCount sorts a and returns its number of inversions (Knight 1966). tmp is a buffer of the
// same length.
func mergeCount(a, tmp []float64) (inversions int64) {
	if len(a) <= 12 { // up to this length, insertion sort is faster
		for i, v := range a {
			j := i
			for ; j > 0 && v < a[j-1]; j-- {
				a[j] = a[j-1]
			}
			a[j] = v
			inversions += int64(i - j)
		}
		return inversions
	}
	m := len(a) / 2
	inversions = mergeCount(a[:m], tmp[:m]) + mergeCount(a[m:], tmp[m:])
	left, right, k := tmp[:copy(tmp, a[:m])], a[m:], 0
	for len(left) > 0 && len(right) > 0 {
		if right[0] < left[0] {
			a[k], right = right[0], right[1:]
			inversions += int64(len(left))
		} else {
			a[k], left = left[0], left[1:]
		}
		k++
	}
	copy(a[k:], left)
	return inversions
}

// compareThreads prints the gain of a second goroutine.
func compareThreads(t *peer.Table) {
	for _, kind := range []string{"random", "labels"} {
		x, y := synth.Columns(kind, 1_000_000)
		times := func(threads int) func() float64 {
			c := &kernels.Work{Threads: threads}
			return func() float64 {
				return peer.Time(50*time.Millisecond, func() { peer.Must(rank.KendallTauOf(x, y, c)) })
			}
		}
		row := peer.Row{What: kind + " 1000000: two threads over one", Target: targetThreads[kind], Ours: times(2),
			Peer: times(1)}
		t.Compare(row)
	}
}

// write writes x and then y.
func write(path string, x, y []float64) {
	f := peer.Must(os.Create(path))
	for _, c := range [][]float64{x, y} {
		peer.Check(binary.Write(f, binary.LittleEndian, c))
	}
	peer.Check(f.Close())
}

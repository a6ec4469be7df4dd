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

// The peers, in the order of targets.
const (
	scipy = iota
	corfk
	merge
)

var names = [...]string{"scipy", "cor.fk", "Go merge sort"}

// A target contains the minimum ratios of each tier to each peer, for one kind of columns and a
// range of lengths. 0 means that there is no target.
type target struct {
	kind     string
	from, to int
	least    map[cpu.Tier][3]float64
}

var targets = []target{
	{"random", 10_000, 1_000_000, map[cpu.Tier][3]float64{cpu.AVX512: {15, 9, 12}, cpu.AVX2: {12, 7.5, 10},
		cpu.Generic: {3.5, 2, 3}}},
	{"labels", 10_000, 1_000_000, map[cpu.Tier][3]float64{cpu.AVX512: {13, 13}, cpu.AVX2: {10, 10},
		cpu.Generic: {1.5, 1.5}}},
	{"random", 100, 100, map[cpu.Tier][3]float64{cpu.AVX512: {200}, cpu.AVX2: {180}, cpu.Generic: {30}}},
	{"nearly-sorted", 1_000_000, 1_000_000, map[cpu.Tier][3]float64{cpu.AVX512: {12}, cpu.AVX2: {10},
		cpu.Generic: {1.8}}},
	{"reversed", 1_000_000, 1_000_000, map[cpu.Tier][3]float64{cpu.AVX512: {7}, cpu.AVX2: {6}, cpu.Generic: {1.3}}},
	{"integers", 10_000, 1_000_000, map[cpu.Tier][3]float64{cpu.AVX512: {6}, cpu.AVX2: {4.5}, cpu.Generic: {2}}},
}

// targetThreads is the minimum gain of a second goroutine at a million values, by kind of columns.
var targetThreads = map[string]float64{"random": 1.6, "labels": 1.4}

func main() { peer.Main("tau", run) }

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "tau"))
	defer os.RemoveAll(dir)
	python := peer.Start(ctx, nil, "/usr/bin/python3", "bench/peers/tau/peer.py")
	r := peer.Start(ctx, nil, "Rscript", "bench/peers/tau/peer.R")
	t.Heading("tau-b and p-value, one thread", "ours", "peer")
	for _, kind := range synth.ColumnKinds {
		for _, n := range []int{10, 30, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000} {
			if t.Quick && !quick(kind, n) {
				continue
			}
			compare(t, []*peer.Process{python, r}, dir, kind, n)
		}
	}
	compareThreads(t)
	peer.Check(python.Close())
	peer.Check(r.Close())
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
func compare(t *peer.Table, peers []*peer.Process, dir, kind string, n int) {
	defer peer.Within("%s, n = %d", kind, n)
	x, y := synth.Columns(kind, n)
	path := filepath.Join(dir, "columns")
	write(path, x, y)
	for _, p := range peers {
		p.Call("load %s %d", path, n)
	}
	c := &kernels.Work{Threads: 1}
	check(peers, c, x, y)
	least := 20 * time.Millisecond
	rounds := t.Rounds
	if n > 1_000_000 {
		rounds = 3
	}
	tiers := cpu.Available()
	ours := make([][]float64, len(tiers))
	theirs := make([][]float64, len(names))
	for range rounds {
		for i, p := range peers {
			theirs[i] = append(theirs[i], p.Seconds("time %g", least.Seconds()))
		}
		theirs[merge] = append(theirs[merge], peer.Time(least, func() { mergeSort(x, y) }))
		for i, tier := range tiers {
			restore := cpu.Force(tier)
			ours[i] = append(ours[i], peer.Time(least, func() {
				k, _ := rank.KendallTauOf(x, y, c)
				k.TauB()
				k.PValue()
			}))
			restore()
		}
	}
	for i, tier := range slices.Backward(tiers) {
		for p := range names {
			ratios := make([]float64, rounds)
			for k := range ratios {
				ratios[k] = theirs[p][k] / ours[i][k]
			}
			t.Print(fmt.Sprintf("%s %d, %v: %s", kind, n, tier, names[p]),
				peer.Duration(peer.Median(slices.Clone(ours[i]))), peer.Duration(peer.Median(slices.Clone(theirs[p]))),
				peer.Median(ratios), leastOf(kind, n, tier)[p])
		}
	}
}

func leastOf(kind string, n int, tier cpu.Tier) [3]float64 {
	for _, g := range targets {
		if g.kind == kind && g.from <= n && n <= g.to {
			return g.least[tier]
		}
	}
	return [3]float64{}
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

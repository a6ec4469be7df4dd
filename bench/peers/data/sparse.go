package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/bench/peers/internal/reading"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// Targets: a minimum ratio, and the maximum memory as a multiple of the CSR matrix.
const (
	mostMemory  = 1.6
	targetFirst = 0.5 // second load to first load
)

// sparse compares data.Load on sparse text with the readers of scikit-learn and xgboost. It also
// compares its memory with the size of the data.
func sparse(ctx context.Context, t *peer.Table, dir string) {
	rows := 20_000
	if t.Quick {
		rows = 5000
	}
	t.Heading("file", "ours", "peer")
	for _, make := range []func() *rank.Dataset{
		synth.Config{Seed: 1, Rows: rows, Cols: 10_000, Density: .01}.Dataset,
		synth.Words{Seed: 1, Rows: 5000, Cols: 60_000, Words: 52}.Dataset,
	} {
		d := make()
		file := reading.LETORFile("LETOR text", filepath.Join(dir, "data.txt"), d)
		memory(ctx, t, file.Path, fmt.Sprintf("%d×%d: ", d.Rows(), d.Cols))
		reading.Compare(ctx, t, file, d.Cols, reading.LETOR)
	}
}

// memory prints rows with the memory and the time of the first load in a process.
func memory(ctx context.Context, t *peer.Table, path, what string) {
	program := peer.Must(os.Executable())
	var figures [4][]float64 // first and second load, memory, CSR
	for range t.Rounds {
		_, output := peer.Run(ctx, nil, program, loadCommand, path)
		var f [4]float64
		peer.Must(fmt.Sscan(string(output), &f[0], &f[1], &f[2], &f[3]))
		for k, v := range f {
			figures[k] = append(figures[k], v)
		}
	}
	var median [4]float64
	for k := range figures {
		median[k] = peer.Median(figures[k])
	}
	first, second, memory, csr := median[0], median[1], median[2], median[3]
	t.Print(what+"the first load / the second", peer.Duration(first), peer.Duration(second), second/first,
		targetFirst)
	if memory > 0 {
		t.Print(fmt.Sprintf("%speak memory / %g × the CSR", what, mostMemory), peer.Megabytes(memory),
			peer.Megabytes(mostMemory*csr), mostMemory*csr/memory, 1)
	}
}

// loadCommand is the argument with which this program loads a file twice, for its parent.
const loadCommand = "load"

// loadTwice loads a file twice in this process, which has loaded no data before. It prints the
// seconds of both loads, the maximum memory of the first one, and the bytes of the CSR matrix.
func loadTwice(path string) {
	var took [2]float64
	var memory, csr float64
	for i := range took {
		before := peer.ResetMemory()
		start := time.Now()
		d := peer.Must(data.Load(path, data.Options{}))
		took[i] = time.Since(start).Seconds()
		if i == 0 && before > 0 {
			memory = peer.PeakMemory() - before
		}
		if d.Sparse == nil {
			panic(errors.New("the data was read as dense; it must be sparse"))
		}
		csr = float64(8*len(d.Sparse.Offsets) + 8*len(d.Sparse.Values))
	}
	fmt.Println(took[0], took[1], memory, csr)
}

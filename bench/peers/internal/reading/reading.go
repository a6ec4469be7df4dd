// Package reading compares dataset readers with readers of other programs on the same file. It
// compares the values and the times.
package reading

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// A Peer is a reader from another program.
type Peer struct {
	Name    string
	Package string
	ULPs    uint32 // maximum difference of its values
	Cores   []int  // numbers of cores for both
}

// LETOR contains the readers of LETOR text. scikit-learn's values are bit-identical.
var LETOR = []Peer{{"scikit-learn", "sklearn", 0, []int{1}}, {"XGBoost", "xgboost", 1, []int{1, 2}}}

// Tables contains the readers of CSV.
var Tables = []Peer{{"pandas", "pandas", 1, []int{1}}, {"Polars", "polars", 1, []int{1, 2}},
	{"PyArrow", "pyarrow", 1, []int{1, 2}}}

// A File is a file to read.
type File struct {
	Name string // name of the rows
	Path string
	Load func(threads int) *rank.Dataset // loads the file with simdrank
}

// LETORFile writes d as LETOR text and returns the file.
func LETORFile(name, path string, d *rank.Dataset) File {
	f := peer.Must(os.Create(path))
	peer.Check(errors.Join(data.WriteLETOR(f, d), f.Close()))
	load := func(threads int) *rank.Dataset { return peer.Must(data.Load(path, data.Options{Threads: threads})) }
	return File{name, path, load}
}

// Compare compares the values that each peer reads, and prints a row for each peer and number of
// cores. Both sides run on the same processors. The peers read cols features.
func Compare(ctx context.Context, t *peer.Table, f File, cols int, peers []Peer) {
	info := peer.Must(os.Stat(f.Path))
	d := f.Load(0).ToSparse()
	what := fmt.Sprintf("%s, %d × %d, %.1f MB", f.Name, d.Rows(), cols, float64(info.Size())/1e6)
	defer peer.Within("%s", what)
	for _, p := range peers {
		for _, cores := range p.Cores {
			if cores <= runtime.NumCPU() {
				compare(ctx, t, f, cols, p, cores, what, d)
			}
		}
	}
}

// compare prints a row.
func compare(ctx context.Context, t *peer.Table, f File, cols int, p Peer, cores int, what string, d *rank.Dataset) {
	python := peer.Python(ctx, "bench/peers/internal/reading/readers.py", p.Package, fmt.Sprint(cores))
	defer python.Close()
	check(python, f.Path, cols, p, d)
	python.Call("bind %d", cores)
	defer python.Call("bind 0")
	t.Compare(peer.Row{What: what, Program: python.Program(p.Name, p.Package), Threads: cores,
		Ours: func() float64 { return seconds(f, cores) },
		Peer: func() float64 { return python.Seconds("read %s %d", f.Path, cols) },
	})
}

// seconds times a load on one core per thread.
func seconds(f File, threads int) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	runtime.GC() // so that a load does not pay for the garbage of another one
	start := time.Now()
	f.Load(threads)
	return time.Since(start).Seconds()
}

// check compares the values that a peer reads with d, which is sparse.
func check(python *peer.Process, path string, cols int, p Peer, d *rank.Dataset) {
	defer peer.Within("%s", p.Name)
	output := path + ".raw"
	python.Call("dump %s %d %s", path, cols, output)
	defer os.Remove(output)
	f := peer.Must(os.ReadFile(output))
	theirs := bytes.NewReader(f)
	ends, columns := make([]int64, d.Rows()), make([]int64, len(d.Sparse.Columns))
	values, labels := make([]float32, len(d.Sparse.Values)), make([]float32, d.Rows())
	for _, to := range []any{ends, columns, values, labels} {
		if err := binary.Read(theirs, binary.LittleEndian, to); err != nil {
			panic(fmt.Errorf("the peer read too few values: %w", err))
		}
	}
	if theirs.Len() > 0 || !slices.Equal(ends, peer.Int64s(d.Sparse.Offsets[1:])) ||
		!slices.Equal(columns, peer.Int64s(d.Sparse.Columns)) {
		panic(errors.New("the peer read different rows or columns"))
	}
	for i, y := range labels {
		if y != float32(d.Labels[i]) {
			panic(fmt.Errorf("the label of row %d is %v for the peer and %v for simdrank", i, y, d.Labels[i]))
		}
	}
	for k, v := range d.Sparse.Values {
		if w := values[k]; v == v || w == w { // at least one is present
			if diff := math.Float32bits(v) - math.Float32bits(w) + p.ULPs; diff > 2*p.ULPs {
				panic(fmt.Errorf("nonzero value %d is %v for the peer and %v for simdrank", k, w, v))
			}
		}
	}
}

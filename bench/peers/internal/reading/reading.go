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
	Name   string  // its name in readers.py
	ULPs   uint32  // maximum difference of its values
	Target float64 // minimum ratio of its time to simdrank's
	Cores  []int   // numbers of cores for both
}

// LETOR returns the readers of LETOR text with their targets. scikit-learn's values are
// bit-identical.
func LETOR(sklearn, xgboost float64) []Peer {
	return []Peer{{"sklearn", 0, sklearn, []int{1}}, {"xgboost", 1, xgboost, []int{1, 2}}}
}

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

// Start starts the peers.
func Start(ctx context.Context) *peer.Process {
	return peer.Start(ctx, nil, "/usr/bin/python3", "bench/peers/internal/reading/readers.py")
}

// Compare compares the values that each peer reads, and prints a row for each peer and number of
// cores. Both sides run on the same processors. The peers read cols features.
func Compare(t *peer.Table, python *peer.Process, f File, cols int, peers []Peer) {
	info := peer.Must(os.Stat(f.Path))
	d := f.Load(0)
	what := fmt.Sprintf("%s%d×%d, %.1f MB", f.Name, d.Rows(), cols, float64(info.Size())/1e6)
	defer peer.Within("%s", what)
	for _, p := range peers {
		check(python, f.Path, cols, p, d.ToSparse())
	}
	for _, p := range peers {
		for _, cores := range p.Cores {
			python.Call("cores %d", cores)
			r := peer.Row{
				What: fmt.Sprintf("%s: %s, cores: %d", what, p.Name, cores), Target: p.Target,
				Ours: func() float64 { return seconds(f, cores) },
				Peer: func() float64 { return python.Seconds("%s %s %d", p.Name, f.Path, cols) },
			}
			t.Compare(r)
		}
	}
	python.Call("cores 0")
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
	python.Call("dump %s %s %d %s", p.Name, path, cols, output)
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

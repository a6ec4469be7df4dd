package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/letor"
)

// Least ratios wanted, and the most memory, as a multiple of the CSR.
const (
	targetSklearn = 10
	targetXGBoost = 2
	mostMemory    = 1.6
	targetFirst   = 0.5 // of the second load to the first
)

// loadCommand is the argument with which this program loads a file twice, for its parent.
const loadCommand = "load"

// loadTwice prints the seconds of the first and of the second load of a file in this process, which
// has held no data before, the most memory that the first one took, and the bytes of the CSR.
func loadTwice(path string) error {
	var took [2]float64
	var memory, csr float64
	for i := range took {
		before := peer.ResetMemory()
		start := time.Now()
		d, err := letor.Load(path)
		if err != nil {
			return err
		}
		took[i] = time.Since(start).Seconds()
		if i == 0 && before > 0 {
			memory = peer.PeakMemory() - before
		}
		if d.Sparse == nil {
			return errors.New("read as dense data")
		}
		csr = float64(8*len(d.Sparse.Offsets) + 8*len(d.Sparse.Values))
	}
	fmt.Println(took[0], took[1], memory, csr)
	return nil
}

// sparse times letor.Load on sparse text against the readers of scikit-learn and xgboost, checks
// that they read the same values, and compares its memory with the data's.
func sparse(ctx context.Context, t *peer.Table, dir string) error {
	python, err := peer.Start(ctx, nil, "/usr/bin/python3", "bench/peers/data/sparse.py")
	if err != nil {
		return err
	}
	rows := 20_000
	if t.Quick {
		rows = 5000
	}
	t.Heading("file", "ours", "peer")
	for _, make := range []func() *rank.Dataset{
		synth.Config{Seed: 1, Rows: rows, Cols: 10_000, Density: .01}.Dataset,
		synth.Words{Seed: 1, Rows: 5000, Cols: 60_000, Words: 52}.Dataset,
	} {
		if err := compare(ctx, t, python, filepath.Join(dir, "data.txt"), make); err != nil {
			return err
		}
	}
	return python.Close()
}

// compare prints the rows of one dataset.
func compare(ctx context.Context, t *peer.Table, python *peer.Process, path string, make func() *rank.Dataset) error {
	d := make()
	if err := write(path, d); err != nil {
		return err
	}
	cols := d.Cols
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("%d×%d, %.1f MB", d.Rows(), cols, float64(info.Size())/1e6)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	_, output, err := peer.Run(ctx, nil, program, loadCommand, path)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	var first, second, memory, csr float64
	if _, err := fmt.Sscan(string(output), &first, &second, &memory, &csr); err != nil {
		return err
	}
	t.Print(what+": the first load / the second", peer.Duration(first), peer.Duration(second), second/first,
		targetFirst)
	if memory > 0 {
		t.Print(fmt.Sprintf("%s: peak memory / %g × the CSR", what, mostMemory), megabytes(memory),
			megabytes(mostMemory*csr), mostMemory*csr/memory, 1)
	}
	if err := check(python, path, cols); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	ours := func(threads int) func() (float64, error) {
		return func() (float64, error) { return load(path, threads) }
	}
	theirs := func(reader string, cores int) func() (float64, error) {
		return func() (float64, error) { return python.Seconds("%s %d %s %d", reader, cores, path, cols) }
	}
	for _, r := range []peer.Row{
		{What: what + ": sklearn, 1 core", Target: targetSklearn, Ours: ours(1), Peer: theirs("sklearn", 1)},
		{What: what + ": xgboost, 1 core", Target: targetXGBoost, Ours: ours(1), Peer: theirs("xgboost", 1)},
		{What: what + ": xgboost, 2 cores", Target: targetXGBoost, Ours: ours(2), Peer: theirs("xgboost", 2)},
	} {
		if err := t.Compare(r); err != nil {
			return err
		}
	}
	return nil
}

func megabytes(bytes float64) string { return fmt.Sprintf("%.3g MB", bytes/1e6) }

// write writes d as LETOR text.
func write(path string, d *rank.Dataset) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(letor.Write(f, d), f.Close())
}

// load times a load on as many cores as threads.
func load(path string, threads int) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	runtime.GC() // so that no load pays for the garbage of another
	start := time.Now()
	_, err := letor.Load(path, letor.Threads(threads))
	return time.Since(start).Seconds(), err
}

// check compares what both peers read with what we read. xgboost's numbers may be a
// unit in the last place off; scikit-learn's must be equal to the bit.
func check(python *peer.Process, path string, cols int) error {
	d, err := letor.Load(path, letor.Sparse())
	if err != nil {
		return err
	}
	x := d.Sparse
	var places bytes.Buffer
	for _, o := range x.Offsets[1:] {
		places.Write(binary.LittleEndian.AppendUint64(nil, uint64(o)))
	}
	for _, j := range x.Columns {
		places.Write(binary.LittleEndian.AppendUint64(nil, uint64(j)))
	}
	for _, c := range []struct {
		reader string
		ulps   uint32
	}{{"sklearn", 0}, {"xgboost", 1}} {
		output := path + "." + c.reader
		if _, err := python.Call("dump %s %s %d %s", c.reader, path, cols, output); err != nil {
			return err
		}
		raw, err := os.ReadFile(output)
		if err != nil {
			return err
		}
		os.Remove(output)
		values, found := bytes.CutPrefix(raw, places.Bytes())
		if !found || len(values) != 4*len(x.Values) {
			return fmt.Errorf("%s read other rows or columns", c.reader)
		}
		for k, v := range x.Values {
			w := math.Float32frombits(binary.LittleEndian.Uint32(values[4*k:]))
			if diff := math.Float32bits(v) - math.Float32bits(w) + c.ulps; diff > 2*c.ulps {
				return fmt.Errorf("value %d: %v, %s read %v", k, v, c.reader, w)
			}
		}
	}
	return nil
}

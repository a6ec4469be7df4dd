// Command letor times ReadLETOR against the readers of scikit-learn and xgboost, on the
// same files, and checks that they read the same values.
package main

import (
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

// Least ratios wanted.
const (
	targetSklearn = 5
	targetXGBoost = 1
)

func main() { peer.Main("letor", run) }

func run(ctx context.Context, t *peer.Table) error {
	dir, err := os.MkdirTemp("", "letor")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	python, err := peer.Start(ctx, nil, "/usr/bin/python3", "bench/peers/letor/peer.py")
	if err != nil {
		return err
	}

	rows := 50_000
	if t.Quick {
		rows = 10_000
	}
	t.Heading("file", "ours", "peer")
	for _, c := range []struct {
		name   string
		config synth.Config
	}{
		{"dense", synth.Config{Seed: 1, Rows: rows, Cols: 136}},
		{"unscaled", synth.Config{Seed: 1, Rows: rows, Cols: 136, Unscaled: true}},
		{"sparse", synth.Config{Seed: 1, Rows: rows, Cols: 700, Density: .2}},
		{"small", synth.Config{Seed: 1, Rows: 2000, Cols: 46}},
	} {
		path := filepath.Join(dir, c.name)
		size, err := write(path, c.config.Dataset())
		if err != nil {
			return err
		}
		if err := check(python, path, c.config.Cols); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		what := fmt.Sprintf("%s %d×%d, %.1f MB", c.name, c.config.Rows, c.config.Cols, float64(size)/1e6)
		ours := func(threads int) func() (float64, error) {
			return func() (float64, error) { return load(path, threads) }
		}
		theirs := func(reader string, cores int) func() (float64, error) {
			return func() (float64, error) { return python.Seconds("%s %d %s %d", reader, cores, path, c.config.Cols) }
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
	}
	return python.Close()
}

// write writes d and returns the size of the file.
func write(path string, d *rank.Dataset) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	err = letor.Write(f, d)
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
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
	d, err := letor.Load(path)
	if err != nil {
		return err
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
		if len(raw) != 4*d.Rows()*(1+cols) {
			return fmt.Errorf("%s read %d bytes of values, want %d rows of a label and %d features", c.reader, len(raw),
				d.Rows(), cols)
		}
		value := func(k int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(raw[4*k:])) }
		for i := range d.Rows() {
			if y := value(i); y != float32(d.Labels[i]) {
				return fmt.Errorf("label of row %d: %v, %s read %v", i, d.Labels[i], c.reader, y)
			}
			for j, v := range d.Row(i) {
				w := value(d.Rows() + i*cols + j)
				if diff := math.Float32bits(v) - math.Float32bits(w) + c.ulps; diff > 2*c.ulps {
					return fmt.Errorf("row %d, feature %d: %v, %s read %v", i, j+1, v, c.reader, w)
				}
			}
		}
	}
	return nil
}

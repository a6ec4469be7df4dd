package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/table"
)

// targetPandas is the least ratio wanted per core; pandas reads on one.
const targetPandas = 2

// tables times reading CSV against pandas.
func tables(ctx context.Context, t *peer.Table, dir string) error {
	python, err := peer.Start(ctx, nil, "/usr/bin/python3", "bench/peers/data/tables.py")
	if err != nil {
		return err
	}
	rows := 50_000
	if t.Quick {
		rows = 5_000
	}
	t.Heading("CSV", "ours", "pandas")
	for _, c := range []struct {
		name   string
		config synth.Config
		digits int // after the point; -1 for as many as it takes
		zeros  string
	}{
		{"scaled to 6 digits", synth.Config{Seed: 1, Rows: rows, Cols: 136}, 6, "0"},
		{"all digits", synth.Config{Seed: 1, Rows: rows, Cols: 136, Unscaled: true}, -1, "0"},
		{"mostly empty", synth.Config{Seed: 1, Rows: rows, Cols: 136, Density: .2}, 4, ""},
	} {
		path := filepath.Join(dir, "table.csv")
		d := c.config.Dataset()
		size, err := writeCSV(path, d, c.digits, c.zeros)
		if err != nil {
			return err
		}
		if err := checkCSV(python, path, d.Cols); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		what := fmt.Sprintf("%s %d×%d, %.1f MB", c.name, d.Rows(), d.Cols, float64(size)/1e6)
		for _, cores := range []int{1, 2} {
			ours := func() (float64, error) { return loadCSV(path, cores) }
			theirs := func() (float64, error) { return python.Seconds("%d %s", cores, path) }
			row := peer.Row{What: fmt.Sprintf("%s: cores: %d", what, cores), Target: targetPandas, Ours: ours,
				Peer: theirs}
			if err := t.Compare(row); err != nil {
				return err
			}
		}
	}
	return python.Close()
}

// writeCSV writes a table of d, zeros as the given text, and returns the size of the file.
func writeCSV(path string, d *rank.Dataset, digits int, zeros string) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(f)
	w.WriteString("label,qid")
	for j := range d.Cols {
		fmt.Fprintf(w, ",f%d", j)
	}
	w.WriteByte('\n')
	var line []byte
	row := make([]float32, d.Cols)
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			line = strconv.AppendFloat(line[:0], d.Labels[i], 'f', -1, 64)
			line = append(append(line, ','), d.QueryIDs[q]...)
			for _, v := range d.AppendRow(row[:0], i) {
				line = append(line, ',')
				if v == 0 {
					line = append(line, zeros...)
				} else {
					line = strconv.AppendFloat(line, float64(v), 'f', digits, 32)
				}
			}
			w.Write(append(line, '\n')) // an error stays until Flush
		}
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// loadCSV times a load on as many cores as threads.
func loadCSV(path string, threads int) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	runtime.GC() // so that no load pays for the garbage of another
	start := time.Now()
	_, err := table.Load(path, table.Options{Threads: threads})
	return time.Since(start).Seconds(), err
}

// checkCSV compares what pandas reads with what we read: its numbers may be a unit in the last
// place off.
func checkCSV(python *peer.Process, path string, cols int) error {
	d, err := table.Load(path, table.Options{})
	if err != nil {
		return err
	}
	output := path + ".raw"
	if _, err := python.Call("dump %s %s", path, output); err != nil {
		return err
	}
	defer os.Remove(output)
	raw, err := os.ReadFile(output)
	if err != nil {
		return err
	}
	if len(raw) != 4*d.Rows()*cols {
		return fmt.Errorf("pandas read %d bytes of values, want %d rows of %d features", len(raw), d.Rows(), cols)
	}
	for i := range d.Rows() {
		for j, v := range d.Row(i) {
			w := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*(i*cols+j):]))
			if v != v && w != w {
				continue
			}
			if diff := int64(math.Float32bits(v)) - int64(math.Float32bits(w)); diff < -1 || diff > 1 {
				return fmt.Errorf("row %d, feature %d: %v, pandas read %v", i, j+1, v, w)
			}
		}
	}
	return nil
}

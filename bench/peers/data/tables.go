package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/bench/peers/internal/reading"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// tables compares reading CSV with pandas, Polars and PyArrow, and reading Parquet with reading
// LETOR text.
func tables(ctx context.Context, t *peer.Table, dir string) {
	rows := 50_000
	if t.Quick {
		rows = 5_000
	}
	t.Heading("CSV", "ours", "peer")
	path := filepath.Join(dir, "table.csv")
	load := func(threads int) *rank.Dataset { return peer.Must(data.Load(path, data.Options{Threads: threads})) }
	for _, c := range []struct {
		name   string
		config synth.Config
		digits int // after the decimal point; -1 means the minimum number
		zeros  string
	}{
		{"CSV, scaled to 6 digits", synth.Config{Seed: 1, Rows: rows, Cols: 136}, 6, "0"},
		{"CSV, all digits", synth.Config{Seed: 1, Rows: rows, Cols: 136, Unscaled: true}, -1, "0"},
		{"CSV, mostly empty", synth.Config{Seed: 1, Rows: rows, Cols: 136, Density: .2}, 4, ""},
	} {
		writeCSV(path, c.config.Dataset(), c.digits, c.zeros)
		reading.Compare(ctx, t, reading.File{Name: c.name, Path: path, Load: load}, c.config.Cols, reading.Tables)
	}
	parquet(ctx, t, dir)
}

// parquet runs the benchmark of module parquet, which this module does not require.
func parquet(ctx context.Context, t *peer.Table, dir string) {
	t.Heading("Parquet, 20k × 136", "ours", "LETOR text")
	program := filepath.Join(dir, "parquet.exe")
	peer.Run(ctx, nil, "go", "test", "-c", "-o", program, "./parquet")
	for _, threads := range []int{1, 2} {
		read := func(format string) func() float64 {
			return func() float64 {
				_, output := peer.Run(ctx, nil, program, "-test.run=^$", "-test.benchtime=10x",
					fmt.Sprintf("-test.bench=^BenchmarkRead$/^%s$/^threads=%d$", format, threads))
				_, result, _ := strings.Cut(string(output), "BenchmarkRead/")
				var name string
				var n, ns float64
				peer.Must(fmt.Sscan(result, &name, &n, &ns))
				return ns / 1e9
			}
		}
		row := peer.Row{What: fmt.Sprintf("reading from memory, cores: %d", threads), Target: 1, Ours: read("parquet"),
			Peer: read("letor")}
		t.Compare(row)
	}
}

// writeCSV writes a table of d, zeros as the given text.
func writeCSV(path string, d *rank.Dataset, digits int, zeros string) {
	f := peer.Must(os.Create(path))
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
			w.Write(append(line, '\n')) // Flush returns the first error
		}
	}
	peer.Check(errors.Join(w.Flush(), f.Close()))
}

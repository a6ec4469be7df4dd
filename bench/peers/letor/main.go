// Command letor compares data.Load with the readers of scikit-learn and xgboost on the same files
// of dense data, and checks that they read the same values. Command data compares sparse data.
package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/bench/peers/internal/reading"
	"github.com/simdrank/simdrank/internal/synth"
)

func main() { peer.Main("letor", run) }

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "letor"))
	defer os.RemoveAll(dir)
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
		file := reading.LETORFile("LETOR text, "+c.name, filepath.Join(dir, c.name), c.config.Dataset())
		reading.Compare(ctx, t, file, c.config.Cols, reading.LETOR)
	}
}

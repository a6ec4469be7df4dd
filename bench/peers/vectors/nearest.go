//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/nearest/vectorfile"
)

// neighbors compares exact searches with FAISS's IndexFlatIP (flat.py), on one thread by processor
// time.
func neighbors(ctx context.Context, m *machine) error {
	dir, err := os.MkdirTemp("", "simdrank-vectors-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	faiss, err := peer.Start(ctx, []string{"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"}, "/usr/bin/python3",
		"bench/peers/vectors/flat.py")
	if err != nil {
		return err
	}
	defer faiss.Close()
	shapes := [][2]int{{1_000_000, 128}, {200_000, 768}}
	if m.Quick {
		shapes = [][2]int{{200_000, 128}}
	}
	for _, shape := range shapes {
		if err := m.flat(ctx, faiss, filepath.Join(dir, "drawn"), shape[0], shape[1]); err != nil {
			return err
		}
	}
	return nil
}

// flat compares searches for the 100 nearest of rows × cols vectors.
func (m *machine) flat(ctx context.Context, faiss *peer.Process, path string, rows, cols int) error {
	const k, batch = 100, 32
	versions, err := faiss.Call("make %s %d %d", path, rows, cols)
	if err != nil {
		return err
	}
	vectors, err := copied(path + ".npy")
	if err != nil {
		return err
	}
	queries, err := copied(path + ".queries.npy")
	if err != nil {
		return err
	}
	index, err := nearest.New[float32](vectors, rows, cols, cols, nearest.Dot)
	if err != nil {
		return err
	}
	codes, coarse := quantized(vectors), quantized(queries)
	small, err := nearest.New[int8](codes, rows, cols, cols, nearest.Dot)
	if err != nil {
		return err
	}
	index.Threads, small.Threads = 1, 1
	var found []nearest.Neighbor
	failed := error(nil)
	searches := func(n int) func(calls int) {
		return func(calls int) {
			for range calls {
				var err error
				if found, err = index.SearchBatch(ctx, found[:0], queries, n, cols, k); err != nil {
					failed = err
				}
			}
		}
	}
	few := func(f func(calls int)) func() (float64, error) {
		return func() (float64, error) { return processorTime(m.least, func() { f(1) }), failed }
	}
	theirs := func(n int) func() (float64, error) {
		return func() (float64, error) {
			v, err := faiss.Floats("search %d %d", k, n)
			if err != nil {
				return 0, err
			}
			var sum float64
			for _, f := range found {
				sum += float64(f.Score)
			}
			if len(v) != 2 || math.Abs(v[1]-sum) > 1e-5*math.Abs(sum) {
				return 0, fmt.Errorf("the sum of scores is %v, FAISS's %v", sum, v)
			}
			return v[0], nil
		}
	}
	what := fmt.Sprintf("top %d of %dk × %d, ", k, rows/1000, cols)
	name := fmt.Sprintf(" / FAISS %s", versions[0])
	return errors.Join(
		m.Compare(peer.Row{What: what + "1 query" + name, Target: 1.3, Ours: few(searches(1)), Peer: theirs(1)}),
		m.Compare(peer.Row{What: what + "1 query / reading", Target: 0.85, Ours: few(searches(1)), Peer: few(func(int) {
			for i := 0; i < len(vectors); i += 1 << 16 {
				part := vectors[i:min(i+1<<16, len(vectors))]
				sink = float64(kernels.DotF32(part, part))
			}
		})}),
		m.Compare(peer.Row{What: what + "32 queries" + name + " and " + versions[1], Target: 1,
			Ours: few(searches(batch)), Peer: theirs(batch)}),
		m.Compare(peer.Row{What: what + "32 queries, int8 / float32", Target: 3, Ours: few(func(int) {
			if found, err = small.SearchBatch(ctx, found[:0], coarse, batch, cols, k); err != nil {
				failed = err
			}
		}), Peer: few(searches(batch))}),
	)
}

// copied returns the float32s of a file in memory of their own: a mapped file may not be in memory
// yet.
func copied(path string) ([]float32, error) {
	f, err := vectorfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, ok := f.Data.([]float32)
	if !ok {
		return nil, fmt.Errorf("%s holds %s", path, f.Type())
	}
	return append(make([]float32, 0, len(a)), a...), nil
}

// quantized returns int8 codes of numbers that hardly lie beyond ±4.
func quantized(x []float32) []int8 {
	codes := make([]int8, len(x))
	for i, v := range x {
		codes[i] = int8(max(-127, min(127, math.RoundToEven(float64(v)*127/4))))
	}
	return codes
}

//go:build linux

// Command maxsim compares vectors.MaxSim with NumPy and NumKong (peer.py), for 32 query tokens and
// documents of 20 to 300 tokens on one thread. Run it with the script run.
//
// NumPy multiplies matrices with OpenBLAS. NumKong packs tokens before it compares them. It chooses
// the nearest document token by coarse int8 products, and then computes a precise cosine with this
// token only. With the random tokens of this program, its sums of cosines are therefore 2% to 3.5%
// lower than NumPy's. The row with int8 tokens, which have one scale, compares similar work.
//
// With 768 elements per token, two targets are impossible on an Emerald Rapids. The float32 kernel
// then occupies both FMA units in every cycle, according to llvm-mca, and takes the same time per
// product as with fewer elements. NumPy reaches more than half of this speed, so a factor of 2
// would exceed the limit. NumKong's int8 products need a quarter of the instructions.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/nearest/vectorfile"
	"github.com/simdrank/simdrank/vectors"
)

func main() { peer.Main("maxsim", run) }

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "simdrank-maxsim-"))
	defer os.RemoveAll(dir)
	p := peer.Python(ctx, "bench/peers/maxsim/peer.py")
	defer p.Close()
	fmt.Printf("our tier: %s\n", kernels.CPU())
	t.Heading("", "ours", "theirs")
	for _, cols := range []int{96, 128, 768} {
		compare(t, p, filepath.Join(dir, "tokens"), cols)
	}
}

// A side computes the scores of all documents.
type side struct {
	name   string
	scores func()  // sets dst
	scale  float64 // factor of the scores
	error  float64 // maximum relative difference from NumPy's sum
}

func compare(t *peer.Table, p *peer.Process, path string, cols int) {
	versions := p.Call("make %s %d", path, cols)
	tokens, query := read[float32](path+".npy"), read[float32](path+".query.npy")
	var docs [][2]int
	rows := 0
	for _, n := range read[int64](path + ".lengths.npy") {
		docs = append(docs, [2]int{rows, rows + int(n)})
		rows += int(n)
	}
	halves, halfQuery := make([]vectors.F16, len(tokens)), make([]vectors.F16, len(query))
	vectors.F16FromF32(halves, tokens)
	vectors.F16FromF32(halfQuery, query)
	brain, brainQuery := make([]vectors.BF16, len(tokens)), make([]vectors.BF16, len(query))
	vectors.BF16FromF32(brain, tokens)
	vectors.BF16FromF32(brainQuery, query)
	scale := vectors.ScaleI8(tokens)
	codes, codeQuery := make([]int8, len(tokens)), make([]int8, len(query))
	vectors.QuantizeI8(codes, tokens, scale)
	vectors.QuantizeI8(codeQuery, query, scale)
	dst := make([]float64, len(docs))
	f32 := side{"float32", func() { vectors.MaxSim(dst, query, tokens, cols, cols, docs) }, 1, 1e-5}
	f16 := side{"float16", func() { vectors.MaxSim(dst, halfQuery, halves, cols, cols, docs) }, 1, 1e-3}
	bf16 := side{"bfloat16", func() { vectors.MaxSim(dst, brainQuery, brain, cols, cols, docs) }, 1, 1e-2}
	i8 := side{"int8", func() { vectors.MaxSim(dst, codeQuery, codes, cols, cols, docs) },
		float64(scale) * float64(scale), 2e-2}
	product, coarse := 2.0, 1.0 // targets
	if cols == 768 {
		product, coarse = 1.3, 0 // see the comment of the package
	}
	composed := func() { blocks(dst, query, tokens, cols, docs) }

	numpy := fmt.Sprintf("NumPy %s, %s", versions[0], versions[1])
	numkong := "NumKong " + versions[2]
	for _, row := range []struct {
		ours    side
		name    string
		request string
		target  float64
	}{
		{f32, numpy, "numpy", product}, {f32, numkong + " float32", "numkong f32", coarse},
		{f16, numkong + " float16", "numkong f16", coarse},
		{bf16, numpy + ", float32", "numpy", 0}, {i8, numkong + " float32", "numkong f32", 1},
	} {
		want := p.Floats("numpy")[1]
		row.ours.scores()
		if sum := total(dst) * row.ours.scale; math.Abs(sum-want) > row.ours.error*want {
			panic(fmt.Errorf("%s: the sum of the scores is %v, and %v in NumPy", row.ours.name, sum, want))
		}
		t.Compare(peer.Row{
			What:   fmt.Sprintf("%s, %d tokens × %d / %s", row.ours.name, rows, cols, row.name),
			Target: row.target,
			Ours:   func() float64 { return processorTime(row.ours.scores) },
			Peer: func() float64 {
				v := p.Floats("%s", row.request)
				if len(v) != 2 || math.Abs(v[1]-want) > 0.05*want { // see the comment of the package
					panic(fmt.Errorf("%s: the sum of the scores is %v, and %v in NumPy", row.name, v, want))
				}
				return v[0]
			},
		})
	}
	t.Compare(peer.Row{
		What:   fmt.Sprintf("float32, %d tokens × %d / DotBlock and maxima in Go", rows, cols),
		Target: 1.15,
		Ours:   func() float64 { return processorTime(f32.scores) },
		Peer:   func() float64 { return processorTime(composed) },
	})
}

// blocks computes MaxSim by other kernels.
func blocks(dst []float64, query, tokens []float32, cols int, docs [][2]int) {
	queries := len(query) / cols
	products := make([]float32, queries*300)
	for i, doc := range docs {
		rows := doc[1] - doc[0]
		products := products[:queries*rows]
		vectors.DotBlock(products, query, queries, cols, tokens[doc[0]*cols:], rows, cols, cols)
		dst[i] = 0
		for k := range queries {
			best := float32(math.Inf(-1))
			for _, v := range products[k*rows:][:rows] {
				best = max(best, v)
			}
			dst[i] += float64(best)
		}
	}
}

func total(scores []float64) (sum float64) {
	for _, v := range scores {
		sum += v
	}
	return sum
}

// processorTime returns the processor time of a call of f in seconds.
func processorTime(f func()) float64 {
	return peer.TimeBy(func() time.Duration {
		var t unix.Timespec
		peer.Check(unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t))
		return time.Duration(t.Nano())
	}, 10*time.Millisecond, f)
}

// read returns a copy of the numbers in a file.
func read[T any](path string) []T {
	f := peer.Must(vectorfile.Open(path))
	defer f.Close()
	a, ok := f.Data.([]T)
	if !ok {
		panic(fmt.Errorf("%s contains %s", path, f.Type()))
	}
	return append([]T(nil), a...)
}

package fuzz

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/trees"
)

func forestSeeds(f *testing.F) {
	var data []byte
	for i := range uint32(300) {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(i%37)-18))
	}
	special := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(math.NaN())))
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.SmallestNonzeroFloat32,
		-math.MaxFloat32} {
		special = binary.LittleEndian.AppendUint32(special, math.Float32bits(float32(v)))
	}
	for i, d := range [][]byte{nil, data, data[:500], special, append(data[:200:200], special...)} {
		f.Add(d, uint64(i)*0x9e3779b97f4a7c15)
	}
}

func forestFloats(data []byte) []float32 {
	x := make([]float32, len(data)/4)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return x
}

// FuzzForestKeysF32 compares the tiers with the keys of single values.
func FuzzForestKeysF32(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		x := forestFloats(data)
		cols := 1 + int(seed%50)
		stride := cols + int(seed>>8%20)
		if len(x) < cols {
			return
		}
		rows := min((len(x)-cols)/stride+1, trees.ForestRows)
		want, nans := make([]int32, cols*trees.ForestRows), false
		for i := range rows {
			for j, v := range x[i*stride : i*stride+cols] {
				want[j*trees.ForestRows+i] = trees.ForestKey(v)
				nans = nans || v != v
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]int32, len(want))
			if nan := trees.ForestKeysF32(got, x, rows, cols, stride); nan != nans || !slices.Equal(got, want) {
				t.Fatalf("%v: %d rows of %d, stride %d: other keys, or NaN %v", tier, rows, cols, stride, nan)
			}
		})
	})
}

// FuzzForestAddF64 walks through random trees, of which data are the keys, document by document.
func FuzzForestAddF64(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		x := forestFloats(data)
		if len(x) == 0 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		features := 1 + rng.IntN(5)
		keys := make([]int32, features*trees.ForestRows)
		for i := range keys {
			keys[i] = trees.ForestKey(x[i%len(x)])
		}
		var nodes, words []uint32
		var leaves []float64
		want := make([]float64, trees.ForestRows)
		for range rng.IntN(6) {
			n := 1 + rng.IntN(100)
			values := make([]float64, (n+31)/32*32)
			for l := range values {
				values[l] = rng.Float64()
			}
			type split struct {
				row    uint32
				limit  int32
				lo, at int
			}
			var splits []split // in the order in which a tree is read
			var grow func(lo, hi int) func(i int) int
			grow = func(lo, hi int) func(i int) int {
				if hi-lo == 1 {
					return func(int) int { return lo }
				}
				s := split{uint32(rng.IntN(features)) * trees.ForestRows, keys[rng.IntN(len(keys))] +
					int32(rng.IntN(2)), lo, lo + 1 + rng.IntN(hi-lo-1)}
				splits = append(splits, s)
				left, right := grow(lo, s.at), grow(s.at, hi)
				return func(i int) int {
					if keys[int(s.row)+i] < s.limit {
						return left(i)
					}
					return right(i)
				}
			}
			leaf := grow(0, n)
			for i := range want {
				want[i] += values[leaf(i)]
			}
			for lo := 0; lo < n; lo += 32 {
				word := uint32(0)
				if lo == 0 {
					word = trees.ForestFirst
				}
				for _, s := range splits {
					keep := ^uint32(0)
					for l := max(s.lo, lo); l < min(s.at, lo+32); l++ {
						keep &^= 1 << (l - lo)
					}
					if keep != ^uint32(0) {
						nodes = append(nodes, s.row, uint32(s.limit), keep)
						word++
					}
				}
				words = append(words, word)
			}
			leaves = append(leaves, values...)
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]float64, trees.ForestRows)
			if trees.ForestAddF64(got, keys, nodes, words, leaves); !slices.Equal(got, want) {
				t.Fatalf("%v: not the leaves that the documents reach", tier)
			}
		})
	})
}

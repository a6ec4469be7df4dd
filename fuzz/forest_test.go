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

// FuzzForestColumnsF32 compares the tiers with copies of single values.
func FuzzForestColumnsF32(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		x := forestFloats(data)
		cols := 1 + int(seed%50)
		stride := cols + int(seed>>8%20)
		if len(x) < cols {
			return
		}
		rows := min((len(x)-cols)/stride+1, trees.ForestRows)
		want := make([]float32, cols*trees.ForestRows)
		for i := range rows {
			for j, v := range x[i*stride : i*stride+cols] {
				want[j*trees.ForestRows+i] = v
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]float32, len(want))
			trees.ForestColumnsF32(got, x, rows, cols, stride)
			for i := range want {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
					t.Fatalf("%v: %d rows of %d, stride %d: value %d is %v, want %v", tier, rows, cols, stride, i,
						got[i], want[i])
				}
			}
		})
	})
}

// FuzzForestTestsF32 uses the data as thresholds, and tests values next to them.
func FuzzForestTestsF32(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		x := forestFloats(data)
		if len(x) == 0 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		values := make([]float32, 64*rng.IntN(trees.ForestWords+1))
		for i := range values {
			values[i] = x[rng.IntN(len(x))]
		}
		thresholds := slices.DeleteFunc(slices.Clone(x), func(v float32) bool { return v != v })
		slices.Sort(thresholds)
		thresholds = slices.Compact(thresholds)
		want := make([]uint64, len(thresholds)*trees.ForestWords)
		for i, v := range values {
			for j, limit := range thresholds {
				if v <= limit {
					want[j*trees.ForestWords+i/64] |= 1 << (i % 64)
				}
			}
			first := trees.ForestTest(thresholds, v)
			if first < len(thresholds) && !(v <= thresholds[first]) || first > 0 && v <= thresholds[first-1] {
				t.Fatalf("%v passes test %d of %v first", v, first, thresholds)
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]uint64, len(want))
			if trees.ForestTestsF32(got, values, thresholds); !slices.Equal(got, want) {
				t.Fatalf("%v: %v against %v: %x, want %x", tier, values, thresholds, got, want)
			}
		})
	})
}

// FuzzForestTranspose compares the tiers with copies of single bits.
func FuzzForestTranspose(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		words := rng.IntN(trees.ForestWords + 1)
		rows := make([]uint64, (1+rng.IntN(3))*64*trees.ForestWords)
		for i := range rows {
			rows[i] = rng.Uint64()
			if i < len(data) {
				rows[i] &= uint64(data[i])
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := slices.Clone(rows)
			trees.ForestTranspose(got, words)
			for i := range len(rows) / trees.ForestWords {
				for w := range words {
					for j := range 64 {
						to := got[(i&^63+j)*trees.ForestWords+w] >> (i % 64) & 1
						if from := rows[i*trees.ForestWords+w] >> j & 1; to != from {
							t.Fatalf("%v: bit %d of word %d of row %d is %d, want %d", tier, i%64, w, i&^63+j, to, from)
						}
					}
				}
			}
		})
	})
}

// FuzzForestSelect compares the tiers with operations on single words from the data.
func FuzzForestSelect(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows := make([]uint64, trees.ForestWords*(1+rng.IntN(6)))
		for i := range rows {
			rows[i] = rng.Uint64()
		}
		ops := make([]uint32, len(data)/4*4)
		want := slices.Clone(rows)
		for i := range ops {
			ops[i] = uint32(int(data[i])%(len(rows)/trees.ForestWords)) * trees.ForestWords
		}
		for i := 0; i < len(ops); i += 4 {
			for w := range uint32(trees.ForestWords) {
				test, yes, no := want[ops[i+1]+w], want[ops[i+2]+w], want[ops[i+3]+w]
				want[ops[i]+w] = test&yes | no&^test
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := slices.Clone(rows)
			if trees.ForestSelect(got, ops); !slices.Equal(got, want) {
				t.Fatalf("%v: %x, want %x", tier, got, want)
			}
		})
	})
}

// FuzzForestAddF64 compares the tiers with leaves of single documents.
func FuzzForestAddF64(f *testing.F) {
	forestSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		scores := make([]float64, 64*rng.IntN(trees.ForestWords+1))
		var list []uint8
		var planes []uint64
		var leaves []float64
		for _, v := range data[:min(len(data), 20)] {
			n := trees.ForestPlanes + v%3
			if v > 250 {
				n = trees.ForestPlanes + v%(trees.ForestMaxPlanes-trees.ForestPlanes+1)
			}
			first := len(planes)
			for range int(n) * trees.ForestWords {
				planes = append(planes, rng.Uint64())
			}
			values := make([]float64, 1<<n)
			for l := range values {
				values[l] = rng.Float64() - .5
			}
			for i := range scores {
				leaf := 0
				for b := range int(n) {
					leaf |= int(planes[first+b*trees.ForestWords+i/64]>>(i%64)&1) << b
				}
				scores[i] += values[leaf]
			}
			list, leaves = append(list, n), append(leaves, values...)
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]float64, len(scores))
			if trees.ForestAddF64(got, planes, list, leaves); !slices.Equal(got, scores) {
				t.Fatalf("%v: trees of %v planes: not the leaves that the documents reach", tier, list)
			}
		})
	})
}

package fuzz

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/kernels"
)

// column converts bytes to at most max values. The first byte selects the kind of values. The
// others are repeated with small changes, so that few bytes result in a long column with structure.
func column(data []byte, n int) []float64 {
	v := make([]float64, n)
	if len(data) == 0 {
		return v
	}
	kind, data := data[0], append(data[1:], 0)
	for i := range v {
		b := data[i%len(data)]
		switch round := i / len(data); kind % 8 {
		case 0: // few values
			v[i] = float64(b % 4)
		case 1: // integers
			v[i] = float64(int8(b)) * float64(1+round)
		case 2: // hundredths: equal values that float32 cannot represent
			v[i] = float64(b) / 100
		case 3: // close together
			v[i] = float64(b>>6) + 1e-13*float64(b&63)
		case 4: // all magnitudes
			v[i] = math.Ldexp(float64(int8(b)), 4*int(int8(data[(i+1)%len(data)])))
		case 5: // infinities and zeros of both signs
			v[i] = []float64{math.Inf(-1), math.Copysign(0, -1), 0, 0.1, math.Inf(1)}[b%5]
		case 6: // no structure
			s := uint64(i+1) * (uint64(b)*2 + 1) * 0x9e3779b97f4a7c15
			v[i] = float64(s>>11) * 0x1p-53
		case 7: // waves
			v[i] = float64((i*int(b%7) + i/(1+int(b>>3))) % (3 + len(data)))
		}
	}
	return v
}

// addRun adds a run of n equal values. n is at most 2¹⁶, so that the number of triples is exact.
func addRun(t *kernels.TieCounts, n int64) {
	if n > 0 {
		t.Distinct++
		t.Pairs += n * (n - 1) / 2
		t.Triples += float64(n * (n - 1) * (n - 2) / 6)
	}
}

// mergeCount returns the sorted values of a, and the number of pairs i < j with a[i] > a[j].
func mergeCount[T cmp.Ordered](a []T) (sorted []T, inversions int64) {
	if len(a) < 2 {
		return a, 0
	}
	left, m := mergeCount(a[:len(a)/2])
	right, n := mergeCount(a[len(a)/2:])
	sorted, inversions = make([]T, 0, len(a)), m+n
	for len(left) > 0 && len(right) > 0 {
		if right[0] < left[0] {
			sorted, right = append(sorted, right[0]), right[1:]
			inversions += int64(len(left))
		} else {
			sorted, left = append(sorted, left[0]), left[1:]
		}
	}
	return append(append(sorted, left...), right...), inversions
}

// knight counts pairs by sorting and merging.
func knight(x, y []float64) (c kernels.PairCounts) {
	type pair struct{ x, y float64 }
	pairs := make([]pair, len(x))
	for i := range x {
		pairs[i] = pair{x[i], y[i]}
	}
	order := func(a, b float64) int {
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		if d := order(a.x, b.x); d != 0 {
			return d
		}
		return order(a.y, b.y)
	})
	merged := make([]float64, len(y))
	runX, runBoth, runY := int64(0), int64(0), int64(0)
	for i, p := range pairs {
		merged[i] = p.y
		if i > 0 && p.x != pairs[i-1].x {
			addRun(&c.X, runX)
			runX = 0
		}
		if i > 0 && p != pairs[i-1] {
			c.TiedBoth += runBoth * (runBoth - 1) / 2
			runBoth = 0
		}
		runX++
		runBoth++
	}
	addRun(&c.X, runX)
	c.TiedBoth += runBoth * (runBoth - 1) / 2
	sorted, discordant := mergeCount(merged)
	c.Discordant = discordant
	for i := range sorted {
		if i > 0 && sorted[i] != sorted[i-1] {
			addRun(&c.Y, runY)
			runY = 0
		}
		runY++
	}
	addRun(&c.Y, runY)
	return c
}

// countPairs counts discordant pairs and pairs with ties in both columns by comparing each pair.
func countPairs(x, y []float64) (discordant, both int64) {
	for i := range x {
		for j := range i {
			if x[i] < x[j] && y[i] > y[j] || x[i] > x[j] && y[i] < y[j] {
				discordant++
			}
			if x[i] == x[j] && y[i] == y[j] {
				both++
			}
		}
	}
	return discordant, both
}

// FuzzCountTau compares every tier, and three goroutines, with Knight's merge count. For short
// columns, it also compares with a count of all pairs. CountTau calls the kernels CountPairsF64,
// ScanF64, LinearKeysF64, FloatKeysF64 and PackKeys.
func FuzzCountTau(f *testing.F) {
	for kx := range byte(8) {
		for ky := range byte(8) {
			f.Add(uint16(int(kx)*300+20), []byte{kx, 3, 200, 17, 90, 2}, []byte{ky, 1, 255, 64, 8, 77, 130})
		}
	}
	f.Add(uint16(0), []byte{}, []byte{})
	f.Add(uint16(1), []byte{1}, []byte{2})
	f.Fuzz(func(t *testing.T, size uint16, a, b []byte) {
		n := int(size % 4096)
		x, y := column(a, n), column(b, n)
		want := knight(x, y)
		if n <= 200 {
			if d, both := countPairs(x, y); d != want.Discordant || both != want.TiedBoth {
				t.Fatalf("Knight's count %d, %d, all pairs %d, %d", want.Discordant, want.TiedBoth, d, both)
			}
		}
		for _, tier := range cpu.Available() {
			restore := cpu.Force(tier)
			got, noNaN := kernels.CountTau(x, y, &kernels.Work{Threads: 3})
			restore()
			if !noNaN || got != want {
				t.Fatalf("%v, n = %d: %+v %v, want %+v", tier, n, got, noNaN, want)
			}
		}
	})
}

// keysOf reads keys of type int64 or int32 from bytes.
func keysOf(data []byte) (k64 []int64, k32 []int32) {
	for ; len(data) >= 8; data = data[8:] {
		k64 = append(k64, int64(binary.LittleEndian.Uint64(data)))
		k32 = append(k32, int32(binary.LittleEndian.Uint32(data)), int32(binary.LittleEndian.Uint32(data[4:])))
	}
	return k64, k32
}

func addKeys(f *testing.F) {
	for _, n := range []int{0, 1, 7, 8, 9, 33, 64, 200} {
		data := make([]byte, 8*n)
		s := uint32(1)
		for i := range data {
			s = s*1664525 + 1013904223
			data[i] = byte(s >> 24)
		}
		f.Add(data)
	}
}

// tiersAgree fails if run does not return the same result on every tier.
func tiersAgree[T comparable](t *testing.T, run func() []T) {
	t.Helper()
	var want []T
	for i, tier := range cpu.Available() {
		restore := cpu.Force(tier)
		got := run()
		restore()
		if i == 0 {
			want = got
		} else if !slices.Equal(got, want) {
			t.Fatalf("%v: %v, generic %v", tier, got, want)
		}
	}
}

func FuzzPartitionI64(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, _ := keysOf(data)
		if len(keys) == 0 {
			return
		}
		tiersAgree(t, func() []int64 {
			a, hi := slices.Clone(keys), make([]int64, len(keys))
			n := order.PartitionI64(a, hi, a, keys[len(keys)/2])
			return append(append(a[:n:n], hi[:len(keys)-n]...), int64(n))
		})
	})
}

func FuzzPartitionCountI32(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		_, keys := keysOf(data)
		if len(keys) == 0 {
			return
		}
		tiersAgree(t, func() []int64 {
			a, hi := slices.Clone(keys), make([]int32, len(keys))
			n, positions := order.PartitionCountI32(a, hi, a, keys[len(keys)/2])
			out := []int64{int64(n), positions}
			for _, v := range append(a[:n:n], hi[:len(keys)-n]...) {
				out = append(out, int64(v))
			}
			return out
		})
	})
}

// FuzzSpreadI64 also tests TallyI64 and MoveI64.
func FuzzSpreadI64(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, _ := keysOf(data)
		if len(keys) == 0 {
			return
		}
		tiersAgree(t, func() []int64 {
			out, cells := make([]int64, len(keys)), make([]uint32, 1<<(len(data)%13))
			order.SpreadI64(out, cells, keys, keys[0], len(data)/13%64)
			for _, end := range cells {
				out = append(out, int64(end))
			}
			return out
		})
	})
}

func FuzzSortI64(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, _ := keysOf(data)
		keys = keys[:min(64, len(keys))]
		tiersAgree(t, func() []int64 {
			a := make([]int64, len(keys))
			order.SortI64(a, keys)
			return a
		})
	})
}

func FuzzFilterI32(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		filter, keys := keysOf(data)
		words := make([]uint64, 1<<(len(data)%5))
		for i, k := range filter {
			words[i%len(words)] ^= uint64(k)
		}
		tiersAgree(t, func() []int32 {
			dst := make([]int32, len(keys))
			return dst[:order.FilterI32(dst, keys, words)]
		})
	})
}

// FuzzInversionsI32 compares the tiers with each other and with mergeCount.
func FuzzInversionsI32(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		_, keys := keysOf(data)
		keys = keys[:min(64, len(keys))]
		tiersAgree(t, func() []int64 {
			inversions, equal := order.InversionsI32(keys)
			if _, want := mergeCount(keys); inversions != want {
				t.Fatalf("%d inversions, mergeCount %d", inversions, want)
			}
			return []int64{inversions, equal}
		})
	})
}

func FuzzSplitKeys(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		keys, _ := keysOf(data)
		if len(keys) == 0 {
			return
		}
		n := len(keys) - 1
		tiersAgree(t, func() []int64 {
			y, newX, newKey := make([]int32, n), make([]uint8, (n+7)/8), make([]uint8, (n+7)/8)
			order.SplitKeys(y, newX, newKey, keys)
			var out []int64
			for i := range y {
				out = append(out, int64(y[i]), int64(newX[i/8]), int64(newKey[i/8]))
			}
			return out
		})
	})
}

func FuzzFloatKeysF32(f *testing.F) {
	addKeys(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		_, bits := keysOf(data)
		x := make([]float32, len(bits))
		for i, b := range bits {
			x[i] = math.Float32frombits(uint32(b))
		}
		tiersAgree(t, func() []int64 {
			keys := make([]int32, len(x))
			if order.FloatKeysF32(keys, x) {
				return nil
			}
			out := make([]int64, len(x))
			for i := range x {
				out[i] = int64(keys[i])
				if i > 0 && (x[i-1] < x[i]) != (keys[i-1] < keys[i]) {
					t.Fatalf("%v, %v have keys %d, %d", x[i-1], x[i], keys[i-1], keys[i])
				}
			}
			return out
		})
	})
}

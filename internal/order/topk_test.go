package order

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/testkit"
)

// specKey is the key of a value by the letter of its definition.
func specKey(v float32, i int) int64 {
	if v != v {
		return int64(math.MaxInt32)<<32 | int64(i)
	}
	return int64(^floatKeySpec(v))<<32 | int64(i)
}

func rankGainsArgs(x []float32, grades []uint8, gains []float64) []any {
	n := len(x)
	return []any{make([]float64, n), make([]int64, n), make([]int64, n), x, grades, gains, make([]bool, 1)}
}

var _ = register(
	entry{
		Name: "RankKeysF32",
		Args: func(d *draw, n int) []any { return []any{make([]int64, n), d.F32s(n), make([]bool, 1)} },
		Call: func(a []any) { a[2].([]bool)[0] = RankKeysF32(a[0].([]int64), a[1].([]float32)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]float32) {
				a[0].([]int64)[i] = specKey(v, i)
				a[2].([]bool)[0] = a[2].([]bool)[0] || v != v
			}
		},
		Writes: []int{0, 2},
	},
	entry{
		Name: "RankGradesF32",
		Args: func(d *draw, n int) []any {
			grades := make([]uint8, n)
			for i := range grades {
				grades[i] = uint8(d.Uint32())
			}
			return []any{make([]int64, n), d.F32s(n), grades, make([]bool, 1)}
		},
		Call: func(a []any) { a[3].([]bool)[0] = RankGradesF32(a[0].([]int64), a[1].([]float32), a[2].([]uint8)) },
		Spec: func(a []any) {
			for i, v := range a[1].([]float32) {
				a[0].([]int64)[i] = specKey(v, i<<8|int(a[2].([]uint8)[i]))
				a[3].([]bool)[0] = a[3].([]bool)[0] || v != v
			}
		},
		Writes: []int{0, 3},
	},
	entry{
		Name: "GainsOfKeysF64",
		Args: func(d *draw, n int) []any {
			keys, gains := make([]int64, n), make([]float64, 16)
			for i := range keys {
				keys[i] = int64(i)<<32 | int64(d.Uint32())
			}
			if n > 1 && d.IntN(2) == 0 { // a tie somewhere
				i := 1 + d.IntN(n-1)
				keys[i] = keys[i]&math.MaxUint32 | keys[i-1]&^math.MaxUint32
			}
			for i := range gains {
				gains[i] = d.F64()
			}
			return []any{make([]float64, n), keys, gains, make([]bool, 1)}
		},
		Call: func(a []any) {
			a[3].([]bool)[0] = GainsOfKeysF64(a[0].([]float64), a[1].([]int64), (*[16]float64)(a[2].([]float64)))
		},
		Spec: func(a []any) {
			keys := a[1].([]int64)
			for i, k := range keys {
				a[0].([]float64)[i] = a[2].([]float64)[k%16]
				if i > 0 && k>>32 == keys[i-1]>>32 {
					a[3].([]bool)[0] = true
				}
			}
		},
		Writes: []int{0, 3},
	},
	entry{
		Name: "RankGainsF32",
		Args: func(d *draw, n int) []any {
			n %= 200
			x, grades := d.F32s(n), make([]uint8, n)
			for i := range grades {
				grades[i] = uint8(d.IntN(15))
			}
			if n > 0 && d.IntN(4) == 0 {
				grades[d.IntN(n)] = uint8(14 + d.IntN(4))
			}
			if n > 1 && d.IntN(4) == 0 { // a tie somewhere
				i := d.IntN(n - 1)
				x[i+1] = x[i]
			}
			return rankGainsArgs(x, grades, d.F64s(16))
		},
		Cases: func() (cases [][]any) {
			d := testkit.NewDraw(21, 22, false)
			for _, n := range []int{7, 8, 9, 63, 64, 65, 72, 127, 128, 129} {
				distinct := func() []float32 {
					x := make([]float32, n)
					for i := range x {
						x[i] = float32(i*37%n - n/2)
					}
					return x
				}
				add := func(x []float32, grade uint8) {
					grades := make([]uint8, n)
					for i := range grades {
						grades[i] = uint8(i % 15)
					}
					grades[n-1] = grade
					cases = append(cases, rankGainsArgs(x, grades, d.F64s(16)))
				}
				for _, grade := range []uint8{0, 14, 15, 16, 128, 255} {
					add(distinct(), grade)
				}
				negativeZero := math.Copysign(0, -1)
				for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), negativeZero, math.MaxFloat32} {
					for _, i := range []int{0, n / 2, n - 1} {
						x := distinct()
						x[i] = float32(v)
						add(x, 3)
						x[i] = math.Float32frombits(math.Float32bits(x[i]) ^ 1<<31)
						add(x, 3)
					}
				}
				// each rank tied with the next, and close to it
				for rank := 0; rank < n-1; rank += 1 + n%3 {
					x := make([]float32, n)
					for i := range x {
						x[i*37%n] = float32(3*i - n)
					}
					a, b := rank*37%n, (rank+1)*37%n
					x[b] = x[a]
					add(x, 3)
					for bit := 3; bit < 5; bit++ {
						y := slices.Clone(x)
						y[b] = math.Float32frombits(math.Float32bits(y[a]) ^ 1<<bit)
						add(y, 3)
					}
				}
			}
			return cases
		},
		Call: func(a []any) {
			dst, keys, tmp, gains := a[0].([]float64), a[1].([]int64), a[2].([]int64), (*[16]float64)(a[5].([]float64))
			nan, ok := RankGainsF32(dst, keys, tmp, a[3].([]float32), a[4].([]uint8), gains)
			if !ok {
				GainsOfKeysF64(dst, keys, gains)
			}
			clear(keys)
			clear(tmp)
			a[6].([]bool)[0] = nan
		},
		Spec: func(a []any) {
			x, grades := a[3].([]float32), a[4].([]uint8)
			keys := make([]int64, len(x))
			for i, v := range x {
				keys[i] = specKey(v, i<<8|int(grades[i]))
				a[6].([]bool)[0] = a[6].([]bool)[0] || v != v
			}
			slices.Sort(keys)
			for i, k := range keys {
				a[0].([]float64)[i] = a[5].([]float64)[k&15]
			}
		},
		Writes: []int{0, 1, 2, 6},
	},
	entry{
		Name: "ThresholdF32",
		Args: func(d *draw, n int) []any {
			lanes := make([]float32, 16)
			for i := range lanes {
				lanes[i] = float32(math.Inf(-1))
				if d.IntN(2) == 0 {
					lanes[i] = d.F32()
				}
				if lanes[i] != lanes[i] {
					lanes[i] = 1
				}
			}
			return []any{lanes, d.F32s(n), 1 + d.IntN(16), make([]float32, 1), make([]bool, 1)}
		},
		Call: func(a []any) {
			a[3].([]float32)[0], a[4].([]bool)[0] = ThresholdF32((*[16]float32)(a[0].([]float32)), a[1].([]float32),
				a[2].(int))
		},
		Spec: func(a []any) {
			lanes := a[0].([]float32)
			for i, v := range a[1].([]float32) {
				if v == v {
					lanes[i%16] = max(lanes[i%16], v)
				} else {
					a[4].([]bool)[0] = true
				}
			}
			for i := range lanes {
				if lanes[i] == 0 {
					lanes[i] = 0
				}
			}
			s := slices.Clone(lanes)
			slices.Sort(s)
			a[3].([]float32)[0] = s[16-a[2].(int)]
		},
		Writes: []int{0, 3, 4},
	},
	entry{
		Name: "SelectKeysF32",
		Args: func(d *draw, n int) []any {
			x, t := d.F32s(n), d.F32()
			switch {
			case n > 0 && d.IntN(2) == 0:
				t = x[d.IntN(n)]
			case d.IntN(8) == 0:
				t = float32(math.Inf(-1))
			}
			return []any{make([]int64, n), x, t, d.IntN(1 << 20), make([]int64, 1)}
		},
		Call: func(a []any) {
			dst := a[0].([]int64)
			n := SelectKeysF32(dst, a[1].([]float32), a[2].(float32), a[3].(int))
			clear(dst[n:])
			a[4].([]int64)[0] = int64(n)
		},
		Spec: func(a []any) {
			n := 0
			for i, v := range a[1].([]float32) {
				if v >= a[2].(float32) {
					a[0].([]int64)[n] = specKey(v, a[3].(int)+i)
					n++
				}
			}
			a[4].([]int64)[0] = int64(n)
		},
		Writes: []int{0, 4},
	},
	entry{
		Name: "BestGainsF32",
		Args: func(d *draw, n int) []any {
			n %= BestGainsLimit + 1
			x, grades, gains := d.F32s(n), make([]uint8, n), make([]float64, 16)
			order := make([]int, n)
			for i := range grades {
				grades[i] = uint8(d.IntN(16))
				order[i] = i
			}
			for i := range gains {
				gains[i] = d.F64()
			}
			k := 1 + d.IntN(15)
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
			// a tie, or a grade too high, near the last rank
			if i := d.IntN(k + 1); i+1 < n && d.IntN(3) == 0 {
				x[order[i+1]] = x[order[i]]
			} else if i < n && d.IntN(3) == 0 {
				grades[order[i]] = uint8(16 << d.IntN(4))
			}
			return []any{make([]float64, 16), make([]int64, BestGainsSpace), x, grades, gains, k, make([]bool, 2)}
		},
		Cases: func() (cases [][]any) {
			d := testkit.NewDraw(19, 20, false)
			add := func(x []float32, k int, grade uint8) {
				grades := make([]uint8, len(x))
				grades[0] = grade
				cases = append(cases, []any{make([]float64, 16), make([]int64, BestGainsSpace), x, grades, d.F64s(16),
					k, make([]bool, 2)})
			}
			x := make([]float32, 17)
			for i := range x {
				x[i] = float32(math.Inf(-1))
			}
			x[0], x[16] = 5, 3 // the two best are of one lane
			add(x, 1, 1)
			add(x, 2, 1)
			add([]float32{3, 2, 1}, 3, 1)
			add([]float32{3, 2, 1}, 4, 1)
			for _, grade := range []uint8{15, 16, 17, 32} {
				add([]float32{3, 2, 1}, 2, grade)
			}
			// The best three are of one lane, and two others are tied.
			for lane := range 16 {
				for other := range lane {
					x := slices.Repeat([]float32{1}, 64)
					x[lane], x[other] = 5, 5
					best := 0
					for best == other || best == lane {
						best++
					}
					x[best], x[16+best], x[48+best] = 10, 9, 8
					add(x, 3, 1)
				}
			}
			// The best k, and one less and one more, are of one lane of 8 or of 16.
			for _, lanes := range []int{8, 16} {
				for k := 3; k <= 6; k++ {
					for best := 3; best <= 6; best++ {
						x := make([]float32, 7*lanes+5)
						for i := range x {
							x[i] = float32(-i)
						}
						for i := range best {
							x[(6-i)*lanes+3] = float32(100 - i)
						}
						add(x, k, 1)
					}
				}
			}
			// scores that differ in their last bits, as few or fewer as make room for a grade
			for bit := range 6 {
				for _, sign := range []uint32{0, 1 << 31} {
					x := make([]float32, 70)
					for i := range x {
						x[i] = math.Float32frombits(sign | uint32(0x40000000+i<<bit))
					}
					for k := 1; k <= 15; k += 7 {
						add(x, k, 1)
					}
				}
			}
			for _, n := range []int{32, 33} {
				x := make([]float32, n)
				for i := range x {
					x[i] = float32(i / 16 * (16 - i%16))
				}
				for i := range 16 {
					x[i] = float32(100 + i)
				}
				add(x, 15, 1)
				for i := range x {
					x[i] = float32(200 - i)
				}
				x[15] = -1
				add(x, 15, 1)
				y := slices.Repeat([]float32{1}, n)
				y[0] = 2
				add(y, 1, 1)
				for i := range y {
					y[i] = float32(1 + i%16*8 + i/16)
				}
				y[0] = -5
				for i := 16; i < n; i += 16 {
					y[i] = -5
				}
				add(y, 15, 1)
			}
			return cases
		},
		Call: func(a []any) {
			dst, keys, flags := a[0].([]float64), a[1].([]int64), a[6].([]bool)
			for i := range dst {
				dst[i] = math.NaN() // of the call before
			}
			nan, ok := BestGainsF32((*[16]float64)(dst), keys, a[2].([]float32), a[3].([]uint8),
				(*[16]float64)(a[4].([]float64)), a[5].(int))
			if !ok {
				clear(dst)
			}
			clear(keys)
			flags[0], flags[1] = nan, ok
		},
		Spec: func(a []any) {
			dst, x, grades, gains, k, flags := a[0].([]float64), a[2].([]float32), a[3].([]uint8), a[4].([]float64),
				a[5].(int), a[6].([]bool)
			order := make([]int, len(x))
			for i, v := range x {
				order[i] = i
				flags[0] = flags[0] || v != v
			}
			if flags[0] {
				return
			}
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
			ok := len(x) >= k
			for i := 0; ok && i < k; i++ {
				ok = grades[order[i]] < 16 && (i+1 == len(x) || x[order[i]] != x[order[i+1]])
			}
			if flags[1] = ok; ok {
				for i, o := range order[:k] {
					dst[i] = gains[grades[o]]
				}
			}
		},
		Writes: []int{0, 1, 6},
	},
	entry{
		Name: "CountLevelsU8",
		Args: func(d *draw, n int) []any {
			x := make([]uint8, n)
			for i := range x {
				x[i] = uint8(d.IntN(6))
				if d.Special {
					x[i] = uint8(d.Uint32() >> d.IntN(9) % 256)
				}
			}
			counts := make([]int64, 16)
			counts[3] = 1 << 40
			return []any{counts, x, d.IntN(17), make([]int64, 1)}
		},
		Cases: func() (cases [][]any) {
			for _, n := range []int{1, 3, 4, 17, 33, 200, 300, 5000} {
				for most := 14; most <= 17; most++ {
					x := make([]uint8, n)
					for i := range x {
						x[i] = uint8(most - i%3*7)
					}
					for _, levels := range []int{0, 1, 15, 16} {
						cases = append(cases, []any{make([]int64, 16), x, levels, make([]int64, 1)})
					}
				}
			}
			return cases
		},
		Call: func(a []any) {
			a[3].([]int64)[0] = CountLevelsU8((*[16]int64)(a[0].([]int64)), a[1].([]uint8), a[2].(int))
		},
		Spec: func(a []any) {
			for _, v := range a[1].([]uint8) {
				if int(v) < a[2].(int) {
					a[0].([]int64)[v]++
				} else {
					a[3].([]int64)[0]++
				}
			}
		},
		Writes: []int{0, 3},
	},
)

// Lists on which sorts and thresholds do badly, at lengths around every limit.
var hardLists = map[string]func(rng *rand.Rand, i, n int) float32{
	"random":        func(rng *rand.Rand, i, n int) float32 { return rng.Float32() },
	"ascending":     func(rng *rand.Rand, i, n int) float32 { return float32(i) },
	"descending":    func(rng *rand.Rand, i, n int) float32 { return float32(-i) },
	"organ pipe":    func(rng *rand.Rand, i, n int) float32 { return float32(min(i, n-i)) },
	"saw":           func(rng *rand.Rand, i, n int) float32 { return float32(i % 37) },
	"constant":      func(rng *rand.Rand, i, n int) float32 { return 3 },
	"all but one":   func(rng *rand.Rand, i, n int) float32 { return float32(i / max(1, n-1)) },
	"two values":    func(rng *rand.Rand, i, n int) float32 { return float32(rng.IntN(2)) },
	"few values":    func(rng *rand.Rand, i, n int) float32 { return float32(rng.IntN(n/900 + 2)) },
	"powers":        func(rng *rand.Rand, i, n int) float32 { return float32(math.Ldexp(1, i%250-125)) },
	"one lane":      func(rng *rand.Rand, i, n int) float32 { return float32(i%16/15*n) + rng.Float32() },
	"fifteen lanes": func(rng *rand.Rand, i, n int) float32 { return float32((i%16+15)/16*n) + rng.Float32() },
	"NaN":           func(rng *rand.Rand, i, n int) float32 { return float32(math.NaN()) },
	"mostly NaN": func(rng *rand.Rand, i, n int) float32 {
		return []float32{float32(math.NaN()),
			1}[rng.IntN(60)/59]
	},
	"−Inf and zeros": func(rng *rand.Rand, i, n int) float32 {
		return []float32{float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1))}[rng.IntN(3)]
	},
	"one lane above −Inf": func(rng *rand.Rand, i, n int) float32 {
		if i%16 == 5 {
			return rng.Float32()
		}
		return float32(math.Inf(-1))
	},
	"sorted, but one": func(rng *rand.Rand, i, n int) float32 { return float32((i*7+3)%7*(i/max(1, n-1)) - i) },
}

// The k best are those of a full sort, or the kernel says that it gave up, which it may only when
// more than 1024 are as good as the k-th (in "all but one" before the last value) or fewer than k
// are above −Inf.
func TestTopK(t *testing.T) {
	for name, kind := range hardLists {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{0, 1, 5, 16, 17, 120, 1000, topKLimit, topKBlock - 1, topKBlock, topKBlock + 1,
				topKBlock + topKLimit, 3*topKBlock + 77, kern.BlockLen + 5} {
				keys, tmp := make([]int64, TopKSpace(n)), make([]int64, TopKSpace(n))
				rng := rand.New(rand.NewPCG(uint64(n), 1))
				x := make([]float32, n)
				for i := range x {
					x[i] = kind(rng, i, n)
				}
				all := make([]int64, n)
				nans := RankKeysF32(all, x)
				slices.Sort(all)
				for _, k := range []int{1, 5, 10, 16, 17, 50, 128} {
					want := min(k, n)
					for want > 0 && want < n && KeyTied(all[want-1], all[want]) {
						want++
					}
					mayGiveUp := want > topKLimit || name == "all but one" || n < k ||
						!(x[KeyIndex(all[k-1])] > float32(math.Inf(-1)))
					for _, tier := range cpu.Available() {
						restore := cpu.Force(tier)
						got, nan, ok := TopKF32(keys, tmp, x, k)
						restore()
						switch {
						case ok && !slices.Equal(keys[:got], all[:want]):
							t.Errorf("%v: %s, n = %d, k = %d: not the %d best", tier, name, n, k, want)
						case ok && n <= topKLimit && lanesHold(x, k) < k:
							t.Errorf("%v: %s, n = %d, k = %d: did not give up", tier, name, n, k)
						case ok && nan != nans:
							t.Errorf("%v: %s, n = %d: NaN %v", tier, name, n, nan)
						case !ok && !mayGiveUp:
							// The lanes may hold fewer than k numbers although there are k.
							if lanesHold(x, k) >= k {
								t.Errorf("%v: %s, n = %d, k = %d: gave up", tier, name, n, k)
							}
						}
					}
				}
			}
		})
	}
}

// lanesHold returns how many of the lanes have a value above −Inf.
func lanesHold(x []float32, k int) int {
	parts := 1
	if k > 16 {
		parts = (k + 5) / 6
	}
	length := (len(x) + parts - 1) / parts
	lanes := map[int]bool{}
	for i, v := range x {
		if v > float32(math.Inf(-1)) {
			lanes[i/length*16+i%length%16] = true
		}
	}
	return len(lanes)
}

func TestSortKeysHardLists(t *testing.T) {
	for name, kind := range hardLists {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{2, 24, 25, 63, 64, 65, 128, 129, 200, 201, 1500, 1501, 5000, 100_000} {
				rng := rand.New(rand.NewPCG(uint64(n), 2))
				x := make([]float32, n)
				for i := range x {
					x[i] = kind(rng, i, n)
				}
				want := make([]int, n)
				for i := range want {
					want[i] = i
				}
				slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
				keys, tmp := make([]int64, n), make([]int64, n)
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					RankKeysF32(keys, x)
					SortKeys(keys, tmp)
					restore()
					for i, k := range keys {
						if KeyIndex(k) != want[i] {
							t.Fatalf("%v: %s, n = %d: rank %d has %d, want %d", tier, name, n, i, KeyIndex(k),
								want[i])
						}
					}
				}
			}
		})
	}
}

func TestTopKPanics(t *testing.T) {
	keys := make([]int64, TopKSpace(1<<20))
	rankGains := func(dst, n, m, grades int) {
		RankGainsF32(make([]float64, dst), keys[:n], keys[3:3+m], make([]float32, 3), make([]uint8, grades),
			new([16]float64))
	}
	for name, f := range map[string]func(){
		"k = 0":                         func() { TopKF32(keys, keys, nil, 0) },
		"k = 129":                       func() { TopKF32(keys, keys, nil, 129) },
		"short keys":                    func() { TopKF32(keys[:9], keys, nil, 1) },
		"keys of 512 for 513":           func() { TopKF32(keys, keys[:512], make([]float32, 513), 1) },
		"keys of 2 for 3":               func() { RankKeysF32(keys[:2], make([]float32, 3)) },
		"grades of 2 for 3":             func() { RankGradesF32(keys[:3], make([]float32, 3), make([]uint8, 2)) },
		"graded 2 for 3":                func() { RankGradesF32(keys[:2], make([]float32, 3), make([]uint8, 3)) },
		"gains of 2 for 3":              func() { GainsOfKeysF64(make([]float64, 2), keys[:3], new([16]float64)) },
		"rank gains of 2 for 3":         func() { rankGains(2, 3, 3, 3) },
		"rank gains, keys of 2 for 3":   func() { rankGains(3, 2, 3, 3) },
		"rank gains, 2 more for 3":      func() { rankGains(3, 3, 2, 3) },
		"rank gains, grades of 2 for 3": func() { rankGains(3, 3, 3, 2) },
		"gains k = 16": func() {
			BestGainsF32(new([16]float64), keys, nil, nil, new([16]float64), 16)
		},
		"gains of 513": func() {
			BestGainsF32(new([16]float64), keys, make([]float32, 513), make([]uint8, 513), new([16]float64), 1)
		},
		"gains 2 for 3": func() {
			BestGainsF32(new([16]float64), keys, make([]float32, 3), make([]uint8, 2),
				new([16]float64), 1)
		},
		"gains, short keys": func() { BestGainsF32(new([16]float64), keys[:527], nil, nil, new([16]float64), 1) },
		"select 2 for 3":    func() { SelectKeysF32(keys[:2], make([]float32, 3), 0, 0) },
		"threshold k = 17":  func() { ThresholdF32(new([16]float32), nil, 17) },
		"17 levels":         func() { CountLevelsU8(new([16]int64), nil, 17) },
	} {
		t.Run(name, func(t *testing.T) {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			}()
		})
	}
}

// Lists of different scores are ranked without keys where a tier has a kernel for that, at every
// length that it takes; and the best of them are found without the steps of plain Go.
func TestGainsWithoutKeys(t *testing.T) {
	var gains [16]float64
	for i := range gains {
		gains[i] = float64(i) + .5
	}
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			if tier == cpu.Generic {
				return
			}
			restore := cpu.Force(tier)
			from := 8
			if tier == cpu.AVX512 {
				from = 17
			}
			for n := from; n <= 128; n++ {
				rng := rand.New(rand.NewPCG(uint64(n), 3))
				x, grades, want := make([]float32, n), make([]uint8, n), make([]float64, n)
				for rank, i := range rng.Perm(n) {
					x[i], grades[i] = float32(n/2-rank), uint8(rng.IntN(15))
					want[rank] = gains[grades[i]]
				}
				dst, keys := make([]float64, n), make([]int64, n)
				_, ok := RankGainsF32(dst, keys, make([]int64, n), x, grades, &gains)
				if !ok || !slices.Equal(dst, want) {
					t.Errorf("n = %d: %v, ok %v, want %v", n, dst, ok, want)
				}
				space, best := slices.Repeat([]int64{-1}, BestGainsSpace), [16]float64{}
				_, ok = BestGainsF32(&best, space, x, grades, &gains, min(n, 10))
				if !ok || n > 60 && KeyIndex(space[0]) < n { // a key of plain Go
					t.Errorf("n = %d: ok %v, first key %x", n, ok, space[0])
				}
			}
			restore()
		})
	}
}

// The best documents stand anywhere, or mostly in one half of the lanes.
func TestBestGainsPlaces(t *testing.T) {
	var gains [16]float64
	for i := range gains {
		gains[i] = float64(i)
	}
	space := make([]int64, BestGainsSpace)
	for _, n := range []int{17, 40, 64, 100, 128, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(n), 4))
			for round := range 120 {
				order := rng.Perm(n)
				if half := round % 4; half > 0 { // by a bit of the lane, but for one in eight
					slices.SortFunc(order, func(a, b int) int {
						return cmp.Compare(a>>half&1^a*7%8/7, b>>half&1^b*7%8/7)
					})
				}
				x, grades := make([]float32, n), make([]uint8, n)
				for rank, i := range order {
					x[i], grades[i] = float32(-rank), uint8(rank%15)
				}
				k := 1 + rng.IntN(15)
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					var got [16]float64
					_, ok := BestGainsF32(&got, space, x, grades, &gains, k)
					restore()
					for rank, g := range got {
						if want := float64(rank % 15); !ok || rank < k && g != want || rank >= k && g != 0 {
							t.Fatalf("%v, k = %d, round %d: %v, ok %v", tier, k, round, got, ok)
						}
					}
				}
			}
		})
	}
}

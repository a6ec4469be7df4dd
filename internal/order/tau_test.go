package order

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
)

// knight counts by the letter of Knight (1966): sort, look at runs, merge.
func knight(x, y []float64) (c PairCounts) {
	index := make([]int, len(x))
	for i := range index {
		index[i] = i
	}
	slices.SortFunc(index, func(i, j int) int {
		if d := compare(x[i], x[j]); d != 0 {
			return int(d)
		}
		return int(compare(y[i], y[j]))
	})
	type pair struct{ x, y float64 }
	sx, sy, pairs := make([]float64, len(x)), make([]float64, len(x)), make([]pair, len(x))
	for k, i := range index {
		sx[k], sy[k], pairs[k] = x[i], y[i], pair{x[i], y[i]}
	}
	var both Ties
	addRuns(&c.X, sx)
	addRuns(&both, pairs)
	c.TiedBoth = both.Pairs
	c.Discordant = mergeCount(sy, make([]float64, len(y)))
	addRuns(&c.Y, sy)
	return c
}

// allPairs counts by looking at all pairs, and the ties by looking for equals.
func allPairs(x, y []float64) (c PairCounts) {
	ties := func(v []float64) (t Ties) {
		for i := range v {
			if slices.Index(v, v[i]) < i {
				continue
			}
			n := int64(0)
			for _, w := range v {
				if w == v[i] {
					n++
				}
			}
			t.addRun(n)
		}
		return t
	}
	for i := range x {
		for j := range i {
			if (x[i] < x[j]) != (y[i] < y[j]) && x[i] != x[j] && y[i] != y[j] {
				c.Discordant++
			}
			if x[i] == x[j] && y[i] == y[j] {
				c.TiedBoth++
			}
		}
	}
	c.X, c.Y = ties(x), ties(y)
	return c
}

// columns are the kinds of values that the counts are tested on.
var columns = []struct {
	name string
	at   func(r *rand.Rand, i, n int) float64
}{
	{"uniform", func(r *rand.Rand, i, n int) float64 { return r.Float64() }},
	{"normal", func(r *rand.Rand, i, n int) float64 { return r.NormFloat64() }},
	{"labels", func(r *rand.Rand, i, n int) float64 { return float64(r.IntN(5)) }},
	{"integers", func(r *rand.Rand, i, n int) float64 { return float64(r.IntN(1000) - 500) }},
	{"large integers", func(r *rand.Rand, i, n int) float64 { return float64(r.Int64N(1<<40) - 1<<39) }},
	{"float32", func(r *rand.Rand, i, n int) float64 { return float64(r.Float32() - 0.5) }},
	{"cents", func(r *rand.Rand, i, n int) float64 { return float64(r.IntN(300)) / 100 }},
	{"many tenths", func(r *rand.Rand, i, n int) float64 { return float64(r.IntN(n)) / 10 }},
	{"constant", func(r *rand.Rand, i, n int) float64 { return 0.1 }},
	{"two values", func(r *rand.Rand, i, n int) float64 { return 0.1 * float64(r.IntN(2)) }},
	{"ascending", func(r *rand.Rand, i, n int) float64 { return float64(i) }},
	{"descending", func(r *rand.Rand, i, n int) float64 { return -0.3 * float64(i) }},
	{"nearly ascending", func(r *rand.Rand, i, n int) float64 { return float64(i) + 3*r.Float64() }},
	{"organ pipe", func(r *rand.Rand, i, n int) float64 { return float64(min(i, n-i)) }},
	{"sawtooth", func(r *rand.Rand, i, n int) float64 { return float64(i % 17) }},
	{"infinities", func(r *rand.Rand, i, n int) float64 {
		return []float64{math.Inf(-1), math.Inf(1), 0, math.Copysign(0, -1), r.NormFloat64(), 1}[r.IntN(6)]
	}},
	{"all magnitudes", func(r *rand.Rand, i, n int) float64 { return math.Ldexp(r.Float64()-0.5, r.IntN(2000)-1000) }},
	{"heavy tail", func(r *rand.Rand, i, n int) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) }},
	{"outlier", func(r *rand.Rand, i, n int) float64 { // nearly all keys are equal
		if i == 0 {
			return 1e300
		}
		return r.Float64()
	}},
	{"clusters", func(r *rand.Rand, i, n int) float64 { return float64(r.IntN(4)) + 1e-12*r.Float64() }},
	{"few clusters", func(r *rand.Rand, i, n int) float64 { // pairs that share a key, among others
		return float64(i/2*7919%n) + 1e-13*float64(r.IntN(3))
	}},
	{"subnormal", func(r *rand.Rand, i, n int) float64 { return math.Float64frombits(r.Uint64N(1 << 8)) }},
	{"offset", func(r *rand.Rand, i, n int) float64 { return 1e16 + float64(2*r.IntN(3)) }},
}

func draws(kind int, n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(uint64(kind), seed))
	v := make([]float64, n)
	for i := range v {
		v[i] = columns[kind].at(r, i, n)
	}
	return v
}

// drawsOf is draws by the name of a kind.
func drawsOf(name string, n int, seed uint64) []float64 {
	for k := range columns {
		if columns[k].name == name {
			return draws(k, n, seed)
		}
	}
	panic(name)
}

func checkCounts(t *testing.T, c *TauCounter, x, y []float64, want PairCounts, what string) {
	t.Helper()
	got, ok := CountTau(c, x, y)
	if !ok || got != want {
		t.Fatalf("%s: %+v %v, want %+v", what, got, ok, want)
	}
}

// Every kind of column against every other on every tier.
func TestCountTau(t *testing.T) {
	var c TauCounter
	for kx := range columns {
		t.Run(columns[kx].name, func(t *testing.T) {
			for ky := range columns {
				for _, n := range []int{0, 1, 2, 3, 9, directLen, directLen + 1, 65, 100, 130, 700, 2*stageLen + 1000} {
					if n > 700 && (kx+ky)%4 != 0 {
						continue
					}
					x, y := draws(kx, n, 1), draws(ky, n, 2)
					want := knight(x, y)
					if n <= 100 {
						if all := allPairs(x, y); all != want {
							t.Fatalf("%s, n = %d: Knight's %+v, all pairs %+v", columns[ky].name, n, want, all)
						}
					}
					for _, tier := range cpu.Available() {
						restore := cpu.Force(tier)
						checkCounts(t, &c, x, y, want,
							fmt.Sprintf("%v, %s, n = %d", tier, columns[ky].name, n))
						restore()
					}
				}
			}
		})
	}
}

// Columns in any number of parts and blocks, with any number of threads, have the counts that they
// have as a whole.
func TestCountTauGrid(t *testing.T) {
	var c TauCounter
	for kx := range columns {
		t.Run(columns[kx].name, func(t *testing.T) {
			for ky := range columns {
				t.Run(columns[ky].name, func(t *testing.T) {
					if (kx+ky)%7 != 0 {
						return
					}
					n := 600 + kx + ky
					x, y := draws(kx, n, 1), draws(ky, n, 2)
					want := knight(x, y)
					for _, tier := range cpu.Available() {
						restore := cpu.Force(tier)
						for _, size := range []struct{ threads, parts, block int }{
							{1, 1, n}, {1, 2, 200}, {1, 4, 131}, {3, 7, 64}, {1, 16, n}, {2, 100, 15},
						} {
							cx, _ := newColumn(x, new([]int32), new([]float64), 1)
							cy, _ := newColumn(y, new([]int32), new([]float64), 1)
							got, ok := c.countOrdered(&cx, &cy, size.threads, size.parts, size.block)
							if !ok { // too many values share keys
								c.rank(&cx, &c.x32)
								c.rank(&cy, &c.y32)
								got, ok = c.countOrdered(&cx, &cy, size.threads, size.parts, size.block)
							}
							if !ok || got != want {
								t.Fatalf("%v, %v: %+v %v, want %+v", tier, size, got, ok, want)
							}
						}
						restore()
					}
				})
			}
		})
	}
}

// Keys that are spread over cells have the same counts, also where one cell has nearly all of them,
// or where they are equal.
func TestCountTauSpread(t *testing.T) {
	var c TauCounter
	for k, kinds := range [][2]string{
		{"uniform", "normal"}, {"two values", "constant"}, {"two values", "labels"}, {"constant", "constant"},
		{"labels", "sawtooth"}, {"outlier", "heavy tail"}, {"organ pipe", "integers"}, {"clusters", "two values"},
	} {
		t.Run(strings.Join(kinds[:], " "), func(t *testing.T) {
			x, y := drawsOf(kinds[0], 5*spreadLen, uint64(k)), drawsOf(kinds[1], 5*spreadLen, uint64(k)+9)
			want := knight(x, y)
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				checkCounts(t, &c, x, y, want, fmt.Sprint(tier, kinds))
				restore()
			}
		})
	}
}

// Different values that share keys are found among many others, and many of them by a larger
// filter.
func TestCountTauShared(t *testing.T) {
	var c TauCounter
	for _, shared := range []int{100, 18 * filterLen} {
		t.Run(fmt.Sprint(shared), func(t *testing.T) {
			if testing.Short() && shared > filterLen {
				return
			}
			n := 9 * shared
			x, y := draws(1, n, 1), draws(1, n, 2)
			for i := range x {
				x[i] = float64(i) + 0.5
				if i < shared {
					x[i] = float64(i/2) + 1e-9*float64(i%2) // keys are n/2³² wide
				}
			}
			rand.New(rand.NewPCG(3, 4)).Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
			want, swapped := knight(x, y), knight(y, x)
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				checkCounts(t, &c, x, y, want, fmt.Sprintf("%v, %d values", tier, shared))
				checkCounts(t, &c, y, x, swapped, fmt.Sprintf("%v, %d values of y", tier, shared))
				restore()
			}
		})
	}
}

// Keys are not spread where few cells have most of them, wherever these are.
func TestCrowd(t *testing.T) {
	for name, c := range map[string]struct {
		key  func(r *rand.Rand, i int) int64
		want bool
	}{
		"uniform": {func(r *rand.Rand, _ int) int64 { return r.Int64() }, false},
		"even":    {func(_ *rand.Rand, i int) int64 { return int64(i) << 52 }, false},
		"equal":   {func(_ *rand.Rand, i int) int64 { return 7 << 50 }, true},
		"labels":  {func(r *rand.Rand, _ int) int64 { return r.Int64N(5)<<60 | r.Int64N(5) }, true},
		"outlier": {func(r *rand.Rand, i int) int64 { return r.Int64() >> (min(i, 1) * 24) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			keys := make([]int64, spreadLen)
			for i := range keys {
				keys[i] = c.key(r, i)
			}
			if got := crowd(keys, 0, 63-9); got != c.want {
				t.Error(got)
			}
		})
	}
}

// Columns whose period divides their length are cut into parts, too.
func TestCountTauPeriod(t *testing.T) {
	const n = gridLen
	var c TauCounter
	x, y := make([]int32, n), make([]int32, n)
	for period := int32(16); period <= 1<<14; period *= 2 {
		for i := range x {
			x[i], y[i] = int32(i)%period, -int32(i)%period
		}
		CountTau(&c, x, y)
		for p := range c.byX.starts {
			if size := c.byX.size(p); size > n/4 {
				t.Errorf("period %d: %d of %d keys are in part %d of x", period, size, n, p)
			}
		}
		for p := range c.byY.starts {
			if size := c.byY.size(p); size > n/4 {
				t.Errorf("period %d: %d of %d keys are in part %d of y", period, size, n, p)
			}
		}
	}
}

// Any number of threads gives the same counts, on columns long enough to be
// shared.
func TestCountTauThreads(t *testing.T) {
	n := 3*parallelLen + 7
	for i, kinds := range [][2]string{
		{"uniform", "normal"}, {"labels", "uniform"}, {"cents", "integers"}, {"constant", "normal"},
		{"ascending", "uniform"}, {"few clusters", "heavy tail"}, {"clusters", "uniform"},
	} {
		t.Run(strings.Join(kinds[:], " "), func(t *testing.T) {
			x, y := drawsOf(kinds[0], n, uint64(i)), drawsOf(kinds[1], n, uint64(i)+9)
			want := knight(x, y)
			numbers := []int{1, 64, 2, 3}
			if testing.Short() {
				numbers = numbers[:2]
			}
			for _, threads := range numbers {
				checkCounts(t, &TauCounter{Threads: threads}, x, y, want, fmt.Sprintf("%v, %d threads", kinds, threads))
			}
		})
	}
}

// Any number of goroutines may be asked for.
func TestCountTauManyThreads(t *testing.T) {
	x, y := draws(0, 2*parallelLen+1, 1), draws(1, 2*parallelLen+1, 2)
	want := knight(x, y)
	for _, threads := range []int{math.MinInt, -1, math.MaxInt} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			checkCounts(t, &TauCounter{Threads: threads}, x, y, want, strconv.Itoa(threads))
		})
	}
}

// Columns that are in order already, or but for one place, at lengths around those from which order
// is looked for.
func TestCountTauSorted(t *testing.T) {
	var c TauCounter
	for _, n := range []int{1<<10 + 1, 2500} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			up, down := make([]float64, n), make([]float64, n)
			for i := range n {
				up[i], down[i] = float64(i), float64(n-i)
			}
			kinds := map[string][]float64{"up": up, "down": down}
			for name, v := range map[string][]float64{"up": up, "down": down} {
				for _, at := range []int{1, n / 2, n - 1} {
					tied, swapped := slices.Clone(v), slices.Clone(v)
					tied[at] = tied[at-1]
					swapped[at], swapped[at-1] = swapped[at-1], swapped[at]
					kinds[fmt.Sprint(name, ", tied at ", at)] = tied
					kinds[fmt.Sprint(name, ", swapped at ", at)] = swapped
				}
				kinds[name+", halves swapped"] = slices.Concat(v[n/2:], v[:n/2])
			}
			for nx, x := range kinds {
				for _, y := range []string{"up", "down"} {
					want, turned := knight(x, kinds[y]), knight(kinds[y], x)
					for _, tier := range cpu.Available() {
						restore := cpu.Force(tier)
						checkCounts(t, &c, x, kinds[y], want, fmt.Sprintf("%v, n = %d, x %s, y %s", tier, n, nx, y))
						checkCounts(t, &c, kinds[y], x, turned, fmt.Sprintf("%v, n = %d, x %s, y %s", tier, n, y, nx))
						restore()
					}
				}
			}
		})
	}
}

func TestCountTauTypes(t *testing.T) {
	type grade uint8
	type score float32
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{5, 20, 333} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			labels, scores := make([]grade, n), make([]score, n)
			wide, i64, u64, i32, f32 := make([]int, n), make([]int64, n), make([]uint64, n), make([]int32, n),
				make([]float32, n)
			x, y := make([]float64, n), make([]float64, n)
			for i := range n {
				labels[i], scores[i] = grade(r.IntN(5)), score(r.NormFloat64())
				x[i], y[i] = float64(labels[i]), float64(scores[i])
				wide[i], i64[i], i32[i] = int(labels[i])-2, int64(labels[i])<<60-1<<62, int32(labels[i])-1
				u64[i], f32[i] = math.MaxUint64-uint64(labels[i])<<50, -float32(labels[i])
			}
			var c TauCounter
			want := knight(x, y)
			check := func(what string, got PairCounts, ok bool) {
				t.Helper()
				if !ok || got != want {
					t.Errorf("%s: %+v %v, want %+v", what, got, ok, want)
				}
			}
			got, ok := CountTau(&c, labels, scores)
			check("uint8, float32", got, ok)
			got, ok = CountTau(&c, wide, scores)
			check("int, float32", got, ok)
			got, ok = CountTau(&c, i64, y)
			check("int64, float64", got, ok)
			got, ok = CountTau(&c, i32, y)
			check("int32, float64", got, ok)
			all := int64(n) * int64(n-1) / 2
			want.Discordant = all - want.X.Pairs - want.Y.Pairs + want.TiedBoth - want.Discordant
			got, ok = CountTau(&c, u64, y)
			check("uint64 reversed, float64", got, ok)
			for i, l := range labels {
				u64[i] = uint64(4-l) << 50
			}
			got, ok = CountTau(&c, u64, y)
			check("uint64 reversed from 0, float64", got, ok)
			got, ok = CountTau(&c, f32, scores)
			check("float32 reversed, float32", got, ok)
		})
	}
	nan := []float32{1, float32(math.NaN())}
	if _, ok := CountTau(&TauCounter{}, nan, []int{1, 2}); ok {
		t.Error("a NaN passes")
	}
}

func TestColumnRanks(t *testing.T) {
	var c TauCounter
	for k := range columns {
		t.Run(columns[k].name, func(t *testing.T) {
			for _, n := range []int{0, 1, 50, 2000} {
				x := draws(k, n, 3)
				ranks := make([]int32, n)
				col, ok := newColumn(x, &c.x32, &c.x64, 1)
				if !ok {
					t.Fatal("NaN")
				}
				c.rank(&col, &ranks)
				sorted := slices.Clone(x)
				slices.Sort(sorted)
				sorted = slices.Compact(sorted)
				for i, v := range x {
					if want, _ := slices.BinarySearch(sorted, v); ranks[i] != int32(want) {
						t.Fatalf("n = %d: rank %d of %v, want %d", n, ranks[i], v, want)
					}
				}
			}
		})
	}
}

// killer returns a permutation on which every pivot is among the least of its
// block: what pivot looks at gets the least numbers that are left.
func killer(n int) []float64 {
	v := make([]float64, n)
	block := make([]int, n) // indices in v, in their order in the block
	for i := range block {
		block[i] = i
	}
	next := 0.0
	for len(block) > 0 {
		var looks []int
		if m := len(block); m < 128 {
			looks = []int{m / 4, m / 2, m - 1 - m/4}
		} else {
			for i := range 9 {
				looks = append(looks, m/9/2+i*(m/9))
			}
		}
		slices.Sort(looks)
		looks = slices.Compact(looks)
		for _, i := range looks {
			v[block[i]] = next
			next++
		}
		for k := range looks {
			i := looks[len(looks)-1-k]
			block = slices.Delete(block, i, i+1)
		}
	}
	return v
}

func TestCountTauKiller(t *testing.T) {
	const n = 2000
	keys := make([]int64, n)
	for i, v := range killer(n) {
		keys[i] = int64(v)
	}
	levels := 0
	for a := slices.Clone(keys); len(a) > LeafLen; levels++ {
		p := pivot(a)
		a = slices.DeleteFunc(a, func(v int64) bool { return v < p })
	}
	if levels <= depth(n) {
		t.Errorf("the killer is partitioned %d times, which the bound of %d allows: it kills nothing", levels, depth(n))
	}
	ascending, k := draws(10, n, 1), killer(n)
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			checkCounts(t, &TauCounter{}, k, k[:n], knight(k, k), tier.String())
			checkCounts(t, &TauCounter{}, ascending, k, knight(ascending, k), tier.String())
			restore()
		})
	}
}

// TestCountTauProgress reports the progress of long columns of every kind, of which equal keys are
// counted twice.
func TestCountTauProgress(t *testing.T) {
	const n = 1 << 18
	rng := rand.New(rand.NewPCG(1, 2))
	x, y, ties, sorted := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	equal := make([]float64, n) // keys
	for i := range x {
		x[i], y[i], ties[i], sorted[i] = rng.Float64(), rng.Float64(), float64(rng.IntN(3)), float64(i)
		equal[i] = 1e-300 * rng.Float64()
	}
	equal[0] = 1
	for name, c := range map[string][2][]float64{"random": {x, y}, "ties": {x, ties}, "sorted": {sorted, y},
		"both sorted": {sorted, sorted}, "equal keys": {x, equal}} {
		t.Run(name, func(t *testing.T) {
			want, _ := CountTau(new(TauCounter), c[0], c[1])
			for _, threads := range []int{1, 3} {
				calls, most := testkit.NewProgress(t), int64(0)
				counter := TauCounter{Threads: threads, Progress: func(done, total int64) {
					if done < total {
						most = done
					}
					calls.Report(done, total)
				}}
				if got, _ := CountTau(&counter, c[0], c[1]); got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
				if calls.Check(2); calls.Total != 2*n || most < n {
					t.Errorf("%d threads: %d of %d before the last call", threads, most, calls.Total)
				}
			}
		})
	}
}

func TestCountTauAllocations(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	var c TauCounter
	for _, n := range []int{20, 100, 20000, gridLen} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x, y := draws(0, n, 1), draws(6, n, 2)
			CountTau(&c, x, y)
			if a := testing.AllocsPerRun(5, func() { CountTau(&c, x, y) }); a != 0 {
				t.Errorf("%v allocations", a)
			}
		})
	}
}

func TestTriples(t *testing.T) {
	for n, want := range []uint64{0, 0, 0, 1, 4, 10, 20} {
		if got := triples(int64(n)); got != (Uint128{Lo: want}) {
			t.Errorf("triples(%d) = %v, want %d", n, got, want)
		}
	}
	const n = 1 << 30
	var run Ties
	run.addRun(n)
	want, _ := new(big.Float).SetInt(new(big.Int).Binomial(n, 3)).Float64()
	if got := run.Triples.Float64(); got != want {
		t.Errorf("triples of %d: %v, want %v", n, got, want)
	}
}

// Behind the bound on the depth the merge count takes over, at any depth with the same
// result.
func TestDepth(t *testing.T) {
	for _, kind := range []int{0, 3, 8} {
		t.Run(columns[kind].name, func(t *testing.T) {
			x, y := draws(kind, 5000, 1), draws(kind, 5000, 2)
			cx, _ := newColumn(x, new([]int32), new([]float64), 1)
			cy, _ := newColumn(y, new([]int32), new([]float64), 1)
			keys := make([]int64, len(x))
			var task tauTask
			task.pack(keys, &cx, &cy, 0)
			want := knight(x, y)
			for depth := range 12 {
				out := make([]int32, len(x))
				task.start(false, false)
				task.y = out
				task.sort(slices.Clone(keys), make([]int64, len(x)), math.MinInt64, math.MaxInt64, depth)
				task.finish()
				task.count(out, make([]int32, len(x)), math.MinInt32, math.MaxInt32, depth)
				got := PairCounts{task.discordant, task.both.Pairs, task.ties, task.tiesY}
				if got != want {
					t.Fatalf("depth %d: %+v, want %+v", depth, got, want)
				}
			}
		})
	}
}

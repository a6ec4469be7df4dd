package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/serve"
)

// BenchmarkCategories scores single documents, requests of 20 and 200 documents, and a dataset of
// 4096 documents on one thread. A third of the splits of the trees are categorical, with different
// sets of up to 32 of 100 categories. The same trees with numerical splits are scored, too.
func BenchmarkCategories(b *testing.B) {
	const rows, features = 4096, 30
	rng := rand.New(rand.NewPCG(1, 1))
	d := rank.NewDataset(rows, features)
	d.Offsets, d.QueryIDs = []int{0, rows}, []string{"1"}
	for i := range rows {
		for j := range d.Row(i) {
			if d.Row(i)[j] = rng.Float32(); j%3 == 0 {
				d.Row(i)[j] = float32(rng.IntN(100))
			}
		}
	}
	m, numerical := &lambdamart.Model{NumFeatures: features}, &lambdamart.Model{NumFeatures: features}
	for range 100 {
		t := forestTree(rng, features, 31)
		for s, f := range t.Feature {
			if f%3 == 0 {
				t.Threshold[s] *= 100
			}
		}
		numerical.Trees = append(numerical.Trees, t)
		t.Threshold, t.Categories = slices.Clone(t.Threshold), make([][]uint32, len(t.Feature))
		for s, f := range t.Feature {
			if f%3 == 0 {
				t.Threshold[s], t.Categories[s] = 0, make([]uint32, 4)
				for range 1 + rng.IntN(32) {
					c := rng.IntN(100)
					t.Categories[s][c/32] |= 1 << (c % 32)
				}
			}
		}
		m.Trees = append(m.Trees, t)
	}
	b.Run("walk", func(b *testing.B) {
		for i := 0; b.Loop(); i = (i + 1) % rows {
			m.Score(d.Row(i))
		}
	})
	benchTiers(b, "numerical", func(b *testing.B) { benchScorer(b, numerical, d) })
	benchTiers(b, "categorical", func(b *testing.B) { benchScorer(b, m, d) })
}

// benchScorer scores single documents, requests and a dataset on one thread.
func benchScorer(b *testing.B, m *lambdamart.Model, d *rank.Dataset) {
	s, err := m.Scorer()
	if err != nil {
		b.Fatal(err)
	}
	s.Threads = 1
	rows := d.Rows()
	dst := make([]float64, rows)
	for _, n := range []int{1, 20, 200} {
		b.Run(fmt.Sprintf("ScoreRowsInto%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i = (i + n) % (rows - n) {
				s.ScoreRowsInto(dst[:n], d.X[i*d.Stride:], n, d.Cols, d.Stride)
			}
			perUpdate(b, n, "row")
		})
	}
	b.Run("ScoreInto", func(b *testing.B) {
		for b.Loop() {
			if err := s.ScoreInto(b.Context(), dst, d); err != nil {
				b.Fatal(err)
			}
		}
		perUpdate(b, rows, "row")
	})
}

// BenchmarkMissing scores requests and a dataset on one thread. A share of the values is missing.
// Missing values go left at thresholds of at least one half, and right at others, as in models of
// LightGBM.
func BenchmarkMissing(b *testing.B) {
	const rows, features = 4096, 136
	for _, percent := range []int{0, 5, 50} {
		rng := rand.New(rand.NewPCG(1, 1))
		d := rank.NewDataset(rows, features)
		d.Offsets, d.QueryIDs = []int{0, rows}, []string{"1"}
		for i := range d.X {
			if d.X[i] = rng.Float32(); rng.IntN(100) < percent {
				d.X[i] = float32(math.NaN())
			}
		}
		m := &lambdamart.Model{NumFeatures: features}
		for range 100 {
			t := forestTree(rng, features, 31)
			t.MissingLeft = make([]bool, len(t.Threshold))
			for s, v := range t.Threshold {
				t.MissingLeft[s] = v >= .5
			}
			m.Trees = append(m.Trees, t)
		}
		benchTiers(b, fmt.Sprintf("%d%%", percent), func(b *testing.B) { benchScorer(b, m, d) })
	}
}

// BenchmarkRequest scores single documents, and requests of 20 and 200 documents, with 136 features
// that differ between calls. It uses the kernels RankTableF32 or RankTablesF32, RankLeavesU8 and
// RankSumF64, the kernels PackRanksF32 and PackSumF64, the kernels WalkKeysF32 and WalkF64, or
// Model.Score, which branches. Thresholds have 255 distinct values, as in trained models.
//
// The following times are for 100 trees with 31 leaves.
//
// On an AMD EPYC (Zen 5, tier avx512), requests of 20 and 200 documents take 2.25 and 17.8 µs. The
// targets were 1.2 and 11 µs. When requests were scored like datasets, with blocks of int32 keys,
// they took 4.65 and 22 µs. For 16 documents, ranks take 500 ns, leaves 600 ns and sums 146 ns. In
// a request of 20, the ranks of the other four documents take 450 ns more.
//
//   - Ranks of 136 features: a tile of 16 columns takes 72 cycles. Transposing it takes at least 40
//     of them. A search takes 8 cycles: five levels of three instructions on four pipes.
//   - Leaves: each document takes 60 steps of a permutation and two comparisons to masks, which
//     share two of the four pipes. With two permutations, for all 256 ranks, a step took 2.4
//     cycles.
//   - As blocks of 512, requests of 200 take 18 µs: columns 2.4 µs, tests 8.2 µs (4.5 µs of them
//     for work per feature), selections 5.4 µs and sums 2.1 µs. There are 5,600 selections. Each
//     takes three loads of 64 bytes, which occupy two of four load slots, and two loads of its
//     indices. Rows of 256 bits would save less than 2 µs.
//
// On a Zen 4, requests of 20 and 200 documents take 3.1 and 18.3 µs, and the target for 200 was
// 16.6 µs. Blocks of int32 keys took 4.9 and 30.5 µs. 16 single documents take 2.0 µs: tables 0.85,
// leaves 0.75 and sums 0.25. A pack of 64 documents takes 5.7 µs, of which ranks take 2.5 µs with
// interleaved searches of four groups of 16 documents, and took 3 µs with consecutive searches.
// With splits of 16 bytes, which do not fit in the L1 cache, a pack took 0.9 µs more. Blocks
// compute bits of 64 documents, and rows of 256 bits for the last documents: 22 µs for 192
// documents, 44 µs for 512.
//
// Ranks could be searched with 16-bit keys, which are the upper bits of the values in order, 32 in
// a vector. A value with the key of a threshold would be compared with that threshold. For 64
// documents, this takes 2.6 µs, compared with 3 µs for consecutive groups of 16 documents. It takes
// 2.3 µs if keys are linear and computed before columns are transposed, without the comparison of
// equal keys.
//
// A step of the leaves takes 2.7 cycles on a Zen 4: its two comparisons and its permutation share
// three pipes, and interleaving two slabs saves 4%. Tables of eight documents take as long as
// tables of 16, even with half as wide searches. Interleaving searches of four rows with the
// transposition of the next tile saves 15% of the time for tables, but only 2% of a request.
//
// With AVX2 on a Zen 4, one document takes 0.9 µs, and packs of 8, 20 and 64 take 2.9, 3.8 and 7.3
// µs. Blocks of int32 keys took 8.1 µs for 20. The parts for 20 documents are: columns 0.2, ranks
// 1, splits 1.9 and sums 0.7 µs, and for 64 documents: 0.6, 2.6, 2.8 and 1.4 µs. A split takes 2.3
// cycles for four loads of 32 bytes, two per cycle. For 64 documents it takes 3.4 cycles for ten
// operations and three broadcasts. On Intel, llvm-mca predicts 4.9 cycles, and 3.7 with splits of
// 16 bytes, which need no shuffles for broadcasts. 200 documents take 24.6 µs, and a block of up to
// 256 takes 33 µs.
func BenchmarkRequest(b *testing.B) {
	const rows, features = 4096, 136
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float32, rows*features)
	for i := range x {
		x[i] = rng.Float32()
	}
	dst := make([]float64, rows)
	best := make([]serve.Ranked, 0, 10)
	for _, c := range []struct{ trees, leaves int }{{100, 31}, {500, 31}, {1000, 64}} {
		m := &lambdamart.Model{NumFeatures: features}
		for range c.trees {
			t := forestTree(rng, features, c.leaves)
			for s, v := range t.Threshold {
				t.Threshold[s] = float32(int(255*v)) / 255
			}
			m.Trees = append(m.Trees, t)
		}
		name := fmt.Sprintf("%dx%d", c.trees, c.leaves)
		b.Run(name+"/walk", func(b *testing.B) {
			for i := 0; b.Loop(); i = (i + 1) % rows {
				m.Score(x[i*features:][:features])
			}
		})
		benchTiers(b, name, func(b *testing.B) {
			s, err := m.Scorer()
			if err != nil {
				b.Fatal(err)
			}
			b.Run("Score", func(b *testing.B) {
				for i := 0; b.Loop(); i = (i + 1) % rows {
					s.Score(x[i*features:][:features])
				}
			})
			for _, n := range []int{20, 200} {
				b.Run(fmt.Sprintf("ScoreRowsInto%d", n), func(b *testing.B) {
					for i := 0; b.Loop(); i = (i + n) % (rows - n) {
						s.ScoreRowsInto(dst[:n], x[i*features:], n, features, features)
					}
					perUpdate(b, n, "row")
				})
			}
			r, err := serve.New(m)
			if err != nil {
				b.Fatal(err)
			}
			b.Run("Rank200", func(b *testing.B) {
				for i := 0; b.Loop(); i = (i + 200) % (rows - 200) {
					r.AppendTopK(best, x[i*features:(i+200)*features], 200, 10)
				}
				perUpdate(b, 200, "row")
			})
		})
	}
}

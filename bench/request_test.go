package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// BenchmarkRequest scores single documents, and requests of 20 and 200, of 136 features, which
// differ from call to call: by the kernels RankTableF32 or RankTablesF32, RankLeavesU8 and
// RankSumF64, by PackRanksF32 and PackSumF64, or by WalkKeysF32 and WalkF64, and with branches, by
// Model.Score. Thresholds are of 255 values, as those of trained models are.
//
// On an AMD EPYC (Zen 5, tier avx512), by 100 trees of 31 leaves, requests of 20 and 200 take 2.25
// and 17.8 µs. They took 4.65 and 22 when requests were scored as datasets, by blocks of int32
// keys; a fourth and a half were wanted, 1.2 and 11. Of 16 documents, ranks take 500 ns, leaves 600
// and sums 146; the ranks of the four that are left of 20 take 450 more:
//
//   - Ranks of 136 features: a tile of 16 columns takes 72 cycles, of which transposing it takes at
//     least 40, and a search 8: five levels of three instructions, on four pipes.
//   - Leaves: 60 steps for each document, of a permutation and two comparisons to masks. They
//     share two of the four pipes. With two permutations, of all 256 ranks, a step took 2.4 cycles.
//   - As blocks of 512, requests of 200 take 18 µs: columns 2.4, tests 8.2, of which 4.5 are for
//     what is done once per feature, selections 5.4 (5,600, each with three loads of 64 bytes,
//     which take two of four places, and two of its indices), and sums 2.1. Rows of 256 bits would
//     save less than 2.
//
// On a Zen 4, requests of 20 and 200 take 3.1 and 18.3 µs, where 4.9 and 30.5 were taken by blocks
// of int32 keys; 16.6 were wanted for 200. Sixteen documents take 2.0 µs one by one: tables .85,
// leaves .75 and sums .25. A pack of 64 takes 5.7, of which ranks take 2.5, for the searches of
// four times 16 documents take turns; those of 16 after each other took 3. With splits of 16 bytes,
// for which the first cache has no room, a pack took .9 more. Blocks make bits of 64 documents, and
// rows of 256 where there are no more: 22 µs for 192 documents, 44 for 512.
//
// Ranks could be searched by keys of 16 bits, the upper ones of the values in their order, 32 in a
// vector; what has the key of a threshold is compared with that one. Of 64 documents this takes 2.6
// µs where 16 documents after each other take 3, and 2.3 where keys are linear, made before columns
// are transposed, and those that equal a threshold's are not decided.
//
// A step of the leaves takes 2.7 cycles there: its two comparisons and its permutation share three
// pipes, and two slabs in turns save 4 %. Tables of eight documents take as long as those of 16, by
// half as wide searches, too. Four rows searched in turns while the next tile is transposed save
// 15 % of the tables alone, but 2 % of a request.
//
// There, on AVX2, one document takes .9 µs and packs of 8, 20 and 64 take 2.9, 3.8 and 7.3, where
// blocks of int32 keys took 8.1 for 20: of 20, columns .2, ranks 1, splits 1.9 and sums .7, of 64
// .6, 2.6, 2.8 and 1.4. A split takes 2.3 cycles: four loads of 32 bytes, two of them per cycle.
// Of 64 documents it takes 3.4, for ten operations and three broadcasts; on Intel, by llvm-mca, 4.9
// instead of 3.7 with splits of 16 bytes, of which no broadcast is a shuffle. 200 take 24.6; a
// block takes 33 for up to 256.
func BenchmarkRequest(b *testing.B) {
	const rows, features = 4096, 136
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float32, rows*features)
	for i := range x {
		x[i] = rng.Float32()
	}
	dst := make([]float64, rows)
	best := make([]int, 0, 10)
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
			b.Run("Rank200", func(b *testing.B) {
				for i := 0; b.Loop(); i = (i + 200) % (rows - 200) {
					s.AppendTopK(best, x[i*features:], 200, features, features, 10)
				}
				perUpdate(b, 200, "row")
			})
		})
	}
}

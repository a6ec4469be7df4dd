package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// BenchmarkDocument scores single documents, and requests of 20 and 200, of 136 features, which
// differ from call to call: by the kernels DocumentRanksF32 or DocumentTablesF32, DocumentLeavesU8
// and DocumentSumF64, or by DocumentKeysF32 and DocumentWalkF64, and with branches, by Model.Score.
// Thresholds are of 255 values, as those of trained models are.
func BenchmarkDocument(b *testing.B) {
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
		forTiers(b, name, func(b *testing.B) {
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
				b.Run(fmt.Sprintf("ScoreRows%d", n), func(b *testing.B) {
					for i := 0; b.Loop(); i = (i + n) % (rows - n) {
						s.ScoreRows(dst[:n], x[i*features:], n, features, features)
					}
					perUpdate(b, n, "row")
				})
			}
			b.Run("Rank200", func(b *testing.B) {
				for i := 0; b.Loop(); i = (i + 200) % (rows - 200) {
					s.Rank(best, x[i*features:], 200, features, features, 10)
				}
				perUpdate(b, 200, "row")
			})
		})
	}
}

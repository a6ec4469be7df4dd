package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/rank"
)

// metricSets lists numbers of queries and documents, with labels from 0 to 4 and float32 scores.
var metricSets = []struct {
	name       string
	queries, n int
}{
	{"10000x120", 10_000, 120},
	{"1000x1000", 1000, 1000},
	{"1x1000000", 1, 1_000_000},
}

func metricSet(queries, n int) (grades []uint8, scores []float32) {
	rng := rand.New(rand.NewPCG(uint64(queries), uint64(n)))
	grades, scores = make([]uint8, queries*n), make([]float32, queries*n)
	for i := range grades {
		grades[i], scores[i] = uint8(rng.IntN(5)), rng.Float32()
	}
	return grades, scores
}

// BenchmarkNDCG evaluates all queries of a set with one evaluator. ns/doc is the time per document.
func BenchmarkNDCG(b *testing.B) {
	for _, metric := range []string{"ndcg@10", "ndcg"} {
		for _, s := range metricSets {
			b.Run(metric+"/"+s.name, func(b *testing.B) {
				grades, scores := metricSet(s.queries, s.n)
				tiers(b, func(b *testing.B) {
					e, err := rank.NewEvaluator(metric, rank.Options{})
					if err != nil {
						b.Fatal(err)
					}
					dst := make([]float64, 0, 1)
					// allocates memory and computes tables
					if _, err := e.AppendValuesOfGrades(dst, grades[:s.n], scores[:s.n]); err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						for lo := 0; lo < len(grades); lo += s.n {
							if _, err := e.AppendValuesOfGrades(dst, grades[lo:lo+s.n], scores[lo:lo+s.n]); err != nil {
								b.Fatal(err)
							}
						}
					}
					perDocument(b, len(grades))
				})
			})
		}
	}
}

func perDocument(b *testing.B, documents int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(documents), "ns/doc")
}

func BenchmarkRankKeysF32(b *testing.B) {
	_, x := metricSet(1, 1000)
	dst := make([]int64, len(x))
	benchTiers(b, "1000", func(b *testing.B) {
		for b.Loop() {
			order.RankKeysF32(dst, x)
		}
		perDocument(b, len(x))
	})
}

func BenchmarkRankGradesF32(b *testing.B) {
	grades, x := metricSet(1, 1000)
	dst := make([]int64, len(x))
	benchTiers(b, "1000", func(b *testing.B) {
		for b.Loop() {
			order.RankGradesF32(dst, x, grades)
		}
		perDocument(b, len(x))
	})
}

func BenchmarkGainsOfKeysF64(b *testing.B) {
	grades, x := metricSet(1, 120)
	keys, dst := make([]int64, len(x)), make([]float64, len(x))
	order.RankGradesF32(keys, x, grades)
	benchTiers(b, "120", func(b *testing.B) {
		for b.Loop() {
			order.GainsOfKeysF64(dst, keys, &[16]float64{0, 1, 3, 7, 15})
		}
		perDocument(b, len(x))
	})
}

func BenchmarkRankGainsF32(b *testing.B) {
	const lists = 256 // more than a branch predictor can memorize
	for _, n := range []int{20, 60, 120} {
		grades, x := metricSet(lists, n)
		dst, keys, tmp := make([]float64, n), make([]int64, n), make([]int64, n)
		gains := [16]float64{0, 1, 3, 7, 15}
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			at := 0
			for b.Loop() {
				if _, ok := order.RankGainsF32(dst, keys, tmp, x[at:at+n], grades[at:at+n], &gains); !ok {
					order.GainsOfKeysF64(dst, keys, &gains)
				}
				at = (at + n) % (lists * n)
			}
			perDocument(b, n)
		})
	}
}

func BenchmarkThresholdF32(b *testing.B) {
	for _, n := range []int{120, 4096} {
		_, x := metricSet(1, n)
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				lanes := [16]float32{}
				order.ThresholdF32(&lanes, x, 10)
			}
			perDocument(b, n)
		})
	}
}

func BenchmarkBestGainsF32(b *testing.B) {
	for _, n := range []int{50, 120, 500} {
		grades, x := metricSet(1, n)
		keys := make([]int64, order.BestGainsSpace)
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			var dst [16]float64
			for b.Loop() {
				order.BestGainsF32(&dst, keys, x, grades, &[16]float64{0, 1, 3, 7, 15}, 10)
			}
			perDocument(b, n)
		})
	}
}

func BenchmarkSelectKeysF32(b *testing.B) {
	for _, n := range []int{120, 4096} {
		_, x := metricSet(1, n)
		lanes := [16]float32{}
		t, _ := order.ThresholdF32(&lanes, x, 10)
		dst := make([]int64, n)
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				order.SelectKeysF32(dst, x, t, 0)
			}
			perDocument(b, n)
		})
	}
}

func BenchmarkCountLevelsU8(b *testing.B) {
	for _, n := range []int{120, 65536} {
		x, _ := metricSet(1, n)
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			var counts [16]int64
			for b.Loop() {
				order.CountLevelsU8(&counts, x, 5)
			}
			perDocument(b, n)
		})
	}
}

// BenchmarkSortKeys computes keys and sorts them. On AVX-512, mergeKeys sorts 65 to 128 keys.
func BenchmarkSortKeys(b *testing.B) {
	for _, n := range []int{16, 64, 120, 1000, 1_000_000} {
		_, x := metricSet(1, n)
		keys, tmp := make([]int64, n), make([]int64, n)
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				order.RankKeysF32(keys, x)
				order.SortKeys(keys, tmp)
			}
			perDocument(b, n)
		})
	}
}

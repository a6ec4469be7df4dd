package bench

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// BenchmarkOrder compares kernels.AppendOrder and kernels.AppendTopK with the standard library's
// sort on random scores.
func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		scores, single := make([]float64, n), make([]float32, n)
		for i := range scores {
			scores[i] = rng.Float64()
			single[i] = float32(scores[i])
		}
		var w kernels.Work
		dst := make([]int, n)
		for _, c := range []struct {
			name string
			do   func()
		}{
			{"Order/float64", func() { kernels.AppendOrder(dst[:0], scores, &w) }},
			{"Order/float32", func() { kernels.AppendOrder(dst[:0], single, &w) }},
			{"TopK10/float64", func() { kernels.AppendTopK(dst[:0], scores, 10, &w) }},
			{"TopK10/float32", func() { kernels.AppendTopK(dst[:0], single, 10, &w) }},
			{"sort.Slice", func() {
				number(dst)
				sort.Slice(dst, func(i, j int) bool { return scores[dst[i]] > scores[dst[j]] })
			}},
			{"slices.SortStableFunc", func() {
				number(dst)
				slices.SortStableFunc(dst, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
			}},
		} {
			b.Run(fmt.Sprintf("n=%d/%s", n, c.name), func(b *testing.B) {
				for b.Loop() {
					c.do()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/score")
			})
		}
	}
}

func number(dst []int) {
	for i := range dst {
		dst[i] = i
	}
}

// BenchmarkDiversity evaluates a topic with 1000 ranked documents by ten diversity metrics. 300
// documents are judged for two of eight subtopics each.
func BenchmarkDiversity(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	list := rank.List{Labels: make([]float64, 1000), Scores: make([]float64, 1000)}
	for d := range list.Labels {
		list.Scores[d] = rng.Float64()
		if d%10 > 2 {
			continue
		}
		list.Labels[d] = 1
		for range 2 {
			s := rank.SubtopicLabel{Document: d, Subtopic: rng.IntN(8), Label: float64(rng.IntN(2))}
			if n := len(list.Subtopics); n == 0 || list.Subtopics[n-1].Document != d ||
				list.Subtopics[n-1].Subtopic != s.Subtopic {
				list.Subtopics = append(list.Subtopics, s)
			}
		}
	}
	e, err := rank.NewEvaluator("alpha-ndcg@5,alpha-ndcg@10,alpha-ndcg@20,err-ia@10,err-ia@20,"+
		"nnrbp,map-ia,p-ia@10,strec@10,strec@20", rank.Options{Ties: "stable"})
	if err != nil {
		b.Fatal(err)
	}
	var values [10]float64
	for b.Loop() {
		if _, err := e.AppendValues(values[:0], &list); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/document")
}

package rank

import (
	"fmt"

	"github.com/simdrank/simdrank/internal/metrics"
)

// RBO returns the rank-biased overlap of two rankings (Webber, Moffat and Zobel 2010), extrapolated
// from what of them is given (their equation 32): 1 for the same order, 0 without common items. The
// shorter ranking has s items and the longer l, X_d is the number of items that their first d have
// in common:
//
//	RBO = (1−p)/p·(Σ X_d/d·p^d + Σ X_s(d−s)/(s·d)·p^d) + ((X_l−X_s)/l + X_s/s)·p^l
//
// with d from 1 to l in the first sum and from s+1 to l in the second. The persistence p, between 0
// and 1, is the weight of a rank relative to the one above. A ranking holds no item twice. Two
// empty rankings have the overlap 1, an empty and another one 0. Run.Ranking of rank/trec gives the
// rankings of runs.
//
// The metric is "rbo(p)", which compares a list with its [List.Reference]; 0.9 is its default. The
// least overlap that the two can have when they go on is the metric "rbo-min(p)", and by how much
// the greatest is above that, "rbo-residual(p)".
func RBO[T comparable](a, b []T, p float64) (float64, error) {
	if !(p > 0 && p < 1) {
		return 0, fmt.Errorf("rank: persistence %v: want a number between 0 and 1", p)
	}
	rankIn := make(map[T]int32, len(b)) // b: of each item, negative once a has it
	for i, item := range b {
		if rankIn[item] != 0 {
			return 0, fmt.Errorf("rank: a ranking holds %v twice", item)
		}
		rankIn[item] = int32(i + 1)
	}
	const onlyA = -1 << 31
	ranks := make([]int32, len(a))
	for i, item := range a {
		switch q := rankIn[item]; {
		case q < 0:
			return 0, fmt.Errorf("rank: a ranking holds %v twice", item)
		case q == 0:
			rankIn[item] = onlyA
		default:
			ranks[i], rankIn[item] = q, -q
		}
	}
	var w metrics.Overlap
	return metrics.RBO(w.Counts(ranks, nil, len(b)), min(len(a), len(b)), p), nil
}

// A Reference is another ranking of the documents of a list.
type Reference struct {
	Ranks []int32 // of each document of the list in the other ranking, from 1; 0 when that lacks it
	Len   int     // documents of the other ranking, those that the list lacks included
}

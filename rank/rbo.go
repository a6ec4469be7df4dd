package rank

import "fmt"

// RBO returns the rank-biased overlap of two rankings (Webber, Moffat and Zobel 2010), extrapolated
// from what of them is given (their equation 32): 1 for the same order, 0 without common items. The
// shorter ranking has s items and the longer l, X_d is the number of items that their first d have
// in common:
//
//	RBO = (1−p)/p·(Σ X_d/d·p^d + Σ X_s(d−s)/(s·d)·p^d) + ((X_l−X_s)/l + X_s/s)·p^l
//
// with d from 1 to l in the first sum and from s+1 to l in the second. The persistence p, between 0
// and 1, is the weight of a rank relative to the one above. A ranking holds no item twice. Two
// empty rankings have the overlap 1, an empty and another one 0. [Run.Ranking] gives the rankings
// of runs.
//
// It is a function and no [Metric], for these measure one ranking by labels.
func RBO[T comparable](a, b []T, p float64) (float64, error) {
	if !(p > 0 && p < 1) {
		return 0, fmt.Errorf("rank: persistence %v: want a number between 0 and 1", p)
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		if len(b) == 0 {
			return 1, nil
		}
		return 0, nil
	}
	s, l := len(a), len(b)
	const inA, inB = 1, 2
	seen := make(map[T]uint8, l)
	common := 0
	enter := func(item T, list uint8) error {
		had := seen[item]
		if had&list != 0 {
			return fmt.Errorf("rank: a ranking holds %v twice", item)
		}
		if had != 0 {
			common++
		}
		seen[item] = had | list
		return nil
	}
	var sum, commonS float64
	weight := 1.0 // p^d
	for d := 1; d <= l; d++ {
		if d <= s {
			if err := enter(a[d-1], inA); err != nil {
				return 0, err
			}
		}
		if err := enter(b[d-1], inB); err != nil {
			return 0, err
		}
		weight *= p
		x := float64(common)
		if d <= s {
			commonS = x
		} else {
			x += commonS * float64(d-s) / float64(s)
		}
		sum += float64(x / float64(d) * weight)
	}
	last := (float64(common)-commonS)/float64(l) + commonS/float64(s)
	return float64((1-p)/p*sum) + float64(last*weight), nil
}

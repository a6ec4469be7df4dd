package metrics

import "github.com/simdrank/simdrank/internal/num"

// INST (Bailey, Moffat, Scholer and Thomas 2015) returns the mean gain of a user who wants the gain
// t, which is at least ½. After rank i, with the gain g₁ + … + gᵢ so far, the user continues with
// the probability
//
//	C(i) = ((i + T + Tᵢ − 1)/(i + T + Tᵢ))²,  Tᵢ = T − g₁ − … − gᵢ
//
// so that rank i has a weight in proportion to C(1)·…·C(i−1). Gains are at most 1. Ranks continue
// indefinitely, and ranks below the last gain contribute 0.
func INST(gains []float64, t float64) float64 {
	var sum, weights float64
	weight, sought := 1.0, 2*t // T + Tᵢ
	for i, g := range gains {
		sum += float64(weight * g)
		weights += weight
		sought -= g
		c := 1 - 1/(float64(i+1)+sought)
		weight *= float64(c * c)
	}
	// After rank n, the weights are proportional to 1/(n+T+Tₙ)², 1/(n+1+T+Tₙ)², ….
	next := float64(len(gains)) + sought
	return sum / (weights + float64(float64(weight*float64(next*next))*num.Trigamma(next)))
}

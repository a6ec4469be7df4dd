package tutorial

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/rank"
)

// A Generator generates seeded ranking data. The data is bit-identical on every platform, because
// the arithmetic uses integers or correctly rounded operations.
//
// Features are decimals from 0 to 1 with six digits, as in LETOR. Each feature has its own mean in
// every query. The grades 0 to 4 follow the order of a noisy linear combination of the features
// within the query. Signal and noise have the same variance, and the shares of the grades are those
// of MSLR-WEB30K.
type Generator struct {
	Part             uint64 // 0, 1 and 2 mean the training, validation and test data of a problem
	Rows, Cols       int    // numbers of documents and features
	MinDocs, MaxDocs int    // range of documents per query
	Curved           bool   // features near ½ are relevant, instead of high ones
}

// shares contains the shares of the grades 1 to 4 in thousandths of a query's documents.
var shares = [...]int{320, 130, 20, 10}

const (
	one  = 1_000_000 // a feature of 1
	unit = 1 << 20   // a weight of 1
)

// Dataset returns the generated data.
func (g Generator) Dataset() *rank.Dataset {
	const seed = 1
	weights, shared := make([]int64, g.Cols), make([]int64, g.Cols) // weight of the query's mean, in 256ths
	rng := rand.NewPCG(seed, 0)
	variance := 0.0
	for j := range weights {
		// The weight is the cube of a uniform variable, so that few features have a large weight.
		w := int64(below(rng, 2*unit+1)) - unit
		weights[j], shared[j] = w*w/unit*w/unit, int64(below(rng, 230))
		rng.Uint64()
		s := float64(weights[j] * (256 - shared[j]) / 256)
		variance += float64(s * s)
	}
	noise := int64(math.Sqrt(variance/12) * one) // standard deviation of the signal within a query

	d := rank.NewDataset(g.Rows, g.Cols)
	rng = rand.NewPCG(seed, 2*g.Part+1)
	means := make([]int64, g.Cols)
	for lo := 0; lo < g.Rows; {
		hi := min(g.Rows, lo+g.MinDocs+below(rng, g.MaxDocs-g.MinDocs+1))
		for j := range means {
			means[j] = int64(below(rng, one+1)) * shared[j]
		}
		scores := make([]int64, hi-lo)
		for i := range scores {
			row := d.Row(lo + i)
			for j := range row {
				v := (means[j] + int64(below(rng, one+1))*(256-shared[j])) >> 8
				row[j] = float32(v) / one
				if g.Curved {
					v = 2 * min(v, one-v)
				}
				scores[i] += weights[j] * v
			}
			scores[i] += bell(rng, noise)
		}
		grade(d.Labels[lo:hi], scores, 750+below(rng, 501))
		d.Offsets = append(d.Offsets, hi)
		d.QueryIDs = append(d.QueryIDs, strconv.Itoa(len(d.QueryIDs)+1))
		lo = hi
	}
	return d
}

// below returns an integer in [0, n), for small n.
func below(rng *rand.PCG, n int) int { return int(rng.Uint64() >> 32 * uint64(n) >> 32) }

// bell returns an approximately normal variable with the given standard deviation. It is the sum of
// four uniform variables.
func bell(rng *rand.PCG, deviation int64) int64 {
	var s int64
	for range 2 {
		u := rng.Uint64()
		s += int64(u>>32) + int64(u&(1<<32-1))
	}
	// The standard deviation of the sum is sqrt(4/12) in units of 1<<32. The shift keeps 26 bits.
	s = (s - 2<<32) >> 6
	return int64(float64(float64(s)*float64(deviation)) / (1 << 26) * 1.7320508075688772)
}

// grade sets the labels by the order of the scores. richness is the number of relevant documents
// relative to the mean, in thousandths.
func grade(labels []float64, scores []int64, richness int) {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	above := 0
	for g := len(shares); g > 0; g-- {
		above += shares[g-1]
		relevant := (len(order)*above*richness + 500_000) / 1_000_000
		for _, i := range order[len(order)-relevant:] {
			labels[i] = max(labels[i], float64(g))
		}
	}
}

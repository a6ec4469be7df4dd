// Package synth generates seeded learning-to-rank datasets for benchmarks, tests and the demo. All
// arithmetic that determines a value uses integers or correctly rounded operations, so a
// configuration gives bit-identical data on every architecture.
package synth

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/rank"
)

// Config describes a dataset. The zero value is useful for every field except Rows and Cols.
//
// Features are decimals in [0, 1] with six digits, as in LETOR. Each feature has its own mean in
// every query. For some features the means cause nearly all of the variance, as in term weights and
// query lengths. A document's grade depends on a fixed linear combination of its features, with
// noise, compared only with the other documents of its query. Ranking within a query is therefore
// learnable, but regression over pooled rows is misled by the means.
type Config struct {
	// Seed selects the linear combination that determines relevance.
	Seed uint64
	// Part selects the documents: 0, 1 and 2 give the training, validation and test sets of one
	// problem.
	Part uint64

	// Rows is the number of documents. The last query is truncated to this number.
	Rows int
	// Cols is the number of features.
	Cols int

	// MinDocs and MaxDocs are the limits of documents per query, which are uniformly distributed.
	// If both are 0, they are 10 and 200.
	MinDocs, MaxDocs int

	// Noise is the standard deviation of the noise relative to the signal's. 0 means 1, and a
	// negative value means no noise.
	Noise float64
	// Density is the fraction of features that are not zero. 0 means all.
	Density float64
	// Sparse makes the dataset sparse, with the values of the dense one.
	Sparse bool
	// Unscaled scales column j by a power of ten between 1e-3 and 1e8.
	Unscaled bool
	// Curved makes relevance depend on how close a feature is to ½ rather than on how high it is.
	Curved bool
	// Real makes labels distinct real targets instead of grades.
	Real bool
}

// OneQuery returns the configuration of a single query with the given number of documents and with
// distinct real targets.
func OneQuery(seed uint64, rows, cols int) Config {
	return Config{Seed: seed, Rows: rows, Cols: cols, MinDocs: rows, MaxDocs: rows, Real: true}
}

// shares of the grades 1 to 4 in a query's documents, in thousandths, as in MSLR-WEB30K. The other
// documents have grade 0.
var shares = [...]int{320, 130, 20, 10}

const (
	one  = 1_000_000 // a feature of 1, in units of its last digit
	unit = 1 << 20   // a weight of 1
)

// A column contains the properties of a feature, which depend only on the seed.
type column struct {
	weight   int64 // in [−unit, unit]
	shared   int64 // share of the query's mean in the feature, in 256ths
	exponent int   // decimal exponent of the scale of the unscaled variant
}

// Dataset generates the dataset. It panics if Rows or Cols is negative.
func (c Config) Dataset() *rank.Dataset {
	if c.MinDocs <= 0 {
		c.MinDocs = 10
	}
	if c.MaxDocs < c.MinDocs {
		c.MaxDocs = max(200, c.MinDocs)
	}
	if c.Noise == 0 {
		c.Noise = 1
	}
	keep := uint64(1 << 32)
	if c.Density > 0 && c.Density < 1 {
		keep = uint64(float64(c.Density * (1 << 32)))
	}
	cols := c.columns()
	noise := c.noise(cols)

	var d *rank.Dataset
	sparseRow := make([]float32, c.Cols)
	if c.Sparse {
		d = &rank.Dataset{Cols: c.Cols, Labels: make([]float64, c.Rows), Offsets: []int{0},
			Sparse: &rank.CSR{Offsets: []int{0}}}
	} else {
		d = rank.NewDataset(c.Rows, c.Cols)
	}
	rng := rand.NewPCG(c.Seed, 2*c.Part+1)
	means := make([]int64, c.Cols)
	var scores []int64
	for lo := 0; lo < c.Rows; {
		hi := min(c.Rows, lo+c.MinDocs+below(rng, c.MaxDocs-c.MinDocs+1))
		for j := range means {
			means[j] = int64(below(rng, one+1)) * cols[j].shared
		}
		scores = slices.Grow(scores[:0], hi-lo)
		for i := lo; i < hi; i++ {
			row := sparseRow
			if !c.Sparse {
				row = d.Row(i)
			}
			var score int64
			for j := range row {
				u := rng.Uint64()
				if u&(1<<32-1) >= keep {
					continue
				}
				own := int64(u >> 32 * (one + 1) >> 32)
				v := (means[j] + own*(256-cols[j].shared)) >> 8
				if c.Curved {
					score += cols[j].weight * 2 * min(v, one-v)
				} else {
					score += cols[j].weight * v
				}
				row[j] = decimal(v, cols[j].exponent)
			}
			if c.Sparse {
				appendRow(d.Sparse, row)
				clear(row)
			}
			scores = append(scores, score+bell(rng, noise))
		}
		if c.Real {
			targets(d.Labels[lo:hi], scores)
		} else {
			grades(d.Labels[lo:hi], scores, 750+below(rng, 501))
		}
		d.Offsets = append(d.Offsets, hi)
		d.QueryIDs = append(d.QueryIDs, strconv.Itoa(len(d.QueryIDs)+1))
		lo = hi
	}
	return d
}

// appendRow appends the nonzero features of a row.
func appendRow(x *rank.CSR, row []float32) {
	for j, v := range row {
		if v != 0 {
			x.Columns, x.Values = append(x.Columns, int32(j)), append(x.Values, v)
		}
	}
	x.Offsets = append(x.Offsets, len(x.Values))
}

// columns draws the properties of the features from the seed.
func (c Config) columns() []column {
	rng := rand.NewPCG(c.Seed, 0)
	cols := make([]column, c.Cols)
	for j := range cols {
		w := int64(below(rng, 2*unit+1)) - unit
		// The cube of a uniform weight gives a few features a large weight and many a small one.
		cols[j].weight = w * w / unit * w / unit
		cols[j].shared = int64(below(rng, 230))
		if e := below(rng, 12) - 3; c.Unscaled {
			cols[j].exponent = e
		}
	}
	return cols
}

// noise returns the standard deviation of the noise, in units of a score. It is Noise times the
// standard deviation of the signal within a query, where each feature is uniform.
func (c Config) noise(cols []column) int64 {
	if c.Noise < 0 {
		return 0
	}
	var variance float64
	for _, col := range cols {
		s := float64(col.weight * (256 - col.shared) / 256)
		variance += float64(s * s)
	}
	return int64(c.Noise * math.Sqrt(variance/12) * one)
}

// decimal returns v·10^(exponent−6), correctly rounded.
func decimal(v int64, exponent int) float32 {
	if k := 6 - exponent; k >= 0 {
		return float32(v) / pow10[k]
	}
	return float32(v * int64(pow10[exponent-6]))
}

// pow10 contains the powers of ten, which are exact in float32.
var pow10 = [...]float32{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}

// below returns an integer in [0, n), for small n.
func below(rng *rand.PCG, n int) int { return int(rng.Uint64() >> 32 * uint64(n) >> 32) }

// bell returns an approximately normal variable of the given standard deviation. It is the sum of
// four uniform variables, which requires no functions that differ between architectures.
func bell(rng *rand.PCG, deviation int64) int64 {
	var s int64
	for range 2 {
		u := rng.Uint64()
		s += int64(u>>32) + int64(u&(1<<32-1))
	}
	// In units of 1<<32, the standard deviation of the sum is sqrt(4/12). Keep 26 bits of it.
	s = (s - 2<<32) >> 6
	return int64(float64(float64(s)*float64(deviation)) / (1 << 26) * 1.7320508075688772)
}

// grades sets the grades 0 to 4 by the order of the scores. richness, in thousandths, is the number
// of relevant documents of the query, relative to the mean.
func grades(labels []float64, scores []int64, richness int) {
	order := byScore(scores)
	n, above := len(order), 0
	for g := len(shares); g > 0; g-- {
		above += shares[g-1]
		relevant := (int64(n)*int64(above*richness) + 500_000) / 1_000_000
		for _, i := range order[n-int(relevant):] {
			labels[i] = max(labels[i], float64(g))
		}
	}
}

// targets sets distinct real labels in the order of the scores.
func targets(labels []float64, scores []int64) {
	last := int64(math.MinInt64)
	for _, i := range byScore(scores) {
		last = max(scores[i], last+1)
		labels[i] = float64(last) / (one * unit)
	}
}

// byScore returns the indices of scores in ascending order.
func byScore(scores []int64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[a], scores[b]), cmp.Compare(a, b))
	})
	return order
}

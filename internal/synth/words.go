package synth

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/rank"
)

// Words describes bag-of-words data: sparse rows in which the first columns are frequent and the
// last ones rare, like words in text (Zipf's law). Grades depend on a fixed linear combination of
// the columns, with noise, compared with the other documents of the query.
type Words struct {
	Seed       uint64
	Rows, Cols int
	Words      int // sampled columns per row; repeated columns count once
	Docs       int // documents per query; 0 means 100
}

// Dataset generates the dataset.
func (c Words) Dataset() *rank.Dataset {
	words, docs := c.Words, c.Docs
	if words == 0 {
		words = 100
	}
	if docs == 0 {
		docs = 100
	}
	weights := rand.NewPCG(c.Seed, 0)
	cols := make([]int64, c.Cols)
	for j := range cols {
		w := int64(below(weights, 2*unit+1)) - unit
		cols[j] = w * w / unit * w / unit
	}
	// The cube of a uniform weight has variance 1/7, and the square of a uniform value has mean
	// 1/3.
	noise := int64(math.Sqrt(float64(words)/21) * unit * one)

	rng := rand.NewPCG(c.Seed, 1)
	x := &rank.CSR{Offsets: make([]int, 1, c.Rows+1)}
	d := &rank.Dataset{Cols: c.Cols, Sparse: x, Labels: make([]float64, c.Rows), Offsets: []int{0}}
	octaves := bits.Len(uint(c.Cols)) // number of octaves of columns, which all occur equally often
	row := make([]int32, 0, words)
	var scores []int64
	for lo := 0; lo < c.Rows; {
		hi := min(c.Rows, lo+docs)
		scores = scores[:0]
		for range hi - lo {
			row = row[:0]
			for len(row) < words {
				first := 1 << below(rng, octaves)
				if j := first + below(rng, first); j <= c.Cols {
					row = append(row, int32(j-1))
				}
			}
			slices.Sort(row)
			var score int64
			for _, j := range slices.Compact(row) {
				v := int64(below(rng, one)) + 1
				score += cols[j] * v
				x.Columns, x.Values = append(x.Columns, j), append(x.Values, decimal(v, 0))
			}
			x.Offsets = append(x.Offsets, len(x.Values))
			scores = append(scores, score+bell(rng, noise))
		}
		grades(d.Labels[lo:hi], scores, 750+below(rng, 501))
		d.Offsets, d.QueryIDs = append(d.Offsets, hi), append(d.QueryIDs, strconv.Itoa(len(d.QueryIDs)+1))
		lo = hi
	}
	return d
}

package fuzz

import (
	"testing"

	"github.com/simdrank/simdrank/vectors"
)

// fuzzMaxSim converts the numbers to token vectors. Each document starts one token after the
// previous one, and the first tokens are also the query.
func fuzzMaxSim[T vectors.Element](f *testing.F, decode func(data []byte, skip uint8) []T) {
	linearSeeds(f, 4)
	f.Fuzz(func(t *testing.T, data []byte, cols, pad uint8) {
		a := decode(data, pad)
		s := shapeOf(len(a), cols, pad)
		if s.rows == 0 {
			return
		}
		docs := make([][2]int, min(s.rows+1, 20))
		for i := range docs {
			docs[i] = [2]int{i, s.rows}
		}
		q := a[:min(len(a)/s.cols, 1+int(pad))*s.cols]
		checkTiers(t, "MaxSim", func() []float64 {
			dst := make([]float64, len(docs))
			vectors.MaxSim(dst, q, a, s.cols, s.stride, docs)
			return dst
		})
	})
}

func FuzzMaxSimF32(f *testing.F) { fuzzMaxSim(f, float32s) }

func FuzzMaxSimF16(f *testing.F) { fuzzMaxSim(f, halves[vectors.F16]) }

func FuzzMaxSimI8(f *testing.F) {
	fuzzMaxSim(f, func(data []byte, skip uint8) []int8 {
		v := make([]int8, skip%32, len(data)+32)
		for _, b := range data {
			v = append(v, int8(b))
		}
		return v[skip%32:]
	})
}

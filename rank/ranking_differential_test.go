package rank

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
)

// plainDot sums as the comment of DotF64 says, for up to 65536 terms.
func plainDot(x, y []float64) float64 {
	lanes := [32]float64{}
	for i := range lanes {
		lanes[i] = math.Copysign(0, -1)
	}
	for i := range x {
		if i < 32 {
			lanes[i] = x[i] * y[i]
		} else {
			lanes[i%32] = math.FMA(x[i], y[i], lanes[i%32])
		}
	}
	var s [8]float64
	for k := range s {
		s[k] = (lanes[k] + lanes[8+k]) + (lanes[16+k] + lanes[24+k])
	}
	for _, half := range []int{4, 2, 1} {
		for k := range half {
			s[k] += s[k+half]
		}
	}
	if len(x) == 0 {
		return 0
	}
	return s[0]
}

// plainGain returns the gain of a label, and whether it has one.
func plainGain(o *policy, label float64) (float64, bool) {
	switch {
	case label < 0:
		return 0, o.judging[NegativeUnjudged]
	case o.table != nil:
		if label != math.Floor(label) || label >= float64(len(o.table)) {
			return 0, false
		}
		return o.table[int(label)], true
	case o.integerMax > 0 && (label != math.Floor(label) || label > float64(o.integerMax)):
		return 0, false
	case o.gain == GainLinear:
		return math.Abs(label), true // −0 is no other label than 0
	case label > 960:
		return 0, false
	}
	return GainExp.Of(label), true
}

// plainDCG returns DCG and NDCG at k by their definition, with a stable sort of all documents;
// ok false where a label has no gain.
func plainDCG(o *policy, l *List, k int) (dcg, ndcg float64, ok bool) {
	n := len(l.Labels)
	scores := slices.Clone(l.Scores)
	var ideal []float64
	for i, v := range scores {
		if o.single {
			scores[i] = float64(float32(v))
		}
	}
	gains := make([]float64, n)
	for i, label := range slices.Concat(l.Labels, l.Unretrieved) {
		g, ok := plainGain(o, label)
		if !ok {
			return 0, 0, false
		}
		if i < n {
			gains[i] = g
		}
		if !(label < 0) {
			ideal = append(ideal, g)
		}
	}
	docs := specRanking(l, scores, o.ties)
	ranked := make([]float64, n)
	for lo := 0; lo < n; {
		hi, sum := lo, 0.0
		for ; hi < n && scores[docs[hi]] == scores[docs[lo]]; hi++ {
			ranked[hi] = gains[docs[hi]]
			sum += ranked[hi]
		}
		for i := lo; i < hi && hi > lo+1 && o.ties == TiesAverage; i++ {
			ranked[i] = sum / float64(hi-lo)
		}
		lo = hi
	}
	slices.SortFunc(ideal, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(ideal) == 0 || ideal[0] == 0 {
		undefined := []float64{EmptySkip: math.NaN(), EmptyZero: 0, EmptyOne: 1, EmptyNaN: math.NaN()}[o.empty]
		return undefined, undefined, true
	}
	sum := func(gains []float64) float64 {
		if k > 0 {
			gains = gains[:min(k, len(gains))]
		}
		return plainDot(gains, discountTable(o.discount, max(len(gains), 1))[:len(gains)])
	}
	dcg = sum(ranked)
	ndcg = dcg / sum(ideal)
	if o.shortZero && n < k {
		ndcg = 0
	}
	return dcg, ndcg, true
}

// hardList draws a list that ways to rank without keys of 64 bits may get wrong.
func hardList(rng *rand.Rand, n int) List {
	l := List{Labels: make([]float64, n), Scores: make([]float64, n), TieKeys: make([]int64, n)}
	base, shift := rng.Uint32()%0x7f000000, rng.IntN(8)
	if rng.IntN(4) == 0 {
		base = 0 // denormals
	}
	places, sign := rng.Perm(n), uint32(rng.IntN(2))<<31
	kind := rng.IntN(7)
	for i, place := range places {
		bits := sign | min(base+uint32(place)<<shift, 0x7f7fffff)
		switch kind {
		case 0: // of both signs, around zero
			bits = uint32(place/2)<<shift | uint32(place%2)<<31
		case 1:
			bits = math.Float32bits(float32(rng.NormFloat64()))
		case 2:
			bits = math.Float32bits(float32(rng.IntN(1 + n/2)))
		}
		l.Scores[i] = float64(math.Float32frombits(bits))
		if kind == 3 {
			l.Scores[i] = rng.NormFloat64()
		}
		l.TieKeys[i] = int64(rng.IntN(5))
	}
	for ties := rng.IntN(3); ties > 0 && n > 1; ties-- {
		if a, b := rng.IntN(n), rng.IntN(n); rng.IntN(2) == 0 {
			l.Scores[a] = l.Scores[b]
		} else {
			l.Scores[a], l.Scores[b] = 0, math.Copysign(0, -1)
		}
	}
	if n > 0 && rng.IntN(8) == 0 {
		l.Scores[rng.IntN(n)] = math.Inf(1 - 2*rng.IntN(2))
	}
	most := []int{1, 2, 3, 5, 5, 5, 15, 16, 17, 31, 32, 256}[rng.IntN(12)]
	for i := range l.Labels {
		l.Labels[i] = float64(rng.IntN(most))
	}
	odd := []float64{-1, 0.5, 2.25, 13, 14, 15, 16, 127, 128, 254, 255, 256, 900, math.Copysign(0, -1), 1e6}
	if n > 0 && rng.IntN(3) == 0 {
		l.Labels[rng.IntN(n)] = odd[rng.IntN(len(odd))]
	}
	if rng.IntN(4) == 0 {
		l.Unretrieved = []float64{float64(rng.IntN(most)), odd[rng.IntN(len(odd))]}[:1+rng.IntN(4)/3]
	}
	return l
}

// Whichever way documents are ranked, DCG and NDCG are those of the definition, to the bit: on
// every tier, whatever query came before, on any number of threads.
func TestGainsByDefinition(t *testing.T) {
	options := [][]Option{{}, {TiesStable}, {GainLinear, TiesOptimistic, EmptyOne}, {NegativeUnjudged, TiesStable},
		{GainTable{0, 0, 2, 2, 7.5, 8}, DiscountPosition, EmptyNaN}, {GainLinear, NegativeUnjudged, EmptyZero},
		{Sklearn}, {TrecEval}, {TrecEval9}, {XGBoost}, {LightGBM}, {CatBoost}, {LETOR4}}
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	rng := rand.New(rand.NewPCG(15, 16))
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
	for _, opts := range options {
		o, err := newPolicy(opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{0, 1 + rng.IntN(3), 10, 4 + rng.IntN(13), 17 + rng.IntN(184)} {
			at := ""
			if k > 0 {
				at = fmt.Sprintf("@%d", k)
			}
			var good []List
			var want []float64
			for round := range rounds {
				l := hardList(rng, rng.IntN([]int{20, 70, 140, 301}[rng.IntN(4)]))
				if round == 1 { // more ranks than there are discounts beforehand
					l = hardList(rng, smallTable+1+rng.IntN(500))
				}
				if round == 0 { // −0, which is no grade here
					l = List{Labels: []float64{math.Copysign(0, -1)}, Scores: []float64{1}, TieKeys: []int64{0},
						Unretrieved: []float64{.5}}
				}
				for i := range l.Labels {
					if o.judging[NegativeUnjudged] && round%2 == 0 && rng.IntN(4) == 0 {
						l.Labels[i] = -1
					}
				}
				dcg, ndcg, ok := plainDCG(&o, &l, k)
				if ok {
					good, want = append(good, l), append(want, dcg, ndcg)
				}
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					_, err := mustEvaluator(t, "ndcg"+at, opts...).Eval(nil, &l)
					restore()
					if (err == nil) != ok {
						t.Fatalf("%v %v, %v: error %v", opts, at, tier, err)
					}
				}
			}
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				e := mustEvaluator(t, "dcg"+at+",ndcg"+at, opts...)
				for e.Threads = 1; e.Threads <= 2; e.Threads++ {
					res, err := e.EvalAll(t.Context(), good)
					if err != nil {
						t.Fatal(err)
					}
					for i, want := range want {
						l, m := &good[i/2], res.Metrics[i%2]
						if got := m.Values[i/2]; !same(got, want) {
							t.Errorf("%v %v, %v, %d threads: %v, want %v", opts, m.Metric, tier, e.Threads, got, want)
							t.Logf("%v\n%v\n%v", l.Labels, l.Scores, l.Unretrieved)
						}
					}
				}
				restore()
			}
		}
	}
}

package metrics

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
func plainGain(o *Policy, label float64) (float64, bool) {
	switch {
	case label < 0:
		return 0, o.NegativeUnjudged
	case o.GainTable != nil:
		if label != math.Floor(label) || label >= float64(len(o.GainTable)) {
			return 0, false
		}
		return o.GainTable[int(label)], true
	case o.IntegerMax > 0 && (label != math.Floor(label) || label > float64(o.IntegerMax)):
		return 0, false
	case o.LinearGain:
		return math.Abs(label), true // −0 is no other label than 0
	case label > 960:
		return 0, false
	}
	return ExpGain(label), true
}

// plainDCG returns DCG and NDCG at k by their definition, with a stable sort of all documents;
// ok false where a label has no gain.
func plainDCG(o *Policy, l *List, k int) (dcg, ndcg float64, ok bool) {
	n := len(l.Labels)
	scores := slices.Clone(l.Scores)
	var ideal []float64
	for i, v := range scores {
		if o.Single {
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
	docs := specRanking(l, scores, o.Ties)
	ranked := make([]float64, n)
	for lo := 0; lo < n; {
		hi, sum := lo, 0.0
		for ; hi < n && scores[docs[hi]] == scores[docs[lo]]; hi++ {
			ranked[hi] = gains[docs[hi]]
			sum += ranked[hi]
		}
		for i := lo; i < hi && hi > lo+1 && o.Ties == TiesAverage; i++ {
			ranked[i] = sum / float64(hi-lo)
		}
		lo = hi
	}
	slices.SortFunc(ideal, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(ideal) == 0 || ideal[0] == 0 {
		return math.NaN(), math.NaN(), true
	}
	sum := func(gains []float64) float64 {
		if k > 0 {
			gains = gains[:min(k, len(gains))]
		}
		return plainDot(gains, discountTable(o.Discount, max(len(gains), 1))[:len(gains)])
	}
	dcg = sum(ranked)
	ndcg = dcg / sum(ideal)
	if o.ShortZero && n < k {
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
// every tier, whatever query came before.
func TestGainsByDefinition(t *testing.T) {
	policies := []Policy{{}, {Ties: TiesStable}, {LinearGain: true, Ties: TiesOptimistic},
		{NegativeUnjudged: true, Ties: TiesStable},
		{GainTable: []float64{0, 0, 2, 2, 7.5, 8}, Discount: DiscountPosition},
		{LinearGain: true, NegativeUnjudged: true},
		{LinearGain: true, Ties: TiesByKey, NegativeUnjudged: true},
		{LinearGain: true, Ties: TiesByKey, NegativeUnjudged: true, Single: true},
		{Ties: TiesStable, IntegerMax: 31}, {Ties: TiesStable, IntegerMax: 30},
		{LinearGain: true, Ties: TiesPessimistic},
		{GainTable: []float64{0, 1, 3}, Discount: DiscountLETOR, Ties: TiesStable, ShortZero: true}}
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	rng := rand.New(rand.NewPCG(15, 16))
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
	for k, policy := range policies {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			for _, k := range []int{0, 1 + rng.IntN(3), 10, 4 + rng.IntN(13), 17 + rng.IntN(184)} {
				at := ""
				if k > 0 {
					at = fmt.Sprintf("@%d", k)
				}
				var good []List
				var want [][2]float64
				for round := range rounds {
					l := hardList(rng, rng.IntN([]int{20, 70, 140, 301}[rng.IntN(4)]))
					if round == 1 { // more ranks than there are discounts beforehand
						l = hardList(rng, SmallTable+1+rng.IntN(500))
					}
					if round == 0 { // −0, which is no grade here
						l = List{Labels: []float64{math.Copysign(0, -1)}, Scores: []float64{1}, TieKeys: []int64{0},
							Unretrieved: []float64{.5}}
					}
					for i := range l.Labels {
						if policy.NegativeUnjudged && round%2 == 0 && rng.IntN(4) == 0 {
							l.Labels[i] = -1
						}
					}
					dcg, ndcg, ok := plainDCG(&policy, &l, k)
					if ok {
						good, want = append(good, l), append(want, [2]float64{dcg, ndcg})
					}
					for _, tier := range cpu.Available() {
						restore := cpu.Force(tier)
						_, err := newQuery(t, "ndcg"+at, policy).Values(nil, &l)
						restore()
						if (err == nil) != ok {
							t.Fatalf("%+v %v, %v: error %v", policy, at, tier, err)
						}
					}
				}
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					q := newQuery(t, "dcg"+at+",ndcg"+at, policy)
					for i, want := range want {
						got, err := q.Values(nil, &good[i])
						if err != nil {
							t.Fatal(err)
						}
						if !same(got[0], want[0]) || !same(got[1], want[1]) {
							t.Errorf("%+v %v, %v: %v, want %v", policy, at, tier, got, want)
							t.Logf("%v\n%v\n%v", good[i].Labels, good[i].Scores, good[i].Unretrieved)
						}
					}
					restore()
				}
			}
		})
	}
}

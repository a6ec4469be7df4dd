package fuzz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// scoreInput reads float32 scores. An odd byte is a small integer, so that ties are common. After
// an even byte follow the bits of a score.
func scoreInput(data []byte) (x []float32) {
	for len(data) > 0 {
		if data[0]&1 == 1 || len(data) < 5 {
			x, data = append(x, float32(int8(data[0])/2)), data[1:]
			continue
		}
		x, data = append(x, math.Float32frombits(binary.LittleEndian.Uint32(data[1:]))), data[5:]
	}
	return x
}

func scoreSeeds(f *testing.F) {
	var ties, wild, special []byte
	for i := range uint32(150) {
		ties = append(ties, byte(i*i%13*2+1))
		wild = binary.LittleEndian.AppendUint32(append(wild, 0), i*2654435761)
		special = binary.LittleEndian.AppendUint32(append(special, 0),
			[]uint32{0, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x80000001}[i%7])
	}
	for i, d := range [][]byte{nil, ties, wild, special, append(special, ties...), wild[:100]} {
		f.Add(d, uint16(i*3))
	}
}

// FuzzRankKeysF32 compares the tiers, and the order of the keys with the order of the scores.
func FuzzRankKeysF32(f *testing.F) {
	scoreSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, _ uint16) {
		x := scoreInput(data)
		want := make([]int64, len(x))
		restore := cpu.Force(cpu.Generic)
		wantNaN := order.RankKeysF32(want, x)
		restore()
		for i := 1; i < len(x); i++ {
			a, b := x[i-1], x[i]
			before := a >= b || b != b // a stays before b
			if (want[i-1] < want[i]) != before || order.KeyTied(want[i-1], want[i]) != (a == b || a != a && b != b) {
				t.Fatalf("keys %#x and %#x of %v and %v", want[i-1], want[i], a, b)
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]int64, len(x))
			if nan := order.RankKeysF32(got, x); nan != wantNaN || !slices.Equal(got, want) {
				t.Fatalf("%v: %v, NaN %v, want %v, %v", tier, got, nan, want, wantNaN)
			}
		})
	})
}

// FuzzRankGradesF32 compares keys with grades and keys without grades, and their gains from
// GainsOfKeysF64 and RankGainsF32.
func FuzzRankGradesF32(f *testing.F) {
	scoreSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		x := scoreInput(data)
		grades, gains := make([]uint8, len(x)), [16]float64{}
		for i := range grades {
			grades[i] = uint8(i * int(n) >> 3)
		}
		for i := range gains {
			gains[i] = float64(int(n) - i)
		}
		want, wantGains := make([]int64, len(x)), make([]float64, len(x))
		wantNaN, tied := order.RankKeysF32(want, x), false
		for i, g := range grades {
			want[i] = want[i]&^math.MaxUint32 | int64(i)<<8 | int64(g)
			wantGains[i] = gains[g%16]
			tied = tied || i > 0 && order.KeyTied(want[i-1], want[i])
		}
		sorted, sortedGains, sortedTied := slices.Sorted(slices.Values(want)), make([]float64, len(x)), false
		for i, key := range sorted {
			sortedGains[i] = gains[key&15]
			sortedTied = sortedTied || i > 0 && order.KeyTied(sorted[i-1], key)
		}
		eachTier(func(tier cpu.Tier) {
			got, gotGains := make([]int64, len(x)), make([]float64, len(x))
			if nan := order.RankGradesF32(got, x, grades); nan != wantNaN || !slices.Equal(got, want) {
				t.Fatalf("%v: %v, NaN %v, want %v, %v", tier, got, nan, want, wantNaN)
			}
			if g := order.GainsOfKeysF64(gotGains, got, &gains); g != tied || !slices.Equal(gotGains, wantGains) {
				t.Fatalf("%v: %v, tied %v, want %v, %v", tier, gotGains, g, wantGains, tied)
			}
			nan, ok := order.RankGainsF32(gotGains, got, make([]int64, len(x)), x, grades, &gains)
			if !ok {
				order.GainsOfKeysF64(gotGains, got, &gains)
			}
			if nan != wantNaN || ok && (nan || sortedTied) || !slices.Equal(gotGains, sortedGains) {
				t.Fatalf("%v: sorted: %v, NaN %v, ok %v, want %v, %v", tier, gotGains, nan, ok, sortedGains, wantNaN)
			}
		})
	})
}

func eachTier(f func(tier cpu.Tier)) {
	for _, tier := range cpu.Available() {
		restore := cpu.Force(tier)
		f(tier)
		restore()
	}
}

// FuzzThresholdF32 also tests TopKF32, which uses the threshold. Its result must be the first of
// the sorted keys.
func FuzzThresholdF32(f *testing.F) {
	scoreSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		x, k := scoreInput(data), 1+int(n)%16
		keys, tmp := make([]int64, order.TopKSpace(len(x))), make([]int64, order.TopKSpace(len(x)))
		all := make([]int64, len(x))
		order.RankKeysF32(all, x)
		slices.Sort(all)
		inf := float32(math.Inf(-1))
		lanes := func() (l [16]float32) {
			for i := range l {
				l[i] = inf
			}
			return l
		}
		want := lanes()
		restore := cpu.Force(cpu.Generic)
		wantT, wantNaN := order.ThresholdF32(&want, x, k)
		restore()
		eachTier(func(tier cpu.Tier) {
			got := lanes()
			if v, nan := order.ThresholdF32(&got, x, k); v != wantT || nan != wantNaN || got != want {
				t.Fatalf("%v: %v, %v, %v, want %v, %v, %v", tier, v, nan, got, wantT, wantNaN, want)
			}
			n, nan, ok := order.TopKF32(keys, tmp, x, k)
			if nan != wantNaN || ok != (wantT > inf) && len(x) < 1024 {
				t.Fatalf("%v: TopKF32: NaN %v, ok %v, threshold %v", tier, nan, ok, wantT)
			}
			if ok && !slices.Equal(keys[:n], all[:n]) || ok && n < k || ok && n < len(x) &&
				order.KeyTied(all[n-1], all[n]) {
				t.Fatalf("%v: TopKF32: %v, want the head of %v", tier, keys[:n], all)
			}
			many := 17 + k*7%(order.TopKMost-16)
			n, nan, ok = order.TopKF32(keys, tmp, x, many)
			if nan != wantNaN || ok && !slices.Equal(keys[:n], all[:n]) || ok && n < many || ok && n < len(x) &&
				order.KeyTied(all[n-1], all[n]) {
				t.Fatalf("%v: TopKF32 of %d: NaN %v, %v, want the head of %v", tier, many, nan, keys[:n], all)
			}
		})
	})
}

// FuzzBestGainsF32 compares the gains with the gains of all keys after sorting.
func FuzzBestGainsF32(f *testing.F) {
	scoreSeeds(f)
	scratch := make([]int64, order.BestGainsSpace)
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		x, k := scoreInput(data), 1+int(n)%15
		x = x[:min(len(x), order.BestGainsLimit)]
		grades, gains := make([]uint8, len(x)), [16]float64{}
		for i := range grades {
			grades[i] = uint8(i * int(n) >> 4 % 17)
		}
		for i := range gains {
			gains[i] = float64(int(n) - i)
		}
		keys := make([]int64, len(x))
		nan := order.RankGradesF32(keys, x, grades)
		slices.Sort(keys)
		var want, wantOK = [16]float64{}, !nan && len(x) >= k
		for i := 0; wantOK && i < k; i++ {
			g := order.KeyGrade(keys[i])
			if wantOK = g < 16 && (i+1 == len(x) || !order.KeyTied(keys[i], keys[i+1])); wantOK {
				want[i] = gains[g]
			}
		}
		eachTier(func(tier cpu.Tier) {
			var got [16]float64
			gotNaN, ok := order.BestGainsF32(&got, scratch, x, grades, &gains, k)
			if gotNaN != nan || ok != wantOK || ok && got != want {
				t.Fatalf("%v: %v, NaN %v, ok %v; want %v, NaN %v, %v", tier, got, gotNaN, ok, want, nan, wantOK)
			}
		})
	})
}

// FuzzSelectKeysF32 compares the tiers with a loop.
func FuzzSelectKeysF32(f *testing.F) {
	scoreSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		x := scoreInput(data)
		var threshold float32
		if len(x) > 0 {
			threshold = x[int(n)%len(x)]
		}
		all := make([]int64, len(x))
		order.RankKeysF32(all, x)
		var want []int64
		for i, v := range x {
			if v >= threshold {
				want = append(want, all[i]+int64(n))
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]int64, len(x))
			if m := order.SelectKeysF32(got, x, threshold, int(n)); !slices.Equal(got[:m], want) {
				t.Fatalf("%v: %v, want %v", tier, got[:m], want)
			}
		})
	})
}

// FuzzCountLevelsU8 compares the tiers with a loop.
func FuzzCountLevelsU8(f *testing.F) {
	scoreSeeds(f)
	f.Fuzz(func(t *testing.T, x []byte, n uint16) {
		levels := int(n) % 17
		var want [16]int64
		others := int64(0)
		for _, v := range x {
			if int(v) < levels {
				want[v]++
			} else {
				others++
			}
		}
		eachTier(func(tier cpu.Tier) {
			var got [16]int64
			if o := order.CountLevelsU8(&got, x, levels); got != want || o != others {
				t.Fatalf("%v: %v, %d, want %v, %d", tier, got, o, want, others)
			}
		})
	})
}

// FuzzSortKeys compares the tiers, and mergeKeys, with the standard library's sort.
func FuzzSortKeys(f *testing.F) {
	scoreSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, repeat uint16) {
		x := scoreInput(data)
		for len(x) > 0 && len(x) < int(repeat) { // for long lists
			x = append(x, x[:min(len(x), int(repeat)-len(x))]...)
		}
		keys := make([]int64, len(x))
		order.RankKeysF32(keys, x)
		want := slices.Clone(keys)
		slices.Sort(want)
		eachTier(func(tier cpu.Tier) {
			got := slices.Clone(keys)
			if order.SortKeys(got, make([]int64, len(x))); !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", tier, got, want)
			}
		})
	})
}

// FuzzReadRun parses any input as runs and judgments. An error must name a line. Parsed runs are
// evaluated.
func FuzzReadRun(f *testing.F) {
	for _, s := range []string{"1 Q0 d1 1 2.5 run\n1 Q0 d2 2 -1e3 run\n2 0 d1 1\n", "\r\n\t1  Q0 d 1 .5 r",
		"1 Q0 d 1 nan r\n", "1 0 d 1\n1 0 d 1\n", "1 d1 2\n1 d2 1\n", "\x1f\x8b"} {
		f.Add([]byte(s), []byte("1 0 d1 1\n1 0 d9 2\n2 0 d1 -1\n"))
		f.Add([]byte(s), []byte("query-id\tcorpus-id\tscore\n1\td1\t1.0\n"))
	}
	e, err := rank.NewEvaluator("ndcg,ndcg@3,map,mrr,precision@5,bpref,rbp,auc,tau-b",
		rank.Options{Preset: "trec_eval"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, run, qrels []byte) {
		r, err := trec.ReadRun(bytes.NewReader(run))
		checkParse(t, err)
		q, err2 := trec.ReadQrels(bytes.NewReader(qrels))
		checkParse(t, err2)
		if err != nil || err2 != nil {
			return
		}
		for _, l := range q.Lists(r) {
			if !slices.IsSortedFunc(l.Scores, func(a, b float64) int {
				switch {
				case a > b:
					return -1
				case a < b:
					return 1
				}
				return 0
			}) {
				t.Fatalf("scores %v are not in order", l.Scores)
			}
			v, err := e.AppendValues(nil, &l)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range v {
				if !(x >= 0 && x <= 1.0000001) && e.Metrics()[i].String() != "tau-b" {
					t.Fatalf("%v = %v of %+v", e.Metrics()[i], x, l)
				}
			}
		}
	})
}

func checkParse(t *testing.T, err error) {
	var perr *rank.ParseError
	if err != nil && (!errors.As(err, &perr) || perr.Line < 1) {
		t.Fatalf("error without a line: %v", err)
	}
}

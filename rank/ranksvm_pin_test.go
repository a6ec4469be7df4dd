package rank_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// byLabel weights pairs by the difference of their labels.
func byLabel(label float64) float64 { return label }

// Pinned bits of models: every architecture, tier and number of threads must compute them. A change
// of the solver may change them, but machines must not differ.
func TestRankSVMPinned(t *testing.T) {
	queries := synth.Config{Seed: 5, Rows: 3000, Cols: 19}.Dataset()
	scales := synth.Config{Seed: 6, Rows: 2000, Cols: 11, Unscaled: true}.Dataset()
	single := synth.OneQuery(7, 700, 6).Dataset()
	for _, c := range []struct {
		name string
		d    *rank.Dataset
		s    rank.RankSVM
		want string
	}{
		{"queries", queries, rank.RankSVM{C: .01}, "79ec138703813225"},
		{"queries", queries, rank.RankSVM{C: .01, Loss: "hinge"}, "6b2312d8887694a0"},
		{"queries", queries, rank.RankSVM{C: .01, Loss: "logistic"}, "ed19eb662a237e30"},
		{"scales", scales, rank.RankSVM{C: .01, Standardize: true, NonNegative: []int{0, 1, 2, 3, 4}},
			"126aabae95efbef3"},
		{"single", single, rank.RankSVM{PerQuery: true, C: 100, Gain: byLabel}, "52d0775cc2cda692"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, c.s.Threads = range []int{1, 4} {
				m, err := c.s.Fit(context.Background(), c.d)
				if err != nil {
					t.Fatal(err)
				}
				h := fnv.New64a()
				for _, w := range m.Weights {
					binary.Write(h, binary.LittleEndian, math.Float64bits(w))
				}
				if got := fmt.Sprintf("%016x", h.Sum64()); got != c.want {
					t.Errorf("%v, %d threads: bits %s, want %s", c.s.Loss, c.s.Threads, got, c.want)
				}
			}
		})
	}
}

// If there are few and nearly separable pairs compared with the number of features, the diagonal of
// the Hessian is misleading: steps that use only it take 1422 passes here.
func TestRankSVMFewPairs(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("seconds where FMA is emulated, and under the race detector, which sees the same elsewhere")
	}
	m, err := new(rank.RankSVM).Fit(t.Context(), synth.Words{Seed: 1, Rows: 300, Cols: 20_000, Docs: 50}.Dataset())
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Report; !r.Converged() || r.Passes > 700 {
		t.Errorf("%d passes, stop %v, gap %.2g", r.Passes, r.Stop, r.Gap)
	}
}

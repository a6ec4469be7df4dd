package main

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/simdrank/simdrank/examples/internal/tutorial/tutorialtest"
)

// TestPublished compares the results with scikit-learn 1.2.1 and scipy 1.10.1 on the same data:
// Ridge(1.), SVC(kernel='linear', C=.1, tol=1e-10) on the pairs, and kendalltau. The original
// tutorial prints five digits of the same taus.
func TestPublished(t *testing.T) {
	r, err := run(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if r.Train.Rows() != 30 || r.Test.Rows() != 30 || len(r.Differences) != 154 {
		t.Errorf("%d and %d documents, %d pairs", r.Train.Rows(), r.Test.Rows(), len(r.Differences))
	}
	for k, sign := range r.Signs {
		if sign != float64(1-2*(k%2)) {
			t.Fatalf("sign %d is %v", k, sign)
		}
	}
	for q, perfect := range r.Perfect {
		if math.Abs(perfect-r.RankSVM.Tau[q]) > 1e-15 {
			t.Errorf("block %d: the tau of RankSVM is %v, but the perfect order has %v", q, r.RankSVM.Tau[q], perfect)
		}
	}
	for _, c := range []struct {
		name      string
		got       fitted
		direction point
		tau       [2]float64
	}{
		{"ridge", r.Ridge, point{0.9422, -0.3352}, [2]float64{0.7112197171355642, 0.8438727464026861}},
		{"RankSVM", r.RankSVM, point{0.9614, 0.2750}, [2]float64{0.8362693377308282, 0.8438727464026861}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got.Tau != c.tau {
				t.Errorf("Kendall's tau %v, want %v", c.got.Tau, c.tau)
			}
			for k := range c.direction {
				if math.Abs(c.got.Direction[k]-c.direction[k]) > 5e-5 {
					t.Errorf("direction %v, want %v", c.got.Direction, c.direction)
				}
			}
		})
	}
}

func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("package report tests that figures are identical on every architecture")
	}
	r, err := run(t.Context(), splits)
	if err != nil {
		t.Fatal(err)
	}
	tutorialtest.Compare(t, "pairwise", r.tutorial())
}

// TestBlocks checks that blocks.csv is a copy of the test data of package rank. The copy is needed
// because a program can embed only files below its own folder.
func TestBlocks(t *testing.T) {
	same, err := os.ReadFile("../../rank/testdata/blocks.csv")
	if err != nil || !bytes.Equal(same, blocks) {
		t.Errorf("blocks.csv differs from the file in package rank (%v)", err)
	}
}

package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/simdrank/simdrank/examples/internal/tutorial/tutorialtest"
)

// TestPublished compares the results with the original tutorial: the values of its marked points
// with two digits, and its DCG and NDCG with all digits.
func TestPublished(t *testing.T) {
	r, err := run()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"0.88 0.13 -0.12 -0.24", "0.50 0.69 -0.50 0.00", "0.18 1.70 -0.82 -1.23"} {
		p := r.Pairs[i]
		if got := fmt.Sprintf("%.2f %.2f %.2f %.2f", p.Sigmoid, p.Loss, p.Lambda, p.ByDistance+0); got != want {
			t.Errorf("scores %v and %v: %s, want %s", p.I, p.J, got, want)
		}
	}
	for i, want := range [][4]float64{
		{1.4306765580733931, 0.5585075862632192, 0.7991748853900112},
		{1.5, 0.5855700749881525, 0.8159313210935148},
	} {
		if l := r.Lists[i]; l.DCG[4] != want[0] || l.NDCG[4] != want[1] || l.NDCG[9] != want[2] {
			t.Errorf("list %d: DCG@5 %v, NDCG@5 %v, NDCG@10 %v, want %v", i, l.DCG[4], l.NDCG[4], l.NDCG[9], want)
		}
	}
	if r.Ideal[4] != 2.5616063116448506 || r.Ideal[9] != r.Ideal[4] {
		t.Errorf("ideal DCG %v", r.Ideal)
	}
}

// TestCurves compares the curves with their formulas at both ends and in the middle.
func TestCurves(t *testing.T) {
	r, err := run()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		curves []curve
		want   func(x, alpha float64) float64
		alphas int
	}{
		{"sigmoid", r.Sigmoid, func(x, a float64) float64 { return 1 / (1 + math.Exp(-a*x)) }, 6},
		{"loss", r.Loss, func(x, a float64) float64 { return math.Log(1 + math.Exp(-a*x)) }, 6},
		{"lambda", r.Lambda, func(x, a float64) float64 { return -a / (1 + math.Exp(a*x)) }, 4},
		{"by distance", r.ByDistance, func(x, a float64) float64 { return -a * math.Abs(x) / (1 + math.Exp(a*x)) }, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.curves) != c.alphas {
				t.Errorf("%d slopes", len(c.curves))
			}
			for _, curve := range c.curves {
				for _, i := range []int{0, 50, 73, 100} {
					if want := c.want(curve.X[i], curve.Alpha); math.Abs(curve.Y[i]-want) > 1e-14 {
						t.Errorf("α = %v, at %v: %v, want %v", curve.Alpha, curve.X[i], curve.Y[i], want)
					}
				}
			}
		})
	}
}

// TestLambdas checks that λ pushes exactly the relevant documents up, and that its sum is 0.
func TestLambdas(t *testing.T) {
	r, err := run()
	if err != nil {
		t.Fatal(err)
	}
	for name, lambdas := range map[string][]float64{"RankNet": r.RankNet, "LambdaRank": r.LambdaRank} {
		t.Run(name, func(t *testing.T) {
			sum := 0.0
			for i, l := range lambdas {
				sum += l
				if relevant := r.Lists[0].Labels[i] > 0; relevant != (l < 0) {
					t.Errorf("document %d, relevant %t, has λ %v", i, relevant, l)
				}
			}
			if math.Abs(sum) > 1e-12 {
				t.Errorf("λ sum to %v", sum)
			}
		})
	}
}

func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("package report tests that figures are identical on every architecture")
	}
	r, err := run()
	if err != nil {
		t.Fatal(err)
	}
	tutorialtest.Compare(t, "lambdarank", r.tutorial())
}

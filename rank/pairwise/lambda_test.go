package pairwise

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

func TestSigmoid(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		si, sj, alpha  float64
		p, loss, slope float64 // slope: λ
	}{
		{0, 0, 1, 0.5, math.Ln2, -0.5},
		{1, 0, 1, 0.7310585786300049, 0.31326168751822286, -0.2689414213699951},
		{0, 1, 1, 0.2689414213699951, 1.3132616875182228, -0.7310585786300049},
		{1, 0, 2, 0.8807970779778823, 0.1269280110429726, -0.2384058440442351},
		{800, 0, 1, 1, 0, 0},
		{0, 800, 1, 0, 800, -1},
		{40, 0, 1, 1, 4.248354255291589e-18, -4.248354255291589e-18},
		{1e308, -1e308, 1, 1, 0, 0},
		{-1e308, 1e308, 1, 0, inf, -1},
		{inf, inf, 1, 0.5, math.Ln2, -0.5},
		{inf, 0, 1, 1, 0, 0},
	} {
		t.Run(fmt.Sprint(c.si, " ", c.sj, " ", c.alpha), func(t *testing.T) {
			if got := Sigmoid(c.si, c.sj, c.alpha); !testkit.Near(got, c.p, 1e-15) {
				t.Errorf("Sigmoid(%v, %v, %v) = %v, want %v", c.si, c.sj, c.alpha, got, c.p)
			}
			if got := LogLoss(c.si, c.sj, c.alpha); !testkit.Near(got, c.loss, 1e-15) {
				t.Errorf("LogLoss(%v, %v, %v) = %v, want %v", c.si, c.sj, c.alpha, got, c.loss)
			}
			if got := RankNetLambda(c.si, c.sj, c.alpha); !testkit.Near(got, c.slope, 1e-15) {
				t.Errorf("RankNetLambda(%v, %v, %v) = %v, want %v", c.si, c.sj, c.alpha, got, c.slope)
			}
		})
	}
}

// λ is the derivative of the loss: it agrees with a central difference.
func TestLambdas(t *testing.T) {
	labels := []float64{3, 2, 3, 0, 1, 2}
	scores := []float64{0.2, 1.4, -0.3, 0.9, 0.2, -2}
	const alpha = 1.7
	loss := func() (sum float64) {
		for i := range labels {
			for j := range labels {
				if labels[i] > labels[j] {
					sum += LogLoss(scores[i], scores[j], alpha)
				}
			}
		}
		return sum
	}
	lambda, err := RankNetLambdas(labels, scores, alpha)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range scores {
		const h = 1e-5
		scores[i] = s + h
		up := loss()
		scores[i] = s - h
		down := loss()
		scores[i] = s
		if got := (up - down) / (2 * h); !testkit.Near(got, lambda[i], 1e-8) {
			t.Errorf("λ of document %d is %v, the loss says %v", i, lambda[i], got)
		}
	}

	// Compares |ΔNDCG| with recomputing NDCG after swapping two documents.
	dcg := func(order []int) (sum float64) {
		for r, i := range order {
			sum += (math.Exp2(labels[i]) - 1) / math.Log2(float64(r)+2)
		}
		return sum
	}
	ideal := dcg(kernels.AppendOrder(nil, labels, nil))
	order := kernels.AppendOrder(nil, scores, nil)
	want := make([]float64, len(labels))
	for a, i := range order {
		for b, j := range order {
			if labels[i] <= labels[j] {
				continue
			}
			before := dcg(order)
			order[a], order[b] = j, i
			delta := (dcg(order) - before) / ideal
			order[a], order[b] = i, j
			l := LambdaRankLambda(scores[i], scores[j], alpha, delta)
			want[i] += l
			want[j] -= l
		}
	}
	lambda, err = LambdaRankLambdas(labels, scores, alpha)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !testkit.Near(lambda[i], want[i], 1e-12) {
			t.Errorf("LambdaRank: λ of document %d is %v, want %v", i, lambda[i], want[i])
		}
	}
	if l, err := LambdaRankLambdas([]float64{0, 0}, []float64{1, 2}, 1); err != nil || l[0] != 0 || l[1] != 0 {
		t.Errorf("no relevant document: %v, %v", l, err)
	}
	for _, c := range []struct {
		labels, scores []float64
		want           string
	}{
		{[]float64{1}, nil, "the number of labels is 1"},
		{[]float64{1, 2}, []float64{1, math.NaN()}, "document 1"},
		{[]float64{1, 961}, []float64{1, 2}, "document 1: the label is 961"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := LambdaRankLambdas(c.labels, c.scores, 1); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want error %q", err, c.want)
			}
		})
	}
}

// DeltaNDCG is bit-identical on every machine: discounts are correctly rounded logarithms, unlike
// those of math.Log2.
func TestDeltaNDCG(t *testing.T) {
	// Use variables, because constants are not rounded: log₂ of 3, 2048, 2049 and 2050.
	log3, log2048, log2049, log2050 := 1.584962500721156, 11.0, 11.000704269011246, 11.001408194392809
	for _, c := range []struct {
		gi, gj float64
		i, j   int
		ideal  float64
		want   float64
	}{
		{1, 0, 1, 2, 1, 1 - 1/log3},
		{0, 7, 3, 1, 2, 7 * 0.5 / 2},
		{3, 1, 1, 1023, 1, 2 * (1 - 0.1)},
		{1, 0, 1, 1<<30 - 1, 1, 1 - 1./30},
		{1, 0, 2047, 2048, 1, 1/log2048 - 1/log2049},
		{1, 0, 2048, 2049, 1, 1/log2049 - 1/log2050},
		{1, 1, 1, 2, 1, 0},
		{1, 0, 0, 2, 1, 0},
		{1, 0, 1, 2, 0, 0},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := DeltaNDCG(c.gi, c.gj, c.i, c.j, c.ideal); got != c.want {
				t.Errorf("DeltaNDCG(%v, %v, %d, %d, %v) = %v, want %v", c.gi, c.gj, c.i, c.j, c.ideal, got, c.want)
			}
		})
	}
}

// TestBits compares a digest of results with the digest that every other machine computes.
func TestBits(t *testing.T) {
	text, err := os.ReadFile("../testdata/lists.json")
	if err != nil {
		t.Fatal(err)
	}
	var lists []rank.List
	if err := json.Unmarshal(text, &lists); err != nil {
		t.Fatal(err)
	}
	digest := sha256.New()
	add := func(values ...float64) {
		for _, v := range values {
			digest.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	for i := -200; i <= 200; i++ {
		// The conversion rounds: otherwise inlined calls would fuse their sums with the product.
		s := float64(float64(i) * 0.3)
		for _, alpha := range []float64{1, 0.7} {
			add(Sigmoid(s, 0.1, alpha), LogLoss(s, 0.1, alpha), RankNetLambda(s, 0.1, alpha))
		}
	}
	for _, l := range lists {
		for _, lambdas := range []func(labels, scores []float64, alpha float64) ([]float64, error){
			RankNetLambdas, LambdaRankLambdas,
		} {
			sums, err := lambdas(l.Labels, l.Scores, 1.3)
			if err != nil {
				t.Fatal(err)
			}
			add(sums...)
		}
	}
	if got, want := hex.EncodeToString(digest.Sum(nil)[:8]), "2f4d2a697f36a9e9"; got != want {
		t.Errorf("the bits have the digest %s, want %s", got, want)
	}
}

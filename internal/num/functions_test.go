package num

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"os"
	"strconv"
	"testing"
)

// The errors that the functions promise, against values of mpmath
// (bench/peers/metrics/functions.py).
func TestFunctionsAgainstMpmath(t *testing.T) {
	file, err := os.Open("testdata/functions.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]struct {
		of   func(nu int, x float64) float64
		ulps float64
	}{
		"exp":          {func(_ int, x float64) float64 { return Exp(x) }, 2},
		"exp2":         {func(_ int, x float64) float64 { return Exp2(x) }, 2},
		"log1p":        {func(_ int, x float64) float64 { return Log1p(x) }, 2},
		"rounded exp":  {func(_ int, x float64) float64 { return RoundedExp(x) }, 0},
		"rounded log":  {func(_ int, x float64) float64 { return RoundedLog(x) }, 0},
		"rounded log2": {func(_ int, x float64) float64 { return RoundedLog2(x) }, 0},
		"normal":       {func(_ int, x float64) float64 { return NormalTails(x) }, 4},
		"student":      {func(nu int, x float64) float64 { return StudentTails(x, nu) }, 1},
	}
	worst := map[string]float64{}
	for _, row := range rows {
		nu, err1 := strconv.Atoi(row[1])
		x, err2 := strconv.ParseFloat(row[2], 64)
		want, err3 := strconv.ParseFloat(row[3], 64)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(row, err1, err2, err3)
		}
		f := functions[row[0]]
		got := f.of(nu, x)
		ulps := math.Abs(got-want) / (math.Nextafter(want, math.Inf(1)) - want)
		worst[row[0]] = max(worst[row[0]], ulps)
		if !(ulps <= f.ulps) {
			t.Errorf("%v: %v, %v units off", row, got, ulps)
		}
	}
	t.Log("units in the last place at worst:", worst)
}

// Exact at 1, ½ beyond, and by the recurrence; far out by the first terms.
func TestTrigamma(t *testing.T) {
	for x, want := range map[float64]float64{1: math.Pi * math.Pi / 6, 2: math.Pi*math.Pi/6 - 1,
		1.5: math.Pi*math.Pi/2 - 4, 1e9: 1e-9 + .5e-18, 16: 0.06449378340323939} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			if got := Trigamma(x); math.Abs(got-want) > 6e-16*want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	for x := 1.0; x < 40; x += 1. / 3 {
		if a, b := Trigamma(x), Trigamma(x+1)+1/(x*x); math.Abs(a-b) > 8e-16*a {
			t.Errorf("%v: %v, by the next %v", x, a, b)
		}
	}
}

func TestFunctionsAtTheirEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ got, want float64 }{
		{Exp(0), 1}, {Exp(inf), inf}, {Exp(-inf), 0}, {Exp(nan), nan}, {Exp(709.7), 0x1.d75ae7a50ee14p+1023},
		{Exp(710), inf}, {Exp(-745), 0x1p-1074}, {Exp(-746), 0},
		{Exp2(-3), 0.125}, {Exp2(1023), 0x1p1023}, {Exp2(-1074), 0x1p-1074}, {Exp2(inf), inf}, {Exp2(-inf), 0},
		{Exp2(nan), nan},
		{Log1p(0), 0}, {Log1p(1), math.Ln2}, {Log1p(1e-300), 1e-300},
		{NormalTails(0), 1}, {NormalTails(-2), NormalTails(2)}, {NormalTails(inf), 0}, {NormalTails(1e300), 0},
		{NormalTails(nan), nan}, {NormalTails(38.4), 1.33e-322},
		{StudentTails(0, 1), 1}, {StudentTails(1, 1), 0.5}, {StudentTails(-2, 9), StudentTails(2, 9)},
		{StudentTails(0x1p499, 1), 0x1.45f306dc9c883p-500},
		{StudentTails(0x1p499, 2), 0x1p-998}, {StudentTails(0x1p499, 3), 0}, {StudentTails(inf, 5), 0},
		{StudentTails(nan, 5), nan}, {StudentTails(1e-300, 5), 1},
		{StudentTails(1000, 100_000), 0},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%v (%[1]x), want %v", c.got, c.want)
		}
	}
}

// SignTails against exact sums of binomial coefficients.
func TestSignTails(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 10, 61, 100, 1001, 3000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			sum, ways, all := new(big.Int), big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(n))
			for k := 0; 2*k <= n; k++ {
				sum.Add(sum, ways)
				ways.Div(ways.Mul(ways, big.NewInt(int64(n-k))), big.NewInt(int64(k+1)))
				if n > 100 && k%50 != n%50/2 {
					continue
				}
				want, _ := new(big.Rat).SetFrac(new(big.Int).Lsh(sum, 1), all).Float64()
				want = min(want, 1)
				got := SignTails(n, k)
				ulps := math.Abs(got-want) / (math.Nextafter(want, 2) - want)
				if want >= 1e-307 && !(ulps <= 1) || want < 1e-307 && !(math.Abs(got-want) <= 1e-320) {
					t.Fatalf("%d heads: %v, want %v, %v units off", k, got, want, ulps)
				}
			}
		})
	}
}

package num

import (
	"fmt"
	"math"
	"testing"
)

// Logarithms are rounded as log₂ rounds where math.Log2 is right, and exact at powers of two.
func TestLog2Integers(t *testing.T) {
	const n = 1 << 17
	logs := Log2Integers(n)
	for i := 1; i <= n; i++ {
		if want := math.Log2(float64(i)); math.Abs(logs[i]-want) > 4e-16*want {
			t.Fatalf("log₂ %d = %v, want %v", i, logs[i], want)
		}
		if i&(i-1) == 0 && logs[i] != math.Round(logs[i]) {
			t.Fatalf("log₂ %d = %v", i, logs[i])
		}
	}
	// From 50 digits of an arbitrary-precision program (Python's decimal), rounded to float64.
	for i, want := range map[int]float64{3: 1.584962500721156, 5: 2.321928094887362, 10: 3.321928094887362,
		100000: 16.609640474436812} {
		if logs[i] != want {
			t.Errorf("log₂ %d = %v, want %v", i, logs[i], want)
		}
	}
}

func TestLog2(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{{1, 0}, {0x1p-1000, -1000}, {0x1p300, 300}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := Log2(c.x); got != c.want {
				t.Errorf("log₂ %v = %v, want %v", c.x, got, c.want)
			}
		})
	}
	logs := Log2Integers(1 << 12)
	for i := 2; i < len(logs); i++ {
		if got := Log2(float64(i)); math.Abs(got-logs[i]) > 4e-16*logs[i] {
			t.Fatalf("log₂ %d = %v, want %v", i, got, logs[i])
		}
	}
	for x := 1e-3; x < 1e3; x *= 1.0009 {
		if got, want := Log2(x), math.Log2(x); math.Abs(got-want) > 4e-16*math.Max(1, math.Abs(want)) {
			t.Fatalf("log₂ %v = %v, want %v", x, got, want)
		}
	}
}

func TestExp2m1(t *testing.T) {
	for _, c := range []struct{ r, want float64 }{{0, 0}, {1, 1}, {4, 15}, {53, 1<<53 - 1}, {-1, -0.5},
		{-52, 0x1p-52 - 1}, {-1000, -1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := Exp2m1(c.r); got != c.want {
				t.Errorf("2^%v − 1 = %v, want %v", c.r, got, c.want)
			}
		})
	}
	for r := 1e-9; r < 900; r *= 1.07 {
		if got, want := Exp2m1(r), math.Expm1(r*math.Ln2); math.Abs(got-want) > 2e-13*want {
			t.Errorf("2^%v − 1 = %v, want %v", r, got, want)
		}
		if got, want := Exp2m1(-r), math.Expm1(-r*math.Ln2); math.Abs(got-want) > 4e-16 {
			t.Errorf("2^%v − 1 = %v, want %v", -r, got, want)
		}
	}
}

func TestLog(t *testing.T) {
	for _, x := range []float64{1, .5, 2, .3 / .7, 1e-300, 1e300, math.Nextafter(1, 0), 1.0001, math.Sqrt2,
		math.Sqrt2 / 2, 0.9} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			if got, want := Log(x), math.Log(x); math.Abs(got-want) > 4e-16*math.Abs(want) {
				t.Errorf("ln %v = %v, want %v", x, got, want)
			}
		})
	}
	for _, x := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if !math.IsNaN(Log(x)) {
			t.Errorf("ln %v is no NaN", x)
		}
	}
}

package order

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestUint128(t *testing.T) {
	u := Uint128{3, 1 << 63}
	u.Add(Uint128{0, 1 << 63})
	if u.Float64() != 0x1p66 {
		t.Errorf("%v is %v, want 2^66", u, u.Float64())
	}
	u.Sub(Uint128{0, 1})
	if u != (Uint128{3, math.MaxUint64}) || u.Float64() != 0x1p66 {
		t.Errorf("%v is %v, want just below 2^66", u, u.Float64())
	}
}

// The conversion of a count is that of an exact integer, also where only bits below the top 64 tell
// on which side of the middle between two float64 it lies.
func TestUint128Float64(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	check := func(u Uint128) {
		t.Helper()
		exact := new(big.Int).SetUint64(u.Hi)
		exact.Add(exact.Lsh(exact, 64), new(big.Int).SetUint64(u.Lo))
		if want, _ := new(big.Float).SetInt(exact).Float64(); u.Float64() != want {
			t.Errorf("%#x, %#x is %v, want %v", u.Hi, u.Lo, u.Float64(), want)
		}
	}
	// 2^63 + an odd or even multiple of half a last place, 2^10, times 2^shift, and one more or
	// less
	for shift := range 65 {
		for _, half := range []uint64{1 << 10, 3 << 10} {
			top := 1<<63 | half
			u := Uint128{top >> (64 - shift), top << shift}
			check(u)
			for _, one := range []uint64{1, 1 << max(shift-1, 0)} {
				more, less := u, u
				more.Add(Uint128{0, one})
				less.Sub(Uint128{0, one})
				check(more)
				check(less)
			}
		}
	}
	for range 1000 {
		check(Uint128{r.Uint64() >> r.IntN(65), r.Uint64() & r.Uint64() & r.Uint64() << r.IntN(64)})
	}
}

package order

import (
	"math"
	"math/bits"
)

// A Uint128 counts triples of values: 2³¹ equal values have about 2⁹⁰ triples.
type Uint128 struct{ Hi, Lo uint64 }

// Add adds v to u.
func (u *Uint128) Add(v Uint128) {
	var carry uint64
	u.Lo, carry = bits.Add64(u.Lo, v.Lo, 0)
	u.Hi, _ = bits.Add64(u.Hi, v.Hi, carry)
}

// Sub subtracts v from u.
func (u *Uint128) Sub(v Uint128) {
	var borrow uint64
	u.Lo, borrow = bits.Sub64(u.Lo, v.Lo, 0)
	u.Hi, _ = bits.Sub64(u.Hi, v.Hi, borrow)
}

// Float64 returns the nearest float64, with ties to even. The bits below the top 64 are folded into
// the lowest of these, and the conversion then rounds.
func (u Uint128) Float64() float64 {
	if u.Hi == 0 {
		return float64(u.Lo)
	}
	shift := uint(64 - bits.LeadingZeros64(u.Hi))
	top := u.Hi<<(64-shift) | u.Lo>>shift
	if u.Lo<<(64-shift) != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), int(shift))
}

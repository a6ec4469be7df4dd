package num

import "math/bits"

// A PCG is the generator of math/rand/v2.PCG (O'Neill 2014): a 128-bit linear congruential
// generator with the output function DXSM. Its sequence can be entered at any index and with any
// stride, so that goroutines can share it.
type PCG struct {
	state uint128 // state of the next number
	step  affine  // function from this state to the following one
}

// NewPCG returns the same generator as math/rand/v2.NewPCG.
func NewPCG(seed1, seed2 uint64) PCG {
	step := affine{uint128{2549297995355413924, 4865540595714422341}, uint128{6364136223846793005, 1442695040888963407}}
	return PCG{step.of(uint128{seed1, seed2}), step}
}

// Every returns a generator of the numbers skip, skip+stride, skip+2·stride, … of p, where the next
// number has index 0.
func (p PCG) Every(skip, stride uint64) PCG {
	return PCG{p.step.power(skip).of(p.state), p.step.power(stride)}
}

// Fill sets words to the next numbers.
func (p *PCG) Fill(words []uint64) {
	state, step := p.state, p.step
	for i := range words {
		x := state.hi
		x = (x ^ x>>32) * 0xda942042e4dd58b5
		x = (x ^ x>>48) * (state.lo | 1)
		words[i] = x
		state = step.of(state)
	}
	p.state = state
}

type uint128 struct{ hi, lo uint64 }

func (x uint128) times(y uint128) uint128 {
	hi, lo := bits.Mul64(x.lo, y.lo)
	return uint128{hi + x.hi*y.lo + x.lo*y.hi, lo}
}

func (x uint128) plus(y uint128) uint128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return uint128{hi, lo}
}

// An affine is the function mul·x + inc of 128-bit integers.
type affine struct{ mul, inc uint128 }

func (f affine) of(x uint128) uint128 { return f.mul.times(x).plus(f.inc) }

// power returns the function that applies f n times.
func (f affine) power(n uint64) affine {
	p := affine{mul: uint128{lo: 1}}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p = affine{f.mul.times(p.mul), f.of(p.inc)}
		}
		f = affine{f.mul.times(f.mul), f.of(f.inc)}
	}
	return p
}

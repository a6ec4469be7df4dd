// Models and p-values depend on these generators. Their streams are the same on every platform and
// in every release.

package num

// Golden is 2⁶⁴ divided by the golden ratio. It is the increment of [SplitMix].
const Golden = 0x9e3779b97f4a7c15

// Mix is the finalizer of SplitMix64: a bijection that maps similar numbers to dissimilar ones.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A SplitMix is the state of the SplitMix64 generator (Steele, Lea and Flood 2014).
type SplitMix uint64

// Next returns the next 64 bits.
func (s *SplitMix) Next() uint64 {
	*s += Golden
	return Mix(uint64(*s))
}

// Below returns the next number, from 0 to n−1. Small numbers are more likely by n/2⁶⁴.
func (s *SplitMix) Below(n int) int { return int(s.Next() % uint64(n)) }

// Float64 returns the next number in [0, 1), which is a multiple of 2⁻⁵³.
func (s *SplitMix) Float64() float64 { return float64(s.Next()>>11) * 0x1p-53 }

// A Xorshift is the state of a 64-bit xorshift generator (Marsaglia 2003). It must not be 0.
type Xorshift uint64

// Next returns the next 64 bits.
func (x *Xorshift) Next() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 7
	*x ^= *x << 17
	return uint64(*x)
}

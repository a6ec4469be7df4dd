// [ExactSum] and [ExactMean] add float64 values without rounding. Therefore, a sum does not depend
// on the order of the values or on the way they are divided into parts.

package num

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
)

// limbs is the number of limbs of a sum. A float64 is an integer of at most 2098 bits times
// 2^−1074, and the carries of 2^62 values need 62 more bits. The last limb contains bits 66·32 =
// 2112 to 2159.
const limbs = 67

// An ExactSum is a sum of float64 values that has not been rounded. The zero value is the empty
// sum.
//
// It is a fixed-point number of 32 bits per limb. Each limb is stored in 64 bits, so that carries
// can be delayed ("small superaccumulator", Neal 2015). Infinities and NaN are added separately.
type ExactSum struct {
	limb    [limbs]int64 // limb i is multiplied by 2^(32·i − 1074)
	added   int          // number of values since the carries were last resolved
	special float64      // sum of the infinities and NaNs
}

// Add adds x.
func (s *ExactSum) Add(x float64) {
	b := math.Float64bits(x)
	exponent, mantissa := int(b>>52)&0x7ff, b&(1<<52-1)
	switch exponent {
	case 0x7ff:
		s.special += x
		return
	case 0:
		exponent = 1
	default:
		mantissa |= 1 << 52
	}
	at, shift := (exponent-1)/32, (exponent-1)%32
	low, high := mantissa<<shift, mantissa>>(64-shift)
	l := s.limb[at : at+3 : at+3]
	if b>>63 == 0 {
		l[0] += int64(low & math.MaxUint32)
		l[1] += int64(low >> 32)
		l[2] += int64(high)
	} else {
		l[0] -= int64(low & math.MaxUint32)
		l[1] -= int64(low >> 32)
		l[2] -= int64(high)
	}
	if s.added++; s.added == 1<<30 { // each value has added less than 2^32 to a limb
		s.carry()
	}
}

// Merge adds the sum of other.
func (s *ExactSum) Merge(other *ExactSum) {
	o := *other // copy other, which may be s
	o.carry()
	for i, v := range o.limb {
		s.limb[i] += v
	}
	s.carry()
	s.special += o.special
}

// carry resolves carries. Afterwards, all limbs except the last one are from 0 to 2^32−1, and the
// last limb has the sign of the sum. Equal sums then have equal limbs.
func (s *ExactSum) carry() {
	for i := range limbs - 1 {
		c := s.limb[i] >> 32
		s.limb[i] -= c << 32
		s.limb[i+1] += c
	}
	s.added = 0
}

// Value returns the sum, rounded once to the nearest float64 (ties to even). The sum of nothing, or
// of zeros of any sign, is +0.
func (s *ExactSum) Value() float64 { return s.times(0) }

// times returns the rounded value of the sum times 2^exponent.
func (s *ExactSum) times(exponent int) float64 {
	if s.special != 0 { // also true for NaN
		return s.special
	}
	t := *s
	negative := t.magnitude()
	bytes := make([]byte, 4*limbs+4)
	for i, v := range t.limb {
		binary.BigEndian.PutUint32(bytes[len(bytes)-4*i-4:], uint32(v))
	}
	binary.BigEndian.PutUint32(bytes, uint32(t.limb[limbs-1]>>32))
	n := new(big.Int).SetBytes(bytes)
	x, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(n), exponent-1074).Float64()
	if negative {
		return -x
	}
	return x
}

// magnitude replaces s by its absolute value and resolves carries. It reports whether s was
// negative.
func (s *ExactSum) magnitude() (negative bool) {
	s.carry()
	if s.limb[limbs-1] >= 0 {
		return false
	}
	for i := range s.limb {
		s.limb[i] = -s.limb[i]
	}
	s.carry()
	return true
}

// MarshalBinary encodes the sum for [ExactSum.UnmarshalBinary], in a few dozen bytes if the values
// have similar magnitudes. Equal sums give equal bytes.
func (s *ExactSum) MarshalBinary() ([]byte, error) {
	t := *s
	head := byte(0)
	if t.magnitude() {
		head = 1
	}
	first, end := 0, limbs
	for end > 0 && t.limb[end-1] == 0 {
		end--
	}
	for first < end && t.limb[first] == 0 {
		first++
	}
	b := binary.LittleEndian.AppendUint64([]byte{head}, math.Float64bits(t.special))
	b = append(b, byte(first))
	for _, v := range t.limb[first:end] {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b, nil
}

// UnmarshalBinary sets s to a sum that MarshalBinary encoded.
func (s *ExactSum) UnmarshalBinary(b []byte) error {
	const head = 10
	if len(b) < head || len(b)%8 != head%8 || b[0] > 1 || int(b[9])+len(b)/8-1 > limbs {
		return errors.New("exact: the bytes do not encode a sum")
	}
	*s = ExactSum{special: math.Float64frombits(binary.LittleEndian.Uint64(b[1:]))}
	for i := range (len(b) - head) / 8 {
		v := int64(binary.LittleEndian.Uint64(b[head+8*i:]))
		if b[0] == 1 {
			v = -v
		}
		s.limb[int(b[9])+i] = v
	}
	s.carry()
	return nil
}

// An ExactMean is a weighted mean whose values may be added in parts and in any order. It is the
// exact sum of the products, each of which is rounded, divided by the exact sum of the weights.
// Both sums are rounded once.
type ExactMean struct {
	Products, Weights ExactSum
	Counted, Skipped  int
}

// Add adds values with their weights. If weights is nil, all weights are 1. If skip is set, NaN
// values are skipped.
func (m *ExactMean) Add(values, weights []float64, skip bool) {
	for i, v := range values {
		if skip && math.IsNaN(v) {
			m.Skipped++
			continue
		}
		m.Counted++
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		m.Products.Add(float64(w * v))
		m.Weights.Add(w)
	}
}

// Merge adds the values of other.
func (m *ExactMean) Merge(other *ExactMean) {
	m.Products.Merge(&other.Products)
	m.Weights.Merge(&other.Weights)
	m.Counted, m.Skipped = m.Counted+other.Counted, m.Skipped+other.Skipped
}

// Value returns the mean, or NaN if there are no values.
func (m *ExactMean) Value() float64 {
	products, weights := m.Products.Value(), m.Weights.Value()
	if math.IsInf(products, 0) || math.IsInf(weights, 0) { // the sum of finite values may overflow
		const smaller = -64
		products, weights = m.Products.times(smaller), m.Weights.times(smaller)
	}
	return products / weights
}

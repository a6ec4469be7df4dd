package report

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/portable"
)

// A scale takes values of an axis to places in a figure, from one end to the other.
type scale struct {
	lo, hi   float64 // values at the ends; by logarithm to base 2 if log
	from, to float64 // places of them
	log      bool
	whole    bool // all values are whole numbers
	names    []string
}

// newScale returns a scale for values from lo to hi.
func newScale(lo, hi float64, whole, room, base bool) (*scale, error) {
	const most = 1e300 // so that distances are finite
	if lo < -most || hi > most {
		return nil, errors.New("values beyond ±1e300")
	}
	s := &scale{lo: lo, hi: hi, whole: whole}
	if tiny(lo, hi) { // one value: it stands in the middle
		d := max(math.Abs(lo)/2, 0.5)
		if whole {
			d = max(math.Trunc(d), 1)
		}
		s.lo, s.hi = lo-d, hi+d
		if base {
			s.lo = max(s.lo, min(0, lo))
		}
		return s, nil
	}
	if room {
		d := (hi - lo) / 25
		if !base || lo != 0 {
			s.lo -= d
		}
		if !base || hi != 0 {
			s.hi += d
		}
	}
	return s, nil
}

// tiny reports whether a range is no more than what rounding leaves of a difference.
func tiny(lo, hi float64) bool { return hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) }

// newLogScale returns a scale by logarithm for values above 0.
func newLogScale(lo, hi float64) *scale {
	s := &scale{lo: portable.Log2(lo), hi: portable.Log2(hi), log: true}
	d := (s.hi - s.lo) / 25
	if tiny(s.lo, s.hi) {
		d = 1
	}
	s.lo, s.hi = s.lo-d, s.hi+d
	return s
}

// place returns the place of a value.
func (s *scale) place(v float64) float64 {
	if s.log {
		v = portable.Log2(v)
	}
	share := (v - s.lo) / (s.hi - s.lo)
	return s.from + float64(share*(s.to-s.from))
}

// inside reports whether a value lies between the ends.
func (s *scale) inside(v float64) bool {
	if s.log {
		v = portable.Log2(v)
	}
	return v >= s.lo && v <= s.hi
}

// A tick is a mark on an axis.
type tick struct {
	at    float64
	label string
}

// ticks returns about n marks at round values, two or more, or all names.
func (s *scale) ticks(n int) (list []tick) {
	if s.names != nil {
		for i, name := range s.names {
			list = append(list, tick{float64(i), clean(name)})
		}
		return list
	}
	lo, hi := s.lo, s.hi
	if s.log {
		if list = s.logTicks(n); len(list) > 1 {
			return list
		}
		lo, hi = portable.Exp2(lo), portable.Exp2(hi)
	}
	for _, whole := range []bool{s.whole, false} {
		for m := n; m < 4*n; m++ { // a round step may have but one multiple between the ends
			list = nil
			step, exponent := roundStep((hi-lo)/float64(m), whole)
			for k := math.Ceil(lo / step); float64(k*step) <= hi; k++ {
				list = append(list, tick{float64(k * step), tickLabel(float64(k*step), exponent)})
			}
			if len(list) > 1 {
				return list
			}
		}
	}
	return list
}

// roundStep returns the least step from 1, 2 or 5 times a power of 10 that is not below v, and the
// exponent of that power.
func roundStep(v float64, whole bool) (step float64, exponent int) {
	if whole {
		v = max(v, 1)
	}
	exponent = -330
	for e := -323; e <= 308; e++ { // the power of 10 below v; tables hold them all
		if math.Pow10(e) > v {
			break
		}
		exponent = e
	}
	exponent = max(exponent, -300)
	unit := math.Pow10(exponent)
	for _, m := range []float64{1, 2, 5} {
		if step = float64(m * unit); step >= v {
			return step, exponent
		}
	}
	return math.Pow10(exponent + 1), exponent + 1
}

// tickLabel returns a multiple of a step by its digits down to 10^exponent, which is that of the
// step.
func tickLabel(v float64, exponent int) string {
	var text string
	digits := max(-exponent, 0)
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a >= 1e6 || digits > 5:
		significant := 4
		for significant < 17 && math.Pow10(exponent+significant) <= a {
			significant++
		}
		text = strconv.FormatFloat(v, 'g', significant, 64)
	default:
		text = strconv.FormatFloat(v, 'f', digits, 64)
		if whole, fraction, _ := strings.Cut(text, "."); a >= 10000 {
			text = whole[:len(whole)-3] + "," + whole[len(whole)-3:]
			if fraction != "" {
				text += "." + fraction
			}
		}
	}
	return minus(text)
}

// logTicks returns powers of 10, or of 2 where there are fewer than two of those.
func (s *scale) logTicks(n int) (list []tick) {
	label := func(v float64) string {
		if v >= 1e-4 && v < 1e6 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return minus(strconv.FormatFloat(v, 'g', 4, 64))
	}
	for e := -307; e <= 308; e++ {
		if v := math.Pow10(e); s.inside(v) {
			list = append(list, tick{v, label(v)})
		}
	}
	if len(list) < 2 {
		list = nil
		for e := math.Ceil(s.lo); e <= s.hi; e++ {
			v := math.Ldexp(1, int(e))
			list = append(list, tick{v, label(v)})
		}
	}
	if every := (len(list) + n - 1) / n; every > 1 {
		few := list[:0]
		for i := 0; i < len(list); i += every {
			few = append(few, list[i])
		}
		list = few
	}
	return list
}

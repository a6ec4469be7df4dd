package report

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/num"
)

// A scale maps values of an axis to positions in a figure, from one end to the other.
type scale struct {
	lo, hi   float64 // values at the ends; base-2 logarithms if log
	from, to float64 // positions of the ticks
	log      bool
	whole    bool // all values are whole numbers
	names    []string
}

// most is the largest magnitude that figures draw. Sums and differences of a few such values are
// finite, even multiplied by 100.
const most = 1e300

// checkRange returns an error unless figures can draw the values from lo to hi. If one of the
// values is NaN, lo or hi is NaN.
func checkRange(lo, hi float64) error {
	switch {
	case math.IsNaN(lo) || math.IsNaN(hi):
		return errors.New("values must not be NaN")
	case lo < -most || hi > most:
		return errors.New("values must be from -1e300 to 1e300")
	}
	return nil
}

// partOf returns which of n equal parts of the range from lo to hi contains v. [checkRange] must
// accept the range. The outermost parts also contain all values outside the range.
func partOf(v, lo, hi float64, n int) int {
	switch {
	case v <= lo:
		return 0
	case v >= hi:
		return n - 1
	}
	return min(int(float64((v-lo)*float64(n))/(hi-lo)), n-1)
}

// newScale returns a scale for values from lo to hi, which [checkRange] accepts.
func newScale(lo, hi float64, whole, room, base bool) *scale {
	s := &scale{lo: lo, hi: hi, whole: whole}
	if tiny(lo, hi) { // a single value is in the middle
		d := max(math.Abs(lo)/2, 0.5)
		if whole {
			d = max(math.Trunc(d), 1)
		}
		s.lo, s.hi = lo-d, hi+d
		if base {
			s.lo = max(s.lo, min(0, lo))
		}
		return s
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
	return s
}

// tiny reports whether a range is so narrow that its values are drawn as one. The difference is
// then no more than rounding errors, or float64 has too few digits for ticks.
func tiny(lo, hi float64) bool {
	return hi-lo <= max(1e-9*max(math.Abs(lo), math.Abs(hi)), 1/most)
}

// newLogScale returns a logarithmic scale for values from 1/most to most.
func newLogScale(lo, hi float64) *scale {
	s := &scale{lo: num.Log2(lo), hi: num.Log2(hi), log: true}
	d := (s.hi - s.lo) / 25
	if hi <= float64(lo*(1+1e-9)) {
		d = 1
	}
	s.lo, s.hi = s.lo-d, s.hi+d
	return s
}

// share returns the position of a value between the lower end, 0, and the upper end, 1.
func (s *scale) share(v float64) float64 {
	if s.log {
		v = num.Log2(v)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// place returns the position of a value.
func (s *scale) place(v float64) float64 { return s.from + float64(s.share(v)*(s.to-s.from)) }

// placeInside returns the position of a value, clamped to the ends.
func (s *scale) placeInside(v float64) float64 {
	return min(max(s.place(v), min(s.from, s.to)), max(s.from, s.to))
}

// inside reports whether a value is between the ends.
func (s *scale) inside(v float64) bool {
	if s.log {
		v = num.Log2(v)
	}
	return v >= s.lo && v <= s.hi
}

// meets reports whether an interval overlaps the range between the ends.
func (s *scale) meets(low, high float64) bool {
	return max(s.share(low), s.share(high)) >= 0 && min(s.share(low), s.share(high)) <= 1
}

// A tick is a mark on an axis.
type tick struct {
	at    float64
	label string
}

// ticks returns about n ticks at round values, but at least two, or all names.
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
		lo, hi = num.Exp2(lo), num.Exp2(hi)
	}
	for _, whole := range []bool{s.whole, false} {
		for m := n; m < 4*n; m++ { // a round step may have only one multiple between the ends
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
	unit := math.Pow10(exponent)
	for _, m := range []float64{1, 2, 5} {
		if step = float64(m * unit); step >= v {
			return step, exponent
		}
	}
	return math.Pow10(exponent + 1), exponent + 1
}

// tickLabel formats a multiple of a step with digits down to 10^exponent, the exponent of the step.
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

// logTicks returns powers of 10, or powers of 2 if there are fewer than two powers of 10.
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

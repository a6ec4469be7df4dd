package lambdamart

import "math"

// A missingKey identifies the splits that treat the same values of a feature as missing.
type missingKey struct {
	feature     int32
	zeroMissing bool
}

// missingSides contains the sides of missing values at the splits with each missingKey.
//
// Often, missing values go right at all thresholds up to a limit, and left at all greater
// thresholds, because the trainer replaced them with a number. For example, LightGBM replaces them
// with 0 if the feature was never missing in training. In this case, missing values have a
// substitute, a number that passes the same tests. All splits of the feature can then share a row
// of tests, ranks or keys.
type missingSides map[missingKey]*missingSide

type missingSide struct {
	left, right          bool    // whether missing values go left at a threshold, and right at a threshold
	leastLeft, mostRight float32 // least and greatest of these thresholds
}

func (m missingSides) add(k missingKey, threshold float32, left bool) {
	s := m[k]
	if s == nil {
		s = &missingSide{leastLeft: float32(math.Inf(1)), mostRight: float32(math.Inf(-1))}
		m[k] = s
	}
	if left {
		s.left, s.leastLeft = true, min(s.leastLeft, threshold)
	} else {
		s.right, s.mostRight = true, max(s.mostRight, threshold)
	}
}

// mixed reports whether missing values go both ways and have no substitute.
func (s *missingSide) mixed() bool { return s.left && s.right && s.mostRight >= s.leastLeft }

// value returns a number that goes the same way as missing values at the splits that send them left
// or, if left is false, right. It returns the substitute of missing values if there is one.
// Otherwise it returns −Inf for left, and NaN, which is above all thresholds, for right.
func (s *missingSide) value(left bool) float32 {
	switch {
	case s.left && s.right && !s.mixed():
		return s.leastLeft
	case left:
		return float32(math.Inf(-1))
	}
	return float32(math.NaN())
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

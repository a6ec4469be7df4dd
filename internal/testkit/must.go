package testkit

import (
	"encoding/json"
	"math"
)

// Must returns v and panics if there is an error. It is for calls that a test needs but does not
// test.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// JSON returns v as JSON, so that all fields of models and results can be compared.
func JSON(v any) string { return string(Must(json.Marshal(v))) }

// Near reports whether a is b within a relative error, or both are NaN.
func Near(a, b, relative float64) bool {
	return a == b || a != a && b != b || math.Abs(a-b) <= relative*math.Abs(b)
}

//go:build !race

package kern

// Race reports whether the race detector is enabled. Functions test this constant to stay within
// the inlining budget, which calls of the empty functions below would exceed.
const Race = false

// RaceRead does nothing without the race detector.
func RaceRead[T any]([]T) {}

// RaceWrite does nothing without the race detector.
func RaceWrite[T any]([]T) {}

// RaceReadRows does nothing without the race detector.
func RaceReadRows[T any]([]T, int, int, int) {}

// RaceWriteRows does nothing without the race detector.
func RaceWriteRows[T any]([]T, int, int, int) {}

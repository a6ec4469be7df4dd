//go:build !race

package kern

// Race reports whether the race detector is on. A test of this constant keeps a function within the
// budget of the inliner, which calls of the empty functions below would exceed.
const Race = false

// RaceRead does nothing without the race detector.
func RaceRead[T any]([]T) {}

// RaceWrite does nothing without the race detector.
func RaceWrite[T any]([]T) {}

// RaceReadRows does nothing without the race detector.
func RaceReadRows[T any]([]T, int, int, int) {}

// RaceWriteRows does nothing without the race detector.
func RaceWriteRows[T any]([]T, int, int, int) {}

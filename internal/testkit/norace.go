//go:build !race

package testkit

// Race reports whether the race detector is enabled. Functions that do not allocate may then
// allocate.
const Race = false

//go:build race

package testkit

// Race tells that the race detector runs, under which what allocates nothing else may.
const Race = true

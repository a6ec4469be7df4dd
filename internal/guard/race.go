//go:build race

package guard

// Race tells that the race detector runs, under which what allocates nothing else may.
const Race = true

//go:build purego

package main

// cpuName is empty, because asking the processor for its name requires assembly, which this build
// does not contain.
func cpuName() string { return "" }

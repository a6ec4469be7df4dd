//go:build purego

package main

// cpuName is empty: asking the processor takes assembly, which this build leaves out.
func cpuName() string { return "" }

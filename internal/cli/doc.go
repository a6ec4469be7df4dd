// Package cli holds the code that simdrank and simdrank-beam share. It defines and checks flags,
// adds file names to errors, handles signals, and prints datasets, training results and metrics.
package cli

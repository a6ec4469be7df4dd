// Package cli is what simdrank and simdrank-beam share: flags and their checks, errors that name
// files, the orderly end after a signal, and what is printed of a dataset, a training and metrics.
package cli

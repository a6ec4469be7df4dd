// Package testkit is what tests share: the table of tests that every kernel passes, buffers between
// guard pages, calls of Progress, and the paths of real data sets.
package testkit

// Package testkit is what tests share: the table of tests that every kernel passes, buffers between
// guard pages, calls of Progress, paths of real data sets, names of subtests and files, and calls
// that must not fail.
package testkit

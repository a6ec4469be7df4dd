// Package testkit is what tests share: the table of tests that every kernel passes, buffers between
// guard pages, calls of Progress, paths of real data sets, and names of subtests and files.
package testkit

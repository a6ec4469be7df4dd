// Package testkit contains shared test helpers: the table of tests that every kernel passes,
// buffers between guard pages, checks of Progress calls, paths of real datasets, names of subtests
// and files, and calls that must not fail.
package testkit

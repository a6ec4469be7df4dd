// Package num computes numbers that are bit-identical on every machine: elementary functions, tails
// of distributions, sums without rounding, and random numbers.
package num

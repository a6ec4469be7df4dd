// Package num computes numbers that are the same bits on every machine: elementary functions and
// tails of distributions, sums without rounding, and random numbers.
package num

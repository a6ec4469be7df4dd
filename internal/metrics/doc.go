// Package metrics computes metrics of rankings: package rank's Evaluator under its options, without
// its types and files.
//
// A [Query] goes through three stages for each list: it is judged (labels become grades, scores
// float32), its ideal ranking is found, and it is ordered by the scores. A [Metric] reads what it
// needs of them. Inner loops are kernels of internal/order and kernels.
//
// With documents of equal scores, sums are the means over the orders of these, each of which is a
// draw without replacement. A slice of ends says which documents have equal scores: it holds, for
// each rank from 0, the rank after the last document that is tied with it. It is empty when every
// document stands alone.
package metrics

// Package metrics computes ranking metrics. It implements package rank's Evaluator and its options,
// without its types and files.
//
// A [Query] processes each list in three stages. The list is judged: labels become grades and
// scores become float32. Then its ideal ranking is found, and its documents are ordered by score. A
// [Metric] reads the results that it needs. Inner loops are kernels of internal/order and kernels.
//
// If documents have tied scores, sums are means over all orders of the tied documents. Each order
// corresponds to a draw without replacement. A slice named ends describes ties: for each rank from
// 0, it contains the rank after the last document that is tied with it. It is empty if there are no
// ties.
package metrics

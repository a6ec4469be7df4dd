// Package vectors compares vectors, as a search for the nearest ones does: dot products, squared
// Euclidean distances and cosines of two vectors, of a query and rows of a matrix ([DotRows]), of
// a query and listed rows ([DotIDs]), and of many queries and rows ([DotBlock]). Package nearest
// searches with them.
//
// Elements are float64, float32, half-precision numbers ([F16], [BF16]), bytes, or bits
// (uint64). A float32 query can also be compared with rows of smaller types. [F16FromF32],
// [QuantizeI8], [SignBits] and their relatives convert. The dot products of two float64 or float32
// vectors are [kernels.DotF64] and [kernels.DotF32].
//
// The contracts are those of package kernels: the same checks, panics, bits and bounds. So are the
// tiers; within a tier, kernels of bytes and bits use VNNI, VPOPCNTDQ or SDOT if the processor has
// it.
package vectors

// Package vectors compares vectors with SIMD kernels: dot products, squared Euclidean distances,
// cosines, Hamming distances and Jaccard indices. Package nearest uses it to search for nearest
// neighbors.
//
// Most comparisons are available in four forms:
//
//   - two vectors, for example [DotF16]
//   - a query and all rows of a matrix, for example [DotRows]
//   - a query and some rows of a matrix, for example [DotIDs]
//   - several queries and all rows of a matrix, for example [DotBlock]
//
// [MaxSim] compares a list of query vectors with lists of document vectors.
//
// Elements are float64, float32, float16 ([F16]), bfloat16 ([BF16]), int8, uint8, or bits in a
// uint64. A float32 query can also be compared with rows of smaller types. [F16FromF32],
// [QuantizeI8], [SignBits] and similar functions convert elements. The dot products of two float64
// or float32 vectors are [kernels.DotF64] and [kernels.DotF32].
//
// The tiers and contracts are the same as in package kernels: invalid arguments panic, results are
// bit-identical on every tier, and nothing is read or written outside of the slices. Within a tier,
// byte and bit kernels use VNNI, VPOPCNTDQ or SDOT if available.
package vectors

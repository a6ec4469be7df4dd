package main

// docs contains the comments of the exported functions.
var docs = map[string]string{
	"DotF64": `DotF64 returns the dot product Σ x[i]·y[i], which is 0 for empty slices. x and y may overlap.

Order of operations: Element i is summed in lane i mod 32. A lane starts with the rounded product
of its first element. Each further element, in ascending order of i, is added by a fused
multiply-add: lane = x[i]·y[i] + lane, rounded once. Lanes without an element count as −0, which
changes no sum. The 32 lanes form four groups of 8 consecutive lanes, g₀ to g₃, which are added
lane by lane as (g₀+g₁)+(g₂+g₃). The 8 sums are then reduced to one in three steps, each adding
the upper half to the lower half: s[k]+s[k+4], then s[k]+s[k+2], then s[0]+s[1]. Slices longer
than 65536 elements are split into blocks of 65536 elements, and the block results are added in
order.

It panics if the lengths differ.`,
	"DotF32": `DotF32 is like [DotF64] but computes in float32 with 64 lanes. The lanes form four groups of 16,
which are added as (g₀+g₁)+(g₂+g₃). The 16 sums are then reduced to 8, 4, 2 and 1.

It panics if the lengths differ.`,
	"DotF32Wide": `DotF32Wide returns the dot product of float32 vectors as a float64. It is bit-identical to
[DotF64] on the vectors converted to float64. Every product is exact.

It panics if the lengths differ.`,
	"L2F64": `L2F64 returns the squared Euclidean distance Σ (x[i]−y[i])², which is 0 for empty slices. x and y
may overlap.

Each difference is rounded. The squares are then summed in the order of operations of
[kernels.DotF64].

It panics if the lengths differ.`,
	"L2F32": `L2F32 is like [L2F64] but computes in float32, in the order of operations of [kernels.DotF32].

It panics if the lengths differ.`,
	"CosineF64": `CosineF64 returns the cosine of the angle between x and y, x·y / (√(x·x)·√(y·y)). It is 1 for the
same direction and −1 for opposite directions. The three products are computed by
[kernels.DotF64]. Every other operation is rounded separately, so the result may exceed 1 in the
last bits. If the divisor is 0, for example because a vector is zero, the result is 0. If
products overflow, the result is the value of the formula in IEEE 754 arithmetic. x and y may
overlap.

It panics if the lengths differ.`,
	"CosineF32": `CosineF32 is like [CosineF64] but for float32 vectors. It computes the three products by
[kernels.DotF32] and x·y / √((x·x)·(y·y)) in float64. Each float64 operation is rounded
separately, and the result is rounded to float32.

It panics if the lengths differ.`,
	"DotI8": `DotI8 returns the dot product Σ x[i]·y[i], which is 0 for empty slices. It is exact for up to
2^48 elements. x and y may overlap.

It panics if the lengths differ.`,
	"DotU8": `DotU8 is like [DotI8] but for uint8 vectors, and exact for up to 2^47 elements.

It panics if the lengths differ.`,
	"L2I8": `L2I8 returns the squared Euclidean distance Σ (x[i]−y[i])², which is 0 for empty slices. It is
exact for up to 2^47 elements. x and y may overlap.

It panics if the lengths differ.`,
	"L2U8": `L2U8 is like [L2I8] but for uint8 vectors.

It panics if the lengths differ.`,
	"CosineI8": `CosineI8 returns the cosine of the angle between x and y, x·y / √((x·x)·(y·y)). The three
products are computed by [DotI8]. The other operations are rounded separately in float64, and the
result is rounded to float32. If the divisor is 0, for example because a vector is zero, the
result is 0. x and y may overlap.

It panics if the lengths differ.`,
	"CosineU8": `CosineU8 is like [CosineI8] but for uint8 vectors.

It panics if the lengths differ.`,
	"HammingBits": `HammingBits returns the number of bits in which x and y differ. x and y may overlap.

It panics if the lengths differ.`,
	"DotF16": `DotF16 returns the dot product Σ x[i]·y[i]. It is bit-identical to [kernels.DotF32] on the
vectors converted to float32. The conversion is exact. x and y may overlap.

It panics if the lengths differ.`,
	"DotBF16": `DotBF16 is like [DotF16] but for bfloat16 vectors.

It panics if the lengths differ.`,
	"L2F16": `L2F16 returns the squared Euclidean distance Σ (x[i]−y[i])². It is bit-identical to [L2F32] on
the vectors converted to float32. x and y may overlap.

It panics if the lengths differ.`,
	"L2BF16": `L2BF16 is like [L2F16] but for bfloat16 vectors.

It panics if the lengths differ.`,
	"CosineF16": `CosineF16 returns the cosine of the angle between x and y. It is bit-identical to [CosineF32] on
the vectors converted to float32. x and y may overlap.

It panics if the lengths differ.`,
	"CosineBF16": `CosineBF16 is like [CosineF16] but for bfloat16 vectors.

It panics if the lengths differ.`,
	"DotF32F16": `DotF32F16 returns the dot product Σ q[i]·x[i]. It is bit-identical to [kernels.DotF32] on q and x
converted to float32. The conversion is exact. q and x may overlap.

It panics if the lengths differ.`,
	"DotF32BF16": `DotF32BF16 is like [DotF32F16] but for a bfloat16 vector x.

It panics if the lengths differ.`,
	"DotF32I8": `DotF32I8 is like [DotF32F16] but for an int8 vector x.

It panics if the lengths differ.`,
	"DotF32U8": `DotF32U8 is like [DotF32F16] but for a uint8 vector x.

It panics if the lengths differ.`,
	"L2F32F16": `L2F32F16 returns the squared Euclidean distance Σ (q[i]−x[i])². It is bit-identical to [L2F32] on
q and x converted to float32. q and x may overlap.

It panics if the lengths differ.`,
	"L2F32BF16": `L2F32BF16 is like [L2F32F16] but for a bfloat16 vector x.

It panics if the lengths differ.`,
	"L2F32I8": `L2F32I8 is like [L2F32F16] but for an int8 vector x.

It panics if the lengths differ.`,
	"L2F32U8": `L2F32U8 is like [L2F32F16] but for a uint8 vector x.

It panics if the lengths differ.`,
	"CosineF32F16": `CosineF32F16 returns the cosine of the angle between q and x. It is bit-identical to [CosineF32]
on q and x converted to float32. q and x may overlap.

It panics if the lengths differ.`,
	"CosineF32BF16": `CosineF32BF16 is like [CosineF32F16] but for a bfloat16 vector x.

It panics if the lengths differ.`,
	"CosineF32I8": `CosineF32I8 is like [CosineF32F16] but for an int8 vector x.

It panics if the lengths differ.`,
	"CosineF32U8": `CosineF32U8 is like [CosineF32F16] but for a uint8 vector x.

It panics if the lengths differ.`,
}

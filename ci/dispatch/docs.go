package main

// docs has the comments of the exported functions.
var docs = map[string]string{
	"DotF64": `DotF64 returns the dot product Σ x[i]·y[i], 0 when the slices are empty. x and y may overlap in
any way.

Order of operations. Element i belongs to lane i mod 32. A lane starts with
the rounded product of its first element, and each further element, in
order of i, enters by a fused multiply-add: lane = x[i]·y[i] + lane, rounded
once. Lanes without an element take no part in what follows (as if they held
−0, which changes no sum). The 32 lanes are four groups of 8 consecutive ones, g₀ to g₃, and are
added as (g₀+g₁)+(g₂+g₃), lane by lane; the 8 sums are then halved, the upper half
onto the lower: s[k]+s[k+4], then s[k]+s[k+2], then s[0]+s[1]. Slices longer
than 65536 elements are cut into blocks of 65536, and the results of the blocks are
added in order.

It panics when the lengths differ.`,
	"DotF32": `DotF32 is [DotF64] in float32 throughout, with 64 lanes: four groups of 16,
added as (g₀+g₁)+(g₂+g₃), then halved from 16 sums to 8, 4, 2 and 1.

It panics when the lengths differ.`,
	"DotF32Wide": `DotF32Wide returns the dot product of float32 data with a float64 sum: the
bits of [DotF64] on the same data converted to float64, where every product is exact.

It panics when the lengths differ.`,
	"L2F64": `L2F64 returns the squared Euclidean distance Σ (x[i]−y[i])², 0 when the slices are empty. Each
difference is rounded; then the order of operations is that of [kernels.DotF64] of the
differences with themselves. x and y may overlap in any way.

It panics when the lengths differ.`,
	"L2F32": `L2F32 is [L2F64] in float32 throughout, in the order of [kernels.DotF32].

It panics when the lengths differ.`,
	"CosineF64": `CosineF64 returns the cosine of the angle between x and y, 1 for the same direction and −1 for
opposite ones: x·y / (√(x·x)·√(y·y)). The three products are those of [kernels.DotF64], and the
rest is rounded operation by operation, so that the result may exceed 1 by the last bits. It is
0 when the divisor is 0, as with a vector of zeros, and otherwise what the formula gives, also
where products overflow. x and y may overlap in any way.

It panics when the lengths differ.`,
	"CosineF32": `CosineF32 is the cosine of [CosineF64] of float32: the three products are those of
[kernels.DotF32], and x·y / √((x·x)·(y·y)) is computed in float64, operation by operation, and
rounded to float32.

It panics when the lengths differ.`,
	"DotI8": `DotI8 returns the dot product Σ x[i]·y[i], which is exact up to 2^48 elements, 0 when the slices
are empty. x and y may overlap in any way.

It panics when the lengths differ.`,
	"DotU8": `DotU8 is [DotI8] of unsigned bytes, exact up to 2^47 elements.

It panics when the lengths differ.`,
	"L2I8": `L2I8 returns the squared Euclidean distance Σ (x[i]−y[i])², which is exact up to 2^47 elements, 0
when the slices are empty. x and y may overlap in any way.

It panics when the lengths differ.`,
	"L2U8": `L2U8 is [L2I8] of unsigned bytes.

It panics when the lengths differ.`,
	"CosineI8": `CosineI8 returns the cosine of the angle between x and y, x·y / √((x·x)·(y·y)), where the three
products are those of [DotI8] and the rest is computed in float64, operation by operation, and
rounded to float32. It is 0 when the divisor is 0, as with a vector of zeros. x and y may overlap
in any way.

It panics when the lengths differ.`,
	"CosineU8": `CosineU8 is [CosineI8] of unsigned bytes.

It panics when the lengths differ.`,
	"HammingBits": `HammingBits returns the number of bits in which x and y differ. x and y may overlap in any way.

It panics when the lengths differ.`,
	"DotF16": `DotF16 returns the dot product Σ x[i]·y[i]: the bits of [kernels.DotF32] of the numbers as
float32, which holds them exactly. x and y may overlap in any way.

It panics when the lengths differ.`,
	"DotBF16": `DotBF16 is [DotF16] of bfloat16.

It panics when the lengths differ.`,
	"L2F16": `L2F16 returns the squared Euclidean distance Σ (x[i]−y[i])²: the bits of [L2F32] of the numbers
as float32. x and y may overlap in any way.

It panics when the lengths differ.`,
	"L2BF16": `L2BF16 is [L2F16] of bfloat16.

It panics when the lengths differ.`,
	"CosineF16": `CosineF16 returns the cosine of the angle between x and y: the bits of [CosineF32] of the numbers
as float32. x and y may overlap in any way.

It panics when the lengths differ.`,
	"CosineBF16": `CosineBF16 is [CosineF16] of bfloat16.

It panics when the lengths differ.`,
	"DotF32F16": `DotF32F16 returns the dot product Σ q[i]·x[i]: the bits of [kernels.DotF32] of q and the numbers
of x as float32, which holds them exactly. q and x may overlap in any way.

It panics when the lengths differ.`,
	"DotF32BF16": `DotF32BF16 is [DotF32F16] of bfloat16.

It panics when the lengths differ.`,
	"DotF32I8": `DotF32I8 is [DotF32F16] of signed bytes.

It panics when the lengths differ.`,
	"DotF32U8": `DotF32U8 is [DotF32F16] of unsigned bytes.

It panics when the lengths differ.`,
	"L2F32F16": `L2F32F16 returns the squared Euclidean distance Σ (q[i]−x[i])²: the bits of [L2F32] of q and the
numbers of x as float32. q and x may overlap in any way.

It panics when the lengths differ.`,
	"L2F32BF16": `L2F32BF16 is [L2F32F16] of bfloat16.

It panics when the lengths differ.`,
	"L2F32I8": `L2F32I8 is [L2F32F16] of signed bytes.

It panics when the lengths differ.`,
	"L2F32U8": `L2F32U8 is [L2F32F16] of unsigned bytes.

It panics when the lengths differ.`,
	"CosineF32F16": `CosineF32F16 returns the cosine of the angle between q and x: the bits of [CosineF32] of q and
the numbers of x as float32. q and x may overlap in any way.

It panics when the lengths differ.`,
	"CosineF32BF16": `CosineF32BF16 is [CosineF32F16] of bfloat16.

It panics when the lengths differ.`,
	"CosineF32I8": `CosineF32I8 is [CosineF32F16] of signed bytes.

It panics when the lengths differ.`,
	"CosineF32U8": `CosineF32U8 is [CosineF32F16] of unsigned bytes.

It panics when the lengths differ.`,
}

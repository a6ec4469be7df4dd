// What dot products of both tiers share with gemv.

// CROSSES goes on at edge when a vector of V bytes would reach into the next page.
#define CROSSES(at, V, edge) \
	MOVL at, R11        \
	ANDL $4095, R11     \
	CMPL R11, $(4096-V) \
	JHI edge

// PREFETCH asks for what a step of so many bytes of each operand takes 4 KB further on.
#define PREFETCH_128 \
	PREFETCHT0 4096(SI) \
	PREFETCHT0 4096(DI) \
	PREFETCHT0 4160(SI) \
	PREFETCHT0 4160(DI)

#define PREFETCH_256 \
	PREFETCH_128        \
	PREFETCHT0 4224(SI) \
	PREFETCHT0 4224(DI) \
	PREFETCHT0 4288(SI) \
	PREFETCHT0 4288(DI)

// Jumps to edge if a vector of V bytes at the address reaches into the next page.
#define CROSSES(at, V, edge) \
	MOVL at, R11        \
	ANDL $4095, R11     \
	CMPL R11, $(4096-V) \
	JHI edge

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Kernels of forests for NEON. A block of 32 documents is eight vectors of 32-bit words.

// SPLIT clears bits in the words w of 4 documents with the keys k, of which n is the number: w
// AND (limit > key OR keep). V16 limit, V17 keep.
#define SPLIT(n, k, w) \
	CMGTS4(n, 16, n) \
	VORR V17.B16, k.B16, k.B16 \
	VAND k.B16, w.B16, w.B16

// func forestAddF64NEON(set *[ForestRows]uint32, keys []int32, nodes []uint32)
//
// Requires: NEON
//
// It makes one word of all documents; the leaves are looked up in Go.
//
// R0 set   R1 keys   R2 nodes   R3 elements of nodes left   R5 keys of the split   V0 to V7 words
// V18 to V25 keys
TEXT ·forestAddF64NEON(SB), NOSPLIT, $0-56
	MOVD set+0(FP), R0
	MOVD keys_base+8(FP), R1
	MOVD nodes_base+32(FP), R2
	MOVD nodes_len+40(FP), R3
	VMOVI $255, V0.B16
	VMOVI $255, V1.B16
	VMOVI $255, V2.B16
	VMOVI $255, V3.B16
	VMOVI $255, V4.B16
	VMOVI $255, V5.B16
	VMOVI $255, V6.B16
	VMOVI $255, V7.B16
	CBZ   R3, done

split:
	MOVWU.P 4(R2), R4
	ADD     R4<<2, R1, R5
	VLD1R.P 4(R2), [V16.S4]
	VLD1R.P 4(R2), [V17.S4]
	VLD1.P  64(R5), [V18.S4, V19.S4, V20.S4, V21.S4]
	VLD1    (R5), [V22.S4, V23.S4, V24.S4, V25.S4]
	SPLIT(18, V18, V0)
	SPLIT(19, V19, V1)
	SPLIT(20, V20, V2)
	SPLIT(21, V21, V3)
	SPLIT(22, V22, V4)
	SPLIT(23, V23, V5)
	SPLIT(24, V24, V6)
	SPLIT(25, V25, V7)
	SUB  $3, R3
	CBNZ R3, split

done:
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	VST1   [V4.S4, V5.S4, V6.S4, V7.S4], (R0)
	RET

// Tables of the masked loads on AVX2.

// masks is 8 words of zeros, 8 of ones, 8 of zeros: the mask of the first n lanes
// starts n lanes before the second zeros, that of the last n lanes n lanes after the first.
DATA masks<>+0(SB)/8, $0
DATA masks<>+8(SB)/8, $0
DATA masks<>+16(SB)/8, $0
DATA masks<>+24(SB)/8, $0
DATA masks<>+32(SB)/8, $0xffffffffffffffff
DATA masks<>+40(SB)/8, $0xffffffffffffffff
DATA masks<>+48(SB)/8, $0xffffffffffffffff
DATA masks<>+56(SB)/8, $0xffffffffffffffff
DATA masks<>+64(SB)/8, $0
DATA masks<>+72(SB)/8, $0
DATA masks<>+80(SB)/8, $0
DATA masks<>+88(SB)/8, $0
GLOBL masks<>(SB), RODATA|NOPTR, $96

// rotation is 0 to 7 twice: the indices that move the last n lanes to the front
// start n lanes before the second half.
DATA rotation<>+0(SB)/8, $0x0000000100000000
DATA rotation<>+8(SB)/8, $0x0000000300000002
DATA rotation<>+16(SB)/8, $0x0000000500000004
DATA rotation<>+24(SB)/8, $0x0000000700000006
DATA rotation<>+32(SB)/8, $0x0000000100000000
DATA rotation<>+40(SB)/8, $0x0000000300000002
DATA rotation<>+48(SB)/8, $0x0000000500000004
DATA rotation<>+56(SB)/8, $0x0000000700000006
GLOBL rotation<>(SB), RODATA|NOPTR, $64

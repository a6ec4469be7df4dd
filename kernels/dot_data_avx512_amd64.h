// The constants of dot_avx512_amd64.h and of the headers for sums and terms.

// order contains 0 to 31. The W bytes that start at W − r are indices that move the last r of W
// elements to the front.
DATA order<>+0(SB)/8, $0x0706050403020100
DATA order<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA order<>+16(SB)/8, $0x1716151413121110
DATA order<>+24(SB)/8, $0x1f1e1d1c1b1a1918
GLOBL order<>(SB), RODATA|NOPTR, $32
DATA minus0F64<>+0(SB)/8, $0x8000000000000000
GLOBL minus0F64<>(SB), RODATA|NOPTR, $8
DATA minus0F32<>+0(SB)/4, $0x80000000
GLOBL minus0F32<>(SB), RODATA|NOPTR, $4

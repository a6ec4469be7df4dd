// The Advanced SIMD instructions of Armv8.0 that Go's assembler lacks, as far as this package uses
// them. Operands are numbers of registers, in Go's order: the destination is last. ci/lint verifies
// each encoding against its mnemonic, and that the packages agree.

#define FADDS4(m, n, d) WORD $(0x4e20d400 | m<<16 | n<<5 | d) // fadd Vd.4s, Vn.4s, Vm.4s
#define FSUBD2(m, n, d) WORD $(0x4ee0d400 | m<<16 | n<<5 | d) // fsub Vd.2d, Vn.2d, Vm.2d
#define FCVTLD2(n, d) WORD $(0x0e617800 | n<<5 | d) // fcvtl Vd.2d, Vn.2s
#define FMULD2(m, n, d) WORD $(0x6e60dc00 | m<<16 | n<<5 | d) // fmul Vd.2d, Vn.2d, Vm.2d
#define FMIND2(m, n, d) WORD $(0x4ee0f400 | m<<16 | n<<5 | d) // fmin Vd.2d, Vn.2d, Vm.2d
#define FMAXD2(m, n, d) WORD $(0x4e60f400 | m<<16 | n<<5 | d) // fmax Vd.2d, Vn.2d, Vm.2d
#define FMINPD(n, d) WORD $(0x7ef0f800 | n<<5 | d) // fminp Dd, Vn.2d
#define FMAXPD(n, d) WORD $(0x7e70f800 | n<<5 | d) // fmaxp Dd, Vn.2d
#define FCMGTS4(m, n, d) WORD $(0x6ea0e400 | m<<16 | n<<5 | d) // fcmgt Vd.4s, Vn.4s, Vm.4s
#define FCMGES4(m, n, d) WORD $(0x6e20e400 | m<<16 | n<<5 | d) // fcmge Vd.4s, Vn.4s, Vm.4s
#define FMAXS4(m, n, d) WORD $(0x4e20f400 | m<<16 | n<<5 | d) // fmax Vd.4s, Vn.4s, Vm.4s

// Rounding of float64 to float32. The two results go to the lower half, and the upper half is
// cleared; or they go to the upper half.
#define FCVTND2(n, d) WORD $(0x0e616800 | n<<5 | d) // fcvtn Vd.2s, Vn.2d
#define FCVTN2D2(n, d) WORD $(0x4e616800 | n<<5 | d) // fcvtn2 Vd.4s, Vn.2d

// Truncation to a float64 and to an int64.
#define FRINTZD2(n, d) WORD $(0x4ee19800 | n<<5 | d) // frintz Vd.2d, Vn.2d
#define FCVTZSD2(n, d) WORD $(0x4ee1b800 | n<<5 | d) // fcvtzs Vd.2d, Vn.2d

// Comparisons, which set all bits of a lane if n > m, or if n = m.
#define FCMGTD2(m, n, d) WORD $(0x6ee0e400 | m<<16 | n<<5 | d) // fcmgt Vd.2d, Vn.2d, Vm.2d
#define FCMEQD2(m, n, d) WORD $(0x4e60e400 | m<<16 | n<<5 | d) // fcmeq Vd.2d, Vn.2d, Vm.2d
#define FCMEQS4(m, n, d) WORD $(0x4e20e400 | m<<16 | n<<5 | d) // fcmeq Vd.4s, Vn.4s, Vm.4s
#define CMGTS4(m, n, d) WORD $(0x4ea03400 | m<<16 | n<<5 | d) // cmgt Vd.4s, Vn.4s, Vm.4s

// Arithmetic shift to the right.
#define SSHRS4(i, n, d) WORD $(0x4f000400 | (64-i)<<16 | n<<5 | d) // sshr Vd.4s, Vn.4s, #i
#define BIC16(m, n, d) WORD $(0x4e601c00 | m<<16 | n<<5 | d) // bic Vd.16b, Vn.16b, Vm.16b

// Saturating difference of unsigned integers: 0 if it is negative.
#define UQSUBD2(m, n, d) WORD $(0x6ee02c00 | m<<16 | n<<5 | d) // uqsub Vd.2d, Vn.2d, Vm.2d

// These macros encode the Advanced SIMD instructions of Armv8.0 that this package uses and Go's
// assembler does not support. Operands are register numbers in Go's order, with the destination
// last. ci/lint verifies each encoding against its mnemonic, and checks that all packages use the
// same encodings.

#define FADDD2(m, n, d) WORD $(0x4e60d400 | m<<16 | n<<5 | d) // fadd Vd.2d, Vn.2d, Vm.2d
#define FADDS4(m, n, d) WORD $(0x4e20d400 | m<<16 | n<<5 | d) // fadd Vd.4s, Vn.4s, Vm.4s
#define FSUBD2(m, n, d) WORD $(0x4ee0d400 | m<<16 | n<<5 | d) // fsub Vd.2d, Vn.2d, Vm.2d
#define FSUBS4(m, n, d) WORD $(0x4ea0d400 | m<<16 | n<<5 | d) // fsub Vd.4s, Vn.4s, Vm.4s
#define FMULD2(m, n, d) WORD $(0x6e60dc00 | m<<16 | n<<5 | d) // fmul Vd.2d, Vn.2d, Vm.2d
#define FMIND2(m, n, d) WORD $(0x4ee0f400 | m<<16 | n<<5 | d) // fmin Vd.2d, Vn.2d, Vm.2d
#define FMAXD2(m, n, d) WORD $(0x4e60f400 | m<<16 | n<<5 | d) // fmax Vd.2d, Vn.2d, Vm.2d
#define FCMGTD2(m, n, d) WORD $(0x6ee0e400 | m<<16 | n<<5 | d) // fcmgt Vd.2d, Vn.2d, Vm.2d
#define BIC16(m, n, d) WORD $(0x4e601c00 | m<<16 | n<<5 | d) // bic Vd.16b, Vn.16b, Vm.16b
#define FDIVD2(m, n, d) WORD $(0x6e60fc00 | m<<16 | n<<5 | d) // fdiv Vd.2d, Vn.2d, Vm.2d
#define CMGTD2(m, n, d) WORD $(0x4ee03400 | m<<16 | n<<5 | d) // cmgt Vd.2d, Vn.2d, Vm.2d
#define SSHRD2(i, n, d) WORD $(0x4f000400 | (128-i)<<16 | n<<5 | d) // sshr Vd.2d, Vn.2d, #i
#define SSHLLD2(n, d) WORD $(0x0f20a400 | n<<5 | d) // sshll Vd.2d, Vn.2s, #0
#define SSHLL2D2(n, d) WORD $(0x4f20a400 | n<<5 | d) // sshll2 Vd.2d, Vn.4s, #0
#define FCMEQ0S4(n, d) WORD $(0x4ea0d800 | n<<5 | d) // fcmeq Vd.4s, Vn.4s, #0.0
#define SHRNB8(i, n, d) WORD $(0x0f008400 | (16-i)<<16 | n<<5 | d) // shrn Vd.8b, Vn.8h, #i

// d = the sum of the two lowest lanes of n.
#define FADDPD(n, d) WORD $(0x7e70d800 | n<<5 | d) // faddp Dd, Vn.2d
#define FADDPS(n, d) WORD $(0x7e30d800 | n<<5 | d) // faddp Sd, Vn.2s

// d = the lower or the upper two of four float32 of n, converted to float64.
#define FCVTLD2(n, d) WORD $(0x0e617800 | n<<5 | d) // fcvtl Vd.2d, Vn.2s
#define FCVTL2D2(n, d) WORD $(0x4e617800 | n<<5 | d) // fcvtl2 Vd.2d, Vn.4s

// Sets both lanes to 1.
#define ONED2(d) WORD $(0x6f03f600 | d) // fmov Vd.2d, #1.0

// FMULD2E: d = n·m[i]. FMLSD2E: d −= n·m[i], fused.
#define FMULD2E(i, m, n, d) WORD $(0x4fc09000 | i<<11 | m<<16 | n<<5 | d) // fmul Vd.2d, Vn.2d, Vm.d[i]
#define FMLSD2E(i, m, n, d) WORD $(0x4fc05000 | i<<11 | m<<16 | n<<5 | d) // fmls Vd.2d, Vn.2d, Vm.d[i]

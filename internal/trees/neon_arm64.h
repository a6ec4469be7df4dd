// The Advanced SIMD instructions of Armv8.0 that Go's assembler lacks, as far as this package uses
// them. Operands are numbers of registers, in Go's order: the destination is last. ci/lint verifies
// each encoding against its mnemonic, and that the packages agree.

#define FADDD2(m, n, d) WORD $(0x4e60d400 | m<<16 | n<<5 | d) // fadd Vd.2d, Vn.2d, Vm.2d
#define FADDS4(m, n, d) WORD $(0x4e20d400 | m<<16 | n<<5 | d) // fadd Vd.4s, Vn.4s, Vm.4s
#define FSUBD2(m, n, d) WORD $(0x4ee0d400 | m<<16 | n<<5 | d) // fsub Vd.2d, Vn.2d, Vm.2d
#define FSUBS4(m, n, d) WORD $(0x4ea0d400 | m<<16 | n<<5 | d) // fsub Vd.4s, Vn.4s, Vm.4s
#define FADDPS(n, d) WORD $(0x7e30d800 | n<<5 | d) // faddp Sd, Vn.2s
#define FMULD2(m, n, d) WORD $(0x6e60dc00 | m<<16 | n<<5 | d) // fmul Vd.2d, Vn.2d, Vm.2d
#define FMIND2(m, n, d) WORD $(0x4ee0f400 | m<<16 | n<<5 | d) // fmin Vd.2d, Vn.2d, Vm.2d
#define FMAXD2(m, n, d) WORD $(0x4e60f400 | m<<16 | n<<5 | d) // fmax Vd.2d, Vn.2d, Vm.2d
#define FMAXPD(n, d) WORD $(0x7e70f800 | n<<5 | d) // fmaxp Dd, Vn.2d
#define FCMGTD2(m, n, d) WORD $(0x6ee0e400 | m<<16 | n<<5 | d) // fcmgt Vd.2d, Vn.2d, Vm.2d
#define FCMEQS4(m, n, d) WORD $(0x4e20e400 | m<<16 | n<<5 | d) // fcmeq Vd.4s, Vn.4s, Vm.4s
#define CMGTS4(m, n, d) WORD $(0x4ea03400 | m<<16 | n<<5 | d) // cmgt Vd.4s, Vn.4s, Vm.4s
#define BIC16(m, n, d) WORD $(0x4e601c00 | m<<16 | n<<5 | d) // bic Vd.16b, Vn.16b, Vm.16b
#define FDIVD2(m, n, d) WORD $(0x6e60fc00 | m<<16 | n<<5 | d) // fdiv Vd.2d, Vn.2d, Vm.2d
#define FCMGTS4(m, n, d) WORD $(0x6ea0e400 | m<<16 | n<<5 | d) // fcmgt Vd.4s, Vn.4s, Vm.4s
#define FCMGES4(m, n, d) WORD $(0x6e20e400 | m<<16 | n<<5 | d) // fcmge Vd.4s, Vn.4s, Vm.4s
#define FMULS4(m, n, d) WORD $(0x6e20dc00 | m<<16 | n<<5 | d) // fmul Vd.4s, Vn.4s, Vm.4s
#define FDIVS4(m, n, d) WORD $(0x6e20fc00 | m<<16 | n<<5 | d) // fdiv Vd.4s, Vn.4s, Vm.4s
#define FABSS4(n, d) WORD $(0x4ea0f800 | n<<5 | d) // fabs Vd.4s, Vn.4s
#define FABSD2(n, d) WORD $(0x4ee0f800 | n<<5 | d) // fabs Vd.2d, Vn.2d
#define FCMGED2(m, n, d) WORD $(0x6e60e400 | m<<16 | n<<5 | d) // fcmge Vd.2d, Vn.2d, Vm.2d

// The absolute difference, and the minimum in which a NaN is replaced by the other operand.
#define FABDS4(m, n, d) WORD $(0x6ea0d400 | m<<16 | n<<5 | d) // fabd Vd.4s, Vn.4s, Vm.4s
#define FMINNMS4(m, n, d) WORD $(0x4ea0c400 | m<<16 | n<<5 | d) // fminnm Vd.4s, Vn.4s, Vm.4s

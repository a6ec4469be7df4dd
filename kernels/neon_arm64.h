// The Advanced SIMD instructions of Armv8.0 that Go's assembler lacks. Operands
// are numbers of registers, in Go's order: the destination is last. ci/lint
// verifies each encoding against its mnemonic.

#define FADDD2(m, n, d) WORD $(0x4e60d400 | m<<16 | n<<5 | d) // fadd Vd.2d, Vn.2d, Vm.2d
#define FADDS4(m, n, d) WORD $(0x4e20d400 | m<<16 | n<<5 | d) // fadd Vd.4s, Vn.4s, Vm.4s
#define FSUBD2(m, n, d) WORD $(0x4ee0d400 | m<<16 | n<<5 | d) // fsub Vd.2d, Vn.2d, Vm.2d
#define FSUBS4(m, n, d) WORD $(0x4ea0d400 | m<<16 | n<<5 | d) // fsub Vd.4s, Vn.4s, Vm.4s

// The sum of the two lowest lanes.
#define FADDPD(n, d) WORD $(0x7e70d800 | n<<5 | d) // faddp Dd, Vn.2d
#define FADDPS(n, d) WORD $(0x7e30d800 | n<<5 | d) // faddp Sd, Vn.2s

// The lower and the upper two of four float32, converted to float64.
#define FCVTLD2(n, d) WORD $(0x0e617800 | n<<5 | d) // fcvtl Vd.2d, Vn.2s
#define FCVTL2D2(n, d) WORD $(0x4e617800 | n<<5 | d) // fcvtl2 Vd.2d, Vn.4s

// These macros encode the Advanced SIMD instructions that this package uses and Go's assembler does
// not support. All of them are in Armv8.0, unless a comment says otherwise. Operands are register
// numbers in Go's order, with the destination last. ci/lint verifies each encoding against its
// mnemonic, and checks that all packages use the same encodings.

#define FADDD2(m, n, d) WORD $(0x4e60d400 | m<<16 | n<<5 | d) // fadd Vd.2d, Vn.2d, Vm.2d
#define FADDS4(m, n, d) WORD $(0x4e20d400 | m<<16 | n<<5 | d) // fadd Vd.4s, Vn.4s, Vm.4s
#define FSUBD2(m, n, d) WORD $(0x4ee0d400 | m<<16 | n<<5 | d) // fsub Vd.2d, Vn.2d, Vm.2d
#define FSUBS4(m, n, d) WORD $(0x4ea0d400 | m<<16 | n<<5 | d) // fsub Vd.4s, Vn.4s, Vm.4s
#define FCVTLD2(n, d) WORD $(0x0e617800 | n<<5 | d) // fcvtl Vd.2d, Vn.2s
#define FMULD2(m, n, d) WORD $(0x6e60dc00 | m<<16 | n<<5 | d) // fmul Vd.2d, Vn.2d, Vm.2d
#define FCMEQS4(m, n, d) WORD $(0x4e20e400 | m<<16 | n<<5 | d) // fcmeq Vd.4s, Vn.4s, Vm.4s
#define CMGTS4(m, n, d) WORD $(0x4ea03400 | m<<16 | n<<5 | d) // cmgt Vd.4s, Vn.4s, Vm.4s
#define BIC16(m, n, d) WORD $(0x4e601c00 | m<<16 | n<<5 | d) // bic Vd.16b, Vn.16b, Vm.16b
#define FDIVD2(m, n, d) WORD $(0x6e60fc00 | m<<16 | n<<5 | d) // fdiv Vd.2d, Vn.2d, Vm.2d
#define FMULS4(m, n, d) WORD $(0x6e20dc00 | m<<16 | n<<5 | d) // fmul Vd.4s, Vn.4s, Vm.4s
#define FDIVS4(m, n, d) WORD $(0x6e20fc00 | m<<16 | n<<5 | d) // fdiv Vd.4s, Vn.4s, Vm.4s
#define FMAXS4(m, n, d) WORD $(0x4e20f400 | m<<16 | n<<5 | d) // fmax Vd.4s, Vn.4s, Vm.4s
#define FMLAES4(m, n, d) WORD $(0x4f801000 | m<<16 | n<<5 | d) // fmla Vd.4s, Vn.4s, Vm.s[0]
#define FABSS4(n, d) WORD $(0x4ea0f800 | n<<5 | d) // fabs Vd.4s, Vn.4s

// d = the sum of the two lowest lanes of n.
#define FADDPD(n, d) WORD $(0x7e70d800 | n<<5 | d) // faddp Dd, Vn.2d
#define FADDPS(n, d) WORD $(0x7e30d800 | n<<5 | d) // faddp Sd, Vn.2s

// Round float64 to float32. FCVTND2 stores the two results in the lower half of d and clears the
// upper half. FCVTN2D2 stores them in the upper half.
#define FCVTND2(n, d) WORD $(0x0e616800 | n<<5 | d) // fcvtn Vd.2s, Vn.2d
#define FCVTN2D2(n, d) WORD $(0x4e616800 | n<<5 | d) // fcvtn2 Vd.4s, Vn.2d

// Multiply the lower or the upper eight bytes, add sums of two neighbors to a lane, and compute
// absolute differences.
#define SMULLH8(m, n, d) WORD $(0x0e20c000 | m<<16 | n<<5 | d) // smull Vd.8h, Vn.8b, Vm.8b
#define SMULL2H8(m, n, d) WORD $(0x4e20c000 | m<<16 | n<<5 | d) // smull2 Vd.8h, Vn.16b, Vm.16b
#define UMULLH8(m, n, d) WORD $(0x2e20c000 | m<<16 | n<<5 | d) // umull Vd.8h, Vn.8b, Vm.8b
#define UMULL2H8(m, n, d) WORD $(0x6e20c000 | m<<16 | n<<5 | d) // umull2 Vd.8h, Vn.16b, Vm.16b
#define SADALPS4(n, d) WORD $(0x4e606800 | n<<5 | d) // sadalp Vd.4s, Vn.8h
#define UADALPS4(n, d) WORD $(0x6e606800 | n<<5 | d) // uadalp Vd.4s, Vn.8h
#define UADDLPH8(n, d) WORD $(0x6e202800 | n<<5 | d) // uaddlp Vd.8h, Vn.16b
#define SABDB16(m, n, d) WORD $(0x4e207400 | m<<16 | n<<5 | d) // sabd Vd.16b, Vn.16b, Vm.16b
#define UABDB16(m, n, d) WORD $(0x6e207400 | m<<16 | n<<5 | d) // uabd Vd.16b, Vn.16b, Vm.16b

// Convert the lower or the upper four of eight float16 or bfloat16 to float32, and round float32 to
// float16. Results go to the lower half, and the upper half is cleared, or they go to the upper
// half.
#define FCVTLS4(n, d) WORD $(0x0e217800 | n<<5 | d) // fcvtl Vd.4s, Vn.4h
#define FCVTL2S4(n, d) WORD $(0x4e217800 | n<<5 | d) // fcvtl2 Vd.4s, Vn.8h
#define SHLLS4(n, d) WORD $(0x2e613800 | n<<5 | d) // shll Vd.4s, Vn.4h, #16
#define SHLL2S4(n, d) WORD $(0x6e613800 | n<<5 | d) // shll2 Vd.4s, Vn.8h, #16
#define FCVTNH4(n, d) WORD $(0x0e216800 | n<<5 | d) // fcvtn Vd.4h, Vn.4s
#define FCVTN2H8(n, d) WORD $(0x4e216800 | n<<5 | d) // fcvtn2 Vd.8h, Vn.4s
#define XTNH4(n, d) WORD $(0x0e612800 | n<<5 | d) // xtn Vd.4h, Vn.4s
#define XTN2H8(n, d) WORD $(0x4e612800 | n<<5 | d) // xtn2 Vd.8h, Vn.4s

// Extend bytes to 16 bits, extend the lower or the upper four 16-bit lanes to 32 bits, and convert
// integers to float32.
#define SSHLLH8(n, d) WORD $(0x0f08a400 | n<<5 | d) // sshll Vd.8h, Vn.8b, #0
#define USHLLH8(n, d) WORD $(0x2f08a400 | n<<5 | d) // ushll Vd.8h, Vn.8b, #0
#define SSHLLS4(n, d) WORD $(0x0f10a400 | n<<5 | d) // sshll Vd.4s, Vn.4h, #0
#define USHLLS4(n, d) WORD $(0x2f10a400 | n<<5 | d) // ushll Vd.4s, Vn.4h, #0
#define SSHLL2S4(n, d) WORD $(0x4f10a400 | n<<5 | d) // sshll2 Vd.4s, Vn.8h, #0
#define USHLL2S4(n, d) WORD $(0x6f10a400 | n<<5 | d) // ushll2 Vd.4s, Vn.8h, #0
#define SCVTFS4(n, d) WORD $(0x4e21d800 | n<<5 | d) // scvtf Vd.4s, Vn.4s

// Round float32 to integers (ties to even), and narrow integers. Narrowed results go to the lower
// half, and the upper half is cleared, or they go to the upper half. Compute maxima, and compare
// with 0.
#define FCVTNSS4(n, d) WORD $(0x4e21a800 | n<<5 | d) // fcvtns Vd.4s, Vn.4s
#define SQXTNH4(n, d) WORD $(0x0e614800 | n<<5 | d) // sqxtn Vd.4h, Vn.4s
#define SQXTN2H8(n, d) WORD $(0x4e614800 | n<<5 | d) // sqxtn2 Vd.8h, Vn.4s
#define SQXTNB8(n, d) WORD $(0x0e214800 | n<<5 | d) // sqxtn Vd.8b, Vn.8h
#define SQXTN2B16(n, d) WORD $(0x4e214800 | n<<5 | d) // sqxtn2 Vd.16b, Vn.8h
#define SMAXB16(m, n, d) WORD $(0x4e206400 | m<<16 | n<<5 | d) // smax Vd.16b, Vn.16b, Vm.16b
#define SMAXS4(m, n, d) WORD $(0x4ea06400 | m<<16 | n<<5 | d) // smax Vd.4s, Vn.4s, Vm.4s
#define SMAXVS4(n, d) WORD $(0x4eb0a800 | n<<5 | d) // smaxv Sd, Vn.4s
#define FCMGT0S4(n, d) WORD $(0x4ea0c800 | n<<5 | d) // fcmgt Vd.4s, Vn.4s, #0.0

// Add sums of neighboring bytes to 16-bit lanes, and sum neighboring 16-bit lanes. Extend the lower
// or the upper two 32-bit lanes to 64 bits, convert 64-bit integers to float64, compute square
// roots, and compare with 0.
#define UADALPH8(n, d) WORD $(0x6e206800 | n<<5 | d) // uadalp Vd.8h, Vn.16b
#define UADDLPS4(n, d) WORD $(0x6e602800 | n<<5 | d) // uaddlp Vd.4s, Vn.8h
#define SSHLLD2(n, d) WORD $(0x0f20a400 | n<<5 | d) // sshll Vd.2d, Vn.2s, #0
#define SSHLL2D2(n, d) WORD $(0x4f20a400 | n<<5 | d) // sshll2 Vd.2d, Vn.4s, #0
#define SCVTFD2(n, d) WORD $(0x4e61d800 | n<<5 | d) // scvtf Vd.2d, Vn.2d
#define FSQRTD2(n, d) WORD $(0x6ee1f800 | n<<5 | d) // fsqrt Vd.2d, Vn.2d
#define FCMEQ0D2(n, d) WORD $(0x4ee0d800 | n<<5 | d) // fcmeq Vd.2d, Vn.2d, #0.0

// These instructions require an extension of Armv8.0. They add four products of bytes to each lane.
#define SDOTS4(m, n, d) WORD $(0x4e809400 | m<<16 | n<<5 | d) // sdot Vd.4s, Vn.16b, Vm.16b
#define SDOTES4(m, n, d) WORD $(0x4f80e000 | m<<16 | n<<5 | d) // sdot Vd.4s, Vn.16b, Vm.4b[0]
#define UDOTS4(m, n, d) WORD $(0x6e809400 | m<<16 | n<<5 | d) // udot Vd.4s, Vn.16b, Vm.16b

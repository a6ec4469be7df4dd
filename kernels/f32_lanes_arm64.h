// These macros are common to the type headers with float32 lanes. f64_lanes_arm64.h describes them.
#define TYPE S4
#define WIDTH 4
#define MINUS0 0x80000000
#define FMOV FMOVS
#define MOV MOVW
#define FADD FADDS4
#define FSUB FSUBS4
#define HALVE(n, V, d, s, S) VEXT $8, V.B16, V.B16, S.B16; FADDS4(s, n, n); FADDPS(n, d)

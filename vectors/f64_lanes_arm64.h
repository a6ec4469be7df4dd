// These macros are common to the type headers with float64 lanes.
#define TYPE D2 // arrangement of a register of lanes
#define WIDTH 2 // number of lanes per register
#define MINUS0 0x8000000000000000
#define FMOV FMOVD // loads or stores an element of dst
#define MOV MOVD
#define FADD FADDD2
#define FSUB FSUBD2
#define HALVE(n, V, d, s, S) FADDPD(n, d) // d = the sum of the lanes of V, number n; S, number s, is scratch

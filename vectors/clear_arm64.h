// Undefines the macros of a type header with lanes.
#undef TYPE
#undef WIDTH
#undef MINUS0
#undef FMOV
#undef MOV
#undef FADD
#undef FSUB
#undef HALVE
#undef LOGX
#undef LOGY
#undef LOADX
#undef LOADX1
#undef LOADY
#undef LOADY1
#undef PAD
#undef LOADTAIL

// Undefines the parameters that a type header, such as f64_amd64.h or f32_i8_amd64.h, defines.
#undef LANES
#undef MUL
#undef SUB
#undef FMA
#undef ADD
#undef MINUS0
#undef RETURN_SUM
#undef XSIZE
#undef YSIZE
#undef LOADX
#undef LOADY
#undef TAIL
#ifdef WITHY // types of dot_amd64.h
#undef WITHY
#undef LOADED
#undef MASKMOV
#undef FILL
#undef CONVERT
#endif

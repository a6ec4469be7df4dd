// Undefines the parameters that a type header defines, such as f64_amd64.h or f32_i8_amd64.h.
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
#ifdef WITHY // parameters that only the type headers of dot_amd64.h define
#undef WITHY
#undef LOADED
#undef MASKMOV
#undef FILL
#undef CONVERT
#endif

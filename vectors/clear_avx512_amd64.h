// Undefines the macros that a header of element types defines.
#undef LOADX
#undef LOADX_K
#undef LOADY
#undef LOADY_K
#undef LANES
#undef XSIZE
#undef YSIZE

// Undefines the macros of a header of element types.
#undef LOADX
#undef LOADX_K
#undef LOADY
#undef LOADY_K
#undef LANES
#undef XSIZE
#undef YSIZE

// Undefines what a header of element types sets.
#undef LOADX
#undef LOADX_K
#undef LOADY
#undef LOADY_K
#undef LANES
#undef XSIZE
#undef YSIZE

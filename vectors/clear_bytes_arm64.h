// Undefines the macros that a type header of bytes defines.
#undef START
#undef PRODUCTS
#undef SQUARES

// Undefines the macros of a type header of bytes.
#undef START
#undef PRODUCTS
#undef SQUARES

// Undefines what a type header of bytes sets.
#undef START
#undef PRODUCTS
#undef SQUARES

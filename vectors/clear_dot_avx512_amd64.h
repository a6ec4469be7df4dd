// Undefines the parameters of dot_avx512_amd64.h.
#include "clear_avx512_amd64.h"
#undef ADD
#undef SUB
#undef MUL
#undef FMA
#undef MOVE
#undef INDEX
#undef MINUS0
#undef HALVE
#undef BY
#undef BY_K1

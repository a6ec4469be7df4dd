// Undefines the parameters of compare_avx512_amd64.h.
#include "clear_avx512_amd64.h"
#include "clear_terms_avx512_amd64.h"

// The registers that compare_avx512_amd64.h and bf16_avx512_amd64.h use. clear_terms_avx512_amd64.h
// undefines their names.
#define xNext SI // address of the next elements of x
#define yNext DI // address of the next elements of y
#define left  DX // number of remaining elements − elements per iteration
#define sum0  Z0 // Σ x·y or Σ (x−y)², four groups of lanes
#define sum1  Z1
#define sum2  Z2
#define sum3  Z3
#define xx0   Z4 // Σ x·x for cosines
#define xx1   Z5
#define xx2   Z6
#define xx3   Z7
#define yy0   Z8 // Σ y·y for cosines
#define yy1   Z9
#define yy2   Z10
#define yy3   Z11

// Times OpenBLAS, a plain loop, and what the memory of this machine can do. One line
// of input asks for one measurement: what, element type, n, rows, stride, least
// milliseconds; the answer is the seconds of a call and the sum of its result,
// which the caller compares with its own. The argument is the OpenBLAS library of a wheel of NumPy.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The functions of NumPy's OpenBLAS, whose integers have 64 bits.
enum { CblasRowMajor = 101, CblasNoTrans = 111, CblasTrans = 112 };
typedef int64_t n64;
static double (*cblas_ddot)(n64, const double *, n64, const double *, n64);
static float (*cblas_sdot)(n64, const float *, n64, const float *, n64);
static void (*cblas_daxpy)(n64, double, const double *, n64, double *, n64);
static void (*cblas_saxpy)(n64, float, const float *, n64, float *, n64);
static void (*cblas_dgemv)(int, int, n64, n64, double, const double *, n64, const double *, n64, double, double *, n64);
static void (*cblas_sgemv)(int, int, n64, n64, float, const float *, n64, const float *, n64, float, float *, n64);
static void (*set_num_threads)(int);
static char *(*get_corename)(void), *(*get_config)(void);

static void open_blas(const char *path) {
	void *library = dlopen(path, RTLD_NOW);
#define LOAD(name, symbol)                                                      \
	if (!library || !(*(void **)&name = dlsym(library, "scipy_" symbol "64_"))) { \
		fprintf(stderr, "%s\n", dlerror());                            \
		exit(1);                                                        \
	}
	LOAD(cblas_ddot, "cblas_ddot")
	LOAD(cblas_sdot, "cblas_sdot")
	LOAD(cblas_daxpy, "cblas_daxpy")
	LOAD(cblas_saxpy, "cblas_saxpy")
	LOAD(cblas_dgemv, "cblas_dgemv")
	LOAD(cblas_sgemv, "cblas_sgemv")
	LOAD(set_num_threads, "openblas_set_num_threads")
	LOAD(get_corename, "openblas_get_corename")
	LOAD(get_config, "openblas_get_config")
	set_num_threads(1);
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

// The same numbers as fill in main.go: multiples of 2^-9 in [-0.5, 0.5), exact in
// both types.
static double element(size_t i, unsigned seed) {
	uint32_t h = ((uint32_t)i + 1) * 2654435761u + seed * 40503u;
	return (h >> 23) / 512.0 - 0.5;
}

// fill returns n numbers; the buffer of each seed is kept, for the next request is
// often for the same size.
static void *fill(size_t n, unsigned seed, int wide) {
	static struct {
		void *p;
		size_t n;
		int wide;
	} kept[4];
	if (kept[seed].n != n || kept[seed].wide != wide) {
		free(kept[seed].p);
		if (posix_memalign(&kept[seed].p, 4096, n * (wide ? 8 : 4) + 4096)) {
			puts("error: out of memory");
			exit(1);
		}
		kept[seed].n = n;
		kept[seed].wide = wide;
	} else if (seed == 1) {
		return kept[1].p; // never written by a kernel
	}
	void *p = kept[seed].p;
	for (size_t i = 0; i < n; i++)
		if (wide)
			((double *)p)[i] = element(i, seed);
		else
			((float *)p)[i] = (float)element(i, seed);
	return p;
}

// TIME repeats body until it has taken ms milliseconds, after ten to warm up: the
// clock of the processor rises slowly after a pause.
#define TIME(body)                                                    \
	for (long reps = 1, warm = 0;;) {                             \
		double start = now();                                 \
		for (long k = 0; k < reps; k++) {                     \
			body;                                         \
		}                                                     \
		double took = (now() - start) * 1e3;                  \
		double least = warm || ms > 10 ? ms : 10;             \
		if (took >= least && warm++) {                        \
			seconds = took / 1e3 / reps;                  \
			break;                                        \
		}                                                     \
		if (took < least) {                                   \
			double grow = 1.2 * least / (took + 1e-3);    \
			reps = reps * (grow > 100 ? 100 : grow) + 1;  \
		}                                                     \
	}

// The limits, in assembly so that the compiler adds nothing: n bytes are loaded
// (and, for CONVERT, converted from float to double, which a dot product with a
// double sum cannot avoid), eight vectors a turn, and dropped.
#define EIGHT(op, step, reg)                                                                                     \
	op " 0*" step "(%0), %%" reg "0;" op " 1*" step "(%0), %%" reg "1;" op " 2*" step "(%0), %%" reg "2;"    \
	op " 3*" step "(%0), %%" reg "3;" op " 4*" step "(%0), %%" reg "4;" op " 5*" step "(%0), %%" reg "5;"    \
	op " 6*" step "(%0), %%" reg "6;" op " 7*" step "(%0), %%" reg "7;"
#define LIMIT(name, op, step, reg)                                                                               \
	static void name(const char *p, size_t n) {                                                              \
		for (const char *end = p + n; p < end; p += 8 * step)                                            \
			__asm__ volatile(EIGHT(op, #step, reg)::"r"(p)                                           \
			                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");      \
	}
LIMIT(read512, "vmovups", 64, "zmm")
LIMIT(read256, "vmovups", 32, "ymm")
LIMIT(convert512, "vcvtps2pd", 32, "zmm")
LIMIT(convert256, "vcvtps2pd", 16, "ymm")

int main(int argc, char **argv) {
	char what[32], type[8];
	long a, b, c;
	double ms;
	open_blas(argc > 1 ? argv[1] : "");
	setvbuf(stdout, NULL, _IOLBF, 0);
	int avx512 = __builtin_cpu_supports("avx512dq");
	// what type n rows stride milliseconds; the last two sizes are of a matrix with n columns
	while (scanf("%31s %7s %ld %ld %ld %lf", what, type, &a, &b, &c, &ms) == 6) {
		int wide = !strcmp(type, "f64");
		double seconds = 0, sum = 0;
		size_t n = a, rows = b, stride = c;
		if (!strcmp(what, "core")) {
			char *name, version[32]; // the configuration is "OpenBLAS VERSION OPTIONS"
			sscanf(get_config(), "OpenBLAS %31s", version);
			name = get_corename();
			printf("%s %s\n", version, name);
			continue;
		} else if (!strcmp(what, "dot")) {
			void *x = fill(n, 1, wide), *y = fill(n, 2, wide);
			if (wide)
				TIME(sum = cblas_ddot(n, x, 1, y, 1))
			else
				TIME(sum = cblas_sdot(n, x, 1, y, 1))
		} else if (!strcmp(what, "axpy")) {
			void *x = fill(n, 1, wide), *y = fill(n, 2, wide);
			// The sign alternates, so that y stays near where it was.
			if (wide)
				TIME(cblas_daxpy(n, k & 1 ? -0.5 : 0.5, x, 1, y, 1))
			else
				TIME(cblas_saxpy(n, k & 1 ? -0.5f : 0.5f, x, 1, y, 1))
			y = fill(n, 2, wide);
			if (wide)
				cblas_daxpy(n, 0.5, x, 1, y, 1);
			else
				cblas_saxpy(n, 0.5f, x, 1, y, 1);
			for (size_t i = 0; i < n; i++)
				sum += wide ? ((double *)y)[i] : ((float *)y)[i];
		} else if (!strcmp(what, "gemv") || !strcmp(what, "gemvt")) {
			// y = A·x, or y += ±Aᵀ·x.
			int trans = what[4] == 't';
			int t = trans ? CblasTrans : CblasNoTrans;
			size_t ny = trans ? n : rows;
			void *m = fill(rows * stride, 1, wide), *x = fill(trans ? rows : n, 2, wide), *y = fill(ny, 3, wide);
			if (wide)
				TIME(cblas_dgemv(CblasRowMajor, t, rows, n, trans && k & 1 ? -1 : 1, m, stride, x, 1, trans, y, 1))
			else
				TIME(cblas_sgemv(CblasRowMajor, t, rows, n, trans && k & 1 ? -1 : 1, m, stride, x, 1, trans, y, 1))
			y = fill(ny, 3, wide);
			if (wide)
				cblas_dgemv(CblasRowMajor, t, rows, n, 1, m, stride, x, 1, trans, y, 1);
			else
				cblas_sgemv(CblasRowMajor, t, rows, n, 1, m, stride, x, 1, trans, y, 1);
			for (size_t i = 0; i < ny; i++)
				sum += wide ? ((double *)y)[i] : ((float *)y)[i];
		} else if (!strcmp(what, "read") || !strcmp(what, "convert")) {
			const char *p = fill(n / 4, 1, 0);
			if (what[0] == 'r') {
				void (*f)(const char *, size_t) = avx512 ? read512 : read256;
				TIME(f(p, n))
			} else {
				TIME(convert256(p, n))
				if (avx512) { // faster on Zen 5 and Intel's, slower on Zen 4
					double shorter = seconds;
					TIME(convert512(p, n))
					seconds = seconds < shorter ? seconds : shorter;
				}
			}
		} else {
			printf("error: %s: no such measurement\n", what);
			continue;
		}
		printf("%.17g %.17g\n", seconds, sum);
	}
	return 0;
}

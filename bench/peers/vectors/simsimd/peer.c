// Times SimSIMD's kernels in its prebuilt library, whose path is the argument. One line of input
// asks for one measurement: operation, element type, n, least milliseconds; the answer is the
// seconds of a call and its result.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The processor time of this process, which the load of the machine hardly changes.
static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

// The numbers of main.go.
static void fill(void *p, const char *type, size_t n, unsigned seed) {
	for (size_t i = 0; i < n; i++) {
		uint32_t h = ((uint32_t)i + 1) * seed;
		double v = (h >> 23) / 512.0 - 0.5;
		float f = (float)v;
		uint32_t bits;
		memcpy(&bits, &f, 4);
		if (!strcmp(type, "f64"))
			((double *)p)[i] = v;
		else if (!strcmp(type, "f32"))
			((float *)p)[i] = f;
		else if (!strcmp(type, "f16"))
			((_Float16 *)p)[i] = (_Float16)f;
		else if (!strcmp(type, "bf16"))
			((uint16_t *)p)[i] = bits >> 16; // exact
		else
			((uint8_t *)p)[i] = h >> 24;
	}
}

// The library registers itself with node when it is loaded; the rest of node it never asks for.
void napi_module_register(void *module) { (void)module; }

typedef void (*metric)(const void *, const void *, uint64_t, double *);

int main(int argc, char **argv) {
	void *library = dlopen(argv[1], RTLD_LAZY);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	char what[32], type[8], name[64];
	long n;
	double ms;
	while (scanf("%31s %7s %ld %lf", what, type, &n, &ms) == 4) {
		snprintf(name, sizeof name, "simsimd_%s_%s", what, type);
		metric f = (metric)dlsym(library, name);
		void *x, *y;
		if (!f || posix_memalign(&x, 4096, 8 * n + 4096) || posix_memalign(&y, 4096, 8 * n + 4096)) {
			printf("error: no %s, or no memory\n", name);
			continue;
		}
		fill(x, type, n, 2654435761u);
		fill(y, type, n, 2246822519u);
		double result = 0, seconds = 0;
		// ten milliseconds to warm up: the clock of the processor rises slowly after a pause
		for (long reps = 1, warm = 0;;) {
			double start = now();
			for (long k = 0; k < reps; k++)
				f(x, y, n, &result);
			double took = (now() - start) * 1e3, least = warm || ms > 10 ? ms : 10;
			if (took >= least && warm++) {
				seconds = took / 1e3 / reps;
				break;
			}
			if (took < least) {
				double grow = 1.2 * least / (took + 1e-3);
				reps = reps * (grow > 100 ? 100 : grow) + 1;
			}
		}
		printf("%.9g %.9g\n", seconds, result);
		free(x);
		free(y);
	}
	return 0;
}

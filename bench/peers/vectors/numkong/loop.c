// Times calls of a function of NumKong. peer.py loads it, because a call from Python takes longer than
// the function.
#include <stdint.h>
#include <time.h>

// The processor time of this process, which the load of the machine hardly changes.
static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

double seconds(void (*f)(const void *, const void *, uint64_t, void *), const void *x, const void *y, uint64_t n,
               double ms, void *result) {
	// ten milliseconds to warm up: the clock of the processor rises slowly after a pause
	for (long reps = 1, warm = 0;;) {
		double start = now();
		for (long k = 0; k < reps; k++)
			f(x, y, n, result);
		double took = (now() - start) * 1e3, least = warm || ms > 10 ? ms : 10;
		if (took >= least && warm++)
			return took / 1e3 / reps;
		if (took < least) {
			double grow = 1.2 * least / (took + 1e-3);
			reps = reps * (grow > 100 ? 100 : grow) + 1;
		}
	}
}

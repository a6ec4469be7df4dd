"""Prints the golden values of rank/kendall_test.go: scipy.stats of Debian (scipy 1.10.1, numpy 1.24.2).

    /usr/bin/python3 bench/peers/tau/golden.py

scipy 1.17.0 prints the same values of tau-b, tau-c and weightedtau:

    python3 -m venv venv && venv/bin/pip install scipy==1.17.0 && venv/bin/python bench/peers/tau/golden.py
"""
import numpy as np
from scipy import stats


def lcg(n, m, seed):
    """n integers below m: the generator that the Go test repeats."""
    out, s = [], seed
    for _ in range(n):
        s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((s >> 33) % m)
    return np.array(out, float)


def go(v):
    return "math.NaN()" if np.isnan(v) else repr(float(v))


# n values of x below mx and of y below my; noise 1 adds x to y
for n, mx, my, noise in [
    (2, 1 << 30, 1 << 30, 0), (3, 1 << 30, 1 << 30, 0), (5, 1 << 30, 1 << 30, 0), (10, 1 << 30, 1 << 30, 0),
    (20, 1 << 30, 1 << 30, 1), (33, 1 << 30, 1 << 30, 0), (34, 1 << 30, 1 << 30, 0), (40, 1 << 30, 1 << 30, 1),
    (10, 3, 5, 0), (30, 5, 1 << 30, 0), (64, 2, 2, 0), (100, 5, 1000, 1), (129, 1, 7, 0), (200, 7, 7, 1),
    (1000, 1000, 5, 0), (5000, 50, 1 << 30, 1),
]:
    x, y = lcg(n, mx, 1), lcg(n, my, 2)
    if noise:
        y += x
    b, c = stats.kendalltau(x, y), stats.kendalltau(x, y, variant="c")
    w = stats.weightedtau(x, y)
    print(f"\t{{{n}, {mx}, {my}, {str(bool(noise)).lower()}, {go(b.statistic)}, {go(c.statistic)}, {go(b.pvalue)}, {go(w.statistic)}}},")

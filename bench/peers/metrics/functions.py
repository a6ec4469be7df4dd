#!/usr/bin/env python3
"""Print internal/num/testdata/functions.csv: function, parameter, argument, value.

Made with mpmath 1.3.0 at 60 digits; values are rounded to the nearest float64.
"""
import random
from mpmath import betainc, erfc, exp, log, log1p, mp, mpf, sqrt

mp.dps = 60
random.seed(12)


def row(name, parameter, x, value):
    print(f"{name},{parameter},{x!r},{float(value)!r}")


def student(nu, t):
    # The smaller of x and 1−x, so that the series converges.
    t2 = mpf(t) ** 2
    x = nu / (nu + t2)
    if t2 > 3:
        return betainc(mpf(nu) / 2, mpf(1) / 2, 0, x, regularized=True)
    return 1 - betainc(mpf(1) / 2, mpf(nu) / 2, 0, t2 / (nu + t2), regularized=True)


for _ in range(60):
    x = random.uniform(-1, 1)
    row("exp", 0, x, exp(mpf(x)))
    x = random.uniform(-708, 709)
    row("exp", 0, x, exp(mpf(x)))
    x = random.uniform(-1020, 1020)
    row("exp2", 0, x, mpf(2) ** mpf(x))
    x = random.random() * 10 ** -random.randrange(12)
    row("log1p", 0, x, log1p(mpf(x)))
for i in range(120):
    z = random.uniform(0, 3) if i % 2 else random.uniform(0, 37)
    row("normal", 0, z, erfc(mpf(z) / sqrt(mpf(2))))
for nu in [1, 2, 3, 4, 5, 7, 10, 29, 30, 99, 100, 784, 999, 6980, 31530]:
    for t in [1e-9, 0.01, 0.5, 1.0, 1.7, 1.75, 2.0, 2.5, 3.5, 6.0, 12.0, 30.0, random.uniform(0, 8)]:
        p = student(nu, t)
        if p > 1e-280:
            row("student", nu, t, p)
for nu, t in [(1, 1e100), (2, 1e60), (3, 1e8), (200000, 1.5), (200000, 4.0)]:
    row("student", nu, t, student(nu, t))
# Correctly rounded functions: shares, as the measures of trec_eval are, their logarithms, and numbers
# close to 1 and far from it.
for _ in range(100):
    b = random.randrange(2, 400)
    for x in [random.randrange(1, b) / b, 1 + random.randrange(-3, 4) * 2.0**-random.randrange(5, 50),
              random.random() * 2.0 ** random.randrange(-900, 900)]:
        row("rounded log", 0, x, log(mpf(x)))
        row("rounded log2", 0, x, log(mpf(x), 2))
        row("rounded exp", 0, float(log(mpf(x))), exp(mpf(float(log(mpf(x))))))

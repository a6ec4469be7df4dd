"""Trains scikit-learn's LinearSVC on the pairs of a set that bench/peers/ranksvm wrote: a server that
answers lines "load PATH ROWS COLS QUERIES" and "train LOSS C TOL" (dual: for hinge)."""
import sys
import time
import warnings

import numpy as np
from sklearn.svm import LinearSVC

warnings.simplefilter("ignore")


def load(path, rows, cols, queries):
    x = np.fromfile(path + ".x", np.float32).reshape(rows, cols).astype(np.float64)
    y = np.fromfile(path + ".y")
    offsets = np.fromfile(path + ".q", np.int64)
    assert len(y) == rows and len(offsets) == queries + 1
    out = []
    for a, b in zip(offsets, offsets[1:]):
        i, j = np.nonzero(y[a:b, None] > y[None, a:b])
        out.append(x[a + i] - x[a + j])
    p = np.concatenate(out)
    sign = np.where(np.arange(len(p)) % 2 == 0, 1.0, -1.0)  # LinearSVC wants two classes
    return p * sign[:, None], sign


for line in sys.stdin:
    try:
        command, *args = line.split()
        if command == "load":
            x, y = load(args[0], *map(int, args[1:]))
            print(len(y), flush=True)
        else:
            loss, c, tol = args[0], float(args[1]), float(args[2])
            svc = LinearSVC(loss=loss, C=c, tol=tol, fit_intercept=False, dual=loss == "hinge", max_iter=100000)
            start = time.perf_counter()
            svc.fit(x, y)
            took = time.perf_counter() - start
            print(took, *map(repr, svc.coef_.ravel().tolist()), flush=True)
    except Exception as e:  # the driver reports it
        print("error:", repr(e), flush=True)

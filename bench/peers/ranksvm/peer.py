"""Trains scikit-learn's LinearSVC on the pairs of a set that bench/peers/ranksvm wrote: a server that
answers lines "load PATH ROWS COLS QUERIES" and "train LOSS C TOL" (dual: for hinge)."""
import warnings

import numpy as np
from sklearn.svm import LinearSVC

import peers

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


def read(path, *shape):
    global x, y
    x, y = load(path, *map(int, shape))
    return len(y)


def train(loss, c, tol):
    svc = LinearSVC(loss=loss, C=float(c), tol=float(tol), fit_intercept=False, dual=loss == "hinge",
                    max_iter=100000)
    took, _ = peers.timed(svc.fit, x, y)
    return (took, *map(float, svc.coef_.ravel()))


peers.serve(dict(load=read, train=train))

"""Prints the golden objectives of rank/ranksvm_golden_test.go: LinearSVC of Debian's scikit-learn
(1.2.1) on the pairs of the same float32 features, written out.

    /usr/bin/python3 bench/peers/ranksvm/golden.py FOLDER

FOLDER holds mq2008-fold1, lightgbm-lambdarank and clueweb09-webis. It takes two minutes.
"""
import gzip
import sys

import numpy as np
from sklearn.svm import LinearSVC


def letor(path):
    """Features as float32 (in float64), labels and query ids of a LETOR file."""
    rows, labels, queries = [], [], []
    with gzip.open(path, "rt") as f:
        for line in f:
            t = line.split("#")[0].split()
            if t:
                labels.append(float(t[0]))
                queries.append(t[1])
                rows.append([(int(k) - 1, float(v)) for k, v in (p.split(":") for p in t[2:])])
    x = np.zeros((len(rows), 1 + max(k for r in rows for k, _ in r)), np.float32)
    for i, r in enumerate(rows):
        for k, v in r:
            x[i, k] = v
    return x.astype(np.float64), np.array(labels), queries


def pairs(x, y, q):
    """Preferred minus other document, for every pair of a query with different labels."""
    ends = [i for i in range(1, len(q)) if q[i] != q[i - 1]]
    out = []
    for a, b in zip([0] + ends, ends + [len(q)]):
        i, j = np.nonzero(y[a:b, None] > y[None, a:b])
        out.append(x[a + i] - x[a + j])
    return np.concatenate(out)


def main(folder):
    for path, c in [
        ("mq2008-fold1/train.txt.gz", 1),
        ("lightgbm-lambdarank/train.txt.gz", 0.01),
        ("clueweb09-webis/S1.txt.gz", 0.001),
    ]:
        p = pairs(*letor(f"{folder}/{path}"))
        sign = np.where(np.arange(len(p)) % 2 == 0, 1.0, -1.0)  # LinearSVC wants two classes
        for loss in ["squared_hinge", "hinge"]:
            dual = loss == "hinge"
            w = LinearSVC(
                loss=loss, C=c, fit_intercept=False, dual=dual, tol=1e-8 if dual else 1e-9, max_iter=100000
            ).fit(p * sign[:, None], sign).coef_.ravel()
            t = np.maximum(0, 1 - p @ w)
            print(path, loss, len(p), repr(0.5 * w @ w + c * (t.sum() if dual else t @ t)))


main(sys.argv[1])

"""Prints the golden values of rank/ranksvm_weights_test.go: LinearSVC on difference vectors with
sample weights, for row weights and for listed pairs.

    python3 -m venv venv && venv/bin/pip install numpy==2.2.6 scipy==1.15.3 scikit-learn==1.6.1
    venv/bin/python bench/peers/ranksvm/golden_weights.py
"""
import numpy as np
from sklearn.svm import LinearSVC

QUERIES, DOCS, COLS, C = 8, 10, 4, 0.05

# The test computes the same data from the same formulas.
row = np.arange(QUERIES * DOCS)
x = np.array([[(i * (j + 3) * 7 + i * i * (j + 1)) % 33 / 16 for j in range(COLS)] for i in row])
label = row * 5 % 7 // 2
weight = row * 7 % 5 / 2


def by_rows():
    """Each pair has the weight of its better document."""
    for q in range(0, len(row), DOCS):
        for i in range(q, q + DOCS):
            for j in range(q, q + DOCS):
                if label[i] > label[j] and weight[i] > 0:
                    yield i, j, weight[i]


def listed():
    """Some pairs, with duplicates and contradictions."""
    for k in range(120):
        q = k % QUERIES * DOCS
        i, j = k * 3 % DOCS, (k * k + 1) % DOCS
        if i != j:
            yield q + i, q + j, (k % 4 + 1) / 2


for name, pairs in [("rows", list(by_rows())), ("pairs", list(listed()))]:
    i, j, w = (np.array(v) for v in zip(*pairs))
    d = x[i] - x[j]
    sign = np.where(np.arange(len(d)) % 2 == 0, 1.0, -1.0)  # LinearSVC requires two classes
    for loss in ["squared_hinge", "hinge"]:
        svc = LinearSVC(loss=loss, C=C, fit_intercept=False, dual=True, tol=1e-10, max_iter=10**6)
        v = svc.fit(d * sign[:, None], sign, sample_weight=w).coef_.ravel()
        t = np.maximum(0, 1 - d @ v)
        f = 0.5 * v @ v + C * (w @ t if loss == "hinge" else w @ (t * t))
        print(name, loss, len(d), repr(float(f)), [float(a) for a in v])

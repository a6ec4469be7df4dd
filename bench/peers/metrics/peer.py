#!/usr/bin/env python3
"""Answers requests of bench/peers/metrics with seconds and a value.

load DIR QUERIES N   reads labels (uint8) and scores (float32) of QUERIES × N documents; answers with versions
numpy K              mean NDCG@K (0: whole list) with gain 2^r-1 the way it is written in numpy: argpartition
                     of the best K, or argsort
xgboost K            the same by XGBoost's metric, on a booster without trees
sklearn K            mean NDCG@K with linear gain by sklearn.metrics.ndcg_score
differences DIR      reads DIR/differences (float64) for the tests below; answers with the version
signs ROUNDS         p of a randomization test with signs drawn as integers, 50 rounds at once, which stay in
                     the cache
bits ROUNDS          the same with signs unpacked from random bytes, which is faster
"""
import sys
import time

import numpy as np
import sklearn
import xgboost
from sklearn.metrics import ndcg_score


def gains(labels, index):
    return np.exp2(np.take_along_axis(labels, index, 1), dtype=np.float64) - 1


def numpy_ndcg(labels, scores, k):
    n = scores.shape[1]
    if k == 0:
        order = np.argsort(-scores, axis=1)
        best = -np.sort(-labels.astype(np.int8), axis=1)
        k = n
    else:
        top = np.argpartition(-scores, k, axis=1)[:, :k]
        order = np.take_along_axis(top, np.argsort(-np.take_along_axis(scores, top, 1), axis=1), 1)
        best = -np.sort(-np.partition(labels, n - k, axis=1)[:, n - k:].astype(np.int8), axis=1)
    discount = 1 / np.log2(np.arange(k) + 2.0)
    return np.mean(gains(labels, order) @ discount / ((np.exp2(best, dtype=np.float64) - 1) @ discount))


def randomization(differences, rounds, bits):
    rng, n, at_once = np.random.default_rng(1), len(differences), 50
    seen, count = abs(differences.sum()), 0
    for _ in range(0, rounds, at_once):
        if bits:
            drawn = np.frombuffer(rng.bytes(at_once * n // 8), np.uint8)
            signs = np.unpackbits(drawn).reshape(at_once, n).astype(np.float64)
        else:
            signs = rng.integers(0, 2, (at_once, n), dtype=np.int8)
        count += np.count_nonzero(abs((2 * signs - 1) @ differences) >= seen)
    return (count + 1) / (rounds + 1)


def main():
    for line in sys.stdin:
        what, *args = line.split()
        try:
            if what == "load":
                shape = int(args[1]), int(args[2])
                labels = np.fromfile(args[0] + "/labels", np.uint8).reshape(shape)
                scores = np.fromfile(args[0] + "/scores", np.float32).reshape(shape)
                matrix = xgboost.DMatrix(np.zeros((labels.size, 1), np.float32), label=labels.ravel(), nthread=1)
                matrix.set_group(np.full(shape[0], shape[1]))
                matrix.set_base_margin(scores.ravel())
                boosters = {}
                print(np.__version__, sklearn.__version__, xgboost.__version__, flush=True)
                continue
            if what == "differences":
                differences = np.fromfile(args[0] + "/differences")
                print(np.__version__, flush=True)
                continue
            k = int(args[0])
            if what == "xgboost" and k not in boosters:
                params = {"objective": "rank:pairwise", "eval_metric": f"ndcg@{k}" if k else "ndcg", "nthread": 1}
                boosters[k] = xgboost.train(params, matrix, 0)
            start = time.perf_counter()
            if what == "numpy":
                value = numpy_ndcg(labels, scores, k)
            elif what in ("signs", "bits"):
                value = randomization(differences, k, what == "bits")
            elif what == "xgboost":
                value = float(boosters[k].eval(matrix).rsplit(":", 1)[1])
            else:
                value = ndcg_score(labels, scores, k=k or None)
            print(time.perf_counter() - start, repr(float(value)), flush=True)
        except Exception as e:
            print("error:", str(e).replace("\n", " "), flush=True)


main()

"""Answers requests of bench/peers/metrics with seconds and a value.

load DIR QUERIES N   reads labels (uint8) and scores (float32) of QUERIES × N documents
numpy K              mean NDCG@K (0: whole list) with gain 2^r-1 the way it is written in numpy: argpartition
                     of the best K, or argsort
xgboost K            the same by XGBoost's metric, on a booster without trees
sklearn K            mean NDCG@K with linear gain by sklearn.metrics.ndcg_score
differences DIR      reads DIR/differences (float64) for the tests below
signs ROUNDS         p of a randomization test with signs drawn as integers, 50 rounds at once, which stay in
                     the cache
bits ROUNDS          the same with signs unpacked from random bytes, which is faster
"""
import numpy as np

import peers


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


def randomization(rounds, bits):
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


def load(folder, queries, n):
    global labels, scores, boosters
    shape = int(queries), int(n)
    labels = np.fromfile(folder + "/labels", np.uint8).reshape(shape)
    scores = np.fromfile(folder + "/scores", np.float32).reshape(shape)
    boosters = {}
    return n


def booster(k):
    """A booster and a matrix, whose metric is that of the scores."""
    import xgboost
    if k not in boosters:
        matrix = xgboost.DMatrix(np.zeros((labels.size, 1), np.float32), label=labels.ravel(), nthread=1)
        matrix.set_group(np.full(labels.shape[0], labels.shape[1]))
        matrix.set_base_margin(scores.ravel())
        # Without @, XGBoost 3 computes NDCG@32.
        params = {"objective": "rank:pairwise", "eval_metric": f"ndcg@{k or labels.shape[1]}", "nthread": 1}
        boosters[k] = xgboost.train(params, matrix, 0), matrix
    return boosters[k]


def xgboost_ndcg(k):
    model, matrix = booster(int(k))
    took, text = peers.timed(model.eval, matrix)
    return took, float(text.rsplit(":", 1)[1])


def sklearn_ndcg(k):
    from sklearn.metrics import ndcg_score
    return peers.timed(ndcg_score, labels, scores, k=int(k) or None)


def read_differences(folder):
    global differences
    differences = np.fromfile(folder + "/differences")
    return len(differences)


peers.serve({
    "load": load, "differences": read_differences, "xgboost": xgboost_ndcg, "sklearn": sklearn_ndcg,
    "numpy": lambda k: peers.timed(numpy_ndcg, labels, scores, int(k)),
    "signs": lambda rounds: peers.timed(randomization, int(rounds), False),
    "bits": lambda rounds: peers.timed(randomization, int(rounds), True)})

#!/usr/bin/env python3
"""Print golden values of ranking metrics as JSON for rank/testdata/metrics.json.

Made with Debian 12: scikit-learn 1.2.1, scipy 1.10.1, xgboost 1.7.4, mpmath 1.2.1.
  ndcg_sklearn   sklearn.metrics.ndcg_score, with cutoffs and averaged ties
  dcg_sklearn    sklearn.metrics.dcg_score of the labels
  auc            sklearn.metrics.roc_auc_score of label > 0
  tau_b, weighted_tau, spearman   scipy.stats
  significance   scipy.stats: tests and intervals of paired values, how many pairs a t-test needs;
                 mpmath: the power of the t-test, Hedges' correction
  xgboost        ndcg, ndcg@3, ndcg@3-, map, map@3 of a booster without trees
Values that a tool does not define are null.
"""
import json
import math
import sys
import warnings

import numpy as np
import scipy.stats
import xgboost
from mpmath import betainc, exp, factorial, findroot, gamma, mp, mpf, nsum, sqrt
from sklearn.metrics import dcg_score, ndcg_score, roc_auc_score

warnings.filterwarnings("ignore")
mp.dps = 40
XGB = ["ndcg", "ndcg@3", "ndcg@3-", "map", "map@3"]


def number(f):
    try:
        v = float(f())
    except ValueError:
        return None
    return None if math.isnan(v) else v


def xgb(labels, scores):
    m = xgboost.DMatrix(np.zeros((len(labels), 1)), label=labels)
    m.set_group([len(labels)])
    m.set_base_margin(scores)
    out = {}
    for metric in XGB:
        b = xgboost.train({"objective": "rank:pairwise", "eval_metric": metric, "nthread": 1}, m, 0)
        out[metric] = float(b.eval(m, "e").rsplit(":", 1)[1])
    return out



rng = np.random.default_rng(6)
cases = []
for i in range(40):
    n = int(rng.integers(2, 30))
    top = int(rng.integers(1, 5))
    labels = rng.integers(0, top + 1, n).astype(float)
    levels = int(rng.integers(1, 3 * n))
    scores = (rng.integers(0, levels, n) / 8 - 1).astype(np.float32).astype(float)
    if i == 0:
        labels[:] = 0
    if i == 1:
        scores[:] = 0
    c = {"labels": labels.tolist(), "scores": scores.tolist()}
    for k in (None, 1, 5, 10):
        c[f"ndcg_sklearn@{k or 0}"] = number(lambda: ndcg_score([labels], [scores], k=k))
        c[f"dcg_sklearn@{k or 0}"] = number(lambda: dcg_score([labels], [scores], k=k))
    c["auc"] = number(lambda: roc_auc_score(labels > 0, scores))
    c["tau_b"] = number(lambda: scipy.stats.kendalltau(labels, scores)[0])
    c["weighted_tau"] = number(lambda: scipy.stats.weightedtau(labels, scores)[0])
    c["spearman"] = number(lambda: scipy.stats.spearmanr(labels, scores)[0])
    c["xgboost"] = xgb(labels, scores)
    cases.append(c)

a, b = rng.normal(0.5, 0.2, 25), rng.normal(0.45, 0.2, 25)
b[:3] = a[:3]
tens = np.round(a * 10), np.round(b * 10)
eleven = (a[:14], b[:14])  # as many differ
interval = scipy.stats.ttest_rel(a, b).confidence_interval(0.9)


def power(effect, level, n):
    """By scipy, whose noncentral t distribution has some nine digits."""
    t, shift = scipy.stats.t.isf(level / 2, n - 1), effect * math.sqrt(n)
    return scipy.stats.nct.sf(t, n - 1, shift) + scipy.stats.nct.cdf(-t, n - 1, shift)


def exact_power(effect, level, n):
    """By mpmath, with the square of t, which has a noncentral F distribution."""
    nu, noncentral = mpf(n - 1), n * mpf(effect) ** 2 / 2
    tails = lambda t, b: betainc(nu / 2, b, 0, nu / (nu + t * t), regularized=True)
    t = findroot(lambda t: tails(t, mpf(1) / 2) - level, scipy.stats.t.isf(level / 2, n - 1))
    return float(nsum(lambda j: exp(-noncentral) * noncentral**j / factorial(j) * tails(t, j + mpf(1) / 2), [0, 400]))


def queries(effect, level, wanted):
    return next(n for n in range(2, 10**6) if power(effect, level, n) >= wanted)


def hedges(n):
    nu = mpf(n - 1)
    return float(gamma(nu / 2) / (sqrt(nu / 2) * gamma((nu - 1) / 2)))


significance = {
    "a": a.tolist(),
    "b": b.tolist(),
    "t": float(scipy.stats.ttest_rel(a, b).statistic),
    "t_p": float(scipy.stats.ttest_rel(a, b).pvalue),
    # b[:3] equals a[:3]: dropped pairs; tens has ties, too.
    "wilcoxon_exact_p": float(scipy.stats.wilcoxon(a[3:], b[3:], mode="exact").pvalue),
    "wilcoxon_tens_p": float(scipy.stats.wilcoxon(*tens, mode="approx", correction=False).pvalue),
    "t_interval": [float(interval.low), float(interval.high)],
    "randomization_exact_p": float(scipy.stats.permutation_test(
        eleven, lambda x, y, axis: np.mean(x - y, axis=axis), vectorized=True, permutation_type="samples",
        n_resamples=math.inf).pvalue),
    "hedges": [[n, hedges(n)] for n in (3, 10, 50, 300, 10000)],
    # effect, level, pairs, power
    "power": [[*c, exact_power(*c)] for c in [
        (0.5, 0.05, 34), (0.1, 0.05, 787), (-0.3, 0.01, 20), (2, 0.05, 3), (1.5, 0.05, 2), (0.02, 0.001, 50000),
        (0.8, 0.001, 2), (0.3, 0.05, 50), (0.06, 0.05, 2001), (0.06, 0.05, 2002)]],
    # effect, level, power, pairs
    "queries": [[*c, queries(*c)] for c in [
        (0.5, 0.05, 0.8), (0.2, 0.05, 0.8), (-0.3, 0.01, 0.9), (5, 0.05, 0.8), (1, 0.05, 0.99), (0.05, 0.05, 0.3)]],
}
json.dump({"made_with": f"sklearn {__import__('sklearn').__version__}, scipy {scipy.__version__}, xgboost {xgboost.__version__}",
           "cases": cases, "significance": significance}, sys.stdout, indent=0)

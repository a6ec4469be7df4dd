#!/usr/bin/env python3
"""CatBoost's JSON, for the tests of rank/model.

Requires Python 3.11 and: pip install numpy==2.2.6 catboost==1.2.10.

exports.py DIRECTORY
    writes models, the rows of rows.txt, and the predictions of CatBoost, one a line.
"""
import os
import sys

import numpy as np

FEATURES = 5  # the last one is a category


def rows(rng, n):
    x = rng.integers(-8, 9, (n, FEATURES)).astype("f") / 8
    x[:, :-1][rng.random((n, FEATURES - 1)) < 0.1] = np.nan
    x[:, -1] = rng.integers(0, 9, n)
    return x


def catboost_models(out, train, y, test):
    import catboost
    import pandas

    def frame(x, names):
        d = pandas.DataFrame(x, columns=names)
        d[names[-1]] = d[names[-1]].astype(int)
        return d

    names = ["a", "b b", "größe", "d", "category"]
    for name, params in {
        "oblivious": dict(loss_function="YetiRank"),
        "lossguide": dict(loss_function="RMSE", grow_policy="Lossguide", max_leaves=9, depth=5),
        "depthwise": dict(loss_function="RMSE", grow_policy="Depthwise", nan_mode="Max"),
        "logloss": dict(loss_function="Logloss", nan_mode="Max"),
        "never": dict(loss_function="RMSE"),
    }.items():
        x, groups = train, np.arange(len(train)) // 10
        label = (y > 0.5).astype(int) if name in ("logloss", "oblivious") else y
        if name == "never":  # no value is missing in training
            keep = ~np.isnan(x).any(axis=1)
            x, label, groups = x[keep], label[keep], groups[keep]
        pool = catboost.Pool(frame(x, names), label, cat_features=[names[-1]], group_id=groups)
        model = catboost.CatBoost(dict(dict(iterations=4, depth=4, one_hot_max_size=20, learning_rate=0.5, thread_count=1, random_seed=3, verbose=False, allow_writing_files=False), **params))
        model.fit(pool)
        if name == "lossguide":
            model.set_scale_and_bias(0.75, [2.5])
        model.save_model(os.path.join(out, "catboost-%s.json" % name), format="json", pool=pool)
        scores = model.predict(frame(test, names), prediction_type="RawFormulaVal")
        np.savetxt(os.path.join(out, "catboost-%s.txt" % name), scores, fmt="%.17g")


def make(out):
    rng = np.random.default_rng(5)
    train, test = rows(rng, 400), rows(rng, 60)
    test[:3, -1] = [20, 100, 3]  # categories that no split knows
    y = np.nan_to_num(train[:, 0]) + np.nan_to_num(train[:, 1] * train[:, 2]) + np.isin(train[:, -1], [2, 3, 7]) + rng.random(400) / 9
    np.savetxt(os.path.join(out, "rows.txt"), test, fmt="%.9g")
    catboost_models(out, train, y, test)


if __name__ == "__main__":
    make(sys.argv[1])

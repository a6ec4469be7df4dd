#!/usr/bin/python3
"""Rules of scoring in which LightGBM (4.7.0) and XGBoost (3.2.0) differ, for the tests of rank/lambdamart.

rules.py DIRECTORY
    writes models of 3 trees, the rows of rows.txt, and the scores of the first 1, 2 and 3 trees, a line a row.
"""
import json
import os
import sys

import lightgbm as lgb
import numpy as np
import xgboost as xgb

NAN, TREES = np.nan, 3
NUMBERS = [NAN, 0.0, -0.0, 1e-36, -1e-36, 1e-20, -3e38, 3e38, 0.5, -1.5]
CATEGORIES = [NAN, 0, -0.0, 1, 2, 7, 8, 40, -1, -0.5, -1e-9, 0.5, 2.7, -7.3, 1e6, 2.0**24, 2.0**31, 3e9, 1e20]


def rows(rng, n):
    x = np.round(rng.normal(size=(n, 3)), 1)
    x[:, 2] = rng.integers(0, 9, n)
    x[rng.random(x.shape) < 0.1] = NAN
    return x


def save(directory, name, x):
    np.savetxt(os.path.join(directory, name), x, fmt="%.9g")


if __name__ == "__main__":
    out = sys.argv[1]
    rng = np.random.default_rng(11)
    train, test = rows(rng, 300), rows(rng, 60)
    for j, special in enumerate([NUMBERS, NUMBERS, CATEGORIES]):
        some = rng.random(len(test)) < 0.6
        test[some, j] = rng.choice(special, some.sum())
    test = test.astype("f").astype("d")
    save(out, "rows.txt", test)
    y = np.nan_to_num(train[:, 0]) + 2 * np.isin(train[:, 2], [0, 2, 7]) + rng.normal(size=len(train)) / 9

    for name, extra in {"forest": dict(boosting="rf"), "zeros": dict(zero_as_missing=True), "none": dict(use_missing=False)}.items():
        params = dict(objective="regression", num_leaves=5, min_data_per_group=5, cat_smooth=1, bagging_freq=1, bagging_fraction=0.6, num_threads=1, seed=3, verbose=-1)
        b = lgb.train(dict(params, **extra), lgb.Dataset(train, y, categorical_feature=[2]), TREES)
        b.save_model(os.path.join(out, "lightgbm-%s.txt" % name))
        with open(os.path.join(out, "lightgbm-%s.json" % name), "w") as f:
            json.dump(b.dump_model(), f)
        x = test.copy()
        if name == "zeros":  # what is within 1e-35 of 0 is missing in LightGBM and not here
            x[np.abs(x) < 1e-35] = 0
        save(out, "lightgbm-%s.scores" % name, np.column_stack([b.predict(x, num_iteration=k) for k in range(1, TREES + 1)]))

    types = ["q", "q", "c"]
    d = xgb.DMatrix(train, y, feature_types=types, enable_categorical=True)
    e = xgb.DMatrix(test, feature_types=types, enable_categorical=True)
    b = xgb.train(dict(max_depth=3, nthread=1, seed=3, tree_method="hist", max_cat_to_onehot=1), d, TREES)
    b.save_model(os.path.join(out, "xgboost.json"))
    save(out, "xgboost.scores", np.column_stack([b.predict(e, iteration_range=(0, k)) for k in range(1, TREES + 1)]))

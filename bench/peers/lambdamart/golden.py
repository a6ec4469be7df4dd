#!/usr/bin/python3
"""XGBoost's side of the tests of rank/lambdamart: Debian's xgboost (1.7.4).

golden.py make DIRECTORY
    writes models, and what XGBoost makes of rows.txt: a line a row, first the margin, then the contribution of
    each feature and of no feature (pred_contribs).
golden.py check DIRECTORY…
    loads the model that we wrote there as XGBoost JSON, model.json, and UBJSON, model.ubj, and compares its margins
    of rows.txt with our scores.txt, one a line.
"""
import os
import sys

import numpy as np
import xgboost as xgb

FEATURES = 6
TYPES = ["q"] * (FEATURES - 1) + ["c"]


def matrix(x, label=None):
    d = xgb.DMatrix(x, label=label, feature_types=TYPES, enable_categorical=True)
    if label is not None:
        d.set_group([10] * (len(x) // 10))
    return d


def rows(rng, n):
    x = rng.integers(-8, 9, (n, FEATURES)).astype("f") / 8
    x[:, FEATURES - 1] = rng.integers(0, 40, n)
    x[rng.random(x.shape) < 0.1] = np.nan
    return x


CASES = {
    "ndcg": dict(objective="rank:ndcg", tree_method="hist", max_depth=3),
    "lossguide": dict(objective="rank:pairwise", tree_method="hist", grow_policy="lossguide", max_depth=0, max_leaves=20, min_child_weight=0),
    "categories": dict(objective="rank:map", tree_method="hist", max_depth=4, max_cat_to_onehot=4),
    "dart": dict(objective="rank:ndcg", tree_method="exact", booster="dart", rate_drop=0.4, max_depth=3),
    "forest": dict(objective="binary:logistic", base_score=0.3, tree_method="exact", num_parallel_tree=3, subsample=0.5, max_depth=3),
}


def make(directory):
    rng = np.random.default_rng(7)
    train = rows(rng, 400)
    label = (np.nan_to_num(train[:, 0]) + np.nan_to_num(train[:, 1] * train[:, 2]) + 0.02 * np.nan_to_num(train[:, 5] % 7) + rng.random(400) > 0.9)
    test = rows(rng, 40)
    np.savetxt(os.path.join(directory, "rows.txt"), test, fmt="%.9g")
    for name, params in CASES.items():
        x, t = train, test
        if params["tree_method"] == "exact":  # knows no categories
            x, t = x[:, : FEATURES - 1], t[:, : FEATURES - 1]
            d, e = xgb.DMatrix(x, label=label), xgb.DMatrix(t)
            d.set_group([10] * 40)
        else:
            d, e = matrix(x, label), matrix(t)
        model = xgb.train(dict(params, seed=1, nthread=1), d, 6)
        if name == "ndcg":
            model.set_attr(best_iteration="3")
        model.save_model(os.path.join(directory, name + ".json"))
        if name == "categories":
            model.save_model(os.path.join(directory, name + ".ubj"))
            model.dump_model(os.path.join(directory, name + ".dump.json"), with_stats=True, dump_format="json")
        margin = model.predict(e, output_margin=True, iteration_range=(0, 6))
        out = np.column_stack([margin, model.predict(e, pred_contribs=True, iteration_range=(0, 6))])
        np.savetxt(os.path.join(directory, name + ".txt"), out, fmt="%.9g")


def check(directory, file):
    model = xgb.Booster()
    model.load_model(os.path.join(directory, file))
    x = np.loadtxt(os.path.join(directory, "rows.txt"), dtype="f", ndmin=2)
    want = np.loadtxt(os.path.join(directory, "scores.txt"))
    missing = 0.0 if model.attr("simdrank_zeros") == "missing" else np.nan
    got = model.predict(xgb.DMatrix(x, missing=missing), output_margin=True)
    worst = np.max(np.abs(got - want) / np.maximum(1, np.abs(want)))
    print("%s/%s: largest difference of %d scores: %.3g" % (directory, file, len(want), worst))
    return worst <= 1e-6


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        sys.exit(not all([check(d, "model." + form) for d in sys.argv[2:] for form in ("json", "ubj")]))

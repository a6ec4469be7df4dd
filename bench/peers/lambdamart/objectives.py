#!/usr/bin/python3
"""What peers make of the objectives that rank/lambdamart shares with them: Debian's xgboost (1.7.4), and LightGBM's
command (4.6), which $LIGHTGBM names.

objectives.py DIRECTORY
    writes train.txt, a line a row: label, weight, features; for each case a line a row with the score that three trees
    give it, before any link; and xgboost-mean-pairs.txt: label, score and mean derivatives of documents.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import xgboost as xgb

ROWS, FEATURES, GROUP = 120, 4, 10


def sample(rng):
    x = rng.permuted(np.tile(np.arange(ROWS) // 4, (FEATURES, 1)), axis=1).T / 2  # each value four times
    y = np.clip(np.floor((x[:, 0] + x[:, 1] - x[:, 2] + rng.random(ROWS) * 8) / 6), 0, 3)
    return y, rng.integers(1, 5, ROWS) / 2, x


def xgboost(objective, y, w, x, base):
    d = xgb.DMatrix(x, label=y, weight=w)
    params = dict(objective=objective, tree_method="exact", max_depth=3, eta=0.3, reg_lambda=1, min_child_weight=1,
                  base_score=base, nthread=1)
    return xgb.train(params, d, 3).predict(d, output_margin=True)


def lightgbm(objective, y, w, x, directory):
    data = os.path.join(directory, "train.csv")
    np.savetxt(data, np.column_stack([y, w, x]), fmt="%.9g", delimiter=",")
    model, out = os.path.join(directory, "model.txt"), os.path.join(directory, "scores.txt")
    options = dict(objective=objective, data=data, weight_column=0, num_iterations=3, num_leaves=4, learning_rate=0.3,
                   min_data_in_leaf=1, min_sum_hessian_in_leaf=1, min_data_in_bin=1, lambda_l2=1, num_threads=1,
                   sigmoid=0.7, header="false", verbosity=-1)
    run = lambda **o: subprocess.run([os.environ["LIGHTGBM"]] + ["%s=%s" % p for p in o.items()], check=True,
                                     stdout=subprocess.DEVNULL)
    run(task="train", output_model=model, **options)
    run(task="predict", data=data, input_model=model, output_result=out, predict_raw_score="true", header="false")
    return np.loadtxt(out)


def mean_pairs():
    """The derivatives of a query's documents, by pairs that are drawn one for each document: the mean over many queries.
    XGBoost before 2.0 drew so for rank:ndcg, from a stream that all queries share. A stump that parts one document
    of each query from the others has its sums in a leaf."""
    queries = 20000
    label, score = np.array([2, 0, 1, 0, 3, 0]), np.array([0.5, 1.5, -1, 0.25, 3, -2])
    out = []
    for i in range(len(label)):
        x = np.tile(np.arange(len(label)) == i, queries).astype("f")[:, None]
        d = xgb.DMatrix(x, label=np.tile(label, queries), base_margin=np.tile(score, queries))
        d.set_group([len(label)] * queries)
        params = dict(objective="rank:ndcg", tree_method="exact", max_depth=1, eta=1, reg_lambda=1, min_child_weight=0,
                      nthread=1)
        for line in xgb.train(params, d, 1).get_dump(with_stats=True)[0].split("\n"):
            if ":leaf=" in line:  # the last leaf is that of feature 1
                value, cover = line.split(":leaf=")[1].split(",cover=")
        hessian = float(cover)
        out.append((label[i], score[i], -float(value) * (hessian + 1) / queries, hessian / queries))
    return out


def main(directory):
    y, w, x = sample(np.random.default_rng(3))
    save = lambda name, rows: np.savetxt(os.path.join(directory, name + ".txt"), rows, fmt="%.9g")
    save("train", np.column_stack([y, w, x]))
    p = np.sum(w * (y > 0)) / np.sum(w)
    save("xgboost-binary", xgboost("binary:logistic", (y > 0) * 1.0, w, x, p))
    save("xgboost-regression", xgboost("reg:squarederror", y, w, x, np.sum(w * y) / np.sum(w)))
    save("xgboost-mean-pairs", mean_pairs())
    with tempfile.TemporaryDirectory() as scratch:
        save("lightgbm-binary", lightgbm("binary", y, w, x, scratch))
        save("lightgbm-regression", lightgbm("regression", y, w, x, scratch))


if __name__ == "__main__":
    main(sys.argv[1])

"""Tunes LightGBM's lambdarank with Optuna's TPE sampler.

peer.py TRAIN TEST FOLDS SCORES TRIALS TREES SEED
    FOLDS contains the fold of each training query, one per line. The best parameters are trained
    on TRAIN with the best number of trees, and the scores of TEST go to SCORES, one per line.
"""
import gzip
import sys

import lightgbm
import numpy as np
import optuna


def letor(path):
    """Features, labels and query sizes of a LETOR file."""
    rows, labels, sizes, last = [], [], [], None
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        for line in f:
            t = line.split("#")[0].split()
            if not t:
                continue
            if t[1] != last:
                last = t[1]
                sizes.append(0)
            sizes[-1] += 1
            labels.append(float(t[0]))
            rows.append([(int(k) - 1, float(v)) for k, v in (p.split(":") for p in t[2:])])
    x = np.zeros((len(rows), 1 + max(k for r in rows for k, _ in r)), np.float32)
    for i, r in enumerate(rows):
        for k, v in r:
            x[i, k] = v
    return x, np.array(labels), np.array(sizes)


train, test, folds, scores, trials, trees, seed = sys.argv[1:]
trials, trees, seed = int(trials), int(trees), int(seed)
x, y, sizes = letor(train)
fold_of_row = np.repeat(np.loadtxt(folds, int), sizes)
rows = [(np.flatnonzero(fold_of_row != f), np.flatnonzero(fold_of_row == f)) for f in range(max(fold_of_row) + 1)]
base = dict(objective="lambdarank", metric="ndcg", eval_at=[10], lambdarank_truncation_level=30, num_threads=1, seed=seed,
            deterministic=True, force_row_wise=True, verbosity=-1)


def params(of):
    return dict(base, learning_rate=of.suggest_float("rate", 0.02, 0.3, log=True),
                num_leaves=of.suggest_int("leaves", 7, 127, log=True),
                min_data_in_leaf=of.suggest_int("rows", 1, 100, log=True),
                lambda_l2=of.suggest_float("l2", 0.01, 100, log=True),
                feature_fraction=of.suggest_float("features", 0.5, 1))


def objective(trial):
    data = lightgbm.Dataset(x, y, group=sizes, free_raw_data=False)
    curve = lightgbm.cv(params(trial), data, trees, folds=rows, callbacks=[lightgbm.early_stopping(20, verbose=False)])
    means = next(v for k, v in curve.items() if k.endswith("-mean"))
    trial.set_user_attr("trees", len(means))
    return means[-1]


optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
study.optimize(objective, trials)
best = study.best_trial
model = lightgbm.train(params(optuna.trial.FixedTrial(best.params)), lightgbm.Dataset(x, y, group=sizes),
                       best.user_attrs["trees"])
np.savetxt(scores, model.predict(letor(test)[0]), fmt="%.17g")

"""Trains LightGBM and XGBoost on text categories, or scores a data frame with their models.

  categories.py make DIR                       writes the files of rank/model/testdata/texts
  categories.py score lightgbm|xgboost MODEL CSV   prints a score per row of a CSV file

A model that simdrank wrote gives the same scores in its peer if "score" prints what
"simdrank predict" prints. The files were made with LightGBM 4.7.0, XGBoost 3.2.0 and pandas 3.1.1.
"""
import os
import sys

import lightgbm
import numpy
import pandas
import xgboost

TEXTS = ["color", "size"]
QUERY = 10  # rows


def frame(seed, colors):
    random = numpy.random.default_rng(seed)
    rows = 8 * QUERY
    d = pandas.DataFrame({
        "price": random.random(rows).astype(numpy.float32),
        "color": random.choice(colors, rows),
        "size": random.choice([1, 5, 7], rows),
    })
    d.loc[random.random(rows) < 0.1, "color"] = None
    label = ((d["color"] == "red") * 2 + (d["size"] == 5) + random.integers(0, 2, rows)).clip(0, 3)
    return d, label


def categorical(d):
    d = d.copy()
    for name in TEXTS:
        d[name] = d[name].astype("category")
    return d


def score(peer, model, d):
    if peer == "lightgbm":
        return lightgbm.Booster(model_file=model).predict(categorical(d))
    return xgboost.Booster(model_file=model).predict(xgboost.DMatrix(categorical(d), enable_categorical=True))


def make(folder):
    train, label = frame(1, ["red", "blue", "green", "black", "x,y"])
    group = [QUERY] * (len(train) // QUERY)
    m = lightgbm.train({"objective": "lambdarank", "num_leaves": 4, "min_data_in_leaf": 2, "cat_smooth": 1,
                        "min_data_per_group": 2, "max_cat_to_onehot": 1, "verbose": -1},
                       lightgbm.Dataset(categorical(train), label, group=group), 3)
    m.save_model(os.path.join(folder, "lightgbm.txt"))
    data = xgboost.DMatrix(categorical(train), label, group=group, enable_categorical=True)
    x = xgboost.train({"objective": "rank:ndcg", "max_depth": 2, "max_cat_to_onehot": 1}, data, 3)
    x.save_model(os.path.join(folder, "xgboost.json"))
    # Without two colors, so that pandas numbers the others differently.
    test, label = frame(2, ["red", "green", "x,y"])
    test = test.head(3 * QUERY)
    out = test.copy()
    out.insert(0, "qid", numpy.repeat(range(3), QUERY))
    out.insert(0, "label", label)
    for peer, name in [("lightgbm", "lightgbm.txt"), ("xgboost", "xgboost.json")]:
        out[peer] = score(peer, os.path.join(folder, name), test)
    out.to_csv(os.path.join(folder, "test.csv"), index=False)


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    for value in score(sys.argv[2], sys.argv[3], pandas.read_csv(sys.argv[4])[["price"] + TEXTS]):
        print(repr(float(value)))

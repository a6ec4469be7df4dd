#!/usr/bin/env python3
"""CatBoost's JSON, and ONNX models of several programs, for the tests of rank/model.

Requires Python 3.11 and: pip install numpy==2.2.6 scikit-learn==1.6.1 skl2onnx==1.18.0 onnx==1.17.0 onnxruntime==1.20.1
onnxmltools==1.13.0 protobuf==4.25.8 lightgbm==4.6.0 xgboost==2.1.4 catboost==1.2.10. (The converters fail with later
versions of protobuf.)

exports.py make DIRECTORY
    writes models, the rows of rows.txt, and the predictions of CatBoost or ONNX Runtime, one a line.
exports.py check DIRECTORY…
    requires onnxruntime only. It loads the model that we wrote there, model.onnx, and compares its scores of rows.txt
    with our scores.txt, one a line.
"""
import os
import sys

import numpy as np
import onnxruntime

FEATURES = 5  # the last one is a category


def rows(rng, n):
    x = rng.integers(-8, 9, (n, FEATURES)).astype("f") / 8
    x[:, :-1][rng.random((n, FEATURES - 1)) < 0.1] = np.nan
    x[:, -1] = rng.integers(0, 9, n)
    return x


def predict(model, x):
    """Returns the scores of a regressor, or the probabilities of a classifier."""
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    given = session.get_inputs()[0]
    out = session.run(None, {given.name: x.astype("d" if given.type == "tensor(double)" else "f")})[-1]
    if isinstance(out, list):  # of ZipMap
        out = np.array([[p[0], p[1]] for p in out])
    return np.reshape(out, (len(x), -1))[:, -1]


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


def by_hand():
    """Returns a model with all modes of nodes, and one with double tensors and the mean of two trees."""
    from onnx import TensorProto, helper

    def build(kind, nodes, **attributes):
        given = helper.make_tensor_value_info("X", kind, ["n", FEATURES])
        # The type of the result is float even if the features are double.
        result = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 1])
        node = helper.make_node("TreeEnsembleRegressor", ["X"], ["scores"], domain="ai.onnx.ml", n_targets=1, **nodes, **attributes)
        model = helper.make_model(helper.make_graph([node], "g", [given], [result]), opset_imports=[helper.make_opsetid("ai.onnx.ml", 3)])
        model.ir_version = 8
        return model.SerializeToString()

    modes = [(m, t) for m in ("LEQ", "LT", "GTE", "GT", "EQ", "NEQ") for t in (0, 1)]
    n = len(modes)
    nodes = dict(
        nodes_treeids=np.repeat(np.arange(n) + 7, 3).tolist(),
        nodes_nodeids=[1, 2, 0] * n,
        nodes_featureids=[f for i, (m, _) in enumerate(modes) for f in (4 if "EQ" in m and "L" not in m else i % 4, 0, 0)],
        nodes_modes=[s for m, _ in modes for s in ("BRANCH_" + m, "LEAF", "LEAF")],
        nodes_values=[v for m, _ in modes for v in (3.0 if m in ("EQ", "NEQ") else 0.125, 0.0, 0.0)],
        nodes_truenodeids=[0, 0, 0] * n,
        nodes_falsenodeids=[2, 0, 0] * n,
        nodes_missing_value_tracks_true=[v for _, t in modes for v in (t, 0, 0)],
        target_treeids=np.repeat(np.arange(n) + 7, 2).tolist(),
        target_nodeids=[2, 0] * n,
        target_ids=[0] * 2 * n,
        target_weights=[float(2 ** (i // 2)) * (i % 2) for i in range(2 * n)],
    )
    yield "modes", build(TensorProto.FLOAT, nodes, base_values=[0.5])

    def doubles(values):
        return helper.make_tensor("t", TensorProto.DOUBLE, [len(values)], values)

    small = dict((k, v[: 2 * len(v) // n]) for k, v in nodes.items() if k not in ("nodes_values", "target_weights"))
    small["nodes_modes"] = ["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_LT", "LEAF", "LEAF"]
    yield "doubles", build(
        TensorProto.DOUBLE,
        small,
        aggregate_function="AVERAGE",
        base_values_as_tensor=doubles([0.1]),
        nodes_values_as_tensor=doubles([0.125 - 1e-12, 0, 0, 0.125 + 1e-12, 0, 0]),
        target_weights_as_tensor=doubles([0.1, 0.2, 0.3, 0.7]),
    )


def onnx_models(x, y):
    """Returns names and models."""
    import catboost
    import lightgbm
    import onnxmltools
    import xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType
    from sklearn import ensemble, linear_model
    from skl2onnx import to_onnx

    full = np.nan_to_num(x)
    yield from by_hand()
    for name, model, data in [
        ("sklearn-gradient", ensemble.GradientBoostingRegressor(n_estimators=3, random_state=1), full),
        ("sklearn-hist", ensemble.HistGradientBoostingRegressor(max_iter=3, max_leaf_nodes=8, random_state=1), x),
        ("sklearn-forest", ensemble.RandomForestRegressor(n_estimators=3, max_depth=3, random_state=1), full),
        ("sklearn-linear", linear_model.Ridge(), full),
    ]:
        yield name, to_onnx(model.fit(data, y), data[:1]).SerializeToString()
    types = [("X", FloatTensorType([None, FEATURES]))]
    for name, objective in ("lightgbm", "regression"), ("lightgbm-binary", "binary"):
        params = dict(objective=objective, num_leaves=6, num_threads=1, verbose=-1, seed=1, min_data_per_group=5, cat_smooth=1)
        data = lightgbm.Dataset(x, y if name == "lightgbm" else y > 0.5, categorical_feature=[FEATURES - 1] if name == "lightgbm" else [])
        yield name, onnxmltools.convert_lightgbm(lightgbm.train(params, data, 3), initial_types=types).SerializeToString()
    for name, objective in ("xgboost", "reg:squarederror"), ("xgboost-binary", "binary:logistic"):
        data = xgboost.DMatrix(x, y if name == "xgboost" else y > 0.5)
        model = xgboost.train(dict(objective=objective, max_depth=3, nthread=1, seed=1), data, 3)
        yield name, onnxmltools.convert_xgboost(model, initial_types=types).SerializeToString()
    model = catboost.CatBoostRegressor(iterations=3, depth=3, thread_count=1, random_seed=1, verbose=False, allow_writing_files=False)
    model.fit(x, y)
    model.save_model("/tmp/exports.onnx", format="onnx")
    with open("/tmp/exports.onnx", "rb") as f:
        yield "catboost", f.read()


def make(out):
    rng = np.random.default_rng(5)
    train, test = rows(rng, 400), rows(rng, 60)
    test[:3, -1] = [20, 100, 3]  # categories that no split knows
    y = np.nan_to_num(train[:, 0]) + np.nan_to_num(train[:, 1] * train[:, 2]) + np.isin(train[:, -1], [2, 3, 7]) + rng.random(400) / 9
    np.savetxt(os.path.join(out, "rows.txt"), test, fmt="%.9g")
    catboost_models(out, train, y, test)
    for name, model in onnx_models(train, y):
        with open(os.path.join(out, name + ".onnx"), "wb") as f:
            f.write(model)
        np.savetxt(os.path.join(out, name + ".txt"), predict(model, test), fmt="%.9g")


def check(directory):
    with open(os.path.join(directory, "model.onnx"), "rb") as f:
        model = f.read()
    want = np.loadtxt(os.path.join(directory, "scores.txt"))
    got = predict(model, np.loadtxt(os.path.join(directory, "rows.txt"), dtype="f", ndmin=2))
    worst = np.max(np.abs(got - want) / np.maximum(1, np.abs(want)))
    print("%s: largest difference of %d scores: %.3g" % (directory, len(want), worst))
    return worst <= 1e-6


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        sys.exit(not all([check(d) for d in sys.argv[2:]]))

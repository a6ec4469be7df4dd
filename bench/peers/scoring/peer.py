"""Scores documents with a model of simdrank, or one of CatBoost: peer.py LIBRARY THREADS

train PATH ROWS COLS QUERIES MODEL TREES DEPTH    trains CatBoost on a set and writes MODEL
load MODEL PATH ROWS COLS             reads a model and float32 rows
time ROWS LEAST                       seconds of scoring ROWS rows in a call, the mean over calls that take
                                      LEAST seconds together
scores PATH                           scores all rows; the scores go to PATH
"""
import os
import sys
import tempfile

THREADS = int(sys.argv[2])
os.environ["OMP_NUM_THREADS"] = sys.argv[2]

import numpy as np

import peers

if sys.argv[1] == "lleaves":
    sys.path.insert(0, os.path.join(sys.prefix, "lleaves"))  # environment.sh: an older llvmlite


def catboost(model):
    import catboost
    booster = catboost.CatBoost().load_model(model, format="json")
    return lambda rows: booster.predict(rows, thread_count=THREADS)


def xgboost(model):
    import xgboost
    booster = xgboost.Booster({"nthread": THREADS}, model_file=model)
    return lambda rows: booster.inplace_predict(rows, predict_type="margin")


def lightgbm(model):
    import lightgbm
    booster = lightgbm.Booster(model_file=model)
    return lambda rows: booster.predict(rows, raw_score=True, num_threads=THREADS)


def lleaves(model):
    import lleaves
    compiled = lleaves.Model(model_file=model)
    compiled.compile(raw_score=True)
    return lambda rows: compiled.predict(rows, n_jobs=THREADS)


def treelite(model):
    import treelite
    loaded = treelite.frontend.load_lightgbm_model(model)
    return lambda rows: treelite.gtil.predict(loaded, rows, nthread=THREADS).reshape(-1)


def tl2cgen(model):
    import tl2cgen
    import treelite
    path = os.path.join(tempfile.mkdtemp(), "model.so")
    tl2cgen.export_lib(treelite.frontend.load_lightgbm_model(model), toolchain="gcc", libpath=path,
                       params={"parallel_comp": 2})
    predictor = tl2cgen.Predictor(path, nthread=THREADS)
    return lambda rows: predictor.predict(tl2cgen.DMatrix(rows)).reshape(-1)


def onnxruntime(model):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda rows: session.run(None, {name: rows})[-1].reshape(-1)


libraries = {f.__name__: f for f in (catboost, xgboost, lightgbm, lleaves, treelite, tl2cgen, onnxruntime)}


def train(path, rows, cols, queries, model, trees, depth):
    import catboost
    groups = np.diff(np.fromfile(path + ".q", np.int64))
    pool = catboost.Pool(np.fromfile(path + ".x", np.float32).reshape(int(rows), int(cols)),
                         np.fromfile(path + ".y"), group_id=np.repeat(np.arange(int(queries)), groups))
    booster = catboost.CatBoost(dict(loss_function="QueryRMSE", iterations=int(trees), depth=int(depth),
                                     random_seed=1, verbose=False, allow_writing_files=False))
    booster.fit(pool)
    booster.save_model(model, format="json")
    return 0


def load(model, path, rows, cols):
    global x, predict
    x = np.fromfile(path, np.float32).reshape(int(rows), int(cols))
    predict = libraries[sys.argv[1]](model)
    predict(x[:1])
    return 0


def time(rows, least):
    """Each call scores other rows, so that one document is not always in the cache."""
    rows = int(rows)
    parts = [x[i:i + rows] for i in range(0, min(len(x), 2000 * rows) - rows + 1, rows)]
    next_part = iter(parts)

    def call():
        nonlocal next_part
        part = next(next_part, None)
        if part is None:
            next_part = iter(parts)
            part = next(next_part)
        predict(part)

    return peers.timed_least(float(least), call)[0]


def scores(path):
    np.asarray(predict(x), np.float64).tofile(path)
    return 0


peers.serve(dict(train=train, load=load, time=time, scores=scores))

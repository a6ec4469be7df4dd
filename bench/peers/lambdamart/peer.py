"""Trains xgboost's ranker on sets that bench/peers/lambdamart wrote: a server that answers lines

load NAME PATH ROWS COLS QUERIES
loadsparse NAME PATH ROWS COLS QUERIES
memory NAME BINS TREES LEAVES RATE THREADS    bytes that bin and train take at most
bin NAME BINS THREADS              seconds of making a QuantileDMatrix of the set
train TREES LEAVES RATE SEED THREADS    seconds of training on it
predict NAME THREADS PATH          seconds of scoring the set, the scores go to PATH
contributions NAME ROWS THREADS PATH    seconds of what features contribute to the scores of the first rows
save PATH, open PATH               the model, as JSON
"""
import sys
import time

import numpy as np
import xgboost

xgboost.set_config(verbosity=0)
sets = {}
matrix = booster = None
bins = 0


def make(name, threads):
    x, y, groups = sets[name]
    global matrix
    matrix = None
    start = time.perf_counter()
    matrix = xgboost.QuantileDMatrix(x, max_bin=bins, nthread=threads)
    took = time.perf_counter() - start
    matrix.set_info(label=y, group=groups)
    return took


def train(trees, leaves, rate, seed, threads):
    # rank:ndcg doubles its Hessians, so twice the rate makes equal steps.
    params = dict(objective="rank:ndcg", tree_method="hist", grow_policy="lossguide", max_depth=0,
                  max_leaves=leaves, eta=2 * rate, max_bin=bins, seed=seed, nthread=threads)
    global booster
    start = time.perf_counter()
    booster = xgboost.train(params, matrix, trees)
    return time.perf_counter() - start


def memory(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


for line in sys.stdin:
    try:
        command, *args = line.split()
        if command in ("load", "loadsparse"):
            rows, cols, queries = map(int, args[2:])
            if command == "load":
                x = np.fromfile(args[1] + ".x", np.float32).reshape(rows, cols)
            else:
                import scipy.sparse
                x = scipy.sparse.csr_matrix((np.fromfile(args[1] + ".values", np.float32),
                                             np.fromfile(args[1] + ".columns", np.int32),
                                             np.fromfile(args[1] + ".offsets", np.int64)), shape=(rows, cols))
            y = np.fromfile(args[1] + ".y")
            groups = np.diff(np.fromfile(args[1] + ".q", np.int64))
            assert len(y) == rows and len(groups) == queries
            sets[args[0]] = x, y, groups
            print(rows, flush=True)
        elif command == "bin":
            bins = int(args[1])
            print(make(args[0], int(args[2])), flush=True)
        elif command == "train":
            print(train(int(args[0]), int(args[1]), float(args[2]), int(args[3]), int(args[4])), flush=True)
        elif command == "memory":
            matrix = booster = None
            with open("/proc/self/clear_refs", "w") as refs:
                refs.write("5")
            before = memory("VmRSS")
            bins = int(args[1])
            make(args[0], int(args[5]))
            train(int(args[2]), int(args[3]), float(args[4]), 1, int(args[5]))
            print(memory("VmHWM") - before, flush=True)
        elif command == "predict":
            x = sets[args[0]][0]
            booster.set_param("nthread", int(args[1]))
            start = time.perf_counter()
            scores = booster.inplace_predict(x, predict_type="margin")
            took = time.perf_counter() - start
            scores.astype(np.float64).tofile(args[2])
            print(took, flush=True)
        elif command == "contributions":
            rows, threads = int(args[1]), int(args[2])
            booster.set_param("nthread", threads)
            part = xgboost.DMatrix(sets[args[0]][0][:rows], nthread=threads)
            start = time.perf_counter()
            values = booster.predict(part, pred_contribs=True)
            took = time.perf_counter() - start
            values.astype(np.float64).tofile(args[3])
            print(took, flush=True)
        elif command == "save":
            booster.save_model(args[0])
            print(0, flush=True)
        elif command == "open":
            booster = xgboost.Booster(model_file=args[0])
            print(0, flush=True)
        else:
            raise ValueError("no such request")
    except Exception as e:  # the driver reports it
        print("error:", repr(e), flush=True)

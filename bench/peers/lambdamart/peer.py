"""Trains xgboost's ranker on sets that bench/peers/lambdamart wrote: a server that answers lines

load NAME PATH ROWS COLS QUERIES
bin NAME BINS THREADS              seconds of making a QuantileDMatrix of the set
train TREES LEAVES RATE SEED THREADS    seconds of training on it
predict NAME THREADS PATH          seconds of scoring the set, the scores go to PATH
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

for line in sys.stdin:
    try:
        command, *args = line.split()
        if command == "load":
            rows, cols, queries = map(int, args[2:])
            x = np.fromfile(args[1] + ".x", np.float32).reshape(rows, cols)
            y = np.fromfile(args[1] + ".y")
            groups = np.diff(np.fromfile(args[1] + ".q", np.int64))
            assert len(y) == rows and len(groups) == queries
            sets[args[0]] = x, y, groups
            print(rows, flush=True)
        elif command == "bin":
            x, y, groups = sets[args[0]]
            matrix = None
            bins = int(args[1])
            start = time.perf_counter()
            matrix = xgboost.QuantileDMatrix(x, max_bin=bins, nthread=int(args[2]))
            took = time.perf_counter() - start
            matrix.set_info(label=y, group=groups)
            print(took, flush=True)
        elif command == "train":
            # rank:ndcg doubles its Hessians, so twice the rate makes equal steps.
            params = dict(objective="rank:ndcg", tree_method="hist", grow_policy="lossguide", max_depth=0,
                          max_leaves=int(args[1]), eta=2 * float(args[2]), max_bin=bins,
                          seed=int(args[3]), nthread=int(args[4]))
            start = time.perf_counter()
            booster = xgboost.train(params, matrix, int(args[0]))
            print(time.perf_counter() - start, flush=True)
        elif command == "predict":
            x = sets[args[0]][0]
            booster.set_param("nthread", int(args[1]))
            start = time.perf_counter()
            scores = booster.inplace_predict(x, predict_type="margin")
            took = time.perf_counter() - start
            scores.astype(np.float64).tofile(args[2])
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

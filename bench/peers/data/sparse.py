"""Reads LETOR files with scikit-learn or xgboost, a request a line:

  READER CORES PATH COLUMNS            -> seconds
  dump READER PATH COLUMNS OUTPUT      -> rows; OUTPUT gets, sparse and without zeros, the ends of
                                          rows and the columns as int64 and the values as float32

READER is sklearn or xgboost, CORES how many processors it may run on.
"""
import os
import sys
import time

import numpy as np
import xgboost
from sklearn.datasets import load_svmlight_file

xgboost.set_config(verbosity=0)
ALL = sorted(os.sched_getaffinity(0))


def sklearn(path, columns):
    return load_svmlight_file(path, n_features=columns, dtype=np.float32, query_id=True, zero_based=False)


def read_xgboost(path, _):
    return xgboost.DMatrix(path + "?format=libsvm")


def dump(reader, path, columns, output):
    if reader == "sklearn":
        x = sklearn(path, columns)[0]
    else:
        x = read_xgboost(path, columns).get_data()[:, 1:]  # it counts columns from 0
    x = x.tocsr()
    x.eliminate_zeros()
    x.sort_indices()
    with open(output, "wb") as f:
        x.indptr[1:].astype("<i8").tofile(f)
        x.indices.astype("<i8").tofile(f)
        x.data.astype("<f4").tofile(f)
    return x.shape[0]


READERS = {"sklearn": sklearn, "xgboost": read_xgboost}

for line in sys.stdin:
    try:
        request = line.split()
        if request[0] == "dump":
            print(dump(request[1], request[2], int(request[3]), request[4]), flush=True)
            continue
        os.sched_setaffinity(0, ALL[: int(request[1])])
        start = time.perf_counter()
        data = READERS[request[0]](request[2], int(request[3]))
        took = time.perf_counter() - start
        del data
        print(took, flush=True)
    except Exception as e:  # the answer must stay one line
        print("error:", str(e).replace("\n", " "), flush=True)

"""Reads LETOR files with scikit-learn or xgboost and CSV files with pandas, one request per line:

  cores N                              -> N; from now on this process and its parent run on the
                                          first N processors alone, and on all of them for 0
  READER PATH COLUMNS                  -> seconds
  dump READER PATH COLUMNS OUTPUT      -> rows; OUTPUT gets, sparse and without zeros, the ends of
                                          rows and the columns as int64 and the values as float32,
                                          then the labels as float32

READER is sklearn, xgboost or pandas. CSV files begin with the columns label and qid.
"""
import importlib
import os
import sys
import time

import numpy as np
import scipy.sparse

ALL = sorted(os.sched_getaffinity(0))


def load(name):
    """Imports a package when it is first used, because not every comparison installs all packages."""
    module = importlib.import_module(name)
    if name == "xgboost":
        module.set_config(verbosity=0)
    return module


def sklearn(path, columns):
    read = load("sklearn.datasets").load_svmlight_file
    return read(path, n_features=columns, dtype=np.float32, query_id=True, zero_based=False)


def xgboost(path, _):
    return load("xgboost").DMatrix(path + "?format=libsvm")


def pandas(path, _):
    return load("pandas").read_csv(path, engine="c")


def dump(reader, path, columns, output):
    data = READERS[reader](path, columns)
    if reader == "sklearn":
        x, y = data[:2]
    elif reader == "xgboost":
        x, y = data.get_data()[:, 1:], data.get_label()  # it counts columns from 0
    else:
        x, y = scipy.sparse.csr_matrix(data.iloc[:, 2:].to_numpy("<f4")), data["label"].to_numpy()
    x = x.tocsr()
    x.eliminate_zeros()
    x.sort_indices()
    with open(output, "wb") as f:
        x.indptr[1:].astype("<i8").tofile(f)
        x.indices.astype("<i8").tofile(f)
        x.data.astype("<f4").tofile(f)
        y.astype("<f4").tofile(f)
    return x.shape[0]


def bind(cores):
    """Both sides of a comparison run on the same processors, because a processor of a virtual machine
    may temporarily share its core with another machine and run at half speed."""
    for process in os.getpid(), os.getppid():
        for thread in os.listdir(f"/proc/{process}/task"):
            os.sched_setaffinity(int(thread), ALL[: cores or None])
    return cores


READERS = {"sklearn": sklearn, "xgboost": xgboost, "pandas": pandas}

for line in sys.stdin:
    try:
        request = line.split()
        if request[0] == "dump":
            print(dump(request[1], request[2], int(request[3]), request[4]), flush=True)
            continue
        if request[0] == "cores":
            print(bind(int(request[1])), flush=True)
            continue
        start = time.perf_counter()
        data = READERS[request[0]](request[1], int(request[2]))
        took = time.perf_counter() - start
        del data
        print(took, flush=True)
    except Exception as e:  # the answer must stay one line
        print("error:", str(e).replace("\n", " "), flush=True)

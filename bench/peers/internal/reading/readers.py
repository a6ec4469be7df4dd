"""Reads LETOR and CSV files with the package and on the number of cores that are the arguments.

bind CORES                   the process that started this one uses CORES cores, or all for 0
read PATH COLUMNS            seconds
dump PATH COLUMNS OUTPUT     rows; OUTPUT gets, sparse and without zeros, the ends of rows and the columns
                             as int64 and the values as float32, then the labels as float32

A package is sklearn or xgboost, which read LETOR text, or pandas, polars or pyarrow, which read CSV.
Tables begin with the columns label and qid.
"""
import importlib
import os
import sys

PACKAGE, CORES = sys.argv[1], int(sys.argv[2])
# Both sides of a comparison run on the same processors, because a processor of a virtual machine may
# temporarily share its core with another machine and run at half speed.
ALL = sorted(os.sched_getaffinity(0))
os.environ["POLARS_MAX_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(CORES)
os.sched_setaffinity(0, ALL[:CORES])

import numpy as np

import peers

package = importlib.import_module(PACKAGE)
if PACKAGE == "pyarrow":
    import pyarrow.csv
    package.set_cpu_count(CORES)
    package.set_io_thread_count(CORES)


def bind(cores):
    for thread in os.listdir(f"/proc/{os.getppid()}/task"):
        os.sched_setaffinity(int(thread), ALL[:int(cores) or None])
    return cores


def sklearn(path, columns):
    from sklearn.datasets import load_svmlight_file
    return load_svmlight_file(path, n_features=columns, dtype=np.float32, query_id=True, zero_based=False)


def xgboost(path, _):
    package.set_config(verbosity=0)
    return package.DMatrix(path + "?format=libsvm", nthread=CORES)


def pandas(path, _):
    return package.read_csv(path, engine="c")


def polars(path, _):
    return package.read_csv(path)


def pyarrow(path, _):
    return package.csv.read_csv(path)


load = {f.__name__: f for f in (sklearn, xgboost, pandas, polars, pyarrow)}[PACKAGE]


def dump(path, columns, output):
    import scipy.sparse
    data = load(path, int(columns))
    if PACKAGE == "sklearn":
        x, y = data[:2]
    elif PACKAGE == "xgboost":
        x, y = data.get_data()[:, 1:], data.get_label()  # it counts columns from 0
    else:
        table = data if PACKAGE == "pandas" else data.to_pandas()
        x, y = scipy.sparse.csr_matrix(table.iloc[:, 2:].to_numpy("<f4")), table["label"].to_numpy()
    x = x.tocsr()
    x.eliminate_zeros()
    x.sort_indices()
    with open(output, "wb") as f:
        x.indptr[1:].astype("<i8").tofile(f)
        x.indices.astype("<i8").tofile(f)
        x.data.astype("<f4").tofile(f)
        y.astype("<f4").tofile(f)
    return x.shape[0]


peers.serve(dict(bind=bind, dump=dump, read=lambda path, columns: peers.timed(load, path, int(columns))[0]))

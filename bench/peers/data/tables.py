"""Reads CSV files with pandas' C engine, a request a line:

  CORES PATH          -> seconds
  dump PATH OUTPUT    -> rows; OUTPUT gets the features as float32

CORES is how many processors it may run on.
"""
import os
import sys
import time

import pandas

ALL = sorted(os.sched_getaffinity(0))

for line in sys.stdin:
    try:
        request = line.split()
        if request[0] == "dump":
            data = pandas.read_csv(request[1], engine="c")
            data.iloc[:, 2:].to_numpy("<f4").tofile(request[2])
            print(len(data), flush=True)
            continue
        os.sched_setaffinity(0, ALL[: int(request[0])])
        start = time.perf_counter()
        data = pandas.read_csv(request[1], engine="c")
        took = time.perf_counter() - start
        del data
        print(took, flush=True)
    except Exception as e:  # the answer must stay one line
        print("error:", str(e).replace("\n", " "), flush=True)

"""Kendall's tau by scipy.stats, a request a line:

  load PATH N    -> ok; PATH holds x, then y, N float64 each
  value          -> tau-b and p-value
  time LEAST     -> seconds a call, the mean over as many as last LEAST seconds
"""
import sys
import time

import numpy as np
from scipy import stats

for line in sys.stdin:
    try:
        request = line.split()
        if request[0] == "load":
            x, y = np.fromfile(request[1], "<f8").reshape(2, int(request[2]))
            print("ok", flush=True)
        elif request[0] == "value":
            r = stats.kendalltau(x, y)
            print(repr(float(r.statistic)), repr(float(r.pvalue)), flush=True)
        else:
            calls, start, least = 0, time.perf_counter(), float(request[1])
            while calls == 0 or time.perf_counter() - start < least:
                stats.kendalltau(x, y)
                calls += 1
            print((time.perf_counter() - start) / calls, flush=True)
    except Exception as e:  # the answer must stay one line
        print("error:", str(e).replace("\n", " "), flush=True)

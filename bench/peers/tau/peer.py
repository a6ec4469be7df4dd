"""Kendall's tau by scipy.stats.

load PATH N    reads x and then y, N float64 each
value          tau-b and p-value
time LEAST     seconds of a call, the mean over calls that take LEAST seconds together
memory         maximum bytes of a call, without the columns
"""
import numpy as np
from scipy import stats

import peers


def load(path, n):
    global x, y
    x, y = np.fromfile(path, "<f8").reshape(2, int(n))
    return "ok"


def value():
    r = stats.kendalltau(x, y)
    return float(r.statistic), float(r.pvalue)


def memory():
    before = peers.reset_memory()
    stats.kendalltau(x, y)
    return peers.memory("VmHWM") - before


peers.serve(dict(load=load, value=value, memory=memory,
                 time=lambda least: peers.timed_least(float(least), lambda: stats.kendalltau(x, y))[0]))

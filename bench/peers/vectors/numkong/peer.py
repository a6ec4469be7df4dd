"""Times NumKong's functions for two vectors: peer.py LOOP, which is the compiled loop.c.

OPERATION TYPE N MS    seconds of a call, the mean over calls that take MS milliseconds, and the result
"""
import ctypes
import sys

import numkong._numkong
import numpy as np

import peers

loop = ctypes.CDLL(sys.argv[1]).seconds
loop.restype = ctypes.c_double
loop.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_uint64, ctypes.c_double, ctypes.c_void_p]
library = ctypes.CDLL(numkong._numkong.__file__)


def vector(kind, n, seed):
    """The numbers of vector in main.go, at the start of a page. u1 are bytes of bits."""
    h = np.arange(1, n + 1, dtype=np.uint32) * np.uint32(seed)
    values = (h >> 23) / 512 - 0.5
    if kind in ("i8", "u8", "u1"):
        values = (h >> 24).astype(np.uint8)
    elif kind == "bf16":
        values = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    else:
        values = values.astype({"f64": np.float64, "f32": np.float32, "f16": np.float16}[kind])
    page = np.empty(values.nbytes + 8192, np.uint8)
    start = -page.ctypes.data % 4096
    placed = page[start:start + values.nbytes].view(values.dtype)
    placed[:] = values
    return placed


def result_type(operation, kind):
    if operation == "hamming":
        return np.uint32
    if kind in ("f32", "f64"):
        return np.float64
    if kind in ("i8", "u8") and operation != "angular":
        return np.int32 if operation == "dot" and kind == "i8" else np.uint32
    return np.float32


def time(operation, kind, n, ms):
    n = int(n)
    x, y = vector(kind, n, 2654435761), vector(kind, n, 2246822519)
    result = np.zeros(1, result_type(operation, kind))
    f = getattr(library, f"nk_{operation}_{kind}")
    took = loop(ctypes.cast(f, ctypes.c_void_p), x.ctypes.data, y.ctypes.data, n * 8 if kind == "u1" else n,
                float(ms), result.ctypes.data)
    return took, float(result[0])


peers.serve({operation: lambda *args, operation=operation: time(operation, *args)
             for operation in ("dot", "sqeuclidean", "angular", "hamming", "jaccard")})

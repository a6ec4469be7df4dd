"""The Python side of package peer: servers that answer each line with one line."""
import importlib
import importlib.metadata
import os
import sys
import time

# Distributions whose name is not the name of the package.
DISTRIBUTIONS = {"sklearn": "scikit-learn", "faiss": "faiss-cpu", "pytrec_eval": "pytrec_eval-terrier"}


def blas(folder):
    """The OpenBLAS that a package has loaded from a folder of its wheel."""
    import threadpoolctl
    for lib in threadpoolctl.threadpool_info():
        if lib["user_api"] == "blas" and folder in lib["filepath"]:
            return f"OpenBLAS {lib['version']}, {lib['architecture']} kernels"
    return "no BLAS"


def numpy_kernels():
    import numpy
    found = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", ["baseline"])
    return f"{found[-1]}, {blas('numpy.libs')}"


def scipy_kernels():
    import scipy.linalg
    return blas("scipy.libs")


def faiss_kernels():
    import faiss
    return f"{faiss.SIMDConfig.get_level_name()}, {blas('faiss_cpu.libs')}"


def numkong_kernels():
    import numkong
    return " ".join(name for name, usable in numkong.get_capabilities().items() if usable)


def usearch_kernels():
    import usearch.index
    return usearch.index.Index(ndim=8).hardware_acceleration


def pyarrow_kernels():
    import pyarrow
    return pyarrow.runtime_info().simd_level


KERNELS = {"numpy": numpy_kernels, "scipy": scipy_kernels, "sklearn": scipy_kernels, "faiss": faiss_kernels,
           "numkong": numkong_kernels, "usearch": usearch_kernels, "pyarrow": pyarrow_kernels}


def about(name):
    """The version and the kernels of a package that reports them."""
    importlib.import_module(name)
    version = importlib.metadata.version(DISTRIBUTIONS.get(name, name))
    return version, KERNELS[name]() if name in KERNELS else "not reported"


def timed(f, *args, **kwargs):
    """The seconds of a call, and its result."""
    start = time.perf_counter()
    result = f(*args, **kwargs)
    return time.perf_counter() - start, result


def timed_least(least, f):
    """The mean seconds of calls that take at least the given time together, and the last result."""
    calls, start = 0, time.perf_counter()
    while True:
        for _ in range(calls or 1):
            result = f()
        calls += calls or 1
        took = time.perf_counter() - start
        if took >= least:
            return took / calls, result


def memory(field):
    """Bytes of this process: VmRSS, or VmHWM for the maximum since reset_memory."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


def reset_memory():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")
    return memory("VmRSS")


def serve(handlers):
    """Answers requests with the words that handlers return. The standard output is only for answers."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            name, *args = line.split()
            answer = about(*args) if name == "about" else handlers[name](*args)
            words = answer if isinstance(answer, tuple) else (answer,)
            print(*(repr(float(w)) if isinstance(w, float) else w for w in words), file=out, flush=True)
        except Exception as e:  # the driver reports it
            print("error:", repr(e).replace("\n", " "), file=out, flush=True)

#!/usr/bin/env python3
"""Answers requests of bench/peers/maxsim on one thread.

make PATH COLS   draws normalized token vectors, saves them as PATH.npy, their counts per document as
                 PATH.lengths.npy and 32 query tokens as PATH.query.npy; answers with the versions of
                 NumPy, its BLAS and NumKong
numpy            answers with processor seconds and the sum of the scores: a matrix product of all
                 tokens, maxima per document (np.maximum.reduceat) and sums. Of Q @ D.T and D @ Q.T, it
                 uses the one that was faster after make.
numkong TYPE     the same by maxsim_packed, for tokens packed before. NumKong returns the sum of
                 1 − cosine; the answer is the sum of cosines.
"""
import sys
import time

import numkong
import numpy as np


def timed(f):
    """Returns the processor seconds of a call of f, and its result."""
    f()
    calls, start = 0, time.process_time()
    while calls == 0 or time.process_time() - start < 0.01:
        result = f()
        calls += 1
    return (time.process_time() - start) / calls, result


def main():
    for line in sys.stdin:
        what, *args = line.split()
        try:
            if what == "make":
                rng = np.random.default_rng(1)
                cols = int(args[1])
                lengths = rng.integers(20, 301, 25)
                tokens = rng.standard_normal((lengths.sum(), cols), dtype=np.float32)
                query = rng.standard_normal((32, cols), dtype=np.float32)
                for x in tokens, query:
                    x /= np.linalg.norm(x, axis=1, keepdims=True)
                np.save(args[0] + ".npy", tokens)
                np.save(args[0] + ".lengths.npy", lengths)
                np.save(args[0] + ".query.npy", query)
                starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
                ways = [
                    lambda: np.maximum.reduceat(query @ tokens.T, starts, axis=1).sum(dtype=np.float64),
                    lambda: np.maximum.reduceat(tokens @ query.T, starts, axis=0).sum(dtype=np.float64),
                ]
                product = min(ways, key=lambda way: min(timed(way)[0] for _ in range(3)))
                packed = {}
                for name, convert in {"f32": lambda x: x, "f16": lambda x: x.astype(np.float16)}.items():
                    packed[name] = (
                        numkong.maxsim_pack(convert(query), dtype=name),
                        [numkong.maxsim_pack(convert(d), dtype=name) for d in np.split(tokens, starts[1:])],
                    )
                blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
                print(np.__version__, blas["name"] + "-" + blas["version"], numkong.__version__, flush=True)
            elif what == "numpy":
                print(*timed(product), flush=True)
            else:
                q, documents = packed[args[0]]
                seconds, distances = timed(lambda: sum(numkong.maxsim_packed(q, d) for d in documents))
                print(seconds, 32 * len(documents) - distances, flush=True)
        except Exception as e:
            print("error:", str(e).replace("\n", " "), flush=True)


main()

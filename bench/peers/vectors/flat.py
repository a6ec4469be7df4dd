#!/usr/bin/env python3
"""Answers requests of bench/peers/vectors with processor seconds and a sum, by FAISS on one thread.

make PATH ROWS COLS   draws vectors and 32 queries, saves them as PATH.npy and PATH.queries.npy, and keeps
                      them in an IndexFlatIP; answers with FAISS's version and the BLAS that it loaded
search K N            searches the first N queries for K neighbors; the sum is that of the scores
"""
import re
import sys
import time

import faiss
import numpy as np


def main():
    faiss.omp_set_num_threads(1)
    for line in sys.stdin:
        what, *args = line.split()
        try:
            if what == "make":
                index = None  # frees the last one
                rng = np.random.default_rng(1)
                rows, cols = int(args[1]), int(args[2])
                vectors = rng.standard_normal((rows, cols), dtype=np.float32)
                queries = rng.standard_normal((32, cols), dtype=np.float32)
                np.save(args[0] + ".npy", vectors)
                np.save(args[0] + ".queries.npy", queries)
                index = faiss.IndexFlatIP(cols)
                index.add(vectors)
                del vectors
                with open("/proc/self/maps") as maps:
                    blas = re.search(r"lib(\w*blas\w*)[-.\w]*\.so", maps.read())
                print(faiss.__version__, blas[1] if blas else "no-BLAS", flush=True)
                continue
            start = time.process_time()
            scores, _ = index.search(queries[:int(args[1])], int(args[0]))
            print(time.process_time() - start, scores.sum(dtype=np.float64), flush=True)
        except Exception as e:
            print("error:", str(e).replace("\n", " "), flush=True)


main()

"""Searches exactly with FAISS, usearch, NumKong or NumPy, which is the argument, by processor time.

make PATH ROWS COLS   generates vectors and 32 queries, saves them as PATH.npy and PATH.queries.npy
load PATH             loads the vectors and queries; answers with the maximum memory of an index, without them
search K N            searches the first N queries for K neighbors; answers with the seconds and the sum of the
                      scores
"""
import sys
import time

import numpy as np

import peers


class FAISS:
    def index(self, vectors):
        import faiss
        faiss.omp_set_num_threads(1)
        self.flat = faiss.IndexFlatIP(vectors.shape[1])
        self.flat.add(vectors)

    def search(self, queries, k):
        return self.flat.search(queries, k)[0]


class USearch:
    def index(self, vectors):
        self.vectors = vectors

    def search(self, queries, k):
        from usearch.index import search
        found = search(self.vectors, queries, k, "ip", exact=True, threads=1)
        return 1 - found.distances.astype(np.float64)


class NumPy:
    def index(self, vectors):
        self.vectors = vectors

    def scores(self, queries):
        return queries @ self.vectors.T

    def search(self, queries, k):
        scores = self.scores(queries)
        return np.sort(np.partition(scores, scores.shape[1] - k, axis=1)[:, -k:], axis=1)


class NumKong(NumPy):
    def scores(self, queries):
        import numkong
        return np.asarray(numkong.cdist(queries, self.vectors, "dot"))


tool = {"faiss": FAISS, "usearch": USearch, "numpy": NumPy, "numkong": NumKong}[sys.argv[1]]()


def make(path, rows, cols):
    rng = np.random.default_rng(1)
    np.save(path + ".npy", rng.standard_normal((int(rows), int(cols)), dtype=np.float32))
    np.save(path + ".queries.npy", rng.standard_normal((32, int(cols)), dtype=np.float32))
    return 0


def load(path):
    global queries
    vectors, queries = np.load(path + ".npy"), np.load(path + ".queries.npy")
    before = peers.reset_memory()
    tool.index(vectors)
    return peers.memory("VmHWM") - before


def search(k, n):
    start = time.process_time()
    scores = tool.search(queries[:int(n)], int(k))
    return time.process_time() - start, float(np.sum(scores, dtype=np.float64))


peers.serve(dict(make=make, load=load, search=search))

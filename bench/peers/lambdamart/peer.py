"""Trains a ranker of the library that is the argument on sets that bench/peers/lambdamart wrote.

load NAME PATH ROWS COLS QUERIES        reads a set of dense features; loadsparse of sparse ones
bin BINS THREADS                        seconds of binning the set train
train OBJECTIVE TREES LEAVES RATE SEED THREADS    seconds of training on it
memory OBJECTIVE BINS TREES LEAVES RATE THREADS   maximum bytes of binning and training, without the data
predict PATH                            scores of the set test, which go to PATH
contributions ROWS THREADS PATH         seconds of what features contribute to the scores of the first rows
save PATH                               the model, in the library's format that simdrank reads
"""
import sys

import numpy as np

import peers


class XGBoost:
    def bin(self, x, y, groups, bins, threads):
        import xgboost
        self.library, self.bins = xgboost, bins
        xgboost.set_config(verbosity=0)
        self.matrix = xgboost.QuantileDMatrix(x, max_bin=bins, nthread=threads)
        self.matrix.set_info(label=y, group=groups)

    def train(self, objective, trees, leaves, rate, seed, threads):
        # rank:ndcg doubles its Hessians, so twice the rate makes equal steps.
        params = dict(objective=objective, tree_method="hist", grow_policy="lossguide", max_depth=0,
                      max_leaves=leaves, eta=2 * rate, max_bin=self.bins, seed=seed, nthread=threads)
        self.model = self.library.train(params, self.matrix, trees)

    def predict(self, x):
        return self.model.inplace_predict(x, predict_type="margin")

    def contributions(self, x, threads):
        self.model.set_param("nthread", threads)
        return self.model.predict(self.library.DMatrix(x, nthread=threads), pred_contribs=True)

    def save(self, path):
        self.model.save_model(path)


class LightGBM:
    def bin(self, x, y, groups, bins, threads):
        import lightgbm
        self.library = lightgbm
        self.params = dict(max_bin=bins, num_threads=threads, verbosity=-1)
        self.matrix = lightgbm.Dataset(x, y, group=groups, params=self.params)
        self.matrix.construct()

    def train(self, objective, trees, leaves, rate, seed, threads):
        params = dict(self.params, objective="lambdarank", num_leaves=leaves, learning_rate=rate, seed=seed,
                      num_threads=threads)
        if objective == "quantized":
            params.update(use_quantized_grad=True, quant_train_renew_leaf=True)
        self.model = self.library.train(params, self.matrix, trees)

    def predict(self, x):
        return self.model.predict(x)

    def contributions(self, x, threads):
        return self.model.predict(x, pred_contrib=True, num_threads=threads)

    def save(self, path):
        self.model.save_model(path)


class CatBoost:
    def bin(self, x, y, groups, bins, threads):
        import catboost
        self.library = catboost
        self.matrix = catboost.Pool(x, y, group_id=np.repeat(np.arange(len(groups)), groups), thread_count=threads)
        self.matrix.quantize(border_count=bins - 1, task_type="CPU")

    def train(self, objective, trees, leaves, rate, seed, threads):
        # Trees are symmetric: all nodes of a level have the same condition.
        self.model = self.library.CatBoost(dict(
            loss_function=objective, iterations=trees, depth=(leaves + 1).bit_length() - 1, learning_rate=rate,
            random_seed=seed, thread_count=threads, verbose=False, allow_writing_files=False))
        self.model.fit(self.matrix)

    def predict(self, x):
        return self.model.predict(x, thread_count=1)

    def save(self, path):
        self.model.save_model(path, format="json")


library = {"xgboost": XGBoost, "lightgbm": LightGBM, "catboost": CatBoost}[sys.argv[1]]()
sets = {}


def load(name, path, rows, cols, queries):
    return keep(name, path, np.fromfile(path + ".x", np.float32).reshape(int(rows), int(cols)), queries)


def loadsparse(name, path, rows, cols, queries):
    import scipy.sparse
    x = scipy.sparse.csr_matrix(
        (np.fromfile(path + ".values", np.float32), np.fromfile(path + ".columns", np.int32),
         np.fromfile(path + ".offsets", np.int64)), shape=(int(rows), int(cols)))
    return keep(name, path, x, queries)


def keep(name, path, x, queries):
    y, groups = np.fromfile(path + ".y"), np.diff(np.fromfile(path + ".q", np.int64))
    assert len(y) == x.shape[0] and len(groups) == int(queries)
    sets[name] = x, y, groups
    return len(y)


def bin(bins, threads):
    library.matrix = None
    return peers.timed(library.bin, *sets["train"], int(bins), int(threads))[0]


def train(objective, trees, leaves, rate, seed, threads):
    return peers.timed(library.train, objective, int(trees), int(leaves), float(rate), int(seed), int(threads))[0]


def memory(objective, bins, trees, leaves, rate, threads):
    library.matrix = library.model = None
    before = peers.reset_memory()
    bin(bins, threads)
    train(objective, trees, leaves, rate, 1, threads)
    return peers.memory("VmHWM") - before


def predict(path):
    library.predict(sets["test"][0]).astype(np.float64).tofile(path)
    return 0


def contributions(rows, threads, path):
    took, values = peers.timed(library.contributions, sets["test"][0][:int(rows)], int(threads))
    values.astype(np.float64).tofile(path)
    return took


def save(path):
    library.save(path)
    return 0


peers.serve(dict(load=load, loadsparse=loadsparse, bin=bin, train=train, memory=memory, predict=predict,
                 contributions=contributions, save=save))

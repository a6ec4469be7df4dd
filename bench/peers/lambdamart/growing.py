#!/usr/bin/python3
"""LightGBM's side of the tests of how trees grow, and of refitting, of rank/lambdamart.

LIGHTGBM=lightgbm growing.py DIRECTORY
    writes growing.csv, seeded data, growing.txt, the scores of LightGBM's command, a line a case and a column a row,
    and, trained on the queries before SPLIT, refit-from.txt, a model. The last lines of growing.txt are the scores of
    that model when its leaves were refitted to the other queries.
"""
import os
import random
import subprocess
import sys
import tempfile

QUERIES, SPLIT, FEATURES = 60, 40, 5
LAMBDARANK, REGRESSION = "objective=lambdarank", "objective=regression"
# LightGBM estimates how many rows a side has, and rounds that for each bin. Regression, whose Hessians are 1, rounds
# nothing, so smoothing is compared there. Monotone constraints are left out where they bind: a leaf's own gain, which
# splits have to exceed, is there that of its value without the constraints.
CASES = [
    [LAMBDARANK, "interaction_constraints=[0,1],[1,2,3]"],
    [REGRESSION, "interaction_constraints=[0,4],[1],[2,3,4]"],
    [LAMBDARANK, "max_delta_step=0.4", "min_data_in_leaf=1"],
    [REGRESSION, "max_delta_step=0.5", "lambda_l1=2", "lambda_l2=3", "monotone_constraints=1,0,-1,0,0"],
    [REGRESSION, "path_smooth=4"],
    [REGRESSION, "path_smooth=20", "max_delta_step=0.6", "lambda_l1=1", "lambda_l2=2",
     "interaction_constraints=[0,1,2],[2,3,4]"],
]
REFITS = [["refit_decay_rate=0.9"], ["refit_decay_rate=0.3", "lambda_l1=0.1", "lambda_l2=1", "max_delta_step=0.3"]]
COMMON = ["num_trees=6", "num_leaves=8", "num_threads=1", "verbosity=-1", "deterministic=true"]


def rows():
    """Rows of query, label and features."""
    rng = random.Random(11)
    out = []
    for q in range(QUERIES):
        for _ in range(rng.randrange(6, 11)):
            x = [rng.randrange(12) for _ in range(FEATURES)]
            label = (x[0] + x[1] * x[2] // 6 - x[3] // 2 + rng.randrange(6)) // 6
            out.append([q, min(max(label, 0), 4)] + x)
    return out


def write(path, part):
    with open(path, "w") as f:
        f.writelines("\t".join(map(str, r[1:])) + "\n" for r in part)
    with open(path + ".query", "w") as f:
        f.writelines("%d\n" % n for q in range(QUERIES) for n in [sum(r[0] == q for r in part)] if n)


if __name__ == "__main__":
    target, data = sys.argv[1], rows()
    with open(os.path.join(target, "growing.csv"), "w") as f:
        f.write("qid,label," + ",".join("x%d" % j for j in range(FEATURES)) + "\n")
        f.writelines(",".join(map(str, r)) + "\n" for r in data)
    with tempfile.TemporaryDirectory() as directory, open(os.path.join(target, "growing.txt"), "w") as out:
        at = lambda name: os.path.join(directory, name)

        def lightgbm(*params):
            subprocess.run([os.environ["LIGHTGBM"], "verbosity=-1", *params], check=True)

        def scores(model):
            lightgbm("task=predict", "data=" + at("all"), "input_model=" + model, "output_result=" + at("scores"))
            out.write(" ".join("%.8g" % float(v) for v in open(at("scores")).read().split()) + "\n")

        write(at("all"), data)
        write(at("old"), [r for r in data if r[0] < SPLIT])
        write(at("new"), [r for r in data if r[0] >= SPLIT])
        for params in CASES:
            lightgbm("task=train", "data=" + at("all"), "output_model=" + at("model"), *COMMON, *params, "min_data_in_leaf=5")
            scores(at("model"))
        start = os.path.join(target, "refit-from.txt")
        lightgbm("task=train", "data=" + at("old"), "output_model=" + start, *COMMON, LAMBDARANK, "min_data_in_leaf=5")
        for params in REFITS:
            lightgbm("task=refit", "data=" + at("new"), "input_model=" + start, "output_model=" + at("refit"),
                     "output_result=" + at("leaves"), LAMBDARANK, "num_leaves=8", *params)
            scores(at("refit"))
        with open(start) as f:
            text = f.read()
        with open(start, "w") as f:  # without the parameters, which name files of this machine
            f.write(text[: text.index("\nparameters:")])

#!/usr/bin/python3
"""LightGBM's side of the test of position bias of rank/lambdamart.

LIGHTGBM=lightgbm positions.py DIRECTORY
    writes clicks.csv, seeded clicks with positions, and what LightGBM's command makes of them: a file a case, a line a
    tree, the additive factors of the positions 1, 2, 3, … in it.

xgboost has lambdarank_unbiased from 2.0 on, which Debian 12 has not.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

CASES = {
    "plain": [],
    "regularized": ["lambdarank_position_bias_regularization=0.5", "learning_rate=0.2"],
    "all-pairs": ["lambdarank_norm=false", "lambdarank_truncation_level=100"],
}
QUERIES, FEATURES, TREES = 60, 4, 8


def clicks():
    """Rows of query, label, position and features. Documents are shown by one of their features."""
    rng = random.Random(5)
    rows = []
    for q in range(QUERIES):
        documents = [[rng.randrange(16) for _ in range(FEATURES)] for _ in range(rng.randrange(8, 13))]
        shown = sorted(range(len(documents)), key=lambda i: -(documents[i][0] + rng.randrange(12)))
        for i, x in enumerate(documents):
            position = shown.index(i) + 1
            label = int(rng.random() < (2 + x[0] + x[1]) / 40 / position**0.5 * 1.5)
            rows.append([q, label, position] + x)
    return rows


def factors(program, directory, rows, params):
    path = os.path.join(directory, "data")
    with open(path, "w") as f:
        f.writelines("\t".join(str(v) for v in [r[1]] + r[3:]) + "\n" for r in rows)
    with open(path + ".query", "w") as f:
        f.writelines("%d\n" % sum(r[0] == q for r in rows) for q in range(QUERIES))
    with open(path + ".position", "w") as f:
        f.writelines("%d\n" % r[2] for r in rows)
    out = subprocess.run(
        [program, "task=train", "objective=lambdarank", "data=" + path, "output_model=" + os.path.join(directory, "model"),
         "num_trees=%d" % TREES, "num_leaves=3", "verbosity=2", "num_threads=1"] + params,
        check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [(int(a), b) for a, b in re.findall(r"^\[LightGBM\] \[Debug\] +(\d+) +(-?[\d.e+-]+)$", out, re.M)]
    most = max(r[2] for r in rows)
    for t in range(TREES):
        yield [b for _, b in sorted(found[t * most : (t + 1) * most])]


if __name__ == "__main__":
    target, rows = sys.argv[1], clicks()
    with open(os.path.join(target, "clicks.csv"), "w") as f:
        f.write("qid,label,position," + ",".join("x%d" % j for j in range(FEATURES)) + "\n")
        f.writelines(",".join(map(str, r)) + "\n" for r in rows)
    for name, params in CASES.items():
        with tempfile.TemporaryDirectory() as directory, open(os.path.join(target, name + ".txt"), "w") as f:
            f.writelines(" ".join(line) + "\n" for line in factors(os.environ["LIGHTGBM"], directory, rows, params))

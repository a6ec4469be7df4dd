#!/usr/bin/env python3
"""Print rank/testdata/lists.json: lists for the test that metrics have the same bits everywhere.

All numbers are drawn as integers, seed 12. Scores are eighths or 24-bit fractions, negative ones
too; labels are integers up to 4 or quarters, −1 for documents without judgment.
"""
import json
import random

random.seed(12)


def draw(n, label, score):
    labels, scores = [label() for _ in range(n)], [score() for _ in range(n)]
    return {"Labels": labels, "Scores": scores, "TieKeys": [random.randrange(5) for _ in range(n)]}


def few(values):  # many ties
    return lambda: (random.randrange(values) - values // 2) / 8


def fraction():  # hardly any
    return (random.randrange(1 << 24) - (1 << 23)) / (1 << 22)


def integer():
    return random.choice([0, 0, 0, 0, 1, 1, 2, 3, 4])


def quarter():
    return random.choice([0, 0, random.randrange(17) / 4])


def judged():
    return random.choice([-1, -1, 0, 0, 0, 1, 2])


lists = []
for n, label, score in [
    (1, lambda: 0, fraction), (1, lambda: 3, fraction), (2, lambda: 1, few(1)),
    (7, lambda: 0, few(4)), (9, lambda: 2, few(4)), (12, integer, few(1)), (5, lambda: -1, fraction),
    (150, integer, few(40)), (90, quarter, few(7)), (120, integer, few(2)), (130, judged, few(3)), (140, integer, few(5)),
    *[(random.randrange(3, 40), label, score)
      for label in (integer, quarter, judged) for score in (few(3), few(12), fraction) for _ in range(3)],
]:
    lists.append(draw(n, label, score))
for l in lists[20:]:
    l["Unretrieved"] = [integer() for _ in range(random.randrange(4))]
print("[" + ",\n".join(json.dumps(l, separators=(",", ":")) for l in lists) + "]")

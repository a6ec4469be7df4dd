"""Writes rank/testdata/calibration.json: calibrations that scikit-learn 1.7.2 learns.

    python3 -m venv venv && venv/bin/pip install scikit-learn==1.7.2 numpy==2.4.6 scipy==1.17.1
    venv/bin/python bench/peers/calibration/golden.py rank/testdata/calibration.json

Each case has the probabilities of isotonic regression (IsotonicRegression) at some scores, and a
and b of Platt's method (_SigmoidCalibration, which CalibratedClassifierCV uses). The probability is
1/(1+exp(a*score+b)).
"""
import json
import sys

import numpy as np
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression


def case(name, scores, labels, weights=None):
    probes = np.concatenate(
        [[scores.min() - 1, scores.max() + 1], scores[:20], (scores[1:20] + scores[: min(19, len(scores) - 1)]) / 2]
    )
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, labels, weights)
    sigmoid = _SigmoidCalibration().fit(scores, labels, weights)
    return {
        "name": name,
        "scores": scores.tolist(),
        "labels": labels.tolist(),
        "weights": None if weights is None else weights.tolist(),
        "probes": probes.tolist(),
        "isotonic": isotonic.predict(probes).tolist(),
        "a": float(sigmoid.a_),
        "b": float(sigmoid.b_),
    }


def main(path):
    random = np.random.default_rng(1)
    cases = []
    for name, n, digits, scale in [("distinct", 200, 12, 1), ("ties", 300, 1, 2), ("large", 150, 3, 500)]:
        scores = np.round(random.normal(size=n) * scale, digits)
        labels = (random.random(n) < 1 / (1 + np.exp(-2 * scores / scale + 1))).astype(float)
        cases.append(case(name, scores, labels))
        cases.append(case(name + ", weighted", scores, labels, np.round(random.exponential(size=n), 3) + 0.001))
    scores = np.arange(10.0)
    cases.append(case("separable", scores, (scores > 5).astype(float)))
    cases.append(case("one score", np.zeros(7), np.array([0.0, 1, 0, 1, 1, 0, 0])))
    with open(path, "w") as f:
        json.dump(cases, f, separators=(",", ":"))
        f.write("\n")


main(sys.argv[1])

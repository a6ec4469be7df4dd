#!/usr/bin/env python3
"""Print judgments and runs with what trec_eval says of them, as JSON.

usage: TREC_EVAL=program treceval.py CASES SEED [9]

rank/trec/treceval/testdata/cases.json is of 20 cases and seed 1, made with trec_eval 10.0;
cases9.json is of 8 cases and seed 4 with the word 9, which leaves out what trec_eval 9 lacks, made
with trec_eval 9.0.8. Cases have ties, duplicates, negative judgments, topics that are missing,
absurd scores, blank lines, carriage returns and comments. Where trec_eval refuses a case, its
output is null. Lines of rbp are left out: trec_eval scales its gains by variables that it never
sets. Cases leave out what it reads beyond its memory, topics whose judgments are all negative, and
parameters of ndcg beside dcg, with which it shares them.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

ABSURD = ["inf", "-inf", "1e400", "-1e400", "1e-400", "-0", "0", "+5", ".5", "5.", "1e39", "2e39", "1e-46",
          "3.00000000000000000000001", "99999999999999999999999", "-1.5E-3", "infinity"]
MEASURES = [["all_trec"], ["official"], ["set"], [],
            ["all_trec", "dcg", "ideal_dcg", "yaap", "relstring.20"],
            ["P.5,7,3", "recall.20,2000", "Rprec_mult.5.0,0.25,0.375", "iprec_at_recall..10,.20,.25,.75,.50"],
            ["utility.2,-1,0.5,0.001", "11pt_avg..25,.5,.75", "set_F.0.5", "relstring.3"],
            ["ndcg.1=3,2=9,4=4.5", "ndcg_rel.1=0.5,2=0.9", "Rndcg.0=0.5,1=-1", "G.1=3.5,2=9.0"],
            ["ndcg.0=0.25,1=0.5,2=0.75,3=4", "rbp.p=0.8", "rbp_resid.p=0.8", "G"], ["dcg.-1=2,1=3", "rbp.p=0.5,1=4"],
            ["P.5", "P.10", "map_cut.1,3", "ndcg_cut.1,2,4.9", "success.2", "unj.1,3", "relative_P.4"]]


NINE = len(sys.argv) > 3
LACKING = ("rbp", "dcg", "ideal_dcg", "unj")  # in trec_eval 9, which takes no comments, either


def score(rng, kind):
    if kind == "absurd" and rng.random() < 0.4:
        return rng.choice(ABSURD)
    if kind == "close":
        return f"{1 + rng.randrange(6) * 2e-9:.12f}"
    if kind == "ties":
        return str(rng.randrange(4))
    return f"{rng.uniform(-5, 20):.{rng.randrange(1, 9)}f}"


def case(rng):
    form = rng.choice(["qrels"] * 6 + ["qrels_jg", "prefs", "qrels_prefs"])
    flags = []
    if rng.random() < 0.7:
        flags.append("-q")
    if form == "qrels":
        for m in rng.choice(MEASURES):
            if not NINE or not m.startswith(LACKING):
                flags += ["-m", m]
        for flag, share, value in [("-l", 0.4, rng.randrange(4)), ("-N", 0.2, rng.randrange(100, 1000))]:
            if rng.random() < share:
                flags += [flag, str(value)]
    else:
        flags += ["-R", form, "-m", "qrels_jg" if form == "qrels_jg" else "all_prefs"]
    if rng.random() < 0.25:
        flags.append("-J")
    if rng.random() < 0.25:
        flags += ["-M", str(rng.choice([1, 3, 10, 100]))]
    complete = rng.random() < 0.4
    if complete:
        flags.append("-c")
    end = rng.choice(["\n", "\n", "\r\n", " \t\n"])
    blank = rng.choice([" ", "\t", "  "])
    qrels, run = [], []
    topics = [rng.choice(["", "q", "t-"]) + str(rng.randrange(1, 400)) for _ in range(rng.randrange(1, 5))]
    kind = rng.choice(["plain", "ties", "close", "absurd"])
    top = rng.choice([1, 1, 2, 4, 12])
    for topic in dict.fromkeys(topics):
        pool = [rng.choice("adDZ") + str(i * 7 % 100) for i in range(rng.randrange(2, 45))]
        judged = rng.sample(pool, rng.randrange(1, len(pool) + 1))
        if form in ("prefs", "qrels_prefs"):
            for group in range(rng.randrange(1, 4)):
                order = {d: rng.choice([0, 0, 1, 2, 3.5]) for d in judged}
                for sub in range(rng.randrange(1, 4) if form == "prefs" else 1):
                    for d in rng.sample(judged, rng.randrange(1, len(judged) + 1)):
                        fields = [topic, f"g{group}", f"s{sub}", d, str(order[d])]
                        if form == "qrels_prefs":
                            del fields[2]
                        qrels.append(blank.join(fields))
        else:
            for group in range(rng.randrange(1, 4) if form == "qrels_jg" else 1):
                for i, d in enumerate(judged):
                    low = 0 if i == 0 or form == "qrels_jg" else rng.choice([0, 0, 0, -1, -2])
                    qrels.append(blank.join([topic, str(group), d, str(rng.choice([0, low, rng.randrange(top + 1)]))]))
        if complete and rng.random() < 0.3 and run:
            continue
        for i, d in enumerate(rng.sample(pool, rng.randrange(1, len(pool) + 1))):
            run.append(blank.join([topic, "Q0", d, str(i), score(rng, kind), "name"]))
    again = run[-1]
    if rng.random() < 0.3:
        run.append("other Q0 d1 1 2 name")
    rng.shuffle(qrels)
    if rng.random() < 0.5:
        rng.shuffle(run)
    broken = rng.random()
    if broken < 0.04:
        run.append(again)
        flags = [f for f in flags if f not in ("-M", "1", "3", "10", "100")]
    elif broken < 0.08:
        qrels.append(qrels[-1] + " 1 2")
    elif broken < 0.1:
        run.append("1 Q0 d 1 2")
    elif form == "qrels" and broken < 0.12:
        qrels.append(qrels[0])
    if rng.random() < 0.2:
        run.insert(rng.randrange(len(run)), "")
        if not NINE:
            run.insert(0, "# a comment")
            qrels.insert(0, "# another")
    tail = rng.choice(["", end])
    return {"flags": flags, "qrels": end.join(qrels) + tail, "run": end.join(run) + end}


def main():
    cases, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    out = []
    with tempfile.TemporaryDirectory() as d:
        for _ in range(cases):
            c = case(rng)
            for name in ("qrels", "run"):
                with open(f"{d}/{name}", "w", newline="") as f:
                    f.write(c[name])
            p = subprocess.run([os.environ["TREC_EVAL"], *c["flags"], f"{d}/qrels", f"{d}/run"], capture_output=True,
                               text=True)
            lines = [line for line in p.stdout.splitlines(True)
                     if not line.startswith("rbp") or line.startswith("rbp_resid")]
            c["output"] = "".join(lines) if p.returncode == 0 else None
            out.append(c)
    print("[" + ",\n".join(json.dumps(c) for c in out) + "]")


main()

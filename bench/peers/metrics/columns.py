#!/usr/bin/env python3
"""Write judgments and a run with three columns, and their values, to the folder that is given.

rank/trec/testdata/columns was made with

  pip install beir==2.2.0 pytrec-eval-terrier==0.5.11 numpy==2.4.6
  columns.py rank/trec/testdata/columns

  beir.tsv           judgments as in BEIR and MTEB; BEIR's own loader reads them
  floats.tsv         the same with relevances such as 1.0, as pandas writes them
  msmarco.qrels.tsv  the same as in MS MARCO
  msmarco.run.tsv    a run as in MS MARCO, which lacks the last topic
  values.json        means over all topics of the judgments: map and ndcg_cut_10 of pytrec_eval, and
                     MRR@10 as MS MARCO defines it
"""
import json
import pathlib
import random
import sys

import pytrec_eval
from beir.datasets.data_loader import GenericDataLoader

random.seed(51)
folder = pathlib.Path(sys.argv[1])
docs = [str(random.randrange(10**6)) for _ in range(60)]
topics = [str(random.randrange(10**6)) for _ in range(8)]
judged = [(t, d, random.choice([0, 0, 1, 1, 2])) for t in topics for d in random.sample(docs, 9)]
runs = {t: random.sample(docs, 25) for t in topics[:-1]}

header = "query-id\tcorpus-id\tscore\n"
(folder / "beir.tsv").write_text(header + "".join(f"{t}\t{d}\t{r}\n" for t, d, r in judged))
(folder / "floats.tsv").write_text(header + "".join(f"{t}\t{d}\t{float(r)}\n" for t, d, r in judged))
(folder / "msmarco.qrels.tsv").write_text("".join(f"{t}\t0\t{d}\t{r}\n" for t, d, r in judged))
(folder / "msmarco.run.tsv").write_text(
    "".join(f"{t}\t{d}\t{i}\n" for t, ranking in runs.items() for i, d in enumerate(ranking, 1)))

loader = GenericDataLoader(data_folder=str(folder), qrels_file=str(folder / "beir.tsv"))
loader._load_qrels()
qrels, run = loader.qrels, {}
for line in (folder / "msmarco.run.tsv").read_text().splitlines():
    t, d, rank = line.split("\t")
    run.setdefault(t, {})[d] = -float(rank)
measured = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10"}).evaluate(run)
values = {m: sum(v[m] for v in measured.values()) / len(qrels) for m in ("map", "ndcg_cut_10")}
values["mrr@10"] = sum(
    next((1 / rank for rank, d in enumerate(runs.get(t, [])[:10], 1) if qrels[t].get(d, 0) > 0), 0)
    for t in qrels) / len(qrels)
(folder / "values.json").write_text(json.dumps(values, indent=1) + "\n")

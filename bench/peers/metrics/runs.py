"""Prints means of eight measures over the topics of a TREC run: runs.py TOOL QRELS RUN.

TOOL is pytrec_eval, ir_measures or ranx. The names are trec_eval's.
"""
import sys

NAMES = ["map", "recip_rank", "P_10", "recall_1000", "Rprec", "bpref", "ndcg", "ndcg_cut_10"]


def pytrec_eval(qrels, run):
    import pytrec_eval
    with open(qrels) as q, open(run) as r:
        qrel, run = pytrec_eval.parse_qrel(q), pytrec_eval.parse_run(r)
    values = pytrec_eval.RelevanceEvaluator(qrel, set(NAMES)).evaluate(run).values()
    return [sum(v[n] for v in values) / len(values) for n in NAMES]


def ir_measures(qrels, run):
    import ir_measures as ir
    measures = [ir.AP, ir.RR, ir.P @ 10, ir.R @ 1000, ir.Rprec, ir.Bpref, ir.nDCG, ir.nDCG @ 10]
    values = ir.calc_aggregate(measures, ir.read_trec_qrels(qrels), ir.read_trec_run(run))
    return [values[m] for m in measures]


def ranx(qrels, run):
    import ranx
    measures = ["map", "mrr", "precision@10", "recall@1000", "r-precision", "bpref", "ndcg", "ndcg@10"]
    values = ranx.evaluate(ranx.Qrels.from_file(qrels, kind="trec"), ranx.Run.from_file(run, kind="trec"), measures)
    return [values[m] for m in measures]


tool, *paths = sys.argv[1:]
for name, value in zip(NAMES, {"pytrec_eval": pytrec_eval, "ir_measures": ir_measures, "ranx": ranx}[tool](*paths)):
    print(name, "all", f"{value:.4f}")

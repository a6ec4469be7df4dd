package treceval

// sets maps the names of measure sets to the names of their measures.
var sets = map[string]string{
	"official": official,
	"set": "runid num_q num_ret num_rel num_rel_ret utility set_P set_recall set_relative_P set_map " +
		"set_F",
	"all_trec": official + " relstring recall unj rbp rbp_resid infAP gm_bpref utility 11pt_avg ndcg " +
		"relative_P Rprec_mult success map_cut ndcg_cut ndcg_rel Rndcg binG G set_P set_recall " +
		"set_relative_P set_map set_F num_nonrel_judged_ret",
	"prefs": prefs,
	"all_prefs": prefs + " prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret prefs_avgjg_ret " +
		"prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp prefs_avgjg_imp",
	"qrels_jg": "runid num_q map_avgjg P_avgjg Rprec_mult_avgjg",
}

const (
	official = "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P"
	prefs    = "runid num_q prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret prefs_simp " +
		"prefs_pair prefs_avgjg"
)

var (
	tops       = parameters{cuts: []int{5, 10, 15, 20, 30, 100, 200, 500, 1000}}
	elevenths  = parameters{values: []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}}
	multiples  = parameters{values: []float64{.2, .4, .6, .8, 1, 1.2, 1.4, 1.6, 1.8, 2}}
	firstRanks = parameters{cuts: []int{1, 5, 10}}
)

// allMeasures lists the measures in the order in which trec_eval prints them.
var allMeasures = []measure{
	{name: "runid", sum: runID, single: true},
	{name: "num_q", sum: topics, single: true},
	{name: "num_ret", sum: total, value: numRet},
	{name: "num_rel", sum: total, value: numRel},
	{name: "num_rel_ret", sum: total, value: numRelRet},
	{name: "map", value: averagePrecision},
	{name: "gm_map", sum: geometric, single: true, value: logOf(averagePrecision)},
	{name: "Rprec", value: rPrecision},
	{name: "bpref", value: bpref},
	{name: "recip_rank", value: reciprocalRank},
	{name: "iprec_at_recall", kind: shares, preset: elevenths, value: interpolated},
	{name: "P", kind: ranks, preset: tops, value: precision},
	{name: "relstring", kind: numbers, preset: parameters{values: []float64{10}}, sum: noSummary},
	{name: "recall", kind: ranks, preset: tops, value: recall},
	{name: "infAP", value: inferred},
	{name: "gm_bpref", sum: geometric, single: true, value: logOf(bpref)},
	{name: "Rprec_mult", kind: shares, preset: multiples, value: precisionAtMultiple},
	{name: "utility", kind: numbers, preset: parameters{values: []float64{1, -1, 0, 0}}, value: utility},
	{name: "11pt_avg", kind: numbers, preset: elevenths, value: average11},
	{name: "binG", value: binaryG},
	{name: "G", kind: pairs, value: g},
	{name: "dcg", kind: pairs, since10: true, value: dcg},
	{name: "ideal_dcg", kind: pairs, since10: true, value: idealDCG},
	{name: "ndcg", kind: pairs, value: ndcg},
	{name: "ndcg_rel", kind: pairs, value: ndcgAtRelevant},
	{name: "Rndcg", kind: pairs, value: ndcgAtChanges},
	{name: "ndcg_cut", kind: ranks, preset: tops, value: ndcgCut},
	{name: "map_cut", kind: ranks, preset: tops, value: averagePrecisionCut},
	{name: "relative_P", kind: ranks, preset: tops, value: relativePrecision},
	{name: "success", kind: ranks, preset: firstRanks, value: success},
	{name: "set_P", value: setPrecision},
	{name: "set_relative_P", value: setRelativePrecision},
	{name: "set_recall", value: setRecall},
	{name: "set_map", value: setAveragePrecision},
	{name: "set_F", kind: numbers, preset: parameters{values: []float64{1}}, value: setF},
	{name: "num_nonrel_judged_ret", sum: total, value: numNonrelJudgedRet},
	{name: "prefs_num_prefs_poss", sum: total, prefs: prefsPossible},
	{name: "prefs_num_prefs_ful", sum: total, prefs: prefsFulfilled},
	{name: "prefs_num_prefs_ful_ret", sum: total, prefs: prefsFulfilledRet},
	{name: "prefs_simp", prefs: prefsSimple(everywhere)},
	{name: "prefs_pair", prefs: prefsPair(everywhere)},
	{name: "prefs_avgjg", prefs: prefsByGroup(everywhere)},
	{name: "prefs_avgjg_Rnonrel", prefs: prefsEven},
	{name: "prefs_simp_ret", prefs: prefsSimple(bothRetrieved)},
	{name: "prefs_pair_ret", prefs: prefsPair(bothRetrieved)},
	{name: "prefs_avgjg_ret", prefs: prefsByGroup(bothRetrieved)},
	{name: "prefs_avgjg_Rnonrel_ret", prefs: prefsEvenRet},
	{name: "prefs_simp_imp", prefs: prefsSimple(oneRetrieved)},
	{name: "prefs_pair_imp", prefs: prefsPair(oneRetrieved)},
	{name: "prefs_avgjg_imp", prefs: prefsByGroup(oneRetrieved)},
	{name: "map_avgjg", groups: true, value: averagePrecision},
	{name: "P_avgjg", kind: ranks, preset: tops, groups: true, value: precision},
	{name: "Rprec_mult_avgjg", kind: shares, preset: multiples, groups: true, value: precisionAtMultiple},
	{name: "yaap", value: yaap},
	{name: "rbp", kind: pairs, since10: true, value: rbp},
	{name: "rbp_resid", kind: pairs, since10: true, value: rbpResidual},
	{name: "unj", kind: ranks, preset: parameters{cuts: []int{5, 10, 20}}, since10: true,
		value: unjudged},
}

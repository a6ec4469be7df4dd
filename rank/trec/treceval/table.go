package treceval

// sets are the sets of measures that have a name.
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

// Sets of formats of judgments.
type formats uint8

const (
	inQrels  formats = 1 << ofQrels
	inGroups formats = 1 << ofGroups
	inPrefs  formats = 1<<ofPrefs | 1<<ofQrelsPrefs
	inAll            = inQrels | inGroups | inPrefs
)

var (
	tops       = parameters{cuts: []int{5, 10, 15, 20, 30, 100, 200, 500, 1000}}
	elevenths  = parameters{values: []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}}
	multiples  = parameters{values: []float64{.2, .4, .6, .8, 1, 1.2, 1.4, 1.6, 1.8, 2}}
	firstRanks = parameters{cuts: []int{1, 5, 10}}
)

// measures are all measures in the order in which they are printed.
var measures = []measure{
	{name: "runid", sum: runID, formats: inAll, single: true},
	{name: "num_q", sum: topics, formats: inAll, single: true},
	{name: "num_ret", sum: total, formats: inQrels, value: numRet},
	{name: "num_rel", sum: total, formats: inQrels, value: numRel},
	{name: "num_rel_ret", sum: total, formats: inQrels, value: numRelRet},
	{name: "map", formats: inQrels, value: averagePrecision},
	{name: "gm_map", sum: geometric, formats: inQrels, single: true, value: logOf(averagePrecision)},
	{name: "Rprec", formats: inQrels, value: rPrecision},
	{name: "bpref", formats: inQrels, value: bpref},
	{name: "recip_rank", formats: inQrels, value: reciprocalRank},
	{name: "iprec_at_recall", kind: shares, preset: elevenths, formats: inQrels, value: interpolated},
	{name: "P", kind: ranks, preset: tops, formats: inQrels, value: precision},
	{name: "relstring", kind: numbers, preset: parameters{values: []float64{10}}, sum: noSummary, formats: inQrels},
	{name: "recall", kind: ranks, preset: tops, formats: inQrels, value: recall},
	{name: "infAP", formats: inQrels, value: inferred},
	{name: "gm_bpref", sum: geometric, formats: inQrels, single: true, value: logOf(bpref)},
	{name: "Rprec_mult", kind: shares, preset: multiples, formats: inQrels, value: precisionAtMultiple},
	{name: "utility", kind: numbers, preset: parameters{values: []float64{1, -1, 0, 0}}, formats: inQrels,
		value: utility},
	{name: "11pt_avg", kind: numbers, preset: elevenths, formats: inQrels, value: average11},
	{name: "binG", formats: inQrels, value: binaryG},
	{name: "G", kind: pairs, formats: inQrels, value: g},
	{name: "dcg", kind: pairs, formats: inQrels, since10: true, value: dcg},
	{name: "ideal_dcg", kind: pairs, formats: inQrels, since10: true, value: idealDCG},
	{name: "ndcg", kind: pairs, formats: inQrels, value: ndcg},
	{name: "ndcg_rel", kind: pairs, formats: inQrels, value: ndcgAtRelevant},
	{name: "Rndcg", kind: pairs, formats: inQrels, value: ndcgAtChanges},
	{name: "ndcg_cut", kind: ranks, preset: tops, formats: inQrels, value: ndcgCut},
	{name: "map_cut", kind: ranks, preset: tops, formats: inQrels, value: averagePrecisionCut},
	{name: "relative_P", kind: ranks, preset: tops, formats: inQrels, value: relativePrecision},
	{name: "success", kind: ranks, preset: firstRanks, formats: inQrels, value: success},
	{name: "set_P", formats: inQrels, value: setPrecision},
	{name: "set_relative_P", formats: inQrels, value: setRelativePrecision},
	{name: "set_recall", formats: inQrels, value: setRecall},
	{name: "set_map", formats: inQrels, value: setAveragePrecision},
	{name: "set_F", kind: numbers, preset: parameters{values: []float64{1}}, formats: inQrels, value: setF},
	{name: "num_nonrel_judged_ret", sum: total, formats: inQrels, value: numNonrelJudgedRet},
	{name: "prefs_num_prefs_poss", sum: total, formats: inPrefs, prefs: prefsPossible},
	{name: "prefs_num_prefs_ful", sum: total, formats: inPrefs, prefs: prefsFulfilled},
	{name: "prefs_num_prefs_ful_ret", sum: total, formats: inPrefs, prefs: prefsFulfilledRet},
	{name: "prefs_simp", formats: inPrefs, prefs: prefsSimple(everywhere)},
	{name: "prefs_pair", formats: inPrefs, prefs: prefsPair(everywhere)},
	{name: "prefs_avgjg", formats: inPrefs, prefs: prefsByGroup(everywhere)},
	{name: "prefs_avgjg_Rnonrel", formats: inPrefs, prefs: prefsEven},
	{name: "prefs_simp_ret", formats: inPrefs, prefs: prefsSimple(bothRetrieved)},
	{name: "prefs_pair_ret", formats: inPrefs, prefs: prefsPair(bothRetrieved)},
	{name: "prefs_avgjg_ret", formats: inPrefs, prefs: prefsByGroup(bothRetrieved)},
	{name: "prefs_avgjg_Rnonrel_ret", formats: inPrefs, prefs: prefsEvenRet},
	{name: "prefs_simp_imp", formats: inPrefs, prefs: prefsSimple(oneRetrieved)},
	{name: "prefs_pair_imp", formats: inPrefs, prefs: prefsPair(oneRetrieved)},
	{name: "prefs_avgjg_imp", formats: inPrefs, prefs: prefsByGroup(oneRetrieved)},
	{name: "map_avgjg", formats: inGroups, value: averagePrecision},
	{name: "P_avgjg", kind: ranks, preset: tops, formats: inGroups, value: precision},
	{name: "Rprec_mult_avgjg", kind: shares, preset: multiples, formats: inGroups, value: precisionAtMultiple},
	{name: "yaap", formats: inQrels, value: yaap},
	{name: "rbp", kind: pairs, formats: inQrels, since10: true, value: rbp},
	{name: "rbp_resid", kind: pairs, formats: inQrels, since10: true, value: rbpResidual},
	{name: "unj", kind: ranks, preset: parameters{cuts: []int{5, 10, 20}}, formats: inQrels, since10: true,
		value: unjudged},
}

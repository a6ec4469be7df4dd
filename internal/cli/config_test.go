package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadConfig(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# a comment\n\n num_trees = 7 # seven\r\neta=0.3\nverbosity = -1\n",
			"3 trees=7, 4 learning-rate=0.3"},
		{"objective = lambdarank\nboosting_type = gbdt\ntask=train", "1 objective=ndcg, 2 dart=false"},
		{"lambdarank_norm = false\nzero_as_missing = +\nmax_depth=-1",
			"1 no-norm=true for objective=ndcg|map|pairwise, 2 zero-missing=true, 3 depth=0"},
		{"max_depth = 4\nlabel_gain = 0,1,3\n\"num_leaves\" = '15'",
			"1 depth=4, 2 label-gain=0,1,3 for objective=ndcg|xe-ndcg, 3 leaves=15"},
		{"ndcg_eval_at = 1, 3\nmetric = ndcg,map", "2 metric=ndcg@1,ndcg@3,map@1,map@3"},
		{"metric = ndcg", "1 metric=ndcg@1,ndcg@2,ndcg@3,ndcg@4,ndcg@5"},
		{"bagging_freq = 1\nbagging_fraction = 0.9", "2 row-fraction=0.9"},
		{"subsample = .5\nbagging_freq = 1\nbagging_by_query = true", "1 query-fraction=.5"},
		{"bagging_fraction = 0.9", ""},
		{"bagging_freq = 5\nbagging_fraction = 1.0", ""},
		{"cat_feature = name:color,size", "1 categorical=color,size"},
		{"cat_feature = 0,3\ninteraction_constraints = [0,1, 2],[2,3]",
			"1 categorical=0,3 numbered, 2 interactions=0,1,2;2,3 numbered"},
		{"mc = 0, 1,-1,0,+1", "1 monotone=1+,2-,4+ numbered of 5"},
		{"monotone_constraints = 0,0", ""},
		{"monotonic_cst = ", ""},
		{"cat_feature=\ninteraction_constraints =\nlambdarank_position_bias_regularization =", ""},
		{"boost = dart\nrate_drop = .2\nmax_drop = -1\nskip_drop = 0\nxgboost_dart_mode = true\nuniform_drop = -",
			"1 dart=true, 2 drop-rate=.2 for dart=true, 3 max-drop=0 for dart=true, 4 skip-drop=0 for dart=true, " +
				"5 xgboost-dart=true for dart=true, 6 uniform-drop=false for dart=true"},
		{"extra_tree = +\nmax_leaf_output = 0.5\npath_smooth = 3\ncolsample_bynode = .4",
			"1 extra-trees=true, 2 max-delta-step=0.5, 3 path-smooth=3, 4 node-fraction=.4"},
		{"max_delta_step = -1.5\nn_jobs = -1\nearly_stopping = -1",
			"1 max-delta-step=0, 2 threads=0, 3 early-stopping=0"},
		{"lambdarank_position_bias_regularization = 0.5\nloss = lambdarank",
			"2 objective=ndcg, 1 position-bias=additive, 1 position-l2=0.5 for position-bias=additive"},
		{"lambdarank_position_bias_regularization = 0.0", "1 position-l2=0.0 for position-bias=additive"},
		{"lambdarank_position_bias_regularization = 1\nloss = mse", "2 objective=regression"},
		{"eval_at = 3\nobjective = xendcg", "2 objective=xe-ndcg, 1 metric=ndcg@3"},
		{"eval_at = 3\nobjective = l2", "2 objective=regression"},
		{"num_leaves = 015\nmin_data_in_leaf = +07\neta = 00.5", "1 leaves=15, 2 min-rows=7, 3 learning-rate=00.5"},
		{"linear_tree = 0\ncegb_tradeoff = 1.0", ""},
		{"header = true\nlabel = name:rel\nquery = name:topic\nweight_column = name:w\nblacklist = name:id,day",
			"1 =true of columns, 2 label-column=rel of columns, 3 query-column=topic of columns, " +
				"4 weight-column=w of columns, 5 ignore-column=id,day of columns"},
		{"has_header = -\nlabel_column = 0\ngroup_id = 1\nweight =", "1 =false of columns, " +
			"2 label-column=0 numbered of columns, 3 query-column=1 numbered of columns"},
		{"header = yes", "line 1: header = yes is not supported: must be +, -, 0, 1, false or true"},
		{"valid_data = a.txt\noutput_model = m.txt\ndata = b", "1 valid=a.txt, 2 output=m.txt, 3 data=b"},

		{"num_trees 7", `line 1: "num_trees 7" must have the form NAME = VALUE`},
		{strings.Repeat("y", 1000), `line 1: "` + strings.Repeat("y", 48) + `…" must have the form NAME = VALUE`},
		{"x = " + strings.Repeat("y", 1000), "line 1: unknown parameter x = " + strings.Repeat("y", 48) + "…"},
		{"\nnumtrees = 7", "line 2: unknown parameter numtrees = 7"},
		{"num_trees = 7\n\nnrounds = 8", "line 3: nrounds = 8: line 1 already sets num_trees = 7"},
		{"boosting = rf", "line 1: boosting = rf is not supported: must be dart, gbdt or gbrt"},
		{"linear_tree = true", "line 1: linear_tree = true is not supported: train supports only linear_tree = false"},
		{"interaction_constraints = 1,2",
			"line 1: interaction_constraints = 1,2: must be sets of feature numbers, e.g. [1,2,3],[3,4]"},
		{"interaction_constraints = [1,2],[]", "line 1: interaction_constraints = [1,2],[]: must be sets of feature numbers"},
		{"interaction_constraints = [1,2][3]", "line 1: interaction_constraints = [1,2][3]: must be sets of feature numbers"},
		{"interaction_constraints = [1,2", "line 1: interaction_constraints = [1,2: must be sets of feature numbers"},
		{"mc = 1,0,x", "line 1: mc = 1,0,x: must be -1, 0 or 1 for each feature, e.g. 1,0,-1"},
		{"mc = 1,,0", "line 1: mc = 1,,0: must be -1, 0 or 1 for each feature"},
		{"mc = 2", "line 1: mc = 2: must be -1, 0 or 1 for each feature"},
		{"mc_method = advanced", "line 1: mc_method = advanced is not supported: train supports only mc_method = basic"},
		{"objective = poisson", "line 1: objective = poisson is not supported: must be binary, l2, "},
		{"lambdarank_norm = no",
			"line 1: lambdarank_norm = no is not supported: must be +, -, 0, 1, false or true"},
		{"bagging_freq = 5\nbagging = .5",
			"line 1: bagging_freq = 5 is not supported: train draws a new sample for each tree, as with bagging_freq = 1"},
		{"num_leaves = 1_0", "line 1: num_leaves = 1_0: must be a decimal number"},
		{"num_leaves = 0x1f", "line 1: num_leaves = 0x1f: must be a decimal number"},
		{"learning_rate = 0x1p-3", "line 1: learning_rate = 0x1p-3: must be a decimal number"},
		{"bagging_freq = x", "line 1: bagging_freq = x: must be an integer that is at least 0"},
		{"bagging_by_query = maybe", "line 1: bagging_by_query = maybe: must be true or false"},
		{"metric = auc", "line 1: metric = auc is not supported: must be ndcg or map (use --metric for other metrics)"},
		{"metric = ndcg\neval_at = 0", "line 2: eval_at = 0: must be integers that are at least 1"},
		{"predict_contrib = true", "line 1: unknown parameter predict_contrib = true"},
		{"x = " + strings.Repeat("y", 1<<17), "line 1: the line is longer than 65536 bytes"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.text), func(t *testing.T) {
			list, err := ReadConfig(strings.NewReader(c.text))
			var words []string
			for _, s := range list {
				word := fmt.Sprintf("%d %s=%s", s.Line, s.Flag, s.Value)
				if s.Only != "" {
					word += " for " + s.Only
				}
				if s.Numbered {
					word += " numbered"
				}
				if s.Columns {
					word += " of columns"
				}
				if s.Features > 0 {
					word += fmt.Sprintf(" of %d", s.Features)
				}
				words = append(words, word)
			}
			got := strings.Join(words, ", ")
			if err != nil {
				got = err.Error()
			}
			if got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
				t.Errorf("%.60q: %s, want %s", c.text, got, c.want)
			}
		})
	}
}

// TestParameters: a name is that of one parameter, and what takes no value has no words for it.
func TestParameters(t *testing.T) {
	names, seen := 0, map[string]bool{}
	for _, p := range parameters {
		names += len(strings.Fields(p.names))
		t.Run(fmt.Sprintf("%.60s", p.names), func(t *testing.T) {
			for name := range strings.FieldsSeq(p.names) {
				if seen[name] {
					t.Errorf("%s is there twice", name)
				}
				seen[name] = true
			}
			if p.flag == "" && p.words != nil && p.names != "header has_header" || p.flag != "" && p.only != nil {
				t.Errorf("%s: %+v", p.names, p)
			}
		})
	}
	if names < 200 {
		t.Errorf("%d names", names)
	}
}

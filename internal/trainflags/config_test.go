package trainflags

import (
	"fmt"
	"strings"
	"testing"
)

func TestReadConfig(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# a comment\n\n num_trees = 7 # seven\r\neta=0.3\nverbosity = -1\n",
			"3 trees=7, 4 learning-rate=0.3"},
		{"objective = lambdarank\nboosting_type = gbdt\ntask=train", "1 objective=ndcg"},
		{"lambdarank_norm = false\nzero_as_missing = +\nmax_depth=-1",
			"1 no-norm=true, 2 zero-missing=true, 3 depth=0"},
		{"max_depth = 4\nlabel_gain = 0,1,3\n\"num_leaves\" = '15'",
			"1 depth=4, 2 label-gain=0,1,3, 3 leaves=15"},
		{"ndcg_eval_at = 1, 3\nmetric = ndcg,map", "2 metric=ndcg@1,ndcg@3,map@1,map@3"},
		{"metric = ndcg", "1 metric=ndcg@1,ndcg@2,ndcg@3,ndcg@4,ndcg@5"},
		{"bagging_freq = 1\nbagging_fraction = 0.9", "2 row-fraction=0.9"},
		{"subsample = .5\nbagging_freq = 1\nbagging_by_query = true", "1 query-fraction=.5"},
		{"bagging_fraction = 0.9", ""},
		{"bagging_freq = 5\nbagging_fraction = 1.0", ""},
		{"cat_feature = name:color,size", "1 categorical=color,size"},
		{"extra_trees = 0\nmax_delta_step = 0.0\nlabel_column = 0", ""},
		{"valid_data = a.txt\noutput_model = m.txt\ndata = b", "1 valid=a.txt, 2 output=m.txt, 3 data=b"},

		{"num_trees 7", `line 1: "num_trees 7": want a name, = and a value`},
		{"\nnumtrees = 7", "line 2: unknown parameter numtrees = 7"},
		{"num_trees = 7\n\nnrounds = 8", "line 3: nrounds = 8: line 1 has num_trees = 7"},
		{"boosting = dart", "line 1: boosting = dart cannot be honoured: train does what boosting = gbdt says"},
		{"mc = 1,0", "line 1: mc = 1,0 cannot be honoured: train does what no mc says"},
		{"objective = poisson", "line 1: objective = poisson cannot be honoured: want binary or l2 or "},
		{"lambdarank_norm = no",
			"line 1: lambdarank_norm = no cannot be honoured: want + or - or 0 or 1 or false or true"},
		{"bagging_freq = 5\nbagging = .5",
			"line 1: bagging_freq = 5 cannot be honoured: train draws for each tree, as bagging_freq = 1 says"},
		{"bagging_freq = x", "line 1: bagging_freq = x: want an integer from 0"},
		{"bagging_by_query = maybe", "line 1: bagging_by_query = maybe: want true or false"},
		{"metric = auc", "line 1: metric = auc cannot be honoured: want ndcg or map, or --metric"},
		{"metric = ndcg\neval_at = 0", "line 2: eval_at = 0: want integers from 1"},
		{"categorical_feature = 0,1", "line 1: categorical_feature = 0,1: want name: and names; "},
		{"predict_contrib = true", "line 1: unknown parameter predict_contrib = true"},
		{"x = " + strings.Repeat("y", 1<<17), "bufio.Scanner: token too long"},
	} {
		list, err := ReadConfig(strings.NewReader(c.text))
		var words []string
		for _, s := range list {
			words = append(words, fmt.Sprintf("%d %s=%s", s.Line, s.Flag, s.Value))
		}
		got := strings.Join(words, ", ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%.60q: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestParameters: a name is that of one parameter, and what takes no value has no words for it.
func TestParameters(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range parameters {
		for name := range strings.FieldsSeq(p.names) {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
		if p.flag == "" && p.words != nil || p.flag != "" && p.only != nil {
			t.Errorf("%s: %+v", p.names, p)
		}
	}
	if len(seen) < 200 {
		t.Errorf("%d names", len(seen))
	}
}

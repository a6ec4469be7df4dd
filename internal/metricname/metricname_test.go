package metricname

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for in, want := range map[string]string{
		" nDCG@10": "ndcg - 10", "ndcg": "ndcg - -", "P(rel=2)@10": "precision rel=2 10",
		"AP": "map - -", "RR@5": "mrr - 5",
		"ndcg_cut.10": "ndcg - 10", "ndcg_cut_10": "ndcg - 10", "ndcg_cut": "ndcg - -", "hit_rate@5": "success - 5",
		"P_10": "precision - 10", "rbp.95": "rbp 0.95 -", "rbp(0.95)@3": "rbp 0.95 3", "rbp(": "rbp  - open",
		"recip_rank": "mrr - -", "_5": "_5 - -", "ndcg@": "ndcg - ", "map_cut_x": "map_cut_x - -", "P_": "p_ - -",
		"tau-b": "tau-b - -", "P_5@3": "p_5 - 3", "": " - -",
	} {
		n := Parse(in)
		got := fmt.Sprintf("%s %s %s", n.Base, text(n.Params), text(n.Cutoff))
		if n.Open {
			got += " open"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for in, want := range map[string][]string{
		"ndcg@10, map":         {"ndcg@10", " map"},
		"rbp(.8,rel=2)@5,P(,1": {"rbp(.8,rel=2)@5", "P(,1"},
		"a),b":                 {"a)", "b"},
		"":                     {""},
		"a,,b":                 {"a", "", "b"},
	} {
		if got := Split(in); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	known := strings.Fields("dcg ndcg map mrr precision recall tau-b success pair-accuracy pair-accuracy-pooled")
	for in, want := range map[string]string{
		"ndgc": "ndcg", "ndc@10": "ndcg", "prec": "precision", "precison@5": "precision", "MPA": "map",
		"xdcg": "dcg ndcg",
		"pair": "pair-accuracy pair-accuracy-pooled", "bogus": "", "": "", "x": "", "taub": "tau-b",
		"sucess@3": "success",
	} {
		if got := Near(in, known); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %v, want %s", in, got, want)
		}
	}
}

package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestParseName(t *testing.T) {
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
		"tau-b": "tau-b - -", "alpha_nDCG_20": "alpha-ndcg - 20",
		"α_DCG@5": "alpha-dcg - 5", "StRecall": "strec - -", "P_5@3": "p_5 - 3", "": " - -",
	} {
		t.Run(in, func(t *testing.T) {
			n := parseName(in)
			got := fmt.Sprintf("%s %s %s", n.base, text(n.params), text(n.cutoff))
			if n.open {
				got += " open"
			}
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func TestReadParams(t *testing.T) {
	params := []parameter{{name: "p", most: 1, open: true, bare: true}, {name: "T", least: .5, most: 9},
		{name: "rel", most: math.MaxFloat64, open: true}}
	for in, want := range map[string]string{
		"0.5": "[0.5 7 7]", "p=.5,T=9": "[0.5 9 7]", " rel=3 , t=.5": "[7 0.5 3]", "P=1e-9": "[1e-09 7 7]",
		"0": `the value must be greater than 0 and less than 1, not "0"`,
		"1": `less than 1, not "1"`, "T=.4": "must be from 0.5 to 9",
		"T=9.1": `not "9.1"`, "rel=0": `the value must be greater than 0, not "0"`, "rel=inf": "greater than 0",
		"p=x":   `not "x"`,
		"p=NaN": "greater than 0", "": "less than 1", "T": "less than 1", "q=1": `unknown parameter "q=1"`,
		".5,.6": `parameter ".6" is given twice`, ".5,p=.6": `"p=.6" is given twice`,
		"rel=": "greater than 0", "=1": "unknown parameter",
	} {
		t.Run(in, func(t *testing.T) {
			values := []float64{7, 7, 7}
			err := readParams(in, params, values)
			got := fmt.Sprint(values)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, want) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	if err := readParams("3", params[1:], make([]float64, 2)); err == nil {
		t.Error("a number without name where none may be: no error")
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
		t.Run(in, func(t *testing.T) {
			if got := Split(in); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
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
		t.Run(in, func(t *testing.T) {
			if got := near(in, known); !slices.Equal(got, strings.Fields(want)) {
				t.Errorf("%v, want %s", got, want)
			}
		})
	}
}

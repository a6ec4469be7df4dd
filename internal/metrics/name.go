package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/text"
)

// A parsedName is the name of a metric, split into its parts.
type parsedName struct {
	base   string  // in lower case; names of other tools are replaced by ours
	params *string // the text in parentheses; nil if there is none
	cutoff *string // the text after @; nil if there is none
	open   bool    // whether the closing parenthesis is missing
}

// others maps metric names of other tools to our names.
var others = map[string]string{
	"ap":          "map",
	"map_cut":     "map",
	"ndcg_cut":    "ndcg",
	"rr":          "mrr",
	"recip_rank":  "mrr",
	"p":           "precision",
	"r":           "recall",
	"hit_rate":    "success",
	"hitrate":     "success",
	"rprec":       "r-precision",
	"r_precision": "r-precision",
	"rprecision":  "r-precision",
	"rbp_resid":   "rbp-residual",
	"alpha_dcg":   "alpha-dcg",
	"alpha_ndcg":  "alpha-ndcg",
	"α_dcg":       "alpha-dcg",
	"α_ndcg":      "alpha-ndcg",
	"err_ia":      "err-ia",
	"nerr_ia":     "nerr-ia",
	"ap_ia":       "map-ia",
	"map_ia":      "map-ia",
	"p_ia":        "p-ia",
	"strecall":    "strec",
}

// parseName splits a name as this module, trec_eval, ranx or ir-measures write it: ndcg@10,
// P(rel=2)@10, P_10, ndcg_cut.10, rbp.95.
func parseName(name string) parsedName {
	var n parsedName
	base, cutoff, ok := strings.Cut(strings.ToLower(strings.TrimSpace(name)), "@")
	if ok {
		n.cutoff = &cutoff
	}
	if head, params, ok := strings.Cut(base, "("); ok {
		var closed bool
		params, closed = strings.CutSuffix(params, ")")
		base, n.params, n.open = head, &params, !closed
	} else if i := strings.LastIndexAny(base, "_."); i > 0 && n.cutoff == nil && isNumber(base[i+1:]) {
		end := base[i+1:]
		if base = base[:i]; base == "rbp" {
			end = "0." + end // ranx writes the digits of the persistence after the point
			n.params = &end
		} else {
			n.cutoff = &end
		}
	}
	if ours, ok := others[base]; ok {
		base = ours
	}
	n.base = base
	return n
}

// A parameter is a number in the parentheses of a metric's name.
type parameter struct {
	name        string // as in alpha=0.5; upper and lower case are equal
	initial     float64
	least, most float64 // the range of the value
	open        bool    // whether the range excludes least and most
	bare        bool    // whether the name may be omitted
}

// readParams sets values from the text in parentheses. Its errors quote the wrong text but do not
// name the metric.
func readParams(list string, params []parameter, values []float64) error {
	given := make([]bool, len(params))
	for param := range strings.SplitSeq(list, ",") {
		param = strings.TrimSpace(param)
		name, number, named := strings.Cut(param, "=")
		if !named {
			number = param
		}
		i := slices.IndexFunc(params, func(p parameter) bool {
			return !named && p.bare || named && strings.EqualFold(p.name, name)
		})
		if i < 0 {
			return fmt.Errorf("unknown parameter %q", param)
		}
		v, err := text.ParseNumber(number, 64)
		p := &params[i]
		switch {
		case given[i]:
			return fmt.Errorf("parameter %q is given twice", param)
		case err != nil || !(v >= p.least && v <= p.most) || p.open && (v == p.least || v == p.most):
			switch {
			case p.most == math.MaxFloat64:
				return fmt.Errorf("the value must be greater than %v, not %q", p.least, number)
			case p.open:
				return fmt.Errorf("the value must be greater than %v and less than %v, not %q", p.least, p.most, number)
			}
			return fmt.Errorf("the value must be from %v to %v, not %q", p.least, p.most, number)
		}
		values[i], given[i] = v, true
	}
	return nil
}

// Split splits a comma-separated list of names, ignoring commas within parentheses.
func Split(list string) []string {
	var names []string
	open, start := 0, 0
	for i, c := range list {
		switch {
		case c == '(':
			open++
		case c == ')':
			open = max(0, open-1)
		case c == ',' && open == 0:
			names, start = append(names, list[start:i]), i+1
		}
	}
	return append(names, list[start:])
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// near returns the known names that an unknown name most likely stands for. These are the names
// that begin with it or, if there are none, the names at the smallest distance, if that is at most
// 2.
func near(name string, known []string) []string {
	name = parseName(name).base
	least := 3
	var found []string
	for _, k := range known {
		d := distance(name, k)
		if len(name) > 1 && strings.HasPrefix(k, name) {
			d = 1
		}
		if d > least || d >= len(name) || d > 2 {
			continue
		}
		if d < least {
			least, found = d, found[:0]
		}
		found = append(found, k)
	}
	return found
}

// distance returns the smallest number of edits that turn a into b. An edit inserts, deletes or
// replaces a letter or swaps two adjacent letters, and no letter is edited twice (Damerau 1964).
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d := slices.Min([]int{rows[i-1][j] + 1, rows[i][j-1] + 1, change})
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"github.com/simdrank/simdrank/internal/testkit"
	"math"
	"strings"
	"testing"
)

// Results as CSV: tables of those that are tables, names and values of others.
func TestCSV(t *testing.T) {
	const rows = "1 qid:a 1:1 2:3\n0 qid:a 1:2 2:5\n1 qid:b,\"c 1:1 2:4\n1 qid:b,\"c 1:4 2:4\n"
	data := writeTemp(t, "d.txt", rows)
	model := writeTemp(t, "m.json", `{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1,-0.5]}`)
	trees := writeTemp(t, "trees.json", stumps)
	scores := writeTemp(t, "s.txt", "1\n2\n3\n4\n")
	qrels := writeTemp(t, "qrels.txt", "1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n")
	run := writeTemp(t, "run.txt", "1 Q0 c 1 3 r\n1 Q0 b 2 2 r\n1 Q0 a 3 1 r\n2 Q0 a 4 0 r\n")
	other := writeTemp(t, "other.txt", "1 Q0 a 1 3 o\n2 Q0 none 1 3 o\n")
	numbers := writeTemp(t, "numbers.txt", "1 2\n2 3\n3 1\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"eval", "-s", scores, "-d", data, "--metric", "map,tau-b"},
			"metric,mean,counted,skipped\nmap,0.75,2,0\ntau-b,-1,1,1\n"},
		{[]string{"eval", "-s", scores, "-d", data, "--metric", "map,tau-b", "--per-query"},
			"query,map,tau-b\na,0.5,-1\n\"b,\"\"c\",1,\n"},
		{[]string{"trec-eval", "-q", "-m", "gm_map", "-m", "utility.0,0,0,1", "-m", "recip_rank", qrels, run},
			"run,topic,gm_map,recip_rank,\"utility_0,0,0,1\"\nr,1,,0.5,-3\nr,2,,1,-1\n" +
				"r,all,0.7637626158259733,0.75,-2\n"},
		{[]string{"trec-eval", "-qn", "-m", "recip_rank", qrels, run}, "run,topic,recip_rank\nr,1,0.5\nr,2,1\n"},
		{[]string{"trec-eval", "-m", "recip_rank", qrels, run}, "run,topic,recip_rank\nr,all,0.75\n"},
		{[]string{"compare", "--qrels", qrels, run, other, "--metric", "mrr", "-q"},
			"query,metric,system,value,difference\n1,mrr,run.txt,0.5,\n1,mrr,other.txt,1,0.5\n" +
				"2,mrr,run.txt,1,\n2,mrr,other.txt,0,-1\n"},
		{[]string{"importance", "-m", model, "-d", data}, "feature,name,weight,deviation,effect,share,shap\n" +
			"1,,1,1.224744871391589,1.224744871391589,0.7759907622602041,\n" +
			"2,,-0.5,0.7071067811865476,0.3535533905932738,0.22400923773979592,\n"},
		{[]string{"info", "-m", model}, "name,value\nkind,linear\nfeatures,2\nzeros,value\n"},
		{[]string{"explain", "-m", model, "-d", data, "--query", "a", "-k", "1", "--features", "1"},
			"query,rank,document,label,score,next,above_next,feature,name,value,next_value,contribution,difference\n" +
				"a,1,line 1,1,-0.5,line 2,0,1,,1,2,1,-1\na,1,line 1,1,-0.5,line 2,0,,others,,,,1\n"},
	} {
		t.Run(testkit.CaseName(c.args...), func(t *testing.T) {
			args := append(c.args, "--format", "csv")
			if got := succeed(t, "", args...); got != c.want {
				t.Errorf("%s: %q, want %q", strings.Join(args, " "), got, c.want)
			}
		})
	}
	// All others are tables, too, and their numbers are those of the JSON.
	for _, args := range [][]string{
		{"tau", numbers},
		{"info"},
		{"info", "-d", data},
		{"importance", "-m", trees},
		{"refit", "-m", trees, "-d", data, "-o", t.TempDir() + "/m.json"},
		{"split", "-d", data, "--fractions", "0.5,0.5", "-o", t.TempDir() + "/a.simdrank", "-o",
			t.TempDir() + "/b.simdrank"},
		{"train", "-d", data, "-o", t.TempDir() + "/m.json", "--model", "ridge"},
	} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			table, err := csv.NewReader(strings.NewReader(succeed(t, "", append(args, "--format", "csv")...))).ReadAll()
			if err != nil || len(table) < 2 {
				t.Errorf("%s: %v, %v", args[0], table, err)
			}
		})
	}
	var tau struct {
		TauB   json.Number `json:"tau_b"`
		Counts map[string]json.Number
	}
	if err := json.Unmarshal([]byte(succeed(t, "", "tau", numbers, "--format", "json")), &tau); err != nil {
		t.Fatal(err)
	}
	got := succeed(t, "", "tau", numbers, "--format", "csv")
	for name, value := range map[string]json.Number{"tau_b": tau.TauB, "counts.pairs": tau.Counts["pairs"]} {
		t.Run(name, func(t *testing.T) {
			if want := "\n" + name + "," + string(value) + "\n"; !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		})
	}
	fail(t, exitUsage, "", []string{"compare", "--qrels", qrels, run, other, "-q", "--format", "latex"},
		"--per-query requires --format text, json or csv, not latex")
	// As JSON has integers, and what reads back the same bits.
	for v, want := range map[float64]string{1e6: "1000000", -12345678: "-12345678", 1e300: "1e+300",
		math.Copysign(0, -1): "-0", 1234567.5: "1.2345675e+06", 0.1: "0.1"} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			if got := csvNumber(v); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// compare --per-query has the values of each query, and their differences.
func TestComparePerQuery(t *testing.T) {
	data := writeTemp(t, "d.txt", "1 qid:1 1:1\n0 qid:1 1:2\n1 qid:2 1:1\n1 qid:2 1:4\n0 qid:3 1:1\n1 qid:3 1:4\n")
	up, down := writeTemp(t, "up.txt", "1\n2\n3\n4\n5\n6\n"), writeTemp(t, "down.txt", "6\n5\n4\n3\n2\n1\n")
	args := []string{"compare", "-d", data, up, down, down, "--metric", "tau-b,map", "--per-query"}
	got := succeed(t, "", args...)
	want := `  query  metric  up.txt  down.txt  difference  down.txt  difference
      1   tau-b -1.0000    1.0000     +2.0000    1.0000     +2.0000
      1     map  0.5000    1.0000     +0.5000    1.0000     +0.5000
      2   tau-b       -         -           -         -           -
`
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if !strings.HasPrefix(words(got), words(want)) ||
		!strings.Contains(got, succeed(t, "", args[:len(args)-1]...)) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	odd := writeTemp(t, "a\tb\nc.txt", "6\n5\n4\n3\n2\n1\n")
	head, _, _ := strings.Cut(succeed(t, "", "compare", "-d", data, up, odd, "--metric", "map", "--per-query"), "\n")
	if want := "  query  metric  up.txt  a b c.txt  difference"; head != want {
		t.Errorf("%q, want %q", head, want)
	}
	var r struct {
		Queries []struct {
			Query, Metric       string
			Values, Differences []*float64
		}
		Systems []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(succeed(t, "", append(args, "--format", "json")...)), &r); err != nil {
		t.Fatal(err)
	}
	if q := r.Queries; len(q) != 6 || len(r.Systems) != 3 || q[0].Query != "1" || q[0].Metric != "tau-b" ||
		len(q[0].Values) != 3 || *q[0].Differences[1] != 2 || q[2].Values[0] != nil {
		t.Errorf("%+v", r)
	}
}

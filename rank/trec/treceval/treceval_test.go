package treceval

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// evaluate evaluates a run as the command does with these flags.
func evaluate(flags []string, qrels, run io.Reader) (string, error) {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	var names []string
	f.Func("m", "", func(name string) error { names = append(names, name); return nil })
	form, single, complete := f.String("R", "qrels", ""), f.Bool("q", false, ""), f.Bool("c", false, "")
	level, docs, collection := f.Int("l", 1, ""), f.Int("M", 0, ""), f.Int("N", 0, "")
	judged, nine := f.Bool("J", false, ""), f.Bool("9", false, "")
	if err := f.Parse(flags); err != nil {
		return "", err
	}
	version := 10
	if *nine {
		version = 9
	}
	ms, err := NewMeasures(version, names...)
	if err != nil {
		return "", err
	}
	ms.RelevanceLevel, ms.MaxDocs, ms.Collection = *level, *docs, *collection
	ms.JudgedOnly, ms.Complete = *judged, *complete
	j, err := Read(qrels, *form)
	if err != nil {
		return "", err
	}
	r, err := trec.ReadRun(run)
	if err != nil {
		return "", err
	}
	results, err := ms.Eval(context.Background(), j, r)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if *single {
		err = results.WriteTopics(&b)
	}
	err = errors.Join(err, results.WriteAll(&b))
	return b.String(), err
}

// diff returns the first line that differs.
func diff(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return g[i] + ", want " + w[i]
		}
	}
	if len(g) != len(w) {
		return "another number of lines"
	}
	return ""
}

// Outputs of trec_eval 10.0 and 9.0.8 for generated files (bench/peers/metrics/treceval.py). They
// lack rbp.
func TestTrecEvalCases(t *testing.T) {
	testCases(t, "testdata/cases.json")
	testCases(t, "testdata/cases9.json", "-9")
}

func testCases(t *testing.T, file string, flags ...string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Flags      []string
		Qrels, Run string
		Output     *string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(file, " ", i), func(t *testing.T) {
			got, err := evaluate(slices.Concat(flags, c.Flags), strings.NewReader(c.Qrels), strings.NewReader(c.Run))
			if c.Output == nil {
				if err == nil {
					t.Errorf("%s, case %d: trec_eval refuses what has %s", file, i, got)
				}
				return
			}
			if err != nil {
				t.Errorf("%s, case %d: %v", file, i, err)
				return
			}
			lines := slices.DeleteFunc(strings.SplitAfter(got, "\n"), func(line string) bool {
				return strings.HasPrefix(line, "rbp") && !strings.HasPrefix(line, "rbp_resid")
			})
			if d := diff(strings.Join(lines, ""), *c.Output); d != "" {
				t.Errorf("%s, case %d, %v: %s", file, i, c.Flags, d)
			}
		})
	}
}

// trec_eval's own outputs for its own files (its test directory; shared/data/trec).
func TestTrecEvalFiles(t *testing.T) {
	for file, flags := range map[string]string{"trec/out.test.a": "-m all_trec", "trec/out.test.aq": "-m all_trec -q"} {
		t.Run(file, func(t *testing.T) {
			want, err := os.ReadFile(testkit.DataPath(t, file))
			if err != nil {
				t.Fatal(err)
			}
			qrels, err := os.Open(testkit.DataPath(t, "trec/qrels.test.gz"))
			if err != nil {
				t.Fatal(err)
			}
			defer qrels.Close()
			run, err := os.Open(testkit.DataPath(t, "trec/results.test.gz"))
			if err != nil {
				t.Fatal(err)
			}
			defer run.Close()
			got, err := evaluate(strings.Fields(flags), qrels, run)
			if err != nil {
				t.Fatal(err)
			}
			if d := diff(got, string(want)); d != "" {
				t.Errorf("%s: %s", flags, d)
			}
		})
	}
}

const (
	handQrels = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq1 0 d 1\nq1 0 e -1\nq2 0 x 1\n"
	handRun   = "q1 Q0 a 1 1.00000001 r\nq1 Q0 b 2 1.00000002 r\nq1 Q0 u 3 .5 r\nq1 Q0 e 4 .25 r\n"
)

// In q1, b is first in double precision and by ID if scores are equal in single precision. q2 is
// not answered.
func TestByHand(t *testing.T) {
	for _, c := range []struct{ flags, want string }{
		{"-c -m map -m num_q", "num_q all 2\nmap all 0.0833\n"},
		{"-9 -m map -m num_q -m num_rel", "num_q all 1\nnum_rel all 3\nmap all 0.1667\n"},
		{"-9 -c -m map -m num_rel", "num_rel all 4\nmap all 0.0833\n"},
		// 3 relevant documents; ⅓ of them is 1.2 documents: 1 if rounded, 2 with 0.9 more
		{"-9 -m iprec_at_recall.0.4", "iprec_at_recall_0.40 all 0.0000\n"},
		{"-c -m iprec_at_recall.0.4", "iprec_at_recall_0.40 all 0.2500\n"},
		// gains 0 to 2 are scaled to 0 to 1: 0.1·(0.9·1)
		{"-9 -m set_P", "set_P all 0.2500\n"},
		{"-c -q -m rbp", "rbp q1 0.0900\nrbp q2 0.0000\nrbp all 0.0450\n"},
		// numbers beyond any integer
		{"-c -q -m relstring.1e18", "relstring_1e18 q1 '02-.'\nrelstring_1e18 q2 '-'\n"},
		{"-c -m iprec_at_recall.1e300", "iprec_at_recall_10000000 all 0.2500\n"},
		{"-c -q -m gm_map -m relstring.3 -m runid", "relstring_3 q1 '02-'\nrelstring_3 q2 '-'\n" +
			"runid all r\ngm_map all 0.0013\n"},
		{"-c -q -J -m iprec_at_recall.0 -m set_P", "iprec_at_recall_0.00 q1 0.5000\nset_P q1 0.5000\n" +
			"iprec_at_recall_0.00 q2 -nan\nset_P q2 0.0000\niprec_at_recall_0.00 all -nan\nset_P all 0.2500\n"},
	} {
		t.Run(c.flags, func(t *testing.T) {
			got, err := evaluate(strings.Fields(c.flags), strings.NewReader(handQrels), strings.NewReader(handRun))
			if err != nil {
				t.Errorf("%s: %v", c.flags, err)
				return
			}
			var lines []string
			for line := range strings.Lines(got) {
				lines = append(lines, strings.Join(strings.Fields(line), " ")+"\n")
			}
			if d := diff(strings.Join(lines, ""), c.want); d != "" {
				t.Errorf("%s: %s", c.flags, d)
			}
		})
	}
}

// The geometric mean of one topic is printed as trec_eval 10 prints it. The C library rounds log
// 0.21875 and its exponential so that the result is 0.21875 − ulp, which is printed as 0.2187.
func TestGeometricMeanOfOneTopic(t *testing.T) {
	var qrels strings.Builder
	for i := range 8 {
		fmt.Fprintf(&qrels, "q 0 R%d 1\nq 0 N%d 0\n", i, i)
	}
	// Of 8 relevant documents, one has no other document above it and one has two: (1 + 1 − 2/8)/8
	// = 0.21875.
	const run = "q Q0 R0 0 4 r\nq Q0 N0 0 3 r\nq Q0 N1 0 2 r\nq Q0 R1 0 1 r\n"
	got, err := evaluate(strings.Fields("-m bpref -m gm_bpref"), strings.NewReader(qrels.String()),
		strings.NewReader(run))
	if err != nil {
		t.Fatal(err)
	}
	const want = "bpref all 0.2188 gm_bpref all 0.2187"
	if got := strings.Join(strings.Fields(got), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Values of trec_eval 10.0 for groups in which the numbers of relevant and nonrelevant documents
// differ. Each judgment is USER SUBGROUP DOCUMENT LEVEL.
func TestGroups(t *testing.T) {
	const run = "q Q0 a 1 6 r\nq Q0 b 2 5 r\nq Q0 c 3 4 r\nq Q0 d 4 3 r\n"
	for _, c := range []struct{ name, judged, want string }{
		{"fewer relevant", "0 0 a 1, 0 0 b 0, 0 0 c 0", "1.0000 0.3333 0.3333 1.0000"},
		{"fewer relevant, not all retrieved", "0 0 a 1, 0 0 b 1, 0 0 c 0, 0 0 e 0, 0 0 f 0, 0 0 g 0",
			"1.0000 0.4167 1.0000 1.0000"},
		{"as many retrieved", "0 0 a 1, 0 0 b 1, 0 0 c 0, 0 0 d 0, 0 0 e 0", "1.0000 0.5000 1.0000 1.0000"},
		{"not relevant first", "0 0 a 0, 0 0 b 1, 0 0 c 0", "0.5000 0.0000 0.0000 0.5000"},
		{"subgroups", "0 0 c 2, 0 0 d 1, 0 0 a 0, 0 0 b 0, 0 1 e 2, 0 1 d 1, 0 1 f 0, 0 1 g 0, 0 1 h 0",
			"0.4118 0.2727 0.2000 0.5000"},
		{"users", "0 0 a 1, 0 0 b 0, 0 0 c 0, 1 0 a 0, 1 0 d 1, 1 0 c 0, 1 0 b 0", "0.5000 0.1667 0.1667 0.4000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			qrels := "q " + strings.ReplaceAll(c.judged, ", ", "\nq ") + "\n"
			flags := []string{"-R", "prefs", "-m", "prefs_avgjg", "-m", "prefs_avgjg_Rnonrel",
				"-m", "prefs_avgjg_Rnonrel_ret", "-m", "prefs_pair_imp"}
			got, err := evaluate(flags, strings.NewReader(qrels), strings.NewReader(run))
			if err != nil {
				t.Fatal(err)
			}
			var values []string
			for line := range strings.Lines(got) {
				values = append(values, strings.Fields(line)[2])
			}
			if got := strings.Join(values, " "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// IDs may begin and end with characters that Unicode calls spaces.
func TestUnicodeSpaces(t *testing.T) {
	const topic, doc = "\u00a0q\u2028", "\u3000d\u0085"
	run := topic + " Q0 " + doc + " 1 2 r\n" + topic + " Q0 a 2 1 r\n"
	for form, c := range map[string][2]string{
		"qrels":       {topic + " 0 " + doc + " 1", "P_1 " + topic + " 1.0000\n"},
		"qrels_jg":    {topic + " 0 " + doc + " 1", "P_avgjg_1 " + topic + " 1.0000\n"},
		"prefs":       {topic + " 0 0 " + doc + " 2\n" + topic + " 0 0 a 1", "prefs_simp " + topic + " 1.0000\n"},
		"qrels_prefs": {topic + " 0 " + doc + " 2\n" + topic + " 0 a 1", "prefs_simp " + topic + " 1.0000\n"},
	} {
		t.Run(form, func(t *testing.T) {
			name, _, _ := strings.Cut(c[1], " ")
			if at := strings.LastIndex(name, "_1"); at > 0 {
				name = name[:at] + ".1"
			}
			flags := []string{"-q", "-R", form, "-m", name}
			got, err := evaluate(flags, strings.NewReader(c[0]), strings.NewReader(run))
			if err != nil {
				t.Errorf("%s: %v", form, err)
				return
			}
			got, _, _ = strings.Cut(got, "\n")
			got = strings.Join(strings.FieldsFunc(got, func(c rune) bool { return c <= ' ' }), " ") + "\n"
			if got != c[1] {
				t.Errorf("%s: %q, want %q", form, got, c[1])
			}
		})
	}
}

func TestResults(t *testing.T) {
	q, err := Read(strings.NewReader(handQrels), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	r, err := trec.ReadRun(strings.NewReader(handRun))
	if err != nil {
		t.Fatal(err)
	}
	ms, err := NewMeasures(9, "official", "P.3", "relstring")
	if err != nil {
		t.Fatal(err)
	}
	results, err := ms.Eval(context.Background(), q, r)
	if err != nil {
		t.Fatal(err)
	}
	names := results.Names()
	if names[0] != "num_q" || names[len(names)-1] != "P_3" || slices.Contains(names, "relstring") ||
		results.RunID() != "r" || len(results.Topics) != 1 {
		t.Errorf("%v, run %s, %d topics", names, results.RunID(), len(results.Topics))
	}
	if v, ok := results.Value(&results.Topics[0], "P_3"); v != 1./3 || !ok {
		t.Errorf("P_3 of the topic: %v, %v", v, ok)
	}
	if v, ok := results.Value(&results.All, "gm_map"); math.Abs(v-1./6) > 1e-15 || !ok {
		t.Errorf("gm_map: %v, %v", v, ok)
	}
	for _, name := range []string{"gm_map", "P_5", "relstring"} {
		t.Run(name, func(t *testing.T) {
			if v, ok := results.Value(&results.Topics[0], name); ok || !math.IsNaN(v) {
				t.Errorf("%s of a topic: %v, %v", name, v, ok)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	var many strings.Builder
	for i := range 1<<14 + 1 {
		fmt.Fprintf(&many, "q1 0 %d 1\n", i)
	}
	for _, c := range []struct{ flags, qrels, run, want string }{
		{"-m bogus", "", "", `treceval: unknown measure "bogus"`},
		{"-m NDCG", "", "", `treceval: unknown measure "NDCG"; did you mean ndcg?`},
		{"-m ndcg_cut_10", "", "", `treceval: unknown measure "ndcg_cut_10"; did you mean ndcg_cut.10?`},
		{"-m ndcg_10", "", "", `treceval: unknown measure "ndcg_10"`},
		{"-9 -m rbp", "", "", `treceval: trec_eval 9 has no measure "rbp"`},
		{"-m map.5", "", "", `treceval: measure "map.5": it accepts no parameters`},
		{"-m official.5", "", "", `treceval: measure "official.5": a set of measures accepts no parameters`},
		{"-m P.5,0", "", "", `treceval: measure "P.5,0": the cutoff is "0"; it must be an integer of at least 1`},
		{"-m P.5,5.9", "", "", `treceval: measure "P.5,5.9": cutoff 5 is given twice`},
		{"-m P.", "", "", `treceval: measure "P.": the cutoff is ""; it must be an integer of at least 1`},
		{"-m iprec_at_recall.x", "", "", `treceval: measure "iprec_at_recall.x": "x" must be a finite number`},
		{"-m Rprec_mult.1,1.0", "", "", `treceval: measure "Rprec_mult.1,1.0": 1 is given twice`},
		{"-m utility.1", "", "", `treceval: measure "utility.1": it requires 4 parameters, not 1`},
		{"-m ndcg.1", "", "", `treceval: measure "ndcg.1": "1" must be a relevance and its gain, as in 1=3.5`},
		{"-m map", "q1 0 a 1\nq2 0 b 1", "q1 Q0 a 1 1 r\n", "treceval: the run contains no documents for the judged topic q2 " +
			"(change the option Complete)"},
		{"-9", "q2 0 b 1", "q1 Q0 a 1 1 r\n", "treceval: no topic of the run has judgments"},
		{"-l -1", "q1 0 a 1", "q1 Q0 a 1 1 r\n", "treceval: the relevance level is -1; it must not be negative"},
		{"-M -1", "q1 0 a 1", "q1 Q0 a 1 1 r\n", "treceval: the number of documents per topic is -1; it must be at least 1, or 0 for all"},
		{"-N -1", "q1 0 a 1", "q1 Q0 a 1 1 r\n", "treceval: the number of documents in the collection is -1; it must not be negative"},
		{"-m map", "q1 0 a 1048577", "q1 Q0 a 1 1 r\n", `line 1: the relevance must be at most 1048576: "1048577"`},
		{"-m map", fmt.Sprintf("q1 0 a 1\nq1 0 b %d", math.MaxInt), "q1 Q0 b 1 1 r\n",
			`line 2: the relevance must be at most 1048576: "` + strconv.FormatFloat(math.MaxInt, 'f', -1, 64) + `"`},
		{"-R prefs -m map", "q1 0 0 a 1", "q1 Q0 a 1 1 r\n",
			"treceval: measure map does not support judgments of the format prefs"},
		{"-R prefs -m prefs", "q1 0 a 1", "", `line 1: found 4 fields; there must be 5: "q1 0 a 1"`},
		{"-R prefs -m prefs", "#\nq1 0 0 a x", "", `line 2, column 10: the level is not a number: "x"`},
		{"-R prefs -m prefs", "#\n\n", "", `line 1: the qrels contain no judgments`},
		{"-R prefs -m prefs", "q1 0 0 a 1\nq1 0 0 a 2", "",
			`line 2: topic q1, group 0: the document is judged twice, first in line 1: "a"`},
		{"-R qrels_prefs -m prefs", "q1 0 a 1\nq1 0 a 2", "",
			`line 2: topic q1, group 0: the document is judged twice, first in line 1: "a"`},
		{"-R prefs -m prefs", "q1 0 0 a 1\nq1 0 1 a 0", "q1 Q0 a 1 1 r\n",
			`line 2: topic q1, group 0: the document has level 0 in one subgroup and a higher level in another: "a"`},
		{"-R prefs -m prefs", "q1 0 0 a 2\nq1 0 0 b 1\nq1 0 1 a 1\nq1 0 1 b 2", "q1 Q0 a 1 1 r\n",
			`line 1: topic q1, group 0: the subgroups contradict each other: one prefers the document to another document, and one the reverse: "a"`},
		{"-R qrels_jg -m qrels_jg", "q1 0 a 1\nq1 1 a 2\nq1 0 a 1", "",
			`line 3: topic q1, group 0: the document is judged twice, first in line 1: "a"`},
		{"-R qrels_jg -m qrels_jg", "q1 0 a 1.5", "", `line 1, column 8: the relevance is not an integer: "1.5"`},
		{"-R qrels_jg -m qrels_jg", "q1 0 a 2000000", "q1 Q0 a 1 1 r\n",
			`line 1: the relevance must be at most 1048576: "2000000"`},
		{"-R qrels_jg -m qrels_jg", "\x1f\x8b\x08", "", "line 1: read error: unexpected EOF"},
		{"-R qrels_prefs -m prefs", many.String(), "q1 Q0 a 1 1 r\n",
			`line 10000: a topic has preferences between 16385 documents; at most 16384 are supported: "q1"`},
		{"-R bogus", "", "", `treceval: format "bogus": must be one of qrels, qrels_jg, prefs, qrels_prefs`},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := evaluate(strings.Fields(c.flags), strings.NewReader(c.qrels), strings.NewReader(c.run))
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: error %v, want %s", c.flags, err, c.want)
			}
		})
	}
	if _, err := NewMeasures(7); err == nil || err.Error() != "treceval: trec_eval version 7 is not supported; it must be 9 or 10" {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "prefs.txt")
	if err := os.WriteFile(path, []byte("q1 0 0 a x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, "prefs"); err == nil || !strings.HasPrefix(err.Error(), path+":1:10: the level") {
		t.Error(err)
	}
	if j, err := Load(path, "qrels_jg"); j != nil || !strings.Contains(err.Error(), "found 5 fields; there must be 4") {
		t.Error(err)
	}
	for content, f := range map[string]string{"q1 0 a 1048577\n": "qrels", "q1 0 0 a 1\nq1 0 1 a 0\n": "prefs"} {
		t.Run(f, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := Load(path, f)
			if err != nil {
				t.Fatal(err)
			}
			r, err := trec.ReadRun(strings.NewReader("q1 Q0 a 1 1 r\n"))
			if err != nil {
				t.Fatal(err)
			}
			ms, err := NewMeasures(10, map[string]string{"qrels": "map", "prefs": "prefs"}[f])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ms.Eval(context.Background(), j, r); err == nil || !strings.HasPrefix(err.Error(), path+":") {
				t.Error(err)
			}
		})
	}
	var option *rank.OptionError
	_, err := evaluate(nil, strings.NewReader(handQrels), strings.NewReader(handRun))
	if !errors.As(err, &option) || option.Option != "Complete" {
		t.Error(err)
	}
}

// The sets contain only measures of the table.
func TestSets(t *testing.T) {
	for set, names := range sets {
		t.Run(set, func(t *testing.T) {
			for _, name := range strings.Fields(names) {
				if measureNamed(name) == nil {
					t.Errorf("%s: no measure is called %s", set, name)
				}
			}
		})
	}
}

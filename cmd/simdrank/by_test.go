package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/compare"
)

// byFiles writes judgments of six topics, two runs, and groups: q1 to q3 are in group a, q4 and q5
// in group b, and q6 does not have a group.
func byFiles(t *testing.T) map[string]string {
	var judgments, first, second strings.Builder
	for _, q := range []string{"q1", "q2", "q3", "q4", "q5", "q6"} {
		judgments.WriteString(q + " 0 x 1\n")
		ranks := []string{"x 1 9", "y 2 8"}
		first.WriteString(q + " Q0 x 1 9 A\n" + q + " Q0 y 2 8 A\n")
		if q == "q1" || q == "q4" || q == "q5" { // the relevant document is second
			ranks = []string{"y 1 9", "x 2 8"}
		}
		for _, rank := range ranks {
			second.WriteString(q + " Q0 " + rank + " B\n")
		}
	}
	return map[string]string{
		"$qrels": writeTemp(t, "qrels", judgments.String()),
		"$a":     writeTemp(t, "a.run", first.String()),
		"$b":     writeTemp(t, "b.run", second.String()),
		"$by":    writeTemp(t, "by.txt", "q1 a\nq2 a\nq3 a\nq4 b\nq5 b\nq9 b\n"),
		"$all":   writeTemp(t, "all.txt.gz", testkit.Gzip("q1,a\nq2,a\nq3,a\nq4,b\nq5,b\nq6,c\n")),
	}
}

// expand splits a command line and replaces words that begin with $ by file names.
func expand(line string, files map[string]string) []string {
	args := strings.Fields(line)
	for i, arg := range args {
		name, value, named := strings.Cut(arg, "=")
		switch {
		case named && files[value] != "":
			args[i] = name + "=" + files[value]
		case files[arg] != "":
			args[i] = files[arg]
		}
	}
	return args
}

const noteOfGroups = "by.txt: 1 of 6 queries are not in the file and form the group (none); " +
	"1 of 6 queries in the file are not evaluated and are ignored\n"

func TestEvalBy(t *testing.T) {
	files := byFiles(t)
	for _, c := range []struct{ line, want string }{
		{"--by $by", "metric mean counted skipped mrr 0.7500 6 0 " +
			"group metric mean counted skipped b mrr 0.5000 2 0 a mrr 0.8333 3 0 (none) mrr 1.0000 1 0"},
		{"--by $by --format csv", "group,metric,mean,counted,skipped ,mrr,0.75,6,0 b,mrr,0.5,2,0 " +
			"a,mrr,0.8333333333333334,3,0 (none),mrr,1,1,0"},
		{"--by $by --interval student --format csv", "group,metric,mean,low,high,counted,skipped ,mrr,0.75,"},
		{"--by $by --interval student", "metric mean 95% Student interval counted skipped mrr 0.7500 [0.4626, 1.0374] 6 0 " +
			"group metric mean 95% Student interval counted skipped b mrr 0.5000 [0.5000, 0.5000] 2 0 " +
			"a mrr 0.8333 [0.1162, 1.5504] 3 0 (none) mrr 1.0000 - 1 0"},
		{"--by $by -q", "query group mrr q1 a 0.5000 q2 a 1.0000 q3 a 1.0000 q4 b 0.5000"},
		{"--by $by -q --format csv", "query,group,mrr q1,a,0.5 q2,a,1"},
		{"--by $by --format latex", `% \usepackage{booktabs} \begin{tabular}{lr} \toprule System & mrr \\ \midrule ` +
			`b.run & 0.7500 \\ \midrule \emph{b} (2 queries) & 0.5000 \\`},
		{"--by $by --format markdown", "| Group | System | mrr | |:--|:--|--:| | all queries | b.run | 0.7500 |"},
	} {
		t.Run(c.line, func(t *testing.T) {
			got := warned(t, expand("eval --qrels $qrels --run $b --metric mrr "+c.line, files), noteOfGroups)
			if got = strings.Join(strings.Fields(got), " "); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	type group struct {
		Name    string
		Queries int
		Metrics map[string]struct{ Mean, Low, High *float64 }
	}
	r := decode[struct {
		Interval string
		Groups   []group
		Queries  []map[string]any
	}](t, succeed(t, "", expand("eval --qrels $qrels --run $b --metric mrr --by $all --interval bootstrap -q --format json",
		files)...))
	c := r.Groups[2]
	if r.Interval != "bootstrap" || c.Name != "c" || c.Queries != 1 || *c.Metrics["mrr"].Mean != 1 ||
		c.Metrics["mrr"].Low != nil || r.Groups[1].Metrics["mrr"].Low == nil || r.Queries[5]["group"] != "c" {
		t.Errorf("%+v", r)
	}
}

func TestCompareBy(t *testing.T) {
	files := byFiles(t)
	c := decode[compare.Table](t, warned(t,
		expand("compare --qrels $qrels A=$a B=$b --metric mrr --by $by --format json", files), noteOfGroups))
	var names []string
	for _, g := range c.ByGroup {
		names = append(names, g.Name)
	}
	// Group b loses 0.5, and group a 0.1667.
	d := c.ByGroup[0].Systems[1].Metrics[0].Differences[0]
	if !slices.Equal(names, []string{"b", "a", "(none)"}) || d.Mean != -0.5 || d.P != 0.5 || d.CorrectedP != 1 {
		t.Errorf("groups %q, %+v", names, d)
	}
	for _, c := range []struct{ line, want string }{
		{"", "group queries system mrr b 2 A 1.0000 b 2 B 0.5000 a 3 A 1.0000"},
		{"-q", "query group metric A B difference q1 a reciprocal-rank"},
		{"-q --format csv", "query,group,metric,system,value,difference q1,a,mrr,A,1, q1,a,mrr,B,0.5,-0.5"},
		{"--format csv", "group,system,against,metric,queries,"},
		{"--format latex", `\midrule \multicolumn{2}{l}{\emph{b} (2 queries)} \\`},
		{"--format markdown", "| b | B | 0.5000"},
	} {
		t.Run(c.line, func(t *testing.T) {
			got := warned(t, expand("compare --qrels $qrels A=$a B=$b --metric mrr --by $by "+c.line, files))
			want := strings.ReplaceAll(c.want, "reciprocal-rank", "mrr")
			if got = strings.Join(strings.Fields(got), " "); !strings.Contains(got, want) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// Groups are also values of a column of the data.
func TestByColumn(t *testing.T) {
	files := map[string]string{
		"$data": writeTemp(t, "data.csv",
			"label,qid,f,shop,size\n1,1,3,web,5\n0,1,2,web,5\n1,2,1,store,7\n0,2,2,store,6\n1,3,1,,5\n"),
		"$scores": writeTemp(t, "scores", "2\n1\n1\n2\n1\n"),
		"$letor":  writeTemp(t, "data.txt", "1 qid:1 1:3 2:1\n0 qid:1 1:2 2:1\n1 qid:2 1:1\n"),
		"$three":  writeTemp(t, "three", "3\n2\n1\n"),
	}
	const table = "eval -d $data -s $scores --text-column shop --metric mrr --by-column "
	_, got, stderr := simdrank(t, "", expand(table+"shop", files)...)
	if got = strings.Join(strings.Fields(got), " "); !strings.HasSuffix(got,
		"skipped store mrr 0.5000 1 0 (none) mrr 1.0000 1 0 web mrr 1.0000 1 0") ||
		!strings.Contains(stderr, "data.csv: 1 of 3 queries lack a value in column shop and form the group (none)\n") {
		t.Errorf("%s, %s", got, stderr)
	}
	fail(t, exitFailure, "", expand(table+"size", files),
		`data.csv:5: column size is "6", but "7" for another document of query "2"; each query requires one value`)
	fail(t, exitFailure, "", expand(table+"none", files), `data.csv: --by-column: no feature named "none"`)
	fail(t, exitUsage, "", expand(table+"shop --by $scores", files), "--by cannot be combined with --by-column")
	got = succeed(t, "", expand("compare -d $letor $three $three --by-column 2 --metric mrr --interval none", files)...)
	if !strings.Contains(got, "\n0      1        three   1.0000\n1      1        three   1.0000\n") ||
		strings.Contains(got, "interval") {
		t.Error(got)
	}
}

func TestByErrors(t *testing.T) {
	files := byFiles(t)
	files["$other"] = writeTemp(t, "other", "q7 a\n")
	files["$bad"] = writeTemp(t, "bad", "q1 a\nq1 b\n")
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"eval --run $a --by $other", "other: no evaluated query is in this file", exitFailure},
		{"eval --run $a --by $bad", `bad:2: the query is already in group "a": "q1 b"`, exitFailure},
		{"eval --run $a --by-column 1", "--run cannot be combined with --by-column", exitUsage},
		{"compare $a $b --by-column 1", "--qrels cannot be combined with --by-column", exitUsage},
		{"compare $a $b --by $all --correction tukey-hsd",
			"--correction tukey-hsd is not supported for query groups (use holm or bonferroni)", exitUsage},
		{"eval --run $a --rounds 5", "--rounds requires --interval bootstrap", exitUsage},
		{"eval --run $a --seed 5 --interval student", "--seed requires --interval bootstrap", exitUsage},
		{"eval --run $a --rounds 0 --interval bootstrap", "--rounds 0: must be greater than 0", exitUsage},
		{"eval --run $a --interval t", "must be none, bootstrap or student", exitUsage},
		{"eval --run $a -q --format latex", "--per-query requires --format text, json or csv, not latex", exitUsage},
		{"eval --run $a --by $all -o $all", "would replace the input", exitUsage},
		{"compare $a $b --by $all -o $all", "would replace the input", exitUsage},
		{"compare $a $b -o $b", "would replace the input", exitUsage},
	} {
		t.Run(c.line, func(t *testing.T) {
			command, flags, _ := strings.Cut(c.line, " ")
			fail(t, c.code, "", expand(command+" --qrels $qrels "+flags, files), c.want)
		})
	}
}

// Systems can have names, and file names can contain =.
func TestSystemNames(t *testing.T) {
	for _, c := range []struct{ args, names, paths string }{
		{"a.run d/b.run", "a.run b.run", "a.run d/b.run"},
		{"A=a.run B=d/b.run", "A B", "a.run d/b.run"},
		{"./a=b.run C=a=b.run d/k=1/c.run", "./a=b.run C c.run", "./a=b.run a=b.run d/k=1/c.run"},
		{"x/a.run y/a.run", "x/a.run y/a.run", "x/a.run y/a.run"},
		{"a.run a.run", "a.run a.run", "a.run a.run"},
		{"A=a.run A=b.run", `a.run and b.run cannot both be named "A" (use NAME=FILE)`, ""},
		{"b.run b.run=c.run", `b.run and c.run cannot both be named "b.run" (use NAME=FILE)`, ""},
		{"=a.run =.run", "=a.run =.run", "=a.run =.run"},
		{"A= b.run", `"A=": must be a file, or NAME=FILE`, ""},
	} {
		t.Run(c.args, func(t *testing.T) {
			names, paths, err := namedSystems(strings.Fields(c.args))
			got := strings.Join(names, " ")
			if err != nil {
				got = err.Error()
			}
			if got != c.names || strings.Join(paths, " ") != c.paths {
				t.Errorf("%s: %q, %q", c.args, got, paths)
			}
		})
	}
}

// -o writes the same bytes as standard output, and a failed command leaves no file.
func TestOutputOfTables(t *testing.T) {
	files := byFiles(t)
	for _, line := range []string{"eval --run $a --qrels $qrels", "compare --qrels $qrels $a $b --rounds 100",
		"compare --qrels $qrels $a $b --rounds 100 -q --format json"} {
		t.Run(line, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			want := succeed(t, "", expand(line, files)...)
			if got := succeed(t, "", append(expand(line, files), "-o", out)...); got != "" {
				t.Errorf("standard output: %q", got)
			}
			if got, err := os.ReadFile(out); err != nil || string(got) != want {
				t.Errorf("%v, %s, want %s", err, got, want)
			}
		})
	}
	out := filepath.Join(t.TempDir(), "out")
	fail(t, exitFailure, "", append(expand("compare --qrels $qrels $a $by", files), "-o", out), "by.txt:1")
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed comparison leaves a file")
	}
}

// A report shows the groups of a file or of a column.
func TestReportBy(t *testing.T) {
	files := map[string]string{
		"$m":    writeTemp(t, "m.json", `{"format":"simdrank-linear","version":1,"intercept":0,"weights":[1,0]}`),
		"$data": writeTemp(t, "data.txt", "1 qid:1 1:3 2:8\n0 qid:1 1:2 2:8\n1 qid:2 1:1 2:9\n0 qid:2 1:2 2:9\n"),
		"$by":   writeTemp(t, "by.csv", "1,easy\n2,hard\n"),
		"$out":  filepath.Join(t.TempDir(), "page.html"),
	}
	for by, want := range map[string][]string{
		"--by $by":      {"<td>hard</td>", "SHA-256 ", "by.csv"},
		"--by-column 2": {">9</td>", "Query groups"},
	} {
		t.Run(by, func(t *testing.T) {
			succeed(t, "", expand("report -m $m -d $data --metric ndcg -o $out "+by, files)...)
			page := readFile(t, files["$out"])
			for _, w := range want {
				if !strings.Contains(page, w) {
					t.Errorf("the page lacks %q", w)
				}
			}
		})
	}
	fail(t, exitUsage, "", expand("report -m $m -d $data --by $by -o $by", files), "would replace the input")
}

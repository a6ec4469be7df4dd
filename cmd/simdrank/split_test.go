package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// splitRows returns rows of n queries. Each has a document ID with a comma and a newline.
func splitRows(n int) (rows []string) {
	for q := range n {
		for i := range 1 + q%3 {
			rows = append(rows, fmt.Sprintf("%d,q%d,%d.50,\"d%d,\n%d\"\r\n", (q+i)%3, q, i, q, i))
		}
	}
	return rows
}

// TestSplit copies the rows of a table unchanged, and keeps queries whole.
func TestSplit(t *testing.T) {
	const header = "sep=,\r\nlabel,qid,x,doc\r\n\r\n"
	rows := splitRows(40)
	data := writeTemp(t, "d.csv.gz", testkit.Gzip("\ufeff"+header+strings.Join(rows, "")))
	dir := t.TempDir()
	outputs := []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv"), filepath.Join(dir, "c.csv")}
	split := func(t *testing.T, args ...string) (printed string, contents []string) {
		t.Helper()
		printed = succeed(t, "", append([]string{"split", "-d", data, "--fractions", "0.5,0.3,0.2", "-o", outputs[0],
			"-o", outputs[1], "-o", outputs[2]}, args...)...)
		var all []string
		queries := map[string]int{}
		for k, path := range outputs {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			body, found := strings.CutPrefix(string(content), header)
			if !found {
				t.Errorf("%s begins with %.30q", path, content)
			}
			for row := range strings.SplitAfterSeq(body, "\"\r\n") {
				if q := regexp.MustCompile("q[0-9]+").FindString(row); q != "" {
					all = append(all, row)
					if of, seen := queries[q]; seen && of != k {
						t.Errorf("%s is in two files", q)
					}
					queries[q] = k
				}
			}
			contents = append(contents, string(content))
		}
		slices.Sort(all)
		if want := slices.Sorted(slices.Values(rows)); !slices.Equal(all, want) {
			t.Errorf("rows %q, want %q", all, want)
		}
		return printed, contents
	}
	printed, first := split(t)
	want := regexp.MustCompile(`^\S+a.csv: 20 queries, \d+ documents\n\S+b.csv: 12 queries, \d+ documents\n` +
		`\S+c.csv: 8 queries, \d+ documents\n$`)
	if !want.MatchString(printed) {
		t.Error(printed)
	}
	if _, again := split(t, "--seed", "0"); !slices.Equal(first, again) {
		t.Error("the same seed chooses others")
	}
	for _, other := range [][]string{{"--seed", "1"}, {"--method", "random"}, {"--method", "hash"}} {
		t.Run(strings.Join(other, " "), func(t *testing.T) {
			if _, contents := split(t, other...); slices.Equal(first, contents) {
				t.Error("the same files")
			}
		})
	}
	// More queries do not move the others.
	_, few := split(t, "--method", "hash")
	rows = splitRows(60)
	data = writeTemp(t, "d.csv", header+strings.Join(rows, ""))
	_, more := split(t, "--method", "hash")
	for k := range few {
		if !strings.HasPrefix(more[k], few[k]) || len(more[k]) == len(few[k]) {
			t.Errorf("file %d: %q\nwas %q", k, more[k], few[k])
		}
	}
	if !strings.Contains(more[0], ",q0,") || !strings.Contains(more[1], ",q1,") {
		t.Error("the hash differs from SHA-256")
	}
}

// TestSplitFormats splits LETOR text, Parquet and binary data files.
func TestSplitFormats(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	letor := writeTemp(t, "d.txt", "# my data\n2 qid:1 1:0.50\n# of the first\n0 qid:1 1:1\n\n"+
		"1 qid:2 1:+2 # docid = x\n0 qid:1 2:7")
	succeed(t, "", "split", "-d", letor, "--gather", "--fractions", "0.5,0.5", "--seed", "1", "-o", at("a.txt"), "-o",
		at("b.simdrank"))
	content, err := os.ReadFile(at("a.txt"))
	one := "# my data\n2 qid:1 1:0.50\n# of the first\n0 qid:1 1:1\n\n0 qid:1 2:7\n"
	two := "# my data\n1 qid:2 1:+2 # docid = x\n"
	if err != nil || string(content) != one && string(content) != two {
		t.Errorf("%q, %v", content, err)
	}
	fail(t, exitFailure, "", []string{"split", "-d", letor, "--gather", "--fractions", "0.9,0.1", "-o",
		at("x.simdrank"), "-o", at("y.simdrank"), "--method", "hash"},
		"--method hash assigns no query to "+at("y.simdrank"))
	fail(t, exitFailure, "", []string{"split", "-d", at("b.simdrank"), "--fractions", "0.5,0.5", "-o", at("c.txt"),
		"-o", at("d.txt")}, at("b.simdrank")+": 2 parts require at least 2 queries, not 1")
	_, _, _, parquet := tables(t)
	succeed(t, "", "split", "-d", parquet, "--fractions", "0.5,0.5", "-o", at("c.simdrank"), "-o",
		at("d.simdrank.zst"))
	type counts struct{ Queries, Documents, Features int }
	var c [3]counts
	for i, path := range []string{parquet, at("c.simdrank"), at("d.simdrank.zst")} {
		c[i] = decode[counts](t, succeed(t, "", "info", "-d", path, "--format", "json"))
	}
	if c[1].Queries+c[2].Queries != c[0].Queries || c[1].Documents+c[2].Documents != c[0].Documents ||
		c[1].Features != c[0].Features {
		t.Errorf("%+v", c)
	}
	fail(t, exitFailure, "", []string{"split", "-d", at("c.simdrank"), "--fractions", "0.5,0.5", "-o", at("c.txt"),
		"-o", at("d.txt")}, "a binary data file cannot be copied")
}

func TestSplitErrors(t *testing.T) {
	data := writeTemp(t, "d.csv", "label,qid,x\n1,1,2\n0,2,1\n")
	sizes := writeTemp(t, "n.txt", "1 1:2\n0 1:3\n")
	group := writeTemp(t, "n.group", "1\n1\n")
	if err := os.WriteFile(sizes+".query", []byte("1\n1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir, d := t.TempDir(), "-d "+data
	for _, c := range []struct{ args, want string }{
		{d + " --fractions 1 -o a.csv", "--fractions has 1 fraction for 1 output"},
		{d + " --fractions 0.5,0.5 -o a.csv", "--fractions has 2 fractions for 1 output"},
		{d + " --fractions 0.5,0.4 -o a.csv -o b.csv", "must add up to 1, not 0.9"},
		{d + " --fractions 1.5,-0.5 -o a.csv -o b.csv", `"-0.5" must be a positive number`},
		{d + " --fractions 0.5,0.5 -o a.csv -o -", "must be a file, not standard output"},
		{d + " --fractions 0.5,0.5 -o a.csv -o a.csv", "--output a.csv is given twice"},
		{d + " --fractions 0.5,0.5 -o a.csv -o " + data, "would replace the input"},
		{d + " --fractions 0.5,0.5 -o a.csv -o b.txt",
			"--output b.txt: the name must have an extension of format csv"},
		{d + " --fractions 0.5,0.5 -o a.csv -o b.csv --method hash --seed 1",
			"--seed cannot be combined with --method hash"},
		{d + " --fractions 0.5,0.5 -o a.csv -o b.csv --normalize sum",
			"--normalize requires outputs that end in .simdrank"},
		{"-d - --fractions 0.5,0.5 -o a.txt -o b.txt", "standard input is not a regular file"},
		{"-d x.parquet --fractions 0.5,0.5 -o a.parquet -o b.simdrank", "must end in .simdrank"},
		{"-d " + sizes + " --fractions 0.5,0.5 -o a.txt -o b.txt", "n.txt:1: a row without qid cannot be copied"},
		{"-d " + sizes + " --group " + group + " --fractions 0.5,0.5 -o a.txt -o b.txt", "--group requires outputs"},
	} {
		t.Run(c.want, func(t *testing.T) {
			t.Chdir(dir)
			code, _, stderr := simdrank(t, "", append([]string{"split"}, strings.Fields(c.args)...)...)
			if code == exitOK || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d, %s, want %s", code, stderr, c.want)
			}
		})
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files %v, %v", left, err)
	}
}

// TestConvertLabels writes the labels of data as judgments.
func TestConvertLabels(t *testing.T) {
	table := writeTemp(t, "d.csv", "rel,qid,x,url,half\n2,q1,1,a,0.5\n-1,q1,2,b,1\n0,q 2,3,a,1\n")
	letor := writeTemp(t, "d.txt", "2 qid:q1 1:1 2:3 #docid = a\n-1 qid:q1 1:2 #docid = b\n")
	const want = "q1 0 a 2\nq1 0 b -1\n"
	columns := []string{"--label-column", "rel", "--doc-column", "url", "--query-column", "qid"}
	got := succeed(t, "", "convert", "-i", letor, "--input-format", "letor", "--to", "qrels", "-o", "-")
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	binary := filepath.Join(t.TempDir(), "d.simdrank")
	succeed(t, "", "convert", "-i", letor, "-o", binary)
	const object = "{\"q1\": {\"a\": 2, \"b\": -1}}\n"
	if got := succeed(t, "", "convert", "-i", binary, "--to", "qrels-json", "-o", "-"); got != object {
		t.Errorf("%q", got)
	}
	convert := append([]string{"convert", "-i", table, "--to", "qrels", "-o", "-"}, columns...)
	fail(t, exitFailure, "", convert, table, `"q 2"`)
	good := writeTemp(t, "good.csv", "rel,qid,x,url\n2,q1,1,a\n-1,q1,2,b\n")
	convert[2] = good
	if got := succeed(t, "", convert...); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	fail(t, exitFailure, "", []string{"convert", "-i", table, "--to", "qrels", "-o", "-", "--label-column", "half",
		"--doc-column", "url"}, table+":2: the label is 0.5; a judgment must be an integer")
	fail(t, exitFailure, "", []string{"convert", "-i", good, "--to", "qrels", "-o", "-", "--label-column", "rel",
		"--ignore-column", "url"}, good+": judgments require document identifiers (use --doc-column")
	tsv := writeTemp(t, "d.tsv", "label\tqid\tx\tdoc\n2\tq1\t1\ta\n-1\tq1\t2\tb\n")
	if got := succeed(t, "", "convert", "-i", tsv, "--input-format", "tsv", "--to", "qrels", "-o", "-"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	beir := writeTemp(t, "test.tsv", "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t-1\n")
	if got := succeed(t, "", "convert", "-i", beir, "--to", "qrels", "-o", "-"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	fail(t, exitFailure, "", []string{"convert", "-i", letor, "--to", "qrels", "-o", "-"}, letor+":1: found 7 fields",
		"(use --input-format letor if it is data)")
}

package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/model"
)

// namedStump is a model text as LightGBM 4.7 writes it, which scores −1 and 1 by its second
// feature.
func namedStump(names string) string {
	return "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=1\n" +
		"objective=lambdarank\nfeature_names=" + names + "\nfeature_infos=[0:1] [0:1]\ntree_sizes=250\n\n" +
		"Tree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=1\nsplit_gain=1\nthreshold=0.5\ndecision_type=2\nleft_child=-1\n" +
		"right_child=-2\nleaf_value=-1.0 1.0\nleaf_weight=1 1\nleaf_count=10 10\ninternal_value=0\ninternal_weight=2\n" +
		"internal_count=20\nis_linear=0\nshrinkage=1\n\n\nend of trees\n\nfeature_importances:\n" +
		names[strings.Index(names, " ")+1:] + "=1\n\nparameters:\n[data: caf\xe9.csv]\n\nend of parameters\n\npandas_categorical:null\n"
}

// TestNames: names of LightGBM's models, which may hold any blank but the space, find the columns
// of tables, before and after conversion.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, column string }{
		{"first_price", "first price"}, {"first_price", "first_price"}, {"价格\u3000含税", "价格\u3000含税"},
		{"\u00a0a\u00a0b\u00a0", "\u00a0a\u00a0b\u00a0"}, {"a\tb", "a\tb"}, {"a=b:c", "a=b:c"}, {"\u3000", "\u3000"},
	} {
		t.Run(c.column, func(t *testing.T) {
			source := writeTemp(t, "m.txt", namedStump("a "+c.name))
			data := writeTemp(t, "d.csv", "\""+c.column+"\",a\n0,1\n1,0\n")
			models := []string{source}
			for _, format := range model.OptionWords("format") {
				t.Run(format, func(t *testing.T) {
					if slices.Contains([]string{"svmlight", "liblinear", "onnx", "ranklib"}, format) { // without names
						return
					}
					path := filepath.Join(dir, format)
					// Solr does not keep where missing values go, and convert warns of it.
					code, _, stderr := simdrank(t, "", "convert", "-i", source, "-o", path, "--to", format)
					if code != exitOK {
						t.Fatalf("%q to %s: %s", c.name, format, stderr)
					}
					models = append(models, path)
				})
			}
			for _, m := range models {
				// A dump has the names of the features of splits alone.
				if got := succeed(t, "", "predict", "-m", m, "-d", data, "--ignore-extra-features"); got != "-1\n1\n" {
					t.Errorf("%q of %q, %s: %q", c.name, c.column, m, got)
				}
			}
			got := succeed(t, "", "info", "-m", source, "--format", "json")
			if !strings.Contains(got, `"data": "caf\\xe9.csv"`) {
				t.Errorf("%q: %s", c.name, got)
			}
		})
	}
	both := writeTemp(t, "both.csv", "a,b c_d,b_c d\n1,2,3\n")
	fail(t, exitFailure, "", []string{"predict", "-m", writeTemp(t, "m.txt", namedStump("a b_c_d")), "-d", both}, both,
		`"b c_d" and "b_c d" could both be the feature "b_c_d"`)

	// A model that is converted scores its own training data.
	data := writeTemp(t, "d.csv", "label,qid,first price,b\n1,1,3,2\n0,1,1,2\n2,2,5,1\n1,2,3,7\n")
	trained, lightgbm := filepath.Join(dir, "t.json"), filepath.Join(dir, "t.txt")
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--trees", "3", "--min-rows", "1", "-o", trained)
	code, _, stderr := simdrank(t, "", "convert", "-i", trained, "--to", "lightgbm", "-o", lightgbm)
	if code != 0 || !strings.Contains(stderr, `feature names such as "first price" are written with _ for spaces`) {
		t.Errorf("exit %d, %s", code, stderr)
	}
	want := succeed(t, "", "predict", "-m", trained, "-d", data)
	if got := succeed(t, "", "predict", "-m", lightgbm, "-d", data); got != want {
		t.Errorf("scores %q, want %q", got, want)
	}
	succeed(t, "", "refit", "-m", lightgbm, "-d", data, "-o", trained)
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--trees", "1", "--min-rows", "1", "--start", lightgbm,
		"-o", trained)
}

// TestNotUTF8: names in another encoding are refused where they enter, and identifiers where they
// would be JSON, which makes one of several.
func TestNotUTF8(t *testing.T) {
	const advice = "(re-encode the file, for example with iconv -f WINDOWS-1252 -t UTF-8)"
	out := filepath.Join(t.TempDir(), "out")
	table := writeTemp(t, "d.csv", "label,qid,caf\xe9,caf\xe8\n1,1,2,3\n0,1,1,2\n2,1,5,3\n")
	for _, kind := range []string{"ridge", "ranksvm", "lambdamart"} {
		t.Run(kind, func(t *testing.T) {
			fail(t, exitFailure, "", []string{"train", "-d", table, "--model", kind, "-o", out},
				table+`:1: the name of column 3 must be UTF-8, not "caf\xe9" `+advice)
		})
	}
	m := writeTemp(t, "m.txt", namedStump("a caf\xe9"))
	fail(t, exitFailure, "", []string{"convert", "-i", m, "-o", out, "--to", "json"},
		m+`: line 8: the name of feature 2 must be UTF-8, not "caf\xe9" `+advice)
	letor := writeTemp(t, "d.txt", "1 qid:t\xe9 1:2 2:1 # d\xe9\n0 qid:t\xe9 1:1 2:3 # d\xe8\n")
	names := writeTemp(t, "names", "a\ncaf\xe9\n")
	fail(t, exitFailure, "", []string{"train", "-d", letor, "--feature-names", names, "-o", out},
		names+`:2: the feature name must be UTF-8, not "caf\xe9" `+advice)

	succeed(t, "", "train", "-d", letor, "-o", out)
	qrels := writeTemp(t, "qrels", "t\xe9 0 a 1\nt\xe8 0 b 1\n")
	run := writeTemp(t, "run", "t\xe9 Q0 a 1 1 r\nt\xe8 Q0 b 1 1 r\n")
	other := filepath.Join(filepath.Dir(writeTemp(t, "other", "t\xe9 Q0 a 1 1 r\nt\xe8 Q0 c 1 1 r\n")), "other")
	for _, c := range []struct {
		args []string
		file string
	}{
		{[]string{"eval", "--qrels", qrels, "--run", run, "-q"}, run},
		{[]string{"eval", "-m", out, "-d", letor, "-q"}, letor},
		{[]string{"compare", "--qrels", qrels, run, other, "-q"}, qrels},
		{[]string{"trec-eval", "-q", qrels, run}, run},
		{[]string{"explain", "-m", out, "-d", letor}, letor},
	} {
		t.Run(testkit.CaseName(c.args...), func(t *testing.T) {
			fail(t, exitFailure, "", append(c.args, "--format", "json"),
				c.file+`: an identifier in JSON must be UTF-8, not "t\x`, advice)
			if got := succeed(t, "", append(c.args, "--format", "csv")...); !strings.Contains(got, "t\xe9") {
				t.Errorf("%q", got)
			}
		})
	}
	succeed(t, "", "eval", "--qrels", qrels, "--run", run, "--format", "json") // of all topics alone
	named := writeTemp(t, "r\xe9", "t\xe9 Q0 b 1 1 r\nt\xe8 Q0 b 1 1 r\n")
	fail(t, exitFailure, "", []string{"compare", "--qrels", qrels, run, named, "--format", "json"},
		`JSON must be UTF-8, not "`, `r\xe9" (re-encode`)
	tagged := writeTemp(t, "tagged", "t\xe9 Q0 b 1 1 r\xe9\nt\xe8 Q0 b 1 1 r\xe9\n")
	fail(t, exitFailure, "", []string{"trec-eval", qrels, tagged, "--format", "json"},
		tagged+`: an identifier in JSON must be UTF-8, not "r\xe9"`)
	fail(t, exitUsage, "", []string{"tune", "-d", letor, "-o", out + "\xe9", "--format", "json"},
		"--format json prints the train command, which must be UTF-8, not ")
}

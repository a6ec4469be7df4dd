package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	rankdata "github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/model"
)

// TestConvertModels: trees in every format score the same, of the format itself and after the way
// back.
func TestConvertModels(t *testing.T) {
	dir := t.TempDir()
	data := writeTemp(t, "data.txt", "0 qid:1 1:1 2:1\n1 qid:1 1:2 2:-3\n")
	source := writeTemp(t, "trees.json", stumps)
	scores := func(model string) []float64 {
		return decode[prediction](t, succeed(t, "", "predict", "-m", model, "-d", data, "--format", "json")).Scores
	}
	want := scores(source)
	var formats []string
	for _, f := range model.OptionWords("format") {
		if f != "svmlight" && f != "liblinear" {
			formats = append(formats, f)
		}
	}
	lost := map[string]string{
		"ranklib": "ranklib does not preserve the direction of missing values: scores change by at most 1.2 for documents",
	}
	names := map[string]string{"xgboost-ubj": "m.ubj", "ranklib": "m.xml.gz", "json": "m.json", "onnx": "m.onnx"}
	for _, f := range formats {
		path, to := filepath.Join(dir, f), []string{"--to", f}
		if name := names[f]; name != "" {
			path, to = filepath.Join(dir, name), nil
		}
		code, _, warnings := simdrank(t, "", append([]string{"convert", "-i", source, "-o", path}, to...)...)
		if code != exitOK || !strings.Contains(warnings, lost[f]) || (warnings == "") != (lost[f] == "") {
			t.Fatalf("%s: exit code %d, %s", f, code, warnings)
		}
		back := filepath.Join(dir, f+".json")
		succeed(t, "", "convert", "-i", path, "-o", back)
		for _, m := range []string{path, back} {
			got := scores(m)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-6 {
					t.Errorf("%s: scores %v, want %v", m, got, want)
				}
			}
		}
	}

	list := writeTemp(t, "names.txt", "title\nbody\n")
	solr := filepath.Join(dir, "solr.json")
	succeed(t, "", "convert", "-i", source, "--to", "solr", "-o", solr, "--feature-names", list)
	text, err := os.ReadFile(solr)
	if err != nil || !strings.Contains(string(text), `"features":[{"name":"title"},{"name":"body"}]`) {
		t.Errorf("%s, %v", text, err)
	}
	// A dump knows the features of its splits alone, in their order.
	dump, other := filepath.Join(dir, "dump.json"), filepath.Join(dir, "other.json")
	succeed(t, "", "convert", "-i", solr, "--to", "xgboost-dump", "-o", dump)
	fail(t, exitFailure, "", []string{"predict", "-m", dump, "-d", data}, data, dump, "--feature-names")
	succeed(t, "", "predict", "-m", dump, "-d", data, "--feature-names", list, "--ignore-extra-features")
	fail(t, exitFailure, "", []string{"convert", "-i", dump, "-o", other, "--to", "ranklib"}, dump, "their order",
		"(use --feature-names)")
	succeed(t, "", "convert", "-i", dump, "-o", other, "--feature-names", list)
	if got := scores(other); !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
		t.Errorf("scores %v, want %v", got, want)
	}
	few := writeTemp(t, "few.txt", "title\n")
	fail(t, exitFailure, "", []string{"convert", "-i", dump, "-o", other, "--feature-names", few}, few,
		`the names do not contain "body"`)
	linear := writeTemp(t, "linear.json", `{"format":"simdrank-linear","version":1,"weights":[-1,0]}`)
	fail(t, exitUsage, "", []string{"convert", "-i", linear, "-o", other, "--feature-names", few}, linear, "linear")
	fail(t, exitFailure, "", []string{"convert", "-i", linear, "--to", "solr", "-o", other}, linear, "as solr")
	bad := writeTemp(t, "bad.xml", strings.Replace("## LambdaMART\n<ensemble>\n<tree weight=\"x\">", "x", "y", 1))
	fail(t, exitFailure, "", []string{"convert", "-i", bad, "-o", other}, bad+": ", `line 3: the weight is "y"`)
}

// Scores that a conversion changes are warned of, with the size of the change.
func TestConvertChange(t *testing.T) {
	source := writeTemp(t, "m.json", `{"format":"simdrank-lambdamart","version":1,"features":1,"feature_names":["a"],`+
		`"bias":0,"trees":[{"feature":[0],"threshold":[-1e-36],"missing_left":[true],"left":[-1],"right":[-2],`+
		`"leaf":[0.1,2.3]}]}`)
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		to   string
		want []string
	}{
		{"json", nil},
		{"lightgbm", nil},
		{"lightgbm-dump", nil},
		{"xgboost", []string{"xgboost rounds leaf values to float32: scores change by at most 4.8e-08\n"}},
		{"solr", []string{
			"solr rounds leaf values to float32: scores change by at most 4.8e-08\n",
			"solr cannot represent all thresholds: scores change by at most 2.2 for some documents, for example if " +
				"feature a is above -1.1368684e-13 and at most -1e-36\n",
			"solr does not preserve the direction of missing values: scores change by at most 2.2 for documents " +
				"with missing values\n",
		}},
	} {
		t.Run(c.to, func(t *testing.T) {
			code, _, stderr := simdrank(t, "", "convert", "-i", source, "-o", out, "--to", c.to)
			want := ""
			for _, w := range c.want {
				want += "simdrank: warning: " + source + ": " + w
			}
			if code != exitOK || stderr != want {
				t.Errorf("exit code %d, stderr\n%s, want\n%s", code, stderr, want)
			}
		})
	}
}

// Judgments and runs go from TREC's text to ranx's JSON and back.
func TestConvertTREC(t *testing.T) {
	qrels := writeTemp(t, "qrels.txt", "2 Q0 b 0\n1 0 a 2\n1 0 c -1\n")
	run := writeTemp(t, "my run.json.gz", testkit.Gzip("{\"2\": {\"b\": 1}, \"1\": {\"a\": 0.5, \"c\": 2}}"))
	for _, c := range []struct{ input, to, want string }{
		{qrels, "qrels", "2 0 b 0\n1 0 a 2\n1 0 c -1\n"},
		{qrels, "qrels-json", "{\"2\": {\"b\": 0},\n\"1\": {\"a\": 2, \"c\": -1}}\n"},
		{run, "run-json", "{\"2\": {\"b\": 1},\n\"1\": {\"c\": 2, \"a\": 0.5}}\n"},
		{run, "run", "2 Q0 b 1 1 my_run\n1 Q0 c 1 2 my_run\n1 Q0 a 2 0.5 my_run\n"},
		{qrels, "qrels-beir", "query-id\tcorpus-id\tscore\n2\tb\t0\n1\ta\t2\n1\tc\t-1\n"},
		{qrels, "qrels-msmarco", "2\t0\tb\t0\n1\t0\ta\t2\n1\t0\tc\t-1\n"},
		{run, "run-msmarco", "2\tb\t1\n1\tc\t1\n1\ta\t2\n"},
		{run, "run --run-name x", "2 Q0 b 1 1 x\n1 Q0 c 1 2 x\n1 Q0 a 2 0.5 x\n"},
	} {
		t.Run(testkit.CaseName(c.input, c.to), func(t *testing.T) {
			args := append([]string{"convert", "-i", c.input, "-o", "-", "--to"}, strings.Fields(c.to)...)
			got := succeed(t, "", args...)
			if got != c.want {
				t.Errorf("--to %s: %q, want %q", c.to, got, c.want)
			}
			args[2] = "-"
			if again := succeed(t, got, args...); c.to != "run" && again != c.want {
				t.Errorf("--to %s again: %q, want %q", c.to, again, c.want)
			}
		})
	}
	for _, path := range []string{qrels, run} {
		t.Run(testkit.CaseName(path), func(t *testing.T) {
			fail(t, exitFailure, "", []string{"convert", "-i", path, "-o", filepath.Join(t.TempDir(), "x.json")},
				path+": ", "without --to", "x.json is written as a model (use --to run-json or qrels-json for runs and judgments)")
			fail(t, exitFailure, "", []string{"convert", "-i", path, "-o", "-", "--to", "json"}, path+": ", "model")
		})
	}
	fail(t, exitFailure, "", []string{"convert", "-i", run, "-o", filepath.Join(t.TempDir(), "x.simdrank")},
		run+":1:1: the file is not LETOR data: it looks like JSON (is it a model?): ")
	infinite := writeTemp(t, "run.txt", "1 Q0 a 1 1e400 r\n")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{infinite + " --to run-json", exitFailure, infinite + ": topic 1: document a: the score is +Inf"},
		{run + " --to qrels", exitFailure, run + ":1:"},
		{qrels + " --to run --gather", exitUsage, "--gather cannot be combined with --to run"},
		{qrels + " --to run-msmarco", exitFailure, qrels + ":1: found 4 fields; there must be 6 or 3 (judgments have 4)"},
		{qrels + " --to run-msmarco --run-name x", exitUsage, "--run-name requires --to run"},
		{qrels + " --to qrels --run-name x", exitUsage, "--run-name requires --to run"},
		{infinite + " --to run --run-name=\x01", exitUsage, `--run-name: the name "\x01" contains a blank or a control character`},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			input, flags, _ := strings.Cut(c.args, " --")
			fail(t, c.code, "", append([]string{"convert", "-o", "-", "-i", input},
				strings.Fields("--"+flags)...), c.want)
		})
	}
}

// What LETOR text cannot say is not lost without a word.
func TestConvertLost(t *testing.T) {
	data := writeTemp(t, "data.csv", "label,qid,a,weight,position\n2,1,1,3,1\n1,1,2,1,2\n")
	code, out, stderr := simdrank(t, "", "convert", "-i", data, "--to", "letor", "-o", "-")
	if want := "simdrank: warning: " + data + ": weights and positions are dropped, because LETOR text cannot represent them " +
		"(use --to simdrank to keep them)\n"; code != exitOK || out != "2 qid:1 1:1\n1 qid:1 1:2\n" ||
		notes.ReplaceAllString(stderr, "") != want {
		t.Errorf("exit %d, %q, stderr %q, want %q", code, out, stderr, want)
	}
	plain := writeTemp(t, "plain.csv", "label,qid,a\n2,1,1\n1,1,2\n")
	succeed(t, "", "convert", "-i", plain, "--to", "letor", "-o", "-")
}

// TestConvertLateFeature converts text whose last row is much wider than those before, which does
// not make the others as wide on the disk.
func TestConvertLateFeature(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d qid:%d 1:%d\n", i%3, i/10, i%7)
	}
	text.WriteString("1 qid:last 16777216:1\n")
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.txt"), filepath.Join(dir, "a.simdrank")
	if err := os.WriteFile(in, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := simdrank(t, "", "convert", "-i", in, "-o", out, "--memory-limit", "8MiB") // in short pieces
	if code != exitOK || !strings.Contains(stderr, "note: "+out+" stores sparse features: with all 16777216 columns") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	info, err := os.Stat(out)
	if err != nil || info.Size() > 4*int64(text.Len()) {
		t.Fatalf("%v bytes of %d bytes of text, %v", info.Size(), text.Len(), err)
	}
	got, err := rankdata.Load(out, rankdata.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := rankdata.Load(in, rankdata.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Sparse, want.Sparse) || !slices.Equal(got.Labels, want.Labels) {
		t.Error("other data")
	}
}

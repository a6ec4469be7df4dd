package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	mark "github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

// TestDataFile converts text in every way that there is, and uses what comes out like the text.
func TestDataFile(t *testing.T) {
	text := letorText(t, synth.Config{Seed: 1, Rows: 2000, Cols: 12})
	path := writeTemp(t, "train.txt", text)
	dir := filepath.Dir(path)
	at := func(name string) string { return filepath.Join(dir, name) }
	read := func(t *testing.T, name string) string {
		b, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	succeed(t, "", "convert", "-i", path, "-o", at("train.simdrank"))
	data := read(t, "train.simdrank")
	succeed(t, text, "convert", "-i", "-", "-o", at("stdin.simdrank"))
	succeed(t, "", "convert", "-i", path, "--to", "simdrank", "-o", at("other.bin"))
	succeed(t, "", "convert", "-i", path, "--gather", "-o", at("gathered.simdrank"))
	succeed(t, "", "convert", "-i", at("train.simdrank"), "-o", at("copy.simdrank"))
	for _, name := range []string{"stdin.simdrank", "other.bin", "gathered.simdrank", "copy.simdrank"} {
		if read(t, name) != data {
			t.Errorf("%s is another file", name)
		}
	}
	if succeed(t, "", "convert", "-i", path, "--to", "simdrank", "-o", "-") != data {
		t.Error("standard output is another file")
	}
	succeed(t, "", "convert", "-i", path, "-o", at("packed.simdrank.gz"))
	succeed(t, "", "convert", "-i", at("train.simdrank"), "--to", "letor", "-o", at("back.txt"))
	if read(t, "back.txt") != text {
		t.Error("back to text it is another one")
	}

	succeed(t, "", "train", "-d", path, "-o", at("text.json"))
	eval := func(t *testing.T, stdin, data string) string {
		return succeed(t, stdin, "eval", "-m", at("text.json"), "-d", data, "--format", "json")
	}
	want := eval(t, "", path)
	for _, name := range []string{"train.simdrank", "packed.simdrank.gz"} {
		t.Run(name, func(t *testing.T) {
			succeed(t, "", "train", "-d", at(name), "-o", at("data.json"))
			if read(t, "data.json") != read(t, "text.json") {
				t.Error("another model")
			}
			if got := eval(t, "", at(name)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if got := eval(t, read(t, name), "-"); got != want {
				t.Errorf("%s as standard input: %s, want %s", name, got, want)
			}
			f, err := os.Open(at(name)) // standard input that is a file
			if err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			args := []string{"eval", "-m", at("text.json"), "-d", "-", "--format", "json"}
			if run(t.Context(), args, f, &out, &errs); out.String() != want {
				t.Errorf("%s < standard input: %s %s, want %s", name, out.String(), errs.String(), want)
			}
			f.Close()
		})
	}

	cut := func(name string, n int) string {
		if err := os.WriteFile(at("cut-"+name), []byte(read(t, name)[:n]), 0o666); err != nil {
			t.Fatal(err)
		}
		return at("cut-" + name)
	}
	short := cut("train.simdrank", 5000)
	fail(t, exitFailure, "", []string{"eval", "-m", at("text.json"), "-d", short},
		short+": the file is truncated: it contains 5000 of ")
	fail(t, exitFailure, data[:5000], []string{"eval", "-m", at("text.json"), "-d", "-"},
		"simdrank: standard input: the file is truncated: it contains 5000 of ")
	packed := cut("packed.simdrank.gz", 9000)
	fail(t, exitFailure, "", []string{"eval", "-m", at("text.json"), "-d", packed}, packed+": ", "truncated")
	damaged := writeTemp(t, "damaged.simdrank", data[:30]+"x"+data[31:])
	fail(t, exitFailure, "", []string{"train", "-d", damaged, "-o", at("no.json")}, damaged+": the header is damaged")
	fail(t, exitUsage, "", []string{"train", "-d", at("train.simdrank"), "--gather", "-o", at("no.json")},
		"--gather requires text, but "+at("train.simdrank")+" is a binary data file")
	wide := at("wide.simdrank") // of few bytes, and more columns than models have memory for
	if err := datafile.Save(wide, &rank.Dataset{Cols: 1 << 25, Labels: []float64{1}, Offsets: []int{0, 1},
		QueryIDs: []string{"1"}, Sparse: &rank.CSR{Offsets: []int{0, 0}}}); err != nil {
		t.Fatal(err)
	}
	fail(t, exitFailure, "", []string{"train", "-d", wide, "-o", at("no.json")},
		wide+": 33554432 features exceed the limit of 16777216 (use --max-feature to raise the limit)")
	fail(t, exitFailure, read(t, "wide.simdrank"), []string{"convert", "-i", "-", "--to", "letor", "-o", at("no.txt")},
		"standard input: 33554432 features exceed the limit of 16777216")
	succeed(t, "", "convert", "-i", wide, "--max-feature", "40000000", "--to", "letor", "-o", at("wide.txt"))
	bad := writeTemp(t, "bad.txt", "1 qid:1 1:x\n")
	fail(t, exitFailure, "", []string{"convert", "-i", bad, "-o", at("no.simdrank")}, bad+":1:9: ")
	fail(t, exitFailure, "1 qid:1 0:1\n", []string{"convert", "-i", "-", "-o", at("no.simdrank")},
		"standard input:1:9: ", "--zero-based")
	fail(t, exitFailure, "", []string{"convert", "-i", at("none"), "-o", at("no.simdrank")}, at("none")+": ")
	for _, name := range testkit.FileNames(t, dir) {
		if strings.Contains(name, "no.") || strings.Contains(name, ".tmp") {
			t.Errorf("left %s", name)
		}
	}
}

// TestDataFileValidation takes validation data that are narrower and wider than the training data.
func TestDataFileValidation(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	config := synth.Config{Seed: 1, Rows: 100, Cols: 40}
	train := config.Dataset()
	config.Part = 1
	valid := config.Dataset()
	for name, cols := range map[string]int{"narrow": 5, "same": 40, "wide": 50} {
		if err := datafile.Save(at(name), valid.WithColumns(cols)); err != nil {
			t.Fatal(err)
		}
	}
	if err := datafile.Save(at("train"), train); err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"ranksvm", "lambdamart"} {
		t.Run(model, func(t *testing.T) {
			args := []string{"train", "-d", at("train"), "--model", model, "-o", at("m.json"), "--valid"}
			for _, name := range []string{"narrow", "same"} {
				succeed(t, "", append(args, at(name))...)
			}
			fail(t, exitFailure, "", append(args, at("wide")),
				at("wide")+": found features up to 50, but "+at("train")+" has features up to 40")
		})
	}
}

// TestConvertInterrupted ends a conversion that waits for its input.
func TestConvertInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	in, feed := io.Pipe()
	defer feed.Close()
	go func() {
		io.WriteString(feed, strings.Repeat("1 qid:1 1:1\n2 qid:1 1:2\n", 100))
		for i := 0; len(testkit.FileNames(t, dir)) == 0 && i < 1000; i++ {
			time.Sleep(time.Millisecond) // until the file has been begun
		}
		cancel()
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"convert", "-i", "-", "-o", filepath.Join(dir, "a.simdrank")}, in, &out, &errs)
	if code != exitFailure || errs.String() != "simdrank: interrupted\n" || testkit.FileNames(t, dir) != nil {
		t.Errorf("exit %d, %q, left %q", code, errs.String(), testkit.FileNames(t, dir))
	}
}

// Text that Windows programs write may begin with a byte order mark; UTF-16 is called what it is.
// A folder is called one, whatever it is given for.
func TestMarkedText(t *testing.T) {
	data := letorText(t, small)
	train, names := writeTemp(t, "train.txt", data), "a\nb\nc\nd\ne\nf\ng\nh\n"
	told := regexp.MustCompile(`in [\d.]+ s|plain|marked`)
	model := filepath.Join(t.TempDir(), "model.json")
	succeed(t, "", "train", "-d", train, "-o", model)
	trained, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	queryless := writeTemp(t, "queryless.txt", "1 1:1\n0 1:2\n")
	judged := writeTemp(t, "qrels.txt", qrels)
	for _, c := range []struct{ args, text string }{
		{"eval -d " + train + " -s", succeed(t, "", "predict", "-m", model, "-d", train)},
		{"eval -d " + train + " -m", string(trained)},
		{"compare -d " + train + " " + model, string(trained)},
		{"info -d " + train + " --feature-names", names},
		{"info -d " + queryless + " --group", "2\n"},
		{"train -d " + train + " --trees 2 -o " + model + " --config", "num_leaves = 3\n"},
		{"info -d", data},
		{"info --input-format csv -d", "label,qid,x\n1,1,2\n"},
		{"eval --run " + writeTemp(t, "run.txt", runB) + " --qrels", qrels},
		{"eval --qrels " + judged + " --run", runB},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			args := strings.Fields(c.args)
			plain := writeTemp(t, "plain", c.text)
			want := succeed(t, "", append(args, plain)...)
			got := succeed(t, "", append(args, writeTemp(t, "marked", mark.ByteOrderMark+c.text))...)
			if strings.Join(strings.Fields(told.ReplaceAllString(got, "")), " ") !=
				strings.Join(strings.Fields(told.ReplaceAllString(want, "")), " ") {
				t.Errorf("%s, want %s", got, want)
			}
			wide := writeTemp(t, "wide", "\xff\xfe"+strings.ReplaceAll(c.text, "", "\x00")[1:])
			fail(t, exitFailure, "", append(args, wide), wide+":", "text must be UTF-8, not UTF-16")
			dir := t.TempDir()
			fail(t, exitFailure, "", append(args, dir), "simdrank: "+dir+": ", " directory")
		})
	}
	dir := t.TempDir()
	fail(t, exitFailure, "", []string{"info", "--input-format", "parquet", "-d", dir},
		"simdrank: "+dir+": the directory contains no data files\n")
	for _, none := range []string{"none.txt", "none.csv", "none.parquet", "none.parquet.gz"} {
		t.Run(none, func(t *testing.T) {
			fail(t, exitFailure, "", []string{"info", "-d", none}, "simdrank: "+none+": no such file or directory\n")
		})
	}
}

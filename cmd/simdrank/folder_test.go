package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeFolder writes files to a new folder. A name that ends in .gz is compressed, and a name that
// ends in / is a folder.
func writeFolder(t *testing.T, content map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			if err := os.Mkdir(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		b := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			if _, err := w.Write(b); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			b = packed.Bytes()
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const header = "label,qid,x,y\n"

// TestFolder reads folders as Spark writes them, and compares them with a single file.
func TestFolder(t *testing.T) {
	for _, c := range []struct {
		name, flags string
		folder      map[string]string
		file, whole string
	}{
		{"csv", "", map[string]string{
			"part-00000.csv": header + "1,a,1,2\n0,a,3,1\n", "part-00001.csv": header, "part-00002.csv": "",
			"part-00003.csv.gz": header + "1,b,1,5\n0,b,2,2\n1,c,2,2\n", "part-00004.csv": header + "0,c,7,5\n",
			"_SUCCESS": "", "._SUCCESS.crc": "crc", ".part-00000.csv.crc": "crc", "_temporary/": "",
		}, "d.csv", header + "1,a,1,2\n0,a,3,1\n1,b,1,5\n0,b,2,2\n1,c,2,2\n0,c,7,5\n"},
		{"gather", "--gather", map[string]string{
			"a.csv": header + "1,a,1,2\n0,b,3,1\n", "b.csv": header + "1,c,1,5\n0,a,2,2\n",
			"c.csv": header + "1,b,9,9\n",
		}, "d.csv", header + "1,a,1,2\n0,b,3,1\n1,c,1,5\n0,a,2,2\n1,b,9,9\n"},
		{"letor", "", map[string]string{
			"part-00000": "1 qid:1 1:2\n0 qid:1 1:3\n", "part-00001": "1 qid:2 2:5\n0 qid:2 1:1\n",
		}, "d.txt", "1 qid:1 1:2\n0 qid:1 1:3\n1 qid:2 2:5\n0 qid:2 1:1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder, file := writeFolder(t, c.folder), writeTemp(t, c.file, c.whole)
			model := filepath.Join(t.TempDir(), "m.json")
			run := func(args ...string) string {
				t.Helper()
				return succeed(t, "", append(args, strings.Fields(c.flags)...)...)
			}
			succeed(t, "", "train", "-d", file, "-o", model, "--gather")
			for _, args := range [][]string{
				{"info", "--format", "json"},
				{"predict", "-m", model}, // in the order of the rows
				{"eval", "-m", model, "--per-query"},
			} {
				if got, want := run(append(args, "-d", folder)...), run(append(args, "-d", file)...); got != want {
					t.Errorf("%s: got\n%swant\n%s", args, got, want)
				}
			}
		})
	}
	csv := writeFolder(t, map[string]string{"a.csv": header + "1,a,1,2\n0,a,3,1\n", "b.csv": header + "0,a,2,1\n"})
	model := filepath.Join(t.TempDir(), "m.json")
	succeed(t, "", "train", "-d", csv, "-o", model)
	if got := succeed(t, "", "explain", "-m", model, "-d", csv, "--query", "a"); !strings.Contains(got, ". b.csv:2") {
		t.Errorf("documents are not named by their files: %s", got)
	}
	got := succeed(t, "", "predict", "-m", model, "-d", csv, "--format", "csv")
	if !strings.Contains(got, "\na,a.csv:3,") {
		t.Errorf("documents are not named by their files: %s", got)
	}
	_, _, _, parquet := tables(t)
	b, err := os.ReadFile(parquet)
	if err != nil {
		t.Fatal(err)
	}
	one := decode[map[string]any](t, succeed(t, "", "info", "-d", parquet, "--format", "json"))
	content := string(b)
	folder := writeFolder(t, map[string]string{"0.parquet": content, "1.parquet": content, "_SUCCESS": ""})
	two := decode[map[string]any](t, succeed(t, "", "info", "-d", folder, "--gather", "--format", "json"))
	if one["queries"] != two["queries"] || two["documents"] != 2*one["documents"].(float64) {
		t.Errorf("one file: %v; twice: %v", one, two)
	}
}

func TestFolderErrors(t *testing.T) {
	const rows = header + "1,a,1,2\n0,b,3,1\n"
	for _, c := range []struct {
		name, flags string
		code        int
		folder      map[string]string
		want        string
	}{
		{"empty", "", exitFailure, map[string]string{"_SUCCESS": ""}, ": the directory contains no data files"},
		{"no rows", "", exitFailure, map[string]string{"a.csv": header, "b.csv": ""},
			": the folder contains no documents"},
		{"a folder", "", exitFailure, map[string]string{"a.csv": rows, "x=1/": ""},
			"/x=1: this is a directory, but a data folder must contain only files"},
		{"other columns", "", exitFailure, map[string]string{"a.csv": rows, "b.csv": "label,qid,x,z\n1,c,1,2\n"},
			"/b.csv: the columns must be the same as in "},
		{"another format", "", exitFailure, map[string]string{"a.csv": rows, "b.txt": "1 qid:7 1:2\n"},
			"/b.txt: the columns must be the same as in "},
		{"a cell", "", exitFailure, map[string]string{"a.csv": rows, "b.csv": rows + "1,c,1,?\n"},
			"/b.csv:4:7: column y: the value is not a number"},
		{"a query", "", exitFailure, map[string]string{"a.csv": rows, "b.csv": header + "1,c,1,2\n1,a,1,2\n"},
			"a.csv (use --gather to group them): \"a\"\n"},
		{"memory", "--memory-limit 5000", exitFailure, map[string]string{"a.csv": rows, "b.csv": rows},
			"/b.csv:1: the columns need"},
		{"groups", "--group sizes", exitUsage, map[string]string{"a.csv": rows},
			"--group cannot be combined with a data folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := writeFolder(t, c.folder)
			sizes := writeTemp(t, "sizes", "2\n")
			flags := strings.Fields(strings.ReplaceAll(c.flags, "sizes", sizes))
			fail(t, c.code, "", append([]string{"info", "-d", folder}, flags...), c.want)
		})
	}
	csv := writeFolder(t, map[string]string{"a.csv": rows})
	out := t.TempDir()
	fail(t, exitUsage, "", []string{"split", "-d", csv, "--fractions", "0.5,0.5", "-o", filepath.Join(out, "a.csv"),
		"-o", filepath.Join(out, "b.csv")}, "outputs must end in .simdrank, because "+csv+" is not a regular file")
}

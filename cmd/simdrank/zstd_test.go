package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/simdrank/simdrank/internal/testkit"
)

// zstdOf compresses a text.
func zstdOf(t *testing.T, text string) string {
	t.Helper()
	return string(testkit.Must(zstd.NewWriter(nil)).EncodeAll([]byte(text), nil))
}

// Every kind of input may be compressed with zstd, and every output is if its name ends in .zst.
func TestZstd(t *testing.T) {
	letor := "1 qid:1 1:0.5 2:3\n0 qid:1 1:1\n1 qid:2 1:2\n0 qid:2 2:1\n"
	table := "label,qid,x,y\n1,1,0.5,3\n0,1,1,0\n1,2,2,0\n0,2,0,1\n"
	dir := t.TempDir()
	model, data := filepath.Join(dir, "model.json.zst"), filepath.Join(dir, "data.simdrank.zst")
	packed := func(name, text string) string { return writeTemp(t, name, zstdOf(t, text)) }
	l := packed("train.txt.zst", letor)
	succeed(t, "", "train", "-d", l, "--model", "ridge", "-o", model)
	succeed(t, "", "convert", "-i", l, "-o", data)
	for _, path := range []string{model, data} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if b := testkit.Must(os.ReadFile(path)); !bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")) {
				t.Errorf("not compressed: %.20q", b)
			}
		})
	}
	want := succeed(t, "", "predict", "-m", model, "-d", writeTemp(t, "plain.txt", letor))
	for _, path := range []string{l, packed("train.csv.zst", table), data} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if got := succeed(t, "", "predict", "-m", model, "-d", path); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	qrels, run := packed("q.zst", "1 0 a 1\n"), packed("r.zst", "1 Q0 b 1 2 r\n1 Q0 a 2 1 r\n")
	if got := succeed(t, "", "trec-eval", "-m", "map", qrels, run); got != "map                   \tall\t0.5000\n" {
		t.Errorf("a run: %q", got)
	}
	v := packed("v.npy.zst", npy("<f4", 2, 2, []float32{1, 0, 0, 2}))
	if got := succeed(t, "", "nearest", "-i", v, "-q", v, "--k", "1"); got != "0\t0\t1\n1\t1\t4\n" {
		t.Errorf("vectors: %q", got)
	}
	if got := succeed(t, zstdOf(t, "1 1\n2 2\n3 3\n"), "tau", "-"); !strings.Contains(got, "tau-b             1\n") {
		t.Errorf("standard input: %q", got)
	}

	long := zstdOf(t, strings.Repeat(letor, 1000))
	for name, c := range map[string]struct{ content, want string }{
		"truncated": {long[:len(long)-5], "the file is truncated: the compressed data end early"},
		"damaged":   {long[:20] + "?" + long[21:], ""},
		// A frame that declares a window of 2 GiB.
		"window": {"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", "window size"},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeTemp(t, "bad.zst", c.content)
			fail(t, exitFailure, "", []string{"info", "-d", path}, path+":", c.want)
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/testkit"
)

// TestDataThatChange cuts and writes to a data file while commands read it. Each ends, and its
// error names the data and not the model.
func TestDataThatChange(t *testing.T) {
	testkit.NeedFaults(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	var text strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&text, "%d qid:%d %d:%d 40:1 %d:1 90:1\n", i%3, i/20, i%37+1, i%5+1, i%41+41)
	}
	text.WriteString("0 qid:x 400:1\n") // so that it is sparse
	train := writeTemp(t, "train.txt", text.String())
	succeed(t, "", "convert", "-i", train, "-o", at("whole.simdrank"))
	succeed(t, "", "train", "-d", train, "-o", at("svm.json"))
	succeed(t, "", "train", "--model", "lambdamart", "--trees", "3", "-d", train, "-o", at("trees.json"))
	whole, err := os.ReadFile(at("whole.simdrank"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"predict", "-m", at("svm.json")}, {"predict", "-m", at("trees.json")},
		{"predict", "-m", at("trees.json"), "--contributions"}, {"eval", "-m", at("svm.json")},
		{"importance", "-m", at("trees.json"), "--measure", "shap"}, {"importance", "-m", at("svm.json")},
		{"explain", "-m", at("trees.json"), "--query", "7"}, {"info"}, {"train", "-o", at("new.json")},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			for i := range 9 {
				data := filepath.Join(t.TempDir(), "data.simdrank")
				if err := os.WriteFile(data, whole, 0o666); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(data, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
					t.Fatal(err)
				}
				changed := make(chan error)
				go func() {
					time.Sleep(time.Duration(i) * time.Millisecond)
					if i%2 == 0 {
						changed <- os.Truncate(data, int64(len(whole)*i/9))
						return
					}
					f, err := os.OpenFile(data, os.O_WRONLY, 0)
					if err == nil {
						defer f.Close()
						_, err = f.WriteAt(bytes.Repeat([]byte{0x7c}, len(whole)-4096), 4096)
					}
					changed <- err
				}()
				code, _, stderr := simdrank(t, "", append(args, "-d", data)...)
				if err := <-changed; err != nil {
					t.Fatal(err)
				}
				stderr = notes.ReplaceAllString(stderr, "")
				if code != exitOK && !strings.HasPrefix(stderr, "simdrank: "+data) {
					t.Errorf("exit %d: %s", code, stderr)
				}
			}
		})
	}
}

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	peer "github.com/parquet-go/parquet-go"
	"golang.org/x/sys/unix"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank/datafile"
)

// terminal returns a terminal to write to, and what has been written once that is closed.
func terminal(t *testing.T) (tty *os.File, written func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { tty.Close() })
	unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 120})
	var out bytes.Buffer
	done := make(chan struct{})
	go func() {
		io.Copy(&out, master) // ends with an error when the terminal is closed
		close(done)
	}()
	return tty, func() string {
		tty.Close()
		<-done
		return out.String()
	}
}

// TestPhase watches a slow reader on a terminal and in a pipe.
func TestPhase(t *testing.T) {
	slow := func(stderr io.Writer) (code int) {
		in, feed := io.Pipe()
		go func() {
			defer feed.Close()
			for range 4 {
				io.WriteString(feed, "1 2\n3 4\n")
				time.Sleep(patience / 2)
			}
		}()
		return run(t.Context(), []string{"tau"}, in, io.Discard, stderr)
	}
	tty, written := terminal(t)
	if code := slow(tty); code != exitOK {
		t.Errorf("exit %d", code)
	}
	got := written()
	if !strings.Contains(got, "reading standard input") || !strings.Contains(got, " MB, 1s") {
		t.Errorf("a terminal shows %q", got)
	}
	if i := strings.LastIndex(got, "reading"); !strings.Contains(got[i:], "\x1b[J") {
		t.Errorf("the line is left: %q", got[i:])
	}
	var pipe bytes.Buffer
	if code := slow(&pipe); code != exitOK || pipe.Len() > 0 {
		t.Errorf("exit %d, a pipe shows %q", code, pipe.String())
	}
}

// TestPhaseShort: what is over at once shows nothing, and a training tells what is next.
func TestPhaseShort(t *testing.T) {
	model := filepath.Join(t.TempDir(), "a model.json")
	for text, want := range map[string]string{
		letorText(t, small): "; the largest are those of ",
		"1 qid:1 1:1 2:2\n0 qid:1 1:1 2:1\n1 qid:2 1:1 2:2\n": "learnt: weights of 2 features, from 1 pair of " +
			"documents; the largest are those of 2\r\n", // and not of 1, whose weight is 0
	} {
		tty, written := terminal(t)
		args := []string{"train", "-d", writeTemp(t, "train.txt", text), "-o", model}
		if code := run(t.Context(), args, nil, io.Discard, tty); code != exitOK {
			t.Errorf("exit %d", code)
		}
		got := written()
		if strings.Contains(got, "|") || !strings.Contains(got, want) ||
			!strings.Contains(got, "next: simdrank eval -m '"+model+"' -d ") {
			t.Errorf("a terminal shows %q, want %q", got, want)
		}
	}
}

// TestPhases: long work of every command shows how far it is and how long it still takes.
func TestPhases(t *testing.T) {
	if testing.Short() {
		t.Skip("measures and writes for seconds on emulated processors")
	}
	defer func(before time.Duration) { patience = before }(patience)
	patience = 2 * time.Millisecond
	t.Chdir(t.TempDir())
	d := (&synth.Config{Rows: 60_000, Cols: 46, MaxDocs: 100, Seed: 1}).Dataset()
	if err := datafile.Save("d.simdrank", d); err != nil {
		t.Fatal(err)
	}
	succeed(t, "", "train", "-d", "d.simdrank", "--model", "ridge", "-o", "m.json")
	succeed(t, "", "predict", "-m", "m.json", "-d", "d.simdrank", "-o", "s.txt")
	type row struct {
		Label, X, Y, Z float32
		QID            int64
	}
	rows := make([]row, 400_000)
	for i := range rows {
		rows[i] = row{float32(i % 3), float32(i), float32(i*i%99991) / 7, float32(i % 7), int64(i / 100)}
	}
	if err := peer.WriteFile("d.parquet", rows, peer.Compression(&peer.Zstd)); err != nil {
		t.Fatal(err)
	}
	var columns strings.Builder
	for i := range 400_000 {
		fmt.Fprintln(&columns, i*7919%1_000_003, i*i%999_983)
	}
	if err := os.WriteFile("columns.txt", []byte(columns.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, what, shown string }{
		{"train -d d.simdrank --model ridge -o m2.json", "training ridge", `\d+ %, \d+s, \d+s left`},
		{"eval -d d.simdrank -s s.txt", "measuring s.txt", `\d+ %`},
		{"compare -d d.simdrank m.json s.txt --rounds 10", "measuring m.json", `\d+ %`},
		{"train -d d.simdrank --valid d.simdrank --c 1e-6 -o m2.json", "measuring on d.simdrank", `\d+ %`},
		{"info -d d.simdrank", "describing d.simdrank", `\d+ %, \d+s, \d+s left`},
		{"predict -m m.json -d d.simdrank -o s2.txt", "writing s2.txt", `\d+ of 60000 documents`},
		{"convert -i d.simdrank --to letor -o d.txt", "writing d.txt", `\d+ of 60000 documents, \d+s, \d+s left`},
		{"convert -i d.simdrank -o d2.simdrank.gz", "writing d2.simdrank.gz", `[\d.]+ of 12.0 MB, \d+s, \d+s left`},
		{"convert -i d.txt -o d3.simdrank", "reading d.txt", `[\d.]+ of [\d.]+ MB, \d+s, \d+s left`},
		{"info -d d.parquet", "reading d.parquet", `[\d.]+ of [\d.]+ MB`},
		{"tau columns.txt", "counting pairs", `\d+ %, \d+s, \d+s left`},
		{"report -m m.json -d d.simdrank -o page.html", "making page.html", `\d+ %, \d+s, \d+s left`},
	} {
		shown := regexp.MustCompile(c.what + ` +\|[^|]*\| +` + c.shown)
		got := ""
		for range 5 { // on a busy machine the work may be over before it is shown
			tty, written := terminal(t)
			if code := run(t.Context(), strings.Fields(c.args), nil, io.Discard, tty); code != exitOK {
				t.Errorf("%s: exit %d", c.args, code)
			}
			if got = written(); shown.MatchString(got) {
				break
			}
		}
		if !shown.MatchString(got) {
			t.Errorf("%s: %q shows %.2000q, want %s", c.args, c.what, got, c.shown)
		}
	}
}

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
	if shown := regexp.MustCompile(`reading standard input +0.0 MB, [1-9]\d*s`); !shown.MatchString(got) {
		t.Errorf("a terminal shows %q", got)
	}
	if i := strings.LastIndex(got, "reading"); i < 0 || !strings.Contains(got[i:], "\x1b[J") {
		t.Errorf("the line is left: %q", got)
	}
	var pipe bytes.Buffer
	if code := slow(&pipe); code != exitOK || pipe.Len() > 0 {
		t.Errorf("exit %d, a pipe gets %q", code, &pipe)
	}
}

// TestPhaseShort: what is over soon shows nothing, and a training tells what is next.
func TestPhaseShort(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = time.Hour
	model := filepath.Join(t.TempDir(), "a model.json")
	tty, written := terminal(t)
	args := []string{"train", "-d", writeTemp(t, "train.txt", letorText(t, small)), "-o", model}
	if code := run(t.Context(), args, nil, io.Discard, tty); code != exitOK {
		t.Errorf("exit %d", code)
	}
	want := "\r\nNext, evaluate the model on unseen data: simdrank eval -m '" + model + "' -d test.txt\r\n"
	if got := written(); got != want {
		t.Errorf("a terminal shows %q, want %q", got, want)
	}
}

// TestPhases: every command shows how far its work has come, and then that all is done.
func TestPhases(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = 0
	t.Chdir(t.TempDir())
	d := (&synth.Config{Rows: 6000, Cols: 46, MaxDocs: 100, Seed: 1}).Dataset()
	if err := datafile.Save("d.simdrank", d); err != nil {
		t.Fatal(err)
	}
	succeed(t, "", "train", "-d", "d.simdrank", "--model", "ridge", "-o", "m.json")
	succeed(t, "", "predict", "-m", "m.json", "-d", "d.simdrank", "-o", "s.txt")
	type row struct {
		Label, X, Y, Z float32
		QID            int64
	}
	rows := make([]row, 40_000)
	for i := range rows {
		rows[i] = row{float32(i % 3), float32(i), float32(i*i%99991) / 7, float32(i % 7), int64(i / 100)}
	}
	if err := peer.WriteFile("d.parquet", rows, peer.Compression(&peer.Zstd)); err != nil {
		t.Fatal(err)
	}
	var columns strings.Builder
	for i := range 40_000 {
		fmt.Fprintln(&columns, i*7919%1_000_003, i*i%999_983)
	}
	if err := os.WriteFile("columns.txt", []byte(columns.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	long, _ := scatteredRun(200)
	if err := os.WriteFile("a.run", []byte(long), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("v.npy", []byte(npy("<f4", 300, 8, make([]float32, 8*300))), 0o666); err != nil {
		t.Fatal(err)
	}
	const share, whole = `\d+%`, `100%` // some work is over before it tells of the whole
	const docs, allDocs = `\d+ of 6000 documents`, "6000 of 6000 documents"
	for _, c := range []struct{ args, what, part, all string }{
		{"train -d d.simdrank --model ridge -o m2.json", "training ridge", share, whole},
		{"eval -d d.simdrank -s s.txt", "measuring s.txt", share, whole},
		{"compare -d d.simdrank m.json s.txt --rounds 10", "measuring m.json", share, whole},
		{"train -d d.simdrank --valid d.simdrank --c 1e-6 -o m2.json", "measuring on d.simdrank", share, whole},
		{"info -d d.simdrank", "describing d.simdrank", share, whole},
		{"predict -m m.json -d d.simdrank -o s2.txt", "writing s2.txt", docs, allDocs},
		{"convert -i d.simdrank --to letor -o d.txt", "writing d.txt", docs, allDocs},
		{"convert -i d.simdrank -o d2.simdrank.gz", "writing d2.simdrank.gz", "0.5 of 1.2 MB", "1.2 of 1.2 MB"},
		{"convert -i d.txt -o d3.simdrank", "reading d.txt", "", "3.3 of 3.3 MB"}, // in one piece
		{"info -d d.parquet", "reading d.parquet", `0.\d of 0.3 MB`, "0.3 of 0.3 MB"},
		{"tau columns.txt", "counting pairs", share, whole},
		{"eval --run a.run --reference a.run", "reading a.run and a.run", `0.\d of 0.9 MB`, "0.9 of 0.9 MB"},
		{"fuse a.run a.run -o ab.run", "fusing 2 runs", `0.\d of 0.9 MB`, "0.9 of 0.9 MB"},
		{"nearest -i v.npy -q v.npy -o n.txt", "searching v.npy", share, whole},
		{"report -m m.json -d d.simdrank -o page.html", "making page.html", share, whole},
	} {
		t.Run(c.what, func(t *testing.T) {
			tty, written := terminal(t)
			if code := run(t.Context(), strings.Fields(c.args), nil, io.Discard, tty); code != exitOK {
				t.Errorf("%s: exit %d", c.args, code)
			}
			got := written()
			if total := regexp.MustCompile(c.what + ` [^\r]* of ([\d.]+)`).FindStringSubmatch(got); total != nil &&
				!strings.Contains(c.all, total[1]) {
				t.Errorf("%s begins with %q", c.args, total[0])
			}
			const took = `, [\dhms]+`
			for text, end := range map[string]string{c.part: took + took + " left", c.all: took} {
				line := regexp.MustCompile(c.what + ` +\|[^|]*\| +` + text + end + `[ \r\n]`)
				if text != "" && !line.MatchString(got) {
					t.Errorf("%s shows %.2000q, want %s", c.args, got, line)
				}
			}
		})
	}
}

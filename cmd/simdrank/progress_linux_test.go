package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
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

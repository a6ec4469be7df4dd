package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
)

// simdrank runs the command in this process.
func simdrank(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// notes are the lines about columns of tables that have roles by their names.
var notes = regexp.MustCompile(`(?m)^simdrank: note: .*: the column names determine these roles: .*\n`)

// succeed runs the command and returns what it printed; it must end well and say
// nothing on standard error, except for notes.
func succeed(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, stdout, stderr := simdrank(t, stdin, args...)
	if code != exitOK || notes.ReplaceAllString(stderr, "") != "" {
		t.Fatalf("simdrank %s: exit %d, stderr %q", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// libraryWords are names of the library's packages and options: its errors have them, the command's
// have none.
var libraryWords = regexp.MustCompile(`: (rank|letor|trec|treceval|table|compare|lambdamart|model|nearest|vectorfile|explain|report|tune): |the option [A-Z]`)

// fail runs the command, which must end with the code and one line of error that
// holds every part of want.
func fail(t *testing.T, code int, stdin string, args []string, want ...string) {
	t.Helper()
	got, _, stderr := simdrank(t, stdin, args...)
	stderr = notes.ReplaceAllString(stderr, "")
	if got != code {
		t.Errorf("simdrank %s: exit %d, want %d; stderr %q", strings.Join(args, " "), got, code, stderr)
	}
	lines := 1
	if code == exitUsage {
		lines = 2 // the second one points at --help
	}
	if strings.Count(stderr, "\n") != lines || !strings.HasPrefix(stderr, "simdrank: ") {
		t.Errorf("simdrank %s: stderr is not one line of error: %q", strings.Join(args, " "), stderr)
	}
	if words := libraryWords.FindString(stderr); words != "" {
		t.Errorf("simdrank %s: stderr %q has %q", strings.Join(args, " "), stderr, words)
	}
	for _, w := range want {
		if !strings.Contains(stderr, w) {
			t.Errorf("simdrank %s: stderr %q lacks %q", strings.Join(args, " "), stderr, w)
		}
	}
}

// A keptContext is done as soon as its error is asked for while a file is longer than size.
type keptContext struct {
	context.Context
	cancel context.CancelFunc
	kept   string
	size   int64
}

func (c keptContext) Err() error {
	if now, err := os.Stat(c.kept); err == nil && now.Size() > c.size {
		c.cancel()
	}
	return c.Context.Err()
}

// interrupt runs a command, and interrupts it between the steps of its work when a file that it
// keeps is longer than size. It returns what the command then says, which must name the file.
func interrupt(t *testing.T, args []string, kept string, size int64) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var errs strings.Builder
	code := run(keptContext{ctx, cancel, kept, size}, args, nil, io.Discard, &errs)
	if code != exitFailure || !strings.HasPrefix(errs.String(), "simdrank: interrupted; "+kept+" contains ") ||
		!strings.HasSuffix(errs.String(), ": run the same command again to resume\n") {
		t.Fatalf("exit %d, %q", code, &errs)
	}
	return errs.String()
}

// decode reads a JSON result strictly enough to notice that the command printed more.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// writeTemp writes a file into a directory of its own.
func writeTemp(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInfo(t *testing.T) {
	i := decode[info](t, succeed(t, "", "info", "--format", "json"))
	if i.Tier != kernels.CPU() || i.Arch != runtime.GOARCH || i.OS != runtime.GOOS || i.Go != runtime.Version() ||
		i.Threads < 1 {
		t.Errorf("info: %+v", i)
	}
	if text := succeed(t, "", "info"); !strings.Contains(text, kernels.CPU()) ||
		!strings.Contains(text, runtime.GOARCH) {
		t.Errorf("info: %q", text)
	}
}

func TestHelpAndCompletion(t *testing.T) {
	if help := succeed(t, "", "--help"); !strings.Contains(help, "Exit codes") {
		t.Errorf("help: %q", help)
	}
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		help := succeed(t, "", append(strings.Fields(cmd.CommandPath())[1:], "--help")...)
		for line := range strings.Lines(help) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("%s --help has a line of %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRoot())
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		t.Run(shell, func(t *testing.T) {
			if script := succeed(t, "", "completion", shell); !strings.Contains(script, "simdrank") {
				t.Errorf("%q", script)
			}
		})
	}
	for _, cmd := range newRoot().Commands() {
		// which print no results
		none := []string{"convert", "fuse", "report", "plot"}
		if cmd.Flags().Lookup("format") == nil && !slices.Contains(none, cmd.Name()) {
			t.Errorf("%s does not support --format", cmd.Name())
		}
	}
	if _, words, _ := simdrank(t, "", "__completeNoDesc", "train", "-d", "x", "--loss", ""); !strings.HasPrefix(words,
		"squared-hinge\n") {
		t.Errorf("completion of --loss: %q", words)
	}
	if _, words, _ := simdrank(t, "", "__completeNoDesc", "info", "--format", ""); !strings.HasPrefix(words,
		"text\njson\n") {
		t.Errorf("completion of --format: %q", words)
	}
}

// A text that cannot be written is a failure, whoever writes it.
func TestFailedWrite(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range []string{"info", "--version", "help", "--help", "help train", "completion",
		"completion bash"} {
		t.Run(args, func(t *testing.T) {
			var stderr strings.Builder
			code := run(t.Context(), strings.Fields(args), strings.NewReader(""), full, &stderr)
			if got := stderr.String(); code != exitFailure || !strings.HasPrefix(got, "simdrank: write /dev/full: ") ||
				strings.Count(got, "\n") != 1 {
				t.Errorf("exit %d, %q", code, got)
			}
		})
	}
}

// TestBinary runs the command as users do: what in-process tests cannot see are
// the exit code, the environment and the process's own streams.
func TestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary")
	}
	bin := build(t)
	for _, c := range []struct {
		args string
		env  string
		code int
		out  string
		err  string
	}{
		{"info", "SIMDRANK_CPU=generic", exitOK, "generic", ""},
		{"info", "SIMDRANK_CPU=pentium", exitOK, "SIMDRANK_CPU=pentium", "warning: SIMDRANK_CPU=pentium"},
		{"bogus", "", exitUsage, "", "bogus"},
		{"info -d red\x1b[31m.txt", "", exitFailure, "", `red\x1b[31m.txt: no such file`}, // not for a terminal to obey
	} {
		t.Run(c.err, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), bin, strings.Fields(c.args)...)
			cmd.Env = append(os.Environ(), c.env)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			cmd.Run() // the exit code is looked at below
			if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(stdout.String(), c.out) ||
				!strings.Contains(stderr.String(), c.err) {
				t.Errorf("%s simdrank %s: exit %d, stdout %q, stderr %q", c.env, c.args, code, stdout.String(),
					stderr.String())
			}
		})
	}
}

// TestSignal ends trainings as Ctrl-C and a service manager do: one that waits for its data, and
// one that keeps a checkpoint.
func TestSignal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary")
	}
	if runtime.GOOS == "windows" {
		t.Skip("signals of Unix")
	}
	bin := build(t)
	text := writeTemp(t, "train.txt", letorText(t, small))
	for _, c := range []struct {
		signal os.Signal
		code   int
	}{{os.Interrupt, 130}, {syscall.SIGTERM, 143}, {syscall.Signal(1), 129}, {syscall.SIGQUIT, 131}} {
		t.Run(fmt.Sprint(c.code), func(t *testing.T) {
			received := make(chan os.Signal, 1) // a program heeds signals that its test does, even under nohup
			signal.Notify(received, c.signal)
			defer signal.Stop(received)
			// end starts a command, sends the signal when it is ready, and returns its output.
			end := func(ready func(stdin io.Writer), args ...string) string {
				cmd := exec.CommandContext(t.Context(), bin, args...)
				stdin, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ready(stdin)
				cmd.Process.Signal(c.signal)
				cmd.Wait() // the exit code is compared below
				if code := cmd.ProcessState.ExitCode(); code != c.code {
					t.Errorf("%v: exit %d, want %d, stderr %q", c.signal, code, c.code, &stderr)
				}
				return stderr.String()
			}
			dir := t.TempDir()
			model, checkpoint := filepath.Join(dir, "model.json"), filepath.Join(dir, "checkpoint")
			said := end(func(stdin io.Writer) {
				// Once the pipe has taken more than it holds, the command is reading.
				io.WriteString(stdin, strings.Repeat("1 qid:1 1:1\n", 100_000))
			}, "train", "-d", "-", "-o", model)
			if left := testkit.FileNames(t, dir); said != "simdrank: interrupted\n" || left != nil {
				t.Errorf("%v: %q, left %q", c.signal, said, left)
			}
			said = end(func(io.Writer) {
				for _, err := os.Stat(checkpoint); err != nil; _, err = os.Stat(checkpoint) {
					time.Sleep(time.Millisecond)
				}
			}, "train", "-d", text, "-o", model, "--model", "lambdamart", "--leaves", "4", "--trees", "1000000",
				"--checkpoint", checkpoint, "--checkpoint-every", "1")
			left := testkit.FileNames(t, dir)
			if !strings.HasPrefix(said, "simdrank: interrupted; "+checkpoint+" contains ") ||
				!slices.Equal(left, []string{"checkpoint"}) {
				t.Errorf("%v: %q, left %q", c.signal, said, left)
			}
		})
	}
}

// build returns the path of a fresh binary of the command.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "simdrank")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// canceled is a context that has ended, though no signal was received.
func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

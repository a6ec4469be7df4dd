// Package peer compares the speed of this module with other programs, called peers. It times
// simdrank and the peer alternately in one run, so that changes in the speed of the machine affect
// both.
//
// A peer is a child process that answers each line with one line (see [Process]), or a command that
// runs to its end (see [Run]). A comparison is a row of a [Table]. The ratio of a row is the median
// over its rounds of the peer's time divided by simdrank's time.
//
// Tables never contain results from another machine. If a peer is not installed, its row says so
// (see [Table.NotHere]).
//
// Functions return no errors, except for [Process.Close], which is often deferred. As in a test, a
// failure ends the whole run: functions panic with an error, and [Main] prints it after deferred
// calls.
package peer

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// A Process is a running peer. It reads one request per line from its standard input, and answers
// each request with one line on its standard output: fields separated by spaces, or "error: " and a
// message. It shares the standard error of this process.
type Process struct {
	name  string
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
}

// Start runs a peer program in the environment of this process and env, which contains NAME=value.
func Start(ctx context.Context, env []string, name string, args ...string) *Process {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	defer Within("peer %s", name)
	stdin, stdout := Must(cmd.StdinPipe()), Must(cmd.StdoutPipe())
	Check(cmd.Start())
	return &Process{name: name, cmd: cmd, stdin: stdin, out: bufio.NewReader(stdout)}
}

// Python starts a script in the virtual environment of the scripts run.
func Python(ctx context.Context, script string, args ...string) *Process {
	python := os.Getenv("PEERS_PYTHON")
	if python == "" {
		panic(errors.New("PEERS_PYTHON is not set: use the script run"))
	}
	return Start(ctx, nil, python, append([]string{script}, args...)...)
}

// A Program is a peer in a result.
type Program struct {
	Peer    string `json:"peer"`
	Version string `json:"version"`
	Kernels string `json:"kernels"` // the SIMD kernels that it uses; "not reported" if unknown
}

// Program asks a Python process for the version and the kernels of a package. The name is for
// readers.
func (p *Process) Program(name, pkg string) Program {
	fields := p.Call("about %s", pkg)
	return Program{name, fields[0], strings.Join(fields[1:], " ")}
}

// Call sends a request and returns the fields of the answer.
func (p *Process) Call(format string, args ...any) []string {
	request := fmt.Sprintf(format, args...)
	defer Within("peer %s: %q", p.name, request)
	Must(fmt.Fprintln(p.stdin, request))
	line, err := p.out.ReadString('\n')
	if err != nil {
		panic(fmt.Errorf("the peer did not answer: %w", err))
	}
	line = strings.TrimSpace(line)
	if msg, bad := strings.CutPrefix(line, "error: "); bad {
		panic(errors.New(msg))
	}
	return strings.Fields(line)
}

// Floats is like Call, but for answers that contain only numbers.
func (p *Process) Floats(format string, args ...any) []float64 {
	fields := p.Call(format, args...)
	defer Within("peer %s: answer to %q", p.name, fmt.Sprintf(format, args...))
	values := make([]float64, len(fields))
	for i, f := range fields {
		values[i] = Must(strconv.ParseFloat(f, 64))
	}
	return values
}

// Seconds is like Floats, but for answers that start with a time.
func (p *Process) Seconds(format string, args ...any) float64 {
	values := p.Floats(format, args...)
	if len(values) == 0 {
		panic(fmt.Errorf("peer %s: empty answer to %q", p.name, fmt.Sprintf(format, args...)))
	}
	return values[0]
}

// Close closes the standard input of the peer, which ends it, and waits for it.
func (p *Process) Close() error {
	p.stdin.Close()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("peer %s: %w", p.name, err)
	}
	return nil
}

// Run runs a command and returns its duration in seconds and its standard output. Its environment
// is the environment of this process and env, which contains NAME=value.
func Run(ctx context.Context, env []string, name string, args ...string) (seconds float64, stdout []byte) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	stdout, err := cmd.Output()
	if err != nil {
		panic(fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(stderr.String())))
	}
	return time.Since(start).Seconds(), stdout
}

// Command builds simdrank in a folder and returns the path of the program.
func Command(ctx context.Context, dir string) string {
	path := filepath.Join(dir, "simdrank.exe")
	Run(ctx, nil, "go", "build", "-o", path, "./cmd/simdrank")
	return path
}

// A Rival is a program that is not packaged, together with simdrank's command.
type Rival struct {
	Variable string // the environment variable with the path of the program
	Program  string // path of the program; "" if it is not installed
	Command  string // path of simdrank's command, if the program is installed
}

// NewRival looks for a program. If it is installed, NewRival builds simdrank's command in dir.
func NewRival(ctx context.Context, variable, dir string) Rival {
	r := Rival{Variable: variable, Program: os.Getenv(variable)}
	if r.Program != "" {
		r.Command = Command(ctx, dir)
	}
	return r
}

// Time returns the seconds of a call of f. It is the mean over calls with a total duration of at
// least least.
func Time(least time.Duration, f func()) float64 {
	start := time.Now()
	return TimeBy(func() time.Duration { return time.Since(start) }, least, f)
}

// TimeBy is like Time, but with another clock.
func TimeBy(now func() time.Duration, least time.Duration, f func()) float64 {
	for n := 1; ; {
		start := now()
		for range n {
			f()
		}
		took := now() - start
		if took >= least {
			return took.Seconds() / float64(n)
		}
		// Aim slightly above the required duration. Grow at most a hundredfold, because the
		// measurement may be noise.
		n = int(float64(n) * min(100, 1.2*float64(least)/float64(max(took, 1))))
		n = max(n, 2)
	}
}

// A Row compares one case. A row with a Program is a result for the result file.
type Row struct {
	What    string         // names the case
	Program Program        // the peer; zero if simdrank is compared with itself or with a limit
	Threads int            // of both sides, if there is a Program; 0 means 1
	Target  float64        // minimum ratio; 0 for none
	Ours    func() float64 // seconds of a call of simdrank
	Peer    func() float64 // seconds of a call of the peer

	OurQuality, PeerQuality float64 // NDCG@10 on unseen documents; 0 if not measured
	OurMemory, PeerMemory   float64 // maximum bytes in addition to the data; 0 if not measured
}

// A Table prints a row for each case. It counts the cases that reach their target, the cases that
// miss it, and the cases with a peer that is not installed.
type Table struct {
	Quick  bool // only a small case of every kind
	Growth bool // compare growing sizes instead of the usual cases
	Rounds int  // rounds per row
	w      io.Writer

	job     string // the name of the comparison in results
	results *os.File

	rows, ok, short, notHere int
}

// Compare times both sides of a row alternately and prints the row.
func (t *Table) Compare(r Row) {
	ours, theirs := make([]float64, t.Rounds), make([]float64, t.Rounds)
	defer Within("%s", r.What)
	for i := range t.Rounds {
		ours[i], theirs[i] = r.Ours(), r.Peer()
	}
	t.Result(r, ours, theirs)
}

// Result prints a row and stores its result, for times that were measured in rounds.
func (t *Table) Result(r Row, ours, theirs []float64) {
	ratios := make([]float64, len(ours))
	for i := range ratios {
		ratios[i] = theirs[i] / ours[i]
	}
	what, o, p, ratio := r.What, Median(slices.Clone(ours)), Median(slices.Clone(theirs)), Median(ratios)
	if r.Program.Peer != "" {
		r.Threads = max(r.Threads, 1)
		what = fmt.Sprintf("%s, %dT, %v: %s %s", what, r.Threads, cpu.Active(), r.Program.Peer, r.Program.Version)
		t.store(r, o, p, ratio)
	}
	t.Print(what, Duration(o), Duration(p), ratio, r.Target)
	if r.PeerQuality > 0 {
		t.Print(what+", NDCG@10", fmt.Sprintf("%.4f", r.OurQuality), fmt.Sprintf("%.4f", r.PeerQuality),
			r.OurQuality/r.PeerQuality, 0)
	}
	if r.PeerMemory > 0 && r.OurMemory > 0 {
		t.Print(what+", memory", Megabytes(r.OurMemory), Megabytes(r.PeerMemory), r.PeerMemory/r.OurMemory, 0)
	}
}

// Print prints a row with the given results. A larger ratio is better, and a ratio below target is
// short. A target of 0 means that there is none.
func (t *Table) Print(what, ours, theirs string, ratio, target float64) {
	want, verdict := "-", ""
	t.rows++
	if target > 0 {
		want, verdict = fmt.Sprintf("%.3g", target), "ok"
		if ratio >= target {
			t.ok++
		} else {
			verdict = "SHORT"
			t.short++
		}
	}
	fmt.Fprintf(t.w, rowFormat, what, ours, theirs, fmt.Sprintf("%.3g", ratio), want, verdict)
}

// NotHere prints a row for a peer that is not packaged, and that the environment variable does not
// name.
func (t *Table) NotHere(what, variable string) {
	t.notHere++
	fmt.Fprintf(t.w, rowFormat, what, "-", "not here", "-", "-", "set "+variable)
}

const rowFormat = "%-60s %12s %12s %8s %8s %s\n"

// Heading prints the names of the columns.
func (t *Table) Heading(what, ours, theirs string) {
	fmt.Fprintf(t.w, rowFormat, what, ours, theirs, "ratio", "target", "")
}

// LoadShared loads a dataset from $SIMDRANK_DATA or ../shared/data. It returns nil if the file does
// not exist.
func LoadShared(file string) *rank.Dataset {
	d, err := data.Load(filepath.Join(cmp.Or(os.Getenv("SIMDRANK_DATA"), "../shared/data"), file), data.Options{})
	if !errors.Is(err, os.ErrNotExist) {
		Check(err)
	}
	return d
}

// WriteSet writes a set for peers in little-endian order: its features (float32, rows without
// padding) to path.x, its labels (float64) to path.y, and its query offsets (int64) to path.q. It
// writes sparse features to path.offsets (int64), path.columns (int32) and path.values (float32)
// instead.
func WriteSet(path string, d *rank.Dataset) {
	files := map[string]any{".y": d.Labels, ".q": Int64s(d.Offsets)}
	if d.Sparse != nil {
		files[".offsets"], files[".columns"], files[".values"] = Int64s(d.Sparse.Offsets), d.Sparse.Columns,
			d.Sparse.Values
	} else {
		x := make([]float32, 0, d.Rows()*d.Cols)
		for i := range d.Rows() {
			x = append(x, d.Row(i)...)
		}
		files[".x"] = x
	}
	for suffix, v := range files {
		f := Must(os.Create(path + suffix))
		Check(errors.Join(binary.Write(f, binary.LittleEndian, v), f.Close()))
	}
}

// ReadFloats returns the n numbers (float64) of a file that a peer wrote.
func ReadFloats(path string, n int) []float64 {
	f := Must(os.Open(path))
	defer f.Close()
	values := make([]float64, n)
	Check(binary.Read(f, binary.LittleEndian, values))
	return values
}

// Int64s returns the numbers in the format that peers read.
func Int64s[T int | int32](v []T) []int64 {
	out := make([]int64, len(v))
	for i, n := range v {
		out[i] = int64(n)
	}
	return out
}

// ResetMemory returns unused memory to the system and resets PeakMemory. It returns the resident
// bytes of the process, or 0 if the system does not report them.
func ResetMemory() float64 {
	debug.FreeOSMemory()
	if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil {
		return 0
	}
	return memory("VmRSS")
}

// PeakMemory returns the maximum resident bytes of this process since the start or the last
// ResetMemory, or 0 if the system does not report them.
func PeakMemory() float64 { return memory("VmHWM") }

// AnonymousMemory returns the resident bytes of this process that are not mapped from a file, or 0
// if the system does not report them.
func AnonymousMemory() float64 { return memory("RssAnon") }

// Fits reports whether the machine has the given bytes of available memory, or does not report its
// memory.
func Fits(bytes float64) bool {
	available := field("/proc/meminfo", "MemAvailable")
	return available == 0 || bytes <= available
}

func memory(name string) float64 { return field("/proc/self/status", name) }

// field returns a field in bytes, or 0 if the system does not have it.
func field(path, name string) float64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kb float64
		if n, _ := fmt.Sscanf(line, name+": %f kB", &kb); n == 1 {
			return 1024 * kb
		}
	}
	return 0
}

// Median sorts v and returns its median.
func Median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// Megabytes formats a number of bytes.
func Megabytes(bytes float64) string { return fmt.Sprintf("%.3g MB", bytes/1e6) }

// Duration formats seconds with a unit and three digits.
func Duration(seconds float64) string {
	for _, u := range []struct {
		scale float64
		name  string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if seconds >= u.scale {
			return fmt.Sprintf("%.3g %s", seconds/u.scale, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", seconds*1e9)
}

// Check ends the run if err is not nil.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// Must returns v. It ends the run if err is not nil.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Within adds a description to the error of a failure. It must be deferred.
func Within(format string, args ...any) {
	switch v := recover().(type) {
	case nil:
	case runtime.Error:
		panic(v)
	case error:
		panic(fmt.Errorf(format+": %w", append(args, v)...))
	default:
		panic(v)
	}
}

// Catch calls f and returns the error that ended it.
func Catch(f func()) (err error) {
	defer func() {
		v := recover()
		if _, bug := v.(runtime.Error); bug {
			panic(v)
		}
		if v != nil {
			err = v.(error)
		}
	}()
	f()
	return nil
}

// Main runs a comparison as a program. It reads the flags, calls run and prints the counts. It
// exits with 1 if a row is short or run fails.
func Main(name string, run func(ctx context.Context, t *Table)) {
	quick := flag.Bool("quick", false, "a small case of every kind")
	growth := flag.Bool("growth", false, "compare growing sizes instead of the usual cases")
	output := flag.String("o", "", "append results to `FILE`, for bench/results/peers")
	flag.Parse()
	ctx := cli.Context()
	t := &Table{Quick: *quick, Growth: *growth, Rounds: 9, w: os.Stdout, job: name}
	if t.Quick {
		t.Rounds = 3
	}
	err := Catch(func() {
		if *output != "" {
			t.results = Must(os.OpenFile(*output, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))
		}
		run(ctx, t)
		if t.results != nil {
			Check(t.results.Close())
		}
	})
	if err == nil && t.rows == 0 {
		err = errors.New("no row was compared")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	}
	fmt.Printf("%s: %d ok, %d SHORT, %d not here\n", name, t.ok, t.short, t.notHere)
	if err != nil || t.short > 0 {
		os.Exit(cli.ExitCode(ctx, 1))
	}
}

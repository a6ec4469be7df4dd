package peer

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestProcess(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	p := Start(context.Background(), []string{"ANSWER=7"}, "sh", "-c",
		`while read -r a b; do case $a in echo) echo $b $ANSWER;; *) echo "error: no such request";; esac; done`)
	if got := p.Floats("echo %d", 3); len(got) != 2 || got[0] != 3 || got[1] != 7 {
		t.Errorf("Floats = %v", got)
	}
	want := `peer sh: "other": no such request`
	if err := Catch(func() { p.Seconds("other") }); err == nil || err.Error() != want {
		t.Errorf("error answer: %v, want %s", err, want)
	}
	if err := Catch(func() { p.Floats("echo x") }); err == nil {
		t.Error("an answer that is no number was taken")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	table := &Table{Rounds: 3, w: &out}
	seconds := func(v ...float64) func() float64 {
		return func() float64 { s := v[0]; v = v[1:]; return s }
	}
	// The result is the median of the ratios 2, 3 and 10, and not the ratio of the medians.
	table.Compare(Row{What: "case", Target: 3, Ours: seconds(1, 2, 1), Peer: seconds(2, 6, 10)})
	table.Print("slow", "1", "1", 0.5, 1)
	table.Print("free", "1", "1", 0.5, 0)
	table.NotHere("absent", "PEER")
	if table.ok != 1 || table.short != 1 || table.notHere != 1 {
		t.Errorf("%d ok, %d short, %d not here; want 1 of each\n%s", table.ok, table.short, table.notHere, out.String())
	}
	for _, want := range []string{"SHORT", "not here", "set PEER"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no row says %q:\n%s", want, out.String())
		}
	}
}

func TestResults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	table := &Table{Rounds: 1, w: io.Discard, job: "job", results: f}
	row := func(what string, theirs float64) {
		table.Compare(Row{What: what, Program: Program{"Peer", "1.2", "AVX2"}, OurQuality: .5, PeerQuality: .4,
			Ours: func() float64 { return 2 }, Peer: func() float64 { return theirs }})
	}
	row("a", 3)
	row("b", 4)
	row("a", 5) // replaces the first result
	table.Compare(Row{What: "a limit", Ours: func() float64 { return 1 }, Peer: func() float64 { return 1 }})
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	results, err := ReadResults(path)
	if err != nil || len(results) != 2 {
		t.Fatalf("ReadResults = %+v, %v; want two results", results, err)
	}
	r := results[0]
	r.Tier, r.Processor, r.Date = "", "", ""
	want := Result{Job: "job", Case: "a", Program: Program{"Peer", "1.2", "AVX2"}, Threads: 1, Ratio: 2.5, Ours: 2,
		Theirs: 5, OurQuality: .5, PeerQuality: .4}
	if r != want {
		t.Errorf("result %+v, want %+v", r, want)
	}
	if err := os.WriteFile(path, []byte("{}\n{\"job\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadResults(path); err == nil || !strings.Contains(err.Error(), path+":2: ") {
		t.Errorf("a job that is a number: %v", err)
	}
}

func TestRun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	seconds, out := Run(context.Background(), []string{"ANSWER=7"}, "sh", "-c", "sleep .05; echo $ANSWER")
	if string(out) != "7\n" || seconds < .05 {
		t.Errorf("Run = %v s, %q", seconds, out)
	}
	fail := func() { Run(context.Background(), nil, "sh", "-c", "echo it broke >&2; exit 3") }
	if err := Catch(fail); err == nil || !strings.Contains(err.Error(), "it broke") {
		t.Errorf("a command that fails: %v", err)
	}
}

// Other panics are not caught.
func TestCatch(t *testing.T) {
	defer func() {
		if _, ok := recover().(runtime.Error); !ok {
			t.Error("the panic is not that of the index")
		}
	}()
	var none []int
	Catch(func() {
		defer Within("a case")
		none[len(none)]++
	})
}

func TestTime(t *testing.T) {
	calls := 0
	s := Time(50*time.Millisecond, func() { calls++; time.Sleep(100 * time.Microsecond) })
	if s < 1e-4 || calls < 2 && s < .05 {
		t.Errorf("Time = %v s over %d calls", s, calls)
	}
}

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{2: "2 s", .0123: "12.3 ms", 4.5e-6: "4.5 µs", 7e-9: "7 ns"} {
		t.Run(fmt.Sprint(seconds), func(t *testing.T) {
			if got := Duration(seconds); got != want {
				t.Errorf("Duration(%v) = %q, want %q", seconds, got, want)
			}
		})
	}
}

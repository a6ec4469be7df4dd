package peer

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestProcess(t *testing.T) {
	p, err := Start(context.Background(), []string{"ANSWER=7"}, "sh", "-c",
		`while read -r a b; do case $a in echo) echo $b $ANSWER;; *) echo "error: no such request";; esac; done`)
	if err != nil {
		t.Skip("no shell:", err)
	}
	if got, err := p.Floats("echo %d", 3); err != nil || len(got) != 2 || got[0] != 3 || got[1] != 7 {
		t.Errorf("Floats = %v, %v", got, err)
	}
	if _, err := p.Seconds("other"); err == nil || !strings.Contains(err.Error(), "no such request") {
		t.Errorf("error answer: %v", err)
	}
	if _, err := p.Floats("echo x"); err == nil {
		t.Error("an answer that is no number was taken")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	table := &Table{Rounds: 3, w: &out}
	seconds := func(v ...float64) func() (float64, error) {
		return func() (float64, error) { s := v[0]; v = v[1:]; return s, nil }
	}
	// The median of the ratios 2, 3, 10 and not the ratio of the medians decides.
	row := Row{What: "case", Target: 3, Ours: seconds(1, 2, 1), Peer: seconds(2, 6, 10)}
	if err := table.Compare(row); err != nil {
		t.Fatal(err)
	}
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

func TestRun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	seconds, out, err := Run(context.Background(), []string{"ANSWER=7"}, "sh", "-c", "sleep .05; echo $ANSWER")
	if err != nil || string(out) != "7\n" || seconds < .05 {
		t.Errorf("Run = %v s, %q, %v", seconds, out, err)
	}
	if _, _, err := Run(context.Background(), nil, "sh", "-c", "echo it broke >&2; exit 3"); err == nil ||
		!strings.Contains(err.Error(), "it broke") {
		t.Errorf("a command that fails: %v", err)
	}
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

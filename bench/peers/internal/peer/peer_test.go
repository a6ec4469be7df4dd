package peer

import (
	"context"
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
	if table.ok != 1 || table.short != 1 {
		t.Errorf("%d ok, %d short; want 1 and 1\n%s", table.ok, table.short, out.String())
	}
	if !strings.Contains(out.String(), "SHORT") {
		t.Errorf("a short row is not marked:\n%s", out.String())
	}
}

func TestTime(t *testing.T) {
	calls := 0
	if s := Time(50*time.Millisecond, func() { calls++; time.Sleep(100 * time.Microsecond) }); s < 1e-4 || calls < 2 {
		t.Errorf("Time = %v s over %d calls", s, calls)
	}
}

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{2: "2 s", .0123: "12.3 ms", 4.5e-6: "4.5 µs", 7e-9: "7 ns"} {
		if got := Duration(seconds); got != want {
			t.Errorf("Duration(%v) = %q, want %q", seconds, got, want)
		}
	}
}

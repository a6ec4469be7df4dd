package main

import (
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/files"
)

func TestPhaseState(t *testing.T) {
	start := time.Now()
	for _, c := range []struct {
		unit, detail string
		done, total  int64
		want         string
	}{
		{"bytes", "", 2_350_000, 0, "2.4 MB, 10s"},
		{"bytes", "", 1_000_000, 5_000_000, "1.0 of 5.0 MB, 10s, 40s left"},
		{"trees", "valid ndcg@10 0.5000", 20, 100, "20 of 100 trees, valid ndcg@10 0.5000, 10s, 40s left"},
		{"", "", 500, 1000, "50%, 10s, 10s left"},
		{"", "", 0, 0, "10s"},
		{"queries", "", 7, 7, "7 of 7 queries, 10s"},
	} {
		t.Run(c.want, func(t *testing.T) {
			p := &phase{unit: c.unit, start: start}
			p.at(c.done, c.total)
			p.say(c.detail)
			if got := p.state(start.Add(10 * time.Second)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestWatchedSize: a reader that shows how much has been read still tells the size of the file,
// which the default memory limit follows.
func TestWatchedSize(t *testing.T) {
	for name, p := range map[string]*phase{"not shown": nil, "shown": {}} {
		t.Run(name, func(t *testing.T) {
			if got := files.Size(watched(strings.NewReader("content"), p)); got != 7 {
				t.Errorf("size %d of a file of 7 bytes", got)
			}
		})
	}
}

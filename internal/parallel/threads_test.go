package parallel

import (
	"math"
	"runtime"
	"testing"
)

func TestThreads(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	for _, c := range []struct {
		name      string
		set, want int
	}{
		{"default", 0, processors},
		{"negative", -3, processors},
		{"few", 1, 1},
		{"more than processors", processors + 3, processors + 3},
		{"far too many", math.MaxInt, max(processors, mostThreads)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Threads(c.set); got != c.want {
				t.Errorf("Threads(%d) = %d, want %d", c.set, got, c.want)
			}
		})
	}
}

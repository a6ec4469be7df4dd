// Command vek times the kernels of viterin/vek in a separate module. Each input line requests one
// measurement with an operation, n and the minimum milliseconds. The answer contains the seconds of
// a call and its result.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/viterin/vek/vek32"
	"golang.org/x/sys/unix"
)

// element returns a number as in ../main.go.
func element(i int, seed uint32) float32 {
	h := (uint32(i) + 1) * seed
	return float32(h>>23)/512 - 0.5
}

// now returns the processor time of this process, which hardly depends on the load of the machine.
func now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// measure returns the seconds of a call after a warm-up of ten milliseconds. f makes the given
// number of calls.
func measure(least time.Duration, f func(calls int)) float64 {
	warm := false
	for n := 1; ; {
		start := now()
		f(n)
		took := now() - start
		wanted := least
		if !warm {
			wanted = max(least, 10*time.Millisecond)
		}
		if took >= wanted {
			if warm {
				return took.Seconds() / float64(n)
			}
			warm = true
			continue
		}
		n = int(float64(n)*min(100, 1.2*float64(wanted)/float64(max(took, 1)))) + 1
	}
}

func main() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var what string
		var n, ms int
		if _, err := fmt.Sscan(in.Text(), &what, &n, &ms); err != nil {
			fmt.Println("error:", err)
			continue
		}
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = element(i, 2654435761), element(i, 2246822519)
		}
		var result float32
		calls := map[string]func(calls int){
			"dot": func(calls int) {
				for range calls {
					result = vek32.Dot(x, y)
				}
			},
			"distance": func(calls int) {
				for range calls {
					result = vek32.Distance(x, y)
				}
			},
			"cosine": func(calls int) {
				for range calls {
					result = vek32.CosineSimilarity(x, y)
				}
			},
		}[what]
		if calls == nil {
			fmt.Println("error: no operation", what)
			continue
		}
		seconds := measure(time.Duration(ms)*time.Millisecond, calls)
		fmt.Println(seconds, result)
	}
}

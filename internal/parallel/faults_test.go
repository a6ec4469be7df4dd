package parallel

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/testkit"
)

// TestFaults cuts a file that is mapped, and has tasks read it.
func TestFaults(t *testing.T) {
	testkit.NeedFaults(t)
	path := t.TempDir() + "/data"
	if err := os.WriteFile(path, make([]byte, 1<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := memory.Open(f, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := f.Truncate(1); err != nil {
		t.Fatal(err)
	}
	team := newTeam(3, 0)
	defer team.Close()
	var sums [8]int
	read := func(worker, task int) { sums[task] = int(m.Bytes[1<<17*task+1<<16]) }
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"For", func() { For(t.Context(), 2, 8, read) }},
		{"For of one worker", func() { For(t.Context(), 1, 8, read) }},
		{"Team.For", func() { team.For(t.Context(), 8, read) }},
		{"Team.Run", func() { team.Run(8, func(task int) { read(0, task) }) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 3 {
				fault := func() (r any) {
					defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
					defer func() { r = recover() }()
					c.run()
					return nil
				}()
				if _, ok := fault.(interface{ Addr() uintptr }); !ok {
					t.Error(fault)
				}
			}
			// An index out of range comes with the stack of the task.
			wrong := func() (r any) {
				defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
				defer func() { r = recover() }()
				For(t.Context(), 2, 8, func(_, task int) { sums[task+1]++ })
				return nil
			}()
			if err, ok := wrong.(runtime.Error); !ok || !strings.HasPrefix(err.Error(),
				"runtime error: index out of range") || !strings.Contains(err.Error(), "faults_test.go") {
				t.Error(wrong)
			}
			// What else panics does so at its place.
			fault := func() (r any) {
				defer func() { r = recover() }()
				For(t.Context(), 1, 1, func(int, int) { panic("other") })
				return nil
			}()
			if fmt.Sprint(fault) != "other" {
				t.Error(fault)
			}
		})
	}
}

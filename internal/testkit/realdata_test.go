package testkit

import (
	"path/filepath"
	"runtime"
	"testing"
)

// ended records how a test ends instead of ending the test that runs.
type ended struct {
	testing.TB
	how string
}

func (e *ended) Skipf(string, ...any)  { e.how = "skipped"; runtime.Goexit() }
func (e *ended) Fatalf(string, ...any) { e.how = "failed"; runtime.Goexit() }

func TestDataPath(t *testing.T) {
	if testing.Short() {
		t.Skip("short tests do not ask for real data")
	}
	empty := t.TempDir()
	for _, c := range []struct{ name, dir, file, how string }{
		{"named and there", filepath.Dir(empty), filepath.Base(empty), ""},
		{"named and missing", empty, "trec", "failed"},
		{"missing", "", "no such folder", "skipped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("SIMDRANK_DATA", c.dir)
			e := &ended{TB: t}
			done := make(chan bool)
			go func() {
				defer close(done)
				if got, want := DataPath(e, c.file), filepath.Join(c.dir, c.file); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}()
			if <-done; e.how != c.how {
				t.Errorf("%q, want %q", e.how, c.how)
			}
		})
	}
}

package testkit

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// DataPath returns the path of a file in the datasets of $SIMDRANK_DATA, or by default in those
// next to the project. If there is no such file and the variable is set, as in CI, the test fails.
// Otherwise it is skipped.
func DataPath(t testing.TB, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("real data takes long in emulation")
	}
	dir := os.Getenv("SIMDRANK_DATA")
	missing := t.Fatalf
	if dir == "" {
		missing = t.Skipf
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		missing("no %s: put the datasets in %s, or name their folder in SIMDRANK_DATA", name, dir)
	}
	return path
}

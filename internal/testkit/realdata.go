package testkit

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path returns the path of a file among the data sets in $SIMDRANK_DATA, by default those that are
// kept beside the project. It skips the test where they are absent.
func DataPath(t testing.TB, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("real data takes long in emulation")
	}
	dir := os.Getenv("SIMDRANK_DATA")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s: put the datasets in %s, or name their folder in SIMDRANK_DATA", name, dir)
	}
	return path
}

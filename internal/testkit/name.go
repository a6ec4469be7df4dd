package testkit

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var folders = regexp.MustCompile(`\S*/`)

// CaseName returns the name of a subtest from the words of a command line. It removes the
// directories of paths, because they differ between runs.
func CaseName(words ...string) string {
	return folders.ReplaceAllString(strings.Join(words, " "), "")
}

// FileNames returns the names of the files in a directory.
func FileNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

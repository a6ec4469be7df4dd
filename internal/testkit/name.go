package testkit

import (
	"regexp"
	"strings"
)

var folders = regexp.MustCompile(`\S*/`)

// CaseName makes the name of a subtest from the words of a command line. Paths lose their folders,
// which differ between runs.
func CaseName(words ...string) string {
	return folders.ReplaceAllString(strings.Join(words, " "), "")
}

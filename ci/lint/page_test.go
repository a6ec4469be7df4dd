package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quoted is a block of code on a page, below the name of the file that it is from.
var quoted = regexp.MustCompile("(?s)<!-- (\\S+) -->\n```\\w*\n(.*?)```\n")

// The code on the page about assembly is the project's.
func TestAssemblyPage(t *testing.T) {
	const root, least = "../..", 5
	page, err := os.ReadFile(filepath.Join(root, "docs", "contributing", "assembly.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := quoted.FindAllStringSubmatch(string(page), -1)
	if len(blocks) < least {
		t.Errorf("the page quotes %d blocks of code, it must quote at least %d", len(blocks), least)
	}
	for _, b := range blocks {
		source, err := os.ReadFile(filepath.Join(root, b[1]))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(source), b[2]) {
			t.Errorf("%s does not hold this code of the page:\n%s", b[1], b[2])
		}
	}
}

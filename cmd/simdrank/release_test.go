package main

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra/doc"
)

var releaseFiles = flag.String("release-files", "", "write man pages and completion scripts to `DIR`")

// TestReleaseFiles generates the man pages and completion scripts that a release contains.
// .goreleaser.yaml runs it with -release-files.
func TestReleaseFiles(t *testing.T) {
	dir := cmp.Or(*releaseFiles, t.TempDir())
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{man, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}

	root := newRoot()
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Source: "simdrank", Manual: "simdrank"}, man); err != nil {
		t.Fatal(err)
	}
	for _, cmd := range root.Commands() {
		if !cmd.IsAvailableCommand() {
			continue
		}
		page, err := os.ReadFile(filepath.Join(man, "simdrank-"+cmd.Name()+".1"))
		if err != nil || !strings.Contains(string(page), cmd.Short) {
			t.Errorf("man page of %s: error %v, content %.200q", cmd.Name(), err, page)
		}
	}

	for shell, file := range map[string]string{
		"bash": "simdrank.bash", "zsh": "_simdrank", "fish": "simdrank.fish", "powershell": "simdrank.ps1",
	} {
		script := succeed(t, "", "completion", shell)
		if err := os.WriteFile(filepath.Join(completions, file), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

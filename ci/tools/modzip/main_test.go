package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	const (
		root   = "go.mod"
		nested = "nested/go.mod"
	)
	for _, c := range []struct {
		name    string
		files   []string
		modules int
		err     string // part of the error; empty if there is none
	}{
		{"valid", []string{root, nested, "a/b.go", "nested/a.go"}, 2, ""},
		{"name of a Windows device", []string{root, "testdata/nul"}, 1, "testdata/nul"},
		{"device in a nested module", []string{root, nested, "nested/aux.txt"}, 2, "nested/aux.txt"},
		{"names that differ in case only", []string{root, "testdata/A", "testdata/a"}, 1, "case-insensitive"},
		{"character", []string{root, "testdata/a:b"}, 1, "testdata/a:b"},
		{"no module", []string{"a.go"}, 0, "no module"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range c.files {
				path := filepath.Join(dir, filepath.FromSlash(f))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte("module example.com/m\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			modules, err := check(dir)
			if modules != c.modules {
				t.Errorf("%d modules, want %d", modules, c.modules)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(filepath.ToSlash(err.Error()), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGenerated checks that the generated files are up to date.
func TestGenerated(t *testing.T) {
	for pkg := range families {
		t.Run(pkg, func(t *testing.T) {
			files, err := generate(pkg)
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range files {
				t.Run(name, func(t *testing.T) {
					got, err := os.ReadFile(filepath.Join("../..", pkg, name))
					if err != nil {
						t.Error(err)
					} else if !bytes.Equal(got, want) {
						t.Errorf("%s/%s is out of date: run go generate ./%s", pkg, name, pkg)
					}
				})
			}
		})
	}
}

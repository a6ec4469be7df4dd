package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The generated files in kernels are up to date.
func TestGenerated(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../kernels", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("kernels/%s is not what ci/dispatch writes: run go generate ./kernels", name)
		}
	}
}

package data

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/datafile"
)

// TestCut writes, describes and normalizes a data file that is cut while it is mapped.
func TestCut(t *testing.T) {
	if testkit.NeedFaults(t); binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("files are copied here")
	}
	path := filepath.Join(t.TempDir(), "a.simdrank")
	if err := datafile.Save(path, synth.Config{Seed: 1, Rows: 20_000, Cols: 40, Density: .5}.Dataset()); err != nil {
		t.Fatal(err)
	}
	d, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	_, errDescribe := Describe(t.Context(), d, nil)
	_, errNormalize := Normalize(d, "sum")
	for i, err := range []error{WriteLETOR(io.Discard, d), errDescribe, errNormalize} {
		if err == nil {
			t.Errorf("%d: no error", i)
		}
	}
}

package parquet

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank/data"
)

// TestPeers reads files of other writers, which testdata/make.py makes, and the same data as text.
func TestPeers(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".parquet")
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := data.Load(name+".csv", data.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Load(path, data.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := difference(got, want); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestIndex uses columns of an index that options name.
func TestIndex(t *testing.T) {
	d, err := Load("testdata/index_named.parquet", data.Options{Doc: "row_no"})
	if err != nil || len(d.Names) != 1 || d.DocIDs[3] != "3" {
		t.Errorf("row_no as the document: %v, %v", err, d)
	}
	d, err = Load("testdata/index_multi.parquet", data.Options{Doc: "__index_level_1__"})
	if err != nil || len(d.Names) != 1 || d.DocIDs[3] != "3" {
		t.Errorf("__index_level_1__ as the document: %v, %v", err, d)
	}
}

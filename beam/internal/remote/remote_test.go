package remote

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/simdrank/simdrank/rank"
)

func TestReadAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	content := strings.Repeat("content", 1000)
	if err := Save(t.Context(), path, []byte(content)); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int64{0, 7000} {
		b, err := ReadAll(t.Context(), path, rank.ReadOptions{MemoryLimit: limit})
		if err != nil || string(b) != content {
			t.Errorf("limit %d: %d bytes, %v", limit, len(b), err)
		}
	}
	_, err := ReadAll(t.Context(), path, rank.ReadOptions{MemoryLimit: 6999})
	if !errors.As(err, new(*rank.OptionError)) {
		t.Errorf("%v, want an error about the memory limit", err)
	}
}

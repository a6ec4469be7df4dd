package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A created file is zeros that keep what is written, and leaves nothing behind.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int64{0, 5, 3<<20 + 17} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			m, err := Create(filepath.Join(dir, "new"), size)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range m.Bytes {
				if v != 0 {
					t.Fatalf("byte %d of %d is %d", i, size, v)
				}
				m.Bytes[i] = byte(i)
			}
			if int64(len(m.Bytes)) != size || size > 0 && m.Bytes[size-1] != byte(size-1) {
				t.Errorf("%d bytes, want %d", len(m.Bytes), size)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
	old := filepath.Join(dir, "old")
	if err := os.WriteFile(old, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(old, 9); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a file that exists: %v", err)
	}
	if text, err := os.ReadFile(old); string(text) != "mine" {
		t.Errorf("it holds %q, %v", text, err)
	}
}

package tutorial

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestLoadFold(t *testing.T) {
	folder := t.TempDir()
	if _, _, _, err := LoadFold(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	for name, text := range map[string]string{"train.txt": "0 qid:1 1:1\n", "vali.txt.gz": "1 qid:2 1:1\n",
		"test.txt": "2 qid:3 1:1\n"} { // plain text is read even if its name ends in .gz
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	train, vali, test, err := LoadFold(folder)
	if err != nil {
		t.Fatal(err)
	}
	if train.Labels[0] != 0 || vali.Labels[0] != 1 || test.Labels[0] != 2 {
		t.Errorf("labels %v, %v, %v", train.Labels, vali.Labels, test.Labels)
	}
}

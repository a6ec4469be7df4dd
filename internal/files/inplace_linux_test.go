package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// unprivileged has a test run as nobody: the system lets root write everywhere.
func unprivileged(t *testing.T) {
	if os.Geteuid() != 0 {
		return
	}
	if err := syscall.Setreuid(-1, 65534); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setreuid(-1, 0); err != nil {
			t.Error(err)
		}
	})
}

// shared returns a folder that others may enter.
func shared(t *testing.T, mode os.FileMode) string {
	dir := t.TempDir()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, mode)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A file that may be written but not replaced is written in place, when its content is complete.
func TestSaveInPlace(t *testing.T) {
	temporary := shared(t, 0o777)
	t.Setenv("TMPDIR", temporary)
	for _, c := range []struct {
		name string
		mode os.FileMode
	}{{"read-only folder", 0o555}, {"sticky folder", 0o777 | os.ModeSticky}} {
		t.Run(c.name, func(t *testing.T) {
			dir := shared(t, 0o777)
			path := filepath.Join(dir, "a.txt")
			const before = "longer than what is written\n"
			if err := os.WriteFile(path, []byte(before), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.Chmod(path, 0o666), os.Chmod(dir, c.mode)); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(dir, 0o777) })
			holds := func(want string) {
				t.Helper()
				if got, err := os.ReadFile(path); string(got) != want || err != nil {
					t.Errorf("%q, %v, want %q", got, err, want)
				}
			}
			unprivileged(t)
			if err := Check(path); err != nil {
				t.Error(err)
			}
			broken := errors.New("broken")
			if err := Save(path, func(w io.Writer) error { hello(w); return broken }); err != broken {
				t.Error(err)
			}
			holds(before)
			if err := Save(path, func(w io.Writer) error { holds(before); return hello(w) }); err != nil {
				t.Error(err)
			}
			holds("hello\n")
			second := func(f *os.File) error { _, err := f.WriteAt([]byte("x"), 1); return err }
			if err := SaveFile(path, second); err != nil {
				t.Error(err)
			}
			holds("\x00x")
			if f, done, err := Scratch(path); err != nil {
				t.Error(err)
			} else if _, err := f.WriteString("x"); err != nil {
				t.Error(err)
			} else {
				done()
			}
			for _, dir := range []string{dir, temporary} {
				if temp, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(temp) > 0 {
					t.Errorf("left %q", temp)
				}
			}
		})
	}
	t.Run("no such file", func(t *testing.T) {
		dir := shared(t, 0o555)
		unprivileged(t)
		err := Save(filepath.Join(dir, "new"), hello)
		if !errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), ".tmp") {
			t.Error(err)
		}
	})
}

// An error that leaves an incomplete file says so.
func TestOverwriteFails(t *testing.T) {
	from, err := os.Create(filepath.Join(t.TempDir(), "from"))
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if err := hello(from); err != nil {
		t.Fatal(err)
	}
	err = overwrite("/dev/full", from)
	const want = "/dev/full: writing failed and left the file incomplete"
	if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}

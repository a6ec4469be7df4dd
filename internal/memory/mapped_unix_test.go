//go:build linux || darwin || freebsd || netbsd || openbsd

package memory

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/simdrank/simdrank/internal/testkit"
)

// A fault in a created file, whose disk may fail, is an error that names the file, as one in an
// opened file is.
func TestWatchCreated(t *testing.T) {
	testkit.NeedFaults(t)
	path := filepath.Join(t.TempDir(), "bins")
	m, err := Create(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := unix.Mprotect(m.Bytes, unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	var first byte
	err = func() (err error) {
		defer Begin().End(&err)
		first = m.Bytes[4]
		return nil
	}()
	if err == nil || !strings.HasPrefix(err.Error(), "read "+path+": byte 4 is missing") {
		t.Errorf("read %d: %v", first, err)
	}
}

// Package files writes files atomically and reads files that may be compressed with gzip or zstd.
package files

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/simdrank/simdrank/rank"
)

// Load opens a file and passes it to read, still compressed; see [Budget.Uncompressed].
func Load[T any](path string, read func(r io.Reader) (T, error)) (T, error) {
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return read(f)
}

// Size returns the number of bytes in a file or buffer, so that callers can allocate space. It
// returns 0 if the reader does not report a size.
func Size(r io.Reader) int64 {
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	case interface{ Len() int }:
		return int64(r.Len())
	}
	return 0
}

// The first bytes of compressed files.
const (
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
	xzMagic   = "\xfd7zX"
)

// MagicSize is the number of bytes that [Compressed] needs.
const MagicSize = len(zstdMagic)

var errWriteZstd = errors.New("writing zstd is not supported (use gzip)")

// Compressed reports whether content with this start is compressed.
func Compressed(start []byte) bool {
	return strings.HasPrefix(string(start), gzipMagic) || strings.HasPrefix(string(start), zstdMagic)
}

// Uncompressed returns a reader of r's content, decompressed if it starts with the magic bytes of
// gzip or zstd.
func (b *Budget) Uncompressed(r io.Reader) (io.Reader, error) {
	head := bufio.NewReaderSize(r, 16) // a small buffer, so that readers of plain text can use r almost directly
	switch magic, err := head.Peek(MagicSize); {
	case strings.HasPrefix(string(magic), gzipMagic):
		return gzip.NewReader(bufio.NewReader(head))
	case strings.HasPrefix(string(magic), xzMagic):
		return nil, errors.New("xz is not supported (use gzip)")
	case strings.HasPrefix(string(magic), zstdMagic) && b.zstd == nil:
		return nil, &rank.OptionError{Option: "Zstd", Err: errors.New("reading zstd requires a decompressor")}
	case strings.HasPrefix(string(magic), zstdMagic):
		return b.zstd(bufio.NewReader(head))
	case err != nil && err != io.EOF:
		return nil, err
	}
	return head, nil
}

// Decompresses reports whether a reader that [Budget.Uncompressed] returned decompresses its
// content.
func Decompresses(r io.Reader) bool {
	_, plain := r.(*bufio.Reader)
	return !plain
}

// Stem returns the name of a file without the extension .gz or .zst.
func Stem(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, gzipExt), zstdExt)
}

const (
	gzipExt = ".gz"
	zstdExt = ".zst"
)

// An Output forwards writes until one fails, and keeps the error. Cobra's help and callers of
// Fprintf ignore errors.
type Output struct {
	io.Writer
	Err error
}

func (o *Output) Write(p []byte) (n int, err error) {
	if o.Err == nil {
		n, o.Err = o.Writer.Write(p)
	}
	return n, o.Err
}

// Save atomically writes a file like [SaveRaw], and compresses it with gzip if the name ends in
// .gz.
func Save(path string, write func(w io.Writer) error) error {
	return SaveRaw(path, func(w io.Writer) error {
		switch filepath.Ext(path) {
		case gzipExt:
			z := gzip.NewWriter(w)
			if err := write(z); err != nil {
				return err
			}
			return z.Close()
		case zstdExt:
			return errWriteZstd
		}
		return write(w)
	})
}

// SaveRaw atomically writes a file whose content write produces. It writes to a temporary file next
// to path and then renames it. An existing file keeps its permissions, and a symbolic link keeps
// its target, which must exist. The umask determines the permissions of a new file. If path exists
// but is not a regular file, such as a pipe or /dev/null, SaveRaw writes to it directly.
//
// If a file can be written but not replaced, because its directory does not accept new files, the
// content is collected in the system's temporary directory. The complete content is then copied
// over the file. Only in this case can a failure, such as a full disk, leave an incomplete file,
// and the error reports it.
//
// Temporary files of the same path that a killed program left behind are removed if they have not
// changed for a day.
func SaveRaw(path string, write func(w io.Writer) error) error {
	f, commit, err := create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	return commit(err)
}

// Special reports whether path is a pipe, a device or the like. [Save] writes to such a file
// directly and cannot undo the write.
func Special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// SaveFile is like [Save], but for content that is not written sequentially: write receives the
// file, which replaces path. An existing file at path must be a regular file.
func SaveFile(path string, write func(f *os.File) error) error {
	if Special(path) {
		return fmt.Errorf("%s: must be a regular file", path)
	}
	f, commit, err := create(path)
	if err != nil {
		return err
	}
	return commit(write(f))
}

// Scratch creates an empty file next to path, or next to its target if path is a link, for data
// that exceeds RAM. If [Save] would overwrite the file at path in place, because its directory does
// not accept new files, the scratch file is in the system's temporary directory. done closes and
// removes it. If the system permits, the file has no name from the beginning and ends with the
// program.
func Scratch(path string) (f *os.File, done func(), err error) {
	target, err := linked(path)
	if err != nil {
		return nil, nil, err
	}
	f, err = os.OpenFile(tempName(target), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if refused(err) && writable(target) {
		return collected()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return f, removed(f), nil
}

// collected creates an empty file in the system's temporary directory, like [Scratch].
func collected() (f *os.File, done func(), err error) {
	f, err = os.CreateTemp("", "simdrank-*.tmp")
	if err != nil {
		return nil, nil, err
	}
	return f, removed(f), nil
}

// removed deletes the name of an open file, either now or when done is called; done closes the
// file.
func removed(f *os.File) (done func()) {
	gone := os.Remove(f.Name()) == nil
	return func() {
		f.Close()
		if !gone {
			os.Remove(f.Name())
		}
	}
}

// refused reports whether a directory does not accept new files from any user.
func refused(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// writable reports whether a file exists and may be written.
func writable(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// SaveFolder calls write to put files into a directory. A new directory appears atomically with all
// of them: it is created next to its place and renamed. Errors name files by their final paths.
func SaveFolder(dir string, write func(dir string) error) error {
	switch info, err := os.Stat(dir); {
	case err == nil && info.IsDir():
		return write(dir)
	case err == nil:
		return fmt.Errorf("%s: the path is not a directory", dir)
	}
	dir = filepath.Clean(dir)
	removeOld(dir)
	temp := tempName(dir)
	if err := os.Mkdir(temp, 0o777); err != nil {
		return fmt.Errorf("%s: %w", dir, errors.Unwrap(err))
	}
	err := write(temp)
	if err == nil {
		if err = os.Rename(temp, dir); err != nil {
			err = fmt.Errorf("%s: %w", dir, errors.Unwrap(err))
		}
	}
	if err != nil {
		os.RemoveAll(temp)
		if text := err.Error(); strings.Contains(text, temp) {
			err = &placed{strings.ReplaceAll(text, temp, dir), err}
		}
	}
	return err
}

// A placed error contains the final names of files in its text.
type placed struct {
	text string
	err  error
}

func (p *placed) Error() string { return p.text }
func (p *placed) Unwrap() error { return p.err }

// linked returns the target of path if it is a symbolic link, and path otherwise. It returns an
// error if the target does not exist.
func linked(path string) (target string, err error) {
	if target, err = filepath.EvalSymlinks(path); err == nil {
		return target, nil
	}
	if info, lerr := os.Lstat(path); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("%s: the link has no target: %w", path, err)
	}
	return path, nil
}

// longestName is the maximum length of a file name in bytes on common file systems.
const longestName = 255

// tempName returns a temporary name next to path.
func tempName(path string) string {
	dir, start := tempStart(path)
	return filepath.Join(dir, fmt.Sprintf("%s%08x.tmp", start, rand.Uint32()))
}

// tempStart returns the start of the names of tempName. They contain the file name, truncated so
// that the whole name is not too long.
func tempStart(path string) (dir, start string) {
	name := filepath.Base(path)
	if most := longestName - len("..01234567.tmp"); len(name) > most {
		for !utf8.RuneStart(name[most]) && most > 0 {
			most--
		}
		name = name[:most]
	}
	return filepath.Dir(path), "." + name + "."
}

// abandoned is the time without changes after which a temporary file is no longer in use by any
// program.
const abandoned = 24 * time.Hour

// removeOld removes the temporary files and directories of a path that killed programs left behind.
// It identifies them by name and age, and ignores errors.
func removeOld(path string) {
	dir, start := tempStart(path)
	folder, err := os.Open(dir)
	if err != nil {
		return
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	for _, name := range names {
		digits, ours := strings.CutPrefix(name, start)
		digits, temp := strings.CutSuffix(digits, ".tmp")
		if !ours || !temp || len(digits) != 8 || strings.Trim(digits, "0123456789abcdef") != "" {
			continue
		}
		if left := filepath.Join(dir, name); unchanged(left, time.Now().Add(-abandoned)) {
			os.RemoveAll(left)
		}
	}
}

// unchanged reports whether a file, or everything in a directory, is older than a time.
func unchanged(path string, since time.Time) bool {
	return filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && !info.ModTime().Before(since) {
			err = fs.ErrExist
		}
		return err
	}) == nil
}

// Replaced returns the first of the inputs that [Save] to output would replace, or "". Names of
// nonexistent files are ignored.
func Replaced(output string, inputs ...string) string {
	out, err := os.Stat(output)
	if err != nil || !out.Mode().IsRegular() {
		return ""
	}
	for _, name := range inputs {
		if in, err := os.Stat(name); err == nil && os.SameFile(in, out) {
			return name
		}
	}
	return ""
}

// Check returns the error that [Save] of the path would fail with, so that it is reported before a
// long computation and not after it. It leaves nothing behind.
func Check(path string) error {
	if filepath.Ext(path) == zstdExt {
		return errWriteZstd
	}
	return CheckRaw(path)
}

// CheckRaw is like Check but for [SaveRaw].
func CheckRaw(path string) error {
	if Special(path) {
		return nil // opening a pipe would wait for its reader
	}
	_, commit, err := create(path)
	if err != nil {
		return err
	}
	if err := commit(errChecked); err != errChecked {
		return err
	}
	return nil
}

var errChecked = errors.New("checked")

// create opens a file to write path's content to. commit closes it. If it is called without an
// error, it moves the file to path. Otherwise it removes the file and returns the error.
func create(path string) (f *os.File, commit func(error) error, err error) {
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return nil, nil, fmt.Errorf("%s: is a directory", path)
		}
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, nil, err
			}
			return f, func(err error) error { return errors.Join(err, f.Close()) }, nil
		}
		mode = info.Mode().Perm() // an existing file keeps its mode
	}
	target, err := linked(path)
	if err != nil {
		return nil, nil, err
	}
	removeOld(target)
	temp := tempName(target)
	// os.CreateTemp would set the mode 0600, which hides the file from others regardless of the
	// umask.
	f, err = os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if refused(err) && writable(target) {
		return createInPlace(path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return f, func(err error) error {
		if err == nil {
			err = f.Sync()
		}
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			err = replace(temp, target, path)
		}
		if err != nil {
			os.Remove(temp)
			var pathErr *fs.PathError
			var linkErr *os.LinkError
			switch {
			case errors.As(err, &pathErr) && pathErr.Path == temp:
				err = fmt.Errorf("%s: %w", path, pathErr.Err)
			case errors.As(err, &linkErr) && linkErr.Old == temp: // the existing file cannot be replaced
				err = fmt.Errorf("%s: %w", path, linkErr.Err)
			}
		}
		return err
	}, nil
}

// replace puts a complete file in the place of another one. It copies the content if only the
// file's owner may replace it, as in /tmp, or if nobody may, as for a mounted file.
func replace(temp, target, path string) error {
	err := os.Rename(temp, target)
	kept := refused(err) || errors.Is(err, syscall.EBUSY)
	if !kept || runtime.GOOS == "windows" || !writable(target) { // on Windows a program may be reading it
		return err
	}
	f, err := os.Open(temp)
	if err != nil {
		return err
	}
	defer removed(f)()
	return overwrite(path, f)
}

// createInPlace is like create, but for a file whose directory does not accept new files.
func createInPlace(path string) (f *os.File, commit func(error) error, err error) {
	f, done, err := collected()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, func(err error) error {
		defer done()
		if err != nil {
			return err
		}
		return overwrite(path, f)
	}, nil
}

// overwrite overwrites the file at path with the whole content of from.
func overwrite(path string, from *os.File) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, from)
	if err == nil {
		err = f.Truncate(n)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: writing failed and left the file incomplete, because it could not be replaced as a whole: %w", path, err)
	}
	return nil
}

package rankbeam

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/rank"
)

// A fullSystem is a file system without space left.
type fullSystem struct{}

func init() {
	filesystem.Register("full", func(context.Context) filesystem.Interface { return fullSystem{} })
}

func (fullSystem) Close() error                                                { return nil }
func (fullSystem) List(context.Context, string) ([]string, error)              { return nil, nil }
func (fullSystem) Size(context.Context, string) (int64, error)                 { return 0, nil }
func (fullSystem) Remove(context.Context, string) error                        { return nil }
func (fullSystem) Rename(_ context.Context, from, to string) error             { return nil }
func (fullSystem) Write([]byte) (int, error)                                   { return 0, syscall.ENOSPC }
func (f fullSystem) OpenWrite(context.Context, string) (io.WriteCloser, error) { return f, nil }
func (fullSystem) OpenRead(context.Context, string) (io.ReadCloser, error) {
	return nil, os.ErrNotExist
}

// If output cannot be written, the error names the output and not a temporary file.
func TestFullDisk(t *testing.T) {
	d := whole()
	j := &Job{Data: Data{Glob: shards(t, d, 2)}}
	s := System{"m.json", &rank.Linear{Weights: make([]float64, d.Cols)}}
	_, err := j.Predict(t.Context(), s, "full://out")
	if err == nil || !strings.HasSuffix(err.Error(), "full://out: no space left on device") {
		t.Errorf("scores: %v", err)
	}
	_, _, err = j.Evaluate(t.Context(), s, "full://out")
	if err == nil || !strings.HasSuffix(err.Error(), "full://out: no space left on device") {
		t.Errorf("values of queries: %v", err)
	}
}

// Files that are read more than once or replaced must be regular files.
func TestNotRegular(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil || os.PathSeparator != '/' {
		t.Skip("no devices among the files")
	}
	d := whole()
	s := System{"m.json", &rank.Linear{Weights: make([]float64, d.Cols)}}
	out := filepath.Join(t.TempDir(), "scores")
	j := &Job{Data: Data{Glob: os.DevNull}}
	if _, err := j.Predict(t.Context(), s, out); err == nil ||
		!strings.HasPrefix(err.Error(), os.DevNull+": must be a regular file") {
		t.Errorf("input: %v", err)
	}
	j.Data.Glob = shards(t, d, 1)
	name := shardName(out, 0, 1)
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Skip(err)
	}
	if _, err := j.Predict(t.Context(), s, out); err == nil ||
		!strings.HasPrefix(err.Error(), "the output "+name+" is not a regular file and would be replaced") {
		t.Errorf("output: %v", err)
	}
}

// List sizes that exceed the memory, or have a sum that wraps around, cause an error.
func TestRecordSizes(t *testing.T) {
	for _, c := range []struct {
		name  string
		sizes []uint64
		want  string
	}{
		{"whole", []uint64{8, 3}, ""},
		{"wraps around when it is rounded up", []uint64{8, math.MaxUint64},
			"list length of 18446744073709551615 bytes exceeds"},
		{"sum", []uint64{math.MaxInt / 2, math.MaxInt/2 + 9, 16},
			fmt.Sprintf("list length of %d bytes exceeds", math.MaxInt/2+9)},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := make([]byte, 8*len(c.sizes)+16)
			for i, n := range c.sizes {
				binary.LittleEndian.PutUint64(file[8*i:], n)
			}
			content := io.NopCloser(bytes.NewReader(file))
			in := &input{&source{ctx: t.Context(), path: "bins", file: content}, new([]byte)}
			_, err := in.record(len(c.sizes))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

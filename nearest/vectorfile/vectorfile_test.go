package vectorfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/vectors"
)

// npy returns an .npy file of a version.
func npy(version int, header string, data ...any) []byte {
	b := append([]byte(npyMagic), byte(version), 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return encode(append(b, header...), binary.LittleEndian, data...)
}

// encode appends data.
func encode(b []byte, order binary.ByteOrder, data ...any) []byte {
	for _, d := range data {
		var err error
		if b, err = binary.Append(b, order, d); err != nil {
			panic(err)
		}
	}
	return b
}

// dict is a header as NumPy writes it. The number of blanks determines whether the data is aligned.
func dict(descr string, shape string, blanks int) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }%s\n", descr, shape,
		strings.Repeat(" ", blanks))
}

func TestOpen(t *testing.T) {
	float32s := []float32{1, 2, 3, -4, 5, float32(math.Inf(1))}
	halves := []vectors.F16{0x3c00, 0xc000}
	vecs := encode(nil, binary.LittleEndian, int32(2), float32s[:2], int32(2), float32s[2:4])
	for i, c := range []struct {
		name               string
		content            []byte
		data               any
		rows, cols, stride int
	}{
		{"a.npy", npy(1, dict("<f4", "(2, 3)", 0), float32s), float32s, 2, 3, 3},
		{"a.npy", npy(1, dict("<f4", "(2, 3)", 1), float32s), float32s, 2, 3, 3},
		{"b.npy", npy(2, dict("<f4", "(3, 2)", 2), float32s), float32s, 3, 2, 2},
		{"c.npy", npy(3, `{"shape":(6,),"fortran_order":True,"descr":"=f4"}`, float32s), float32s, 1, 6, 6},
		{"c.npy", npy(1, "{'shape': (6L, 1L), 'fortran_order': True, 'descr': '<f4'}", float32s), float32s, 6, 1, 1},
		{"d.npy", encode(npy(1, dict(">f4", "(2, 3)", 0)), binary.BigEndian, float32s), float32s, 2, 3, 3},
		{"d.npy", npy(1, dict("<f8", "(1, 2)", 0), []float64{1, 2}), []float64{1, 2}, 1, 2, 2},
		{"d.npy", npy(1, dict("<f2", "(2, 1)", 0), halves), halves, 2, 1, 1},
		{"d.npy", npy(1, dict("|i1", "(1, 2)", 0), []int8{-1, 2}), []int8{-1, 2}, 1, 2, 2},
		{"d.npy", npy(1, dict("|u1", "(1, 2)", 0), []uint8{255, 2}), []uint8{255, 2}, 1, 2, 2},
		{"d.npy", npy(1, dict("<i4", "(1, 2)", 0), []int32{-1, 2}), []int32{-1, 2}, 1, 2, 2},
		{"d.npy", npy(1, dict("<i8", "(1, 2)", 0), []int64{-1, 2}), []int64{-1, 2}, 1, 2, 2},
		{"d.npy", npy(1, dict("<u8", "(1, 2)", 0), []uint64{1 << 63, 2}), []uint64{1 << 63, 2}, 1, 2, 2},
		{"e.npy", npy(1, dict("<f4", "(0, 3)", 0)), []float32{}, 0, 3, 3},
		{"by-magic", npy(1, dict("<f4", "(2, 3)", 0), float32s), float32s, 2, 3, 3},
		{"f.npy.gz", []byte(testkit.Gzip(string(npy(1, dict("<f4", "(2, 3)", 0), float32s)))), float32s, 2, 3, 3},
		{"g.fvecs", vecs, []float32{1, 2, math.Float32frombits(2), 3, -4}, 2, 2, 3},
		{"G.FVECS.gz", []byte(testkit.Gzip(string(vecs))), []float32{1, 2, math.Float32frombits(2), 3, -4}, 2, 2, 3},
		{"g.ivecs", encode(nil, binary.LittleEndian, []int32{1, 7, 1, 8}), []int32{7, 1, 8}, 2, 1, 2},
		{"h.fbin", encode(nil, binary.LittleEndian, []uint32{2, 3}, float32s), float32s, 2, 3, 3},
		{"H.FBIN.gz", []byte(testkit.Gzip(string(encode(nil, binary.LittleEndian, []uint32{3, 2}, float32s)))),
			float32s, 3, 2, 2},
		{"h.u8bin", []byte("\x01\x00\x00\x00\x03\x00\x00\x00ab\xff"), []byte("ab\xff"), 1, 3, 3},
		{"h.i8bin", []byte("\x03\x00\x00\x00\x01\x00\x00\x00\x01\x02\xff"), []int8{1, 2, -1}, 3, 1, 1},
		{"h.ibin", encode(nil, binary.LittleEndian, []int32{1, 2, -1, 7}), []int32{-1, 7}, 1, 2, 2},
		{"i.ibin", encode(nil, binary.LittleEndian, []int32{2, 2, 5, 6, 7, -1}, []float32{.5, 1, 0, 2}),
			[]int32{5, 6, 7, -1}, 2, 2, 2},
		{"i.bin", encode(nil, binary.LittleEndian, []int32{1, 2, 5, 6}, []float32{.5, 1}), []int32{5, 6}, 1, 2, 2},
		{"g.bvecs", []byte("\x02\x00\x00\x00ab\x02\x00\x00\x00cd"), []byte("ab\x02\x00\x00\x00cd"), 2, 2, 6},
	} {
		t.Run(fmt.Sprint(i, " ", c.name), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.name)
			if err := os.WriteFile(path, c.content, 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			r, err := Read(bytes.NewReader(c.content), c.name)
			if err != nil {
				t.Fatalf("opened, but not read: %v", err)
			}
			if mapped := f.file != nil; mapped == strings.HasSuffix(c.name, ".gz") || r.file != nil {
				t.Errorf("mapped %v, and when read %v", mapped, r.file != nil)
			}
			for _, f := range []*File{f, r} {
				if !reflect.DeepEqual(f.Data, c.data) || f.Rows != c.rows || f.Cols != c.cols || f.Stride != c.stride {
					t.Errorf("%d × %d with stride %d: %v", f.Rows, f.Cols, f.Stride, f.Data)
				}
				err := errors.Join(f.Close(), f.Close())
				if err != nil || f.Data != nil || f.file != nil && f.file.Bytes != nil {
					t.Errorf("closing: %v, %v left", err, f.Data)
				}
			}
		})
	}
}

// A file of unknown size is read into growing buffers, up to the memory limit.
func TestReadGrows(t *testing.T) {
	rows := make([]float32, 40_000)
	for i := range rows {
		rows[i] = float32(i)
	}
	content := npy(1, dict("<f4", "(200, 200)", 0), rows)
	for _, c := range []struct {
		name  string
		limit int64
		fits  bool
	}{{"no limit", 0, true}, {"enough", 1 << 20, true}, {"too little", 1 << 17, false}} {
		t.Run(c.name, func(t *testing.T) {
			pipe := io.MultiReader(bytes.NewReader(content))
			f, err := Read(pipe, "a.npy", rank.ReadOptions{MemoryLimit: c.limit})
			if option := (*rank.OptionError)(nil); !c.fits {
				if !errors.As(err, &option) || option.Option != "MemoryLimit" {
					t.Errorf("error %v", err)
				}
			} else if err != nil || !slices.Equal(f.Data.([]float32), rows) {
				t.Errorf("other vectors, error %v", err)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	zeros := make([]float32, 6)
	good := npy(1, dict("<f4", "(2, 3)", 0), zeros)
	header := func(text string) []byte { return npy(1, text, zeros) }
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"a.npy", good[:len(good)-1], `invalid header "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }": ` +
			"2 × 3 elements of 4 bytes do not match the 23 bytes of data"},
		{"a.npy", append(good, 0), "do not match the 25 bytes of data"},
		{"a.npy", good[:20], "the header is truncated"},
		{"a.npy", good[:9], "the header is truncated"},
		{"a.npy", npy(2, "")[:11], "the header is truncated"},
		{"a.npy", nil, `not an .npy file: it starts with ""`},
		{"a.npy", []byte("1,2\n3,4"), `not an .npy file: it starts with "1,2\n3,"`},
		{"a.txt", good[1:], "unknown vector format: use .npy, .fvecs, .bvecs, .ivecs, .fbin"},
		{"a.npy", npy(4, "{}"), ".npy version 4.0 is not supported; it must be 1, 2 or 3"},
		{"a.npy", npy(2, strings.Repeat(" ", 1<<16+1)), "the header has 65537 bytes; it must have at most 65536"},
		{"a.npy", npy(1, ""), `invalid header "": the header is not a dictionary`},
		{"a.npy", header("[]"), `invalid header "[]": the header is not a dictionary`},
		{"a.npy", header("{'descr'}"), "missing key"},
		{"a.npy", header("{'descr': '<f4', 'descr': '<f4'}"), `duplicate key "descr"`},
		{"a.npy", header("{'descr': [('x', '<f4')], 'shape': (6,)}"), "elements must be numbers, not records"},
		{"a.npy", header("{'descr': '<f4\\'', 'shape': (6,)}"), "records"},
		{"a.npy", header("{'fortran_order': 0}"), "fortran_order must be True or False"},
		{"a.npy", header("{'shape': (2, x)}"), "shape must be a tuple of numbers"},
		{"a.npy", header("{'shape': (2 3)}"), "shape must be a tuple of numbers"},
		{"a.npy", header("{'shape': 6}"), "shape must be a tuple of numbers"},
		{"a.npy", header("{'shape': (18446744073709551616,)}"), "shape must be a tuple of numbers"},
		{"a.npy", header("{'order': 'C'}"), `unknown key "order"`},
		{"a.npy", header("{'shape': (6,) 'descr': '<f4'}"), "missing comma"},
		{"a.npy", header("{'shape': (6,)} x"), "text after the dictionary"},
		{"a.npy", header("{'shape': (6,), 'descr': '<f4'}"), `missing key "fortran_order"`},
		{"a.npy", header(dict("<f4", "(1, 2, 3)", 0)), "the array has 3 dimensions; it must have 1 or 2"},
		{"a.npy", header(dict("<c8", "(1, 3)", 0)), `element type "<c8" is not supported: use float64`},
		{"a.npy", header(dict("f4", "(1, 6)", 0)), `element type "f4" is not supported`},
		{"a.npy", header(dict("<f4", "(4611686018427387904, 4)", 0)), "do not match the 24 bytes of data"},
		{"a.npy", header(dict("<f4", "(4611686018427387904, 1)", 0)), "do not match the 24 bytes of data"},
		{"a.npy", npy(1, dict("<f4", "(9223372036854775808, 0)", 0)),
			"9223372036854775808 rows and 0 columns exceed the address space"},
		{"a.npy", header("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}"),
			"arrays in Fortran order are not supported: use C order"},
		{"a.npy.gz", []byte(testkit.Gzip(string(good)))[:50], "unexpected EOF"},
		{"a.fbin", []byte("\x01\x00\x00\x00\x01\x00\x00"), "the header is truncated"},
		{"a.fbin", encode(nil, binary.LittleEndian, []uint32{2, 3}, zeros[:5]), "2 × 3 elements of 4 bytes do not " +
			"match the 20 bytes of data"},
		{"a.u8bin", []byte("\x02\x00\x00\x00\x02\x00\x00\x00abcde"), "2 × 2 elements of 1 bytes do not match the 5"},
		{"a.ibin", []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), "4294967295 × 4294967295 elements of 4 bytes do not"},
		{"a.ibin", encode(nil, binary.LittleEndian, []int32{1, 2, 3, 4, 5}),
			"1 × 2 elements of 4 bytes do not match the 12"},
		{"a.bin", encode(nil, binary.LittleEndian, []int32{1, 2, 3, 4}),
			"a .bin file must contain neighbor IDs and their distances (rename vectors to .fbin, .u8bin or .i8bin)"},
		{"a.bin", []byte("\x01"), "a .bin file must contain neighbor IDs"},
		{"a.fvecs", nil, "the file is empty"},
		{"a.fvecs", []byte("\x01\x00"), "the header is truncated"},
		{"a.bvecs", []byte("\x00\x00\x00\x00"), "the number of elements in row 0 is 0"},
		{"a.bvecs", []byte("\xff\xff\xff\xff"), "the number of elements in row 0 is -1"},
		{"a.fvecs", []byte("\x02\x00\x00\x0012345678\x02\x00\x00\x001234"), "row 0 has 2 elements, so each row must " +
			"have 12 bytes, but the file size 20 is not a multiple of 12"},
		{"a.bvecs", []byte("\x02\x00\x00\x00ab\x03\x00\x00\x00cd"), "row 1 has 3 elements, but row 0 has 2"},
	} {
		t.Run(c.name+" "+c.want, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.name)
			if err := os.WriteFile(path, c.content, 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			var pathErr *fs.PathError
			if f != nil || !errors.As(err, &pathErr) || pathErr.Path != path || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if f, err := Read(bytes.NewReader(c.content), c.name); f != nil || err == nil ||
				!strings.HasPrefix(err.Error(), "vectorfile: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("read: %v, want %s", err, c.want)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "a.npy")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestType(t *testing.T) {
	for _, c := range []struct {
		data any
		want string
	}{{[]vectors.F16{}, "float16"}, {[]float32{}, "float32"}, {[]uint8{}, "uint8"}, {[]int64{}, "int64"}} {
		t.Run(c.want, func(t *testing.T) {
			if got := (&File{Data: c.data}).Type(); got != c.want {
				t.Errorf("%T: %s", c.data, got)
			}
		})
	}
}

// A cutter is a context that truncates a file at the last call of Err.
type cutter struct {
	context.Context
	path string
	left int
}

func (c *cutter) Err() error {
	if c.left--; c.left == 0 {
		os.Truncate(c.path, 1<<16)
	}
	return c.Context.Err()
}

// TestCut searches a mapped file that was truncated after it was opened, on one goroutine and on
// several.
func TestCut(t *testing.T) {
	testkit.NeedFaults(t)
	path := filepath.Join(t.TempDir(), "a.npy")
	const rows, cols = 1 << 13, 256
	if err := os.WriteFile(path, npy(1, dict("|i1", "(8192, 256)", 0), make([]int8, rows*cols)), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	index, err := nearest.New[int8](f.Data.([]int8), f.Rows, f.Cols, f.Stride, "l2")
	if err != nil {
		t.Fatal(err)
	}
	var pathErr *fs.PathError
	query := make([]int8, cols)

	// If a file is truncated during a batch, the batch returns nothing. Err of the context is
	// called once per task.
	index.Threads = 1
	queries := make([]int8, 33*cols)
	ctx := &cutter{t.Context(), path, 3}
	before := []nearest.Neighbor{{ID: -1}}
	found, err := index.AppendNearestBatch(ctx, before, queries, 33, cols, 3)
	if len(found) != len(before) || !errors.As(err, &pathErr) || ctx.left > 0 {
		t.Errorf("%d neighbors, %v", len(found), err)
	}

	for index.Threads = range 3 {
		_, alone := index.AppendNearest(nil, query, 3)
		_, together := index.AppendNearestBatch(t.Context(), nil, query, 1, cols, 3)
		_, again := index.AppendReranked(nil, query, []nearest.Neighbor{{ID: rows - 1}}, 1)
		for _, err := range []error{alone, together, again} {
			if !errors.As(err, &pathErr) || pathErr.Path != path {
				t.Errorf("%d threads: %v", index.Threads, err)
			}
		}
	}
}

// TestChanged truncates and changes a mapped file at many moments of a search. The search must
// return a result or an error that names the file.
func TestChanged(t *testing.T) {
	testkit.NeedFaults(t)
	path := filepath.Join(t.TempDir(), "a.npy")
	const rows, cols = 1 << 12, 64
	file := npy(1, dict("<f4", "(4096, 64)", 0), make([]float32, rows*cols))
	failed := 0
	for i := range 30 {
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		index, err := nearest.New[float32](f.Data.([]float32), f.Rows, f.Cols, f.Stride, "cosine")
		if err != nil {
			t.Fatal(err)
		}
		changed := make(chan error)
		go func() {
			time.Sleep(time.Duration(i/2) * 20 * time.Microsecond)
			if i%2 == 0 {
				changed <- os.Truncate(path, int64(len(file)*i/30))
			} else {
				changed <- os.WriteFile(path, bytes.Repeat([]byte{0xff}, len(file)), 0o666)
			}
		}()
		if _, err = index.AppendNearestBatch(t.Context(), nil, make([]float32, 9*cols), 9, cols, 3); err != nil {
			var pathErr *fs.PathError
			if failed++; !errors.As(err, &pathErr) || pathErr.Path != path {
				t.Error(err)
			}
		}
		if err := <-changed; err != nil {
			t.Error(err)
		}
		f.Close()
	}
	t.Logf("%d errors", failed)
}

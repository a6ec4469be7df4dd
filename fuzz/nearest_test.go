package fuzz

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/nearest/vectorfile"
	"github.com/simdrank/simdrank/vectors"
)

// FuzzReadVectors reads any input as a vector file. Reading must return an error, or a matrix with
// all rows inside the input. The memory must be proportional to the input.
func FuzzReadVectors(f *testing.F) {
	f.Add([]byte("\x93NUMPY\x01\x00\x3c\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n"+
		"12345678"), byte(0))
	f.Add([]byte("\x93NUMPY\x02\x00\x36\x00\x00\x00{'shape':(2,),'fortran_order':True,'descr':'>f2',}   \n1234"), byte(0))
	f.Add([]byte("\x02\x00\x00\x0012345678\x02\x00\x00\x0012345678"), byte(1))
	f.Add([]byte("\x03\x00\x00\x00123\x03\x00\x00\x00123"), byte(2))
	f.Add([]byte("\x01\x00\x00\x001234"), byte(3))
	f.Add([]byte("\x02\x00\x00\x00\x01\x00\x00\x0012345678"), byte(4))
	f.Add([]byte("\x02\x00\x00\x00\x01\x00\x00\x0012"), byte(5))
	f.Fuzz(func(t *testing.T, input []byte, format byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		name := "input" + []string{".npy", ".fvecs", ".bvecs", ".ivecs", ".fbin", ".i8bin"}[format%6]
		v, err := vectorfile.Read(bytes.NewReader(input), name)
		runtime.ReadMemStats(&after)
		packed := bytes.HasPrefix(input, []byte("\x1f\x8b"))
		if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(10*len(input)+1<<20) && !packed {
			t.Fatalf("%d bytes of memory for %d of input", spent, len(input))
		}
		if err != nil {
			if v != nil {
				t.Fatalf("a file with the error %v", err)
			}
			return
		}
		if v.Rows < 0 || v.Cols < 0 || v.Stride < v.Cols {
			t.Fatalf("%d × %d with stride %d", v.Rows, v.Cols, v.Stride)
		}
		for i := range min(v.Rows, len(input)+1) {
			switch data := v.Data.(type) {
			case []float64:
				rowOf(data, v, i)
			case []float32:
				rowOf(data, v, i)
			case []vectors.F16:
				rowOf(data, v, i)
			case []int8:
				rowOf(data, v, i)
			case []uint8:
				rowOf(data, v, i)
			case []int32:
				rowOf(data, v, i)
			case []int64:
				rowOf(data, v, i)
			case []uint64:
				rowOf(data, v, i)
			default:
				t.Fatalf("elements %T", data)
			}
		}
	})
}

// rowOf fails if a file does not contain a row.
func rowOf[T any](data []T, v *vectorfile.File, i int) []T { return data[i*v.Stride:][:v.Cols] }

// FuzzLoadStore reads any input, followed by its checksum, as a snapshot of a store. Reading must
// return an error, or a store whose snapshot can be read again. The memory must be proportional to
// the input.
func FuzzLoadStore(f *testing.F) {
	f.Add([]byte("simdrank-store 1 ids=string vectors=float32 metric=l2 cols=1 rows=2\n\x00abcd\x01bcdef"), false)
	f.Add([]byte("simdrank-store 1 ids=int64 vectors=uint8 metric=cosine cols=2 rows=1\n01234567ab"), true)
	f.Add([]byte("simdrank-store 1 ids=int64 vectors=uint8 metric=dot cols=2147483647 rows=99\n"), true)
	f.Add([]byte("simdrank-store 1 ids=string vectors=float32 metric=dot cols=1 rows=99\n\xff\xff\xff\xff\x01"), false)
	path := filepath.Join(f.TempDir(), "store")
	f.Fuzz(func(t *testing.T, input []byte, numbers bool) {
		if numbers {
			loadStore[int64, uint8](t, path, input)
		} else {
			loadStore[string, float32](t, path, input)
		}
	})
}

func loadStore[ID string | int64, E float32 | uint8](t *testing.T, path string, input []byte) {
	sum := crc32.Checksum(input, crc32.MakeTable(crc32.Castagnoli))
	input = binary.LittleEndian.AppendUint32(input, sum)
	if err := os.WriteFile(path, input, 0o666); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	store, err := nearest.LoadStore[ID, E, E](path)
	runtime.ReadMemStats(&after)
	packed := bytes.HasPrefix(input, []byte("\x1f\x8b"))
	if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(3000*len(input)+1<<20) && !packed {
		t.Fatalf("%d bytes of memory for %d of input", spent, len(input))
	}
	if err != nil {
		if !packed && !strings.HasPrefix(err.Error(), "nearest: "+path+": byte ") {
			t.Fatal(err)
		}
		return
	}
	if err := store.Save(path); err != nil {
		t.Fatal(err)
	}
	if _, err := nearest.LoadStore[ID, E, E](path); err != nil {
		t.Fatal(err)
	}
}

// FuzzNearest checks that a search does not panic for any shapes and numbers, and that its results
// are sorted.
func FuzzNearest(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), 3, 2, 3, 2, 2, uint64(7))
	f.Add([]byte("\x00\x00\x80\x7f\x00\x00\x80\xff\x00\x00\xc0\x7f\x00\x00\x00\x80"), 4, 1, 1, 9, 1, uint64(15))
	f.Add([]byte("01234567"), 1, 2, math.MaxInt/2+1, 1, 2, uint64(0))
	f.Fuzz(func(t *testing.T, input []byte, rows, cols, stride, k, queryLen int, allow uint64) {
		a := make([]float32, len(input)/4)
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), 4*len(a)), input)
		query := a[:min(max(queryLen, 0), len(a))]
		for _, metric := range []string{"dot", "l2", "cosine"} {
			index, err := nearest.New[float32](a, rows, cols, stride, metric)
			if err != nil {
				if index != nil {
					t.Fatalf("an index with the error %v", err)
				}
				continue
			}
			if words := int(allow % 5); words > 0 {
				index.Allow = slices.Repeat([]uint64{allow}, words)
			}
			found, err := index.AppendNearest(nil, query, k)
			if err != nil && len(found) > 0 {
				t.Fatalf("neighbors with the error %v", err)
			}
			for i, n := range found {
				if n.ID < 0 || int(n.ID) >= rows || i > 0 && metric == "l2" && found[i-1].Score > n.Score ||
					i > 0 && metric != "l2" && found[i-1].Score < n.Score ||
					index.Allow != nil && allow>>(n.ID%64)&1 == 0 {
					t.Fatalf("%v of %v", n, found)
				}
			}
		}
	})
}

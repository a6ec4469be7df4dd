package fuzz

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"testing"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

// FuzzDataFile reads any input as a data file. Reading must return an error, or a dataset that
// survives writing and reading. The memory must be proportional to the input, and offsets in the
// dataset must not point outside of it. The test corrects the checksum and the size in the header,
// so that inputs reach the code after these checks.
func FuzzDataFile(f *testing.F) {
	d := rank.NewDataset(3, 2)
	copy(d.X, []float32{1, 2})
	d.Offsets, d.QueryIDs, d.DocIDs = []int{0, 1, 3}, []string{"a", "bc"}, []string{"x", "", "yz"}
	d.Weights, d.QueryWeights, d.Positions = []float64{1, 2, 3}, []float64{1, 0}, []int32{1, 2, 1}
	d.Names = []string{"one", "two"}
	sparse := *d
	sparse.X, sparse.Stride = nil, 0
	sparse.Sparse = &rank.CSR{Offsets: []int{0, 2, 2, 3}, Columns: []int32{0, 1, 1}, Values: []float32{1, 2, 3}}
	for _, d := range []*rank.Dataset{d, &sparse} {
		var b bytes.Buffer
		if err := datafile.Write(&b, d); err != nil {
			f.Fatal(err)
		}
		f.Add(pack(b.Bytes()))
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		b := unpack(packed)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := datafile.Read(bytes.NewReader(b))
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(10*len(b)+1<<20) {
			t.Fatalf("%d bytes of memory for %d of input", spent, len(b))
		}
		if err != nil {
			if d != nil {
				t.Fatalf("a dataset with the error %v", err)
			}
			return
		}
		if d.Cols <= 1<<16 {
			scores, weights := make([]float64, d.Rows()), make([]float64, d.Cols)
			if x := d.Sparse; x != nil {
				kernels.SpmvF32Wide(scores, weights, x.Offsets, x.Columns, x.Values)
			} else {
				kernels.GemvF32Wide(scores, weights, d.X, d.Rows(), d.Cols, d.Stride)
			}
		}
		if d.Validate() != nil { // invalid weights, positions or names, which reading does not check
			return
		}
		var first, second bytes.Buffer
		if err := datafile.Write(&first, d); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := datafile.Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if err := datafile.Write(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written again, it is another file: %v", err)
		}
	})
}

// page is the alignment of features.
const page = 4096

// pack shortens inputs by removing the first page except for the header and the table.
func pack(b []byte) []byte {
	n := min(64+24*int(b[56]), page)
	return append(append([]byte{}, b[:n]...), b[min(page, len(b)):]...)
}

// unpack reverses pack and corrects the size and the checksum.
func unpack(b []byte) []byte {
	if len(b) < 64 {
		return b
	}
	n := 64 + 24*int(binary.LittleEndian.Uint32(b[56:])%16)
	if n > len(b) {
		return b
	}
	out := make([]byte, page+len(b)-n)
	copy(out, b[:n])
	copy(out[page:], b[n:])
	binary.LittleEndian.PutUint64(out[16:], uint64(len(out)))
	clear(out[12:16])
	binary.LittleEndian.PutUint32(out[12:], crc32.Checksum(out[:n], crc32.MakeTable(crc32.Castagnoli)))
	return out
}

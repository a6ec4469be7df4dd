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

// FuzzDataFile checks on any input that reading it as a data file ends with an error, or with a
// dataset that writing and reading give back, within memory in proportion to the input; and that
// nothing in such a dataset leads outside of it. The checksum and the size in the header are made
// right, so that there is something to find behind them.
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
		if d.Validate() != nil { // of weights, positions or names, which reading does not look at
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

// page is what features are aligned to.
const page = 4096

// pack leaves the first page out but for the header and the table, so that inputs are short.
func pack(b []byte) []byte {
	n := min(64+24*int(b[56]), page)
	return append(append([]byte{}, b[:n]...), b[min(page, len(b)):]...)
}

// unpack undoes pack, and makes the size and the checksum right.
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

package parquet

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"

	peer "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// unsummed returns b without the checksums of its pages, which would hide changed bytes from the
// decoders. Each checksum is replaced by an unknown field of the same length.
func unsummed(t testing.TB, b []byte) []byte {
	t.Helper()
	f := &file{r: bytes.NewReader(b), size: int64(len(b))}
	if err := f.readFooter(); err != nil {
		t.Fatal(err)
	}
	for g := range f.groups {
		for k := range f.leaves {
			var c cursor[string]
			if err := c.open(f, g, k, new(buffers)); err != nil {
				t.Fatal(err)
			}
			for c.at < c.end {
				p := int(c.at)
				var h format.PageHeader
				if err := c.header(&h); err != nil {
					t.Fatal(err)
				}
				c.at += int64(h.CompressedPageSize)
				for range 3 { // preceding fields: type and sizes, each after a byte
					for p++; b[p]&0x80 != 0; p++ {
					}
					p++
				}
				for p++; b[p]&0x80 != 0; p++ {
					b[p] = 0x80
				}
				b[p] = 0
			}
		}
	}
	return b
}

// FuzzRead checks that reading ends with a valid dataset or an error, for any file and in
// particular for valid files with changed bytes. The result must be the same for any number of
// threads. Memory must be proportional to the file size; all allocations count.
func FuzzRead(f *testing.F) {
	rows, _ := documents(10)
	for version := 1; version <= 2; version++ {
		f.Add(unsummed(f, writeRows(f, rows, peer.DataPageVersion(version), peer.PageBufferSize(100),
			peer.MaxRowsPerRowGroup(7))))
		f.Add(unsummed(f, writeRows(f, rows[:3], peer.DataPageVersion(version))))
	}
	type row struct {
		Label float64 `parquet:"label,optional"`
		QID   int64   `parquet:"qid,delta"`
		Doc   string  `parquet:"doc,delta,brotli"`
		X     float64 `parquet:"x,dict,zstd"`
	}
	f.Add(writeRows(f, []row{{1, 1, "doc", 2}, {0, 1, "document", 2}, {0, 2, "docs", 3}}))
	for _, c := range hostileFiles(200) {
		if file := c.file(); len(file) < 1<<14 {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		file := bytes.Clone(input)
		if n := len(file); n > 12 { // files with a footer are more interesting
			copy(file[n-4:], "PAR1")
			if length := binary.LittleEndian.Uint32(file[n-8:]); int64(length) > int64(n-12) {
				binary.LittleEndian.PutUint32(file[n-8:], length%uint32(n-12))
			}
		}
		o := data.Options{Threads: 1, ReadOptions: rank.ReadOptions{MemoryLimit: 1 << 22}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := Read(bytes.NewReader(file), int64(len(file)), o)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<24+32*uint64(len(file)) {
			t.Fatalf("%d bytes of memory for %d of the file", n, len(file))
		}
		o.Threads = 2
		again, errAgain := Read(bytes.NewReader(file), int64(len(file)), o)
		switch {
		case (err == nil) != (errAgain == nil) || err != nil && err.Error() != errAgain.Error():
			t.Fatalf("one thread: %v\ntwo: %v", err, errAgain)
		case err != nil:
			return
		}
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		if diff := difference(d, again); diff != "" {
			t.Fatalf("one thread and two: %s", diff)
		}
	})
}

package parquet

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"

	peer "github.com/parquet-go/parquet-go"

	"github.com/simdrank/simdrank/rank/table"
)

// FuzzRead checks on any file, above all on good ones of which bytes are changed, that reading ends
// with a valid dataset or an error, the same for any number of threads, and in memory in proportion
// to the file.
func FuzzRead(f *testing.F) {
	rows, _ := documents(10)
	for version := 1; version <= 2; version++ {
		f.Add(write(f, rows, peer.DataPageVersion(version), peer.PageBufferSize(100), peer.MaxRowsPerRowGroup(7)))
		f.Add(write(f, rows[:3], peer.DataPageVersion(version)))
	}
	type row struct {
		Label float64 `parquet:"label,optional"`
		QID   int64   `parquet:"qid,delta"`
		Doc   string  `parquet:"doc,delta,brotli"`
		X     float64 `parquet:"x,dict,zstd"`
	}
	f.Add(write(f, []row{{1, 1, "doc", 2}, {0, 1, "document", 2}, {0, 2, "docs", 3}}))
	f.Fuzz(func(t *testing.T, input []byte) {
		file := bytes.Clone(input)
		if n := len(file); n > 12 { // a footer that is there is worth more inputs
			copy(file[n-4:], "PAR1")
			if length := binary.LittleEndian.Uint32(file[n-8:]); int64(length) > int64(n-12) {
				binary.LittleEndian.PutUint32(file[n-8:], length%uint32(n-12))
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := Read(bytes.NewReader(file), int64(len(file)), table.Options{Threads: 1})
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<29+5000*uint64(len(file)) {
			t.Fatalf("%d bytes of memory for %d of the file", n, len(file))
		}
		again, errAgain := Read(bytes.NewReader(file), int64(len(file)), table.Options{Threads: 2})
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

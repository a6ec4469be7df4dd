package parquet

import (
	"bytes"
	"fmt"
	"testing"

	peer "github.com/parquet-go/parquet-go"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// columnsOf returns d as a Parquet file, features as float32, compressed with Snappy as pandas has
// it.
func columnsOf(b *testing.B, d *rank.Dataset) []byte {
	b.Helper()
	group := peer.Group{"label": peer.Leaf(peer.DoubleType), "qid": peer.String()}
	for j := range d.Cols {
		group[fmt.Sprintf("x%03d", j)] = peer.Compressed(peer.Leaf(peer.FloatType), &peer.Snappy)
	}
	var file bytes.Buffer
	w := peer.NewWriter(&file, peer.NewSchema("data", group)) // whose columns are in the order of their names
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			row := peer.Row{peer.DoubleValue(d.Labels[i]).Level(0, 0, 0),
				peer.ByteArrayValue([]byte(d.QueryIDs[q])).Level(0, 0, 1)}
			for j, v := range d.AppendRow(nil, i) {
				row = append(row, peer.FloatValue(v).Level(0, 0, j+2))
			}
			if _, err := w.WriteRows([]peer.Row{row}); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

// BenchmarkRead reads the same data from Parquet and from LETOR text, in bytes of features per
// second.
func BenchmarkRead(b *testing.B) {
	d := synth.Config{Seed: 1, Rows: 20_000, Cols: 136}.Dataset()
	columns := columnsOf(b, d)
	var text bytes.Buffer
	if err := data.WriteLETOR(&text, d); err != nil {
		b.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("parquet/threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(4 * d.Rows() * d.Cols))
			for b.Loop() {
				_, err := Read(bytes.NewReader(columns), int64(len(columns)), data.Options{Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("letor/threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(4 * d.Rows() * d.Cols))
			for b.Loop() {
				if _, err := data.Read(bytes.NewReader(text.Bytes()), data.Options{Threads: threads}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

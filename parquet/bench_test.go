package parquet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	peer "github.com/parquet-go/parquet-go"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// columnsOf returns d as a Parquet file with float32 features and Snappy compression, like pandas.
func columnsOf(b *testing.B, d *rank.Dataset) []byte {
	b.Helper()
	group := peer.Group{"label": peer.Leaf(peer.DoubleType), "qid": peer.String()}
	for j := range d.Cols {
		group[fmt.Sprintf("x%03d", j)] = peer.Compressed(peer.Leaf(peer.FloatType), &peer.Snappy)
	}
	var file bytes.Buffer
	w := peer.NewWriter(&file, peer.NewSchema("data", group)) // which orders columns by name
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
	const queries, documents = 200, 100
	rng := rand.New(rand.NewPCG(1, 2))
	d := rank.NewDataset(queries*documents, 136)
	for i := range d.Labels {
		d.Labels[i] = float64(rng.IntN(5))
		row := d.Row(i)
		for j := range row {
			row[j] = float32(rng.IntN(1_000_001)) / 1_000_000 // six digits, as in LETOR
		}
	}
	for q := range queries {
		d.Offsets = append(d.Offsets, (q+1)*documents)
		d.QueryIDs = append(d.QueryIDs, fmt.Sprint(q+1))
	}
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

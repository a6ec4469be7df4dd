package bench

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// BenchmarkReadLETOR reads LETOR-like text from memory with one and two threads. The text is dense,
// sparse, unscaled (counts and large numbers as in MSLR), or contains all digits of a float32. The
// throughput refers to the text.
func BenchmarkReadLETOR(b *testing.B) {
	for _, c := range []struct {
		name   string
		config synth.Config
		change func(d *rank.Dataset)
	}{
		{"dense", synth.Config{Seed: 1, Rows: 20_000, Cols: 136}, nil},
		{"sparse", synth.Config{Seed: 1, Rows: 20_000, Cols: 700, Density: .2}, nil},
		{"unscaled", synth.Config{Seed: 1, Rows: 20_000, Cols: 136, Unscaled: true}, nil},
		{"signed", synth.Config{Seed: 1, Rows: 20_000, Cols: 136}, center},
	} {
		d := c.config.Dataset()
		if c.change != nil {
			c.change(d)
		}
		var text bytes.Buffer
		if err := data.WriteLETOR(&text, d); err != nil {
			b.Fatal(err)
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", c.name, threads), func(b *testing.B) {
				b.SetBytes(int64(text.Len()))
				for b.Loop() {
					if _, err := data.Read(bytes.NewReader(text.Bytes()), data.Options{Threads: threads}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// center shifts features to a mean of 0. They then need all digits of a float32, and half of them
// are negative, as in standardized data.
func center(d *rank.Dataset) {
	for i := range d.Rows() {
		for j, v := range d.Row(i) {
			d.Row(i)[j] = (v - .5) * 3.4641016
		}
	}
}

// BenchmarkWriteLETOR writes the dense text.
func BenchmarkWriteLETOR(b *testing.B) {
	d := synth.Config{Seed: 1, Rows: 20_000, Cols: 136}.Dataset()
	var text bytes.Buffer
	if err := data.WriteLETOR(&text, d); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if err := data.WriteLETOR(io.Discard, d); err != nil {
			b.Fatal(err)
		}
	}
}

package datafile

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
)

// TestMessages damages files in ways that put different values into each place of an error, so that
// exchanged values are noticed.
func TestMessages(t *testing.T) {
	d := synth.Config{Seed: 1, Rows: 6, Cols: 20, Density: .5}.Dataset()
	d.DocIDs, d.Names = make([]string, 6), make([]string, 20)
	for i := range d.DocIDs {
		d.DocIDs[i] = string(rune('a' + i))
	}
	for j := range d.Names {
		d.Names[j] = string(rune('A' + j))
	}
	var dense, csr bytes.Buffer
	if err := Write(&dense, d); err != nil {
		t.Fatal(err)
	}
	if err := Write(&csr, asSparse(d)); err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	// in sets a number in a section.
	in := func(b []byte, k kind, at int, v uint64) {
		h, _, err := readHeader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range h.sections {
			if s.kind == k && k == columns {
				le.PutUint32(b[int(s.offset)+4*at:], uint32(v))
			} else if s.kind == k {
				le.PutUint64(b[int(s.offset)+8*at:], v)
			}
		}
	}
	for _, c := range []struct {
		name, want string
		b          []byte
		change     func(b []byte) []byte
	}{
		{"a short header",
			"the file is truncated: it contains 20 bytes, but a data file contains at least 64",
			dense.Bytes(), func(b []byte) []byte { return b[:20] }},
		{"a short file",
			"the file is truncated: it contains 5000 of 5460 bytes",
			dense.Bytes(), func(b []byte) []byte { return b[:5000] }},
		{"a long file",
			"the file is longer than the 5460 bytes that its header records",
			dense.Bytes(), func(b []byte) []byte { return append(b, 0, 0) }},
		{"version",
			"data file version 7 is not supported; this release reads version 1",
			dense.Bytes(), func(b []byte) []byte { b[8] = 7; return b }},
		{"sections",
			"the header is damaged: it has 21 sections, but at most 19 are allowed",
			dense.Bytes(), func(b []byte) []byte { b[56] = 21; return b }},
		{"checksum",
			"the header is damaged: its checksum is 34edbccc, but it records 34edbccd",
			dense.Bytes(), func(b []byte) []byte { b[12] ^= 1; return b }},
		{"kind",
			"section 1 has the kind 20, which is unknown in version 1",
			dense.Bytes(), func(b []byte) []byte { b[64+24] = 20; return reseal(b) }},
		{"range",
			"the dense features are in bytes 69632 to 70400, which is not a valid range in a file of 5460 bytes",
			dense.Bytes(), func(b []byte) []byte { b[64+8+2]++; return reseal(b) }},
		{"limits",
			"the header is damaged: 6 rows, 1 queries and 72057594037927956 columns exceed the limits of the format",
			dense.Bytes(), func(b []byte) []byte { b[40+7] = 1; return reseal(b) }},
		{"absent",
			"256 absent values exceed the size of 6 rows × 20 columns",
			dense.Bytes(), func(b []byte) []byte { b[48+1] = 1; return reseal(b) }},
		{"size",
			"the dense features have 512 bytes, which do not match 6 rows, 1 queries and 20 columns",
			dense.Bytes(), func(b []byte) []byte { b[64+17]--; return reseal(b) }},
		{"row offsets",
			"row offsets: element 3 is 1; it must be at least 20",
			csr.Bytes(), func(b []byte) []byte { in(b, rowOffsets, 3, 1); return b }},
		{"last row offset",
			"row offsets: the last element is 1000; it must be 62",
			csr.Bytes(), func(b []byte) []byte { in(b, rowOffsets, 6, 1000); return b }},
		{"query offsets",
			"query offsets: the last element is 9; it must be 6",
			dense.Bytes(), func(b []byte) []byte { in(b, queryOffsets, 1, 9); return b }},
		{"query IDs",
			"query ID ends: element 0 is 99; it must be from 0 to 1",
			dense.Bytes(), func(b []byte) []byte { in(b, queryIDEnds, 0, 99); return b }},
		{"documents",
			"document ID ends: element 2 is 1; it must be from 2 to 6",
			dense.Bytes(), func(b []byte) []byte { in(b, docIDEnds, 2, 1); return b }},
		{"last document",
			"document ID ends: the last element is 5; it must be 6",
			dense.Bytes(), func(b []byte) []byte { in(b, docIDEnds, 5, 5); return b }},
		{"names",
			"column name ends: element 4 is 98; it must be from 4 to 20",
			dense.Bytes(), func(b []byte) []byte { in(b, nameEnds, 4, 98); return b }},
		{"columns",
			"row 1: column 2 follows column 12; columns must be in ascending order",
			csr.Bytes(), func(b []byte) []byte { in(b, columns, 15, 2); return b }},
		{"wide columns",
			"row 1: column 300 is out of range: there are 20 columns",
			csr.Bytes(), func(b []byte) []byte { in(b, columns, 19, 300); return b }},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(bytes.NewReader(c.change(bytes.Clone(c.b))))
			if err == nil || err.Error() != "datafile: "+c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

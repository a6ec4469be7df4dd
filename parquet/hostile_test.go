package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// The writers of the tests cannot write hostile files. These functions write the compact protocol
// of Thrift byte by byte.

// fieldOf returns a field with the number of the field before it plus delta.
func fieldOf(delta int, kind byte, content ...string) string {
	return string([]byte{byte(delta)<<4 | kind}) + strings.Join(content, "")
}

// uvarintOf and varintOf return an integer, without or with a sign.
func uvarintOf(n int) string  { return string(binary.AppendUvarint(nil, uint64(n))) }
func varintOf(n int64) string { return string(binary.AppendVarint(nil, n)) }

func binaryOf(s string) string { return uvarintOf(len(s)) + s }

// listOf returns a list that claims to have n elements.
func listOf(n int, elements ...string) string {
	return "\xfc" + uvarintOf(n) + strings.Join(elements, "")
}

// A column is a column of a hostile file with its pages.
type hostileColumn struct {
	name      string
	kind      format.Type
	codec     format.CompressionCodec
	converted int // −1: none
	scale     int
	pages     string // of each row group; "" if they are those of the column before
}

// intsOf returns a column of integers.
func intsOf(name, pages string) hostileColumn {
	return hostileColumn{name: name, kind: format.Int32, converted: -1, pages: pages}
}

// elementOf returns an element of a schema without children.
func elementOf(c hostileColumn) string {
	e := fieldOf(1, typeI32, varintOf(int64(c.kind))) + fieldOf(2, typeI32, varintOf(0)) +
		fieldOf(1, typeBinary, binaryOf(c.name))
	if c.converted >= 0 {
		e += fieldOf(2, typeI32, varintOf(int64(c.converted))) + fieldOf(1, typeI32, varintOf(int64(c.scale))) +
			fieldOf(1, typeI32, varintOf(9))
	}
	return e + "\x00"
}

func rootOf(columns int) string {
	return fieldOf(4, typeBinary, binaryOf("r")) + fieldOf(1, typeI32, varintOf(int64(columns))) + "\x00"
}

// fileWith returns a file with the given number of row groups. If groups is negative, it repeats
// one group −groups times.
func fileWith(groups, rows int, columns ...hostileColumn) []byte {
	file, schema, list := []byte("PAR1"), []string{rootOf(len(columns))}, []string{}
	for _, c := range columns {
		schema = append(schema, elementOf(c))
	}
	for range max(groups, 1) {
		var chunks strings.Builder
		at, size := 0, 0
		for _, c := range columns {
			if c.pages != "" {
				at, size = len(file), len(c.pages)
				file = append(file, c.pages...)
			}
			metadata := fieldOf(1, typeI32, varintOf(int64(c.kind))) + fieldOf(3, typeI32, varintOf(int64(c.codec))) +
				fieldOf(3, typeI64, varintOf(int64(size))) + fieldOf(2, typeI64, varintOf(int64(at))) + "\x00"
			chunks.WriteString(fieldOf(2, typeI64, varintOf(0)) + fieldOf(1, typeStruct, metadata) + "\x00")
		}
		list = append(list, fieldOf(1, typeList, listOf(len(columns), chunks.String()))+
			fieldOf(2, typeI64, varintOf(int64(rows)))+"\x00")
	}
	if groups < 0 {
		list = slices.Repeat(list, -groups)
	}
	return closed(file, fieldOf(2, typeList, listOf(len(schema), schema...))+
		fieldOf(2, typeList, listOf(len(list), list...))+"\x00")
}

// closed returns a file with a footer.
func closed(file []byte, footer string) []byte {
	file = append(file, footer...)
	return append(binary.LittleEndian.AppendUint32(file, uint32(len(footer))), "PAR1"...)
}

// footerOf returns a file with only a footer, which has this list as a field.
func footerOf(field int, list string) []byte {
	good := fileWith(1, 1, intsOf("label", onePage(1, 0)), intsOf("qid", onePage(1, 0)), intsOf("x", onePage(1, 0)))
	n := int(binary.LittleEndian.Uint32(good[len(good)-8:]))
	footer := string(good[len(good)-8-n : len(good)-9]) // without its end
	switch field {
	case 2:
		return closed([]byte("PAR1"), fieldOf(2, typeList, list)+fieldOf(2, typeList, listOf(0))+"\x00")
	case 4:
		schema := listOf(4, rootOf(3), elementOf(intsOf("label", "")), elementOf(intsOf("qid", "")),
			elementOf(intsOf("x", "")))
		return closed([]byte("PAR1"), fieldOf(2, typeList, schema)+fieldOf(2, typeList, list)+"\x00")
	}
	return closed(good[:len(good)-8-n], footer+fieldOf(field-4, typeList, list)+"\x00")
}

// pageOfType returns a page with a specific header, which is the field of the given number.
func pageOfType(kind int64, field, size int, content, header string) string {
	return fieldOf(1, typeI32, varintOf(kind)) + fieldOf(1, typeI32, varintOf(int64(size))) +
		fieldOf(1, typeI32, varintOf(int64(len(content)))) + fieldOf(field-3, typeStruct, header, "\x00") +
		"\x00" + content
}

// pageWith returns a page of version 1 with n values.
func pageWith(n int, encoding format.Encoding, size int, content string) string {
	return pageOfType(0, 5, size, content, fieldOf(1, typeI32, varintOf(int64(n)))+
		fieldOf(1, typeI32, varintOf(int64(encoding)))+fieldOf(1, typeI32, varintOf(3))+
		fieldOf(1, typeI32, varintOf(3)))
}

// dictionaryWith returns a page of a dictionary that claims to have n values.
func dictionaryWith(n, size int, content string) string {
	return pageOfType(2, 7, size, content,
		fieldOf(1, typeI32, varintOf(int64(n)))+fieldOf(1, typeI32, varintOf(0)))
}

// onePage returns pages of n values that are all v.
func onePage(n, v int) string {
	run := "\x00" + uvarintOf(2*n)
	return dictionaryWith(1, 4, string(binary.LittleEndian.AppendUint32(nil, uint32(v)))) +
		pageWith(n, format.RLEDictionary, len(run), run)
}

// deltaPage returns a page of n integers from first on.
func deltaPage(n int, first, step int64) string {
	const block = 1 << 20
	b := uvarintOf(block) + uvarintOf(1) + uvarintOf(n) + varintOf(first) +
		strings.Repeat(varintOf(step)+"\x00", (n+block-2)/block)
	return pageWith(n, format.DeltaBinaryPacked, len(b), b)
}

// zeros returns a compressed text of n zero bytes.
func zeros(codec format.CompressionCodec, n int) string {
	var b bytes.Buffer
	if codec == format.Brotli {
		w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: 5, LGWin: 24})
		w.Write(make([]byte, n))
		w.Close()
		return b.String()
	}
	return string(compressor().EncodeAll(make([]byte, n), nil))
}

func compressor() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return e
}

// many returns n columns with distinct names.
func many(n int, column func(i int, name string) hostileColumn) []hostileColumn {
	columns := make([]hostileColumn, n)
	for i := range columns {
		columns[i] = column(i, fmt.Sprintf("%x", i+1<<20))
	}
	return columns
}

// A hostileFile is a small file that requires much more memory or time, unless readers prevent it.
type hostileFile struct {
	name string
	file func() []byte
	want string // an error, or "" if the file is valid
}

func hostileFiles(scale int) []hostileFile {
	const million = 1_000_000
	empty := listOf(60*million/scale, strings.Repeat("\x00", 60*million/scale))
	table := func(groups, rows int, features ...hostileColumn) []byte {
		return fileWith(groups, rows, append([]hostileColumn{intsOf("label", onePage(rows, 1)),
			intsOf("qid", onePage(rows, 1))}, features...)...)
	}
	overlap := func(columns, rows int) func() []byte {
		return func() []byte {
			return table(1, rows, many(columns, func(i int, name string) hostileColumn {
				if i > 0 {
					return intsOf(name, "")
				}
				return intsOf(name, onePage(rows, 0))
			})...)
		}
	}
	named := func(value string) string {
		return fieldOf(1, typeBinary, binaryOf("pandas")) + fieldOf(1, typeBinary, binaryOf(value)) + "\x00"
	}
	return []hostileFile{
		{"overlapping columns, small", overlap(1900/scale, 2*million/scale), "the pages begin at byte"},
		{"overlapping columns", overlap(14_000/scale, 8*million/scale), "the pages begin at byte"},
		{"overlapping row groups", func() []byte {
			const rows = 1000
			return fileWith(-12_000/scale, rows, intsOf("label", onePage(rows, 1)), intsOf("qid", onePage(rows, 1)),
				intsOf("x", onePage(rows, 0)))
		}, "the pages begin at byte"},
		{"columns of zeros", func() []byte {
			return table(1, 8*million/scale, many(6000/scale, func(_ int, name string) hostileColumn {
				return intsOf(name, onePage(8*million/scale, 0))
			})...)
		}, "rows need"},
		{"columns of zeros, as deltas", func() []byte {
			return table(1, 8*million/scale, many(6000/scale, func(_ int, name string) hostileColumn {
				return intsOf(name, deltaPage(8*million/scale, 0, 0))
			})...)
		}, "rows need"},
		{"columns of zeros, fewer", func() []byte {
			return table(1, million/scale, many(260, func(_ int, name string) hostileColumn {
				return intsOf(name, onePage(million/scale, 0))
			})...)
		}, ""},
		{"columns of zeros, fewer, as deltas", func() []byte {
			return table(1, million/scale, many(260, func(_ int, name string) hostileColumn {
				return intsOf(name, deltaPage(million/scale, 0, 0))
			})...)
		}, ""},
		{"an empty schema element, many times", func() []byte {
			return footerOf(2, empty)
		}, "elements requires"},
		{"a named schema element, many times", func() []byte {
			n := 5 * million / scale
			return footerOf(2, listOf(n, rootOf(n-1), strings.Repeat("\x48\x00\x00", n-1)))
		}, "columns require"},
		{"an empty row group, many times", func() []byte {
			return footerOf(4, empty)
		}, "elements requires"},
		{"an empty chunk, many times", func() []byte {
			return footerOf(4, listOf(1, fieldOf(1, typeList, empty)))
		}, "unexpected end"},
		{"an empty pair, many times", func() []byte {
			return footerOf(5, empty)
		}, ""},
		{"an unknown list of structures", func() []byte {
			return footerOf(15, empty)
		}, ""},
		{"a list that claims to be long", func() []byte { return footerOf(2, listOf(math.MaxInt32)) },
			"unexpected end"},
		{"lists in lists", func() []byte { return footerOf(15, strings.Repeat("\x19", million)) }, "malformed"},
		{"pandas with lists", func() []byte {
			return footerOf(5, listOf(1, named(`{"index_columns":[`+strings.Repeat("[],", 5*million/scale)+"0]}")))
		}, ""},
		{"pandas with names", func() []byte {
			var b strings.Builder
			for i := range 2 * million / scale {
				fmt.Fprintf(&b, `"%x",`, i)
			}
			return footerOf(5, listOf(1, named(`{"index_columns":[`+b.String()+"0]}")))
		}, ""},
		{"decimals with 1000 digits", func() []byte {
			rows := 8 * million / scale
			qid := hostileColumn{name: "qid", kind: format.Int32, converted: int(deprecated.Decimal), scale: 1000,
				pages: deltaPage(rows, 0, 0)}
			return fileWith(1, rows, intsOf("label", onePage(rows, 1)), qid, intsOf("x", onePage(rows, 0)))
		}, "contains values of type DECIMAL"},
		{"long numbers as queries", func() []byte {
			rows := 4 * million / scale
			one := make([]byte, 8*rows)
			for i := 0; i < len(one); i += 8 {
				one[i] = 1 // the smallest number above 0 has 324 digits
			}
			content := string(compressor().EncodeAll(one, nil))
			small := hostileColumn{name: "qid", kind: format.Double, codec: format.Zstd, converted: -1,
				pages: pageWith(rows, format.Plain, len(one), content)}
			return fileWith(1, rows, intsOf("label", onePage(rows, 1)), small, intsOf("x", onePage(rows, 0)))
		}, "the identifiers need"},
		{"a dictionary with more entries than rows", func() []byte {
			entries := 100 * million / scale
			column := func(_ int, name string) hostileColumn {
				return hostileColumn{name: name, kind: format.Int32, codec: format.Zstd, converted: -1,
					pages: dictionaryWith(entries, 4*entries, zeros(format.Zstd, 4*entries)) +
						pageWith(10, format.RLEDictionary, 16, zeros(format.Zstd, 16))}
			}
			return table(1, 10, column(0, "x"))
		}, "values declares"},
		{"brotli windows of 16 MB", func() []byte {
			page := pageWith(1, format.Plain, 1<<16, zeros(format.Brotli, 1<<16))
			x := hostileColumn{name: "x", kind: format.Int32, codec: format.Brotli, converted: -1,
				pages: strings.Repeat(page, 10_000/scale)}
			return table(1, 10_000/scale, x)
		}, ""},
		{"pages without values", func() []byte {
			x := intsOf("x", strings.Repeat(pageWith(0, format.Plain, 0, ""), million/scale)+onePage(1, 0))
			return table(1, 1, x)
		}, ""},
		{"pages far larger than their values", func() []byte {
			page := pageWith(1, format.Plain, 1<<20, zeros(format.Zstd, 1<<20))
			x := hostileColumn{name: "x", kind: format.Int32, codec: format.Zstd, converted: -1,
				pages: strings.Repeat(page, 5000/scale)}
			return table(1, 5000/scale, x)
		}, "values declares"},
		{"queries of one row each", func() []byte {
			rows := 8 * million / scale
			return fileWith(1, rows, intsOf("label", onePage(rows, 1)), intsOf("qid", deltaPage(rows, 0, 1)),
				intsOf("x", onePage(rows, 0)))
		}, "the queries need"},
		{"row groups without rows", func() []byte {
			return fileWith(100_000/scale, 0, intsOf("label", ""), intsOf("qid", ""), intsOf("x", ""))
		}, "the file contains no documents"},
	}
}

// TestHostile reads files that are constructed to be expensive. The limit for each is 64 MiB plus
// four times the size of the file and the dataset. All allocations count, which is more than the
// peak memory.
func TestHostile(t *testing.T) {
	const scale = 10
	for _, c := range hostileFiles(scale) {
		t.Run(c.name, func(t *testing.T) {
			file := c.file()
			o := data.Options{Threads: 2, ReadOptions: rank.ReadOptions{MemoryLimit: 1 << 30 / scale}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := Read(bytes.NewReader(file), int64(len(file)), o)
			runtime.ReadMemStats(&after)
			needed := int64(len(file))
			if d != nil {
				needed += int64(rowBytes*d.Rows() + queryBytes*d.Queries() + 4*len(d.X))
			}
			if got, limit := int64(after.TotalAlloc-before.TotalAlloc), 4*needed+1<<26; got > limit {
				t.Errorf("%d bytes allocated for a file of %d, which needs %d: %v", got, len(file), needed, err)
			}
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

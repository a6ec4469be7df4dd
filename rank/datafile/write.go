package datafile

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// Write writes a dataset as a data file. It does not store the line numbers of rows.
func Write(w io.Writer, d *rank.Dataset) (err error) {
	defer memory.Begin().End(&err)
	if err := validate(d); err != nil {
		return err
	}
	h := headerOf(d)
	out := newSink(w)
	out.bytes(h.encode())
	for _, s := range h.sections {
		out.pad(int64(s.offset))
		out.begin(s.kind)
		out.part(s.kind, d, &progress{})
	}
	return out.flush()
}

// Size returns the number of bytes that [Write] writes for a valid dataset.
func Size(d *rank.Dataset) int64 { return int64(headerOf(d).size) }

// headerOf returns the header of the file that contains d.
func headerOf(d *rank.Dataset) *header {
	h := &header{rows: uint64(d.Rows()), queries: uint64(d.Queries()), cols: uint64(d.Cols), absent: uint64(d.Absent)}
	for _, k := range order(d.Sparse != nil) {
		if has(d, k) {
			h.sections = append(h.sections, section{kind: k, size: uint64(sizeOf(d, k))})
		}
	}
	h.place()
	return h
}

// Save atomically writes a dataset to a data file. If the name ends in .gz, the file is compressed
// with gzip and cannot be memory-mapped.
func Save(path string, d *rank.Dataset) error {
	return files.Save(path, func(w io.Writer) error { return Write(w, d) })
}

// order returns the order of the sections in a file. The features come first, because their size is
// the hardest to predict when a file is written in pieces.
func order(sparse bool) []kind {
	rest := []kind{labels, queryOffsets, queryIDEnds, queryIDText, docIDEnds, docIDText, rowWeights, queryWeights,
		positions, nameEnds, nameText, textColumns, listEnds, categoryEnds, categoryText}
	if sparse {
		return append([]kind{values, columns, rowOffsets}, rest...)
	}
	return append([]kind{denseFeatures}, rest...)
}

// has reports whether a file of d contains section k. order has already selected the sections for
// the dense or sparse form.
func has(d *rank.Dataset, k kind) bool {
	switch k {
	case docIDEnds, docIDText:
		return d.DocIDs != nil
	case rowWeights:
		return d.Weights != nil
	case queryWeights:
		return d.QueryWeights != nil
	case positions:
		return d.Positions != nil
	case nameEnds, nameText:
		return d.Names != nil
	case textColumns, listEnds, categoryEnds, categoryText:
		return text.HasCategories(d.Categories)
	}
	return true
}

// sizeOf returns the size of section k in bytes.
func sizeOf(d *rank.Dataset, k kind) int64 {
	rows, queries := int64(d.Rows()), int64(d.Queries())
	switch k {
	case denseFeatures:
		return 4 * rows * int64(memory.Stride(d.Cols))
	case rowOffsets:
		return 8 * (rows + 1)
	case columns, values:
		return 4 * int64(len(d.Sparse.Values))
	case queryOffsets:
		return 8 * (queries + 1)
	case queryIDEnds, queryWeights:
		return 8 * queries
	case positions:
		return 4 * rows
	case nameEnds:
		return 8 * int64(d.Cols)
	case queryIDText:
		return textSize(d.QueryIDs)
	case docIDText:
		return textSize(d.DocIDs)
	case nameText:
		return textSize(d.Names)
	case textColumns, listEnds, categoryEnds, categoryText:
		return categorySize(d, k)
	}
	return 8 * rows
}

// categorySize returns the size of a section of text categories.
func categorySize(d *rank.Dataset, k kind) (size int64) {
	for _, list := range d.Categories {
		switch {
		case list == nil:
		case k == textColumns:
			size += 4
		case k == listEnds:
			size += 8
		case k == categoryEnds:
			size += 8 * int64(len(list))
		default:
			size += textSize(list)
		}
	}
	return size
}

func textSize(list []string) (n int64) {
	for _, s := range list {
		n += int64(len(s))
	}
	return n
}

// place sets the offsets of the sections and the size of the file.
func (h *header) place() {
	end := uint64(headerSize + entrySize*len(h.sections))
	for i := range h.sections {
		s := &h.sections[i]
		to := uint64(alignment)
		if s.kind == denseFeatures || s.kind == columns || s.kind == values {
			to = pageAlign
		}
		s.offset = (end + to - 1) &^ (to - 1)
		end = s.offset + s.size
	}
	h.size = end
}

// progress is the amount of content that earlier pieces added to a file.
type progress struct {
	rows, values       int
	queryText, docText int64
}

// A sink writes the sections of a file and counts the bytes. It keeps the first error and then
// writes nothing more.
type sink struct {
	w   *bufio.Writer
	n   int64 // number of bytes written
	err error
}

func newSink(w io.Writer) *sink { return &sink{w: bufio.NewWriterSize(w, 1<<18)} }

func (s *sink) bytes(b []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(b)
		s.n += int64(len(b))
	}
}

func (s *sink) text(t string) {
	if s.err == nil {
		_, s.err = s.w.WriteString(t)
		s.n += int64(len(t))
	}
}

func (s *sink) uint64(v uint64) { s.bytes(binary.LittleEndian.AppendUint64(s.w.AvailableBuffer(), v)) }

// pad writes zeros until the sink contains the given number of bytes.
func (s *sink) pad(to int64) {
	var zeros [alignment]byte
	for s.n < to && s.err == nil {
		s.bytes(zeros[:min(int64(len(zeros)), to-s.n)])
	}
}

func (s *sink) flush() error {
	if s.err == nil {
		s.err = s.w.Flush()
	}
	return s.err
}

// put writes numbers in little-endian order.
func put[T element](s *sink, numbers []T) {
	if native {
		s.bytes(bytesOf(numbers))
		return
	}
	const block = 1 << 10
	for len(numbers) > 0 && s.err == nil {
		n := min(len(numbers), block)
		b, err := binary.Append(s.w.AvailableBuffer(), binary.LittleEndian, numbers[:n])
		if err != nil {
			s.err = err
			return
		}
		s.bytes(b)
		numbers = numbers[n:]
	}
}

// begin writes the first offset, which is 0, if section k contains offsets.
func (s *sink) begin(k kind) {
	if k == rowOffsets || k == queryOffsets {
		s.uint64(0)
	}
}

// part appends the content that d contributes to section k. before is the content of earlier
// pieces. Features that are sparse in d may be dense in the file, and the other way around.
func (s *sink) part(k kind, d *rank.Dataset, before *progress) {
	switch k {
	case denseFeatures:
		s.dense(d, memory.Stride(d.Cols))
	case rowOffsets:
		if d.Sparse != nil {
			s.offsets(d.Sparse.Offsets, before.values)
			return
		}
		sum := before.values
		for i := range d.Rows() {
			for _, v := range d.Row(i) {
				if isValue(v) {
					sum++
				}
			}
			s.uint64(uint64(sum))
		}
	case columns:
		if d.Sparse != nil {
			put(s, d.Sparse.Columns)
			return
		}
		for i := range d.Rows() {
			for j, v := range d.Row(i) {
				if isValue(v) {
					s.bytes(binary.LittleEndian.AppendUint32(s.w.AvailableBuffer(), uint32(j)))
				}
			}
		}
	case values:
		if d.Sparse != nil {
			put(s, d.Sparse.Values)
			return
		}
		for i := range d.Rows() {
			for _, v := range d.Row(i) {
				if isValue(v) {
					s.bytes(binary.LittleEndian.AppendUint32(s.w.AvailableBuffer(), math.Float32bits(v)))
				}
			}
		}
	case labels:
		put(s, d.Labels)
	case queryOffsets:
		s.offsets(d.Offsets, before.rows)
	case queryIDEnds:
		s.ends(d.QueryIDs, before.queryText)
	case queryIDText:
		s.texts(d.QueryIDs)
	case docIDEnds:
		s.ends(d.DocIDs, before.docText)
	case docIDText:
		s.texts(d.DocIDs)
	case rowWeights:
		put(s, d.Weights)
	case queryWeights:
		put(s, d.QueryWeights)
	case positions:
		put(s, d.Positions)
	case nameEnds:
		s.ends(d.Names, 0)
	case nameText:
		s.texts(d.Names)
	case textColumns, listEnds, categoryEnds, categoryText:
		s.categories(k, d)
	}
}

// categories writes a section of text categories.
func (s *sink) categories(k kind, d *rank.Dataset) {
	texts, size := 0, int64(0)
	for j, list := range d.Categories {
		if list == nil {
			continue
		}
		texts += len(list)
		switch k {
		case textColumns:
			s.bytes(binary.LittleEndian.AppendUint32(s.w.AvailableBuffer(), uint32(j)))
		case listEnds:
			s.uint64(uint64(texts))
		case categoryEnds:
			s.ends(list, size)
			size += textSize(list)
		default:
			s.texts(list)
		}
	}
}

// isValue reports whether sparse features contain a value. Sparse features contain all values
// except +0. In particular, they contain −0, so that reading restores the exact bits.
func isValue(v float32) bool { return math.Float32bits(v) != 0 }

// dense writes the features as dense rows of the given stride.
func (s *sink) dense(d *rank.Dataset, stride int) {
	// Copy one block of rows at a time, because the padding in d may contain other numbers than 0.
	rows := max(1<<14/max(stride, 1), 1)
	block := make([]float32, rows*stride)
	for lo := 0; lo < d.Rows() && s.err == nil; lo += rows {
		n := min(rows, d.Rows()-lo)
		if d.Sparse != nil {
			clear(block)
		}
		for i := range n {
			to := block[i*stride : (i+1)*stride]
			if x := d.Sparse; x != nil {
				for k := x.Offsets[lo+i]; k < x.Offsets[lo+i+1]; k++ {
					to[x.Columns[k]] = x.Values[k]
				}
			} else {
				copy(to, d.Row(lo+i))
			}
		}
		put(s, block[:n*stride])
	}
}

// offsets writes all offsets except the first one. It adds before to each.
func (s *sink) offsets(o []int, before int) {
	if native && strconv.IntSize == 64 && before == 0 {
		s.bytes(bytesOf(o[1:]))
		return
	}
	for _, v := range o[1:] {
		s.uint64(uint64(before + v))
	}
}

func (s *sink) ends(list []string, before int64) {
	for _, t := range list {
		before += int64(len(t))
		s.uint64(uint64(before))
	}
}

func (s *sink) texts(list []string) {
	for _, t := range list {
		s.text(t)
	}
}

// repeat writes a number n times.
func (s *sink) repeat(v uint64, n int) {
	for range n {
		s.uint64(v)
	}
}

// errPositions returns the error for data in which only some rows have positions.
func errPositions(row int) error {
	return errs.Errorf("datafile", "positions must be set for all rows or for no row, but this changes at row %d", row)
}
